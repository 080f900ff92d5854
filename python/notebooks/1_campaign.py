# %% [markdown]
# # A campaign as a DataFrame, and its matrix
# Every application beside every one: how much longer it takes (0.25 is 25 %), measured and predicted.

# %%
import crosstalk

campaign = crosstalk.Campaign("../../examples/lab8")
print(len(campaign.runs()), "runs of", ", ".join(campaign.apps), "- shared:", campaign.shared)

# %%
frame = campaign.to_dataframe()
frame.head(8)

# %% [markdown]
# The matrix: rows are slowed, columns are beside them.

# %%
measured = frame.pivot(index="app", columns="beside", values="measured")
print((100 * measured).round(1))

# %%
outside = frame[(frame.measured < frame.lo) | (frame.measured > frame.hi)]
print(f"off by {100 * (frame.predicted - frame.measured).abs().mean():.1f} points on average; "
      f"{len(outside)} of {len(frame)} measured slowdowns are outside of their intervals")

# %% [markdown]
# Which pairs may share at a limit of 5 %? Both must be within it.

# %%
verdicts = {(a, b): campaign.verdict(a, b, limit=0.05).verdict for a in campaign.apps for b in campaign.apps}
print([pair for pair in verdicts if pair[0] <= pair[1] and verdicts[pair] == verdicts[pair[::-1]] == "yes"])
