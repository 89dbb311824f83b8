// SPDX-License-Identifier: Apache-2.0
// bench: the time of our code for each kernel of kernels/ over that of a GLSL twin and of the system's
// OpenCL, on the same data, runs in turn, medians. Wrong results fail, being slow does not. Times between
// which the device's clock changed are not compared.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "frontend/options.h"
#include "tests/evaluation/bench/vulkan_contestants.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;
using namespace caldera::bench;

namespace {

constexpr const char* kExamples = R"(
Examples:
  bench                                     all kernels on the first GPU
  bench --device=llvmpipe --scale=0.02      on lavapipe, some seconds
  bench --only=scan --only=fft --runs=51 -O2
  bench --only=n_body --runs=0 --dump=out   writes out/n_body.ours.spv and out/n_body.glsl.spv
  bench --only=n_body --options=-cl-fast-relaxed-math
  bench --opencl=nvidia                     which OpenCL device; --opencl=none for none

The device's clocks are sampled before and after each kernel's runs, and of all. Status: 1 where a result is wrong, 2 where a clock
changed by more than 3%.
)";

struct Options {
    std::vector<std::string> only;
    std::string device, opencl, abi = "addresses", dump, build_options;
    uint32_t runs = 15;
    int level = 1;
    double scale = 1;
    bool verbose = false, any_clock = false;
};

/// The columns, in the order of the runs.
enum Column : size_t { kOurs, kGlsl, kOpenCl, kColumns };
constexpr const char* kColumnNames[] = {"ours", "GLSL", "OpenCL"};

/// Runs on fresh data; what is wrong with the results, or nothing.
Result<Done> check(Contestant& contestant, const Problem& problem) {
    Result<Done> done = contestant.write_inputs();
    if (!done) return done;
    if (Result<uint64_t> time = contestant.run(); !time) return time.error();
    for (const Expectation& expectation : problem.expectations) {
        std::vector<std::byte> bytes(problem.arguments[expectation.argument].bytes.size());
        if (done = contestant.read(expectation.argument, bytes); !done) return done;
        if (const std::string wrong = expectation.check(bytes); !wrong.empty())
            return Error{.message = "argument " + std::to_string(expectation.argument) + ": " + wrong};
    }
    return Done{};
}

double median_us(std::vector<uint64_t> times_ns) {
    if (times_ns.empty()) return 0;
    std::ranges::sort(times_ns);
    return static_cast<double>(times_ns[times_ns.size() / 2]) / 1000;
}

Result<Done> write_words(const std::filesystem::path& path, std::span<const uint32_t> words) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size_bytes()));
    if (!file) return Error{.message = "cannot write '" + path.string() + "'"};
    return Done{};
}

class Bench {
 public:
    explicit Bench(const Options& options) : options_(options) {}

    Result<Done> open() {
        Result<std::unique_ptr<runtime::Device>> device = runtime::open_device({.select = options_.device});
        if (!device) return device.error();
        device_ = device.take();
        if (options_.runs != 0 && device_->timestamp_bits() == 0)
            return Error{.message = "'" + device_->name() + "' has no timestamps"};
        Result<std::unique_ptr<runtime::Queue>> queue =
            runtime::Queue::create(*device_, {.timestamps = true});
        if (!queue) return queue.error();
        queue_ = queue.take();
        std::printf("Vulkan: %s, -O%d, %s\n", device_->name().c_str(), options_.level, options_.abi.c_str());
        if (options_.opencl == "none") return Done{};
        Result<std::unique_ptr<OpenCl>> opencl = OpenCl::open(options_.opencl);
        if (opencl) opencl_ = opencl.take();
        std::printf("OpenCL: %s\n", opencl_ ? opencl_->name().c_str() : opencl.error().message.c_str());
        return Done{};
    }

    /// Before the first run().
    Result<Done> start_watch() {
        Result<Burst> burst = burst_on(*device_, *queue_);
        if (!burst) return burst.error();
        watch_.emplace(clocks_of(*device_), burst.take(), options_.any_clock);
        watch_->start();
        return Done{};
    }
    /// After the last one: the program's status.
    int finish_watch() { return watch_->finish(); }

