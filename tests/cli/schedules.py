#!/usr/bin/python3
"""crosstalk predict by schedules of the applications, against formulas by hand."""
import json
import os
import shutil
import subprocess
import tempfile

import campaign_example as example
import h5py
import measured
import numpy as np

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
MODELS = ["lp", "packets"]
MODEL = ["--L", "10us", "--o", "1us", "--G", "2ns"]
NETWORK = """switches:
- {name: s, nodes: "a,b", rate: 1gbit}
- {name: t, nodes: "c,d", rate: 1gbit}
links:
- {from: s, to: t, rate: 1gbit}
"""
MESSAGES, CALC_S, BYTES = 2000, 1e-3, 1001
SHARED = 0.2  # what two streams of one node have ready is one queue: who begins first is served first


def chain(path, messages=MESSAGES, size=BYTES):
    """Two ranks that compute in turn, with a message between them each time."""
    sides = {0: [], 1: []}
    for i in range(messages):
        sender = i % 2
        sides[sender] += [f"c{i}: calc {round(CALC_S * 1e9)}", f"s{i}: send {size}b to {1 - sender} tag 0",
                          f"s{i} requires c{i}"]
        if i > 0:
            sides[sender].append(f"c{i} requires r{i - 1}")
        sides[1 - sender].append(f"r{i}: recv {size}b from {sender} tag 0")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        out.write("num_ranks 2\n")
        for rank, lines in sides.items():
            out.write(f"rank {rank} {{\n" + "\n".join(lines) + "\n}\n")


def stream(path, messages=50, size=100001):
    """One rank sends to the other without a pause."""
    sides = [f"s{i}: send {size}b to 1 tag 0" for i in range(messages)]
    sides += [f"s{i} requires s{i - 1}" for i in range(1, messages)]
    taken = [f"r{i}: recv {size}b from 0 tag 0" for i in range(messages)]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        out.write("num_ranks 2\nrank 0 {\n" + "\n".join(sides) + "\n}\nrank 1 {\n" + "\n".join(taken) + "\n}\n")


def runtime_s(L_s, G_s=2e-9):
    return MESSAGES * (CALC_S + 2e-6 + L_s + (BYTES - 1) * G_s)


def run(*words):
    return subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=60, check=False)


def answer(*words):
    """Of all models, unless words say otherwise."""
    if words[0] == "predict" and "--models" not in words:
        words = (*words, "--models", "all")
    done = run(*words, "--format", "json", "--seed", "1")
    assert done.returncode == 0, f"{words}: exit {done.returncode}, {done.stderr}"
    return json.loads(done.stdout)


def fails(code, text, *words):
    done = run(*words)
    assert done.returncode == code and text in done.stderr, (words, done.returncode, done.stderr)


def near(got, expected, tolerance=1e-9):
    assert got is not None and abs(got - expected) <= tolerance, f"{got}, not {expected}"


def pairs_of(got):
    return {(pair["app"], pair["with"]): pair for pair in got["pairs"]}


def check_none(folder):
    """Without a schedule nobody sees these models, but who asks for them is told why."""
    got = answer("predict", folder)
    assert not any(model in pair["predicted"] for pair in got["pairs"] for model in MODELS), got
    got = answer("predict", folder, "--models", "lp")
    assert all(pair["predicted"]["lp"] is None for pair in got["pairs"]), got
    assert any("not available (4 predictions)" in note for note in got["notes"]), got["notes"]
    got = answer("predict", folder, "--explain", "fft+milc")
    flags = {row["model"]: row["flag"] for row in got["answers"]}
    assert all(flags[model] == "not available" for model in MODELS) and flags["queue"] == "", flags
    assert "no schedule" in got["schedule"][0]["why"] and "fft.goal" in got["schedule"][0]["why"], got


