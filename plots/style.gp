# SPDX-License-Identifier: MIT
# One look for every figure. Comes first; KIND, PAPER, INK, MUTED, RULE, HAIR, TINT, PAGE_WIDTH and
# PAGE_HEIGHT are set before. The exit codes are read in gnuplot.c.
if (GPVAL_VERSION < 5.4) { exit status 64 }
if (strstrt(GPVAL_TERMINALS, " svg ") == 0) { exit status 65 }

set encoding utf8
set term svg size PAGE_WIDTH,PAGE_HEIGHT dynamic enhanced font "Liberation Sans,13" \
    name KIND background PAPER rounded
set dashtype 11 (7,4)
set dashtype 12 (1,3)
set border 3 lc rgb MUTED lw 1
set tics nomirror out scale 0.6,0.35 textcolor rgb INK
set grid xtics ytics back lt 1 lc rgb HAIR lw 1
set errorbars small lw 1
set style fill solid 1.0 noborder
unset key
