#!/usr/bin/python3
"""python_rows.py [SAMPLES [repeating]]: time from a run file to an array of numpy, by the package and by h5py, in turns.
Samples differ, or repeat those of a packed probe, which HDF5 unpacks quickly. A ratio, never asserted."""
import os
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

SOURCE = Path(os.environ.get("CROSSTALK_SOURCE", Path(__file__).parents[2]))
BUILD = Path(os.environ.get("CROSSTALK_BUILD", SOURCE / "build/dev"))
os.environ.setdefault("CROSSTALK_LIBRARY", str(BUILD / "libcrosstalk/libcrosstalk.so.0"))
sys.path.insert(0, str(SOURCE / "python"))
import crosstalk  # noqa: E402

CHUNK_ROWS = 32768  # CT_BLOCK_ROWS of results/schema.h


def make(path, n, repeating):
    """A probe as versions since 0.2 write it, with n samples, whose times are not those of others unless they repeat."""
    packed = SOURCE / "examples/codes8/campaign.h5"
    draws = np.random.default_rng(1)
    probe = next(run.path for run in crosstalk.RunList(packed) if run.kind == "impact")
    with h5py.File(packed) as source, h5py.File(path, "w") as file:
        group = source["runs/" + probe.rsplit(":", 1)[1]]
        for name, value in group.attrs.items():
            file.attrs[name] = value
        for name, rows in group.items():
            if name != "samples":
                source.copy(rows, file, name)
                continue
            more = np.resize(rows[()], n)
            if not repeating:
                more["t_s"] = np.arange(n) * 1e-3 + draws.uniform(0, 1e-4, n)
                more["sent_s"] = more["t_s"] + draws.exponential(1e-6, n)
                more["latency_s"] = draws.lognormal(-10, 0.5, n)
                more["forward_s"] = more["latency_s"] * draws.uniform(0.8, 1.2, n)
            file.create_dataset(name, data=more, chunks=(CHUNK_ROWS,), compression=rows.compression,
                                compression_opts=rows.compression_opts, shuffle=rows.shuffle)
            for key, value in rows.attrs.items():
                file[name].attrs[key] = value


def by_h5py(path):
    with h5py.File(path) as file:
        return file["samples"][()]


def by_crosstalk(path):
    return crosstalk.Run(path).samples


n_samples = int(sys.argv[1]) if len(sys.argv) > 1 else 10**7
with tempfile.TemporaryDirectory() as folder:
    run = os.path.join(folder, "run.h5")
    make(run, n_samples, sys.argv[2:] == ["repeating"])
    times = {by_h5py: [], by_crosstalk: []}
    for _ in range(5):
        for read, of in times.items():
            begin = time.process_time()
            rows = read(run)
            of.append(time.process_time() - begin)
            assert len(rows) == n_samples
    least = {read: min(of) for read, of in times.items()}
    print(f"{n_samples} samples: h5py {least[by_h5py]:.3f} s, crosstalk {least[by_crosstalk]:.3f} s of processor time: "
          f"{least[by_crosstalk] / least[by_h5py]:.2f} times")
