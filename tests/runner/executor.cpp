// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/executor.h"

#include <cstdio>
#include <sstream>

#include "tests/runner/compiled.h"
#include "tests/runner/test_image.h"
#include "tests/support/other_devices.h"
#include "tools/clrun/host_image.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"

namespace caldera::runner {

namespace {

// --private-in-buffers: nearly everything is in a buffer, for which most ranges are too large.
constexpr uint64_t kFewPrivateBytes = 8, kSmallPrivateBuffer = 1 << 16;

/// Layout of the result buffer, as tests/exec/assert.h fills it: the lines of a check that failed and of one
/// that held. Where it stores values, also how many failed, and what the first that did had.
struct Record {
    uint32_t failed, held, failures, expected[2], actual[2], padding[9];
};

std::string hexadecimal(const uint32_t (&words)[2]) {
    char text[32];
    if (words[1])
        std::snprintf(text, sizeof text, "0x%08x%08x", words[1], words[0]);
    else
        std::snprintf(text, sizeof text, "0x%08x", words[0]);
    return text;
}

}  // namespace

bool Executor::offers(const Test& test) const {
    const vulkan::DeviceProfile& profile = device_->profile();
    if (emulate_doubles_ && test.source.find("double") == std::string::npos) return false;
    const bool int64_atomics =
        !only_32_bits_ && profile.int64 && profile.buffer_int64_atomics && profile.shared_int64_atomics;
    for (const std::string& what : directives(test.source, "NEEDS:"))
        if ((what == "addresses" && abi_ != vulkan::Abi::Addresses) ||
            (what == "double" && !emulate_doubles_ && !has_double(profile)) ||
            (what == "quick doubles" && (emulate_doubles_ || profile.emulated_float64)) ||
            (what == "denormals of double" && !emulate_doubles_ && !device_->keeps_double_denormals()) ||
            (what == "half" && (only_32_bits_ || !profile.float16)) ||
            (what == "64-bit atomics" && !int64_atomics) ||
            (what == "sub-groups" && (no_sub_groups_ || !profile.subgroups)))
            return false;
    return true;
}

Verdict Executor::open() {
    Result<std::unique_ptr<runtime::Device>> device = runtime::open_device();
    if (!device) return device.error().message;
    device_ = device.take();
    return {};
}

std::string Executor::form() const {
    return abi_ == vulkan::Abi::Descriptors ? "descriptors"
           : emulate_doubles_               ? "emulate-doubles"
           : only_32_bits_                  ? "only-32-bits"
           : wrong_idioms_                  ? "wrong-idioms"
           : merge_calls_                   ? "merge-calls"
           : no_sub_groups_                 ? "no-sub-groups"
           : private_in_buffers_            ? "private-in-buffers"
           : constants_in_module_           ? "constants-in-module"
                                            : "addresses";
}

Verdict Executor::run(const Test& named, const fs::path& root) {
    stores_values_ = check_failed_ = false;
    Test test = named;
    if (has(device_->checks(), vulkan::MemoryChecks::Races))
        test.compile.macros.push_back({.name = "ASSERT_VOLATILE", .text = "1"});
    const Verdict verdict = run_once(test, root);
    if (!check_failed_ || !modules_.empty()) return verdict;
    stores_values_ = true;
    Test with_values = test;
    with_values.compile.macros.push_back({.name = "ASSERT_VALUES", .text = "1"});
    const Verdict second = run_once(with_values, root);
    return second.empty() ? verdict + " (none does where the kernels store the values: -DASSERT_VALUES)"
                          : second;
}

Verdict Executor::run_once(const Test& test, const fs::path& root) {
    // The module that runs is made for the device; the one for the default profile must be valid as well.
    const Compiled compiled = compile(test, root);
    if (compiled.words.empty()) return "did not compile:\n" + compiled.log;
    if (!compiled.invalid.empty()) return compiled.invalid;
    // By addresses is the default, so that CALDERA_BUFFERS has its say.
    const bool is_default = abi_ == vulkan::Abi::Addresses && device_->has_addresses();
    BuildOptions options{.compile = test.compile,
                         .abi = is_default ? std::nullopt : std::optional(abi_),
                         .profile = device_->profile(),
                         .verify_between_passes = true,
                         .disabled_passes = disabled_passes_};
    if (wrong_idioms_) options.profile = with_wrong_idioms(*options.profile);
    if (merge_calls_) options.profile = with_merged_calls(*options.profile);
    if (only_32_bits_) options.profile = only_32_bits(*options.profile);
    if (emulate_doubles_) options.profile = with_emulated_doubles(*options.profile);
    if (private_in_buffers_) options.profile->max_private_bytes = kFewPrivateBytes;
    options.constants_in_module = constants_in_module_;
    if (no_sub_groups_) options.profile = without_sub_groups(*options.profile);
    const fs::path module = modules_ / test.path.stem() += ".spv";
    BuildResult built =
        !modules_.empty() && fs::exists(module) ? build_program_from_file(*device_, module.string(), options)
        : fs::exists(assembly_of(test))
            ? build_program(*device_, compiled.opencl, options)
            : build_program(*device_, test.source, fs::relative(test.path, root).generic_string(), options);
    if (!built) return "did not build:\n" + built.log;
    if (Verdict bad = make_queue(test); !bad.empty()) return bad;
    if (Verdict bad = make_device_queue(test); !bad.empty()) return bad;
    std::vector<std::string> runs = directives(test.source, "RUN:");
    if (runs.empty()) runs.emplace_back();
    size_t count = 0;
    for (const vulkan::Kernel& kernel : built.program->interface().kernels) {
        if (!kernel.name.starts_with("test_") || kernel.is_block) continue;
        ++count;
        const long long start = milliseconds();
        for (const std::string& text : runs) {
            Run run;
            if (Verdict bad = read(text, run); !bad.empty()) return bad;
            if (too_large(run)) continue;
            if (Verdict bad = dispatch(*built.program, kernel, run); !bad.empty())
                return kernel.name + (text.empty() ? "" : " (" + text + ")") + ": " + bad;
        }
        if (times_) std::printf("    %7lld ms %s\n", milliseconds() - start, kernel.name.c_str());
    }
    return count ? compare_printed(test) : "has no kernel named test_…";
}

Verdict Executor::set_pipe(runtime::Kernel& kernel, uint32_t index) {
    const uint32_t packet_bytes = kernel.interface().arguments[index].element_bytes;
    if (!pipes_.contains(packet_bytes)) {
        Result<runtime::Pipe> pipe = runtime::Pipe::create(*device_, packet_bytes, 100);
        if (!pipe) return pipe.error().message;
        pipes_.emplace(packet_bytes, pipe.take());
    }
    const Result<Done> done = kernel.set(index, pipes_.at(packet_bytes));
    return done ? Verdict{} : done.error().message;
}

// ---- What kernels enqueue ----

Verdict Executor::make_device_queue(const Test& test) {
    device_queue_.reset();
    endings_.clear();
    for (const std::string& text : directives(test.source, "// ENDS:")) {
        const size_t space = text.find(' ');
        if (space == std::string::npos) return "ENDS needs a kernel and a status";
        endings_[text.substr(0, space)] = std::stoi(text.substr(space));
    }
    runtime::DeviceQueueOptions options;
    for (const std::string& text : directives(test.source, "// DEVICE_QUEUE:")) {
        if (text == "none") return {};
        std::istringstream words(text);
        std::string rest;
        words >> options.size_bytes >> options.max_events;
        std::getline(words, rest);
        options.is_default = rest.find("not default") == std::string::npos;
    }
    Result<std::unique_ptr<runtime::DeviceQueue>> queue = runtime::DeviceQueue::create(*device_, options);
    if (!queue) return queue.error().message;
    device_queue_ = queue.take();
    return {};
}

Verdict Executor::run_kernel(const runtime::Kernel& kernel, const runtime::NDRange& range) {
    if (!kernel.interface().enqueues || !device_queue_) {
        const Result<runtime::Event> event = queue_->dispatch(kernel, range);
        return event ? Verdict{} : event.error().message;
    }
    const Result<runtime::DeviceQueue::Outcome> outcome = device_queue_->run(*queue_, kernel, range);
    if (!outcome) return outcome.error().message;
    const auto expected = endings_.find(kernel.interface().name);
    const int wanted = expected == endings_.end() ? 0 : expected->second;
    return outcome->status == wanted
               ? Verdict{}
               : "ends with status " + std::to_string(outcome->status) + ", not " + std::to_string(wanted);
}

// ---- What kernels print ----

Verdict Executor::make_queue(const Test& test) {
    printed_.clear();
    pipes_.clear();
    runtime::QueueOptions options{.print = [this](const runtime::Printed& printed) {
        printed_ += printed.text;
        if (printed.is_cut) printed_ += "(cut)\n";
    }};
    for (const std::string& bytes : directives(test.source, "PRINTF_BUFFER:"))
        options.printf_bytes = std::stoull(bytes);
    if (private_in_buffers_) options.private_buffer_bytes = kSmallPrivateBuffer;
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(*device_, options);
    if (!queue) return queue.error().message;
    queue_ = queue.take();
    return {};
}

Verdict Executor::compare_printed(const Test& test) const {
    std::vector<std::string> expected;
    for (const std::string& text : directives(test.source, "// PRINTS")) {
        const size_t colon = text.find(':');
        if (colon == std::string::npos || (colon != 0 && text[0] != '*')) continue;
        const size_t first = std::min(text.find_first_not_of(' ', colon + 1), text.size());
        expected.insert(expected.end(), colon == 0 ? 1 : std::stoull(text.substr(1, colon - 1)),
                        text.substr(first));
    }
    std::istringstream lines(printed_);
    size_t number = 0;
    for (std::string line; std::getline(lines, line); ++number) {
        line.erase(0, line.find_first_not_of(' '));
        const std::string wanted = number < expected.size() ? expected[number] : "nothing";
        if (line != wanted)
            return "printed line " + std::to_string(number + 1) + ": expected '" + wanted + "', got '" +
                   line + "'";
    }
    if (number == expected.size()) return {};
    return "printed " + std::to_string(number) + " lines, expected " + std::to_string(expected.size());
}

Verdict Executor::read(const std::string& text, Run& run) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const size_t equal = word.find('=');
        const std::string key = word.substr(0, equal);
        runtime::Size3* sizes = key == "global"   ? &run.range.global
                                : key == "local"  ? &run.range.local
                                : key == "offset" ? &run.range.offset
                                                  : nullptr;
        if (word == "overlap") {
            run.overlap = true;
            continue;
        }
        if (word == "by_format") {
            run.by_format = true;
            continue;
        }
        if (key == "image") {
            Result<vulkan::ImageDescriptor> image =
                tools::parse_image(word.substr(equal + 1), tools::ImageFormats::OfKernels);
            if (!image) return image.error().message;
            run.images.push_back(image.take());
            continue;
        }
        if (key == "levels") {
            run.levels = static_cast<uint32_t>(std::stoul(word.substr(equal + 1)));
            continue;
        }
        if (key == "sampler") {
            run.sampler = static_cast<uint32_t>(std::stoul(word.substr(equal + 1), nullptr, 0));
            continue;
        }
        if (!sizes) return "unknown RUN: " + word;
        std::istringstream numbers(word.substr(equal + 1));
        size_t d = 0;
        for (std::string number; d < 3 && std::getline(numbers, number, ',');)
            (*sizes)[d++] = std::stoull(number);
        if (key == "global") run.range.dimensions = static_cast<uint32_t>(d);
    }
    return {};
}

