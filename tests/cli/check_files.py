#!/usr/bin/env python3
"""check_files.py PATH_OF_AFTERGLOW: image files that are damaged, hostile or special, in and out of the command line.

Needs Python's standard library alone.

SPDX-License-Identifier: MIT
"""
import glob, json, os, socket, struct, subprocess, sys, zlib

from files import (AFTERGLOW, PATIENCE, expect, main, npy, peak, reads, refuse, refuses, refuses_memory, report, values,
                   write)


def radiance_files():
    def hdr(size, body, form='FORMAT=32-bit_rle_rgbe\n', name='RADIANCE'):
        return b'#?' + name.encode() + b'\n' + form.encode() + b'\n' + size.encode() + b'\n' + body

    one = bytes((128, 64, 32, 129))  # 1, 0.5, 0.25
    two = bytes((255, 0, 1, 128))
    colours = {one: (1, 0.5, 0.25), two: (255 / 256, 0, 1 / 256)}
    values_of = lambda *texels: [v for t in texels for v in colours[t]]
    new = lambda width: bytes((2, 2, width >> 8, width & 255))
    runs = b''.join(bytes((128 + 9, c)) for c in one)
    plain = b''.join(bytes((9,)) + bytes((c,)) * 9 for c in two)

    reads(write('flat.hdr', hdr('-Y 2 +X 1', one + two)), values_of(one, two))
    reads(write('flat9.hdr', hdr('-Y 1 +X 9', one * 4 + two * 5, name='RGBE')), values_of(*[one] * 4, *[two] * 5))
    reads(write('new.hdr', hdr('-Y 2 +X 9', new(9) + runs + new(9) + plain)), values_of(*[one] * 9, *[two] * 9))
    reads(write('old.hdr', hdr('-Y 1 +X 300', one + bytes((1, 1, 1, 40)) + bytes((1, 1, 1, 1)) + two * 3)),
          values_of(*[one] * 297, *[two] * 3))
    reads(write('mixed.hdr', hdr('-Y 2 +X 9', one + bytes((1, 1, 1, 8)) + new(9) + plain)),
          values_of(*[one] * 9, *[two] * 9))
    reads(write('black.hdr', hdr('-Y 1 +X 1', bytes((9, 9, 9, 0)))), (0, 0, 0))

    whole = hdr('-Y 2 +X 9', new(9) + runs + new(9) + plain)
    for cut in range(1, 44, 3):
        refuses(write('cut.hdr', whole[:-cut]), '.hdr file is truncated')
    refuses(write('endless.hdr', hdr('-Y 1 +X 9', new(9) + bytes((0,)) * 40)), 'a run has no length')
    refuses(write('empty_body.hdr', hdr('-Y 4 +X 4', b'')), 'truncated: 0 bytes cannot hold 4x4')
    refuses(write('huge.hdr', hdr('-Y 16384 +X 16384', one * 9)), 'truncated: 36 bytes')
    refuses(write('flat_cut.hdr', hdr('-Y 2 +X 3', one * 5)), 'it ends in line 2 of 2')
    refuses(write('zero.hdr', hdr('-Y 0 +X 0', one)), '0x0; expected 1..65536')
    refuses(write('wide.hdr', hdr('-Y 1 +X 65537', one)), '65537x1; expected')
    refuses(write('minus.hdr', hdr('-Y -1 +X 4', one * 4)), '-1')
    refuses(write('over.hdr', hdr('-Y 1 +X 9', new(9) + bytes((128 + 10, 1)) * 20)), 'a run goes beyond')
    refuses(write('other.hdr', hdr('-Y 1 +X 9', new(10) + runs)), 'its width is not')
    refuses(write('first.hdr', hdr('-Y 1 +X 9', bytes((1, 1, 1, 9)) * 9)), 'starts with a repetition')
    refuses(write('past.hdr', hdr('-Y 1 +X 9', one + bytes((1, 1, 1, 9)) * 9)), 'a repetition goes beyond')
    refuses(write('shifted.hdr', hdr('-Y 1 +X 9', one + bytes((1, 1, 1, 0)) * 9)), 'a repetition goes beyond')
    for order in '+Y 1 +X 9', '-Y 1 -X 9', '+X 9 -Y 1':
        refuses(write('order.hdr', hdr(order, one * 9)), "the orientation '%s'; expected -Y H +X W" % order)
    refuses(write('sizeless.hdr', hdr('nothing', one)), "no size but 'nothing'")
    refuses(write('xyze.hdr', hdr('-Y 1 +X 1', one, 'FORMAT=32-bit_rle_xyze\n')), '32-bit_rle_rgbe')
    refuses(write('formless.hdr', hdr('-Y 1 +X 1', one, '')), 'no FORMAT=')
    refuses(write('header.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n'), 'ends in its header')
    refuses(write('magic.hdr', b'#?RADIANTLY\n\n'), 'not a .hdr file')


