#!/usr/bin/env python3
"""check_sizes.py - holds how large the shaders are: what drivers compile is paid for in every cold start

    check_sizes.py [BIN [TEXTS]]    programs of common plans and the sizes of their texts; how many variants there are; no
                                    text has a double, but for what DOUBLES names
    check_sizes.py --write [BIN]    writes sizes.txt anew: commit it with what changed the shaders

BIN has afterglow-bench and test_shader; default: build/dev/bin. TEXTS is what the latter has dumped. The check fails also where sizes.txt is too generous:
what was gained is to be kept.

SPDX-License-Identifier: MIT
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("sizes.txt")
LINES = 1000      # of a program of a common plan, after preprocessing
ALLOWANCE = 0.05  # of texts after preprocessing, either way
WAYS = ("plain", "full")      # drivers: without subgroups, and with them
SKIPPED = 77
# Plans that may have doubles. Drivers of GPUs without them (Intel's from Ice Lake to Alchemist) emulate them, by
# thousands of instructions and seconds of linking.
DOUBLES = re.compile(r"sat \w+ double_float\b|local_stats\b")

DOUBLE = re.compile(r"\b(double|dvec[234]|dmat\w+)\b")

HEAD = f"""\
# sizes.txt - how large the shaders are; tests/shader/check_sizes.py --write makes it, and holds it
#
# variants  that test_shader --dump writes
# plans     of afterglow-bench compile --list plain (a driver without subgroups) and full (with them); in each its
#           programs, after preprocessing: lines that are not blank, characters that are no white space;
#           {ALLOWANCE:.0%} more or less is no difference
"""


# ---- programs ----------------------------------------------------------------------------------

def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode == SKIPPED:
        sys.exit(SKIPPED)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def preprocessed(paths):
    """Of each text its lines and characters, and whether it has a double; by one run, as most of one is its start."""
    text = run("glslangValidator", "-E", "-S", "comp", *paths)
    for part in re.split("^#version.*", text, flags=re.M)[1:]:
        lines = [line for line in part.splitlines() if line.strip() and not line.startswith("#")]
        yield len(lines), sum(len("".join(line.split())) for line in lines), any(map(DOUBLE.search, lines))


def measure_programs(binaries):
    """Plans by way and name, each with its programs: path, lines, characters; those that must have no double and do."""
    plans, sizes = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            figures = os.path.join(folder, "list.json")
            run(binaries / "afterglow-bench", "compile", "--list", way, "--texts", folder, "--json", figures)
            with open(figures, encoding="utf-8") as stream:
                rows = json.load(stream)["rows"]
            for row in rows:
                name = f"{way} {row['effect']} {row['variant']} {row['width']}x{row['height']}"
                plans[name] = [(p["path"], p["text"]) for p in row["programs"]]
        texts = sorted(pathlib.Path(folder).glob("*.comp"))
        sizes = dict(zip((path.stem for path in texts), preprocessed(texts)))
    doubles = [f"{name}: {path}" for name, programs in plans.items() if not DOUBLES.match(name.partition(" ")[2])
               for path, text in programs if sizes[text][2]]
    plans = {name: sorted((path, *sizes[text][:2]) for path, text in programs) for name, programs in plans.items()}
    return plans, doubles


def count_variants(binaries, texts=None):
    with tempfile.TemporaryDirectory() as folder:
        if not texts:
            run(binaries / "test_shader", "--dump", folder)
        return sum(1 for _ in pathlib.Path(texts or folder).glob("*.comp"))


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


def check_lines(plans):
    longest = {}
    for programs in plans.values():
        for path, lines, _ in programs:
            longest[path] = max(longest.get(path, 0), lines)
    for path, lines in sorted(longest.items()):
        if lines > LINES:
            yield (f"{path}: {lines} lines in a common plan, more than {LINES}. Move what is of another kind to a "
                   "program of its own")


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
    table = {"variants": 0, "plans": {}}
    programs = []
    for line in TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []:
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if line.startswith(" "):
            programs.append((words[0], int(words[1]), int(words[2])))
        elif words[0] == "variants":
            table["variants"] = int(words[1])
        else:
            programs = table["plans"].setdefault(line.rpartition(":")[0], [])
    return table


def write_table(variants, plans):
    lines = [HEAD, f"variants {variants}"]
    for name, programs in plans.items():
        lines += ["", f"{name}: {len(programs)} programs, {sum(program[1] for program in programs)} lines"]
        lines += [f"  {path} {count} {characters}" for path, count, characters in programs]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    words = sys.argv[1:]
    writes = words[:1] == ["--write"]
    words = words[writes:]
    if len(words) > 2 or any(word.startswith("-") for word in words):
        print(__doc__)
        return 2
    if not shutil.which("glslangValidator"):
        print("glslangValidator is missing (Debian, Ubuntu: glslang-tools)")
        return SKIPPED
    binaries = pathlib.Path(words[0] if words else PROJECT / "build/dev/bin")
    (plans, doubles), variants = measure_programs(binaries), count_variants(binaries, *words[1:])
    if writes:
        write_table(variants, plans)
    wrong = [*check_programs(plans, variants, read_table()), *check_lines(plans), *check_doubles(doubles)]
    lines, longest = max((program[1], program[0]) for programs in plans.values() for program in programs)
    print("\n".join(wrong) or f"{sum(map(len, plans.values()))} programs of {len(plans)} plans, {variants} variants; "
          f"the longest has {lines} lines, of {longest}")
    if wrong:
        print("\nOnce that is meant: tests/shader/check_sizes.py --write, and commit tests/shader/sizes.txt")
    return bool(wrong)


sys.exit(main())
