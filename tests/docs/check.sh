#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Holds the documentation to the tree and to the program. ROOT is the source tree.
#   check.sh pages ROOT             each page says for whom, is in the index, has no dead link
#   check.sh commands ROOT PROGRAM  the commands in `sh` blocks exist
#   check.sh sweeps ROOT PROGRAM    the sweeps in `ini` blocks parse
#   check.sh names ROOT PROGRAM     the reference names every verb, field, key and condition
#   check.sh self-test PROGRAM      breaks each rule in a small tree and expects to be told
# Prints what is wrong; ends with 1 when something is.
#
# Backquotes are Markdown's here, and a file's name may stand beside its use:
# shellcheck disable=SC2016,SC2094
set -u

update_docs=$(cd "$(dirname "$0")/../../scripts" && pwd)/update-docs

pages() {
    find README.md CONTRIBUTING.md CHANGELOG.md docs -name '*.md' 2>/dev/null | sort
}

# The lines of the blocks of a kind in a page, as "PAGE:LINE<tab>text".
blocks() {
    awk -v kind="$1" -v page="$2" '
        /^ *```/ { inside = !inside && $0 ~ ("^ *```" kind "$"); next }
        inside { sub(/^ +/, ""); print page ":" FNR "\t" $0 }' "$2"
}

# Relative links of a page, without the part after "#".
links() {
    grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//; s/#.*//' |
        grep -v -e '^$' -e '^[a-z]*:' | sort -u
}

check_pages() {
    for page in $(pages); do
        folder=$(dirname "$page")
        for link in $(links "$page"); do
            [ -e "$folder/$link" ] || echo "$page: no such file: $link"
        done
        case $page in
        README.md | docs/README.md) continue ;;
        docs/*)
            links docs/README.md | grep -qxF "${page#docs/}" ||
                echo "$page: not in docs/README.md"
            ;;
        esac
        sed -n 3p "$page" | grep -q '^For ' ||
            echo "$page:3: begin with whom the page is for, as in \"For those who ...\""
    done
    lines=$(wc -l <README.md)
    [ "$lines" -lt 150 ] || echo "README.md: $lines lines; keep it under 150"
}

# Says what is unknown about `ridgepoint ARGUMENTS`.
check_arguments() {
    verb=${1-}
    help=$("$program" "$verb" --help 2>/dev/null) || {
        echo "no verb '$verb'"
        return
    }
    for word; do
        case $word in
        --help | --version) ;;
        --*)
            echo "$help" | tr -s ' []' '\n' | grep -qxF -e "${word%%=*}" ||
                echo "$verb has no ${word%%=*}"
            ;;
        esac
    done
}

# Says what is unknown about a command line, of words without quotes.
check_command() {
    while :; do
        case ${1-} in
        *=*) shift ;;
        taskset) shift 3 ;;
        *) break ;;
        esac
    done
    command=${1-}
    [ $# -eq 0 ] || shift
    case $command in
    ridgepoint | */ridgepoint) check_arguments "$@" ;;
    make)
        for target; do
            sed -n 's/^\.PHONY: //p' Makefile | tr ' ' '\n' | grep -qxF -e "$target" ||
                echo "no target '$target'"
        done
        ;;
    cmake | ctest)
        while [ $# -gt 0 ] && [ "$1" != --preset ]; do
            shift
        done
        grep -q "\"name\": \"${2-}\"" CMakePresets.json || echo "no preset '${2-}'"
        ;;
    scripts/*) [ -x "$command" ] || echo "no script $command" ;;
    *) echo "'$command' is no command of ours" ;;
    esac
}

check_commands() {
    for page in $(pages); do
        blocks sh "$page" | while IFS='	' read -r place line; do
            # shellcheck disable=SC2086 # the words of a command
            found=$(check_command $line)
            [ -z "$found" ] || echo "$place: $found: $line"
        done
    done
}

check_sweeps() {
    sweep=$(mktemp -d)
    for page in $(pages); do
        # A block ends where line numbers jump.
        blocks ini "$page" | awk -F '\t' -v folder="$sweep" '
            { split($1, place, ":") }
            place[2] != last + 1 { file = folder "/" place[2] ".sweep" }
            { last = place[2]; print $2 >file }'
        for file in "$sweep"/*.sweep; do
            [ -e "$file" ] || continue
            found=$("$program" sweep --dry-run "$file" 2>&1 >/dev/null) ||
                echo "$page:$(basename "$file" .sweep): $found"
            rm "$file"
        done
    done
    rmdir "$sweep"
}

# names PAGE SOURCE: PAGE must hold each line of stdin, which was found in SOURCE.
names() {
    count=0
    while IFS= read -r name; do
        count=$((count + 1))
        tr '|' ' ' <"$1" | tr -s ' ' | grep -qF -e "$name" || echo "$1: $2 has $name"
    done
    [ "$count" -gt 0 ] || echo "$1: found nothing in $2 to look for; correct tests/docs/check.sh"
}

# The first argument of each use of a macro, as pages quote it: uses FILE MACRO...
uses() {
    file=$1
    shift
    for macro; do
        grep -o "\\<$macro(\"\\{0,1\\}[a-z_]*" "$file" | sed 's/.*[("]//' |
            grep -v -x -e member -e key | sed 's/.*/`&`/'
    done
}

