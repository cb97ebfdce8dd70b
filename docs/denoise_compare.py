#!/usr/bin/env python3
# docs/denoise_compare.py - the table and the pictures of docs/denoise.md that compare denoisers
# SPDX-License-Identifier: MIT
#
#     docs/denoise_compare.py build/release/bin/afterglow [photographs] [rays]
#
# It needs, of PyPI: numpy, pillow, scikit-image, bm3d, opencv-python-headless, pyoidn. The photographs are those of
# scikit-image, with white noise of a fixed seed in their codes. Every program is told sigma, but for Open Image
# Denoise, which takes none. Where a program has one more number, it gets the best of a few.
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import bm3d
import cv2
import numpy
import pyoidn
import skimage.data
from PIL import Image
from skimage.metrics import structural_similarity
from skimage.restoration import cycle_spin, denoise_nl_means, denoise_tv_chambolle, denoise_wavelet

IMAGES = pathlib.Path(__file__).resolve().parent / 'images'
# x, y of the part of each that pictures show
PHOTOGRAPHS = {'camera': (150, 60), 'astronaut': (150, 20), 'coffee': (120, 120), 'chelsea': (120, 60)}
PART = 150
SHOWN = ('none', 'ti_haar', 'blocks', 'OpenCV, non-local means', 'Open Image Denoise', 'BM3D')


class Afterglow:
    def __init__(self, tool, folder):
        self.tool, self.folder = str(pathlib.Path(tool).resolve()), folder

    def run(self, *words):
        return subprocess.run([self.tool, *words], cwd=self.folder, capture_output=True, text=True)

    def denoised(self, image, *settings, slots=()):
        grey = image.ndim == 2
        numpy.save(f'{self.folder}/in.npy', image[..., None] if grey else image)
        words = [w for s in settings for w in ('--set', s)] + [w for s in slots for w in ('--slot', s)]
        done = self.run('run', 'denoise', 'in.npy', '-o', 'out.npy', *words)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return numpy.load(f'{self.folder}/out.npy').reshape(image.shape)

    def has(self, filter_name):
        effects = json.loads(self.run('list', '--json').stdout)['effects']
        return f'"{filter_name}"' in json.dumps([e for e in effects if e['id'] == 'denoise'])


def psnr(a, b):
    return -10 * numpy.log10(numpy.mean((a - b) ** 2))


def ssim(a, b):
    return structural_similarity(a, b, data_range=1, channel_axis=-1 if a.ndim == 3 else None)


def best(clean, results):
    return max(results, key=lambda r: psnr(r, clean))


# ---- the programs -----------------------------------------------------------------------------------

def opencv(noisy, clean, sigma):
    """Non-local means of 8-bit codes."""
    codes = (255 * noisy.clip(0, 1) + 0.5).astype('u1')

    def once(h):
        if noisy.ndim == 2:
            return cv2.fastNlMeansDenoising(codes, None, h, 7, 21) / 255
        return cv2.fastNlMeansDenoisingColored(codes[..., ::-1].copy(), None, h, h, 7, 21)[..., ::-1] / 255
    return best(clean, [once(float(255 * sigma * k)) for k in (0.6, 0.9, 1.2)])


def nl_means(noisy, clean, sigma):
    axis = -1 if noisy.ndim == 3 else None
    return best(clean, [denoise_nl_means(noisy, 5, 6, h=k * sigma, sigma=sigma, fast_mode=False, channel_axis=axis)
                        for k in (0.6, 0.8)])


def wavelet(noisy, clean, sigma):
    """BayesShrink, the mean over 16 shifts."""
    axis = -1 if noisy.ndim == 3 else None
    how = {'sigma': sigma, 'convert2ycbcr': axis is not None, 'method': 'BayesShrink', 'channel_axis': axis}
    return cycle_spin(noisy, denoise_wavelet, max_shifts=3, func_kw=how, workers=1, channel_axis=axis)


def variation(noisy, clean, sigma):
    axis = -1 if noisy.ndim == 3 else None
    return best(clean, [denoise_tv_chambolle(noisy, k * sigma, channel_axis=axis) for k in (0.7, 1, 1.4)])


def block_matching(noisy, clean, sigma):
    return bm3d.bm3d_rgb(noisy, sigma) if noisy.ndim == 3 else bm3d.bm3d(noisy, sigma)


def network(noisy, clean, sigma):
    """Open Image Denoise, which is trained for the noise of rays; moved away from 0, where it would cut noise off."""
    three = noisy if noisy.ndim == 3 else noisy[..., None].repeat(3, 2)
    low = (pyoidn.denoise((0.6 * three + 0.2).clip(0, 1).astype('f4')) - 0.2) / 0.6
    high = pyoidn.denoise((three + 0.3).clip(0).astype('f4'), hdr=True) - 0.3
    return best(clean, [out if noisy.ndim == 3 else out.mean(-1) for out in (low, high)])


def ours(glow):
    def with_settings(*settings):
        return lambda noisy, clean, sigma: glow.denoised(noisy.astype('f4'), *settings, f'sigma={sigma}')
    ways = {'ti_haar': with_settings(), 'ti_haar, hard': with_settings('rule=given', 'threshold=hard', 'strength=3')}
    if glow.has('blocks'):
        ways['blocks'] = with_settings('filter=blocks')
    return ways


