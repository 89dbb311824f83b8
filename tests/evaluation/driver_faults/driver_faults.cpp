// SPDX-License-Identifier: Apache-2.0
// driver_faults: which of the faults that we work around (vulkan/driver_quirks.def) a device's driver has.
//
// Each fault is reduced to a GLSL shader, which says what is wrong and where (shaders/). The shader runs the
// ordinary Vulkan way, without our compiler. So it can be reported to the driver's developers, and it shows
// when a newer driver no longer needs the workaround.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <numeric>
#include <vector>

#include "tests/evaluation/bench/twin.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"

using namespace caldera;

namespace {

struct Shader {
    const char* name;
    std::span<const uint32_t> words;
    bool needs_int64, needs_double;
};
const std::span<const Shader> shaders();

constexpr uint32_t kInvocations = 16;
struct Pair {
    uint32_t got, expected;
};

Result<std::vector<Pair>> run(runtime::Device& device, runtime::Queue& queue, const Shader& shader) {
    std::vector<uint32_t> data(4096);
    std::iota(data.begin(), data.end(), 0u);
    std::vector<Pair> pairs(kInvocations, Pair{0, 1});
    Result<runtime::Buffer> results = runtime::Buffer::create(device, pairs.size() * sizeof(Pair));
    if (!results) return results.error();
    Result<runtime::Buffer> input = runtime::Buffer::create(device, data.size() * sizeof data[0]);
    if (!input) return input.error();
    if (Result<Done> done = queue.upload(*results, 0, std::as_bytes(std::span(pairs))); !done)
        return done.error();
    if (Result<Done> done = queue.upload(*input, 0, std::as_bytes(std::span(data))); !done)
        return done.error();
    if (Result<Done> done = queue.finish(); !done) return done.error();
    const runtime::Buffer* const buffers[] = {&*results, &*input};
    auto twin = bench::Twin::create(device, shader.words, buffers, {});
    if (!twin) return twin.error();
    if (Result<uint64_t> ran = (*twin)->run({1, 1, 1}); !ran) return ran.error();
    if (Result<Done> done = queue.download(*results, 0, std::as_writable_bytes(std::span(pairs))); !done)
        return done.error();
    return pairs;
}

/// False when it cannot be run.
bool report(runtime::Device& device, runtime::Queue& queue, const Shader& shader) {
    if (shader.needs_int64 && !device.profile().int64)
        return std::printf("%-18s no 64-bit integers\n", shader.name), true;
    if (shader.needs_double && !device.profile().float64)
        return std::printf("%-18s no doubles\n", shader.name), true;
    const Result<std::vector<Pair>> pairs = run(device, queue, shader);
    if (!pairs) return std::printf("%-18s %s\n", shader.name, pairs.error().message.c_str()), false;
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = kInvocations; i-- > 0;)
        if ((*pairs)[i].got != (*pairs)[i].expected) ++wrong, first = i;
    if (wrong == 0) return std::printf("%-18s right\n", shader.name), true;
    std::printf("%-18s wrong in %u of %u invocations, first in number %u: 0x%x, not 0x%x\n", shader.name,
                wrong, kInvocations, first, (*pairs)[first].got, (*pairs)[first].expected);
    return true;
}

Result<bool> report_all(const std::string& select) {
    Result<std::unique_ptr<runtime::Device>> device = runtime::open_device({.select = select});
    if (!device) return device.error();
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device);
    if (!queue) return queue.error();
    std::printf("%s\n", (*device)->name().c_str());
    bool ran = true;
    for (const Shader& shader : shaders()) ran &= report(**device, **queue, shader);
    return ran;
}

#include "shaders.inc"

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"driver_faults: which of the faults that we work around a device's driver has"};
    app.footer(
        "Each line is a shader of tests/evaluation/driver_faults/shaders, run without our compiler.\n\n"
        "Examples:\n  driver_faults\n  driver_faults --device=llvmpipe\n");
    std::string select;
    app.add_option("--device", select, "Vulkan device: index or part of the name; otherwise CALDERA_DEVICE");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? 0 : 1; }
    const Result<bool> ran = report_all(select);
    if (!ran) std::fprintf(stderr, "driver_faults: error: %s\n", ran.error().message.c_str());
    return ran && *ran ? 0 : 1;
}
