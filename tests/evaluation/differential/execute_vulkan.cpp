// SPDX-License-Identifier: Apache-2.0
// execute_vulkan [--options=BUILD_OPTIONS] [--dump] FILE...: builds each file (OpenCL C or OpenCL SPIR-V) for
// the Vulkan device, runs its kernel `test` and prints "FILE digest DIGEST_OF_OUT DIGEST_OF_DATA" or "FILE
// error TEXT", a line each, at once.
// --dump prints all words of out and data too. --abi=descriptors, --only-32-bits and --wrong-idioms are those
// of tests/runner/runner.cpp.
#include <cinttypes>
#include <cstdio>
#include <string>

#include "kernel_contract.h"
#include "tests/support/other_devices.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Result<std::vector<std::vector<uint32_t>>> execute(runtime::Device& device, runtime::Queue& queue,
                                                   const std::string& path, const BuildOptions& options) {
    BuildResult built = build_program_from_file(device, path, options);
    if (!built) return Error{.message = "build: " + first_line(built.log)};
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, "test");
    if (!kernel) return kernel.error();
    std::vector<std::vector<uint32_t>> contents = differential::buffers();
    std::vector<runtime::Buffer> buffers;
    for (uint32_t i = 0; i < contents.size(); ++i) {
        Result<runtime::Buffer> buffer = runtime::Buffer::create(device, contents[i].size() * 4);
        if (!buffer) return buffer.error();
        buffers.push_back(buffer.take());
        if (auto done = queue.upload(buffers[i], 0, std::as_bytes(std::span(contents[i]))); !done)
            return done.error();
        if (auto done = kernel->set(i, buffers[i]); !done) return done.error();
    }
    if (auto done = kernel->set_local(static_cast<uint32_t>(contents.size()), differential::kDynamicBytes);
        !done)
        return done.error();
    const std::vector<uint32_t> given = differential::given();
    if (auto done =
            kernel->set_value(static_cast<uint32_t>(contents.size() + 1), std::as_bytes(std::span(given)));
        !done)
        return done.error();
    const runtime::NDRange range{
        .dimensions = 1, .global = {differential::kGlobal, 1, 1}, .local = {differential::kLocal, 1, 1}};
    if (auto event = queue.dispatch(*kernel, range); !event) return event.error();
    for (uint32_t i = 0; i < contents.size(); ++i)
        if (auto done = queue.download(buffers[i], 0, std::as_writable_bytes(std::span(contents[i]))); !done)
            return done.error();
    return contents;
}

int run(int argc, char** argv) {
    BuildOptions options;
    std::vector<std::string> paths;
    bool dump = false, narrow = false, wrong_idioms = false;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--dump") {
            dump = true;
        } else if (argument == "--abi=descriptors") {
            options.abi = vulkan::Abi::Descriptors;
        } else if (argument == "--only-32-bits") {
            narrow = true;
        } else if (argument == "--wrong-idioms") {
            wrong_idioms = true;
        } else if (!argument.starts_with("--options=")) {
            paths.push_back(argument);
        } else if (auto done = frontend::parse_build_options(argument.substr(10), options.compile); !done) {
            return std::fprintf(stderr, "error: %s\n", done.error().message.c_str()), 2;
        }
    }
    Result<std::unique_ptr<runtime::Device>> device = runtime::open_device();
    if (!device) return std::fprintf(stderr, "error: %s\n", device.error().message.c_str()), 1;
    options.profile = (*device)->profile();
    if (narrow) options.profile = only_32_bits(*options.profile);
    if (wrong_idioms) options.profile = with_wrong_idioms(*options.profile);
    Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(**device);
    if (!queue) return std::fprintf(stderr, "error: %s\n", queue.error().message.c_str()), 1;
    for (const std::string& path : paths) {
        auto after = execute(**device, **queue, path, options);
        if (after)
            std::printf("%s digest %016" PRIx64 " %016" PRIx64 "\n", path.c_str(),
                        differential::digest((*after)[0]), differential::digest((*after)[1]));
        else
            std::printf("%s error %s\n", path.c_str(), first_line(after.error().message).c_str());
        if (after && dump) differential::print(*after);
        std::fflush(stdout);
    }
    return (*device)->validation_messages() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv); }
