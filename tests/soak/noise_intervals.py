#!/usr/bin/python3
"""How often the intervals of crosstalk tolerance for another run hold that run: generated programs, whose noise is known,
and the programs that lab8, lab8-again and lab8-judge traced, each in a campaign of its own.

    noise_intervals.py [RUNS]    runs of each generated program, 12 by default; crosstalk of CROSSTALK_BIN, or of the PATH

Each pair of runs that follow each other gives two intervals of T and two of each tolerance: of one run, which must hold the
other. Exits with 1 if fewer than 85 or more than 95 % of those of generated programs do, at 90 %."""
import itertools
import json
import os
import subprocess
import sys

PARAMETERS = ["--L", "20us", "--o", "5us", "--G", "1ns", "--S", "16KiB"]
PROGRAMS = ["halo:2x2x2,rounds=20,compute=2ms,noise=10%", "halo:2x2x2,rounds=20,compute=2ms,noise=30%",
            "halo:2x2x1,rounds=20,levels=2,compute=2ms,noise=10%", "allreduce:8,rounds=30,compute=2ms,noise=20%",
            "allreduce:2,rounds=30,compute=2ms,noise=50%", "alltoall:4,rounds=30,compute=2ms,noise=20%"]
CAMPAIGNS = "lab8", "lab8-again", "lab8-judge"
CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk") if "CROSSTALK_BIN" in os.environ else "crosstalk"
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def ask(path, parameters):
    found = subprocess.run([CROSSTALK, "tolerance", path, *parameters, "--format", "json", "-q"], check=True, text=True,
                           timeout=300, stdout=subprocess.PIPE)
    return json.loads(found.stdout)


def ask_several(paths, parameters):
    found = subprocess.run([CROSSTALK, "tolerance", *paths, *parameters, "--format", "json", "-q"], check=True, text=True,
                           timeout=300, stdout=subprocess.PIPE)
    return json.loads(found.stdout)["tolerance"]


def next_run(rows, other):
    """Whether T and the tolerances of another run are where several say that those of one more run are."""
    values = [other["runtime_s"], *(row["delta_L_s"] for row in other["tolerance"])]
    return [holds([row["again_lo_s"], row["again_hi_s"]], value) for row, value in zip(rows, values)]


def holds(interval, value):
    least, most = (float("inf") if end is None else end for end in interval)
    return least <= (float("inf") if value is None else value) <= most


def pair(run, other):
    """Whether T and the tolerances of another run are where one says that they are; None: it says nothing."""
    if run["runtime_again_s"][0] is None:
        return None
    return [holds(run["runtime_again_s"], other["runtime_s"]),
            *(holds(row["delta_L_again_s"], of["delta_L_s"]) for row, of in zip(run["tolerance"], other["tolerance"]))]


def tell(name, pairs):
    told = [of for of in pairs if of is not None]
    held = [sum(of[i] for of in told) for i in range(4)] if told else [0] * 4
    print(f"{name:45} {len(told):9}" + "".join(f"{of:9}" for of in held), flush=True)
    return len(told), held


def both_ways(runs):
    return [pair(*of) for a, b in zip(runs[::2], runs[1::2]) for of in ((a, b), (b, a))]


def main():
    n_runs = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    print(f"{'program':45} intervals      T    +1 %     +2 %     +5 %")
    n, held = 0, [0] * 4
    for program in PROGRAMS:
        runs = [ask(f"{program},seed={seed}", PARAMETERS) for seed in range(1, n_runs + 1)]
        n_of, held_of = tell(program, both_ways(runs))
        n, held = n + n_of, [a + b for a, b in zip(held, held_of)]
    print(f"{'all of them, %':45} {n:9}" + "".join(f"{100 * of / n:9.1f}" for of in held))
    measured = ["--logp", os.path.join(SOURCE, "examples", "lab8", "logp.h5"), "--serialize-nic"]
    of_one, of_two = [], []
    for app in "amg", "fft", "lulesh", "mcb", "milc", "vpfft":
        paths = [os.path.join(SOURCE, "examples", folder, "traces", app) for folder in CAMPAIGNS]
        runs = [ask(path, measured) for path in paths]
        of_one += [pair(a, b) for a, b in itertools.permutations(runs, 2)]
        of_two += [next_run(ask_several(paths[:i] + paths[i + 1:], measured), runs[i]) for i in range(len(runs))]
    tell("programs of the lab: one trace, another campaign", of_one)
    tell("two traces, the third campaign", of_two)
    if n < 60 or not all(0.85 * n <= of <= 0.95 * n for of in held[:1]):
        sys.exit(f"{held[0]} of {n} intervals of T hold: not 85 to 95 %")


if __name__ == "__main__":
    main()
