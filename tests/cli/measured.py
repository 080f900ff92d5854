#!/usr/bin/python3
"""crosstalk tolerance with measured parameters and latencies, against the formulas by hand."""
import json
import os
import re
import subprocess
import tempfile

import campaign_example as example
import h5py
import numpy as np

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
TIMES = ["os_s", "or_s", "g_s", "rtt_s"]
INTERVALS = [f"{name}_{end}_s" for name in ("os", "or", "g", "rtt") for end in ("lo", "hi")]
EXPECTED = ["or_expected_s", "or_expected_lo_s", "or_expected_hi_s"]
ROW = np.dtype([("bytes", "u8"), *((name, "f8") for name in TIMES), ("repetitions", "u4"),
                *((name, "f8") for name in INTERVALS + EXPECTED),
                ("rank_from", "u4"), ("rank_to", "u4"), ("method", "u1")])
REPETITION = np.dtype([("bytes", "u8"), ("messages", "u4"), ("rank_from", "u4"), ("rank_to", "u4"),
                       ("quantity", "u1"), ("value_s", "f8")])
SIZES = [0, 1, 2, 4, 8, 100, 1000, 10000, 100000]
# One message of m bytes after a calculation, and one back that is empty.
GOAL = """num_ranks 2
rank 0 {{
c: calc 20000
s: send {m}b to 1 tag 0
s requires c
r: recv 0b from 1 tag 1
r requires s
}}
rank 1 {{
r: recv {m}b from 0 tag 0
s: send 0b to 0 tag 1
s requires r
}}
"""
ORIGINAL = {"L": 4e-6, "G": 2e-9}


def os_of(m):
    return 1e-6 + 0.25e-9 * m


def or_of(m):
    return 1.5e-6 + 0.5e-9 * m


def message_s(m, L=ORIGINAL["L"], G=ORIGINAL["G"], o=None):
    overheads = os_of(m) + or_of(m) if o is None else 2 * o
    return overheads + L + max(m - 1, 0) * G


def logp(path, eager=None, os_factor=1.0, sizes=None, jump_s=40e-6):
    """A curve that the model meets exactly."""
    sizes = SIZES if sizes is None else sizes
    rows = np.zeros(len(sizes), ROW)
    for name in INTERVALS + EXPECTED:
        rows[name] = np.nan
    for row, m in zip(rows, sizes):
        rendezvous = eager is not None and m > eager
        time_s = message_s(m) + (jump_s if rendezvous else 0)
        row["bytes"], row["os_s"], row["or_s"] = m, os_factor * os_of(m), or_of(m)
        if rendezvous:
            row["os_s"] = row["or_s"] = time_s
        row["g_s"], row["rtt_s"] = time_s, time_s + message_s(0)
    rows["repetitions"], rows["rank_to"] = 10, 1
    with example.write(path, "logp") as file:
        file["logp"] = rows
        file["repetitions"] = np.zeros(0, REPETITION)


def probe(path, values_s, **what):
    rows = np.zeros(len(values_s), example.SAMPLE)
    rows["t_s"] = 0.1 * np.arange(len(values_s))
    rows["latency_s"] = values_s
    with example.write(path, "impact", **what) as file:
        file["samples"] = rows
        example.write_pairs(file)


def ask(command, *arguments):
    done = subprocess.run([CROSSTALK, command, *arguments, "--format", "json"], text=True, timeout=60,
                          check=False, capture_output=True)
    assert done.returncode == 0, (command, arguments, done.stderr)
    return json.loads(done.stdout)


def fails(code, text, *arguments):
    done = subprocess.run([CROSSTALK, *arguments], text=True, timeout=60, check=False, capture_output=True)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    assert text in done.stderr, (arguments, done.stderr)


def near(actual, expected, tolerance=1e-9):
    assert abs(actual - expected) <= tolerance * abs(expected), (actual, expected)


def schedule(m):
    path = f"message{m}.goal"
    with open(path, "w", encoding="ascii") as out:
        out.write(GOAL.format(m=m))
    return path


