#!/bin/sh
# SPDX-License-Identifier: MIT
#
# scripts/bootstrap on made-up systems: a PATH that holds nothing but stubs. A package manager
# stub writes down how it was called and "installs" by making everything available.
set -u
unset DEBIAN_FRONTEND

bootstrap=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin=$work/bin
failures=0

stub() { # name, body
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

programs='cc gcc clang ninja gnuplot objdump xmllint likwid-perfctr'

# A system with everything but a package manager, and its log.
system() {
    rm -rf "$bin"
    mkdir "$bin"
    : >"$work/log"
    : >"$work/absent_libraries"
    for tool in sed env sh grep; do
        ln -s "$(command -v "$tool")" "$bin/$tool"
    done
    for program in $programs; do
        stub "$program" 'exit 0'
    done
    stub cmake 'echo "cmake version 3.25.1"'
    stub pkg-config "! grep -qx \"\${2%% *}\" $work/absent_libraries"
    user 0
}

user() { stub id "echo $1"; }

# A package manager that succeeds and brings every library.
manager() {
    stub "$1" "echo \"\${DEBIAN_FRONTEND:+frontend=\$DEBIAN_FRONTEND }$1 \$*\" >>$work/log
: >$work/absent_libraries"
}

lacks_library() { echo "$1" >>"$work/absent_libraries"; }

run() {
    PATH=$bin "$bootstrap" "$@" >"$work/stdout" 2>"$work/stderr"
    status=$?
}

fail() {
    failures=$((failures + 1))
    printf 'FAILED %s: %s\n' "$name" "$*"
    sed 's/^/    /' "$work/stderr" "$work/log"
}

ends_with() { [ "$status" = "$1" ] || fail "exit code $status instead of $1"; }
says() { grep -qF -e "$1" "$work/stderr" || fail "does not say: $1"; }
called() { grep -qxF -e "$1" "$work/log" || fail "was not called: $1"; }
called_nothing() { [ ! -s "$work/log" ] || fail "called something"; }
says_nothing() { [ -z "$(cat "$work/stdout" "$work/stderr")" ] || fail "said something"; }

name='all is there'
system
manager apt-get
run
ends_with 0
says_nothing
called_nothing

name='all is there for the tests'
system
manager apt-get
run test
ends_with 0
says_nothing

name='root on Debian'
system
manager apt-get
lacks_library hwloc
lacks_library inih
run
ends_with 0
says 'hwloc >= 2.7: tells caches and cores'
says 'inih: reads sweep files'
called 'frontend=noninteractive apt-get update'
called 'frontend=noninteractive apt-get install -y --no-install-recommends libhwloc-dev libinih-dev'
[ "$(sed -n 1p "$work/log")" = 'frontend=noninteractive apt-get update' ] || fail 'update comes first'

name='root on Fedora'
system
manager dnf
lacks_library hwloc
run
ends_with 0
called 'dnf install -y pkgconfig(hwloc)'

name='root on openSUSE'
system
manager zypper
lacks_library jansson
run
ends_with 0
called 'zypper --non-interactive install pkgconfig(jansson)'

name='root on Arch'
system
manager pacman
lacks_library inih
run
ends_with 0
called 'pacman -Sy --needed --noconfirm libinih'

name='sudo without a password'
system
user 1000
manager apt-get
# Run as it is: the stub stands for a sudo that asks nothing.
stub sudo "[ \"\$1\" = -n ] || { echo sudo >>$work/log; exec \"\$@\"; }"
lacks_library jansson
run
ends_with 0
called sudo
called 'frontend=noninteractive apt-get install -y --no-install-recommends libjansson-dev'

name='sudo that would ask'
system
user 1000
manager dnf
stub sudo 'exit 1'
lacks_library hwloc
run
ends_with 3
says "sudo dnf install -y 'pkgconfig(hwloc)'"
called_nothing

name='neither root nor sudo'
system
user 1000
manager apt-get
lacks_library jansson
run
ends_with 3
says 'To install them, run this'
called_nothing

name='the package manager fails'
system
stub apt-get 'exit 100'
lacks_library jansson
run
ends_with 3
says 'apt-get could not install them'
says 'Check the network'

name='unknown distribution'
system
lacks_library jansson
rm "$bin/gnuplot"
run
ends_with 3
says 'jansson: reads and writes run files'
says 'gnuplot: draws the figures'
says 'None of apt-get, dnf, zypper and pacman was found'

name='cmake too old, and nothing newer to be had'
system
manager apt-get
stub cmake 'echo "cmake version 3.22.1"'
run
ends_with 3
called 'frontend=noninteractive apt-get install -y --no-install-recommends cmake'
says 'Still missing'
says 'cmake >= 3.25'

name='cmake of a later major version'
system
stub cmake 'echo "cmake version 4.0.3-rc1"'
run
ends_with 0

name='a compiler that cannot compile'
system
manager apt-get
stub cc 'exit 1'
run
says 'a C compiler: builds everything'
called 'frontend=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev'

name='no pkg-config'
system
manager apt-get
rm "$bin/pkg-config"
run
says 'pkg-config: finds the libraries'
says 'jansson: reads and writes run files'

name='only the tests need cmocka'
system
manager apt-get
lacks_library cmocka
run
ends_with 0
says_nothing
run test
ends_with 0
says 'cmocka: unit tests'

name='the tests need a clang that cannot be had'
system
manager apt-get
rm "$bin/clang"
run test
ends_with 3
says 'clang: the second of two compilers under test'

name='without what the tests can do without'
system
user 1000
manager apt-get
rm "$bin/likwid-perfctr"
run
ends_with 0
says_nothing
run test
ends_with 0
says 'likwid: has its say on the counter groups'
says 'sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends likwid'
called_nothing
user 0
run test
ends_with 0
called 'frontend=noninteractive apt-get install -y --no-install-recommends likwid'

name='what the tests can do without cannot be had'
system
stub apt-get 'exit 100'
rm "$bin/likwid-perfctr"
run test
ends_with 0
says 'going on without'
system
manager pacman
rm "$bin/likwid-perfctr"
run test
ends_with 0
says 'only some tests are skipped'
called_nothing
system
rm "$bin/likwid-perfctr"
run test
ends_with 0

name='needed and wished for together'
system
manager apt-get
rm "$bin/likwid-perfctr"
lacks_library cmocka
run test
ends_with 0
called 'frontend=noninteractive apt-get install -y --no-install-recommends libcmocka-dev'
called 'frontend=noninteractive apt-get install -y --no-install-recommends likwid'

name='a word it does not know'
system
run everything
ends_with 2
says 'usage: scripts/bootstrap [test]'

[ "$failures" = 0 ] && echo "bootstrap: all passed"
exit "$((failures > 0))"
