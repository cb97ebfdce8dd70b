#!/usr/bin/env python3
"""budgets.py - compares what the drivers' compilers say of the shaders with budgets.txt

    budgets.py OUT K/N [--write]
    budgets.py --docs              the tables of docs/gpus.md, and that of docs/ladder.md

OUT has what tests/gpus/run left there: radv.CHIP[.WAVE], names, DRIVER.CHIP[.COMPILER].json. Of a part of the variants only
what is worse than its budget fails; of all, 1/1, also what is better: run tests/gpus/run --write then, and commit it.

SPDX-License-Identifier: MIT
"""
import collections
import json
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).with_name("budgets.txt")
HEAD = """\
# budgets.txt - what compilers for GPUs make of the shaders; tests/gpus/run --write makes it, and holds it: docs/gpus.md
#
# A cell has the worst of all variants: registers/waves. Registers are VGPRs of AMD, GPRs of nouveau, instructions of iris;
# waves those that a SIMD has room for, 0 where the driver says nothing. Then, where there are any, s: bytes of scratch
# memory; v, g: spilled vector and scalar registers. `in`: an execute of a common plan dispatches it, only a prepare, or - .
"""
Cell = collections.namedtuple("Cell", "registers waves s v g")  # what is worse is more, but of waves
NONE = Cell(0, 9999, 0, 0, 0)


def worst(a, b):
    return Cell(max(a.registers, b.registers), min(a.waves, b.waves), *(max(x, y) for x, y in zip(a[2:], b[2:])))


def is_worse(a, b):
    return a.waves < b.waves or any(x > y for x, y in zip(a[:1] + a[2:], b[:1] + b[2:]))


def text_of(cell):
    more = "".join(f"{name}{value}" for name, value in zip("svg", cell[2:]) if value)
    return f"{cell.registers}/{cell.waves}{more}"


def cell_of(text):
    match = re.fullmatch(r"(\d+)/(\d+)(?:s(\d+))?(?:v(\d+))?(?:g(\d+))?", text)
    return Cell(*(int(part or 0) for part in match.groups()))


# ---- what was compiled ---------------------------------------------------------------------------

def radv_rows(path, names):
    """Of a file of gpus_pipelines each shader and its figures."""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        file, *pairs = line.split()
        said = {key: float(value) for key, value in (pair.split("=") for pair in pairs)}
        yield names[file[2:-4]], Cell(*(int(said[key]) for key in (
            "VGPRs", "Subgroups_per_SIMD", "Scratch_size", "Spilled_VGPRs", "Spilled_SGPRs")))


def said_of(line):
    """The figures of a line of a driver's compiler, or None."""
    numbers = {key.strip(): int(value) for key, value in re.findall(r"([A-Za-z ]+): (\d+)", line)}
    if "VGPRS" in numbers:
        return Cell(numbers["VGPRS"], numbers["Max Waves"], numbers["Scratch"], numbers["Spilled VGPRs"], numbers["Spilled SGPRs"])
    if "gpr" in numbers:
        return Cell(numbers["gpr"], 0, numbers["local"], 0, 0)
    match = re.search(r"(\d+) inst.*?(\d+):(\d+) spills:fills", line)
    return Cell(int(match[1]), 0, 0, int(match[2]), 0) if match else None


def gl_rows(path):
    """Of a file of afterglow-bench compile --hear: each program, its figures, whether an execute dispatches it, its link time."""
    for row in json.loads(path.read_text())["rows"]:
        for program in row["programs"]:
            for cell in filter(None, map(said_of, program["driver_says"].splitlines())):
                yield program["path"], cell, program["executed"], program["link_ms"]


