"""A campaign whose right answers are known, for the tests of commands.

Builds run files with h5py, so that the reader is checked against the schema as documented, not
against the project's own writer. Is skipped where h5py is not installed.
"""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from skip import skip_for_tool  # noqa: E402

try:
    import h5py
    import numpy as np
except ImportError as missing:
    skip_for_tool(f"{missing} (package python3-h5py)")

COMMON = {
    "schema": 1, "tool": "test", "version": "0", "started_utc": "2026-01-01T00:00:00Z", "argv": "-",
    "seed": 0, "hosts": "a b", "mpi_library": "-", "timer": "-", "timer_resolution_s": 1e-9,
}
SAMPLE = np.dtype([("t_s", "f8"), ("latency_s", "f8"), ("pair", "u4"), ("late", "u1")])
PAIR = np.dtype([("rank_a", "u4"), ("rank_b", "u4"), ("host_a", "S64"), ("host_b", "S64")])
PASS = np.dtype([("start_s", "f8"), ("duration_s", "f8")])
CONFIGS = [(1, 1, 9.615384e-6), (1, 10, 9.615384e-6), (4, 1, 96.15384e-6)]
CONFIG_LATENCY_US = [14, 20, 40]
# Pooled passes: the mean is 2.2 s; the mean of the runs' means would be 2.3 s. They vary so much that this
# is no drift.
ALONE_S = [[1.2, 2.8] * 5, [2.0, 3.2, 2.6, 2.1, 3.1]]
CONFIG_SLOWDOWN = {"fft": [0.1, 0.3, 0.9], "milc": [0.0, 0.05, 0.2]}


def write(path, kind, app="", co_runner="", config=None):
    file = h5py.File(path, "w")
    for name, value in {**COMMON, "kind": kind, "app": app, "with": co_runner}.items():
        file.attrs[name] = value
    if config:
        for name, value in zip(("config_P", "config_M", "config_B_s"), config):
            file.attrs[name] = value
    return file


def latencies(mean_us, n=200):
    """Smoothed noise about the mean: neighbours are alike, as on a real network."""
    noise = np.random.default_rng(7).standard_normal(n + 9)
    wave = np.convolve(noise, np.ones(10) / 10, "valid")
    return (mean_us + (0.5 if mean_us < 12 else 2) * (wave - wave.mean())) * 1e-6


def write_pairs(file):
    file["pairs"] = np.array([(0, 1, b"a", b"b")], PAIR)


def impact(path, mean_us, order=None, **what):
    values = latencies(mean_us)
    rows = np.zeros(len(values), SAMPLE)
    rows["t_s"] = 0.1 * np.arange(len(values))
    rows["latency_s"] = values
    with write(path, "impact", **what) as file:
        file["samples"] = rows if order is None else rows[order]
        write_pairs(file)


def runtime(path, durations_s, **what):
    rows = np.zeros(len(durations_s), PASS)
    rows["duration_s"] = durations_s
    rows["start_s"] = np.cumsum(durations_s) - durations_s
    with write(path, "runtime", **what) as file:
        file["runtimes"] = rows


def campaign(folder, order=None):
    def name(text):
        return os.path.join(folder, text + ".h5")

    os.makedirs(folder)
    impact(name("idle"), 10, order)
    for c, config in enumerate(CONFIGS):
        impact(name(f"config{c}"), CONFIG_LATENCY_US[c], order, config=config)
    with open(os.path.join(folder, "config1.ports.json"), "w", encoding="utf-8") as side:
        json.dump({"busy_fraction_mean": 0.25, "busy_fraction_max": 0.5}, side)
    impact(name("fft"), 20, order, app="fft")
    impact(name("milc"), 27, order, app="milc")
    for app, slowdowns in CONFIG_SLOWDOWN.items():
        for number, durations_s in enumerate(ALONE_S):
            runtime(name(f"{app}-alone-{number + 1}"), durations_s, app=app)
        for c, slowdown in enumerate(slowdowns):
            partners, messages, bubble_s = CONFIGS[c]
            # A pause given in cycles is timed anew in every run: 0.02 % off is the same one.
            config = (partners, messages, bubble_s * (1.0002 if c == 1 else 1))
            runtime(name(f"{app}-config{c}"), [2.2 * (1 + slowdown)] * 4, app=app, config=config)
    runtime(name("fft-beside-milc"), [2.2 * 1.5, 2.2 * 1.6], app="fft", co_runner="milc")
    runtime(name("milc-beside-fft"), [2.2 * 1.05] * 3, app="milc", co_runner="fft")


def many_programs(folder, names):
    """Each program is slowed beside each, by 1 % to 20 %, and less under configurations."""
    impact(f"{folder}/idle.h5", 10)
    for i, config in enumerate(CONFIGS):
        impact(f"{folder}/config-{i}.h5", 14 + 10 * i, config=config)
    for a, name in enumerate(names):
        impact(f"{folder}/probe-{a}.h5", 15 + a, app=name)
        runtime(f"{folder}/alone-{a}.h5", [1.0, 1.01], app=name)
        for i, config in enumerate(CONFIGS):
            runtime(f"{folder}/{a}-config-{i}.h5", [1.1 + i * a / 20, 1.11 + i * a / 20], app=name, config=config)
        for b, other in enumerate(names):
            runtime(f"{folder}/{a}-{b}.h5", [1 + 0.01 * (a + b), 1.01 + 0.01 * (a + b)], app=name, co_runner=other)
