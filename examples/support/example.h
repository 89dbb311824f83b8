// SPDX-License-Identifier: Apache-2.0
// What every example needs besides the library: a device with a queue, a kernel from the file beside the
// program, buffers from vectors, a verdict, and PNG files.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "caldera/caldera.h"
#include "support/png.h"

namespace example {

/// The value of a Result; a failure ends the example with its message.
template <class T>
T check(caldera::Result<T> result) {
    if (result) return result.take();
    std::fprintf(stderr, "error: %s\n", result.error().message.c_str());
    std::exit(1);
}

/// An opened device (CALDERA_DEVICE chooses), a queue that times its commands, and a program.
struct Session {
    explicit Session(const std::string& kernel_file, const caldera::ProgramOptions& options = {});

    caldera::Kernel kernel(const std::string& name) { return check(caldera::Kernel::create(program, name)); }

    template <class T>
    caldera::Buffer buffer(const std::vector<T>& data) {
        caldera::Buffer out = check(caldera::Buffer::create(device, data.size() * sizeof(T)));
        check(queue.write(out, data));
        return out;
    }
    template <class T>
    std::vector<T> read(const caldera::Buffer& buffer) {
        std::vector<T> out(buffer.size_bytes() / sizeof(T));
        check(queue.read(buffer, out));
        return out;
    }
    /// Runs the kernel and returns its time in milliseconds.
    double run(const caldera::Kernel& kernel, const caldera::NDRange& range);

    /// Prints the verdict and returns the program's exit code. Wrong too when the validation layer spoke.
    int verdict(bool right, double time_ms);

    caldera::Device device;
    caldera::Queue queue;
    caldera::Program program;
    std::string name;
};

/// Sets all arguments in order: buffers, and everything else by value.
template <class... Args>
void set_arguments(caldera::Kernel& kernel, const Args&... args) {
    check(kernel.set_all(args...));
}

}  // namespace example
