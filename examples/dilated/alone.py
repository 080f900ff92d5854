#!/usr/bin/env python3
"""What the model packets makes of a campaign in SimGrid, where nothing is noise, as a table of README.md.

    examples/dilated/alone.py FOLDER PLACEMENT APP:FROM:TO...

The passes that are timed lie between the blocking collectives FROM and TO of the traces in FOLDER/traces.
"""
import json
import os
import subprocess
import sys
import tempfile


def crosstalk(*words):
    return subprocess.run(["crosstalk", *words], check=True, capture_output=True, text=True).stdout


def predict(folder, schedules, placement):
    return json.loads(crosstalk("predict", folder, "--schedules", schedules, "--models", "none,packets", "--no-cache", "--seed", "1",
                                "--run-times", "--placement", placement, "--format", "json"))


def main():
    folder, placement = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as schedules:
        for part in sys.argv[3:]:
            app, first, last = part.split(":")
            # Traces of 0.2 do not say that they are of SimGrid.
            crosstalk("goal", os.path.join(folder, "traces", app), "--pass-from", first, "--pass-to", last, "--collectives", "smpi",
                      "-o", os.path.join(schedules, app + ".bin"))
        answer = predict(folder, schedules, placement)
    for row in answer["run_times"]:
        if not row["with"]:
            print(f"| {row['app']} alone, {placement} | {1e6 * row['measured_s']:.1f} µs | {100 * row['error']['packets']:+.1f} % |")
    for model in ("none", "packets"):
        errors = answer["errors"][model]
        print(f"| slowdowns by `{model}`, {placement} | | {100 * errors['mean_abs']:.1f}, {100 * errors['max']:.1f} points |")


if __name__ == "__main__":
    main()