def jpg(size, components, codes, tables=None, before=b''):
    """A baseline file of whole blocks of one colour: `codes` has each component's sample."""
    def segment(marker, data):
        return bytes((0xFF, marker)) + struct.pack('>H', len(data) + 2) + data

    width, height = size
    # Categories 0 to 11 of a block's first difference have 4 bits each; all other coefficients end at once, by a bit.
    direct = bytes((0,)) + bytes((0, 0, 0, 12) + (0,) * 12) + bytes(range(12))
    alternate = bytes((0x10,)) + bytes((1,) + (0,) * 15) + bytes(1)
    tables = segment(0xC4, direct) + segment(0xC4, alternate) if tables is None else tables
    bits = ''
    for code in codes:
        step = (code - 128) * 8  # by 8: an average of 1 / 8, quantised by 1
        length = abs(step).bit_length()
        bits += format(length, '04b')
        if length:
            bits += format(step if step > 0 else step + (1 << length) - 1, '0%db' % length)
        bits += '0'
    bits += '00000' * len(codes) * (((width + 7) // 8) * ((height + 7) // 8) - 1)  # no difference from the block before
    bits += '1' * (-len(bits) % 8)
    body = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b'\xFF', b'\xFF\x00')
    frame = struct.pack('>BHHB', 8, height, width, components)
    frame += b''.join(bytes((i + 1, 0x11, 0)) for i in range(components))
    scan = bytes((components,)) + b''.join(bytes((i + 1, 0)) for i in range(components)) + bytes((0, 63, 0))
    return (b'\xFF\xD8' + before + segment(0xDB, bytes((0,)) + bytes((1,)) * 64) + segment(0xC0, frame) + tables +
            segment(0xDA, scan) + body + b'\xFF\xD9')


def jpeg_files():
    adobe = lambda transform: b'\xFF\xEE\x00\x0EAdobe' + struct.pack('>HHHB', 100, 0, 0, transform)
    linear = lambda code: ((code / 255 + 0.055) / 1.055) ** 2.4
    near = lambda *codes: [linear(c) for c in codes]
    reads(write('grey.jpg', jpg((9, 8), 1, (200,))), near(*[200] * 72), 2e-6)
    reads(write('rgb.jpg', jpg((8, 1), 3, (200, 100, 50), before=adobe(0))), near(*(200, 100, 50) * 8), 2e-6)
    reads(write('ycc.jpg', jpg((8, 1), 3, (99, 128, 128))), near(*[99] * 24), 2e-6)
    reads(write('cmyk.jpg', jpg((8, 1), 4, (55, 155, 255, 0))), [linear(200), linear(100), 0] * 8, 2e-6)
    reads(write('inks.jpg', jpg((8, 1), 4, (200, 100, 255, 255), before=adobe(0))),
          [linear(200), linear(100), 1] * 8, 2e-6)
    # What it is goes by what it holds.
    reads(write('named.png', jpg((8, 1), 1, (200,))), near(*[200] * 8), 2e-6)

    counts = bytes((0,)) + bytes((255,)) * 16 + bytes(range(256)) * 16
    hostile = b'\xFF\xC4' + struct.pack('>H', len(counts) + 2) + counts
    refuses(write('counts.jpg', jpg((8, 8), 1, (200,), hostile)), 'the .jpg file is damaged')
    refuses(write('tables.jpg', jpg((8, 8), 1, (200,), b'')), 'the .jpg file is damaged')
    whole = jpg((64, 64), 3, (200, 100, 50))
    for cut in 2, 3, 9, 20, 60, 100, 200, len(whole) - 3:
        refuses(write('cut.jpg', whole[:-cut]), 'the .jpg file is damaged or truncated')
    refuses(write('huge.jpg', jpg((8, 8), 3, (200, 100, 50)).replace(
        struct.pack('>HHB', 8, 8, 3), struct.pack('>HHB', 16384, 16384, 3))), 'bytes cannot hold 16384x16384')
    # Progressive and by arithmetic codes, which have no least length.
    refuses(write('arithmetic.jpg', bytes.fromhex('ffd801ffca0011084000400003011141021100031100ffda000c030100020003'
                                                  '2eea0500')), 'bytes cannot hold 16384x16384')
    refuses(write('zero.jpg', jpg((8, 8), 1, (200,)).replace(struct.pack('>HHB', 8, 8, 1), bytes(4) + b'\1')), '.jpg')
    refuses(write('not.jpg', b'nothing of the kind'), 'not a .jpg file')


def png(width, height, bits, colour, rows, size=None):
    def chunk(name, data):
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))

    head = struct.pack('>IIBBBBB', *(size or (width, height)), bits, colour, 0, 0, 0)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) +
            chunk(b'IDAT', zlib.compress(b''.join(b'\0' + row for row in rows))) + chunk(b'IEND', b''))


