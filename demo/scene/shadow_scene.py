#!/usr/bin/env python3
# shadow_scene.py - pillars, a wall with a gap and a ball in the sun: what soft_shadow needs to know
# SPDX-License-Identifier: MIT
#
#   shadow_scene.py FOLDER [AFTERGLOW [SETTING ...]]
#
# Writes map.npy (the sun's orthographic depths, metres) and depth.npy (the camera's, metres) into
# FOLDER, and prints the settings of soft_shadow. With AFTERGLOW, the command line: runs it, and
# writes shadow.png, the scene lit by the mask.
import math
import struct
import subprocess
import sys
import zlib
from array import array

W, H, MAP, ACROSS, FAR = 640, 360, 768, 16.0, 24.0  # texels, texels; metres across the map, deep
EYE, FORWARD = (0.0, 2.6, -6.5), (0.0, -0.28, 1.0)
SUN = (0.55, -0.62, 0.35)  # where its light goes
BOXES = [(x, x + 0.3, 0.0, 3.2, 1.5, 1.8) for x in (-3.0, -1.2, 0.6, 2.4)] + \
        [(-3.3, 3.0, 3.2, 3.45, 1.4, 1.9), (-4.5, -4.3, 0.0, 1.4, -2.5, 1.0), (1.2, 2.0, 0.0, 0.5, -1.6, -0.8)]
BALL = (-1.0, 0.7, -1.5, 0.7)  # centre, radius


def dot(a, b): return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(a):
    n = math.sqrt(dot(a, a))
    return (a[0] / n, a[1] / n, a[2] / n)


def cross(a, b): return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def hit_box(o, d, b):
    near, far, axis = 0.0, 1e9, 1
    for i in range(3):
        if abs(d[i]) < 1e-12:
            if not b[2 * i] <= o[i] <= b[2 * i + 1]:
                return None
            continue
        t0, t1 = (b[2 * i] - o[i]) / d[i], (b[2 * i + 1] - o[i]) / d[i]
        if min(t0, t1) > near:
            near, axis = min(t0, t1), i
        far = min(far, max(t0, t1))
    return (near, axis) if 0 < near < far else None


def trace(o, d):  # distance in lengths of d, normal
    t, n = (-o[1] / d[1] if d[1] < 0 else 1e9), (0.0, 1.0, 0.0)
    for b in BOXES:
        h = hit_box(o, d, b)
        if h and h[0] < t:
            t, n = h[0], tuple((-1.0 if d[i] > 0 else 1.0) * (i == h[1]) for i in range(3))
    to = tuple(o[i] - BALL[i] for i in range(3))
    a, half = dot(d, d), dot(to, d)
    root = half * half - a * (dot(to, to) - BALL[3] ** 2)
    if root > 0 and 0 < (-half - math.sqrt(root)) / a < t:
        t = (-half - math.sqrt(root)) / a
        n = unit(tuple(to[i] + d[i] * t for i in range(3)))
    return t, n


def write_npy(path, width, height, values):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (height, width)
    head += ' ' * (117 - len(head)) + '\n'
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + array('f', values).tobytes())


def write_png(path, width, height, rows):
    def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
                   chunk(b'IDAT', zlib.compress(b''.join(b'\0' + r for r in rows))) + chunk(b'IEND', b''))


def main():
    folder, tool = sys.argv[1], sys.argv[2:3]
    f = unit(FORWARD)
    right = unit(cross((0, 1, 0), f))
    up, tx, ty = cross(f, right), 0.8, 0.8 * H / W
    ray = lambda x, y: tuple(f[i] + tx * (2 * x - 1) * right[i] + ty * (1 - 2 * y) * up[i] for i in range(3))
    light = unit(SUN)
    aside = unit(cross((0, 1, 0), light))
    along = cross(light, aside)
    origin = tuple(-light[i] * FAR / 2 for i in range(3))
    print('tracing', file=sys.stderr)
    seen = [trace(EYE, ray((i % W + 0.5) / W, (i // W + 0.5) / H)) for i in range(W * H)]
    write_npy(folder + '/depth.npy', W, H, [min(s[0], 1e6) for s in seen])
    depths = []
    for i in range(MAP * MAP):
        u, v = ((i % MAP + 0.5) / MAP - 0.5) * ACROSS, ((i // MAP + 0.5) / MAP - 0.5) * ACROSS
        depths.append(min(trace(tuple(origin[k] + u * aside[k] + v * along[k] for k in range(3)), light)[0], FAR))
    write_npy(folder + '/map.npy', MAP, MAP, depths)

    def column(p, one):  # of the matrix, for a direction or a point of the world
        return [dot(p, aside) / ACROSS + 0.5 * one, dot(p, along) / ACROSS + 0.5 * one,
                dot(p, light) + FAR / 2 * one, one]
    columns = column(tuple(2 * tx * c for c in right), 0.0) + column(tuple(-2 * ty * c for c in up), 0.0) + \
        column(ray(0, 0), 0.0) + column(EYE, 1.0)
    options = ['to_light=' + ','.join('%.7g' % c for c in columns), 'view=linear', 'encoding=linear',
               'near_plane=0.001', 'far_plane=%g' % FAR, 'map_width=%g' % ACROSS, 'light_angle=8'] + sys.argv[3:]
    print(' '.join('--set ' + o for o in options))
    if not tool:
        return
    subprocess.run([*tool, 'run', 'soft_shadow', folder + '/map.npy', folder + '/depth.npy', '-o', folder + '/mask.npy',
                    *[w for o in options for w in ('--set', o)]], check=True, stdout=subprocess.DEVNULL)
    mask = array('f')
    data = open(folder + '/mask.npy', 'rb').read()
    mask.frombytes(data[10 + struct.unpack('<H', data[8:10])[0]:])
    rows = [bytearray() for _ in range(H)]
    channels = len(mask) // (W * H)
    for i, (t, n) in enumerate(seen):
        lit = mask[i * channels] * max(0.0, -dot(n, light))
        sky = 0.10 + 0.06 * n[1]
        c = [0.35, 0.5, 0.75] if t > 1e6 else [0.72 * (1.15 * lit * s + sky * b) for s, b in
                                             zip((1.0, 0.92, 0.78), (0.8, 1.0, 1.4))]
        rows[i // W] += bytes(int(255 * min(1.0, v) ** (1 / 2.2) + 0.5) for v in c)
    write_png(folder + '/shadow.png', W, H, rows)


main()
