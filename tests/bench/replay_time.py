#!/usr/bin/env python3
"""Replays against the programs that were traced: every workload runs traced in a lab, then its
replay, in turns. Both compute by sleeping.

replay_time.py [TURNS [PROGRAM...]]. Prints the median time of the program, from MPI_Init to MPI_Finalize of its
slowest rank, the median pass of the replay, their ratio, and the range of the ratios of single turns.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

os.environ["PATH"] = os.environ["CROSSTALK_BIN"] + ":" + os.environ["PATH"]
LAB = f"bench-{os.getpid()}"
# Iterations that last about 1.5 s.
WORKLOADS = {"fft": 30, "vpfft": 30, "lulesh": 30, "mcb": 15, "milc": 75, "amg": 6}


def crosstalk(*words):
    done = subprocess.run(["crosstalk", *words], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        sys.exit(f"crosstalk {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def answer(text):
    return json.JSONDecoder().raw_decode(text[text.index("{"):])[0]


def launch(*words):
    return ("lab", "mpiexec", "--id", LAB, "--deadline", "90s", "--", "workload", *words)


def program_s(app, folder):
    crosstalk("trace", "-o", folder, "--", "crosstalk",
              *launch(app, "--iterations", str(WORKLOADS[app]), "--quiet"))
    return answer(crosstalk("trace", "--format", "json", "--check", folder))["time_s"]


def replay_s(folder):
    return answer(crosstalk(*launch("replay", "--trace", folder, "--loop", "--time", "5s", "--format", "json",
                                    "--quiet")))["mean_s"]


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    programs = sys.argv[2:] or list(WORKLOADS)
    crosstalk("lab", "up", "--id", LAB, "--hosts", "8", "--rate", "50mbit", "--quiet")
    try:
        with tempfile.TemporaryDirectory() as work:
            print(f"{'program':8} {'program [s]':>12} {'replay [s]':>11} {'ratio':>6} {'from':>6} {'to':>6}")
            for app in programs:
                pairs = []
                for turn in range(turns):
                    folder = os.path.join(work, f"{app}-{turn}")
                    pairs.append((program_s(app, folder), replay_s(folder)))
                program, replay = (statistics.median(values) for values in zip(*pairs))
                ratios = [again / once for once, again in pairs]
                print(f"{app:8} {program:12.4f} {replay:11.4f} {replay / program:6.3f} {min(ratios):6.3f} "
                      f"{max(ratios):6.3f}", flush=True)
    finally:
        crosstalk("lab", "down", "--id", LAB, "--quiet")


main()
