#!/usr/bin/env python3
# docs/bloom_split.py - a part of a 3840 x 2160 frame twice: with the star of bloom, and with the pyramid bloom of games
# SPDX-License-Identifier: MIT
#
#     docs/bloom_split.py build/release/bin/afterglow
#
# It needs NumPy. The pyramid is that of bench/baselines: six levels, 13 taps down (Jimenez 2014), a 3 x 3 tent up. The times in
# the corners are those of bench/results.
import os
import subprocess
import sys
import tempfile

import numpy as np

DOCS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(DOCS, '..', 'bench'))
import results  # noqa: E402

LEVELS, SIZE, PART, SETTINGS = 6, (3840, 2160), (1500, 560, 800, 900), ('intensity=0.2', 'size=0.45', 'rotation=15')
FONT = {  # columns of 5 x 7, the top row in the lowest bit
    'A': '7e1111117e', 'D': '7f4141221c', 'E': '7f49494941', 'F': '7f09090901', 'G': '3e4149497a', 'I': '00417f4100',
    'L': '7f40404040', 'M': '7f020c027f', 'O': '3e4141413e', 'P': '7f09090906', 'R': '7f09192946', 'T': '01017f0101',
    'W': '3f4038403f', 'Y': '0708700807', 'u': '3c4040207c', 's': '4854545420', '0': '3e5149453e', '1': '00427f4000',
    '2': '4261514946', '3': '2141454b31', '4': '1814127f10', '5': '2745454539', '6': '3c4a494930', '7': '0171090503',
    '8': '3649494936', '9': '064949291e'}


def bilinear(image, height, width, x, y):
    """The texture at texel centres of height x width, moved by x, y of its own texels; clamped to the edge."""
    def places(count, of, by):
        at = np.clip((np.arange(count) + 0.5) * of / count - 0.5 + by, 0, of - 1)
        low = np.minimum(at.astype(int), max(of - 2, 0))
        return low, np.minimum(low + 1, of - 1), (at - low)[:, None]
    low, high, share = places(height, image.shape[0], y)
    rows = image[low] * (1 - share[..., None]) + image[high] * share[..., None]
    low, high, share = places(width, image.shape[1], x)
    return rows[:, low] * (1 - share) + rows[:, high] * share


def down(image):
    height, width = (max(n // 2, 1) for n in image.shape[:2])
    taps = {(x, y): bilinear(image, height, width, x, y) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2)
            if (x + y) % 2 == 0 and (abs(x) == 1) == (abs(y) == 1)}

    def box(x, y, step):
        return sum(taps[x + i, y + j] for i in (0, step) for j in (0, step)) / 4
    return box(-1, -1, 2) / 2 + sum(box(x, y, 2) for x in (-2, 0) for y in (-2, 0)) / 8


def up(image, shape):
    return sum(bilinear(image, *shape[:2], x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)) / 4


def pyramid(frame, intensity):
    levels = [frame]
    for _ in range(LEVELS):
        levels.append(down(levels[-1]))
    glow = levels[-1]
    for level in levels[-2:0:-1]:
        glow = level + up(glow, level.shape)
    return frame + intensity * (up(glow, frame.shape) / LEVELS - frame)


def write(picture, text, x, y, scale):
    for i, letter in enumerate(text):
        for column, bits in enumerate(bytes.fromhex(FONT.get(letter, '00' * 5))):
            for row in range(7):
                if bits >> row & 1:
                    left, top = x + (6 * i + column) * scale, y + row * scale
                    picture[top:top + scale, left:left + scale] = 4


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: docs/bloom_split.py AFTERGLOW')
    tool = sys.argv[1]
    rows = {results.row_key(row): row for row in
            results.load(os.path.join(os.path.dirname(results.__file__), 'results', 'nvidia-h200.json'), None)['rows']}

    def microseconds(subject, variant):
        return f"{rows['bloom', subject, variant, *SIZE]['gpu_hot_us']['median']:.0f} us"

    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            print('afterglow', *words, flush=True)
            subprocess.run([tool, *words], check=True, stdout=subprocess.DEVNULL)

        frame, star, both = (os.path.join(folder, name) for name in ('frame.npy', 'star.npy', 'both.npy'))
        run('scene', '-o', frame, '--size', '{}x{}'.format(*SIZE))
        run('run', 'bloom', frame, '-o', star, '--format', 'rgba16f', '--set', 'resolution=auto', *SETTINGS)
        x, y, width, height = PART
        part = np.s_[y:y + height, x:x + width, :3]
        picture = np.concatenate([np.load(star)[part], pyramid(np.load(frame)[..., :3], 0.2)[part]], 1)
        picture[:, width - 1:width + 1] = 0.3
        write(picture, 'AFTERGLOW ' + microseconds('afterglow', 'aperture resolution=auto'), 24, height - 45, 3)
        write(picture, 'PYRAMID ' + microseconds('pyramid', 'rgba16f chain'), width + 24, height - 45, 3)
        np.save(both, np.concatenate([picture, np.ones_like(picture[..., :1])], 2).astype(np.float32))
        run('run', 'downsample', both, '-o', os.path.join(DOCS, 'images', 'bloom_split.jpg'), '--size',
            '{}x{}'.format(width * 3 // 2, height * 3 // 4), '--tonemap', 'aces')


if __name__ == '__main__':
    main()
