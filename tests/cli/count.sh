#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A run is counted with a stand-in for likwid-perfctr, which makes the counts up; and what the
# counted sweep measured, too, so that nothing depends on how busy the machine is.
. "$(dirname "$0")/lib.sh"

HOME=$scratch/home
export HOME
mkdir home bin
cat >bin/likwid-perfctr <<'EOF'
#!/bin/sh
# Counts 100 for each event and call. $scratch/mode says what goes wrong with which group.
[ "$1" != -v ] || exec echo 'likwid-perfctr -- Version 5.4.1 (commit: none)'
echo "$*" >>"$SCRATCH/commands"
group= csv=
while :; do
    case $1 in
    -m) shift ;;
    -C) shift 2 ;;
    -g) group=$2 && shift 2 ;;
    -o) csv=$2 && shift 2 ;;
    *) break ;;
    esac
done
does=$(sed -n "s/ $group\$//p" "$SCRATCH/mode")
case $does in
refuses)
    echo 'ERROR: Cannot access MSR device file /dev/cpu/0/msr: No such file or directory.'
    echo 'ERROR: Something else'
    exit 1
    ;;
silent) exit 0 ;;
lacks) echo 'WARN: Event EVENT_B not found for current architecture' ;;
hangs)
    echo $$ >"$SCRATCH/hanging"
    sleep 60 &
    echo $! >>"$SCRATCH/hanging"
    wait
    ;;
esac
"$@" --dry-run >"$SCRATCH/jobs" || exit
while [ "$1" != --results ]; do
    shift
done
mkdir -p "$2/latest"
head -n 1 "$SCRATCH/measured" >"$2/latest/run.jsonl"
sed 's/.*/"job":"&"/' "$SCRATCH/jobs" | grep -F -f - "$SCRATCH/measured" >>"$2/latest/run.jsonl"
[ "$does" != empty ] || exec touch "$csv"
awk -v group="$group" -v lacks="$does" '
    # What stands behind "NAME": and one more character, up to one of the characters of END.
    function member(name, end,    place) {
        place = index($0, "\"" name "\":")
        if (place == 0) return ""
        place = substr($0, place + length(name) + 4)
        return substr(place, 1, match(place, "[" end "]") - 1)
    }
    FNR > 1 && member("verdict", "\"") != "unavailable" {
        region = member("job", "\"")
        sub(/^sweep./, "", region)
        calls = split(member("ns", "]"), samples, ",")
        for (i = split(member("dropped", "}"), dropped, /[:,]/); i > 0; i -= 2)
            calls += dropped[i]
        print "STRUCT,Info,3,\nCPU name:,A CPU,,\nCPU type:,A made-up one,,\nCPU clock:,2 GHz,,"
        print "TABLE,Region " region ",Group 1 Raw," group ",2"
        print "Region Info,HWThread 0,,\nRDTSC Runtime [s],0.5,,\ncall count," calls ",,"
        print "Event,Counter,HWThread 0,"
        print "EVENT_A,PMC0," 100 * calls ","
        print "EVENT_B,PMC1," (lacks == "lacks" ? "-" : 200 * calls) ","
    }' "$2/latest/run.jsonl" >"$csv"
EOF
chmod 755 bin/likwid-perfctr
. "$here/counting.sh"

measure_run 2ms

# count ARGUMENT...: on a Zen 4 that this need not be.
count()
{
    "$program" counters --with likwid --force --architecture zen4 "$@"
}
count $run >stdout 2>stderr
if grep -q 'built without likwid' stderr; then
    expect_error 3 'build it again where likwid' count $run
    finish
fi

# What is asked for wrongly.
expect_error 2 'give exactly one run' count $run $run
expect_error 2 'go with neither a run' "$program" counters --list $run
expect_error 2 'go without a run; install first' "$program" counters --install $run
expect_error 2 'go without a run; install first' "$program" counters --replace $run
expect_error 2 '--groups, --kernels and --force belong to a run' "$program" counters --groups RP_L2
expect_error 2 '--groups, --kernels and --force belong to a run' "$program" counters --force
expect_error 2 "cannot read nowhere" count nowhere
expect_error 2 "'RP_NOSUCH' is no group of zen4" count --groups RP_NOSUCH $run
expect_error 2 "'' is no group of zen4" count --groups RP_L2, $run
expect_error 3 'RP_MEM needs likwid 5\.5\.2, and here is 5\.4\.1' count --groups RP_L2,RP_MEM $run
expect_error 2 'has no job sweep/aes\*/\*' count --kernels 'aes*' $run
sed '1s/"name":"[^"]*"/"name":"other"/' measured >other
expect_error 2 'measured on another machine' count other
# Nothing is counted with groups that nobody installed.
expect_exit 2 count $run
expect_message 'nothing was written; add --yes to write 12 files'
expect_same $run/run.jsonl measured
check 'likwid-perfctr was run' test ! -e commands

