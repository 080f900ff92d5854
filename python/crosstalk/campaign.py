"""Measured and predicted slowdowns of a campaign's applications."""
from __future__ import annotations

import ctypes
import math
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _c
from ._core import Array, Handle, Path, call_stoppable, decode, encode, encode_or_none, texts, values
from .runs import RunList

Beside = Union[str, Sequence[str]]


class Load(NamedTuple):
    """What an application does to the probe, and how much of the network it uses, 0..1, by each of the estimates of
    crosstalk-utilization(1). NaN: not known. Source: struct crosstalk_load."""

    n_latencies: int
    mean_latency_s: float
    pk_frac: float
    calibrated_frac: float
    waiting_frac: float
    mixture_frac: float
    counted_frac: float


class Prediction(NamedTuple):
    """A predicted slowdown: 0.25 is 25 % slower. NaN: no prediction, or no interval; note says why.
    Source: struct crosstalk_prediction."""

    slowdown_frac: float
    lo_frac: float
    hi_frac: float
    note: str


class Verdict(NamedTuple):
    """Whether a slowdown is acceptable: "yes", "no", "perhaps", "unknown" (neither measured nor predicted) or
    "disturbed" (do not decide by it). explained_frac: what processors, stolen time and drift explain.
    Source: struct crosstalk_verdict."""

    verdict: str
    slowdown_frac: float
    lo_frac: float
    hi_frac: float
    explained_frac: float
    is_measured: bool


def models() -> Dict[str, str]:
    """Models of slowdowns: name, and the measurements that it needs. Source: crosstalk_model_name()."""
    return {decode(_c.library.crosstalk_model_name(i)): decode(_c.library.crosstalk_model_needs(i))
            for i in range(_c.library.crosstalk_model_count())}


