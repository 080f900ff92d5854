# Unit tests of a room are one program, tests_ROOM, of files of tests: `tests_ROOM NAME [PATTERN]` runs
# test_NAME.c, which ctest knows as unit_NAME.

# The room of a library: the folder at the top of the source tree that it is made in.
function(crosstalk_room_of library result)
  get_target_property(aliased ${library} ALIASED_TARGET)
  if(aliased)
    set(library ${aliased})
  endif()
  get_target_property(folder ${library} SOURCE_DIR)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  string(REGEX REPLACE "/.*" "" room ${folder})
  string(REPLACE "-" "_" room ${room})
  set(${result} tests_${room} PARENT_SCOPE)
endfunction()

# The program of a room, made with its first test; rows.h has its tests.
function(crosstalk_unit_program program)
  if(TARGET ${program})
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${program})
  file(GENERATE OUTPUT ${folder}/rows.h
       CONTENT "ROW($<JOIN:$<TARGET_PROPERTY:${program},CROSSTALK_TESTS>,)\nROW(>)\n")
  add_executable(${program} main.c)
  target_include_directories(${program} PRIVATE ${folder})
  target_link_libraries(${program} PRIVATE crosstalk_flags PkgConfig::CMOCKA)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_dependencies(units ${program})
endfunction()

# crosstalk_unit_test(NAME LINK... [THREADS] [PARTS part...]): tests/unit/test_NAME.c, a cmocka program, where these
# parts are built and the rooms that it tests, and libraries that it compares with, are here. It belongs to the first
# room. THREADS: the thread sanitizer runs it, too. Functions whose names begin with slow_ take about a second or more
# in the preset quick: they are a test unit_NAME_slow of the label slow, which ./check quick leaves out.
# crosstalk_unit_sources(NAME FILE...): what it shares with others.
# Every room is linked, by its name, to a test here; those that need MPI to one of tests/mpi/.
set(rooms_elsewhere ct_bench ct_results_mpi ct_results_parallel)
set(rooms_linked "")
function(crosstalk_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 UNIT "THREADS" "" "PARTS")
  set(rooms_linked ${rooms_linked} ${UNIT_UNPARSED_ARGUMENTS} PARENT_SCOPE)
  crosstalk_have(have ${UNIT_PARTS})
  foreach(room ${UNIT_UNPARSED_ARGUMENTS})
    if(room MATCHES "^(ct_|GSL::|PkgConfig::)" AND NOT TARGET ${room})
      set(have 0)
    endif()
  endforeach()
  if(NOT have OR (CROSSTALK_SANITIZE STREQUAL "thread" AND NOT UNIT_THREADS))
    return()
  endif()
  list(GET UNIT_UNPARSED_ARGUMENTS 0 first)
  crosstalk_room_of(${first} program)
  crosstalk_unit_program(${program})
  set_property(GLOBAL PROPERTY CROSSTALK_PROGRAM_OF_${name} ${program})
  set_property(TARGET ${program} APPEND PROPERTY CROSSTALK_TESTS ${name})
  # Undefined behaviour is looked for in what is tested: in the tests it would cost a quarter of their compilation.
  set_source_files_properties(
    test_${name}.c PROPERTIES COMPILE_DEFINITIONS main=ct_test_${name}
                              COMPILE_OPTIONS "-Wno-missing-prototypes;-fno-sanitize=undefined")
  crosstalk_unit_sources(${name} test_${name}.c)
  get_target_property(linked ${program} LINK_LIBRARIES)
  foreach(library ${UNIT_UNPARSED_ARGUMENTS})
    if(NOT library IN_LIST linked)
      target_link_libraries(${program} PRIVATE ${library})
    endif()
  endforeach()
  set(tests unit_${name})
  file(STRINGS test_${name}.c slow REGEX "^static void slow_")
  if(slow)
    crosstalk_test(unit_${name} unit 60 ${program} ${name} quick)
    crosstalk_test(unit_${name}_slow "unit;slow;in_slow" 300 ${program} ${name} slow) # with sanitizers: a row
    list(APPEND tests unit_${name}_slow)
  else()
    crosstalk_test(unit_${name} unit 60 ${program} ${name})
  endif()
  if(UNIT_THREADS)
    crosstalk_threads(${program} ${tests})
  endif()
endfunction()

function(crosstalk_unit_sources name)
  get_property(program GLOBAL PROPERTY CROSSTALK_PROGRAM_OF_${name})
  if(NOT program)
    return()
  endif()
  get_target_property(sources ${program} SOURCES)
  foreach(file ${ARGN})
    if(NOT file IN_LIST sources)
      target_sources(${program} PRIVATE ${file})
    endif()
  endforeach()
endfunction()

# What a test needs built before it: crosstalk_unit_needs(NAME TARGET...)
function(crosstalk_unit_needs name)
  get_property(program GLOBAL PROPERTY CROSSTALK_PROGRAM_OF_${name})
  if(program)
    add_dependencies(${program} ${ARGN})
  endif()
endfunction()
