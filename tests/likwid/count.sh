#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Has `ridgepoint counters` count a run with likwid-perfctr itself, on made-up processors and with
# access_daemon.c in place of its access daemon: each event adds STEP for every call of a region,
# so every number that the run gets is known before.
#   count.sh ROOT DAEMON PROGRAM
# Ends with 77 and a reason where this cannot be done.
root=$(cd "${1:?the root of the source tree}" && pwd) || exit 1
daemon=$(realpath "${2:?the stand-in for the access daemon}") || exit 1
program=$(realpath "${3:?the program}") || exit 1
. "$root/tests/likwid/made_up.sh"

STEP=1000 # of access_daemon.c

# What likwid-perfctr preloads comes before the sanitizers, and likwid is not free of leaks.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0
RIDGEPOINT_CPU=sse2
export ASAN_OPTIONS RIDGEPOINT_CPU
cat >tiny.sweep <<'SWEEP'
[sweep]
probes = clock
point_budget = 15ms

[streams]
kernels = load-sse2 copy-sse2
from = 16 KiB
to = 32 KiB
per_octave = 1
SWEEP

# count ARCHITECTURE ARGUMENT...: counts its run; what is printed goes into out and err.
count() {
    architecture=$1
    shift
    on_processor "$work/$architecture.cfg" "$program" counters --with likwid --force --architecture \
        "$architecture" "$@" "$architecture/latest" >out 2>err
}

# sampled RUN: its jobs that samples were kept of, which a busy machine may spoil.
sampled() {
    sed -n 's/^.*"job":"sweep\/\([^"]*\)".*"ns":\[[0-9].*/\1/p' "$1/latest/run.jsonl" | sort
}

# records ARCHITECTURE GROUP: the run must have a record of this group for each job that was
# sampled in both runs, with each event of the group, and STEP for each call. Prints what is not
# so.
records() {
    events=$(sed -n '/^EVENTSET/,/^$/p' "$groups/$1/$2.txt" | grep -c ' ')
    sampled "$1" >run
    sampled "$1/latest/counters/$2/results" | comm -12 - run >expected
    [ -s expected ] || echo "$2: no job was sampled"
    sed -n "s/^.*\"job\":\"counters\/$2\/\([^\"]*\)\".*/\1/p" "$1/latest/run.jsonl" | sort |
        diff expected -
    grep "\"job\":\"counters/$2/" "$1/latest/run.jsonl" |
        awk -v group="$2" -v step=$STEP -v events="$events" '
            {
                match($0, /"calls":[0-9]+/)
                calls = substr($0, RSTART + 8, RLENGTH - 8)
                count = split($0, part, "\"value\":") - 1
                for (i = 2; i <= count + 1; i++)
                    if (part[i] + 0 != calls * step)
                        print group ": " part[i] + 0 " for " calls " calls"
                if (calls == 0 || count != events)
                    print group ": " count " of " events " events in " calls " calls"
            }'
}

# verdict NAME FINDINGS: a test is good when nothing was found.
verdict() {
    if [ -z "$2" ]; then
        echo "$1: as expected"
    else
        echo "$1: $2" | tee -a failures
        sed 's/^/    /' err | tail -n 20
    fi
}

# By these groups and no others, which OPTIONS ask for.
run_is_counted() { # architecture options name...
    "$program" sweep --no-report --results "$1" tiny.sweep >out 2>err || cat err
    architecture=$1
    # shellcheck disable=SC2086 # words
    count "$architecture" $2
    # 3 is for figures that cannot be drawn.
    case $? in
    0 | 3) ;;
    *) cat err ;;
    esac
    grep -E 'WARN|ERROR|could not be counted' err
    shift 2
    for name; do
        records "$architecture" "$name"
    done
    left=$(grep -o '"job":"counters/[A-Z0-9_]*' "$architecture/latest/run.jsonl" | sort -u | wc -l)
    [ "$left" -eq $# ] || echo "$left groups instead of $#"
}

