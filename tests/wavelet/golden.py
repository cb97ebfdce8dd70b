#!/usr/bin/env python3
# golden.py - writes golden.bin: coefficients of PyWavelets 1.8 (1.1.1 gives the same bits), for test_wavelet
# SPDX-License-Identifier: MIT
#
# No test runs this. Run it again where cases change, with pywavelets and numpy: tests/wavelet/golden.py
#
# golden.bin, little endian: a record a case: int32 kind (0 wavedec2, 1 swt2), wavelet, border, levels, width, height,
# width and height of the coefficients, their layers; then the coefficients as float64, row by row. The image of case i
# is uniform in -1 .. 1 by splitmix64 from the seed i, as tests/support/random.c has it.
import os
import struct

import numpy
import pywt

WAVELETS = ["haar", "db2", "db4", "sym4", "coif1", "bior2.2", "bior4.4"]
BORDERS = ["periodization", "symmetric", "reflect", "zero"]
MASK = 2**64 - 1


def image(seed, width, height):
    state, values = seed, []
    for _ in range(width * height):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        values.append(-1 + 2 * ((z ^ z >> 31) >> 11) * 2.0**-53)
    return numpy.array(values).reshape(height, width)


def cases():
    for wavelet in range(len(WAVELETS)):
        for border in range(len(BORDERS)):
            yield 0, wavelet, border, 2, 9, 6
        yield 1, wavelet, 0, 2, 8, 4


def coefficients(kind, wavelet, border, levels, pixels):
    if kind == 0:
        bands = pywt.wavedec2(pixels, WAVELETS[wavelet], BORDERS[border], levels)
        return pywt.coeffs_to_array(bands)[0][None]
    bands = pywt.swt2(pixels, WAVELETS[wavelet], levels, trim_approx=True)
    return numpy.stack([bands[0]] + [band for level in bands[1:] for band in level])


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.bin"), "wb") as out:
    for seed, (kind, wavelet, border, levels, width, height) in enumerate(cases()):
        values = coefficients(kind, wavelet, border, levels, image(seed, width, height))
        layers, rows, columns = values.shape
        out.write(struct.pack("<9i", kind, wavelet, border, levels, width, height, columns, rows, layers))
        out.write(values.astype("<f8").tobytes())
