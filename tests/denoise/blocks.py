#!/usr/bin/env python3
"""blocks.py - the filter "blocks" of `afterglow run denoise` beside BM3D, in dB, on five photographs

    python3 tests/denoise/blocks.py [AFTERGLOW]

AFTERGLOW is the command line; default: build/release/bin/afterglow. It needs scikit-image (0.26 was used) and PyWavelets
for their photographs, which are not part of this project. White noise of a fixed seed, the peak is 1, sigma is given.
BM3D's figures are those of PyPI's bm3d 4.0.3 for the same noise (bm3d and bm3d_rgb, the default profile); they are kept
here, because it takes minutes. Fails where blocks is more than 0.5 dB below. The table is that of docs/denoise.md.

SPDX-License-Identifier: MIT
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy
import pywt.data
import skimage.data

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BM3D = {
    0.05: {"camera": 32.82, "ascent": 35.36, "astronaut": 35.92, "coffee": 34.81, "chelsea": 35.90},
    0.1: {"camera": 29.80, "ascent": 31.27, "astronaut": 32.59, "coffee": 31.54, "chelsea": 32.48},
}
WAYS = (
    ("`blocks`", "filter=blocks"),
    ("`blocks`, 1 level", "filter=blocks levels=1"),
    ("`ti_haar`, hard, 3 sigma", "threshold=hard rule=given strength=3"),
)


def psnr(a, b):
    return -10 * numpy.log10(numpy.mean((a - b) ** 2))


def photo(name):
    values = pywt.data.ascent() if name == "ascent" else getattr(skimage.data, name)()
    return values.reshape(*values.shape[:2], -1)[..., :3].astype(numpy.float64) / 255


def main():
    afterglow = sys.argv[1] if len(sys.argv) > 1 else PROJECT / "build/release/bin/afterglow"
    names, worst = list(BM3D[0.05]), 0
    print("| noise | sigma given | " + " | ".join(names) + " |\n|---|---|" + "---|" * len(names))
    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder, "before.npy"), pathlib.Path(folder, "after.npy")
        for sigma, best in BM3D.items():
            print(f"| {sigma} | BM3D | " + " | ".join(f"{best[n]:.2f}" for n in names) + " |")
            for way, settings in WAYS:
                results = []
                for name in names:
                    clean = photo(name)
                    # the same values for one channel and for three
                    noise = numpy.random.default_rng(1).standard_normal(clean.squeeze().shape).reshape(clean.shape)
                    numpy.save(before, (clean + sigma * noise).astype(numpy.float32))
                    words = [w for s in (settings + f" sigma={sigma}").split() for w in ("--set", s)]
                    subprocess.run([afterglow, "run", "denoise", before, "-o", after, *words], check=True)
                    results.append(psnr(numpy.load(after)[..., : clean.shape[2]].reshape(clean.shape), clean))
                print(f"| {sigma} | {way} | " + " | ".join(f"{r:.2f}" for r in results) + " |", flush=True)
                if way == "`blocks`":
                    worst = max(worst, max(best[n] - r for n, r in zip(names, results)))
    print(f"blocks is {worst:.2f} dB below BM3D at most; the limit is 0.5")
    return worst > 0.5


if __name__ == "__main__":
    sys.exit(main())
