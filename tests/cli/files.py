"""files.py: what the tests of the command line share: running it on files, and .npy files.

Each file is read by `afterglow run convolve FILE one.npy`, an identity. A refusal is exit status 2 and one line.

SPDX-License-Identifier: MIT
"""
import ast, math, os, struct, subprocess, sys, tempfile

AFTERGLOW = os.path.realpath(sys.argv[1])
PATIENCE = 60  # seconds, with sanitizers and on a busy machine
passed, failed = 0, 0
printed = b''  # by the last run


def report(good, name, why=''):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print('FAILED: %s\n    %s' % (name, why))
    return bool(good)


def run(*words):
    """The exit status and what was said; status None where it never ended. Once more where LeakSanitizer itself broke."""
    global printed
    for attempt in range(2):
        try:
            done = subprocess.run([AFTERGLOW, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return None, ''
        printed, said = done.stdout, done.stderr.decode(errors='replace')
        if 'LeakSanitizer has encountered a fatal error' not in said:
            break
    return done.returncode, said


def output():
    """What the last run printed."""
    return printed.decode(errors='replace')


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


CODES = {'<f4': 'f', '<f8': 'd', '<f2': 'e', '|u1': 'B', '<u4': 'I', '<c8': 'f', '<c16': 'd'}


def npy(shape, numbers, kind='<f4', fortran=False):
    """The bytes of a file; `fortran`: of a picture, stored with its first axis running fastest."""
    if fortran:
        height, width, depth = shape
        numbers = [numbers[(y * width + x) * depth + c] for c in range(depth) for x in range(width) for y in range(height)]
    if 'c' in kind:
        numbers = [part for z in numbers for part in (z.real, z.imag)]
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (kind, fortran, tuple(shape))
    header += ' ' * (-(len(header) + 11) % 64) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() + struct.pack(
        '<%d%s' % (len(numbers), CODES[kind]), *(map(int, numbers) if CODES[kind] in 'BI' else numbers))


def load(path):
    """Type, shape and numbers of a file that the command line has written, read strictly; no such file: no numbers."""
    if not os.path.exists(path):
        return '', (), ()
    with open(path, 'rb') as file:
        data = file.read()
    end = 10 + struct.unpack('<H', data[8:10])[0]
    fields = ast.literal_eval(data[10:end].decode())
    kind, shape = fields['descr'], fields['shape']
    count = math.prod(shape) * (2 if 'c' in kind else 1)
    if data[:8] != b'\x93NUMPY\x01\x00' or end % 64 or len(data) - end != count * struct.calcsize(CODES[kind]):
        return '', (), ()
    numbers = struct.unpack('<%d%s' % (count, CODES[kind]), data[end:])
    return kind, shape, [complex(*numbers[i:i + 2]) for i in range(0, count, 2)] if 'c' in kind else numbers


def values(path):
    return load(path)[2]


def reads(path, wanted, tolerance=0.0):
    """The file is taken, and holds these linear values."""
    if os.path.exists('o.npy'):
        os.remove('o.npy')
    got, said = run('run', 'convolve', path, 'one.npy', '-o', 'o.npy')
    found = values('o.npy') if got == 0 else ()
    good = len(found) == len(wanted) and all(abs(a - b) <= tolerance for a, b in zip(found, wanted))
    report(good, '%s reads as %d values' % (path, len(wanted)), said or '%s, expected %s' % (found[:12], wanted[:12]))


def peak(*words):
    """As run, and the most memory that the program had, in MiB."""
    with open('said', 'wb') as said:
        job = subprocess.Popen([AFTERGLOW, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(job.pid, 0)
        job.returncode = os.waitstatus_to_exitcode(status)
    with open('said', errors='replace') as said:
        return job.returncode, said.read(), usage.ru_maxrss / 1024


def refuses_memory(*words):
    """Refused for --max-memory; what was said, and the peak in MiB."""
    got, said, most = peak(*words)
    good = got == 2 and said.count('\n') == 1 and 'MiB of memory; the limit (--max-memory) is' in said
    report(good, 'exit %s, expected 2 for its memory: afterglow %s' % (got, ' '.join(words)), said)
    return said, most


def refuses(path, text):
    refuse(text, 'run', 'convolve', path, 'one.npy', '-o', 'none.npy')


def main(name, *parts):
    """Runs the parts in a folder of their own; the exit status of a test."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ['XDG_CACHE_HOME'] = os.path.join(folder, 'cache')
        write('one.npy', npy((1, 1), (1,)))
        for part in parts:
            part()
        os.chdir('/')
    print('%s: %d passed, %d failed' % (name, passed, failed))
    return failed > 0
