# %% [markdown]
# # Two programs on one fabric
# From the traces of each alone: what do they do to each other on nodes of their own behind two switches?

# %%
import pandas

import crosstalk

lab8 = "../../examples/lab8"
names = ["fft", "milc"]
programs = [crosstalk.Schedule(f"{lab8}/traces/{name}") for name in names]
fabric = crosstalk.Topology("tree:2x8", rate_bit_per_s=50e6, uplink_bit_per_s=200e6)
print(fabric.n_nodes, "nodes,", fabric.distances())

# %%
layouts = {"apart": ["n[0-7]", "n[8-15]"], "interleaved": ["n[0-3],n[8-11]", "n[4-7],n[12-15]"],
           "same nodes": ["n[0-7]", "n[0-7]"]}
rows = []
for layout, hosts in layouts.items():
    found = crosstalk.simulate(*programs, logp=lab8 + "/logp.h5", topology=fabric, hosts=hosts, threads=2)
    rows += [{"layout": layout, "program": name, **one._asdict()} for name, one in zip(names, found)]
frame = pandas.DataFrame(rows)
print(frame.pivot(index="layout", columns="program", values="slowdown_frac").round(3))

# %% [markdown]
# Where the time of their ranks goes, and what a perfect network would leave.

# %%
parts = ["compute_s", "stack_s", "sync_s", "network_s", "no_network_s"]
print(frame.set_index(["layout", "program"])[parts].round(3))

# %%
best = crosstalk.place(programs[1], fabric, logp=lab8 + "/logp.h5", wire_s=1e-6, switch_s=5e-6, evaluations=1000)
print("milc alone:", best.before_s, "s in blocks,", best.after_s, "s on nodes", best.nodes)
