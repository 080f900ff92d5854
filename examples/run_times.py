#!/usr/bin/env python3
"""Measured and simulated run times of a campaign whose programs are those of `workload`.

    examples/run_times.py examples/lab8 --queue round-robin --burst 1600B

Traces of these programs hold the start, a warm-up and a check beside the pass that runs time. This makes a
schedule of the pass of each trace, from the barrier before it to the reduction of three numbers that ends it
(docs/workloads.md), and calls `crosstalk predict CAMPAIGN --run-times` with them and with the options.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

CALL = re.compile(r"us (barrier|bcast|allreduce|allgather|alltoallv?|reduce)\b(.*) comm (\d+)$")


def output(*words):
    return subprocess.run(["crosstalk", *words], check=True, capture_output=True, text=True).stdout


def pass_of(trace):
    """Numbers of the two collectives of all ranks that a pass is between."""
    calls = [match.groups() for match in map(CALL.search, output("trace", "--dump", "--rank", "0", trace).splitlines())
             if match]
    world = next(comm for kind, _, comm in calls if kind == "barrier")
    calls = [(kind, size) for kind, size, comm in calls if comm == world]
    end = next(i for i, (kind, size) in enumerate(calls) if kind == "allreduce" and " 24 B" in size)
    begin = max(i for i in range(end) if calls[i][0] == "barrier")
    return begin + 1, end + 1


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    if not shutil.which("crosstalk"):
        sys.exit("crosstalk is not on the PATH: PATH=$PWD/build/release/bin:$PATH")
    campaign, options = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for app in sorted(os.listdir(f"{campaign}/traces")):
            trace = f"{campaign}/traces/{app}"
            begin, end = pass_of(trace)
            output("goal", trace, "--pass-from", str(begin), "--pass-to", str(end), "-o", f"{folder}/{app}.bin")
        sys.exit(subprocess.run(["crosstalk", "predict", campaign, "--schedules", folder, "--models",
                                 "packets", "--run-times", *options], check=False).returncode)


if __name__ == "__main__":
    main()
