// SPDX-License-Identifier: Apache-2.0
// Programs with the library that exit while lavapipe compiles a kernel, which it does when the kernel first
// runs. A crash is the failure to see.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "caldera/caldera.h"

namespace {

/// The sleep comes after the ends of Vulkan's libraries: time for a thread that still compiles to use what
/// they have destroyed.
void exit_while_compiling() {
    (void)std::atexit([] { std::this_thread::sleep_for(std::chrono::milliseconds(500)); });
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    std::string source = "kernel void work(global float *a) { int i = get_global_id(0); float x = a[i];";
    for (int i = 0; i < 8; ++i) {
        const std::string number = std::to_string(i) + ".5f";
        source += "x = sin(x * " + number + ") + pow(x, " + number + ");";
    }
    source += "a[i] = x; }";
    caldera::Device device = caldera::Device::open().take();
    caldera::Queue queue = caldera::Queue::create(device).take();
    const caldera::ProgramResult built = caldera::Program::build(device, source, "work.cl", {});
    caldera::Kernel kernel = caldera::Kernel::create(built.program, "work").take();
    const caldera::Buffer buffer = caldera::Buffer::create(device, 4096 * sizeof(float)).take();
    kernel.set_all(buffer).take();
    queue.dispatch(kernel, {.global = {4096, 1, 1}}).take();
    queue.flush().take();
    std::exit(0);
}

}  // namespace

int main() {
    for (int turn = 0; turn < 6; ++turn) {
        const pid_t child = fork();  // before this process uses Vulkan
        if (child == 0) exit_while_compiling();
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            std::printf("FAILED: turn %d ends with status %d\n", turn, status);
            return 1;
        }
    }
}