    void print_head() const {
        std::printf("median of %u runs in us, scale %g\n%-16s %12s %12s %12s %10s %12s %16s\n", options_.runs,
                    options_.scale, "kernel", kColumnNames[0], kColumnNames[1], kColumnNames[2], "ours/GLSL",
                    "ours/OpenCL", "ours at");
    }

    /// False when a result is wrong or there is none. OpenCL's failures are told and else left out.
    bool run(const Benchmark& benchmark) {
        since_ = Clock::now();
        const Problem problem = benchmark.make(options_.scale);
        VulkanData data{.problem = problem, .device = *device_, .queue = *queue_};
        if (Result<Done> done = data.create(); !done) return tell(benchmark, "data", done.error());

        std::unique_ptr<Contestant> contestants[kColumns];
        std::vector<uint32_t> words;
        bool ok = true;
        say_time(benchmark, "data");
        auto enter = [&](Column column, Result<std::unique_ptr<Contestant>> made) {
            say_time(benchmark, kColumnNames[column]);
            Result<Done> done = made ? check(**made, problem) : made.error();
            say_time(benchmark, "check");
            if (done) contestants[column] = made.take();
            return done || tell(benchmark, kColumnNames[column], done.error());
        };
        const KernelSource& source = kernel_source(benchmark.name);
        const std::string build_options = std::string(benchmark.build_options) + " " + options_.build_options;
        BuildOptions build{.optimization_level = options_.level};
        if (Result<Done> done = frontend::parse_build_options(build_options, build.compile); !done)
            return tell(benchmark, kColumnNames[kOurs], done.error());
        if (options_.abi == "descriptors") build.abi = vulkan::Abi::Descriptors;
        ok &= enter(kOurs, prepare_ours(source, data, build, words));
        ok &= enter(kGlsl, prepare_twin(source, data));
        if (opencl_) enter(kOpenCl, opencl_->prepare(source, problem, build_options));
        if (!options_.dump.empty()) ok &= dump(benchmark, words);

        double us[kColumns] = {};
        if (!ok || options_.runs == 0) return ok;
        watch_->before();
        if (!measure(benchmark, contestants, us)) return false;
        print(benchmark, problem, us, watch_->after());
        return true;
    }

    void print_means() const {
        std::printf("%-16s %38s", "geometric mean", "");
        for (const std::vector<double>& ratios : ratios_) {
            double sum = 0;
            for (double ratio : ratios) sum += std::log(ratio);
            if (!ratios.empty()) std::printf(" %10.3f", std::exp(sum / static_cast<double>(ratios.size())));
        }
        std::printf("\n");
    }

 private:
    using Clock = std::chrono::steady_clock;

    /// --verbose: how long the step before took the host.
    void say_time(const Benchmark& benchmark, const char* step) {
        const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
        since_ = Clock::now();
        if (options_.verbose) std::fprintf(stderr, "%s: %s: %.2f s\n", benchmark.name, step, seconds);
    }
    bool tell(const Benchmark& benchmark, const char* who, const Error& error) const {
        std::fprintf(stderr, "%s: %s: %s\n", benchmark.name, who, error.message.c_str());
        return false;
    }

    bool measure(const Benchmark& benchmark, std::span<const std::unique_ptr<Contestant>> contestants,
                 std::span<double> us) const {
        constexpr uint32_t kWarmUps = 2;
        std::vector<uint64_t> times[kColumns];
        for (uint32_t turn = 0; turn < kWarmUps + options_.runs; ++turn)
            for (size_t c = 0; c < kColumns; ++c) {
                if (!contestants[c]) continue;
                Result<uint64_t> time = contestants[c]->run();
                if (!time) return tell(benchmark, kColumnNames[c], time.error());
                if (turn >= kWarmUps) times[c].push_back(*time);
            }
        for (size_t c = 0; c < kColumns; ++c) us[c] = median_us(times[c]);
        return true;
    }

