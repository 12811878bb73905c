#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the kernels with clang's MemorySanitizer, optimised as usual, and runs all of them
# that this CPU has, VAES and AVX-512 among them. Clang is known to follow secrets through
# VAES from version 19 on; version 14 does not.
# Arguments: the project's folder, a folder to build in
set -u

least=19
source=$1
build=$2

version_of() { "$1" -dumpversion 2>/dev/null | sed 's/\..*//'; }

compiler=
for candidate in clang-22 clang-21 clang-20 clang-19 clang; do
    version=$(version_of "$candidate")
    if [ "${version:-0}" -ge "$least" ]; then
        compiler=$candidate
        break
    fi
done
if [ -z "$compiler" ]; then
    echo "skipped: there is no clang >= $least (packages clang-19 libclang-rt-19-dev)"
    exit 77
fi

mkdir -p "$build"
log=$build/log
trap 'rm -f "$build/probe"' EXIT
if ! echo 'int main(void) { return 0; }' |
    "$compiler" -fsanitize=memory -x c - -o "$build/probe" 2>"$log"; then
    echo "skipped: $compiler has no MemorySanitizer (package libclang-rt-$version-dev)"
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
