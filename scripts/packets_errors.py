#!/usr/bin/env python3
"""Errors of packets over the campaigns of docs/validation.md, |predicted - measured| / (0.1 + max(predicted, 0)): their
quantiles, the constants packets_error_80, 90 and 95; and how many co-runs of each campaign intervals hold that are
made from the others.

    scripts/packets_errors.py       by build/dev/bin/crosstalk or that of $CROSSTALK_BIN; ten minutes
"""
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "docs"))
from tables import CAMPAIGNS, CROSSTALK, EXAMPLES  # pylint: disable=wrong-import-position

LEVELS = (0.8, 0.9, 0.95)
SCALE = 0.1


def errors_of(folder, placement, options):
    done = subprocess.run([CROSSTALK, "predict", EXAMPLES / folder, *options, "--models", "packets", "--seed", "1", "--format", "json"],
                          capture_output=True, text=True, timeout=1800, check=True)
    pairs = [pair for pair in json.loads(done.stdout)["pairs"]
             if placement in (None, pair.get("placement")) and "," not in pair["with"]]  # no groups of three
    known = [(pair["measured"], pair["predicted"]["packets"]) for pair in pairs if pair["measured"] is not None]
    return [abs(measured - made) / (SCALE + max(made, 0)) for measured, made in known if made is not None]


def bound(errors, level):
    """Of the next one, by rank (models.md)."""
    rank = math.ceil(level * (len(errors) + 1))
    return sorted(errors)[min(rank, len(errors)) - 1]


def inside(errors, others):
    return f"{100 * sum(error <= bound(others, 0.9) for error in errors) / len(errors):.0f}"


def main():
    errors = {name: errors_of(*campaign) for name, campaign in CAMPAIGNS.items()}
    for name, own in errors.items():
        others = [error for other, of in errors.items() if other != name for error in of]
        print(f"{name:28} {len(own):4} co-runs, {inside(own, others):>3} % inside 90 % intervals by the other campaigns")
    everything = [error for of in errors.values() for error in of]
    print(f"{len(everything)} co-runs:", ", ".join(f"{100 * level:g} %: {bound(everything, level):.3f}" for level in LEVELS))


if __name__ == "__main__":
    main()
