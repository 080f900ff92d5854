"""axe-core (MPL 2.0), which looks for what keeps people from reading a page; it is no part of crosstalk."""
import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from skip import skip_for_tool  # noqa: E402

AXE = "axe-core@4.14.1"
AXE_SHA512 = "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="


def fetch_axe(work):
    """Its script, from the npm registry."""
    npm = shutil.which("npm")
    if not npm:
        skip_for_tool("npm is not installed (package npm)")
    done = subprocess.run([npm, "pack", AXE, "--silent"], cwd=work, capture_output=True, text=True, timeout=120, check=False)
    packed = [name for name in os.listdir(work) if name.startswith("axe-core-")]
    if done.returncode != 0 or not packed:
        print(f"skipped: {AXE} cannot be had from the npm registry")
        sys.exit(77)
    with open(os.path.join(work, packed[0]), "rb") as file:
        digest = base64.b64encode(hashlib.sha512(file.read()).digest()).decode()
    assert digest == AXE_SHA512, f"{AXE} has another hash: {digest}"
    with tarfile.open(os.path.join(work, packed[0])) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()
