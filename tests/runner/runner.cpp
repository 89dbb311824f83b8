// SPDX-License-Identifier: Apache-2.0
// The golden, diagnostics and execution runner: every test is one small file, all run in one process.
//
//   runner golden DIR    .cl and .spvasm: compiled, translated and validated; `// CHECK:` lines must appear in this
//                        order in the disassembly (`// CHECK-NOT:` nowhere after the CHECK before it). `; ` starts a
//                        comment in .spvasm.
//   runner diag DIR      .cl or .spvasm with a .err beside it: the diagnostics must be exactly those.
//   runner exec DIR      .cl: every kernel named test_… runs on the device and must record no failure; the prelude
//                        tests/exec/assert.h gives ASSERT(expected, actual). --abi=descriptors binds buffers as such,
//                        and skips files that say `// NEEDS: addresses`.
//                        --wrong-idioms translates as for NVIDIA's compiler, which gets some wrong (translate/drivers/avoid_idioms.cpp);
//                        --only-32-bits does without the device's integers, halves and storage of other widths;
//                        --no-sub-groups without its sub-groups. --modules=DIR runs DIR/NAME.spv, which another compiler
//                        made of NAME.cl, where that is. NAME.spvasm beside NAME.cl is linked with it: what it
//                        exports is what the kernels declare and call. --disable-pass=PASS, once or several times, leaves
//                        out a pass that is optional (clc2spv --list-passes).
//
// `// OPTIONS: …` in a file gives build options, --target=… the environment whose text CHECK sees (default vulkan1.2), and
// --abi=descriptors as for clc2spv. `// RUN: global=64 local=16 offset=3` gives an execution test's sizes (default 1, 1 and
// 0), with `overlap` all buffers but the record are one, `image=2d:RGBA:FLOAT:16x8` (host_image.h) is an image, `by_format` has pipelines for formats, `sampler=0x11` the
// samplers that are arguments; several such lines are as many runs, less those too large for the
// device. `// PRINTS: …` is a line that the
// kernels of an execution test print, `// PRINTS*64: …` 64 of them; all lines must be there, in this order and no others, but
// blanks at their starts count for nothing. `// PRINTF_BUFFER: bytes` gives printf that little room; `(cut)` is a line that follows then.
// `// DEVICE_QUEUE: bytes events` is how large the device queue of a file is, with `not default` behind it is not the default one;
// `// DEVICE_QUEUE: none` is none. `// ENDS: test_name -14` is the status that a kernel ends with because of what it enqueued.
// --update rewrites the .err files. A further argument runs only the files whose path holds it. --times prints the
// milliseconds of processor time that each file took (of all threads, so that other processes do not matter), and of an
// execution test also how many of them each kernel took, the driver's compiler included. --part=K/N runs the K-th, the N+K-th
// and so on of the files, counted from 1. --sample=N is the part of which tests/run.sh says the number in CALDERA_TEST_PART
// (1, 2, …, counted round), and all files where it says none; files that found a fault in one form say so, `// ALWAYS:
// descriptors` (or only-32-bits, wrong-idioms, no-sub-groups), and are in every sample of it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "builtins/builtin_library.h"
#include "spirv/link.h"
#include "tests/runner/test_image.h"
#include "tests/support/other_devices.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/device_queue.h"
#include "vulkan/tools/host_image.h"
#include "vulkan/translate_options.h"

using namespace caldera;
namespace fs = std::filesystem;

namespace {

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The rest of each line that holds `marker`, trimmed.
std::vector<std::string> directives(const std::string& source, std::string_view marker) {
    std::vector<std::string> found;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        const size_t at = line.find(marker);
        if (at == std::string::npos) continue;
        const size_t first = line.find_first_not_of(' ', at + marker.size());
        found.push_back(first == std::string::npos ? "" : line.substr(first));
    }
    return found;
}

struct Test {
    fs::path path = {};
    std::string source = {};
    frontend::CompileOptions compile = {};
    spirv::Target target = spirv::Target::Vulkan12;
    vulkan::Abi abi = vulkan::Abi::Addresses;
    bool is_assembly() const { return path.extension() == ".spvasm"; }
};

