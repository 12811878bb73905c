#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Wrong usage and wrong input: one sentence, the documented exit code, nothing on stdout.
. "$(dirname "$0")/lib.sh"

printf '[sweep]\nprobes = clock\n' >clock.sweep
expect_exit 0 "$program" sweep --results results clock.sweep
run=results/latest/run.jsonl

# Verbs, options, names.
expect_exit 2 "$program"
expect_message '^usage: ridgepoint VERB'
expect_message '^ridgepoint: no verb given'
expect_error 2 "'nosuch' is no verb" "$program" nosuch
expect_error 2 "'-h' is no verb" "$program" -h
for verb in machine list check probe sweep model plot report compare counters; do
    expect_error 2 "$verb: option '--nosuch' is unknown" "$program" $verb --nosuch
    expect_error 2 "$verb: option '-x' is unknown" "$program" $verb -x
    expect_error 2 "$verb: option '-xyz' is unknown" "$program" $verb -xyz
done
expect_error 2 "option '--json=1' is unknown or takes no value" "$program" machine --json=1
expect_error 2 "option '--seed' needs a value" "$program" check --seed
expect_error 2 "option '--resume' needs a value" "$program" sweep --resume
expect_error 2 "takes no argument, got 'x'" "$program" machine x
expect_error 2 'give exactly one list' "$program" list
expect_error 2 'give exactly one list' "$program" list kernels probes
expect_error 2 "'nosuch' cannot be listed" "$program" list nosuch
expect_exit 0 "$program" list groups
check 'list groups lacks one' grep -q '^zen3  *RP_STORE  *Write-allocates' stdout
expect_exit 0 "$program" list --json groups
check 'list --json groups' grep -qx \
    '{"architecture":"CLX","name":"RP_CORE","likwid":"5.2.2","text":"[^"]*"}' stdout
expect_error 2 "no kernel matches 'nosuch'" "$program" check nosuch
expect_error 2 "no kernel matches 'nosuch-\*'" "$program" check load-sse2 'nosuch-*'
expect_error 2 "whole number, not 'x'" "$program" check --seed x
expect_error 2 '--roofs takes neither' "$program" check --roofs load-sse2
expect_error 2 '--roofs takes neither' "$program" check --roofs --seed 1
expect_error 2 'name a probe' "$program" probe
expect_error 2 "'nosuch' is no probe" "$program" probe clock nosuch
expect_error 2 "duration such as 150ms or 2s, not '0'" "$program" probe --point-budget 0 clock
expect_error 2 "duration such as 150ms or 2s, not '5kg'" "$program" probe --point-budget 5kg clock
expect_error 2 "random, half, zero or all, not 'ones'" "$program" probe --data ones bandwidth
expect_error 2 "bandwidth probe; leave 'clock' out" "$program" probe --data zero clock
expect_error 2 'no column for the data' "$program" probe --data zero --csv bandwidth
expect_error 2 'give exactly one sweep' "$program" sweep
expect_error 2 'give exactly one sweep' "$program" sweep default quick
expect_error 2 "below 2\^63, not '-1'" "$program" sweep --seed -1 default
expect_error 2 "below 2\^63, not '9223372036854775808'" \
    "$program" sweep --seed 9223372036854775808 default
expect_error 2 "leave 'default' out" "$program" sweep --resume results/latest default
expect_error 2 'leave --seed out' "$program" sweep --resume results/latest --seed 1
expect_error 2 "no job matches 'sweep/nosuch\*'" \
    "$program" sweep --only 'sweep/nosuch*' --results none quick
expect_error 2 'leave --results out' "$program" sweep --resume results/latest --results r
expect_error 2 'give exactly one run' "$program" model
expect_error 2 'give exactly one run' "$program" report "$run" "$run"
expect_error 2 'give exactly two runs' "$program" compare
expect_error 2 'give exactly two runs' "$program" compare "$run"
expect_error 2 'give exactly two runs' "$program" compare "$run" "$run" "$run"
for threshold in 0 -1 100 nan x '' '3 kg'; do
    expect_error 2 "per cent above 0 and below 100, not '$threshold'" \
        "$program" compare --threshold "$threshold" "$run" "$run"
done
expect_error 2 'give a figure and a run' "$program" plot all
expect_error 2 "'nosuch' is no figure; there are all, roofline-aes, " "$program" plot nosuch "$run"

