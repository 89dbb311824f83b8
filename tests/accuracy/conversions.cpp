// SPDX-License-Identifier: Apache-2.0
// accuracy_conversions: every conversion on a device against exact arithmetic.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontend/options.h"
#include "scalar_type.h"
#include "tests/support/other_devices.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;
using namespace caldera::accuracy;

namespace {

constexpr const char* kExamples = R"(
Examples:
  accuracy_conversions                     every pair of types that the device has, vload_half and vstore_half
  accuracy_conversions --from=double --random=1000000
  accuracy_conversions --width=4           of vectors of 4
  accuracy_conversions --only-32-bits --descriptors

All numbers of 8 and 16 bits are converted; of wider types those at the boundaries, and random ones.
)";

struct Options {
    std::vector<std::string> from;
    std::string device, build_options;
    uint32_t random = 4000, width = 1;
    bool abi_descriptors = false, only_32_bits = false, emulate_doubles = false, sample = false;
};

/// One function of a kernel; it has its own part of the kernel's results.
struct Conversion {
    std::string name;
    ScalarType from, to;
    Rounding rounding;
    bool saturated = false;
    /// Made of integers, which keep subnormal numbers whatever the device does with them.
    bool keeps_subnormals = false;
    int stride = 1, used = 1;  ///< of so many results each, so many count
};

class Conversions {
 public:
    explicit Conversions(Options options) : options_(std::move(options)) {}

    Result<Done> open() {
        Result<std::unique_ptr<runtime::Device>> device = runtime::open_device({.select = options_.device});
        if (!device) return device.error();
        device_ = device.take();
        Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(*device_);
        if (!queue) return queue.error();
        queue_ = queue.take();
        profile_ = device_->profile();
        if (options_.only_32_bits) profile_ = only_32_bits(profile_);
        if (options_.emulate_doubles) profile_ = with_emulated_doubles(profile_);
        build_.profile = profile_;
        if (options_.abi_descriptors) build_.abi = vulkan::Abi::Descriptors;
        for (const ScalarType& type : kScalarTypes)
            if (has(type)) types_.push_back(type);
        return frontend::parse_build_options(options_.build_options, build_.compile);
    }

    /// How many conversions are wrong.
    Result<uint32_t> run() {
        std::printf("%s%s%s\n", device_->name().c_str(), options_.build_options.empty() ? "" : ", ",
                    options_.build_options.c_str());
        for (const ScalarType& from : types_) {
            if (!is_wanted(from)) continue;
            if (Result<Done> done = try_conversions(from); !done) return in(from, done.error());
        }
        for (const ScalarType& type : kScalarTypes) {
            if (!type.format || !is_wanted(type) || (type.bytes != 2 && !has(type))) continue;
            Result<Done> done = type.bytes == 2 ? try_loads(type) : try_stores(type);
            if (!done) return in(type, done.error());
        }
        return failures_;
    }

 private:
    bool has(const ScalarType& type) const {
        if (type.format && type.bytes == 2) return profile_.float16 && profile_.storage_16bit;
        return !type.format || type.bytes == 4 || has_double(profile_);
    }
    bool is_wanted(const ScalarType& type) const {
        return options_.from.empty() || std::ranges::count(options_.from, type.name) != 0;
    }
    /// All of a list, or every n-th from the one on that CALDERA_TEST_PART numbers.
    template <typename T>
    std::vector<T> sampled(std::span<const T> all, size_t n) const {
        const char* part = options_.sample ? std::getenv("CALDERA_TEST_PART") : nullptr;
        if (!part) return {all.begin(), all.end()};
        std::vector<T> some;
        for (size_t i = std::strtoul(part, nullptr, 10) % n; i < all.size(); i += n) some.push_back(all[i]);
        return some;
    }
    static Error in(const ScalarType& from, const Error& error) {
        return {.message = std::string("from ") + from.name + ": " + error.message};
    }

    bool may_flush(const ScalarType& type) const {
        if (!type.format) return false;
        const bool is_wide = type.bytes > 2;
        if (is_wide && frontend::with_implied(build_.compile).denorms_are_zero) return true;
        return !keeps_denormals(profile_, 8 * type.bytes);
    }

