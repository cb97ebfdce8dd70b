#!/usr/bin/env python3
"""ladder_document.py - writes what the bench found of the documents' methods into docs/ladder.md

    ladder_document.py FILE                      prints the tables
    ladder_document.py FILE DOCUMENT [CLAIMS]    writes each between the document's two comments of its name

FILE is one of bench/results, or what --json wrote. Every figure of the tables is one of its rows, or a ratio of two;
where it has none, a cell says why. CLAIMS is the result of `fft_ladder` on any machine: of it the changes are listed
and what the documents claim of them, where FILE does not have them, and no time is taken from it.

SPDX-License-Identifier: MIT
"""
import math
import sys

import results

# Points of a line, at most: what the shared memory of a method holds. Of fragment shaders and plain C the bench leaves
# longer ones out.
LONGEST = {"shared_radix2": 512, "half_threads": 1024, "half_length": 1024}
SLOW, LONGEST_SLOW = ("radix 2, forward complex", "plain C, radix 2, double, one core"), 2048
LEGEND = """*≤ 512*: lines of this method have up to 512 points, which is what shared memory of 32 KiB holds. *Not run*: it takes
minutes. *Not yet*: the run that these figures are of has no such row."""
METHODS = ("texture_radix2", "shared_radix2", "half_threads", "tiled", "multipass")
ASIDES = ("upload of a plane", "readback of two planes", "plain C, radix 2, double, one core",
          "FFTW, double, one core")


def figure(value):
    """Three digits, or as many as a whole number has."""
    return "-" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def missing(variant, n):
    """Why a table has no figure of lines of n points."""
    if variant in SLOW and n > LONGEST_SLOW:
        return "not run"
    most = LONGEST.get(variant.split()[0].rstrip(","), n)
    return f"≤ {most}" if n > most else "not yet"


def cell(value, variant, n):
    return missing(variant, n) if value is None else figure(value)


def time_of(rows, effect, width, variant, subject="afterglow"):
    for row in rows:
        if (row["effect"], row["width"], row["variant"], row["subject"]) == (effect, width, variant, subject):
            return row["gpu_hot_us"]["median"]
    return None


def sizes_of(rows, effect):
    return sorted({row["width"] for row in rows if row["effect"] == effect and row["width"] == row["height"]})