def check_formula(folder):
    """lp is the formula."""
    chain(f"{folder}/schedules/fft.goal")
    got = answer("predict", folder, *MODEL, "--confidence", "0.5")
    pairs, dL_s = pairs_of(got), {"milc": 17e-6, "fft": 10e-6}
    for with_, delay_s in dL_s.items():
        pair = pairs["fft", with_]
        expected = runtime_s(10e-6 + delay_s) / runtime_s(10e-6) - 1
        near(pair["predicted"]["lp"], expected)
        lo, hi = pair["predicted_ci"]["lp"]
        assert lo <= hi, pair
        assert pairs["milc", with_]["predicted"]["lp"] is None, pairs
    assert got["errors"]["lp"]["pairs"] == 1 and got["errors"]["queue"]["pairs"] == 2, got["errors"]
    assert answer("predict", folder, *MODEL, "--confidence", "0.5")["pairs"] == got["pairs"]  # repeatable
    three = answer("predict", folder, *MODEL, "--with", "milc,fft", "--models", "lp")["pairs"][0]
    near(three["predicted"]["lp"], sum(runtime_s(10e-6 + d) / runtime_s(10e-6) - 1 for d in dL_s.values()))


def check_explanation(folder):
    got = answer("predict", folder, *MODEL, "--explain", "fft+milc", "--models", "lp")
    row = got["schedule"][0]
    assert row["ranks"] == 2 and row["operations"] == 3 * MESSAGES and row["why"] == "", row
    near(row["runtime_s"], runtime_s(10e-6))
    near(row["baseline_s"], 2.2)
    assert got["parameters"]["G"]["origin"] == "--G", got["parameters"]
    assert got["candidates"] == [], got["candidates"]


