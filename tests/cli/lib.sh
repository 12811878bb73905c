# SPDX-License-Identifier: MIT
#
# What the tests of the command line share. Each starts by reading this file, is then
# in an empty folder that goes away with it, and ends with `finish`. $program is what is tested,
# $here the folder of the tests. A check that fails is reported and the next one runs.
# shellcheck shell=sh
set -u
export LC_ALL=C
unset HWLOC_SYNTHETIC HWLOC_XMLFILE HWLOC_COMPONENTS

# shellcheck disable=SC2153 # in the environment
program=$PROGRAM
# shellcheck disable=SC2034 # in the tests
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
chmod 755 "$scratch" # one test lets another user in
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch" || exit 1

# The exit code of a sweep that has something to draw.
# shellcheck disable=SC2034 # in the tests
if command -v gnuplot >/dev/null; then
    drawn=0
else
    drawn=3
fi

checks=0
failures=0

# skip REASON: ends the test as skipped.
skip()
{
    echo "skipped: $*"
    exit 77
}

# needs PROGRAM...: skips the test where one of them is missing.
needs()
{
    for needed; do
        command -v "$needed" >/dev/null || skip "$needed is not installed"
    done
}

# fail MESSAGE: reports a failed check with what the last command printed.
fail()
{
    failures=$((failures + 1))
    echo "FAILED: $*"
    for stream in stdout stderr; do
        if [ -s "$scratch/$stream" ]; then
            sed "s/^/    $stream: /" "$scratch/$stream" | cut -c1-400 | tail -n 20
        fi
    done
}

# check MESSAGE COMMAND...: COMMAND must succeed.
check()
{
    checks=$((checks + 1))
    message=$1
    shift
    "$@" || fail "$message"
}

# expect_exit CODE COMMAND...: runs it; its output is then in $scratch/stdout and stderr.
expect_exit()
{
    checks=$((checks + 1))
    expected=$1
    shift
    command_line=$*
    "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    [ "$status" -eq "$expected" ] ||
        fail "exit code $status instead of $expected from: $command_line"
}

# expect_output PATTERN, expect_message PATTERN: the last command printed a line that matches
# the extended regular expression, on stdout or on stderr.
expect_output()
{
    check "no line of stdout matches '$1': $command_line" grep -Eq -e "$1" "$scratch/stdout"
}

expect_message()
{
    check "no line of stderr matches '$1': $command_line" grep -Eq -e "$1" "$scratch/stderr"
}

# expect_error CODE PATTERN COMMAND...: fails with this code, nothing on stdout, and on stderr
# one line, from the program, that matches.
expect_error()
{
    code=$1
    pattern=$2
    shift 2
    expect_exit "$code" "$@"
    check "stdout is not empty: $command_line" test ! -s "$scratch/stdout"
    check "stderr is not one line: $command_line" test "$(wc -l <"$scratch/stderr")" -eq 1
    expect_message '^ridgepoint: '
    expect_message "$pattern"
}

# expect_same FILE FILE
expect_same()
{
    check "$1 and $2 differ" cmp "$1" "$2"
}

# available KERNEL: true when this CPU and build can run it.
available()
{
    ! "$program" list kernels | grep -q "^$1 .*unavailable: "
}

# jobs RUN: the keys of its records, in order.
jobs_of()
{
    sed -n 's/^.*"job":"\([^"]*\)".*$/\1/p' "$1"
}

# expect_whole RUN SWEEP: the run holds each job of the sweep once, and nothing else.
expect_whole()
{
    "$program" sweep --dry-run "$2" 2>/dev/null | sed 's/  .*$//' | sort >"$scratch/planned"
    jobs_of "$1" | sort >"$scratch/done"
    check "the plan of $2 is empty" test -s "$scratch/planned"
    check "jobs of $1 are not those of $2" cmp "$scratch/planned" "$scratch/done"
}

# Ends the test.
finish()
{
    echo "$checks checks, $failures failed"
    [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
    exit
}
