// SPDX-License-Identifier: Apache-2.0
// accuracy: how far the built-in functions' results on a device are from MPFR's, against the specification's
// bounds.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "inputs.h"
#include "judge.h"
#include "programs.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;
using namespace caldera::accuracy;

namespace {

constexpr const char* kExamples = R"(
Examples:
  accuracy                                 every function on a sample, in each format that the device has
  accuracy --type=double --only=pow --samples=1000000
  accuracy --all                           functions of one float for all 2^32, of one or two halfs for all of them
  accuracy --options=-cl-fast-relaxed-math against the bounds of relaxed math (float)
  accuracy --options=-cl-fp32-correctly-rounded-divide-sqrt --only=divide --only=sqrt --type=float
  accuracy --width=3                       the versions for vectors of 3

--all has the device compare each result with the same function in double, which MPFR judges (--type=double), and MPFR
judge the worst; it needs doubles. What depends on the format (fract, ilogb, nextafter) stays a sample.
)";

struct Options {
    std::vector<std::string> only, types;
    std::string device, build_options;
    uint32_t samples = 20000, width = 1;
    bool all = false, abi_descriptors = false, emulate_doubles = false;
};

/// The results of one function in one format.
struct Worst {
    double error = -1, allowed = 0;
    uint64_t x = 0, y = 0, z = 0, got = 0;
    int32_t n = 0;
    double exact = 0;
    uint64_t tried = 0, bad = 0;
};

class Accuracy {
 public:
    explicit Accuracy(Options options) : options_(std::move(options)) {}

    Result<Done> open() {
        Result<std::unique_ptr<runtime::Device>> device = runtime::open_device({.select = options_.device});
        if (!device) return device.error();
        device_ = device.take();
        Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(*device_);
        if (!queue) return queue.error();
        queue_ = queue.take();
        Result<Done> done = frontend::parse_build_options(options_.build_options, build_.compile);
        if (options_.abi_descriptors) build_.abi = vulkan::Abi::Descriptors;
        profile_ = device_->profile();
        if (options_.emulate_doubles) emulate_doubles(profile_);
        build_.profile = profile_;
        return done;
    }

    /// Prints a line for each function; how many are beyond their bound.
    Result<uint32_t> run() {
        std::printf("%s%s%s\n%-16s %-6s %10s %10s %12s  worst\n", device_->name().c_str(),
                    options_.build_options.empty() ? "" : ", ", options_.build_options.c_str(), "function",
                    "type", "allowed", "error", "tried");
        uint32_t failures = 0;
        for (const Format* format : {&kHalf, &kFloat, &kDouble}) {
            if (!is_wanted(*format)) continue;
            for (const Function& function : functions()) {
                if (!options_.only.empty() && !std::ranges::count(options_.only, function.name)) continue;
                Result<Worst> worst = measure(function, *format);
                if (!worst)
                    return Error{.message = std::string(function.name) + " of " + format->type + ": " +
                                            worst.error().message};
                print(function, *format, *worst);
                failures += worst->bad != 0;
            }
        }
        return failures;
    }

 private:
    bool is_wanted(const Format& format) const {
        if (format.bytes == 2 && !(profile_.float16 && profile_.storage_16bit)) return false;
        if (format.bytes == 8 && !has_double(profile_)) return false;
        return options_.types.empty() || std::ranges::count(options_.types, format.type);
    }

    Subnormals subnormals(const Format& format) const {
        const bool kept = keeps_denormals(profile_, 8 * format.bytes);
        return kept && !relaxed() ? Subnormals::Kept : Subnormals::MayFlush;
    }
    Bound bound(const Function& function, const Format& format) const {
        return function.bound(format, relaxed(), build_.compile.correctly_rounded_divide_sqrt);
    }
    bool relaxed() const { return options_.build_options.find("-cl-fast-relaxed-math") != std::string::npos; }

    Result<Worst> measure(const Function& function, const Format& format) {
        const bool all = options_.all && has_double(profile_) && has_wide_reference(function) &&
                         (format.bytes == 2 || (format.bytes == 4 && !function.has('y')));
        return all ? measure_all(function, format) : measure_sample(function, format);
    }

    Result<runtime::Kernel> build(const std::string& source, const char* name) {
        BuildResult built = build_program(*device_, source, "accuracy.cl", build_);
        if (!built) return Error{.message = built.log};
        program_ = std::move(built.program);
        return runtime::Kernel::create(*program_, name);
    }

    Result<runtime::Buffer> upload(std::span<const std::byte> bytes) {
        Result<runtime::Buffer> buffer = runtime::Buffer::create(*device_, bytes.size());
        if (!buffer) return buffer;
        if (Result<Done> done = queue_->upload(*buffer, 0, bytes); !done) return done.error();
        return buffer;
    }

    /// The numbers' lower bytes, one after the other.
    static std::vector<std::byte> packed(const std::vector<uint64_t>& numbers, const Format& format) {
        const auto size = static_cast<size_t>(format.bytes);
        std::vector<std::byte> bytes(numbers.size() * size);
        for (size_t i = 0; i < numbers.size(); ++i) std::memcpy(&bytes[i * size], &numbers[i], size);
        return bytes;
    }

