#!/usr/bin/env python3
"""check_bench_compile.py PROGRAM REPOSITORY EFFECT - runs `afterglow-bench compile` for an effect, and the scripts that read its result

SPDX-License-Identifier: MIT
"""
import json
import os
import subprocess
import sys
import tempfile

program, repository, effect = sys.argv[1:]
REPEATS = 2
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def is_about(value, other):
    return abs(value - other) <= 1e-6 + 1e-6 * abs(other)


def check_assembly(value, what):
    check(value is None or value > 0, f"{what}: {value} lines of assembly; unknown is null")


def check_program(p, what):
    what = f"{what}: {p['path']}"
    check(os.path.isfile(os.path.join(repository, "shaders", p["path"])), f"{what} is no shader")
    for key in ("text_bytes", "text_lines", "compile_ms", "link_ms"):
        check(p[key] > 0, f"{what}: {key} is {p[key]}")
    check(all("=" in word for word in p["defines"].split()), f"{what}: {p['defines']}")
    check(len(p["text"]) == 16, f"{what}: {p['text']}")
    check_assembly(p["assembly_lines"], what)
    first, again, use = p["first_dispatch_ms"], p["dispatch_ms"], p["first_use_ms"]
    check(first is None or first > 0, f"{what}: first dispatch {first}")
    check(again is None or (first is not None and again > 0), f"{what}: dispatches {again}")
    check((use is None) == (again is None), f"{what}: first use {use}")
    if use is not None:
        check(is_about(use, first - again), f"{what}: first use {use} of {first}, {again}")


def check_row(row):
    what = f"{row['effect']} {row['variant']}"
    cold, warm, programs = row["cold_ms"], row["warm_ms"], row["programs"]
    check(row["effect"] == effect and row["subject"] == "afterglow" and row["variant"] and row["plan"], what)
    check(row["width"] > 0 and row["height"] > 0, what)
    check(len(programs) == row["program_count"] > 0, f"{what}: {row['program_count']} programs")
    for key in ("text_bytes", "text_lines"):
        check(row[key] == sum(p[key] for p in programs), f"{what}: {key} is no sum")
    check_assembly(row["assembly_lines"], what)
    for key in ("total", "compile", "link", "create", "prepare", "picture"):
        check(cold[key] > 0, f"{what}: cold {key} is {cold[key]}")
    # Medians of few starts each: their sum need not be the sum's median.
    check(cold["compile"] + cold["link"] < cold["picture"], f"{what}: {cold}")
    check(cold["rest"] > 0 and cold["total"] < cold["picture"], f"{what}: {cold}")
    check(row["driver_first_program_ms"] > 0, f"{what}: the driver's first program")
    cached = warm["programs_from_cache"]
    check(cached in (0, len(programs)), f"{what}: {cached} of {len(programs)} programs from the cache")
    for key in ("total", "picture"):
        check(warm[key] > 0 if cached else warm[key] is None, f"{what}: warm {key} is {warm[key]}")
    check(any(p["dispatch_ms"] for p in programs), f"{what}: nothing was dispatched twice")
    texts = {p["text"] for p in programs}
    check(len(texts) == len(programs), f"{what}: a text twice")
    for p in programs:
        check_program(p, what)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "figures.json")
    subprocess.run([program, "compile", effect, "--repeats", str(REPEATS), "--json", path], check=True)
    with open(path, encoding="utf-8") as stream:
        figures = json.load(stream, parse_constant=refuse)
    check(figures["schema"] == 1 and figures["kind"] == "compile" and figures["repeats"] == REPEATS, "head")
    check(all(figures["device"][key] for key in ("renderer", "vendor", "driver")), "device")
    check(figures["commit"] and figures["version"], "commit, version")
    check(figures["rows"], "rows")
    for row in figures["rows"]:
        check_row(row)
    # Mesa has binaries, and so a warm start.
    if "Mesa" in figures["device"]["driver"]:
        check(all(row["warm_ms"]["programs_from_cache"] for row in figures["rows"]), "no warm start")

    for wrong in (["compile", "nothing"], ["compile", effect, "--repeats", "0"], ["compile", effect, effect]):
        done = subprocess.run([program, *wrong], capture_output=True, text=True)
        check(done.returncode == 2 and done.stderr, f"{wrong}: {done.returncode}")
    helped = subprocess.run([program, "compile", "--help"], capture_output=True, text=True, check=True).stdout
    check("--repeats" in helped, helped)

    results = os.path.join(repository, "bench", "results.py")
    merged, brief = os.path.join(folder, "merged.json"), os.path.join(folder, "brief.json")
    for arguments, expected in ((["name", path], "-compile"), (["merge", merged, path], ""),
                                (["summary", brief, path], ""), (["effects", merged], "")):
        done = subprocess.run([sys.executable, results, *arguments], capture_output=True, text=True)
        check(done.returncode == 0 and expected in done.stdout, f"results.py {arguments[0]}: {done.stderr}{done.stdout}")

print("\n".join(failures) or "all figures are there")
sys.exit(1 if failures else 0)
