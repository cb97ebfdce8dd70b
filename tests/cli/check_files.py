#!/usr/bin/env python3
"""check_files.py PATH_OF_AFTERGLOW: image files that are damaged, hostile or special, in and out of the command line.

Each is read by `afterglow run convolve FILE one.npy`, an identity. A refusal is exit status 2 and one line. Needs
Python's standard library alone.
"""
import os, struct, subprocess, sys, tempfile

AFTERGLOW = os.path.realpath(sys.argv[1])
PATIENCE = 60  # seconds, with sanitizers and on a busy machine
passed, failed = 0, 0


def report(good, name, why=''):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print('FAILED: %s\n    %s' % (name, why))


def run(*words):
    """The exit status and what was said; status None where it never ended."""
    try:
        done = subprocess.run([AFTERGLOW, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, ''
    return done.returncode, done.stderr.decode(errors='replace')


def expect(code, *words):
    got, said = run(*words)
    report(got == code, 'exit %s, expected %d: afterglow %s' % (got, code, ' '.join(words)), said)
    return said


def refuse(text, *words):
    got, said = run(*words)
    good = got == 2 and said.count('\n') == 1 and text in said
    report(good, "exit %s, expected 2 and one line with '%s': afterglow %s" % (got, text, ' '.join(words)), said)


def write(path, data):
    with open(path, 'wb') as file:
        file.write(data)
    return path


def npy(shape, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (tuple(shape),)
    header += ' ' * (-(len(header) + 11) % 64) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() + struct.pack(
        '<%df' % len(values), *values)


def values(path):
    with open(path, 'rb') as file:
        data = file.read()
    data = data[10 + struct.unpack('<H', data[8:10])[0]:]
    return struct.unpack('<%df' % (len(data) // 4), data)


def reads(path, wanted, tolerance=0.0):
    """The file is taken, and holds these linear values."""
    if os.path.exists('o.npy'):
        os.remove('o.npy')
    got, said = run('run', 'convolve', path, 'one.npy', '-o', 'o.npy')
    found = values('o.npy') if got == 0 else ()
    good = len(found) == len(wanted) and all(abs(a - b) <= tolerance for a, b in zip(found, wanted))
    report(good, '%s reads as %d values' % (path, len(wanted)), said or '%s, expected %s' % (found[:12], wanted[:12]))


def refuses(path, text):
    refuse(text, 'run', 'convolve', path, 'one.npy', '-o', 'none.npy')


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
    refuses(write('huge.hdr', hdr('-Y 65536 +X 65536', one * 9)), 'truncated: 36 bytes')
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


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ['XDG_CACHE_HOME'] = os.path.join(folder, 'cache')
        write('one.npy', npy((1, 1), (1,)))
        radiance_files()
        report(not os.path.exists('none.npy'), 'a refused file leaves no output')
        os.chdir('/')
    print('files: %d passed, %d failed' % (passed, failed))
    return failed > 0


sys.exit(main())
