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

programs='cc gcc clang ninja gnuplot objdump valgrind xmllint likwid-perfctr'

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

name='only the tests need clang'
system
manager apt-get
rm "$bin/clang"
run
ends_with 0
says_nothing
run test
says 'clang: the second of two compilers under test'

# A compiler that finds no header of intel-ipsec-mb.
lacks_ipsec_mb() { stub cc 'grep -q intel-ipsec-mb && exit 1; exit 0'; }

name='an optional library, which the distribution has'
system
manager apt-get
stub apt-cache 'exit 0'
lacks_ipsec_mb
lacks_library libgcrypt
run
ends_with 0
says 'intel-ipsec-mb: measured beside the kernels'
called 'frontend=noninteractive apt-get install -y --no-install-recommends libipsec-mb-dev libgcrypt20-dev'

name='an optional library, which the distribution lacks'
system
manager apt-get
stub apt-cache 'exit 100'
lacks_ipsec_mb
run
ends_with 0
says_nothing
called_nothing

name='what is optional for the tests only'
system
rm "$bin/likwid-perfctr"
manager apt-get
stub apt-cache 'exit 0'
run
ends_with 0
called_nothing
run test
ends_with 0
says 'likwid: has its say on the counter groups'
called 'frontend=noninteractive apt-get install -y --no-install-recommends likwid'

name='one optional library of two, beside one that is needed'
system
manager apt-get
stub apt-cache '[ "$2" != libipsec-mb-dev ]'
lacks_ipsec_mb
lacks_library jansson
run
ends_with 0
called 'frontend=noninteractive apt-get install -y --no-install-recommends libjansson-dev'
! grep -q ipsec "$work/log" || fail 'asked for what there is not'

name='an optional library on Fedora, openSUSE and Arch'
system
stub dnf "case \$* in *repoquery*) echo found ;; *) echo dnf \$* >>$work/log ;; esac"
lacks_ipsec_mb
run
ends_with 0
called 'dnf install -y intel-ipsec-mb-devel'
system
stub zypper "case \$* in *search*) exit 104 ;; *) echo zypper \$* >>$work/log ;; esac"
lacks_ipsec_mb
run
ends_with 0
says_nothing
called_nothing
system
stub pacman "case \$* in -Si*) exit 0 ;; *) echo pacman \$* >>$work/log ;; esac"
lacks_library libgcrypt
run
ends_with 0
called 'pacman -Sy --needed --noconfirm libgcrypt'

name='an optional library that cannot be installed'
system
stub apt-get 'exit 100'
stub apt-cache 'exit 0'
lacks_ipsec_mb
run
ends_with 0
says 'this goes on without'

name='an optional library, and neither root nor sudo'
system
user 1000
manager apt-get
stub apt-cache 'exit 0'
lacks_ipsec_mb
run
ends_with 0
says 'sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libipsec-mb-dev'
called_nothing

name='an optional library, and no package manager'
system
lacks_ipsec_mb
run
ends_with 0
says_nothing

name='a word it does not know'
system
run everything
ends_with 2
says 'usage: scripts/bootstrap [test]'

[ "$failures" = 0 ] && echo "bootstrap: all passed"
exit "$((failures > 0))"
