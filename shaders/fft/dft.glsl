// fft/dft.glsl - the DFT of the RADIX elements v[e] .. of a butterfly, as a statement
//
//   set       RADIX   2 .. 10, 12, 15 or 16
//             TURNED  1 = of element k times w1^k; w1, w2 = w1^2 and, above radix 4, w4, w8 are set
//             e
//   cost      see fft/butterfly.glsl; radices of two take their twiddles for nothing
//   SPDX-License-Identifier: MIT
#if TURNED && RADIX == 16
fft16w(e, w1, w2, w4, w8);
#elif TURNED && RADIX == 8
fft8w(e, w1, w2, w4);
#elif TURNED && RADIX == 4
fft4w(e, w1, w2);
#elif TURNED && RADIX == 2
turn(v[e], v[e + 1], w1);
#else
#if TURNED
v[e + 1] = cmul(v[e + 1], w1);
v[e + 2] = cmul(v[e + 2], w2);
#if RADIX > 3
vec2 w3 = cmul(w1, w2);
vec2 above[4] = vec2[4](w4, cmul(w1, w4), cmul(w2, w4), cmul(w3, w4)); // powers 4 .. 7
v[e + 3] = cmul(v[e + 3], w3);
for (int k = 4; k < min(RADIX, 8); ++k)
    v[e + k] = cmul(v[e + k], above[k - 4]);
#endif
#if RADIX > 8
v[e + 8] = cmul(v[e + 8], w8);
#endif
#if RADIX > 9
v[e + 9] = cmul(v[e + 9], cmul(w1, w8));
#endif
#if RADIX > 10
v[e + 10] = cmul(v[e + 10], cmul(w2, w8));
v[e + 11] = cmul(v[e + 11], cmul(w3, w8));
#endif
#if RADIX > 12
for (int k = 12; k < 15; ++k)
    v[e + k] = cmul(v[e + k], cmul(above[k - 12], w8));
#endif
#endif
#if RADIX == 16
fft16(e);
#elif RADIX == 15
fft15(e);
#elif RADIX == 12
fft12(e);
#elif RADIX == 10
fft10(e);
#elif RADIX == 9
fft9(e);
#elif RADIX == 8
fft8(e);
#elif RADIX == 7
fft7(e);
#elif RADIX == 6
fft6(e);
#elif RADIX == 5
fft5(v[e], v[e + 1], v[e + 2], v[e + 3], v[e + 4]);
#elif RADIX == 4
fft4(v[e], v[e + 1], v[e + 2], v[e + 3]);
#elif RADIX == 3
fft3(v[e], v[e + 1], v[e + 2]);
#elif RADIX == 2
fft2(v[e], v[e + 1]);
#else
#error "RADIX must be one of 2..10, 12, 15, 16"
#endif
#endif
