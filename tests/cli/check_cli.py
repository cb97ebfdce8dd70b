#!/usr/bin/env python3
"""check_cli.py PATH_OF_AFTERGLOW: the command line as a new user runs it. Needs Python's standard library alone.

Pictures have the size of other tests' jobs (tests/support/jobs.h), so that their programs are compiled already.

SPDX-License-Identifier: MIT
"""
import csv, filecmp, glob, json, math, os, re, shlex, shutil, signal, stat, subprocess, sys, time

import trace_file
from files import AFTERGLOW, expect, load, main, npy, output, refuse, report, run, write

W, H = 33, 21
SHADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'shaders')


def ramp(*shape, scale=1.0):
    return [i * 37 % 251 * scale for i in range(math.prod(shape))]


def inputs():
    for name, kind, depth, scale in (('ramp', '<f4', (), 1 / 256), ('rgb', '<f4', (3,), 1 / 256), ('rgba', '<f4', (4,), 1 / 256),
                                     ('one_axis', '<f4', (1,), 1 / 256), ('double', '<f8', (3,), 1 / 256), ('half', '<f2', (3,), 1 / 256),
                                     ('codes', '|u1', (3,), 1), ('codes1', '|u1', (), 1), ('codes4', '|u1', (4,), 1), ('words', '<u4', (), 1),
                                     ('zero', '<f4', (3,), 0.0), ('bright', '<f4', (3,), 100 / 256)):
        write(name + '.npy', npy((H, W, *depth), ramp(H, W, *depth, scale=scale), kind))
    write('fortran.npy', npy((H, W, 3), ramp(H, W, 3, scale=1 / 256), fortran=True))
    write('box.npy', npy((3, 3), [1] * 9))
    write('zero_kernel.npy', npy((3, 3), [0] * 9))
    write('broken.png', b'not an image')
    with open('ramp.npy', 'rb') as file:
        write('short.npy', file.read(300))


def done(line):
    """The command line, which may have two spaces for nothing, succeeds."""
    return expect(0, *shlex.split(line))


def is_(path, kind, *shape):
    found = load(path)[:2]
    report(found == (kind, shape), '%s is %s of %s' % (path, kind, shape), found)


def same(a, b, tolerance=0.0, factor=1):
    """b is a times a factor; whether it is so."""
    x, y = load(a), load(b)
    good = x[1] == y[1] and all(abs(v * factor - w) <= tolerance * max(1, abs(w)) for v, w in zip(x[2], y[2]))
    return report(good, '%s is %s times %g, to %g' % (b, a, factor, tolerance), '%s, %s' % (x[1], y[1]))


def equal(a, b, wanted=True):
    report(filecmp.cmp(a, b, shallow=False) == wanted, '%s and %s are %s' % (a, b, 'equal' if wanted else 'not equal'))


def there(*paths):
    report(all(os.path.exists(path) and os.path.getsize(path) for path in paths), 'there: ' + ' '.join(paths))


def refusals(text):
    """Lines of `words that are said | command line`."""
    for line in text.strip().splitlines():
        said, _, words = line.rpartition('|')
        refuse(said.strip(), *shlex.split(words))
    left = glob.glob('none*') + glob.glob('.afterglow-*')
    report(not left, 'what is refused leaves nothing behind', left)


