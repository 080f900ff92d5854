# Two MPIs as far as files tell, for test_mpi_kind: fake/KIND/lib has a library with the name of that
# MPI's, fake/KIND/bin a launcher; fake/bin programs that are linked to one of them, directly or
# through a library in between, or to none.
set(fake ${CMAKE_CURRENT_BINARY_DIR}/fake)

function(crosstalk_fake_mpi kind library version answer)
  add_library(fake_${kind} SHARED fake_mpi.c)
  target_compile_definitions(fake_${kind} PRIVATE FAKE_LIBRARY)
  set_target_properties(fake_${kind} PROPERTIES OUTPUT_NAME ${library} SOVERSION ${version}
                                                LIBRARY_OUTPUT_DIRECTORY ${fake}/${kind}/lib)
  add_library(fake_middle_${kind} SHARED fake_mpi.c)
  target_compile_definitions(fake_middle_${kind} PRIVATE FAKE_MIDDLE)
  target_link_libraries(fake_middle_${kind} PRIVATE fake_${kind})
  set_target_properties(fake_middle_${kind} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${fake}/${kind}/lib)
  foreach(way mpi middle)
    add_executable(fake_${kind}_${way} fake_mpi.c)
    target_compile_definitions(fake_${kind}_${way} PRIVATE FAKE_CALL=fake_${way})
    set_target_properties(fake_${kind}_${way} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${fake}/bin)
    crosstalk_unit_needs(mpi_kind fake_${kind}_${way})
  endforeach()
  target_link_libraries(fake_${kind}_mpi PRIVATE fake_${kind})
  target_link_libraries(fake_${kind}_middle PRIVATE fake_middle_${kind})
  file(WRITE ${fake}/${kind}/bin/mpiexec "#!/bin/sh\necho '${answer}'\n")
  file(CHMOD ${fake}/${kind}/bin/mpiexec PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

crosstalk_fake_mpi(mpich mpich 12 "HYDRA build details:")
crosstalk_fake_mpi(openmpi mpi 40 "mpiexec (OpenRTE) 4.1.4")

# Where the C library comes as an archive, too.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_c_source_compiles("int main(void) { return 0; }" CROSSTALK_LINKS_STATICALLY)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(CROSSTALK_LINKS_STATICALLY)
  add_executable(fake_static fake_mpi.c)
  target_compile_definitions(fake_static PRIVATE FAKE_STATIC)
  target_link_options(fake_static PRIVATE -static)
  set_target_properties(fake_static PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${fake}/bin)
  crosstalk_unit_needs(mpi_kind fake_static)
endif()
set_property(SOURCE test_mpi_kind.c APPEND PROPERTY COMPILE_DEFINITIONS FAKE="${fake}")
