#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD: what `cmake --install` puts in place compiles another project's program, and has the driver for the loader.
set -euo pipefail
build=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

cmake --install "$build" --prefix "$root/usr" >/dev/null 2>"$root/log" || { cat "$root/log"; exit 1; }
mkdir "$root/project"
cat >"$root/project/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(Other LANGUAGES CXX)
find_package(Caldera 0.1 REQUIRED)
add_executable(other other.cpp)
target_link_libraries(other PRIVATE Caldera::caldera)
EOF
cat >"$root/project/other.cpp" <<'EOF'
#include <cstdio>

#include "vulkan/build_program.h"

int main() {
    auto device = caldera::runtime::Device::open();
    if (!device) return std::puts(device.error().message.c_str()), 1;
    const auto built = caldera::build_program(**device, "kernel void k(global int *a) { *a = 42; }", "k.cl");
    if (!built) return std::puts(built.log.c_str()), 1;
    auto kernel = caldera::runtime::Kernel::create(*built.program, "k").take();
    auto queue = caldera::runtime::Queue::create(**device).take();
    auto buffer = caldera::runtime::Buffer::create(**device, 4).take();
    int value = 0;
    if (!kernel.set(0, buffer) || !queue->dispatch(kernel, {}) ||
        !queue->download(buffer, 0, std::as_writable_bytes(std::span(&value, 1))))
        return 1;
    std::printf("the answer is %d\n", value);
    return value == 42 ? 0 : 1;
}
EOF
cmake -G Ninja -S "$root/project" -B "$root/project/build" -DCMAKE_PREFIX_PATH="$root/usr" >/dev/null
cmake --build "$root/project/build" >/dev/null
"$root/project/build/other"
test -x "$root/usr/bin/clc2spv" && test -s "$root/usr/etc/OpenCL/vendors/caldera.icd"
test -e "$(cat "$root/usr/etc/OpenCL/vendors/caldera.icd")"
