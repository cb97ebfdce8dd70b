#!/usr/bin/env python3
# docs/bloom_gallery.py - makes the pictures of docs/bloom.md with the command line
# SPDX-License-Identifier: MIT
#
#     docs/bloom_gallery.py build/release/bin/afterglow
#
# Every tile is the output of one command; this script only names the settings and puts tiles side by side.
import array
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

GAP, GREY = 4, 48


def read_png(path):
    with open(path, 'rb') as file:
        data = file.read()
    at, packed = 8, b''
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b'IHDR':
            width, height, bits, colour = struct.unpack('>IIBB', body[:10])
            assert bits == 8 and colour in (2, 6), path
        elif kind == b'IDAT':
            packed += body
    channels = 3 if colour == 2 else 4
    raw, stride, rows = zlib.decompress(packed), width * channels, []
    above = bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up = row[i - channels] if i >= channels else 0, above[i]
            corner = above[i - channels] if i >= channels else 0
            if kind == 1:
                row[i] = row[i] + left & 255
            elif kind == 2:
                row[i] = row[i] + up & 255
            elif kind == 3:
                row[i] = row[i] + (left + up) // 2 & 255
            elif kind == 4:
                guess = left + up - corner
                order = [abs(guess - left), abs(guess - up), abs(guess - corner)]
                row[i] = row[i] + (left, up, corner)[order.index(min(order))] & 255
        above = row
        rows.append(bytes(b for i, b in enumerate(row) if i % channels < 3))
    return width, height, rows


def write_png(path, width, rows):
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    header = struct.pack('>IIBBBBB', width, len(rows), 8, 2, 0, 0, 0)
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) +
                   chunk(b'IDAT', zlib.compress(b''.join(b'\0' + row for row in rows), 9)) + chunk(b'IEND', b''))


# Tiles of one size, row after row.
def sheet(path, columns, tiles, between=GAP):
    pictures = [read_png(tile) for tile in tiles]
    width, height = pictures[0][0], pictures[0][1]
    gap, rows = bytes([GREY]) * (3 * between), []
    for start in range(0, len(pictures), columns):
        line = pictures[start:start + columns]
        rows += [gap.join(picture[2][y] for picture in line) for y in range(height)]
        rows += [bytes([GREY]) * (3 * (width * columns + between * (columns - 1)))] * between
    write_png(path, width * columns + between * (columns - 1), rows[:len(rows) - between])


# A part of a picture, each texel as `zoom` x `zoom`.
def crop(path, x, y, width, height, zoom):
    rows = [row[3 * x:3 * (x + width)] for row in read_png(path)[2][y:y + height]]
    rows = [b''.join(row[i:i + 3] * zoom for i in range(0, 3 * width, 3)) for row in rows for _ in range(zoom)]
    write_png(path, width * zoom, rows)


# Values as float32 of shape (height, width, 3).
def write_npy(path, width, height, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, 3), }" % (height, width)
    header += ' ' * (63 - (len(header) + 10) % 64) + '\n'
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() +
                   array.array('f', values).tobytes())


# A kernel image: the glare of a cross-screen filter, eight rays that change their colour on the way out.
def write_cross(path):
    side, values = 199, []
    for y in range(-99, 100):
        for x in range(-99, 100):
            radius = math.hypot(x, y) + 1
            across = min(abs(x), abs(y), abs(x - y) / 2 ** 0.5, abs(x + y) / 2 ** 0.5)
            ray = math.exp(-across * across / 1.5) / radius ** 1.5 * max(1 - radius / 99, 0)
            for phase in (0, 2, 4):
                values.append(ray * (1 + 0.8 * math.sin(radius / 6 + phase)) + math.exp(-radius * radius / 8))
    write_npy(path, side, side, values)


# A dirt mask: rings and smears of dust, as float32 of shape (90, 160, 3).
def write_dirt(path):
    rng, width, height = random.Random(7), 160, 90
    light = [0.06] * (width * height)
    for _ in range(160):
        x, y, size = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(1, 7)
        bright = rng.uniform(0.1, 0.9) / size
        for j in range(height):
            for i in range(width):
                d = math.hypot(i - x, j - y) / size
                light[j * width + i] += bright * math.exp(-4 * (d - 0.6) ** 2) if d < 2 else 0
    write_npy(path, width, height, [v for v in light for _ in range(3)])