def read(out):
    """{table: {column: {shader: Cell}}}, {shader: whether an execute dispatches it}, {column: slowest link}."""
    tables, executed, links = {"radv": {}, "gl": {}}, {}, {}
    names = dict(line.split() for line in (out / "names").read_text().splitlines())
    for path in sorted(out.glob("radv.*")):
        if path.suffix == ".log":
            continue
        column = tables["radv"].setdefault(path.name[5:], {})
        for shader, cell in radv_rows(path, names):
            column[shader] = worst(column.get(shader, NONE), cell)
    for path in sorted(out.glob("*.json")):
        column = tables["gl"].setdefault(path.name[:-5].replace("radeonsi.", ""), {})
        for shader, cell, runs, link_ms in gl_rows(path):
            column[shader] = worst(column.get(shader, NONE), cell)
            executed[shader] = executed.get(shader, False) or runs
            links[path.name[:-5]] = max(links.get(path.name[:-5], (0, "")), (link_ms, shader))
        if not column:
            sys.exit(f"{path} has no figure of any program: the driver's words have changed, see said_of()")
    return tables, executed, links


# ---- the table of budgets ------------------------------------------------------------------------

def read_table():
    """The Mesa of the table, {table: {column: {shader: Cell}}}, {shader: whether an execute dispatches it}."""
    mesa, tables, executed, columns = "", {"radv": {}, "gl": {}}, {}, []
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if words[0] == "mesa":
            mesa = words[1]
        elif words[0] in tables:
            columns = [tables[words[0]].setdefault(name, {}) for name in words[2:]]
        else:
            if words[1] != "-":
                executed[words[0]] = words[1] == "execute"
            for column, text in zip(columns, words[2:]):
                if text != ".":
                    column[words[0]] = cell_of(text)
    return mesa, tables, executed


def file_of(column):
    return column if column.startswith(("iris.", "nouveau.")) else f"radeonsi.{column}"


