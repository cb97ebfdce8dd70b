#!/usr/bin/env python3
"""restore.py - what `afterglow run convolve` makes of blurred crops of scikit-image's photographs, in dB

    /usr/bin/python3 tests/fft/restore.py [AFTERGLOW]

AFTERGLOW is the command line; default: build/release/bin/afterglow. It needs Debian's python3-skimage, whose pictures
are not part of this project. "camera", "astronaut" and "coffee" in luma are blurred in double, cut out of the middle,
so that light from outside is in each crop, and get white noise of a fixed seed; the peak is 1. A line has the mean and
the least gain over the pictures and blurs. The table is that of docs/convolve.md.

SPDX-License-Identifier: MIT
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy
from skimage import data

PROJECT = pathlib.Path(__file__).resolve().parents[2]
ROWS, COLUMNS = 181, 233
LINES = (
    ("the defaults", ""),
    ("`noise` = 0.03", "noise=0.03"),
    ("`noise` = 0.01", "noise=0.01"),
    ("`edges` = `border`, zero", "edges=border"),
    ("`edges` = `border`, clamp", "edges=border border=clamp"),
    ("`edges` = `border`, mirror", "edges=border border=mirror"),
    ("`edges` = `border`, wrap", "edges=border border=wrap"),
)


def blurs():
    y, x = numpy.mgrid[-10:11, -10:11]
    along, across = x * 0.9 + y * 0.436, numpy.abs(y * 0.9 - x * 0.436)
    line = numpy.clip(1 - across, 0, None) * (numpy.abs(along) <= 6)
    return {
        "disc 2": numpy.clip(2.5 - numpy.hypot(x, y), 0, 1),
        "disc 4.5": numpy.clip(5 - numpy.hypot(x, y), 0, 1),
        "disc 8": numpy.clip(8.5 - numpy.hypot(x, y), 0, 1),
        "Gaussian 1": numpy.exp(-(x * x + y * y) / 2.0),
        "Gaussian 2.5": numpy.exp(-(x * x + y * y) / 12.5),
        "motion along x": (numpy.abs(x) <= 7) * (y == 0) * 1.0,
        "diagonal motion": line,
        "streak": line * (along >= 0) * numpy.exp(-along / 3),
    }


def blurred(picture, kernel):  # a circular blur: what wraps does not reach the middle
    padded = numpy.zeros_like(picture)
    padded[:21, :21] = kernel / kernel.sum()
    spectrum = numpy.fft.fft2(numpy.roll(padded, (-10, -10), (0, 1)))
    return numpy.fft.ifft2(numpy.fft.fft2(picture) * spectrum).real


def crop(picture):
    top, left = (picture.shape[0] - ROWS) // 2, (picture.shape[1] - COLUMNS) // 2
    return picture[top : top + ROWS, left : left + COLUMNS]


def psnr(a, b):
    return -10 * numpy.log10(numpy.mean((a - b) ** 2, axis=(0, 1)))


def main():
    afterglow = sys.argv[1] if len(sys.argv) > 1 else PROJECT / "build/release/bin/afterglow"
    pictures = [data.camera() / 255.0, data.astronaut() @ (0.2126, 0.7152, 0.0722) / 255.0]
    pictures.append(data.coffee() @ (0.2126, 0.7152, 0.0722) / 255.0)
    sharp = numpy.stack([crop(p) for p in pictures], -1)
    with tempfile.TemporaryDirectory() as folder:
        shot, blur, out = (pathlib.Path(folder, name) for name in ("shot.npy", "blur.npy", "out.npy"))
        for sigma in (0.001, 0.01, 0.03, 0.06):
            gains = {name: [] for name, _ in LINES}
            for kernel in blurs().values():
                soft = numpy.stack([crop(blurred(p, kernel)) for p in pictures], -1)
                soft += sigma * numpy.random.default_rng(1).standard_normal(soft.shape)
                opaque = numpy.ones(soft.shape[:2] + (1,))
                numpy.save(shot, numpy.concatenate([soft, opaque], -1).astype(numpy.float32))
                numpy.save(blur, kernel.astype(numpy.float32)[:, :, None])
                for name, settings in LINES:
                    words = [w for s in settings.split() for w in ("--set", s)]
                    words += ["--set", "operation=deconvolve", "--set", "normalize=sum"]
                    subprocess.run([afterglow, "run", "convolve", shot, blur, "-o", out, *words], check=True)
                    gains[name] += list(psnr(numpy.load(out)[..., :3], sharp) - psnr(soft, sharp))
            for name, _ in LINES:
                print(f"| {sigma} | {name} | {numpy.mean(gains[name]):+.1f} | {min(gains[name]):+.1f} |", flush=True)


if __name__ == "__main__":
    main()
