#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A run is counted with a stand-in for perf, which takes its orders through the fifos of --control
# as perf stat does and counts the same for every time it was turned on: so what stands in the run
# follows from the number of samples, to the last digit.
. "$(dirname "$0")/lib.sh"

HOME=$scratch/home
export HOME
mkdir home bin
cat >bin/perf <<'EOF'
#!/bin/sh
# Counts 1000 for the first event and each time it is turned on, 2000 for the second, and so on.
# $SCRATCH/mode says what goes wrong where: WHAT GROUP, or WHAT GROUP/JOB.
[ "$1" != --version ] || exec echo 'perf version 6.1.0-standin'
echo "$*" >>"$SCRATCH/commands"
file= fifos= events=
[ "$1 $2" = 'stat -j' ] || exit 9
shift 2
while [ "$1" != -- ]; do
    case $1 in
    -o) file=$2 ;;
    -D) [ "$2" = -1 ] || exit 9 ;;
    --control) fifos=${2#fifo:} ;;
    -e) events=$2 ;;
    *) exit 9 ;;
    esac
    shift 2
done
shift
job=${file%/*}
does=$(sed -n -e "s, ${job##*/counters/}\$,,p" \
    -e "s, $(expr "$job" : '.*/counters/\([^/]*\)/')\$,,p" "$SCRATCH/mode")
case $does in
refuses)
    printf 'Error:\nNo permission to enable %s event.\n\nYou may not.\n' "$events"
    exit 255
    ;;
old) echo "  Error: unknown option \`control'" && exit 129 ;;
dumb) exec "$@" ;;
hangs)
    echo $$ >"$SCRATCH/hanging"
    sleep 60 &
    echo $! >>"$SCRATCH/hanging"
    wait
    ;;
esac
exec 3<>"${fifos%,*}" 4<>"${fifos#*,}"
# A machine so busy that no sample was good tries it again.
for _ in 1 2 3 4 5 6 7 8; do
    { "$@" 3>&- 4>&-; echo "end $?" >&3; } &
    on=0
    : >"$SCRATCH/orders"
    while read -r order <&3; do
        echo "$order" >>"$SCRATCH/orders"
        case $order in
        enable) on=$((on + 1)) ;;
        disable) ;;
        *) break ;;
        esac
        printf 'ack\n\0' >&4
    done
    while [ "$1" != --results ]; do
        set -- "$@" "$1" && shift # round and round
    done
    results=$2
    while [ "$1" != env ]; do
        set -- "$@" "$1" && shift
    done
    ! grep -q '"ns":\[' "$results/latest/run.jsonl" || break
done
printf '# started on a day\n\n' >"$file"
step=0
for event in $(echo "$events" | grep -o 'name=[A-Z0-9_]*'); do
    step=$((step + 1000))
    value=$((on * step)).000000
    share=100.00
    case $does:$event in
    unsupported:* | lacks:*OUT_NON_SILENT) value='<not supported>' ;;
    shares:*L2_LINES_IN_ALL) share=49.98 ;;
    esac
    printf '{"counter-value" : "%s", "unit" : "", "event" : "%s", "event-runtime" : 1, ' \
        "$value" "${event#name=}"
    printf '"pcnt-running" : %s, "metric-value" : 0.000000, "metric-unit" : ""}\n' "$share"
done >>"$file"
exit "${order#end }"
EOF
chmod 755 bin/perf
. "$here/counting.sh"

# Kept small: every job is a process for each group.
measure_run 5ms

# count ARGUMENT...: on an Ice Lake that this need not be.
count()
{
    "$program" counters --with perf --force --architecture ICX "$@"
}
# What is asked for wrongly.
expect_error 2 "with takes likwid or perf, not 'gprof'" "$program" counters --with gprof
expect_error 3 'RP_MEM is not counted with perf' count --groups RP_MEM $run
expect_error 2 "'RP_NOSUCH' is no group of ICX" count --groups RP_NOSUCH $run
mkdir empty
expect_error 3 'perf, which counts where it is asked for, is not on PATH: install' \
    env PATH="$scratch/empty" "$program" counters --with perf --force --architecture ICX $run
