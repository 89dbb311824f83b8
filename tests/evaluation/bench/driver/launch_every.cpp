// SPDX-License-Identifier: Apache-2.0
// launch_every: what becomes of a kernel's time while a program launches it again and again, with pauses that
// leave the device idle.
#include <CL/cl.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/evaluation/bench/opencl_clocks.h"

using caldera::bench::Clocks;

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kExamples = R"(
Each line is a second: the median of the kernel's times by the device's own clock, how many launches there were, and the device's clocks.
Then the time of the last second over that of the first. Status: 1 where that is above --at-most.

Examples:
  launch_every                              a kernel of about a millisecond each 10 ms, for 20 s, on the first platform
  launch_every --platform=nvidia            under NVIDIA's OpenCL
  CALDERA_KEEP_CLOCKS=off launch_every      what happens where nobody keeps the clock up
  launch_every --every=200 --seconds=60     a launch now and then
  launch_every --every=10 --steps=2000 --seconds=3      on lavapipe
)";

struct Options {
    std::string platform;
    double every_ms = 10, seconds = 20, at_most = 1.1;
    cl_int steps = 75000;
    bool blind = false;
};

void check(cl_int code, const char* what) {
    if (code == CL_SUCCESS) return;
    std::fprintf(stderr, "launch_every: %s: error %d\n", what, code);
    std::exit(1);
}

/// The first device of the first platform whose name has the text, in any case.
cl_device_id find_device(std::string text, std::string& name) {
    const auto lower = [](std::string of) {
        std::ranges::transform(of, of.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return of;
    };
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
    std::vector<cl_platform_id> platforms(count);
    check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
    for (cl_platform_id platform : platforms) {
        char names[2][256] = {};
        cl_device_id device = nullptr;
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof names[0] - 1, names[0], nullptr);
        if (lower(names[0]).find(lower(text)) == std::string::npos ||
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
            continue;
        clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof names[1] - 1, names[1], nullptr);
        name = std::string(names[1]) + " (" + names[0] + ")";
        return device;
    }
    std::fprintf(stderr, "launch_every: no platform has '%s' in its name\n", text.c_str());
    std::exit(1);
}

/// No algebra makes it shorter.
constexpr const char* kSource = R"(kernel void work(global uint *out, int steps) {
    uint x = get_global_id(0) + 1;
    for (int i = 0; i < steps; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
    out[get_global_id(0)] = x;
})";
constexpr size_t kItems = 4096;

/// A kernel and its queue, which times it.
struct Work {
    Work(cl_device_id device, cl_int steps) {
        cl_int code = CL_SUCCESS;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        check(code, "clCreateContext");
        queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
        check(code, "clCreateCommandQueue");
        const char* source = kSource;
        program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
        check(code, "clCreateProgramWithSource");
        check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
        kernel = clCreateKernel(program, "work", &code);
        check(code, "clCreateKernel");
        buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(cl_uint), nullptr, &code);
        check(code, "clCreateBuffer");
        check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
        check(clSetKernelArg(kernel, 1, sizeof steps, &steps), "clSetKernelArg");
    }
    ~Work() {
        clReleaseMemObject(buffer);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// Microseconds.
    double run() const {
        cl_event event = nullptr;
        check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, &event),
              "clEnqueueNDRangeKernel");
        check(clWaitForEvents(1, &event), "clWaitForEvents");
        cl_ulong start = 0, end = 0;
        check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
              "clGetEventProfilingInfo");
        check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
              "clGetEventProfilingInfo");
        clReleaseEvent(event);
        return static_cast<double>(end - start) / 1000;
    }

    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    cl_kernel kernel = nullptr;
    cl_mem buffer = nullptr;
};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// The medians of the seconds that have launches.
std::vector<double> measure(const Work& work, const Clocks& clocks, const Options& options) {
    std::vector<double> medians;
    const auto start = Clock::now();
    double next = 0;
    for (int second = 1; next < options.seconds; ++second) {
        std::vector<double> times;
        for (; next < std::min<double>(second, options.seconds); next += options.every_ms / 1000) {
            const std::chrono::duration<double> until_then(next);
            std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(until_then));
            times.push_back(work.run());
        }
        if (times.empty()) continue;
        const auto sample = clocks.sample();  // right after a launch
        medians.push_back(median(times));
        std::printf("%4d s %12.1f us %7zu launches   %s\n", second, medians.back(), times.size(),
                    sample ? text(*sample).c_str() : "");
        std::fflush(stdout);
    }
    return medians;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("launch_every: what becomes of a kernel's time while it is launched again and again");
    app.footer(kExamples);
    app.add_option("--platform", options.platform, "the first one whose name has this, in any case");
    app.add_option("--every", options.every_ms, "milliseconds from one launch to the next")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--seconds", options.seconds, "how long")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--steps", options.steps,
                   "the kernel's work: steps that each of its 4,096 work-items does")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--at-most", options.at_most, "what the kernel's time may become, as a part of the first")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_flag("--blind", options.blind,
                 "look at the clocks at the end only, in case that looking raises them");
    CLI11_PARSE(app, argc, argv);

    std::string name;
    cl_device_id device = find_device(options.platform, name);
    const Work work(device, options.steps);
    work.run();  // the first launch may compile
    std::printf("%s, each %g ms\n", name.c_str(), options.every_ms);
    const Clocks none(std::nullopt, name);
    const Clocks clocks = options.blind ? none : caldera::bench::clocks_of(device);
    if (!options.blind && !clocks.sample()) std::printf("clocks: unknown (%s)\n", name.c_str());
    const std::vector<double> medians = measure(work, clocks, options);
    if (options.blind)
        if (const auto sample = caldera::bench::clocks_of(device).sample())
            std::printf("clocks: %s\n", text(*sample).c_str());
    const double ratio = medians.back() / medians.front();
    std::printf("end / start: %.3f (at most %g is wanted)\n", ratio, options.at_most);
    return ratio <= options.at_most ? 0 : 1;
}
