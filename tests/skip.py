"""What tests/skip.sh is to scripts: a test that cannot run here says why and exits with 77, but fails for
a missing tool where all are promised (CROSSTALK_TOOLS=required, as in .ci/run)."""
import os
import sys


def skip_for_tool(why):
    required = os.environ.get("CROSSTALK_TOOLS") == "required"
    print(f"failed: {why}, and CROSSTALK_TOOLS=required" if required else f"skipped: {why}")
    sys.exit(1 if required else 77)
