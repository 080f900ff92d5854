#!/usr/bin/env python3
"""Slowdowns beside the loads of a scan, measured by a campaign and predicted from the sheet, as a Markdown table.

    examples/answers/compare.py RESULTS SHEET.json

Measured is the mean time of a pass beside the load by that of the baselines, less 1. Of each application and
load: measured / predicted, in percent. Then the mean error, and that of predicting 0.
"""
import glob
import json
import sys

import h5py

PATTERNS = {"incast": "incast", "alltoall": "alltoall", "bcast": "broadcast", "bisection": "bisection"}


def name_load(attributes):
    """As the sheet names it."""
    if attributes["config_pattern"] != "ring":
        return PATTERNS[attributes["config_pattern"]]
    pause = attributes["config_B_s"] * 1e6
    return f"compression:P={attributes['config_P']},M={attributes['config_M']},B={pause:g}us"


def read_times(folder):
    """Times of passes by application and load; None: alone."""
    times = {}
    for path in glob.glob(f"{folder}/runs/baseline-*.h5") + glob.glob(f"{folder}/runs/runtime-*-under-*.h5"):
        with h5py.File(path) as run:
            if run.attrs["kind"] == "runtime": # not what the load sent
                load = name_load(run.attrs) if "config_P" in run.attrs else None
                times.setdefault((run.attrs["app"], load), []).extend(run["runtimes"]["duration_s"])
    return {key: sum(values) / len(values) for key, values in times.items()}


def main():
    times = read_times(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        applications = json.load(file)["applications"]
    loads = [beside["congestor"] for beside in applications[0]["beside"]]
    errors, zeros = [], []
    print("| application | " + " | ".join(f"`{load}`" for load in loads) + " |")
    print("|---" * (len(loads) + 1) + "|")
    for application in applications:
        cells = []
        for beside in application["beside"]:
            name = application["name"]
            measured = times[name, beside["congestor"]] / times[name, None] - 1
            errors.append(abs(measured - beside["slowdown"]))
            zeros.append(abs(measured))
            cells.append(f"{100 * measured:.0f} / {100 * beside['slowdown']:.0f}")
        print(f"| `{application['name']}` | " + " | ".join(cells) + " |")
    print(f"\nOff by {100 * sum(errors) / len(errors):.1f} points on average; predicting 0 is off by "
          f"{100 * sum(zeros) / len(zeros):.1f}.")


if __name__ == "__main__":
    main()
