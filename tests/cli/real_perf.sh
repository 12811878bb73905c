#!/bin/sh
# SPDX-License-Identifier: MIT
#
# perf itself turns its counters on and off for the samples of a job. What it counts is software's,
# which every kernel has: it shows the way, not the hardware.
. "$(dirname "$0")/lib.sh"
needs perf
perf stat -j -o probe.json -e task-clock/name=TIME/u true >stdout 2>stderr ||
    skip "perf cannot count here: $(tail -n 1 stderr)"
grep -q '"event" : "TIME"' probe.json || skip 'this perf writes other JSON, or none'

cat >one.sweep <<'EOF'
[sweep]
probes = clock
point_budget = 10ms

[stream]
kernels = copy-sse2
modes = temporal
from = 16 KiB
to = 32 KiB
per_octave = 1
EOF
mkfifo control ack
# counted JOBS: a sweep of these jobs, counted.
counted()
{
    rm -f counts.json
    timeout 60 perf stat -j -o counts.json -D -1 --control "fifo:$scratch/control,$scratch/ack" \
        -e task-clock/name=TIME/u,page-faults/name=FAULTS/u,context-switches/name=SWITCHES/ \
        env "RIDGEPOINT_PERF_CONTROL=$scratch/control,$scratch/ack" \
        "$program" sweep --no-report --results results --only "$1" one.sweep
}
job=sweep/copy-sse2/temporal/16384
for _ in 1 2 3 4 5 6 7 8; do
    expect_exit 0 counted $job
    ! grep -q '"ns":\[' results/latest/run.jsonl || break
done
samples=$(sed -n 's/.*"ns":\[\([^]]*\)\].*/\1/p' results/latest/run.jsonl | tr , '\n' | wc -l)
dropped=$(sed -n 's/.*"dropped":{\([^}]*\)}.*/\1/p' results/latest/run.jsonl | tr , '\n' |
    sed 's/.*://' | awk '{ sum += $1 } END { print sum + 0 }')
enabled=$(grep -c '^Events enabled' stderr)
check "turned on $enabled times for $samples samples and $dropped dropped" \
    test "$enabled" -eq $((samples + dropped))
check 'perf counted all the time that it was on' \
    test "$(grep -c '"pcnt-running" : 100.00' counts.json)" -eq 3
# To start a program alone takes hundreds, and its buffers more; a sample finds all in place.
faults=$(sed -n 's/.*"counter-value" : "\([0-9]*\).*"event" : "FAULTS".*/\1/p' counts.json)
check "$faults page faults: more was counted than samples" test "$faults" -lt 100
expect_exit 0 "$program" import perf --group SOFTWARE counts.json results/latest
expect_output "^copy-sse2/temporal/16384  SOFTWARE  $((samples + dropped)) calls, 3 events$"

# perf has no regions: one job is all that it can count.
expect_exit 3 counted 'sweep/copy-sse2/*'
expect_message '^ridgepoint: perf stat has no regions, and would add copy-sse2/temporal/32768 to'
finish
