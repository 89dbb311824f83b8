// SPDX-License-Identifier: Apache-2.0
// random_calls: makes random calls of the API, valid ones and some invalid ones, and checks the bytes of all
// buffers and images.
//
// Commands go to in-order and out-of-order queues of all devices of the context. They wait for the commands
// on which they depend, and sometimes for a user event that completes later. Objects are released while
// commands still use them. A model on the host executes each command at the moment it is enqueued; that is
// correct because the command waits for the events of all earlier commands that touch the same bytes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <thread>

#include "tests/driver/random_calls/caller.h"

namespace caldera::random_calls {
namespace {

/// One seed: a context, and callers in it.
void run(uint64_t seed, const Options& options, const std::vector<cl_device_id>& devices) {
    cl_int code = 1;
    cl_context context = clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(),
                                         nullptr, nullptr, &code);
    require_success(code, "clCreateContext");
    const char* source = Caller::source();
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    require_success(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
    std::vector<std::thread> threads;
    std::atomic<bool> has_failed = false;
    const auto call = [&](unsigned thread) {
        try {
            Caller(context, devices, program, seed * 1000 + thread, options).run();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "seed %llu, thread %u: %s\n", static_cast<unsigned long long>(seed), thread,
                         error.what());
            has_failed = true;
        }
    };
    for (unsigned thread = 1; thread < options.threads; ++thread) threads.emplace_back(call, thread);
    call(0);
    for (std::thread& thread : threads) thread.join();
    require_success(clReleaseProgram(program), "clReleaseProgram");
    require_success(clReleaseContext(context), "clReleaseContext");
    require(!has_failed, "failed");
}

}  // namespace
}  // namespace caldera::random_calls

int main(int argc, char** argv) {
    using namespace caldera::random_calls;
    Options options;
    CLI::App app("random_calls: random calls of the OpenCL API, and what all bytes must be after them",
                 "random_calls");
    app.add_option("--first", options.first, "first seed")->capture_default_str();
    app.add_option("--count", options.count, "number of seeds")->capture_default_str();
    app.add_option("--steps", options.steps, "calls of a thread, for each seed")->capture_default_str();
    app.add_option("--threads", options.threads, "in one context")->capture_default_str();
    app.add_option("--queues", options.queues, "of a thread")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_flag("--in-order", options.in_order, "all queues are in order");
    app.add_flag("--out-of-order", options.out_of_order, "none is")->excludes("--in-order");
    app.add_flag("--no-profiling", options.no_profiling, "no queue is profiled");
    app.add_flag("--device-memory", options.device_memory,
                 "no buffer or image is made of the host's memory, or in it");
    app.add_flag("--uniform", options.uniform, "local sizes divide global ones, as some drivers want");
    const CLI::IsMember is_step(Caller::step_names());
    app.add_option("--only", options.only, "the kinds of steps, with commas between")
        ->delimiter(',')
        ->check(is_step);
    app.add_option("--without", options.without,
                   "those that are left out; without gate there are no user events")
        ->delimiter(',')
        ->check(is_step);
    app.add_flag("--all-devices", options.all_devices,
                 "a context of all devices of the platform, instead of the first");
    app.add_flag("--trace", options.trace, "print each step");
    app.footer(
        "\nExamples:\n"
        "  random_calls --first=7 --count=1 --trace    what seed 7 does\n"
        "  random_calls --threads=8 --only=make_buffer,write,read,queue --in-order\n"
        "                                              less than all, to find what goes wrong\n"
        "  random_calls --uniform --without=error      as other drivers want it");
    CLI11_PARSE(app, argc, argv);
    try {
        cl_platform_id platform = nullptr;
        require_success(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
        cl_uint count = 0;
        require_success(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
        std::vector<cl_device_id> devices(count);
        require_success(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr),
                        "clGetDeviceIDs");
        if (!options.all_devices) devices.resize(1);
        for (uint64_t seed = options.first; seed < options.first + options.count; ++seed)
            run(seed, options, devices);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "random_calls: %s\n", error.what());
        return 1;
    }
    return 0;
}
