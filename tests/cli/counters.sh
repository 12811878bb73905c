#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What can be counted here, whatever here is; the groups listed, and installed in a home that is
# made for it.
. "$(dirname "$0")/lib.sh"

HOME=$scratch/home
export HOME
mkdir home
groups=$here/../../probes/groups

expect_error 2 'neither a run nor --install' "$program" counters --install --list
expect_error 2 'neither a run nor --install' "$program" counters --install --json
expect_error 2 '--yes and --replace belong to --install' "$program" counters --yes
expect_error 2 '--yes and --replace belong to --install' "$program" counters --list --replace
expect_error 2 "no groups for 'zen9'; there are for CLX, ICX" \
    "$program" counters --architecture zen9
check 'something was written' test -z "$(ls -A home)"

# Here: either a list, or one sentence. A list is there for the asking.
"$program" counters >stdout 2>stderr
case $? in
0) expect_output '^RP_CORE ' ;;
3) expect_error 3 '' "$program" counters ;;
*) fail 'counters ends neither with 0 nor 3' ;;
esac
if [ ! -e /sys/bus/event_source/devices/cpu ] && [ ! -e /sys/bus/event_source/devices/cpu_core ]
then
    expect_error 3 'performance counters: counting needs|performance counters of this processor' \
        "$program" counters
    expect_exit 0 "$program" counters --list
    expect_output '^counters    none: '
    expect_error 3 'performance counters: counting needs|performance counters of this processor' \
        "$program" counters no-run
fi
expect_exit 0 "$program" counters --list --architecture zen4
expect_output '^groups      zen4$'
expect_output '^RP_MEM  *5\.5\.2  *no  *how many bytes crossed to DRAM'
check 'the list has not every group' \
    test "$(grep -c '^RP_' stdout)" -eq "$(find "$groups/zen4/" -name 'RP_*' | wc -l)"
expect_exit 0 "$program" counters --json --architecture zen4
# Without likwid, with one that is old, and with one that says nothing of itself.
mkdir bin
# likwid SCRIPT: this is likwid-perfctr now.
likwid()
{
    printf '#!/bin/sh\n%s\n' "$1" >bin/likwid-perfctr
    chmod 755 bin/likwid-perfctr
}
expect_exit 0 env PATH="$scratch/bin" "$program" counters --list
expect_output '^likwid      not installed'
likwid 'echo "likwid-perfctr -- Version 5.4.1 (commit: abc)"'
expect_exit 0 env PATH="$scratch/bin:$PATH" "$program" counters --list --with likwid \
    --architecture zen4
expect_output '^likwid      5\.4\.1$'
expect_output '^RP_MEM .*\(not with this likwid\)$'
expect_output '^RP_MEM_RD .* read\?$'
expect_exit 0 env PATH="$scratch/bin:$PATH" "$program" counters --json --architecture zen4
expect_output '^  "likwid": "5\.4\.1",$'
expect_output '^  "architecture": "zen4",$'
likwid 'echo "likwid-perfctr: error while loading shared libraries" >&2; exit 127'
expect_exit 0 env PATH="$scratch/bin:$PATH" "$program" counters --list
expect_output '^likwid      does not tell its release$'

# install OPTION...: of Zen 4.
install()
{
    "$program" counters --install --architecture zen4 "$@"
}
folder=home/.likwid/groups/zen4

# Told, but not done.
expect_exit 2 install
expect_output "/$folder/RP_CORE\.txt  new$"
expect_message 'nothing was written; add --yes to write 12 files'
check 'written without being asked' test ! -e home/.likwid

expect_exit 0 install --yes
expect_output "/$folder/RP_CORE\.txt  new$"
expect_message '^12 files written'
cp -RL "$groups/zen4" expected
check 'what was installed differs' diff -r expected "$folder"
expect_exit 0 "$program" counters --list --architecture zen4
expect_output '^RP_MEM .* yes '

# Once more: nothing to do, nothing to ask.
expect_exit 0 install
check 'something to do' test "$(grep -c '  there already$' stdout)" -eq 12
check 'says that it wrote' test ! -s stderr

# What differs stays, and what is missing is written.
echo mine >>"$folder/RP_CORE.txt"
rm "$folder/RP_FP.txt"
mkfifo "$folder/pipe"
rm "$folder/RP_L2.txt"
mv "$folder/pipe" "$folder/RP_L2.txt"
expect_exit 0 install --yes
expect_output 'RP_CORE\.txt  differs, and stays; see --replace$'
expect_output 'RP_L2\.txt  differs, and stays; see --replace$'
expect_message '^1 file written'
expect_same expected/RP_FP.txt "$folder/RP_FP.txt"
check 'a changed file was replaced' grep -q '^mine$' "$folder/RP_CORE.txt"
expect_exit 0 "$program" counters --list --architecture zen4
expect_output '^RP_CORE .* differs '
expect_exit 2 install --replace
expect_output 'RP_CORE\.txt  replaces one that differs$'
expect_exit 3 install --replace --yes
expect_message 'RP_L2\.txt: it exists and is no file'
rm "$folder/RP_L2.txt"
expect_exit 0 install --replace --yes
check 'what was replaced differs' diff -r expected "$folder"

# At a terminal the answer counts.
# asked ANSWER: installs with a terminal for input.
asked()
{
    echo "$1" | script -qec "'$program' counters --install --architecture ICX; echo code \$?" \
        /dev/null >stdout
}
if command -v script >/dev/null; then
    asked n
    expect_output 'Write 10 files\? \[y/N\]'
    expect_output '^code 1'
    check 'written against the answer' test ! -e home/.likwid/groups/ICX
    asked y
    expect_output '^code 0'
    check 'not written with the answer' test -s home/.likwid/groups/ICX/RP_CORE.txt
fi

# Homes that will not do.
expect_error 2 'HOME names no folder' env -u HOME "$program" counters --install --architecture zen4
expect_error 2 'HOME names no folder' env HOME= "$program" counters --install --architecture zen4
expect_exit 0 env -u HOME "$program" counters --list --architecture zen4
rm -r home
: >home
expect_exit 3 install --yes
expect_message '/home/.likwid/groups/zen4.*Not a directory'
rm home
mkdir -p home/.likwid/groups elsewhere
ln -s "$scratch/nowhere" "$folder"
expect_exit 3 install --yes
expect_message "cannot make the folder .*$folder"
# A link to a folder is followed, and told of.
ln -sfn "$scratch/elsewhere" "$folder"
expect_exit 0 install --yes
expect_output '/elsewhere/RP_CORE\.txt  new$'
check 'not written where the link leads' diff -r expected elsewhere
if [ -w /dev/full ] && command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
    # A disk with room for less than half of them.
    # shellcheck disable=SC2016 # of the inner shell
    expect_exit 3 unshare -m sh -c '
        mount --make-rprivate / && mount -t tmpfs -o size=16k tmpfs "$1" || exit 99
        "$2" counters --install --yes --architecture zen4
        code=$?
        ls -A "$1" >left
        for file in "$1"/*; do cmp "$file" "expected/${file##*/}" || exit 98; done
        exit $code' sh "$scratch/elsewhere" "$program"
    expect_message 'No space left on device; free some space'
    check 'half a file is left' test -z "$(grep -v '^RP_.*\.txt$' left)"
fi
if [ "$(id -u)" -ne 0 ]; then
    rm -r elsewhere/*
    chmod a-w elsewhere
    expect_exit 3 install --yes
    expect_message 'Permission denied'
fi
finish
