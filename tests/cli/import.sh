#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What likwid-perfctr and perf stat counted comes into a run, whole or not at all.
. "$(dirname "$0")/lib.sh"

csv=$here/../likwid/csv

# A run of known records on a machine of known caches; only its header is this machine's.
printf '[sweep]\nprobes = clock\n' >clock.sweep
HWLOC_SYNTHETIC='numa:1 l3:1(size=16777216) l2:1(size=1048576) l1d:1(size=32768) core:1 pu:1' \
    "$program" sweep --results results clock.sweep >stdout 2>stderr
head -n 1 results/latest/run.jsonl >header

# record ID JOB: of ten samples, one of them dropped, each of 640000 items.
record()
{
    printf '{"id":%d,"job":"%s","probe":"sweep","kernel":"copy-avx2","family":"stream",' "$1" "$2"
    printf '"variant":"avx2","mode":"temporal","working_set_bytes":65536,"threads":1,'
    printf '"item":"byte","traffic":{"load":1,"store":1},"items_per_sample":640000,'
    printf '"cycle_source":"calibrated-chain","verdict":"steady","dropped":{"clock":1},'
    printf '"ns":[1000,1000,1000,1000,1000,1000,1000,1000,1000]'
    printf ',"cycles":[2000,2000,2000,2000,2000,2000,2000,2000,2000]%s}\n' "${3-}"
}
baseline=',"baseline_ns":[500,500,500,500,500,500,500,500,500],"baseline_cycles":[1000,1000,1000,1000,1000,1000,1000,1000,1000]'
mkdir fresh
{
    cat header
    record 1 sweep/copy-avx2/temporal/65536
    record 2 units/aesenc-256/8 "$baseline"
    record 5 scaling/copy-avx512/DRAM/temporal/2
} >fresh/run.jsonl
run=run/run.jsonl
restart()
{
    rm -rf run
    cp -r fresh run
}

# import ARGUMENTS...
import()
{
    "$program" import "$@"
}

# expect_untouched CODE PATTERN ARGUMENTS...: refused, without a change of the run.
expect_untouched()
{
    untouched_code=$1
    untouched_pattern=$2
    shift 2
    cp $run before
    expect_error "$untouched_code" "$untouched_pattern" import "$@"
    expect_same $run before
}

restart
expect_exit 0 import likwid "$csv/5.2.2.csv" run
expect_output '^copy-avx2/temporal/65536  RP_L2  10 calls, 6 events$'
expect_output '^units/aesenc-256/8  RP_L2  8 calls, 6 events, 1 missing$'
check 'not a line for each region' test "$(wc -l <stdout)" -eq 2
expect_message '^warning: L2_PF_HIT_IN_L2 on PMC3 is missing in units/aesenc-256/8: '
expect_message '^warning: units/aesenc-256/8 was entered 8 times, but 10 samples of it were taken'
check 'other warnings' test "$(wc -l <stderr)" -eq 2
head -n 4 $run >begin
expect_same begin fresh/run.jsonl
tail -n 2 $run >added
cat >expected <<'END'
{"id":6,"job":"counters/RP_L2/copy-avx2/temporal/65536","probe":"counters","kernel":"copy-avx2","family":"stream","variant":"avx2","working_set_bytes":65536,"threads":1,"item":"byte","mode":"temporal","traffic":{"load":1,"store":1},"verdict":"counted","counted":{"region":"copy-avx2/temporal/65536","group":"RP_L2","source":"likwid-perfctr, AMD K19 (Zen3) architecture","calls":10,"items":6400000,"seconds":0.0125,"counts":[{"event":"ACTUAL_CPU_CLOCK","counter":"FIXC1","value":31250000},{"event":"MAX_CPU_CLOCK","counter":"FIXC2","value":30625000},{"event":"RETIRED_INSTRUCTIONS","counter":"PMC0","value":42000000},{"event":"CPU_CLOCKS_UNHALTED","counter":"PMC1","value":31200000},{"event":"REQUESTS_TO_L2_GRP1_ALL_NO_PF","counter":"PMC2","value":10240512},{"event":"L2_PF_HIT_IN_L2","counter":"PMC3","value":0}]}}
{"id":7,"job":"counters/RP_L2/units/aesenc-256/8","probe":"counters","kernel":"copy-avx2","family":"stream","variant":"avx2","working_set_bytes":65536,"threads":1,"item":"byte","mode":"temporal","traffic":{"load":1,"store":1},"verdict":"counted","counted":{"region":"units/aesenc-256/8","group":"RP_L2","source":"likwid-perfctr, AMD K19 (Zen3) architecture","calls":8,"items":10240000,"seconds":0.008,"counts":[{"event":"ACTUAL_CPU_CLOCK","counter":"FIXC1","value":20000000},{"event":"MAX_CPU_CLOCK","counter":"FIXC2","value":19600000},{"event":"RETIRED_INSTRUCTIONS","counter":"PMC0","value":33000000},{"event":"CPU_CLOCKS_UNHALTED","counter":"PMC1","value":19990000},{"event":"REQUESTS_TO_L2_GRP1_ALL_NO_PF","counter":"PMC2","value":120},{"event":"L2_PF_HIT_IN_L2","counter":"PMC3"}]}}
END
expect_same added expected

