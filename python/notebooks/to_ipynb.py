#!/usr/bin/python3
"""to_ipynb.py FILE.py...: percent scripts as notebooks of Jupyter beside them, FILE.ipynb."""
import json
import re
import sys
from pathlib import Path


def convert(script):
    """The notebook of a script, as JSON has it."""
    cells = []
    for i, (kind, text) in enumerate(re.findall(r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", script, re.M | re.S)):
        text = re.sub(r"^# ?", "", text, flags=re.M) if kind else text
        cell = {"cell_type": "markdown" if kind else "code", "id": f"cell-{i}", "metadata": {},
                "source": text.strip("\n").splitlines(keepends=True)}
        cells.append(cell if kind else {**cell, "execution_count": None, "outputs": []})
    return {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.with_suffix(".ipynb").write_text(json.dumps(convert(path.read_text()), indent=1) + "\n")
