#!/usr/bin/env python3
"""check_exr.py PATH_OF_AFTERGLOW: .exr files, made and read here without OpenEXR, in and out of the command line.

Needs Python's standard library alone.

SPDX-License-Identifier: MIT
"""
import random, struct, sys, zlib

from files import expect, main, npy, reads, refuse, refuses, refuses_memory, report, values, write

NONE, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA, DWAB = range(10)
LINES = {NONE: 1, RLE: 1, ZIPS: 1, ZIP: 16, PIZ: 32, PXR24: 16, B44: 32, DWAA: 32}  # of a chunk
UINT, HALF, FLOAT = range(3)
FORMS = {UINT: 'I', HALF: 'e', FLOAT: 'f'}


def predict(raw):
    """Bytes at even places first, then those at odd ones; each as its difference from the one before."""
    moved = raw[0::2] + raw[1::2]
    return bytes([moved[0]]) + bytes((b - a + 128) & 255 for a, b in zip(moved, moved[1:]))


def run_lengths(data):
    """(n - 1, byte): n times that byte; (-n, bytes...): n bytes as they are."""
    out, at = b'', 0
    while at < len(data):
        end = at
        while end < len(data) and end - at < 127 and data[end] == data[at]:
            end += 1
        if end - at >= 3:
            out += struct.pack('bB', end - at - 1, data[at])
        else:
            end = min(at + 3, len(data))
            out += struct.pack('b', at - end) + data[at:end]
        at = end
    return out


def compress(method, raw):
    packed = raw
    if method == RLE:
        packed = run_lengths(predict(raw))
    elif method in (ZIPS, ZIP):
        packed = zlib.compress(predict(raw))
    return packed if len(packed) < len(raw) else raw


def attribute(name, kind, data):
    return name.encode() + b'\0' + kind.encode() + b'\0' + struct.pack('<i', len(data)) + data