def commands():
    for line in ('--help', 'help', 'help run', '--version', '-V', 'list', 'list bloom', 'info',
                 *(c + ' --help' for c in 'list info scene ocean run kernel tune'.split())):
        done(line)
    done('list sat')
    report('0x' not in output(), 'list names every format of a table', output())
    done('list depth_pyramid')
    report('depth32f' in output() and '0x' not in output(), 'list names every format of a depth', output())
    done('list')
    report(output().startswith('bloom  ') and len(output().split('\n\n')[0].splitlines()) > 15, 'list: a line an effect', output())
    done('list local_stats')
    report('clamp | mirror | normalize' in output(), 'list names what border takes, and nothing else', output())
    done('list --json')
    listed = json.loads(output())['effects']
    report({'bloom', 'convolve', 'mipchain', 'spectrum'} <= {e['id'] for e in listed} and all(
        e['slots'] and all(s['formats'] for s in e['slots'])
        and all({'name', 'type', 'help', 'default'} <= s.keys() for s in e['settings']) for e in listed), 'list --json')
    done('info --json --copy')
    report(json.loads(output())['copy_gb_per_s'] > 0, 'info --copy measures')
    refusals('''
        list info scene ocean run kernel tune |
        list info scene ocean run kernel | nonsense
        did you mean run? | rnu
        did you mean help? | hlep
        bloom | list nonsense
        did you mean bloom? | run blom rgb.npy -o none.npy
        did you mean intensity? | run bloom rgb.npy -o none.npy --set intesnity=1
        did you mean star? | run bloom rgb.npy -o none.npy shape=strar
        did you mean dirt? | run bloom rgb.npy -o none.npy --slot dirrt=rgb.npy
        --json | list --nonsense
        did you mean --tonemap? | run bloom rgb.npy -o none.npy --tonemp aces
        info | info extra
        kernel needs -o FILE | kernel
        go together | kernel -o none.npy --set shape=texture
        expected 1..8192 | kernel -o none.npy --height 0
        --samples | scene -o none.exr --samples 1 --electrons 100
        1..1000000 | scene -o none.exr --electrons 0
        .exr or .npy | scene -o none.png --samples 1
        --samples | scene -o none.exr --frame 3
        .npy or .exr | scene -o none.npy --depth none.png
        -o FILE | scene
        .hdr | scene -o none.bmp
        WxH | scene -o none.npy --size 64
        WxH | scene -o none.npy --size 0x4
        integer | scene -o none.npy --seed x
        aces | scene -o none.png --tonemap filmic
        less than the one before | ocean -o . --set lengths=10,20,30
        or a folder that exists | ocean -o nowhere/at/all
        takes no input | ocean -o none.png rgb.npy
        no_such_module | list --module no_such_module.so
        needs a value | list --module
        --seconds | tune --seconds 0
        no input | tune ramp.npy''')


