# %% [markdown]
# # A site's own model against ours, on a packed campaign
# Own: the slowdown is what an application suffers, times what the other one does to the probe. Fitted without the pair
# that it is asked for, as ours are asked without it.

# %%
import numpy as np
import pandas

import crosstalk

campaign = crosstalk.Campaign("../../examples/lab8/campaign.h5", schedules="../../examples/lab8/traces")
apps = campaign.apps
measured = np.array([[campaign.measured(app, beside) for beside in apps] for app in apps])

# %%
delay = np.array([campaign.load(app).mean_latency_s for app in apps]) - campaign.idle().mean_latency_s


def own(app, beside):
    others = np.arange(len(apps)) != beside
    suffers = (measured[app, others] @ delay[others]) / (delay[others] @ delay[others])
    return suffers * delay[beside]


# %%
models = {"own": np.array([[own(i, j) for j in range(len(apps))] for i in range(len(apps))])}
for name in ("queue", "probe", "packets", "multiplicative"):
    if name in crosstalk.models():
        models[name] = campaign.matrix(model=name)
errors = {name: 100 * np.abs(predicted - measured) for name, predicted in models.items()}
table = pandas.DataFrame({name: {"mean": np.nanmean(of), "most": np.nanmax(of), "answers": np.isfinite(of).sum()}
                          for name, of in errors.items() if np.isfinite(of).any()}).T
print("points of slowdown:")
print(table.round(1).sort_values("mean"))
