#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Machines that lack something: instructions, cores, caches, gnuplot, permission, space, memory.
# What can still be measured is, and the rest says why.
. "$(dirname "$0")/lib.sh"

tiny=$here/tiny.sweep
steps=$here/steps.sweep

# Every CPU level: nothing vanishes, what is left out says why, what remains is right.
why='(this CPU has no|RIDGEPOINT_CPU=[a-z0-9]+ leaves out|the compiler of this build|this build has no|this build leaves) '
kernels=$("$program" list kernels | wc -l)
for level in sse2 aesni avx2 vaes avx512; do
    export RIDGEPOINT_CPU=$level
    expect_exit 0 "$program" list kernels
    cp stdout listed
    check "kernels vanish at $level" test "$(wc -l <listed)" -eq "$kernels"
    absent=$(grep -c 'unavailable' listed)
    check "no reason at $level" test "$(grep -Ec "unavailable: $why" listed)" -eq "$absent"

    expect_exit 0 "$program" check 'load-*' 'aes128ctr-vaes512-*'
    expect_output "^seed [0-9]+, CPU level $level\$"
    absent=$(grep -Ec '^(load|aes128ctr-vaes512)-.* unavailable' listed)
    expect_output "^[0-9]+ right, 0 wrong, $absent kernels unavailable\$"

    expect_exit "$drawn" "$program" sweep --results "$level" "$tiny"
    expect_whole "$level/latest/run.jsonl" "$tiny"
    for kernel in aes128ctr-aesni-x8-pshufb aes128ctr-vaes512-x8-pshufb; do
        if available $kernel; then
            check "$kernel is not measured at $level" \
                grep -q "\"job\":\"sweep/$kernel/temporal/16384\"" "$level/latest/run.jsonl"
        else
            check "report.md does not say why $kernel is absent at $level" \
                grep -Eq "^- $kernel: ." "$level/latest/report.md"
        fi
    done
done
check 'AES-NI is not left out at sse2' \
    grep -q '"job":"sweep/aes128ctr-aesni.*"verdict":"unavailable"' sse2/latest/run.jsonl
export RIDGEPOINT_CPU=nosuch
for ask in machine 'list kernels' check 'probe clock' "sweep $tiny"; do
    # shellcheck disable=SC2086 # words
    expect_error 2 'RIDGEPOINT_CPU=nosuch is no CPU level; use sse2' "$program" $ask
done
unset RIDGEPOINT_CPU

# Sources of core cycles: one is used, the others say why not, and none stands in for another.
expect_exit 0 "$program" probe clock
check 'not one source is used' test "$(grep -Ec '^cycle source +[a-z-]+ +used' stdout)" -eq 1
expect_exit 0 env RIDGEPOINT_CYCLES=calibrated-chain "$program" probe clock
expect_output '^cycle source +calibrated-chain +used$'
expect_output '^cycle source +perf-event +not used: RIDGEPOINT_CYCLES asks for calibrated-chain$'
check 'the run does not say which source is used' test "$(sed -n '1p' avx512/latest/run.jsonl |
    grep -Eo '"name":"[a-z-]+"(,"accepted":true)?,"used":true' | wc -l)" -eq 1
for ask in 'probe clock' "sweep --results refused $tiny" 'sweep --resume sse2/latest'; do
    # shellcheck disable=SC2086 # words
    expect_error 2 'RIDGEPOINT_CYCLES=tsc is no cycle source; use perf-event' \
        env RIDGEPOINT_CYCLES=tsc RIDGEPOINT_CPU=sse2 "$program" $ask
done
check 'there is a folder of a sweep that did not begin' test ! -e refused

# One CPU of the mask.
if command -v taskset >/dev/null; then
    cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
    expect_exit 0 taskset -c "$cpu" "$program" machine --json
    for fact in '"core_count": 1' '"pu_count": 1' "\"measured_pu\": $cpu"; do
        expect_output "$fact,"
    done
    expect_exit "$drawn" taskset -c "$cpu" "$program" sweep --results one "$steps"
    expect_whole one/latest/run.jsonl "$steps"
    expect_exit 0 taskset -c "$cpu" "$program" probe scaling
    expect_output '^scaling unavailable: needs two cores'
fi

# Machines with other caches: synthetic TOPOLOGY LEVEL...
synthetic()
{
    export HWLOC_SYNTHETIC="$1"
    shift
    expect_exit 0 "$program" machine
    check "not the levels $*" test "$(grep -o '^L[0-9]' stdout | tr '\n' ' ')" = "${*:+$* }"
    check 'unknown ways are printed as none' test "$(grep -c ' 0 ways' stdout)" -eq 0
    expect_exit 0 "$program" sweep --dry-run default
    check "not the levels $* DRAM" test "$(sed -n 's,^bandwidth/[^/]*/[^/]*/\([LD][^/ ]*\).*,\1,p' \
        stdout | sort -u | tr '\n' ' ')" = "$(printf '%s\n' "$@" DRAM | grep . | sort |
        tr '\n' ' ')"
    expect_exit "$drawn" "$program" sweep --results caches "$tiny"
    expect_whole caches/latest/run.jsonl "$tiny"
    check 'the run does not say where memory begins' \
        grep -q '"name":"DRAM"' caches/latest/run.jsonl
}
synthetic 'core:1 pu:1'
expect_exit 0 "$program" machine
expect_output '^warning +the system shows no cache sizes'
synthetic 'numa:1 l2:1 core:1 pu:1' L2
synthetic 'l2:1 l1d:1 core:2 pu:2' L1 L2
synthetic 'numa:2 pack:1 l3:1 l2:2 l1d:1 core:1 pu:1' L1 L2 L3
unset HWLOC_SYNTHETIC

