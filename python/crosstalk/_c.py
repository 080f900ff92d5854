"""The C interface, crosstalk.h: its struct and the signatures of its functions, declared once.

tests/test_header.py compares all of it with the header."""
from __future__ import annotations

import ctypes
import importlib
import os
from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32,
                    c_uint64, c_void_p)
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

STATUS = ("OK", "EINVAL", "ENOMEM", "EIO", "EFORMAT", "ENOENT", "ENODATA", "EUNSUPPORTED", "ECANCELED")
KIND = ("impact", "compression", "runtime", "logp", "scan")

# ---- struct: name in the header without crosstalk_, and its members ----

_MEMBERS: Dict[str, Sequence[Tuple[str, Any]]] = {
    "error": [("status", c_int), ("text", c_char * 1020)],
    "sample": [("time_s", c_double), ("latency_s", c_double), ("pair", c_uint32), ("late", c_uint32)],
    "pair": [("rank_a", c_uint32), ("rank_b", c_uint32), ("host_a", c_char * 64), ("host_b", c_char * 64)],
    "pass": [("start_s", c_double), ("duration_s", c_double)],
    "round": [("start_s", c_double), ("duration_s", c_double), ("bytes", c_uint64)],
    "estimate": [("value", c_double), ("lo", c_double), ("hi", c_double)],
    "logp": [("bytes", c_uint64), ("rank_from", c_uint32), ("rank_to", c_uint32), ("repetitions", c_uint32),
             ("saturation", c_uint32), ("send_overhead_s", "estimate"), ("receive_overhead_s", "estimate"),
             ("receive_expected_s", "estimate"), ("gap_s", "estimate"), ("round_trip_s", "estimate")],
    "conversion": [("compute_scale", c_double), ("collectives", POINTER(c_char_p))],
    "parameters": [("L_s", c_double), ("o_s", c_double), ("G_s_per_byte", c_double), ("has_S", c_bool),
                   ("S_bytes", c_uint64), ("logp_path", c_char_p), ("serialize", c_bool), ("serialize_nic", c_bool),
                   ("threads", c_uint)],
    "point": [("runtime_s", c_double), ("lambda_L", c_double), ("lambda_G", c_double), ("rho_L", c_double),
              ("L_lo_s", c_double), ("L_hi_s", c_double)],
    "piece": [("L_lo_s", c_double), ("L_hi_s", c_double), ("runtime_lo_s", c_double), ("lambda_L", c_double)],
    "campaign_setup": [("schedules_path", c_char_p), ("logp_path", c_char_p), ("link_bit_per_s", c_double),
                       ("seed", c_uint64)],
    "load": [("n_latencies", c_size_t), ("mean_latency_s", c_double), ("pk_frac", c_double),
             ("calibrated_frac", c_double), ("waiting_frac", c_double), ("mixture_frac", c_double),
             ("counted_frac", c_double)],
    "question": [("model", c_char_p), ("app", c_size_t), ("with", POINTER(c_size_t)), ("n_with", c_size_t)],
    "prediction": [("slowdown_frac", c_double), ("lo_frac", c_double), ("hi_frac", c_double), ("note", c_char_p)],
    "verdict": [("verdict", c_char_p), ("slowdown_frac", c_double), ("lo_frac", c_double), ("hi_frac", c_double),
                ("explained_frac", c_double), ("is_measured", c_bool)],
    "link": [("from", c_uint32), ("to", c_uint32), ("rate_bit_per_s", c_double), ("latency_s", c_double)],
    "distances": [("mean_switches", c_double), ("most_switches", c_uint32), ("bisection_links", c_uint64),
                  ("bisection_bit_per_s", c_double)],
    "network": [("topology", c_void_p), ("wire_s", c_double), ("switch_s", c_double), ("L_node_s", c_double),
                ("G_node_s_per_byte", c_double), ("ranks_per_node", c_uint32)],
    "program": [("schedule", c_void_p), ("hosts", c_char_p)],
    "simulated": [("alone_s", c_double), ("runtime_s", c_double), ("slowdown_frac", c_double),
                  ("no_network_s", c_double), ("none_s", c_double), ("compute_s", c_double), ("stack_s", c_double),
                  ("sync_s", c_double), ("network_s", c_double)],
    "pair_lambda": [("from", c_uint32), ("to", c_uint32), ("messages", c_uint64), ("L_s", c_double),
                    ("o_s", c_double), ("G_s_per_byte", c_double), ("lambda_L", c_double), ("lambda_G", c_double)],
    "placement": [("before_s", c_double), ("after_s", c_double), ("bound_s", c_double), ("evaluations", c_size_t)],
}
struct: Dict[str, Any] = {}
for _name, _members in _MEMBERS.items():
    struct[_name] = type(_name, (Structure,), {"_fields_": [
        (member, struct[kind] if isinstance(kind, str) else kind) for member, kind in _members]})

# ---- functions: result and arguments; a text: pointer to the struct of that name, "*": twice a pointer ----

