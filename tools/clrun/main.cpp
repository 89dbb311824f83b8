// SPDX-License-Identifier: Apache-2.0
// clrun: compiles a file and dispatches one of its kernels.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <new>
#include <set>

#include "caldera/version.h"
#include "frontend/source.h"
#include "spirv/support/files.h"
#include "spirv/support/files_read.h"
#include "spirv/support/float_environment.h"
#include "spirv/support/option_values.h"
#include "spirv/support/program.h"
#include "spirv/support/try.h"
#include "tools/clrun/host_array.h"
#include "tools/clrun/host_image.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/device_queue.h"
#include "vulkan/runtime/fault_reporter.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;

namespace {

constexpr const char* kExamples = R"(Arguments, one --arg for each of the kernel's, in order:
  by value     --arg=2.5   --arg=1,2,3,4 (a vector)   --arg=@bytes.raw (a struct)
  buffers      --arg=:1,2,3      --arg=[1024]        --arg=[1024]:=7      --arg=[1024]:range
               --arg=[1024]:range(0,0.5)             --arg=[1024]:random(42)
               --arg=@data.npy   --arg=@data.raw     --arg=f16[1024] (another element type)
               --arg=null
  local        --arg=local:BYTES
  pipes        --arg=pipe:PACKETS (an empty pipe with room for so many)
  queues       --arg=queue (the device queue)
  images       --arg=image:2d:RGBA:UNORM_INT8:640x480   also 1d, 1d_array, 1d_buffer, 2d_array, 3d, 2d_depth, 2d_array_depth;
               --arg=image:2d:R:FLOAT:2x2=:1,2,3,4   or =:=7, =:range, =:random, =@data.raw: all of its numbers
  samplers     --arg=sampler:0x12 (CLK_ constants ORed)
A pipe or a device in place of a FILE gives at most 256 MiB; files have no limit.

Examples:
  clrun saxpy.cl --kernel=saxpy --global=8 --arg=2 --arg=:1,2,3,4,5,6,7,8 --arg=[8]:=1 --print=2
  clrun sum.cl --kernel=sum --global=65536 --local=256 --arg=[65536]:random --arg=[256] --arg=local:1024 --save=1:out.npy
  clrun k.cl --kernel=k --global=1024,1024 --local=16,16 --arg=[1048576] --repeat=20 --device=llvmpipe
)";

struct Options {
    std::string file, kernel, device, build_options, abi, checks;
    uint64_t device_queue_bytes = runtime::DeviceQueueOptions{}.size_bytes;
    std::vector<std::string> global, local, offset, args, prints, saves, defines, include_dirs,
        disabled_passes;
    uint32_t repeat = 1, max_loop_turns = 0;
    bool list_devices = false, validation = false, robust = false;
};

/// The exit status if the kernel accessed what it must not.
constexpr int kFaults = 3;

/// One argument on the host: the bytes of a value, or a buffer with its device copy.
struct Argument {
    tools::HostArray array = {};
    runtime::Buffer buffer = {};
    bool is_buffer = false;
    runtime::Pipe pipe = {};
    runtime::Buffer image_descriptor = {};
};

int fail(const std::string& message) {
    std::fprintf(stderr, "clrun: error: %s\n", message.c_str());
    return 1;
}

/// The exit status, which is an error if standard output did not take all that was printed.
int ended(int status) { return finish_standard_output() ? status : fail("cannot write to standard output"); }

int list_devices() {
    Result<std::vector<runtime::DeviceInfo>> devices = runtime::list_devices();
    if (!devices) return fail(devices.error().message);
    for (size_t i = 0; i < devices->size(); ++i) {
        const runtime::DeviceInfo& d = (*devices)[i];
        std::printf("%zu: %s (%s, Vulkan %u.%u)%s%s\n", i, d.name.c_str(), d.driver.c_str(),
                    VK_API_VERSION_MAJOR(d.api_version), VK_API_VERSION_MINOR(d.api_version),
                    d.usable ? "" : ", lacks ", d.lacks.c_str());
    }
    return 0;
}

