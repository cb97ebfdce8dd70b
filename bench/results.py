#!/usr/bin/env python3
"""results.py - what happens to the JSON of a run: merged, summarised for git, as a table, as columns for gnuplot

    results.py device FILE            the device: NVIDIA H200
    results.py name FILE              the same as a file name: nvidia-h200; of what programs cost nvidia-h200-compile
    results.py merge OUT FILE...      the first file, with the rows of the others
    results.py summary OUT FILE...    what documents are made from, a row a line: OUT (made if it is not there), with the
                                      rows of runs in place of its own of the same effect, subject, variant and size;
                                      what programs cost the same; what memory is like as a whole
    results.py table FILE             effects and baselines side by side, and the rules of memory, as Markdown
    results.py rules FILE             of what memory is like: the documents' rules with their verdicts, as Markdown
    results.py fill DOCUMENT FILE     writes that table between the document's two comments that name FILE's device
    results.py curves FILE SERIES     for gnuplot: name, value and a number of each figure of "group series"
    results.py effects FILE           the effects that it has rows of
    results.py titles FILE EFFECT     the subjects, quoted, for gnuplot's word()
    results.py bars FILE EFFECT       for gnuplot: a block of sizes, then one of bars a subject

A FILE is a whole run, as --json writes it, or a summary: load() reads both.

SPDX-License-Identifier: MIT
"""
import json
import os
import re
import sys

DRAWN = {"mipchain": "rgba16f", "downsample": "", "fft_ladder": ""}  # the variant that is drawn, where all would be too many; "": none
BASELINES = {"copy": "copy of the same bytes", "pyramid": "pyramid bloom", "fragment": "fragment shaders", "cufft": "cuFFT", "vkfft": "VkFFT"}


COLUMNS = {  # of a summary's parts
    "rows": ("effect", "subject", "variant", "width", "height", "launches", "dispatches", "bytes", "floor_copy_us", "floor_us",
             "gpu_hot_us", "gpu_cold_us", "cpu_us", "error", "error_float", "commit", "claim", "plan"),
    "asides": ("effect", "name", "width", "height", "us", "commit"),
    "figures": ("group", "series", "name", "x", "value", "unit", "us"),
    "rules": ("rule", "text", "claimed", "measured", "verdict"),
    "compile": ("effect", "variant", "width", "height", "program_count", "text_bytes", "text_lines", "assembly_lines",
                "cold_ms", "warm_ms", "commit"),
}
PACKED = {"gpu_hot_us": ("median",), "gpu_cold_us": ("median",), "error": ("snr_db", "max_error"),
          "error_float": ("snr_db", "max_error"), "claim": ("text", "claimed", "measured", "verdict"),
          "cold_ms": ("compile", "link", "rest", "total", "picture"), "warm_ms": ("total", "picture")}


def digits(value):
    """Nine of them: a time of a timer has no more, and what is rounded again stays right."""
    return float(f"{value:.9g}") if isinstance(value, float) else value


def pack(row, columns):
    """A row as a summary has it: the columns alone, and of its objects the members that PACKED names; null: none."""
    cells = []
    for column in columns:
        cell = row.get(column)
        if column.startswith("error") and not (cell or {}).get("checked"):
            cell = None
        if cell is not None and column in PACKED:
            cell = [digits(cell[key]) for key in PACKED[column]]
            cell = cell if len(cell) > 1 else cell[0]
        cells.append(digits(cell))
    while cells and cells[-1] is None:
        cells.pop()
    return cells


def unpack(cells, columns, members):
    row = dict(zip(columns, cells))
    for column, keys in members.items():
        if column not in columns:
            continue
        cell = row.get(column)
        if cell is not None:
            row[column] = dict(zip(keys, cell if len(keys) > 1 else [cell]))
        elif column in row:
            del row[column]
        if column.startswith("error"):
            row[column] = {"checked": True, **row[column]} if cell else {"checked": False}
    return row