_ERROR = "error"
_HANDLE_P = POINTER(c_void_p)
_ROWS = (c_size_t, c_void_p)
FUNCTIONS: Dict[str, Tuple[Any, ...]] = {
    "version": (c_char_p,),
    "status_text": (c_char_p, c_int),
    "cancel_when": (None, POINTER(c_int)),
    "free": (None, c_void_p),
    "run_open": (c_int, c_char_p, _HANDLE_P, _ERROR),
    "run_close": (None, c_void_p),
    "run_path": (c_char_p, c_void_p),
    "run_kind": (c_int, c_void_p),
    "run_app": (c_char_p, c_void_p),
    "run_with": (c_char_p, c_void_p),
    "run_config": (c_char_p, c_void_p),
    "run_text": (c_char_p, c_void_p, c_char_p),
    "run_number": (c_double, c_void_p, c_char_p),
    "run_samples": (*_ROWS, "*sample"),
    "run_pairs": (*_ROWS, "*pair"),
    "run_passes": (*_ROWS, "*pass"),
    "run_rounds": (*_ROWS, "*round"),
    "run_logp": (*_ROWS, "*logp"),
    "run_list_open": (c_int, c_char_p, _HANDLE_P, _ERROR),
    "run_list_close": (None, c_void_p),
    "run_list_count": (c_size_t, c_void_p),
    "run_list_item": (c_void_p, c_void_p, c_size_t),
    "run_list_rejected_count": (c_size_t, c_void_p),
    "run_list_rejected": (c_char_p, c_void_p, c_size_t),
    "conversion_init": (None, "conversion"),
    "schedule_open": (c_int, c_char_p, "conversion", _HANDLE_P, _ERROR),
    "schedule_close": (None, c_void_p),
    "schedule_ranks": (c_uint32, c_void_p),
    "schedule_operations": (c_uint64, c_void_p),
    "schedule_note_count": (c_size_t, c_void_p),
    "schedule_note": (c_char_p, c_void_p, c_size_t),
    "parameters_init": (None, "parameters"),
    "curve_new": (c_int, c_void_p, "parameters", _HANDLE_P, _ERROR),
    "curve_close": (None, c_void_p),
    "curve_parameters": (None, c_void_p, "parameters"),
    "curve_at": (c_int, c_void_p, c_double, "point", _ERROR),
    "curve_tolerance": (c_int, c_void_p, c_double, POINTER(c_double), c_size_t, POINTER(c_double), _ERROR),
    "curve_gap_tolerance": (c_int, c_void_p, c_double, POINTER(c_double), c_size_t, POINTER(c_double), _ERROR),
    "curve_pieces": (c_int, c_void_p, c_double, c_double, "*piece", POINTER(c_size_t), _ERROR),
    "campaign_setup_init": (None, "campaign_setup"),
    "campaign_open": (c_int, c_char_p, "campaign_setup", _HANDLE_P, _ERROR),
    "campaign_close": (None, c_void_p),
    "campaign_app_count": (c_size_t, c_void_p),
    "campaign_app": (c_char_p, c_void_p, c_size_t),
    "campaign_find_app": (c_size_t, c_void_p, c_char_p),
    "campaign_note_count": (c_size_t, c_void_p),
    "campaign_note": (c_char_p, c_void_p, c_size_t),
    "campaign_load": (c_int, c_void_p, c_size_t, "load", _ERROR),
    "campaign_idle": (c_int, c_void_p, "load", _ERROR),
    "campaign_measured": (c_int, c_void_p, c_size_t, POINTER(c_size_t), c_size_t, POINTER(c_double), _ERROR),
    "model_count": (c_size_t,),
    "model_name": (c_char_p, c_size_t),
    "model_needs": (c_char_p, c_size_t),
    "campaign_predict": (c_int, c_void_p, "question", c_size_t, c_double, "prediction", _ERROR),
    "campaign_verdict": (c_int, c_void_p, "question", c_double, c_double, "verdict", _ERROR),
    "campaign_shared": (c_char_p, c_void_p),
    "topology_open": (c_int, c_char_p, c_double, c_double, _HANDLE_P, _ERROR),
    "topology_close": (None, c_void_p),
    "topology_nodes": (c_uint32, c_void_p),
    "topology_switches": (c_uint32, c_void_p),
    "topology_name": (c_char_p, c_void_p, c_uint32),
    "topology_links": (*_ROWS, "*link"),
    "topology_route": (c_int, c_void_p, c_uint32, c_uint32, POINTER(POINTER(c_uint32)), POINTER(c_size_t), _ERROR),
    "topology_distances": (c_int, c_void_p, "distances", _ERROR),
    "network_init": (None, "network"),
    "simulate": (c_int, "program", c_size_t, "parameters", "network", "simulated", _ERROR),
    "pair_lambdas": (c_int, c_void_p, c_char_p, "network", "*pair_lambda", POINTER(c_size_t), POINTER(c_double),
                     _ERROR),
    "place": (c_int, c_void_p, "parameters", "network", c_size_t, c_uint64, POINTER(c_uint32), "placement", _ERROR),
}


def resolve(kind: Any) -> Any:
    """The type of ctypes for an entry of FUNCTIONS."""
    if not isinstance(kind, str):
        return kind
    return POINTER(POINTER(struct[kind[1:]])) if kind[0] == "*" else POINTER(struct[kind])


# ---- the library ----

def _places() -> List[str]:
    """Where the library may be: as told, where it was installed with this package, or where the loader looks."""
    given = os.environ.get("CROSSTALK_LIBRARY")
    if given:
        return [given]
    try:
        where = importlib.import_module(__package__ + "._where")
        beside = Path(__file__).parent / where.LIBRARY
        return [str(beside)] if beside.exists() else ["libcrosstalk.so.0"]
    except ImportError:
        return ["libcrosstalk.so.0"]


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_places()[0])
    except OSError as why:
        raise ImportError(f"libcrosstalk: {why}; install it, or set CROSSTALK_LIBRARY to its path") from why
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, "crosstalk_" + name)
        except AttributeError as why:
            raise ImportError(f"libcrosstalk: {library._name} is older than this package: {why}") from why
        function.restype = result
        function.argtypes = [resolve(kind) for kind in arguments]
    return library


library = _load()