check_names() {
    reference=docs/reference
    "$program" --help | sed -n 's/^  \([a-z]*\) .*/ridgepoint \1 --help/p' |
        names $reference/command-line.md "the program"
    "$program" list probes | sed 's/^\([a-z]*\) .*/## \1/' |
        names $reference/probes.md "the program"
    sed -n 's/^    {"\([a-z_]*\)", \(true\|false\), set_.*/`\1`/p' sweeps/parse.c |
        names $reference/sweep-file.md sweeps/parse.c
    uses core/record.c RECORD TRAFFIC DROPPED | names $reference/run-file.md core/record.c
    sed -n 's/^    {"\([a-z_]*\)", offsetof.*/`\1`/p' core/record.c |
        names $reference/run-file.md core/record.c
    uses core/machine_json.c MACHINE CPU LEVEL CONDITION |
        names $reference/run-file.md core/machine_json.c
    uses core/run_file.c RUN | names $reference/run-file.md core/run_file.c
    grep -o '"[a-z_]\{2,\}"' roofline/model_json.c | grep -v unknown | tr '"' '`' |
        names $reference/model-file.md roofline/model_json.c
    tr -d '\n "' <roofline/report_csv.c | grep -o 'kind,name,[a-z_,]*' | head -n 1 | tr ',' '\n' |
        sed 's/.*/`&`/' | names $reference/report-csv.md roofline/report_csv.c
    tr -d '\n "' <roofline/compare_data.c | grep -o 'job,kernel,[a-z_,]*' | tr ',' '\n' |
        sed 's/.*/`&`/' | names $reference/comparison.md roofline/compare_data.c
    grep -o '"[a-z_]\{2,\}"' roofline/compare_data.c | grep -v -e yes -e no | tr '"' '`' |
        names $reference/comparison.md roofline/compare_data.c
    # Texts of several words outside comments; what is filled in stands as "..." in the page.
    cat core/conditions_*.c |
        sed "s/\\\\\"/'/g; s|/\\*.*\\*/||; s/^ *\\*.*//" | grep -o '"[^"]*"' |
        sed -n '/ .* [^"]/{s/^"//; s/"$//; s/%%/@/g; s/\(%[.0-9]*[a-z]\)\{1,\}/.../g; s/@/%/g; p;}' |
        names $reference/conditions.md 'core/conditions_*.c'
}

# refused CHECK TEXT...: CHECK must complain about the small tree, in words that hold TEXT.
refused() {
    check=$1
    shift
    found=$("check_$check")
    case $found in
    *"$*"*) ;;
    *)
        echo "$check says '$found' and not '$*'"
        failed=1
        ;;
    esac
}