def check_parameters():
    """What the curve was made of comes back, and T is the formula's."""
    logp("logp.h5")
    for m in (0, 1, 50, 100, 5000, 100000):
        answer = ask("tolerance", schedule(m), "--logp", "logp.h5")
        near(answer["runtime_s"], 20e-6 + message_s(m) + message_s(0))
        assert answer["lambda_L"] == 2 and answer["lambda_G"] == max(m - 1, 0)
        values = answer["parameters"]
        near(values["L"]["value"], ORIGINAL["L"])
        near(values["G"]["value"], ORIGINAL["G"])
        assert values["S"]["value"] == 100000 and "no handshake" in values["S"]["origin"]
        assert all("logp.h5" in value["origin"] for value in values.values()), values
    assert [row["bytes"] for row in answer["overheads"]] == SIZES
    for row in answer["overheads"]:
        near(row["send_s"], os_of(row["bytes"]))
        near(row["recv_s"], or_of(row["bytes"]))
    # Beyond the largest size: rendezvous, overheads stay.
    answer = ask("tolerance", schedule(200000), "--logp", "logp.h5")
    near(answer["runtime_s"], 20e-6 + message_s(0) + os_of(100000) + or_of(100000) + 199999 * ORIGINAL["G"] +
         3 * ORIGINAL["L"] + 2 * os_of(0))


def add_repetitions(path, rtt_frac_of):
    """Seven of each size, of which the values in the file are the medians; rtt_frac_of: of a size, and the pair of
    ranks, the deviations."""
    with h5py.File(path, "r+") as file:
        rows = []
        for row in file["logp"][:]:
            size, pair = row["bytes"], (row["rank_from"], row["rank_to"])
            for frac in rtt_frac_of(size, pair):
                rows.append((size, 1, *pair, 0, row["os_s"]))
                rows.append((size, 1, *pair, 1, row["rtt_s"] * (1 + frac)))
            rows.extend((size, 1, *pair, 2, row["or_s"]) for _ in range(7))
            rows.append((size, 8, *pair, 1, 1.0))  # a train
        del file["repetitions"]
        file["repetitions"] = np.array(rows, REPETITION)


def check_intervals():
    """Of a schedule that is one round trip, T varies as that round trip does."""
    path, rtt_s = schedule(100000), message_s(100000) + message_s(0)
    answer = ask("tolerance", path, "--logp", "logp.h5")
    assert answer["runtime_ci_s"] == [None, None] and answer["tolerance"][0]["L_ci_s"] == [None, None]
    assert any("the repetitions that they come from are not in logp.h5" in note for note in answer["notes"])

    logp("exact.h5")
    add_repetitions("exact.h5", lambda size, _: [0] * 7)
    answer = ask("tolerance", path, "--logp", "exact.h5")
    for end in (0, 1):
        near(answer["runtime_ci_s"][end], 20e-6 + rtt_s)
        near(answer["parameters"]["L"]["ci"][end], ORIGINAL["L"])
        near(answer["parameters"]["G"]["ci"][end], ORIGINAL["G"])
        for row in answer["tolerance"]:
            near(row["L_ci_s"][end], row["L_s"])
            near(row["delta_L_ci_s"][end], row["delta_L_s"])

    logp("noisy.h5")
    fracs = [-0.03, 0.01, 0.02, 0, -0.01, 0.03, -0.02]
    add_repetitions("noisy.h5", lambda size, _: fracs if size == 100000 else [0] * 7)
    answer = ask("tolerance", path, "--logp", "noisy.h5", "--seed", "1")
    assert answer == ask("tolerance", path, "--logp", "noisy.h5", "--seed", "1"), "the seed is the file's"
    assert "200 replicates" in answer["provenance"]["intervals"] and "95 %" in answer["provenance"]["intervals"]
    near(answer["runtime_s"], 20e-6 + rtt_s)
    # 2.5 % of the medians of seven drawn from seven are at -3 % or -2 %, as likely above.
    for end, sign in ((0, -1), (1, 1)):
        shift = sign * (answer["runtime_ci_s"][end] - 20e-6 - rtt_s) / rtt_s
        assert 0.015 < shift < 0.031, answer["runtime_ci_s"]
        near(answer["parameters"]["L"]["ci"][end], ORIGINAL["L"])
    row = answer["tolerance"][2]
    assert row["threshold"] == 0.05 and row["L_ci_s"][0] < row["L_s"] < row["L_ci_s"][1], row
    near(row["L_ci_s"][1] - ORIGINAL["L"], row["delta_L_ci_s"][1])
    near(row["L_ci_s"][1], ORIGINAL["L"] + 0.05 * answer["runtime_ci_s"][1] / 2)
    table = subprocess.run([CROSSTALK, "tolerance", path, "--logp", "noisy.h5"], check=True, text=True,
                           capture_output=True, timeout=60).stdout
    assert "308 (302 to 314)" in table and "from [us]  to [us]  added latency [us]  from [us]" in table, table
    csv = subprocess.run([CROSSTALK, "tolerance", path, "--logp", "noisy.h5", "--format", "csv"], check=True, text=True,
                         capture_output=True, timeout=60).stdout
    assert f"{row['L_ci_s'][1]:.6g}"[:6] in csv and "L_ci_s" in csv, csv

    # The envelope is one piece: at L it varies as T does, and both latencies are on the path whatever was drawn.
    interval = ("--L-min", f"{1e9 * ORIGINAL['L']:.9g}ns", "--L-max", "1ms")
    piece, = ask("tolerance", "--pieces", path, "--logp", "noisy.h5", *interval)["segments"]
    near(piece["runtime_lo_s"], answer["runtime_s"])
    for end in (0, 1):
        near(piece["runtime_lo_ci_s"][end], answer["runtime_ci_s"][end])
        near(piece["lambda_L_ci"][end], piece["lambda_L"])
    envelope = ask("tolerance", "--pieces", path, "--logp", "logp.h5", *interval)
    assert envelope["segments"][0]["runtime_lo_ci_s"] == [None, None], envelope
    assert any("the repetitions that they come from are not in logp.h5" in note for note in envelope["notes"])
    simulated = ask("simulate", path, "--logp", "noisy.h5")
    assert simulated["parameters"]["G"]["ci"] == answer["parameters"]["G"]["ci"], simulated

    # What is given does not vary; where all is, nothing does.
    answer = ask("tolerance", path, "--logp", "noisy.h5", "--G", "2ns")
    assert answer["parameters"]["G"]["ci"] == [None, None]
    near(answer["runtime_ci_s"][1], answer["runtime_ci_s"][0])
    answer = ask("tolerance", path, "--logp", "noisy.h5", "--G", "2ns", "--L", "1us", "--o", "1us")
    assert answer["runtime_ci_s"] == [None, None] and not any("intervals" in note for note in answer.get("notes", []))
    answer = ask("tolerance", path, "--L", "1us", "--o", "1us", "--G", "1ns")
    assert answer["runtime_ci_s"] == [None, None]


