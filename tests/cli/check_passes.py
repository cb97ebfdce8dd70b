#!/usr/bin/env python3
"""check_passes.py PATH_OF_AFTERGLOW: passes of the user's own, as docs/passes.md has a new user make them.

SPDX-License-Identifier: MIT
"""
import json, os, re, signal, subprocess, sys, time

from files import AFTERGLOW, expect, load, main, npy, output, refuse, report, write

W, H = 33, 21
PASS = '''//! pass     %s "a test"
//! slot     src read colour "in"
//! slot     dst write colour "out"
//! setting  gain float 2 0..9 in EV "a factor"
%s//! step     scale src -> dst
#include "pass.glsl"
void main() { store(dst, this_texel, %s); }
'''


def put(name, value, rows='', where=None):
    os.makedirs(where or name, exist_ok=True)
    write((where or name) + '/pass.comp', (PASS % (name, rows, value)).encode())


def shows(path, factor):
    x, y = load('rgba.npy')[2], load(path)[2]
    return len(x) == len(y) and all(abs(a * factor - b) <= 1e-6 for a, b in zip(x, y))


def made():
    write('rgba.npy', npy((H, W, 4), [i * 37 % 251 / 256 for i in range(H * W * 4)]))
    expect(0, 'new', 'vignette')
    expect(0, *'run ./vignette rgba.npy -o same.npy --set strength=0'.split())
    report(shows('same.npy', 1), 'new: a pass that works')
    refuse('File exists', 'new', 'vignette')
    refuse('there is an effect of this name', 'new', 'bloom')
    refuse('expected a name', 'new', 'Vignette')
    refuse('needs a folder', 'new')


def listed():
    expect(0, 'list', './vignette')
    report('strength' in output() and 'vignette - darkens' in output(), 'list FOLDER', output())
    expect(0, 'list', 'vignette/.', '--json')
    effect = json.loads(output())['effects'][0]
    report(effect['id'] == 'vignette' and [s['name'] for s in effect['settings']] == ['strength', 'scrub'], 'list --json', str(effect))


def ran():
    put('scale', 'setting_gain * load(src, this_texel)')
    expect(0, *'run ./scale rgba.npy -o twice.npy'.split())
    report(shows('twice.npy', 2), 'the default')
    expect(0, *'run ./scale rgba.npy -o thrice.npy --set gain=3'.split())
    report(shows('thrice.npy', 3), '--set')
    os.makedirs('batch', exist_ok=True)
    expect(0, *'run ./scale rgba.npy same.npy -o batch'.split())
    report(shows('batch/rgba.npy', 2) and shows('batch/same.npy', 2), 'a batch')
    expect(0, *'run ./scale rgba.npy --frames 3 --plan'.split())
    report(re.search(r'^scale .* 1 ', output(), re.M), '--plan and --frames name the step', output())
    refuse('expected one of: gain scrub', *'run ./scale rgba.npy -o no.npy --set gian=3'.split())
    refuse('no folder that can be read', *'run ./nothing rgba.npy -o no.npy'.split())
    refuse('the pass of that folder is ./scale', *'run scale rgba.npy -o no.npy'.split())
    refuse('scale/pass.comp', *'run ./scale rgba.npy -o scale/pass.comp'.split())


def errors():
    put('wrong', 'load(src, this_texel)', '//! setting more real 0 0..1 "m"\n')
    said = expect(2, *'run ./wrong rgba.npy -o no.npy'.split())
    report('pass.comp:5:18: expected float, float3, int, bool or choice, not "real"' in said and re.search(r'^ +\^$', said, re.M),
           'an error has its place, a caret and what was expected', said)
    put('wrong', 'load(source, this_texel)')
    said = expect(1, *'run ./wrong rgba.npy -o no.npy'.split())
    report('pass.comp:7' in said and not os.path.exists('no.npy'), 'one of the shader, too', said)


def documented():
    """The passes that docs/passes.md shows."""
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'passes.md')
    with open(page, encoding='utf-8') as file:
        blocks = re.findall(r'```glsl\n(.*?)```', file.read(), re.S)
    report(blocks, 'docs/passes.md shows a pass')
    for i, text in enumerate(blocks):
        folder = 'shown_%d' % i
        os.makedirs(folder)
        write(folder + '/pass.comp', text.encode())
        expect(0, 'run', './' + folder, 'rgba.npy', '-o', folder + '.npy', '--set', 'strength=0')
        report(shows(folder + '.npy', 1), 'docs/passes.md: no strength changes nothing')


def watched():
    watch('./live')
    os.remove('live.npy')
    watch('box_blur radius=0 + ./live', ' + box_blur radius=0')


def watch(before, after=''):
    put('live', 'setting_gain * load(src, this_texel)')
    said = open('said', 'w+', encoding='utf-8')
    job = subprocess.Popen([AFTERGLOW, *('run %s --set gain=2%s rgba.npy -o live.npy --watch' % (before, after)).split()], stdout=subprocess.DEVNULL, stderr=said)

    def text():
        with open('said', encoding='utf-8') as file:
            return file.read()

    def wait(name, condition):
        end = time.monotonic() + 60
        while not condition() and job.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        report(condition() and job.poll() is None, 'watch: ' + name, text())

    def live(factor):
        return os.path.exists('live.npy') and shows('live.npy', factor)

    wait('the first output', lambda: live(2))
    put('live', '2.0 * setting_gain * load(src, this_texel)')
    wait('an edit of the shader', lambda: live(4))
    put('live', '3.0 * setting_gain * load(src, this_texel)', '//! texture spare r32f size src\n')
    wait('an edit of its lines', lambda: live(6))
    put('live', 'load(src, this_texel)', '//! texture spare r64f size src\n')
    wait('an error in a line', lambda: 'pass.comp:5:19: expected a format of a texture' in text())
    put('live', 'load(src, this_texel)')
    wait('mended', lambda: live(1))
    put('live', '7.0 * setting_gain * load(src, this_texel)', '//! setting more float 0 0..1 "m"\n')
    wait('another setting', lambda: live(14))
    report('live has changed; new: setting more\n' in text(), 'watch: the change is said in a line', text())
    put('live', 'nothing * load(src, this_texel)', '//! setting other float 0 0..1 "m"\n')
    wait('another one, and an error', lambda: "`nothing' undeclared" in text())
    put('live', '3.0 * setting_gain * load(src, this_texel)', '//! setting other float 0 0..1 "m"\n')
    wait('and mended', lambda: live(6))
    put('live', '5.0 * setting_gain * load(src, this_texel)', '//! slot mask read colour "m"\n')
    wait('a slot that the command does not fill', lambda: re.search('1 input; expected 2 .*src, (live.)?mask', text()))
    report(live(6), 'watch: the former pass goes on')
    put('live', '4.0 * load(src, this_texel)')
    write('live/pass.comp', open('live/pass.comp', 'rb').read().replace(b'gain', b'power'))
    wait('a setting of the command is gone', lambda: live(4))
    report('--set gain=2 is left out: live has no setting gain any more\n' in text(), 'watch: and named', text())
    put('live', '3.0 * setting_gain * load(src, this_texel)', '//! setting unused float 0 0..1 "m"\n')
    wait('it is back', lambda: live(6) and 'new: setting gain, setting unused; gone: setting power' in text())
    job.send_signal(signal.SIGINT)
    report(job.wait(60) == 0, 'watch: it ends with status 0', text())
    said.close()


sys.exit(main('cli_passes', made, listed, ran, errors, documented, watched))
