#!/usr/bin/env python3
# check_rooms.py - who may include whom in engine_plugin/src and ladder: the tables of the former's README.md are the rule
# SPDX-License-Identifier: MIT
#
#   check_rooms.py [FOLDER [LADDER]]     of sources, with the README.md; the project's, unless given
#
# Prints what breaks a rule, by file and line, and exits 1.
import pathlib
import re
import sys

SHARED = re.compile(r"shaders/(\w+/)+interface(_\w+)?\.h")  # of C and GLSL: no room's
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')


def names(cell):
    return re.findall(r"`([^`]+)`", cell)


def read_tables(readme):
    """Which rooms each may include, in the order of the first table; and who may include some files."""
    rooms, few = {}, {}
    for line in readme.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        found = names(cells[0]) if line.startswith("|") else []
        if not found:
            continue
        name = found[0].rstrip("/")
        if not found[0].endswith("/"):
            few[name] = names(cells[-1])
        elif cells[-1] == "no room":
            rooms[name] = set()
        elif cells[-1].startswith("the rooms down to"):
            last, *more = (other.rstrip("/") for other in names(cells[-1]))
            above = list(rooms)
            rooms[name] = {*above[:above.index(last) + 1], *more}
        elif cells[-1].startswith("the rooms above"):
            rooms[name] = set(rooms) - {other.rstrip("/") for other in names(cells[-1])}
        else:
            sys.exit(f"{readme}: cannot read what {name}/ may include: {cells[-1]}")
    return rooms, few


def room_of(path, rooms):
    folder = path.rpartition("/")[0]
    return folder if folder in rooms else None


def read_includes(root, prefix=""):
    """Of every source file, the quoted includes with their lines."""
    files = {}
    for path in sorted([*root.rglob("*.c"), *root.rglob("*.h")]):
        lines = path.read_text().splitlines()
        found = [(at, INCLUDE.match(line)) for at, line in enumerate(lines, 1)]
        name = prefix + path.relative_to(root).as_posix()
        files[name] = [(at, match[1]) for at, match in found if match]
    return files


def check_file(name, files, rooms, few):
    includes = files[name]
    room = room_of(name, rooms)
    if room is None:
        yield 1, "is in no room that the table names"
        return
    for at, path in includes:
        if SHARED.fullmatch(path):
            continue
        other = room_of(path, rooms)
        if path not in files:
            yield at, f'"{path}" is no file of this folder; includes are written from its root'
        elif other != room and other not in rooms[room]:
            yield at, f'"{path}": {room}/ may not include {other}/'
        elif path in few and name not in few[path]:
            yield at, f'"{path}" is only for {", ".join(few[path])}'


def find_circle(files):
    """A way from a file back to itself; a .c and its .h are one."""
    unit = lambda path: path.rpartition(".")[0]
    edges = {}
    for name, includes in files.items():
        for at, path in includes:
            if path in files and unit(path) != unit(name):
                edges.setdefault(unit(name), []).append((unit(path), f"{name}:{at}"))
    done = set()

    def walk(at, way):
        if at in done:
            return None
        for to, place in edges.get(at, []):
            on_way = [u for u, _ in way] + [at]
            if to in on_way:
                return [p for _, p in way[on_way.index(to):]] + [place]
            found = walk(to, way + [(at, place)])
            if found:
                return found
        done.add(at)
        return None

    for start in sorted(edges):
        circle = walk(start, [])
        if circle:
            return circle
    return None


def main():
    project = pathlib.Path(__file__).resolve().parents[2]
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else project / "engine_plugin/src"
    second = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else project / "ladder"
    rooms, few = read_tables(root / "README.md")
    files = read_includes(root)
    if "ladder" in rooms:  # the second module's public headers are not of its room
        files.update((name, found) for name, found in read_includes(second, "ladder/").items()
                     if not name.startswith("ladder/include/"))
    if not rooms or not files:
        sys.exit(f"{root}: no table of rooms, or no sources")
    place = lambda name: second.parent / name if name.startswith("ladder/") else root / name
    wrong = [f"{place(name)}:{at}: {what}" for name in files
             for at, what in check_file(name, files, rooms, few)]
    wrong += [f"{root / 'README.md'}: {path} does not exist" for path in few if path not in files]
    circle = find_circle(files)
    if circle:
        wrong.append("a circle of includes: " + ", ".join(f"{root}/{place}" for place in circle))
    print("\n".join(wrong) if wrong else f"{len(files)} files in {len(rooms)} rooms keep the rules")
    sys.exit(1 if wrong else 0)


main()
