# SPDX-License-Identifier: MIT
# $series as in bandwidth.gp, in cycles per byte; $bound: working set, fewest cycles per byte.
set logscale x 2
set logscale y 10
set grid noxtics
plot \
    for [i=1:BOUND] $bound using 1:2:(FLOOR) with filledcurves fc rgb RULE \
        fs transparent solid 0.6 noborder title "beyond the bound", \
    for [i=1:BOUND] $bound using 1:2 with lines lw 1.2 lc rgb MUTED title BOUND_TITLE noenhanced, \
    for [i=1:N] $series index i-1 using 1:3:4 with filledcurves \
        fc rgb COLOUR[i] fs transparent solid 0.18 noborder notitle, \
    for [i=1:N] $series index i-1 using 1:2 with lines \
        lw WIDTH[i] dt DASH[i] lc rgb COLOUR[i] title TITLE[i] noenhanced, \
    for [i=1:N*MARKS] $series index i-1 using 1:2 with points \
        pt 7 ps 0.5 lc rgb COLOUR[i] notitle, \
    for [i=1:N] $series index i-1 using 1:($5 > 0 ? $2 : NaN) with points \
        pt 7 ps 0.7 lc rgb PAPER notitle, \
    for [i=1:N] $series index i-1 using 1:($5 > 0 ? $2 : NaN) with points \
        pt 6 ps 0.7 lw 1.4 lc rgb COLOUR[i] notitle
