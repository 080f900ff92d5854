#!/usr/bin/env python3
"""Errors of predictions by co-runner, as a Markdown table: mean / largest, in points of slowdown.

    crosstalk predict examples/lab8 --models all --seed 1 --format json | examples/errors.py fft

Reads the JSON of `crosstalk predict` and prints a row per model: all pairs, pairs beside CO-RUNNER, the
other pairs, groups of three and more.
"""
import json
import sys


def errors_of(pairs, model):
    return [100 * abs(pair["predicted"][model] - pair["measured"]) for pair in pairs
            if pair["measured"] is not None and pair["predicted"][model] is not None]


def cell(pairs, model):
    errors = errors_of(pairs, model)
    return f"{sum(errors) / len(errors):.1f} / {max(errors):.0f}" if errors else "-"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    co_runner = sys.argv[1]
    answer = json.load(sys.stdin)
    if co_runner not in answer["apps"]:
        sys.exit(f"errors.py: {co_runner}: no application of this campaign: {', '.join(answer['apps'])}")
    alone = [pair for pair in answer["pairs"] if "," not in pair["with"]]
    sets = {"all pairs": alone,
            f"beside {co_runner}": [pair for pair in alone if pair["with"] == co_runner],
            "other pairs": [pair for pair in alone if pair["with"] != co_runner],
            "groups": [pair for pair in answer["pairs"] if "," in pair["with"]]}
    print("| model | " + " | ".join(f"{name} ({len(pairs)})" for name, pairs in sets.items())
          + " |")
    print("|---" * (len(sets) + 1) + "|")
    for model in answer["pairs"][0]["predicted"]:
        cells = [cell(pairs, model) for pairs in sets.values()]
        print(f"| `{model}` | " + " | ".join(cells) + " |")


main()