# sweep LINE TEXT PATTERN: a sweep file that is refused; the message names LINE, if not empty.
sweep()
{
    printf '%b' "$2" >bad.sweep
    expect_error 2 "^ridgepoint: bad\.sweep${1:+:$1}: .*$3" \
        "$program" sweep --results none bad.sweep
}
long=$(printf '%0200d' 0)
sweep '' '' 'nothing to measure'
sweep '' '; a comment\n' 'nothing to measure'
sweep 1 'probes = clock\n' 'stands before any section'
sweep 1 '[sweep\nprobes = clock\n' 'neither a \[section\] nor'
sweep 2 '[sweep]\nprobes\n' 'neither a \[section\] nor'
sweep 4 '[sweep]\r\n\r\nprobes = clock\r\nnosuch = 1\r\n' "'nosuch' is unknown in \[sweep\]"
sweep 3 '[sweep]\nprobes = clock\nfrom = 16 KiB\n' "'from' is unknown in \[sweep\]"
sweep 3 '[a]\nkernels = load-sse2\nprobes = clock\n' "'probes' is unknown in a group"
sweep 2 '[sweep]\nprobes = clock nosuch\n' "'nosuch' is no probe"
sweep 2 '[sweep]\nprobes =\n' "'' is no list"
sweep 2 '[sweep]\npoint_budget = 0\nprobes = clock\n' "'0' is no duration"
sweep 2 '[a]\nkernels = load-sse2 nosuch-*\n' "no kernel matches 'nosuch-\*'"
sweep 2 '[a]\nkernels = a b c d e f g h i\n' 'no list of up to eight kernels'
sweep 3 '[a]\nkernels = load-sse2\nmodes = none nosuch\n' "'nosuch' is no store mode"
sweep 3 '[a]\nkernels = load-sse2\nkernels = copy-sse2\n' "'kernels' is given twice"
sweep 3 '[a]\nkernels = load-sse2\n  copy-sse2\n' "'kernels' is given twice"
sweep 3 "[a]\nkernels = load-sse2\n; $long\n" 'longer than 199 bytes'
sweep 3 '[a]\nkernels = load-sse2\nper_octave = 0\n' "'0' is no number"
sweep 3 '[a]\nkernels = load-sse2\nper_octave = 17\n' "'17' is no number"
sweep 3 '[a]\nkernels = load-sse2\nnear_capacities = 1\n' 'write yes or no'
for size in 0 4095 -16K 16KB '16 KiB 2' 1025TiB 18446744073709551615 99999999999T x; do
    sweep 3 "[a]\nkernels = load-sse2\nfrom = $size\n" "'$size' is no working set"
done
sweep '' '[a]\nfrom = 16 KiB\n' '\[a\] has no kernels'
sweep '' '[a]\nkernels = load-sse2\nfrom = 1 MiB\nto = 16 KiB\n' 'larger to a smaller'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
    printf '[g%d]\\nkernels = load-sse2\\n' $i
done >groups
sweep 34 "$(cat groups)" '\[g17\] is one too many'
printf '[a]\nkernels = load-sse2\nmodes = nt\n' >bad.sweep
expect_error 2 '\[a\] selects no kernel in any of its modes' "$program" sweep bad.sweep
printf '[a]\nkernels = load-sse2\nfrom = 900 TiB\nto = 1024 TiB\n' >bad.sweep
expect_error 3 'every working set needs more memory' "$program" sweep --results none bad.sweep
printf '; gr\374n\n[sweep]\nprobes = clock\n' >bad.sweep
expect_error 2 'bad\.sweep is not in UTF-8' "$program" sweep --results none bad.sweep
expect_error 2 'is no \.sweep file' "$program" sweep "$program"
expect_error 2 'is no \.sweep file' "$program" sweep results
expect_error 2 'cannot read sweep nosuch: No such file.*list sweeps' "$program" sweep nosuch
expect_error 2 'cannot read sweep : No such file' "$program" sweep ''
check 'a sweep that was refused left a folder' test ! -e none

# A long name of a section and the densest group are right.
printf '[%s]\nkernels = load-sse2\nfrom = 8 KiB\nto = 1 GiB\nper_octave = 16\n' \
    a-section-name-of-more-than-thirty-two-bytes >dense.sweep
