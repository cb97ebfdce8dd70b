# plot.gp - what a GPU's memory is like: six panels of curves and bars, more is better
# SPDX-License-Identifier: MIT
#
# bench/plot calls it with file (a result of afterglow-bench memory), device and out set.
data(series) = sprintf("< bench/results.py curves '%s' '%s'", file, series)
has(series) = int(system(sprintf("bench/results.py curves '%s' '%s' | wc -l", file, series))) > 0

set terminal svg size 1200,760 font "Helvetica,12" background "white"
set output out
set encoding utf8
set border 3 lc rgb "#888888"
set grid ytics lt 1 lc rgb "#e5e7eb"
set tics nomirror scale 0.5 textcolor rgb "#333333"
set style fill solid 1.0 noborder
set key top right samplen 1.5 textcolor rgb "#333333"
blue = 0x2563eb; teal = 0x0d9488; orange = 0xe39b3b
set multiplot layout 2,3 title "{/:Bold Memory}  on ".device.", more is better" offset 0,-0.3

set yrange [0:*]
set title "Global memory: one word of every so many"
set ylabel "GB/s of what is used"
set xlabel "stride, words"
set logscale x 2
plot data("global stride") using 1:2 with linespoints pt 7 ps 0.6 lc rgb blue notitle

set title "Shared memory: words at a stride"
set ylabel "reads a nanosecond"
set xlabel "stride, words"
unset logscale x
plot data("shared stride") using 1:2 with linespoints pt 7 ps 0.6 lc rgb blue notitle

set title "Shared memory: columns of a tile"
set xlabel ""
set xtics scale 0 rotate by -18
set boxwidth 0.6
set offsets 0.5, 0.5, 0, 0
plot data("shared columns") using 0:2:xtic(3) with boxes lc rgb blue notitle

set title "Texture RGBA16F: groups of 64 threads by shape"
set ylabel "GB/s"
set boxwidth 0.38
set key bottom center opaque
plot data("image RGBA16F texelFetch") using ($0-0.2):2:xtic(3) with boxes lc rgb blue title "texelFetch", \
     (has("image RGBA16F imageLoad") ? data("image RGBA16F imageLoad") : "/dev/null") \
         using ($0+0.2):2 with boxes lc rgb orange title "imageLoad"

unset offsets
set xtics norotate scale 0.5
set title "A copy, by threads of a group"
set ylabel "GB/s, read and written"
set xlabel "threads"
set logscale x 2
plot data("groups copy by threads") using 1:2 with linespoints pt 7 ps 0.6 lc rgb teal notitle

set title "Arithmetic, by values that a thread holds"
set ylabel "steps a nanosecond"
set xlabel "values of 32 bits"
plot data("groups values held") using 1:2 with linespoints pt 7 ps 0.6 lc rgb teal notitle
unset multiplot
