#!/usr/bin/env python3
"""check_completion.py PATH_OF_AFTERGLOW: what Tab offers in bash, zsh and fish, and the manual page, against --help and list.

A shell that is not there is left out.

SPDX-License-Identifier: MIT
"""
import json, os, re, shlex, shutil, subprocess, sys

from files import AFTERGLOW, expect, main, output, refuse, report, write


def said(*words):
    return subprocess.run([AFTERGLOW, *words], capture_output=True, text=True, check=True).stdout


COMMANDS = [line.split()[0] for line in said('--help').splitlines() if re.match(r'  \w', line)]
OPTIONS = {name: set(re.findall(r'^  (--?[\w-]+)', said(name, '--help'), re.M)) for name in COMMANDS}
EFFECTS = {effect['id']: effect for effect in json.loads(said('list', '--json'))['effects']}
CASES = (  # a line, what is offered among others, what is not
    ('afterglow ', set(COMMANDS), {'bloom'}), ('afterglow ru', {'run'}, {'list'}), ('afterglow run bl', {'bloom'}, {'denoise'}),
    ('afterglow run denoise + exp', {'exposure'}, set()), ('afterglow list box', {'box_blur'}, set()),
    ('afterglow run bloom inten', {'intensity='}, set()), ('afterglow run denoise + bloom thresh', {'threshold='}, set()),
    ('afterglow run convolve ker', {'kernel='}, set()), ('afterglow run bloom --tone', {'--tonemap'}, set()),
    ('afterglow run bloom --tonemap ', {'none', 'aces'}, set()), ('afterglow run bloom --format srg', {'srgb8'}, set()),
    ('afterglow scene --as ', {'exr', 'tif'}, {'bloom'}), ('afterglow scene --', OPTIONS['scene'] - {'-o'}, {'--tuning'}), ('afterglow run bloom pict', {'picture.exr'}, set()),
    ('afterglow run bloom shape=st', {'shape=star'}, {'shape=gaussian'}), ('afterglow run sat square=o', {'square=on', 'square=off'}, set()),
    # of a pass's folder
    ('afterglow run ./soft ', {'strength=', 'mask=', 'scrub='}, {'dst='}), ('afterglow run bloom + ./soft cur', {'curve='}, {'constant='}),
    ('afterglow run ./soft curve=a', {'curve=aces', 'curve=agx'}, {'curve=constant'}), ('afterglow run ./soft wide=', {'wide=on', 'wide=off'}, set()))
SOFT = '''// soft/pass.comp - a pass
//! pass soft "a pass"
//! slot src read colour "the image"
//!  slot mask read optional colour "where"
//! slot dst write colour "the result"
//! setting strength float 0.5 0..1 "how much"
//! setting\tcurve choice linear aces agx constant "which look"
//! setting wide bool off "of a's width"
//! step soften src -> dst
'''


def bash():
    write('words.sh', ('''source script.bash
COMP_LINE=$1 COMP_POINT=${#1}
eval "COMP_WORDS=($2)"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
_afterglow
printf '%s\\n' "${COMPREPLY[@]}"
''').encode())
    for line, wanted, others in CASES:
        words = re.findall(r'=|[^\s=]+', line) + ([''] if line[-1] in ' =' else [])
        text = ' '.join(shlex.quote(word) for word in words)
        found = set(subprocess.run(['bash', 'words.sh', line, text], capture_output=True, text=True).stdout.split())
        if '=' in line:  # bash cuts words there
            wanted, others = ({word.split('=')[1] for word in names} for names in (wanted, others))
        report(wanted <= found and not others & found, 'bash: ' + line, (sorted(wanted - found), sorted(found)[:9]))


def fish():
    for line, wanted, others in CASES:
        done = subprocess.run(['fish', '--no-config', '-c', 'source script.fish; complete -C ' + shlex.quote(line)], capture_output=True,
                              text=True)
        found = {row.split('\t')[0] for row in done.stdout.splitlines()}
        found |= {word.split('=')[0] + '=' for word in found if '=' in word}  # it offers a setting with its values
        report(wanted <= found and not others & found and not done.stderr, 'fish: ' + line,
               (sorted(wanted - found), sorted(found)[:9], done.stderr))


def zsh():
    """Its completion needs a terminal: one in zsh's own module, driven as by a user."""
    write('drive.zsh', '''zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; unsetopt beep; stty cols 200; fpath=($PWD/zsh \\$fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' list-grouped no"
sleep 1
zpty -w shell "echo ready"
zpty -r shell line "*ready*ready*"
for ((i = 1; i <= $#; i++)); do
    zpty -n -w shell "$argv[i]"$'\\t'
    sleep 0.5
    zpty -n -w shell $'\\t\\C-u'
    zpty -w shell "echo end $i."
    zpty -r shell line "*end $i.*end $i.*"
    print -rn -- "$line"$'\\0'
done
zpty -d shell
'''.encode())
    os.makedirs('zsh', exist_ok=True)
    shutil.copy('script.zsh', 'zsh/_afterglow')
    done = subprocess.run(['zsh', '-f', 'drive.zsh', *(line for line, _, _ in CASES)], capture_output=True, text=True,
                          errors='replace', timeout=120)
    seen = done.stdout.split('\0')
    report(len(seen) == len(CASES) + 1, 'zsh: an answer to each line', done.stderr)
    for (line, wanted, others), text in zip(CASES, seen):
        text = re.sub(r'\x1b\[[0-9;?]*[A-Za-z]|\x07', '', text)
        missing = [word for word in wanted if word.split('=')[-1 if '=' in line else 0] not in text]
        report(not missing and 'not found' not in text and 'error' not in text, 'zsh: ' + line, (missing, text[-600:]))


def scripts():
    write('picture.exr', b'')
    os.mkdir('soft')
    write('soft/pass.comp', SOFT.encode())
    for shell, test in ('bash', bash), ('zsh', zsh), ('fish', fish):
        expect(0, 'completion', shell)
        write('script.' + shell, output().encode())
        report(all(name in output() for name in [*COMMANDS, *EFFECTS]), shell + ': every command and effect')
        if shutil.which(shell):
            checked = subprocess.run([shell, '-n', 'script.' + shell], capture_output=True, text=True)
            report(checked.returncode == 0 and not checked.stderr, shell + ' reads its script', checked.stderr)
            test()
    for words in ('completion',), ('completion', 'tcsh'), ('completion', 'bash', 'zsh'):
        refuse('bash, zsh or fish', *words)


def manual():
    expect(0, 'help', '--man')
    page = output().replace('\\-', '-')
    for name in COMMANDS:
        part = page.split('.SS "afterglow %s"\n' % name)
        found = set(re.findall(r'\\fB(--?[\w-]+)\\fR', part[1].split('.SS ')[0])) if len(part) == 2 else set()
        report(len(part) == 2 and OPTIONS[name] - {'--help'} == found, 'the manual has the options of ' + name, OPTIONS[name] ^ found)
    if shutil.which('groff'):
        write('page.1', b'.TH AFTERGLOW 1\n' + output().encode())
        read = subprocess.run(['groff', '-man', '-ww', '-z', 'page.1'], capture_output=True, text=True)
        report(not read.stderr, 'groff reads it', read.stderr)


sys.exit(main('completion', scripts, manual))
