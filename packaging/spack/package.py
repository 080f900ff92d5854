# A recipe for Spack, for the sources that it lies in:
#
#     spack repo create . mine && mkdir -p spack_repo/mine/packages/crosstalk
#     cp packaging/spack/package.py spack_repo/mine/packages/crosstalk/ && spack repo add spack_repo/mine
#     spack dev-build crosstalk@0.3.0 ^openmpi        # in the top folder of the sources
#
# Before Spack 1.0: spack repo create mine, and mine/ in place of spack_repo/mine/.
# Directives are those of https://spack.readthedocs.io/en/latest/packaging_guide_creation.html
import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass  # before Spack 1.0 it is in spack.package


class Crosstalk(CMakePackage):
    """Measure how MPI applications disturb each other on a shared network, and predict it."""

    # Sources are on this machine: an archive in the current folder, or dev-build.
    manual_download = True
    url = f"file://{os.getcwd()}/crosstalk-0.3.0.tar.xz"
    license("BSD-3-Clause")

    version("0.3.0")

    # The parts of cmake/parts.cmake. crosstalk scan needs measure, analysis and campaign.
    variant("measure", default=True, description="Programs that measure, and the tracer; these need MPI")
    variant("analysis", default=True, description="The command crosstalk and libcrosstalk; these need no MPI")
    variant("lab", default=True, when="+analysis platform=linux", description="An emulated switch on one machine")
    variant("campaign", default=True, when="+analysis", description="Plan and run campaigns of measurements")
    variant("yaml", default=True, when="+analysis", description="Topologies in YAML")
    variant("hwloc", default=True, when="+campaign", description="Campaigns give programs cores of their own")
    variant("clp", default=False, when="+analysis", description="crosstalk tolerance --solver clp")
    variant("scotch", default=False, when="+analysis", description="crosstalk place compares with Scotch")
    variant("otf2", default=False, description="Archives of OTF2 as traces")
    variant("delay", default=False, when="+analysis platform=linux", description="crosstalk delay, for MPICH on UCX")
    variant("prober", default=False, description="crosstalk-prober: probes for days, without MPI")
    variant("page", default=False, description="crosstalk watch --serve: a page of what is seen")
    variant("figures", default=True, when="+analysis", description="Figures by gnuplot")

    conflicts("~measure~analysis", msg="nothing is left to build")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    # Parallel (hdf5+mpi) or serial, in which case rank 0 writes what the others send.
    depends_on("hdf5@1.10:")
    depends_on("mpi@3.1:", when="+measure")
    depends_on("hdf5~mpi", when="~measure")
    depends_on("gsl@2.7:", when="+analysis")
    depends_on("cjson@1.7:", when="+analysis")
    depends_on("xxhash@0.8:", when="+analysis")
    depends_on("libyaml@0.2:", when="+campaign")
    depends_on("libyaml@0.2:", when="+yaml")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("clp@1.17:", when="+clp")
    depends_on("scotch", when="+scotch")
    depends_on("otf2@3:", when="+otf2")
    depends_on("ucx@1.13:", when="+delay")
    depends_on("libsodium@1.0.18:", when="+prober")
    depends_on("libmicrohttpd@0.9.72:", when="+page")
    depends_on("gnuplot@5.2:", when="+figures", type="run")
    depends_on("iproute2", when="+lab", type="run")

    def cmake_args(self):
        args = [
            self.define("CROSSTALK_TESTS", False),
            self.define("CROSSTALK_PARALLEL_HDF5", self.spec.satisfies("^hdf5+mpi")),
            self.define("HDF5_ROOT", self.spec["hdf5"].prefix),
        ]
        for part in ("measure", "analysis", "lab", "campaign", "yaml", "hwloc", "clp", "scotch", "otf2", "delay",
                     "page", "prober"):
            args.append(self.define(f"CROSSTALK_{part.upper()}", f"+{part}" in self.spec))
        if "+measure" in self.spec:
            args.append(self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc))
        else:
            args.append(self.define("CROSSTALK_MPI", "none"))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        """The command and the programs answer."""
        names = ["crosstalk"] if "+analysis" in self.spec else []
        names += ["impactb", "compressionb", "logpb", "scanb", "workload"] if "+measure" in self.spec else []
        for name in names:
            Executable(join_path(self.prefix.bin, name))("--version")
