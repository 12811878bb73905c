# SPDX-License-Identifier: MIT
# $series: chains, median, lower and upper quartile, 1 when disturbed. Curves that coincide stay
# visible because each is narrower than the one before. $ideal: latency divided by chains.
set logscale xy 2
plot \
    for [i=1:IDEAL] $ideal index i-1 using 1:2 with lines \
        lw 1 dt 11 lc rgb MUTED title "latency divided by chains", \
    for [i=1:N] $series index i-1 using 1:3:4 with filledcurves \
        fc rgb COLOUR[i] fs transparent solid 0.18 noborder notitle, \
    for [i=1:N] $series index i-1 using 1:2 with lines \
        lw WIDTH[i] dt DASH[i] lc rgb COLOUR[i] title TITLE[i] noenhanced, \
    for [i=1:N] $series index i-1 using 1:($5 > 0 ? NaN : $2) with points \
        pt 7 ps 0.4 + 0.12*WIDTH[i] lc rgb COLOUR[i] notitle, \
    for [i=1:N] $series index i-1 using 1:($5 > 0 ? $2 : NaN) with points \
        pt 7 ps 0.4 + 0.12*WIDTH[i] lc rgb PAPER notitle, \
    for [i=1:N] $series index i-1 using 1:($5 > 0 ? $2 : NaN) with points \
        pt 6 ps 0.4 + 0.12*WIDTH[i] lw 1.4 lc rgb COLOUR[i] notitle
