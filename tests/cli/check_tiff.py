#!/usr/bin/env python3
"""check_tiff.py PATH_OF_AFTERGLOW: .tif and .webp files, against a reader and writer of TIFF in Python, value for value.

SPDX-License-Identifier: MIT
"""
import ctypes, ctypes.util, filecmp, itertools, math, os, random, struct, sys, zlib

from files import expect, load, main, npy, reads, refuse, refuses, refuses_memory, report, run, write

W, H = 33, 21
rng = random.Random(20261126)
CODES = {(8, 1): 'B', (16, 1): 'H', (16, 3): 'e', (32, 3): 'f', (64, 3): 'd'}  # bits and format of a sample
TYPES = {3: 'H', 4: 'I', 5: 'II'}


def entry(order, tag, kind, values, heap, base):
    data = struct.pack('%s%d%s' % (order, len(values), TYPES[kind]), *values)
    if len(data) > 4:
        at = base + len(heap)
        heap += data + bytes(len(data) % 2)
        data = struct.pack(order + 'I', at)
    return struct.pack(order + 'HHI', tag, kind, len(values)) + data.ljust(4, b'\0')


def tiff(numbers, channels, bits=8, form=1, order='<', tile=0, rows=0, planar=False, deflate=False, photometric=None, extra=None,
         width=W, height=H, tags=()):
    """A file of these numbers, row by row; strips of `rows` rows, or square tiles."""
    code = CODES[bits, form]
    parts = []
    for plane in range(channels if planar else 1):
        def sample(x, y, c):
            return numbers[(y * width + x) * channels + c] if x < width and y < height else 0
        which = [plane] if planar else range(channels)
        boxes = ([(x, y, tile, tile) for y in range(0, height, tile) for x in range(0, width, tile)] if tile
                 else [(0, y, width, min(rows or height, height - y)) for y in range(0, height, rows or height)])
        for x0, y0, w, h in boxes:
            flat = [sample(x, y, c) for y in range(y0, y0 + h) for x in range(x0, x0 + w) for c in which]
            data = struct.pack('%s%d%s' % (order, len(flat), code), *flat)
            parts.append(zlib.compress(data) if deflate else data)
    offsets, at = [], 8
    for part in parts:
        offsets.append(at)
        at += len(part) + len(part) % 2
    photometric = photometric if photometric is not None else (2 if channels > 2 else 1)
    rows_of = [(256, 4, [width]), (257, 4, [height]), (258, 3, [bits] * channels), (259, 3, [8 if deflate else 1]),
               (262, 3, [photometric]), (277, 3, [channels]), (284, 3, [2 if planar else 1]), (339, 3, [form] * channels), *tags]
    sizes = [len(part) for part in parts]
    rows_of += ([(322, 4, [tile]), (323, 4, [tile]), (324, 4, offsets), (325, 4, sizes)] if tile
                else [(273, 4, offsets), (278, 4, [rows or height]), (279, 4, sizes)])
    if channels in (2, 4):
        rows_of.append((338, 3, [2 if extra is None else extra]))
    rows_of.sort()
    heap, base = bytearray(), at + 2 + 12 * len(rows_of) + 4
    entries = b''.join(entry(order, *row, heap, base) for row in rows_of)
    head = (b'II*\0' if order == '<' else b'MM\0*') + struct.pack(order + 'I', at)
    return (head + b''.join(part + bytes(len(part) % 2) for part in parts) + struct.pack(order + 'H', len(rows_of)) + entries +
            bytes(4) + bytes(heap))


def untiff(path):
    """Tags and numbers of a file as the command line writes it: strips, Deflate, a predictor."""
    with open(path, 'rb') as file:
        data = file.read()
    (at,) = struct.unpack('<I', data[4:8])
    (count,) = struct.unpack('<H', data[at:at + 2])
    tags = {}
    for i in range(count):
        tag, kind, n = struct.unpack('<HHI', data[at + 2 + 12 * i:at + 10 + 12 * i])
        place = at + 10 + 12 * i
        size = n * struct.calcsize('<' + TYPES[kind])
        if size > 4:
            (place,) = struct.unpack('<I', data[place:place + 4])
        tags[tag] = struct.unpack('<%d%s' % (n, TYPES[kind]), data[place:place + size])
    width, height, channels, bits, form = tags[256][0], tags[257][0], tags[277][0], tags[258][0], tags[339][0]
    flat, bytes_of = [], bits // 8
    for offset, size in zip(tags[273], tags[279]):
        strip = zlib.decompress(data[offset:offset + size])
        for start in range(0, len(strip), width * channels * bytes_of):
            row = bytearray(strip[start:start + width * channels * bytes_of])
            if tags[317][0] == 3:  # bytes of floats, the highest of all first, and differences of bytes
                for i in range(channels, len(row)):
                    row[i] = (row[i] + row[i - channels]) & 255
                n = width * channels
                row = bytearray(b''.join(bytes(row[plane * n + i] for plane in range(bytes_of)) for i in range(n)))
                values = list(struct.unpack('>%d%s' % (n, CODES[bits, form]), row))
            else:
                values = list(struct.unpack('<%d%s' % (width * channels, CODES[bits, form]), row))
                for i in range(channels, len(values)):
                    values[i] = (values[i] + values[i - channels]) & ((1 << bits) - 1)
            flat += values
    return (width, height, channels, bits, form), tags, flat


