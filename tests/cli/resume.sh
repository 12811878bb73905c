#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A run stopped at any moment goes on: nothing is measured twice, nothing measured is lost.
. "$(dirname "$0")/lib.sh"

sweep=$here/steps.sweep
run=results/latest/run.jsonl
seed=${SEED:-$(date +%s)}
echo "seed $seed"

lines()
{
    if [ -e "$run" ]; then
        wc -l <"$run"
    else
        echo 0
    fi
}

# The complete lines of a run; what it holds may only grow at the end.
remember()
{
    head -n "$(lines)" "$run" >"$scratch/before"
}

expect_grown()
{
    head -c "$(wc -c <"$scratch/before")" "$run" >"$scratch/begin"
    check 'lines that were on disk have changed' cmp "$scratch/begin" "$scratch/before"
}

# stop_after COUNT COMMAND...: kills it at once when the run has that many lines. A run that was
# faster is no failure.
stop_after()
{
    wanted=$1
    shift
    "$@" >stdout 2>stderr &
    pid=$!
    while [ "$(lines)" -lt "$wanted" ] && kill -0 $pid 2>/dev/null; do :; done
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
}

# Killed ten times at random.
stop_after 1 "$program" sweep --results results "$sweep"
jobs=$("$program" sweep --dry-run "$sweep" 2>/dev/null | wc -l)
moments=$(awk -v seed="$seed" -v jobs="$jobs" \
    'BEGIN { srand(seed); for (i = 0; i < 9; i++) print 1 + int(rand() * jobs / 5) }')
interrupted=0
for more in $moments; do
    remember
    at=$(lines)
    stop_after $((at + more)) "$program" sweep --resume results/latest
    expect_grown
    if [ "$(lines)" -le "$jobs" ]; then
        interrupted=$((interrupted + 1))
    fi
done
echo "stopped $interrupted times before the end"
remember
expect_exit $drawn "$program" sweep --resume results/latest
expect_grown
expect_whole "$run" "$sweep"
check 'no report' test -s results/latest/report.md

# A finished run measures nothing more and makes everything anew.
cp "$run" finished
rm results/latest/model.json results/latest/report.* results/latest/index.html
expect_exit $drawn "$program" sweep --resume results/latest
expect_same "$run" finished
for file in model.json report.md report.csv index.html; do
    check "$file is not made anew" test -s "results/latest/$file"
done
expect_exit 0 "$program" sweep --dry-run --resume results/latest
expect_message "^$jobs jobs, 0 to do"
check 'not all jobs are done' test "$(grep -c '  done$' stdout)" -eq "$jobs"

# Any part of a last line is cut off.
whole=$(sed -n 6p finished | wc -c)
for part in 1 2 $((whole / 2)) $((whole - 1)); do
    head -n 5 finished >before
    { cat before; sed -n 6p finished | head -c "$part"; } >"$run"
    expect_exit 0 "$program" model results/latest
    expect_message '^warning: .*incomplete line'
    expect_exit 0 "$program" sweep --dry-run --resume results/latest
    expect_message "^$jobs jobs, $((jobs - 4)) to do"
    check 'looking at a run changed it' test "$(wc -c <"$run")" -eq $(($(wc -c <before) + part))
    expect_exit $drawn "$program" sweep --resume results/latest
    expect_grown
    expect_whole "$run" "$sweep"
done

# From the header alone, by the path of the file, under the signals that end a program.
for signal in TERM INT HUP; do
    head -n 1 finished >"$run"
    remember
    for _ in 1 2 3; do
        timeout -s $signal 0.1 "$program" sweep --resume "$run" >stdout 2>stderr
        expect_grown
        expect_exit 0 "$program" sweep --dry-run --resume "$run"
    done
    expect_exit $drawn "$program" sweep --resume "$run"
    expect_grown
    expect_whole "$run" "$sweep"
done

# Another machine: by its name, by its caches, by its instructions.
mkdir other
sed '1s/"machine":{"name":"/&other-/' finished >other/run.jsonl
cp other/run.jsonl kept
expect_error 2 'begun on another machine' "$program" sweep --resume other
expect_same other/run.jsonl kept
expect_exit $drawn env HWLOC_SYNTHETIC='l3:1 l2:1 l1d:1 core:1 pu:1' \
    "$program" sweep --results caches "$sweep"
expect_error 2 'begun on another machine' env HWLOC_SYNTHETIC='core:1 pu:1' \
    "$program" sweep --resume caches/latest
features()
{
    RIDGEPOINT_CPU=$1 "$program" machine | grep '^features'
}
for level in sse2 aesni avx2 vaes; do
    if [ "$(features $level)" != "$(features avx512)" ]; then
        expect_exit $drawn env RIDGEPOINT_CPU=$level "$program" sweep --results level "$sweep"
        expect_error 2 'begun on another machine or CPU level' \
            env RIDGEPOINT_CPU=avx512 "$program" sweep --resume level/latest
        break
    fi
done

# One writer at a time.
if command -v flock >/dev/null; then
    head -n 5 finished >"$run"
    remember
    expect_exit 3 flock "$run" "$program" sweep --resume results/latest
    expect_message '^ridgepoint: another program is writing .*run\.jsonl'
    expect_same "$run" before
fi
finish
