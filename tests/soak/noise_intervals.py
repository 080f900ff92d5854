#!/usr/bin/python3
"""How often the intervals of crosstalk tolerance for another run hold that run: generated programs, whose noise is known,
and the traces of lab8 with those of lab8-again.

    noise_intervals.py [RUNS]    runs of each generated program, 12 by default; crosstalk of CROSSTALK_BIN, or of the PATH

Each pair of runs that follow each other gives two intervals of T and two of each tolerance: of one run, which must hold the
other. Exits with 1 if fewer than 85 or more than 95 % of those of generated programs do, at 90 %."""
import json
import os
import subprocess
import sys

PARAMETERS = ["--L", "20us", "--o", "5us", "--G", "1ns", "--S", "16KiB"]
PROGRAMS = ["halo:2x2x2,rounds=20,compute=2ms,noise=10%", "halo:2x2x2,rounds=20,compute=2ms,noise=30%",
            "halo:2x2x1,rounds=20,levels=2,compute=2ms,noise=10%", "allreduce:8,rounds=30,compute=2ms,noise=20%",
            "allreduce:2,rounds=30,compute=2ms,noise=50%", "alltoall:4,rounds=30,compute=2ms,noise=20%"]
CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk") if "CROSSTALK_BIN" in os.environ else "crosstalk"
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def ask(path, parameters):
    found = subprocess.run([CROSSTALK, "tolerance", path, *parameters, "--format", "json", "-q"], check=True, text=True,
                           timeout=300, stdout=subprocess.PIPE)
    return json.loads(found.stdout)


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
    for app in "amg", "fft", "lulesh", "mcb", "milc", "vpfft":
        runs = [ask(os.path.join(SOURCE, "examples", folder, "traces", app), measured) for folder in ("lab8", "lab8-again")]
        tell(f"{app} of lab8 and of lab8-again", both_ways(runs))
    if n < 60 or not all(0.85 * n <= of <= 0.95 * n for of in held[:1]):
        sys.exit(f"{held[0]} of {n} intervals of T hold: not 85 to 95 %")


if __name__ == "__main__":
    main()