def header(first, columns):
    return [f"| {first} | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]


def forward_table(rows):
    sizes = sizes_of(rows, "fft")
    lines = header("forward, us", [f"{n}²" for n in sizes] + ["bytes a texel at 2048²"])
    kinds = [(f"{method}", f"{method} forward complex", "afterglow") for method in METHODS]
    kinds += [("tiled, of a real image", "tiled forward", "afterglow"),
              ("half_length, of a real image", "half_length forward", "afterglow"),
              ("fragment shaders, radix 2", "radix 2, forward complex", "fragment")]
    for name, variant, subject in kinds:
        times = [time_of(rows, "fft", n, variant, subject) for n in sizes]
        moved = [row["bytes"] / row["width"] / row["height"] for row in rows
                 if (row["effect"], row["variant"], row["subject"], row["width"]) == ("fft", variant, subject, 2048)]
        cells = [cell(time, variant, n) for time, n in zip(times, sizes)]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {f'{moved[0]:.0f}' if moved else missing(variant, 2048)} |")
    return lines


def both_ways(rows, n, method):
    times = [time_of(rows, "fft", n, f"{method} {way} complex") for way in ("forward", "inverse")]
    return sum(times) if None not in times else None


def figure_13(rows):
    """The article's: forward and inverse, both axes; what it claims is a sign, so the verdict is the ratio's."""
    sizes = sizes_of(rows, "fft")
    lines = header("times as fast as texture_radix2", [f"{n}²" for n in sizes] + ["the article: shared memory is faster"])
    for method in METHODS[1:]:
        ratios = []
        for n in sizes:
            base, own = both_ways(rows, n, METHODS[0]), both_ways(rows, n, method)
            ratios.append(base / own if base and own else None)
        known = [ratio for ratio in ratios if ratio is not None]
        true = sum(ratio >= 1.1 for ratio in known)
        verdict = ("not yet" if not known else "true" if true == len(known) else f"true at {true} of {len(known)} sizes")
        cells = [cell(ratio, method, n) for ratio, n in zip(ratios, sizes)]
        lines.append(f"| {method} | " + " | ".join(cells) + f" | {verdict} |")
    return lines


def flops(rows):
    """5 N² log2 N² operations for each of four channels, in the time of a complex forward transform."""
    sizes = sizes_of(rows, "fft")
    lines = header("forward, 5 N² log2 N² / t of four channels, GFLOP/s", [f"{n}²" for n in sizes])
    for method in METHODS:
        times = {n: time_of(rows, "fft", n, f"{method} forward complex") for n in sizes}
        lines.append(f"| {method} | " + " | ".join(
            f"{20 * n * n * math.log2(n * n) / times[n] * 1e-3:.0f}" if times[n] else missing(method, n) for n in sizes) + " |")
    return lines


def table_5(run):
    asides = [aside for aside in run.get("asides", []) if aside["effect"] == "fft"]
    if not asides:
        return ["Upload, readback, plain C and FFTW beside the transform (the paper's Table 5): not yet."]
    sizes = sorted({aside["width"] for aside in asides})
    lines = header("one forward transform of a real image, us", [f"{n}²" for n in sizes])
    found = {(aside["name"], aside["width"]): aside["us"] for aside in asides}
    cells = {n: time_of(run["rows"], "fft", n, "tiled forward") for n in sizes}
    lines.append("| tiled, on the GPU | " + " | ".join(figure(cells[n]) for n in sizes) + " |")
    for name in ASIDES:
        lines.append(f"| {name} | " + " | ".join(cell(found.get((name, n)), name, n) for n in sizes) + " |")
    for name, against in (("without", ()), ("with", ASIDES[:2])):
        ratios = []
        for n in sizes:
            cpu, gpu = found.get((ASIDES[2], n)), [cells[n]] + [found.get((aside, n)) for aside in against]
            ratios.append(cpu / sum(gpu) if cpu and None not in gpu else None)
        lines.append(f"| times as fast as plain C, {name} transfers; the paper claims 4 to 7, less for small images | "
                     + " | ".join(cell(ratio, ASIDES[2], n) for ratio, n in zip(ratios, sizes)) + " |")
    return lines


def ladder_table(rows, claims):
    rows = [row for row in rows if row["effect"] == "fft_ladder"]
    listed = rows + [row for row in claims if row["effect"] == "fft_ladder"]
    sizes = sizes_of(rows, "fft_ladder") or [512, 2048]
    lines = header("change", [f"{n}², us" for n in sizes] + ["touches a texel", "dB", "what the document claims",
                                                              "claimed", *[f"here, {n}²" for n in sizes], "verdict"])
    for subject, variant in dict.fromkeys((row["subject"], row["variant"]) for row in listed):
        own = {row["width"]: row for row in rows if (row["subject"], row["variant"]) == (subject, variant)}
        known = next(row for row in listed if (row["subject"], row["variant"]) == (subject, variant))
        absent = {n: missing(variant, n) for n in sizes}
        times = [figure(own[n]["gpu_hot_us"]["median"]) if n in own else absent[n] for n in sizes]
        errors = [row["error"]["snr_db"] for row in own.values() if row["error"]["checked"]]
        claim = known.get("claim")
        judged = {n: own[n]["claim"] for n in sizes if n in own and "claim" in own[n]}
        measured = [figure(judged[n]["measured"]) if n in judged else absent[n] if claim else "" for n in sizes]
        verdicts = list(dict.fromkeys(one["verdict"] for one in judged.values()))
        name = variant.replace(" forward", "") if subject == "afterglow" else f"{subject}: {variant.replace(' forward', '')}"
        lines.append("| " + " | ".join([
            name, *times, f"{known['bytes'] / known['width'] / known['height'] / 16:.3g}",
            f"{min(errors):.0f}" if errors else "-" if own or not known["error"]["checked"] else "not yet",
            claim["text"] if claim else "",
            "" if not claim else "some" if claim["claimed"] is None else figure(claim["claimed"]),
            *measured, ", then ".join(verdicts) or ("not yet" if claim else "")]) + " |")
    return lines


def scans_table(rows, first, with_error):
    """A line a variant: steps and bytes a texel of the largest size that all have, then of each size time and share of
    the copy's; empty where a variant was not measured."""
    copy = {(row["width"], row["height"]): row["gpu_hot_us"]["median"] for row in rows if row["subject"] == "copy"}
    sizes = sorted(copy)
    lines = {}
    for row in rows:
        if row["subject"] == "afterglow":
            lines.setdefault(row["variant"], {})[row["width"], row["height"]] = row
    of_all = max(set(sizes).intersection(*lines.values()))
    head = ["steps", "bytes a texel"]
    for w, h in sizes:
        head += [f"{w} x {h}, us", "% of copy"]
    head += ["error"] * with_error
    yield f"| {first} | " + " | ".join(head) + " |"
    yield "|" + "---|" * (len(head) + 1)
    yield "| a copy | 1 | 24 | " + " | ".join(f"{copy[size]:.1f} | 100" for size in sizes) + (" | |" if with_error else " |")
    for title, cells in lines.items():
        planned = cells[of_all]
        line = [f"`{title.split()[0]}`" + title[len(title.split()[0]):], str(planned["launches"]),
                f"{planned['bytes'] / planned['width'] / planned['height']:.0f}"]
        for size in sizes:
            us = cells[size]["gpu_hot_us"]["median"] if size in cells else None
            line += [f"{us:.1f}", f"{100 * copy[size] / us:.0f}"] if us else ["", ""]
        if with_error:
            checked = [row["error_float"]["max_error"] for row in cells.values() if row["error_float"]["checked"]]
            line.append(f"{max(checked):.1e}" if checked else "")
        yield "| " + " | ".join(line) + " |"


def tables(path, claims=None):
    """By the names of the document's comments."""
    run = results.load(path)
    rows = [{"commit": run["commit"], **row} for row in run["rows"]]

    def commits(*effects):
        return sorted({row["commit"] for row in rows if row["effect"] in effects})
    whole = any(row["effect"] == "fft" for row in rows)  # else only changes were measured
    text = [f"{run['device']['renderer']}, {run['device']['driver']}; hot medians; commit "
            f"{', '.join(commits('fft', 'fft_ladder'))}.", *[LEGEND] * whole, ""]
    for lines in ((forward_table(rows), figure_13(rows), flops(rows), table_5(run)) if whole else ()):
        text += lines + [""]
    text += ladder_table(rows, results.load(claims)["rows"] if claims else []) + [""]
    made = {results.name(path): "\n".join(text)}
    for effect, first, with_error in (("sat_methods", "method", True), ("sat_scans", "variant", False)):
        own = [row for row in rows if row["effect"] == effect]
        if own:
            of = commits(effect)
            made[f"{effect} {results.name(path)}"] = "\n".join(
                [f"{results.device(path)}, commit{'s' * (len(of) > 1)} {', '.join(of)}; hot medians.", "",
                 *scans_table(own, first, with_error)])
    return made


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3, 4) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    found = tables(sys.argv[1], *sys.argv[3:])
    if len(sys.argv) == 2:
        print("\n".join(found.values()))
    elif results.load(sys.argv[1])["device"]["software"]:
        sys.exit(f"{sys.argv[1]} is of a software renderer")
    else:
        for key, text in found.items():
            results.place(sys.argv[2], key, "\n" * (key == results.name(sys.argv[1])) + text + "\n" * ("sat" in key))
