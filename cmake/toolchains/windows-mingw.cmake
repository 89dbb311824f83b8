# SPDX-License-Identifier: Apache-2.0
# Builds for 64-bit Windows on Linux, with Debian's g++-mingw-w64-x86-64-posix, and runs programs with Wine:
#
#   cmake --toolchain cmake/toolchains/windows-mingw.cmake -DCALDERA_WINDOWS_ROOT=FOLDER
#
# FOLDER holds what a build needs besides the compiler; tests/windows.sh makes it.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CALDERA_WINDOWS_ROOT /var/cache/caldera-windows/root CACHE PATH "headers and libraries for Windows")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CALDERA_WINDOWS_ROOT)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH ${CALDERA_WINDOWS_ROOT} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/lib/wine/wine64)
