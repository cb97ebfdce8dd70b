#!/usr/bin/env python3
"""check_bench.py PROGRAM REPOSITORY [EFFECT] - runs the smallest bench of all effects or of one, and the scripts that read its result

SPDX-License-Identifier: MIT
"""
import json
import os
import subprocess
import sys
import tempfile

program, repository, *effect = sys.argv[1:]
failures = []
# Each effect must have rows of its own. Beyond these: baselines, and results that FFTW checks.
BASELINES = {"bloom": ["pyramid"], "mipchain": ["glGenerateMipmap", "blits"], "sat": ["copy"], "box_blur": ["copy"],
             "downsample": ["read alone", "glGenerateMipmap", "blits", "progressive", "fragment loop"]}
REFERENCED = ("convolve", "bloom", "sat")


def check(holds, what):
    if not holds:
        failures.append(what)


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def check_times(times, what):
    ordered = 0 < times["min"] <= times["median"] <= times["p95"]
    check(ordered and times["samples"] >= 1, f"{what}: {times}")


def check_error(error, min_db, largest, what):
    if not error["checked"]:
        check(error["snr_db"] is None and error["max_error"] is None, f"{what}: {error}")
        return
    print(f"  {what}: {error['snr_db']:.1f} dB (at least {min_db}), "
          f"{error['max_error']:.1e} (at most {largest:.0e})")
    check(error["snr_db"] >= min_db and error["max_error"] <= largest, f"{what}: {error}")


def check_row(row, has_reference, software):
    what = f"{row['effect']} {row['subject']} {row['variant']}"
    for key in ("width", "height", "launches", "bytes", "floor_copy_us", "floor_us", "ratio_hot",
                "ratio_cold", "cpu_us"):
        check(row[key] > 0, f"{what}: {key} is {row[key]}")
    check(row["floor_us"] > row["floor_copy_us"], f"{what}: launches cost nothing")
    check(row["cold_sets"] >= 2, f"{what}: cold on {row['cold_sets']} sets")
    check_times(row["gpu_hot_us"], what + ", hot")
    check_times(row["gpu_cold_us"], what + ", cold")
    ours = row["subject"] == "afterglow"
    if row["effect"] == "mipchain":  # its reference needs no library, and the drivers' errors are shown
        check(row["error"]["checked"], f"{what}: not checked")
        if ours:
            check_error(row["error"], 55, 2e-3 if "rgba8" in row["variant"] else 5e-4, what)
        return
    if row["effect"] == "downsample":  # filters of samplers leave texels out: by how much is shown, and not held
        exact = ours and "filter=" not in row["variant"]
        check(row["error"]["checked"] or row["subject"] == "read alone" or "at once" in row["variant"],
              f"{what}: not checked")
        for error, largest in ((row["error"], 5e-4), (row["error_float"], 1e-6)):
            check(not exact or not error["checked"] or error["max_error"] <= largest, f"{what}: {error}")
        return
    if row["effect"] in ("fft", "fft_ladder"):  # forward alone; the driver's sine and cosine are only shown
        checked = has_reference and "forward" in row["variant"]
        check(row["error"]["checked"] == checked, f"{what}: checked or not")
        check_error(row["error"], 30 if "driver's" in row["variant"] else 120, 1e-6 if "driver's" not in row["variant"] else 1, what)
        if "claim" in row:
            verdicts = ("-",) if software else ("true", "weaker", "gone")
            check(row["claim"]["measured"] > 0 and row["claim"]["verdict"] in verdicts, f"{what}: {row['claim']}")
        return
    # The driver rounds the picture into 8 bits.
    checked = row["effect"] in REFERENCED and not row["variant"].startswith("r8 ")
    if row["effect"] == "bloom" and "aperture" in row["variant"]:  # FFTW has no kernel for it: test_bloom checks it
        checked = False
    check(row["error"]["checked"] == (ours and has_reference and checked), f"{what}: checked or not")
    if "resolution=" in row["variant"]:  # a smaller image's FFT: docs/bloom.md has what is held of it
        check_error(row["error_float"], 45, 5e-3, what + " into RGBA32F")
        return
    full = "storage=" not in row["variant"] or "storage=full" in row["variant"]
    # Into RGBA16F the format's rounding is all: 2^-11 of each value at most.
    check_error(row["error"], 60, 5e-4, what + " into RGBA16F")
    bounds = (120, 1e-6) if full else (60, 5e-4)
    check_error(row["error_float"], *bounds, what + " into RGBA32F")


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "figures.json")
    subprocess.run([program, *effect, "--quick", "--smallest", "--json", path], check=True)
    with open(path, encoding="utf-8") as stream:
        figures = json.load(stream, parse_constant=refuse)
    check(figures["schema"] == 1, "schema")
    check(all(figures["device"][key] for key in ("renderer", "vendor", "driver")), "device")
    check(figures["commit"] and figures["version"], "commit, version")
    for key, value in figures["copy"].items():
        check(key == "launches" or value > 0, f"copy: {key} is {value}")
    check(all(launch["us"] > 0 for launch in figures["copy"]["launches"]), "launches")
    for row in figures["rows"]:
        check_row(row, figures["reference"] != "none", figures["device"]["software"])
    subjects = {(row["effect"], row["subject"]) for row in figures["rows"]}
    listed = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    names = listed.partition("Effects:")[2].partition(";")[0].split()
    expected = {(name, subject) for name in names for subject in ["afterglow", *BASELINES.get(name, [])]}
    expected = {pair for pair in expected if not effect or pair[0] in effect}
    check(subjects >= expected and {pair[0] for pair in subjects} == {pair[0] for pair in expected}, str(subjects))

    results = os.path.join(repository, "bench", "results.py")
    merged, brief = os.path.join(folder, "merged.json"), os.path.join(folder, "brief.json")
    for arguments in (["name", path], ["device", path], ["merge", merged, path],
                      ["summary", brief, path], ["summary", brief, path], ["table", brief], ["table", merged],
                      ["titles", merged, "bloom"], ["bars", merged, "bloom"]):
        done = subprocess.run([sys.executable, results, *arguments], capture_output=True, text=True)
        check(done.returncode == 0, f"results.py {arguments[0]}: {done.stderr}")

print("\n".join(failures) or "all figures are there and within their bounds")
sys.exit(1 if failures else 0)