class Campaign(Handle):
    """The runs of a campaign, pooled, and the schedules of its applications. Nothing is written.

    path: as of RunList. schedules: folder with APP.goal or APP.bin; None: the folders "schedules" and "traces" of the
    campaign, if they exist. logp: run of logpb for models that execute schedules; None: that of the campaign.
    link_bit_per_s: data rate of a link, for known loads; NaN: by the switch counters, if they were recorded.
    Applications are named; co-runners are one name or several. Threads take turns.
    Error: ENOENT, ENODATA (runs are missing), EINVAL (settings; runs of several placements), ENOMEM.
    Source: crosstalk_campaign_open()."""

    _close_name = "campaign_close"

    def __init__(self, path: Path, *, schedules: Optional[Path] = None, logp: Optional[Path] = None,
                 link_bit_per_s: float = math.nan) -> None:
        super().__init__()
        self._path = path
        setup = _c.struct["campaign_setup"](encode_or_none(schedules), encode_or_none(logp), link_bit_per_s, 0)
        self._open("campaign_open", encode(path), ctypes.byref(setup))

    def __repr__(self) -> str:
        return f"Campaign({str(self._path)!r}{'' if self._pointer else ', closed'})"

    @property
    def apps(self) -> List[str]:
        """Names of the applications, in their order."""
        return texts(_c.library.crosstalk_campaign_app_count(self._handle),
                     lambda i: _c.library.crosstalk_campaign_app(self._handle, i))

    @property
    def notes(self) -> List[str]:
        """Runs that were left out or are doubtful, and why."""
        return texts(_c.library.crosstalk_campaign_note_count(self._handle),
                     lambda i: _c.library.crosstalk_campaign_note(self._handle, i))

    @property
    def shared(self) -> str:
        """What programs shared: "hosts", "switch", "links", "nothing", "own hosts" or "not recorded"."""
        return decode(_c.library.crosstalk_campaign_shared(self._handle))

    def runs(self) -> RunList:
        """The runs that the campaign was made of, read again."""
        return RunList(self._path)

    def _number(self, app: str) -> int:
        i = int(_c.library.crosstalk_campaign_find_app(self._handle, app.encode()))
        if i >= _c.library.crosstalk_campaign_app_count(self._handle):
            raise KeyError(f"no application '{app}': there are {', '.join(self.apps)}")
        return i

    def _numbers(self, beside: Beside) -> Any:
        names = [beside] if isinstance(beside, str) else list(beside)
        return (ctypes.c_size_t * len(names))(*[self._number(name) for name in names])

    def load(self, app: str) -> Load:
        """Load of an application. The first question of a campaign takes longest: it is analysed then.
        Error: ENODATA, ENOMEM. Source: crosstalk_campaign_load()."""
        found = _c.struct["load"]()
        with self._lock:
            call_stoppable("campaign_load", self._handle, self._number(app), ctypes.byref(found))
        return Load(*values(found))

    def idle(self) -> Load:
        """The same of the idle network. Source: crosstalk_campaign_idle()."""
        found = _c.struct["load"]()
        with self._lock:
            call_stoppable("campaign_idle", self._handle, ctypes.byref(found))
        return Load(*values(found))

    def measured(self, app: str, beside: Beside) -> float:
        """Measured slowdown, (mean time beside - mean time alone) / mean time alone; NaN: not measured.
        Error: EINVAL, ENODATA, ENOMEM. Source: crosstalk_campaign_measured()."""
        others, found = self._numbers(beside), ctypes.c_double()
        with self._lock:
            call_stoppable("campaign_measured", self._handle, self._number(app), others, len(others),
                           ctypes.byref(found))
        return found.value

    def predict_many(self, questions: Sequence[Tuple[str, Beside]], *, model: Optional[str] = None,
                     level: float = 0.9) -> List[Prediction]:
        """Predict slowdowns of (application, co-runners). model: of models(); None: the best that the inputs allow.
        level: of the intervals, 0.5..0.99; NaN: none. The model that simulates schedules takes seconds at first.
        Error: EINVAL (model, level), ENODATA, ENOMEM. Source: crosstalk_campaign_predict()."""
        with self._lock:
            others = [self._numbers(beside) for _, beside in questions]
            asked = (_c.struct["question"] * len(questions))(
                *[(encode_or_none(model), self._number(app), beside, len(beside))
                  for (app, _), beside in zip(questions, others)])
            found = (_c.struct["prediction"] * len(questions))()
            call_stoppable("campaign_predict", self._handle, asked, len(questions), level, found)
        return [Prediction(*values(one)) for one in found]

    def predict(self, app: str, beside: Beside, *, model: Optional[str] = None, level: float = 0.9) -> Prediction:
        """Predict the slowdown of one application beside others: as predict_many()."""
        return self.predict_many([(app, beside)], model=model, level=level)[0]

    def verdict(self, app: str, beside: Beside, *, limit: float = 0.05, level: float = 0.9,
                model: Optional[str] = None) -> Verdict:
        """Whether the slowdown is within a limit (0.05: 5 %), by what was measured, or else predicted.
        Error: as predict_many(). Source: crosstalk_campaign_verdict()."""
        others, found = self._numbers(beside), _c.struct["verdict"]()
        asked = _c.struct["question"](encode_or_none(model), self._number(app), others, len(others))
        with self._lock:
            call_stoppable("campaign_verdict", self._handle, ctypes.byref(asked), limit, level, ctypes.byref(found))
        return Verdict(*values(found))

    def matrix(self, *, model: Optional[str] = None) -> Array:
        """Predicted slowdowns, [app, beside], in the order of apps; NaN: no prediction."""
        apps = self.apps
        found = self.predict_many([(app, beside) for app in apps for beside in apps], model=model, level=math.nan)
        return np.array([one.slowdown_frac for one in found]).reshape(len(apps), len(apps))

    def to_dataframe(self, *, model: Optional[str] = None, level: float = 0.9) -> Any:
        """A pandas.DataFrame: a row for each application beside each, with app, beside, measured, predicted, lo, hi
        (fractions) and note."""
        import pandas

        pairs = [(app, beside) for app in self.apps for beside in self.apps]
        return pandas.DataFrame([
            {"app": app, "beside": beside, "measured": self.measured(app, beside), "predicted": one.slowdown_frac,
             "lo": one.lo_frac, "hi": one.hi_frac, "note": one.note}
            for (app, beside), one in zip(pairs, self.predict_many(pairs, model=model, level=level))])


def predict(path: Path, *, model: Optional[str] = None, level: float = 0.9) -> Dict[Tuple[str, str], Prediction]:
    """Slowdown of each application of a campaign beside each: {(app, beside): Prediction}, as `crosstalk predict`.
    Error: those of Campaign and Campaign.predict_many()."""
    with Campaign(path) as campaign:
        pairs = [(app, beside) for app in campaign.apps for beside in campaign.apps]
        return dict(zip(pairs, campaign.predict_many(pairs, model=model, level=level)))
