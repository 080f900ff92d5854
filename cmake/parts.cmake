# The parts of crosstalk, each with what it needs. CROSSTALK_<PART> is AUTO (build it if what it needs is
# here, else say in one line what is then missing), ON (else stop) or OFF. CROSSTALK_HAVE_<PART> is the
# outcome; generated/core/parts.h hands it to the sources.

set(crosstalk_parts "")
set(crosstalk_parts_report "")

# crosstalk_part(NAME WITHOUT TEXT NEEDS [THING FOUND HINT]...): TEXT is what is missing without the
# part; THING is a text, FOUND a condition's value, HINT how to get it.
function(crosstalk_part name)
  cmake_parse_arguments(PARSE_ARGV 1 PART "" "WITHOUT" "NEEDS")
  set(CROSSTALK_${name} AUTO CACHE STRING "AUTO, ON or OFF; without it: ${PART_WITHOUT}")
  set_property(CACHE CROSSTALK_${name} PROPERTY STRINGS AUTO ON OFF)
  string(TOUPPER "${CROSSTALK_${name}}" wanted)
  string(TOLOWER ${name} label)
  if(NOT wanted MATCHES "^(AUTO|ON|YES|TRUE|1|OFF|NO|FALSE|0)$")
    message(FATAL_ERROR "CROSSTALK_${name} is '${CROSSTALK_${name}}'; it is one of AUTO, ON, OFF")
  endif()

  set(have 1)
  set(reason "")
  if(wanted MATCHES "^(OFF|NO|FALSE|0)$")
    set(have 0)
    set(reason "CROSSTALK_${name} is OFF")
  else()
    while(PART_NEEDS AND have)
      list(POP_FRONT PART_NEEDS thing found hint)
      if(NOT found)
        set(have 0)
        set(reason "${thing} is not here: ${hint}")
      endif()
    endwhile()
  endif()

  if(wanted MATCHES "^(ON|YES|TRUE|1)$" AND NOT have)
    message(FATAL_ERROR "CROSSTALK_${name} is ON, but ${reason}")
  endif()
  if(NOT have)
    message(STATUS "Left out: ${label} (${PART_WITHOUT}). ${reason}")
  endif()
  set(CROSSTALK_HAVE_${name} ${have} PARENT_SCOPE)
endfunction()

