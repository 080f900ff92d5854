"""crosstalk from the sources, with the library and the command of the build."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("CROSSTALK_SOURCE", Path(__file__).parents[2]))
BUILD = Path(os.environ.get("CROSSTALK_BUILD", SOURCE / "build/dev"))
LAB8 = SOURCE / "examples/lab8"
if "CROSSTALK_INSTALLED" not in os.environ:
    os.environ.setdefault("CROSSTALK_LIBRARY", str(BUILD / "libcrosstalk/libcrosstalk.so.0"))
    sys.path.insert(0, str(SOURCE / "python"))
sys.dont_write_bytecode = True


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: a second and more; ./check leaves it to the row python")


def digits(*numbers):
    """As JSON has them, which drops the digits of a double beyond the fifteenth; null is NaN."""
    return ["nan" if number is None else f"{number:.15g}" for number in numbers]


@pytest.fixture
def lab8():
    return LAB8


@pytest.fixture
def command():
    """What a command prints in JSON."""
    def ask(*words):
        run = subprocess.run([BUILD / "bin/crosstalk", *map(str, words), "--format", "json"], check=True,
                             capture_output=True, text=True, timeout=120)
        return json.loads(run.stdout)
    return ask