/// Empty when the test passed; otherwise what is wrong.
using Verdict = std::string;

/// `// ALWAYS: form, form`: the file found a fault in that form.
bool is_always(const Test& test, const std::string& form) {
    for (const std::string& forms : directives(test.source, "// ALWAYS:"))
        if (forms.find(form) != std::string::npos) return true;
    return false;
}

/// The processor time of this process so far.
long long milliseconds() { return std::clock() * 1000LL / CLOCKS_PER_SEC; }

Verdict load(const fs::path& path, const fs::path& root, Test& test) {
    test = {.path = path, .source = read_file(path)};
    for (std::string options : directives(test.source, "OPTIONS:")) {
        if (const size_t at = options.find("--target="); at != std::string::npos) {
            const size_t end = std::min(options.find(' ', at), options.size());
            if (!spirv::parse_target(options.substr(at + 9, end - at - 9), test.target))
                return "unknown --target";
            options.erase(at, end - at);
        }
        constexpr std::string_view kDescriptors = "--abi=descriptors";
        if (const size_t at = options.find(kDescriptors); at != std::string::npos) {
            test.abi = vulkan::Abi::Descriptors;
            options.erase(at, kDescriptors.size());
        }
        if (Result<Done> done = frontend::parse_build_options(options, test.compile); !done)
            return done.error().message;
    }
    test.compile.include_dirs.push_back(root.string());
    if (!spirv::is_vulkan(test.target)) test.compile.target = test.target;
    return {};
}

/// What a compiler would print for the file, and the words it would write.
struct Compiled {
    std::vector<uint32_t> opencl = {}, words = {};
    std::string log = {};
    Verdict invalid = {};  ///< a module that does not validate is always wrong
};

/// Functions in assembly that a test's kernels call, NAME.spvasm beside NAME.cl.
fs::path assembly_of(const Test& test) { return fs::path(test.path).replace_extension(".spvasm"); }

/// Links `opencl` with them.
Verdict link_assembly(const Test& test, std::vector<uint32_t>& opencl) {
    const fs::path assembly = assembly_of(test);
    Result<std::vector<uint32_t>> words = spirv::assemble(read_file(assembly), test.compile.target);
    if (!words) return assembly.string() + ":" + words.error().message;
    const spirv::LinkInput inputs[] = {{.name = test.path.string(), .words = opencl},
                                       {.name = assembly.string(), .words = *words}};
    Result<std::vector<uint32_t>> linked = spirv::link(inputs, {});
    if (!linked) return linked.error().message;
    opencl = linked.take();
    return {};
}

Compiled compile(const Test& test, const fs::path& root) {
    Compiled out;
    const std::string name = fs::relative(test.path, root).string();
    if (test.is_assembly()) {
        Result<std::vector<uint32_t>> words = spirv::assemble(test.source, test.compile.target);
        if (!words) return {.log = name + ":" + words.error().message + "\n"};
        out.opencl = words.take();
    } else {
        frontend::CompileResult result = frontend::compile(test.source, name, test.compile);
        out.log = result.log;
        if (!result) return out;
        out.opencl = std::move(result.words);
        if (Result<Done> valid = spirv::validate(out.opencl, test.compile.target); !valid)
            out.invalid = "the OpenCL module is invalid: " + valid.error().message;
        if (fs::exists(assembly_of(test)))
            if (Verdict bad = link_assembly(test, out.opencl); !bad.empty()) return {.log = bad + "\n"};
    }
    out.words = out.opencl;
    if (!spirv::is_vulkan(test.target)) return out;
    vulkan::TranslateOptions options = translate_options(test.compile);
    options.target = test.target;
    options.abi = test.abi;
    options.simple_ndrange = options.clspv_reflection = test.abi == vulkan::Abi::Descriptors;
    options.verify_between_passes = true;
    Result<vulkan::Translation> translation = vulkan::translate(out.opencl, options, builtin_library());
    if (!translation) {
        out.log += name + ": error: " + translation.error().message + "\n";
        out.words.clear();
        return out;
    }
    out.words = std::move(translation->words);
    if (Result<Done> valid = spirv::validate(out.words, test.target); !valid && out.invalid.empty())
        out.invalid = "the Vulkan module is invalid: " + valid.error().message;
    return out;
}

