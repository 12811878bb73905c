#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Asked to stop, a sweep ends behind the measurement in hand and tells what there is; and it keeps
# to the time it was given.
. "$(dirname "$0")/lib.sh"

env --default-signal=INT true 2>/dev/null || skip 'env cannot reset signals'

# A shell has its background jobs ignore SIGINT.
stopped()
{
    env --default-signal=INT "$program" sweep --results "$signal" quick &
    pid=$!
    while [ "$(cat "$signal/latest/run.jsonl" 2>/dev/null | wc -l)" -lt 5 ] &&
        kill -0 $pid 2>/dev/null; do :; done
    kill -s "$signal" $pid
    wait $pid
}

# stop SIGNAL CODE: `quick` has hundreds of measurements to go when five lines are there.
stop()
{
    signal=$1
    expect_exit "$2" stopped
    expect_message '^ridgepoint: stopped after [0-9]+ of [0-9]+ jobs; what was measured is kept'
    expect_message "--resume $signal/[^ ]*\` goes on"
    run=$signal/latest/run.jsonl
    check 'the run ends within a line' test "$(tail -c 1 "$run" | wc -l)" -eq 1
    check 'nothing was measured' test "$(wc -l <"$run")" -gt 1
    check 'no model' test -s "$signal/latest/model.json"
    check 'no report' test -s "$signal/latest/report.md"
    check 'the report hides that the run is incomplete' \
        grep -q 'incomplete: [0-9]* of [0-9]* jobs' "$signal/latest/report.md"
    cp "$run" before
    expect_exit 0 "$program" sweep --dry-run --resume "$signal/latest"
    expect_same "$run" before
}
stop INT 130
stop TERM 143

# A finished run is not called incomplete.
expect_exit $drawn "$program" sweep --results whole "$here/steps.sweep"
check 'a whole run is called incomplete' \
    sh -c '! grep -q "incomplete" whole/latest/report.md'

# A signal that the caller has it ignore stays ignored: the shell does so in the background.
ignoring()
{
    "$program" sweep --results ignored "$here/steps.sweep" &
    pid=$!
    while [ ! -e ignored/latest ] && kill -0 $pid 2>/dev/null; do :; done
    kill -s INT $pid
    wait $pid
}
expect_exit $drawn ignoring
expect_whole ignored/latest/run.jsonl "$here/steps.sweep"

# A budget for all measurements.
expect_error 2 'takes a duration' "$program" sweep --budget soon quick
expect_error 2 'is too short a budget for [0-9]+ jobs, which need some [0-9]+ s' \
    "$program" sweep --budget 1ms quick
expect_exit 2 "$program" sweep --budget 1ms --results short quick
check 'a run was begun that there is no time for' test ! -e short
expect_exit $drawn "$program" sweep --budget 5s --results budget "$here/steps.sweep"
expect_whole budget/latest/run.jsonl "$here/steps.sweep"
expect_exit 0 "$program" sweep --dry-run --budget 40s quick
expect_message 'about 40 s$'
finish