def decode(x):
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def light(numbers, channels, bits, form):
    """What a shader reads: of floats the values, of codes light; alpha has no curve, and grey with alpha has four channels."""
    if form == 3:
        return numbers
    top = (1 << bits) - 1
    out = [v / top if channels in (2, 4) and i % channels == channels - 1 else decode(v / top) for i, v in enumerate(numbers)]
    return [out[i + k] for i in range(0, len(out), 2) for k in (0, 0, 0, 1)] if channels == 2 else out


def numbers_of(count, bits, form):
    if form == 3:
        return [struct.unpack('<e', struct.pack('<e', rng.expovariate(1)))[0] for _ in range(count)]
    return [rng.randrange(1 << bits) for _ in range(count)]


def read():
    for (bits, form), channels in itertools.product(((8, 1), (16, 1), (16, 3), (32, 3)), (1, 2, 3, 4)):
        numbers = numbers_of(W * H * channels, bits, form)
        for k, layout in enumerate(({}, {'order': '>', 'rows': 5}, {'tile': 16, 'deflate': True}, {'planar': True, 'rows': 4},
                                    {'planar': True, 'tile': 16, 'order': '>'})):
            path = 'in_%d_%d_%d_%d.%s' % (bits, form, channels, k, ('tif', 'tiff', 'TIF')[k % 3])
            write(path, tiff(numbers, channels, bits, form, **layout))
            reads(path, light(numbers, channels, bits, form), 0 if form == 3 else 1e-6)
    numbers = numbers_of(W * H, 8, 1)
    write('white.tif', tiff(numbers, 1, photometric=0))
    reads('white.tif', light([255 - v for v in numbers], 1, 8, 1), 1e-6)
    colours = [rng.randrange(256) for _ in range(768)]  # by channel; 16 bits of which the high ones count
    write('palette.tif', tiff(numbers, 1, photometric=3, tags=[(320, 3, [v * 257 for v in colours])]))
    reads('palette.tif', light([colours[256 * c + v] for v in numbers for c in range(3)], 3, 8, 1), 1e-6)


def written():
    """What a reader of its own finds in files that the command line makes, and the command line in them."""
    for channels in 1, 2, 3, 4:
        shape = (H, W) if channels == 1 else (H, W, channels)
        numbers = numbers_of(W * H * channels, 16, 3)
        write('f.npy', npy(shape, numbers))
        for bits, options in (32, ''), (16, '--format rgba16f' if channels > 2 else '--format r%s16f' % 'g'[:channels - 1]):
            expect(0, *('run convolve f.npy one.npy -o f.tif ' + options).split())
            kind, _, flat = untiff('f.tif')
            expect(0, *('run convolve f.npy one.npy -o f.exr ' + options).split())
            good = kind == (W, H, channels, bits, 3) and flat == numbers
            report(good, '.tif of floats, %d bits, %d channels' % (bits, channels), (kind, flat[:4], numbers[:4]))
            reads('f.tif', numbers)
        for bits in 8, 16:
            expect(0, *('run convolve f.npy one.npy -o c.tif --dither off --bits %d' % bits).split())
            kind, tags, flat = untiff('c.tif')
            expect(0, *('run convolve f.npy one.npy -o c.png --dither off --bits %d' % bits).split())
            report(kind == (W, H, channels, bits, 1), '.tif of codes, %d bits, %d channels' % (bits, channels), kind)
            expect(0, *'run convolve c.png one.npy -o p.npy'.split())
            reads('c.tif', load('p.npy')[2])
            top = (1 << bits) - 1
            alpha = lambda i: channels % 2 == 0 and i % channels == channels - 1
            encode = lambda v: v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055
            wanted = [top * (min(v, 1) if alpha(i) else encode(min(v, 1))) for i, v in enumerate(numbers)]
            worst = max(abs(a - b) for a, b in zip(flat, wanted))
            report(worst < 0.51, 'its codes are the nearest', worst)
    numbers = numbers_of(W * H * 3, 16, 1)  # what held codes stays codes, of as many bits
    for bits, form in (8, 1), (16, 1):
        write('in.tif', tiff([v >> 16 - bits for v in numbers], 3, bits, form))
        expect(0, *'run convolve in.tif one.npy -o out.tif --format rgba32f'.split())
        report(untiff('out.tif')[0][3:] == (bits, 1), '%d bits stay' % bits, untiff('out.tif')[0])
        report(untiff('out.tif')[2] == [v >> 16 - bits for v in numbers], 'and so do the codes')
    expect(0, *'run convolve in.tif one.npy -o again.tif --format rgba32f'.split())
    report(filecmp.cmp('out.tif', 'again.tif', shallow=False), 'the same command writes the same bytes')