/// The sizes of an option, which commas separate, or blanks between arguments; empty ones stay.
std::vector<std::string> split_sizes(const std::vector<std::string>& given) {
    std::vector<std::string> parts;
    for (const std::string& text : given) {
        size_t begin = 0;
        for (size_t comma; (comma = text.find(',', begin)) != std::string::npos; begin = comma + 1)
            parts.push_back(text.substr(begin, comma - begin));
        parts.push_back(text.substr(begin));
    }
    return parts;
}

/// Where there is no file: "--global 2 k.cl" takes it for a size.
std::string file_among_sizes(const Options& options) {
    const std::pair<const char*, const std::vector<std::string>&> kOptions[] = {
        {"--global", options.global}, {"--local", options.local}, {"--offset", options.offset}};
    for (const auto& [option, values] : kOptions)
        for (const std::string& value : values)
            if (value.find_first_not_of("0123456789,") != std::string::npos)
                return std::string("; ") + option + " took '" + value + "' for a size: write " + option +
                       "=SIZE, or the file first";
    return {};
}

Result<runtime::Size3> parse_sizes(const std::vector<std::string>& parts, uint64_t otherwise) {
    runtime::Size3 sizes = {otherwise, otherwise, otherwise};
    if (parts.size() > 3) return Error{.message = "at most three dimensions"};
    for (size_t d = 0; d < parts.size(); ++d) {
        const auto [end, error] =
            std::from_chars(parts[d].data(), parts[d].data() + parts[d].size(), sizes[d]);
        if (error != std::errc{} || end != parts[d].data() + parts[d].size())
            return Error{.message = "not a size: '" + parts[d] + "'"};
    }
    return sizes;
}

/// The element type and vector width of an argument's OpenCL C type: "float4*" is F32 and 4.
bool element_of(std::string type, tools::Element& element, uint32_t& lanes) {
    while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.pop_back();
    size_t digits = type.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(type[digits - 1]))) --digits;
    lanes = digits < type.size() ? static_cast<uint32_t>(std::stoul(type.substr(digits, 4))) : 1;
    type.resize(digits);
    return tools::parse_element(type, element);
}

/// Said of modules of other compilers, and of ours without -cl-kernel-arg-info.
constexpr std::string_view kNoTypeNames = "the module does not name the type of this argument: ";

Result<Done> set_value(runtime::Kernel& kernel, uint32_t index, const std::string& text) {
    const vulkan::KernelArgument& argument = kernel.interface().arguments[index];
    std::vector<std::byte> bytes;
    tools::Element element = {};
    uint32_t lanes = 1;
    if (text.starts_with('@')) {
        Result<tools::HostArray> raw = tools::parse_array(tools::Element::U8, text);
        if (!raw) return raw.error();
        bytes = raw->bytes;
    } else if (argument.type_name.empty()) {
        return Error{.message = std::string(kNoTypeNames) + "a value must come from a file: @bytes.raw"};
    } else if (!element_of(argument.base_type_name, element, lanes)) {
        return Error{.message =
                         "a value of type '" + argument.type_name + "' must come from a file: @bytes.raw"};
    } else {
        Result<tools::HostArray> values = tools::parse_array(element, ":" + text);
        if (!values) return values.error();
        if (values->count() != lanes)
            return Error{.message = "'" + argument.type_name + "' takes " + std::to_string(lanes) +
                                    " numbers, not " + std::to_string(values->count())};
        bytes = values->bytes;
        bytes.resize(argument.size_bytes);  // a vector of 3 occupies 4 elements
    }
    return kernel.set_value(index, bytes);
}

