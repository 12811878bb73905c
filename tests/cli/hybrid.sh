#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A machine with two kinds of core is measured, modelled, drawn and reported once for each. hwloc
# describes the machine; the cores are those that are here.
. "$(dirname "$0")/lib.sh"

export HWLOC_XMLFILE="$here/../machines/hybrid.xml" HWLOC_THISSYSTEM=0
expect_exit 0 "$program" machine --json
kinds=$(grep -o '"name": *"[a-z]*ance"\|"name": *"[a-z]*ency"' stdout | grep -o '[a-z]*ance\|[a-z]*ency')
check 'the machine does not have two kinds of core' \
    test "$(echo $kinds)" = 'performance efficiency'

expect_exit $drawn "$program" sweep --results results "$here/tiny.sweep"
run=results/latest
expect_whole $run/run.jsonl "$here/tiny.sweep"
for kind in performance efficiency; do
    check "no job for $kind cores" grep -q "\"job\":\"$kind:sweep/" $run/run.jsonl
    check "no record of $kind cores" grep -q "\"core_kind\":\"$kind\"" $run/run.jsonl
done
for folder in $run $run/efficiency; do
    for file in model.json report.md report.csv index.html; do
        check "$folder has no $file" test -s "$folder/$file"
    done
done
check 'the report does not name its kind' grep -q '^# .*, performance cores$' $run/report.md
check 'the report does not name its kind' \
    grep -q '^# .*, efficiency cores$' $run/efficiency/report.md
check 'both kinds have the same caches' \
    sh -c "! cmp -s $run/model.json $run/efficiency/model.json"

# Made anew, and elsewhere.
rm -r $run/efficiency
expect_exit 0 "$program" model $run
expect_exit 0 "$program" report $run
check 'the model of the second kind is not made anew' test -s $run/efficiency/model.json
check 'the report of the second kind is not made anew' test -s $run/efficiency/report.md

# A run that ended before the second kind tells of the first.
head -n 8 $run/run.jsonl >begun.jsonl
expect_exit 0 "$program" model begun.jsonl
expect_message '^note: nothing about efficiency cores: '
finish
