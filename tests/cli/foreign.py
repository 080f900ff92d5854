#!/usr/bin/python3
"""Run files that others wrote: what h5py and MATLAB make of the same values is read as ours are, and what a
field cannot hold is refused with its name."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
sys.path.insert(2, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests", "cli"))
from skip import skip_for_tool  # noqa: E402

try:
    import h5py
    import numpy as np
except ImportError as missing:
    skip_for_tool(f"{missing} (package python3-h5py)")

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
EXAMPLES = os.path.join(os.environ["CROSSTALK_BUILD"], "tests", "run_for_h5py")
KINDS = {"impact": ["samples", "pairs"], "runtime": ["runtimes"], "compression": ["rounds"],
         "logp": ["logp", "repetitions", "paths"]}


def crosstalk(*words):
    return subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=60, check=False)


def answer(*words):
    done = crosstalk(*words)
    assert done.returncode == 0, f"crosstalk {' '.join(words)}: {done.stderr}"
    return done.stdout


def rows_of(path, dataset):
    lines = answer("export", path, "--dataset", dataset, "--format", "csv").splitlines()
    return [line for line in lines if not line.startswith("#")]


# ---- fields: a numpy type for that of a field ----

def is_text(kind):
    return kind.kind == "S"


def is_small(kind):
    return kind.kind == "u" and kind.itemsize < 8


def retype(change):
    return lambda rows: rows.astype([(name, change(rows.dtype[name])) for name in rows.dtype.names])


def variable_texts(rows):
    kinds = [(name, h5py.string_dtype() if is_text(rows.dtype[name]) else rows.dtype[name]) for name in rows.dtype.names]
    return rows.astype(kinds)


def h5py_booleans(rows):
    flags = ("late", "method")
    return rows.astype([(name, bool if name in flags else rows.dtype[name]) for name in rows.dtype.names])


def with_unknown_fields(rows):
    names = rows.dtype.names[::-1]
    wide = np.zeros(len(rows), [("note", "S7"), *[(name, rows.dtype[name]) for name in names], ("temperature", "<f4", 3)])
    for name in names:
        wide[name] = rows[name]
    return wide


def without_optional(rows):
    names = [name for name in rows.dtype.names if name not in ("late", "sent_s", "forward_s", "from_b")]
    return rows[names].astype([(name, rows.dtype[name]) for name in names])


WAYS = {
    "as it is": {},
    "big-endian": {"rows": retype(lambda kind: kind.newbyteorder(">"))},
    # bytes hold 2^64 - 1 here, which neither of these does.
    "doubles": {"rows": retype(lambda kind: np.dtype("<f8") if is_small(kind) else kind)},
    "long integers": {"rows": retype(lambda kind: np.dtype(">i8") if is_small(kind) else kind)},
    "long texts": {"rows": retype(lambda kind: np.dtype("S300") if is_text(kind) else kind)},
    "texts that fill their room": {"rows": retype(lambda kind: np.dtype("S63") if is_text(kind) else kind)},
    "texts of any length": {"rows": variable_texts},
    "booleans": {"rows": h5py_booleans},
    "other fields, another order": {"rows": with_unknown_fields},
    "a column": {"shape": (-1, 1)},
    "a row": {"shape": (1, -1)},
    "in chunks": {"storage": {"chunks": True, "compression": "gzip", "fletcher32": True}},
    "a column in chunks": {"shape": (-1, 1), "storage": {"chunks": (2, 1), "maxshape": (None, 1), "compression": "gzip"}},
    "numpy's attributes": {"text": lambda text: np.bytes_(text.encode())},
    "MATLAB's attributes": {"text": lambda text: np.array([text.encode()]), "number": lambda value: np.array([[float(value)]])},
    "the oldest format": {"libver": "earliest"},
    "the newest format": {"libver": "latest"},
}


PACKED = ("other fields, another order", "texts of any length", "a row", "MATLAB's attributes")


def rewrite(source, target, rows=lambda rows: rows, shape=None, storage=None, text=str, number=lambda value: value,
            libver="earliest"):
    with h5py.File(source) as old, h5py.File(target, "w", libver=libver) as new:
        for name, value in old.attrs.items():
            # 2^64 - 2 is not a double.
            value = text(value) if isinstance(value, str) else number(7 if name == "seed" else value)
            new.attrs[name] = value
        for name in old:
            made = rows(old[name][()])
            made = made.reshape(shape) if shape else made
            new.create_dataset(name, data=made, **(storage or {}))


def space_padded(path, dataset, field, width):
    """Fortran's texts: h5py makes none by itself."""
    with h5py.File(path, "r+") as file:
        rows = file[dataset][()]
        kind = h5py.h5t.create(h5py.h5t.COMPOUND, rows.dtype.itemsize - rows.dtype[field].itemsize + width)
        at, wide = 0, []
        for name in rows.dtype.names:
            member = h5py.h5t.py_create(rows.dtype[name])
            if name == field:
                member = h5py.h5t.C_S1.copy()
                member.set_size(width)
                member.set_strpad(h5py.h5t.STR_SPACEPAD)
            kind.insert(name.encode(), at, member)
            wide.append((name, f"S{width}" if name == field else rows.dtype[name]))
            at += member.get_size()
        filled = rows.astype(wide)
        filled[field] = [text.ljust(width) for text in rows[field]]
        del file[dataset]
        written = h5py.h5d.create(file.id, dataset.encode(), kind, h5py.h5s.create_simple((len(rows),)))
        written.write(h5py.h5s.ALL, h5py.h5s.ALL, filled, kind)


def refused(path, *words):
    done = crosstalk("export", path, "--dataset", "samples")
    assert done.returncode == 1, f"{path}: exit code {done.returncode}"
    assert path in done.stderr and all(word in done.stderr for word in words), done.stderr


