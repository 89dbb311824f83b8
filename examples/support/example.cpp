// SPDX-License-Identifier: Apache-2.0
#include "support/example.h"

#include <png.h>

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

bool write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> pixels) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    const bool written = png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr) != 0;
    if (written) std::printf("wrote %s\n", path.c_str());
    return written;
}

}  // namespace example
