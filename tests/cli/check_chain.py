#!/usr/bin/env python3
"""check_chain.py PATH_OF_AFTERGLOW: chains of effects, against the same effects one by one with files of float32 between.

SPDX-License-Identifier: MIT
"""
import csv, filecmp, json, math, os, random, re, shlex, struct, subprocess, sys

import trace_file
from files import AFTERGLOW, PATIENCE, expect, load, main, npy, output, refuse, report, write

W, H = 33, 21
PASSES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'passes')
TONE = shlex.quote(os.path.join(PASSES, 'tone_map'))
rng = random.Random(20261126)


def inputs():
    for name, depth in (('grey', ()), ('rgb', (3,)), ('rgba', (4,))):
        write(name + '.npy', npy((H, W, *depth), [rng.expovariate(2) for _ in range(H * W * math.prod(depth))]))
    write('box.npy', npy((3, 5), [rng.random() for _ in range(15)]))
    write('depth.npy', npy((H, W), [rng.uniform(1, 9) for _ in range(H * W)]))
    write('bits.npy', npy((H, W), [rng.randrange(64) / 64 for _ in range(H * W)]))


def done(line):
    return expect(0, 'run', *shlex.split(line))


def equal(a, b, name):
    report(os.path.exists(a) and filecmp.cmp(a, b, shallow=False), name, '%s and %s' % (a, b))


def same(chain, *steps):
    """The chain writes out.npy, the steps write ref.npy, the same bytes."""
    for path in 'out.npy', 'ref.npy':
        if os.path.exists(path):
            os.remove(path)
    done(chain + ' -o out.npy')
    for step in steps:
        done(step)
    equal('out.npy', 'ref.npy', 'as with files between: ' + chain)


def with_files_between():
    for source in 'grey.npy', 'rgb.npy', 'rgba.npy':
        same('box_blur radius=2 + bloom intensity=0.3 ' + source,
             'box_blur %s --set radius=2 -o between.npy' % source, 'bloom between.npy --set intensity=0.3 -o ref.npy')
    # The exposure's texel goes to bloom and to tone_map by their slot's name, the picture past it.
    same('denoise + exposure + bloom intensity=0.3 rgb.npy', 'denoise rgb.npy -o a.npy', 'exposure a.npy -o state.npy',
         'bloom a.npy intensity=0.3 --slot exposure=state.npy -o ref.npy')
    same('exposure + %s ev=1 rgb.npy' % TONE, 'exposure rgb.npy -o state.npy',
         '%s rgb.npy --set ev=1 --slot exposure=state.npy -o ref.npy' % TONE)
    same('exposure + bloom + %s rgb.npy' % TONE, 'exposure rgb.npy -o state.npy',
         'bloom rgb.npy --slot exposure=state.npy -o b.npy', '%s b.npy --slot exposure=state.npy -o ref.npy' % TONE)
    # Two of one kind, and settings of each.
    same('bloom intensity=0.5 size=0.2 + bloom intensity=0.1 --set shape=gaussian rgb.npy',
         'bloom rgb.npy --set intensity=0.5 size=0.2 -o a.npy', 'bloom a.npy --set intensity=0.1 shape=gaussian -o ref.npy')
    # Inputs fill what is open, in order; --slot leaves nothing open.
    same('box_blur radius=1 + convolve normalize=sum rgb.npy box.npy', 'box_blur rgb.npy radius=1 -o a.npy',
         'convolve a.npy box.npy normalize=sum -o ref.npy')
    same('box_blur radius=1 + convolve kernel=box.npy rgb.npy', 'box_blur rgb.npy radius=1 -o a.npy', 'convolve a.npy box.npy -o ref.npy')
    # A kernel that the chain makes.
    same('convolve + convolve kernel=convolve.dst src=convolve.src normalize=sum grey.npy box.npy', 'convolve grey.npy box.npy -o a.npy',
         'convolve grey.npy a.npy normalize=sum -o ref.npy')
    # A slot that an earlier effect has a file for.
    same('denoise filter=atrous depth=depth.npy + depth_of_field encoding=linear focus=point rgb.npy',
         'denoise rgb.npy filter=atrous --slot depth=depth.npy -o a.npy',
         'depth_of_field a.npy depth.npy encoding=linear focus=point -o ref.npy')
    # A ready table, and the picture that it is of.
    same('sat storage=float32 + box_blur table=sat.dst src=sat.src radius=3 grey.npy', 'sat grey.npy storage=float32 -o a.npy',
         'box_blur grey.npy --slot table=a.npy radius=3 -o ref.npy')
    same('downsample --size 50% + box_blur radius=1 rgb.npy', 'downsample rgb.npy --size 17x11 -o a.npy', 'box_blur a.npy radius=1 -o ref.npy')
    same('box_blur radius=1 + downsample rgb.npy --size 7x5', 'box_blur rgb.npy radius=1 -o a.npy', 'downsample a.npy --size 7x5 -o ref.npy')
    same('box_blur radius=1 --rect 4,3,20,9 + bloom rgb.npy', 'box_blur rgb.npy radius=1 --rect 4,3,20,9 -o a.npy', 'bloom a.npy -o ref.npy')
    same('fft + fft direction=inverse grey.npy', 'fft grey.npy -o a.npy', 'fft a.npy direction=inverse -o ref.npy')
    # Formats: what --format says of the next one's source is what the former writes.
    same('box_blur radius=1 + bloom --format rgba16f rgb.npy', 'box_blur rgb.npy radius=1 --format dst=rgba16f -o a.npy',
         'bloom a.npy --format rgba16f -o ref.npy')
    done('denoise + mipchain rgb.npy -o levels')
    done('denoise rgb.npy -o a.npy')
    done('mipchain a.npy -o levels_ref')
    report(len(os.listdir('levels')) == 6 and sorted(os.listdir('levels')) == sorted(os.listdir('levels_ref')), 'levels', os.listdir('levels'))
    for name in os.listdir('levels_ref'):
        equal('levels/' + name, 'levels_ref/' + name, 'a chain that ends in place: ' + name)


