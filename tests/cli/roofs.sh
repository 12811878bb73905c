#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Kernels of known intensity held against the roofs. How near they come depends on the machine
# and on who else is on it, so no figure is judged: that all are there, and what they look like.
. "$(dirname "$0")/lib.sh"

# expect_points COUNT: so many kernels have a row, each with its figures or the reason why not.
expect_points()
{
    rows=$(grep -Ec '^intensity-(aesenc|fma)[0-9]+-x[0-9]+ ' stdout)
    check "$rows rows instead of $1: $command_line" test "$rows" -eq "$1"
    grep '^intensity-' stdout >rows
    point='[0-9.]+ +[0-9.]+ +[0-9.]+ +(load L[0-9]|load DRAM|[a-z0-9]+-[0-9]+) +[-+][0-9.]+ %  '
    point="$point(ok|above)(, (budget|disturbed))?"
    unjudged='[0-9.]+ +[0-9.]+ +- +- +- +not judged(, (budget|disturbed))?'
    lost=$(grep -Evc "^intensity-[a-z0-9]+-x[0-9]+ +($point|$unjudged|unavailable: .+)$" rows)
    check "$lost rows are neither a point nor a reason: $command_line" test "$lost" -eq 0
}

# A machine that disturbs every sample of a point leaves it out of the model.
for _ in 1 2 3 4 5 6 7 8; do
    "$program" check --roofs >stdout 2>stderr </dev/null
    status=$?
    command_line='check --roofs'
    [ "$(grep -c '^intensity-' stdout)" -lt 12 ] || break
done
expect_points 12
case $status in
0)
    expect_output '^roofs validated: [0-9]+ points?, median [0-9.]+ % (below|above), none above'
    ;;
1)
    expect_output '^roofs not validated: [0-9]+ points?, median [0-9.]+ % (below|above), '
    expect_message '^ridgepoint: check: the kernels of known intensity do not trace the roofs'
    ;;
3) expect_message '^ridgepoint: check: no kernel of known intensity could be held' ;;
*) fail "exit code $status from check --roofs" ;;
esac

# SSE2 alone can do neither: the reasons, and no answer.
expect_exit 3 env RIDGEPOINT_CPU=sse2 "$program" check --roofs
expect_points 12
check 'a point that needs AES or FMA on a CPU without them' \
    test "$(grep -c ' unavailable: ' rows)" -eq 12

# The probe alone has nothing to hold its points against, and says so.
expect_exit 0 "$program" probe --point-budget 2ms roofs
if [ "$status" -eq 0 ] && grep -q '^intensity-.* not judged' stdout; then
    expect_output '^roofs not validated: the run lacks the roofs'
fi
finish
