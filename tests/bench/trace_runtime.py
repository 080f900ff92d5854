#!/usr/bin/env python3
"""Run times from traces against measured ones: every workload in the lab is traced at one compute
scale, and its run time predicted there and at three others, which are then measured, too; once with
every message alone on the links, once with the links shared (crosstalk simulate).

trace_runtime.py [REPETITIONS [DIR]]; DIR keeps traces and schedules. Prints each run time and the
relative root mean square errors, and the tolerance of each program with its allreduces as a ring and
by recursive doubling.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

os.environ["PATH"] = os.environ["CROSSTALK_BIN"] + ":" + os.environ["PATH"]
# Waiting ranks sleep for at most this long: a message is seen later by half of it.
os.environ["CROSSTALK_LAB_POLL_US"] = "50"
LAB = f"bench-{os.getpid()}"
TRACED_SCALE, SCALES = 1, (0.5, 1, 2, 4)
# Compute time of an iteration [ms], and iterations that last about 1.5 s.
WORKLOADS = {"fft": (20, 30), "vpfft": (40, 30), "lulesh": (30, 30), "mcb": (80, 15),
             "milc": (16, 75), "amg": (240, 6)}


def crosstalk(*words, timeout_s=120):
    done = subprocess.run(["crosstalk", *words], capture_output=True, text=True, check=False,
                          timeout=timeout_s)
    if done.returncode != 0:
        sys.exit(f"crosstalk {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def answer(command, *words):
    text = crosstalk(command, "--format", "json", *words)
    return json.JSONDecoder().raw_decode(text[text.index("{"):])[0]


def traced(app, scale, folder):
    """Run time of the traced program: from the end of MPI_Init to MPI_Finalize, slowest rank."""
    compute_ms, iterations = WORKLOADS[app]
    crosstalk("trace", "-o", folder, "--",
              "crosstalk", "lab", "mpiexec", "--id", LAB, "--deadline", "90s", "--",
              "workload", app, "--iterations", str(iterations),
              "--compute-time", f"{1000 * compute_ms * scale:g}us", "--quiet")
    return answer("trace", "--check", folder)["time_s"]


def schedule(app, scale, traces, work, *rules):
    path = os.path.join(work, f"{app}-{scale}{'-'.join(rules)}.bin")
    crosstalk("goal", traces, "-o", path, "--compute-scale", f"{scale / TRACED_SCALE:g}", *rules)
    return path


def measure(repetitions, work):
    """Turns of all programs and scales, and one run of logpb in front of each."""
    times, parameters = {}, []
    for turn in range(repetitions):
        path = os.path.join(work, f"logp-{turn}.h5")
        crosstalk("lab", "mpiexec", "--id", LAB, "--deadline", "100s", "-n", "2", "--",
                  "logpb", "--time", "90s", "--quiet", "--output", path)
        parameters.append(path)
        for app in WORKLOADS:
            for scale in SCALES:
                folder = os.path.join(work, f"{app}-{scale}-{turn}")
                times.setdefault((app, scale), []).append(traced(app, scale, folder))
    return times, parameters


def predict(path, parameters):
    """Medians over the runs of logpb: messages alone on the links, and sharing them."""
    alone = [answer("tolerance", path, "--serialize-nic", "--logp", logp)["runtime_s"] for logp in parameters]
    shared = [answer("simulate", path, "--logp", logp)["programs"][0]["alone_s"] for logp in parameters]
    return statistics.median(alone), statistics.median(shared)


def rms(errors):
    return 100 * math.sqrt(statistics.mean(error * error for error in errors))


def compare(times, parameters, work):
    print(f"{'program':8} {'scale':>6} {'measured [s]':>13} {'from':>7} {'to':>7} {'predicted [s]':>13}"
          f" {'off by [%]':>11} {'links shared [s]':>17} {'off by [%]':>11}")
    errors = {}
    for (app, scale), values in times.items():
        traces = os.path.join(work, f"{app}-{TRACED_SCALE}-0")
        predicted = predict(schedule(app, scale, traces, work), parameters)
        measured = statistics.median(values)
        errors[app, scale] = [value / measured - 1 for value in predicted]
        print(f"{app:8} {scale:6g} {measured:13.4f} {min(values):7.4f} {max(values):7.4f}"
              f" {predicted[0]:13.4f} {100 * errors[app, scale][0]:+11.2f}"
              f" {predicted[1]:17.4f} {100 * errors[app, scale][1]:+11.2f}")
    for i, how in enumerate(("messages alone on the links", "links shared")):
        at = ", ".join(f"{rms([e[i] for key, e in errors.items() if key[1] == scale]):.2f} at {scale:g}"
                       for scale in SCALES)
        print(f"relative root mean square error, {how}: {rms([e[i] for e in errors.values()]):.2f} %"
              f" (aim: below 5); {at}")


def compare_rings(parameters, work):
    print(f"{'program':8} {'allreduce':20} {'T [s]':>8} {'lambda_L':>9} {'5 % tolerance: added [us]':>26}")
    for app in WORKLOADS:
        traces = os.path.join(work, f"{app}-{TRACED_SCALE}-0")
        for rule in ("recursive-doubling", "ring"):
            path = schedule(app, TRACED_SCALE, traces, work, "--allreduce", rule)
            got = answer("tolerance", path, "--serialize-nic", "--logp", parameters[0],
                         "--threshold", "5%")
            added_s = got["tolerance"][0]["delta_L_s"]
            added = "unbounded" if added_s is None else f"{1e6 * added_s:.1f}"
            print(f"{app:8} {rule:20} {got['runtime_s']:8.4f} {got['lambda_L']:9} {added:>26}")


def main():
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as temporary:
        work = sys.argv[2] if len(sys.argv) > 2 else temporary
        os.makedirs(work, exist_ok=True)
        crosstalk("lab", "up", "--id", LAB, "--hosts", "8", "--rate", "50mbit", "--queue", "fifo",
                  "--quiet")
        try:
            times, parameters = measure(repetitions, work)
        finally:
            crosstalk("lab", "down", "--id", LAB, "--quiet")
        compare(times, parameters, work)
        compare_rings(parameters, work)


main()
