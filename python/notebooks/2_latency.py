# %% [markdown]
# # The run time over the network's latency, with its zones
# T(L) is exact: convex, in straight pieces. A zone ends where T is 1, 2 and 5 % longer.

# %%
import numpy as np
import pandas

import crosstalk

lab8 = "../../examples/lab8"
schedule = crosstalk.Schedule(lab8 + "/traces/lulesh")
curve = schedule.curve(logp=lab8 + "/logp.h5")
L = curve.parameters.L_s
now = curve.at(L)
print(f"{schedule.ranks} ranks, T = {now.runtime_s:.4f} s at L = {1e6 * L:.2f} us; latency is {now.rho_L:.1%} of it")

# %%
ends = np.concatenate([[L], curve.tolerance(L, [0.01, 0.02, 0.05])])
zones = pandas.DataFrame({"from_us": 1e6 * ends[:-1], "to_us": 1e6 * ends[1:]}, index=["1 %", "2 %", "5 %"])
print(zones.round(1))

# %% [markdown]
# The pieces: lambda_L is the number of messages on the critical path.

# %%
pieces = pandas.DataFrame(curve.pieces(0, ends[-1]))
print(pieces.tail(5))

# %%
at = np.linspace(0, ends[-1], 6)
print(pandas.DataFrame({"L_us": 1e6 * at, "T_s": curve(at)}).round(5))

# %% [markdown]
# The same along G: how much bandwidth may be lost.

# %%
G = curve.parameters.G_s_per_byte
print("bandwidth that may be lost:", 1 - G / curve.gap_tolerance(L))
