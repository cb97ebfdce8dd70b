#!/usr/bin/env python3
"""check_fft.py PATH_OF_AFTERGLOW: complex .npy files and the effect fft, as a user of NumPy runs them.

Needs Python's standard library alone: the transforms are summed up in double precision.

SPDX-License-Identifier: MIT
"""
import cmath, os, random, struct, sys

from files import expect, load, main, npy, refuse, report, write

WIDTH, HEIGHT = 6, 5


def save(path, shape, numbers, kind='<c8'):
    return write(path, npy(shape, numbers if 'c' in kind else [z.real for z in numbers], kind))


def dft2(x, width, height, sign):
    turn = sign * 2j * cmath.pi
    return [sum(x[b * width + a] * cmath.exp(turn * (k * a / width + l * b / height))
                for b in range(height) for a in range(width)) for l in range(height) for k in range(width)]


def same(name, path, kind, shape, wanted):
    got = load(path)
    error = max((abs(a - b) for a, b in zip(got[2], wanted)), default=9) / max(map(abs, wanted))
    report(got[:2] == (kind, shape) and len(got[2]) == len(wanted) and error < 1e-6, name,
           '%s %s, error %g' % (got[0], got[1], error))


def transforms():
    r = random.Random(5)
    number = lambda: r.uniform(-1, 1)
    real = [complex(struct.unpack('<f', struct.pack('<f', number()))[0]) for _ in range(WIDTH * HEIGHT)]
    both = [z + 1j * struct.unpack('<f', struct.pack('<f', number()))[0] for z in real]
    shape = (HEIGHT, WIDTH)
    save('real.npy', shape, real, '<f4')
    for kind in '<c8', '<c16':
        save('complex.npy', shape, both, kind)
        expect(0, 'run', 'fft', 'complex.npy', '-o', 'f.npy')
        same('forward of ' + kind, 'f.npy', '<c8', shape, dft2(both, WIDTH, HEIGHT, -1))
    expect(0, 'run', 'fft', 'f.npy', '-o', 'back.npy', '--set', 'direction=inverse', '--compare', 'complex.npy')
    same('there and back', 'back.npy', '<c8', shape, both)

    full = dft2(real, WIDTH, HEIGHT, -1)
    half = [full[y * WIDTH + x] for y in range(HEIGHT) for x in range(WIDTH // 2 + 1)]
    expect(0, 'run', 'fft', 'real.npy', '-o', 'f.npy')
    same('of real numbers', 'f.npy', '<c8', shape, full)
    expect(0, 'run', 'fft', 'real.npy', '-o', 'h.npy', '--set', 'spectrum=half')
    same('half', 'h.npy', '<c8', (HEIGHT, WIDTH // 2 + 1), half)
    expect(0, 'run', 'fft', 'h.npy', '-o', 'back.npy', '--set', 'spectrum=half', '--set', 'direction=inverse')
    same('half, and back', 'back.npy', '<f4', shape, real)
    expect(0, 'run', 'fft', 'h.npy', '-o', 'odd.npy', '--set', 'spectrum=half', '--set', 'direction=inverse',
           '--size', '7x5')
    report(load('odd.npy')[1] == (5, 7), 'an odd width by --size', load('odd.npy')[1])

    expect(0, 'run', 'fft', 'real.npy', '-o', 'both/')
    same('real parts of a folder', 'both/dst.npy', '<f4', shape, [z.real for z in full])
    same('imaginary parts of a folder', 'both/dst_imag.npy', '<f4', shape, [z.imag for z in full])
    expect(0, 'run', 'fft', 'both/dst.npy', '--slot', 'src_imag=both/dst_imag.npy', '-o', 'back.npy', '--set',
           'direction=inverse')
    same('from two files', 'back.npy', '<c8', shape, real)
    expect(0, 'run', 'fft', 'complex.npy', 'real.npy', '-o', 'batch')
    same('a real file after a complex one', 'batch/real.npy', '<c8', shape, full)
    expect(0, 'run', 'fft', 'f.npy', '-o', 'picture.png', '--set', 'direction=inverse', '--linear')

    colours = [complex(number()) for _ in range(WIDTH * HEIGHT * 3)]
    save('rgb.npy', shape + (3,), colours, '<f4')
    expect(0, 'run', 'fft', 'rgb.npy', '-o', 'rgb_f.npy')
    kind, got, found = load('rgb_f.npy')
    wanted = [z for i in zip(*(dft2(colours[c::3], WIDTH, HEIGHT, -1) for c in range(3))) for z in i]
    report((kind, got) == ('<c8', shape + (3,)) and max(abs(a - b) for a, b in zip(found, wanted)) < 1e-4,
           'three channels stay three', (kind, got))


def of_another_module():
    """The second module's methods give the same transform."""
    r, shape, module = random.Random(6), (4, 8), ('--module', 'libafterglow_ladder.so.1')
    colours = [complex(struct.unpack('<f', struct.pack('<f', r.uniform(-1, 1)))[0]) for _ in range(4 * 8 * 4)]
    wanted = [z for i in zip(*(dft2(colours[c::4], 8, 4, -1) for c in range(4))) for z in i]
    save('rgba.npy', shape + (4,), colours, '<f4')
    for method in 'shared_radix2', 'texture_radix2', 'half_threads', 'half_length':
        expect(0, 'run', 'fft_ladder', 'rgba.npy', '-o', 'l/', '--set', 'method=' + method, *module)
        same(method + ', real parts', 'l/dst.npy', '<f4', shape + (4,), [z.real for z in wanted])
        same(method + ', imaginary parts', 'l/dst_imag.npy', '<f4', shape + (4,), [z.imag for z in wanted])
    refuse('weights lookup is set with method half_threads', 'run', 'fft_ladder', 'rgba.npy', '-o', 'none/', '--set',
           'method=half_threads', 'weights=lookup', *module)
    refuse('fft_ladder', 'run', 'fft_ladder', 'rgba.npy', '-o', 'none/')


def refusals():
    save('complex.npy', (2, 2), [1, 1j, 2, 3])
    save('one.npy', (1, 1), [1], '<f4')
    refuse('complex numbers; src of convolve', 'run', 'convolve', 'complex.npy', 'one.npy', '-o', 'none.npy')
    refuse('real numbers; the result has complex ones', 'run', 'fft', 'one.npy', '--compare', 'one.npy', '-o', 'n.npy')
    write('cut.npy', npy((2, 2), [1, 1j, 2, 3], '<c8')[:-8])
    refuse('truncated', 'run', 'fft', 'cut.npy', '-o', 'none.npy')


if __name__ == '__main__':
    sys.exit(main('fft', transforms, of_another_module, refusals))
