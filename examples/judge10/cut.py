#!/usr/bin/env python3
"""The schedules of this folder, cut from traces of the programs by one rule (README.md).

    examples/judge10/cut.py TRACES SCHEDULES     a folder of traces for each program; where the schedules go

Of a program whose ranks make N collectives together the part begins after number N/2, and ends after the last one
with which it has at most 3 ms of computing a rank, on average, and 2500 messages. Where the step to the next
collective alone has more, or a message or a request is under way at that collective, the part begins at the next one.
"""
import json
import os
import re
import subprocess
import sys

COMPUTE_S, MESSAGES = 3e-3, 2500


def goal(traces, first, last, *options):
    command = ["crosstalk", "goal", traces, "--pass-from", str(first), "--pass-to", str(last), "--quiet", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def fits(traces, first, last):
    """Whether the part may be cut there, and is short enough; why not."""
    answer = goal(traces, first, last, "--format", "json")
    if answer.returncode:
        return None, answer.stderr.strip()
    numbers = json.loads(answer.stdout)
    if not numbers["messages"]:
        return None, "no messages"
    compute_s = numbers["compute_s"] / numbers["ranks"]
    return compute_s <= COMPUTE_S and numbers["messages"] <= MESSAGES, f"{1e3 * compute_s:.3g} ms, {numbers['messages']} messages"


def cut(traces):
    refusal = goal(traces, 1, 10**9).stderr
    found = re.search(r"make (\d+) collectives", refusal)
    if not found:
        sys.exit(f"{traces}: {refusal}")
    total = int(found.group(1))
    for first in range(total // 2, total):
        # Cuts that are refused in between do not end a part.
        best, last = None, first + 1
        while last <= total:
            ok, why = fits(traces, first, last)
            if ok is False:
                break
            if ok:
                best = last, why
            elif best is None and last - first > 64:
                break
            last += 1
        if best:
            return total, first, *best
    sys.exit(f"{traces}: no part is short enough")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    traces, schedules = sys.argv[1:]
    os.makedirs(schedules, exist_ok=True)
    for name in sorted(os.listdir(traces)):
        folder = os.path.join(traces, name)
        total, first, last, what = cut(folder)
        done = goal(folder, first, last, "-o", os.path.join(schedules, name + ".bin"))
        if done.returncode:
            sys.exit(done.stderr)
        print(f"{name}: collectives {first} to {last} of {total}: {what}", flush=True)


if __name__ == "__main__":
    main()
