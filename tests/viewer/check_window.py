#!/usr/bin/env python3
# check_window.py - a session with the viewer's window on a display without a screen: clicks, drags, drops, a broken shader
# SPDX-License-Identifier: MIT
#
#   check_window.py AFTERGLOW_VIEWER SHADERS
#
# Needs Xvfb, libX11 and libXtst; 77 (skipped) without them. The viewer says where its controls are and what state it is
# in through AFTERGLOW_VIEWER_PLACES; what it shows is read from the display itself.
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import hand
import picture

VIEWER, SHADERS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
if not hand.X or not shutil.which('Xvfb'):
    print('skipped: no Xvfb, libX11 or libXtst')
    sys.exit(77)
PATIENCE = 120  # seconds; a frame of llvmpipe on a busy machine, and compiles
failures = 0


def check(what, value, limit, below=True):
    global failures
    good = value <= limit if below else value >= limit
    failures += not good
    print('%-62s %12.4f %s %.4f%s' % (what, value, '<=' if below else '>=', limit, '' if good else '  FAILED'), flush=True)


class Session:
    def __init__(self, display, folder):
        environment = dict(os.environ, DISPLAY=display, AFTERGLOW_GL_DEBUG='1', AFTERGLOW_VIEWER_PLACES=folder + '/places')
        shutil.copytree(SHADERS, folder + '/shaders')
        self.folder, self.errors = folder, open(folder + '/stderr', 'w')
        self.process = subprocess.Popen(
            [VIEWER, '--size', '800x520', '--set', 'scene.scale=0.125', '--set', 'view.automatic=off', '--set', 'view.exposure=-1',
             '--set', 'particles.count=2000', '--set', 'denoise=off', '--shaders', folder + '/shaders'], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=self.errors)
        self.hand = hand.Hand(display)

    def state(self):
        try:
            with open(self.folder + '/places') as file:
                rows = [line.rsplit(' ', 4) for line in file if line.count(' ') >= 4]
        except FileNotFoundError:
            return {}
        return {row[0]: [float(v) for v in row[1:]] for row in rows}

    def wait(self, what, condition):
        end = time.time() + PATIENCE
        while time.time() < end:
            state = self.state()
            if state and condition(state):
                return state
            assert self.process.poll() is None, 'the viewer ended while waiting for %s' % what
            time.sleep(0.03)
        raise AssertionError('waited in vain for ' + what)

    def frames(self, count=3):
        """Some frames later: what was done has been seen, laid out and shown."""
        number = self.wait('a frame', lambda s: 'frame' in s)['frame'][0]
        return self.wait('frames', lambda s: s['frame'][0] >= number + count)

    def quiet(self):
        """Until the last message over the picture has gone: 4 s, of which a frame counts 0.1 at most."""
        end = time.time() + 4.2
        self.frames(42)
        time.sleep(max(end - time.time(), 0))
        return self.frames()

    def middle(self, name):
        x, y, w, h = self.wait(name, lambda s: name in s)[name]
        return x + w / 2, y + h / 2

    def click(self, name, part=0.5):
        x, y, w, h = self.wait(name, lambda s: name in s)[name]
        self.hand.move(x + part * w, y + h / 2)
        self.frames(2)
        self.hand.button(True)
        self.frames(2)
        self.hand.button(False)
        return self.frames()

    def key(self, name):
        self.hand.key(name)
        return self.frames()

    def reach(self, name):
        """Scrolls the panel until a control is in the window."""
        self.hand.move(150, 300)
        for step in range(120):
            state = self.frames(3)  # until the last turn of the wheel has been laid out
            y = state[name][1] if name in state else -1  # what is cut off is told, too
            if 50 < y < self.hand.size()[1] - 30:
                return
            which = 4 if (step < 40 if name not in state else y <= 50) else 5
            self.hand.button(True, which)
            self.hand.button(False, which)
        raise AssertionError('cannot scroll to ' + name)

    def chain(self, state=None):
        rows = {name[6:]: row for name, row in (state or self.state()).items() if name.startswith('chain/')}
        return sorted(rows, key=lambda name: rows[name][0])

    def preset(self):
        """All settings, by the panel's own means."""
        before = set(os.listdir(self.folder))
        self.reach('Save')
        self.click('Save')
        name = self.wait_file(before, 'preset')
        with open(os.path.join(self.folder, name)) as file:
            return json.load(file)

    def wait_file(self, before, kind):
        end = time.time() + PATIENCE
        while time.time() < end:
            new = [n for n in set(os.listdir(self.folder)) - before if kind in n and n.startswith('afterglow-')
                   and n.count('.') == 1]
            if new:
                return new[0]
            time.sleep(0.05)
        raise AssertionError('no file of a ' + kind)

    def shot(self):
        """The viewer's own picture of its window, and the display's, of a street that stands still."""
        before = set(os.listdir(self.folder))
        self.hand.key('F12')
        name = self.wait_file(before, 'picture')
        time.sleep(0.2)
        return picture.read(os.path.join(self.folder, name))

    def street(self):
        """What the display shows of the picture."""
        x, y, w, h = (int(v) for v in self.state()['rect'])
        return self.hand.look().crop(x, y, w, h)


