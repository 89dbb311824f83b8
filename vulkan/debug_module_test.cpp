// SPDX-License-Identifier: Apache-2.0
// Modules with debug information on a device: what it gets, and that it runs.
#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>

#include "frontend/options.h"
#include "spirv/entry_points.h"
#include "spirv/spirv.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"

using namespace caldera;

namespace {

constexpr const char* kKernels = R"(
typedef struct { int x; float2 y; } Pair;
constant int table[4] = {3, 1, 4, 1};
global int counter = 5;
int twice(const Pair *pair) { int sum = pair->x * 2; return sum + (int)pair->y.s1; }
kernel void first(global int *out) {
    Pair pair = {(int)get_global_id(0), (float2)(1.0f, 2.0f)};
    for (int i = 0; i < 4; ++i) pair.x += table[i];
    out[get_global_id(0)] = twice(&pair) + counter;
}
kernel void second(global int *out) { out[get_global_id(0)] = 7; }
)";

bool has_debug_information(const std::vector<uint32_t>& words) {
    const std::string text = spirv::disassemble(words).take();
    return text.find("DebugFunctionDefinition") != std::string::npos &&
           text.find("DebugCompilationUnit") != std::string::npos;
}

}  // namespace

TEST_CASE("a program that is built with -g runs, and the device gets its debug information") {
    const auto device = runtime::open_device().take();
    for (const bool debug : {false, true}) {
        BuildOptions options;
        REQUIRE(frontend::parse_build_options(debug ? "-cl-std=CL3.0 -g" : "-cl-std=CL3.0", options.compile));
        BuildResult built = build_program(*device, kKernels, "a.cl", options);
        REQUIRE_MESSAGE(built, built.log);
        const bool is_new = device->profile().api_version_minor >= 3;
        CHECK(has_debug_information(built.words) == (debug && is_new));
        for (const char* name : {"first", "second"})
            CHECK(has_debug_information(spirv::EntryPoints(built.words).only(name, "main")) ==
                  (debug && is_new));
        const auto queue = runtime::Queue::create(*device).take();
        runtime::Buffer buffer = runtime::Buffer::create(*device, 16).take();
        runtime::Kernel kernel = runtime::Kernel::create(*built.program, "first").take();
        REQUIRE(kernel.set(0, buffer));
        REQUIRE(queue->dispatch(kernel, {.global = {4, 1, 1}, .local = {4, 1, 1}}));
        std::array<int, 4> out = {};
        REQUIRE(queue->download(buffer, 0, std::as_writable_bytes(std::span(out))));
        for (int i = 0; i < 4; ++i) CHECK(out[i] == (i + 9) * 2 + 2 + 5);
    }
}
