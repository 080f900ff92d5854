"""Arrays, handles, errors, help; numbers that the commands print, those that take seconds in test_long.py."""
import gc
import inspect
import math

import numpy as np
import pytest

import crosstalk
from conftest import SOURCE, digits


@pytest.fixture
def packed(lab8):
    return f"{lab8}/campaign.h5"


def probe_of(packed):
    return next(run.path for run in crosstalk.RunList(packed) if run.kind == "impact")


# ---- arrays and handles ----

def test_an_array_views_the_memory_and_keeps_it(packed):
    run = crosstalk.Run(probe_of(packed))
    samples = run.samples
    assert samples.ctypes.data == run.samples.ctypes.data and not samples.flags.writeable and len(samples) > 100
    with pytest.raises(ValueError):
        samples.flags.writeable = True
    latencies, mean = samples["latency_s"][::2], samples["latency_s"][::2].mean()
    del samples, run
    gc.collect()
    assert latencies.mean() == mean


def test_closing_with_live_views_is_an_error(packed):
    run = crosstalk.Run(probe_of(packed))
    part = run.samples["time_s"][1:]
    with pytest.raises(BufferError, match="1 array of this Run still in use"):
        run.close()
    assert part[0] == run.samples["time_s"][1]
    del part
    run.close()
    run.close()
    with pytest.raises(ValueError, match="closed"):
        run.samples
    with pytest.raises(BufferError), crosstalk.Run(probe_of(packed)) as other:
        kept = other.pairs
    assert len(kept) > 0


@pytest.mark.slow
def test_memory_is_freed(packed):
    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1])
    path = probe_of(packed)
    for i in range(300):
        crosstalk.Run(path).samples
        if i == 100:
            before = resident()
    assert resident() - before < 1000  # pages; the samples of 200 runs have more


def test_rows_are_those_of_the_file(packed):
    h5py = pytest.importorskip("h5py")
    path = probe_of(packed)
    run = crosstalk.Run(path)
    with h5py.File(packed) as file:
        group = file["runs/" + path.rsplit(":", 1)[1]]
        rows = group["samples"][()]
        assert run.text("hosts") == group.attrs["hosts"].decode() if isinstance(group.attrs["hosts"], bytes) else True
    assert np.array_equal(run.samples["latency_s"], rows["latency_s"])
    assert math.isnan(run.number("hosts")) and run.text("none of this name") is None


@pytest.mark.slow
def test_frames(packed):
    pandas = pytest.importorskip("pandas")
    run = crosstalk.Run(probe_of(packed))
    frame = run.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame["latency_s"].mean() == run.samples["latency_s"].mean()
    assert run.to_dataframe("pairs")["host_a"][0] == run.pairs["host_a"][0].decode()
    listed = crosstalk.RunList(packed)
    assert len(listed.to_dataframe()) == len(listed) == len(list(listed))
    logp = [one.path for one in listed if one.kind == "logp"]
    assert logp == [] or "gap_s_value" in crosstalk.Run(logp[0]).to_dataframe()
    assert list(crosstalk.Topology("tree:2x4").to_dataframe()["from"][:2]) == ["n0", "n1"]


# ---- errors ----

@pytest.mark.parametrize("attempt, status, text", [
    (lambda lab8: crosstalk.Run("no/such.h5"), "ENOENT", "no/such.h5"),
    (lambda lab8: crosstalk.Run(lab8 / "README.md"), "EFORMAT", "README.md"),
    (lambda lab8: crosstalk.Schedule(lab8 / "README.md"), "EFORMAT", "README.md"),
    (lambda lab8: crosstalk.Schedule(lab8 / "traces/milc").curve(), "EINVAL", "o is missing"),
    (lambda lab8: crosstalk.Topology("tree:0x4"), "EINVAL", "tree"),
    (lambda lab8: crosstalk.Topology("tree:2x4").route(0, 99), "EINVAL", "99"),
    (lambda lab8: crosstalk.simulate(crosstalk.Schedule(lab8 / "traces/milc")), "EINVAL", "missing"),
    (lambda lab8: crosstalk.simulate(), "EINVAL", "0 programs"),
    (lambda lab8: crosstalk.place(crosstalk.Schedule(lab8 / "traces/milc"), crosstalk.Topology("tree:2x4"), o_s=1e-6,
                                  G_s_per_byte=1e-9), "EINVAL", "wire_s"),
])
def test_errors_have_the_text_of_the_library(lab8, attempt, status, text):
    with pytest.raises(crosstalk.Error, match=text) as failed:
        attempt(lab8)
    assert failed.value.status == status