// ---- golden ----

/// Runs of spaces become one, so that CHECK lines need not copy the disassembler's columns.
std::string squeeze(const std::string& text) {
    std::string out;
    for (char c : text)
        if (c != ' ' || out.empty() || (out.back() != ' ' && out.back() != '\n')) out += c;
    return out;
}

Verdict match_checks(const Test& test, const std::string& text) {
    size_t at = 0;
    std::istringstream lines(test.source);
    std::vector<std::string> absent;
    auto violated = [&](size_t end) -> Verdict {
        for (const std::string& wanted : absent)
            if (const size_t found = text.find(wanted, at); found != std::string::npos && found < end)
                return "found CHECK-NOT: " + wanted;
        absent.clear();
        return {};
    };
    for (std::string line; std::getline(lines, line);) {
        if (const auto nots = directives(line, "CHECK-NOT:"); !nots.empty()) {
            absent.push_back(squeeze(nots[0]));
            continue;
        }
        const auto checks = directives(line, "CHECK:");
        if (checks.empty()) continue;
        const std::string wanted = squeeze(checks[0]);
        const size_t found = text.find(wanted, at);
        if (found == std::string::npos) return "not found: CHECK: " + wanted;
        if (Verdict bad = violated(found); !bad.empty()) return bad;
        at = found + wanted.size();
    }
    return violated(text.size());
}

Verdict golden(const Test& test, const fs::path& root) {
    const Compiled compiled = compile(test, root);
    if (compiled.words.empty()) return "did not compile:\n" + compiled.log;
    if (!compiled.invalid.empty()) return compiled.invalid;
    Result<std::string> text = spirv::disassemble(compiled.words);
    if (!text) return text.error().message;
    const Verdict verdict = match_checks(test, squeeze(*text));
    return verdict.empty() ? verdict : verdict + "\nin:\n" + *text;
}

// ---- diagnostics ----

Verdict diagnostics(const Test& test, const fs::path& root, bool update) {
    const Compiled compiled = compile(test, root);
    if (!compiled.invalid.empty()) return compiled.invalid;
    fs::path expected_path = test.path;
    expected_path.replace_extension(".err");
    if (update) {
        std::ofstream(expected_path, std::ios::binary) << compiled.log;
        return {};
    }
    if (!fs::exists(expected_path)) return "has no .err file; --update writes it";
    const std::string expected = read_file(expected_path);
    if (compiled.log == expected) return {};
    return "expected:\n" + expected + "got:\n" + compiled.log;
}

// ---- execution ----

/// Layout of the result buffer, as tests/exec/assert.h fills it: the lines of a check that failed and of one that held. Where
/// it stores values, also how many failed, and what the first that did had.
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

class Executor {
 public:
    void set_abi(vulkan::Abi abi) { abi_ = abi; }
    void set_only_32_bits() { only_32_bits_ = true; }
    void set_wrong_idioms() { wrong_idioms_ = true; }
    void set_modules(fs::path folder) { modules_ = std::move(folder); }
    void set_no_sub_groups() { no_sub_groups_ = true; }
    void set_times() { times_ = true; }
    void disable_pass(const char* name) { disabled_passes_.emplace_back(name); }
    /// A file says `// NEEDS: addresses`, `// NEEDS: double`, `// NEEDS: denormals of double`, `// NEEDS: half`, `// NEEDS: 64-bit atomics` or `// NEEDS: sub-groups`.
    bool offers(const Test& test) const {
        const vulkan::DeviceProfile& profile = device_->profile();
        const bool int64_atomics =
            !only_32_bits_ && profile.int64 && profile.buffer_int64_atomics && profile.shared_int64_atomics;
        for (const std::string& what : directives(test.source, "NEEDS:"))
            if ((what == "addresses" && abi_ != vulkan::Abi::Addresses) ||
                (what == "double" && !profile.float64) ||
                (what == "denormals of double" && !device_->keeps_double_denormals()) ||
                (what == "half" && (only_32_bits_ || !profile.float16)) ||
                (what == "64-bit atomics" && !int64_atomics) ||
                (what == "sub-groups" && (no_sub_groups_ || !profile.subgroups)))
                return false;
        return true;
    }
    Verdict open() {
        Result<std::unique_ptr<runtime::Device>> device = runtime::Device::open();
        if (!device) return device.error().message;
        device_ = device.take();
        return {};
    }
    std::string device_name() const { return device_->name(); }
    /// What `// ALWAYS:` calls the form that tests run in.
    std::string form() const {
        return abi_ == vulkan::Abi::Descriptors ? "descriptors"
               : only_32_bits_                  ? "only-32-bits"
               : wrong_idioms_                  ? "wrong-idioms"
               : no_sub_groups_                 ? "no-sub-groups"
                                                : "addresses";
    }
    /// Messages of the validation layer, when CALDERA_VALIDATION=1 loads it: any is a failure.
    uint32_t validation_messages() const { return device_ ? device_->validation_messages() : 0; }

