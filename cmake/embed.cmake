# A text file as a C string: cmake -DINPUT=FILE -DOUTPUT=FILE.h -DNAME=VARIABLE -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "static const char ${NAME}[] = {${bytes}0};\n")
