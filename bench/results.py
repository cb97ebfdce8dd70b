#!/usr/bin/env python3
"""results.py - what happens to the JSON of a run: merged, as a table, as columns for gnuplot

    results.py device FILE            the device: NVIDIA H200
    results.py name FILE              the same as a file name: nvidia-h200; of what programs cost nvidia-h200-compile
    results.py merge OUT FILE...      the first file, with the rows of the others
    results.py update OUT FILE...     OUT, with the rows of the others instead of its own of the same effect,
                                      subject, variant and size; those say their commit
    results.py table FILE             everything side by side, as Markdown
    results.py programs FILE [EFFECT] of what programs cost: each program, with the defines that tell it from its like
    results.py rules FILE             of what memory is like: the documents' rules with their verdicts, as Markdown
    results.py fill DOCUMENT FILE     writes that table between the document's two comments that name FILE's device
    results.py curves FILE SERIES     for gnuplot: name, value and a number of each figure of "group series"
    results.py effects FILE           the effects that it has rows of
    results.py titles FILE EFFECT     the subjects, quoted, for gnuplot's word()
    results.py bars FILE EFFECT       for gnuplot: a block of sizes, then one of bars a subject

SPDX-License-Identifier: MIT
"""
import json
import re
import sys

DRAWN = {"mipchain": "rgba16f", "downsample": "", "fft_ladder": ""}  # the variant that is drawn, where all would be too many; "": none
BASELINES = {"copy": "copy of the same bytes", "pyramid": "pyramid bloom", "fragment": "fragment shaders", "cufft": "cuFFT", "vkfft": "VkFFT"}