Result<Done> set_sampler(runtime::Kernel& kernel, uint32_t index, const std::string& text) {
    const std::string digits = text.starts_with("sampler:") ? text.substr(8) : "";
    const bool is_hex = digits.starts_with("0x");
    const char* const first = digits.data() + (is_hex ? 2 : 0);
    const char* const last = digits.data() + digits.size();
    uint32_t bits = 0;
    const auto [end, error] = std::from_chars(first, last, bits, is_hex ? 16 : 10);
    if (error != std::errc{} || end != last)
        return Error{.message = "a sampler is written sampler:0x12, not '" + text + "'"};
    return kernel.set_sampler(index, bits);
}

/// --print and --save treat the texels as a buffer.
Result<Done> set_image(runtime::Device& device, runtime::Queue& queue, runtime::Kernel& kernel,
                       uint32_t index, const std::string& text, Argument& out) {
    constexpr std::string_view kImage = "image:";
    if (!text.starts_with(kImage))
        return Error{.message =
                         "an image is written image:SHAPE:ORDER:TYPE:SIZE, as image:2d:RGBA:UNORM_INT8:16x8, "
                         "not '" +
                         text + "'"};
    const std::string_view description = std::string_view(text).substr(kImage.size());
    const size_t equal = std::min(description.find('='), description.size());
    Result<vulkan::ImageDescriptor> image = tools::parse_image(description.substr(0, equal));
    if (!image) return image.error();
    TRY(tools::check_shape(description, kernel.interface().arguments[index]));
    if (equal + 1 == description.size()) return Error{.message = "there are no contents behind '='"};
    Result<tools::HostArray> array =
        tools::contents_of(*image, equal == description.size() ? "" : description.substr(equal + 1));
    if (!array) return array.error();
    Result<runtime::Buffer> texels = runtime::Buffer::create(device, array->bytes.size());
    if (!texels) return texels.error();
    Result<runtime::Buffer> descriptor = runtime::Buffer::create(device, sizeof *image);
    if (!descriptor) return descriptor.error();
    out.array = array.take();
    out.buffer = texels.take();
    out.image_descriptor = descriptor.take();
    out.is_buffer = true;
    image->data_address = out.buffer.address();
    TRY(queue.upload(out.buffer, 0, out.array.bytes));
    const auto words = std::as_bytes(std::span(&*image, 1));
    TRY(queue.upload(out.image_descriptor, 0, words));
    return kernel.set_image(index, {.descriptor = *image,
                                    .descriptor_address = out.image_descriptor.address(),
                                    .texels = &out.buffer,
                                    .format_number = vulkan::image_format_number(image->channel_order,
                                                                                 image->channel_data_type)});
}