    void print(const Benchmark& benchmark, const Problem& problem, std::span<const double> us,
               bool may_compare) {
        char opencl[16] = "-", ratios[2][16] = {"-", "-"};
        if (us[kOpenCl] > 0) std::snprintf(opencl, sizeof opencl, "%.1f", us[kOpenCl]);
        for (const Column other : {kGlsl, kOpenCl}) {
            if (us[other] == 0 || !may_compare) continue;
            ratios_[other - kGlsl].push_back(us[kOurs] / us[other]);
            std::snprintf(ratios[other - kGlsl], sizeof ratios[0], "%.3f", ratios_[other - kGlsl].back());
        }
        std::printf("%-16s %12.1f %12.1f %12s %10s %12s %9.1f %s %s\n", benchmark.name, us[kOurs], us[kGlsl],
                    opencl, ratios[0], ratios[1], problem.work / us[kOurs] / 1000, problem.unit,
                    watch_->change().c_str());
        std::fflush(stdout);
    }

    bool dump(const Benchmark& benchmark, std::span<const uint32_t> words) const {
        const std::filesystem::path stem = std::filesystem::path(options_.dump) / benchmark.name;
        Result<Done> done = write_words(stem.string() + ".ours.spv", words);
        if (done) done = write_words(stem.string() + ".glsl.spv", kernel_source(benchmark.name).twin);
        return done || tell(benchmark, "dump", done.error());
    }

    const Options& options_;
    std::unique_ptr<runtime::Device> device_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
    std::unique_ptr<OpenCl> opencl_ = {};
    std::optional<ClockWatch> watch_ = {};  // where there are runs
    std::vector<double> ratios_[2] = {};    // ours over GLSL's, over OpenCL's
    Clock::time_point since_ = {};
};

}  // namespace

namespace caldera::bench {

const KernelSource& kernel_source(const char* name) {
    const std::span<const KernelSource> sources = kernel_sources();
    return *std::ranges::find_if(sources,
                                 [&](const KernelSource& source) { return !std::strcmp(source.name, name); });
}

}  // namespace caldera::bench

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"bench: our code against GLSL twins and OpenCL, kernel by kernel"};
    app.footer(kExamples);
    std::vector<std::string> names;
    for (const Benchmark& benchmark : all_benchmarks()) names.emplace_back(benchmark.name);
    app.add_option("--only", options.only, "this kernel; may be given several times")
        ->check(CLI::IsMember(names))
        ->allow_extra_args(false);
    app.add_option("--runs", options.runs, "timed runs of each; 0 only checks the results (default 15)");
    app.add_option("--scale", options.scale, "multiplies the work; 1 suits a large GPU")
        ->check(CLI::PositiveNumber);
    app.add_option("--device", options.device,
                   "Vulkan device: index or part of the name; otherwise CALDERA_DEVICE");
    app.add_option(
        "--opencl", options.opencl,
        "OpenCL device: part of its name or its platform's, or none; another driver's before our own");
    app.add_option("-O", options.level, "optimisation level: 0 to 2 (default 1)")->check(CLI::Range(0, 2));
    app.add_option("--options", options.build_options,
                   "build options, ours and OpenCL's, as clBuildProgram takes them");
    app.add_option("--abi", options.abi, "how our kernels reach buffers: addresses (default) or descriptors")
        ->check(CLI::IsMember({"addresses", "descriptors"}));
    app.add_option("--dump", options.dump, "write both SPIR-V modules of each kernel into this folder");
    app.add_flag("--verbose", options.verbose, "say how long the host takes to prepare each kernel");
    app.add_flag("--any-clock", options.any_clock, ClockWatch::kAnyClock);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? 0 : 1; }

    Bench bench(options);
    if (Result<Done> done = bench.open(); !done)
        return std::fprintf(stderr, "bench: error: %s\n", done.error().message.c_str()), 1;
    bool ok = true;
    if (options.runs != 0) {
        if (Result<Done> done = bench.start_watch(); !done)
            return std::fprintf(stderr, "bench: error: %s\n", done.error().message.c_str()), 1;
        bench.print_head();
    }
    for (const Benchmark& benchmark : all_benchmarks())
        if (options.only.empty() || std::ranges::find(options.only, benchmark.name) != options.only.end())
            ok &= bench.run(benchmark);
    if (options.runs == 0) {
        if (ok) std::printf("all results are right\n");
        return ok ? 0 : 1;
    }
    bench.print_means();
    const int status = bench.finish_watch();
    return ok ? status : 1;
}