# What reads runs reads this one, and a sweep that goes on goes behind it.
expect_exit 0 "$program" model --json run
expect_exit 0 "$program" report --csv run
expect_exit 0 "$program" compare fresh run
expect_exit 2 import likwid "$csv/5.2.2.csv" run
expect_message '^ridgepoint: the run has counts of RP_L2 in copy-avx2/temporal/65536 already; delete the line of the job "counters/RP_L2/copy-avx2/temporal/65536"'
cp $run before
sed '/"job":"counters\/RP_L2\/copy/d' before >$run
expect_exit 2 import likwid "$csv/5.2.2.csv" run
expect_exit 0 import likwid --region copy-avx2/temporal/65536 "$csv/5.2.2.csv" $run
check 'more than one region' test "$(wc -l <stdout)" -eq 1

# The other releases, into the same run.
restart
for release in 5.2.2.csv 5.3.txt 5.4.csv 5.5.csv; do
    expect_exit 0 import likwid "$csv/$release" run
done
jobs_of $run | grep '^counters/' >added
cat >expected <<'END'
counters/RP_L2/copy-avx2/temporal/65536
counters/RP_L2/units/aesenc-256/8
counters/RP_MEM/scaling/copy-avx512/DRAM/temporal/2
counters/RP_MEM/copy-avx2/temporal/65536
counters/RP_CRYPTO/copy-avx2/temporal/65536
counters/RP_MEM_RD/copy-avx2/temporal/65536
counters/RETIRED_INSTRUCTIONS+1/units/aesenc-256/8
counters/RP_L3CCX/units/aesenc-256/8
counters/RP_L3CCX/copy-avx2/temporal/65536
END
expect_same added expected
expect_exit 0 "$program" model --json run
expect_exit 0 "$program" report --csv run

# As JSON, from standard input, with what likwid warned of.
restart
from_stdin()
{
    import "$@" <"$csv/5.2.2.csv"
}
printf 'WARN: Counter \033[31mPMC9 not defined\nnothing\nERROR: so it is\n' >said
expect_exit 0 from_stdin likwid --json --stderr said --group MINE - run
tail -n 2 $run >added
expect_same stdout added
expect_output '"job":"counters/MINE/copy-avx2/temporal/65536".*"group":"MINE"'
expect_message '^warning: likwid-perfctr: WARN: Counter \?\[31mPMC9 not defined$'
expect_message '^warning: likwid-perfctr: ERROR: so it is$'
expect_exit 2 from_stdin likwid --stderr nowhere - run
expect_message '^ridgepoint: cannot read nowhere: No such file or directory'

# Regions that the run has not.
restart
sed 's/Region copy-avx2/Region copy-avx3/' "$csv/5.2.2.csv" >other.csv
expect_exit 0 import likwid other.csv run
expect_message '^warning: the run has no samples of copy-avx3/temporal/65536, so its counts are left out; give the run'
check 'more than one region' test "$(wc -l <stdout)" -eq 1
restart
sed 's/Region units/Region unit/' other.csv >others.csv
expect_exit 2 import likwid others.csv run
expect_message '^ridgepoint: others.csv has nothing to import; '
expect_same $run fresh/run.jsonl
expect_exit 2 import likwid --region none "$csv/5.2.2.csv" run
expect_message 'has nothing to import for the region none'
expect_same $run fresh/run.jsonl

# What is no CSV with regions, or not all of it.
: >empty
expect_untouched 2 'empty holds no table of likwid-perfctr' likwid empty run
expect_untouched 2 'holds no table of likwid-perfctr' likwid $run run
grep -v 'Region Info\|RDTSC\|call count' "$csv/5.2.2.csv" | sed 's/^TABLE,Region [^,]*,/TABLE,/' >whole.csv
expect_untouched 2 'whole.csv:5: this was counted over the whole program, .* with -m$' likwid whole.csv run
head -n 12 "$csv/5.2.2.csv" >torn.csv
expect_untouched 2 'torn.csv:12: the file is cut off here' likwid torn.csv run
head -c 700 "$csv/5.2.2.csv" >torn.csv
expect_untouched 2 'torn.csv:[0-9]*: the file is cut off here' likwid torn.csv run
cat "$csv/5.2.2.csv" "$csv/5.2.2.csv" >twice.csv
cp $run before
expect_exit 2 import likwid twice.csv run
expect_message 'twice.csv has counters/RP_L2/copy-avx2/temporal/65536 twice'
expect_same $run before
expect_untouched 2 'cannot read nowhere: No such file' likwid nowhere run
expect_untouched 2 '/dev/zero is not a file' likwid /dev/zero run
expect_untouched 2 'is not a file' likwid . run
expect_untouched 2 "--calls" likwid --calls 3 "$csv/5.2.2.csv" run
expect_untouched 2 "'vtune' is no source; give .likwid. or .perf." vtune "$csv/5.2.2.csv" run
expect_untouched 2 'give likwid or perf, a file, and a run' likwid "$csv/5.2.2.csv"
expect_untouched 2 'give the run.jsonl' likwid "$csv/5.2.2.csv" empty