def exr(width, height, planes, method=ZIP, tiles=None, corner=(0, 0), flags=0, sampling=1, extra=b'', level=0, order=0):
    """`planes`: of each channel by name its type and width * height numbers. `tiles`: their size."""
    names = sorted(planes)
    window = struct.pack('<4i', corner[0], corner[1], corner[0] + width - 1, corner[1] + height - 1)
    channels = b''.join(name.encode() + b'\0' + struct.pack('<iB3xii', planes[name][0], 0, sampling, sampling)
                        for name in names) + b'\0'
    head = struct.pack('<ii', 20000630, 2 | flags | (0x200 if tiles else 0))
    head += attribute('channels', 'chlist', channels) + attribute('compression', 'compression', bytes((method,)))
    head += attribute('dataWindow', 'box2i', window) + attribute('displayWindow', 'box2i', struct.pack('<4i', 0, 0, 9, 9))
    head += attribute('lineOrder', 'lineOrder', bytes((order,))) + attribute('pixelAspectRatio', 'float', struct.pack('<f', 1))
    head += attribute('screenWindowCenter', 'v2f', bytes(8)) + attribute('screenWindowWidth', 'float', struct.pack('<f', 1))
    if tiles:
        head += attribute('tiles', 'tiledesc', struct.pack('<IIB', *tiles, level))
    head += extra + b'\0'

    def raw(x, y, w, h):
        out = b''
        for line in range(y, y + h):
            for name in names:
                kind, numbers = planes[name]
                at = line * width + x
                out += struct.pack('<%d%s' % (w, FORMS[kind]), *numbers[at:at + w])
        return compress(method, out)

    chunks = []
    if tiles:
        for y in range(0, height, tiles[1]):
            for x in range(0, width, tiles[0]):
                data = raw(x, y, min(tiles[0], width - x), min(tiles[1], height - y))
                chunks.append(struct.pack('<5i', x // tiles[0], y // tiles[1], 0, 0, len(data)) + data)
    else:
        step = LINES[method]
        for y in range(0, height, step):
            data = raw(0, y, width, min(step, height - y))
            chunks.append(struct.pack('<ii', corner[1] + y, len(data)) + data)
    places, at = [], len(head) + 8 * len(chunks)
    for chunk in chunks:
        places.append(at)
        at += len(chunk)
    order_of = list(range(len(chunks)))
    return head + b''.join(struct.pack('<Q', places[i]) for i in order_of) + b''.join(chunks)


def undo(method, data, size):
    if len(data) == size or method == NONE:
        return data
    moved = bytearray(zlib.decompress(data))
    for i in range(1, len(moved)):
        moved[i] = (moved[i - 1] + moved[i] - 128) & 255
    half = (len(moved) + 1) // 2
    out = bytearray(len(moved))
    out[0::2], out[1::2] = moved[:half], moved[half:]
    return bytes(out)


def read_exr(path):
    """Of each channel its type and the bits of its numbers, and the size; of scan lines, none or zip."""
    with open(path, 'rb') as file:
        data = file.read()
    assert struct.unpack('<ii', data[:8]) == (20000630, 2), data[:8]
    at, found = 8, {}
    while data[at]:
        name, kind, rest = data[at:].split(b'\0', 2)
        start = at + len(name) + len(kind) + 6
        size = struct.unpack('<i', data[start - 4:start])[0]
        found[name.decode()] = data[start:start + size]
        at = start + size
    at += 1
    channels, text = [], found['channels']
    while text[0]:
        name, text = text.split(b'\0', 1)
        channels.append((name.decode(), struct.unpack('<i', text[:4])[0]))
        text = text[16:]
    x0, y0, x1, y1 = struct.unpack('<4i', found['dataWindow'])
    width, height, method = x1 - x0 + 1, y1 - y0 + 1, found['compression'][0]
    step, planes = LINES[method], {name: (kind, []) for name, kind in channels}
    for i in range((height + step - 1) // step):
        place = struct.unpack('<Q', data[at + 8 * i:at + 8 * i + 8])[0]
        y, size = struct.unpack('<ii', data[place:place + 8])
        lines = min(step, height - (y - y0))
        whole = lines * width * sum(2 if kind == HALF else 4 for _, kind in channels)
        raw = undo(method, data[place + 8:place + 8 + size], whole)
        for line in range(lines):
            for name, kind in channels:
                bytes_of = 2 if kind == HALF else 4
                planes[name][1].extend(struct.unpack('<%d%s' % (width, 'H' if kind == HALF else 'I'),
                                                     raw[:width * bytes_of]))
                raw = raw[width * bytes_of:]
    return width, height, planes


def numbers(count, kind, seed):
    """Finite and normal ones of both signs, such that a texture's arithmetic keeps them."""
    source = random.Random(seed)
    made = [source.uniform(0.01, 1) * 2 ** source.randint(-10, 12) * source.choice((1, -1)) for _ in range(count)]
    return list(struct.unpack('<%d%s' % (count, FORMS[kind]), struct.pack('<%d%s' % (count, FORMS[kind]), *made)))


def interleaved(planes, names):
    return [value for texel in zip(*(planes[name][1] for name in names)) for value in texel]


def pictures():
    size = 37, 21
    for kind in HALF, FLOAT:
        for names in 'RGB', 'RGBA', 'Y':
            planes = {name: (kind, numbers(size[0] * size[1], kind, ord(name))) for name in names}
            for method in NONE, RLE, ZIPS, ZIP:
                for tiles in None, (16, 8), (64, 64):
                    if tiles and (names == 'RGBA') != (method in (RLE, ZIP)):
                        continue  # a share of tiles is enough
                    write('p.exr', exr(*size, planes, method, tiles, corner=(-5, 7) if names == 'RGB' else (0, 0)))
                    reads('p.exr', interleaved(planes, names))
    flat = {'Y': (HALF, [1.5] * 600), 'A': (HALF, [0.25] * 600)}
    reads(write('grey.exr', exr(30, 20, flat, RLE)), [1.5, 1.5, 1.5, 0.25] * 600)
    mixed = {'R': (HALF, [1, 2]), 'G': (FLOAT, [3, 4]), 'B': (HALF, [5, 6]), 'id': (UINT, [7, 8]), 'Z': (FLOAT, [9, 1e9])}
    reads(write('mixed.exr', exr(2, 1, mixed)), [1, 3, 5, 2, 4, 6])
    job = 'run', 'convolve', 'mixed.exr', 'one.npy', '-o', 'o.npy', '--channels'
    expect(0, *job, 'Z')
    report(values('o.npy') == struct.unpack('<2f', struct.pack('<2f', 9, 1e9)), 'a channel by its name', values('o.npy'))
    expect(0, *job, 'B,R')
    report(values('o.npy') == (5, 1, 6, 2), 'channels in the order of their names', values('o.npy'))
    refuse('mixed.exr: no channel depth; the file has: B G R Z id', *job, 'depth')
    for none in 'R,,G', '', 'R,':
        refuse('no channel ; the file has', *job, none)
    refuse('at most 4 names', *job, 'R,G,B,R,G')
    refuse('has integers in these channels; expected half floats or floats', *job, 'id')
    depth = {'depth.Z': (FLOAT, [4, 5, 6])}
    reads(write('z.exr', exr(3, 1, depth)), [4, 5, 6])
    reads(write('named.png', exr(3, 1, depth)), [4, 5, 6])
    reads(write('levels.exr', exr(4, 4, {'Y': (HALF, list(range(16)))}, tiles=(4, 4), level=0)), list(range(16)))


def round_trip():
    """What is read and written again has the same bits, of its own type."""
    size = 33, 35
    for kind, form in (HALF, 'H'), (FLOAT, 'I'):
        for names in 'RGB', 'RGBA', 'Y':
            planes = {name: (kind, numbers(size[0] * size[1], kind, 7 + ord(name))) for name in names}
            write('in.exr', exr(*size, planes, ZIPS))
            expect(0, 'run', 'convolve', 'in.exr', 'one.npy', '-o', 'out.exr')
            width, height, found = read_exr('out.exr')
            wanted = {name: (kind, list(struct.unpack('<%d%s' % (len(plane), form),
                                                      struct.pack('<%d%s' % (len(plane), FORMS[kind]), *plane))))
                      for name, (_, plane) in planes.items()}
            if names == 'Y' and len(found) == 3:  # a slot that takes no narrow texture has made a picture of it
                wanted = {name: wanted['Y'] for name in 'RGB'}
            report((width, height) == size and found == wanted, 'round trip of %s %s' % (names, FORMS[kind]),
                   '%dx%d %s' % (width, height, {n: (k, p[:4]) for n, (k, p) in found.items()}))
    # 18 halves that zlib packs into the 36 bytes that they take: OpenEXR 3.1.5 writes what nobody can read then.
    bits = 37012, 49166, 10558, 49123, 37092, 10337, 4920, 17537, 0, 0, 0, 0, 0, 2304, 0, 2304, 0, 27648
    unlucky = struct.unpack('<18e', struct.pack('<18H', *bits))
    write('in.exr', exr(6, 3, {'Y': (HALF, unlucky)}))
    expect(0, 'run', 'convolve', 'in.exr', 'one.npy', '-o', 'out.exr')
    reads('out.exr', unlucky)
    expect(0, 'scene', '-o', 'scene.exr', '--size', '40x20')
    report(read_exr('scene.exr')[:2] == (40, 20), 'a scene as .exr')
    write('codes.npy', npy((2, 2), (1, 2, 3, 4)))
    expect(0, 'run', 'convolve', 'codes.npy', 'one.npy', '-o', 'o.exr', '--compare', 'codes.npy')
    expect(0, 'run', 'convolve', 'o.exr', 'one.npy', '--compare', 'codes.npy')
    write('in.exr', exr(33, 35, {name: (HALF, numbers(33 * 35, HALF, 3)) for name in 'RGB'}))
    expect(0, 'run', 'mipchain', 'in.exr', '-o', 'chain/')
    report(read_exr('chain/texture_L01.exr')[:2] == (16, 17), 'levels keep their input\'s type')


def damage():
    few = {'R': (HALF, numbers(160, HALF, 1)), 'G': (HALF, numbers(160, HALF, 2)), 'B': (HALF, numbers(160, HALF, 3))}
    whole = exr(16, 10, few, ZIPS)
    for cut in range(97, len(whole), 97):
        refuses(write('cut.exr', whole[:cut]), '.exr file is damaged or truncated')
    refuses(write('cut.exr', whole[:-1]), '.exr file is damaged or truncated')
    refuses(write('cut.exr', whole[:3]), 'not a .exr file')
    for tiles in (4, 4), (16, 16):
        tiled = exr(16, 10, few, ZIP, tiles)
        for cut in range(97, len(tiled), 97):
            refuses(write('cut.exr', tiled[:cut]), '.exr file is damaged or truncated')
    # Chunks that lie: of their place, line, and length.
    table = len(whole.split(b'screenWindowWidth\0float\0')[0]) + 24 + 4 + 4 + 1
    first = struct.unpack('<Q', whole[table:table + 8])[0]
    for at, form, value in ((table, '<Q', 0), (table, '<Q', len(whole) + 9), (table, '<Q', 2 ** 63), (first, '<i', 3),
                            (first, '<i', -9), (first + 4, '<i', -1), (first + 4, '<i', 2 ** 31 - 1), (first + 4, '<i', 0)):
        data = struct.pack(form, value) if value < 2 ** 63 else struct.pack('<Q', value)
        refuses(write('lie.exr', whole[:at] + data + whole[at + len(data):]), '.exr file is damaged or truncated')

    one = {'Y': (HALF, [1] * 4)}
    for method, name in ((PIZ, 'piz'), (PXR24, 'pxr24'), (B44, 'b44'), (DWAA, 'dwaa')):
        refuses(write('other.exr', exr(2, 2, one, method)), 'is compressed by %s; expected none, rle, zips or zip' % name)
    refuses(write('half.exr', exr(2, 2, one, sampling=2)), 'channels of fewer samples')
    refuses(write('five.exr', exr(1, 1, {name: (HALF, [1]) for name in 'abcde'})), 'expected --channels with up to 4 of: a b c')
    refuses(write('integers.exr', exr(1, 1, {'id': (UINT, [1])})), 'integers')
    huge = exr(2, 2, one).replace(struct.pack('<4i', 0, 0, 1, 1), struct.pack('<4i', 0, 0, 65535, 65535))
    # Long enough for what it claims: refused for the device, or for memory.
    for side, words in (65536, ()), (5000, ('--max-memory', '24M')):
        window = struct.pack('<4i', 0, 0, side - 1, side - 1)
        claim = exr(2, 2, one).replace(struct.pack('<4i', 0, 0, 1, 1), window) + bytes(side * side // 100)
        job = 'run', 'convolve', write('claim.exr', claim), 'one.npy', '-o', 'none.npy', *words
        refuses_memory(*job) if words else refuse('this device takes up to', *job)
    refuses(write('huge.exr', huge), '.exr')
    for corners in (0, 0, 65536, 1), (0, 0, -1, -1), (-2 ** 31, 0, 2 ** 31 - 1, 1), (5, 5, 1, 1):
        refuses(write('window.exr', exr(2, 2, one).replace(struct.pack('<4i', 0, 0, 1, 1), struct.pack('<4i', *corners))),
                '.exr')


def several_parts():
    """Two parts of 1 x 1: headers one after the other, an empty one, two tables, and chunks with their part's number."""
    def header(name):
        single = exr(1, 1, {'Y': (HALF, [1])}, NONE,
                     extra=attribute('name', 'string', name) + attribute('type', 'string', b'scanlineimage') +
                     attribute('chunkCount', 'int', struct.pack('<i', 1)))
        return single[8:-18]  # without magic number and version, table of one and chunk of 10 bytes

    heads = struct.pack('<ii', 20000630, 2 | 0x1000) + header(b'left') + header(b'right') + b'\0'
    chunk = lambda part: struct.pack('<iii', part, 0, 2) + struct.pack('<e', 1)
    tables = struct.pack('<QQ', len(heads) + 16, len(heads) + 30)
    refuses(write('parts.exr', heads + tables + chunk(0) + chunk(1)), 'has 2 parts; expected one')


sys.exit(main('exr', pictures, round_trip, damage, several_parts))
