#!/bin/sh
# SPDX-License-Identifier: MIT
# Disassembles the kernels and holds their inner loops to what their descriptors say, so that no
# compiler changes what is measured. Arguments: libkernels.a libprobes.a
set -u

command -v objdump >/dev/null || {
    echo "skipped: objdump is not installed (package binutils)"
    exit 77
}

# Prints, for every loop (a jump backwards within its function) of the functions that match
# $2, how often its body matches $3; with $4 and $5, only for loops that hold $5 of $4.
loop_counts() {
    awk -v name="$2" -v want="$3" -v only="${4-}" -v times="${5-0}" '
        /^[0-9a-f]+ <.*>:$/ {
            inside = $2 ~ ("^<" name ">:$")
            count = 0
            next
        }
        inside && /^ *[0-9a-f]+:\t/ {
            address = $1
            sub(":", "", address)
            line[++count] = $0
            at[address] = count
            if ($2 ~ /^j/ && ($3 in at) && at[$3] <= count && line[at[$3]] ~ ("^ *" $3 ":")) {
                hits = marks = 0
                for (i = at[$3]; i <= count; i++) {
                    if (line[i] ~ want) hits++
                    if (only != "" && line[i] ~ only) marks++
                }
                if (marks == times) print hits
            }
        }' "$1"
}

failures=0

# has_loop DISASSEMBLY FUNCTION INSTRUCTION COUNT: some loop holds exactly COUNT of them.
has_loop() {
    if ! loop_counts "$1" "$2" "$3" | grep -qx "$4"; then
        echo "no loop of $2 holds $4 of /$3/; its loops hold: $(loop_counts "$1" "$2" "$3" | tr '\n' ' ')"
        failures=$((failures + 1))
    fi
}

# Disassembled once: there are many questions.
kernels=$(mktemp) && probes=$(mktemp) || exit 3
trap 'rm -f "$kernels" "$probes"' EXIT
objdump -d --no-show-raw-insn "$1" >"$kernels" || exit 3
objdump -d --no-show-raw-insn "$2" >"$probes" || exit 3