def load(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def device(path):
    return load(path)["device"]["renderer"].split("/")[0].split("(")[0].strip()


def compiles(run):
    """Whether a run is of `afterglow-bench compile`: rows of another shape, in a file of their own."""
    return run.get("kind") == "compile"


def is_memory(run):
    """Whether a run is of `afterglow-bench memory`: figures and rules instead of rows."""
    return run.get("kind") == "memory"


def name(path):
    kind = load(path).get("kind")
    return re.sub(r"[^a-z0-9]+", "-", device(path).lower()).strip("-") + (f"-{kind}" if kind else "")


def merge(out, first, *others):
    merged = load(first)
    if is_memory(merged) and others:
        raise SystemExit("a run of memory stands alone: no other can be merged into it")
    for path in others:
        try:
            part = load(path)
        except ValueError as error: # what was measured before is kept
            print(f"{path} is left out: {error}", file=sys.stderr)
            continue
        merged["rows"] += part.pop("rows")
        add_asides(merged, part.pop("asides", []))
        merged.setdefault("others", []).append(part)
    with open(out, "w", encoding="utf-8") as stream:
        json.dump(merged, stream, indent=1)
        stream.write("\n")


def add_asides(kept, asides):
    """Times beside the rows: a new one takes the place of the same of before."""
    def key(aside):
        return aside["effect"], aside["name"], aside["width"], aside["height"]
    new = {key(aside) for aside in asides}
    kept["asides"] = [aside for aside in kept.get("asides", []) if key(aside) not in new] + asides


def row_key(row):
    return row["effect"], row["subject"], row["variant"], row["width"], row["height"]


def update(out, *others):
    kept = load(out)
    if is_memory(kept):
        raise SystemExit("a run of memory is measured as a whole: merge replaces it")
    for path in others:
        part = load(path)
        if name(out) != name(path):
            raise SystemExit(f"{path} is of another device, or kind: {name(path)}")
        add_asides(kept, [{**aside, "commit": part["commit"]} for aside in part.get("asides", [])])
        new = {row_key(row): {**row, "commit": part["commit"]} for row in part["rows"]}
        kept["rows"] = [new.pop(row_key(row), row) for row in kept["rows"]]
        for key, row in new.items():  # behind the last one of its effect
            of_effect = [i for i, other in enumerate(kept["rows"]) if other["effect"] == key[0]]
            kept["rows"].insert(of_effect[-1] + 1 if of_effect else len(kept["rows"]), row)
    with open(out, "w", encoding="utf-8") as stream:
        json.dump(kept, stream, indent=1)
        stream.write("\n")


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
    if not row:
        return "-"
    text = f"{row[times]['median']:.1f}"
    ratio = row.get({"gpu_hot_us": "ratio_hot", "gpu_cold_us": "ratio_cold"}[times])
    return f"{text} ({ratio:.2f})" if ratio and row["subject"] == "afterglow" else text


def error_text(row):
    error = row.get("error_float", {})
    if row["subject"] == "pyramid":
        return "another picture"
    if not error.get("checked"):
        return "not checked"
    return "exact" if error["snr_db"] is None else f"{error['snr_db']:.1f} dB"


def print_rows(rows, effect):
    """A line a row: of an effect whose rows have sizes of their own, from and to, in their variants."""
    print(f"\n### {effect}: GPU median in us (ratio to the floor)\n")
    print("| from | format, to, how | who | MB | floor | hot | cold | dB, as timed |\n" + "|---" * 8 + "|")
    for row in rows:
        error = row["error"]
        decibels = "-" if not error["checked"] else known(error["snr_db"])
        print(f"| {row['width']}x{row['height']} | {row['variant']} | {row['subject']} | {row['bytes'] * 1e-6:.1f} | "
              f"{row['floor_us']:.1f} | {cell(row, 'gpu_hot_us')} | {cell(row, 'gpu_cold_us')} | {decibels} |")


def print_effect(rows, effect):
    if effect == "downsample":
        print_rows([row for row in rows if row["effect"] == effect], effect)
        return
    sizes, titles, cells = by_size(rows, effect)
    for times, heading in (("gpu_hot_us", "hot"), ("gpu_cold_us", "cold")):
        print(f"\n### {effect}, {heading}: GPU median in us (ratio to the floor)\n")
        print("| size | floor | " + " | ".join(titles) + " |")
        print("|---" * (len(titles) + 2) + "|")
        for size in sizes:
            row = [cells.get((*size, title)) for title in titles]
            ours = [r["floor_us"] for r in row if r and r["subject"] == "afterglow"]
            ends = sorted({min(ours), max(ours)}) if ours else []
            floors = " .. ".join(f"{floor:.1f}" for floor in ends) or "-"
            figures = " | ".join(cell(r, times) for r in row)
            print(f"| {size[0]}x{size[1]} | {floors} | {figures} |")
    print(f"\n### {effect}: CPU time of recording in us; error into floats\n")
    print("| size | " + " | ".join(titles) + " |")
    print("|---" * (len(titles) + 1) + "|")
    for size in sizes:
        row = [cells.get((*size, title)) for title in titles]
        print(f"| {size[0]}x{size[1]} | "
              + " | ".join(f"{r['cpu_us']:.1f}; {error_text(r)}" if r else "-" for r in row) + " |")


def known(value, form="{:.1f}"):
    return "-" if value is None else form.format(value)


def compile_table(run):
    """Of every plan what its programs cost, in ms; of several subjects or commits the rows say theirs."""
    print(f"\nMedians of {run['repeats']} starts, in ms; the driver's cache and compiler threads off.\n\n"
          "| plan | size | programs | KB of text | lines | assembly | compile | link | rest | cold | picture | warm | commit |")
    print("|---" * 13 + "|")
    for row in run["rows"]:
        cold, warm = row["cold_ms"], row["warm_ms"]
        cells = [f"{row['effect']} {row['variant']}", f"{row['width']}x{row['height']}", row["program_count"],
                 known(row["text_bytes"] / 1000, "{:.0f}"), row["text_lines"], known(row["assembly_lines"], "{}"),
                 *(known(cold[key]) for key in ("compile", "link", "rest", "total", "picture")),
                 known(warm["total"]), row.get("commit", run["commit"])]
        print("| " + " | ".join(map(str, cells)) + " |")


def ratio(value):
    """Claimed and measured: three digits, whatever their size."""
    return "-" if value is None else f"{value:.3g}"


def rules(path):
    """Each rule beside what it claims, what was measured, and the verdict."""
    run = load(path)
    lines = ["| rule | what the document says | claimed | measured | verdict |", "|---|---|---|---|---|"]
    lines += [f"| {rule['rule']} | {rule['text']} | {ratio(rule['claimed'])} | {ratio(rule['measured'])} | "
              f"{rule['verdict']} |" for rule in run["rules"]]
    return "\n".join(lines)


def figures_table(run):
    for group in dict.fromkeys((f["group"], f["series"], f["unit"]) for f in run["figures"]):
        own = [f for f in run["figures"] if (f["group"], f["series"], f["unit"]) == group]
        print(f"- {group[0]} {group[1]}, {group[2]}: " + ", ".join(f"{f['name']}: {f['value']:.4g}" for f in own))


def fill(document, path):
    run = load(path)
    if not is_memory(run) or run["device"]["software"] or run["quick"]:
        raise SystemExit(f"{path} is no whole run of afterglow-bench memory on a GPU")
    key = name(path)
    text = open(document, encoding="utf-8").read()
    begin, end = f"<!-- {key} -->\n", f"<!-- end of {key} -->"
    if begin not in text or end not in text:
        raise SystemExit(f"{document} has no place for {key}: two lines, {begin.strip()} and {end}")
    before, rest = text.split(begin, 1)
    head = f"{run['device']['renderer']}, {run['device']['driver']}, commit {run['commit']}.\n\n"
    with open(document, "w", encoding="utf-8") as stream:
        stream.write(before + begin + head + rules(path) + "\n" + end + rest.split(end, 1)[1])


def curves(path, series):
    own = [f for f in load(path)["figures"] if f"{f['group']} {f['series']}" == series]
    for i, f in enumerate(own):
        print(f"{i if f['x'] is None else f['x']:g}\t{f['value']:.6g}\t\"{f['name']}\"")


def distinct(row, program):
    """The defines that tell a program from others of its file in a plan; of a file that is there once, none."""
    same = [dict(word.split("=", 1) for word in other["defines"].split()) for other in row["programs"]
            if other["path"] == program["path"]]
    own = dict(word.split("=", 1) for word in program["defines"].split())
    return " ".join(f"{key}={value}" for key, value in own.items()
                    if any(other.get(key) != value for other in same))


def programs(path, effect=None):
    for row in load(path)["rows"]:
        if effect not in (None, row["effect"]):
            continue
        print(f"\n{row['effect']} {row['variant']} {row['width']}x{row['height']}")
        for p in row["programs"]:
            print(f"  {p['path']:28} {p['text_bytes']:7} bytes {p['text_lines']:5} lines {known(p['assembly_lines'], '{}'):>6} "
                  f"assembly, compile {known(p['compile_ms'])} link {known(p['link_ms'])} first use "
                  f"{known(p['first_use_ms'])}  {distinct(row, p)}".rstrip())


def table(path):
    run = load(path)
    gpu = run["device"]
    print(f"## {gpu['renderer']}\n\n{gpu['driver']}; commit {run['commit']}")
    if gpu["software"]:
        print("\nA software renderer: these are NOT GPU figures.")
    if compiles(run):
        compile_table(run)
        return
    if is_memory(run):
        print("\nClaimed and measured: how many times slower it is to break the rule; 1: it costs nothing.\n")
        print(rules(path) + "\n")
        figures_table(run)
        return
    copy = run["copy"]
    print(f"\nCopy speed, read + written: texture {copy['floor_gb_s']:.0f} GB/s, buffer "
          f"{copy['buffer_gb_s']:.0f} GB/s" + "".join(
              f", CUDA {part['copy_gb_s']:.0f} GB/s" for part in run.get("others", [])[:1]))
    for effect in dict.fromkeys(row["effect"] for row in run["rows"]):
        print_effect(run["rows"], effect)
        later = {row["commit"] for row in run["rows"] if row["effect"] == effect and "commit" in row}
        if later:
            print(f"\nOf commit {', '.join(sorted(later))}.")


def drawn(path, effect):
    rows = load(path)["rows"]
    if effect == "fft":  # the methods beside each other, without the ladder's changes
        return [row for row in rows if row["effect"] != effect or row["variant"].endswith("forward complex")]
    return [row for row in rows if row["variant"] == DRAWN.get(effect, row["variant"])]


def effects(path):
    """Of bars: what programs cost has none, nor has memory."""
    return "" if load(path).get("kind") else " ".join(dict.fromkeys(row["effect"] for row in load(path)["rows"]))


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


COMMANDS = {f.__name__: f for f in (device, name, merge, update, table, rules, fill, curves, programs, effects, titles, bars)}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    result = COMMANDS[sys.argv[1]](*sys.argv[2:])
    if result:
        print(result)