expect_exit 0 env HWLOC_SYNTHETIC='core:1 pu:1' "$program" sweep --dry-run dense.sweep
# shellcheck disable=SC2016 # of awk
check 'the densest sweep has gaps' \
    awk -F/ '$4 > 134217728 && $4 > 1.1 * last { exit 1 } { last = $4 }' stdout
# What is named twice is measured once.
printf '[sweep]\nprobes = clock clock\n' >twice.sweep
expect_exit 0 "$program" sweep --dry-run twice.sweep
check 'a probe named twice runs twice' test "$(wc -l <stdout)" -eq 1

# bad_run FILE PATTERN: a run file that is refused, whatever is asked of it.
bad_run()
{
    for verb in model report 'model --json' 'report --csv' 'report --markdown' 'plot all' \
        'sweep --resume' "compare $run"; do
        # shellcheck disable=SC2086 # verb and option
        expect_error 2 "$2" "$program" $verb "$1"
    done
}
: >empty
bad_run empty 'empty holds no whole line of a run'
head -c 200 "$run" >short
bad_run short 'short holds no whole line of a run'
echo 'hello' >text
bad_run text 'text:1: this is no Ridgepoint run'
echo '{"a":1}' >json
bad_run json 'json:1: this is no Ridgepoint run'
sed 1d "$run" >headless
bad_run headless 'headless:1: this is no Ridgepoint run'
sed '1s/"ridgepoint_run":1/"ridgepoint_run":999/' "$run" >future
bad_run future 'future:1: the run has format 999'
sed '2s/}$/,}/' "$run" >malformed
bad_run malformed 'malformed:2: malformed JSON'
{ cat "$run"; echo; } >blank
bad_run blank 'blank:3: malformed JSON'
{ cat "$run"; sed -n 2p "$run"; } >repeated
bad_run repeated 'repeated:3: '
sed '2s/"ns":\[[0-9]*/"ns":[-1/' "$run" >negative
bad_run negative 'negative:2: "ns" must hold'
sed '2s/"id":[0-9]*/"id":"one"/' "$run" >wordy
bad_run wordy 'wordy:2: "id" must be'
mkfifo pipe
bad_run pipe 'pipe is neither a file nor a folder'
bad_run /dev/zero '/dev/zero is neither a file nor a folder'
mkdir folder
bad_run folder 'cannot read folder/run\.jsonl: No such file'
bad_run nosuch 'cannot read nosuch: No such file'
bad_run "$program" ':1: this is no Ridgepoint run'
sed '1s/probes = clock/probes = nosuch/' "$run" >other
expect_error 2 "'nosuch' is no probe" "$program" sweep --resume other
head -n 1 "$run" >header
expect_error 2 'no usable record' "$program" report header
{ cat "$run"; printf '{"id":2,'; } >torn
expect_exit 0 "$program" model --json torn
expect_message '^warning: torn ends in an incomplete line'
expect_error 2 'no AES-CTR points' "$program" plot roofline-aes "$run"
expect_exit 2 "$program" plot all "$run"
expect_message '^ridgepoint: this run holds nothing that a figure shows'

# An answer that does not reach its reader.
# shellcheck disable=SC2317 # called by name
to_full()
{
    "$@" >/dev/full
}
# shellcheck disable=SC2317
to_closed()
{
    "$@" >&-
}
for ask in --help --version 'list kernels' 'list kernels --json' 'machine' 'machine --json' \
    'check load-sse2' 'probe clock' 'probe clock --json' 'probe clock --csv' \
    "model --json $run" "model $run" "report --csv $run" "report --markdown $run" \
    "report $run" "compare $run $run" "compare --json $run $run" 'sweep --dry-run clock.sweep' 'sweep --results full clock.sweep'; do
    for lost in to_full to_closed; do
        # shellcheck disable=SC2086 # words
        expect_exit 3 $lost "$program" $ask
        expect_message '^ridgepoint: cannot write '
    done
done

# Messages of a program without standard streams do not end up in its files.
"$program" sweep --results mute clock.sweep <&- >&- 2>&-
"$program" sweep --results mute clock.sweep 2>&- >/dev/null
for run in full/*/*/run.jsonl mute/*/*/run.jsonl; do
    expect_exit 0 "$program" model "$run"
done
finish