# crosstalk_pkg(PREFIX MODULE): PkgConfig::PREFIX and PREFIX_FOUND, never an error.
function(crosstalk_pkg prefix module)
  if(PkgConfig_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
  set(${prefix}_FOUND "${${prefix}_FOUND}" PARENT_SCOPE)
endfunction()

find_package(PkgConfig QUIET)
find_package(Threads REQUIRED)

crosstalk_part(
  MEASURE
  WITHOUT "impactb, compressionb, logpb, scanb, workload and the tracer are not built"
  NEEDS "an MPI library" "${CROSSTALK_MPI_FOUND}" "${CROSSTALK_MPI_HINT}"
        "HDF5" "${CROSSTALK_HDF5_MPI_FOUND}" "install libhdf5-dev or a parallel build (libhdf5-mpich-dev, libhdf5-openmpi-dev), or name it by -DHDF5_ROOT=DIR")

find_package(GSL QUIET)
if(GSL_FOUND AND NOT TARGET GSL::gsl)
  set(GSL_FOUND FALSE)
endif()
crosstalk_pkg(CJSON libcjson)
crosstalk_pkg(XXHASH libxxhash)
crosstalk_part(
  ANALYSIS
  WITHOUT "the command crosstalk is not built"
  NEEDS "a serial HDF5" "${CROSSTALK_HDF5_FOUND}" "${CROSSTALK_HDF5_HINT}"
        "GSL" "${GSL_FOUND}" "install libgsl-dev, or name it by -DGSL_ROOT_DIR=DIR"
        "cJSON" "${CJSON_FOUND}" "install pkg-config and libcjson-dev"
        "xxHash" "${XXHASH_FOUND}" "install libxxhash-dev")

include(CheckIncludeFile)
check_include_file(linux/sched.h CROSSTALK_LINUX_HEADERS)
crosstalk_part(
  LAB
  WITHOUT "crosstalk lab and launcher kind 'lab' answer with an error"
  NEEDS "the part analysis" "${CROSSTALK_HAVE_ANALYSIS}" "see above"
        "Linux" "${CROSSTALK_LINUX_HEADERS}" "the lab is made of network namespaces")

find_library(CROSSTALK_YAML_LIBRARY yaml)
check_include_file(yaml.h CROSSTALK_YAML_HEADER)
crosstalk_part(
  CAMPAIGN
  WITHOUT "crosstalk campaign answers with an error"
  NEEDS "the part analysis" "${CROSSTALK_HAVE_ANALYSIS}" "see above"
        "libyaml" "${CROSSTALK_YAML_LIBRARY}" "install libyaml-dev"
        "its header yaml.h" "${CROSSTALK_YAML_HEADER}" "install libyaml-dev")

# Programs that only measure on a cluster need as few libraries there as possible.
set(CROSSTALK_READS_YAML ${CROSSTALK_HAVE_ANALYSIS})
if(CROSSTALK_MPI STREQUAL "simgrid")
  set(CROSSTALK_READS_YAML 1)
endif()
crosstalk_part(
  YAML
  WITHOUT "topologies in YAML are refused"
  NEEDS "the part analysis" "${CROSSTALK_READS_YAML}" "see above"
        "libyaml" "${CROSSTALK_YAML_LIBRARY}" "install libyaml-dev"
        "its header yaml.h" "${CROSSTALK_YAML_HEADER}" "install libyaml-dev")

crosstalk_pkg(HWLOC hwloc)
crosstalk_part(
  HWLOC
  WITHOUT "campaigns cannot give programs cores of their own (placement: none)"
  NEEDS "the part campaign" "${CROSSTALK_HAVE_CAMPAIGN}" "see above"
        "hwloc" "${HWLOC_FOUND}" "install libhwloc-dev")

crosstalk_pkg(CLP clp)
crosstalk_part(
  CLP
  WITHOUT "crosstalk tolerance --solver clp answers with an error"
  NEEDS "the part analysis" "${CROSSTALK_HAVE_ANALYSIS}" "see above"
        "Clp" "${CLP_FOUND}" "install coinor-libclp-dev")

# Debian's package has no .pc file; messages of errors are a library of their own.
find_path(CROSSTALK_SCOTCH_INCLUDE scotch.h PATH_SUFFIXES scotch)
find_library(CROSSTALK_SCOTCH_LIBRARY scotch)
find_library(CROSSTALK_SCOTCH_ERRORS scotcherr)
crosstalk_part(
  SCOTCH
  WITHOUT "crosstalk place compares with ranks exchanged by volume, not with Scotch"
  NEEDS "the part analysis" "${CROSSTALK_HAVE_ANALYSIS}" "see above"
        "Scotch" "${CROSSTALK_SCOTCH_LIBRARY}" "install libscotch-dev"
        "its header scotch.h" "${CROSSTALK_SCOTCH_INCLUDE}" "install libscotch-dev"
        "its library scotcherr" "${CROSSTALK_SCOTCH_ERRORS}" "install libscotch-dev")
if(CROSSTALK_HAVE_SCOTCH)
  add_library(Scotch::scotch INTERFACE IMPORTED GLOBAL)
  target_include_directories(Scotch::scotch INTERFACE "${CROSSTALK_SCOTCH_INCLUDE}")
  target_link_libraries(Scotch::scotch INTERFACE "${CROSSTALK_SCOTCH_LIBRARY}" "${CROSSTALK_SCOTCH_ERRORS}")
endif()

crosstalk_pkg(SODIUM libsodium)
set(CROSSTALK_REAL_TIME 1)
if(CROSSTALK_SIMULATED)
  set(CROSSTALK_REAL_TIME 0)
endif()
crosstalk_part(
  PROBER
  WITHOUT "crosstalk-prober is not built, and impactb --watch answers with an error"
  NEEDS "real time" "${CROSSTALK_REAL_TIME}" "simulated programs have no sockets"
        "libsodium" "${SODIUM_FOUND}" "install pkg-config and libsodium-dev")

crosstalk_pkg(MICROHTTPD libmicrohttpd>=0.9.72)
crosstalk_part(
  PAGE
  WITHOUT "crosstalk watch --serve answers with an error"
  NEEDS "the part analysis" "${CROSSTALK_HAVE_ANALYSIS}" "see above"
        "the part prober" "${CROSSTALK_HAVE_PROBER}" "see above"
        "libmicrohttpd" "${MICROHTTPD_FOUND}" "install libmicrohttpd-dev")

crosstalk_pkg(UCX ucx)
crosstalk_part(
  DELAY
  WITHOUT "crosstalk delay answers with an error"
  NEEDS "the part analysis" "${CROSSTALK_HAVE_ANALYSIS}" "see above"
        "Linux" "${CROSSTALK_LINUX_HEADERS}" "its thread waits as Linux has it"
        "UCX" "${UCX_FOUND}" "install pkg-config and libucx-dev")

crosstalk_pkg(OTF2 otf2>=3.0)
crosstalk_part(
  OTF2
  WITHOUT "archives of OTF2 are neither read nor written"
  NEEDS "OTF2 3.0" "${OTF2_FOUND}" "install libotf2-trace-dev")

find_program(CROSSTALK_GNUPLOT gnuplot)
crosstalk_part(
  FIGURES
  WITHOUT "--plot needs gnuplot when they run, or draw no figure"
  NEEDS "the part analysis" "${CROSSTALK_HAVE_ANALYSIS}" "see above"
        "gnuplot" "${CROSSTALK_GNUPLOT}" "install gnuplot-nox")

crosstalk_pkg(CMOCKA cmocka)
find_program(BASH_PROGRAM bash)
crosstalk_part(
  TESTS
  WITHOUT "ctest finds nothing to run"
  NEEDS "cmocka" "${CMOCKA_FOUND}" "install pkg-config and libcmocka-dev"
        "bash" "${BASH_PROGRAM}" "install bash")

if(NOT CROSSTALK_HAVE_MEASURE AND NOT CROSSTALK_HAVE_ANALYSIS)
  message(FATAL_ERROR "nothing is left to build: neither the measuring programs (MPI, HDF5) nor the "
                      "analysis (GSL, HDF5, cJSON) have what they need; see the lines above")
endif()