    // ---- convert_<type> ----

    Result<Done> try_conversions(const ScalarType& from) {
        const std::string width = options_.width == 1 ? "" : std::to_string(options_.width);
        std::vector<Conversion> conversions;
        std::string body = "    size_t at = get_global_id(0);\n    " + (from.name + width) +
                           " x = " + (width.empty() ? "in[at]" : "vload" + width + "(at, in)") + ";\n";
        for (const ScalarType& to : sampled<ScalarType>(types_, 4))
            for (const bool saturated : {false, true}) {
                if (saturated && to.format) continue;
                for (const Rounding& rounding : kRoundings) {
                    const std::string name =
                        "convert_" + (to.name + width) + (saturated ? "_sat" : "") + rounding.suffix;
                    body += "    PUT(" + std::to_string(conversions.size()) + ", as_" + to.bits_name + width +
                            "(" + name + "(x)))\n";
                    conversions.push_back(
                        {.name = name, .from = from, .to = to, .rounding = rounding, .saturated = saturated});
                }
            }
        const std::string put = width.empty() ? "out[(part) * count + at] = bits;"
                                              : "vstore" + width + "(convert_ulong" + width +
                                                    "(bits), at, out + (part) * count);";
        const std::string source = "#define PUT(part, bits) " + put + "\nkernel void convert(global const " +
                                   from.name + "* in, global ulong* out, uint count) {\n" + body + "}\n";
        std::vector<uint64_t> numbers = numbers_of(from, types_, options_.random);
        pad(numbers, size_t{64} * options_.width);
        return try_kernel(source, conversions, numbers, sizeof(uint64_t), numbers.size() / options_.width);
    }

    // ---- vload_half and vstore_half ----

    static constexpr uint32_t kWidths[] = {1, 2, 3, 4, 8, 16};
    static constexpr uint32_t kPerItem = 48;  // vectors of each width

    /// The statement in a loop over a work-item's vectors. The vectors of vloada_half3 and vstorea_half3 lie
    /// 4 apart.
    static std::string loop(uint32_t stride, const std::string& statement) {
        const std::string count = std::to_string(kPerItem / stride);
        return "    for (size_t at = item * " + count + "; at < (item + 1) * " + count + "; at++) " +
               statement + ";\n";
    }

    Result<Done> try_loads(const ScalarType& half) {
        const ScalarType& to = *std::ranges::find(kScalarTypes, std::string_view("float"), &ScalarType::name);
        std::vector<Conversion> conversions;
        std::string body = "    size_t item = get_global_id(0);\n";
        for (const bool aligned : {false, true})
            for (const uint32_t width : sampled<uint32_t>(kWidths, 3)) {
                if (aligned && width == 1) continue;
                const std::string n = width == 1 ? "" : std::to_string(width);
                const uint32_t stride = aligned && width == 3 ? 4 : width;
                const std::string name = (aligned ? "vloada_half" : "vload_half") + n;
                const std::string at =
                    std::to_string(conversions.size()) + " * count + at * " + std::to_string(stride);
                const std::string value = "as_uint" + n + "(" + name + "(at, in))";
                body += loop(stride, width == 1 ? "out[" + at + "] = " + value
                                                : "vstore" + n + "(" + value + ", 0, out + " + at + ")");
                conversions.push_back({.name = name,
                                       .from = half,
                                       .to = to,
                                       .rounding = kRoundings[0],
                                       .keeps_subnormals = true,
                                       .stride = static_cast<int>(stride),
                                       .used = static_cast<int>(width)});
            }
        return try_memory(
            "kernel void convert(global const half* in, global uint* out, uint count) {\n" + body + "}\n",
            conversions, to.bytes);
    }

