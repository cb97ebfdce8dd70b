#!/usr/bin/env python3
"""check_paths.py PATH_OF_AFTERGLOW: which files the command line writes: none that it reads, each whole or not at all.

Every output of every command is set against every file that the same command line reads, and against its other outputs,
in every way in which two paths can name one file. Needs Python's standard library alone.

SPDX-License-Identifier: MIT
"""
import os, re, resource, signal, subprocess, sys, time

from files import AFTERGLOW, PATIENCE, expect, main, npy, report, run, values, write

Y4M = b'YUV4MPEG2 W8 H6 F25:1 C444\n' + (b'FRAME\n' + bytes(range(144))) * 2

# The options that name files, as --help shows them: what they read, and what they write. A new one belongs into `SETS`.
READS = {'--slot', '--compare', '--shaders', '--tuning', '--image'}
WRITES = {'-o', '--write', '--depth', '--stats', '--trace'}

IN, SLOT, REF, TUNING, SHADER = 'in', 'slot', 'ref', 'tuning', 'my/common/shared'
# Command lines; {X} is the path of X, of the type that its option takes. What they read, and what they write.
SETS = [
    (['run', 'convolve', '{in}.npy', '--slot', 'kernel={slot}.npy', '--compare', '{ref}.npy', '--tuning', '{tuning}.npy',
      '--shaders', 'my', '--stats', '{s}.json', '--trace', '{t}.json', '-o', '{o}.npy'],
     [IN, SLOT, REF, TUNING, SHADER], ['s', 't', 'o']),
    (['run', 'box_blur', '{in}.y4m', '--tuning', '{tuning}.y4m', '--shaders', 'my', '-o', '{o}.y4m'],
     [IN, TUNING, SHADER], ['o']),
    (['run', 'convolve', '{in}.npy', '{slot}.npy', '--slot', 'kernel={ref}.npy', '--tuning', '{tuning}.npy', '-o', 'out'],
     [IN, SLOT, REF, TUNING], ['out/in.npy', 'out/slot.npy']),
    (['run', 'box_blur', '--write', 'dst={s}.npy', '+', 'convolve', '{in}.npy', 'kernel={slot}.npy', '-o', '{o}.npy'],
     [IN, SLOT], ['s', 'o']),
    (['run', 'mipchain', '{in}.npy', '--tuning', '{tuning}.npy', '-o', 'out/'],
     [IN, TUNING], ['out/texture_L00.npy', 'out/texture_L03.npy']),
    (['run', 'fft', '{in}.npy', '--tuning', '{tuning}.npy', '-o', 'out/'],
     [IN, TUNING], ['out/dst.npy', 'out/dst_imag.npy']),
    (['scene', '--size', '8x8', '-o', '{o}.npy', '--depth', '{s}.npy'], [], ['o', 's']),
    (['scene', '--size', '8x8', '--samples', '1', '-o', 'out/x.npy'], [],
     ['out/x.npy', 'out/x_albedo.npy', 'out/x_normal.npy', 'out/x_depth.npy', 'out/x_motion.npy']),
    (['kernel', '--set', 'shape=texture', '--image', '{in}.npy', '-o', '{o}.npy'], [IN], ['o']),
    (['ocean', '--set', 'size=32', '-o', 'out'], [], ['out/displacement0.npy', 'out/derivatives1.npy', 'out/jacobian0.npy']),
]


def fresh(name):
    """An empty folder, and in it what is read: files of both types with the same bytes."""
    os.makedirs(name + '/my/common')
    os.makedirs(name + '/out')
    os.makedirs(name + '/other')
    os.chdir(name)
    os.symlink('.', 'here')
    picture = npy((4, 4), range(16))
    for path in IN, SLOT, REF:
        write(path + '.npy', picture)
        write(path + '.y4m', Y4M)
        write(path + '.json', b'{}')
    for path in TUNING, SHADER:
        for end in 'npy', 'y4m', 'json':
            write(path + '.' + end, b'# a text')


def state(folder):
    """All paths below, and what they hold or lead to."""
    out = {}
    for where, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(where, name)
            if os.path.islink(path):
                out[path] = os.readlink(path)
            elif os.path.isdir(path):
                out[path] = None
            else:
                with open(path, 'rb') as file:
                    out[path] = file.read()
    return out


def link(place, to):
    os.path.lexists(place) and os.remove(place)
    os.symlink(to, place)
    return place


def hard(place, to):
    os.path.lexists(place) and os.remove(place)
    os.link(to, place)
    return place


