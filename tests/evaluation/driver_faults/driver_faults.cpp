// SPDX-License-Identifier: Apache-2.0
// driver_faults: which of the faults that we work around (vulkan/driver_quirks.def) a device's driver has.
//
// Each fault is reduced to a GLSL shader, which says what is wrong and where (shaders/). The shader runs the
// ordinary Vulkan way, without our compiler. So it can be reported to the driver's developers, and it shows
// when a newer driver no longer needs the workaround. A shader may end its process: the next ones run in
// another.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "tests/devices/workers.h"
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

/// Opens the device and returns what runs the shader of such a name. It sets `cannot_run`, which all
/// processes share, where that fails.
std::function<void(const std::string&)> make_work(const std::string& select, bool* cannot_run) {
    const auto required = [](auto result) {
        if (result) return std::move(*result);
        std::fprintf(stderr, "driver_faults: error: %s\n", result.error().message.c_str());
        std::exit(1);
    };
    // Until the process ends.
    static const std::unique_ptr<runtime::Device> device = required(runtime::open_device({.select = select}));
    static const std::unique_ptr<runtime::Queue> queue = required(runtime::Queue::create(*device));
    std::printf("%s\n", device->name().c_str());
    return [cannot_run](const std::string& name) {
        const Shader& shader = *std::ranges::find(shaders(), name, &Shader::name);
        if (!report(*device, *queue, shader)) *cannot_run = true;
        std::fflush(stdout);
    };
}

#include "shaders.inc"

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"driver_faults: which of the faults that we work around a device's driver has"};
    app.footer(
        "Each line is a shader of tests/evaluation/driver_faults/shaders, run without our compiler. A driver "
        "that "
        "ends the process at one, or does not end, has that fault.\n\n"
        "Examples:\n  driver_faults\n  driver_faults --device=llvmpipe\n"
        "  driver_faults long_loop padding\n");
    std::string select;
    app.add_option("--device", select, "Vulkan device: index or part of the name; otherwise CALDERA_DEVICE");
    std::vector<std::string> names;
    std::vector<std::string> all;
    for (const Shader& shader : shaders()) all.push_back(shader.name);
    app.add_option("name", names, "Only these shaders; otherwise all")->check(CLI::IsMember(all));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? 0 : 1; }
    constexpr unsigned kSeconds = 120;
    auto* const cannot_run = static_cast<bool*>(
        mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (names.empty()) names = all;
    devices::work_through(
        names, kSeconds, [&] { return make_work(select, cannot_run); },
        [&](const devices::Death& death) {
            std::printf(
                "%-18s %s\n", death.item.c_str(),
                death.verdict == "timeout" ? "does not end" : ("ends the process: " + death.remark).c_str());
            std::fflush(stdout);
        });
    return *cannot_run ? 1 : 0;
}