    Result<Done> try_stores(const ScalarType& from) {
        const ScalarType& half =
            *std::ranges::find(kScalarTypes, std::string_view("half"), &ScalarType::name);
        std::vector<Conversion> conversions;
        std::string body = "    size_t item = get_global_id(0);\n";
        for (const bool aligned : {false, true})
            for (const uint32_t width : sampled<uint32_t>(kWidths, 3)) {
                if (aligned && width == 1) continue;
                const std::string n = width == 1 ? "" : std::to_string(width);
                const uint32_t stride = aligned && width == 3 ? 4 : width;
                for (const Rounding& rounding : kRoundings) {
                    const std::string name = (aligned ? "vstorea_half" : "vstore_half") + n + rounding.suffix;
                    const std::string from_at = "in + at * " + std::to_string(stride);
                    body +=
                        loop(stride,
                             name + "(" +
                                 (width == 1 ? "*(" + from_at + ")" : "vload" + n + "(0, " + from_at + ")") +
                                 ", at, out + " + std::to_string(conversions.size()) + " * count)");
                    conversions.push_back({.name = name,
                                           .from = from,
                                           .to = half,
                                           .rounding = rounding,
                                           .keeps_subnormals = true,
                                           .stride = static_cast<int>(stride),
                                           .used = static_cast<int>(width)});
                }
            }
        return try_memory(std::string("kernel void convert(global const ") + from.name +
                              "* in, global half* out, uint count) {\n" + body + "}\n",
                          conversions, half.bytes);
    }

    Result<Done> try_memory(const std::string& source, const std::vector<Conversion>& conversions,
                            int result_bytes) {
        const ScalarType types[] = {conversions[0].to};
        std::vector<uint64_t> numbers = numbers_of(conversions[0].from, types, options_.random);
        pad(numbers, size_t{64} * kPerItem);
        return try_kernel(source, conversions, numbers, static_cast<size_t>(result_bytes),
                          numbers.size() / kPerItem);
    }

    // ---- Any kernel ----

    static void pad(std::vector<uint64_t>& numbers, size_t multiple) {
        numbers.resize((numbers.size() + multiple - 1) / multiple * multiple);
    }

    /// Runs `convert` on `items` work-items, and judges its results, of so many bytes each.
    Result<Done> try_kernel(const std::string& source, const std::vector<Conversion>& conversions,
                            const std::vector<uint64_t>& numbers, size_t result_bytes, size_t items) {
        std::string extensions;
        for (const ScalarType& type : types_)
            if (type.format && type.bytes != 4)
                extensions +=
                    "#pragma OPENCL EXTENSION cl_khr_fp" + std::to_string(type.bits()) + " : enable\n";
        BuildResult built = build_program(*device_, extensions + source, "conversions.cl", build_);
        if (!built) return Error{.message = built.log};
        Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, "convert");
        if (!kernel) return kernel.error();
        const auto size = static_cast<size_t>(conversions[0].from.bytes);
        std::vector<std::byte> input(numbers.size() * size);
        for (size_t i = 0; i < numbers.size(); ++i) std::memcpy(&input[i * size], &numbers[i], size);
        std::vector<std::byte> results(numbers.size() * conversions.size() * result_bytes);
        Result<runtime::Buffer> in = runtime::Buffer::create(*device_, input.size());
        if (!in) return in.error();
        Result<runtime::Buffer> out = runtime::Buffer::create(*device_, results.size());
        if (!out) return out.error();
        if (Result<Done> done = queue_->upload(*in, 0, input); !done) return done;
        if (Result<Done> done = kernel->set(0, *in); !done) return done;
        if (Result<Done> done = kernel->set(1, *out); !done) return done;
        if (Result<Done> done = kernel->set(2, static_cast<uint32_t>(numbers.size())); !done) return done;
        if (auto event = queue_->dispatch(*kernel, {.global = {items, 1, 1}, .local = {64, 1, 1}}); !event)
            return event.error();
        if (Result<Done> done = queue_->download(*out, 0, results); !done) return done;
        const uint32_t before = failures_;
        for (size_t part = 0; part < conversions.size(); ++part)
            judge(conversions[part], numbers, &results[part * numbers.size() * result_bytes], result_bytes);
        std::printf("%-6s  %-14s %3zu functions of %6zu numbers: %u wrong\n", conversions[0].from.name,
                    conversions[0].keeps_subnormals ? "half in memory" : "convert_*", conversions.size(),
                    numbers.size(), failures_ - before);
        std::fflush(stdout);
        return Done{};
    }

    /// Prints the first of the wrong results.
    void judge(const Conversion& conversion, const std::vector<uint64_t>& numbers, const std::byte* results,
               size_t result_bytes) {
        size_t wrong = 0;
        std::string first;
        for (size_t i = 0; i < numbers.size(); ++i) {
            if (static_cast<int>(i % static_cast<size_t>(conversion.stride)) >= conversion.used) continue;
            uint64_t got = 0;
            std::memcpy(&got, results + i * result_bytes, result_bytes);
            if (is_right(conversion, numbers[i], got)) continue;
            if (wrong++ == 0) {
                const std::optional<uint64_t> exact = convert(conversion, numbers[i]);
                char text[100];
                std::snprintf(text, sizeof text, "0x%" PRIx64 ": 0x%" PRIx64 ", not 0x%" PRIx64, numbers[i],
                              got, exact.value_or(0));
                first = text;
            }
        }
        if (wrong == 0) return;
        ++failures_;
        std::printf("%s of %s: %zu wrong, first %s\n", conversion.name.c_str(), conversion.from.name, wrong,
                    first.c_str());
    }

    static std::optional<uint64_t> convert(const Conversion& conversion, uint64_t number) {
        return accuracy::convert(conversion.from, number, conversion.to, conversion.rounding,
                                 conversion.saturated);
    }

    bool is_right(const Conversion& conversion, uint64_t number, uint64_t got) const {
        const ScalarType &from = conversion.from, &to = conversion.to;
        const std::optional<uint64_t> exact = convert(conversion, number);
        if (!exact || got == *exact || (to.format && to.format->is_nan(got) && to.format->is_nan(*exact)))
            return true;
        if (conversion.keeps_subnormals) return false;
        const bool is_zero = to.format && to.format->magnitude(got) == 0;
        if (is_zero && may_flush(to) && to.format->is_subnormal(*exact)) return true;
        return may_flush(from) && from.format->is_subnormal(number) &&
               is_right(conversion, number & from.format->sign(), got);
    }

    Options options_;
    BuildOptions build_ = {};
    vulkan::DeviceProfile profile_ = {};
    std::vector<ScalarType> types_ = {};  // that the device has
    std::unique_ptr<runtime::Device> device_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
    uint32_t failures_ = 0;
};