def test_a_path_is_not_cut_at_a_byte_0(lab8):
    with pytest.raises(ValueError, match="byte 0"):
        crosstalk.Campaign(f"{lab8}\0.h5")


def test_names_that_are_not_there(lab8):
    with pytest.raises(KeyError, match="no node 'x'"):
        crosstalk.Topology("tree:2x4").route("x", 1)
    with pytest.raises(IndexError):
        crosstalk.RunList(lab8)[10**6]


def test_help_says_units_errors_and_source():
    for name in crosstalk.__all__:
        thing = getattr(crosstalk, name)
        assert thing.__doc__ and len(thing.__doc__) > 40, name
        if inspect.isclass(thing) and issubclass(thing, crosstalk._core.Handle) or inspect.isfunction(thing):
            assert "Source:" in thing.__doc__ or "Error:" in thing.__doc__, name
        for own, member in vars(thing).items() if inspect.isclass(thing) else ():
            if not own.startswith("_") and callable(getattr(member, "fget", member)) and own not in ("ranks",):
                if not isinstance(getattr(thing, "_fields", None), tuple) and not own.startswith("n_"):
                    assert inspect.getdoc(getattr(thing, own)), f"{name}.{own}"


# ---- numbers ----

def test_T_is_what_the_command_prints(lab8, command):
    said = command("tolerance", lab8 / "traces/lulesh", "--logp", lab8 / "logp.h5")
    curve = crosstalk.Schedule(lab8 / "traces/lulesh").curve(logp=lab8 / "logp.h5")
    point, L_s = curve.at(curve.parameters.L_s), curve.parameters.L_s
    assert digits(L_s) == digits(said["L_s"])
    assert digits(*point[:4]) == digits(*[said[key] for key in ("runtime_s", "lambda_L", "lambda_G", "rho_L")])
    assert digits(*curve.tolerance(L_s)) == digits(*[row["L_s"] for row in said["tolerance"]])
    pieces = curve.pieces(0, 1e-4)
    assert np.all(np.diff(pieces["lambda_L"]) > 0) and pieces["L_hi_s"][-1] == 1e-4
    assert curve([L_s, 2 * L_s]) == pytest.approx([curve.at(L_s).runtime_s, curve.at(2 * L_s).runtime_s], rel=1e-12)
    assert curve(L_s).shape == () and curve(np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.slow
def test_along_G_is_what_the_command_prints(lab8, command):
    said = command("tolerance", lab8 / "traces/milc", "--logp", lab8 / "logp.h5", "--along", "G")
    curve = crosstalk.Schedule(lab8 / "traces/milc").curve(logp=lab8 / "logp.h5")
    assert digits(*curve.gap_tolerance(curve.parameters.L_s)) == \
        digits(*[row["G_s_per_byte"] for row in said["tolerance"]])


@pytest.mark.parametrize("words, given", [
    ([], {}),
    (["--topology", "tree:2x4", "--rate", "100mbit", "--hosts", "n[0-7] n[1-7],n0"],
     {"topology": "tree:2x4", "hosts": ["n[0-7]", "n[1-7],n0"]}),
    (["--topology", "tree:2x4", "--rate", "100mbit", "--wire", "1us", "--switch", "2us", "--ranks-per-node", "2"],
     {"topology": "tree:2x4", "wire_s": 1e-6, "switch_s": 2e-6, "ranks_per_node": 2}),
])
def test_simulations_are_what_the_command_prints(lab8, command, words, given):
    programs = [lab8 / "traces" / name for name in ("milc", "fft")]
    said = command("simulate", *programs, "--logp", lab8 / "logp.h5", "--draws", 2, *words)
    if "topology" in given:
        given = {**given, "topology": crosstalk.Topology(given["topology"], rate_bit_per_s=1e8)}
    found = crosstalk.simulate(*map(crosstalk.Schedule, programs), logp=lab8 / "logp.h5", threads=2, **given)
    for one, program, part in zip(found, said["programs"], said["breakdown"]):
        assert digits(*one[:3]) == digits(program["alone_s"], program["runtime_s"], program["slowdown"])
        assert digits(*one[3:]) == digits(*[part[key] for key in ("no_network_s", "none_s", "compute_s", "stack_s",
                                                                  "sync_s", "network_s")])


def test_a_topology_is_what_the_command_prints(command):
    said = command("topology", "fat-tree:4", "--rate", "10gbit", "--links")
    topology = crosstalk.Topology("fat-tree:4", rate_bit_per_s=1e10)
    distances = topology.distances()
    assert (topology.n_nodes, topology.n_switches) == (said["n_nodes"], said["n_switches"])
    assert digits(distances.mean_switches, distances.bisection_links, distances.bisection_bit_per_s) == \
        digits(said["mean_switches"], said["bisection_links"], said["bisection_bit_per_s"])
    assert distances.most_switches == max(row["switches"] for row in said["hops"])
    names = topology.names
    assert [(names[row["from"]], names[row["to"]], row["rate_bit_per_s"]) for row in topology.links] == \
        [(row["from"], row["to"], row["rate_bit_per_s"]) for row in said["links"]]
    way = command("topology", "fat-tree:4", "--route", "n0,n15")["route"]
    ends = [{names[topology.links[i]["from"]], names[topology.links[i]["to"]]} for i in topology.route("n0", "n15")]
    assert ends == [{row["from"], row["to"]} for row in way]
    assert len(topology.route(3, 3)) == 0


@pytest.mark.slow
def test_a_placement_is_what_the_command_prints(lab8, command):
    said = command("place", lab8 / "traces/lulesh", "--topology", "tree:2x4", "--wire", "274ns", "--switch", "108ns",
                   "--logp", lab8 / "logp.h5", "--seed", 7, "--evaluations", 500)
    found = crosstalk.place(crosstalk.Schedule(lab8 / "traces/lulesh"), crosstalk.Topology("tree:2x4"),
                            logp=lab8 / "logp.h5", wire_s=274e-9, switch_s=108e-9, seed=7, evaluations=500)
    assert list(found.nodes) == [row["node"] for row in said["mapping"]]
    assert digits(*found[1:]) == digits(said["before_s"], said["after_s"], said["bound_s"], said["evaluations"])


@pytest.mark.slow
def test_lambdas_of_pairs_are_what_the_command_prints(tmp_path, monkeypatch, command):
    monkeypatch.syspath_prepend(str(SOURCE / "tests/cli"))
    pairs = pytest.importorskip("pairs")
    path = pairs.write(str(tmp_path / "pairs.h5"), range(8), pairs.uneven)
    given = {"ranks_per_node": 2, "L_node_s": 400e-9, "G_node_s_per_byte": 1e-10}
    said = command("tolerance", pairs.HALO, "--pairs", path, "--ranks-per-node", 2, "--L-node", "400ns", "--G-node",
                   "0.1ns")
    found = crosstalk.Schedule(pairs.HALO).pair_lambdas(path, **given)
    keys = ("L_s", "o_s", "G_s_per_byte", "lambda_L", "lambda_G")
    assert {(row["from"], row["to"]): digits(row["messages"], *[row[key] for key in keys]) for row in found} == \
        {(row["from"], row["to"]): digits(row["messages"], *[row[key] for key in keys]) for row in said["pairs"]}
    assert len(found) > 8 and not found.flags.writeable


@pytest.mark.slow
def test_slowdowns_are_what_the_command_prints(lab8, command):
    said = command("predict", lab8, "--no-cache", "--models", "queue", "--seed", 1)
    frame = crosstalk.predict(lab8, model="queue")
    campaign = crosstalk.Campaign(lab8)
    pairs = [pair for pair in said["pairs"] if (pair["app"], pair["with"]) in frame]  # others are beside two
    assert len(pairs) == len(frame) == 36
    for pair in pairs:
        found = frame[pair["app"], pair["with"]]
        assert digits(campaign.measured(pair["app"], pair["with"]), *found[:3]) == \
            digits(pair["measured"], pair["predicted"]["queue"], *pair["predicted_ci"]["queue"])
    loads = {row["name"]: row for row in said["loads"] if row["what"] == "application"}
    for app in campaign.apps:
        load = campaign.load(app)
        keys = ("latencies", "mean_latency_s", "utilization", "calibrated_utilization", "waiting_utilization",
                "mixture_utilization", "true_utilization")
        assert digits(*load) == digits(*[loads[app][key] for key in keys])
