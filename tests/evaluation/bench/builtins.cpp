// SPDX-License-Identifier: Apache-2.0
// bench_builtins: how fast the built-in functions are, ours against the system's OpenCL, from the same
// source, runs in turn.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "frontend/options.h"
#include "tests/accuracy/function.h"
#include "tests/evaluation/bench/data.h"
#include "tests/evaluation/bench/vulkan_contestants.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;
using namespace caldera::bench;

namespace {

constexpr const char* kExamples = R"(
Examples:
  bench_builtins                                    every function of float and double
  bench_builtins --options=-cl-fast-relaxed-math
  bench_builtins --only=sin --type=double --runs=31
  bench_builtins --device=llvmpipe --scale=0.001

The device's clocks are sampled before and after each function's runs, and of all. Status: 1 where something failed, 2 where a clock
changed by more than 3%.
)";

struct Options {
    std::vector<std::string> only, types;
    std::string device, opencl, build_options;
    uint32_t runs = 9;
    double scale = 1;
    bool any_clock = false;
};

constexpr uint32_t kCallsPerItem = 256;

/// Arguments that programs use: from low to high, in small steps.
struct Range {
    double low = -10, high = 10;
};
Range range_of(const accuracy::Function& function) {
    static const std::map<std::string_view, Range> kRanges = {
        {"sqrt", {0, 100}},     {"rsqrt", {0.01, 100}}, {"pow", {0.01, 4}},    {"powr", {0.01, 4}},
        {"pown", {0.1, 4}},     {"rootn", {0, 100}},    {"log", {0.01, 100}},  {"log2", {0.01, 100}},
        {"log10", {0.01, 100}}, {"log1p", {-0.9, 100}}, {"asin", {-1, 1}},     {"acos", {-1, 1}},
        {"asinpi", {-1, 1}},    {"acospi", {-1, 1}},    {"acosh", {1, 100}},   {"atanh", {-1, 1}},
        {"erf", {-3, 3}},       {"erfc", {-3, 3}},      {"tgamma", {0.1, 20}}, {"lgamma", {0.1, 20}},
        {"lgamma_r", {0.1, 20}}};
    const auto found = kRanges.find(function.name);
    return found == kRanges.end() ? Range{} : found->second;
}

/// One function in one format: `kernel void bench(out, low, step)`.
std::string source_of(const accuracy::Function& function, const accuracy::Format& format) {
    const std::string type = format.type;
    return (format.bytes == 8 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : std::string()) +
           "typedef " + type + " T;\ntypedef int N;\n#define TO_T convert_" + type +
           "\nkernel void bench(global T* out, T low, T step) {\n"
           "    T at = low + step * (T)(get_global_id(0) % 1024), sum = 0;\n"
           "    for (int k = 0; k < " +
           std::to_string(kCallsPerItem) +
           "; k++) {\n"
           "        T x = at, y = (T)2 - at, z = at * (T)0.5;\n        N n = k & 7;\n        T r;\n        " +
           function.statement +
           "\n        sum += r;\n        at += step * (T)1024;\n    }\n"
           "    out[get_global_id(0)] = sum;\n}\n";
}

double median_us(std::vector<uint64_t> times_ns) {
    std::ranges::sort(times_ns);
    return static_cast<double>(times_ns[times_ns.size() / 2]) / 1000;
}

class Bench {
 public:
    explicit Bench(const Options& options) : options_(options) {}

    Result<Done> open() {
        Result<std::unique_ptr<runtime::Device>> device = runtime::open_device({.select = options_.device});
        if (!device) return device.error();
        device_ = device.take();
        if (device_->timestamp_bits() == 0)
            return Error{.message = "'" + device_->name() + "' has no timestamps"};
        Result<std::unique_ptr<runtime::Queue>> queue =
            runtime::Queue::create(*device_, {.timestamps = true});
        if (!queue) return queue.error();
        queue_ = queue.take();
        if (Result<Done> done = frontend::parse_build_options(options_.build_options, build_.compile); !done)
            return done;
        if (options_.opencl != "none") {
            Result<std::unique_ptr<OpenCl>> opencl = OpenCl::open(options_.opencl);
            if (opencl) opencl_ = opencl.take();
        }
        Result<Burst> burst = burst_on(*device_, *queue_);
        if (!burst) return burst.error();
        watch_.emplace(clocks_of(*device_), burst.take(), options_.any_clock);
        watch_->start();
        std::printf("Vulkan: %s\nOpenCL: %s\n%s\nmedian of %u runs in us\n%-16s %-6s %10s %10s %12s %14s\n",
                    device_->name().c_str(), opencl_ ? opencl_->name().c_str() : "none",
                    options_.build_options.c_str(), options_.runs, "function", "type", "ours", "OpenCL",
                    "ours/OpenCL", "calls per ns");
        return Done{};
    }

