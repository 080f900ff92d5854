#!/usr/bin/env python3
"""Co-runs on two switches, measured in the lab and simulated from traces: fft and milc on tree:2x4,
10 Mbit/s a host and 20 Mbit/s between the switches. On all hosts; on hosts of their own under both
switches (interleaved); under a switch each, where they share no link, so that what is measured there
is not the network's.

tree_corun.py [SECONDS [DIR]]: SECONDS a run (8); DIR keeps runs and traces. Nothing else should run.
"""
import csv
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["PATH"] = os.environ["CROSSTALK_BIN"] + ":" + os.environ["PATH"]
LAB = f"bench-{os.getpid()}"
RATES = ["--rate", "10mbit", "--uplink", "20mbit"]
# As crosstalk predict fits them to examples/lab8, whose switch has the same ports.
QUEUES = ["--ahead", "190kB", "--burst", "1500B"]
PLACES = {"all hosts": ("12345678", "12345678"), "interleaved": ("1256", "3478"), "a switch each": ("1234", "5678")}
ITERATIONS = {"fft": 4, "milc": 20}
BEGIN_S = 1.2  # until the co-runner has begun for certain


def crosstalk(*words):
    done = subprocess.run(["crosstalk", *words], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        sys.exit(f"crosstalk {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def answer(*words):
    text = crosstalk(*words, "--format", "json")
    return json.JSONDecoder().raw_decode(text[text.index("{"):])[0]


def on_hosts(hosts, *program):
    names = ",".join(f"h{number}" for number in hosts)
    return ["lab", "mpiexec", "--id", LAB, "--deadline", "100s", "--hosts-used", names, "--", *program]


def workload(app):
    return ["workload", app, "--iterations", str(ITERATIONS[app]), "--quiet"]


def start(hosts, app, seconds, path):
    return subprocess.Popen(["crosstalk", *on_hosts(hosts, *workload(app), "--loop", "--time", f"{seconds:g}s",
                                                    "--output", path)], stdout=subprocess.DEVNULL)


def mean_pass_s(path):
    text = crosstalk("export", path, "--dataset", "runtimes")
    rows = csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#"))
    return statistics.mean(float(row["duration_s"]) for row in rows)


def uplink_busy(seconds):
    """Mean of both directions of the links between the switches."""
    text = crosstalk("lab", "counters", "--id", LAB, "--interval", f"{seconds:g}s", "--format", "csv")
    lines = text.splitlines()
    links = csv.DictReader(lines[next(i for i, line in enumerate(lines) if line.startswith("from,to,")):])
    return statistics.mean(float(row["busy_frac"]) for row in links)


def measure(work, seconds):
    """Mean pass of each program in each place, alone and beside each; uplinks beside each."""
    passes_s, busy = {}, {}
    for place, (hosts, others) in PLACES.items():
        for app in ITERATIONS:
            for other in (None, *ITERATIONS):
                if place == "a switch each" and other == app:
                    continue
                beside = other and start(others, other, seconds + 2 * BEGIN_S, os.path.join(work, "beside.h5"))
                time.sleep(BEGIN_S if beside else 0)
                path = os.path.join(work, f"{place}-{app}-{other}.h5".replace(" ", "-"))
                measured = start(hosts, app, seconds, path)
                time.sleep(1)
                busy[place, app, other] = uplink_busy(seconds - 2)
                for process in (measured, beside):
                    if process and process.wait() != 0:
                        sys.exit(f"{place}, {app} beside {other}: failed")
                if beside:
                    os.remove(os.path.join(work, "beside.h5"))
                passes_s[place, app, other] = mean_pass_s(path)
    return passes_s, busy


def simulate(work, place, *apps):
    nodes = [",".join(f"n{int(number) - 1}" for number in hosts) for hosts in PLACES[place]]
    traces = [os.path.join(work, f"{app}-{len(PLACES[place][0])}") for app in apps]
    return answer("simulate", *traces, "--logp", os.path.join(work, "logp.h5"), "--topology", "tree:2x4", *RATES,
                  *QUEUES, "--hosts", " ".join(nodes[:len(apps)]))


def uplink_simulated(got):
    busy = [link["busy_frac"] for link in got["links"] if "spine0" in (link["from"], link["to"])]
    return statistics.mean(busy or [0])


def compare(work, passes_s, busy):
    print(f"{'hosts':14} {'program':8} {'beside':7} {'measured [%]':>13} {'simulated [%]':>14}"
          f" {'between switches, measured [% busy]':>36} {'simulated':>10}")
    errors = []
    for (place, app, other), measured_s in passes_s.items():
        if not other:
            continue
        got = simulate(work, place, app, other)
        measured = measured_s / passes_s[place, app, None] - 1
        simulated = got["programs"][0]["slowdown"]
        errors.append(abs(simulated - measured))
        print(f"{place:14} {app:8} {other:7} {100 * measured:13.1f} {100 * simulated:14.1f}"
              f" {100 * busy[place, app, other]:36.0f} {100 * uplink_simulated(got):10.0f}")
    print(f"mean error {100 * statistics.mean(errors):.1f} points, largest {100 * max(errors):.1f}")


def run(work, seconds):
    crosstalk("lab", "up", "--id", LAB, "--topology", "tree:2x4", *RATES)
    try:
        crosstalk(*on_hosts("12", "logpb", "--time", "50s", "--quiet", "--output", os.path.join(work, "logp.h5")))
        for app in ITERATIONS:
            for hosts in ("12345678", "1256"):
                crosstalk("trace", "-o", os.path.join(work, f"{app}-{len(hosts)}"), "--", "crosstalk",
                          *on_hosts(hosts, *workload(app)))
        passes_s, busy = measure(work, seconds)
    finally:
        crosstalk("lab", "down", "--id", LAB)
    compare(work, passes_s, busy)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 8
    if len(sys.argv) > 2:
        os.makedirs(sys.argv[2], exist_ok=True)
        run(sys.argv[2], seconds)
        return
    with tempfile.TemporaryDirectory() as work:
        run(work, seconds)


if __name__ == "__main__":
    main()