def webp():
    library = ctypes.util.find_library('webp')
    if not library:
        return
    encoder = ctypes.CDLL(library)
    for channels, name in (3, 'WebPEncodeLosslessRGB'), (4, 'WebPEncodeLosslessRGBA'):
        numbers = numbers_of(W * H * channels, 8, 1)
        if channels == 4:
            numbers[3] = 128  # or libwebp finds no alpha to keep, and it clears colours where there is none
            numbers = [max(v, 1) if i % 4 == 3 else v for i, v in enumerate(numbers)]
        made = ctypes.POINTER(ctypes.c_uint8)()
        encode = getattr(encoder, name)
        encode.restype = ctypes.c_size_t
        size = encode(bytes(numbers), W, H, W * channels, ctypes.byref(made))
        write('w.webp', ctypes.string_at(made, size))
        reads('w.webp', light(numbers, channels, 8, 1), 1e-6)
        with open('w.webp', 'rb') as file:
            data = file.read()
        write('short.webp', data[:len(data) // 2])
        refuses('short.webp', 'truncated')
    expect(0, *'run convolve w.webp --slot kernel=one.npy -o folder/'.split())
    report(os.listdir('folder') == ['w.png'], 'a folder gets .png of a .webp', os.listdir('folder'))
    refuse('expected one of .npy .png .jpg .hdr .exr .tif', *'run convolve w.webp one.npy -o none.webp'.split())
    refuses_memory(*'run convolve w.webp one.npy -o none.npy --max-memory 64K'.split())


def wrong():
    good = tiff(numbers_of(W * H * 3, 8, 1), 3, deflate=True)
    for path, data, said in (
            ('short.tif', good[:len(good) // 2], 'damaged or truncated'), ('empty.tif', b'', 'not a .tif file'),
            ('head.tif', good[:8], 'damaged or truncated'),
            ('double.tif', tiff([1.0] * (W * H), 1, 64, 3), 'expected 8 or 16 bits'),
            ('five.tif', tiff([1] * (W * H * 5), 5, photometric=2, tags=[(338, 3, [0, 0])]), '1 to 4'),
            ('wide.tif', tiff([1], 1, width=1, height=1, tags=()).replace(struct.pack('<HHII', 256, 4, 1, 1),
                                                                        struct.pack('<HHII', 256, 4, 1, 70000)), '65536'),
            ('zstd.tif', tiff([1] * (W * H), 1).replace(struct.pack('<HHIHH', 259, 3, 1, 1, 0),
                                                        struct.pack('<HHIHH', 259, 3, 1, 50000, 0)), 'compression')):
        refuses(write(path, data), said)
    # Strips that the file does not have.
    large = tiff([1], 1, width=1, height=1)
    for tag in 256, 257, 278:
        large = large.replace(struct.pack('<HHII', tag, 4, 1, 1), struct.pack('<HHII', tag, 4, 1, 8000))
    got, said = run('run', 'convolve', write('large.tif', large), 'one.npy', '-o', 'none.npy')
    report(got == 2 and 'truncated' in said, 'a small file that says it is large', said)
    refuses_memory(*'run convolve large.tif one.npy -o none.npy --max-memory 64M'.split())
    many = 0
    for _ in range(60):  # whatever a byte becomes, no crash
        data = bytearray(good)
        for _ in range(rng.choice((1, 2, 8))):
            data[rng.choice((rng.randrange(len(data)), rng.randrange(len(data) - 200, len(data)), rng.randrange(8)))] = rng.randrange(256)
        write('bent.tif', bytes(data))
        many += run('run', 'convolve', 'bent.tif', 'one.npy', '-o', 'bent.npy', '--max-memory', '64M')[0] not in (0, 2)
    report(many == 0, 'damaged files are read or refused', many)


sys.exit(main('tiff', read, written, webp, wrong))