    Result<Worst> measure_sample(const Function& function, const Format& format) {
        Samples samples = sample(function, format, options_.samples);
        // Whole vectors, whole work-groups.
        const size_t count =
            (samples.count() + 64 * options_.width - 1) / (64 * options_.width) * (64 * options_.width);
        for (std::vector<uint64_t>* numbers : {&samples.x, &samples.y, &samples.z}) numbers->resize(count);
        samples.n.resize(count);
        Result<runtime::Kernel> kernel = build(sampled_source(function, format, options_.width), "sampled");
        if (!kernel) return kernel.error();
        std::vector<runtime::Buffer> buffers;
        for (const std::vector<std::byte>& bytes :
             {packed(samples.x, format), packed(samples.y, format), packed(samples.z, format)}) {
            Result<runtime::Buffer> buffer = upload(bytes);
            if (!buffer) return buffer.error();
            buffers.push_back(buffer.take());
        }
        Result<runtime::Buffer> ints = upload(std::as_bytes(std::span(samples.n)));
        if (!ints) return ints.error();
        buffers.push_back(ints.take());
        std::vector<std::byte> results(count * static_cast<size_t>(format.bytes));
        Result<runtime::Buffer> out = upload(results);
        if (!out) return out.error();
        buffers.push_back(out.take());
        for (uint32_t i = 0; i < buffers.size(); ++i)
            if (Result<Done> done = kernel->set(i, buffers[i]); !done) return done.error();
        if (auto event =
                queue_->dispatch(*kernel, {.global = {count / options_.width, 1, 1}, .local = {64, 1, 1}});
            !event)
            return event.error();
        if (Result<Done> done = queue_->download(buffers.back(), 0, results); !done) return done.error();

        Worst worst;
        const auto size = static_cast<size_t>(format.bytes);
        for (size_t i = 0; i < count; ++i) {
            uint64_t got = 0;
            std::memcpy(&got, &results[i * size], size);
            see(function, format, worst, {samples.x[i], samples.y[i], samples.z[i], samples.n[i]}, got);
        }
        return worst;
    }

    struct Point {
        uint64_t x = 0, y = 0, z = 0;
        int32_t n = 0;
    };
    void see(const Function& function, const Format& format, Worst& worst, const Point& point,
             uint64_t got) const {
        Inputs inputs{.format = format, .n = point.n};
        format.to(inputs.x, point.x);
        format.to(inputs.y, point.y);
        format.to(inputs.z, point.z);
        Function judged = function;
        if (relaxed()) {
            // The option leaves infinities and NaN open, and the signs of zeros (-cl-finite-math-only,
            // -cl-no-signed-zeros).
            judged.any_zero = true;
            Number exact;
            for (mpfr_srcptr x : {static_cast<mpfr_srcptr>(inputs.x), static_cast<mpfr_srcptr>(inputs.y),
                                  static_cast<mpfr_srcptr>(inputs.z)})
                if (!mpfr_number_p(x)) return;
            if (function.reference(exact, inputs) && !format.is_finite(format.from(exact))) return;
        }
        const Verdict verdict = judge(judged, inputs, got, bound(function, format), subnormals(format));
        ++worst.tried;
        worst.bad += verdict.is_bad();
        // The furthest beyond its bound; where there is none, the furthest.
        const auto excess = [](double error, double allowed) {
            return std::isinf(allowed) ? std::isinf(error) ? -1 : error : error - allowed;
        };
        if (worst.error >= 0 && excess(verdict.error, verdict.allowed) <= excess(worst.error, worst.allowed))
            return;
        worst.error = verdict.error, worst.allowed = verdict.allowed;
        worst.x = point.x, worst.y = point.y, worst.z = point.z, worst.n = point.n;
        worst.got = got, worst.exact = verdict.exact.rounded();
    }

