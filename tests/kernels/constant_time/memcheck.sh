#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernels under valgrind, which tells them that there is neither VAES nor AVX-512: those
# are for msan.sh. Argument: the program constant_time
set -u

command -v valgrind >/dev/null || {
    echo "skipped: valgrind is not installed (package valgrind)"
    exit 77
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

valgrind --quiet --error-limit=no --log-file="$log" "$1"
status=$?
if [ "$status" -ne 0 ] && [ "$status" -ne 77 ]; then
    echo "what valgrind saw, of which the kernels that leak are to be expected:"
    head -200 "$log"
fi
exit "$status"