def check_one_set():
    """What is shown, taken for a schedule and written for simulators is the same, whatever a train says of g."""
    logp("train.h5")
    with h5py.File("train.h5", "r+") as file:
        rows = file["logp"][:]
        rows["g_s"][1] = 9e-6
        del file["logp"]
        file["logp"] = rows
        file.attrs["L_s"] = 14e-6  # as version 0.1.0 derived it
    shown = ask("show", "train.h5")
    assert "L_s" not in shown["attributes"], shown["attributes"]
    taken = ask("tolerance", schedule(100), "--logp", "train.h5")["parameters"]
    written = subprocess.run([CROSSTALK, "export", "train.h5", "--emit", "loggopsim"], check=True, text=True,
                             capture_output=True, timeout=60).stdout.splitlines()
    unit_s = float(written[0].split()[4]) * 1e-9
    words = written[-1].split()
    emitted = {words[i]: float(words[i + 1]) * unit_s for i in range(0, len(words), 2)}
    for name, key, option, value in (("L", "L", "-L", 4e-6), ("G per byte", "G", "-G", 2e-9)):
        near(shown["parameters"][name]["value_s"], value)
        near(taken[key]["value"], value)
        near(emitted[option], value, 5e-3)
    near(shown["parameters"]["o"]["value_s"], (os_of(1) + or_of(1)) / 2)
    near(emitted["-o"], (os_of(1) + or_of(1)) / 2, 5e-3)
    near(shown["parameters"]["g"]["value_s"], 9e-6)
    written = subprocess.run([CROSSTALK, "export", "train.h5", "--emit", "llamp"], check=True, text=True,
                             capture_output=True, timeout=60).stdout.splitlines()
    assert [line.split(",")[0] for line in written[1:]] == ["4000"] * (len(SIZES) - 1), written
    assert {line.split(",")[3] for line in written[1:]} == {"2"}, written
    written = subprocess.run([CROSSTALK, "export", "train.h5", "--emit", "simgrid"], check=True, text=True,
                             capture_output=True, timeout=60).stdout
    near(float(re.search("bandwidth ([^ ]*) Bps", written)[1]), 1 / 2e-9, 5e-3)
    for option, time in (("os", os_of), ("or", or_of)):
        sections = re.search(f"^--cfg=smpi/{option}:(.*)$", written, re.MULTILINE)[1].split(";")
        sections = [[float(number) for number in section.split(":")] for section in sections]
        for m in SIZES[1:]:
            _, startup, slope = [section for section in sections if section[0] <= m][-1]
            near(startup + slope * m, time(m), 0.05)