def is_summary(run):
    return run.get("kind") == "summary"


def read(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def load(path, kind=None):
    """A run of a kind: None, of effects; compile, what programs cost; memory. A file is one run, or the summary of all."""
    run = read(path)
    if not is_summary(run):
        return run if kind is None or run.get("kind") == kind else None
    if (kind or "rows") not in run:
        return None
    part = {**run, "kind": None} if kind is None else {"device": run["device"], **run[kind], "kind": kind}
    for name in ("rows", "asides", "figures", "rules"):
        if name in part:
            columns = run["columns"]["compile" if kind == "compile" else name]
            part[name] = [unpack(row, columns, run["members"]) for row in part[name]]
    return part


def device(path):
    return read(path)["device"]["renderer"].split("/")[0].split("(")[0].strip()


def name(path, kind=None):
    kind = kind or read(path).get("kind")
    return re.sub(r"[^a-z0-9]+", "-", device(path).lower()).strip("-") + (f"-{kind}" if kind not in (None, "summary") else "")


def merge(out, first, *others):
    merged = read(first)
    if merged.get("kind") == "memory" and others:
        raise SystemExit("a run of memory stands alone: no other can be merged into it")
    for path in others:
        try:
            part = read(path)
        except ValueError as error: # what was measured before is kept
            print(f"{path} is left out: {error}", file=sys.stderr)
            continue
        merged["rows"] += part.pop("rows")
        merged.setdefault("asides", []).extend(part.pop("asides", []))
        merged.setdefault("others", []).append(part)
    with open(out, "w", encoding="utf-8") as stream:
        json.dump(merged, stream, indent=1)
        stream.write("\n")


def row_key(row):
    return row["effect"], row.get("subject", "afterglow"), row["variant"], row["width"], row["height"]


def aside_key(aside):
    return aside["effect"], aside["name"], aside["width"], aside["height"]


def replaced(kept, new, key):
    """`new` in the places of the same of before; what is new behind the last one of its effect."""
    new = {key(row): row for row in new}
    rows = [new.pop(key(row), row) for row in kept]
    for row in new.values():
        of_effect = [i for i, other in enumerate(rows) if other["effect"] == row["effect"]]
        rows.insert(of_effect[-1] + 1 if of_effect else len(rows), row)
    return rows


def summary(out, *files):
    kept = {kind: load(out, kind) if os.path.exists(out) else None for kind in (None, "compile", "memory")}
    gpu = kept[None]["device"] if kept[None] else read(files[0])["device"]
    for path in files:
        run = read(path)
        kind = run.get("kind")
        if run["device"]["renderer"] != gpu["renderer"] or kind not in kept:
            raise SystemExit(f"{path} is of another device, or no run")
        before = kept[kind] or {}
        kept[kind] = run
        if kind == "memory":
            continue
        for part, key in (("rows", row_key), ("asides", aside_key)):
            new = [{**row, "commit": row.get("commit", run["commit"])} for row in run.get(part, [])]
            run[part] = replaced(before.get(part, []), new, key)
        if kind is None and before:  # the copy speed and the libraries of rows that stay
            run.update({key: before[key] for key in ("copy", "others", "reference") if key in before})
    write_summary(out, gpu, kept)


def write_summary(out, gpu, runs):
    """JSON with a row a line. Each part says which members its rows have."""
    def lines(rows, columns):
        rows = [json.dumps(pack(row, COLUMNS[columns]), ensure_ascii=False) for row in rows]
        return "[\n" + ",\n".join(rows) + "\n]"

    def head(run, *keys):
        return [f'"{key}": {json.dumps(run[key])}' for key in keys if key in run]
    effects = runs[None]
    parts = ['"kind": "summary"', f'"device": {json.dumps(gpu)}', f'"columns": {json.dumps(COLUMNS)}', f'"members": {json.dumps(PACKED)}']
    if effects:
        parts += head(effects, "commit", "version", "reference", "copy", "others")
        parts += [f'"{part}": {lines(effects[part], part)}' for part in ("rows", "asides")]
    if runs["compile"]:
        inner = head(runs["compile"], "commit", "version", "repeats") + [f'"rows": {lines(runs["compile"]["rows"], "compile")}']
        parts.append('"compile": {' + ",\n".join(inner) + "}")
    if runs["memory"]:
        inner = head(runs["memory"], "commit", "version", "quick", "source_bytes")
        inner += [f'"{part}": {lines(runs["memory"][part], part)}' for part in ("figures", "rules")]
        parts.append('"memory": {' + ",\n".join(inner) + "}")
    with open(out, "w", encoding="utf-8") as stream:
        stream.write("{\n" + ",\n".join(parts) + "\n}\n")


def subject(row):
    """Who a row is about, as a column's title."""
    if row["subject"] == "afterglow":
        return row["variant"]
    if row["subject"] == "pyramid":
        return "pyramid, " + row["variant"]
    if row["effect"] in ("mipchain", "downsample"):  # formats, and sizes to, are variants of everyone
        return row["subject"] + ", " + row["variant"]
    if row["subject"] == "copy":
        return "copy, " + row["variant"]
    return BASELINES.get(row["subject"], row["subject"])


def by_size(rows, effect):
    """The sizes from small to large, the subjects as they came, and the rows by both."""
    rows = [row for row in rows if row["effect"] == effect]
    sizes = sorted({(row["width"], row["height"]) for row in rows}, key=lambda s: s[0] * s[1])
    titles = list(dict.fromkeys(subject(row) for row in rows))
    cells = {(row["width"], row["height"], subject(row)): row for row in rows}
    return sizes, titles, cells


def cell(row, times):
    median = row[times]["median"]
    return f"{median:.1f} ({median / row['floor_us']:.2f})" if row["subject"] == "afterglow" else f"{median:.1f}"


def decibels(error):
    return known(error.get("snr_db")) if error.get("checked") else "-"


def print_effect(rows, effect):
    """A line a row; rows of libraries have no plan, so no bytes and no floor."""
    print(f"\n### {effect}: GPU median in us (ratio to the floor)\n")
    print("| size | variant | who | MB | floor | hot | cold | CPU | dB, as timed | dB into floats |\n" + "|---" * 10 + "|")
    for row in sorted((row for row in rows if row["effect"] == effect), key=lambda r: r["width"] * r["height"]):
        megabytes = row["bytes"] * 1e-6 if row.get("bytes") else None
        print(f"| {row['width']}x{row['height']} | {row['variant']} | {BASELINES.get(row['subject'], row['subject'])} | "
              f"{known(megabytes)} | {known(row.get('floor_us'))} | {cell(row, 'gpu_hot_us')} | {cell(row, 'gpu_cold_us')} | "
              f"{row['cpu_us']:.1f} | {decibels(row.get('error', {}))} | {decibels(row.get('error_float', {}))} |")


def known(value, form="{:.1f}"):
    return "-" if value is None else form.format(value)


def ratio(value):
    """Claimed and measured: three digits, whatever their size."""
    return "-" if value is None else f"{value:.3g}"


def rules(path):
    """Each rule beside what it claims, what was measured, and the verdict."""
    lines = ["| rule | what the document says | claimed | measured | verdict |", "|---|---|---|---|---|"]
    lines += [f"| {rule['rule']} | {rule['text']} | {ratio(rule['claimed'])} | {ratio(rule['measured'])} | "
              f"{rule['verdict']} |" for rule in load(path, "memory")["rules"]]
    return "\n".join(lines)


def place(document, key, text):
    """Writes `text` between the document's two comments with this key."""
    with open(document, encoding="utf-8") as stream:
        page = stream.read()
    begin, end = f"<!-- {key} -->\n", f"<!-- end of {key} -->"
    if begin not in page or end not in page:
        raise SystemExit(f"{document} has no place for {key}: two lines, {begin.strip()} and {end}")
    before, rest = page.split(begin, 1)
    with open(document, "w", encoding="utf-8") as stream:
        stream.write(before + begin + text + end + rest.split(end, 1)[1])


def fill(document, path):
    run = load(path, "memory")
    if not run or run["device"]["software"] or run["quick"]:
        raise SystemExit(f"{path} has no whole run of afterglow-bench memory on a GPU")
    head = f"{run['device']['renderer']}, {run['device']['driver']}, commit {run['commit']}.\n\n"
    place(document, name(path, "memory"), head + rules(path) + "\n")


def curves(path, series):
    own = [f for f in load(path, "memory")["figures"] if f"{f['group']} {f['series']}" == series]
    for i, f in enumerate(own):
        print(f"{i if f['x'] is None else f['x']:g}\t{f['value']:.6g}\t\"{f['name']}\"")


def table(path):
    gpu = read(path)["device"]
    print(f"## {gpu['renderer']}\n\n{gpu['driver']}")
    if gpu["software"]:
        print("\nA software renderer: these are NOT GPU figures.")
    effects_of, memory = load(path), load(path, "memory")
    if memory:
        print(f"\nMemory, commit {memory['commit']}. Claimed and measured: how many times slower it is to break the rule; 1: it "
              f"costs nothing.\n\n{rules(path)}")
    if effects_of and not effects_of.get("kind"):
        effects_table(effects_of)


def effects_table(run):
    copy = run["copy"]
    print(f"\nCopy speed, read + written: texture {copy['floor_gb_s']:.0f} GB/s, buffer "
          f"{copy['buffer_gb_s']:.0f} GB/s" + "".join(
              f", CUDA {part['copy_gb_s']:.0f} GB/s" for part in run.get("others", [])[:1]))
    for effect in dict.fromkeys(row["effect"] for row in run["rows"]):
        print_effect(run["rows"], effect)
        commits = {row.get("commit", run["commit"]) for row in run["rows"] if row["effect"] == effect} - {None}
        print(f"\nOf commit {', '.join(sorted(commits))}.")


def drawn(path, effect):
    rows = load(path)["rows"]
    if effect == "fft":  # the methods beside each other, without the ladder's changes
        return [row for row in rows if row["effect"] != effect or row["variant"].endswith("forward complex")]
    return [row for row in rows if row["variant"] == DRAWN.get(effect, row["variant"])]


def effects(path):
    """Of bars: what programs cost has none, nor has memory."""
    run = load(path)
    return "" if not run or run.get("kind") else " ".join(dict.fromkeys(row["effect"] for row in run["rows"]))


def titles(path, effect):
    names = by_size(drawn(path, effect), effect)[1]
    print(" ".join(f'"{title.removesuffix(" forward complex")}"' for title in names))  # of fft all are that


def bars(path, effect):
    """Sizes: x, size. Subjects: x, hot median and (ours alone) floor, in us a megapixel."""
    sizes, names, cells = by_size(drawn(path, effect), effect)
    for i, (width, height) in enumerate(sizes):
        print(f"{i} {width}×{height}")
    for k, title in enumerate(names):
        print(f'\n\n# {title}')
        for i, size in enumerate(sizes):
            row = cells.get((*size, title))
            if row:
                scale = 1e6 / (size[0] * size[1])
                floor = row["floor_us"] * scale if row["subject"] == "afterglow" else 0
                x = i + 0.85 * ((k + 0.5) / len(names) - 0.5)
                print(f"{x:.4f} {row['gpu_hot_us']['median'] * scale:.4f} {floor:.4f}")


COMMANDS = {f.__name__: f for f in (device, name, merge, summary, table, rules, fill, curves, effects, titles, bars)}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    result = COMMANDS[sys.argv[1]](*sys.argv[2:])
    if result:
        print(result)
