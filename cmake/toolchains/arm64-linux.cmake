# SPDX-License-Identifier: Apache-2.0
# Builds for 64-bit Arm on another Linux machine, with Debian's g++-aarch64-linux-gnu, and runs tests in qemu-user's
# emulator:
#
#   cmake --toolchain cmake/toolchains/arm64-linux.cmake -DCALDERA_ARM64_ROOT=FOLDER
#
# FOLDER holds arm64 Debian with the packages that a build needs; tests/arm64.sh makes it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CALDERA_ARM64_ROOT /var/cache/caldera-arm64/root CACHE PATH "arm64 Debian")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CALDERA_ARM64_ROOT)
set(CMAKE_SYSROOT ${CALDERA_ARM64_ROOT})
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Its JSON is compared with what a device says itself.
set(VULKANINFO "qemu-aarch64 -L ${CALDERA_ARM64_ROOT} ${CALDERA_ARM64_ROOT}/usr/bin/vulkaninfo" CACHE STRING "")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CALDERA_ARM64_ROOT})