def written():
    """Slots that only --write reaches."""
    done('box_blur radius=2 --write dst=between.npy + bloom rgb.npy -o o.npy')
    done('box_blur radius=2 rgb.npy -o ref.npy')
    equal('between.npy', 'ref.npy', '--write of an effect within a chain')
    numbers = load('bits.npy')[2]
    done('sat offset=mean storage=float32 bits.npy -o o.npy --write mean=mean.npy')
    kind, shape, mean = load('mean.npy')
    report(shape == (1, 1) and abs(mean[0] - sum(numbers) / len(numbers)) < 1e-6, 'sat: offset = mean', (shape, mean))
    done('sat square=on storage=float32 bits.npy -o o.npy --write squares=squares.npy')
    wanted, above = [], [0] * W
    for y in range(H):
        row = 0
        for x in range(W):
            row += numbers[y * W + x] ** 2
            above[x] += row
            wanted.append(above[x])
    report(list(load('squares.npy')[2]) == wanted, 'sat: square = on')
    done('sat storage=double_float rgb.npy -o high.npy --write low=low.npy')
    high, low, source = load('high.npy')[2], load('low.npy')[2], load('rgb.npy')[2]
    total = [math.fsum(source[c::3]) for c in range(3)]
    found = [a + b for a, b in zip(high[-3:], low[-3:])]
    report(all(abs(a - b) < 1e-9 * b for a, b in zip(found, total)), 'sat: dst and low are the sum to 1e-9', (found, total))
    done('depth_of_field rgb.npy depth.npy encoding=linear focus=point -o o.npy --write state=state.npy')
    report(load('state.npy')[1] == (1, 1, 4), 'an optional state', load('state.npy')[1])


def memory():
    """Textures that nothing reads any more are written again: a long chain takes two."""
    line = 'box_blur radius=1 + box_blur radius=2 + box_blur radius=3 + box_blur radius=4 + box_blur radius=5'
    done(line + ' rgb.npy --plan')
    between = int(re.search(r'between the effects: (\d+) bytes', output())[1])
    report(between == 2 * W * H * 16, '--plan: two textures', output())
    source = 'rgb.npy'
    for radius in range(1, 6):
        done('box_blur %s radius=%d -o step%d.npy' % (source, radius, radius))
        source = 'step%d.npy' % radius
    done(line + ' rgb.npy rgba.npy grey.npy -o shared')
    equal('shared/rgb.npy', 'step5.npy', 'of a batch whose files differ in their channels')
    # What is read later, or becomes a file, is kept.
    done(line.replace('radius=1', 'radius=1 --write dst=kept.npy') + ' rgb.npy -o out.npy')
    equal('kept.npy', 'step1.npy', 'a texture that becomes a file')
    equal('out.npy', 'step5.npy', 'and the end of that chain')
    same('box_blur radius=1 + bloom + denoise + box_blur radius=2 + bloom kernel_image=bloom.src shape=texture rgb.npy',
         'bloom step1.npy -o b.npy', 'denoise b.npy -o d.npy', 'box_blur d.npy radius=2 -o e.npy',
         'bloom e.npy shape=texture --slot kernel_image=step1.npy -o ref.npy')