# page NAME [BLOCK-KIND LINE...]: a page with a block, in the index.
page() {
    name=$1
    kind=${2-}
    {
        printf '# A page\n\nFor those who test.\n\n'
        if [ -n "$kind" ]; then
            shift 2
            printf '```%s\n' "$kind"
            printf '%s\n' "$@"
            printf '```\n'
        fi
    } >"docs/$name"
    printf '[a page](%s)\n' "$name" >docs/README.md
}

self_test() {
    failed=0
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    cd "$tree" || exit 1
    mkdir docs
    echo '# Small' >README.md
    echo '.PHONY: all sweep' >Makefile
    echo '"name": "dev"' >CMakePresets.json

    page a.md sh 'make sweep' 'RIDGEPOINT_CPU=avx2 ctest --preset dev -L unit' \
        'taskset --cpu-list 3 build/ridgepoint sweep --dry-run default' \
        'ridgepoint report --csv results/latest'
    [ -z "$(check_pages)$(check_commands)$(check_sweeps)" ] || {
        echo "a right page is refused: $(check_pages)$(check_commands)$(check_sweeps)"
        failed=1
    }
    page a.md sh 'make everything'
    refused commands "docs/a.md:6: no target 'everything'"
    page a.md sh 'cmake --workflow --preset none'
    refused commands "no preset 'none'"
    page a.md sh 'ridgepoint dance'
    refused commands "no verb 'dance'"
    page a.md sh 'ridgepoint sweep --dry default'
    refused commands 'sweep has no --dry'
    page a.md sh 'scripts/nothing'
    refused commands 'no script scripts/nothing'
    page a.md sh 'rm -rf /'
    refused commands 'is no command of ours'

    page a.md ini '[sweep]' 'probes = clock'
    [ -z "$(check_sweeps)" ] || refused sweeps nothing
    page a.md ini '[sweep]' 'probes = clock' 'colour = blue'
    refused sweeps 'docs/a.md:6:'

    page a.md
    echo '[gone](gone.md#there) [web](https://example.org/)' >>docs/a.md
    refused pages 'docs/a.md: no such file: gone.md'
    page a.md
    page b.md
    refused pages 'docs/a.md: not in docs/README.md'
    rm docs/a.md
    echo '# A page for nobody' >docs/b.md
    refused pages 'docs/b.md:3: begin with whom'
    seq 150 >README.md
    refused pages 'keep it under 150'

    mkdir docs/reference scripts
    echo 'one `key`' >docs/reference/a.md
    for word in '`key`' '`other`'; do
        echo "$word"
    done | names docs/reference/a.md a.c | grep -qx 'docs/reference/a.md: a.c has `other`' || {
        echo "names does not miss a name"
        failed=1
    }
    names docs/reference/a.md a.c </dev/null | grep -q 'found nothing' || {
        echo "names takes nothing for an answer"
        failed=1
    }

    cp "$update_docs" scripts/
    printf '%s\n' '<!-- generated: ridgepoint --version -->' 'old' '<!-- end generated -->' \
        >docs/reference/a.md
    scripts/update-docs --check "$program" >found && {
        echo "update-docs takes an old part for new"
        failed=1
    }
    scripts/update-docs "$program" >found
    if ! scripts/update-docs --check "$program" ||
        ! grep -q '^ridgepoint ' docs/reference/a.md; then
        echo "update-docs does not update"
        failed=1
    fi
    sed -i '/end generated/d' docs/reference/a.md
    scripts/update-docs --check "$program" 2>found && {
        echo "update-docs misses that a part has no end"
        failed=1
    }
    return $failed
}

usage() {
    echo "usage: check.sh pages|commands|sweeps|names ROOT [PROGRAM] | self-test PROGRAM" >&2
    exit 2
}

case ${1-} in
self-test)
    program=$(realpath "${2:?}")
    self_test
    ;;
pages | commands | sweeps | names)
    program=${3:+$(realpath "$3")}
    cd "${2:?}" || usage
    found=$("check_$1")
    [ -z "$found" ] || {
        echo "$found"
        exit 1
    }
    ;;
*) usage ;;
esac
