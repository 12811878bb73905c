#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the compiled loops to what constant time asks of them (lint.awk), and the T-tables to
# the contrary, which shows that the lint can see. Argument: libkernels.a
set -u

command -v objdump >/dev/null || {
    echo "skipped: objdump is not installed (package binutils)"
    exit 77
}

findings=$(objdump -d --no-show-raw-insn "$1" | awk -f "$(dirname "$0")/lint.awk")

# The kernels of known intensity have AES instructions and no secret.
members=$(echo "$findings" | awk '$1 == "loops" && $3 == "aes" && $4 !~ /^intensity/ { print $4 }')
if [ -z "$members" ]; then
    echo "skipped: this compiler built no kernel with AES instructions"
    exit 77
fi

failures=0
for member in $members; do
    found=$(echo "$findings" | awk -v member="$member" '$1 == member')
    loops=$(echo "$findings" | awk -v member="$member" '$1 == "loops" && $4 == member { print $2 }')
    if [ -n "$found" ]; then
        echo "data decides an address or a branch:"
        echo "$found"
        failures=$((failures + 1))
    else
        echo "$member: none of $loops loops takes an address or a branch from data"
    fi
done

caught=$(echo "$findings" | awk '$1 ~ /^ttable/' | wc -l)
if [ "$caught" -eq 0 ]; then
    echo "the look-ups of the T-tables were not seen: nothing is shown"
    failures=$((failures + 1))
else
    echo "ttable: $caught instructions seen, as it leaks"
fi
exit $((failures > 0))
