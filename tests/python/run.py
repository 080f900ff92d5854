#!/usr/bin/python3
"""run.py [WORD...]: pytest with these words in this folder; skipped where pytest or numpy are missing."""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from skip import skip_for_tool  # noqa: E402

for needed in ("numpy", "pytest"):
    try:
        __import__(needed)
    except ImportError:
        skip_for_tool(f"python3-{needed} is not installed")
import pytest  # noqa: E402

os.chdir(Path(__file__).parent)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