def change(source, target, dataset, edit):
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        for name, value in old.attrs.items():
            new.attrs[name] = value
        for name in old:
            new[name] = edit(old[name][()]) if name == dataset else old[name][()]


def set_value(field, kind, value):
    def edit(rows):
        other = rows.astype([(name, kind if name == field else rows.dtype[name]) for name in rows.dtype.names])
        other[field][3 % len(rows)] = value
        return other
    return edit


def main():
    subprocess.run([EXAMPLES, ".", "5"], check=True, timeout=30)
    for kind, datasets in KINDS.items():
        own = {dataset: rows_of(f"{kind}.h5", dataset) for dataset in datasets}
        for way, words in WAYS.items():
            rewrite(f"{kind}.h5", "foreign.h5", **words)
            for dataset in datasets:
                assert rows_of("foreign.h5", dataset) == own[dataset], f"{kind}, {way}: {dataset}"
            assert answer("show", "foreign.h5"), way
            if way not in PACKED:
                continue
            # Packed and listed, it is the same.
            os.mkdir("folder")
            os.rename("foreign.h5", "folder/foreign.h5")
            answer("export", "folder", "-o", "packed.h5")
            for dataset in datasets:
                assert rows_of("packed.h5:0000", dataset) == own[dataset], f"{kind}, {way}, packed"
            with h5py.File("packed.h5") as packed:
                unknown = set(packed["runs/0000"][datasets[0]].dtype.names) >= {"note", "temperature"}
                assert unknown == (way == "other fields, another order"), "unknown fields are kept"
            os.remove("packed.h5")
            os.remove("folder/foreign.h5")
            os.rmdir("folder")
    change("impact.h5", "spaces.h5", "", None)
    space_padded("spaces.h5", "pairs", "host_a", 64)
    space_padded("spaces.h5", "pairs", "host_b", 70)
    assert rows_of("spaces.h5", "pairs") == rows_of("impact.h5", "pairs"), "texts filled up with spaces"
    change("impact.h5", "old.h5", "samples", without_optional)
    assert len(rows_of("old.h5", "samples")) == 6, "late, sent_s, forward_s and from_b are optional"
    with h5py.File("logp.h5") as old, h5py.File("plain.h5", "w") as new:
        for name, value in old.attrs.items():
            new.attrs[name] = value
        names = ["bytes", "os_s", "or_s", "g_s", "rtt_s", "repetitions"]
        rows = old["logp"][()][names]
        new["logp"] = rows.astype([(name, rows.dtype[name]) for name in names])
    assert len(rows_of("plain.h5", "logp")) == 6, "a logp file with the fields of the schema only"

    # What a field cannot hold does not become something else.
    for field, kind, value in [("pair", "<i8", -1), ("pair", "<i8", 2**32), ("pair", "<f8", 0.5), ("pair", "<f8", np.nan),
                               ("late", "<i4", 300)]:
        change("impact.h5", "bad.h5", "samples", set_value(field, kind, value))
        refused("bad.h5", "/samples", "outside the range")
    change("impact.h5", "bad.h5", "samples", set_value("late", "<i4", 2))
    refused("bad.h5", "/samples: row 3: late is 2")
    change("impact.h5", "bad.h5", "pairs", set_value("host_a", "S300", b"x" * 64))
    refused("bad.h5", "/pairs: row 0: host_a has 64 bytes, more than 63")
    change("impact.h5", "bad.h5", "pairs", set_value("host_a", h5py.string_dtype(), "x" * 100))
    refused("bad.h5", "/pairs: row 0: host_a has 100 bytes")
    numbers = [("rank_a", "<u4"), ("rank_b", "<u4"), ("host_a", "<f8"), ("host_b", "S4")]
    change("impact.h5", "bad.h5", "pairs", lambda rows: np.zeros(3, numbers))
    refused("bad.h5", "/pairs: field 'host_a' is not a text")


def unreadable_files_are_named():
    """Where a run is missing because its file is damaged, and where nothing is missing."""
    from campaign_example import campaign  # needs h5py
    campaign("whole")
    with open("whole/cut.h5", "wb") as cut, open("whole/fft.h5", "rb") as good:
        cut.write(good.read()[:-100])
    campaign("broken")
    with open("broken/idle.h5", "r+b") as idle:
        idle.truncate(1000)
    with open("broken/text.h5", "w", encoding="utf-8") as text:
        text.write("no HDF5")
    for folder, files in [("whole", ["cut.h5"]), ("broken", ["idle.h5", "text.h5"])]:
        asked = [["predict", folder, "--no-cache"], ["predict", folder, "--no-cache", "--groups", "2"],
                 ["predict", folder], ["predict", folder]]  # the last one from the cache
        for words in [*asked, ["show", folder], ["export", folder], ["pack", folder, "-o", "p.h5"],
                      ["report", folder, "-o", f"{folder}.html"]]:
            done = crosstalk(*words)
            expected = words[0] == "pack"
            assert done.returncode == expected, f"{words}: {done.returncode}, {done.stderr}"
            for file in files[:1] if words[0] == "predict" else files:  # and "1 more"
                assert f"{folder}/{file}: " in done.stdout + done.stderr, f"{words}: {file}: {done.stdout}{done.stderr}"
    # The reason why there is nothing to predict is in one line.
    for name in ("fft-beside-milc.h5", "milc-beside-fft.h5"):
        os.unlink(f"broken/{name}")
    done = crosstalk("predict", "broken", "--no-cache")
    assert done.returncode == 1, done.stdout
    last = done.stderr.splitlines()[-1]
    assert "no probe run on the idle network" in last and "broken/idle.h5: " in last and "(and 1 file" in last, last


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    main()
    unreadable_files_are_named()