# A disk that fills up behind the first of two records, played by the limit of a file's size.
in_blocks()
{
    (
        trap '' XFSZ
        ulimit -f "$1"
        shift
        exec "$program" import "$@"
    )
}
while [ $(($(wc -c <fresh/run.jsonl) % 512)) -ne 0 ]; do # not a line, but white space
    sed -i '2s/$/ /' fresh/run.jsonl
done
restart
expect_exit 3 in_blocks $(($(wc -c <$run) / 512 + 2)) likwid "$csv/5.2.2.csv" run
expect_message '^ridgepoint: cannot write run/run.jsonl: .*; free some space$'
check 'records of an import that failed are told' test ! -s stdout
expect_same $run fresh/run.jsonl
expect_exit 0 import likwid "$csv/5.2.2.csv" run

# Behind an incomplete line, which goes.
restart
printf '{"id":9,' >>$run
expect_exit 0 import likwid "$csv/5.2.2.csv" run
expect_message '^warning: run/run.jsonl ends in an incomplete line, which is cut off$'
expect_exit 0 "$program" model --json run
check 'a message about the run' test ! -s stderr

# perf stat, of one job of several and of the only one.
cat >perf.json <<'END'
# started on Thu Jan  1 00:00:00 2026

{"counter-value" : "32000000.000000", "unit" : "", "event" : "cycles:u", "event-runtime" : 10000000, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"counter-value" : "0.610352", "unit" : "MiB", "event" : "uncore_imc/cas_count_read/", "event-runtime" : 10000000, "pcnt-running" : 100.00, "metric-value" : "", "metric-unit" : ""}
{"counter-value" : "7.000000", "unit" : "", "event" : "branches", "event-runtime" : 5000000, "pcnt-running" : 50.00}
{"counter-value" : "<not supported>", "unit" : "", "event" : "cache-misses", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
END
restart
expect_untouched 2 'empty holds no event of perf stat' perf empty run
expect_exit 2 import perf perf.json run
expect_message 'perf stat counts a whole program and the run has 3 jobs; name the one .* with --region$'
expect_same $run fresh/run.jsonl
expect_exit 0 import perf --region sweep/copy-avx2/temporal/65536 perf.json run
expect_output '^copy-avx2/temporal/65536  cycles:u\+3  10 calls, 4 events, 2 missing$'
expect_message '^warning: branches is missing: it was counted during 50\.00 % of the time and extrapolated'
expect_message '^warning: cache-misses is missing: it cannot be counted on this machine'
check 'other warnings' test "$(wc -l <stderr)" -eq 2
check 'not the counts' grep -q '"calls":10,"items":6400000,"counts":\[{"event":"cycles:u","value":32000000},{"event":"uncore_imc/cas_count_read/","value":10000},{"event":"branches"},{"event":"cache-misses"}\]' $run
expect_exit 2 import perf --region copy-avx2/temporal/65536 perf.json run
expect_message 'the run has counts of cycles:u\+3 in copy-avx2/temporal/65536 already'
expect_exit 0 import perf --region copy-avx2/temporal/65536 --group second --calls 20 perf.json run
expect_output '^copy-avx2/temporal/65536  second  20 calls'
expect_message 'was entered 20 times, but 10 samples of it were taken'
check 'not the items of 20 calls' grep -q '"group":"second".*"calls":20,"items":12800000,' $run
expect_untouched 2 '--calls takes a number above 0' perf --calls 0 perf.json run
expect_exit 2 import perf --region copy-avx2/temporal/65536 \
    --group 01234567890123456789012345678901 perf.json run
expect_message '01234567890123456789012345678901\.\.\. has too long a name; at most 31 bytes fit$'
expect_exit 2 import perf --region nowhere perf.json run
expect_message 'the run has no samples of nowhere'
head -n 2 fresh/run.jsonl >$run
expect_exit 0 import perf perf.json run
expect_output '^copy-avx2/temporal/65536  cycles:u\+3  10 calls'
expect_exit 0 import perf --group again perf.json run # counts are no second job
expect_exit 0 "$program" model --json run
head -c 300 perf.json >torn.json
expect_untouched 2 'torn.json:4: the file is cut off here' perf torn.json run
finish
