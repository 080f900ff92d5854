"""Results of crosstalk from Python, without MPI: what libcrosstalk has in crosstalk.h.

- Run, RunList: run files, one by one or all of a campaign;
- Campaign, predict, models: measured and predicted slowdowns of applications;
- Schedule, Curve, Parameters: the run time T(L) of a program as an exact function of the network's latency;
- Topology, simulate, place: networks of switches, programs that share one, ranks on its nodes.

    import crosstalk
    with crosstalk.Campaign("results") as campaign:
        print(campaign.predict("milc", "fft"))
    curve = crosstalk.Schedule("traces/milc").curve(logp="logp.h5")
    print(curve.tolerance(curve.parameters.L_s))

Numbers are those of the command crosstalk. Units: seconds, bytes, fractions (0.25 is 25 %); they are part of names.
NaN: not known, or not measured.

Arrays are numpy arrays that view the library's memory: they cannot be written, and keep what they are of open.
close() of that raises BufferError while there are some. What is not closed is closed when nobody has it any more.

Errors are exceptions of class Error, with the text that the commands print and a status. Long work releases the GIL;
Ctrl-C ends it in the main thread. A campaign that was stopped gives no more answers: open it again.

Methods to_dataframe() need pandas; nothing else does. Source: crosstalk.h, and docs/python.md.
"""
from ._c import library as _library
from ._core import Error
from .campaign import Campaign, Load, Prediction, Verdict, models, predict
from .network import Distances, Placement, Simulated, Topology, place, simulate
from .runs import Run, RunList
from .schedule import Curve, Parameters, Point, Schedule

__version__: str = _library.crosstalk_version().decode()
__all__ = ["Campaign", "Curve", "Distances", "Error", "Load", "Parameters", "Placement", "Point", "Prediction", "Run",
           "RunList", "Schedule", "Simulated", "Topology", "Verdict", "models", "place", "predict", "simulate"]
