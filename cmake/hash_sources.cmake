# A hash of source files as a C macro, so that a program knows what it was built from:
# cmake -DFILES=A;B -DOUTPUT=FILE.h -DNAME=MACRO -P hash_sources.cmake
set(all "")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} hash)
  string(APPEND all "${hash}")
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${OUTPUT} "#define ${NAME} \"${hash}\"\n")
