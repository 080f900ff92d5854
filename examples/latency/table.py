#!/usr/bin/env python3
"""Tables of the answers of crosstalk validate in FOLDER/*.json: table.py FOLDER."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile


def milliseconds(seconds):
    return "–" if seconds is None else f"{1e3 * seconds:.2f}"


def percent(frac):
    return f"{100 * frac:.1f} %"


def table(heading, rows):
    for cells in [heading, ["---"] * len(heading)] + rows:
        print("| " + " | ".join(cells) + " |")


def tolerated(at):
    low, high = (milliseconds(end) for end in at["measured_ci"])
    return f"{milliseconds(at['measured_s'])} [{low}, {high}] / {milliseconds(at['predicted_s'])}"


def row(name, answer):
    points, tolerance = answer["points"], answer["tolerance"]
    low, high = answer["slope_ci"]
    longest = points[-1]["measured_s"] / points[0]["measured_s"] - 1
    waits = max(point["cpu_wait_frac"] for point in points)
    return [name, f"{points[0]['measured_s']:.3f}", f"{100 * longest:.0f} %",
            f"{100 * answer['rrmse']:.2f} %", f"{answer['slope_measured']:.1f} [{low:.1f}, {high:.1f}]",
            f"{answer['slope_predicted']:.1f}",
            *(tolerated(at) for at in tolerance),
            f"{100 * waits:.1f} %"]


def beside(name, answer):
    """A program beside a load: what was measured at each latency, T(L + dL), and T(L_B + dL)."""
    low, high = (milliseconds(end) for end in answer["load_adds_ci_s"])
    print(f"\n`{name}` beside {answer['provenance']['load']}, which adds {milliseconds(answer['load_adds_s'])} ms "
          f"[{low}, {high}] to the probe; L = {milliseconds(answer['L_s'])} ms; alone: measured "
          f"{answer['alone_measured_s']:.4f} s, predicted {answer['alone_predicted_s']:.4f} s; relative RMS error "
          f"{100 * answer['rrmse']:.2f} %\n")
    rows = [[milliseconds(at["delta_L_s"]), f"{at['measured_s']:.4f} [{at['measured_ci'][0]:.4f}, {at['measured_ci'][1]:.4f}]",
             f"{at['predicted_s']:.4f}", percent(at["error_frac"]), milliseconds(at["probe_L_s"]),
             f"{at['predicted_by_probe_s']:.4f}", percent(at["predicted_by_probe_s"] / at["measured_s"] - 1),
             percent(at["cpu_wait_frac"])] for at in answer["points"]]
    table(["added latency [ms]", "measured [s]", "T(L_B + dL) [s]", "error", "latency of the probe [ms]",
           "T of it [s]", "error", "waited for processors"], rows)


def simulated_s(traces, answer, latency_s):
    """Run time of a pass by protocols of sockets, without overheads: T of the longer trace less T of the other."""
    lines = ["protocols: sockets", f"L: {1e9 * latency_s:.0f}ns", "o: 0s",
             f"G: {1e9 * answer['parameters']['G']['value']:.6f}ns", f"S: {answer['parameters']['S']['value']:.0f}B"]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        alone = []
        for path in (traces + ".longer", traces):
            found = subprocess.run(["crosstalk", "simulate", path, "--network", "alpha-beta", "--parameters", file.name,
                                    "--format", "json", "-q"], check=True, capture_output=True, text=True)
            alone.append(json.loads(found.stdout)["programs"][0]["alone_s"])
    return alone[0] - alone[1]


def overlap(name, answer, folder):
    """Where T(L) is wrong: beside it, what a simulation with the protocols of MPI over sockets says."""
    print(f"\n`{name}`, seconds of a pass:\n")
    traces = os.path.join(folder, name, "traces", "program")
    rows = []
    for at in answer["points"]:
        by_sockets_s = simulated_s(traces, answer, answer["L_s"] + at["delta_L_s"])
        rows.append([milliseconds(at["delta_L_s"]), f"{at['measured_s']:.4f}", f"{at['predicted_s']:.4f}",
                     percent(at["error_frac"]), f"{by_sockets_s:.4f}", percent(by_sockets_s / at["measured_s"] - 1)])
    table(["added latency [ms]", "measured", "T(L + dL)", "error", "simulated, `sockets`", "error"], rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("crosstalk"):
        sys.exit("crosstalk is not on the PATH: PATH=$PWD/build/release/bin:$PATH")
    answers = {}
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json"))):
        with open(path, encoding="utf-8") as file:
            answers[os.path.basename(path).removesuffix(".json")] = json.load(file)
    table(["program", "pass [s]", "longest", "relative RMS error", "slope, measured", "predicted", "+1 % at [ms]", "+2 %",
           "+5 %", "waited for processors"],
          [row(name, answer) for name, answer in answers.items() if "load_adds_s" not in answer and name != "overlap"])
    for name, answer in answers.items():
        if "load_adds_s" in answer:
            beside(name, answer)
        if name == "overlap":
            overlap(name, answer, sys.argv[1])


main()