expect_error 3 'no events are known for counting on this processor \(nvidia_grace\) with perf' \
    "$program" counters --with perf --force --architecture nvidia_grace $run
check 'perf was run' test ! -e commands

# What counts here is told.
expect_exit 0 "$program" counters --list --with perf --architecture ICX
expect_output '^perf        6\.1\.0$'
expect_output '^with        perf: it was asked for$'
expect_output '^RP_MEM .*\(not with this perf\)$'
expect_output '^RP_L2 .* L2\?$'
expect_exit 0 "$program" counters --json --with perf --architecture ICX
expect_output '^  "with": "perf",$'
expect_output '^  "perf": "6\.1\.0",$'

# Three groups of four jobs, each in a process of its own. No group had to be installed.
expect_exit $drawn count $run
expect_message '^perf stat counts one job at a time: 12 processes with 3 groups, about [0-9]+ s$'
expect_message '^RP_L2, 2 of 3: about [0-9]+ s$'
for group in RP_CORE RP_L2 RP_L3; do
    check "not all jobs were counted with $group" test "$(counted $group)" -eq 4
    expect_output "^copy-sse2/temporal/16384  $group  [0-9]+ calls, 4 events$"
done
check 'not 12 processes' test "$(wc -l <commands)" -eq 12
check 'more than four events at once' test -z "$(grep -E '(name=.*){5}' commands)"
check 'installed something' test ! -e home/.likwid
check 'fifos are left' test -z "$(sed -n 's/.*fifo:\([^ ,]*\),.*/\1/p' commands | xargs ls 2>/dev/null)"
check 'the report was not made' test -s $run/report.md
expect_exit 0 "$program" model $run

# Turned on and off once for each sample, and off once before them all.
awk 'NR == 1 && $0 != "disable" || NR > 1 && $1 != "end" && $0 != (NR % 2 ? "disable" : "enable") {
         print NR ": " $0
     }' orders >wrong
check 'other orders than enable and disable in turn' test ! -s wrong
check 'no order at all' test "$(grep -c enable orders)" -gt 0
grep '"job":"counters/' $run/run.jsonl |
    sed 's/^.*"job":"\([^"]*\)".*"calls":\([0-9]*\),.*"counts":\(.*\)$/\1 \2 \3/' |
    while read -r job calls counts; do
        echo "$counts" | grep -o '"value":[0-9.e+]*' | sed 's/.*://' |
            awk -v calls="$calls" -v job="$job" '
                $1 != calls * 1000 * NR { print job ": " $1 " in " calls " calls" }
                END { if (NR != 4) print job ": " NR " events" }'
    done >wrong
check "counts do not follow from calls: $(cat wrong)" test ! -s wrong

# From there to the table, for boundaries that this machine's caches make them lie beyond.
cat >cipher.sweep <<'EOF'
[sweep]
probes = clock
point_budget = 10ms

[cipher]
kernels = aes128ctr-naive
modes = temporal
from = 128 KiB
to = 128 KiB
per_octave = 1
EOF
for _ in 1 2 3 4 5 6 7 8; do
    expect_exit 0 "$program" sweep --no-report --results cipher cipher.sweep
    grep -v '"ns":\[' cipher/latest/run.jsonl | grep -q '"job":' || break
done
expect_exit $drawn count --groups RP_L2 cipher/latest
expect_exit 0 "$program" report --csv cipher/latest
if grep -q '^counted,aes128ctr-naive,.*,L2,' stdout; then
    # L1D_REPLACEMENT is the second event and L2_TRANS_L1D_WB the third: 5000 lines a call.
    bytes=$(sed -n 's/^.*"job":"counters\/RP_L2.*"calls":\([0-9]*\),"items":\([0-9.e+]*\).*/\1 \2/p' \
        cipher/latest/run.jsonl | awk '{ printf "%.6g", $1 * 5000 * 64 / $2 }')
    awk -F, -v bytes="$bytes" '
        $1 == "counted" { for (i = 2; i <= NF; i++) if ($i != 0 && ($i - bytes) / bytes < 1e-5 &&
                              (bytes - $i) / bytes < 1e-5) found = 1 }
        END { exit !found }' stdout || fail "no counted row has $bytes bytes for an item"