Result<Done> set_argument(runtime::Device& device, runtime::Queue& queue,
                          const runtime::DeviceQueue& device_queue, runtime::Kernel& kernel, uint32_t index,
                          const std::string& text, Argument& out) {
    const vulkan::KernelArgument& argument = kernel.interface().arguments[index];
    if (argument.kind == vulkan::ArgumentKind::Value) return set_value(kernel, index, text);
    if (argument.kind == vulkan::ArgumentKind::DeviceQueue) {
        if (text != "queue") return Error{.message = "a queue is written queue, not '" + text + "'"};
        return kernel.set_queue(index, device_queue.handle());
    }
    if (argument.kind == vulkan::ArgumentKind::LocalPointer) {
        Result<runtime::Size3> bytes = parse_sizes({text.starts_with("local:") ? text.substr(6) : text}, 0);
        if (!bytes)
            return Error{.message = "a pointer to local memory is written local:BYTES, not '" + text + "'"};
        return kernel.set_local(index, (*bytes)[0]);
    }
    if (argument.kind == vulkan::ArgumentKind::Pipe) {
        Result<runtime::Size3> packets = parse_sizes({text.starts_with("pipe:") ? text.substr(5) : text}, 0);
        if (!packets || (*packets)[0] > 0xffffffff)
            return Error{.message = "a pipe is written pipe:PACKETS, not '" + text + "'"};
        Result<runtime::Pipe> pipe = runtime::Pipe::create(device, std::max(argument.element_bytes, 1u),
                                                           static_cast<uint32_t>((*packets)[0]));
        if (!pipe) return pipe.error();
        out.pipe = pipe.take();
        return kernel.set(index, out.pipe);
    }
    if (argument.kind == vulkan::ArgumentKind::Image)
        return set_image(device, queue, kernel, index, text, out);
    if (argument.kind == vulkan::ArgumentKind::Sampler) return set_sampler(kernel, index, text);
    if (text == "null") return kernel.set_address(index, 0);
    tools::Element element = tools::Element::U8;  // of void
    uint32_t lanes = 1;
    const bool has_type = !argument.type_name.empty() && argument.base_type_name != "void*";
    const bool is_known = element_of(argument.base_type_name, element, lanes) || !has_type;
    if (argument.type_name.empty() && (text.starts_with('[') || text.starts_with(':')))
        return Error{.message = std::string(kNoTypeNames) + "write one, as in u32" + text};
    if (!is_known && (text.starts_with('[') || text.starts_with(':')))
        return Error{.message = "elements of '" + argument.type_name +
                                "' have no size here: write a type, as in u8" + text};
    Result<tools::HostArray> array = tools::parse_array(element, text);
    if (!array) return array.error();
    if (has_type && text.starts_with('@') && tools::reads_as_other(array->element, element))
        std::fprintf(stderr, "clrun: warning: argument %u ('%s'): '%s' has elements of %s, not of %s\n",
                     index, argument.name.c_str(), text.c_str() + 1,
                     std::string(name(array->element)).c_str(), std::string(name(element)).c_str());
    Result<runtime::Buffer> buffer = runtime::Buffer::create(device, array->bytes.size());
    if (!buffer) return buffer.error();
    out = {.array = array.take(), .buffer = buffer.take(), .is_buffer = true};
    TRY(queue.upload(out.buffer, 0, out.array.bytes));
    return kernel.set(index, out.buffer);
}

void print_times(std::vector<uint64_t> times_ns, const std::vector<Argument>& arguments) {
    if (times_ns.empty()) return;
    std::ranges::sort(times_ns);
    const double median_us = static_cast<double>(times_ns[times_ns.size() / 2]) / 1000;
    uint64_t bytes = 0;
    for (const Argument& argument : arguments) bytes += argument.array.bytes.size();
    std::fprintf(stderr, "time per dispatch: %.1f us", median_us);
    if (times_ns.size() > 1)
        std::fprintf(stderr, " (median of %zu, %.1f to %.1f)", times_ns.size(),
                     static_cast<double>(times_ns.front()) / 1000,
                     static_cast<double>(times_ns.back()) / 1000);
    if (median_us > 0)
        std::fprintf(stderr, ", %.2f GB/s (each buffer once)", static_cast<double>(bytes) / median_us / 1000);
    std::fprintf(stderr, "\n");
}

/// Splits "INDEX:REST" and finds the buffer.
Result<Argument*> buffer_at(std::vector<Argument>& arguments, const std::string& text, std::string& rest) {
    const size_t colon = std::min(text.find(':'), text.size());
    rest = colon < text.size() ? text.substr(colon + 1) : "";
    Result<runtime::Size3> index = parse_sizes({text.substr(0, colon)}, 0);
    if (!index || (*index)[0] >= arguments.size() || !arguments[(*index)[0]].is_buffer)
        return Error{.message = "'" + text + "' does not name a buffer argument by its number"};
    return &arguments[(*index)[0]];
}

