#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Holds the #include lines to the order of the layers and each outside library to its place.
#   include_rule.sh ROOT         prints every line that breaks a rule; 1 when there is one
#   include_rule.sh --self-test  breaks every rule in a small tree and expects to be told
set -eu

# Folder: what it may include besides itself, as shell patterns.
layers='
core:
kernels: core/*
probes: core/* kernels/*
sweeps: core/* kernels/* probes/*
pipeline: core/* kernels/*
roofline: core/*
plots: core/* roofline/model.h
cli: core/* kernels/* probes/* sweeps/* pipeline/* roofline/* plots/*
'

# Header: the files that may include it. spawn.h stands for starting programs.
owners='
hwloc.h: core/core_kinds.c core/machine_topology.c core/place.c core/topology.c
hwloc/*: core/core_kinds.c core/machine_topology.c core/place.c core/topology.c
jansson.h: core/* roofline/* cli/* tests/*
ini.h: sweeps/*
openssl/*: kernels/peers/* tests/kernels/*
intel-ipsec-mb.h: kernels/peers/*
gcrypt.h: kernels/peers/*
likwid*.h: tests/likwid/*
liburing.h: pipeline/*
spawn.h: plots/gnuplot.c cli/program.c tests/*
'

folders='core kernels probes sweeps pipeline roofline plots cli tests'

# matches TEXT PATTERN...: true when one of the patterns matches.
matches()
{
    text=$1
    shift
    for pattern; do
        # shellcheck disable=SC2254 # it is a pattern
        case $text in
        $pattern) return 0 ;;
        esac
    done
    return 1
}

# May FILE include HEADER of this project?
layer_allows()
{
    file=$1 header=$2 folder=${1%%/*}

    test "$folder" = tests && return 0
    case $header in
    "$folder"/*) return 0 ;;
    esac
    allowed=$(echo "$layers" | sed -n "s/^$folder://p")
    # shellcheck disable=SC2086 # a list of patterns
    matches "$header" $allowed
}

# May FILE include HEADER from outside?
owner_allows()
{
    file=$1 header=$2

    while IFS=: read -r library users; do
        # shellcheck disable=SC2086 # a list of patterns
        if test -n "$library" && matches "$header" $library && ! matches "$file" $users; then
            return 1
        fi
    done <<LIST
$owners
LIST
}

check()
{
    cd "$1"
    set -f # patterns are for `case`, not for file names
    existing=
    for folder in $folders; do
        test ! -d "$folder" || existing="$existing $folder"
    done
    if test -z "$existing"; then
        echo "$1: no source folder here; give the root of the source tree"
        return
    fi
    # shellcheck disable=SC2086 # a list of folders
    {
        grep -rnE '^[[:space:]]*#[[:space:]]*include' --include='*.[ch]' $existing |
            sed -E 's/^([^:]*:[0-9]+):[^<"]*([<"])([^>"]*).*/\1 \2 \3/' |
            while read -r place kind header; do
                file=${place%%:*}
                if test "$kind" = '"' && ! layer_allows "$file" "$header"; then
                    echo "$place: ${file%%/*} must not include \"$header\""
                elif test "$kind" = '<' && ! owner_allows "$file" "$header"; then
                    echo "$place: <$header> has no place here"
                fi
            done
        # Other ways to start a program.
        grep -rnE '\<(popen|system|exec[lv]p?e?|execvpe|posix_spawnp?)\(' --include='*.c' \
            $existing | grep -vE '^(plots/gnuplot\.c|cli/program\.c|tests/)' |
            sed -E 's/^([^:]*:[0-9]+):.*/\1: programs are started in plots\/gnuplot.c and cli\/program.c/' ||
            true
    }
}

# break_rule FILE LINE: a tree with just this line must be refused with file and line.
break_rule()
{
    rm -rf "$tree"
    mkdir -p "$tree/$(dirname "$1")"
    printf '/* first line */\n%s\n' "$2" >"$tree/$1"
    found=$(check "$tree")
    case $found in
    "$1:2: "*) ;;
    *)
        echo "not refused: $2 in $1"
        failed=1
        ;;
    esac
}

# keep_rule FILE LINE: must pass.
keep_rule()
{
    rm -rf "$tree"
    mkdir -p "$tree/$(dirname "$1")"
    printf '/* first line */\n%s\n' "$2" >"$tree/$1"
    found=$(check "$tree")
    if test -n "$found"; then
        echo "refused: $found"
        failed=1
    fi
}

self_test()
{
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    failed=0
    break_rule core/a.c '#include "kernels/kernel.h"'
    break_rule core/a.h '#include "cli/verb.h"'
    break_rule core/a.c '#include "text.h"'
    break_rule kernels/aes/a.c '#  include "probes/probe.h"'
    break_rule probes/a.c '#include "sweeps/sweep.h"'
    break_rule sweeps/a.c '#include "roofline/model.h"'
    break_rule roofline/a.c '#include "kernels/kernel.h"'
    break_rule plots/a.c '#include "roofline/report.h"'
    break_rule plots/a.c '#include "probes/probe.h"'
    break_rule core/a.c '#include <hwloc.h>'
    break_rule core/system.c '#include <hwloc/linux.h>'
    break_rule kernels/a.c '#include <jansson.h>'
    break_rule cli/a.c '#include <ini.h>'
    break_rule kernels/check.c '#include <openssl/evp.h>'
    break_rule tests/unit/a.c '#include <openssl/evp.h>'
    break_rule kernels/aes/a.c '#include <intel-ipsec-mb.h>'
    break_rule tests/kernels/a.c '#include <gcrypt.h>'
    break_rule probes/a.c '#include <likwid.h>'
    break_rule cli/a.c '#include <spawn.h>'
    break_rule roofline/program.c '#include <spawn.h>'
    break_rule cli/a.c 'int x = system("gnuplot");'
    break_rule roofline/a.c 'file = popen(command, "r");'
    keep_rule core/topology.c '#include <hwloc.h>'
    keep_rule plots/a.c '#include "roofline/model.h"'
    keep_rule plots/gnuplot.c '#include <spawn.h>'
    keep_rule cli/program.c '#include <spawn.h>'
    keep_rule cli/a.c '#include "sweeps/sweep.h"'
    keep_rule kernels/aes/a.c '#include "kernels/kernel.h"'
    keep_rule tests/kernels/a.c '#include <openssl/evp.h>'
    keep_rule kernels/peers/a.c '#include <openssl/evp.h>'
    keep_rule kernels/peers/a.c '#include <intel-ipsec-mb.h>'
    keep_rule kernels/peers/a.c '#include <gcrypt.h>'
    keep_rule tests/likwid/a.c '#include <likwid.h>'
    keep_rule core/a.c 'if (rp_system(1) && file_system(2)) {'
    return $failed
}

case ${1:-} in
--self-test)
    self_test
    ;;
'' | -*)
    echo "usage: include_rule.sh ROOT | --self-test" >&2
    exit 2
    ;;
*)
    found=$(check "$1")
    if test -n "$found"; then
        echo "$found"
        exit 1
    fi
    ;;
esac
