# SPDX-License-Identifier: Apache-2.0
# Builds the compiler for WebAssembly, with Debian's clang 19 and its C and C++ libraries for WASI:
#
#   cmake --toolchain cmake/toolchains/wasm.cmake -DCALDERA_WEB_ROOT=FOLDER
#
# FOLDER holds the libraries and headers that a build needs; web/build.sh makes it.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CALDERA_WEB_ROOT /var/cache/caldera-web/root CACHE PATH "headers and libraries for WebAssembly")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CALDERA_WEB_ROOT)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_SYSROOT ${CALDERA_WEB_ROOT}/usr)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET wasm32-wasi)
endforeach()
set(llvm ${CMAKE_SYSROOT}/lib/llvm-19)
# Debian's C++ library unwinds no exceptions: those that Caldera throws are faults of its own, which end the instance.
set(CMAKE_CXX_FLAGS_INIT "-stdlib=libc++ -fignore-exceptions -isystem ${llvm}/include/wasm32-wasi/c++/v1")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${llvm}/lib/wasm32-wasi -resource-dir=${llvm}/lib/clang/19")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CALDERA_WASM TRUE)
