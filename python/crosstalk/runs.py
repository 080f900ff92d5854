"""Run files, one by one or all of a campaign."""
from __future__ import annotations

from typing import Any, Iterator, List, Optional

from . import _c
from ._core import Array, Handle, Path, decode, encode, texts, to_frame


class Run(Handle):
    """A run file, or a run of a packed campaign ("campaign.h5:NNNN"). It does not change once it is open.

    Arrays view the library's memory: a row for each measurement, in the order of the file, and empty where runs of
    this kind have none. Units are in the names: seconds, bytes.
    Error: ENOENT, EFORMAT (no run file, damaged, another schema), EIO, ENOMEM.
    Source: crosstalk_run_open()."""

    _close_name = "run_close"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._open("run_open", encode(path))

    def __repr__(self) -> str:
        return f"Run({self.path!r})" if self._pointer else "Run(closed)"

    def _text(self, what: str) -> str:
        return decode(getattr(_c.library, "crosstalk_run_" + what)(self._handle))

    @property
    def path(self) -> str:
        """Where the run was read from."""
        return self._text("path")

    @property
    def kind(self) -> str:
        """"impact" (samples, pairs), "compression" (rounds), "runtime" (passes), "logp" or "scan" (a round of `crosstalk scan`)."""
        return _c.KIND[_c.library.crosstalk_run_kind(self._handle)]

    @property
    def app(self) -> str:
        """The application beside the probe, or that was timed; "": the idle network."""
        return self._text("app")

    @property
    def beside(self) -> str:
        """The co-runners of the timed application, "B" or "B,C"; "": none. Source: crosstalk_run_with()."""
        return self._text("with")

    @property
    def config(self) -> str:
        """The configuration of CompressionB: "4:1:10ms" for 4 partners, 1 message and a pause of 10 ms; "": none."""
        return self._text("config")

    def text(self, name: str) -> Optional[str]:
        """An attribute that is a text: "tool", "version", "started_utc", "argv", "hosts", "mpi_library", "timer", ...
        None: there is none of that name, or it is a number."""
        found = _c.library.crosstalk_run_text(self._handle, name.encode())
        return None if found is None else decode(found)

    def number(self, name: str) -> float:
        """An attribute that is a number: "seed", "timer_resolution_s", ... NaN: there is none, or it is a text."""
        return float(_c.library.crosstalk_run_number(self._handle, name.encode()))

    @property
    def samples(self) -> Array:
        """Latencies of a probe, [n]: time_s (when it was due, since the run's start), latency_s (half the round
        trip), pair (row of pairs), late (1: sent later than it was due). Source: struct crosstalk_sample."""
        return self._rows("run_samples")

    @property
    def pairs(self) -> Array:
        """Ranks that probe each other, [n]: rank_a, rank_b, host_a, host_b. Source: struct crosstalk_pair."""
        return self._rows("run_pairs")

    @property
    def passes(self) -> Array:
        """Passes of an application, or its whole run, [n]: start_s, duration_s. Source: struct crosstalk_pass."""
        return self._rows("run_passes")

    @property
    def rounds(self) -> Array:
        """What all ranks of compressionb sent, [n]: start_s, duration_s, bytes. Source: struct crosstalk_round."""
        return self._rows("run_rounds")

    @property
    def logp(self) -> Array:
        """Parameterized LogP, [n]: bytes, rank_from, rank_to, repetitions, saturation, and with value, lo and hi of a
        95 % interval send_overhead_s, receive_overhead_s, receive_expected_s, gap_s, round_trip_s.
        Source: struct crosstalk_logp."""
        return self._rows("run_logp")

    def to_dataframe(self, rows: Optional[str] = None) -> Any:
        """A pandas.DataFrame of "samples", "pairs", "passes", "rounds" or "logp"; None: what this kind of run has."""
        own = {"impact": "samples", "compression": "rounds", "runtime": "passes", "logp": "logp"}
        return to_frame(getattr(self, rows or own[self.kind]))


class _Listed(Run):
    """A run of a list: it belongs to the list, has attributes, and no rows."""

    def __init__(self, owner: RunList, i: int) -> None:
        Handle.__init__(self)
        self._owner, self._i = owner, i

    @property
    def _handle(self) -> int:
        return int(_c.library.crosstalk_run_list_item(self._owner._handle, self._i))

    def __repr__(self) -> str:
        return f"Run({self.path!r})"

    def close(self) -> None:
        """Nothing: the list closes it."""


class RunList(Handle):
    """All runs of a campaign, by path, with their attributes and without their rows: Run(list[i].path) reads these.

    path: a folder with run files (in it, or in its folder "runs"), a packed campaign, a folder that holds one, or a
    run file.
    Error: ENOENT, ENODATA (no run in the folder), EFORMAT, EIO, ENOMEM. Source: crosstalk_run_list_open()."""

    _close_name = "run_list_close"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._open("run_list_open", encode(path))

    def __len__(self) -> int:
        return int(_c.library.crosstalk_run_list_count(self._handle))

    def __iter__(self) -> Iterator[Run]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> Run:
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"run {i}: there are {n}")
        return _Listed(self, i % n)

    @property
    def rejected(self) -> List[str]:
        """Files that end in .h5 and could not be read: "path: why"."""
        return texts(_c.library.crosstalk_run_list_rejected_count(self._handle),
                     lambda i: _c.library.crosstalk_run_list_rejected(self._handle, i))

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame: a row for each run, with path, kind, app, beside, config and started_utc."""
        import pandas

        names = ("path", "kind", "app", "beside", "config")
        return pandas.DataFrame([{**{name: getattr(run, name) for name in names},
                                  "started_utc": run.text("started_utc")} for run in self])
