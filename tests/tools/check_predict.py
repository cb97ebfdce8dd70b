#!/usr/bin/env python3
"""check_predict.py REPOSITORY - bench/predict.py finds rates again, and says how far it errs on rows unseen

SPDX-License-Identifier: MIT
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

repository, = sys.argv[1:]
predict = os.path.join(repository, "bench", "predict.py")
failures = []


def run(path):
    done = subprocess.run([sys.executable, predict, path], capture_output=True, text=True)
    found = re.search(r"All rows unseen: median error ([0-9.]+)%", done.stdout)
    return done, float(found.group(1)) if found else None


def made_up(folder, noise, mixed=False):
    """Rows of 3 us a dispatch, 0.3 a megabyte; `mixed`: times that follow nothing."""
    random.seed(29)
    rows = []
    for _ in range(24):
        dispatches, size = random.randint(1, 9), random.randint(10**6, 10**9)
        us = 3 * dispatches + 0.3 * size / 1e6
        us = random.uniform(1, 1000) if mixed else us * random.uniform(1 - noise, 1 + noise)
        rows.append({"effect": "e", "subject": "afterglow", "variant": "", "plan": "p", "launches": dispatches,
                     "dispatches": dispatches, "bytes": size,
                     "gpu_hot_us": {"median": us}})
    path = os.path.join(folder, "rows.json")
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"device": {"renderer": "none", "software": True}, "commit": "c", "rows": rows}, stream)
    return path


with tempfile.TemporaryDirectory() as folder:
    for arguments, low, high in ((dict(noise=0), 0, 0.1), (dict(noise=0.2), 2, 20), (dict(noise=0, mixed=True), 30, 1e9)):
        done, error = run(made_up(folder, **arguments))
        print(f"{arguments}: median error {error} % ({low} .. {high})")
        if done.returncode or error is None or not low <= error <= high:
            failures.append(f"{arguments}: {done.stdout}{done.stderr}")
    # What the project promises of the device whose results it keeps.
    done, error = run(os.path.join(repository, "bench", "results", "nvidia-h200.json"))
    print(f"nvidia-h200.json: median error {error} % (at most 30)")
    if done.returncode or error is None or error > 30:
        failures.append(done.stdout + done.stderr)

print("\n".join(failures) or "predictions err as much as the rows do")
sys.exit(1 if failures else 0)
