# rows.gp - many ways of one effect on one device: GPU time a megapixel, a row for each way, a mark for each size
# SPDX-License-Identifier: MIT
#
# bench/plot calls it with titles, device, effect, bars (a file of results.py) and out set.
count = words(titles)
sizes = system("awk 'NF == 0 { exit } { print $2 }' ".bars)
colour(s) = s == 1 ? 0x0d9488 : s == 2 ? 0x2563eb : s == 3 ? 0xdb2777 : 0x7c3aed

set terminal svg size 1000,(110 + 26 * count) font "Helvetica,13" background "white"
set output out
set encoding utf8
set title "{/:Bold Methods of ".effect[1:strstrt(effect, "_") - 1]."}  on ".device."   GPU time, less is better" \
    offset 0,0.2
set xlabel "microseconds a megapixel"
set border 1 lc rgb "#888888"
set grid xtics ytics lt 1 lc rgb "#e5e7eb"
set tics nomirror scale 0.5 textcolor rgb "#333333"
set logscale x
set ytics scale 0 noenhanced
do for [i = 1:count] { set ytics add (word(titles, i) count - i) }
set yrange [-0.5:count - 0.5]
set key outside right top Left reverse samplen 1 spacing 1.35 noenhanced
plot for [s = 1:words(sizes)] for [i = 1:count] bars index i every ::s - 1::s - 1 using 2:(count - i) \
         with points pt 7 ps 0.9 lc rgb colour(s) title (i == 1 ? word(sizes, s) : "")
