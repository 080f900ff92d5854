#!/usr/bin/python3
"""What crosstalk scan says of networks whose truth is known, inside SimGrid: one switch, trees with fewer and fewer uplinks, 8 to
128 hosts, an uplink of half its rate, two scans of one network.

    scan_simgrid.py FOLDER [--hosts N] [--time SECONDS]    scans of up to N hosts (64); crosstalk of CROSSTALK_BIN, or of the PATH

A scan is a folder in FOLDER: what is there is not made again, and one that --time of a scan (1800) ended is continued. Prints a table of
the scans, then each claim with its numbers; exits with 1 if one does not hold. A claim whose scans were not made is "not run"."""
import argparse
import json
import math
import os
import re
import subprocess
import sys

CANARIES, CONGESTORS = ("latency", "bandwidth", "allreduce"), ("incast", "alltoall", "broadcast", "bisection", "allreduce")
CELLS = [f"{canary}:{congestor}" for canary in CANARIES for congestor in CONGESTORS]
# Of scans of more hosts, where a simulation takes long; in SimGrid small messages are hardly disturbed, beside any congestor.
CELLS_OF_SIZE = CELLS[5:10]
# 128 KiB are GPCNeT's; a cell of 1 ms of simulated time has some tens of turns, and SimGrid has no noise to average.
COMMON = ["--rate", "100gbit", "--cell-time", "1ms", "--message-size", "128KiB", "--yes"]
STATISTICS = "mean", "median", "p99"
# Times in SimGrid are rounded to 1 ns, of calls of some us: below that factors do not differ.
RESOLUTION = 1e-3
HALF_WIDTH = 0.05
CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk") if "CROSSTALK_BIN" in os.environ else "crosstalk"

# name: hosts, topology, seed, further options
SCANS = {"one": (16, "switch:16", 7, []),
         "8-1:1": (8, "tree:2x4,4", 7, []), "8-1:2": (8, "tree:2x4,2", 7, []), "8-1:4": (8, "tree:2x4,1", 7, []),
         "16-1:1": (16, "tree:4x4,4", 7, []), "16-1:2": (16, "tree:4x4,2", 7, []), "16-1:4": (16, "tree:4x4,1", 7, []),
         "again": (16, "tree:4x4,2", 8, []), "half": (16, "tree:4x4,2", 9, ["--uplink", "50gbit"]),
         "32": (32, "tree:8x4,2", 7, []), "64": (64, "tree:16x4,2", 7, []), "128": (128, "tree:32x4,2", 7, [])}


