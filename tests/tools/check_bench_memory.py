#!/usr/bin/env python3
"""check_bench_memory.py PROGRAM REPOSITORY - what the GPU's memory is like, in small, and what reads it

SPDX-License-Identifier: MIT
"""
import json
import os
import subprocess
import sys
import tempfile

program, repository = sys.argv[1:]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def check_figure(figure):
    what = f"{figure['group']} {figure['series']} {figure['name']}"
    check(figure["value"] > 0 and (figure["unit"] or "multiprocessors" in what), f"{what}: {figure['value']}")
    if figure["series"] != "driver says" and "together" not in figure["series"]:
        check(figure["checked"] > 0, f"{what}: nothing was checked")
    if figure["samples"]:
        check(0 < figure["us_min"] <= figure["us"] <= figure["us_p95"], f"{what}: {figure}")
    else:
        check(figure["us"] is None, f"{what}: a time without samples")


def check_run(figures, software):
    keys = [f"{f['group']} {f['series']} {f['name']}" for f in figures["figures"]]
    values = dict(zip(keys, (f["value"] for f in figures["figures"])))
    check(len(values) == len(keys), "a figure twice")
    for figure in figures["figures"]:
        check_figure(figure)
    for rule in figures["rules"]:
        # Persistent mapping and a second context are the only things that a context may lack.
        lacking = [key for key in (rule["kept"], rule["broken"]) if key not in values]
        check(all(key.startswith(("transfer", "overlap", "groups copy beside")) for key in lacking),
              f"{rule['rule']}: no figure {lacking}")
        if lacking:
            check(rule["measured"] is None and rule["verdict"] == "-", f"{rule['rule']}: judged without figures")
            continue
        ratio = values[rule["kept"]] / values[rule["broken"]]
        check(abs(rule["measured"] - ratio) < 1e-4 * ratio, f"{rule['rule']}: {rule['measured']}, not {ratio}")
        check((rule["verdict"] == "-") == software, str(rule))  # how it is judged is test_verdict's


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "memory.json")
    done = subprocess.run([program, "memory", "--quick", "--json", path], check=True, capture_output=True, text=True)
    with open(path, encoding="utf-8") as stream:
        figures = json.load(stream, parse_constant=refuse)
    check(figures["schema"] == 1 and figures["kind"] == "memory" and figures["quick"], "head")
    check(all(figures["device"][key] for key in ("renderer", "vendor", "driver")), "device")
    check(figures["commit"] and figures["version"] and figures["source_bytes"] > 0, "commit, version, bytes")
    software = figures["device"]["software"]
    check(software == ("mean nothing" in done.stdout), "a software renderer must be called one")
    check(len(figures["figures"]) > 40 and len(figures["rules"]) > 20, f"{len(figures['figures'])} figures")
    check_run(figures, software)

    for wrong in (["memory", "bloom"], ["memory", "--only", "nothing"], ["memory", "--nothing"]):
        refused = subprocess.run([program, *wrong], capture_output=True, text=True)
        check(refused.returncode == 2 and refused.stderr, f"{wrong}: {refused.returncode}")
    helped = subprocess.run([program, "memory", "--help"], capture_output=True, text=True, check=True).stdout
    check("--quick" in helped and "atomics" in helped, helped)

    # What reads it. A document takes a whole run on a GPU alone: one is made up, with figures that are no device's.
    results = os.path.join(repository, "bench", "results.py")
    merged, brief, document = (os.path.join(folder, file) for file in ("merged.json", "brief.json", "page.md"))
    made_up = os.path.join(folder, "made_up.json")
    rule = {"rule": "r", "text": "t", "claimed": 16, "measured": 2.5, "verdict": "weaker"}
    with open(made_up, "w", encoding="utf-8") as stream:
        json.dump({"kind": "memory", "quick": False, "commit": "c", "rules": [rule], "figures": [],
                   "device": {"renderer": "Card", "driver": "d", "software": False}}, stream)
    with open(document, "w", encoding="utf-8") as stream:
        stream.write("before\n<!-- card-memory -->\nold\n<!-- end of card-memory -->\nafter\n")
    for arguments, status, expected in ((["name", path], 0, "-memory"), (["merge", merged, path], 0, ""),
                                        (["table", merged], 0, "Claimed and measured"),
                                        (["rules", merged], 0, "aligned start"),
                                        (["curves", merged, "global stride"], 0, '"32"'),
                                        (["effects", merged], 0, ""), (["summary", brief, path], 0, ""),
                                        (["rules", brief], 0, "aligned start"), (["table", brief], 0, "Claimed and measured"),
                                        (["fill", document, path], 1, ""), (["fill", document, made_up], 0, "")):
        done = subprocess.run([sys.executable, results, *arguments], capture_output=True, text=True)
        check(done.returncode == status and expected in done.stdout,
              f"results.py {arguments}: {done.stderr}{done.stdout}")
    with open(document, encoding="utf-8") as stream:
        page = stream.read()
    check("| r | t | 16 | 2.5 | weaker |" in page and "old" not in page and page.startswith("before\n")
          and page.endswith("after\n"), page)

print("\n".join(failures) or "all figures are there, checked, and judged as they should be")
sys.exit(1 if failures else 0)