def check_overrides():
    path = schedule(1000)
    for option, text, changed in (("--L", "7us", {"L": 7e-6}), ("--G", "3ns", {"G": 3e-9}), ("--o", "2us", {"o": 2e-6})):
        answer = ask("tolerance", path, "--logp", "logp.h5", option, text)
        near(answer["runtime_s"], 20e-6 + message_s(1000, **changed) + message_s(0, **changed))
        origins = {name: value["origin"] for name, value in answer["parameters"].items()}
        assert origins[option[2:]] == option, origins
        assert all("logp.h5" in origin for name, origin in origins.items() if name != option[2:]), origins
        assert ("overheads" in answer) == (option != "--o")
    answer = ask("tolerance", path, "--logp", "logp.h5", "--S", "999B")
    assert answer["parameters"]["S"]["origin"] == "--S" and answer["lambda_L"] == 4, answer
    assert answer["overheads"][-1]["bytes"] == 100, "what is above S has the transfer in its overheads"
    answer = ask("tolerance", path, "--L", "3us", "--o", "1us", "--G", "1ns")
    assert {name: value["origin"] for name, value in answer["parameters"].items()} == {
        "L": "--L", "o": "--o", "G": "--G", "S": "default"}


def check_threshold():
    logp("jump.h5", eager=10000, sizes=[*SIZES[:-1], 20000, 40000, 100000])
    answer = ask("tolerance", schedule(50000), "--logp", "jump.h5")
    assert answer["parameters"]["S"]["value"] == 10000, answer["parameters"]
    assert "handshake" in answer["parameters"]["S"]["origin"] and answer["lambda_L"] == 4
    assert answer["overheads"][-1]["bytes"] == 10000
    # The largest message takes what it took.
    answer = ask("tolerance", schedule(100000), "--logp", "jump.h5")
    near(answer["runtime_s"], 20e-6 + message_s(100000) + 40e-6 + message_s(0))


def check_other_commands():
    path, T_s = schedule(5000), 20e-6 + message_s(5000) + message_s(0)
    near(ask("tolerance", path, "--logp", "logp.h5", "--solver", "clp")["runtime_s"], T_s)
    answer = ask("tolerance", "--pieces", path, "--logp", "logp.h5", "--L-min", "4us", "--L-max", "90us")
    near(answer["segments"][0]["runtime_lo_s"], T_s)
    assert "L" not in answer["parameters"]
    answer = ask("tolerance", path, "--logp", "logp.h5", "--critical-path")
    parts = ("compute_s", "overhead_s", "latency_s", "bandwidth_s")
    near(sum(step[part] for step in answer["critical_path"] for part in parts), T_s)
    near(sum(step["overhead_s"] for step in answer["critical_path"]),
         os_of(5000) + or_of(5000) + os_of(0) + or_of(0))
    subprocess.run([CROSSTALK, "tolerance", path, "--logp", "logp.h5", "--write-lp", "program.lp", "--quiet"], check=True, timeout=60)
    subprocess.run(["glpsol", "--lp", "program.lp", "-w", "program.raw"], check=True, timeout=60,
                   stdout=subprocess.DEVNULL)
    with open("program.raw", encoding="ascii") as lines:
        near(next(float(line.split()[-1]) for line in lines if line.startswith("s bas")), T_s * 1e9)


