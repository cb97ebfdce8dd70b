#!/usr/bin/env python3
# check_frames.py - the viewer's frames without a window, against the command line's pictures and against themselves
# SPDX-License-Identifier: MIT
#
#   check_frames.py AFTERGLOW_VIEWER AFTERGLOW
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import picture

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VIEWER, CLI = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
failures = 0


def check(what, value, limit, below=True):
    global failures
    good = value <= limit if below else value >= limit
    failures += not good
    print('%-62s %12.4f %s %.4f%s' % (what, value, '<=' if below else '>=', limit, '' if good else '  FAILED'))


def run(*arguments, status=0):
    environment = dict(os.environ, AFTERGLOW_GL_DEBUG='1')
    done = subprocess.run([VIEWER, *arguments], capture_output=True, text=True, env=environment, timeout=280)
    assert done.returncode == status, '%s: exit %d, expected %d\n%s' % (arguments, done.returncode, status, done.stderr)
    if status == 0:  # GL's debug output goes there, too
        assert done.stderr == '', 'stderr: ' + done.stderr
    return done


def effects():
    listed = json.loads(subprocess.run([CLI, 'list', '--json'], capture_output=True, text=True, check=True).stdout)
    return listed['effects'] if isinstance(listed, dict) else listed


def off():
    """No effect, no particles: the bare street or image."""
    return ['--set', 'particles.count=0', '--set', 'view.automatic=off',
            *[a for e in effects() for a in ('--set', e['id'] + '=off')]]


def street_is_the_command_lines():
    """The moving street at its first moment is the built-in picture: content, tone, sRGB, row order."""
    subprocess.run([CLI, 'scene', '-o', 'scene.png', '--size', '128x80', '--tonemap', 'aces', '--dither', 'off'],
                   check=True)
    run('--frames', '1', '--size', '128x80', '--screenshot', 'street.png', '--set', 'scene.samples=7',
        '--set', 'particles.fall=none', *off())
    a, b = picture.read('scene.png'), picture.read('street.png')
    check('street against `afterglow scene`, mean codes', difference(a, b)[0], 0.6)
    check('the same, worst tile of 16x16', picture.worst_tile(a, b), 1.5)
    check('flipped it is another picture, mean codes', difference(a, b.flipped())[0], 10, below=False)
    check('not blank: deviation', b.deviation(), 20, below=False)


def denoise_has_what_its_filter_reads():
    """History and motion with every filter; the guides, which it refuses with others, with atrous."""
    for name in ('ti_haar', 'atrous'):
        times = run('--frames', '3', '--size', '128x72', *off(), '--set', 'denoise.filter=' + name,
                    '--set', 'denoise=on').stdout
        line = next((l for l in times.splitlines() if l.startswith('denoise')), '')
        check('denoise by %s is timed' % name, len(line.split()) == 3 and float(line.split()[1]) > 0, 1, below=False)


def frames_move_and_repeat():
    for name in 'ab':
        os.mkdir(name)
        run('--frames', '4', '--fps', '4', '--size', '128x72', '--video', name, '--set', 'particles.count=5000')
    first = [picture.read('a/%05d.png' % i) for i in range(1, 5)]
    again = [picture.read('b/%05d.png' % i) for i in range(1, 5)]
    check('two runs, all frames: largest difference', max(difference(x, y)[1] for x, y in zip(first, again)), 0)
    for i in range(3):
        check('frame %d differs from frame %d, mean codes' % (i + 1, i + 2), difference(first[i], first[i + 1])[0], 0.4,
              below=False)
    check('and is no other picture', difference(first[0], first[3])[0], 60)


def image_goes_through():
    """All effects off: the codes of an image come out as they went in, at its own size and where they were."""
    random.seed(7)
    w, h = 61, 43
    codes = bytes(random.randrange(256) for _ in range(3 * w * h))
    source = picture.Picture(w, h, codes)
    picture.write('noise.png', source)
    run('noise.png', '--frames', '2', '--size', '%dx%d' % (w, h), '--screenshot', 'noise_out.png', *off())
    check('image through a frame of nothing: largest difference', difference(source, picture.read('noise_out.png'))[1], 1)
    # In a window of another shape it is fitted, with dark sides.
    run('noise.png', '--frames', '1', '--size', '%dx%d' % (3 * w, h), '--screenshot', 'fit.png', *off())
    fit = picture.read('fit.png')
    check('fitted: the middle', difference(fit.crop(w, 0, w, h), source)[1], 1)
    check('fitted: the sides are dark', max(fit.crop(0, 0, w, h).data), 20)


