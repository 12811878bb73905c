#!/bin/sh
# SPDX-License-Identifier: MIT
#
# --help of the program and of every verb, against a table of what each verb takes; --version.
. "$(dirname "$0")/lib.sh"

# Verb: its options; one that takes a value ends in "=".
table='
machine: capture= json replay=
list: json markdown
check: seed= roofs
probe: point-budget= data= json csv
sweep: resume= results= seed= budget= only= dry-run no-report
model: json
plot: output=
report: csv markdown
compare: threshold= all csv json
counters: list install yes replace groups= kernels= force with= architecture= json
import: region= group= calls= stderr= json
'

expect_exit 0 "$program" --version
check 'not the version of the project' test "$(cat stdout)" = "ridgepoint $VERSION"
check 'the version is empty' test -n "$VERSION"

expect_exit 0 "$program" help
mv stdout help
expect_exit 0 "$program" --help
expect_same stdout help
check 'help on stderr' test ! -s stderr
expect_output '0 done, 1 the answer is no, 2 wrong usage or input, 3 this machine cannot'
sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' help | sort >listed
echo "$table" | sed -n 's/:.*//p' | sort >expected
expect_same listed expected

while IFS=': ' read -r verb options; do
    [ -n "$verb" ] || continue
    expect_exit 0 "$program" "$verb" --help
    expect_output "^usage: ridgepoint $verb"
    check "help on stderr: $verb" test ! -s stderr
    grep -o -e '--[a-z-]*' stdout | sort -u >in_help
    for option in $options; do
        echo "--${option%=}"
    done | sort >accepted
    check "the help of $verb names other options than it takes" cmp in_help accepted

    for option in $options; do
        flag=--${option%=}
        value=${option#"${option%=}"}
        expect_error 2 "option '--nosuch' is unknown" \
            "$program" "$verb" "$flag${value:+=1}" --nosuch
        if [ -n "$value" ]; then
            expect_error 2 "option '$flag' needs a value" "$program" "$verb" "$flag"
        fi
    done
    expect_exit 0 "$program" "$verb" --nosuch x --help # asking is never wrong
done <<EOF
$table
EOF
finish
