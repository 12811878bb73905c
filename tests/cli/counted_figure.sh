#!/bin/sh
# SPDX-License-Identifier: MIT
#
# From the CSV of each release of likwid to the mark on the roofline: the same traffic, as each
# writes it, must come to the same digits.
. "$(dirname "$0")/lib.sh"
needs gnuplot

# One cipher far beyond the L3 of a known machine; only the header is this machine's. Ten samples
# of 128 MiB encrypted each.
printf '[sweep]\nprobes = clock\n' >clock.sweep
HWLOC_SYNTHETIC='numa:1 l3:1(size=16777216) l2:1(size=1048576) l1d:1(size=32768) core:1 pu:1' \
    "$program" sweep --results results clock.sweep >stdout 2>stderr
region=aes128ctr-vaes512-x8-pshufb/temporal/268435456
mkdir fresh
{
    head -n 1 results/latest/run.jsonl
    printf '{"id":1,"job":"sweep/%s","probe":"sweep","kernel":"aes128ctr-vaes512-x8-pshufb",' $region
    printf '"family":"aes128ctr","variant":"vaes512-x8-pshufb","mode":"temporal",'
    printf '"working_set_bytes":268435456,"threads":1,"item":"byte","traffic":{"load":1,"store":1},'
    printf '"items_per_sample":134217728,"cycle_source":"calibrated-chain","verdict":"steady",'
    printf '"ns":[%s],"cycles":[%s]}\n' \
        2e7,2e7,2e7,2e7,2e7,2e7,2e7,2e7,2e7,2e7 6e7,6e7,6e7,6e7,6e7,6e7,6e7,6e7,6e7,6e7
} >fresh/run.jsonl

# In lines of 64 bytes: 2.00 and 0.98 bytes for each of the 1342177280 encrypted.
read_lines=41943040
written_lines=20552090
meaning='counted 2.98 bytes moved for each byte encrypted, 1.49 x the payload'

info() { # type clock
    printf 'STRUCT,Info,3,,,\nCPU name:,Of a test,,,,\nCPU type:,%s,,,,\nCPU clock:,%s GHz,,,,\n' \
        "$1" "$2"
}

region_info() { # seconds
    printf 'Region Info,HWThread 3,,,,\nRDTSC Runtime [s],%s,,,,\ncall count,10,,,,\n' "$1"
    printf 'Event,Counter,HWThread 3,,,\n'
}

# channels EVENT COUNTER LINES COUNT: an event for each of COUNT channels, which share the lines;
# "#" stands for their numbers.
channels() {
    awk -v event="$1" -v counter="$2" -v lines="$3" -v count="$4" 'BEGIN {
        for (i = 0; i < count; i++) {
            name = event; unit = counter
            sub(/#/, i, name); sub(/#/, i, unit)
            share = i < count - 1 ? int(lines / count) : lines - (count - 1) * int(lines / count)
            printf "%s,%s,%d,,,\n", name, unit, share
        }
    }'
}

# Six digits behind the point where the other program prints seven altogether.
release_5_2() {
    info 'Intel Icelake SP processor' 2.4
    echo "TABLE,Region $region,Group 1 Raw,RP_MEM,3,"
    region_info 0.200000
    echo 'INSTR_RETIRED_ANY,FIXC0,1.200000e+09,,,'
    printf 'CAS_COUNT_RD,MBOX0C0,%e,,,\n' $read_lines
    printf 'CAS_COUNT_WR,MBOX0C1,%e,,,\n' $written_lines
    printf 'TABLE,Region %s,Group 1 Metric,RP_MEM,1,\nMetric,HWThread 3,,,,\n' $region
    echo 'Memory volume [GB],3.9997,,,,'
}

