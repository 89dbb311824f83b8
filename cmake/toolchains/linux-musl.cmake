# SPDX-License-Identifier: Apache-2.0
# Builds for Linux with musl and libc++, with Debian's clang 19:
#
#   cmake --toolchain cmake/toolchains/linux-musl.cmake -DCALDERA_MUSL_ROOT=FOLDER
#
# FOLDER holds musl, libc++ and what else a build needs; tests/musl.sh makes it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CALDERA_MUSL_ROOT /var/cache/caldera-musl/root CACHE PATH "musl, libc++ and headers")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CALDERA_MUSL_ROOT)
set(CMAKE_SYSROOT ${CALDERA_MUSL_ROOT})
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_ASM_COMPILER clang-19)
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET x86_64-linux-musl)
endforeach()
# Neither libgcc nor libstdc++: Debian's are for its own C library.
set(CMAKE_CXX_FLAGS_INIT -stdlib=libc++)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld --rtlib=compiler-rt --unwindlib=libunwind")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/bin/env)  # programs run as they are