/// What --print and --save name, found wrong before the kernel has run for nothing.
Result<Done> check_reports(const Options& options, std::vector<Argument>& arguments,
                           const std::vector<std::string>& read) {
    std::string rest;
    for (const std::string& print : options.prints) {
        const Result<Argument*> argument = buffer_at(arguments, print, rest);
        if (!argument) return argument.error();
        if (rest.empty()) continue;
        const Result<runtime::Size3> count = parse_sizes({rest}, 0);
        if (!count) return count.error();
        if (const uint64_t has = (*argument)->array.count(); (*count)[0] > has)
            return Error{.message = "--print=" + print + " wants more elements than there are, " +
                                    std::to_string(has)};
    }
    const FilesRead files(read);
    std::set<std::string> places;
    if (!options.prints.empty()) places.insert("-");
    for (const std::string& save : options.saves) {
        if (const Result<Argument*> argument = buffer_at(arguments, save, rest); !argument)
            return argument.error();
        if (rest.empty()) return Error{.message = "--save needs a file, as in --save=1:out.npy"};
        TRY(files.may_write(rest));
        const std::string place = rest == "-" ? rest : whole_path(rest);
        if (!place.empty() && !places.insert(place).second)
            return Error{.message = "output '" + rest + "' would be written twice"};
    }
    return Done{};
}

Result<Done> report(const Options& options, runtime::Queue& queue, std::vector<Argument>& arguments) {
    std::string rest;
    auto fetch = [&](const std::string& text) -> Result<Argument*> {
        Result<Argument*> argument = buffer_at(arguments, text, rest);
        if (!argument) return argument;
        TRY(queue.download((*argument)->buffer, 0, (*argument)->array.bytes));
        return argument;
    };
    for (const std::string& print : options.prints) {
        Result<Argument*> argument = fetch(print);
        if (!argument) return argument.error();
        Result<runtime::Size3> count =
            parse_sizes({rest.empty() ? std::to_string((*argument)->array.count()) : rest}, 0);
        if (!count) return count.error();
        for (uint64_t i = 0; i < (*count)[0]; ++i)
            std::printf("%s%s", i ? " " : "", (*argument)->array.text(i).c_str());
        std::printf("\n");
    }
    for (const std::string& save : options.saves) {
        Result<Argument*> argument = fetch(save);
        if (!argument) return argument.error();
        TRY(tools::save((*argument)->array, rest));
    }
    return Done{};
}

/// Runs a kernel that enqueues, and everything that it enqueues.
Result<Done> run_tree(runtime::DeviceQueue& device_queue, runtime::Queue& queue,
                      const runtime::Kernel& kernel, const runtime::NDRange& range) {
    Result<runtime::DeviceQueue::Outcome> outcome = device_queue.run(queue, kernel, range);
    if (!outcome) return outcome.error();
    std::fprintf(stderr, "enqueued commands: %llu\n", static_cast<unsigned long long>(outcome->commands));
    if (outcome->status != 0)
        return Error{.message = "an enqueued command failed with status " + std::to_string(outcome->status)};
    return Done{};
}

/// None: as the environment says.
Result<std::optional<vulkan::MemoryChecks>> wanted_checks(const Options& options) {
    const Result<vulkan::MemoryChecks> checks = runtime::parse_checks(options.checks);
    if (!checks) return Error{.message = "--check: " + checks.error().message};
    return *checks == vulkan::MemoryChecks::None ? std::nullopt : std::optional(*checks);
}

/// The kernel's file, and those of "@FILE" and "image:…=@FILE".
std::vector<std::string> files_of_arguments(const Options& options) {
    std::vector<std::string> files{options.file};
    for (const std::string& text : options.args) {
        const size_t at = text.starts_with("image:") ? text.find('=') + 1 : 0;
        if (at < text.size() && text[at] == '@') files.push_back(text.substr(at + 1));
    }
    return files;
}

