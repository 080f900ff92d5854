#!/usr/bin/env python3
"""What slower links cost: measured by measure.py, and said by crosstalk watch --fault, as a Markdown table.

    examples/prices/compare.py FOLDER [README.md]

README.md: the table takes the place of what is behind its last heading. Exits with 1 if prices are off by more
than 3 points on average, of the faults that were chosen or of those that were drawn.
A measured price is the mean over the rounds of the run time with the fault, divided by that on the healthy
network in the same round, less 1; with its 90 % interval (Student). No run is left out.
"""
import csv
import json
import math
import subprocess
import sys

from measure import APPLICATIONS, CHOSEN, DRAWN, FAULTS, NETWORK

# Of Student's t, 95 %, for 1 .. 9 degrees of freedom.
T95 = [6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833]
STOLEN_MANY = 0.02
OFF_MOST = 0.03


def nodes_of(hosts):
    return ",".join(f"n{int(host[1:]) - 1}" for host in hosts.split(",")) if hosts else "n[0-15]"


def predicted(folder, fault):
    command = ["crosstalk", "watch", "--fault", fault, *NETWORK, "--applications", f"{folder}/traces", "--hosts",
               " ".join(nodes_of(APPLICATIONS[name]) for name in sorted(APPLICATIONS)), "--logp",
               f"{folder}/logp.h5", "--queue", "fifo", "--burst", "1600B", "--format", "json"]
    prices = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["prices"]
    return {price["application"]: price["slowdown"] for price in prices}


def read_runs(folder):
    with open(f"{folder}/runs.csv", encoding="utf-8") as file:
        return {(int(row["round"]), row["fault"], row["application"]): row for row in csv.DictReader(file)}


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def measured(runs, fault, application):
    """Mean, half of its 90 % interval, and whether much time was stolen from a run."""
    ratios, many = [], False
    for (number, name, app), row in runs.items():
        healthy = runs.get((number, "healthy", application))
        if name == fault and app == application and healthy:
            ratios.append(float(row["mean_s"]) / float(healthy["mean_s"]) - 1)
            many |= max(float(row["stolen_frac"]), float(healthy["stolen_frac"])) > STOLEN_MANY
    centre, n = mean(ratios), len(ratios)
    spread = math.sqrt(sum((x - centre) ** 2 for x in ratios) / (n - 1)) if n > 1 else math.nan
    return centre, T95[min(n - 1, len(T95)) - 1] * spread / math.sqrt(n) if n > 1 else math.nan, many


def summary(name, cases):
    off = [abs(said - found) for found, said in cases]
    dear = [(found, said) for found, said in cases if found > 0.05]
    return (f"- {name}: {len(cases)} cases, of which {len(dear)} cost more than 5 %: off by **{100 * mean(off):.1f} points** "
            f"on average, {100 * max(off):.1f} at most; predicting 0: {100 * mean(abs(found) for found, _ in cases):.1f}. "
            f"Of those above 5 %: {100 * mean(abs(said - found) for found, said in dear):.1f}, predicting 0: "
            f"{100 * mean(found for found, _ in dear):.1f}.")


def report(folder):
    """Lines of text, and the largest mean error."""
    runs = read_runs(folder)
    lines = ["| fault | application | measured [%] | said [%] | off by |", "|---|---|---|---|---|"]
    cases, disturbed = {}, 0
    for fault in FAULTS:
        prices = predicted(folder, fault)
        for application in APPLICATIONS:
            found, half, many = measured(runs, fault, application)
            said = prices[application]
            cases.setdefault(fault, []).append((found, said))
            disturbed += many
            lines.append(f"| {fault} | `{application}` | {100 * found:.1f} ± {100 * half:.1f}{' *' if many else ''} | "
                         f"{100 * said:.1f} | {100 * (said - found):+.1f} |")
    parts = {name: [case for fault in faults for case in cases[fault]]
             for name, faults in (("chosen", CHOSEN), ("drawn", DRAWN))}
    lines += ["", *(summary(name, part) for name, part in parts.items())]
    rounds = [number for number, _, _ in runs]
    loads = sorted(float(row["load"]) for row in runs.values())
    lines += ["", f"{len(runs)} runs in {max(rounds)} rounds. Load of the machine, which has two processors, when runs "
              f"ended: {loads[0]:g} to {loads[-1]:g}, median {loads[len(loads) // 2]:g}. {disturbed} cases (*) have runs of "
              f"which the hypervisor took more than {100 * STOLEN_MANY:g} % of the time."]
    return lines, max(mean(abs(said - found) for found, said in part) for part in parts.values())


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    lines, off = report(sys.argv[1])
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if len(sys.argv) == 3:
        with open(sys.argv[2], encoding="utf-8") as file:
            kept = file.read()
        heading = kept.index("\n", kept.rindex("\n## ") + 1)
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(kept[:heading] + "\n" + text)
    return 0 if off <= OFF_MOST else 1


if __name__ == "__main__":
    sys.exit(main())
