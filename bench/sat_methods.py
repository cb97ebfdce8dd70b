#!/usr/bin/env python3
"""sat_methods.py - the tables of docs/sat.md that compare scans, from runs of afterglow-bench

    sat_methods.py DOCUMENT FILE...    writes them between the document's comments that name the device; the files are
                                       runs of sat_methods and of sat_scans, or bench/results with their rows

SPDX-License-Identifier: MIT
"""
import sys

from results import device, load, name


def rows_of(files, effect):
    return [row for path in files for row in load(path)["rows"] if row["effect"] == effect]


def time_of(row):
    return row["gpu_hot_us"]["median"]


def copies(rows):
    return {(row["width"], row["height"]): time_of(row) for row in rows if row["subject"] == "copy"}


def table(rows, first, with_error):
    """A line a variant: steps, bytes a texel of the largest size, then of each size time and share of the copy's."""
    copy = copies(rows)
    sizes = sorted(copy)
    lines = {}
    for row in rows:
        if row["subject"] == "afterglow":
            lines.setdefault(row["variant"], {})[row["width"], row["height"]] = row
    head = [first, "steps", "bytes a texel"]
    for w, h in sizes:
        head += [f"{w} x {h}, us", "% of copy"]
    if with_error:
        head.append("error")
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    yield "| a copy | 1 | 24 | " + " | ".join(f"{copy[size]:.1f} | 100" for size in sizes) + (" | |" if with_error else " |")
    for title, cells in lines.items():
        last = cells[max(cells)]
        line = [f"`{title.split()[0]}`" + title[len(title.split()[0]):], str(last["launches"]),
                f"{last['bytes'] / last['width'] / last['height']:.0f}"]
        for size in sizes:
            line += [f"{time_of(cells[size]):.1f}", f"{100 * copy[size] / time_of(cells[size]):.0f}"] if size in cells else ["", ""]
        if with_error:
            checked = [row["error_float"]["max_error"] for row in cells.values() if row["error_float"]["checked"]]
            line.append(f"{max(checked):.1e}" if checked else "")
        yield "| " + " | ".join(line) + " |"


def fill(text, key, lines):
    begin, end = f"<!-- {key} -->\n", f"<!-- end of {key} -->"
    if begin not in text or end not in text:
        raise SystemExit(f"the document has no place for {key}: two lines, {begin.strip()} and {end}")
    before, rest = text.split(begin, 1)
    return before + begin + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1]


def main():
    document, *files = sys.argv[1:]
    if not files:
        raise SystemExit(__doc__)
    if any(load(path)["device"]["software"] for path in files):
        raise SystemExit("times of a software renderer mean nothing")
    text = open(document, encoding="utf-8").read()
    key = name(files[0])
    commits = sorted({row.get("commit", load(path)["commit"]) for path in files for row in load(path)["rows"]
                      if row["effect"] in ("sat_methods", "sat_scans")})
    head = [f"{device(files[0])}, commit {', '.join(commits)}; hot medians.", ""]
    for effect, first, with_error in (("sat_methods", "method", True), ("sat_scans", "variant", False)):
        rows = rows_of(files, effect)
        if rows:
            text = fill(text, f"{effect} {key}", head + list(table(rows, first, with_error)))
    with open(document, "w", encoding="utf-8") as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