/// Returns how many accesses were out of bounds.
Result<uint64_t> run(const Options& options) {
    const auto checks = wanted_checks(options);
    if (!checks) return checks.error();
    Result<std::unique_ptr<runtime::Device>> device =
        runtime::open_device({.select = options.device,
                              .validation = options.validation,
                              .checks = *checks,
                              .robust = options.robust ? std::optional(true) : std::nullopt,
                              .loop_turns = options.max_loop_turns});
    if (!device) return device.error();
    BuildOptions build;
    build.compile.kernel_arg_info = true;
    if (!options.abi.empty())
        build.abi = options.abi == "descriptors" ? vulkan::Abi::Descriptors : vulkan::Abi::Addresses;
    build.compile.include_dirs = options.include_dirs;
    build.disabled_passes = options.disabled_passes;
    for (const std::string& define : options.defines) {
        const size_t equal = std::min(define.find('='), define.size());
        build.compile.macros.push_back({.name = define.substr(0, equal),
                                        .text = equal < define.size() ? define.substr(equal + 1) : "1"});
    }
    TRY(frontend::parse_build_options(options.build_options, build.compile));

    std::vector<std::string> read = files_of_arguments(options);
    build.compile.read_file = [&](const std::string& path) {
        std::optional<std::string> text = frontend::read_text_file(path);
        if (text) read.push_back(path);
        return text;
    };

    BuildResult built = build_program_from_file(**device, options.file, build);
    std::fputs(built.log.c_str(), stderr);
    if (!built) return Error{.message = "'" + options.file + "' was not built"};
    std::string name = options.kernel;
    const auto& kernels = built.program->interface().kernels;
    if (name.empty()) {
        std::string names;
        size_t count = 0;
        for (const vulkan::Kernel& each : kernels)
            if (!each.is_block) names += (count++ == 0 ? "" : ", ") + (name = each.name);
        if (count != 1) return Error{.message = "which kernel is to run? --kernel= takes one of " + names};
    }
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, name);
    if (!kernel) return kernel.error();
    const size_t count = kernel->interface().arguments.size();
    if (options.args.size() != count)
        return Error{.message = "kernel '" + name + "' takes " + std::to_string(count) + " arguments, not " +
                                std::to_string(options.args.size())};

    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device, {.timestamps = true});
    if (!queue) return queue.error();
    Result<std::unique_ptr<runtime::DeviceQueue>> device_queue =
        runtime::DeviceQueue::create(**device, {.size_bytes = options.device_queue_bytes});
    if (!device_queue) return device_queue.error();
    std::vector<Argument> arguments(count);
    for (uint32_t i = 0; i < count; ++i)
        if (Result<Done> done =
                set_argument(**device, **queue, **device_queue, *kernel, i, options.args[i], arguments[i]);
            !done)
            return Error{.message = "argument " + std::to_string(i) + " ('" +
                                    kernel->interface().arguments[i].name + "'): " + done.error().message};

    Result<runtime::Size3> global = parse_sizes(options.global, 1),
                           local = parse_sizes(options.local, options.local.empty() ? 0 : 1),
                           offset = parse_sizes(options.offset, 0);
    for (const auto* sizes : {&global, &local, &offset})
        if (!*sizes) return sizes->error();
    const size_t dimensions = std::max<size_t>(options.global.size(), 1);
    if (options.local.size() > dimensions || options.offset.size() > dimensions)
        return Error{.message = std::string(options.local.size() > dimensions ? "--local" : "--offset") +
                                " has more dimensions than --global"};
    const runtime::NDRange range{.dimensions = static_cast<uint32_t>(dimensions),
                                 .global = *global,
                                 .local = *local,
                                 .offset = *offset};
    TRY(check_reports(options, arguments, read));
    std::vector<uint64_t> times_ns;
    for (uint32_t i = 0; i < options.repeat; ++i) {
        if (kernel->interface().enqueues) {
            TRY(run_tree(**device_queue, **queue, *kernel, range));
            continue;
        }
        Result<runtime::Event> event = (*queue)->dispatch(*kernel, range);
        if (!event) return event.error();
        if ((*device)->timestamp_bits() == 0) continue;
        Result<runtime::Timing> timing = (*queue)->timing(*event);
        if (!timing) return timing.error();
        times_ns.push_back(timing->duration_ns());
    }
    TRY((*queue)->finish());
    print_times(times_ns, arguments);
    TRY(report(options, **queue, arguments));
    if ((*device)->validation_messages() != 0)
        return Error{.message = "the validation layer reported problems"};
    return (*device)->fault_reporter() ? (*device)->fault_reporter()->count() : 0;
}

}  // namespace