# digits NUMBER: as figures print it.
digits() {
    awk -v number="$1" 'BEGIN {
        places = number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3
        printf "%." places "f", number
    }'
}

# From the calls to the mark on the roofline: one event counts the lines into L1 and one those
# out of it, STEP for each call. A slow cipher, so that a call of a millisecond has about as many.
figure_is_exact() {
    cat >cipher.sweep <<'SWEEP'
[sweep]
probes = clock
point_budget = 40ms

[cipher]
kernels = aes128ctr-naive
modes = temporal
from = 128 KiB
to = 128 KiB
per_octave = 1
SWEEP
    "$program" sweep --no-report --results cipher cipher.sweep >out 2>err || cat err
    on_processor "$work/ICX.cfg" "$program" counters --with likwid --force --architecture ICX \
        --groups RP_L2 cipher/latest >out 2>err || cat err
    bytes=$(sed -n 's/^.*"job":"counters\/RP_L2.*"calls":\([0-9]*\),"items":\([0-9.e+]*\).*/\1 \2/p' \
        cipher/latest/run.jsonl | awk -v step=$STEP '{ printf "%.9g", $1 * 2 * step * 64 / $2 }')
    [ -n "$bytes" ] || echo 'no counts'
    "$program" report --csv cipher/latest >csv 2>err
    grep -q '^counted,aes128ctr-naive,.*,L2,' csv || {
        echo 'not in L2 on this machine: no figure' >&2
        return
    }
    payload=$(digits "$(awk "BEGIN { print $bytes / 2 }")")
    grep -q "counted $(digits "$bytes") bytes moved for each byte encrypted, $payload x" \
        cipher/latest/roofline-aes.svg ||
        echo "the figure does not say $(digits "$bytes"), $payload x:" \
            "$(grep -o 'counted [0-9.]* bytes moved[^,]*,[^,]*' cipher/latest/roofline-aes.svg)"
}

# A group of the user's that likwid can only count in part.
lack_is_told() {
    rm home/.likwid/groups
    mkdir -p home/.likwid/groups/zen3
    sed 's/^PMC5 .*/PMC5 NO_SUCH_EVENT/' "$groups/zen3/RP_STORE.txt" \
        >home/.likwid/groups/zen3/RP_STORE.txt
    count zen3 --groups RP_STORE
    grep -q 'RP_STORE\.txt differs from what this release has' err || echo "not told to differ"
    grep -q '^warning: likwid-perfctr: WARN: .*NO_SUCH_EVENT' err || echo "no word of likwid's"
    grep ' RP_STORE ' out | grep -v ' 1 missing$'
    grep -q '"event":"NO_SUCH_EVENT","counter":"PMC5"}' zen3/latest/run.jsonl ||
        echo "a value of what was not counted"
}

# Without its daemon likwid cannot count anything, and says so.
refusal_is_told() {
    rm bin/likwid-accessD
    cp "$groups/zen3/RP_FP.txt" home/.likwid/groups/zen3/
    count zen3 --groups RP_FP --kernels 'load-*' && echo "taken for done"
    grep -q '^warning: likwid-perfctr counted nothing with RP_FP: it said "' err ||
        { echo "not told" && cat zen3/latest/counters/RP_FP/likwid.txt; }
}

describe zen3
describe ICX
verdict 'a run on Zen 3' "$(run_is_counted zen3 '--groups RP_MEM_A' RP_MEM_A)"
verdict 'a run on Ice Lake' "$(run_is_counted ICX '' RP_CORE RP_L2 RP_L3 RP_MEM)"
if command -v gnuplot >/dev/null; then
    verdict 'from calls to the figure' "$(figure_is_exact)"
fi
verdict 'an event that is not there' "$(lack_is_told)"
verdict 'a likwid that cannot count' "$(refusal_is_told)"
[ ! -e failures ]
