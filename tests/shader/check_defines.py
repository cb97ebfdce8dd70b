#!/usr/bin/env python3
"""check_defines.py - shader files do not depend on the order of includes, and no define can be missing in silence

    check_defines.py [FOLDER]       default: shaders

Each rule is one of the functions below; they first try themselves on small files. Preprocessors take a define that is
missing for 0, or leave an #ifdef out, and no test sees the difference if both compile.

SPDX-License-Identifier: MIT
"""
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FOR_HOSTS = re.compile(r"AG_(SAT|SHADOW)_")  # of files that hosts include: their heads say what has a default
NAME = re.compile(r"\b[A-Z][A-Z0-9_]*\b")


class File:
    def __init__(self, text):
        self.head = "\n".join(line for line in text.split("\n") if line.startswith("//"))
        self.lines = [re.sub(r"//.*", "", line) for line in text.replace("\\\n", " ").split("\n")]
        self.includes = [m[1] for m in map(re.compile(r'\s*#\s*include "(.*)"').match, self.lines) if m]
        self.macros = {m[1] for m in map(re.compile(r"\s*#\s*define\s+(\w+)").match, self.lines) if m}
        self.undefined = {m[1] for m in map(re.compile(r"\s*#\s*undef\s+(\w+)").match, self.lines) if m}
        self.guarded, self.optional, self.used, own = set(), set(), set(), set(self.macros)
        for line, following in zip(self.lines, self.lines[1:] + [""]):
            tests = re.findall(r"(?:ifn?def\s+|defined\()(\w+)", line)
            guards = re.findall(r"(?:ifndef\s+|!defined\()(\w+)", line) if "#error" in following else []
            self.guarded.update(guards)
            self.optional.update(name for name in tests if name not in guards)
            own.update(*map(NAME.findall, re.findall(r"define\s+\w+\((.*?)\)", line)))  # parameters
            own.update(re.findall(r"\b([A-Z][A-Z0-9_]*)(?:\[\w*\])? = ", line))  # constants
            own.update(re.findall(r"^\s*(?:\w+ )+([A-Z][A-Z0-9_]*)(?:\(\w+ \w+| \{)", line))  # functions, structs
            if not re.match(r"\s*#\s*(error|extension|version|pragma|undef|ifn?def)", line):
                self.used.update(NAME.findall(re.sub(r"defined\(\w+\)", "", line)))
        self.known = own | self.guarded | self.optional


def reached(files, name, seen=None):
    """A file with all that it includes."""
    seen = {} if seen is None else seen
    if name in files and name not in seen:
        seen[name] = files[name]
        for other in files[name].includes:
            reached(files, other, seen)
    return list(seen.values())


def unstated(files, name):
    """A name is defined by the file that uses it, or by one that it includes, or one of these tests for it."""
    known = set().union(*(file.known for file in reached(files, name)))
    for word in sorted(files[name].used - known):
        yield f"{word} is not defined, and no #error says so where it is missing"


def silent(files, name):
    """What has a meaning where it is not defined is the host's: another file's define may come too late."""
    for word in sorted(w for w in files[name].optional if not FOR_HOSTS.match(w)):
        definers = [other for other, file in files.items() if word in file.macros and other != name]
        if definers and word not in files[name].guarded:
            yield f"{word} may be missing without an #error, and {', '.join(definers)} has a define of it"


def redefined(files, name):
    """A file takes back only what it has defined, or what its includer must define for it alone."""
    for word in sorted(files[name].undefined - files[name].macros - files[name].guarded):
        yield f"{word} is undefined here, and defined elsewhere"


def unnamed(files, name):
    """A file's head says what the host or the includer defines."""
    head = files[name].head
    for word in sorted(files[name].guarded):
        stem = re.sub(r"\d+$", "", word)
        if not re.search(rf"\b{word}\b", head) and not (stem != word and re.search(rf"\b{stem}\d", head)):
            yield f"{word} is needed, and the head does not name it"


RULES = (unstated, silent, redefined, unnamed)
TRIALS = (  # files, and the rule that refuses one of them; None: none does
    ({"a": "// N\n#ifndef N\n#error\n#endif\nint x = N;"}, None),
    ({"a": '#include "b"\nint x = N;', "b": "#define N 1"}, None),
    ({"a": "const int N = 1;\nint x = N;"}, None),
    ({"a": "#if N\n#endif"}, unstated),
    ({"a": "int x = N;", "b": "#define N 1"}, unstated),
    ({"a": '#define N\n#include "b"', "b": "#ifdef N\n#endif"}, silent),
    ({"a": '#include "b"', "b": "#ifdef N\n#endif"}, None),
    ({"a": "#ifdef N\n#undef N\n#define M\n#endif"}, redefined),
    ({"a": "#ifndef N\n#error\n#endif"}, unnamed),
)


def findings(files, rules=RULES):
    return [(rule, name, text) for name in sorted(files) for rule in rules for text in rule(files, name)]


def main():
    for texts, rule in TRIALS:
        found = {r for r, _, _ in findings({name: File(text) for name, text in texts.items()})}
        if found != ({rule} if rule else set()):
            sys.exit(f"FAIL the check itself: {texts} gives {[r.__name__ for r in found]}")
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "shaders"
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*")}
    files = {name: File(path.read_text(encoding="utf-8")) for name, path in paths.items()
             if path.suffix in (".glsl", ".comp", ".h")}
    found = findings(files)
    for _, name, text in found:
        print(f"FAIL {name}: {text}")
    print(f"{len(files)} files, {sum(len(file.guarded) for file in files.values())} names that must be set")
    sys.exit(bool(found) or not files)


if __name__ == "__main__":
    main()
