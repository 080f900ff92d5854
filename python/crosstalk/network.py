"""Networks of switches, programs that share one, and ranks on its nodes."""
from __future__ import annotations

import ctypes
import math
from typing import Any, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _c
from ._core import Array, Block, Handle, Path, call, call_stoppable, encode, encode_or_none, to_frame, values
from .schedule import Parameters, Schedule


class Distances(NamedTuple):
    """How far apart nodes are: switches between two of them (of very many, of evenly spaced ones), and the least cut
    between the first half of the nodes and the second, NaN: a rate is not known. Source: struct crosstalk_distances."""

    mean_switches: float
    most_switches: int
    bisection_links: int
    bisection_bit_per_s: float


class Topology(Handle):
    """Nodes, switches and links with static routes.

    text: "switch:N", "tree:4x4", "fat-tree:8", "dragonfly:9,4,2", "torus:4x4", or a file: crosstalk-topology(1).
    rate_bit_per_s, uplink_bit_per_s: of links that have none there; uplinks are those between switches. NaN: not known.
    Vertices are numbered: nodes, then switches.
    Error: EINVAL, ENOENT, EFORMAT (with the line), ENODATA (no node), EIO, ENOMEM. Source: crosstalk_topology_open()."""

    _close_name = "topology_close"

    def __init__(self, text: Path, *, rate_bit_per_s: float = math.nan, uplink_bit_per_s: float = math.nan) -> None:
        super().__init__()
        self._text = text
        self._open("topology_open", encode(text), rate_bit_per_s, uplink_bit_per_s)

    def __repr__(self) -> str:
        return f"Topology({str(self._text)!r}{'' if self._pointer else ', closed'})"

    @property
    def n_nodes(self) -> int:
        return int(_c.library.crosstalk_topology_nodes(self._handle))

    @property
    def n_switches(self) -> int:
        return int(_c.library.crosstalk_topology_switches(self._handle))

    @property
    def names(self) -> List[str]:
        """Of all nodes, then of all switches."""
        return [_c.library.crosstalk_topology_name(self._handle, i).decode()
                for i in range(self.n_nodes + self.n_switches)]

    @property
    def links(self) -> Array:
        """All of them, [n]: from, to (vertices), rate_bit_per_s, latency_s (NaN: not known). A view of the library's memory.
        Source: struct crosstalk_link."""
        return self._rows("topology_links")

    def _node(self, node: Union[int, str]) -> int:
        if isinstance(node, int):
            return node
        names = self.names[:self.n_nodes]
        if node not in names:
            raise KeyError(f"no node '{node}' in {self._text}")
        return names.index(node)

    def route(self, start: Union[int, str], end: Union[int, str]) -> Array:
        """Links that messages from one node to another pass, [n] numbers of rows of links, in their order.
        Error: EINVAL (no such node), ENODATA (no route), ENOMEM. Source: crosstalk_topology_route()."""
        rows, n = ctypes.POINTER(ctypes.c_uint32)(), ctypes.c_size_t()
        call("topology_route", self._handle, self._node(start), self._node(end), ctypes.byref(rows), ctypes.byref(n))
        return Block().take(rows, n.value)

    def distances(self) -> Distances:
        """Error: ENODATA (fewer than two nodes), ENOMEM. Source: crosstalk_topology_distances()."""
        found = _c.struct["distances"]()
        call("topology_distances", self._handle, ctypes.byref(found))
        return Distances(*values(found))

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame of the links, with names in place of numbers."""
        frame, names = to_frame(self.links), np.array(self.names)
        return frame.assign(**{"from": names[frame["from"]], "to": names[frame["to"]]})


class Simulated(NamedTuple):
    """Times of a program, the mean of its passes: alone_s; runtime_s beside the others; slowdown_frac; no_network_s
    alone without a network; none_s without the costs of MPI, too; and the means of its ranks when it runs with the
    others: compute_s, stack_s (the software of MPI), sync_s (waiting for other ranks), network_s.
    Source: struct crosstalk_simulated."""

    alone_s: float
    runtime_s: float
    slowdown_frac: float
    no_network_s: float
    none_s: float
    compute_s: float
    stack_s: float
    sync_s: float
    network_s: float


def simulate(*programs: Schedule, parameters: Parameters = Parameters(), topology: Optional[Topology] = None,
             hosts: Optional[Sequence[str]] = None, ranks_per_node: int = 1, wire_s: float = math.nan,
             switch_s: float = math.nan, **changes: Any) -> List[Simulated]:
    """Simulate 1 to 16 programs together on a network of packets with LogGPS costs: one result each.

    topology: None: one switch. hosts: nodes of each program, "n[0-3],n8"; None: all begin with the first node.
    wire_s, switch_s: latency of each link and switch, in place of L. `logp=path`, `L_s=...` and the like change
    parameters; serialize is not used.
    Error: EINVAL, EUNSUPPORTED (too large; latencies of links in a file), ENODATA (no route), ENOMEM.
    Source: crosstalk_simulate(), crosstalk-simulate(1)."""
    if hosts is not None and len(hosts) != len(programs):
        raise ValueError(f"hosts: {len(hosts)} lists for {len(programs)} programs")
    asked = (_c.struct["program"] * len(programs))(
        *[(program._handle, encode_or_none(hosts[i] if hosts else None)) for i, program in enumerate(programs)])
    network = _c.struct["network"](topology._handle if topology else None, wire_s, switch_s, 0, 0, ranks_per_node)
    found = (_c.struct["simulated"] * len(programs))()
    call_stoppable("simulate", asked, len(programs), ctypes.byref(parameters._replace(**changes)._struct()),
                   ctypes.byref(network), found)
    return [Simulated(*values(one)) for one in found]


class Placement(NamedTuple):
    """Where ranks run best: nodes, [ranks], the node of each; T in blocks before_s, of these nodes after_s; no mapping
    is below bound_s; evaluations of T. Source: struct crosstalk_placement."""

    nodes: Array
    before_s: float
    after_s: float
    bound_s: float
    evaluations: int


def place(schedule: Schedule, topology: Topology, *, parameters: Parameters = Parameters(),
          wire_s: float = math.nan, switch_s: float = math.nan, ranks_per_node: int = 1, L_node_s: float = 0.0,
          G_node_s_per_byte: float = 0.0, evaluations: int = 0, seed: int = 1, **changes: Any) -> Placement:
    """Search the nodes of the ranks with the least T. wire_s and switch_s are needed, unless the run of logpb has
    classes of paths. evaluations: at most about so many; 0: as many as take seconds. The same seed, the same nodes.
    Error: EINVAL (parameters, no room for all ranks), ENODATA (no route), ENOMEM.
    Source: crosstalk_place(), crosstalk-place(1)."""
    network = _c.struct["network"](topology._handle, wire_s, switch_s, L_node_s, G_node_s_per_byte, ranks_per_node)
    nodes, found = np.zeros(schedule.ranks, dtype=np.uint32), _c.struct["placement"]()
    call_stoppable("place", schedule._handle, ctypes.byref(parameters._replace(**changes)._struct()),
                   ctypes.byref(network), evaluations, seed, nodes.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)),
                   ctypes.byref(found))
    return Placement(nodes, *values(found))