def pixels(path):
    """What IHDR says, and the texels of a .png file that is not interlaced, undone by its filters."""
    with open(path, 'rb') as file:
        data = file.read()
    head, packed, at = None, b'', 8
    while at < len(data):
        size, name = struct.unpack('>I4s', data[at:at + 8])
        head = struct.unpack('>IIBBBBB', data[at + 8:at + 21]) if name == b'IHDR' else head
        packed += data[at + 8:at + 8 + size] if name == b'IDAT' else b''
        at += 12 + size
    raw, step = zlib.decompress(packed), {0: 1, 2: 3, 4: 2, 6: 4}[head[3]] * head[2] // 8
    stride, out = head[0] * step, b''
    last = bytearray(stride)
    for y in range(head[1]):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = (line[i - step], last[i], last[i - step]) if i >= step else (0, last[i], 0)
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
            line[i] = line[i] + (0, left, up, (left + up) // 2, near[2])[kind] & 255
        out, last = out + bytes(line), line
    return head, out


def portable_files():
    linear = lambda code: code / 12.92 if code <= 0.04045 else ((code + 0.055) / 1.055) ** 2.4
    codes = range(0, 65536, 4096)
    reads(write('wide.png', png(16, 1, 16, 0, [struct.pack('>16H', *codes)])), [linear(c / 65535) for c in codes], 1e-7)
    # 16 bits stay 16 bits, and each code as it was: of grey, colour, and both with alpha.
    for colour, channels in (0, 1), (2, 3), (4, 2), (6, 4):
        rows = [struct.pack('>%dH' % (5 * channels), *(y * 9999 + i * 7919 & 65535 for i in range(5 * channels)))
                for y in range(7)]
        write('wide.png', png(5, 7, 16, colour, rows))
        expect(0, 'run', 'bloom', 'wide.png', '-o', 'kept.png', '--set', 'intensity=0', '--format', 'rgba32f')
        head, got = pixels('kept.png')
        grey, two = colour in (0, 4), 2 * channels
        spread = [b''.join(row[i:i + 2] * 3 + row[i + 2:i + two] if grey else row[i:i + two]
                           for i in range(0, 5 * two, two)) for row in rows]
        report(head[2] == 16 and got == b''.join(spread), 'a .png of 16 bits, colour type %d, keeps its codes' % colour, head)
    expect(0, 'run', 'bloom', 'wide.png', '-o', 'kept.png', '--set', 'intensity=0', '--bits', '8')
    report(pixels('kept.png')[0][2] == 8, '--bits 8')
    whole = png(16, 9, 8, 2, [bytes(i * 37 % 256 for i in range(48))] * 9)
    reads(write('whole.png', whole), [linear(i * 37 % 256 / 255) for i in range(48)] * 9, 1e-7)
    for cut in range(13, len(whole) - 8, 9):
        refuses(write('cut.png', whole[:-cut]), 'the .png file is damaged or truncated')
    refuses(write('short.png', png(16, 9, 8, 2, [bytes(48)] * 8)), 'the .png file is damaged or truncated')
    refuses(write('wide.png', png(1, 1, 8, 0, [bytes(1)], (65537, 1))), '65537x1; expected 1..65536')
    refuses(write('bomb.png', png(1, 1, 8, 6, [bytes(4)], (65536, 65536))), '.png')
    for colour, side in (6, 16000), (0, 16384):
        refuses(write('bomb.png', png(1, 1, 8, colour, [bytes(4)], (side, side))), 'cannot hold %dx%d' % (side, side))
    for name, magic in ('a.png', b'GIF89a'), ('b.png', b'BM'), ('c.jpg', b'P6 1 1 255 abc'), ('d.hdr', b'8BPS'):
        refuses(write(name, magic + bytes(99)), 'not a ' + name[1:])


def array_files():
    """.npy files of four axes are arrays: layers of their own, there and back, and bands of a transform."""
    numbers = [i / 64 for i in range(3 * 2 * 5 * 4)]
    reads(write('array.npy', npy((3, 2, 5, 4), numbers)), numbers)
    with open('o.npy', 'rb') as file:
        report(b"'shape': (3, 2, 5, 4)" in file.read(128), 'an array stays one')
    refuses(write('axes.npy', npy((2, 3, 2, 5, 4), numbers * 2)), '(L, H, W, C)')
    refuses(write('layers.npy', npy((2049, 1, 1, 1), [0] * 2049)), 'L 1..2048')
    refuses(write('cut.npy', npy((3, 2, 5, 4), numbers[:-1])), 'truncated; expected 480 bytes')
    refuse('an array of 3 layers; expected a .npy file', 'run', 'convolve', 'array.npy', 'one.npy', '-o', 'none.png')
    write('plane.npy', npy((6, 4), range(24)))
    expect(0, 'run', 'wavelet', 'plane.npy', '-o', 'bands.npy', '--set', 'layout=bands')
    bands = values('bands.npy')  # haar: half of the sum of four, of their differences
    report(len(bands) == 4 * 3 * 2 and all(abs(a - b) < 1e-5 for a, b in zip(
        bands, (5, 9, 21, 25, 37, 41) + (-4,) * 6 + (-1,) * 6 + (0,) * 6)), 'four bands', str(bands))
    refuse('any size; expected --size WxH', 'run', 'wavelet', 'bands.npy', '-o', 'none.npy', '--set', 'layout=bands',
           '--set', 'direction=inverse')
    expect(0, 'run', 'wavelet', 'bands.npy', '-o', 'back.npy', '--set', 'layout=bands', '--set', 'direction=inverse',
           '--size', '4x6')
    report(all(abs(a - b) < 1e-5 for a, b in zip(values('back.npy'), range(24))), 'and back', str(values('back.npy')))


def limits():
    refuse('a .jpg file holds up to 65535', 'scene', '-o', 'none.jpg', '--size', '65536x1')
    refuse('a .jpg file holds up to 65535', 'scene', '-o', 'none.jpg', '--size', '1x65536')
    refuse('2147483647 values', 'scene', '-o', 'none.jpg', '--size', '32768x32768')


def bombs(side):
    """Files that are small, and hold side x side texels."""
    line = bytes((9, 9, 9, 128)) + bytes((1, 1, 1, side - 1 & 255)) + bytes((1, 1, 1, side - 1 >> 8))
    yield '.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n' % (side, side) + line * side
    yield '.png', png(side, side, 8, 0, [bytes(side)] * side)
    yield '.png', png(side, side, 16, 6, [bytes(8 * side)] * side)
    yield '.jpg', jpg((side, side), 3, (200, 100, 50))


def memory():
    """A limit of memory is kept while a file is read, and what exceeds it is refused before a texel is decoded."""
    limit, spare = 24, 32  # MiB
    job = 'one.npy', '-o', 'none.npy', '--max-memory', '%dM' % limit
    base = peak('run', 'convolve', write('not.jpg', b'nothing'), *job)[2]
    # By another process: the peak of a child that this one starts begins with its own.
    if os.fork() == 0:
        for number, (end, data) in enumerate(bombs(3000)):
            write('bomb%d%s' % (number, end), data)
        write('behind.png', png(3, 3, 8, 0, [bytes(3)] * 3 + [bytes(1 << 20)] * 80))
        os._exit(0)
    os.wait()
    for name in sorted(glob.glob('bomb[0-9].*')):
        said, most = refuses_memory('run', 'convolve', name, *job)
        report(most <= base + limit + spare, '%s: %.0f MiB, limit %.0f' % (name, most, base + limit + spare), said)
    report(len(glob.glob('bomb[0-9].*')) == 4, 'bombs')
    # What lies behind the last line is not read.
    code, said, most = peak('run', 'convolve', 'behind.png', *job)
    report(code == 0 and most <= base + limit + spare, 'behind.png: %.0f MiB' % most, said)
    os.remove('none.npy')
    write('sparse.npy', npy((8000, 8000, 4), ()))
    os.truncate('sparse.npy', os.path.getsize('sparse.npy') + 8000 * 8000 * 16)
    for words in (('convolve', 'sparse.npy', *job), ('convolve', 'two.npy', '--slot', 'kernel=sparse.npy', *job[1:]),
                  ('convolve', 'two.npy', 'one.npy', '--compare', 'sparse.npy', *job[3:])):
        said, most = refuses_memory('run', *words)
        report(most <= base + limit + spare, 'a large file: %.0f MiB, limit %.0f' % (most, base + limit + spare), said)
    refuses_memory('kernel', '--set', 'shape=texture', '--image', 'sparse.npy', *job[1:])
    for words in (('claim.y4m',), ('-', '--raw', '4000x4000:rgba64le')):
        write('claim.y4m', b'YUV4MPEG2 W4000 H4000 C444\nFRAME\n')
        refuses_memory('run', 'box_blur', *words, '-o', '-', *job[3:])
    for text in '', '0', '-1', '+1', ' 1', '1KK', '1T', '1.5G', 'M', '99999999999G', '18446744073709551616':
        refuse('--max-memory', 'run', 'convolve', 'two.npy', *job[:3], '--max-memory', text)
    for text in '64M', '67108864', '65536K', '1G':
        expect(0, 'run', 'convolve', 'two.npy', 'one.npy', '-o', 'o.npy', '--max-memory', text)


def device_limits():
    """Files larger than this device's textures are refused before a texel is decoded; so are their streams."""
    shown = subprocess.run([AFTERGLOW, 'info', '--json'], capture_output=True, timeout=PATIENCE).stdout
    side = json.loads(shown)['limits']['texture_size'] + 1
    for width, height in ((side, 1), (1, side)) if side <= 65535 else ():
        line = bytes((9, 9, 9, 128)) + bytes((1, 1, 1, width - 1 & 255)) + bytes((1, 1, 1, width - 1 >> 8))
        for end, data in (('.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n' % (height, width) + line * height),
                          ('.png', png(width, height, 8, 0, [bytes(width)] * height)),
                          ('.jpg', jpg((width, height), 1, (200,))),
                          ('.npy', npy((height, width), [0] * side))):
            refuses(write('side' + end, data), '%dx%d; this device takes up to' % (width, height))
        for words in (('side.y4m',), ('-', '--raw', '%dx%d:gray' % (width, height))):
            write('side.y4m', b'YUV4MPEG2 W%d H%d Cmono\nFRAME\n' % (width, height) + bytes(side))
            refuse('%dx%d; this device takes up to' % (width, height), 'run', 'box_blur', *words, '-o', '-')


def overwriting():
    write('two.npy', npy((2, 2), (1, 2, 3, 4)))
    write('reference.npy', npy((2, 2), (9, 9, 9, 9)))
    os.symlink('reference.npy', 'link.npy')
    os.mkdir('batch')
    write('batch/reference.npy', npy((1, 1), (1,)))
    write('batch/dst.npy', npy((1, 1), (1,)))
    job = 'run', 'convolve', 'two.npy', 'one.npy'
    for path in 'reference.npy', './reference.npy', 'link.npy', os.path.abspath('reference.npy'):
        refuse('--compare', *job, '-o', path, '--compare', 'reference.npy')
    refuse('--compare', *job, '-o', 'batch', '--compare', 'batch/dst.npy')
    write('in.npy', npy((1, 1), (1,)))
    write('batch/in.npy', npy((1, 1), (7,)))
    refuse('--compare', 'run', 'convolve', 'in.npy', '--slot', 'kernel=one.npy', '-o', 'batch/', '--compare', 'batch/in.npy')
    refuse('--slot', 'run', 'convolve', 'two.npy', 'in.npy', '--slot', 'kernel=batch/in.npy', '-o', 'batch')
    report(values('batch/in.npy') == (7,) and values('reference.npy') == (9,) * 4, 'what was refused is as it was')
    expect(1, *job, '-o', 'o.npy', '--compare', 'reference.npy')
    refuse('--trace', *job, '--stats', 't.json', '--trace', './t.json')
    refuse('--trace', *job, '--stats', os.path.abspath('t.json'), '--trace', 't.json')
    expect(0, *job, '--stats', 's.json', '--trace', 't.json')
    refuse('--trace', *job, '--stats', './t.json', '--trace', 't.json')


def batches():
    write('bad.npy', b'nothing')
    for bad in 'missing.npy', 'bad.npy':
        done = 'done_' + bad[:-4]
        said = expect(2, 'run', 'convolve', 'two.npy', bad, 'in.npy', '--slot', 'kernel=one.npy', '-o', done)
        report(bad + ':' in said and '2 of 3 files done' in said, 'a batch says which file is wrong', said)
        there = sorted(os.listdir(done)) if os.path.isdir(done) else []
        report(there == ['in.npy', 'two.npy'], 'a batch goes on past ' + bad)
    for kind in '<i8', '<U5', '<c32', '|b1', '>f4', '|V8', '|S12', '<u2':
        refuses(write('kind.npy', npy((1, 1), (1,)).replace(b"'<f4'", b"'%s'" % kind.encode())), 'data type %s;' % kind)
    refuses(write('kind.npy', npy((1, 1), (1,)).replace(b"'<f4'", b"[('a', '<f4')]")), 'data type structured;')


def written_files():
    job = 'run', 'convolve', 'two.npy', 'one.npy'
    header = npy((500, 500), ()).replace(b"'<f4'", b"'|u1'")
    write('large.npy', header + os.urandom(500 * 500))
    write('mode.npy', b'old')
    os.chmod('mode.npy', 0o640)
    os.umask(0o027)
    expect(0, *job, '-o', 'mode.npy')
    expect(0, *job, '-o', 'fresh.npy')
    modes = [os.stat(name).st_mode & 0o7777 for name in ('mode.npy', 'fresh.npy')]
    os.chmod('mode.npy', 0o604)
    expect(0, *job, '-o', 'mode.npy')
    modes.append(os.stat('mode.npy').st_mode & 0o7777)
    report(modes == [0o640, 0o640, 0o604], 'an overwritten file keeps its mode', [oct(mode) for mode in modes])

    longest = 'x' * 251 + '.npy'
    expect(0, *job, '-o', longest)
    report(os.path.exists(longest), 'a name of 255 bytes')
    refuse('File name too long', *job, '-o', 'x' + longest)

    os.symlink('fresh.npy', 'to_fresh.npy')
    os.remove('fresh.npy')
    write('fresh.npy', b'old')
    expect(0, *job, '-o', 'to_fresh.npy')
    report(os.path.islink('to_fresh.npy') and values('fresh.npy') == (1, 2, 3, 4), 'a link stays, and leads to the output')

    if os.path.exists('/dev/full'):
        for name in 'full.npy', 'full.png', 'full.jpg', 'full.hdr', 'full.exr':
            os.symlink('/dev/full', name)
            said = expect(1, 'run', 'convolve', 'large.npy', 'one.npy', '-o', name)
            report(said == 'afterglow: %s: cannot be written: No space left on device\n' % name, 'full disk: ' + name, said)
            said = expect(1, *job, '-o', name)
            report('No space left on device' in said, 'full disk, of a small file: ' + name, said)
            report(os.path.islink(name), 'full disk: the link stays')
        for option, name in ('--stats', 'full.csv'), ('--stats', 'full.json'), ('--trace', 'full.json'):
            os.path.islink(name) or os.symlink('/dev/full', name)
            said = expect(1, *job, option, name)
            report('No space left on device' in said, 'full disk: %s %s' % (option, name), said)
    os.symlink('/dev/stdout', 'standard.npy')
    done = subprocess.run([AFTERGLOW, *job, '-o', 'standard.npy'], capture_output=True, timeout=PATIENCE)
    report(done.stdout[-16:] == struct.pack('<4f', 1, 2, 3, 4),
           'a link to standard output', done.stderr)
    os.mkfifo('unread.npy')
    said = expect(1, *job, '-o', 'unread.npy')
    report('cannot be written' in said, 'a pipe without a reader is not waited for', said)


def special_cache(sockets):
    """What stands in place of a cached program is not read; there are none where a driver has no binaries."""
    for kind in 'socket', 'device':
        expect(0, 'run', 'convolve', 'two.npy', 'one.npy', '-o', 'o.npy')
        for path in glob.glob('cache/afterglow/*'):
            os.remove(path)
            if kind == 'device':
                os.symlink('/dev/zero', path)
            else:
                sockets.append(socket.socket(socket.AF_UNIX))
                sockets[-1].bind(path)
                sockets[-1].listen()
        expect(0, 'run', 'convolve', 'two.npy', 'one.npy', '-o', 'o.npy')
        report(values('o.npy') == (1, 2, 3, 4), 'a %s as a cached program' % kind)


def special_files():
    os.mkfifo('fifo.png')
    os.symlink('/dev/zero', 'zero.npy')
    os.mkdir('folder.hdr')
    sockets = []
    for end in 'npy', 'hdr', 'exr', 'png', 'jpg':
        name = 'socket.' + end
        sockets.append(socket.socket(socket.AF_UNIX))
        sockets[-1].bind(name)
        sockets[-1].listen()  # so that somebody could be waited for
        os.symlink('/dev/zero', 'device.' + end)
        for name in name, 'device.' + end:
            refuses(name, name + ': not a regular file')
    for name in 'fifo.png', 'zero.npy':
        refuses(name, name + ': not a regular file')
    for name in 'socket.npy', 'device.npy':
        refuse(name + ': not a regular file', 'run', 'convolve', 'two.npy', '--slot', 'kernel=' + name, '-o', 'none.npy')
        refuse(name, 'run', 'convolve', 'two.npy', 'one.npy', '--compare', name)
        said = expect(2, 'run', 'convolve', name, 'two.npy', '--slot', 'kernel=one.npy', '-o', 'past_' + name[:-4])
        report('1 of 2 files done' in said, 'a batch goes on past ' + name, said)
    special_cache(sockets)
    for listener in sockets:
        listener.close()
    refuses('folder.hdr', 'folder')
    refuse('fifo.png', 'run', 'convolve', 'two.npy', 'one.npy', '--compare', 'fifo.png')


def no_leftovers():
    report(not glob.glob('none*'), 'a refused file leaves no output')


sys.exit(main('files', radiance_files, jpeg_files, portable_files, array_files, limits, overwriting, batches, special_files,
              written_files, memory, device_limits, no_leftovers))