# With what a roofline wants first: by the data fabric, as this likwid cannot do otherwise.
expect_exit $drawn count --yes $run
for group in RP_CORE RP_L1FILL RP_L2 RP_L3 RP_MEM_RD RP_MEM_WR; do
    check "not all jobs were counted with $group" test "$(counted $group)" -eq 4
    expect_output "^copy-sse2/temporal/16384  $group  [0-9]+ calls, 2 events$"
done
check 'other groups were counted' test "$(counted '*')" -eq 24
check 'one group in a run, on one CPU, pinned' \
    test "$(grep -c '^-C [0-9]* -g RP_[A-Z0-9_]* -m -o .*/counts.csv ' commands)" -eq 6
check 'the probes were measured again' test -z "$(jobs_of \
    $run/counters/RP_L2/results/latest/run.jsonl | grep -v '^sweep/')"
check 'the report was not made' test -s $run/report.md
check 'the run has no counts' grep -q '"group":"RP_L3",.*"event":"EVENT_A","counter":"PMC0"' \
    $run/run.jsonl
expect_exit 0 "$program" model $run

# Once more: nothing is left to do.
rm commands
expect_exit 0 count $run
expect_message '^RP_L2 is left out: the run has its counts of 4 jobs$'
check 'what was there was counted again' test ! -e commands

# Only these kernels, with these groups; then the others.
again
expect_exit $drawn count --groups RP_L2,RP_CRYPTO --kernels 'copy-*' $run
check 'other jobs than those asked for' test "$(counted RP_L2) $(counted RP_CRYPTO)" = '2 2'
check 'other kernels' test -z "$(jobs_of $run/run.jsonl | grep '^counters/' | grep -v /copy-)"
expect_exit $drawn count --groups RP_L2 --kernels 'load-*' $run
check 'the others were not added' test "$(counted RP_L2)" -eq 4

# Whatever the exit code: a group that could not be counted is told, the others stay, and the next
# try takes it again.
again
printf '%s\n' 'refuses RP_CORE' 'silent RP_L1FILL' 'empty RP_L2' 'lacks RP_L3' >mode
expect_exit 3 count $run
expect_message 'nothing with RP_CORE: it said "ERROR: Something else"; all .*/RP_CORE/likwid.txt'
expect_message '^warning: likwid-perfctr counted nothing with RP_L1FILL: it said nothing;'
expect_message '^warning: likwid-perfctr counted nothing with RP_L2'
expect_message '^warning: likwid-perfctr: WARN: Event EVENT_B not found'
expect_message '^ridgepoint: 3 of 6 groups could not be counted; '
expect_output '^load-sse2/none/16384  RP_L3  [0-9]+ calls, 2 events, 1 missing$'
check 'what was counted is not there' \
    test "$(counted RP_L3) $(counted RP_MEM_RD) $(counted '*')" = '4 4 12'
check 'the report was not made' test -s $run/report.md
: >mode
expect_exit $drawn count $run
check 'not all was counted then' test "$(counted '*')" -eq 24
check 'a try has no folder of its own' test -s $run/counters/RP_CORE-2/counts.csv

# Stopped within the second group: the first stays, and nothing is left running.
# stopped SIGNAL: a shell has its background jobs ignore SIGINT.
stopped()
{
    env --default-signal=INT "$program" counters --with likwid --force --architecture zen4 \
        --groups RP_L2,RP_L3 $run &
    pid=$!
    while [ "$(cat hanging 2>/dev/null | wc -l)" -lt 2 ] && kill -0 $pid 2>/dev/null; do
        sleep 0.02
    done
    kill -s "$1" $pid
    wait $pid
}
if env --default-signal=INT true 2>/dev/null; then
    echo 'hangs RP_L3' >mode
    for signal in INT:130 TERM:143; do
        again
        rm -f hanging
        expect_exit "${signal#*:}" stopped "${signal%:*}"
        expect_message '^ridgepoint: stopped while counting with RP_L3'
        check 'what was counted is gone' test "$(counted RP_L2) $(counted RP_L3)" = '4 0'
        check 'the report was not made' test -s $run/report.md
        # What has ended may wait for its parent to hear of it.
        while read -r left; do
            check 'likwid-perfctr still runs' \
                sh -c '! kill -0 "$1" 2>/dev/null || grep -q "^State:.Z" "/proc/$1/status"' \
                sh "$left"
        done <hanging
    done
else
    again
fi
: >mode
expect_exit $drawn count --groups RP_L2,RP_L3 $run
check 'not all was counted then' test "$(counted RP_L2) $(counted RP_L3)" = '4 4'

# Another group of that name is the user's choice.
again
echo '# mine' >>home/.likwid/groups/zen4/RP_L2.txt
expect_exit $drawn count --groups RP_L2 $run
expect_message '^warning: .*/RP_L2\.txt differs'
finish
