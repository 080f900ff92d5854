#!/usr/bin/env python3
"""Slowdowns of one campaign at three scales, side by side, as the tables of README.md.

    examples/dilated/compare.py CAMPAIGN...     of the same applications: folders or packed campaigns

Times alone are the machine's: divided by the dilation. A slowdown is the mean over all passes beside the other application
against that over all passes alone, with the 95 % interval that the scatter of passes gives.
"""
import csv
import json
import math
import statistics
import subprocess
import sys


def crosstalk(*words):
    return subprocess.run(["crosstalk", *words], check=True, capture_output=True, text=True).stdout


def read(path):
    """{(placement, app, with): durations of passes}, dilation."""
    rows = csv.DictReader(line for line in crosstalk("export", path, "--dataset", "runtimes", "--format", "csv").splitlines()
                          if not line.startswith("#"))
    runs, passes = {}, {}
    for row in rows:
        if row["run"] not in runs:
            runs[row["run"]] = json.loads(crosstalk("show", row["run"], "--format", "json"))["attributes"]
        run = runs[row["run"]]
        passes.setdefault((run["placement"], run["app"], run["with"]), []).append(float(row["duration_s"]))
    return passes, next(iter(runs.values())).get("dilation") or 1


def mean(values):
    """Mean, and half of its 95 % interval."""
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return statistics.fmean(values), half


def slowdown(passes, key):
    alone, alone_half = mean(passes[key[:2] + ("",)])
    beside, half = mean(passes[key])
    ratio = beside / alone
    return 100 * (ratio - 1), 100 * ratio * math.hypot(half / beside, alone_half / alone)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    campaigns = [read(path) for path in sys.argv[1:]]
    names = [f"lab, 1/{dilation:g}" if dilation > 1 else "SimGrid" for _, dilation in campaigns]
    keys = sorted(set.intersection(*(set(passes) for passes, _ in campaigns)))
    print("| alone | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for key in (key for key in keys if not key[2]):
        cells = ["{:.1f} ± {:.1f} µs".format(*(1e6 * x / dilation for x in mean(passes[key]))) for passes, dilation in campaigns]
        print(f"| {key[1]}, {key[0]} | " + " | ".join(cells) + " |")
    print("\n| slowdown | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    values = {}
    for key in (key for key in keys if key[2]):
        row = [slowdown(passes, key) for passes, _ in campaigns]
        values.setdefault(key[0], []).append([x for x, _ in row])
        print(f"| {key[1]} beside {key[2]}, {key[0]} | " + " | ".join("{:.0f} ± {:.0f} %".format(*x) for x in row) + " |")
    print("\n| difference in points, mean (most) | " + " | ".join(values) + " |\n|---|" + "---|" * len(values))
    for i, one in enumerate(names):
        for j in range(i):
            off = [[abs(row[i] - row[j]) for row in rows] for rows in values.values()]
            print(f"| {names[j]}, {one} | " + " | ".join(f"{statistics.fmean(x):.1f} ({max(x):.0f})" for x in off) + " |")


main()