fi

# Once more: nothing is left to do.
rm commands
expect_exit 0 count $run
expect_message '^RP_L2 is left out: the run has its counts of 4 jobs$'
check 'what was there was counted again' test ! -e commands

# Only these kernels; then the others, job by job.
again
expect_exit $drawn count --groups RP_L2 --kernels 'copy-*' $run
check 'other jobs than those asked for' test "$(counted RP_L2)" -eq 2
rm commands
expect_exit $drawn count --groups RP_L2 $run
check 'the others were not added' test "$(counted RP_L2) $(wc -l <commands)" = '4 2'

# A group that cannot be counted is told after three jobs, and the others stay.
again
printf '%s\n' 'refuses RP_CORE' 'unsupported RP_L2' 'lacks RP_L3' >mode
expect_exit 3 count $run
expect_message '^warning: perf counted nothing with RP_CORE: it said "No permission to enable'
expect_message '^warning: L1D_REPLACEMENT is missing: it cannot be counted on this machine'
expect_message '/RP_L2/0003/counts\.json has nothing to import'
expect_output '^load-sse2/none/16384  RP_L3  [0-9]+ calls, 4 events, 1 missing$'
expect_message '^ridgepoint: 2 of 3 groups could not be counted; '
check 'not ended after three jobs' test "$(grep -c /RP_CORE/ commands)" -eq 3
check 'what was counted is not there' test "$(counted RP_L3) $(counted '*')" = '4 4'

# A single job that cannot be counted does not end its group.
again
printf '%s\n' 'old RP_L2/0002' 'dumb RP_L3/0001' 'shares RP_L3/0002' >mode
expect_exit 3 count --groups RP_L2,RP_L3 $run
expect_message '^warning: sweep/load-sse2/none/32768: .* it said "Error: unknown option .control'
expect_message '^warning: sweep/load-sse2/none/16384: .*"ridgepoint: .*perf stat does not answer'
expect_message '^warning: L2_LINES_IN_ALL is missing: it was counted during 49\.98 % of the time'
check 'other jobs were not counted' test "$(counted RP_L2) $(counted RP_L3)" = '3 3'
: >mode
rm commands
expect_exit $drawn count --groups RP_L2,RP_L3 $run
check 'not only what was missing' test "$(counted RP_L2) $(counted RP_L3) $(wc -l <commands)" = '4 4 2'

# Stopped within the second group: all before stays, and nothing is left running.
# stopped SIGNAL: a shell has its background jobs ignore SIGINT.
stopped()
{
    env --default-signal=INT "$program" counters --with perf --force --architecture ICX \
        --groups RP_L2,RP_L3 $run &
    pid=$!
    while [ "$(cat hanging 2>/dev/null | wc -l)" -lt 2 ] && kill -0 $pid 2>/dev/null; do
        sleep 0.02
    done
    kill -s "$1" $pid
    wait $pid
}
if env --default-signal=INT true 2>/dev/null; then
    for signal in INT:130 TERM:143; do
        again
        rm -f hanging
        echo 'hangs RP_L3/0002' >mode
        expect_exit "${signal#*:}" stopped "${signal%:*}"
        expect_message '^ridgepoint: stopped while counting with RP_L3'
        check 'what was counted is gone' test "$(counted RP_L2) $(counted RP_L3)" = '4 1'
        check 'the report was not made' test -s $run/report.md
        # What has ended may wait for its parent to hear of it.
        while read -r left; do
            check 'perf still runs' \
                sh -c '! kill -0 "$1" 2>/dev/null || grep -q "^State:.Z" "/proc/$1/status"' \
                sh "$left"
        done <hanging
        : >mode
        rm commands
        expect_exit $drawn count --groups RP_L2,RP_L3 $run
        expect_message '^perf stat counts one job at a time: 3 processes with 1 group'
        check 'not all was counted then' test "$(counted RP_L2) $(counted RP_L3)" = '4 4'
    done
fi
finish
