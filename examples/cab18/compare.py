#!/usr/bin/env python3
"""Slowdowns in SimGrid beside the published ones, and the rank correlation of the pairs (Spearman).

crosstalk predict examples/cab18 --models none --format json | examples/cab18/compare.py
"""
import csv
import json
import os
import sys


def ranks(values):
    """Ranks from 0; equal values share the mean of theirs."""
    return [
        sum(v < value for v in values) + (sum(v == value for v in values) - 1) / 2 for value in values
    ]


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    products = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    squares = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return products / squares**0.5


def measured_slowdowns():
    """In percent, by (app, with), of what crosstalk predict prints."""
    try:
        pairs = json.load(sys.stdin)["pairs"]
        return {(p["app"], p["with"]): 100 * p["measured"] for p in pairs}
    except (ValueError, KeyError, TypeError):
        sys.exit(f"compare.py: standard input is not JSON of crosstalk predict\n{__doc__}")


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published.csv")
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    apps = rows[0][1:]
    published = {(row[0], other): float(x) for row in rows[1:] for other, x in zip(apps, row[1:])}
    ours = measured_slowdowns()
    print("slowdown in SimGrid (published) [%]\n" + "".join(f"{name:>14}" for name in ["", *apps]))
    for app in apps:
        cells = (f"{ours[app, other]:.1f} ({published[app, other]:.0f})" for other in apps)
        print("".join(f"{cell:>14}" for cell in [app, *cells]))
    pairs = sorted(published)
    rho = correlation(ranks([ours[p] for p in pairs]), ranks([published[p] for p in pairs]))
    print(f"rank correlation of {len(pairs)} pairs: {rho:.2f}")


main()
