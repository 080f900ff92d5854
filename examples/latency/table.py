#!/usr/bin/env python3
"""A row for each answer of crosstalk validate in FOLDER/*.json: table.py FOLDER."""
import glob
import json
import os
import sys


def milliseconds(seconds):
    return "–" if seconds is None else f"{1e3 * seconds:.2f}"


def row(path):
    with open(path, encoding="utf-8") as file:
        answer = json.load(file)
    points, tolerance = answer["points"], answer["tolerance"]
    low, high = answer["slope_ci"]
    longest = points[-1]["measured_s"] / points[0]["measured_s"] - 1
    waits = max(point["cpu_wait_frac"] for point in points)
    return [os.path.basename(path).removesuffix(".json"), f"{points[0]['measured_s']:.3f}", f"{100 * longest:.0f} %",
            f"{100 * answer['rrmse']:.2f} %", f"{answer['slope_measured']:.1f} [{low:.1f}, {high:.1f}]",
            f"{answer['slope_predicted']:.1f}",
            *(f"{milliseconds(at['measured_s'])} / {milliseconds(at['predicted_s'])}" for at in tolerance),
            f"{100 * waits:.1f} %"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    heading = ["program", "pass [s]", "longest", "relative RMS error", "slope, measured", "predicted",
               "+1 % at [ms]", "+2 %", "+5 %", "waited for processors"]
    rows = [heading, ["---"] * len(heading)] + [row(path) for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json")))]
    for cells in rows:
        print("| " + " | ".join(cells) + " |")


main()