def check_mean(folder):
    """Half of the probes wait: the mean delay counts."""
    path = f"{folder}/half.h5"
    values = np.where(np.arange(200) // 20 % 2 == 0, 1e-9, 40e-6) + measured.example.latencies(10)
    measured.probe(path, values, app="milc")
    os.remove(f"{folder}/milc.h5")
    extra_s = values.mean() - measured.example.latencies(10).mean()
    got = answer("predict", folder, *MODEL, "--explain", "fft+milc", "--models", "lp")
    used = {row["name"]: row for row in got["co_runners"]}["milc"]["waiting_utilization"]
    assert 0.3 < used < 0.7, used
    answers = {row["model"]: row["predicted"] for row in got["answers"]}
    near(answers["lp"], runtime_s(10e-6 + extra_s) / runtime_s(10e-6) - 1)


def check_parameters(folder):
    """From the campaign's own logp run, unless given."""
    got = answer("predict", folder, "--models", "lp", "--explain", "fft+milc")
    assert "logp: idle" in got["schedule"][0]["why"], got["schedule"]
    fails(2, "--o DURATION is missing", "predict", folder, "--L", "1us")
    fails(2, "--L", "predict", folder, "--L", "soon", "--o", "1us", "--G", "1ns")
    measured.logp(f"{folder}/beside.h5")
    with measured.h5py.File(f"{folder}/beside.h5", "r+") as file:
        file.attrs["app"] = "milc"
    got = answer("predict", folder, "--models", "lp", "--explain", "fft+milc")
    assert "logp: idle" in got["schedule"][0]["why"], got["schedule"]
    measured.logp(f"{folder}/logp.h5")
    got = answer("predict", folder, "--models", "lp", "--explain", "fft+milc")
    near(got["parameters"]["L"]["value"], measured.ORIGINAL["L"], 1e-12)
    assert "logp.h5" in got["parameters"]["L"]["origin"], got["parameters"]
    assert got["answers"][-1]["predicted"] > 0.005, got["answers"]
    got = answer("predict", folder, "--models", "lp", "--explain", "fft+milc", "--L", "3us")
    near(got["parameters"]["L"]["value"], 3e-6, 1e-15)


def check_probe_alone(folder, work):
    """No CompressionB run and no baseline: idle network, co-runners' probes, schedule."""
    alone = os.path.join(work, "alone")
    os.makedirs(alone)
    for name in ("idle.h5", "half.h5", "fft.h5"):
        shutil.copy(f"{folder}/{name}", alone)
    fails(1, "CompressionB", "predict", alone)
    got = answer("predict", alone, "--schedules", f"{folder}/schedules", *MODEL, "--models", "lp")
    pair = pairs_of(got)["fft", "milc"]
    assert pair["predicted"]["lp"] > 0.01 and pair["measured"] is None, pair
    assert pair["predicted_ci"]["lp"] == [None, None], pair  # nothing tells how far the model is off
    advice = run("predict", alone, "--groups", "2", "--schedules", f"{folder}/schedules", *MODEL, "--models", "lp", "--jobs",
                 "fft,fft")
    assert advice.returncode == 0, advice.stderr


def check_paths(two):
    """Streams on nodes of their own meet where their paths do: half of the link for each."""
    both = ["simulate", *two, *MODEL, "--S", "1GiB", "--format", "json", "--topology", "tree:2x2", "--rate", "1gbit"]
    for hosts, uplink, slowdown in (("n0,n2 n1,n3", "1gbit", 1), ("n0,n2 n1,n3", "2gbit", 0),
                                    ("n[0-1] n[2-3]", "1gbit", 0), ("n0,n2 n3,n1", "1gbit", 0)):
        done = run(*both, "--uplink", uplink, "--hosts", hosts)
        assert done.returncode == 0, done.stderr
        got = json.loads(done.stdout)
        for program in got["programs"]:
            near(program["slowdown"], slowdown, SHARED * slowdown + 3e-3)
        busy = {(link["from"], link["to"]): link["busy_frac"] for link in got["links"]}
        assert ("leaf0", "spine0") in busy or hosts == "n[0-1] n[2-3]", busy
        near(busy["n0", "leaf0"], 0.5 if slowdown else 1, SHARED * slowdown / 2 + 3e-3)


def check_network(folder, work):
    """Runs that record a tree and their hosts: what is simulated meets where the paths do."""
    streams, tree = os.path.join(work, "streams"), os.path.join(work, "tree")
    stream(f"{streams}/fft.goal")
    stream(f"{streams}/milc.goal")
    facts = {"topology": "tree:2x2,1", "node_bit_per_s": 1e9, "uplink_bit_per_s": 1e9}

    def ask(hosts, beside=None, **changes):
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(folder, tree)
        for name in os.listdir(tree):
            if name.endswith(".h5"):
                with h5py.File(os.path.join(tree, name), "r+") as file:
                    file.attrs.update({**facts, **changes, "hosts": hosts[file.attrs["app"] == "milc"]})
                    if beside:
                        file.attrs["placement_with_hosts"] = beside
        done = run("predict", tree, "--schedules", streams, *MODEL, "--S", "1GiB", "--models", "packets",
                   "--format", "json", "--seed", "1")
        assert done.returncode == 0, done.stderr
        got = json.loads(done.stdout)
        assert "assume one" not in done.stdout, got["notes"]  # with all schedules the links are known
        pairs, asked = pairs_of(got), (("fft", "milc"), ("milc", "fft"), ("fft", "fft"))
        return [pairs[pair]["predicted"]["packets"] for pair in asked], done.stderr

    def expect(slowdowns, *about, **changes):
        for got, slowdown in zip(ask(*about, **changes)[0], slowdowns):
            near(got, slowdown, SHARED)

    expect([1, 1, 1], ("h1 h3", "h2 h4"))
    expect([0, 0, 1], ("h1 h3", "h2 h4"), uplink_bit_per_s=2e9)
    expect([0, 0, 1], ("h1 h2", "h3 h4"))
    expect([0, 0, 1], ("a b", "c d"), topology="net.yaml", topology_text=NETWORK)
    # What is beside another program is elsewhere, whatever its own baseline says.
    expect([1, 1, 1], ("h1 h3", "h1 h3"), "h2 h4")
    expect([0, 0, 0], ("h1 h2", "h1 h2"), "h3 h4")
    # The same without several switches: the two sides of a placement.
    for fact in ("topology", "node_bit_per_s", "uplink_bit_per_s"):
        del facts[fact]
    expect([0, 0, 0], ("a b", "a b"), "c d")
    expect([1, 1, 1], ("a b", "a b"), "a b")
    expect([1, 1, 1], ("a b", "c d"))  # without sides all are on the same nodes, as always
    facts.update(topology="tree:2x2,1", node_bit_per_s=1e9, uplink_bit_per_s=1e9)
    # On one switch the two meet on all nodes; why it is taken for one is said.
    for changes, why in (({"node_bit_per_s": 0.0}, "rates of its links"),
                         ({"topology": "tree:1x2,1"}, "no node is called h3")):
        slowdowns, said = ask(("h1 h3", "h2 h4"), **changes)
        near(slowdowns[0], 1, SHARED)
        assert "takes the network tree" in said and why in said, said


def check_run_times(ask):
    """Run times alone, then together: 2.2 s alone as measured, and what the links take in simulations."""
    got = answer(*ask, "--run-times")
    alone_s = 50 * 200e-6 + 12e-6
    times = {(row["app"], row["with"]): row for row in got["run_times"]}
    pairs = pairs_of(got)

    def with_pair(app, with_):
        return pairs[app, with_]["predicted"]["packets"] if with_ else 0
    assert list(times)[:2] == [("fft", ""), ("milc", "")] and len(times) == 2 + 4, times
    for (app, with_), row in times.items():
        measured_s = {"": 2.2, "fftmilc": 2.2 * 1.55, "milcfft": 2.2 * 1.05}.get(with_ and app + with_)
        simulated_s = row["run_time_s"]["packets"]
        near(simulated_s, (1 + with_pair(app, with_)) * times[app, ""]["run_time_s"]["packets"], 1e-9)
        near(simulated_s, 2 * alone_s if with_ else alone_s, 0.25 * alone_s)
        if measured_s is None:
            assert row["measured_s"] is None and row["error"]["packets"] is None, row
        else:
            near(row["measured_s"], measured_s)
            near(row["error"]["packets"], simulated_s / measured_s - 1)
    for row, (together, n) in zip(got["run_time_errors"], (("alone", 2), ("together", 2))):
        errors = [time["error"]["packets"] for time in times.values()
                  if (time["with"] != "") == (together == "together") and time["measured_s"]]
        assert (row["model"], row["programs"], row["run_times"]) == ("packets", together, n), row
        near(row["rms"], (sum(e * e for e in errors) / n) ** 0.5)
        near(row["mean"], sum(errors) / n)
        near(row["largest"], max(map(abs, errors)))
    fails(2, "--run-times", *ask[:-1], "lp", "--run-times")
    fails(2, "--run-times", *ask, "--run-times", "--explain", "fft+milc")


def check_together(folder, work):
    """Two streams over one link take twice as long, three three times; who computes is not slowed."""
    together = os.path.join(work, "together")
    stream(f"{together}/fft.goal")
    stream(f"{together}/milc.goal")
    ask = ["predict", folder, "--schedules", together, *MODEL, "--S", "1GiB", "--models", "packets"]
    pairs = pairs_of(answer(*ask))
    for pair in pairs.values():
        near(pair["predicted"]["packets"], 1, SHARED)
    near(answer(*ask, "--with", "milc,fft")["pairs"][0]["predicted"]["packets"], 2, 2 * SHARED)
    assert answer(*ask)["pairs"] == list(pairs.values())  # repeatable
    two = [f"{together}/fft.goal", f"{together}/milc.goal"]
    done = run("simulate", *two, *MODEL, "--S", "1GiB", "--format", "json")
    assert done.returncode == 0, done.stderr
    for program in json.loads(done.stdout)["programs"]:
        near(program["alone_s"], 50 * 200e-6 + 12e-6)
        near(program["slowdown"], 1, SHARED)
        near(program["runtime_s"], (1 + program["slowdown"]) * program["alone_s"])
    check_paths(two)
    check_run_times(ask)
    with open(f"{together}/milc.goal", "w", encoding="ascii") as out:
        out.write("num_ranks 1\nrank 0 {\nc: calc 1000000\n}\n")
    pairs = pairs_of(answer(*ask))
    near(pairs["fft", "milc"]["predicted"]["packets"], 0)
    near(pairs["milc", "fft"]["predicted"]["packets"], 0)
    near(pairs["milc", "milc"]["predicted"]["packets"], 0)
    # Programs that differ slow each other alike, whichever of them is asked about.
    chain(f"{together}/milc.goal", 30, 60001)
    pairs = pairs_of(answer(*ask))
    for app, with_ in (("fft", "milc"), ("milc", "fft")):
        told, = [row for row in answer(*ask, "--explain", f"{app}+{with_}")["answers"] if row["model"] == "packets"]
        assert told["predicted"] == pairs[app, with_]["predicted"]["packets"], (app, told, pairs)
    # It knows co-runners by what they send: nobody has to have probed beside them.
    unprobed = os.path.join(work, "unprobed")
    shutil.copytree(folder, unprobed)
    os.remove(f"{unprobed}/half.h5")
    got = pairs_of(answer("predict", unprobed, *ask[2:]))
    for pair, found in got.items():
        near(found["predicted"]["packets"], pairs[pair]["predicted"]["packets"])
    os.remove(f"{together}/milc.goal")
    got = answer(*ask)
    pairs = pairs_of(got)
    near(pairs["fft", "fft"]["predicted"]["packets"], 1, SHARED)
    assert pairs["fft", "milc"]["predicted"]["packets"] is None and pairs["milc", "fft"]["predicted"]["packets"] is None
    assert any("not available (3 predictions)" in note for note in got["notes"]), got["notes"]


def check_uncertain(work):
    """What logpb does not know: the interval of T, where nothing is shared, and none where nothing is drawn."""
    path = os.path.join(work, "uncertain", "chain.goal")
    chain(path, 40)
    logp = ["--logp", os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", "codes8", "logp.h5")]
    found = {}
    for network in ("alpha-beta", "packet"):
        got = json.loads(run("simulate", path, *logp, "--network", network, "--draws", "200", "--format", "json").stdout)
        row, = got["uncertainty"]
        assert any("200 replicates" in note for note in got["notes"]), got["notes"]
        assert row["alone_ci"] == row["runtime_ci"] and row["slowdown_ci"] == [0, 0], row
        found[network] = row["alone_ci"]
    lo, hi = json.loads(run("tolerance", path, *logp, "--format", "json").stdout)["runtime_ci_s"]
    assert lo < hi, (lo, hi)
    for got in found.values():
        near(got[0], lo, 0.1 * (hi - lo))
        near(got[1], hi, 0.1 * (hi - lo))
    # Two programs that share the link: alone the same.
    for network in ("alpha-beta", "packet"):
        got = json.loads(run("simulate", path, path, *logp, "--network", network, "--draws", "100", "--format", "json").stdout)
        for row in got["uncertainty"]:
            near(row["alone_ci"][0], lo, 0.2 * (hi - lo))
            near(row["alone_ci"][1], hi, 0.2 * (hi - lo))
            assert row["runtime_ci"][0] >= (1 - 1e-9) * row["alone_ci"][0], row
    got = json.loads(run("simulate", path, *logp, "--L", "1us", "--G", "2ns", "--o", "1us", "--network", "packet",
                         "--format", "json").stdout)
    assert "uncertainty" not in got, got
    got = json.loads(run("simulate", *["alltoall:128,rounds=8"] * 2, *logp, "--network", "alpha-beta", "--format", "json").stdout)
    assert "uncertainty" not in got and any("too large" in note for note in got["notes"]), got["notes"]


def check_bad(folder, work):
    """A schedule of no use is named; a folder that was asked for must be there."""
    bad = os.path.join(work, "bad")
    os.makedirs(bad)
    with open(f"{bad}/fft.goal", "w", encoding="ascii") as out:
        out.write("num_ranks 2\nrank 0 {\na: send 1b to 1 tag 0\n}\nrank 1 {\n}\n")
    got = answer("predict", folder, "--schedules", bad, *MODEL, "--explain", "fft+milc")
    assert "no matching receive" in got["schedule"][0]["why"], got["schedule"]
    assert {row["model"]: row for row in got["answers"]}["queue"]["predicted"] > 0, got
    fails(1, "no such folder", "predict", folder, "--schedules", f"{bad}/none", *MODEL)
    binary = os.path.join(work, "binary")
    os.makedirs(binary)
    done = run("goal", f"{folder}/schedules/fft.goal", "--output", f"{binary}/fft.bin")
    assert done.returncode == 0, done.stderr
    got = answer("predict", folder, "--schedules", binary, *MODEL, "--explain", "fft+milc", "--models", "lp")
    assert got["schedule"][0]["schedule"].endswith("fft.bin") and got["answers"][-1]["predicted"] > 0, got


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "campaign")
        example.campaign(folder)
        check_none(folder)
        check_formula(folder)
        check_explanation(folder)
        check_mean(folder)
        check_parameters(folder)
        check_probe_alone(folder, work)
        check_together(folder, work)
        check_network(folder, work)
        check_uncertain(work)
        check_bad(folder, work)
    print("all answers are right")


if __name__ == "__main__":
    main()