def measured():
    done('denoise + exposure + bloom rgb.npy --plan')
    text = output()
    report(text.count('whole pass') == 3 and text.count('whole chain') == 1 and '\n2 exposure\n' in text and
           'textures between the effects: %d bytes' % (W * H * 16 + 16) in text, '--plan of a chain', text)
    done('denoise + exposure + bloom rgb.npy --frames 5 --plan --stats s.csv --trace t.json')
    with open('s.csv', encoding='utf-8') as file:
        rows = {row['step']: row for row in csv.DictReader(file, strict=True)}
    whole = [rows[name] for name in ('denoise', 'exposure', 'bloom')]
    median = lambda row, what: float(row[what + '_median_ns'])
    report(all(int(row['samples']) == 5 for row in rows.values()) and
           sum(int(row['bytes']) for row in whole) == int(rows['whole chain']['bytes']) and
           sum(float(row['gpu_min_ns']) for row in whole) <= float(rows['whole chain']['gpu_min_ns']) and
           any(name.startswith('bloom.') for name in rows), '--stats of a chain', list(rows.values())[-1])
    report(median(rows['whole chain'], 'cpu') > 0, '--stats of a chain: CPU')
    with open('t.json', encoding='utf-8') as file:
        events = [e for e in json.load(file)['traceEvents'] if e['ph'] == 'X']
    for track in 1, 2:
        here = [(round(e['ts'] * 1000), round(e['ts'] * 1000) + round(e['dur'] * 1000), e['name']) for e in events if e['tid'] == track]
        trace_file.check_nesting(here)
        report([sum(name == effect for _, _, name in here) for effect in ('denoise', 'exposure', 'bloom')] == [5, 5, 5],
               '--trace of a chain', here[:4])
    done('denoise + bloom rgb.npy --frames 2 --stats s.json')
    with open('s.json', encoding='utf-8') as file:
        read = json.load(file)
    report(read['effect'] == 'denoise + bloom' and read['steps'][-1]['name'] == 'whole chain', '--stats as JSON', read['effect'])


def many():
    done('box_blur radius=1 + bloom rgb.npy rgba.npy -o batch')
    for name in 'rgb.npy', 'rgba.npy':
        done('box_blur radius=1 %s -o a.npy' % name)
        done('bloom a.npy -o ref.npy')
        equal('batch/' + name, 'ref.npy', 'a batch through a chain: ' + name)
    frames = [[rng.random() for _ in range(W * H)] for _ in range(3)]
    job = subprocess.run([AFTERGLOW, *('run box_blur radius=1 + exposure + bloom - -o - --raw %dx%d:grayf32le' % (W, H)).split()],
                         input=b''.join(struct.pack('<%df' % (W * H), *f) for f in frames), capture_output=True, timeout=PATIENCE)
    report(job.returncode == 0 and len(job.stdout) == 3 * 4 * W * H, 'a stream through a chain', job.stderr)
    write('first.npy', npy((H, W), frames[0]))
    done('box_blur radius=1 + exposure + bloom first.npy -o ref.npy')
    found = struct.unpack('<%df' % (W * H), job.stdout[:4 * W * H])
    worst = max(abs(a - max(b, 0)) for a, b in zip(found, load('ref.npy')[2]))
    report(worst < 1e-6, 'its first frame is that of a file', worst)


def refusals():
    for line in '''
        a + stands between two effects | + bloom rgb.npy -o none.npy
        a + stands between two effects | bloom + + bloom rgb.npy -o none.npy
        nothing follows the last one | bloom rgb.npy + -o none.npy
        nothing.npy: No such file | bloom rgb.npy nothing.npy -o none.npy
        unknown effect rgb.npy | bloom + rgb.npy -o none.npy
        bloom: intensity=3 | denoise + bloom intensity=3 rgb.npy -o none.npy
        denoise has no setting intensity | denoise intensity=0.3 + bloom rgb.npy -o none.npy
        exposure has no slot stat; expected one of: src state; did you mean state? | exposure + bloom exposure=exposure.stat rgb.npy -o none.npy
        expected 2 (box_blur.src, convolve.kernel) | box_blur + convolve rgb.npy -o none.npy
        src of bloom takes real ones | fft + bloom grey.npy -o none.npy
        works in place | denoise + mipchain texture=denoise.src rgb.npy -o none
        behind its name | downsample + bloom rgb.npy -o none.npy --size 50%
        N% of the source | downsample rgb.npy -o none.npy --size 0%
        --format r8 of bloom | exposure + bloom --format r8 rgb.npy -o none.npy
        this slot is read; --slot | bloom --write src=none.npy rgb.npy -o none.npy
        unknown file type | bloom --write dst=none.bmp rgb.npy -o none.npy
        writes levels | mipchain --write texture=none.npy rgb.npy -o none
        not a batch | bloom --write dst=none.npy rgb.npy rgba.npy -o none
        one file | bloom --write dst=none.npy + bloom rgb.npy -o none.npy'''.strip().splitlines():
        said, _, words = line.rpartition('|')
        refuse(said.strip(), 'run', *shlex.split(words))
    report(not [name for name in os.listdir('.') if name.startswith('none')], 'what is refused leaves nothing behind')


sys.exit(main('chain', inputs, with_files_between, written, memory, measured, many, refusals))
