#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Holds every counter group to the rules of lint.awk; needs no likwid.
#   lint.sh ROOT              says what is wrong in probes/groups, and ends with 1 when something is
#   lint.sh ROOT --self-test  breaks each rule in a copy and expects to be told
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "${1:?the root of the source tree}" && pwd) || exit 1

# lint FOLDER: the rules of one file, then those between files.
lint() {
    (
        cd "$1" || exit 1
        find . -xtype l | sed 's/$/: leads nowhere/'
        find . -type f -name '*.txt' -exec cksum {} + | sort |
            awk '$1 == sum { print $3 ": is the same as " other "; make it a link" }
                 { sum = $1; other = $3 }'
        awk -f "$here/lint.awk" "$here/events.txt" ./*/*.txt
    )
}

# breaks EXPECTED FILE SED-SCRIPT: the change must be told of in these words.
breaks() {
    cp "$2" kept
    sed -i "$3" "$2"
    found=$(lint groups)
    case $found in
    *"$1"*) ;;
    *)
        echo "$2, $3: says '$found' and not '$1'"
        failed=1
        ;;
    esac
    cp kept "$2"
}

# shellcheck disable=SC2016 # sed's $
self_test() {
    failed=0
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work" || exit 1
    mkdir groups
    for architecture in zen2 zen3 ICX SPR; do
        cp -R "$root/probes/groups/$architecture" groups/ || exit 1
    done
    zen=groups/zen3/RP_STORE.txt
    zen2=groups/zen2/RP_FP.txt
    intel=groups/ICX/RP_STORE.txt

    tab=$(printf '\t')
    breaks 'begins with SHORT' $zen '1s/SHORT/Short/'
    breaks 'more than 80 characters' $zen "1s/\$/$(printf '%090d' 0)/"
    breaks 'METRICS has to follow EVENTSET' $zen '/^EVENTSET/d'
    breaks 'likwid drops this' $zen 's/^PMC5 .*/\n&/'
    breaks 'no tabs' $zen "s/^PMC5 /PMC5$tab/"
    breaks 'blanks at the end' $zen '/^PMC5/s/$/ /'
    breaks 'COUNTER[:OPTION=0x...] EVENT' $zen 's/^PMC5 /pmc5 /'
    breaks 'PMC4 is there twice' $zen 's/^PMC5 /PMC4 /'
    breaks 'LS_DISPATCH_STORES is there twice' $zen 's/^PMC4 .*/PMC4 LS_DISPATCH_STORES/'
    breaks 'no NO_SUCH_EVENT of zen3' $zen 's/^PMC4 .*/PMC4 NO_SUCH_EVENT/'
    breaks 'may be on PMC only' $zen 's/^PMC5 /CPMC0 /'
    breaks 'PMC5 is in no formula' $zen '/^Stores per cycle/d; s|PMC4/PMC5|PMC4|'
    breaks 'no counter PMC6' $zen 's|PMC5/PMC1|PMC6/PMC1|'
    breaks 'no counter PMC3' $intel 's/(PMC3:MATCH0=0x800:MATCH1=0x1)/(PMC3)/'
    breaks 'parentheses do not match' $zen 's/(PMC2)/(PMC2/'
    breaks 'formula not understood at ,' $zen 's|PMC5/PMC1|PMC5,PMC1|'
    breaks 'a formula without blanks' $zen 's/^Stores per cycle.*/stores/'
    breaks 'has no , ; or |' $zen 's/^Stores per/Stores, per/'
    breaks 'metric Stores per cycle is there twice' $zen 's/^Stores per cycle.*/&\n&/'
    breaks 'ends in its [unit]' $zen 's/^Stores per cycle/Stores/'
    breaks 'no cycles and instructions' $zen '/^Cycles per instruction/d'
    breaks 'MERGE belongs' $zen2 's/^PMC3 MERGE/PMC5 MERGE/'
    breaks 'no LONG behind' $zen '/^LONG/,$d'
    breaks 'LONG has the parts' $zen '/^Blind to:/d'
    breaks 'Tested: begins with' $zen 's/^Never run/Perhaps run/'
    breaks 'begin of a section' $zen 's/^Never run/METRICS run/'
    breaks 'more than 90 characters' $zen "\$s/\$/$(printf '%090d' 0)/"
    breaks 'does not name LS_DISPATCH_STORES' $zen '/^Formulas/,$s/LS_DISPATCH_STORES/stores/'
    breaks 'Likwid: says 5.3.0' $zen 's/^zen3 5.2.2/zen3 5.3.0/'
    breaks 'Likwid: has no line for zen3' $zen 's/^zen3 5.2.2/zen4c 5.4.0/'
    breaks 'Likwid: names CLX, which has no RP_FP' $zen2 's/^zen2 5.2.2/&\nCLX 5.2.2/'
    breaks 'ARCHITECTURE VERSION' $zen 's/^zen3 5.2.2/zen3: 5.2.2/'
    cp $zen groups/zen3/RP_BAD-NAME.txt
    breaks 'capitals, digits or _' $zen ''
    breaks 'make it a link' $zen ''
    mv groups/zen3/RP_BAD-NAME.txt groups/zen3/RP_OTHER.txt
    ln -s nowhere.txt groups/zen3/RP_LOST.txt
    breaks 'RP_LOST.txt: leads nowhere' $zen '' 2>errors
    rm groups/zen3/RP_LOST.txt
    mkdir groups/zen9
    mv groups/zen3/RP_OTHER.txt groups/zen9/
    breaks 'knows no event of zen9' $zen ''
    rm -r groups/zen9 groups/SPR/RP_VINT.txt
    breaks 'no group counts INT_VEC_RETIRED_ADD_256 of SPR' $zen ''
    return $failed
}

case ${2-} in
'')
    found=$(lint "$root/probes/groups")
    [ -z "$found" ] || {
        echo "$found"
        exit 1
    }
    ;;
--self-test) self_test ;;
*)
    echo "usage: lint.sh ROOT [--self-test]" >&2
    exit 2
    ;;
esac