def effect_of(preset, name):
    return next(e for e in preset['effects'] if e['id'] == name)


def starts(s):
    s.wait('the first frames', lambda state: state.get('frame', [0])[0] > 5)
    while not s.hand.find_window():
        time.sleep(0.1)
    s.hand.focus()
    a = s.street()
    s.frames(20)
    b = s.street()
    check('the street is not blank: deviation', a.deviation(), 15, below=False)
    check('and not frozen: mean codes in 20 frames', picture.difference(a, b)[0], 0.3, below=False)
    s.key('space')  # time stands still from here on; rain and sparks, too
    s.frames(4)
    c, d = s.street(), s.street()
    check('stopped: mean codes', picture.difference(c, d)[0], 0.5)


def window_is_the_canvas(s):
    """F12's picture is what the display shows: nothing flipped, shifted or torn."""
    own = s.shot()
    s.frames(2)
    seen = s.hand.look()
    # A message about the file has appeared over the picture meanwhile: below is left out, and numbers that change.
    x, y, w, h = (int(v) for v in s.state()['rect'])
    part = (x, y, w, h - 70)
    check('window against F12, worst tile', picture.worst_tile(own.crop(*part), seen.crop(*part)), 2)
    check('panel: its text is there, deviation', seen.crop(0, 0, 300, 200).deviation(), 8, below=False)
    check('window flipped against F12, mean codes', picture.difference(own.crop(*part).flipped(), seen.crop(*part))[0], 8,
          below=False)


def sliders_and_toggles(s):
    was = effect_of(s.preset(), 'bloom')
    plain = s.street()
    s.reach('bloom/intensity/##0')
    s.click('bloom/intensity/##0', 0.9)
    strong = s.street()
    now = effect_of(s.preset(), 'bloom')
    check('a click at 9/10 of a slider: intensity', abs(now['settings']['intensity'] - 0.9), 0.06)
    check('before it was', was['settings']['intensity'], 0.5)
    check('and the picture changed, mean codes', picture.difference(plain, strong)[0], 1, below=False)
    s.click('bloom/##on')
    off = s.street()
    assert not effect_of(s.preset(), 'bloom')['on']
    s.reach('bloom/##on')
    check('bloom off, mean codes', picture.difference(strong, off)[0], 1, below=False)
    s.click('bloom/##on')
    s.frames(4)
    check('and on again: as it was', picture.difference(strong, s.street())[0], 1)


def clicks_shorter_than_a_frame(s):
    """Pressed and released between two frames, and the mouse gone to another place by then."""
    s.reach('bloom/##on')
    for away in (False, True):
        right = 0
        for i in range(8):
            x, y = s.middle('bloom/##on')
            was = s.state()['chain/bloom'][1]
            s.hand.move(x, y)
            s.frames(2)
            s.hand.button(True)
            s.hand.button(False)
            if away:
                s.hand.move(x, y + 90)
            right += s.frames(3)['chain/bloom'][1] != was
        check('of 8 short clicks%s: seen' % (', the mouse gone' if away else ''), right, 8, below=False)
    was = s.state()['modes'][0]
    for i in range(4):  # keys, too
        s.hand.key('h')
        state = s.frames(3)
    check('4 short presses of H: as before', abs(state['modes'][0] - was), 0)


def chain_is_the_users(s):
    before = s.chain()
    s.reach('Add an effect')
    s.click('Add an effect')
    s.click('box_blur')
    state = s.wait('a second box_blur', lambda v: 'chain/box_blur-2' in v)
    assert s.chain(state) == before + ['box_blur-2'], s.chain(state)
    assert state['chain/box_blur-2'][1:3] == [1, 1], state
    plain = s.street()
    s.reach('box_blur-2/radius/##0')
    s.click('box_blur-2/radius/##0', 0.95)
    check('its radius, mean codes', picture.difference(plain, s.street())[0], 1, below=False)
    s.reach('box_blur-2/##up')
    s.click('box_blur-2/##up')
    assert s.chain() == before[:-1] + ['box_blur-2', before[-1]], s.chain()
    s.reach('box_blur-2/##down')
    s.click('box_blur-2/##down')
    assert s.chain() == before + ['box_blur-2'], s.chain()
    s.reach('box_blur-2/Remove')
    s.click('box_blur-2/Remove')
    s.wait('it to leave', lambda v: 'chain/box_blur-2' not in v)
    s.frames(4)
    assert s.chain() == before, s.chain()