def check_impact():
    idle = np.array([9e-6, 10e-6, 11e-6, 10e-6] * 50)
    beside = 10e-6 + np.random.default_rng(3).exponential(5e-6, 4000)
    probe("idle.h5", idle)
    probe("beside.h5", beside, app="milc")
    path, alone_s = schedule(1000), 20e-6 + message_s(1000) + message_s(0)
    answer = ask("tolerance", path, "--logp", "logp.h5", "--impact", "beside.h5", "--idle", "idle.h5", "--seed", "1")
    effect, = answer["beside"]
    assert effect["with"] == "milc" and effect["samples"] == 4000
    near(effect["delta_L_s"], beside.mean() - idle.mean())
    near(effect["runtime_s"], alone_s + 2 * effect["delta_L_s"])
    near(effect["slowdown"], 2 * effect["delta_L_s"] / alone_s)
    near(effect["mean_slowdown"], effect["slowdown"], 1e-6)
    assert any(note.startswith(f"{path} tolerates") and "milc adds" in note for note in answer["notes"])
    runtimes = alone_s + 2 * (beside - idle.mean())
    for row in answer["runtime_quantiles"]:
        near(row["runtime_s"], np.quantile(runtimes, row["probability"]))
        assert row["runtime_ci_s"][0] <= row["runtime_s"] <= row["runtime_ci_s"][1]
    # The latencies are independent of each other: the interval is the textbook's.
    width = 2 * 1.645 * beside.std() / np.sqrt(len(beside))
    near(effect["delta_L_ci_s"][1] - effect["delta_L_ci_s"][0], width, 0.25)
    again = ask("tolerance", path, "--logp", "logp.h5", "--impact", "beside.h5", "--idle", "idle.h5", "--seed", "1")
    assert again == answer, "the same seed gives the same answer"


def check_one_sample():
    probe("one.h5", [17e-6], app="fft")
    answer = ask("tolerance", "message1000.goal", "--logp", "logp.h5", "--impact", "one.h5", "--idle", "idle.h5")
    near(answer["beside"][0]["delta_L_s"], 7e-6)
    assert answer["beside"][0]["delta_L_ci_s"] == [None, None]
    assert any("no intervals" in note for note in answer["notes"])
    answer = ask("tolerance", "message1000.goal", "--logp", "logp.h5", "--impact", "one.h5", "--idle", "beside.h5")
    assert any("labelled 'milc'" in note for note in answer["notes"])
    assert not any("network settings" in note for note in answer["notes"])
    for path, devices in (("one.h5", "eth1"), ("beside.h5", "eth0")):
        with h5py.File(path, "r+") as file:
            file.attrs["kernel"], file.attrs["env_UCX_NET_DEVICES"] = "Linux", devices
    answer = ask("tolerance", "message1000.goal", "--logp", "logp.h5", "--impact", "one.h5", "--idle", "beside.h5")
    assert any("UCX_NET_DEVICES is 'eth0' in beside.h5, 'eth1' in one.h5" in note for note in answer["notes"])


def check_campaign():
    """Idle 10 us, beside fft 20 us, beside milc 27 us; fft beside milc was measured at 1.55."""
    example.campaign("campaign")
    path, alone_s = schedule(1000), 20e-6 + message_s(1000) + message_s(0)
    asked = ("tolerance", path, "--logp", "logp.h5", "--campaign", "campaign", "--app", "fft")
    answer = ask(*asked)
    rows = {row["with"]: row for row in answer["beside"]}
    assert set(rows) == {"fft", "milc"}
    for name, added_s in (("fft", 10e-6), ("milc", 17e-6)):
        near(rows[name]["delta_L_s"], added_s)
        near(rows[name]["tolerated_s"], 0.05 * alone_s / 2)
        near(rows[name]["slowdown"], 2 * added_s / alone_s)
        assert rows[name]["within_tolerance"] == "no"
    near(rows["milc"]["measured"], 0.55)
    assert rows["fft"]["measured"] is None
    sentence = f"fft tolerates {0.05e6 * alone_s / 2:.4g} us more for 5 %, milc adds 17 us, so fft beside milc: " \
               f"predicted slowdown {200 * 17e-6 / alone_s:.3g} %"
    assert sentence in answer["notes"], answer["notes"]
    answer = ask(*asked[:-2], "--threshold", "300%")
    assert [row["within_tolerance"] for row in answer["beside"]] == ["yes", "yes"]
    assert all(row["measured"] is None for row in answer["beside"])
    table = subprocess.run([CROSSTALK, *asked, "--all"], check=True, text=True, capture_output=True, timeout=60).stdout
    assert sentence in " ".join(table.split()), table
    csv = subprocess.run([CROSSTALK, *asked, "--format", "csv"], check=True, text=True, capture_output=True,
                         timeout=60).stdout
    assert any(line.startswith("with,") or line.startswith("milc,") for line in csv.splitlines()), csv


