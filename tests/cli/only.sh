#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A part of a sweep, without a report, and the rest of it later.
. "$(dirname "$0")/lib.sh"

sweep=$here/tiny.sweep
expect_exit 0 "$program" sweep --only 'sweep/*-sse2/*' --no-report --results results "$sweep"
check 'other paths than those of a run' test "$(sed 's|.*/||' stdout | tr '\n' ' ')" = \
    'topology.xml run.jsonl '
run=results/latest/run.jsonl
jobs_of $run >measured
check 'not the jobs that match' test "$(sed 's|^sweep/\([a-z0-9-]*\)/.*|\1|' measured | uniq |
    tr '\n' ' ')" = 'load-sse2 copy-sse2 '
check 'a report was made' test -z "$(ls results/latest/ | grep -vx -e run.jsonl -e topology.xml)"
expect_exit 0 "$program" sweep --dry-run --only 'sweep/*-sse2/*' "$sweep"
expect_same stdout measured

jobs=$("$program" sweep --dry-run "$sweep" 2>/dev/null | wc -l)
check 'the run does not know of the rest' \
    grep -q "\"job_count\":$jobs[,}]" $run

# One more, then all the rest.
expect_exit 0 "$program" sweep --only 'clock/*' --no-report --resume results/latest
check 'not one job more' test "$(jobs_of $run | wc -l)" -eq $(($(wc -l <measured) + 1))
expect_exit 0 "$program" sweep --no-report --resume results/latest
expect_whole $run "$sweep"
finish
