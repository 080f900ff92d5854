# Debian's cross compiler and its arm64 packages (dpkg --add-architecture arm64): for builds that qemu-user
# runs here.
#
#     apt-get install gcc-aarch64-linux-gnu qemu-user-static libgsl-dev:arm64 ...
#     cmake -S . -B build/arm64 --toolchain cmake/toolchain-arm64.cmake -DCROSSTALK_MPI=none
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Programs of the build and tests: cmake puts it before them.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
# Not this machine's own libraries.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