for row in sse2:xmm avx2:ymm avx512:zmm; do
    isa=${row%:*}
    register=${row#*:}
    has_loop "$kernels" "copy_$isa" "mov[a-z0-9]* .*\\(%r[a-z0-9]+\\),%$register" 8
    has_loop "$kernels" "copy_$isa" "mov[a-z0-9]* %$register[0-9]*,.*\\(%r" 8
    has_loop "$kernels" "store_$isa" "mov[a-z0-9]* %$register[0-9]*,.*\\(%r" 8
    has_loop "$kernels" "(store_nt|stream)_$isa" "movnt[a-z]* %$register[0-9]*,.*\\(%r" 8
    has_loop "$kernels" "copy_(nt|stream)_$isa" "movnt[a-z]* %$register[0-9]*,.*\\(%r" 8
    has_loop "$kernels" "update_$isa" "mov[a-z0-9]* %$register[0-9]*,.*\\(%r" 8
done

for row in sse2:xmm:64 avx2:ymm:64 avx512:zmm:16; do
    isa=${row%%:*}
    register=$(echo "$row" | cut -d: -f2)
    has_loop "$kernels" "load_$isa" "\\(%r[a-z0-9]+\\),%$register" "${row##*:}"
done

# A line is asked for once: four lines of 64 bytes in a step of AVX2, eight in one of AVX-512.
for row in avx2:4 avx512:8; do
    has_loop "$kernels" "store_own_${row%:*}" "prefetchw" "${row#*:}"
    has_loop "$kernels" "copy_own_${row%:*}" "prefetchw" "${row#*:}"
    has_loop "$kernels" "copy_fetch_(nt|stream)_${row%:*}" "prefetcht1" "${row#*:}"
done
for row in aesni_x8:2 vaes256_x8:4 vaes512_x8:8; do
    has_loop "$kernels" "(rp_)?aes128ctr_${row%:*}(_message)?" "prefetcht0" "${row#*:}"
    for way in "(_message)?_nt(_where_aligned)?" "(_message_inplace)?"; do
        has_loop "$kernels" "(rp_)?aes128ctr_${row%:*}$way" "prefetcht1" "${row#*:}"
    done
    has_loop "$kernels" "(rp_)?aes128ctr_${row%:*}(_message)?" "prefetchw" "${row#*:}"
    has_loop "$kernels" "(rp_)?aes128ctr_${row%:*}(_message)?_nt(_where_aligned)?" "prefetcht0" "${row#*:}"
done

# Nine rounds and a last one for each of the chains in flight.
for row in aesni_x1:xmm:1 aesni_x8:xmm:8 vaes256_x8:ymm:8 vaes512_x8:zmm:8; do
    variant=$(echo "$row" | cut -d: -f1)
    register=$(echo "$row" | cut -d: -f2)
    chains=$(echo "$row" | cut -d: -f3)
    for store in "" "_nt(_where_aligned)?"; do
        function="(rp_)?aes128ctr_$variant(_message)?$store"
        has_loop "$kernels" "$function" "aesenc .*%$register" $((9 * chains))
        has_loop "$kernels" "$function" "aesenclast .*%$register" "$chains"
    done
    # The states stay in registers: the main loop writes none of them to the stack.
    if ! loop_counts "$kernels" "(rp_)?aes128ctr_$variant(_message)?" \
        "mov[a-z0-9]* %$register[0-9]*,.*\\(%r[sb]p" "aesenc .*%$register" $((9 * chains)) |
        grep -qx 0; then
        echo "rp_aes128ctr_$variant spills $register registers in a loop"
        failures=$((failures + 1))
    fi
done

# A step of GCM: nine rounds and a last one for each of eight vectors, and four carry-less
# products for each, with two more to reduce them.
for row in aesni:xmm vaes256:ymm vaes512:zmm; do
    for direction in seal open; do
        function="(rp_)?aes128gcm_${direction}_${row%:*}(_steps|_message)?"
        has_loop "$kernels" "$function" "aesenc .*%${row#*:}" 72
        has_loop "$kernels" "$function" "aesenclast .*%${row#*:}" 8
        has_loop "$kernels" "$function" "pclmul.*%${row#*:}" 34
    done
done

# Interleaving: as many rounds as vectors in flight. The states stay in registers as far as
# there are some: of sixteen, two are left for a round key and its like. What is stored above
# %rbp is the destination.
for row in aesni:xmm:14 vaes256:ymm:14 vaes512:zmm:16; do
    width=${row%%:*}
    register=$(echo "$row" | cut -d: -f2)
    most=$(echo "$row" | cut -d: -f3)
    for chains in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        for data in "" _nomem; do
            function="rp_aes128ecb_${width}_x$chains$data"
            has_loop "$kernels" "$function" "aesenc .*%$register" $((9 * chains))
            has_loop "$kernels" "$function" "aesenclast .*%$register" "$chains"
            if [ "$chains" -le "$most" ] && ! loop_counts "$kernels" "$function" \
                "mov[a-z0-9]* %$register[0-9]*,(-0x[0-9a-f]+\\(%rbp|.*\\(%rsp)" \
                "aesenc .*%$register" $((9 * chains)) | grep -qx 0; then
                echo "$function spills $register registers in a loop"
                failures=$((failures + 1))
            fi
        done
    done
done

# Counter-mode caching: seven rounds and a last one, with a last block of 12 or 14 rounds two or
# four more; the state is one load, and nothing is written to the stack.
for row in aesni:xmm vaes256:ymm vaes512:zmm; do
    for key in 128:7 192:9 256:11; do
        variant=${row%:*}
        register=${row#*:}
        middle=${key#*:}
        for store in "" "_nt(_where_aligned)?"; do
            function="(rp_)?aes${key%:*}ctr_${variant}_cached(_message)?$store"
            has_loop "$kernels" "$function" "aesenc .*%$register" $((8 * middle))
            has_loop "$kernels" "$function" "aesenclast .*%$register" 8
            if ! loop_counts "$kernels" "$function" \
                "mov[a-z0-9]* %$register[0-9]*,.*\\(%r[sb]p" "aesenc .*%$register" \
                $((8 * middle)) | grep -qx 0; then
                echo "$function spills $register registers in a loop"
                failures=$((failures + 1))
            fi
        done
    done
done

# Through integer registers: every block is put together and taken apart again.
for row in "aesni_marshalled:1" "aesni_marshalled_x8:8"; do
    function="(rp_)?aes128ctr_${row%:*}(_message)?"
    has_loop "$kernels" "$function" "aesenclast .*%xmm" "${row#*:}"
    has_loop "$kernels" "$function" "v?pextrq .*%xmm" "${row#*:}"
    has_loop "$kernels" "$function" "bswap" "${row#*:}"
done

# So it is in the other modes, where all of it is one function and %rbp may hold a pointer.
for row in cbcdec:dec:aesni_x8:xmm cbcdec:dec:vaes256_x8:ymm cbcdec:dec:vaes512_x8:zmm \
    xts:enc:aesni_x8:xmm xts:enc:vaes256_x8:ymm xts:enc:vaes512_x8:zmm; do
    mode=$(echo "$row" | cut -d: -f1)
    round="aes$(echo "$row" | cut -d: -f2)"
    variant=$(echo "$row" | cut -d: -f3)
    register=${row##*:}
    stores=0 # to the stack: the tweaks only, where there are sixteen registers
    [ "$mode:$register" = xts:xmm ] || [ "$mode:$register" = xts:ymm ] && stores=8
    for suffix in "" _nt; do
        function="rp_aes128${mode}_$variant$suffix"
        has_loop "$kernels" "$function" "$round .*%$register" 72
        has_loop "$kernels" "$function" "${round}last .*%$register" 8
    done
    if ! loop_counts "$kernels" "rp_aes128${mode}_$variant" \
        "mov[a-z0-9]* %$register[0-9]*,.*\\(%rsp" "$round .*%$register" 72 |
        grep -qx "$stores"; then
        echo "rp_aes128${mode}_$variant spills $register registers in a loop"
        failures=$((failures + 1))
    fi
done

for row in aesenc_128:xmm aesenc_256:ymm aesenc_512:zmm; do
    for chains in 1 8 15 16; do
        has_loop "$probes" "${row%:*}_${chains}_single" "aesenc .*%${row#*:}" $((8 * chains))
        has_loop "$probes" "${row%:*}_${chains}_double" "aesenc .*%${row#*:}" $((16 * chains))
    done
done
for row in clmul_128:xmm clmul_256:ymm clmul_512:zmm; do
    for chains in 1 8 15 16; do
        has_loop "$probes" "${row%:*}_${chains}_single" "pclmul.*%${row#*:}" $((8 * chains))
        has_loop "$probes" "${row%:*}_${chains}_double" "pclmul.*%${row#*:}" $((16 * chains))
    done
done
# Four to one, and each register in one chain: in a step it is the destination as often as the
# step is repeated.
for row in 128:xmm 256:ymm 512:zmm; do
    register=${row#*:}
    for groups in 1 2 3; do
        for repeated in single:8 double:16; do
            function="aesenc_clmul_${row%:*}_$((5 * groups))_${repeated%:*}"
            times=${repeated#*:}
            has_loop "$probes" "$function" "aesenc .*%$register" $((4 * groups * times))
            has_loop "$probes" "$function" "pclmul.*%$register" $((groups * times))
            for chain in $(seq 0 $((5 * groups - 1))); do
                kind=aesenc
                [ $((chain % 5)) -ne 4 ] || kind=pclmul
                has_loop "$probes" "$function" "$kind.*,%$register$chain\$" "$times"
            done
        done
    done
done
for row in fma64_128:xmm fma64_256:ymm fma64_512:zmm; do
    for chains in 1 8 15 16; do
        has_loop "$probes" "${row%:*}_${chains}_single" "fmadd231pd .*%${row#*:}" $((8 * chains))
        has_loop "$probes" "${row%:*}_${chains}_double" "fmadd231pd .*%${row#*:}" $((16 * chains))
    done
done

# A step of a kernel of known intensity: 32 operations, each vector of its lines loaded once, and
# the vectors that no operation uses folded. Rows: kernel, instruction, register, vectors a line.
for row in aesenc128:aesenc:xmm:4 aesenc256:aesenc:ymm:2 aesenc512:aesenc:zmm:1 \
    fma128:fmadd231pd:xmm:4 fma256:fmadd231pd:ymm:2 fma512:fmadd231pd:zmm:1; do
    variant=$(echo "$row" | cut -d: -f1)
    instruction=$(echo "$row" | cut -d: -f2)
    register=$(echo "$row" | cut -d: -f3)
    vectors=$(echo "$row" | cut -d: -f4)
    for intensity in 1 2 4 8 16 32; do
        function="${variant}_x$intensity"
        has_loop "$kernels" "$function" "$instruction .*%$register" 32
        has_loop "$kernels" "$function" "\\(%r[a-z0-9]+\\),%$register" $((32 * vectors / intensity))
        folded=0
        [ "$intensity" -ge "$vectors" ] || folded=$((32 * (vectors - intensity) / intensity))
        has_loop "$kernels" "$function" "pxor .*%$register" "$folded"
    done
done

# A loop that a compiler turned into a library call is not the loop that was written.
if awk '
    /^[0-9a-f]+ <.*>:$/ { name = $2 }
    /call/ && /mem(cpy|set|move)/ && name ~ /^<(rp_)?aes128ctr_(aesni|vaes)/ { calls[name]++ }
    END { for (n in calls) if (calls[n] > 2) { print n, calls[n]; bad = 1 } exit !bad }' "$kernels"; then
    failures=$((failures + 1))
fi

[ "$failures" -eq 0 ] && echo "all loops are as their descriptors say"
exit $((failures > 0))
