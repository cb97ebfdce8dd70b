#!/usr/bin/env python3
# docs/needs_gallery.py - makes the small pictures of docs/README.md with the command line; needs NumPy
# SPDX-License-Identifier: MIT
#
#     docs/needs_gallery.py build/release/bin/afterglow [NAME...]
#
# Each is 320 x 180. Where a picture has two halves, the left one is without the effect.
import os
import subprocess
import sys
import tempfile

import numpy

WIDTH, HEIGHT = 320, 180
DOCS = os.path.dirname(os.path.abspath(__file__))
IMAGES = os.path.join(DOCS, 'images', 'needs')
SHOWN = ['--exposure', '1', '--tonemap', 'aces']


class Studio:
    """A folder with the night street in it, and the command line."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.run('scene', '-o', 'street.npy', '--depth', 'depth.npy', '--size', '960x540')

    def run(self, *words):
        print('afterglow', *words, flush=True)
        subprocess.run([self.tool, *words], check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def load(self, name):
        return numpy.load(os.path.join(self.folder, name)).astype('f8')

    def save(self, name, values):
        numpy.save(os.path.join(self.folder, name), numpy.ascontiguousarray(values, 'f4'))

    def effect(self, name, source, out, *settings, slots=(), more=()):
        sets = [word for value in settings for word in ('--set', value)]
        self.run('run', name, *source.split(), '-o', out, *sets, *(w for s in slots for w in ('--slot', s)), *more)
        return self.load(out)

    def codes(self, light):
        """As the command line shows light: exposure 1, aces, the sRGB curve; 0..1."""
        self.save('light.npy', light)
        self.run('run', 'bloom', 'light.npy', '-o', 'codes.png', '--set', 'intensity=0', *SHOWN)
        self.run('run', 'bloom', 'codes.png', '-o', 'codes.npy', '--set', 'intensity=0', '--linear')
        return self.load('codes.npy')[..., :3]

    def picture(self, file):
        """The codes of a picture of docs/images, 0..1."""
        path = os.path.join(DOCS, 'images', file)
        self.run('run', 'bloom', path, '-o', 'picture.npy', '--set', 'intensity=0', '--linear')
        codes = self.load('picture.npy')
        return grey(codes) if codes.ndim == 2 else codes[..., :3]

    def smaller(self, codes, width=WIDTH, height=HEIGHT):
        self.save('large.npy', codes)
        return self.effect('downsample', 'large.npy', 'small.npy', 'filter=lanczos', more=['--size', f'{width}x{height}'])

    def print(self, name, codes):
        """Codes of at most 320 x 180, in the middle of the picture."""
        canvas = numpy.full((HEIGHT, WIDTH, 3), 0.12)
        y, x = (HEIGHT - codes.shape[0]) // 2, (WIDTH - codes.shape[1]) // 2
        canvas[y:y + codes.shape[0], x:x + codes.shape[1]] = numpy.clip(codes, 0, 1)
        self.save('print.npy', canvas)
        self.run('run', 'bloom', 'print.npy', '-o', os.path.join(IMAGES, name + '.jpg'), '--set', 'intensity=0',
                 '--linear')


def halves(left, right):
    both = left.copy()
    middle = left.shape[1] // 2
    both[:, middle:] = right[:, middle:]
    both[:, middle - 1:middle + 1] = 0.9
    return both


def grey(values):
    return numpy.repeat(values[..., None], 3, 2)


def levels(first, names, studio, show):
    """Level 0 at the left, the smaller ones below each other."""
    height, width = first.shape[:2]
    sheet = numpy.full((height, width + width // 2 + 4, 3), 0.12)
    sheet[:, :width] = first
    y = 0
    for name in names:
        level = show(studio.load(name))
        sheet[y:y + level.shape[0], width + 4:width + 4 + level.shape[1]] = level
        y += level.shape[0] + 2
    return sheet


def bloom(s):
    after = s.effect('bloom', 'street.npy', 'out.npy', 'shape=aperture', 'size=0.45', 'rotation=15', 'intensity=0.3')
    s.print('bloom', s.smaller(halves(s.codes(s.load('street.npy')), s.codes(after))))


def convolve(s):
    y, x = numpy.mgrid[-1.25:1.2:41j, -1.3:1.3:41j]
    heart = ((x * x + y * y - 0.8)**3 + x * x * y**3 < 0).astype('f8')
    s.save('heart.npy', heart)
    after = s.effect('convolve', 'street.npy heart.npy', 'out.npy', 'normalize=sum', 'border=clamp')
    s.print('convolve', s.smaller(s.codes(after)[40:310, 160:640]))


def deconvolve(s):
    tiles = s.picture('deconvolve.jpg')
    s.print('deconvolve', s.smaller(halves(tiles[20:380, :640], tiles[20:380, 648:])))


def downsample(s):
    y, x = numpy.mgrid[0:1024, 0:1024] - 511.5
    s.save('plate.npy', grey(0.5 + 0.5 * numpy.cos(numpy.pi * (x * x + y * y) / 1024)))
    tiles = [s.effect('downsample', 'plate.npy', 'out.npy', f'filter={name}', more=['--size', '158x158'])
             for name in ('bilinear', 'area')]
    s.print('downsample', numpy.hstack([tiles[0], numpy.full((158, 4, 3), 0.12), tiles[1]]))


def mipchain(s):
    s.save('level0.npy', s.smaller(s.codes(s.load('street.npy')), 208, 117))
    s.run('run', 'mipchain', 'level0.npy', '-o', 'levels')
    s.print('mipchain', levels(s.load('level0.npy'), [f'levels/texture_L0{k}.npy' for k in range(1, 5)], s,
                               lambda level: level[..., :3]))


def depth_pyramid(s):
    def show(depth):
        return grey(numpy.clip(1.2 - numpy.log2(depth) / 5, 0, 1))
    s.save('near.npy', s.load('depth.npy')[:468, :832].reshape(117, 4, 208, 4)[:, 0, :, 0])
    s.run('run', 'depth_pyramid', 'near.npy', '-o', 'depths', '--set', 'reduce=min')
    s.print('depth_pyramid', levels(show(s.load('near.npy')), [f'depths/dst_L0{k}.npy' for k in range(1, 5)], s, show))


def box_blur(s):
    after = s.effect('box_blur', 'street.npy', 'out.npy', 'radius=16', 'iterations=3')
    s.print('box_blur', s.smaller(halves(s.codes(s.load('street.npy')), s.codes(after))))


def local_stats(s):
    s.save('codes0.npy', s.smaller(s.codes(s.load('street.npy')), 640, 360))
    s.run('run', 'local_stats', 'codes0.npy', '-o', 'stats', '--set', 'radius=2')
    s.print('local_stats', s.smaller(halves(s.load('codes0.npy'), 4 * s.load('stats/deviation.npy')[..., :3])))


def depth_of_field(s):
    after = s.effect('depth_of_field', 'street.npy', 'out.npy', 'encoding=linear', 'focus_distance=10.2',
                     'f_number=1.2', 'focal_length=85', 'max_radius=64', slots=['depth=depth.npy'])
    s.print('depth_of_field', s.smaller(s.codes(after)))


def soft_shadow(s):
    s.print('soft_shadow', s.smaller(s.picture('soft_shadow.png')))


def denoise(s):
    s.print('denoise', s.smaller(halves(s.picture('denoise-before.jpg'), s.picture('denoise-after.jpg'))))


def spectrum(s):
    s.save('codes0.npy', s.codes(s.load('street.npy'))[180:360, 320:640])
    image = s.effect('spectrum', 'codes0.npy', 'out.npy', 'window=hann', 'range=90', 'channels=luminance')
    s.print('spectrum', grey(image[..., 0]) if image.ndim == 3 else grey(image))


def filter_spectrum(s):
    tiles = s.picture('filter_spectrum.jpg')
    s.print('filter_spectrum', halves(tiles[20:380, :640], tiles[428:788, 648:])[30:210, 160:480])


def ocean(s):
    s.print('ocean', s.smaller(s.picture('ocean.jpg')))


def exposure(s):
    street = s.load('street.npy') / 4
    s.save('dark.npy', street)
    ev = s.effect('exposure', 'dark.npy', 'state.npy').ravel()[0]
    s.print('exposure', s.smaller(halves(s.codes(street), s.codes(street * 2**(ev - 1)))))


def wavelet(s):
    s.save('codes0.npy', s.smaller(s.codes(s.load('street.npy')), 320, 176))
    bands = s.effect('wavelet', 'codes0.npy', 'bands.npy', 'wavelet=cdf97', 'levels=3')[..., :3]
    shown = 0.5 + grey(bands.mean(2))
    shown[:22, :40] = bands[:22, :40] / 8
    s.print('wavelet', shown)


def sat(s):
    s.print('sat', s.picture('sat.png')[60:240, 204:524])


NEEDS = (bloom, convolve, deconvolve, downsample, mipchain, depth_pyramid, box_blur, local_stats, depth_of_field,
         soft_shadow, denoise, spectrum, filter_spectrum, ocean, exposure, wavelet, sat)


def main(tool, *names):
    os.makedirs(IMAGES, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(os.path.abspath(tool), folder)
        for need in NEEDS:
            if not names or need.__name__ in names:
                need(studio)


if __name__ == '__main__':
    main(*sys.argv[1:]) if len(sys.argv) > 1 else sys.exit('usage: docs/needs_gallery.py AFTERGLOW [NAME...]')
