#!/usr/bin/env python3
"""check_pipes.py PATH_OF_AFTERGLOW: images on standard input and output, and folders of images, against single files.

SPDX-License-Identifier: MIT
"""
import filecmp, os, pty, random, shutil, subprocess, sys

from files import AFTERGLOW, PATIENCE, expect, main, npy, refuse, report, write

W, H = 33, 21
rng = random.Random(20261126)
ENDS = ('npy', 'exr', 'hdr', 'png', 'tif')


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def pipe(data, *words):
    done = subprocess.run([AFTERGLOW, 'run', *words], input=data, capture_output=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr.decode(errors='replace')


def inputs():
    write('in.npy', npy((H, W, 3), [rng.random() for _ in range(H * W * 3)]))
    for end in *ENDS, 'jpg':
        expect(0, 'run', 'convolve', 'in.npy', 'one.npy', '-o', 'source.' + end)


def pipes():
    for end in *ENDS, 'jpg':
        made = 'png' if end == 'jpg' else end
        expect(0, 'run', 'bloom', 'source.' + end, '-o', 'out.' + made)
        for words in (['-', '-o', '-'], ['source.' + end, '-o', '-']):
            code, out, said = pipe(read('source.' + end), 'bloom', *words)
            report(code == 0 and out == read('out.' + made) and not said, 'the bytes of a file: %s, %s' % (end, words), said)
        code, out, said = pipe(read('source.' + end), 'bloom', '-', '-o', 'piped.' + made)
        report(code == 0 and read('piped.' + made) == read('out.' + made), 'from standard input into a file: ' + end, said)
    for end in *ENDS, 'jpg':
        expect(0, 'run', 'bloom', 'source.exr', '-o', 'out.' + end)
        code, out, said = pipe(read('source.exr'), 'bloom', '-', '-o', '-', '--as', end)
        report(code == 0 and out == read('out.' + end), '--as %s on standard output' % end, said)
    code, out, said = pipe(read('one.npy'), 'convolve', 'source.npy', '-o', '-', '--slot', 'kernel=-')
    report(code == 0 and len(out) == len(read('source.npy')), 'another slot from standard input', said)
    first = subprocess.Popen([AFTERGLOW, 'run', 'denoise', 'source.exr', '-o', '-'], stdout=subprocess.PIPE)
    code, out, said = subprocess.run([AFTERGLOW, 'run', 'bloom', '-', '-o', 'two.npy'], stdin=first.stdout, timeout=PATIENCE).returncode, '', ''
    first.wait(PATIENCE)
    expect(0, *'run denoise + bloom source.exr -o chain.npy'.split())
    report(code == 0 and filecmp.cmp('two.npy', 'chain.npy', shallow=False), 'two programs with a pipe are a chain', said)
    large = read('source.npy')[:128] + bytes(4 * 2048 * 2048)
    for words, data, text in (
            (['bloom', '-', '-o', '-'], b'nothing known', 'no Y4M'), (['bloom', '-', '-o', '-'], b'', 'empty'),
            (['bloom', '-', '-o', '-'], read('source.png')[:500], 'truncated'), (['bloom', '-', '-', '-o', '-'], b'', 'one -'),
            (['bloom', '-', '-o', '-', '--plan'], read('source.png'), 'expected -o FILE'),
            (['mipchain', '-', '-o', '-'], read('source.png'), 'expected -o DIR'),
            (['bloom', '-', '-o', '-', '--max-memory', '64K'], large, 'MiB of memory'),
            (['exposure', '-', '-o', '-'], read('source.exr'), '.npy')):
        code, out, said = pipe(data, *words)
        report(code == 2 and text in said and not out, 'refused: %s' % words, said)
    with open('/dev/full', 'wb') as full:
        job = subprocess.run([AFTERGLOW, 'run', 'bloom', 'source.png', '-o', '-'], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
    refuse_terminal('run', 'bloom', 'source.png', '-o', '-')
    report(job.returncode == 1 and job.stderr.count(b'\n') == 1, 'a full disk is told', job.stderr)


def refuse_terminal(*words):
    ours, theirs = pty.openpty()
    done = subprocess.run([AFTERGLOW, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, timeout=PATIENCE)
    os.close(theirs)
    os.close(ours)
    report(done.returncode == 2 and b'is a terminal' in done.stderr, 'no picture on a terminal: %s' % (words,), done.stderr)


def makers():
    """What scene, kernel and ocean make, on standard output."""
    for command, rest in ('scene', '--size 33x21'), ('kernel', '--height 40'), ('ocean', '--size 33x21 --set size=64'):
        words = [command, *rest.split()]
        for end in ENDS if command == 'scene' else ('exr', 'png'):
            expect(0, *words, '-o', 'made.' + end)
            done = subprocess.run([AFTERGLOW, *words, '-o', '-', '--as', end], capture_output=True, timeout=PATIENCE)
            report(done.returncode == 0 and done.stdout == read('made.' + end), '%s --as %s' % (command, end), done.stderr)
        refuse('needs a file type: --as', *words, '-o', '-')
        refuse('--as is for -o -', *words, '-o', 'made.png', '--as', 'exr')
        refuse_terminal(*words, '-o', '-', '--as', 'png')
    refuse('five files', *'scene -o - --as npy --samples 1'.split())


def folders():
    os.mkdir('many')
    for i, end in enumerate(ENDS):
        shutil.copy('source.' + end, 'many/%d.%s' % (i, end))
    write('many/notes.txt', b'no image')
    os.mkdir('many/below')
    shutil.copy('source.png', 'many/below/below.png')
    for source in 'many', 'many/':
        expect(0, 'run', 'box_blur', 'radius=2', source, '-o', 'made')
        report(sorted(os.listdir('made')) == ['%d.%s' % pair for pair in enumerate(ENDS)], 'a folder of images', os.listdir('made'))
        for i, end in enumerate(ENDS):
            expect(0, 'run', 'box_blur', 'radius=2', 'source.' + end, '-o', 'ref.' + end)
            report(filecmp.cmp('ref.' + end, 'made/%d.%s' % (i, end), shallow=False), 'as one file: ' + end)
        shutil.rmtree('made')
    expect(0, *'run downsample --size 50% many source.jpg -o half --as npy'.split())
    report(len(os.listdir('half')) == 6, 'a folder and a file', os.listdir('half'))
    os.mkdir('single')
    shutil.copy('source.png', 'single')
    expect(0, *'run bloom single -o made'.split())
    report(os.listdir('made') == ['source.png'], 'a folder of one image', os.listdir('made'))
    os.mkdir('empty')
    for words, text in (('bloom empty -o none', 'no images in this folder'), ('bloom many', '-o DIR'),
                        ('bloom single -o none.png', 'expected a folder'), ('bloom many -o many', 'would replace'),
                        ('bloom many -o none --plan', 'not a batch')):
        refuse(text, 'run', *words.split())
    report(not os.path.exists('none'), 'what is refused leaves nothing behind')


sys.exit(main('pipes', inputs, pipes, makers, folders))