def split_shows_both():
    common = ['--frames', '2', '--size', '128x72', '--set', 'scene.speed=0']
    bloom = ['--set', 'bloom=on', '--set', 'bloom.intensity=0.5', '--set', 'bloom.size=1']
    run(*common, *off(), '--screenshot', 'before.png')
    run(*common, *off(), *bloom, '--screenshot', 'after.png')
    run(*common, *off(), *bloom, '--screenshot', 'split.png', '--set', 'view.split=on', '--set', 'view.split_at=0.25')
    before, after, split = (picture.read(n + '.png') for n in ('before', 'after', 'split'))
    check('bloom changes the picture, mean codes', difference(before, after)[0], 2, below=False)
    check('left of the split: before', difference(split.crop(0, 0, 32, 72), before.crop(0, 0, 32, 72))[1], 0)
    check('right of it: after', difference(split.crop(32, 0, 96, 72), after.crop(32, 0, 96, 72))[1], 0)


def bloom_is_the_command_lines():
    """What the graph makes of an image by one effect is what `afterglow run` makes of it."""
    w, h = 64, 48
    data = bytearray(3 * w * h)
    for x, y in ((20, 12), (45, 30)):
        data[3 * (y * w + x):3 * (y * w + x) + 3] = b'\xff\xff\xff'
    picture.write('dots.png', picture.Picture(w, h, bytes(data)))
    settings = ['size=0.5', 'intensity=0.9', 'shape=aperture']
    run('dots.png', '--frames', '1', '--size', '%dx%d' % (w, h), '--screenshot', 'dots_viewer.png', *off(), '--set',
        'bloom=on', '--set', 'bloom.rotation=0', *[a for s in settings for a in ('--set', 'bloom.' + s)])
    subprocess.run([CLI, 'run', 'bloom', 'dots.png', '-o', 'dots_cli.png', '--dither', 'off', '--format', 'rgba16f',
                    *[a for s in settings for a in ('--set', s)]], check=True, stdout=subprocess.DEVNULL)
    check('bloom in the graph against `afterglow run`', difference(picture.read('dots_viewer.png'),
                                                                   picture.read('dots_cli.png'))[1], 1)


