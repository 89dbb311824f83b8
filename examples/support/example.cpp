// SPDX-License-Identifier: Apache-2.0
#include "support/example.h"

namespace example {

Session::Session(const std::string& kernel_file, const caldera::ProgramOptions& options)
    : device(check(caldera::Device::open())),
      queue(check(caldera::Queue::create(device, {.timestamps = true}))),
      name(kernel_file.substr(0, kernel_file.rfind('.'))) {
    const caldera::ProgramResult built =
        caldera::Program::build_file(device, EXAMPLES_DIR "/" + kernel_file, options);
    std::fputs(built.log.c_str(), stderr);
    if (!built) std::exit(1);
    program = built.program;
}

double Session::run(const caldera::Kernel& kernel, const caldera::NDRange& range) {
    const caldera::Event event = check(queue.dispatch(kernel, range));
    check(event.wait());
    return device.has_timestamps() ? static_cast<double>(check(event.timing()).duration_ns()) * 1e-6 : 0;
}

int Session::verdict(bool right, double time_ms) {
    const uint32_t messages = device.validation_messages();
    std::printf("%-16s %s in %.3f ms on %s%s\n", name.c_str(), right ? "right" : "WRONG", time_ms,
                device.name().c_str(), messages ? ", but the validation layer complained" : "");
    return right && messages == 0 ? 0 : 1;
}

}  // namespace example
