#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Records of a probe hold what they say they hold. No figure is compared with a time.
. "$(dirname "$0")/lib.sh"

# Every array of a record is as long as "ns" and above zero. A record without samples says why
# not: it is unavailable here, or the machine disturbed each of them.
# shellcheck disable=SC2317 # called by name
sound()
{
    awk '
    function array(name,    text) {
        if (!match($0, "\"" name "\":\\[[^]]*\\]"))
            return 0
        text = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
        count = split(text, value, ",")
        for (i = 1; i <= count; i++)
            if (value[i] <= 0) { print name " holds " value[i] ": " $0; bad = 1 }
        return count
    }
    /"verdict":"unavailable"/ || (/"verdict":"disturbed"/ && !/"ns":/) {
        if (!/"why":"[^"]/ || (/"disturbed"/ && !/"dropped":\{"/)) {
            print "no reason: " $0; bad = 1
        }
        next
    }
    {
        samples = array("ns")
        if (samples < 1 || array("cycles") != samples) { print "not paired: " $0; bad = 1 }
        if (/"probe":"units"/ && (array("baseline_ns") != samples ||
                                  array("baseline_cycles") != samples)) {
            print "no baseline for each sample: " $0; bad = 1
        }
        if (!/"items_per_sample":[1-9]/) { print "no items: " $0; bad = 1 }
    }
    { sound++ }
    END { exit bad || !sound }' "$1"
}

# Each class and how many counts of chains it has loops for.
counts='aesenc-128:16 aesenc-256:16 aesenc-512:16 fma64-128:16 fma64-256:16 fma64-512:16
    clmul-128:16 clmul-256:16 clmul-512:16 aesenc+clmul-128:3 aesenc+clmul-256:3 aesenc+clmul-512:3'
pattern_of() { # a class's name as a regular expression
    echo "$1" | sed 's/+/[+]/'
}
expect_exit 0 "$program" probe --json --point-budget 2ms clock units
check 'a record is not sound' sound stdout
cp stdout records
for row in $counts; do
    unit=${row%:*}
    rows=$(grep -c "\"job\":\"units/$unit" records)
    if grep -q "\"job\":\"units/$unit\".*\"unavailable\"" records; then
        check "$unit has $rows records, not one that says why" test "$rows" -eq 1
    else
        check "$unit has $rows records, not one for each count of chains" test "$rows" -eq "${row#*:}"
    fi
done
check 'not one record of the clock' test "$(grep -c '"probe":"clock"' records)" -eq 1

expect_exit 0 "$program" probe --csv --point-budget 2ms clock units
columns=kind,name,variant,mode,level,working_set_bytes,threads,quantity,value,unit
columns=$columns,low,high,bound,attained,verdict,lower_quartile,upper_quartile,best,samples
columns=$columns,dropped_clock,dropped_preempted,dropped_stolen,dropped_shared,dropped_throttled,dropped_moved,bound_by
check 'not the header of report.csv' test "$(head -n 1 stdout)" = "$columns"
for row in $counts; do
    expect_output "^unit,$(pattern_of "${row%:*}"),"
done

expect_exit 0 "$program" probe --point-budget 2ms clock units
expect_output '^core clock +[1-9][0-9.]* GHz|^core clock +0\.[0-9]* GHz'
for row in $counts; do
    expect_output "^$(pattern_of "${row%:*}") +(-|[1-9][0-9.]* cyc|0\.[0-9]*[1-9][0-9]* cyc|disturbed|unavailable: [^ ])"
done
finish