def made_pictures():
    for end in 'npy', 'png', 'exr':
        done('kernel -o kernel.%s --set shape=star eyelashes=0.2 --height 64' % end)
    is_('kernel.npy', '<f4', 29, 29, 3)
    scene = 'scene --size %dx%d -o ' % (W, H)
    for end in 'npy', 'png', 'jpg', 'hdr':
        done(scene + 'scene.' + end)
    is_('scene.npy', '<f4', H, W, 3)
    numbers = load('scene.npy')[2]
    light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in zip(*(numbers[c::3] for c in range(3))))
    report(min(numbers) >= 0 and 100 * light[len(light) // 2] < max(numbers) <= 65504, 'the scene is HDR', max(numbers))
    done(scene + 'other.npy --seed 2')
    equal('scene.npy', 'other.npy', False)
    done(scene + 'seen.npy --depth depth.npy')
    equal('scene.npy', 'seen.npy')
    is_('depth.npy', '<f4', H, W, 1)
    done(scene + 'toned.png --exposure 1 --tonemap aces')
    done(scene + 'noisy.exr --samples 1')
    there(*('noisy_%s.exr' % guide for guide in ('albedo', 'normal', 'depth', 'motion')))
    done(scene + 'noisy.npy --samples 1')
    is_('noisy_motion.npy', '<f4', H, W, 2)
    for frame in 0, 1:
        done(scene + 'frame.npy --samples 1 --frame %d' % frame)
        equal('noisy.npy', 'frame.npy', frame == 0)
    for name in 'sensor.npy', 'sensor_again.npy':
        done(scene + name + ' --electrons 100')
    equal('sensor.npy', 'sensor_again.npy')
    noisy = load('sensor.npy')[2]
    for low, high in (0, 0.1), (0.1, 1e9):  # in units of the noise that is expected: a mean of 1
        units = [(n - c) ** 2 / (c / 100 + 9e-4) for c, n in zip(numbers, noisy) if low <= c < high]
        report(len(units) > 300 and abs(sum(units) / len(units) - 1) < 5 * math.sqrt(3 / len(units)),
               'the noise of a sensor is that of electrons', (low, len(units)))


def identities():
    """Files through a kernel of one texel."""
    for source, options, kind, tolerance in (
            ('ramp', '', '<f4', 1e-6), ('one_axis', '', '<f4', 1e-6), ('rgb', '', '<f4', 1e-6), ('rgba', '', '<f4', 1e-6),
            ('double', '', '<f4', 1e-6), ('half', '', '<f4', 0), ('codes', '', '|u1', 0), ('codes4', '', '|u1', 0),
            ('codes1', '', '|u1', 0), ('codes', '--format srgb8', '|u1', 0), ('rgb', '--format rgba16f', '<f4', 0),
            ('rgb', '--format dst=rgba16f', '<f4', 0), ('ramp', '--size %dx%d' % (W, H), '<f4', 1e-6),
            ('fortran', '', '<f4', 1e-6), ('ramp', '--set=method=direct', '<f4', 1e-6)):
        done('run convolve %s.npy one.npy -o o.npy %s' % (source, options))
        same('rgb.npy' if source == 'fortran' else source + '.npy', 'o.npy', tolerance)
        report(load('o.npy')[0] == kind, '%s.npy %s comes back as %s' % (source, options, kind), load('o.npy')[0])
    done('run convolve rgb.npy one.npy -o o.npy --format rgba8')
    is_('o.npy', '|u1', H, W, 3)
    done('run convolve ramp.npy one.npy -o o.npy --rect 5,3,11,7')
    part = [load('ramp.npy')[2][(3 + y) * W + 5 + x] for y in range(7) for x in range(11)]
    report(load('o.npy')[1] == (7, 11) and max(abs(a - b) for a, b in zip(load('o.npy')[2], part)) < 1e-6, '--rect')
    done('run convolve ramp.npy --slot kernel=one.npy -o o.npy')
    same('ramp.npy', 'o.npy', 1e-6)
    done('run convolve -o o.npy -- ramp.npy one.npy')
    done('run sat codes1.npy -o sums.npy --set storage=uint32')
    codes, (kind, _, sums) = load('codes1.npy')[2], load('sums.npy')
    above, wanted = [0] * W, []
    for y in range(H):
        row = 0
        for x in range(W):
            row += codes[y * W + x]
            above[x] += row
            wanted.append(above[x])
    report(kind == '<u4' and list(sums) == wanted, 'storage uint32 picks a table of integers: sums of codes', kind)
    done('run sat codes1.npy -o sums.npy --set storage=float32 --format dst=r32f')


def codes_of(light):
    """The place between the codes of the sRGB curve, 0..255."""
    return [255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055) for v in light]


def pictures():
    for line in ('rgb.npy one.npy -o a.png', 'a.png one.npy -o b.png', 'a.png one.npy --compare b.png --psnr 200',
                 'a.png one.npy -o a.npy', 'a.png one.npy -o c.npy --format srgb8',
                 'a.png one.npy -o d.npy --linear --format rgba8', 'bright.npy one.npy -o a.hdr',
                 'a.hdr one.npy --compare bright.npy --psnr 45', 'a.hdr one.npy -o e.png --exposure -6.5 --tonemap aces',
                 'a.png one.npy -o a.jpg', 'ramp.npy one.npy -o grey.png', 'grey.png one.npy -o grey.npy'):
        done('run convolve ' + line)
    is_('a.npy', '<f4', H, W, 3)
    is_('c.npy', '|u1', H, W, 3)
    same('c.npy', 'd.npy')  # --linear and srgb8 hold the same codes
    is_('grey.npy', '<f4', H, W)
    # A PNG's channels are red, green, blue: of the code 37 k mod 251, as sRGB has it.
    codes = codes_of(load('rgb.npy')[2])
    report(max(abs(a - b) for a, b in zip(codes, load('c.npy')[2])) <= 1.5, 'channels of a picture are in their order')
    # A frame of codes: with nothing to bloom it stays, in 8 and in 16 bits; textures of floats are refused.
    for form in 'rgba8', 'rgba16':
        done('run bloom a.png -o same.png --linear --format %s --set transfer=srgb intensity=0 --compare a.png --psnr 300' % form)
    # Several settings after one --set. After another option, after --, or if there is a file of that name, they are inputs.
    done('run bloom scene.npy -o one.glow.npy --set intensity=0.5 --set size=0.2 --set tint=1,0.5,0.25')
    done('run bloom --set intensity=0.5 size=0.2 tint=1,0.5,0.25 scene.npy -o glow.npy --compare one.glow.npy --psnr 300')
    shutil.copy('scene.npy', 'blades=5')
    refuse('.npy', *'run bloom --set intensity=0.5 blades=5 -o none.npy'.split())
    os.remove('blades=5')
    refusals('''
        with transfer = srgb | run bloom scene.npy -o none.npy --set transfer=srgb
        blades=5: No such file | run bloom --set size=0.2 -o none.npy -- scene.npy blades=5
        3..16 | run bloom scene.npy -o none.npy --set size=0.2 blades=4.5
        no setting | run bloom scene.npy -o none.npy --set size=0.2 nonsense=1''')


def correlation(a, b):
    return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def dithering():
    """Light that becomes codes: means, bands, and what has to stay."""
    wide, rows = 256, 64
    flats = [at for at in (0, 0.2, 0.7, 37.6, 100.3, 254.3, 254.8, 255) for _ in range(wide * rows)]
    slow = [8 * x / wide for _ in range(rows) for x in range(wide) for _ in range(3)]  # from black, 32 texels a code
    write('flats.npy', npy((8 * rows, wide), [at / 255 for at in flats]))
    write('slow.npy', npy((rows, wide, 3), [at / 255 / 12.92 for at in slow]))
    # A file of many more texels than the 256 codes that it has, in colours and alpha.
    write('every.npy', npy((16, 64, 4), [i * 29 % 256 for i in range(4096)], '|u1'))
    for line in ('flats.npy -o flats.png --linear', 'flats.npy -o flats_off.png --linear --dither off',
                 'flats.npy -o flats_again.png --linear --dither on', 'slow.npy -o slow.png', 'slow.npy -o slow_off.png --dither off',
                 'every.npy -o every.png --linear', 'every.png -o every_f.png', 'every.png -o every_h.png --format rgba16f',
                 'every.png -o every_8.png --linear --format rgba8', 'slow.npy -o slow_8.png --format rgba8',
                 'slow.npy -o slow_8_off.png --format rgba8 --dither off', 'slow.npy --compare slow.png --psnr 300',
                 *('%s.png -o %s_codes.npy --linear --format %s' % (name, name, form) for name, form in (
                     ('flats', 'r8'), ('flats_off', 'r8'), ('slow', 'rgba8'), ('slow_off', 'rgba8'), ('every_f', 'rgba8')))):
        done('run convolve %s --slot kernel=one.npy' % line)
    found, plain = load('flats_codes.npy')[2], load('flats_off_codes.npy')[2]
    for part in range(8):
        here = slice(part * wide * rows, (part + 1) * wide * rows)
        at, mean = flats[here][0], sum(found[here]) / (wide * rows)
        spread = sum((code - at) ** 2 for code in found[here]) / (wide * rows)
        report(abs(mean - at) < 0.02, 'dithering keeps the mean of grey %g' % at, mean)
        end = min(at, 255 - at)  # within half a code of black and white the noise is one uniform number
        report(abs(spread - (0.25 if end >= 0.5 else end - end * end)) < 0.02, 'the noise of grey %g' % at, spread)
    report(all(a == math.floor(b + 0.5) for a, b in zip(plain, flats)), '--dither off takes the nearest code')
    equal('flats.png', 'flats_again.png')
    off, on = ([code - at for code, at in zip(load(name)[2], slow)] for name in ('slow_off_codes.npy', 'slow_codes.npy'))
    for name, apart in ('the next texel', 3), ('the texel below', 3 * wide), ('another channel', 1):
        bands, noise = correlation(off, off[apart:]), correlation(on, on[apart:])
        report(bands > 0.8 and abs(noise) < 5 / math.sqrt(len(on)), 'no bands: the error and that of ' + name, (bands, noise))
    worst = max(abs(sum(sum(on[(y * wide + x) * 3:(y * wide + x + 8) * 3]) for y in range(rows))) / (24 * rows)
                for x in range(0, wide, 8))
    report(worst < 5 * 0.5 / math.sqrt(24 * rows), 'columns of a slow gradient keep their light', worst)
    same('every.npy', 'every_f_codes.npy')
    for name in 'every_f', 'every_h', 'every_8':
        equal('every.png', name + '.png')
    equal('slow_8.png', 'slow_8_off.png')  # what a texture of 8 bits holds has its steps already
    for end in 'png', 'jpg':
        done('scene --size 64x36 -o off.%s --dither off' % end)
        done('scene --size 64x36 -o on.%s' % end)
        equal('on.' + end, 'off.' + end, False)
    refusals('on or off | run convolve slow.npy one.npy -o none.png --dither 1')


def effects():
    """What the command line makes of an effect's slots and sizes."""
    done('run bloom grey.png -o glow.png')
    done('run spectrum rgba.npy -o spectrum.npy --set range=60 --set gain=-6 --set centred=off')
    done('run denoise noisy.exr -o quiet.exr --set filter=atrous --slot albedo=noisy_albedo.exr --slot normal=noisy_normal.exr '
         '--slot depth=noisy_depth.exr')
    done('run wavelet scene.npy -o bands.npy --set wavelet=cdf97 --set levels=3 --set border=symmetric')
    is_('bands.npy', '<f4', 47, 60, 3)  # as large as PyWavelets has them
    done('run wavelet bands.npy -o back.npy --set wavelet=cdf97 --set levels=3 --set border=symmetric --set direction=inverse '
         '--size %dx%d --compare scene.npy --psnr 120' % (W, H))
    ladder = '--module libafterglow_ladder.so.1'  # the documents' methods, in a module beside the program
    done('list sat_ladder ' + ladder)
    done('run sat scene.npy -o table.npy --set storage=float32')
    done('run sat_ladder scene.npy -o scan.npy --set method=hensley %s --compare table.npy --psnr 100' % ladder)
    os.mkdir('maps')
    done('ocean -o maps --set size=32 --set cascades=2 --set time=3')
    is_('maps/displacement1.npy', '<f4', 32, 32, 4)
    is_('maps/jacobian0.npy', '<f4', 32, 32)
    done('ocean -o sea.hdr --size 24x16 --set size=32')
    done('run mipchain scene.npy -o chain')
    there('chain/texture_L01.npy')
    equal('chain/texture_L00.npy', 'scene.npy')
    done('run mipchain grey.png -o chain --set levels=2 --set reduce=max --as png')
    there('chain/texture_L02.png')
    report(not os.path.exists('chain/texture_L03.png'), 'as many levels as asked for')
    done('run depth_of_field seen.npy depth.npy -o focus.npy --set encoding=linear --set focus=point')
    is_('focus.npy', '<f4', H, W, 3)
    done('run downsample scene.npy -o small.npy --size 9x5')
    is_('small.npy', '<f4', 5, 9, 3)
    done('run downsample scene.npy -o sizes --size 16x10,8x5,1x1')
    there('sizes/dst0.npy', 'sizes/dst1.npy', 'sizes/dst2.npy')
    report(not os.path.exists('sizes/dst3.npy'), 'an output a size')
    done('run downsample a.png grey.png -o smaller --size 7x5')
    there('smaller/a.png', 'smaller/grey.png')
    # An effect with state: a texel of its own size, kept whole. A warm-up leaves it alone: states are no pictures.
    done('run exposure scene.hdr -o state.npy --frames 60')
    is_('state.npy', '<f4', 1, 1, 4)
    done('run exposure scene.hdr -o first.npy')
    report(load('state.npy')[2][0] == load('first.npy')[2][0], 'a still image stays at what its first frame took')
    done('run exposure bright.npy -o bright_state.npy')
    done('run exposure rgb.npy --slot state=bright_state.npy -o once.npy')
    done('run exposure rgb.npy --slot state=bright_state.npy -o timed.npy --frames 1')
    same('once.npy', 'timed.npy')
    done('run exposure rgb.npy -o half_state.npy --format rgba16f')
    refusals('''
        only filter = atrous | run denoise noisy.exr -o none.exr --slot depth=noisy_depth.exr
        sat_ladder | run sat_ladder scene.npy -o none.npy
        folder | run mipchain scene.npy -o none.npy
        level | run mipchain scene.npy -o chain --compare scene.npy
        depth | run depth_of_field seen.npy -o none.npy
        in place | run mipchain scene.npy -o chain --size 4x4
        --size | run downsample scene.npy -o none.npy
        larger | run downsample scene.npy -o none.npy --size 65x36
        at most 4 | run downsample scene.npy -o none --size 1x1,2x2,3x3,4x4,5x5
        1x1 | run exposure scene.hdr -o none.npy --size 2x2
        .npy | run exposure rgb.npy -o none.hdr''')


def compared():
    for code, line in ((0, 'rgb.npy one.npy --compare rgb.npy --psnr 110'), (1, 'rgb.npy one.npy --compare zero.npy'),
                       (0, 'codes.npy one.npy --compare codes.npy'), (1, 'rgb.npy box.npy -o o.npy --compare rgb.npy')):
        if os.path.exists('o.npy'):
            os.remove('o.npy')
        expect(code, 'run', 'convolve', *line.split())
        report('PSNR' in output(), '--compare prints the distance', output())
    there('o.npy')
    refusals('''
        size | run convolve rgb.npy one.npy --compare bands.npy
        channels | run convolve rgb.npy one.npy --compare ramp.npy
        missing.npy | run convolve rgb.npy one.npy --compare missing.npy
        --compare | run convolve rgb.npy one.npy -o none.npy --psnr 50''')


def plan_table(rows, measured=False):
    """Rows of --plan add up and have every column."""
    lines = [line.split() for line in output().splitlines()]
    top = next((i for i, line in enumerate(lines) if line[:1] == ['step'] and 'predicted' in line), 0)
    table, tail = lines[top + 1:top + 1 + rows], 3 if measured else 1
    figures = [[float(word) for word in row[-tail:]] for row in table]
    moved = [int(row[-tail - 1]) for row in table]
    report(table[-1][:2] == ['whole', 'pass'] and all(f[0] > 0 for f in figures) and sum(moved[:-1]) == moved[-1]
           and abs(sum(f[0] for f in figures[:-1]) - figures[-1][0]) < 0.1 * rows
           and all(abs(f[1] / f[0] - f[2]) < 0.02 * f[2] + 0.01 for f in figures if measured), '--plan: its table', output())


def plans():
    done('run convolve ramp.npy box.npy --plan')
    plan_table(2)
    report('scratch' in output() and 'measured' not in output(), '--plan prints the memory, and measures nothing', output())
    report(re.search(r'copy speed of [0-9.]+ GB/s', output()), '--plan names the copy speed', output())
    report('say nothing about a GPU' in output() or 'llvmpipe' not in output(), '--plan on a CPU says so', output())
    done('tune -o tuning.txt --seconds 1')
    with open('tuning.txt', 'a', encoding='utf-8') as file:
        file.write('time.convolve.direct 3 2\n')
    with open('tuning.txt', encoding='utf-8') as file:
        text = file.read()
    report(text.startswith('afterglow tuning 1\n'), 'tune writes what the module reads', text)
    said = done('run convolve ramp.npy box.npy --plan --tuning tuning.txt')
    report('by --tuning, 3.00 us a dispatch, 2.000 a megabyte' in output() and not said, '--plan predicts by the tuning', said)
    write('stale.txt', re.sub('^driver .*', 'driver of yesterday', text, flags=re.M).encode())
    said = done('run convolve ramp.npy box.npy --plan --tuning stale.txt')
    report(re.search('driver of yesterday.*defaults serve', said), 'a stale tuning is refused in a sentence', said)
    done('run convolve ramp.npy box.npy --set method=fft --plan --frames 4')
    plan_table(4, True)
    report('less if prepare finds' in output(), '--plan says what it cannot know of a kernel', output())
    for frames, steps, more in (8, 3, ' --set method=fft'), (300, 1, ''):
        done('run convolve ramp.npy box.npy --frames %d --stats s.csv --trace t.json' % frames + more)
        report('whole pass' in output(), '--frames prints a table', output())
        check_stats('s.csv', frames)
        try:
            trace_file.check('t.json', frames, steps)
            report(True, '--trace')
        except (AssertionError, KeyError, ValueError) as wrong:
            report(False, '--trace of %d frames' % frames, wrong)
    done('run convolve ramp.npy box.npy --frames 4 --stats s.json')
    with open('s.json', encoding='utf-8') as file:
        json.load(file)
    refusals('''
        no-such | run convolve ramp.npy box.npy --plan --tuning no-such.txt
        .csv | run convolve ramp.npy one.npy -o none.npy --stats s.txt
        .json | run convolve ramp.npy one.npy -o none.npy --trace t.txt
        integer | run convolve ramp.npy one.npy -o none.npy --frames 0''')


def check_stats(path, frames):
    with open(path, encoding='utf-8') as file:
        rows = list(csv.DictReader(file, strict=True))
    good = len(rows) >= 2 and rows[-1]['step'] == 'whole pass'
    good = good and sum(int(r['bytes']) for r in rows[:-1]) == int(rows[-1]['bytes'])
    for row in rows:
        good = good and None not in row and None not in row.values() and (int(row['samples']), int(row['dropped'])) == (frames, 0)
        for clock in 'gpu', 'cpu':
            low, half, p95, p99, mean, last, first = (
                float(row['%s_%s_ns' % (clock, name)]) for name in ('min', 'median', 'p95', 'p99', 'mean', 'last', 'first'))
            good = good and 0 < low <= half <= p95 <= p99 and low <= mean and low <= last and first > 0
        speed = float(row['bytes']) / float(row['gpu_median_ns'])
        good = good and abs(float(row['gb_per_s']) - speed) <= 1e-3 + 1e-3 * speed and float(row['copy_ratio']) > 0
    report(good, '--stats of %d frames' % frames, rows)


def batches():
    done('run convolve rgb.npy rgba.npy a.png --slot kernel=one.npy -o batch')
    same('rgb.npy', 'batch/rgb.npy', 1e-6)
    same('rgba.npy', 'batch/rgba.npy', 1e-6)
    report(sorted(os.listdir('batch')) == ['a.png', 'rgb.npy', 'rgba.npy'], 'a batch: three files', os.listdir('batch'))
    done('run convolve a.jpg --slot kernel=one.npy -o batch/')  # .jpg becomes .png
    there('batch/a.png')
    done('run convolve a.png --slot kernel=one.npy -o batch --as npy')
    is_('batch/a.npy', '<f4', H, W, 3)
    os.mkdir('twice')
    shutil.copy('rgb.npy', 'twice')
    refusals('''
        twice/rgb.npy as none/rgb.npy are one file | run convolve rgb.npy twice/rgb.npy --slot kernel=one.npy -o none
        rgb.npy as ./rgb.npy would replace rgb.npy | run convolve rgb.npy rgba.npy --slot kernel=one.npy -o .
        --slot | run convolve rgb.npy rgba.npy a.png -o none
        folder | run convolve rgb.npy rgba.npy --slot kernel=one.npy -o none.npy
        batch | run convolve rgb.npy rgba.npy --slot kernel=one.npy -o none --frames 2
        -o DIR | run convolve rgb.npy rgba.npy --slot kernel=one.npy''')
    expect(2, *'run convolve broken.png a.png --slot kernel=one.npy -o batch3'.split())
    report(os.listdir('batch3') == ['a.png'], 'one bad file stops no other', os.listdir('batch3'))


class Watch:
    """afterglow run --watch, its shaders in `live`, what it says in `said`."""

    def __init__(self):
        self.said = open('said', 'w+', encoding='utf-8')
        words = 'run convolve rgb.npy one.npy -o live.npy --set method=direct --shaders live --watch'.split()
        self.job = subprocess.Popen([AFTERGLOW, *words], stdout=subprocess.DEVNULL, stderr=self.said)

    def wait(self, name, condition):
        end = time.monotonic() + 60
        while not condition() and self.job.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        report(condition() and self.job.poll() is None, 'watch: ' + name, self.text())

    def until(self, name, pattern):
        self.wait(name, lambda: re.search(pattern, self.text(), re.M))

    def text(self):
        with open('said', encoding='utf-8') as file:
            return file.read()

    def shows(self, name, factor):
        def is_shown():
            x, y = load('rgb.npy')[2], load('live.npy')[2]
            return len(x) == len(y) and all(abs(a * factor - b) <= 1e-6 * max(1, abs(b)) for a, b in zip(x, y))
        self.wait(name, is_shown)

    def end(self, number):
        self.job.send_signal(number)
        report(self.job.wait(60) == 0, 'watch: signal %d ends it with status 0' % number, self.text())
        self.said.close()


def watching():
    shutil.copytree(SHADERS, 'live')
    path = 'live/fft/direct.comp'
    with open(path, encoding='utf-8') as file:
        text = file.read()
    edited = lambda factor, gain='u_gain': re.sub(r'u_gain \* total', '%s * %s * total' % (factor, gain), text).encode()
    w = Watch()
    w.until('it starts', 'watching live')
    w.shows('the first output', 1)
    os.replace(write('edit', edited('2.0')), path)
    w.shows('an edit by rename', 2)
    write(path, edited('2.0', 'u_gian'))
    line = 1 + next(i for i, each in enumerate(text.splitlines()) if 'u_gain * total' in each)
    w.until('a mistake is shown with file and line', '^fft/direct.comp:%d:[0-9]+: ' % line)
    w.until('and with the line and a caret', r'^    .*2\.0 \* u_gian \* total.*\n *\^$')
    w.shows('the output stays', 2)
    write(path, edited('5.0'))
    w.shows('mended in place', 5)
    w.until('it says what it wrote', 'edit 2: live.npy is written')
    w.end(signal.SIGINT)
    write(path, edited('1.0', 'u_gian'))
    os.remove('live.npy')
    w = Watch()
    w.until('it starts with broken shaders, too, and says which are used instead', 'built-in shaders are used[^@]*watching live|'
            'watching live[^@]*built-in shaders are used')
    w.shows('and that is what it writes', 1)
    write(path, edited('2.0'))
    w.shows('mended', 2)
    w.end(signal.SIGTERM)
    write(path, edited('1.0', 'u_gian'))
    said = expect(1, *'run convolve rgb.npy one.npy -o none.npy --set method=direct --shaders live'.split())
    report('u_gian' in said, 'broken shaders are shown, not replaced in silence', said)
    refusals('''
        --shaders | run convolve rgb.npy one.npy -o none.npy --watch
        -o | run convolve rgb.npy one.npy --shaders live --plan --watch
        --frames | run convolve rgb.npy one.npy -o none.npy --shaders live --watch --frames 3''')


def cached_programs():
    job = 'run convolve rgb.npy one.npy --set method=direct -o '
    done(job + 'cold.npy')
    if glob.glob('cache/afterglow/*'):  # a driver that has program binaries
        report(not glob.glob('cache/afterglow/new-*'), 'cache: nothing half-written')
        report(stat.S_IMODE(os.stat('cache/afterglow').st_mode) == 0o700, 'cache: private')
        kept = {}
        for path in glob.glob('cache/afterglow/*'):
            with open(path, 'rb') as file:
                kept[path] = file.read()
            write(path, kept[path][:300] + b'\377\0\377' + kept[path][303:])
        said = done(job + 'warm.npy')
        equal('cold.npy', 'warm.npy')
        restored = 0
        for path, data in kept.items():
            with open(path, 'rb') as file:
                restored += file.read() == data
            os.remove(path)
            os.mkfifo(path)
        report(restored >= 2 and not said, 'cache: corrupt files are as before, and nobody hears of them', restored)
        done(job + 'warm.npy')  # nobody waits for a FIFO
        equal('cold.npy', 'warm.npy')
    for name in 'XDG_CACHE_HOME', 'HOME':  # no place for one; no home
        before = os.environ.pop(name, None)
        if name == 'XDG_CACHE_HOME':
            os.environ[name] = '/dev/null'
        done(job + 'warm.npy')
        equal('cold.npy', 'warm.npy')
        os.environ.update({name: before} if before else {})


def wrong_runs():
    refusals('''
        bloom | run nonsense rgb.npy -o none.npy
        effect | run
        src | run convolve -o none.npy
        kernel | run convolve rgb.npy -o none.npy
        -o FILE | run convolve rgb.npy one.npy
        missing.npy | run convolve missing.npy one.npy -o none.npy
        .png | run convolve rgb.npy one.npy -o none.bmp
        missing | run convolve rgb.npy one.npy -o missing/none.npy
        broken.png | run convolve broken.png one.npy -o none.npy
        truncated | run convolve short.npy one.npy -o none.npy
        npy | run convolve words.npy one.npy -o none.npy --format rgba32f
        channels | run convolve rgba.npy one.npy -o none.npy --format r32f
        method | run convolve rgb.npy one.npy -o none.npy --set nonsense=1
        fft | run convolve rgb.npy one.npy -o none.npy --set method=nonsense
        on | off | run convolve rgb.npy one.npy -o none.npy --set scrub=2
        expected clamp | run local_stats rgb.npy -o none --set border=zero
        no setting tables | run box_blur rgb.npy -o none.npy --set tables=image
        0..1 | run bloom rgb.npy -o none.npy --set intensity=2
        3 values | run bloom rgb.npy -o none.npy --set tint=1,2
        3 values | run bloom rgb.npy -o none.npy --set tint=1,2,3,4
        NAME=VALUE | run bloom rgb.npy -o none.npy --set intensity
        number | run bloom rgb.npy -o none.npy --set intensity=nan
        kernel | run convolve rgb.npy one.npy -o none.npy --slot nonsense=one.npy
        NAME=FILE | run convolve rgb.npy one.npy -o none.npy --slot kernel
        rgba32f | run convolve rgb.npy one.npy -o none.npy --format nonsense
        dst | run convolve rgb.npy one.npy -o none.npy --format nonsense=rgba32f
        33x21 | run convolve rgb.npy one.npy -o none.npy --size 32x20
        WxH | run convolve rgb.npy one.npy -o none.npy --size 32
        33x21 | run convolve rgb.npy one.npy -o none.npy --rect 32,0,2,2
        X,Y,W,H | run convolve rgb.npy one.npy -o none.npy --rect 0,0,2
        X,Y,W,H | run convolve rgb.npy one.npy -o none.npy --rect 0,0,0,2
        folder | run convolve rgb.npy one.npy -o none.npy --shaders missing
        srgb8 | run convolve a.png one.npy -o none.npy --linear --format srgb8
        --size | run convolve rgb.npy one.npy -o none.npy --nonsense
        FILE | run convolve rgb.npy one.npy -o
        device | run convolve rgb.npy one.npy -o none.npy --device 999''')
    os.mkdir('no_shaders')
    expect(1, *'run convolve rgb.npy zero_kernel.npy -o none.npy --set normalize=sum'.split())
    expect(1, *'run convolve rgb.npy box.npy -o none.npy --shaders no_shaders'.split())
    report(not glob.glob('none*'), 'what fails leaves nothing behind')


sys.exit(main('cli', inputs, commands, made_pictures, identities, pictures, dithering, effects, compared, plans, batches,
              watching, cached_programs, wrong_runs))
