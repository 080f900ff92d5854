-- A module file for Lmod: put it into a folder of MODULEPATH as crosstalk/0.3.0.lua and set root to what
-- `cmake --install build/release --prefix ROOT` was given.
local root = "/opt/crosstalk/0.3.0"

help([[
crosstalk measures how MPI applications disturb each other on a shared network, and predicts it.
Begin with: man crosstalk
]])
whatis("Name: crosstalk")
whatis("Version: 0.3.0")
whatis("Description: interference of MPI applications on a network, measured and predicted")

-- The MPI that it was built with: programs of another MPI's launcher would each be alone.
-- depends_on("openmpi/4.1.4", "hdf5/1.14")
conflict("crosstalk")

prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("XDG_DATA_DIRS", pathJoin(root, "share")) -- completion for bash
-- For programs that are built with libcrosstalk.
prepend_path("PKG_CONFIG_PATH", pathJoin(root, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", root)
prepend_path("LD_LIBRARY_PATH", pathJoin(root, "lib"))
