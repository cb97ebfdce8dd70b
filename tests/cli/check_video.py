"""check_video.py AFTERGLOW: frames of a video through the command line, against a reference in double.

Y4M of every layout of planes and number of bits, and samples of --raw, in odd sizes, with random colours. The reference
decodes, multiplies the light and encodes as docs/video.md says; a sample may differ by 0.51 of a code.
"""
import random, struct, subprocess, sys, os, tempfile

from files import AFTERGLOW, PATIENCE, npy, report, values, write
import files

SEED = int(os.environ.get('AG_TEST_SEED', '0')) or random.SystemRandom().randrange(1 << 30)
rng = random.Random(SEED)
IDENTITY = ['box_blur', '-', '-o', '-', '--set', 'radius=0']
LIMIT = 0.51  # of a code: the nearest one, and float32's part in finding it
worst = 0


def stream(words, data):
    done = subprocess.run([AFTERGLOW, 'run', *words], input=data, capture_output=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr.decode(errors='replace')


def refuse(text, words, data, code=2):
    got, out, said = stream(words, data)
    lines = said.rstrip('\n').count('\n') + 1
    report(got == code and text in said and lines <= 2, "exit %s, expected %d and '%s': run %s" % (got, code, text, words),
           said)


# ---- the reference ---------------------------------------------------------------------------------------------------

def decode(x):
    x = min(max(x, 0), 1)
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def encode(x):
    x = min(max(x, 0), 1)
    return x * 12.92 if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055


class Layout:
    """Planes of a Y4M stream: tag C, subsampling, where chroma lies, bits."""

    def __init__(self, tag, channels=3, shift=(0, 0), centred=(False, False), bits=8):
        self.tag, self.channels, self.shift, self.centred, self.bits = tag, channels, shift, centred, bits


LAYOUTS = [
    Layout('420jpeg', 3, (1, 1), (True, True)), Layout('420mpeg2', 3, (1, 1), (False, True)),
    Layout('420paldv', 3, (1, 1), (False, False)), Layout('411', 3, (2, 0)), Layout('422', 3, (1, 0)), Layout('444'),
    Layout('444alpha', 4), Layout('mono', 1), Layout('420p10', 3, (1, 1), (False, True), 10),
    Layout('422p12', 3, (1, 0), (False, False), 12), Layout('444p16', bits=16), Layout('mono12', 1, bits=12),
]


def part(size, shift):
    return (size + (1 << shift) - 1) >> shift


def scales(bits, full):
    unit, most = 1 << (bits - 8), (1 << bits) - 1
    return (0, most, 128 * unit, most) if full else (16 * unit, 219 * unit, 128 * unit, 224 * unit)


def to_planes(l, w, h, full, kr, kb, texels):
    """Texels are lists of code values 0..1; the planes' exact samples, not rounded."""
    lo, ls, co, cs = scales(l.bits, full)
    luma = [t[0] if l.channels == 1 else kr * t[0] + (1 - kr - kb) * t[1] + kb * t[2] for t in texels]
    planes = [[lo + ls * y for y in luma]]
    if l.channels >= 3:
        for c, k in ((2, kb), (0, kr)):
            diff = [(t[c] - y) / (2 * (1 - k)) for t, y in zip(texels, luma)]
            plane = []
            for y in range(part(h, l.shift[1])):
                for x in range(part(w, l.shift[0])):
                    total = weights = 0
                    for j, wj in taps(l.shift[1], l.centred[1]):
                        for i, wi in taps(l.shift[0], l.centred[0]):
                            px = min(max((x << l.shift[0]) + i, 0), w - 1)
                            py = min(max((y << l.shift[1]) + j, 0), h - 1)
                            total += wi * wj * diff[py * w + px]
                            weights += wi * wj
                    plane.append(co + cs * total / weights)
            planes.append(plane)
    if l.channels == 4:
        planes.append([t[3] * ((1 << l.bits) - 1) for t in texels])
    return planes


def taps(shift, centred):
    n = 1 << shift
    return [(i, 1) for i in range(n)] if centred else [(i, n - abs(i)) for i in range(1 - n, n)]


def between(at, count):
    first = int(at // 1)
    return min(max(first, 0), count - 1), min(max(first + 1, 0), count - 1), at - first


def from_planes(l, w, h, full, kr, kb, planes):
    """Light of each texel, from samples."""
    lo, ls, co, cs = scales(l.bits, full)
    cw, ch = part(w, l.shift[0]), part(h, l.shift[1])
    out = []
    for y in range(h):
        for x in range(w):
            luma = (planes[0][y * w + x] - lo) / ls
            if l.channels == 1:
                out.append([decode(luma)])
                continue
            half = [0.5 if c else 0 for c in l.centred]
            x0, x1, fx = between((x + half[0]) / (1 << l.shift[0]) - half[0], cw)
            y0, y1, fy = between((y + half[1]) / (1 << l.shift[1]) - half[1], ch)
            chroma = []
            for p in planes[1:3]:
                top = p[y0 * cw + x0] * (1 - fx) + p[y0 * cw + x1] * fx
                low = p[y1 * cw + x0] * (1 - fx) + p[y1 * cw + x1] * fx
                chroma.append((top * (1 - fy) + low * fy - co) / cs)
            red, blue = luma + 2 * (1 - kr) * chroma[1], luma + 2 * (1 - kb) * chroma[0]
            green = (luma - kr * red - kb * blue) / (1 - kr - kb)
            out.append([decode(red), decode(green), decode(blue)])
            if l.channels == 4:
                out[-1].append(planes[3][y * w + x] / ((1 << l.bits) - 1))
    return out


def pack(samples, bits):
    most = (1 << bits) - 1
    codes = [min(max(int(s + 0.5), 0), most) for s in samples]
    return bytes(codes) if bits == 8 else struct.pack('<%dH' % len(codes), *codes), codes


def unpack(data, bits):
    return list(data) if bits == 8 else list(struct.unpack('<%dH' % (len(data) // 2), data))


def compare(name, got, want):
    """Samples as read against exact ones."""
    global worst
    error = max((abs(g - w) for g, w in zip(got, want)), default=0)
    good = len(got) == len(want) and error <= LIMIT
    worst = max(worst, error)
    report(good, '%s: %g of a code, limit %g (AG_TEST_SEED=%d)' % (name, error, LIMIT, SEED))


# ---- Y4M -------------------------------------------------------------------------------------------------------------

def check_y4m(l, w, h, full, matrix, frames=2):
    kr, kb = (0.2126, 0.0722) if matrix == 'bt709' else (0.299, 0.114)
    head = 'YUV4MPEG2 W%d H%d F30:1 Ip A1:1%s C%s' % (w, h, ' XCOLORRANGE=FULL' if full else '', l.tag)
    data, wanted, gain = head.encode() + b'\n', [], 2 ** 0.5
    for frame in range(frames):
        texels = [[rng.random() for _ in range(l.channels)] for _ in range(w * h)]
        codes = []
        for plane in to_planes(l, w, h, full, kr, kb, texels):
            packed, read = pack(plane, l.bits)
            codes.append(read)
            data += (b'FRAME\n' if plane is not None and len(codes) == 1 else b'') + packed
        light = from_planes(l, w, h, full, kr, kb, codes)
        shown = [[encode(gain * v) for v in t[:3]] + t[3:] for t in light]
        wanted.append([s for plane in to_planes(l, w, h, full, kr, kb, shown) for s in plane])
    words = IDENTITY + ['--exposure', '0.5'] + (['--matrix', matrix] if matrix == 'bt709' else [])
    code, out, said = stream(words, data)
    name = 'C%s %dx%d %s %s' % (l.tag, w, h, 'full' if full else 'limited', matrix)
    parts = out.split(b'\n', 1)
    report(code == 0 and len(parts) == 2 and parts[0].split()[0] == b'YUV4MPEG2' and
           sorted(parts[0].split()) == sorted(head.encode().split()), name + ': the header', said + repr(parts[0]))
    at, body, size = 0, parts[-1], len(wanted[0]) * (1 if l.bits == 8 else 2)
    for frame in wanted:
        report(body[at:at + 6] == b'FRAME\n', name + ': FRAME')
        compare(name, unpack(body[at + 6:at + 6 + size], l.bits), frame)
        at += 6 + size
    report(at == len(body), name + ': the length')


# ---- raw samples -----------------------------------------------------------------------------------------------------

def check_raw(name, channels, bits, w, h):
    count, most, gain = w * h * channels, (1 << bits) - 1, 2 ** -0.5
    words = IDENTITY + ['--raw', '%dx%d:%s' % (w, h, name), '--exposure', '-0.5']
    if bits == 32:
        numbers = [rng.uniform(-1, 1000) for _ in range(3 * count)]
        data = struct.pack('<%df' % len(numbers), *numbers)
        code, out, said = stream(words, data)
        report(code == 0 and out == data, name + ': floats keep their bits', said)
        return
    codes = [rng.randrange(most + 1) for _ in range(2 * count)]
    data = bytes(codes) if bits == 8 else struct.pack('<%dH' % len(codes), *codes)
    code, out, said = stream(words, data)
    want = [c if i % channels == 3 else most * encode(gain * decode(c / most)) for i, c in enumerate(codes)]
    compare('--raw %s' % name, unpack(out, bits) if code == 0 else [], want)


# ---- what a stream gives is what files give ----------------------------------------------------------------------------

def check_frames(folder):
    w, h, frames = 24, 17, 4
    data, wanted = b'', b''
    for frame in range(frames):
        numbers = [rng.uniform(0, 4) for _ in range(w * h * 3)]
        data += struct.pack('<%df' % len(numbers), *numbers)
        path = write(os.path.join(folder, 'in.npy'), npy((h, w, 3), numbers))
        files.expect(0, 'run', 'bloom', path, '-o', os.path.join(folder, 'out.npy'), '--format', 'rgba32f')
        wanted += struct.pack('<%df' % len(numbers), *values(os.path.join(folder, 'out.npy')))
    code, out, said = stream(['bloom', '-', '-o', '-', '--raw', '%dx%d:rgbf32le' % (w, h)], data)
    report(code == 0 and out == wanted, 'each frame of a stream has the bits of a file', said)
    report('%d frames of %dx%d' % (frames, w, h) in said, 'how many frames there were', said)
    y4m = b'YUV4MPEG2 W8 H6 F25:1 C444\n' + (b'FRAME X=1\n' + bytes(range(144))) * 2
    path = write(os.path.join(folder, 'in.y4m'), y4m)
    files.expect(0, 'run', 'downsample', path, '-o', os.path.join(folder, 'out.y4m'), '--size', '3x5')
    with open(os.path.join(folder, 'out.y4m'), 'rb') as file:
        made = file.read()
    report(made.startswith(b'YUV4MPEG2 W3 H5 F25:1') and made.count(b'FRAME\n') == 2, 'a file of another size', repr(made[:60]))
    kernel = write(os.path.join(folder, 'one.npy'), npy((1, 1), [1]))
    code, out, said = stream(['convolve', '-', kernel, '-o', '-'], y4m)
    report(code == 0 and out.count(b'FRAME\n') == 2, 'a stream beside a file', said)


def check_refusals(folder):
    head, frame = b'YUV4MPEG2 W4 H4 C444\n', b'FRAME\n' + bytes(48)
    good = head + frame
    refuse('empty', IDENTITY, b'')
    refuse('no frames', IDENTITY, head)
    refuse('neither Y4M', IDENTITY, b'RIFF....AVI')
    refuse('no Y4M stream', IDENTITY, b'YUV4MPEG2X W4 H4\n' + frame)
    refuse('no Y4M stream', IDENTITY, b'Y' * 5000)
    refuse('expected W and H', IDENTITY, b'YUV4MPEG2 W4 C444\n' + frame)
    refuse('W0', IDENTITY, b'YUV4MPEG2 W0 H4\n')
    refuse('H99999999999', IDENTITY, b'YUV4MPEG2 W4 H99999999999\n')
    refuse('planes C410', IDENTITY, b'YUV4MPEG2 W4 H4 C410\n')
    refuse('planes C420p17', IDENTITY, b'YUV4MPEG2 W4 H4 C420p17\n')
    refuse('interlaced', IDENTITY, b'YUV4MPEG2 W4 H4 It\n')
    refuse('rate', IDENTITY, b'YUV4MPEG2 W4 H4 F25\n')
    refuse('expected FRAME', IDENTITY, good + b'JUNK\n' + bytes(48))
    for line in b'FRAMEXYZ', b'FRAME\tX', b'FRAM', b'frame', b' FRAME', b'FRAME\0':
        refuse('expected FRAME', IDENTITY, good + line + b'\n' + bytes(48))
    refuse('ends in frame 1, after 20 of its 48', IDENTITY, good + frame[:26])
    refuse('ends in frame 0, after 5 of its 12', IDENTITY + ['--raw', '2x2:rgb24'], bytes(5))
    refuse('expected WxH:SAMPLES', IDENTITY + ['--raw', '2x2:bgr24'], b'')
    refuse('expected WxH:SAMPLES', IDENTITY + ['--raw', '0x2:rgb24'], b'')
    refuse('bt601 or bt709', IDENTITY + ['--matrix', 'bt2020'], good)
    refuse('--matrix is of Y4M', IDENTITY + ['--raw', '2x2:rgb24', '--matrix', 'bt709'], b'')
    refuse('frames go to', ['box_blur', '-', '-o', 'x.png'], good)
    refuse('not streams', IDENTITY + ['--plan'], good)
    refuse('one image as its output', ['mipchain', '-', '-o', '-'], good)
    picture = write(os.path.join(folder, 'one.npy'), npy((1, 1), [1]))
    refuse('one -', ['convolve', '-', '-', '-o', '-'], good)
    refuse('are of streams', ['box_blur', picture, '-o', 'x.npy', '--matrix', 'bt709'], b'')
    missing = os.path.join(folder, 'none', 'x.y4m')
    refuse('none', ['box_blur', '-', '-o', missing], good)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_refusals(folder)
        check_frames(folder)
        for number, layout in enumerate(LAYOUTS):
            w, h = rng.randrange(1, 12), rng.randrange(1, 10)
            check_y4m(layout, w, h, bool(number & 1), ('bt601', 'bt709')[number >> 1 & 1])
        check_y4m(LAYOUTS[0], 1, 1, False, 'bt601')
        check_y4m(LAYOUTS[1], 33, 1, False, 'bt709')
        check_y4m(LAYOUTS[2], 1, 35, True, 'bt601')
        for name, channels, bits in (('gray', 1, 8), ('rgb24', 3, 8), ('rgba', 4, 8), ('gray16le', 1, 16),
                                     ('rgb48le', 3, 16), ('rgba64le', 4, 16), ('grayf32le', 1, 32),
                                     ('rgbf32le', 3, 32), ('rgbaf32le', 4, 32)):
            check_raw(name, channels, bits, rng.randrange(1, 20), rng.randrange(1, 20))
    print('worst error %.4f of a code, limit %g; AG_TEST_SEED=%d' % (worst, LIMIT, SEED))
    print('%d passed, %d failed' % (files.passed, files.failed))
    sys.exit(files.failed > 0)


main()
