#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The machine, captured and shown again.
. "$(dirname "$0")/lib.sh"

expect_exit 0 "$program" machine --capture here
expect_output '^here$'
check 'there is no machine.json' test -s here/machine.json
expect_exit 0 "$program" machine --replay here --json
expect_same stdout here/machine.json
expect_exit 0 "$program" machine --replay here
expect_output '^processor   '
expect_output '^clocks      time stamp counter [0-9.]+ GHz$'

# What stands in the way is kept.
cp here/machine.json kept
expect_error 2 'here exists and is no empty folder' "$program" machine --capture here
expect_same here/machine.json kept
expect_error 3 'cannot make the folder no/such' "$program" machine --capture no/such
expect_error 2 '--capture stands alone' "$program" machine --capture new --replay here
expect_error 2 '--capture stands alone' "$program" machine --capture new --json
check 'new was made' test ! -e new
expect_error 2 'nowhere/manifest.json' "$program" machine --replay nowhere

# A machine that is not this one: hybrid, and without caches.
HWLOC_XMLFILE=$here/../machines/hybrid.xml
export HWLOC_XMLFILE
expect_exit 0 "$program" machine --capture hybrid
unset HWLOC_XMLFILE
expect_exit 0 "$program" machine --replay hybrid
expect_output '^kind        performance: 8 cores, measuring on CPU 14$'
expect_output '^L1          48 KiB, 64-byte lines, 12 ways, shared by 1 core$'
expect_output '^kind        efficiency: 8 cores, measuring on CPU 23$'
expect_output '^L2          2 MiB, 64-byte lines, 16 ways, shared by 4 cores$'
expect_output '^note        the cores are of 2 kinds: 8 performance, 8 efficiency; '
finish
