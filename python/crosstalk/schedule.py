"""Run time of a program as a function of the network's latency."""
from __future__ import annotations

import ctypes
import math
from typing import Any, List, NamedTuple, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import _c
from ._core import (Array, Block, Handle, Path, call_stoppable, doubles, encode, encode_or_none, texts, values)


class Parameters(NamedTuple):
    """LogGPS parameters. NaN or None: not given, and taken from a run of logpb, if there is one.

    A message of s bytes, B = max(s - 1, 0): it arrives o + L + B G after its send has begun, and the receiver spends
    o on it. One of more than S bytes waits until its receive is posted (S_bytes; without a run 256 KiB).
    serialize: one operation at a time on a CPU of a rank; serialize_nic: one message at a time leaves its NIC.
    Source: struct crosstalk_parameters."""

    L_s: float = math.nan
    o_s: float = math.nan
    G_s_per_byte: float = math.nan
    S_bytes: Optional[int] = None
    logp: Optional[Path] = None
    serialize: bool = False
    serialize_nic: bool = False
    threads: int = 1

    def _struct(self) -> Any:
        return _c.struct["parameters"](self.L_s, self.o_s, self.G_s_per_byte, self.S_bytes is not None,
                                       self.S_bytes or 0, encode_or_none(self.logp), self.serialize,
                                       self.serialize_nic, self.threads)


class Point(NamedTuple):
    """T at one latency: runtime_s; lambda_L = dT/dL, messages on the critical path (at a critical latency the right
    derivative); lambda_G = dT/dG, bytes on it; rho_L = lambda_L L / T; lambda_L does not change from L_lo_s to L_hi_s
    (inf: no end). Source: struct crosstalk_point."""

    runtime_s: float
    lambda_L: float
    lambda_G: float
    rho_L: float
    L_lo_s: float
    L_hi_s: float


class Schedule(Handle):
    """The operations of each rank of a program (calculate, send, receive), and their dependencies.

    path: a schedule in GOAL, text or binary, or a folder of traces. compute_scale: factor for the time between calls
    of traces. collectives: algorithms, a text for each, "allreduce=recursive-doubling,ring@64KiB".
    Error: ENOENT, EFORMAT (with line and column, or rank and event), EINVAL, ENODATA (the trace of a rank is
    missing), EUNSUPPORTED, EIO, ENOMEM. Source: crosstalk_schedule_open()."""

    _close_name = "schedule_close"

    def __init__(self, path: Path, *, compute_scale: float = 1.0, collectives: Sequence[str] = ()) -> None:
        super().__init__()
        self._path = path
        rules = (ctypes.c_char_p * (len(collectives) + 1))(*[one.encode() for one in collectives], None)
        conversion = _c.struct["conversion"](compute_scale, rules)
        self._open("schedule_open", encode(path), ctypes.byref(conversion))

    def __repr__(self) -> str:
        return f"Schedule({str(self._path)!r}{'' if self._pointer else ', closed'})"

    @property
    def ranks(self) -> int:
        return int(_c.library.crosstalk_schedule_ranks(self._handle))

    @property
    def operations(self) -> int:
        """Of all ranks: calculations, sends, receives."""
        return int(_c.library.crosstalk_schedule_operations(self._handle))

    @property
    def notes(self) -> List[str]:
        """Parts of the traces that the schedule leaves out."""
        return texts(_c.library.crosstalk_schedule_note_count(self._handle),
                     lambda i: _c.library.crosstalk_schedule_note(self._handle, i))

    def curve(self, parameters: Parameters = Parameters(), **changes: Any) -> Curve:
        """T(L), with all other parameters fixed. `curve(logp=path)` is `curve(Parameters(logp=path))`."""
        return Curve(self, parameters._replace(**changes))

    def pair_lambdas(self, pairs: Path, *, ranks_per_node: int = 1, L_node_s: float = math.nan,
                     G_node_s_per_byte: float = math.nan) -> Array:
        """What each pair of nodes counts for in T, [n]: from, to (nodes), messages, L_s, o_s, G_s_per_byte,
        lambda_L = dT/dL and lambda_G = dT/dG of this pair. pairs: run of `logpb --pairs`.
        Error: EINVAL (a run of another kind, too many ranks), ENODATA, ENOENT, EFORMAT, ENOMEM.
        Source: crosstalk_pair_lambdas()."""
        network = _c.struct["network"](None, math.nan, math.nan, L_node_s, G_node_s_per_byte, ranks_per_node)
        rows, n = ctypes.POINTER(_c.struct["pair_lambda"])(), ctypes.c_size_t()
        call_stoppable("pair_lambdas", self._handle, encode(pairs), ctypes.byref(network), ctypes.byref(rows),
                       ctypes.byref(n), ctypes.byref(ctypes.c_double()))
        return Block().take(rows, n.value)