class Scan:
    def __init__(self, folder, name):
        self.name, self.folder = name, os.path.join(folder, name.replace(":", "to"))
        self.hosts, self.topology, self.seed, self.options = SCANS[name]
        self.cells = CELLS_OF_SIZE if self.hosts > 16 else CELLS
        self.sheet = None

    def command(self, time_s, *more):
        return [CROSSTALK, "scan", "-o", self.folder, "--simgrid", self.topology, *COMMON, "--seed", str(self.seed), "--time",
                f"{time_s}s", "--cells", " ".join(self.cells), *self.options, *more]

    def read(self):
        path = os.path.join(self.folder, "sheet.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.sheet = json.load(file)
        return self.sheet is not None and self.sheet["reason_ended"].startswith("every interval")

    def make(self, time_s):
        """Until its intervals are narrow, or the time is up, which a scan that is continued begins anew with."""
        if not self.read():
            subprocess.run(self.command(time_s, "-q"), check=True, timeout=2 * time_s + 600, stdout=subprocess.DEVNULL)
            self.read()

    def rows(self):
        return {row["cell"]: row for row in self.sheet["rows"] if row["path_class"] == -1 and row["cell"] in CELLS}

    def score(self):
        return self.sheet["score"]["value"], half_of(self.sheet["score"])

    def widest(self):
        """The widest half of an interval at the mean, relative to the factor; infinite: a cell has none."""
        rows = self.rows()
        return max(half_of(rows[cell]["mean"]) if cell in rows else math.inf for cell in self.cells)


def text_of(value, half, digits):
    """With half of its interval, which is relative, in its own unit."""
    return f"{value:.{digits}f}±{value * half:.{digits}f}"


def half_of(factor):
    """Of the interval of a logarithm, which is the relative one."""
    if factor["lo"] is None or factor["hi"] is None:
        return math.inf
    return math.log(factor["hi"] / factor["lo"]) / 2


def ratio_of(a, b):
    """Of two factors in logarithms, and half of its interval."""
    return math.log(a["value"] / b["value"]), math.hypot(half_of(a), half_of(b))


def against(scan, other):
    """How many values differ from those of another scan, of how many, and the cell of the largest difference."""
    text = subprocess.run(scan.command(1, "--against", os.path.join(other.folder, "sheet.json")), check=True, timeout=600, text=True,
                          stdout=subprocess.PIPE).stdout
    text = " ".join(text.split())
    found = re.search(r"Against the other sheet: (\d+) of (\d+) values differ", text)
    first = re.search(r"([a-z]+:[a-z]+), (mean|median|p99): ([0-9.e+-]+) times what it was", text)
    return int(found[1]), int(found[2]), first[0] if first else "none"


class Claims:
    def __init__(self, scans):
        self.scans, self.failed = scans, 0

    def say(self, what, names, judge):
        scans = [self.scans[name] for name in names]
        if any(scan.sheet is None for scan in scans):
            print(f"{'not run':8} {what}")
            return
        holds, numbers = judge(*scans)
        self.failed += not holds
        print(f"{'holds' if holds else 'FAILS':8} {what}: {numbers}", flush=True)


def judge_one(scan):
    rows = scan.rows()
    outside = [cell for cell, row in rows.items() if math.isinf(half_of(row["mean"])) or
               abs(math.log(row["mean"]["value"])) > max(half_of(row["mean"]), RESOLUTION)]
    return not outside and len(rows) == len(CELLS), f"{len(rows) - len(outside)} of {len(CELLS)} intervals contain 1.00"


def judge_order(*scans):
    scores = [scan.score() for scan in scans]
    apart = all(a[0] * math.exp(a[1]) < b[0] * math.exp(-b[1]) for a, b in zip(scores, scores[1:]))
    widest = max(scan.widest() for scan in scans)
    text = " < ".join(text_of(*score, 4) for score in scores)
    return apart and widest <= HALF_WIDTH, f"{text}; widest half of an interval {100 * widest:.1f} %"


def judge_size(*scans):
    scores = [scan.score() for scan in scans]
    worst = max(abs(math.log(a[0] / b[0])) - math.hypot(a[1], b[1]) for a in scores for b in scores)
    return worst <= 0, ", ".join(f"{scan.name}: {text_of(*scan.score(), 4)}" for scan in scans)


def judge_again(one, other):
    rows, others = one.rows(), other.rows()
    pairs = [ratio_of(rows[cell][key], others[cell][key]) for cell in CELLS for key in STATISTICS if cell in rows and cell in others]
    within = sum(abs(ratio) <= max(half, RESOLUTION) for ratio, half in pairs)
    return len(pairs) >= 40 and within >= 0.9 * len(pairs), f"{within} of {len(pairs)} factors differ within their intervals"


def judge_same(one, other):
    n, n_all, first = against(other, one)
    return n == 0, f"{n} of {n_all} values differ; the most: {first}"


def judge_half(whole, half):
    n, n_all, first = against(half, whole)
    return n > 0 and first.startswith("bandwidth"), f"{n} of {n_all} values differ; the most: {first}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--time", type=int, default=1800)
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    scans = {name: Scan(asked.folder, name) for name in SCANS}
    print(f"{'scan':8} {'hosts':>5} {'topology':12} {'rounds':>6}  {'score':16} " + " ".join(f"{of:>16}" for of in CONGESTORS))
    for scan in scans.values():
        if scan.hosts > asked.hosts:
            continue
        scan.make(asked.time)
        rows = scan.rows()
        cells = [rows.get(f"bandwidth:{of}") for of in CONGESTORS]
        texts = [text_of(row["mean"]["value"], half_of(row["mean"]), 3) if row else "-" for row in cells]
        print(f"{scan.name:8} {scan.hosts:5} {scan.topology:12} {scan.sheet['n_rounds']:6}  {text_of(*scan.score(), 4):16} " +
              " ".join(f"{text:>16}" for text in texts), flush=True)
    claims = Claims(scans)
    print()
    claims.say("one switch: intervals contain 1.00", ["one"], judge_one)
    claims.say("uplinks 1:1, 1:2, 1:4 in this order, 8 hosts", ["8-1:1", "8-1:2", "8-1:4"], judge_order)
    claims.say("the same with 16 hosts", ["16-1:1", "16-1:2", "16-1:4"], judge_order)
    claims.say("the score of bandwidth is equal with 32, 64 and 128 hosts", ["32", "64", "128"], judge_size)
    claims.say("the score of bandwidth is equal with 32 and 64 hosts", ["32", "64"], judge_size)
    claims.say("two seeds, factors differ within their intervals", ["16-1:2", "again"], judge_again)
    claims.say("--against another scan of that network", ["16-1:2", "again"], judge_same)
    claims.say("--against: uplinks of half their rate", ["16-1:2", "half"], judge_half)
    return claims.failed > 0


if __name__ == "__main__":
    sys.exit(main())
