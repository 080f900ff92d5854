#!/usr/bin/python3
"""Recipes for packages name the version and the parts that CMake has; Spack's is run with a stand-in for
Spack, the module file with one for Lmod."""
import os
import re
import shutil
import subprocess
import sys
import types

ROOT = os.environ["CROSSTALK_SOURCE"]


def text(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


VERSION = re.search(r"^project\(crosstalk VERSION (\S+)", text("CMakeLists.txt"), re.M).group(1)
ALL_PARTS = set(re.findall(r"^crosstalk_part\(\n?\s*(\w+)", text("cmake/parts.cmake"), re.M))
PARTS = {part.lower() for part in ALL_PARTS - {"TESTS"}}


class Spec:
    """A spec with these variants on; asked about anything else it has a path."""

    def __init__(self, variants):
        self.variants, self.prefix, self.mpicc = variants, "/prefix", "/prefix/bin/mpicc"

    def __getitem__(self, name):
        return self

    def __contains__(self, variant):
        return variant in self.variants

    def satisfies(self, what):
        return what in self.variants


class CMakePackage:
    def __init__(self, variants):
        self.spec = Spec(variants)

    @staticmethod
    def define(name, value):
        return name, value


def load_recipe():
    """The class, and what was declared in it: kind -> names."""
    declared = {}
    module = types.ModuleType("spack.package")
    module.CMakePackage = CMakePackage
    for kind in ("version", "variant", "depends_on", "conflicts", "license"):
        setattr(module, kind, lambda name, *_, kind=kind, **__: declared.setdefault(kind, []).append(name))
    for decorator in ("run_after", "on_package_attributes"):
        setattr(module, decorator, lambda *_, **__: lambda function: function)
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module
    names = {}
    exec(compile(text("packaging/spack/package.py"), "package.py", "exec"), names)  # pylint: disable=exec-used
    return names["Crosstalk"], declared


recipe, declared = load_recipe()
assert declared["version"] == [VERSION], declared["version"]
assert set(declared["variant"]) == PARTS, f"variants {declared['variant']}, parts {PARTS}"
sources = "".join(text(name) for name in ("CMakeLists.txt", "cmake/mpi.cmake", "cmake/hdf5.cmake", "cmake/parts.cmake"))
for variants in (["+measure", "+analysis", "+lab", "^hdf5+mpi"], ["+analysis"], ["+measure"]):
    settings = dict(recipe(variants).cmake_args())
    for name, value in settings.items():
        known = name in sources or name[len("CROSSTALK_"):] in ALL_PARTS
        assert known, f"{name}: CMake has no such option"
        if name[len("CROSSTALK_"):].lower() in PARTS:
            assert value == ("+" + name[len("CROSSTALK_"):].lower() in variants), (name, value)
    assert ("MPI_C_COMPILER" in settings) == ("+measure" in variants), settings

changelog = re.search(r"^## \[(\d\S*)\]", text("CHANGELOG.md"), re.M).group(1)
assert changelog == VERSION, f"CHANGELOG.md is of {changelog}"
debian = re.match(r"crosstalk \((.*?)-", text("packaging/debian/changelog")).group(1)
assert debian == VERSION, f"packaging/debian/changelog is of {debian}"

LMOD = """
local paths = {}
function prepend_path(name, path) paths[#paths + 1] = name .. "=" .. path end
function help(text) end
function whatis(text) end
function conflict(name) assert(name == "crosstalk") end
function pathJoin(a, b) return a .. "/" .. b end
dofile(arg[1])
print(table.concat(paths, "\\n"))
"""
lua = next((name for name in ("lua", "lua5.4", "lua5.3", "lua5.1") if shutil.which(name)), None)
if lua:
    done = subprocess.run([lua, "-", os.path.join(ROOT, "examples/modulefile.lua")], input=LMOD, capture_output=True,
                          text=True, timeout=20, check=False)
    assert done.returncode == 0, done.stderr
    assert f"PATH=/opt/crosstalk/{VERSION}/bin" in done.stdout.split("\n"), done.stdout
else:
    print("not tried: the module file (package lua5.4)")
    sys.exit(1 if os.environ.get("CROSSTALK_TOOLS") == "required" else 77)
print("recipes are of version", VERSION)
