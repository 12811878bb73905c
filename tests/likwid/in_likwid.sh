#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Lets likwid-perfctr itself set up, count and evaluate every group of each architecture that it
# knows: on a made-up processor, with access_daemon.c in place of its access daemon. What it counts
# is made up; that it takes every event on its counter and every formula is not.
#   in_likwid.sh ROOT DAEMON              a group with a warning or without a value ends with 1
#   in_likwid.sh ROOT DAEMON --self-test  groups that are wrong must be refused
# Ends with 77 and a reason where this cannot be done. (Exit code 0 of likwid-perfctr says nothing:
# it warns, and prints "-" for what it could not do.)
root=$(cd "${1:?the root of the source tree}" && pwd) || exit 1
daemon=$(realpath "${2:?the stand-in for the access daemon}") || exit 1
. "$root/tests/likwid/made_up.sh"

# The groups of an architecture that this likwid has all events of. Not those that count at the
# memory controllers of AMD: likwid looks for them in the real processor.
known_groups() {
    awk -v architecture="$1" -v version="$version" '
        function number(text,    part) {
            split(text, part, ".")
            return part[1] * 10000 + part[2] * 100 + part[3]
        }
        function finish() {
            if (fits && !real_only) print name
        }
        FNR == 1 {
            finish()
            name = FILENAME
            gsub(/.*\/|\.txt$/, "", name)
            fits = real_only = 0
        }
        /^UMC/ { real_only = 1 }
        $1 == architecture && $2 ~ /^[0-9]+\.[0-9]/ {
            fits = number(version) >= number($2)
            if ($3 == "until" && number(version) > number($4)) fits = 0
        }
        END { finish() }' "$groups/$1"/*.txt
}

# Says what is wrong in likwid's CSV: a value "-", or a group that is not there as it should.
# Ends with 3 when all that is wrong is that a group never had its turn.
read_csv() { # csv group...
    awk -F, -v wanted="$*" '
        BEGIN { count = split(wanted, group, " ") }
        $1 == "TABLE" {
            table = $2
            name = $3
            sub(/^Group [0-9]+ /, "", table)
            tables[name, table] = 1
            next
        }
        # likwid 5.5 knows no clock in some virtual machines, and then has no runtime either.
        $1 == "CPU clock:" { clock = $2 + 0 }
        table == "Raw" && $1 != "Event" && NF > 2 {
            if ($3 == "-" || $3 == "nan") print name ": no value for " $1 " on " $2
            ran[name] = ran[name] || $3 > 0
        }
        table == "Metric" && $1 != "Metric" && ran[name] && clock && $2 ~ /^(-|-?nan|-?inf)$/ {
            print name ": no value for " $1
        }
        $1 == "STRUCT" { table = "" }
        END {
            for (i = 2; i <= count; i++)
                if (!((group[i], "Raw") in tables) || !((group[i], "Metric") in tables))
                    print group[i] ": not in the output"
                else if (!ran[group[i]]) waiting = 1
            if (waiting) exit 3
        }' "$1"
}

# Runs groups of an architecture in turns of 50 ms; prints what is wrong with them. On a busy
# machine a group may miss its turn, so there are three tries, each longer.
try_groups() { # architecture group...
    architecture=$1
    shift
    arguments=
    for group; do
        arguments="$arguments -g $group"
    done
    for turns in 1 3 9; do
        csv=$architecture-$turns.csv
        seconds=$(awk "BEGIN { print 0.2 + ($# + 1) * 0.05 * $turns }")
        # shellcheck disable=SC2086 # words
        on_processor "$work/$architecture.cfg" timeout 30 likwid-perfctr -C 0 -T 50ms \
            $arguments -o "$csv" sleep "$seconds" >"$architecture.out" 2>&1
        status=$?
        [ $status -eq 0 ] || echo "likwid-perfctr ends with $status"
        grep -E 'WARN|ERROR|Cannot|cannot' "$architecture.out"
        [ -e "$csv" ] || {
            echo "no output"
            return
        }
        read_csv "$csv" "$@"
        [ $? -eq 3 ] || return
    done
    echo "a group had no turn in $seconds s"
}

# Every group of an architecture must be clean.
check_architecture() {
    groups_here=$(known_groups "$1")
    # shellcheck disable=SC2086 # words
    found=$(try_groups "$1" $groups_here)
    # shellcheck disable=SC2086
    set -- "$1" $groups_here
    others=
    for file in "$groups/$1"/*.txt; do
        name=$(basename "$file" .txt)
        echo "$groups_here" | grep -qx "$name" || others="$others $name"
    done
    if [ -z "$found" ]; then
        echo "$1: $(($# - 1)) groups are clean${others:+; not for likwid $version here:$others}"
    else
        echo "$1: $found" | tee -a failures
    fi
}

check_all() {
    echo "$processors" >processors
    while read -r architecture _; do
        [ -n "$architecture" ] || continue
        if [ -z "$(known_groups "$architecture")" ]; then
            echo "$architecture: likwid $version does not know it"
            continue
        fi
        describe "$architecture"
        # Each waits for most of its time.
        check_architecture "$architecture" &
    done <processors
    wait
    [ ! -e failures ]
}

# breaks EXPECTED SED-SCRIPT: makes one more group of Zen 3 that likwid must refuse.
breaks() {
    count=$((count + 1))
    sed "$2" "$root/probes/groups/zen3/RP_STORE.txt" >"home/.likwid/groups/zen3/RP_BAD$count.txt"
    printf '%s\n' "$1" >>expected
}

self_test() {
    rm home/.likwid/groups
    mkdir -p home/.likwid/groups/zen3
    describe zen3
    count=0
    breaks 'Event NO_SUCH_EVENT not found' 's/^PMC5 .*/PMC5 NO_SUCH_EVENT/'
    breaks 'Counter PMC9 not defined' 's/^PMC5 /PMC9 /'
    breaks 'not allowed for event LS_DISPATCH_STORES' 's/^PMC5 /CPMC0 /'
    breaks 'RP_BAD4: no value for Stores per cycle' 's|PMC5/PMC1|PMC5/(PMC1-PMC1)|'
    breaks 'Counter PMC4 already used' 's/^PMC5 /PMC4 /'
    found=$(try_groups zen3 RP_BAD1 RP_BAD2 RP_BAD3 RP_BAD4 RP_BAD5)
    missed=$(while read -r text; do
        case $found in
        *"$text"*) ;;
        *) echo "not told: $text" ;;
        esac
    done <expected)
    [ -z "$missed" ] || {
        echo "$missed"
        echo "only: $found"
        return 1
    }
}

if [ "${3-}" = --self-test ]; then
    self_test
else
    check_all
fi
