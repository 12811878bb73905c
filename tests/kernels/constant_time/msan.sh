#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the kernels with clang's MemorySanitizer, optimised as usual, and runs all of them
# that this CPU has, VAES and AVX-512 among them. A clang that loses sight of a secret in
# some instruction fails the test.
# Arguments: the project's folder, a folder to build in
set -u

source=$1
build=$2
log=$build/log
mkdir -p "$build"

has_sanitizer() {
    echo 'int main(void) { return 0; }' |
        "$1" -fsanitize=memory -x c - -o "$build/probe" 2>/dev/null
}

compiler=
for candidate in clang clang-19; do
    if has_sanitizer "$candidate"; then
        compiler=$candidate
        break
    fi
done
if [ -z "$compiler" ]; then
    echo "skipped: no clang has MemorySanitizer (packages clang libclang-rt-dev)"
    exit 77
fi

if ! { cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS=-fsanitize=memory &&
    cmake --build "$build" --target constant_time; } >"$log" 2>&1; then
    echo "the build with $compiler failed:"
    tail -40 "$log"
    exit 1
fi

"$build/tests/kernels/constant_time/constant_time" 2>"$log"
status=$?
if [ "$status" -ne 0 ]; then
    echo "what MemorySanitizer saw, of which the kernels that leak are to be expected:"
    head -200 "$log"
fi
exit "$status"