def sides_differ(s):
    """A and B: each with its settings; both at once, left and right of the bar."""
    assert s.state()['keys'][1] == 0
    a = s.street()
    s.key('b')
    s.wait('B', lambda v: v['keys'][1] == 1)
    s.reach('bloom/intensity/##0')
    s.click('bloom/intensity/##0', 0.05)
    s.hand.move(150, 20)
    s.frames(4)
    b = s.street()
    check('B is another picture, mean codes', picture.difference(a, b)[0], 1, below=False)
    s.reach('A | B')
    s.click('A | B')
    s.wait('both', lambda v: v['split'][0] == 1)
    s.frames(4)
    both, bar = s.street(), int(s.state()['split'][1] * a.width)
    w, h = bar - 20, a.height - 80  # without the bar and the messages
    left = lambda p: p.crop(0, 40, w, h - 40)
    right = lambda p: p.crop(bar + 20, 40, a.width - bar - 20, h - 40)
    check('left of the bar: A, mean codes', picture.difference(left(both), left(a))[0], 1)
    check('right of it: B, mean codes', picture.difference(right(both), right(b))[0], 1)
    s.key('b')
    s.frames(4)
    again = s.street()
    check('A edited: left as before, mean codes', picture.difference(left(again), left(a))[0], 1)
    check('and right, mean codes', picture.difference(right(again), right(b))[0], 1)
    s.reach('A | B')
    s.click('A | B')
    s.frames(4)
    check('A alone, mean codes', picture.difference(left(s.street()), left(a))[0], 1)


def inspector_keeps_the_size(s):
    rect = s.state()['rect']
    s.key('i')
    state = s.wait('the inspector', lambda v: '##texels' in v)
    check('the picture keeps its place', max(abs(a - b) for a, b in zip(rect, state['rect'])), 0)
    s.key('i')


def split_drags(s):
    s.key('x')
    state = s.wait('the split', lambda v: v['split'][0] == 1)
    x, y, w, h = state['rect']
    s.hand.move(x + w * state['split'][1], y + h / 3)
    s.frames()
    s.hand.button(True)
    s.frames()
    s.hand.move(x + w * 0.75, y + h / 3)
    s.frames()
    s.hand.button(False)
    state = s.frames()
    check('the split bar was dragged to 3/4', abs(state['split'][1] - 0.75), 0.01)
    s.hand.move(x + w * 0.2, y + h * 0.8)
    s.frames()
    bar = s.street()
    bright = [sum(bar.at(int(w * 0.75), int(row))) / 3 for row in range(10, int(h) - 10, 7)]
    check('its line is drawn there', min(bright), 150, below=False)
    s.key('x')


