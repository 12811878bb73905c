#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Has likwid-perfctr count the marker regions of a sweep, on made-up processors and with
# access_daemon.c in place of its access daemon. Of each event that adds STEP for every call of a
# region: starting and stopping it reads each counter once. So every number is known before.
#   markers.sh ROOT DAEMON PROGRAM REGIONS   the program under test, and regions.c
# Ends with 77 and a reason where this cannot be done.
root=$(cd "${1:?the root of the source tree}" && pwd) || exit 1
daemon=$(realpath "${2:?the stand-in for the access daemon}") || exit 1
program=$(realpath "${3:?the program}") || exit 1
regions=$(realpath "${4:?the program of regions.c}") || exit 1
. "$root/tests/likwid/made_up.sh"

STEP=1000 # of access_daemon.c

# What likwid-perfctr preloads comes before the sanitizers, and likwid is not free of leaks.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0
export ASAN_OPTIONS

# The pattern of instructions, whose baseline is no part of a region, and two kernels.
cat >tiny.sweep <<'SWEEP'
[sweep]
probes = clock units
point_budget = 15ms

[streams]
kernels = load-sse2 copy-sse2
from = 16 KiB
to = 32 KiB
per_octave = 1
SWEEP
RIDGEPOINT_CPU=aesni
export RIDGEPOINT_CPU

# perfctr ARCHITECTURE CPUS COMMAND...: counts the regions of a command with RP_L2, into
# counted.csv; what it and likwid print goes into out and err.
perfctr() {
    architecture=$1
    cpus=$2
    shift 2
    rm -f counted.csv
    on_processor "$work/$architecture.cfg" timeout 50 likwid-perfctr -C "$cpus" -g RP_L2 -m \
        -o counted.csv "$@" >out 2>err
}

# compare ARCHITECTURE CALLS: holds counted.csv against lines of "calls region"; each region must
# be there with these calls on every CPU, and each event of the group with STEP for each. Prints
# what is not so.
compare() {
    events=$(sed -n '/^EVENTSET/,/^$/p' "$groups/$1/RP_L2.txt" | grep -c ' ')
    [ -e counted.csv ] || echo "likwid-perfctr wrote nothing"
    awk -F, -v step=$STEP -v events="$events" '
        NR == FNR {
            calls[substr($0, index($0, " ") + 1)] = $0 + 0
            next
        }
        $1 == "TABLE" {
            region = substr($2, 8)
            raw = $3 ~ / Raw$/
            if (raw && !(region in calls)) print region ": not a job of this run"
            next
        }
        $1 == "Event" || $1 == "STRUCT" || !raw { next }
        $1 == "call count" { first = 2; expected = calls[region] }
        $1 != "call count" { first = 3; expected = calls[region] * step; seen[region]++ }
        $1 ~ /^(Region Info|RDTSC Runtime \[s\])$/ { seen[region]--; next }
        {
            for (i = first; i <= NF && $i != ""; i++)
                if ($i != expected) print region ": " $1 " is " $i ", not " expected
            if (i == first) print region ": no value for " $1
        }
        END {
            for (region in calls)
                if (seen[region] != events)
                    print region ": " seen[region] + 0 " of " events " events"
        }' "$2" counted.csv
    grep -E 'WARN|ERROR|Cannot|cannot' err
}

# verdict NAME FINDINGS: a test is good when nothing was found.
verdict() {
    if [ -z "$2" ]; then
        echo "$1: as expected"
    else
        echo "$1: $2" | tee -a failures
        sed 's/^/    /' out err | tail -n 20
    fi
}

# Every job of a sweep on one core.
sweep_is_counted() { # architecture cpus
    perfctr "$1" "$2" "$program" sweep --results "$1" tiny.sweep
    "$regions" "$1/latest/run.jsonl" >calls
    grep -q '"perf-event",[^}]*Device or resource busy' "$1/latest/run.jsonl" ||
        echo "the kernel's counter of cycles was asked for"
    [ "$(wc -l <calls)" -ge 4 ] || echo "only $(wc -l <calls) jobs were sampled"
    compare "$1" calls
}

# A sweep that is told to stop has likwid write what it has counted.
stopped_sweep_is_counted() {
    sed 's/= 15ms/= 100ms/' tiny.sweep >long.sweep
    # shellcheck disable=SC2016 # variables of that script
    printf '#!/bin/sh\necho $$ >pid\nexec "$@"\n' >noted
    chmod +x noted
    perfctr zen3 0 ./noted "$program" sweep --results stopped long.sweep &
    caller=$!
    while [ "$(grep -c . stopped/latest/run.jsonl 2>/dev/null || echo 0)" -lt 4 ] &&
        kill -0 $caller 2>/dev/null; do
        sleep 0.02
    done
    kill -s TERM "$(cat pid)"
    wait $caller
    grep -q '^ridgepoint: stopped after' err || echo "it was not stopped"
    "$regions" stopped/latest/run.jsonl >calls
    compare zen3 calls
}

# Two threads start and stop for themselves; each on a CPU of its own, where likwid's library
# that binds threads would have them elsewhere.
team_is_counted() {
    perfctr ICX 1,0 "$regions" --team
    grep -v '^-' out | grep ' ' >calls
    [ -s calls ] || echo "nothing was measured"
    compare ICX calls
    grep -q '^Region Info,HWThread 0,HWThread 1,' counted.csv || echo "not on both CPUs"
}

# Whom likwid did not start has nothing to do with it.
alone_is_without_likwid() {
    LD_DEBUG=files "$program" probe clock >out 2>err
    grep -q 'libhwloc' err || echo "the loader tells no files"
    grep -i 'likwid' err
}

describe zen3
describe ICX
verdict 'a program on its own' "$(alone_is_without_likwid)"
verdict 'a sweep on Zen 3' "$(sweep_is_counted zen3 0)"
verdict 'a sweep on Ice Lake' "$(sweep_is_counted ICX 0)"
verdict 'a sweep that is stopped' "$(stopped_sweep_is_counted)"
if [ "$(nproc)" -ge 2 ]; then
    verdict 'two threads' "$(team_is_counted)"
fi
[ ! -e failures ]