int main(int argc, char** argv) {
    // a program that was linked with -ffast-math starts in another environment
    const DefaultFloatEnvironment floats;
    Options options;
    CLI::App app{"clrun: compiles OpenCL C (or OpenCL SPIR-V) and dispatches one kernel on a Vulkan device"};
    app.allow_windows_style_options(false);  // "/folder/kernel.cl" is a file there too
    app.footer(kExamples);
    app.set_version_flag("--version", "clrun (Caldera) " CALDERA_VERSION);
    app.add_option("file", options.file, "OpenCL C source");
    app.add_option("--kernel", options.kernel, "name of the kernel; may be left out when there is only one");
    app.add_option("--global", options.global, "global size: X[,Y[,Z]]");
    app.add_option("--local", options.local,
                   "local size; chosen automatically by default; need not divide the global size");
    app.add_option("--offset", options.offset, "global offset");
    app.add_option("--arg", options.args, "a kernel argument; give one for each, in order (see below)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--print", options.prints,
                   "print a buffer argument afterwards, all or the first COUNT elements: INDEX[:COUNT]")
        ->allow_extra_args(false);
    app.add_option("--save", options.saves, "save a buffer argument afterwards: INDEX:FILE[.npy]")
        ->allow_extra_args(false);
    app.add_option("--repeat", options.repeat, "dispatch this many times and report the median time")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--device", options.device,
                   "device index or part of its name; the default is CALDERA_DEVICE");
    app.add_option("-D", options.defines, "define a macro: NAME or NAME=TEXT")->allow_extra_args(false);
    app.add_option("-I", options.include_dirs, "search this folder for #include")->allow_extra_args(false);
    app.add_option("--options", options.build_options, "build options, as clBuildProgram takes them");
    app.add_option("--disable-pass", options.disabled_passes,
                   "leave out an optional pass (clc2spv --list-passes); for tests/checks/find_pass.py")
        ->allow_extra_args(false);
    app.add_option("--device-queue", options.device_queue_bytes,
                   "size in bytes of the device queue, for kernels that enqueue kernels");
    app.add_option("--abi", options.abi,
                   "how kernels reach buffers: addresses (default where the device has them) or descriptors")
        ->check(CLI::IsMember({"addresses", "descriptors"}));
    app.add_option(
        "--check", options.checks,
        "report faults of these kinds, with commas between them, and exit with status 3 if there were some: "
        "bounds, alignment, barriers, races, uninitialised, arithmetic, loops, unequal-races; the default is "
        "CALDERA_CHECK");
    app.add_flag(
        "--robust", options.robust,
        "let the kernel access what its arguments point to, and nothing else: other loads give zero, other "
        "stores do nothing");
    app.add_option("--max-loop-turns", options.max_loop_turns,
                   "with --robust or --check=loops: a loop that turns more often since it was entered ends; "
                   "the default is CALDERA_CHECK_LOOPS")
        ->check(CLI::Range(1u, 4294967294u));
    app.add_flag("--validation", options.validation,
                 "load the Khronos validation layer and fail on any message");
    app.add_flag("--list-devices", options.list_devices, "list the Vulkan devices and exit");
    try {
        std::vector<std::string> args = with_empty_values(arguments(argc, argv));
        std::ranges::reverse(args);  // as CLI11 takes them
        app.parse(std::move(args));
    } catch (const CLI::ParseError& error) { return ended(app.exit(error) == 0 ? 0 : 1); }
    if (options.list_devices) return ended(list_devices());
    if (options.file.empty()) return fail("no input file" + file_among_sizes(options));
    for (auto* sizes : {&options.global, &options.local, &options.offset}) *sizes = split_sizes(*sizes);
    Result<uint64_t> faults = uint64_t{0};
    try {
        faults = run(options);
    } catch (const std::bad_alloc&) { faults = Error{.message = "out of memory"}; }
    if (!faults) return fail(faults.error().message);
    return ended(*faults == 0 ? 0 : kFaults);
}