class Curve(Handle):
    """T(L) of a schedule: convex and piecewise linear, exact. Latencies are within 0..1000 s.

    Error: EINVAL (a parameter that is missing or not allowed; operations that wait for each other in a cycle), what
    reading the run of logpb returns, ENOMEM. Source: crosstalk_curve_new()."""

    _close_name = "curve_close"

    def __init__(self, schedule: Schedule, parameters: Parameters) -> None:
        super().__init__()
        self._open("curve_new", schedule._handle, ctypes.byref(parameters._struct()))

    @property
    def parameters(self) -> Parameters:
        """Those in use. L_s: as given, else as measured, else NaN; o_s: NaN if overheads are by message size."""
        of = _c.struct["parameters"]()
        _c.library.crosstalk_curve_parameters(self._handle, ctypes.byref(of))
        return Parameters(of.L_s, of.o_s, of.G_s_per_byte, of.S_bytes, None, of.serialize, of.serialize_nic,
                          of.threads)

    def at(self, L_s: float) -> Point:
        """T and its derivatives at a latency. Error: EINVAL, ENOMEM. Source: crosstalk_curve_at()."""
        found = _c.struct["point"]()
        call_stoppable("curve_at", self._handle, L_s, ctypes.byref(found))
        return Point(*values(found))

    def __call__(self, L_s: npt.ArrayLike) -> Array:
        """T in seconds at latencies in seconds: an array of their shape, computed from the pieces."""
        L = np.asarray(L_s, dtype=float)
        if L.size == 0:
            return L.copy()
        lo, hi = float(L.min()), float(L.max())
        pieces = self.pieces(lo, hi if hi > lo else lo + 1e-9)
        i = np.maximum(np.searchsorted(pieces["L_lo_s"], L, side="right") - 1, 0)  # L_lo_s is rounded
        found: Array = pieces["runtime_lo_s"][i] + pieces["lambda_L"][i] * (L - pieces["L_lo_s"][i])
        return found

    def pieces(self, L_lo_s: float, L_hi_s: float) -> Array:
        """All pieces of T between two latencies, [n], from left to right: L_lo_s, L_hi_s, runtime_lo_s = T(L_lo_s),
        lambda_L. Two meet at a critical latency. Error: EINVAL, ENOMEM. Source: crosstalk_curve_pieces()."""
        rows, n = ctypes.POINTER(_c.struct["piece"])(), ctypes.c_size_t()
        call_stoppable("curve_pieces", self._handle, L_lo_s, L_hi_s, ctypes.byref(rows), ctypes.byref(n))
        return Block().take(rows, n.value)

    def _tolerances(self, name: str, L_s: float, longer: Sequence[float]) -> Array:
        asked = doubles(longer)
        found = (ctypes.c_double * len(asked))()
        call_stoppable(name, self._handle, L_s, asked, len(asked), found)
        return np.array(found)

    def tolerance(self, L_s: float, longer: Sequence[float] = (0.01, 0.02, 0.05)) -> Array:
        """Largest latency, s, at which T is at most (1 + longer) T(L_s), [n]; inf: T never becomes so much longer.
        Error: EINVAL, ENOMEM. Source: crosstalk_curve_tolerance()."""
        return self._tolerances("curve_tolerance", L_s, longer)

    def gap_tolerance(self, L_s: float, longer: Sequence[float] = (0.01, 0.02, 0.05)) -> Array:
        """The same along G: largest time a byte, s, with the latency L_s, [n].
        Source: crosstalk_curve_gap_tolerance()."""
        return self._tolerances("curve_gap_tolerance", L_s, longer)