def check_tolerates_anything():
    with open("alone.goal", "w", encoding="ascii") as out:
        out.write("num_ranks 1\nrank 0 {\na: calc 1000\n}\n")
    answer = ask("tolerance", "alone.goal", "--logp", "logp.h5", "--campaign", "campaign")
    assert all(row["slowdown"] == 0 and row["within_tolerance"] == "yes" for row in answer["beside"])
    assert any("tolerates any latency" in note for note in answer["notes"])


def check_errors():
    path, model = "message1000.goal", ("--L", "3us", "--o", "1us", "--G", "1ns")
    tolerance = ("tolerance", path)
    fails(1, "idle.h5: a run of kind impact; logpb", *tolerance, "--logp", "idle.h5")
    fails(1, "logp.h5: a run of kind logp; impactb", *tolerance, *model, "--impact", "logp.h5", "--idle", "idle.h5")
    fails(1, "nowhere.h5", *tolerance, "--logp", "nowhere.h5")
    fails(1, path, *tolerance, "--logp", path)
    fails(2, "--impact: needs --idle", *tolerance, *model, "--impact", "idle.h5")
    fails(2, "--idle: goes with", *tolerance, *model, "--idle", "idle.h5")
    fails(2, "--app: goes with", *tolerance, *model, "--app", "fft")
    fails(2, "give one of them", *tolerance, *model, "--impact", "idle.h5", "--idle", "idle.h5", "--campaign", "campaign")
    fails(2, "no 'lu'; there are: fft, milc", *tolerance, *model, "--campaign", "campaign", "--app", "lu")
    fails(1, "nowhere", *tolerance, *model, "--campaign", "nowhere")
    fails(1, "no traces there", "tolerance", "campaign", *model)
    os.remove("campaign/idle.h5")
    fails(1, "on the idle network", *tolerance, *model, "--campaign", "campaign")
    probe("none.h5", [])
    fails(1, "beside the other application", *tolerance, *model, "--impact", "none.h5", "--idle", "idle.h5")
    probe("nan.h5", [1e-6, np.nan])
    fails(1, "nan.h5", *tolerance, *model, "--impact", "nan.h5", "--idle", "idle.h5")
    probe("huge.h5", [1e300, 1e-6])
    fails(1, "huge.h5", *tolerance, *model, "--impact", "huge.h5", "--idle", "idle.h5")


def check_parameters_that_are_missing():
    tolerance = ("tolerance", "message1000.goal")
    logp("busy.h5", os_factor=9)
    fails(1, "give L", *tolerance, "--logp", "busy.h5")
    assert ask(*tolerance, "--logp", "busy.h5", "--L", "1us", "--G", "1ns")["parameters"]["L"]["origin"] == "--L"
    logp("small.h5", sizes=SIZES[:5])
    fails(1, "or give it (--G)", *tolerance, "--logp", "small.h5")
    near(ask(*tolerance, "--logp", "small.h5", "--G", "1ns")["parameters"]["L"]["value"], ORIGINAL["L"])
    logp("late.h5", sizes=SIZES[1:])
    fails(1, "late.h5: the round trip of an empty message", *tolerance, "--logp", "late.h5")
    with h5py.File("logp.h5", "a") as file:
        rows = file["logp"][:]
        rows["os_s"][3], rows["rtt_s"] = 2e3, 1e4
        del file["logp"]
        file["logp"] = rows
    fails(1, "more than 1000s", *tolerance, "--logp", "logp.h5")
    with h5py.File("logp.h5", "a") as file:
        rows = file["logp"][:]
        rows["os_s"] = np.nan
        del file["logp"]
        file["logp"] = rows
    fails(1, "no overhead", *tolerance, "--logp", "logp.h5")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (check_parameters, check_intervals, check_one_set, check_overrides, check_threshold, check_other_commands, check_impact,
                      check_one_sample, check_campaign, check_tolerates_anything, check_errors,
                      check_parameters_that_are_missing):
            check()
    print("measured parameters and latencies give what the formulas give")


if __name__ == "__main__":
    main()
