# SimGrid as the MPI: the programs become libraries that smpirun loads, and parts of crosstalk-simgrid,
# which runs several of them in one simulation. What the wrapper smpicc adds to each call of the compiler
# is added here: so clocks and nanosleep() are those of the simulation in every source. Memory stays the
# C library's: no program of ours shares it between ranks.
find_path(CROSSTALK_SIMGRID_INCLUDE smpi/smpi_helpers.h HINTS ${SIMGRID_ROOT} $ENV{SIMGRID_ROOT} PATH_SUFFIXES include)
find_library(CROSSTALK_SIMGRID_LIBRARY simgrid HINTS ${SIMGRID_ROOT} $ENV{SIMGRID_ROOT} PATH_SUFFIXES lib)
find_program(CROSSTALK_SMPIRUN smpirun HINTS ${SIMGRID_ROOT} $ENV{SIMGRID_ROOT} PATH_SUFFIXES bin)

set(CROSSTALK_MPI_HINT "install libsimgrid-dev, or name SimGrid by -DSIMGRID_ROOT=DIR")
if(CROSSTALK_SIMGRID_INCLUDE AND CROSSTALK_SIMGRID_LIBRARY)
  set(CROSSTALK_MPI_FOUND 1)
  set(CROSSTALK_MPI_KIND simgrid)
  set(MPI_C_COMPILER "${CROSSTALK_SIMGRID_LIBRARY}")
  if(CROSSTALK_SMPIRUN)
    set(CROSSTALK_MPIEXEC ${CROSSTALK_SMPIRUN})
  endif()
  add_library(crosstalk_simulated INTERFACE)
  target_compile_definitions(crosstalk_simulated INTERFACE SMPI_NO_OVERRIDE_MALLOC)
  target_compile_options(crosstalk_simulated INTERFACE "SHELL:-include smpi/smpi_helpers.h")
  target_include_directories(crosstalk_simulated SYSTEM INTERFACE ${CROSSTALK_SIMGRID_INCLUDE}
                                                                  ${CROSSTALK_SIMGRID_INCLUDE}/smpi)
  target_link_libraries(crosstalk_simulated INTERFACE ${CROSSTALK_SIMGRID_LIBRARY})
  add_library(MPI::MPI_C INTERFACE IMPORTED GLOBAL)
endif()