KERNEL = ['--height', '444', '--decades', '6']
SHAPES = [['shape=gaussian'], ['shape=aperture'], ['shape=star'], ['shape=anamorphic'], ['shape=texture']]
A, S, C = 'shape=aperture', 'shape=star', 'shape=anamorphic'
SETTINGS = [
    [[A, 'blades=5'], [A, 'blades=6'], [A, 'blades=8']],
    [[A, 'rotation=0'], [A, 'rotation=15'], [A, 'rotation=30']],
    [[A, 'roundness=0'], [A, 'roundness=0.5'], [A, 'roundness=1']],
    [[A, 'dispersion=0'], [A, 'dispersion=1'], [A, 'dispersion=2']],
    [[A, 'dust=0.1'], [A, 'dust=0.4'], [A, 'dust=1']],
    [[A, 'scratches=0.1'], [A, 'scratches=0.4'], [A, 'scratches=1']],
    [[S, 'eyelashes=0.15'], [S, 'eyelashes=0.5'], [S, 'eyelashes=1']],
    [[S, 'seed=1'], [S, 'seed=2'], [S, 'seed=3']],
    [[C, 'stretch=1.5'], [C, 'stretch=2'], [C, 'stretch=4']],
    [[C, 'streak=0'], [C, 'streak=0.35'], [C, 'streak=0.8']],
]
BLOOM = ['intensity=0.3', 'size=0.6']
NIGHT = [
    ['intensity=0'],
    BLOOM + ['shape=gaussian'],
    BLOOM + [A, 'rotation=15'],
    BLOOM + [A, 'rotation=15', 'dust=0.5', 'scratches=0.5'],
    BLOOM + [S],
    BLOOM + [C, 'streak=0.5', 'size=1.2'],
    BLOOM + [A, 'rotation=15', 'ghosts=8', 'ghost_intensity=0.015'],
    BLOOM + ['shape=gaussian', 'size=1', 'dirt'],
]

