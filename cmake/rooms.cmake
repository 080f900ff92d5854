# crosstalk_room(NAME SOURCES... LINK...): a static library with the project's flags.
add_library(crosstalk_flags INTERFACE)
target_include_directories(crosstalk_flags INTERFACE ${PROJECT_SOURCE_DIR}
                                                     ${PROJECT_BINARY_DIR}/generated)
target_compile_definitions(crosstalk_flags INTERFACE _GNU_SOURCE)
target_compile_options(
  crosstalk_flags
  INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
            -Wformat=2 $<$<BOOL:${CROSSTALK_WERROR}>:-Werror>
            # Rows of tables leave out what is zero at their end; gcc knows, clang does not.
            $<$<C_COMPILER_ID:Clang>:-Wno-missing-field-initializers>
            # Comments of headers name parameters that are there; gcc has no such check.
            $<$<C_COMPILER_ID:Clang>:-Wdocumentation>)
if(CROSSTALK_SANITIZE)
  target_compile_options(crosstalk_flags INTERFACE -fsanitize=${CROSSTALK_SANITIZE}
                                                   -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(crosstalk_flags INTERFACE -fsanitize=${CROSSTALK_SANITIZE})
endif()

if(CROSSTALK_SIMULATED)
  target_link_libraries(crosstalk_flags INTERFACE crosstalk_simulated)
endif()

function(crosstalk_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "SOURCES;LINK")
  add_library(${name} STATIC ${ROOM_SOURCES})
  set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden)
  target_link_libraries(${name} PUBLIC crosstalk_flags ${ROOM_LINK})
  set_property(GLOBAL APPEND PROPERTY CROSSTALK_ROOMS ${name})
endfunction()

# crosstalk_program(NAME SOURCES... LINK...): an installed program. In a simulator it is a library whose
# main() smpirun and crosstalk-simgrid call, under the same name; nothing else of it is visible.
function(crosstalk_program name)
  cmake_parse_arguments(PARSE_ARGV 1 PROGRAM "" "" "SOURCES;LINK")
  if(CROSSTALK_SIMULATED)
    add_library(${name} SHARED ${PROGRAM_SOURCES})
    set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX "" LIBRARY_OUTPUT_DIRECTORY
                                             ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    target_link_libraries(${name} PRIVATE crosstalk_flags ${PROGRAM_LINK})
    install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/crosstalk/simgrid)
    return()
  endif()
  add_executable(${name} ${PROGRAM_SOURCES})
  target_link_libraries(${name} PRIVATE crosstalk_flags ${PROGRAM_LINK})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