bool Executor::too_large(const Run& run) const {
    uint64_t total = 1;
    for (size_t d = 0; d < 3; ++d) {
        if (run.range.local[d] > device_->profile().max_local_size[d]) return true;
        total *= std::max<uint64_t>(run.range.local[d], 1);
    }
    return total > device_->profile().max_local_invocations;
}

Verdict Executor::dispatch(runtime::Program& program, const vulkan::Kernel& interface, const Run& run) {
    Result<runtime::Kernel> kernel = runtime::Kernel::create(program, interface.name);
    if (!kernel) return kernel.error().message;
    std::vector<runtime::Buffer> buffers;
    std::map<std::string, TestImage> images;
    for (uint32_t i = 0; i < interface.arguments.size(); ++i) {
        if (interface.arguments[i].kind == vulkan::ArgumentKind::LocalPointer) {
            if (Result<Done> done = kernel->set_local(i, 1024); !done) return done.error().message;
            continue;
        }
        if (interface.arguments[i].kind == vulkan::ArgumentKind::Pipe) {
            if (Verdict bad = set_pipe(*kernel, i); !bad.empty()) return bad;
            continue;
        }
        const std::string& name = interface.arguments[i].name;
        if (interface.arguments[i].kind == vulkan::ArgumentKind::Image) {
            if (run.images.empty()) return "has an image; RUN: image=… says what it is";
            Result<TestImage> image = TestImage::create(
                *device_, *queue_, run.images[std::min(images.size(), run.images.size() - 1)], run.levels);
            if (!image) return image.error().message;
            const TestImage& made = images.emplace(name, image.take()).first->second;
            if (Result<Done> done = kernel->set_image(i, made.argument(run.by_format)); !done)
                return done.error().message;
            continue;
        }
        if (interface.arguments[i].kind == vulkan::ArgumentKind::Sampler) {
            if (Result<Done> done = kernel->set_sampler(i, run.sampler); !done) return done.error().message;
            continue;
        }
        if (name.ends_with("_bytes") && images.contains(name.substr(0, name.size() - 6))) {
            const runtime::Buffer& texels = images.at(name.substr(0, name.size() - 6)).texels();
            if (Result<Done> done = kernel->set(i, texels); !done) return done.error().message;
            continue;
        }
        if (interface.arguments[i].kind == vulkan::ArgumentKind::DeviceQueue) {
            const uint64_t handle = device_queue_ ? device_queue_->handle() : 0;
            if (Result<Done> done = kernel->set_queue(i, handle); !done) return done.error().message;
            continue;
        }
        if (name == "sampler_bits") {
            if (Result<Done> done = kernel->set(i, run.sampler); !done) return done.error().message;
            continue;
        }
        if (interface.arguments[i].kind == vulkan::ArgumentKind::Value) {
            std::vector<std::byte> bytes(interface.arguments[i].size_bytes);
            for (size_t b = 0; b < bytes.size(); ++b) bytes[b] = static_cast<std::byte>(b + 1);
            if (Result<Done> done = kernel->set_value(i, bytes); !done) return done.error().message;
            continue;
        }
        if (run.overlap && buffers.size() == 2) {
            if (Result<Done> done = kernel->set(i, buffers.back()); !done) return done.error().message;
            continue;
        }
        std::vector<uint32_t> words(i == 0 ? sizeof(Record) / 4 : 16384);
        for (uint32_t w = 0; i != 0 && w < words.size(); ++w) words[w] = w;
        Result<runtime::Buffer> buffer = runtime::Buffer::create(*device_, words.size() * 4);
        if (!buffer) return buffer.error().message;
        buffers.push_back(buffer.take());
        if (Result<Done> done = queue_->upload(buffers.back(), 0, std::as_bytes(std::span(words))); !done)
            return done.error().message;
        if (Result<Done> done = kernel->set(i, buffers.back()); !done) return done.error().message;
    }
    if (buffers.empty()) return "has no argument for its record";
    if (Verdict bad = run_kernel(*kernel, run.range); !bad.empty()) return bad;
    Record record = {};
    if (Result<Done> done = queue_->download(buffers[0], 0, std::as_writable_bytes(std::span(&record, 1)));
        !done)
        return done.error().message;
    if (record.failed == 0 && record.held == 0) return "made no check";
    if (record.failed == 0) return {};
    check_failed_ = true;
    if (!stores_values_) return "line " + std::to_string(record.failed) + ": a check failed";
    char text[200];
    std::snprintf(text, sizeof text, "line %u: expected %s, got %s (failures: %u)", record.failed,
                  hexadecimal(record.expected).c_str(), hexadecimal(record.actual).c_str(), record.failures);
    return text;
}

}  // namespace caldera::runner