    bool run() {
        bool ok = true;
        for (const accuracy::Format* format : {&accuracy::kFloat, &accuracy::kDouble}) {
            if (!options_.types.empty() && !std::ranges::count(options_.types, format->type)) continue;
            if (format->bytes == 8 && !device_->profile().float64) continue;
            std::vector<double> ratios;
            for (const accuracy::Function& function : accuracy::functions())
                if (options_.only.empty() || std::ranges::count(options_.only, function.name))
                    ok &= run(function, *format, ratios);
            double sum = 0;
            for (double ratio : ratios) sum += std::log(ratio);
            if (!ratios.empty())
                std::printf("%-16s %-6s %34.3f\n", "geometric mean", format->type,
                            std::exp(sum / static_cast<double>(ratios.size())));
        }
        return ok;
    }

    /// After run(): the program's status where that went well.
    int finish() { return watch_->finish(); }

 private:
    bool run(const accuracy::Function& function, const accuracy::Format& format,
             std::vector<double>& ratios) {
        const std::string text = source_of(function, format);
        const KernelSource source{.name = "bench", .opencl = text.c_str()};
        const uint32_t count = scaled(1 << 20, options_.scale, 1024);
        const Range range = range_of(function);
        const double step = (range.high - range.low) / (1024.0 * kCallsPerItem);
        const bool is_double = format.bytes == 8;
        const auto real = [&](double v) { return is_double ? value(v) : value(static_cast<float>(v)); };
        const Problem problem{.arguments = {is_double ? zeros<double>(count) : zeros<float>(count),
                                            real(range.low), real(step)},
                              .range = items(count, 256)};
        VulkanData data{.problem = problem, .device = *device_, .queue = *queue_};
        if (Result<Done> done = data.create(); !done) return tell(function, done.error());
        std::vector<uint32_t> words;
        std::vector<std::unique_ptr<Contestant>> contestants;
        Result<std::unique_ptr<Contestant>> ours = prepare_ours(source, data, build_, words);
        if (!ours) return tell(function, ours.error());
        contestants.push_back(ours.take());
        if (opencl_) {
            Result<std::unique_ptr<Contestant>> theirs =
                opencl_->prepare(source, problem, options_.build_options);
            if (theirs)
                contestants.push_back(theirs.take());
            else
                tell(function, theirs.error());
        }
        constexpr uint32_t kWarmUps = 2;
        std::vector<uint64_t> times[2];
        watch_->before();
        for (uint32_t turn = 0; turn < kWarmUps + options_.runs; ++turn)
            for (size_t c = 0; c < contestants.size(); ++c) {
                Result<uint64_t> time = contestants[c]->run();
                if (!time) return tell(function, time.error());
                if (turn >= kWarmUps) times[c].push_back(*time);
            }
        const bool may_compare = watch_->after();
        const double us = median_us(times[0]);
        std::printf("%-16s %-6s %10.1f ", function.name, format.type, us);
        if (times[1].empty()) {
            std::printf("%10s %12s", "-", "-");
        } else if (!may_compare) {
            std::printf("%10.1f %12s", median_us(times[1]), "-");
        } else {
            ratios.push_back(us / median_us(times[1]));
            std::printf("%10.1f %12.3f", median_us(times[1]), ratios.back());
        }
        std::printf(" %14.3f %s\n", static_cast<double>(count) * kCallsPerItem / us / 1000,
                    watch_->change().c_str());
        std::fflush(stdout);
        return true;
    }

    static bool tell(const accuracy::Function& function, const Error& error) {
        std::fprintf(stderr, "%s: %s\n", function.name, error.message.c_str());
        return false;
    }

    const Options& options_;
    BuildOptions build_ = {};
    std::unique_ptr<runtime::Device> device_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
    std::unique_ptr<OpenCl> opencl_ = {};
    std::optional<ClockWatch> watch_ = {};  // of an open device
};

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("bench_builtins: the built-in functions' throughput against OpenCL's");
    app.footer(kExamples);
    std::vector<std::string> names;
    for (const accuracy::Function& function : accuracy::functions()) names.emplace_back(function.name);
    app.add_option("--only", options.only, "this function; may be given several times")
        ->check(CLI::IsMember(names))
        ->allow_extra_args(false);
    app.add_option("--type", options.types, "float or double")->check(CLI::IsMember({"float", "double"}));
    app.add_option("--runs", options.runs, "timed runs of each")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--scale", options.scale, "multiplies the work; 1 suits a large GPU")
        ->check(CLI::PositiveNumber);
    app.add_option("--device", options.device,
                   "Vulkan device: index or part of the name; otherwise CALDERA_DEVICE");
    app.add_option("--opencl", options.opencl, "OpenCL device: part of its name or its platform's, or none");
    app.add_option("--options", options.build_options,
                   "build options, ours and OpenCL's, as clBuildProgram takes them");
    app.add_flag("--any-clock", options.any_clock, ClockWatch::kAnyClock);
    CLI11_PARSE(app, argc, argv);
    Bench bench(options);
    if (Result<Done> done = bench.open(); !done)
        return std::fprintf(stderr, "bench_builtins: error: %s\n", done.error().message.c_str()), 1;
    const bool ok = bench.run();
    const int status = bench.finish();
    return ok ? status : 1;
}
