#!/usr/bin/env python3
"""sat_methods.py - the tables of docs/sat.md that compare scans, from runs of afterglow-bench

    sat_methods.py DOCUMENT FILE...    writes them between the document's comments that name the device; the files are
                                       runs of sat_methods and of sat_scans, or bench/results with their rows

SPDX-License-Identifier: MIT
"""
import sys

from results import device, load, name, place


def rows_of(files, effect):
    """Its rows, each with the commit that it was measured at."""
    return [{"commit": run["commit"], **row} for run in map(load, files) for row in run["rows"]
            if row["effect"] == effect]


def time_of(row):
    return row["gpu_hot_us"]["median"]


def copies(rows):
    return {(row["width"], row["height"]): time_of(row) for row in rows if row["subject"] == "copy"}


def table(rows, first, with_error):
    """A line a variant: steps and bytes a texel of the largest size that all have, then of each size time and share of
    the copy's; empty where a variant was not measured."""
    copy = copies(rows)
    sizes = sorted(copy)
    lines = {}
    for row in rows:
        if row["subject"] == "afterglow":
            lines.setdefault(row["variant"], {})[row["width"], row["height"]] = row
    of_all = max(set(sizes).intersection(*lines.values()), default=None)
    if not of_all:
        raise SystemExit(f"no size was measured of every {first} and of the copy")
    head = [first, "steps", "bytes a texel"]
    for w, h in sizes:
        head += [f"{w} x {h}, us", "% of copy"]
    if with_error:
        head.append("error")
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    yield "| a copy | 1 | 24 | " + " | ".join(f"{copy[size]:.1f} | 100" for size in sizes) + (" | |" if with_error else " |")
    for title, cells in lines.items():
        planned = cells[of_all]
        line = [f"`{title.split()[0]}`" + title[len(title.split()[0]):], str(planned["launches"]),
                f"{planned['bytes'] / planned['width'] / planned['height']:.0f}"]
        for size in sizes:
            line += [f"{time_of(cells[size]):.1f}", f"{100 * copy[size] / time_of(cells[size]):.0f}"] if size in cells else ["", ""]
        if with_error:
            checked = [row["error_float"]["max_error"] for row in cells.values() if row["error_float"]["checked"]]
            line.append(f"{max(checked):.1e}" if checked else "")
        yield "| " + " | ".join(line) + " |"


def main():
    document, *files = sys.argv[1:]
    if not files:
        raise SystemExit(__doc__)
    if any(load(path)["device"]["software"] for path in files):
        raise SystemExit("times of a software renderer mean nothing")
    for effect, first, with_error in (("sat_methods", "method", True), ("sat_scans", "variant", False)):
        rows = rows_of(files, effect)
        if rows:
            commits = sorted({row["commit"] for row in rows})
            head = [f"{device(files[0])}, commit{'s' * (len(commits) > 1)} {', '.join(commits)}; hot medians.", ""]
            place(document, f"{effect} {name(files[0])}", "\n".join(head + list(table(rows, first, with_error))) + "\n")


if __name__ == "__main__":
    main()
