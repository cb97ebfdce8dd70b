# picture.py - PNG files of 8 bits as rows of (r, g, b), with nothing but Python's own library
# SPDX-License-Identifier: MIT
import struct
import zlib


class Picture:
    def __init__(self, width, height, data):
        self.width, self.height, self.data = width, height, data  # data: bytes, 3 a texel, row 0 on top

    def at(self, x, y):
        i = 3 * (y * self.width + x)
        return tuple(self.data[i:i + 3])

    def crop(self, x, y, width, height):
        rows = [self.data[3 * (r * self.width + x):3 * (r * self.width + x + width)] for r in range(y, y + height)]
        return Picture(width, height, b''.join(rows))

    def flipped(self):
        stride = 3 * self.width
        rows = [self.data[i:i + stride] for i in range(0, len(self.data), stride)]
        return Picture(self.width, self.height, b''.join(reversed(rows)))

    def mean(self):
        return sum(self.data) / max(len(self.data), 1)

    def deviation(self):
        mean = self.mean()
        return (sum((v - mean) ** 2 for v in self.data) / max(len(self.data), 1)) ** 0.5


def difference(a, b):
    """Mean and largest difference of two pictures of one size, in codes."""
    assert (a.width, a.height) == (b.width, b.height), 'sizes: %dx%d and %dx%d' % (a.width, a.height, b.width, b.height)
    each = [abs(x - y) for x, y in zip(a.data, b.data)]
    return sum(each) / len(each), max(each)


def worst_tile(a, b, size=16):
    """The largest mean difference of any tile: what is torn, or wrong in a corner, shows here."""
    worst = 0
    for y in range(0, a.height - size + 1, size):
        for x in range(0, a.width - size + 1, size):
            worst = max(worst, difference(a.crop(x, y, size, size), b.crop(x, y, size, size))[0])
    return worst


def read(path):
    with open(path, 'rb') as file:
        raw = file.read()
    assert raw[:8] == b'\x89PNG\r\n\x1a\n', path
    at, packed, width, height, channels = 8, b'', 0, 0, 3
    while at < len(raw):
        length, kind = struct.unpack('>I4s', raw[at:at + 8])
        body = raw[at + 8:at + 8 + length]
        if kind == b'IHDR':
            width, height, bits, colour = struct.unpack('>IIBB', body[:10])
            channels = {2: 3, 6: 4}[colour]
            assert bits == 8
        elif kind == b'IDAT':
            packed += body
        at += 12 + length
    lines, stride, before, out = zlib.decompress(packed), width * channels, bytes(width * channels), bytearray()
    for y in range(height):
        kind, line = lines[y * (stride + 1)], bytearray(lines[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            above, corner = before[i], before[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = line[i] + left & 255
            elif kind == 2:
                line[i] = line[i] + above & 255
            elif kind == 3:
                line[i] = line[i] + (left + above) // 2 & 255
            elif kind == 4:
                p = left + above - corner
                line[i] = line[i] + min((left, above, corner), key=lambda v: abs(p - v)) & 255
        before = line
        out += line if channels == 3 else b''.join(bytes(line[i:i + 3]) for i in range(0, stride, 4))
    return Picture(width, height, bytes(out))


def write(path, picture):
    stride = 3 * picture.width
    lines = b''.join(b'\0' + picture.data[i:i + stride] for i in range(0, len(picture.data), stride))

    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))

    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', picture.width, picture.height, 8, 2, 0, 0, 0))
                   + chunk(b'IDAT', zlib.compress(lines)) + chunk(b'IEND', b''))
