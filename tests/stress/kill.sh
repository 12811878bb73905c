#!/bin/bash
# SPDX-License-Identifier: MIT
#
# usage: tests/stress/kill.sh PROGRAM [RUNS] [SEED]
#
# Kills RUNS (200) quick sweeps by SIGKILL at random moments, each up to three times, then lets it
# go on to its end. Every file must stay readable, what was on disk must stay as it was, and the
# whole run must hold each job once. Takes RUNS times what a quick sweep takes; no part of the
# tests, which do the same with a small sweep and few runs (tests/cli/resume.sh).
set -u

program=$(realpath "$1")
runs=${2:-200}
RANDOM=${3:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

jobs_of()
{
    sed -n 's/^.*"job":"\([^"]*\)".*$/\1/p' "$1"
}

fail()
{
    echo "run $number: $*"
    failures=$((failures + 1))
}

# Starts or resumes, and kills after a random time of up to eight seconds, start-up included.
kill_at_random()
{
    "$@" >/dev/null 2>&1 &
    local pid=$!
    sleep "$((RANDOM % 8)).$((RANDOM % 10))$((RANDOM % 10))"
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
}

"$program" sweep --dry-run quick 2>/dev/null | sed 's/  .*$//' | sort >planned
[ -s planned ] || exit 1
failures=0
kills=0
unfinished=0
for ((number = 1; number <= runs; number++)); do
    rm -rf results
    kill_at_random "$program" sweep --budget 12s --results results quick
    run=$(echo results/*/*/run.jsonl)
    for ((again = RANDOM % 3; again > 0; again--)); do
        [ -s "$run" ] || break
        head -n "$(wc -l <"$run")" "$run" >before
        kill_at_random "$program" sweep --budget 12s --resume "$run"
        head -c "$(wc -c <before)" "$run" | cmp -s - before || fail 'what was on disk changed'
    done
    if [ ! -s "$run" ]; then # killed before the header: nothing was begun
        rm -rf results
        "$program" sweep --budget 12s --results results quick >/dev/null 2>stderr
        status=$?
        run=$(echo results/*/*/run.jsonl)
    else
        [ "$(($(wc -l <"$run") - 1))" -lt "$(wc -l <planned)" ] && unfinished=$((unfinished + 1))
        head -n "$(wc -l <"$run")" "$run" >before
        "$program" sweep --dry-run --resume "$run" >/dev/null 2>stderr ||
            fail "not readable: $(tail -n 1 stderr)"
        "$program" sweep --budget 12s --resume "$run" >/dev/null 2>stderr
        status=$?
        head -c "$(wc -c <before)" "$run" | cmp -s - before || fail 'a measured point was lost'
    fi
    [ $status -eq 0 ] || fail "exit code $status: $(tail -n 1 stderr)"
    jobs_of "$run" | sort | cmp -s - planned || fail 'not each job stands there once'
done
echo "$runs runs, $kills kills, $unfinished runs unfinished when resumed to the end," \
    "$failures failures"
[ $failures -eq 0 ]
