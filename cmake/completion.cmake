# The completion script: cmake -DTEMPLATE=FILE -DPROGRAMS="NAME;..." -DROWS="FILE;..." -DOUTPUT=FILE -P
# completion.cmake. Its functions are named after the first program: a shell may load the scripts of two
# builds, one for the command and one for the programs of an MPI.
cmake_policy(VERSION 3.25)
file(READ ${TEMPLATE} text)
set(all "")
foreach(file ${ROWS})
  file(READ ${file} rows)
  string(APPEND all "${rows}")
endforeach()
list(GET PROGRAMS 0 first)
list(JOIN PROGRAMS " " programs)
string(REPLACE "_crosstalk" "_${first}" text "${text}")
string(REPLACE "PROGRAMS" "${programs}" text "${text}")
string(REPLACE "    # rows\n" "${all}" text "${text}")
file(WRITE ${OUTPUT} "${text}")
