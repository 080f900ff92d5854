# %% [markdown]
# # A probe in time
# Latencies beside an application, as they were measured: when was the network busy?

# %%
import pandas

import crosstalk

runs = crosstalk.RunList("../../examples/lab8")
probes = {run.app: run.path for run in runs if run.kind == "impact" and not run.config}
idle, beside = crosstalk.Run(probes[""]), crosstalk.Run(probes["fft"])
print(beside.text("hosts"), beside.text("started_utc"), len(beside.samples), "samples, a view without a copy")

# %%
frame = beside.to_dataframe()
host = beside.pairs["host_b"]
frame["host"] = [host[pair].decode() for pair in frame["pair"]]
frame["second"] = frame["time_s"].astype(int)
by_time = frame.groupby("second")["latency_s"].describe(percentiles=[0.5, 0.99])
print((1e6 * by_time[["50%", "99%", "max"]]).round(1))

# %% [markdown]
# A message had to wait if it took longer than almost all on the idle network.

# %%
usual = pandas.Series(idle.samples["latency_s"]).quantile(0.99)
frame["waited"] = frame["latency_s"] > usual
print(f"waited: {frame.waited.mean():.0%} beside fft, more than {1e6 * usual:.0f} us")
print(frame.groupby("host")["waited"].mean().round(2))
