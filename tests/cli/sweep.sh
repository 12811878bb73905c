#!/bin/sh
# SPDX-License-Identifier: MIT
#
# From a sweep file to the figures: what is made, where, and that a run can be worked on anywhere.
. "$(dirname "$0")/lib.sh"
needs gnuplot xmllint

# Without AES instructions there is nothing to draw of their units.
figures='roofline-aes bandwidth aes-sweep'
if available aes128ctr-aesni-x1; then
    figures="$figures aes-unit"
fi
made='run.jsonl topology.xml model.json report.md report.csv index.html'
for figure in $figures; do
    made="$made $figure.svg"
done

# A machine may disturb every sample of a point, which is then missing from report and figures.
undisturbed()
{
    ! grep '^{"id":' results/latest/run.jsonl | grep -v '"verdict":"unavailable"' |
        grep -vq '"ns":\['
}
for _ in 1 2 3 4 5 6 7 8; do
    expect_exit 0 "$program" sweep --results results --seed 7 "$here/tiny.sweep"
    if undisturbed; then
        break
    fi
done
folder=results/$(readlink results/latest)
check 'results/latest is not a folder of results' test -d "$folder"
echo "$folder" >name
check "$folder is not results/<machine>/<UTC>-<sweep>" \
    grep -Eqx 'results/[a-z0-9-]+/[0-9]{8}T[0-9]{6}Z-tiny(-[0-9]+)?' name
for file in $made; do
    echo "$folder/$file"
done | sort >expected
sort stdout >printed
expect_same printed expected
find "$folder" -type f -size +0 | sort >present
expect_same present expected
available aes128ctr-aesni-x1 || expect_message '^note: no aes-unit\.svg: '

# The run file.
run=$folder/run.jsonl
expect_whole "$run" "$here/tiny.sweep"
check 'the header does not come first' grep -q '"ridgepoint_run":1.*"seed":7,' "$run"
check 'a line of the run is no object' test "$(grep -vc '^{.*}$' "$run")" -eq 0
if command -v python3 >/dev/null; then
    check 'a line of the run is no JSON' python3 -c \
        'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$run"
fi
# Rates, intensities and cycles per byte are derived, never stored.
check 'the run stores a rate' test "$(grep -Ec 'bytes_per_s|cycles_per_byte' "$run")" -eq 0
check 'the topology is not XML' xmllint --noout "$folder/topology.xml"
check 'the topology tells whose machine it is' \
    test "$(grep -Ec 'HostName|Serial|UUID' "$folder/topology.xml")" -eq 0

# Figures and report.
for figure in $figures; do
    svg=$folder/$figure.svg
    check "$svg is no XML" xmllint --noout "$svg"
    for element in title desc; do
        check "$svg has no $element" test -n \
            "$(xmllint --xpath "string(/*/*[local-name()='$element'])" "$svg")"
    done
    check "$svg holds a script" test "$(grep -ci '<script' "$svg")" -eq 0
    check "index.html lacks $figure" grep -q "$(sed -n 's/.*<desc[^>]*>\([^<]*\).*/\1/p' \
        "$svg" | head -n 1 | cut -c1-40)" "$folder/index.html"
done
check 'index.html holds a script' test "$(grep -ci '<script' "$folder/index.html")" -eq 0
check 'index.html fetches something' \
    test "$(grep -Eci '(src|href) *= *"?https?:' "$folder/index.html")" -eq 0
columns=kind,name,variant,mode,level,working_set_bytes,threads,quantity,value,unit
columns=$columns,low,high,bound,attained,verdict,lower_quartile,upper_quartile,best,samples
columns=$columns,dropped_clock,dropped_preempted,dropped_stolen,dropped_shared,dropped_throttled,dropped_moved,bound_by
check 'not the header of report.csv' \
    test "$(head -n 1 "$folder/report.csv")" = "$columns"
for fact in '^roof,' '^unit,aesenc-128,' '^point,aes128ctr-scalar,scalar,temporal,'; do
    check "report.csv has no $fact" grep -q "$fact" "$folder/report.csv"
done

# A run and its folder are the same to every verb, and what was made is made again alike; in a
# copy of the folder too, on a "machine" that has nothing but gnuplot.
cp -R "$folder" copy
mkdir bin
ln -s "$(command -v gnuplot)" bin/gnuplot
export RIDGEPOINT_CPU=nosuch HWLOC_SYNTHETIC='core:1 pu:1'
path=$PATH
for argument in "$folder" "$folder/" "$run" results/latest copy copy/run.jsonl; do
    into=${argument%run.jsonl}
    for file in model.json report.md report.csv index.html; do
        rm "$into/$file"
    done
    rm "$into"/*.svg
    PATH=$scratch/bin
    expect_exit 0 "$program" model "$argument"
    expect_exit 0 "$program" plot all "$argument"
    expect_exit 0 "$program" report "$argument"
    PATH=$path
    for file in $made; do
        expect_same "$into/$file" "copy/$file"
    done
done
expect_exit 0 "$program" report --csv copy
expect_same stdout copy/report.csv
expect_exit 0 "$program" report --markdown copy
expect_same stdout copy/report.md
"$program" model --json "$run" >by_file
expect_exit 0 "$program" model --json "$folder"
expect_same stdout by_file
mkdir other
expect_exit 0 "$program" plot --output other bandwidth copy
check 'plot does not print the path' test "$(cat stdout)" = other/bandwidth.svg
expect_same other/bandwidth.svg copy/bandwidth.svg
(cd copy && "$program" model run.jsonl) >stdout
check 'a run in the working folder' test "$(cat stdout)" = ./model.json
unset RIDGEPOINT_CPU HWLOC_SYNTHETIC

# Runs of the same second have folders of their own, and latest is the last.
printf '[sweep]\nprobes = clock\n' >clock.sweep
for _ in 1 2 3; do
    expect_exit 0 "$program" sweep --results several clock.sweep
done
set -- several/*/*Z-clock*
check "$# folders instead of three" test $# -eq 3
check 'latest is not the last' \
    grep -q "$(readlink several/latest)/run.jsonl" stdout
finish