def chain_is_the_users():
    """One of a kind several times, in any order: what `afterglow run` makes of the same, step by step."""
    w, h = 64, 48
    picture.write('steps.png', picture.Picture(w, h, bytes((37 * (x // 5) + 61 * (y // 7) * (c + 1)) % 256 for y in range(h)
                                                           for x in range(w) for c in range(3))))
    for name, radii in (('one', (2,)), ('two', (2, 5))):
        on = []
        for i, radius in enumerate(radii):
            part = 'box_blur' + ('-%d' % (i + 1) if i else '')
            on += ['--set', part + '=on', '--set', '%s.radius=%d' % (part, radius)]
        run('steps.png', '--frames', '1', '--size', '%dx%d' % (w, h), '--screenshot', name + '.png', *off(), *on)
    subprocess.run([CLI, 'run', 'box_blur', 'steps.png', '-o', 'half.npy', '--format', 'rgba16f', '--set', 'radius=2'],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run([CLI, 'run', 'box_blur', 'half.npy', '-o', 'both.png', '--dither', 'off', '--format', 'rgba16f', '--set',
                    'radius=5'], check=True, stdout=subprocess.DEVNULL)
    check('two blurs against `afterglow run` twice', difference(picture.read('two.png'), picture.read('both.png'))[1], 1)
    check('the second one counts, mean codes', difference(picture.read('one.png'), picture.read('two.png'))[0], 1, below=False)
    # A preset is the whole chain.
    with open('chain.json', 'w') as file:
        json.dump({'note': 'two\nlines', 'effects': [{'id': 'box_blur', 'on': True, 'settings': {'radius': r}}
                                                     for r in (2, 5)]}, file)
    done = run('steps.png', '--frames', '4', '--size', '%dx%d' % (w, h), '--screenshot', 'chain.png', '--preset',
               'chain.json').stdout
    check('the chain as a preset', difference(picture.read('two.png'), picture.read('chain.png'))[1], 0)
    rows = [line.split()[0] for line in done.splitlines() if line.startswith(('box_blur', 'bloom', 'denoise'))]
    assert rows == ['box_blur', 'box_blur-2'], done


def sides_are_two_presets():
    """Two presets: A on the left of the bar, B on the right, each as it is alone, with its own exposure."""
    common = ['--frames', '3', '--size', '128x72', '--set', 'scene.speed=0', '--set', 'particles.count=0']
    chains = {'a': ({'exposure': -1.0}, [{'id': 'exposure', 'on': True}, {'id': 'bloom', 'on': True, 'settings': {'intensity': 0.8}}]),
              'b': ({'exposure': 1.0, 'tonemap': 'none', 'automatic': False}, [{'id': 'box_blur', 'on': True, 'settings': {'radius': 3}}])}
    for name, (view, chain) in chains.items():
        with open(name + '.json', 'w') as file:
            json.dump({'viewer': {'view': view}, 'effects': chain}, file)
        run(*common, '--preset', name + '.json', '--screenshot', name + '.png')
    run(*common, '--preset', 'a.json', '--preset', 'b.json', '--set', 'view.split_at=0.25', '--screenshot', 'ab.png')
    a, b, ab = (picture.read(n + '.png') for n in ('a', 'b', 'ab'))
    check('A and B differ, mean codes', difference(a, b)[0], 5, below=False)
    check('left of the bar: A', difference(ab.crop(0, 0, 32, 72), a.crop(0, 0, 32, 72))[1], 0)
    check('right of it: B', difference(ab.crop(32, 0, 96, 72), b.crop(32, 0, 96, 72))[1], 0)


def scopes_show_the_codes():
    """Histogram, waveform and loupe of a picture of two codes: where these are, and nowhere else."""
    w, h, dark, light = 640, 360, 64, 192
    data = b''.join(bytes([dark if x < w // 2 else light] * 3) for y in range(h) for x in range(w))
    picture.write('halves.png', picture.Picture(w, h, data))
    run('halves.png', '--frames', '3', '--size', '960x440', '--panel', '--screenshot', 'scopes.png', *off(), '--set',
        'view.scopes=on', '--set', 'view.loupe=off')
    shown = picture.read('scopes.png')
    # The panel takes 312 pixels, the picture the rest in its shape; the scopes begin 10 from its lower left corner.
    pw, ph = 648, round(648 * h / w)
    top = (440 - ph) // 2
    sw, sh = min(pw - 20, 560), min(128, int(ph * 0.28))
    x0, y0 = 312 + 10, top + ph - sh - 10
    left = int(sw * 0.36)
    column = [max(shown.at(x0 + x, y0 + sh - 12)) for x in range(2, left - 2)]
    bright = [x + 2 for x, v in enumerate(column) if v > 150]
    wanted = [dark * left / 256, light * left / 256]
    check('bars of the histogram, farthest from a code', max(min(abs(x - e) for e in wanted) for x in bright), 2)
    check('and both are there', sum(any(abs(x - e) <= 2 for x in bright) for e in wanted), 2, below=False)
    for name, x, code in (('left', 0.25, dark), ('right', 0.75, light)):
        at = x0 + left + int((sw - left) * x)
        row = max(range(2, sh - 2), key=lambda y: sum(shown.at(at, y0 + y)))
        check('the waveform on the %s, rows from its code' % name, abs(row - (255 - code) * sh / 256), 2)
    # The loupe is at the middle of the picture: one texel right of the edge. Its swatch has the code.
    run('halves.png', '--frames', '3', '--size', '960x440', '--panel', '--screenshot', 'loupe.png', *off(), '--set',
        'view.loupe=on')
    shown = picture.read('loupe.png')
    side, y0 = 9 * 15, top + ph // 2 + 24
    x0 = max(312 + pw // 2 - 24 - side - 170, 312)  # on the left: there is no room on the right
    swatch = shown.at(x0 + side + 10 + 20, y0 + (side - 100) // 2 + 80 + 9)
    check('the swatch of the loupe, codes', max(abs(v - light) for v in swatch), 2)
    inside = [shown.at(x0 + 9 * i + 2, y0 + 30)[0] for i in range(15)]
    check('texels of the loupe: dark on the left', max(abs(v - dark) for v in inside[:6]), 2)
    check('and light on the right', max(abs(v - light) for v in inside[9:]), 2)


def passes_are_the_command_lines():
    """A pass of a folder, after the effects."""
    w, h = 64, 48
    picture.write('smooth.png', picture.Picture(w, h, bytes((x * 3 + y * c) % 256 for y in range(h) for x in range(w)
                                                            for c in range(3))))
    folder = os.path.join(PROJECT, 'passes', 'lens')
    run('smooth.png', '--frames', '1', '--size', '%dx%d' % (w, h), '--screenshot', 'lens_viewer.png', '--pass', folder, *off(),
        '--set', 'lens.aberration=6')
    subprocess.run([CLI, 'run', folder, 'smooth.png', '-o', 'lens_cli.png', '--dither', 'off', '--format', 'rgba16f', '--set',
                    'aberration=6'], check=True, stdout=subprocess.DEVNULL)
    check("a folder's pass against `afterglow run`", difference(picture.read('lens_viewer.png'), picture.read('lens_cli.png'))[1], 1)


def passes_change_while_they_run():
    """An edit of a folder's slots and settings: what it still has keeps its value, in the range of now."""
    text = '//! pass live "x"\n//! slot src read colour "s"\n//! slot dst write colour "d"\n%s//! step s src -> dst\n' \
           '#include "pass.glsl"\nvoid main() { store(dst, this_texel, %s * load(src, this_texel)); }\n'
    os.mkdir('live')
    with open('live/pass.comp', 'w') as file:
        file.write(text % ('//! setting gain float 0.5 0..1 "g"\n', 'setting_gain'))
    job = subprocess.Popen([VIEWER, 'smooth.png', '--frames', '10000', '--size', '64x48', '--screenshot', 'live_viewer.png',
                            '--pass', 'live', *off(), '--set', 'live.gain=0.9'], stderr=subprocess.PIPE, text=True,
                           stdout=subprocess.DEVNULL)
    time.sleep(1.5)
    edited = text % ('//! setting more float 1 0..1 "m"\n//! setting gain float 0.2 0..0.6 "g"\n', 'setting_more * setting_gain')
    with open('live/pass.comp', 'w') as file:
        file.write(edited)
    said = job.communicate(timeout=280)[1]
    assert job.returncode == 0, said
    subprocess.run([CLI, 'run', './live', 'smooth.png', '-o', 'live_cli.png', '--dither', 'off', '--format', 'rgba16f', '--set',
                    'gain=0.6'], check=True, stdout=subprocess.DEVNULL)
    check('a pass whose settings changed', difference(picture.read('live_viewer.png'), picture.read('live_cli.png'))[1], 1)


def presets_hold_settings_and_order():
    """A preset is what its settings are one by one; the order of effects is part of it."""
    common = ['--frames', '1', '--size', '128x72', '--set', 'view.automatic=off', '--set', 'particles.count=0']
    blur, bloom = {'id': 'box_blur', 'on': True, 'settings': {'radius': 6}}, {
        'id': 'bloom', 'on': True, 'settings': {'intensity': 0.6, 'threshold': 2, 'tint': [1, 0.5, 0.25], 'shape': 'gaussian'}}
    others = [{'id': e['id'], 'on': False} for e in effects() if e['id'] not in ('box_blur', 'bloom')]
    for name, order in (('first', [blur, bloom]), ('second', [bloom, blur])):
        with open(name + '.json', 'w') as file:
            json.dump({'viewer': {'view': {'exposure': 1}}, 'effects': others + order}, file)
        run(*common, '--preset', name + '.json', '--screenshot', name + '.png')
    run(*common, *off(), '--screenshot', 'single.png', '--set', 'view.exposure=1', '--set', 'box_blur=on', '--set',
        'box_blur.radius=6', '--set', 'bloom=on', '--set', 'bloom.intensity=0.6', '--set', 'bloom.threshold=2', '--set',
        'bloom.tint=1,0.5,0.25', '--set', 'bloom.shape=gaussian')
    first, second, single = (picture.read(n + '.png') for n in ('first', 'second', 'single'))
    check('a preset against --set: largest difference', difference(first, single)[1], 0)
    check('another order is another picture, mean codes', difference(first, second)[0], 0.5, below=False)


def every_effect_appears():
    """Each effect that the module has runs in the frame, or says what it lacks. None is named here."""
    on = [a for e in effects() for a in ('--set', e['id'] + '=on')]
    text = run('--frames', '2', '--size', '128x72', '--set', 'particles.count=0', *on).stdout
    for effect in effects():
        rows = [line for line in text.splitlines() if line.startswith(effect['id'] + ' ')]
        assert rows, '%s is not in the frame:\n%s' % (effect['id'], text)
    print('effects in the frame: %d' % len(effects()))
    # One that refuses its settings is left out, says why, and the frame goes on.
    common = ['--frames', '1', '--size', '128x72', '--set', 'view.automatic=off', '--set', 'particles.count=0']
    text = run(*common, '--set', 'exposure.low=0.9', '--set', 'exposure.high=0.5', '--screenshot', 'without.png').stdout
    assert 'low must be below high' in text, text
    run(*common, '--set', 'exposure=off', '--screenshot', 'off.png')
    check('without what refuses: as if it were off', difference(picture.read('without.png'), picture.read('off.png'))[1], 0)


def motion_is_that_of_the_picture():
    """What stands still has no motion, in a frame that stands still; along a path it has."""
    keys = [{'time': t, 'eye': [0.2, 1.5, 6.0 * t], 'yaw': 0.3 * t, 'pitch': 0} for t in (0, 1, 2)]
    with open('path.json', 'w') as file:
        json.dump({'keys': keys}, file)
    common = ['--frames', '4', '--fps', '2', '--size', '960x520', '--panel', '--set', 'scene.scale=0.125', '--set',
              'scene.speed=0', '--inspect', 'scene.motion', *off()]
    run(*common, '--screenshot', 'still.png')
    run(*common, '--screenshot', 'moving.png', '--path', 'path.json')
    still, moving = (picture.read(n).crop(740, 150, 120, 80) for n in ('still.png', 'moving.png'))
    check('the inspector on motion, nothing moves: farthest from grey', max(abs(v - 127.5) for v in still.data[0::3] + still.data[1::3]), 2)
    check('flying: mean distance from grey', sum(abs(v - 127.5) for v in moving.data) / len(moving.data), 60, below=False)


def says_what_is_wrong():
    for arguments, words in ((['--set', 'nothing.x=1', '--frames', '1'], 'expected EFFECT=on'),
                             (['--set', 'bloom.intensity=2', '--frames', '1'], '0..1'),
                             (['--frames', '0'], 'from 1'), (['--frames', '1', '--screenshot', 'x.hdr'], '.png or .jpg'),
                             (['--frames', '1', '--video', 'nowhere'], 'a folder'), (['--screenshot', 'x.png'], '--frames N'),
                             (['missing.png', '--frames', '1'], 'missing.png'), (['--what'], 'unknown option')):
        done = run(*arguments, status=2)
        assert words in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr
    with open('bad.json', 'w') as file:
        file.write('{"keys":\n[1, }')
    assert 'bad.json:2: ' in run('--frames', '1', '--path', 'bad.json', status=2).stderr
    done = subprocess.run([VIEWER], capture_output=True, text=True, env={k: v for k, v in os.environ.items()
                                                                         if k not in ('DISPLAY', 'WAYLAND_DISPLAY')})
    assert done.returncode == 1 and '--frames N' in done.stderr, done.stderr
    print('refusals: 10')


difference = picture.difference
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for test in (street_is_the_command_lines, frames_move_and_repeat, image_goes_through, split_shows_both,
                 bloom_is_the_command_lines, chain_is_the_users, sides_are_two_presets, scopes_show_the_codes,
                 passes_are_the_command_lines, passes_change_while_they_run, denoise_has_what_its_filter_reads,
                 presets_hold_settings_and_order,
                 every_effect_appears, motion_is_that_of_the_picture, says_what_is_wrong):
        print('-- ' + test.__name__)
        test()
    os.chdir('/')
sys.exit(1 if failures else 0)