# ---- photographs ------------------------------------------------------------------------------------

def save(name, pictures):
    gap = numpy.ones((pictures[0].shape[0], 4, 3))
    row = numpy.concatenate([part for p in pictures for part in (p, gap)][:-1], 1)
    Image.fromarray((255 * row.clip(0, 1) + 0.5).astype('u1')).save(IMAGES / name, quality=90, optimize=True)


def photographs(glow):
    ways = {**ours(glow), 'scikit-image, wavelet': wavelet, 'scikit-image, total variation': variation,
            'scikit-image, non-local means': nl_means, 'OpenCV, non-local means': opencv, 'Open Image Denoise': network,
            'BM3D': block_matching}
    rows = {name: [] for name in ('none', *ways)}
    seconds = {}
    for sigma in (0.05, 0.1):
        for photograph, (x, y) in PHOTOGRAPHS.items():
            clean = getattr(skimage.data, photograph)() / 255.0
            noisy = clean + sigma * numpy.random.default_rng(1).standard_normal(clean.shape)
            results = {'none': noisy}
            for name, way in ways.items():
                start = time.time()
                results[name] = way(noisy, clean, sigma)
                seconds.setdefault(name, []).append(time.time() - start)
            for name, result in results.items():
                rows[name].append((psnr(result, clean), ssim(result.clip(0, 1), clean)))
                print(photograph, sigma, name, '%.2f %.3f' % rows[name][-1], '%.1f s' % seconds.get(name, [0])[-1],
                      flush=True)
            if sigma == 0.1:
                parts = [results[n][y:y + PART, x:x + PART] for n in SHOWN if n in results]
                save(f'denoise_compare_{photograph}.jpg',
                     [p if p.ndim == 3 else p[..., None].repeat(3, 2) for p in parts])
    columns = [f'{p} {s}' for s in (0.05, 0.1) for p in PHOTOGRAPHS]
    print('\n| dB / SSIM | ' + ' | '.join(columns) + ' |\n|' + 9 * '---|')
    for name, row in rows.items():
        print(f'| {name} | ' + ' | '.join('%.2f / %.3f' % r for r in row) + ' |')


# ---- rays -------------------------------------------------------------------------------------------

def rays(glow):
    """One path a texel, with guides; what is compared is the picture that is shown: exposure 1, aces."""
    size = ('--size', '480x270')
    glow.run('scene', '--samples', '256', '-o', 'truth.npy', *size)
    glow.run('scene', '--samples', '1', '-o', 'ray.npy', *size)

    def shown(light):
        numpy.save(f'{glow.folder}/light.npy', numpy.ascontiguousarray(light, 'f4'))
        glow.run('run', 'bloom', 'light.npy', '-o', 'shown.png', '--set', 'intensity=0', '--exposure', '1', '--tonemap',
                 'aces')
        return numpy.asarray(Image.open(f'{glow.folder}/shown.png').convert('RGB')) / 255.0

    def load(name):
        return numpy.load(f'{glow.folder}/{name}.npy')[..., :3].astype('f4')
    noisy, albedo, normal = load('ray'), load('ray_albedo'), load('ray_normal')
    slots = [f'{n}=ray_{n}.npy' for n in ('albedo', 'normal', 'depth')]
    ways = [('filter=atrous', 'levels=5', 'space=anscombe', 'firefly=1.5', f'gain={gain}', f'sigma={sigma}')
            for gain in (0.02, 0.05, 0.1, 0.5) for sigma in (0.5, 1, 2, 4)]
    clean = shown(load('truth'))
    print('\n| one path a texel | dB | SSIM |\n|---|---|---|')
    tried = []
    for way in ways:
        light = glow.denoised(noisy, *way, slots=slots)
        tried.append((psnr(shown(light), clean), ' '.join(way), light))
        print('tried', '%.2f' % tried[-1][0], tried[-1][1], flush=True)
    results = {'none': noisy, 'atrous, guided': max(tried, key=lambda t: t[0])[2],
               'Open Image Denoise, guided': pyoidn.denoise(noisy, albedo.clip(0, 1), normal.clip(-1, 1), hdr=True),
               'Open Image Denoise': pyoidn.denoise(noisy, hdr=True)}
    pictures = {name: shown(light) for name, light in results.items()}
    for name, picture in pictures.items():
        print('| %s | %.2f | %.3f |' % (name, psnr(picture, clean), ssim(picture, clean)))
    columns = (('none', 'Open Image Denoise, guided'), ('atrous, guided', 'truth'))
    pictures['truth'] = clean
    save('denoise_compare_rays.jpg', [numpy.concatenate([pictures[n] for n in column]) for column in columns])


def main():
    chosen = sys.argv[2:] or ['photographs', 'rays']
    with tempfile.TemporaryDirectory() as folder:
        glow = Afterglow(sys.argv[1], folder)
        for name in chosen:
            {'photographs': photographs, 'rays': rays}[name](glow)


if __name__ == '__main__':
    main()
