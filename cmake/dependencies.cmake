# Libraries of the distribution, as imported targets. Names of the packages: see packages.txt.
find_package(PkgConfig REQUIRED)
find_package(MPI REQUIRED COMPONENTS C)
find_package(GSL REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
pkg_check_modules(CYAML REQUIRED IMPORTED_TARGET libcyaml)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
# The parallel build of HDF5 that matches the MPI library.
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-mpich)
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