# Printed among the output of the program, with more channels than the machine has.
release_5_3() {
    printf -- '----------\nCPU name:\tOf a test\nCPU type:\tIntel SapphireRapids processor\n'
    printf -- '----------\n[sweep] 1 of 1 jobs, none left\n----------\n'
    info 'Intel SapphireRapids processor' 2.0
    echo "TABLE,Region $region,Group 1 Raw,RP_MEM,25,"
    region_info 0.200000
    echo 'INSTR_RETIRED_ANY,FIXC0,1200000000,,,'
    for way in "RD:C0:$read_lines" "WR:C1:$written_lines"; do
        event=CAS_COUNT_${way%%:*}
        counter=${way#*:}
        channels "$event" "MBOX#${counter%:*}" "${way##*:}" 8
        for absent in 8 9 10 11; do
            echo "$event,MBOX$absent${counter%:*},-,,,"
        done
    done
    echo 'and something else'
}

# data_fabric TYPE CLOCK SECONDS READ WRITE: reads and writes in runs of their own, each in a
# group of twelve channels.
data_fabric() {
    for way in "1 Raw,RP_MEM_RD|$4|$read_lines" "2 Raw,RP_MEM_WR|$5|$written_lines"; do
        event=${way#*|}
        info "$1" "$2"
        echo "TABLE,Region $region,Group ${way%%|*},13,"
        region_info "$3"
        echo 'RETIRED_INSTRUCTIONS,PMC0,1200000000,,,'
        channels "${event%|*}" 'DFC#' "${way##*|}" 12
    done
}

release_5_4() {
    data_fabric 'AMD K19 (Zen4) architecture' 2.4 0.200000 \
        'DRAM_READS_LOCAL_CHANNEL_#' 'DRAM_WRITES_LOCAL_CHANNEL_#'
}

# Another region first, and no clock.
release_5_5() {
    info 'AMD K1A (Zen5) architecture' 0.0
    echo 'TABLE,Region units/aesenc-512/8,Group 1 Raw,RP_MEM_RD,1,'
    region_info 0.000000
    echo 'RETIRED_INSTRUCTIONS,PMC0,24000000,,,'
    data_fabric 'AMD K1A (Zen5) architecture' 0.0 0.000000 \
        'DATA_BW_UMC#_ANY_READ' 'DATA_BW_UMC#_ANY_WRITE'
}

for release in 5_2 5_3 5_4 5_5; do
    rm -rf run
    cp -r fresh run
    release_$release >counts.csv
    expect_exit 0 "$program" import likwid counts.csv run
    expect_exit 0 "$program" plot roofline-aes run
    check "$release: the mark does not say what was counted" \
        grep -q "temporal, 256 MiB in DRAM: $meaning, record" run/roofline-aes.svg
    expect_exit 0 "$program" report --markdown run
    expect_output 'counted 1[.]49 x the payload: write-allocate'
    expect_exit 0 "$program" report --csv run
    expect_output '^counted,aes128ctr-vaes512-x8-pshufb,.*,times_payload,1[.]49'
done

# Without the writes there is no total, and no mark.
rm -rf run
cp -r fresh run
release_5_4 | sed '/Group 2/,$d' >counts.csv
expect_exit 0 "$program" import likwid counts.csv run
expect_exit 0 "$program" plot roofline-aes run
check 'a mark of half the traffic' sh -c '! grep -q "counted" run/roofline-aes.svg'
expect_exit 0 "$program" report --markdown run
expect_output 'in reads alone, 1[.]00 x those expected'

# perf stat, whose memory controllers count in MiB.
rm -rf run
cp -r fresh run
for way in read:2560 write:1254.3999; do
    printf '{"counter-value" : "%s", "unit" : "MiB", "event" : "uncore_imc_0/cas_count_%s/", ' \
        "${way#*:}" "${way%:*}"
    printf '"event-runtime" : 1000000, "pcnt-running" : 100.00}\n'
done >counts.json
expect_exit 0 "$program" import perf --group memory counts.json run
expect_exit 0 "$program" plot roofline-aes run
check 'perf: the mark does not say what was counted' grep -q "$meaning" run/roofline-aes.svg

finish