# How two paths name one file: the path to give for an output that could be at `place`, so that it is `target`.
SPELLINGS = {
    'the path': lambda place, target: target,
    'another spelling': lambda place, target: './/out/../' + target,
    'an absolute path': lambda place, target: os.path.abspath(target),
    'a linked folder': lambda place, target: 'here/here/' + target,
}
LINKS = {
    'a link': lambda place, target: link(place, os.path.relpath(target, os.path.dirname(place) or '.')),
    'an absolute link': lambda place, target: link(place, os.path.abspath(target)),
    'a link to a link': lambda place, target: link(place, os.path.abspath(link('other/link', os.path.abspath(target)))),
    'a hard link': hard,
}


def refused(name, words, paths, way, said):
    """Exit status 2, one line, and no file made or changed."""
    line = [re.sub(r'\{(\w+)\}(\.\w+)', lambda at: paths.get(at[1], at[1] + at[2]), word) for word in words]
    before = state('.')
    code, text = run(*line)
    same = state('.') == before
    report(code == 2 and text.count('\n') == 1 and same and said in text, '%s by %s: afterglow %s' % (name, way, ' '.join(line)),
           'exit %s%s, %s' % (code, '' if same else ', files have changed', text))


def cases():
    """Command line, output, where it could be, the file that it is, and what is said; `output` None: a name of its own."""
    for words, reads, writes in SETS:
        ends = dict(re.findall(r'\{(\w+)\}(\.\w+)', ' '.join(words)))
        for output in writes:
            place = output if '.' in output else output + ends[output]
            end = os.path.splitext(place)[1]
            for other in reads:
                yield words, output, place, other + end, {other: other + end}, 'which is read'
            for other in writes:
                if other != output:
                    yield words, output, place, other if '.' in other else other + ends[other], {}, 'are one file'


def outputs():
    top, count = os.getcwd(), 0
    for words, output, place, target, paths, said in cases():
        same_type = os.path.splitext(place)[1] == os.path.splitext(target)[1]
        named = {} if '.' in output or not same_type else SPELLINGS
        for way, make in (named | LINKS).items():
            fresh('%s/case%d' % (top, count))
            if way != 'a hard link' or os.path.exists(target):
                refused('%s as %s' % (output, target), words, {**paths, output: make(place, target)}, way, said)
            os.chdir(top)
            count += 1


def standard_streams():
    """What the shell has opened as standard output is compared, too."""
    write('s.y4m', Y4M)
    with open('s.y4m', 'ab') as out:
        done = subprocess.run([AFTERGLOW, 'run', 'box_blur', 's.y4m', '-o', '-'], stdin=subprocess.DEVNULL, stdout=out,
                              stderr=subprocess.PIPE, timeout=PATIENCE)
    with open('s.y4m', 'rb') as kept:
        report(done.returncode == 2 and kept.read() == Y4M, '-o - into its own input', done.stderr)
    with open('s.y4m', 'rb') as data:
        done = subprocess.run([AFTERGLOW, 'run', 'box_blur', '-', '-o', 's.y4m'], stdin=data, capture_output=True,
                              timeout=PATIENCE)
    with open('s.y4m', 'rb') as kept:
        report(done.returncode == 2 and kept.read() == Y4M, '- from its own output', done.stderr)


def allowed():
    """What is no conflict works: names that are alike, the same option twice, devices."""
    write('a.npy', npy((4, 4), range(16)))
    os.mkdir('apart')
    expect(0, 'run', 'convolve', 'a.npy', 'one.npy', '-o', 'apart/a.npy')
    expect(0, 'run', 'convolve', 'a.npy', 'one.npy', '-o', 'a.npy', '-o', 'b.npy')
    report(values('a.npy') == tuple(range(16)), 'the last -o counts')
    expect(0, 'run', 'convolve', 'a.npy', 'a.npy', '-o', 'c.npy', '--compare', 'a.npy', '--psnr', '-999')
    for name in 'null.json', 'null.npy':
        os.symlink('/dev/null', name)
    expect(0, 'run', 'convolve', 'a.npy', 'one.npy', '-o', 'null.npy', '--stats', 'null.json', '--trace', 'null.json')


