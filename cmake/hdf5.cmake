# HDF5, found by CMake's own module, up to twice: for the measuring programs the parallel build that
# belongs to the MPI (else a serial one: rank 0 writes what the others send), for the analysis a serial
# build if there is one, so that the command crosstalk runs where no MPI is.
#
# CROSSTALK_PARALLEL_HDF5=OFF takes a serial build for both.
#
# crosstalk_find_hdf5_mpi(KIND): target crosstalk_hdf5_mpi, CROSSTALK_HDF5_MPI_FOUND,
#                                CROSSTALK_HDF5_PARALLEL, CROSSTALK_HDF5_MPI_TEXT
# crosstalk_find_hdf5():         target crosstalk_hdf5, CROSSTALK_HDF5_FOUND, CROSSTALK_HDF5_HINT

option(CROSSTALK_PARALLEL_HDF5 "Use the parallel HDF5 of the MPI, if there is one" ON)

# The compiler wrapper of the parallel HDF5 that belongs to an MPI; "" if there is none.
function(crosstalk_parallel_wrapper kind wrapper_var)
  unset(found)
  find_program(found NAMES ${crosstalk_wrappers_${kind}} NO_CACHE)
  if(NOT found)
    find_program(found NAMES h5pcc NO_CACHE)
    if(found)
      execute_process(COMMAND ${found} -show OUTPUT_VARIABLE text ERROR_QUIET)
      if(NOT text MATCHES "${kind}")
        set(found "")
      endif()
    endif()
  endif()
  if(NOT found)
    set(found "")
  endif()
  set(${wrapper_var} "${found}" PARENT_SCOPE)
endfunction()

# Forget the last search: FindHDF5 keeps its findings, and is asked twice.
function(crosstalk_forget_hdf5)
  get_cmake_property(names CACHE_VARIABLES)
  foreach(name ${names})
    if(name MATCHES "^(_?HDF5_)" AND NOT name STREQUAL "HDF5_ROOT")
      unset(${name} CACHE)
    endif()
  endforeach()
endfunction()

# One search, with a wrapper or "" for FindHDF5's own: the target, and <PREFIX>_FOUND, _PARALLEL,
# _LIBRARIES. Cross-compiling no wrapper answers: pkg-config knows the distribution's serial build.
function(crosstalk_search_hdf5 prefix target wrapper parallel)
  set(${prefix}_FOUND 0 PARENT_SCOPE)
  add_library(${target} INTERFACE)
  if(CMAKE_CROSSCOMPILING AND NOT HDF5_ROOT)
    find_package(PkgConfig QUIET)
    pkg_search_module(${prefix}_PKG QUIET IMPORTED_TARGET hdf5-serial hdf5)
    if(${prefix}_PKG_FOUND)
      target_link_libraries(${target} INTERFACE PkgConfig::${prefix}_PKG)
      set(${prefix}_FOUND 1 PARENT_SCOPE)
      set(${prefix}_PARALLEL 0 PARENT_SCOPE)
      set(${prefix}_LIBRARIES "${${prefix}_PKG_LINK_LIBRARIES}" PARENT_SCOPE)
    endif()
    return()
  endif()
  crosstalk_forget_hdf5()
  set(HDF5_PREFER_PARALLEL ${parallel})
  if(wrapper)
    set(HDF5_C_COMPILER_EXECUTABLE ${wrapper} CACHE FILEPATH "" FORCE)
  endif()
  find_package(HDF5 QUIET COMPONENTS C)
  if(HDF5_FOUND)
    target_include_directories(${target} SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
    target_compile_definitions(${target} INTERFACE ${HDF5_C_DEFINITIONS})
    target_link_libraries(${target} INTERFACE ${HDF5_C_LIBRARIES})
    set(${prefix}_FOUND 1 PARENT_SCOPE)
    set(${prefix}_PARALLEL 0 PARENT_SCOPE)
    if(HDF5_IS_PARALLEL)
      set(${prefix}_PARALLEL 1 PARENT_SCOPE)
    endif()
    set(${prefix}_LIBRARIES "${HDF5_C_LIBRARIES}" PARENT_SCOPE)
  endif()
  crosstalk_forget_hdf5()
endfunction()

# Whose MPI a parallel HDF5 was built with, as its libraries say; "" where that cannot be seen.
function(crosstalk_mpi_kind_of_hdf5 libraries kind_var)
  set(kind "")
  foreach(library ${libraries})
    if(library MATCHES "\\.so" AND CMAKE_OBJDUMP)
      execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE needed ERROR_QUIET)
      if(needed MATCHES "NEEDED +(libmpich\\.so|libmpi\\.so\\.12)")
        set(kind mpich)
      elseif(needed MATCHES "NEEDED +(libmpi\\.so\\.[2-9]|libopen-)")
        set(kind openmpi)
      endif()
    endif()
  endforeach()
  set(${kind_var} "${kind}" PARENT_SCOPE)
