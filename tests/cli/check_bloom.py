#!/usr/bin/env python3
# check_bloom.py AFTERGLOW - what bloom on a smaller image loses on the night street, shape by shape
# SPDX-License-Identifier: MIT
#
# Two errors against resolution = full. As seen: dB of 8-bit codes after aces, at exposures 0 and +4. As light: the
# sum of |error| over the sum, of the glow alone, 32 texels and more from lamps (texels above 20). docs/bloom.md has
# the same figures. The limits are 45 dB and 1 %, and 50 dB of what resolution = auto takes. No texel may be darker
# than DARKEST, by light that the glow took from it: a black ring around a lamp is seen at once. What auto passed over
# must not have had the 50 dB that it asks of its estimate, nor 3 dB more: the street is no white noise.
import array
import math
import os
import re
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, LAMP, FAR = 1920, 1080, 20, 32
ASKED, SPARE, DARKEST = 50, 3, -0.2
# Limits: dB at 0, dB at +4, far glow, darkest texel.
GOOD, PROMISED = (45, 45, 0.01, DARKEST), (ASKED, ASKED, 0.01, DARKEST)
AT_DEFAULTS, AS_README = {'size': 0.45, 'intensity': 0.2}, {'size': 0.45, 'intensity': 0.3, 'rotation': 15}
CASES = [('gaussian', AT_DEFAULTS), ('aperture', AT_DEFAULTS), ('star', AT_DEFAULTS), ('anamorphic', AT_DEFAULTS),
         ('texture', AT_DEFAULTS), ('aperture', AS_README), ('star', AS_README), ('anamorphic', AS_README)]
FALLS = ('aperture', 'star', 'anamorphic')  # a named eighth is a quarter: rays are too thin for it at this size
# The texture: another lens, of 325 x 325 texels.
IMAGE = ['shape=aperture', 'size=0.3', 'blades=8', 'roundness=0.4', 'dust=0.6']


def run(*words, check=True):
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
    if check and done.returncode:
        sys.exit(f'{" ".join(words)}: {done.stdout}{done.stderr}')
    return done.stdout + done.stderr


# dB of what is written, against the picture that these words end with.
def psnr(*words):
    return float(re.search(r'PSNR ([0-9.]+|inf) dB', run(*words, '--psnr', '0')).group(1))


def floats(path):
    with open(path, 'rb') as file:
        data = file.read()
    start = 10 + data[8] + 256 * data[9]
    values = array.array('f')
    values.frombytes(data[start:])
    return values


# For each texel, whether a lamp is so near: within a square of 2 FAR + 1, so that a little more than a disc is left out.
def near_lamps(scene):
    lamps = [[max(scene[i:i + 3]) > LAMP for i in range(3 * WIDTH * y, 3 * WIDTH * (y + 1), 3)] for y in range(HEIGHT)]
    wide = []
    for row in lamps:
        marks = bytearray(WIDTH)
        for x in (x for x, lamp in enumerate(row) if lamp):
            low, high = max(x - FAR, 0), min(x + FAR + 1, WIDTH)
            marks[low:high] = b'\1' * (high - low)
        wide.append(int.from_bytes(marks, 'little'))
    near = []
    for y in range(HEIGHT):
        marks = 0
        for row in wide[max(y - FAR, 0):y + FAR + 1]:
            marks |= row
        near.append(marks.to_bytes(WIDTH, 'little'))
    return near


def far_error(near, full, got):
    error = light = 0
    for y in range(HEIGHT):
        marks, first = near[y], 3 * WIDTH * y
        for x in range(WIDTH):
            if not marks[x]:
                at = first + 3 * x
                for i in (at, at + 1, at + 2):
                    light += full[i]
                    error += abs(got[i] - full[i])
    return error / light


def holds(figures, limits):
    return (figures[0] >= limits[0] and figures[1] >= limits[1] and figures[2] <= limits[2] and
            figures[3] >= limits[3])


def say(good, text, *values):
    print('ok   ' if good else 'FAIL ', text.format(*values), flush=True)
    return not good


def set_all(settings):
    return [word for value in settings for word in ('--set', value)]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        run('scene', '-o', path('night.npy'))
        run('kernel', '-o', path('lens.npy'), *set_all(IMAGE))
        scene = floats(path('night.npy'))
        near = near_lamps(scene)
        for shape, settings in CASES:
            sets = set_all([f'shape={shape}'] + [f'{name}={value}' for name, value in settings.items()])
            image = ['--slot', 'kernel_image=' + path('lens.npy')] if shape == 'texture' else []
            bloom = ['run', 'bloom', path('night.npy'), '--format', 'rgba16f', *image, *sets]
            seen = [['--tonemap', 'aces', '--dither', 'off', '--exposure', str(exposure)] for exposure in (0, 4)]
            glow = ['--format', 'dst=rgba32f', '--set', 'output=bloom_only']
            for i, view in enumerate(seen):
                run(*bloom, '-o', path(f'full{i}.png'), *view)
            run(*bloom, *glow, '-o', path('full.npy'))
            glows, measured = {'full': floats(path('full.npy'))}, {'full': (math.inf, math.inf, 0, 0)}
            for resolution in ('half', 'quarter', 'eighth', 'auto'):
                small = [*bloom, '--set', f'resolution={resolution}']
                run(*small, *glow, '-o', path('got.npy'))
                got = floats(path('got.npy'))
                # Of auto the plan is known only after it has looked at the kernel.
                taken = next((name for name in glows if glows[name] == got), None)
                glows[resolution] = got
                if taken:
                    figures, words = measured[taken], taken
                else:
                    words = 'another split' if resolution == 'auto' else run(*small, '--plan').split(':')[0].strip()
                    figures = [psnr(*small, '-o', path('got.png'), *view, '--compare', path(f'full{i}.png'))
                               for i, view in enumerate(seen)]
                    figures += [far_error(near, glows['full'], got),
                                min((1 - settings['intensity']) * texel + light for texel, light in zip(scene, got))]
                measured[resolution] = figures
                if resolution == 'eighth':
                    failed += say((taken == 'quarter') == (shape in FALLS), '{} size {}: an eighth is {}', shape,
                                  settings['size'], taken or words)
                limits = PROMISED if resolution == 'auto' else GOOD
                failed += say(holds(figures, limits), '{} size {} {}: {:.1f} dB (limit {}), at +4 {:.1f} (limit {}), '
                              'far glow {:.2%} (limit {:.2%}), darkest {:.3f} (limit {}): {}', shape, settings['size'],
                              resolution, *(word for pair in zip(figures, limits) for word in pair), words)
            # A Gaussian has fewer bytes at full resolution than at half, and hardly more than at quarter.
            order = [] if shape == 'gaussian' else ['full', 'half', 'quarter', 'eighth']
            passed = order[order.index(taken) + 1:] if taken in order else []
            failed += say(all(min(measured[name][:2]) < ASKED + SPARE for name in passed),
                          '{} size {}: auto passed over {}', shape, settings['size'], ', '.join(passed) or 'none')
    sys.exit(1 if failed else 0)


main()
