#!/usr/bin/env python3
# check_bloom.py AFTERGLOW - what bloom on a smaller image loses on the night street, shape by shape
# SPDX-License-Identifier: MIT
#
# Two errors against resolution = full. As seen: dB of 8-bit codes after aces, at exposures 0 and +4. As light: the sum of
# |error| over the sum, of the glow alone, 32 texels and more from lamps (texels above 20). docs/bloom.md has the same
# figures. The limits are 45 dB and 1 %; where a shape does not have them at quarter resolution, its own limit stands here.
import array
import os
import re
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, LAMP, FAR = 1920, 1080, 20, 32
GOOD = (45, 45, 0.01)
AT_DEFAULTS, AS_README = {'size': 0.3, 'intensity': 0.1}, {'size': 0.45, 'intensity': 0.3, 'rotation': 15}
CASES = [  # shape, settings, resolution, limits: dB at 0, dB at +4, far glow
    ('gaussian', AT_DEFAULTS, 'half', GOOD), ('gaussian', AT_DEFAULTS, 'quarter', GOOD),
    ('aperture', AT_DEFAULTS, 'half', GOOD), ('aperture', AT_DEFAULTS, 'quarter', GOOD),
    ('star', AT_DEFAULTS, 'half', GOOD), ('star', AT_DEFAULTS, 'quarter', GOOD),
    ('anamorphic', AT_DEFAULTS, 'half', GOOD), ('anamorphic', AT_DEFAULTS, 'quarter', (35, 33, 0.03)),
    ('aperture', AS_README, 'half', GOOD), ('aperture', AS_README, 'quarter', (35, 36, 0.015)),
]


def run(*words, check=True):
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
    if check and done.returncode:
        sys.exit(f'{" ".join(words)}: {done.stdout}{done.stderr}')
    return done.stdout + done.stderr


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


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        run('scene', '-o', path('night.npy'))
        near, full, former = near_lamps(floats(path('night.npy'))), None, None
        for shape, settings, resolution, limits in CASES:
            sets = [f'shape={shape}'] + [f'{name}={value}' for name, value in settings.items()]
            words = [word for text in sets for word in ('--set', text)]
            bloom = ['run', 'bloom', path('night.npy'), '--format', 'rgba16f', *words]
            seen = [['--tonemap', 'aces', '--exposure', str(exposure)] for exposure in (0, 4)]
            glow = ['--format', 'dst=rgba32f', '--set', 'output=bloom_only']
            if sets != former:
                for i, view in enumerate(seen):
                    run(*bloom, '-o', path(f'full{i}.png'), *view)
                run(*bloom, *glow, '-o', path('full.npy'))
                full, former = floats(path('full.npy')), sets
            bloom += ['--set', f'resolution={resolution}']
            figures = []
            for i, view in enumerate(seen):
                text = run(*bloom, '-o', path('got.png'), *view, '--compare', path(f'full{i}.png'), '--psnr', '0')
                figures.append(float(re.search(r'PSNR ([0-9.]+|inf) dB', text).group(1)))
            run(*bloom, *glow, '-o', path('got.npy'))
            figures.append(far_error(near, full, floats(path('got.npy'))))
            good = figures[0] >= limits[0] and figures[1] >= limits[1] and figures[2] <= limits[2]
            failed += not good
            print('{} {} size {} {}: {:.1f} dB (limit {}), at +4 {:.1f} (limit {}), far glow {:.2%} (limit {:.2%})'.format(
                'ok   ' if good else 'FAIL ', shape, settings['size'], resolution, figures[0], limits[0], figures[1],
                limits[1], figures[2], limits[2]), flush=True)
    sys.exit(1 if failed else 0)


main()