endfunction()

macro(crosstalk_find_hdf5_mpi kind)
  crosstalk_parallel_wrapper(${kind} crosstalk_wrapper)
  if(HDF5_ROOT OR DEFINED ENV{HDF5_ROOT})
    set(crosstalk_wrapper "")
  endif()
  set(crosstalk_prefer_parallel ${CROSSTALK_PARALLEL_HDF5})
  if(NOT crosstalk_wrapper AND NOT HDF5_ROOT AND NOT DEFINED ENV{HDF5_ROOT})
    # Some other MPI's parallel build may come first in PATH.
    set(crosstalk_prefer_parallel OFF)
  endif()
  if(NOT CROSSTALK_PARALLEL_HDF5)
    set(crosstalk_wrapper "")
  endif()
  crosstalk_search_hdf5(CROSSTALK_HDF5_MPI crosstalk_hdf5_mpi "${crosstalk_wrapper}"
                        ${crosstalk_prefer_parallel})
  set(CROSSTALK_HDF5_MPI_TEXT "")
  if(CROSSTALK_HDF5_MPI_FOUND)
    set(CROSSTALK_HDF5_MPI_TEXT ", serial HDF5 (rank 0 writes)")
    if(CROSSTALK_HDF5_MPI_PARALLEL)
      set(CROSSTALK_HDF5_MPI_TEXT ", parallel HDF5")
      crosstalk_mpi_kind_of_hdf5("${CROSSTALK_HDF5_MPI_LIBRARIES}" crosstalk_hdf5_kind)
      if(crosstalk_hdf5_kind AND NOT crosstalk_hdf5_kind STREQUAL "${kind}")
        message(
          FATAL_ERROR
            "two MPIs: ${MPI_C_COMPILER} is of ${kind}, but the parallel HDF5 "
            "(${CROSSTALK_HDF5_MPI_LIBRARIES}) is of ${crosstalk_hdf5_kind}. Set "
            "-DCROSSTALK_MPI=${crosstalk_hdf5_kind}, or name an HDF5 of ${kind} by -DHDF5_ROOT=DIR, or "
            "take a serial one (-DCROSSTALK_PARALLEL_HDF5=OFF)")
      endif()
    endif()
  endif()
endmacro()

macro(crosstalk_find_hdf5)
  set(CROSSTALK_HDF5_HINT "install libhdf5-dev, or name it by -DHDF5_ROOT=DIR")
  crosstalk_search_hdf5(CROSSTALK_HDF5 crosstalk_hdf5 "" OFF)
  if(CROSSTALK_HDF5_FOUND AND CROSSTALK_HDF5_PARALLEL)
    # Its headers include mpi.h.
    if(CROSSTALK_MPI_FOUND)
      target_link_libraries(crosstalk_hdf5 INTERFACE MPI::MPI_C)
    else()
      set(CROSSTALK_HDF5_FOUND 0)
      string(PREPEND CROSSTALK_HDF5_HINT "${CROSSTALK_HDF5_LIBRARIES} needs an MPI; ")
    endif()
  elseif(NOT CROSSTALK_HDF5_FOUND AND CROSSTALK_HDF5_MPI_FOUND)
    set(CROSSTALK_HDF5_FOUND 1)
    target_link_libraries(crosstalk_hdf5 INTERFACE crosstalk_hdf5_mpi MPI::MPI_C)
  endif()
endmacro()