def image_drops(s):
    random.seed(3)
    w, h = 96, 64
    codes = b''.join(bytes((x * 2, y * 3, 255 if (x // 16 + y // 16) % 2 else 40)) for y in range(h) for x in range(w))
    path = os.path.join(s.folder, 'drop me.png')
    picture.write(path, picture.Picture(w, h, codes))
    s.hand.drop(path.replace(' ', '%20'), 500, 150)
    state = s.wait('the image', lambda v: v['modes'][2] == 1)
    state = s.frames(5)
    x, y, rw, rh = state['rect']
    check('the image keeps its shape', abs(rw / rh - w / h), 0.02)
    s.reach('bloom/##on')
    s.click('bloom/##on')
    seen = s.street()
    worst = 0
    for tx, ty in ((8, 8), (40, 24), (88, 56), (8, 56)):
        got, want = seen.at(int((tx + 0.5) * rw / w), int((ty + 0.5) * rh / h)), codes[3 * (ty * w + tx):3 * (ty * w + tx) + 3]
        worst = max(worst, max(abs(a - b) for a, b in zip(got, want)))
    check('its codes, where they belong', worst, 6)
    s.click('bloom/##on')
    s.reach('Back to the street')
    s.click('Back to the street')
    s.wait('the street', lambda v: v['modes'][2] == 0)


def shader_breaks(s):
    path = os.path.join(s.folder, 'shaders', 'exposure', 'histogram.comp')
    with open(path) as file:
        text = file.read()
    s.quiet()
    good = s.street()
    with open(path, 'w') as file:
        file.write(text.replace('void main()', 'this is not GLSL;\nvoid main()', 1))
    s.wait('the banner', lambda v: v['reload'][1] > 0)
    s.frames()
    seen = s.street()
    red = [p for p in (seen.at(px, 24) for px in range(30, seen.width - 30, 5)) if p[0] > 60 and p[1] < 50 and p[2] < 50]
    check('a red banner, share of its line', len(red) / len(range(30, seen.width - 30, 5)), 0.4, below=False)
    w, h = seen.width, seen.height
    check('the last good shaders go on below it, mean codes',
          picture.difference(seen.crop(0, h - 60, w, 60), good.crop(0, h - 60, w, 60))[0], 1)
    with open(path, 'w') as file:
        file.write(text + '\n// mended\n')
    s.wait('the banner to go', lambda v: v['reload'][1] == 0 and v['reload'][2] == 0)
    s.frames(4)
    check('mended: as before, mean codes', picture.difference(s.street(), good)[0], 1)


def resizes(s):
    s.reach('denoise/##on')
    s.click('denoise/##on')  # its history has the picture's size
    for key in 'igl':  # what lies over the picture, too
        s.key(key)
    sizes = [(800 - 6 * i, 520 + (i % 7) * 9 - 2 * i) for i in range(30)]
    sizes += [(620 + 6 * i, 470 + 3 * i) for i in range(30)]
    for w, h in sizes:
        s.hand.resize(w, h)
        s.frames(1)
    s.hand.resize(800, 520)
    state = s.wait('the last size', lambda v: v['window'][:2] == [800, 520])
    for key in 'igl':
        s.key(key)
    s.frames(40)  # until the plan is that of the size again
    seen = s.street()
    check('after 60 sizes: not blank', seen.deviation(), 15, below=False)
    check('the picture has its place', abs(state['rect'][2] - seen.width), 0)
    check('denoise is still on', effect_of(s.preset(), 'denoise')['on'], 1, below=False)
    s.errors.flush()
    with open(s.folder + '/stderr') as file:
        check('sizes that were refused', sum('must be equal' in line for line in file), 0)
    s.reach('denoise/##on')
    s.click('denoise/##on')
    s.frames(4)


def path_records(s):
    before = set(os.listdir(s.folder))
    s.key('F5')
    x, y, w, h = s.wait('the record', lambda v: v['modes'][3] == 1)['rect']
    s.hand.move(x + w / 2, y + h / 2)
    s.frames()
    s.hand.button(True)
    s.frames()
    s.hand.move(x + w / 2 + 60, y + h / 2)
    s.frames()
    s.hand.button(False)
    s.frames()
    s.hand.key('F5')
    name = s.wait_file(before, 'path')
    with open(os.path.join(s.folder, name)) as file:
        keys = json.load(file)['keys']
    check('keys of the path', len(keys), 8, below=False)
    check('the camera turned, radians', abs(keys[-1]['yaw'] - keys[0]['yaw']), 0.1, below=False)
    s.key('Home')


def keys_work(s):
    shown = s.state()['rect']
    state = s.key('h')
    check('H hides the panel: the picture is as wide as the window', abs(state['rect'][2] - 800), 0)
    s.key('h')
    s.wait('the panel', lambda v: v['rect'] == shown)
    plain = s.hand.look()
    s.key('F1')
    s.wait('the help', lambda v: v['modes'][1] == 1)
    check('F1 shows the keys, mean codes', picture.difference(plain, s.hand.look())[0], 3, below=False)
    s.key('F1')
    before = set(os.listdir(s.folder))
    s.hand.key('t')
    with open(os.path.join(s.folder, s.wait_file(before, 'trace'))) as file:
        events = json.load(file)['traceEvents']
    check('events of the trace', len(events), 50, below=False)
    upper = lambda p: p.crop(0, 0, p.width, p.height - 70)  # a message appears below
    before = upper(s.street())
    s.key('r')
    s.frames(4)
    check('R loads the module anew, and nothing changes, mean codes', picture.difference(before, upper(s.street()))[0], 1)
    s.hand.key('Escape')
    check('Escape ends it: exit', s.process.wait(PATIENCE), 0)


with tempfile.TemporaryDirectory() as folder:
    read, write = os.pipe()
    server = subprocess.Popen(['Xvfb', '-displayfd', str(write), '-screen', '0', '1280x800x24', '-nolisten', 'tcp'],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    display = ':' + os.read(read, 16).decode().strip()
    session = None
    try:
        session = Session(display, folder)
        for test in (starts, window_is_the_canvas, sliders_and_toggles, clicks_shorter_than_a_frame, chain_is_the_users,
                     sides_differ, inspector_keeps_the_size, split_drags, image_drops, shader_breaks, resizes, path_records, keys_work):
            print('-- %s' % test.__name__, flush=True)
            begin = time.time()
            test(session)
            print('   %.0f s' % (time.time() - begin))
    finally:
        if session and session.process.poll() is None:
            session.process.kill()
        server.terminate()
        server.wait()
        with open(folder + '/stderr') as file:
            said = file.read()
        print('stderr:\n' + said)
# The driver says there, too, what it thinks of the broken shader.
wrong = [line for line in said.splitlines() if ': GL:' in line and 'reserved word' not in line and 'syntax' not in line]
check('lines of GL debug output', len(wrong), 0)
sys.exit(1 if failures else 0)
