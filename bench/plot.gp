# plot.gp - one effect on one device: GPU time a megapixel, a group of bars for each size
# SPDX-License-Identifier: MIT
#
# bench/plot calls it with titles, device, effect, bars (a file of results.py) and out set.
count = words(titles)

is_other(t) = strstrt(t, "glGenerateMipmap") || strstrt(t, "blits") || strstrt(t, "copy") || \
              strstrt(t, "fragment")
is_ours(t) = !(strstrt(t, "pyramid") || t eq "cuFFT" || t eq "VkFFT" || is_other(t))
ours(i) = i == 1 ? 0x2563eb : i == 2 ? 0x0d9488 : i == 3 || i == 6 ? 0x7c3aed : i == 5 ? 0xdb2777 : 0x0891b2
colour(i, t) = t eq "cuFFT" ? 0xc4c7cc : t eq "VkFFT" ? 0x9aa0a8 : \
               strstrt(t, "blits") ? 0x9aa0a8 : is_other(t) ? 0xc4c7cc : \
               strstrt(t, "r11g11b10f") ? 0xf2c078 : strstrt(t, "pyramid") ? 0xe39b3b : ours(i)
label(t) = is_ours(t) ? "Afterglow, ".t : t

set terminal svg size 1000,400 font "Helvetica,13" background "white"
set output out
set encoding utf8
set title "{/:Bold ".effect."}  on ".device."   GPU time, less is better" offset 0,0.2
set ylabel "microseconds a megapixel"
set border 3 lc rgb "#888888"
set grid ytics lt 1 lc rgb "#e5e7eb"
set tics nomirror scale 0.5 textcolor rgb "#333333"
set xtics scale 0
set rmargin at screen 0.69
set key at screen 0.70, screen 0.8 left top vertical reverse Left samplen 1 spacing 1.35 width -3 noenhanced
set style fill solid 1.0 noborder
set boxwidth 0.85 / count * 0.9
set offsets 0.1, 0.1, 0, 0
if (effect eq "mipchain" || effect eq "fft") { # the driver's, or the documents', ways are ten times as long
    set logscale y
    set yrange [1:*]
} else {
    set yrange [0:*]
}
plot bars index 0 using 1:(0):xtic(2) with lines lc rgb "#888888" notitle, \
     for [i = 1:count] bars index i using 1:2 with boxes lc rgb colour(i, word(titles, i)) \
         title label(word(titles, i)), \
     for [i = 1:count] bars index i using 1:3 with boxes lc rgb "#a0000000" notitle, \
     NaN with boxes lc rgb "#666666" title "dark: its floor, bytes and launches"
