#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Two runs compared: a run with itself, with copies edited to be slower, shorter, elsewhere.
. "$(dirname "$0")/lib.sh"

# A run of known records on a machine of known caches; only its header is this machine's.
printf '[sweep]\nprobes = clock\n' >clock.sweep
HWLOC_SYNTHETIC='numa:1 l3:1(size=16777216) l2:1(size=1048576) l1d:1(size=32768) core:1 pu:1' \
    "$program" sweep --results results clock.sweep >stdout 2>stderr

# records NS: twelve sizes of one kernel, all samples of which take NS, or 2 % more.
records()
{
    awk -v ns="$1" 'BEGIN {
        for (i = 1; i <= 12; i++) {
            bytes = i <= 4 ? i * 8192 : i * 16384
            printf "{\"id\":%d,\"job\":\"sweep/copy-sse2/temporal/%d\",\"probe\":\"sweep\",", i, bytes
            printf "\"kernel\":\"copy-sse2\",\"family\":\"stream\",\"variant\":\"sse2\","
            printf "\"mode\":\"temporal\",\"working_set_bytes\":%d,\"threads\":1,", bytes
            printf "\"item\":\"byte\",\"traffic\":{\"load\":1,\"store\":1},"
            printf "\"items_per_sample\":1000,\"cycle_source\":\"calibrated-chain\","
            printf "\"verdict\":\"steady\",\"ns\":[%s", ns
            for (j = 0; j < 7; j++) printf ",%s", ns * 1.02
            printf "],\"cycles\":[%s", 2 * ns
            for (j = 0; j < 7; j++) printf ",%s", ns * 2.04
            printf "]}\n"
        }
    }'
}
mkdir same slower
head -n 1 results/latest/run.jsonl >header
{ cat header; records 1000; } >same/run.jsonl
{ sed 's/"seed":[0-9]*/"seed":1/' header; records 1100; } >slower/run.jsonl

expect_exit 0 "$program" compare same same/run.jsonl
expect_output '^12 points in both, 0 only in A, 0 only in B$'
expect_output '^100\.0 % of the points in cached levels differ by at most 2 %'
expect_output '^No change: none of 1 series lies beyond 3 %\.$|^No change: none of 2 series'
check 'a message about no change' test ! -s stderr

expect_exit 1 "$program" compare same slower
expect_output '^  seed +A  [0-9]+$'
expect_output '^  slower  0\.909 .*copy-sse2, temporal, own caches, 12 points$'
expect_message '1 series are slower and 0 faster; .* copy-sse2 in own caches, 9\.1 % slower'
mv stdout text
expect_exit 1 "$program" compare slower same
expect_output '^  faster  1\.100 '
expect_message '0 series are slower and 1 faster'
expect_exit 0 "$program" compare --threshold 20 same slower
expect_exit 0 "$program" compare same slower --threshold=20%
expect_exit 1 "$program" compare --all same slower
expect_output '^  0\.909 .* sweep/copy-sse2/temporal/8192, L1, steady, change$'
head -n "$(wc -l <text)" stdout >begin
expect_same begin text

expect_exit 1 "$program" compare --csv same slower
check 'not a line for each point' test "$(wc -l <stdout)" -eq 13
expect_output '^sweep/copy-sse2/temporal/8192,copy-sse2,temporal,L1,8192,0,1,0\.909091,'
expect_exit 1 "$program" compare --json same slower
expect_output '"slower_series": 1,'
if command -v python3 >/dev/null; then
    check 'not JSON' python3 -c 'import json; json.load(open("stdout"))'
fi

# What a stopped run holds is compared, and what only one holds is counted.
{ head -n 9 slower/run.jsonl; printf '{"id":9,'; } >stopped
expect_exit 1 "$program" compare same stopped
expect_output '^8 points in both, 4 only in A, 0 only in B$'
expect_message '^warning: stopped ends in an incomplete line'
head -n 8 slower/run.jsonl >short
expect_exit 0 "$program" compare same short
expect_output '^Nothing could be judged'
sed 's/"verdict":"steady"/"verdict":"disturbed"/' slower/run.jsonl >disturbed
expect_exit 0 "$program" compare same disturbed
expect_exit 0 "$program" compare same results/latest
expect_output '^0 points in both, 12 only in A, 1 only in B$'
sed '1s/"name":"[^"]*"/"name":"elsewhere"/' same/run.jsonl >elsewhere
expect_exit 0 "$program" compare same elsewhere
expect_output '^These are two machines'
finish
