#!/usr/bin/env python3
"""quality.py - what `afterglow run denoise` makes of the photographs that PyWavelets has, in dB

    /usr/bin/python3 tests/denoise/quality.py [AFTERGLOW]

AFTERGLOW is the command line; default: build/release/bin/afterglow. It needs Debian's python3-pywt, whose pictures are
not part of this project. "camera" and "ascent", 512 x 512, with white noise of a fixed seed; the peak is 1. Sigma is
estimated, but where a line says otherwise. The table is that of docs/denoise.md.

SPDX-License-Identifier: MIT
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy
import pywt.data

PROJECT = pathlib.Path(__file__).resolve().parents[2]
LINES = (  # the sigma of the noise, name, settings
    (0.1, "`haar`", "filter=haar"),
    (0.1, "`ti_haar`", ""),
    (0.1, "`ti_haar`, 3 levels", "levels=3"),
    (0.1, "`ti_haar`, soft, `bayes`", "threshold=soft rule=bayes"),
    (0.1, "`ti_haar`, hard, 3 sigma", "threshold=hard rule=given strength=3"),
    (0.1, "`dwt`, cdf97", "filter=dwt"),
    (0.05, "`haar`", "filter=haar"),
    (0.05, "`ti_haar`", ""),
    (0.05, "`ti_haar`, soft, `bayes`", "threshold=soft rule=bayes"),
    (0.05, "`dwt`, cdf97", "filter=dwt"),
)


def psnr(a, b):
    return -10 * numpy.log10(numpy.mean((a - b) ** 2))


def main():
    afterglow = sys.argv[1] if len(sys.argv) > 1 else PROJECT / "build/release/bin/afterglow"
    clean = {name: getattr(pywt.data, name)().astype(numpy.float64) / 255 for name in ("camera", "ascent")}
    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder, "before.npy"), pathlib.Path(folder, "after.npy")
        print("| noise | filter | camera | ascent |\n|---|---|---|---|")
        last = 0
        for sigma, name, settings in LINES:
            noisy = {k: v + sigma * numpy.random.default_rng(1).standard_normal(v.shape) for k, v in clean.items()}
            if sigma != last:
                print(f"| {sigma} | none | " + " | ".join(f"{psnr(noisy[k], v):.2f}" for k, v in clean.items()) + " |")
            last, results = sigma, []
            for k, v in clean.items():
                numpy.save(before, noisy[k].astype(numpy.float32)[:, :, None])
                words = [w for s in settings.split() for w in ("--set", s)]
                subprocess.run([afterglow, "run", "denoise", before, "-o", after, *words], check=True)
                results.append(psnr(numpy.load(after).reshape(v.shape), v))
            print(f"| {sigma} | {name} | " + " | ".join(f"{r:.2f}" for r in results) + " |", flush=True)


if __name__ == "__main__":
    main()
