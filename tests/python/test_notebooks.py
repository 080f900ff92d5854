"""Notebooks run where they are, and are notebooks."""
import importlib.util
import json
import os
import subprocess
import sys

import pytest
from conftest import SOURCE

FOLDER = SOURCE / "python/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("[0-9]_*.py"))
pytestmark = pytest.mark.slow


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    pytest.importorskip("pandas")
    script = path.read_text()
    assert len([line for line in script.splitlines() if line and not line.startswith("#")]) <= 40
    spec = importlib.util.spec_from_file_location("to_ipynb", FOLDER / "to_ipynb.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    notebook = json.loads(json.dumps(module.convert(script)))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["cells"][0]["source"][0].startswith("# ") and len(cells) >= 3
    # Cells of the notebook, one after the other: what it is when it is a notebook.
    run = subprocess.run([sys.executable, "-c", "\n".join(cells)], cwd=FOLDER, capture_output=True, text=True, timeout=300,
                         env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), "PYTHONDONTWRITEBYTECODE": "1"})
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("\n") >= 3 and "nan%" not in run.stdout
    print(run.stdout)