# No gnuplot, or one that does not work: everything else is made. no_figures PATH PATTERN
no_figures()
{
    full_path=$PATH
    PATH=$1
    expect_exit 3 "$program" sweep --results plain "$steps"
    PATH=$full_path
    expect_message "^ridgepoint: measured and reported, but not all figures are drawn: .*$2"
    expect_whole plain/latest/run.jsonl "$steps"
    for file in model.json report.md report.csv index.html topology.xml; do
        check "$file is missing" test -s "plain/latest/$file"
    done
    check 'there are parts of figures' test -z "$(find plain/latest/ -name '*.svg*')"
}
mkdir none broken silent
no_figures "$scratch/none" 'gnuplot is not on PATH; install gnuplot'
printf '#!/bin/sh\necho "line 3: no such thing" >&2\nexit 1\n' >broken/gnuplot
printf '#!/bin/sh\n' >silent/gnuplot
chmod +x broken/gnuplot silent/gnuplot
no_figures "$scratch/broken:$PATH" 'line 3: no such thing'
no_figures "$scratch/silent:$PATH" 'use gnuplot 5\.4 or 6'
if [ "$drawn" -eq 0 ]; then
    expect_exit 0 env GNUTERM=nosuch "$program" plot all plain/latest
    check 'the figures are not drawn later' test -s plain/latest/bandwidth.svg
fi

# Folders that cannot be written to.
printf '[sweep]\nprobes = clock\n' >clock.sweep
: >file
expect_error 3 'cannot make the folder file/.*: Not a directory; choose another' \
    "$program" sweep --results file clock.sweep
expect_error 3 'cannot make the folder missing/results: No such file' \
    "$program" sweep --results missing/results clock.sweep
expect_error 2 'too long a path' "$program" sweep --results "$(printf '%0500d' 0)" clock.sweep

# Root may write everywhere, so another user has to try.
user()
{
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
    else
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
}
if user "$program" --version >stdout 2>&1; then
    expect_exit 0 "$program" sweep --results shut clock.sweep
    cp shut/latest/run.jsonl kept
    chmod -R a+rX,a-w shut
    expect_error 3 'cannot make a folder in .*: Permission denied; choose another' \
        user "$program" sweep --results shut clock.sweep
    for verb in model report 'sweep --resume'; do
        # shellcheck disable=SC2086 # verb and option
        expect_exit 3 user "$program" $verb shut/latest
        expect_message '^ridgepoint: [Cc]annot write .*: Permission denied'
    done
    expect_same shut/latest/run.jsonl kept
    expect_exit 0 user "$program" report --csv shut/latest
    cp shut/latest/run.jsonl secret
    chmod 0 secret
    expect_error 2 'cannot read secret: Permission denied' user "$program" model secret
else
    echo 'no user without privileges can run the program: permissions are not tested'
fi

# A disk that fills up, played by the limit of a file's size.
expect_exit "$drawn" "$program" sweep --results full "$steps"
run=full/latest/run.jsonl
head -n 1 "$run" >before
cp before "$run"
# shellcheck disable=SC2317 # called by name
resume_in_blocks()
{
    (
        trap '' XFSZ
        ulimit -f "$1"
        exec "$program" sweep --resume full/latest
    )
}
expect_exit 3 resume_in_blocks $(($(wc -c <before) / 512 + 4))
expect_message '^ridgepoint: cannot write .*run\.jsonl: .*; free some space; what was measured is kept, and `ridgepoint sweep --resume'
check 'nothing was measured before the disk was full' test "$(wc -l <"$run")" -gt 1
check 'the run ends within a line' test "$(tail -c 1 "$run" | wc -l)" -eq 1
cp "$run" before
expect_exit 0 "$program" model --json full/latest
check 'a line was lost but not reported' test ! -s stderr
expect_exit "$drawn" "$program" sweep --resume full/latest
head -c "$(wc -c <before)" "$run" >begin
expect_same begin before
expect_whole "$run" "$steps"

# Too little memory. (A sanitizer needs more address space than any limit leaves.)
if [ "$SANITIZED" -eq 0 ]; then
    printf '[a]\nkernels = load-sse2\nfrom = 192 MiB\nto = 192 MiB\n' >large.sweep
    # shellcheck disable=SC2317 # called by name
    small_memory()
    {
        (
            # shellcheck disable=SC3045 # every sh of Linux has it
            ulimit -v 150000
            exec "$program" sweep --results small large.sweep
        )
    }
    expect_exit 3 small_memory
    expect_message '^ridgepoint: (no address space|not enough memory) for a buffer of 192 MiB; '
fi
finish
