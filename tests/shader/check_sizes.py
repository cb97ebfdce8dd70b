#!/usr/bin/env python3
"""check_sizes.py - holds how large the shaders are: what drivers compile is paid for in every cold start

    check_sizes.py entries                   whole texts of entry shaders; needs no GL
    check_sizes.py programs [BIN]            programs of common plans and their texts, and how many variants there are;
                                             no text has a double, but for what DOUBLES names
    check_sizes.py --write [BIN]             writes sizes.txt anew: commit it with what changed the shaders

BIN has afterglow-bench and test_shader; default: build/dev/bin. Both fail also where sizes.txt is too generous: what was
gained is to be kept. --write lowers exceptions, and never raises or adds one: that is done by hand, in sizes.txt.

SPDX-License-Identifier: MIT
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SHADERS = PROJECT / "shaders"
TABLE = pathlib.Path(__file__).with_name("sizes.txt")
LINES, CONDITIONS = 1200, 70  # of an entry that is no exception
ALLOWANCE = 0.05              # of texts after preprocessing, either way
WAYS = ("plain", "full")      # drivers: without subgroups, and with them
SKIPPED = 77
# Plans that may have doubles. Drivers of GPUs without them (Intel's from Ice Lake to Alchemist) emulate them, by
# thousands of instructions and seconds of linking.
DOUBLES = re.compile(r"sat \w+ double_float\b|local_stats\b")

INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef)\b")
DOUBLE = re.compile(r"\b(double|dvec[234]|dmat\w+)\b")

HEAD = f"""\
# sizes.txt - how large the shaders are; tests/shader/check_sizes.py --write makes it, and holds it
#
# exception  an entry of more than {LINES} lines or {CONDITIONS} #if, #ifdef and #ifndef, every file counted once:
#            its own figures, which may fall and must be lowered then
# variants   that test_shader --dump writes
# plans      of afterglow-bench compile --list plain (a driver without subgroups) and full (with them); in each its
#            programs, after preprocessing: lines that are not blank, characters that are no white space;
#            {ALLOWANCE:.0%} more or less is no difference
"""


# ---- entries -----------------------------------------------------------------------------------

def whole_text(name, seen):
    """The lines of a file, each include in its place, and every file once."""
    seen.add(name)
    lines = []
    for line in (SHADERS / name).read_text(encoding="utf-8").splitlines():
        match = INCLUDE.match(line)
        if not match:
            lines.append(line)
        elif match[1] not in seen:
            lines += whole_text(match[1], seen)
    return lines


def measure_entries():
    """Of each entry its lines and conditions."""
    found = {}
    for path in sorted(SHADERS.rglob("*.comp")):
        name = path.relative_to(SHADERS).as_posix()
        lines = whole_text(name, set())
        found[name] = (len(lines), sum(1 for line in lines if CONDITION.match(line)))
    return found


def fits(entry):
    return entry[0] <= LINES and entry[1] <= CONDITIONS


def check_entries(found, exceptions):
    for name, entry in found.items():
        text = f"{name}: {entry[0]} lines, {entry[1]} conditions"
        allowed = exceptions.get(name, (LINES, CONDITIONS))
        if any(is_ > may for is_, may in zip(entry, allowed)):
            yield (f"{text}: more than {allowed[0]}, {allowed[1]}. Move what is of another kind to a program of its own, "
                   "rather than raise that")
        elif name in exceptions and fits(entry):
            yield f"{text}: no exception any more; --write takes it off"
        elif name in exceptions and entry != allowed:
            yield f"{text}: less than {allowed[0]}, {allowed[1]}; --write lowers that"
    for name in exceptions.keys() - found.keys():
        yield f"{name}: there is no such entry; --write takes it off"


# ---- programs ----------------------------------------------------------------------------------

def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode == SKIPPED:
        sys.exit(SKIPPED)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def preprocessed(path):
    """Lines and characters of a text, and whether it has a double."""
    lines = [line for line in run("glslangValidator", "-E", "-S", "comp", path).splitlines()
             if line.strip() and not line.startswith("#")]
    return len(lines), sum(len("".join(line.split())) for line in lines), any(map(DOUBLE.search, lines))


def measure_programs(binaries):
    """Plans by way and name, each with its programs: path, lines, characters; those that must have no double and do."""
    plans, sizes = {}, {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for way in WAYS:
            figures = os.path.join(folder, "list.json")
            run(binaries / "afterglow-bench", "compile", "--list", way, "--texts", folder, "--json", figures)
            with open(figures, encoding="utf-8") as stream:
                rows = json.load(stream)["rows"]
            for row in rows:
                name = f"{way} {row['effect']} {row['variant']} {row['width']}x{row['height']}"
                plans[name] = [(p["path"], p["text"]) for p in row["programs"]]
        texts = sorted(pathlib.Path(folder).glob("*.comp"))
        sizes = dict(zip((path.stem for path in texts), pool.map(preprocessed, texts)))
    doubles = [f"{name}: {path}" for name, programs in plans.items() if not DOUBLES.match(name.partition(" ")[2])
               for path, text in programs if sizes[text][2]]
    plans = {name: sorted((path, *sizes[text][:2]) for path, text in programs) for name, programs in plans.items()}
    return plans, doubles


def count_variants(binaries):
    with tempfile.TemporaryDirectory() as folder:
        run(binaries / "test_shader", "--dump", folder)
        return len(list(pathlib.Path(folder).glob("*.comp")))


def differs(is_, was):
    return abs(is_ - was) > ALLOWANCE * was


def check_plan(name, programs, was):
    paths, former = [[program[0] for program in plan] for plan in (programs, was)]
    if paths != former:
        yield f"{name}: {len(paths)} programs, of {' '.join(paths)}; they were {len(former)}, of {' '.join(former)}"
        return
    for now, then in zip(programs, was):
        if differs(now[1], then[1]) or differs(now[2], then[2]):
            yield (f"{name}: {now[0]} has {now[1]} lines, {now[2]} characters; it had {then[1]}, {then[2]}"
                   + (": smaller, keep that by --write" if now[1:] < then[1:] else ""))


def check_doubles(doubles):
    for program in doubles:
        yield f"{program} has a double: pairs of floats (common/pair.glsl), or integers, do without"


def check_programs(plans, variants, table):
    for name in dict.fromkeys([*plans, *table["plans"]]):
        if name not in plans or name not in table["plans"]:
            yield f"{name}: this plan is {'new' if name in plans else 'gone'}; --write"
        else:
            yield from check_plan(name, plans[name], table["plans"][name])
    if variants != table["variants"]:
        yield f"{variants} variants of shaders; they were {table['variants']}: if that is as it should be, --write"


# ---- the table ---------------------------------------------------------------------------------

def read_table():
    table = {"exceptions": {}, "variants": 0, "plans": {}}
    programs = []
    for line in TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []:
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if line.startswith(" "):
            programs.append((words[0], int(words[1]), int(words[2])))
        elif words[0] == "exception":
            table["exceptions"][words[1]] = (int(words[2]), int(words[3]))
        elif words[0] == "variants":
            table["variants"] = int(words[1])
        else:
            programs = table["plans"].setdefault(line.rpartition(":")[0], [])
    return table


def write_table(exceptions, variants, plans):
    lines = [HEAD]
    lines += [f"exception {name} {entry[0]} {entry[1]}" for name, entry in sorted(exceptions.items())]
    lines += ["", f"variants {variants}"]
    for name, programs in plans.items():
        lines += ["", f"{name}: {len(programs)} programs, {sum(program[1] for program in programs)} lines"]
        lines += [f"  {path} {count} {characters}" for path, count, characters in programs]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write(binaries):
    found, table = measure_entries(), read_table()
    lowered = {name: tuple(map(min, found[name], was)) for name, was in table["exceptions"].items()
               if name in found and not fits(found[name])}
    plans, doubles = measure_programs(binaries)
    write_table(lowered, count_variants(binaries), plans)
    left = [*check_entries(found, lowered), *check_doubles(doubles)]
    print("\n".join(left) or f"{TABLE} is written")
    return bool(left)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ("entries", "programs", "--write"):
        print(__doc__)
        return 2
    binaries = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else PROJECT / "build/dev/bin")
    if sys.argv[1] != "entries" and not shutil.which("glslangValidator"):
        print("glslangValidator is missing (Debian, Ubuntu: glslang-tools)")
        return SKIPPED
    if sys.argv[1] == "--write":
        return write(binaries)
    table = read_table()
    if sys.argv[1] == "entries":
        found = measure_entries()
        wrong = list(check_entries(found, table["exceptions"]))
        good = (f"{len(found)} entries, {len(table['exceptions'])} of them still beyond {LINES} lines and {CONDITIONS} "
                "conditions")
    else:
        (plans, doubles), variants = measure_programs(binaries), count_variants(binaries)
        wrong = [*check_programs(plans, variants, table), *check_doubles(doubles)]
        good = f"{sum(map(len, plans.values()))} programs of {len(plans)} plans, {variants} variants"
    print("\n".join(wrong) or good)
    if wrong:
        print("\nOnce that is meant: tests/shader/check_sizes.py --write, and commit tests/shader/sizes.txt (exceptions that\n"
              "grow it leaves alone: those are raised there by hand)")
    return bool(wrong)


sys.exit(main())
