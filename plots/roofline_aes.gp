# SPDX-License-Identifier: MIT
# $series: roofs and ceilings as lines. $points: x, median, lower and upper quartile, point type,
# colour. $counted: x, y, colour; only where COUNTED is above 0. $beyond: the highest rate at each x.
CROSSES = COUNTED == 0 ? '' : 'for [k=1:COUNTED] $counted every ::(k-1)::(k-1) using 1:2:3 with points \
    pt 2 ps 1.15 lw 1.6 lc rgb variable title COUNT[k] noenhanced,'
set logscale x 2
set logscale y 10
plot \
    $beyond using 1:2:(ROOM) with filledcurves fc rgb TINT title "beyond this machine", \
    for [i=1:N] $series index i-1 using 1:2 with lines \
        lw WIDTH[i] dt DASH[i] lc rgb COLOUR[i] title TITLE[i] noenhanced, \
    @CROSSES \
    $points using 1:2:3:4:6 with yerrorbars pt 0 ps 0 lw 1.4 lc rgb variable notitle, \
    $points using 1:2:(int($5)) with points pt variable ps 1.05 lc rgb PAPER notitle, \
    $points using 1:2 with points pt 7 ps 0.7 lc rgb PAPER notitle, \
    for [k=1:POINTS] $points every ::(k-1)::(k-1) using 1:2:(int($5)):6 with points \
        pt variable ps 0.8 lw 1.4 lc rgb variable title POINT[k] noenhanced
