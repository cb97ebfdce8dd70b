#!/usr/bin/env python3
# docs/focus_gallery.py - makes the pictures of docs/depth_of_field.md with the command line; needs NumPy and Pillow
# SPDX-License-Identifier: MIT
#
#     docs/focus_gallery.py build/release/bin/afterglow
import pathlib
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

DOCS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / 'tests' / 'focus'))
import check_lens

LENS = ('encoding=linear', 'focus_distance=10.2', 'f_number=1.2', 'focal_length=85', 'max_radius=64')
CLOSE = {'rod_near': (56, 28, 72, 64), 'two_near': (46, 24, 72, 64), 'lamps': (140, 24, 72, 64), 'leaf': (44, 32, 72, 64)}


def street(tool, folder, size, *settings):
    def run(*words):
        subprocess.run([tool, *words], check=True, cwd=folder, stdout=subprocess.DEVNULL)

    run('scene', '-o', 'street.npy', '--depth', 'depth.npy', '--size', size)
    run('run', 'depth_of_field', 'street.npy', '-o', 'out.npy', '--slot', 'depth=depth.npy', '--set', *LENS, *settings)
    return check_lens.as_seen(numpy.load(f'{folder}/out.npy')[..., :3])


def save(name, codes):
    Image.fromarray((255 * codes + 0.5).astype('u1')).save(DOCS / 'images' / name, quality=87, optimize=True)


def closer(codes, crop, times):
    x, y, w, h = crop
    return codes[y:y + h, x:x + w].repeat(times, 0).repeat(times, 1)


def beside(pictures):
    gap = numpy.ones((pictures[0].shape[0], 6, 3))
    return numpy.concatenate([part for p in pictures for part in (p, gap)][:-1], 1)


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        save('depth_of_field.jpg', street(tool, folder, '1280x720'))
        blades = [street(tool, folder, '1920x1080', f'blades={n}', 'roundness=0.1') for n in (5, 6, 9)]
        save('depth_of_field_blades.jpg', beside([closer(p, (560, 338, 140, 52), 3) for p in blades]))
        rows = []
        for name, crop in CLOSE.items():
            data = numpy.load(check_lens.TRUTH / f'{name}.npz')
            made = [check_lens.Effect(tool, folder, {'method': m})(data['colour'], data['radius'])
                    for m in ('gather', 'tables')]
            rows.append(beside([closer(check_lens.as_seen(p), crop, 4) for p in (made[0], data['truth'], made[1])]))
        gap = numpy.ones((6, rows[0].shape[1], 3))
        save('depth_of_field_truth.jpg', numpy.concatenate([part for r in rows for part in (r, gap)][:-1]))


if __name__ == '__main__':
    main()