    Result<Worst> measure_all(const Function& function, const Format& format) {
        const bool is_short = format.bytes == 2 && !function.has('y');
        const uint64_t total = uint64_t{1} << (is_short ? 16 : 32);
        const uint64_t items = std::min<uint64_t>(total / kPerItem, 1 << 16);
        const Bound allowed = bound(function, format);
        Result<runtime::Kernel> kernel =
            build(exhaustive_source(function, format, allowed, subnormals(format)), "exhaustive");
        if (!kernel) return kernel.error();
        std::vector<float> worst(items);
        std::vector<uint32_t> where(items);
        Result<runtime::Buffer> worst_buffer = upload(std::as_bytes(std::span(worst)));
        if (!worst_buffer) return worst_buffer.error();
        Result<runtime::Buffer> where_buffer = upload(std::as_bytes(std::span(where)));
        if (!where_buffer) return where_buffer.error();
        if (auto done = kernel->set(1, *worst_buffer); !done) return done.error();
        if (auto done = kernel->set(2, *where_buffer); !done) return done.error();
        float most = -1;
        uint32_t at = 0;
        for (uint64_t first = 0; first < total; first += items * kPerItem) {
            if (auto done = kernel->set(0, static_cast<uint32_t>(first)); !done) return done.error();
            if (auto event = queue_->dispatch(*kernel, {.global = {items, 1, 1}, .local = {64, 1, 1}});
                !event)
                return event.error();
            if (auto done = queue_->download(*worst_buffer, 0, std::as_writable_bytes(std::span(worst)));
                !done)
                return done.error();
            if (auto done = queue_->download(*where_buffer, 0, std::as_writable_bytes(std::span(where)));
                !done)
                return done.error();
            for (size_t i = 0; i < items; ++i)
                if (worst[i] > most) most = worst[i], at = where[i];
        }
        // MPFR's word on the worst one.
        Point point{.x = at};
        if (format.bytes == 2) point = {.x = at & 0xffff, .y = is_short ? 0 : at >> 16};
        Result<uint64_t> got = value_at(function, format, point);
        if (!got) return got.error();
        Worst out;
        see(function, format, out, point, *got);
        out.tried = total;
        return out;
    }

    Result<uint64_t> value_at(const Function& function, const Format& format, const Point& point) {
        Result<runtime::Kernel> kernel = build(sampled_source(function, format, 1), "sampled");
        if (!kernel) return kernel.error();
        const std::vector<uint64_t> numbers[] = {{point.x}, {point.y}, {point.z}, {0}, {0}};
        std::vector<runtime::Buffer> buffers;
        for (uint32_t i = 0; i < std::size(numbers); ++i) {
            Result<runtime::Buffer> buffer = upload(std::as_bytes(std::span(numbers[i])));
            if (!buffer) return buffer.error();
            buffers.push_back(buffer.take());
            if (auto done = kernel->set(i, buffers.back()); !done) return done.error();
        }
        if (auto event = queue_->dispatch(*kernel, {}); !event) return event.error();
        uint64_t got = 0;
        if (auto done = queue_->download(buffers.back(), 0, std::as_writable_bytes(std::span(&got, 1)));
            !done)
            return done.error();
        return got;
    }

    static void print(const Function& function, const Format& format, const Worst& worst) {
        const auto number = [&](uint64_t bits) {
            Number value;
            format.to(value, bits);
            return value.rounded();
        };
        std::printf("%-16s %-6s ", function.name, format.type);
        std::isinf(worst.allowed) ? std::printf("%10s", "-") : std::printf("%10.4g", worst.allowed);
        std::printf(" %10.4g %12" PRIu64 "  %a", worst.error, worst.tried, number(worst.x));
        if (function.has('y')) std::printf(", %a", number(worst.y));
        if (function.has('z')) std::printf(", %a", number(worst.z));
        if (function.has('n')) std::printf(", %d", worst.n);
        std::printf(": %a, not %a", number(worst.got), worst.exact);
        if (worst.bad) std::printf("  FAIL (%" PRIu64 ")", worst.bad);
        std::printf("\n");
        std::fflush(stdout);
    }

    Options options_;
    BuildOptions build_ = {};
    vulkan::DeviceProfile profile_ = {};
    std::unique_ptr<runtime::Device> device_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
    std::unique_ptr<runtime::Program> program_ = {};
};

int fail(const Error& error) {
    std::fprintf(stderr, "accuracy: error: %s\n", error.message.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("accuracy: the built-in functions' results on a Vulkan device against MPFR's");
    Options options;
    std::vector<std::string> names;
    for (const Function& function : functions()) names.emplace_back(function.name);
    app.add_option("--only", options.only, "this function; may be given several times")
        ->check(CLI::IsMember(names));
    app.add_option("--type", options.types, "this format; may be given several times")
        ->check(CLI::IsMember({"half", "float", "double"}));
    app.add_option("--samples", options.samples, "about so many samples of each")->capture_default_str();
    app.add_option("--width", options.width, "of the vectors")
        ->check(CLI::IsMember({1, 2, 3, 4, 8, 16}))
        ->capture_default_str();
    app.add_flag("--all", options.all, "not a sample but all numbers, where that is possible");
    app.add_option("--device", options.device,
                   "Vulkan device: index or part of the name; otherwise CALDERA_DEVICE");
    app.add_option("--options", options.build_options, "build options, as clBuildProgram takes them");
    app.add_flag("--emulate-doubles", options.emulate_doubles, "compute with doubles as integers");
    app.add_flag("--descriptors", options.abi_descriptors, "--abi=descriptors");
    app.footer(kExamples);
    CLI11_PARSE(app, argc, argv);
    Accuracy accuracy(options);
    if (Result<Done> done = accuracy.open(); !done) return fail(done.error());
    Result<uint32_t> failures = accuracy.run();
    if (!failures) return fail(failures.error());
    if (*failures) std::printf("%u beyond their bound\n", *failures);
    return *failures != 0;
}