# Two settings a row, three values each, around the street lamp of the frame above.
FOG = 'shape=gaussian', 'size=1', 'intensity=0.06', 'dirt'
FRAME = [
    [['intensity=0.1'], ['intensity=0.3'], ['intensity=0.6']],
    [['size=0.2'], ['size=0.45'], ['size=0.9']],
    [['threshold=0'], ['threshold=5'], ['threshold=100']],
    [['clamp=0'], ['clamp=200'], ['clamp=20']],
    [['tint=1,0.6,0.3'], ['tint=1,1,1'], ['tint=0.4,0.7,1']],
    [['resolution=half', 'firefly=off'], ['resolution=half', 'firefly=clamp'], ['resolution=half', 'firefly=karis']],
    [['ghosts=2', 'ghost_intensity=0.03'], ['ghosts=5', 'ghost_intensity=0.03'], ['ghosts=8', 'ghost_intensity=0.03']],
    [[*FOG, 'dirt_intensity=2'], [*FOG, 'dirt_intensity=6'], [*FOG, 'dirt_intensity=16']],
]
FRAME_BASE = ['intensity=0.3', 'size=0.6', A, 'rotation=15']
FRAME_PART = 290, 28, 192, 108  # of 640 x 360
LOOK = ['intensity=0.3', 'size=0.45', 'rotation=15']
RESOLUTIONS = [A, S, C]
PART = 382, 370, 156, 94  # of 1920 x 1080: x, y, width, height; the brightest small lamp


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: docs/bloom_gallery.py AFTERGLOW')
    tool, images = sys.argv[1], os.path.join(os.path.dirname(os.path.abspath(__file__)), 'images')

    def run(*words):
        print('afterglow', *words, flush=True)
        subprocess.run([tool, *words], check=True, stdout=subprocess.DEVNULL)

    with tempfile.TemporaryDirectory() as folder:
        def place(name):
            return os.path.join(folder, name)

        def kernels(name, columns, lists):
            tiles = []
            for settings in lists:
                tiles.append(place('%s_%d.png' % (name, len(tiles))))
                sets = [word for value in ['size=0.45'] + settings for word in ('--set', value)]
                image = ['--image', place('cross.npy')] if 'shape=texture' in settings else []
                run('kernel', '-o', tiles[-1], *KERNEL, *image, *sets)
            sheet(os.path.join(images, name + '.png'), columns, tiles)

        write_cross(place('cross.npy'))
        kernels('bloom_shapes', len(SHAPES), SHAPES)
        kernels('bloom_settings', 6, [tile for row in SETTINGS for tile in row])

        run('scene', '-o', place('night.npy'), '--size', '640x360')
        write_dirt(place('dirt.npy'))
        tiles = []
        for settings in NIGHT:
            tiles.append(place('night_%d.png' % len(tiles)))
            sets = [word for value in settings if value != 'dirt' for word in ('--set', value)]
            slots = ['--slot', 'dirt=' + place('dirt.npy'), '--set', 'dirt_intensity=6'] if 'dirt' in settings else []
            run('run', 'bloom', place('night.npy'), '-o', tiles[-1], '--tonemap', 'aces', *sets, *slots)
        sheet(place('night.png'), 2, tiles)
        run('run', 'bloom', place('night.png'), '-o', os.path.join(images, 'bloom_night.jpg'), '--set', 'intensity=0')

        tiles = []
        for settings in (value for row in FRAME for value in row):
            tiles.append(place('frame_%d.png' % len(tiles)))
            base = [value for value in FRAME_BASE if value.split('=')[0] not in [own.split('=')[0] for own in settings]]
            sets = [word for value in base + settings if value != 'dirt' for word in ('--set', value)]
            slots = ['--slot', 'dirt=' + place('dirt.npy')] if 'dirt' in settings else []
            run('run', 'bloom', place('night.npy'), '-o', tiles[-1], '--tonemap', 'aces', *sets, *slots)
            crop(tiles[-1], *FRAME_PART, 1)
        sheet(place('frame.png'), 6, tiles)
        run('run', 'bloom', place('frame.png'), '-o', os.path.join(images, 'bloom_frame.jpg'), '--set', 'intensity=0')

        run('scene', '-o', place('large.npy'))
        tiles = []
        for shape in RESOLUTIONS:
            for resolution in ('full', 'half', 'quarter'):
                tiles.append(place('resolution_%d.png' % len(tiles)))
                sets = [word for value in [shape] + LOOK + ['resolution=' + resolution] for word in ('--set', value)]
                run('run', 'bloom', place('large.npy'), '-o', tiles[-1], '--tonemap', 'aces', '--format', 'rgba16f',
                    *sets)
                crop(tiles[-1], *PART, 2)
        sheet(place('resolutions.png'), 3, tiles)
        run('run', 'bloom', place('resolutions.png'), '-o', os.path.join(images, 'bloom_resolutions.jpg'), '--set',
            'intensity=0')

        # a frame of 8 bits: as it is, its codes as light, transfer = srgb; and the HDR frame
        run('scene', '-o', place('frame.npy'), '--size', '960x540')
        shown, sdr = ['--exposure', '1', '--tonemap', 'aces'], ['--linear', '--format', 'rgba8']
        look = ['--set', A, 'size=0.5', 'intensity=0.3']
        tiles = [place('light_%d.png' % i) for i in range(4)]
        run('run', 'bloom', place('frame.npy'), '-o', tiles[0], '--set', 'intensity=0', *shown)
        run('run', 'bloom', tiles[0], '-o', tiles[1], *look, *sdr)
        run('run', 'bloom', tiles[0], '-o', tiles[2], *look, 'transfer=srgb', *sdr)
        run('run', 'bloom', place('frame.npy'), '-o', tiles[3], *look, *shown)
        for tile in tiles:
            crop(tile, 200, 20, 600, 300, 1)
        sheet(place('light.png'), 2, tiles)
        run('run', 'bloom', place('light.png'), '-o', os.path.join(images, 'bloom_light.jpg'), '--set', 'intensity=0')


if __name__ == '__main__':
    main()
