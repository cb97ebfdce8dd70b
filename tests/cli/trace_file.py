"""trace_file.py: a Chrome trace, read strictly and by the rules of Perfetto's importer.

Strictly: RFC 8259 without Python's extensions (NaN, Infinity), no key twice, nothing after the value.
Perfetto: complete events ("X") have a name, numbers for pid, tid, ts and dur, ts and dur not negative; on
one track (pid and tid) they nest: of two, one ends before the other begins or encloses it, and of two
that begin together the enclosing one comes first in the file. Times are kept in whole nanoseconds.
SPDX-License-Identifier: MIT
"""
import json


def refuse(word):
    raise ValueError('%s is no JSON' % word)


def unique(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), 'a key twice: %s' % keys
    return dict(pairs)


def number(event, key):
    value = event[key]
    assert type(value) in (int, float) and value >= 0, event
    return value


def check_nesting(track):
    """`track`: (begin, end, name) in the order of the file."""
    track = sorted(track, key=lambda event: event[0])  # stable, as Perfetto's sorter is
    open_events = []
    for begin, end, name in track:
        while open_events and open_events[-1][1] <= begin:
            open_events.pop()
        if open_events:
            assert end <= open_events[-1][1], '%s %d..%d laps over the end of %s' % (
                name, begin, end, open_events[-1])
        open_events.append((begin, end, name))
        assert len(open_events) <= 2, open_events


def check(path, frames, steps):
    text = open(path, encoding='utf-8', errors='strict').read()
    trace = json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
    assert type(trace) is dict and type(trace['traceEvents']) is list
    tracks, names, counts = {}, {}, {}
    for event in trace['traceEvents']:
        assert type(event['ph']) is str and type(event['name']) is str and event['name']
        assert type(event['pid']) is int and type(event['tid']) is int
        if event['ph'] == 'M':
            assert event['name'] in ('process_name', 'thread_name') and event['args']['name']
            names[event['name'], event['tid']] = event['args']['name']
            continue
        assert event['ph'] == 'X', event
        begin = round(number(event, 'ts') * 1000)
        end = begin + round(number(event, 'dur') * 1000)
        key = event['pid'], event['tid']
        tracks.setdefault(key, []).append((begin, end, event['name']))
        frame = event['args']['frame']
        assert 1 <= frame <= frames, event
        counts[key, frame] = counts.get((key, frame), 0) + 1
        if event['cat'] == 'gpu':
            assert number(event['args'], 'clock_error_us') < 1e6, event
    assert sorted(names.values()) == ['CPU (execute)', 'GPU', 'afterglow'], names
    assert len(tracks) == 2 and all(('thread_name', tid) in names for _, tid in tracks)
    assert len(counts) == 2 * frames, 'a frame is missing'
    assert set(counts.values()) == {1 + steps if steps > 1 else 1}, counts
    for track in tracks.values():
        check_nesting(track)