def write_table(mesa, tables, executed):
    lines = [HEAD, f"mesa {mesa}"]
    for table, columns in tables.items():
        columns = {name: columns[name] for name in sorted(columns, key=file_of)}
        shaders = sorted(set().union(*columns.values()))
        rows = [[table, "in", *columns]]
        for shader in shaders:
            runs = {True: "execute", False: "prepare", None: "-"}[executed.get(shader)]
            rows.append([shader, runs, *(text_of(column[shader]) if shader in column else "." for column in columns.values())])
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines += [""] + ["  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in rows]
    TABLE.write_text("\n".join(lines) + "\n")


def compare(found, budgets, whole):
    """What is worse than its budget; of all variants also what is better, and what has none."""
    for table, columns in found.items():
        for name, column in columns.items():
            allowed = budgets[table].get(name)
            if allowed is None:
                yield f"{table} {name}: there are no budgets"
                continue
            for shader, cell in sorted(column.items()):
                if shader not in allowed:
                    yield f"{table} {name} {shader}: {text_of(cell)}, and no budget"
                elif is_worse(cell, allowed[shader]):
                    yield f"{table} {name} {shader}: {text_of(cell)}, which is worse than {text_of(allowed[shader])}"
                elif whole and cell != allowed[shader]:
                    yield f"{table} {name} {shader}: {text_of(cell)} is better than {text_of(allowed[shader])}: keep it"
            if whole:
                yield from (f"{table} {name} {shader}: has a budget, and is gone" for shader in sorted(set(allowed) - set(column)))


def summary(tables, executed, links):
    for table, columns in tables.items():
        for name, column in columns.items():
            spills = sorted(shader for shader, cell in column.items() if any(cell[2:4]))
            print(f"{table} {name}: {len(column)} shaders, {len(spills)} with scratch memory or spilled registers"
                  + "".join(f"\n    {shader} {text_of(column[shader])} ({'execute' if executed.get(shader, True) else 'prepare'})"
                            for shader in spills))
    for name, (link_ms, shader) in links.items():
        print(f"slowest link of {name}: {link_ms:.0f} ms, {shader}")


# ---- docs/gpus.md --------------------------------------------------------------------------------

CHIPS = {"polaris10": "GCN 4, Radeon RX 480", "vega10": "GCN 5, RX Vega 64", "navi10": "RDNA 1, RX 5700", "navi21": "RDNA 2, RX 6800",
         "navi31": "RDNA 3, RX 7900", "gfx1150": "RDNA 3.5, Radeon 890M", "gfx1201": "RDNA 4, RX 9070", "120": "Maxwell, GTX 900",
         "skl": "Gen 9, Skylake", "tgl": "Gen 12, Tiger Lake", "dg2": "Xe HPG, Arc A", "lnl": "Xe2, Lunar Lake"}
JUDGES = {"aco": "radeonsi, ACO", "llvm": "radeonsi, LLVM", "nouveau": "nouveau", "iris": "iris"}


def spilling(column, executed, runs):
    found = [f"`{shader}`" for shader, cell in sorted(column.items()) if any(cell[2:4]) and executed[shader] == runs]
    return ", ".join(found) or "none"


def extreme(column, key, best):
    shader = best(column, key=lambda name: getattr(column[name], key))
    return f"{getattr(column[shader], key)}: `{shader}`"


def docs():
    """The tables that docs/gpus.md has, in lines."""
    _, tables, executed = read_table()
    lines = ["| chip | waves of | shaders | scratch memory or spilled registers | most registers | fewest waves a SIMD |",
             "| --- | --- | --- | --- | --- | --- |"]
    for name, column in tables["radv"].items():
        chip, _, wave = name.partition(".")
        spills = [f"`{shader}`" for shader, cell in sorted(column.items()) if any(cell[2:])]
        lines.append(f"| {CHIPS[chip]} | {wave or 64} | {len(column)} | {', '.join(spills) or 'none'} | "
                     f"{extreme(column, 'registers', max)} | {extreme(column, 'waves', min)} |")
    lines += ["", "| driver, compiler | chip | programs | an execute's with scratch memory or spills | a prepare's |",
              "| --- | --- | --- | --- | --- |"]
    for name, column in tables["gl"].items():
        words = name.split(".")
        judge = JUDGES[words[0] if words[0] in JUDGES else words[-1]]
        chip = words[1] if words[0] in JUDGES else words[0]
        lines.append(f"| {judge} | {CHIPS[chip]} | {len(column)} | {spilling(column, executed, True)} | "
                     f"{spilling(column, executed, False)} |")
    return lines


def scans():
    """Registers of the scans of docs/ladder.md, and of the product's tables, in lines."""
    _, tables, _ = read_table()
    chips = {"navi21.32": "RDNA 2", "gfx1201.32": "RDNA 4", "vega10": "GCN 5"}
    lines = [f"| shader | {', '.join(chips.values())}: vector registers | waves a SIMD |", "| --- | --- | --- |"]
    shaders = [shader for shader in tables["radv"]["vega10"] if re.match(r"ladder/sat/|sat/(reduce|carry|finish)\.", shader)]
    for shader in sorted(shaders, key=lambda shader: ("ladder" not in shader, shader)):
        cells = [tables["radv"][chip][shader] for chip in chips]
        name = shader.rsplit("/", 1)[1] if "ladder" in shader else shader
        spills = " and ".join(chip for chip, cell in zip(chips.values(), cells) if any(cell[2:]))
        lines.append(f"| `{name[:-5]}` | {', '.join(str(cell.registers) for cell in cells)} | "
                     f"{', '.join(str(cell.waves) for cell in cells)}{'; spills on ' + spills if spills else ''} |")
    return lines


def main():
    if sys.argv[1:] == ["--docs"]:
        print("\n".join(docs() + [""] + scans()))
        return 0
    out, whole = pathlib.Path(sys.argv[1]), sys.argv[2] == "1/1"
    mesa = (out.parent / "mesa" / "version").read_text().strip()
    tables, executed, links = read(out)
    written_for, budgets, known = read_table()
    summary(tables, executed, links)
    if "--write" in sys.argv:
        if not whole:
            sys.exit("--write needs all variants")
        for table, columns in budgets.items():  # of drivers that did not run now
            tables[table] = {**{name: column for name, column in columns.items() if name not in tables[table]}, **tables[table]}
        write_table(mesa, tables, {**known, **executed})
        print(f"{TABLE} is written")
        return 0
    if mesa != written_for:
        print(f"budgets.txt is of Mesa {written_for}, this is {mesa}: nothing is compared; --write makes it anew")
        return 0
    failures = list(compare(tables, budgets, whole))
    print("\n".join(failures[:60]) if failures else "all budgets hold")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