    /// A file whose check fails is built again so that the kernels store what they compare.
    Verdict run(const Test& test, const fs::path& root) {
        stores_values_ = check_failed_ = false;
        const Verdict verdict = run_once(test, root);
        if (!check_failed_ || !modules_.empty()) return verdict;
        stores_values_ = true;
        Test with_values = test;
        with_values.compile.macros.push_back({.name = "ASSERT_VALUES", .text = "1"});
        const Verdict second = run_once(with_values, root);
        return second.empty() ? verdict + " (none does where the kernels store the values: -DASSERT_VALUES)"
                              : second;
    }

 private:
    Verdict run_once(const Test& test, const fs::path& root) {
        // The module that runs is made for the device; the one for the default profile must be valid as well.
        const Compiled compiled = compile(test, root);
        if (compiled.words.empty()) return "did not compile:\n" + compiled.log;
        if (!compiled.invalid.empty()) return compiled.invalid;
        BuildOptions options{.compile = test.compile,
                             .abi = abi_,
                             .profile = device_->profile(),
                             .verify_between_passes = true,
                             .disabled_passes = disabled_passes_};
        if (wrong_idioms_) options.profile = with_wrong_idioms(*options.profile);
        if (only_32_bits_) options.profile = only_32_bits(*options.profile);
        if (no_sub_groups_) options.profile->subgroups = false;
        const fs::path module = modules_ / test.path.stem() += ".spv";
        BuildResult built =
            !modules_.empty() && fs::exists(module)
                ? build_program_from_file(*device_, module.string(), options)
            : fs::exists(assembly_of(test))
                ? build_program(*device_, compiled.opencl, options)
                : build_program(*device_, test.source, fs::relative(test.path, root).string(), options);
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

    Verdict set_pipe(runtime::Kernel& kernel, uint32_t index) {
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

    Verdict make_device_queue(const Test& test) {
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

    Verdict run_kernel(const runtime::Kernel& kernel, const runtime::NDRange& range) {
        if (!kernel.interface().enqueues || !device_queue_) {
            const Result<runtime::Event> event = queue_->dispatch(kernel, range);
            return event ? Verdict{} : event.error().message;
        }
        const Result<runtime::DeviceQueue::Outcome> outcome = device_queue_->run(*queue_, kernel, range);
        if (!outcome) return outcome.error().message;
        const auto expected = endings_.find(kernel.interface().name);
        const int wanted = expected == endings_.end() ? 0 : expected->second;
        return outcome->status == wanted ? Verdict{}
                                         : "ends with status " + std::to_string(outcome->status) + ", not " +
                                               std::to_string(wanted);
    }

    // ---- What kernels print ----

    Verdict make_queue(const Test& test) {
        printed_.clear();
        pipes_.clear();
        runtime::QueueOptions options{.print = [this](const runtime::Printed& printed) {
            printed_ += printed.text;
            if (printed.is_cut) printed_ += "(cut)\n";
        }};
        for (const std::string& bytes : directives(test.source, "PRINTF_BUFFER:"))
            options.printf_bytes = std::stoull(bytes);
        Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(*device_, options);
        if (!queue) return queue.error().message;
        queue_ = queue.take();
        return {};
    }

    Verdict compare_printed(const Test& test) const {
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

    /// A line `RUN: …`.
    struct Run {
        runtime::NDRange range = {.local = {1, 1, 1}};
        bool overlap = false, by_format = false;
        std::vector<vulkan::ImageDescriptor> images = {};
        uint32_t sampler = vulkan::kSamplerNearest;
    };
    static Verdict read(const std::string& text, Run& run) {
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
                Result<vulkan::ImageDescriptor> image = tools::parse_image(word.substr(equal + 1));
                if (!image) return image.error().message;
                run.images.push_back(image.take());
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

    bool too_large(const Run& run) const {
        uint64_t total = 1;
        for (size_t d = 0; d < 3; ++d) {
            if (run.range.local[d] > device_->profile().max_local_size[d]) return true;
            total *= std::max<uint64_t>(run.range.local[d], 1);
        }
        return total > device_->profile().max_local_invocations;
    }

    /// The first argument is the record; every further pointer one is 64 KiB of global memory holding 0, 1, 2, … as ints, of
    /// its own or, when they overlap, the same for all; or 1 KiB of local memory. A value's bytes are 1, 2, 3, … A pipe is for 100
    /// packets and lasts from kernel to kernel of a file; those with packets of one size are one. An image is the next of the
    /// RUN line's, or the last again, and a pointer after it called like it with `_bytes` behind is to its texels; `sampler_bits` are
    /// those of the samplers.
    Verdict dispatch(runtime::Program& program, const vulkan::Kernel& interface, const Run& run) {
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
                    *device_, *queue_, run.images[std::min(images.size(), run.images.size() - 1)]);
                if (!image) return image.error().message;
                const TestImage& made = images.emplace(name, image.take()).first->second;
                if (Result<Done> done = kernel->set_image(i, made.descriptor_address(),
                                                          run.by_format ? made.format_number() : 0);
                    !done)
                    return done.error().message;
                continue;
            }
            if (interface.arguments[i].kind == vulkan::ArgumentKind::Sampler) {
                if (Result<Done> done = kernel->set_sampler(i, run.sampler); !done)
                    return done.error().message;
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
        if (Result<Done> done =
                queue_->download(buffers[0], 0, std::as_writable_bytes(std::span(&record, 1)));
            !done)
            return done.error().message;
        if (record.failed == 0 && record.held == 0) return "made no check";
        if (record.failed == 0) return {};
        check_failed_ = true;
        if (!stores_values_) return "line " + std::to_string(record.failed) + ": a check failed";
        char text[200];
        std::snprintf(text, sizeof text, "line %u: expected %s, got %s (failures: %u)", record.failed,
                      hexadecimal(record.expected).c_str(), hexadecimal(record.actual).c_str(),
                      record.failures);
        return text;
    }

    vulkan::Abi abi_ = vulkan::Abi::Addresses;
    fs::path modules_ = {};
    std::vector<std::string> disabled_passes_ = {};
    bool only_32_bits_ = false, wrong_idioms_ = false, no_sub_groups_ = false, times_ = false;
    bool stores_values_ = false, check_failed_ = false;
    std::unique_ptr<runtime::Device> device_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
    std::string printed_ = {};
    std::map<uint32_t, runtime::Pipe> pipes_ = {};  // by size of packets
    std::unique_ptr<runtime::DeviceQueue> device_queue_ = {};
    std::map<std::string, int> endings_ = {};  // by kernel
};

/// Which files run: those whose number, counted round to `of`, is `number`.
struct Part {
    size_t number = 1, of = 1;
    bool has(size_t file) const { return file % of == (number - 1) % of; }
};

/// --part=K/N
bool read_part(const char* text, Part& part) {
    return std::sscanf(text, "%zu/%zu", &part.number, &part.of) == 2 && part.number > 0 && part.of > 0;
}

/// --sample=N: the N-th of which CALDERA_TEST_PART says the number, or all.
bool read_sample(const char* text, Part& part) {
    const char* number = std::getenv("CALDERA_TEST_PART");
    if (std::sscanf(text, "%zu", &part.of) != 1 || part.of == 0) return false;
    if (!number || !*number) part = {};
    return part.of == 1 || (std::sscanf(number, "%zu", &part.number) == 1 && part.number > 0);
}

int usage() {
    std::fprintf(stderr,
                 "usage: runner golden|diag|exec DIR [--update] [--abi=descriptors] [--only-32-bits] "
                 "[--wrong-idioms] [--no-sub-groups] [--modules=DIR] [--part=K/N] [--sample=N] "
                 "[--disable-pass=PASS] [--times] [FILTER]\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return usage();
    const std::string suite = argv[1];
    const fs::path root = argv[2];
    bool update = false, times = false;
    vulkan::Abi abi = vulkan::Abi::Addresses;
    Part part, sample;
    std::string filter;
    Executor executor;
    for (int i = 3; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--update"))
            update = true;
        else if (!std::strcmp(argv[i], "--abi=descriptors"))
            abi = vulkan::Abi::Descriptors;
        else if (!std::strcmp(argv[i], "--only-32-bits"))
            executor.set_only_32_bits();
        else if (!std::strcmp(argv[i], "--wrong-idioms"))
            executor.set_wrong_idioms();
        else if (!std::strcmp(argv[i], "--no-sub-groups"))
            executor.set_no_sub_groups();
        else if (!std::strncmp(argv[i], "--disable-pass=", 15))
            executor.disable_pass(argv[i] + 15);
        else if (!std::strcmp(argv[i], "--times"))
            times = true;
        else if (!std::strncmp(argv[i], "--part=", 7)) {
            if (!read_part(argv[i] + 7, part)) return usage();
        } else if (!std::strncmp(argv[i], "--sample=", 9)) {
            if (!read_sample(argv[i] + 9, sample)) return usage();
        } else if (!std::strncmp(argv[i], "--modules=", 10))
            executor.set_modules(argv[i] + 10);
        else
            filter = argv[i];
    }
    std::function<Verdict(const Test&)> judge;
    if (suite == "golden") {
        judge = [&](const Test& test) { return golden(test, root); };
    } else if (suite == "diag") {
        judge = [&](const Test& test) { return diagnostics(test, root, update); };
    } else if (suite == "exec") {
        if (const Verdict bad = executor.open(); !bad.empty())
            return std::fprintf(stderr, "error: %s\n", bad.c_str()), 1;
        executor.set_abi(abi);
        if (times) executor.set_times();
        std::printf("device: %s\n", executor.device_name().c_str());
        judge = [&](const Test& test) { return executor.run(test, root); };
    } else {
        return usage();
    }

    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
        if (entry.path().extension() == ".cl" || (entry.path().extension() == ".spvasm" && suite != "exec"))
            if (entry.path().string().find(filter) != std::string::npos) files.push_back(entry.path());
    std::ranges::sort(files);
    if (sample.of > 1)
        std::printf(
            "part %zu of %zu of the files, and those that are always run as %s; all without "
            "CALDERA_TEST_PART\n",
            (sample.number - 1) % sample.of + 1, sample.of, executor.form().c_str());
    size_t passed = 0, skipped = 0, left_out = 0;
    for (size_t i = 0; i < files.size(); ++i) {
        const fs::path& path = files[i];
        Test test;
        const long long start = milliseconds();
        Verdict verdict = load(path, root, test);
        if (!part.has(i) || (!sample.has(i) && !is_always(test, executor.form()))) {
            ++left_out;
            continue;
        }
        if (suite == "exec" && !executor.offers(test)) {
            ++skipped;
            continue;
        }
        if (verdict.empty()) verdict = judge(test);
        if (verdict.empty())
            ++passed;
        else
            std::printf("FAILED %s: %s\n", path.string().c_str(), verdict.c_str());
        if (times)
            std::printf("%7lld ms %s\n", milliseconds() - start, fs::relative(path, root).string().c_str());
    }
    const size_t failed = files.size() - passed - skipped - left_out;
    std::printf("%zu passed, %zu failed", passed, failed);
    if (skipped) std::printf(", %zu skipped", skipped);
    if (left_out) std::printf(", %zu left out", left_out);
    std::printf("\n");
    if (const uint32_t messages = executor.validation_messages())
        std::printf("FAILED: %u messages of the validation layer\n", messages);
    return failed == 0 && !files.empty() && executor.validation_messages() == 0 ? 0 : 1;
}