int fail(const Error& error) {
    std::fprintf(stderr, "accuracy_conversions: error: %s\n", error.message.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("accuracy_conversions: conversions on a Vulkan device against exact arithmetic");
    Options options;
    std::vector<std::string> names;
    for (const ScalarType& type : kScalarTypes) names.emplace_back(type.name);
    app.add_option("--from", options.from, "this type only; may be given several times")
        ->check(CLI::IsMember(names));
    app.add_flag("--sample", options.sample,
                 "to every fourth type, and every third width in memory, from the one on that "
                 "CALDERA_TEST_PART numbers");
    app.add_option("--random", options.random, "so many random numbers of each type of 32 and 64 bits")
        ->capture_default_str();
    app.add_option("--width", options.width, "of the vectors that convert_* takes")
        ->check(CLI::IsMember({1, 2, 3, 4, 8, 16}))
        ->capture_default_str();
    app.add_option("--device", options.device,
                   "Vulkan device: index or part of the name; otherwise CALDERA_DEVICE");
    app.add_option("--options", options.build_options, "build options, as clBuildProgram takes them");
    app.add_flag("--descriptors", options.abi_descriptors, "--abi=descriptors");
    app.add_flag("--emulate-doubles", options.emulate_doubles, "compute with doubles as integers");
    app.add_flag("--only-32-bits", options.only_32_bits,
                 "as on a device without integers and halfs of other widths than 32 bits");
    app.footer(kExamples);
    CLI11_PARSE(app, argc, argv);
    Conversions conversions(options);
    if (Result<Done> done = conversions.open(); !done) return fail(done.error());
    Result<uint32_t> failures = conversions.run();
    if (!failures) return fail(failures.error());
    if (*failures) std::printf("%u functions are wrong\n", *failures);
    return *failures != 0;
}
