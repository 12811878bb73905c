# SPDX-License-Identifier: MIT
#
# What the tests of counting share: a run to be counted, with a stand-in for the program that
# counts in bin. measure_run POINT_BUDGET makes the run and keeps a copy of it.
# shellcheck shell=sh

SCRATCH=$scratch
PATH=$scratch/bin:$PATH
RIDGEPOINT_CPU=sse2 # so that every machine has the same kernels
export SCRATCH PATH RIDGEPOINT_CPU
: >mode

# A busy machine may leave a job without samples, which nothing can be counted of.
measure_run()
{
    cat >small.sweep <<SWEEP
[sweep]
probes = clock
point_budget = $1

[streams]
kernels = load-sse2 copy-sse2
modes = none temporal
from = 16 KiB
to = 32 KiB
per_octave = 1
SWEEP
    run=results/latest
    for _ in 1 2 3 4 5 6 7 8; do
        expect_exit 0 "$program" sweep --no-report --results results small.sweep
        grep -v '"ns":\[' $run/run.jsonl | grep -q '"job":' || break
    done
    cp $run/run.jsonl measured
}
# counted GROUP: prints how many records the run has of it.
counted()
{
    jobs_of $run/run.jsonl | grep -c "^counters/$1/"
}
# again: takes all counts away.
again()
{
    rm -rf $run/counters commands
    cp measured $run/run.jsonl
}
