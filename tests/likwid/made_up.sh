# SPDX-License-Identifier: MIT
#
# A made-up processor for the tests that let likwid itself count: likwid takes this machine for
# another one, and access_daemon.c stands in for its access daemon. A test sets $root and $daemon,
# reads this file, and is then in an empty folder that goes away with it, where likwid finds our
# groups. It ends with 77 and a reason where this cannot be done.
# shellcheck shell=sh
set -u
export LC_ALL=C

# shellcheck disable=SC2154 # set by the test
groups=$root/probes/groups

# Architecture: what likwid takes it for: family, model, stepping, Intel, counters per thread,
# fixed counters, version of the counters, uncore.
processors='
zen2 23 49 0 0 6 1 0 0
zen3 25 1 1 0 6 1 0 0
zen4 25 17 1 0 6 1 0 1
zen4c 25 160 1 0 6 1 0 0
zen5 26 2 1 0 6 1 0 0
skylakeX 6 85 4 1 8 4 3 1
CLX 6 85 7 1 8 4 3 1
ICX 6 106 6 1 8 4 5 1
SPR 6 143 2 1 8 4 5 1
'

skip() {
    echo "skipped: $*"
    exit 77
}

# on_processor FILE COMMAND...: runs it where /etc holds this description of the processor; all
# else there stays.
on_processor() {
    # shellcheck disable=SC2016,SC2086 # variables of the inner shell; words
    $enter sh -c '
        mount --make-rprivate / && mkdir "$WORK/$$" && mount --bind /etc "$WORK/$$" &&
            mount -t tmpfs tmpfs /etc && ln -s "$WORK/$$"/* /etc/ || exit 99
        rm -f /etc/likwid*.cfg
        cp "$1" /etc/likwid_topo.cfg
        shift
        exec "$@"' sh "$@"
}

# Writes likwid's description of this machine as if it had another processor, into
# ARCHITECTURE.cfg.
describe() { # architecture
    # shellcheck disable=SC2046 # words
    set -- $(echo "$processors" | grep "^$1 ")
    sed -e "s/^\(cpuid_info family\) =.*/\1 = $2/" -e "s/^\(cpuid_info model\) =.*/\1 = $3/" \
        -e "s/^\(cpuid_info stepping\) =.*/\1 = $4/" -e "s/^\(cpuid_info isIntel\) =.*/\1 = $5/" \
        -e "s/^\(cpuid_info perf_num_ctr\) =.*/\1 = $6/" \
        -e "s/^\(cpuid_info perf_num_fixed_ctr\) =.*/\1 = $7/" \
        -e "s/^\(cpuid_info perf_version\) =.*/\1 = $8/" \
        -e "s/^\(cpuid_info supportUncore\) =.*/\1 = $9/" \
        -e "s/^\(cpuid_info perf_width_ctr\) =.*/\1 = 48/" here.cfg >"$1.cfg"
}

for tool in likwid-perfctr likwid-genTopoCfg timeout unshare; do
    command -v "$tool" >/dev/null || skip "there is no $tool here"
done
version=$(timeout 10 likwid-perfctr -v | sed -n 's/.*[Vv]ersion \([0-9.]*\).*/\1/p')
[ -n "$version" ] || skip "likwid-perfctr does not say its version"
WORK=$(mktemp -d)
work=$WORK
export WORK
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
for enter in 'unshare -m' 'unshare -rm' ''; do
    [ -n "$enter" ] || skip "no mount namespace of one's own is allowed here"
    # shellcheck disable=SC2086 # words
    ! timeout 10 $enter sh -c "mount -t tmpfs tmpfs $work" 2>/dev/null || break
done
timeout 10 likwid-genTopoCfg -o here.cfg >topology.out 2>&1 ||
    skip "likwid-genTopoCfg cannot describe this machine: $(tail -n 1 topology.out)"

mkdir -p home/.likwid bin
ln -s "$groups" home/.likwid/groups
# shellcheck disable=SC2154 # set by the test
ln -s "$daemon" bin/likwid-accessD
HOME=$work/home
PATH=$work/bin:$PATH
export HOME PATH
unset LIKWID_FORCE
