"""Run files as a Python user sees them:  h5py_reads.py RUN_FOR_H5PY"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from skip import skip_for_tool  # noqa: E402

try:
    import h5py
    import numpy as np
except ImportError as missing:
    skip_for_tool(f"{missing} (package python3-h5py)")

ATTRIBUTES = {
    "schema": np.integer, "tool": str, "version": str, "kind": str, "app": str, "with": str,
    "started_utc": str, "argv": str, "seed": np.uint64, "hosts": str, "mpi_library": str,
    "timer": str, "timer_resolution_s": np.float64, "zeta": str, "alpha_s": np.float64,
}
CONFIGURATION = {"config_P": np.integer, "config_M": np.integer, "config_B_s": np.float64}
FIELDS = {
    "impact": {
        "samples": {"t_s": "<f8", "latency_s": "<f8", "pair": "<u4", "late": "|u1", "sent_s": "<f8", "forward_s": "<f8",
                    "from_b": "|u1"},
        "pairs": {"rank_a": "<u4", "rank_b": "<u4", "host_a": "|S64", "host_b": "|S64", "path_class": "<u4"},
    },
    "runtime": {"runtimes": {"start_s": "<f8", "duration_s": "<f8"}},
    "compression": {"rounds": {"start_s": "<f8", "duration_s": "<f8", "bytes": "<u8"}},
    "logp": {
        "logp": {"bytes": "<u8", "os_s": "<f8", "or_s": "<f8", "g_s": "<f8", "rtt_s": "<f8",
                 "repetitions": "<u4", "os_lo_s": "<f8", "os_hi_s": "<f8", "or_lo_s": "<f8",
                 "or_hi_s": "<f8", "g_lo_s": "<f8", "g_hi_s": "<f8", "rtt_lo_s": "<f8",
                 "rtt_hi_s": "<f8", "or_expected_s": "<f8", "or_expected_lo_s": "<f8",
                 "or_expected_hi_s": "<f8", "rank_from": "<u4", "rank_to": "<u4", "method": "|u1"},
        "repetitions": {"bytes": "<u8", "messages": "<u4", "rank_from": "<u4", "rank_to": "<u4",
                        "quantity": "|u1", "value_s": "<f8"},
        "paths": {"rank_a": "<u4", "rank_b": "<u4", "path_class": "<u4"},
    },
}
ROWS = 5


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def check_run(group, kind):
    expected = dict(ATTRIBUTES)
    if kind != "logp":
        expected.update(CONFIGURATION)
    for name, kind_of_value in expected.items():
        check(isinstance(group.attrs[name], kind_of_value),
              f"{kind}: {name} is {type(group.attrs[name])}")
    check(group.attrs["schema"] == 1 and group.attrs["kind"] == kind, f"{kind}: schema or kind")
    check(group.attrs["with"] == "" and group.attrs["seed"] == 2**64 - 2, f"{kind}: with or seed")
    check(group.attrs["argv"] == "impactb --label 'größer als'", f"{kind}: text with umlauts")
    check(set(group) == set(FIELDS[kind]), f"{kind}: datasets are {list(group)}")
    for name, fields in FIELDS[kind].items():
        rows = group[name][:]
        found = {field: rows.dtype[field].str for field in rows.dtype.names}
        check(found == fields, f"{kind}: fields of {name} are {found}")
        check(rows.dtype.itemsize == sum(np.dtype(t).itemsize for t in fields.values()),
              f"{kind}: {name} has gaps")
        check(len(rows) == (3 if name in ("pairs", "paths") else ROWS), f"{kind}: {name} has {len(rows)} rows")
    if kind == "impact":
        check(np.allclose(group["samples"]["latency_s"], 1 / np.arange(1, ROWS + 1), rtol=0, atol=0),
              "latencies")
        check(group["samples"].compression == "gzip" and group["samples"].shuffle, "compression")
        check(group["pairs"]["host_a"][2] == b"h3", "host_a")


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], folder, str(ROWS)], check=True, timeout=30)
    for kind in FIELDS:
        with h5py.File(f"{folder}/{kind}.h5", "r") as file:
            check_run(file, kind)
    with h5py.File(f"{folder}/campaign.h5", "r") as file:
        check(file.attrs["schema"] == 1, "campaign: schema")
        check(list(file["runs"]) == ["0000", "0001", "0002", "0003"], "campaign: names of runs")
        for run in file["runs"].values():
            check_run(run, run.attrs["kind"])
print(f"h5py {h5py.__version__} reads every kind of run and a packed campaign")
