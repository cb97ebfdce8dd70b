#!/usr/bin/env python3
"""photos.py - writes tests/denoise/photos.bin: three photographs of scikit-image, half as wide and high

    python3 tests/denoise/photos.py

It needs scikit-image (0.26 was used), whose licence covers them: "astronaut" (NASA, public domain), "coffee" (Rachel
Michetti, CC0), "camera" (Lav Varshney, CC0). Each texel is the mean of 2 x 2; the first 256 columns and rows. The file
has, for each one: width, height, channels (32-bit little endian), and a byte a value.

SPDX-License-Identifier: MIT
"""
import pathlib
import struct

import numpy
import skimage.data

with open(pathlib.Path(__file__).with_name("photos.bin"), "wb") as file:
    for name in ("astronaut", "coffee", "camera"):
        photo = getattr(skimage.data, name)().astype(float)
        photo = photo.reshape(*photo.shape[:2], -1)[:512, :512]
        small = (photo[::2, ::2] + photo[1::2, ::2] + photo[::2, 1::2] + photo[1::2, 1::2]) / 4
        file.write(struct.pack("<3i", small.shape[1], small.shape[0], small.shape[2]))
        file.write(numpy.round(small).astype(numpy.uint8).tobytes())
