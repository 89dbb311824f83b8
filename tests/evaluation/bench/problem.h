// SPDX-License-Identifier: Apache-2.0
// Problem: a kernel with its data, sizes and expected results, whoever runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vulkan/runtime/ndrange.h"
#include "vulkan/runtime/program.h"

namespace caldera::bench {

/// One argument of the OpenCL kernel. In the GLSL twin, the buffers are bindings 0, 1, … in the same order
/// and values are members of the push constants. The size of local memory is part of the twin's source.
struct Argument {
    enum class Kind : uint8_t { Buffer, Value, Local };
    Kind kind = Kind::Buffer;
    std::vector<std::byte> bytes = {};  ///< Buffer: what is in it before the first run; Value
    uint64_t local_bytes = 0;           ///< Local
};

/// The contents that a buffer must have after the first run. `check` returns what is wrong, or an empty
/// string.
struct Expectation {
    uint32_t argument = 0;
    std::function<std::string(std::span<const std::byte> bytes)> check = {};
};

struct Problem {
    std::vector<Argument> arguments = {};
    /// Further read-only buffers of the twin: tables that are in the OpenCL source.
    std::vector<std::vector<std::byte>> twin_tables = {};
    runtime::NDRange range = {};
    std::vector<Expectation> expectations = {};
    double work = 0;        ///< bytes moved or operations done by a run, at least
    const char* unit = "";  ///< of work per nanosecond: "GB/s", "Gop/s"
};

/// A row of the table: `name` is the kernel's and that of its files.
struct Benchmark {
    const char* name = nullptr;
    const char* build_options = "";
    /// `scale` multiplies the work; 1 takes a large GPU some hundred microseconds.
    Problem (*make)(double scale) = nullptr;
};
std::span<const Benchmark> all_benchmarks();

/// kernels/NAME.cl as text and kernels/NAME.comp as SPIR-V, both embedded.
struct KernelSource {
    const char* name = nullptr;
    const char* opencl = nullptr;
    std::span<const uint32_t> twin = {};
};
std::span<const KernelSource> kernel_sources();
const KernelSource& kernel_source(const char* name);

}  // namespace caldera::bench