def every_option():
    """Each option that names a file is of READS or WRITES, and stands in a command line of SETS."""
    code, text = run('--help')
    listed = subprocess.run([AFTERGLOW, '--help'], capture_output=True, text=True).stdout
    commands = [line.split()[0] for line in listed.splitlines() if re.match(r'  \w', line)]
    report(len(commands) >= 7, 'commands', listed)
    for name in commands:
        shown = subprocess.run([AFTERGLOW, name, '--help'], capture_output=True, text=True).stdout
        for option, form in re.findall(r'^  (--?[\w-]+) (\S+)', shown, re.M):
            if not re.search('FILE|DIR|REF|PATH', form):
                continue
            used = any(words[0] == name and option in words for words, _, _ in SETS)
            report(option in READS | WRITES and (used or name == 'tune'), '%s %s %s is tested' % (name, option, form))


def dangling():
    job = 'run', 'convolve', 'a.npy', 'one.npy', '-o'
    os.makedirs('far')
    for name, target in ('d1.npy', 'd1_made.npy'), ('d2.npy', 'far/d2_made.npy'), ('d3.npy', os.path.abspath('far/d3_made.npy')):
        os.symlink(target, name)
        expect(0, *job, name)
        report(os.path.islink(name) and os.path.isfile(target), 'a link to nothing stays: its target is made: ' + target)
    os.symlink('d5.npy', 'd4.npy')
    os.symlink('far/d5_made.npy', 'd5.npy')
    expect(0, *job, 'd4.npy')
    report(os.path.islink('d4.npy') and os.path.islink('d5.npy') and os.path.isfile('far/d5_made.npy'), 'two links')
    os.symlink('loop.npy', 'loop.npy')
    expect(2, *job, 'loop.npy')
    os.symlink('nowhere/x.npy', 'lost.npy')
    expect(2, *job, 'lost.npy')
    report(os.path.islink('loop.npy') and os.path.islink('lost.npy'), 'links that lead nowhere stay')


def ending_signals():
    """Those whose default action ends a process, of Linux: all but these."""
    others = {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCHLD,
              signal.SIGURG, signal.SIGWINCH}
    realtime = {signal.SIGRTMIN, signal.SIGRTMIN + 7, signal.SIGRTMAX}
    return sorted(s for s in signal.valid_signals() if s not in others and (s < signal.SIGRTMIN or s in realtime))


def signals():
    """A run that waits for its next frame, with one written, ends of a signal: nothing of its file stays."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    header, frame = Y4M.split(b'FRAME', 1)[0], b'FRAME\n' + bytes(144)
    for number in ending_signals():
        folder = 'signal_%d' % number
        os.mkdir(folder)
        write(folder + '/o.y4m', b'old')
        job = subprocess.Popen([AFTERGLOW, 'run', 'box_blur', '-', '-o', folder + '/o.y4m'], stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        job.stdin.write(header + frame)
        job.stdin.flush()
        start = time.monotonic()
        while len(os.listdir(folder)) < 2 and job.poll() is None and time.monotonic() < start + PATIENCE:
            time.sleep(0.005)
        begun = len(os.listdir(folder)) == 2
        job.send_signal(number)
        code = job.wait(PATIENCE)
        job.stdin.close()
        with open(folder + '/o.y4m', 'rb') as file:
            kept = file.read() == b'old'
        sanitizer = code > 0 and number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)
        if sanitizer:  # its own handler reports the crash
            continue
        report(begun and code == -number and kept and os.listdir(folder) == ['o.y4m'],
               'signal %d leaves nothing behind' % number, 'exit %s, %s, begun %s' % (code, os.listdir(folder), begun))


def cache():
    """A program that is being kept in the cache when a signal comes leaves nothing behind either."""
    environment = {**os.environ, 'XDG_CACHE_HOME': os.path.abspath('programs'), 'MESA_SHADER_CACHE_DIR': os.path.abspath('mesa')}
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
    job = [AFTERGLOW, 'run', 'box_blur', 'a.npy', '-o', 'o.npy']
    for before in None, limit:  # the driver's own cache is filled first
        kept = os.listdir('programs/afterglow') if os.path.isdir('programs/afterglow') else []
        for name in kept:
            os.remove('programs/afterglow/' + name)
        done = subprocess.run(job, env=environment, preexec_fn=before, capture_output=True, timeout=PATIENCE)
    there = os.listdir('programs/afterglow')
    report(done.returncode == -signal.SIGXFSZ and not any(name.startswith('new-') for name in there) or not kept,
           'a signal while the cache is written', 'exit %s, %s' % (done.returncode, there))


sys.exit(main('paths', every_option, allowed, standard_streams, dangling, outputs, signals, cache))
