#!/usr/bin/env python3
"""check_trace_calls.py APITRACE PROGRAM: what a capture tool sees of `execute`, against the contract.

Runs PROGRAM (trace_host.c) under apitrace and reads the dump. Between the host's marks there are 50
executes, which may record work, bind what afterglow.h publishes and nothing else: no glGet, no allocation,
no compile, no upload, no wait. Exits 77 when there is no OpenGL 4.3.
SPDX-License-Identifier: MIT
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

EXECUTES = 50
# Every call that the contract allows, and what its arguments must look like.
ALLOWED = {
    'glUseProgram': '',
    'glProgramUniform4iv': r'count = 1,',
    'glProgramUniform4fv': r'count = 1,',
    'glBindImageTexture': r'unit = [0-7],',
    'glBindBufferRange': r'target = GL_SHADER_STORAGE_BUFFER, index = [0-5],',
    'glBindBufferBase': r'target = GL_SHADER_STORAGE_BUFFER, index = [0-5],',
    'glBindBuffer': r'target = GL_SHADER_STORAGE_BUFFER,',
    'glDispatchCompute': '',
    'glMemoryBarrier': '',
    'glQueryCounter': r'target = GL_TIMESTAMP',
    'glPushDebugGroup': r'source = GL_DEBUG_SOURCE_THIRD_PARTY,',
    'glPopDebugGroup': '',
}
UNIFORMS = ('glProgramUniform4iv', 'glProgramUniform4fv')
# Beside these, of effects that read through a texture unit:
SAMPLING = {
    'glActiveTexture': r'texture = GL_TEXTURE',
    'glBindTexture': r'target = GL_TEXTURE_2D',
    'glBindSampler': r'unit = \d+, sampler = 0',
}
CALL = re.compile(r'^\d+ (?:@\d+ )?(\w+)\((.*)$')


def sections(lines):
    """(name, [(function, arguments)]) for what lies between the marks."""
    name, calls = None, []
    for line in lines:
        match = CALL.match(line)
        if not match:
            assert name is None or not line.strip(), '%s: what is "%s"?' % (name, line)
            continue
        function, arguments = match.groups()
        mark = re.search(r'buf = "(begin [^"]*|end)"', arguments)
        if function == 'glDebugMessageInsert' and mark:
            if mark.group(1) == 'end':
                yield name, calls
                name, calls = None, []
            else:
                name = mark.group(1)[len('begin '):]
        elif name:
            calls.append((function, arguments))
    assert name is None, 'the program ended within "%s"' % name


def check(name, calls):
    counts = collections.Counter(function for function, _ in calls)
    images, ssbos, textures = map(int, re.search(r'units (\d) (\d) (\d)', name).groups())
    allowed = dict(ALLOWED, **SAMPLING) if textures else ALLOWED
    for function, arguments in calls:
        assert function in allowed, '%s: execute called %s(%s' % (name, function, arguments)
        assert re.search(allowed[function], arguments), '%s: %s(%s' % (name, function, arguments)
        unit = re.search(r'(?:unit|index) = (\d+)', arguments)
        most = {'glBindImageTexture': images, 'glBindBufferRange': ssbos, 'glBindBufferBase': ssbos,
                'glBindSampler': textures}.get(function)
        assert most is None or int(unit.group(1)) < most, '%s: %s(%s' % (name, function, arguments)
    # Uniforms that keep their values are set in the first execute alone; each later one is like the last.
    # The first execute of an effect with state may have a step more, such as the statistics of denoise.
    per_execute = counts['glDispatchCompute'] // EXECUTES
    first_has_more = name.startswith('denoise,')
    dispatches = [i for i, (function, _) in enumerate(calls) if function == 'glDispatchCompute']
    late = collections.Counter(call[0] for call in calls[dispatches[per_execute - 1]:] if call[0] in UNIFORMS)
    for function, count in counts.items():
        executes = EXECUTES
        if function in UNIFORMS:
            count, executes = late[function], EXECUTES - 1
        assert first_has_more or count % executes == 0, '%s: %d of %s in %d executes' % (
            name, count, function, executes)
    assert counts['glDispatchCompute'] >= EXECUTES and counts['glMemoryBarrier'] >= 2 * EXECUTES
    assert counts['glPushDebugGroup'] == counts['glPopDebugGroup']
    assert (counts['glQueryCounter'] >= 2 * EXECUTES) != name.endswith('flags 4'), counts
    print('  ok    %-44s %3d calls an execute, %d dispatches, %d stamps' % (
        name, len(calls) // EXECUTES, counts['glDispatchCompute'] // EXECUTES,
        counts['glQueryCounter'] // EXECUTES))


def main(apitrace, program):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, 'host.trace')
        environment = dict(os.environ, XDG_CONFIG_HOME=folder)
        run = subprocess.run([apitrace, 'trace', '--api', 'egl', '--output', trace, program],
                             env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode:
            sys.stdout.write(run.stdout.decode(errors='replace'))
            sys.exit(77 if run.returncode == 77 else 1)
        dump = subprocess.run([apitrace, 'dump', '--color=never', trace], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = dump.stdout.decode(errors='replace').splitlines()
    # Texts of shaders run over many lines, which are no calls; none lies within a section.
    found = 0
    for name, calls in sections(lines):
        check(name, calls)
        found += 1
    if os.environ.get('AG_TEST_TIER') != 'full':
        assert found >= 8, 'only %d sections' % found
    elif found == 0:
        print('  none in this part')
        return
    # The tool sees what the rule is about: the same program compiles and allocates, outside the marks.
    text = '\n'.join(lines)
    for function in ('glLinkProgram', 'glBufferData', 'glGetIntegerv', 'glGenQueries'):
        assert re.search(r'^\d+ %s\(' % function, text, re.M), function


main(sys.argv[1], sys.argv[2])
