#!/usr/bin/env python3
"""predict.py FILE [--markdown] - how far times are off that are predicted from a plan's figures

    us = launch * dispatches + megabyte * bytes / 10^6

as demo/cli/cost.h has it: of each effect's own rows (gpu_hot_us) one half, every other one in the order of their
bytes, gives the two rates, of which none is negative, with the least sum of squares of relative errors; the other
half is predicted. Then the halves change places, so that each row is predicted once by rates that have not seen it.
Printed: rates of all rows, and the median and 90th percentile of |predicted - measured| / measured of rows unseen.

SPDX-License-Identifier: MIT
"""
import itertools
import statistics
import sys

import results


def terms(row):
    return (row.get("dispatches") or row["launches"], row["bytes"] / 1e6)


def solve(a, b):
    """x of a x = b by Gauss and Jordan with pivots; None if a is singular."""
    n = len(b)
    m = [list(a[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(m[i][k]))
        if not abs(m[best][k]) > 1e-9 * a[k][k]:
            return None
        m[k], m[best] = m[best], m[k]
        for i in range(n):
            if i != k:
                factor = m[i][k] / m[k][k]
                m[i] = [x - factor * y for x, y in zip(m[i], m[k])]
    return [m[i][n] / m[i][i] for i in range(n)]


def fit(rows):
    """The rates: of all ways to leave one out or none, the best in which none is negative."""
    scaled = [[t / row["gpu_hot_us"]["median"] for t in terms(row)] for row in rows]
    best, least = None, float("inf")
    for count in (1, 2):
        for chosen in itertools.combinations(range(2), count):
            a = [[sum(s[i] * s[k] for s in scaled) for k in chosen] for i in chosen]
            x = solve(a, [sum(s[i] for s in scaled) for i in chosen])
            if x is None or min(x) < 0:
                continue
            rates = [x[chosen.index(i)] if i in chosen else 0 for i in range(2)]
            left = sum((sum(r * t for r, t in zip(rates, s)) - 1) ** 2 for s in scaled)
            if left < least:
                best, least = rates, left
    return best


def errors(rows, rates):
    return [abs(sum(r * t for r, t in zip(rates, terms(row))) / row["gpu_hot_us"]["median"] - 1) for row in rows]


def key(row):
    direct = row["plan"].startswith("direct")
    return row["effect"] + (".direct" if direct else "")


def main(path, *options):
    run = results.load(path)
    if run.get("kind"):
        sys.exit(f"{path} has no times of effects")
    rows = [row for row in run["rows"] if row["subject"] == "afterglow"]
    print(f"{run['device']['renderer']}, commit {run['commit']}"
          + (" (a software renderer: NO GPU)" if run["device"]["software"] else ""))
    table = "--markdown" in options
    print("\n| effect | rows | us a dispatch | us a megabyte | median error | 90 % within |\n"
          "|---|---|---|---|---|---|" if table else "")
    every = []
    for effect in dict.fromkeys(key(row) for row in rows):
        own = sorted((row for row in rows if key(row) == effect), key=lambda row: (row["bytes"], row["variant"]))
        halves = own[::2], own[1::2]
        if min(map(len, halves)) < 2:
            print(f"{effect}: {len(own)} rows are too few to fit and to check")
            continue
        unseen = errors(halves[1], fit(halves[0])) + errors(halves[0], fit(halves[1]))
        every += unseen
        launch, megabyte = fit(own)
        median, most = statistics.median(unseen), sorted(unseen)[(9 * len(unseen) + 9) // 10 - 1]
        print(f"| {effect} | {len(own)} | {launch:.3g} | {megabyte:.3g} | {median:.0%} | {most:.0%} |"
              if table else f"{effect}: {len(own)} rows, {launch:.3g} us a dispatch, {megabyte:.3g} a megabyte; "
                            f"unseen: median {median:.0%}, 90 % within {most:.0%}")
    if every:
        print(f"\nAll rows unseen: median error {statistics.median(every):.1%}.")
    return 0 if every else 1


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
