// SPDX-License-Identifier: Apache-2.0
// What OpenCL calls cost, on every platform that the loader finds, in turn and in one run.
#include <CL/cl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/evaluation/bench/driver/calls.h"
#include "tests/evaluation/bench/driver/recorded.h"
#include "tests/evaluation/bench/opencl_clocks.h"

using caldera::bench::check;
using caldera::bench::ClockWatch;
using caldera::bench::RecordedStep;
using caldera::bench::seconds_of;

namespace {

/// A platform's first device, ready to work.
struct Contestant {
    std::string name = {};
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr, second = nullptr, unordered = nullptr, profiled = nullptr;
    cl_kernel empty = nullptr, add = nullptr, busy = nullptr;
    cl_mem small = nullptr, large = nullptr, other = nullptr;
    char *mapped = nullptr, *other_mapped = nullptr;
};

constexpr const char* kSource = R"(
kernel void empty() {}
kernel void add(global int *a) { a[get_global_id(0)] += 1; }
kernel void busy(global float *a, int n) {
    float x = a[get_global_id(0)];
    for (int i = 0; i < n; ++i) x = x * 0.999f + 1.0f;
    a[get_global_id(0)] = x;
})";

cl_program build(const Contestant& c, const std::string& source) {
    cl_int code = 0;
    const char* text = source.c_str();
    cl_program program = clCreateProgramWithSource(c.context, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &c.device, "", nullptr, nullptr), "clBuildProgram");
    return program;
}

std::string name_of(cl_platform_id platform) {
    char text[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text - 1, text, nullptr);
    return text;
}

Contestant open(cl_platform_id platform, size_t bytes) {
    Contestant c;
    c.name = name_of(platform);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &c.device, nullptr), "clGetDeviceIDs");
    cl_int code = 0;
    c.context = clCreateContext(nullptr, 1, &c.device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    c.queue = clCreateCommandQueue(c.context, c.device, 0, &code);
    c.second = clCreateCommandQueue(c.context, c.device, 0, &code);
    c.unordered = clCreateCommandQueue(c.context, c.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    c.profiled = clCreateCommandQueue(c.context, c.device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    cl_program program = build(c, kSource);
    c.empty = clCreateKernel(program, "empty", &code);
    c.add = clCreateKernel(program, "add", &code);
    c.busy = clCreateKernel(program, "busy", &code);
    check(code, "clCreateKernel");
    c.small = clCreateBuffer(c.context, CL_MEM_READ_WRITE, 1 << 20, nullptr, &code);
    c.large = clCreateBuffer(c.context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    c.other = clCreateBuffer(c.context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    check(code, "clCreateBuffer");
    for (char** mapped : {&c.mapped, &c.other_mapped}) {
        cl_mem pinned =
            clCreateBuffer(c.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code);
        check(code, "clCreateBuffer");
        *mapped = static_cast<char*>(clEnqueueMapBuffer(c.queue, pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                        0, bytes, 0, nullptr, nullptr, &code));
        check(code, "clEnqueueMapBuffer");
        std::fill(*mapped, *mapped + bytes, 1);
    }
    check(clSetKernelArg(c.add, 0, sizeof c.small, &c.small), "clSetKernelArg");
    return c;
}

void run(const Contestant& c, cl_command_queue queue, cl_kernel kernel, size_t items,
         cl_event* event = nullptr, cl_event* wait = nullptr) {
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, wait ? 1 : 0, wait, event),
          "clEnqueueNDRangeKernel");
    (void)c;
}

constexpr int kKernels = 200;

/// A program of many kernels; another one for another version.
std::string large_source(long version) {
    std::string source;
    char text[512];
    for (int k = 0; k < kKernels; ++k) {
        std::snprintf(text, sizeof text,
                      "kernel void k%d(global float *a, global int *b, int n) {\n"
                      "    int i = get_global_id(0);\n"
                      "    float x = a[i] + %ld;\n"
                      "    for (int j = 0; j < n; ++j) {\n"
                      "        if (b[j] > %d) x = mad(x, 1.5f, sin(a[j]));\n"
                      "        else x -= sqrt(fabs(x)) * b[(i + j) & 255];\n"
                      "    }\n"
                      "    a[i] = x;\n"
                      "}\n",
                      k, version, k);
        source += text;
    }
    return source;
}

/// A version that there never was, so that no cache knows its program.
long new_version() {
    static long version = std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
    return 1 + ++version % (1 << 23);  // which floats tell apart: Vulkan's drivers have caches of their own
}

/// Seconds that each kernel of the program takes to be launched once, for a work-item or two.
double first_launches(const Contestant& c, cl_program program) {
    std::vector<cl_kernel> kernels;
    for (int k = 0; k < kKernels; ++k) {
        cl_int code = 0;
        kernels.push_back(clCreateKernel(program, ("k" + std::to_string(k)).c_str(), &code));
        check(code, "clCreateKernel");
        const int n = 1;
        check(clSetKernelArg(kernels[k], 0, sizeof c.small, &c.small), "clSetKernelArg");
        check(clSetKernelArg(kernels[k], 1, sizeof c.small, &c.small), "clSetKernelArg");
        check(clSetKernelArg(kernels[k], 2, sizeof n, &n), "clSetKernelArg");
    }
    const double seconds = seconds_of([&] {
        for (cl_kernel kernel : kernels) run(c, c.queue, kernel, 2);
        check(clFinish(c.queue), "clFinish");
    });
    for (cl_kernel kernel : kernels) clReleaseKernel(kernel);
    return seconds;
}

/// Everything that a small program does, from start to result; it runs in its own process.
void compute_one_result(cl_platform_id platform) {
    const Contestant c = open(platform, 1 << 20);
    run(c, c.queue, c.add, 64);
    int value = 0;
    check(clEnqueueReadBuffer(c.queue, c.small, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr), "read");
}

/// Starts this program to do so.
double seconds_of_process(const Contestant& c) {
    std::string program = "bench_driver", option = "--one-result=" + c.name;
    char* const arguments[] = {program.data(), option.data(), nullptr};
    return seconds_of([&] {
        pid_t child = 0;
        int status = 1;
        check(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ), "posix_spawn");
        check(waitpid(child, &status, 0) == child ? status : -1, "a process");
    });
}

struct Metric {
    const char* name = nullptr;
    const char* unit = nullptr;
    double scale = 1;                                       ///< seconds to the unit
    std::function<double(const Contestant&)> seconds = {};  ///< NaN where the platform can't do it
};

std::vector<Metric> metrics(size_t bytes, std::vector<char>& pageable) {
    const auto transfer = [bytes](bool write, auto memory, cl_bool blocking = CL_TRUE) {
        return [=](const Contestant& c) {
            return seconds_of([&] {
                char* host = memory(c);
                check(write ? clEnqueueWriteBuffer(c.queue, c.large, blocking, 0, bytes, host, 0, nullptr,
                                                   nullptr)
                            : clEnqueueReadBuffer(c.queue, c.large, blocking, 0, bytes, host, 0, nullptr,
                                                  nullptr),
                      "transfer");
                check(clFinish(c.queue), "clFinish");
            });
        };
    };
    const auto independent = [](cl_command_queue Contestant::*queue) {
        return [queue](const Contestant& c) {
            return seconds_of([&] {
                const int n = 2000;
                check(clSetKernelArg(c.busy, 0, sizeof c.small, &c.small), "clSetKernelArg");
                check(clSetKernelArg(c.busy, 1, sizeof n, &n), "clSetKernelArg");
                for (int i = 0; i < 1000; ++i) run(c, c.*queue, c.busy, 64);
                check(clFinish(c.*queue), "clFinish");
            });
        };
    };
    const auto round_trips = [](cl_command_queue Contestant::*queue) {
        return [queue](const Contestant& c) {
            return seconds_of([&] {
                for (int i = 0; i < 200; ++i) {
                    run(c, c.*queue, c.add, 64);
                    check(clFinish(c.*queue), "clFinish");
                }
            });
        };
    };
    const auto recorded = [](RecordedStep step, cl_command_queue Contestant::*queue = &Contestant::queue) {
        return [step, queue](const Contestant& c) {
            return caldera::bench::seconds_of_recorded(step, c.device, c.*queue, c.add, c.small, c.other);
        };
    };
    const auto change_mapped = [](cl_mem Contestant::*buffer, size_t size) {
        return [buffer, size](const Contestant& c) {
            return seconds_of([&] {
                cl_int code = 0;
                auto* mapped = static_cast<char*>(clEnqueueMapBuffer(c.queue, c.*buffer, CL_TRUE,
                                                                     CL_MAP_READ | CL_MAP_WRITE, 0, size, 0,
                                                                     nullptr, nullptr, &code));
                check(code, "map");
                for (size_t i = 0; i < size; i += 64) ++mapped[i];
                check(clEnqueueUnmapMemObject(c.queue, c.*buffer, mapped, 0, nullptr, nullptr), "unmap");
                check(clFinish(c.queue), "clFinish");
            });
        };
    };
    const auto own = [&pageable](const Contestant&) { return pageable.data(); };
    const auto pinned = [](const Contestant& c) { return c.mapped; };
    const auto build_seconds = [](const Contestant& c, long version, bool launch) {
        const std::string source = large_source(version);
        cl_program program = nullptr;
        double seconds = seconds_of([&] { program = build(c, source); });
        if (launch) seconds = first_launches(c, program);
        clReleaseProgram(program);
        return seconds;
    };
    // Repetitions of measurements that are shorter than the device's switch from one driver to the other.
    constexpr int kTimes = 8;
    const double per_gigabyte = 1e3 * 1e9 / static_cast<double>(bytes);
    return {
        {"enqueue an empty kernel, of 20,000", "us", 1e6 / 20000,
         [](const Contestant& c) {
             return seconds_of([&] {
                 for (int i = 0; i < 20000; ++i) run(c, c.queue, c.empty, 1);
                 check(clFinish(c.queue), "clFinish");
             });
         }},
        {"the same of 200,000", "us", 1e6 / 200000,
         [](const Contestant& c) {
             return seconds_of([&] {
                 for (int i = 0; i < 200000; ++i) run(c, c.queue, c.empty, 1);
                 check(clFinish(c.queue), "clFinish");
             });
         }},
        {"20,000 with an event each", "us", 1e6 / 20000,
         [](const Contestant& c) {
             return seconds_of([&] {
                 for (int i = 0; i < 20000; ++i) {
                     cl_event event = nullptr;
                     run(c, c.queue, c.empty, 1, &event);
                     clReleaseEvent(event);
                 }
                 check(clFinish(c.queue), "clFinish");
             });
         }},
        {"enqueue and finish one kernel", "us", 1e6 / 200, round_trips(&Contestant::queue)},
        {"the same of a kernel that adds to a gigabyte", "us", per_gigabyte * 1e3,
         [bytes](const Contestant& c) {
             check(clSetKernelArg(c.add, 0, sizeof c.large, &c.large), "clSetKernelArg");
             const double seconds = seconds_of([&] {
                 run(c, c.queue, c.add, bytes / 4);
                 check(clFinish(c.queue), "clFinish");
             });
             check(clSetKernelArg(c.add, 0, sizeof c.small, &c.small), "clSetKernelArg");
             return seconds;
         }},
        {"enqueue and finish one kernel, with profiling", "us", 1e6 / 200,
         round_trips(&Contestant::profiled)},
        {"one of 1,000 kernels in a chain of events", "us", 1e6 / 1000,
         [](const Contestant& c) {
             return seconds_of([&] {
                 cl_event last = nullptr;
                 for (int i = 0; i < 1000; ++i) {
                     cl_event next = nullptr;
                     run(c, c.queue, c.add, 4096, &next, last ? &last : nullptr);
                     if (last) clReleaseEvent(last);
                     last = next;
                 }
                 check(clWaitForEvents(1, &last), "clWaitForEvents");
                 clReleaseEvent(last);
             });
         }},
        {"one of 1,000 independent kernels, in order", "us", 1e6 / 1000, independent(&Contestant::queue)},
        {"the same in an out-of-order queue", "us", 1e6 / 1000, independent(&Contestant::unordered)},
        {"one of 20,000 kernels behind a user event", "us", 1e6 / 20000,
         [](const Contestant& c) {
             return seconds_of([&] {
                 cl_int code = 0;
                 cl_event gate = clCreateUserEvent(c.context, &code);
                 check(code, "clCreateUserEvent");
                 for (int i = 0; i < 20000; ++i) run(c, c.queue, c.empty, 1, nullptr, &gate);
                 check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
                 check(clFinish(c.queue), "clFinish");
                 clReleaseEvent(gate);
             });
         }},
        {"record one of 1,000 kernels in a command-buffer", "us", 1e6, recorded(RecordedStep::Record)},
        {"enqueue the command-buffer", "us", 1e6, recorded(RecordedStep::Enqueue)},
        {"enqueue a command-buffer out of order", "us", 1e6,
         recorded(RecordedStep::Enqueue, &Contestant::unordered)},
        {"change an argument in a command-buffer", "us", 1e6, recorded(RecordedStep::Change)},
        {"change one argument behind a replay", "us", 1e6, recorded(RecordedStep::ChangeAfterReplay)},
        {"enqueue the command-buffer behind a change", "us", 1e6, recorded(RecordedStep::EnqueueAfterChange)},
        {"replay one of 1,000 kernels", "us", 1e6, recorded(RecordedStep::Replay)},
        {"replay one of them out of order", "us", 1e6,
         recorded(RecordedStep::Replay, &Contestant::unordered)},
        {"make, use and release a buffer, of 10,000", "us", 1e6 / 10000,
         [](const Contestant& c) {
             std::vector<cl_mem> buffers(10000);
             return seconds_of([&] {
                 for (cl_mem& buffer : buffers) {
                     cl_int code = 0;
                     buffer = clCreateBuffer(c.context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
                     check(code, "clCreateBuffer");
                     check(clSetKernelArg(c.add, 0, sizeof buffer, &buffer), "clSetKernelArg");
                     run(c, c.queue, c.add, 64);
                 }
                 check(clFinish(c.queue), "clFinish");
                 for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
                 check(clSetKernelArg(c.add, 0, sizeof c.small, &c.small), "clSetKernelArg");
             });
         }},
        {"write 4 bytes, run, read them", "us", 1e6 / 200,
         [](const Contestant& c) {
             return seconds_of([&] {
                 for (int i = 0; i < 200; ++i) {
                     int value = i;
                     check(
                         clEnqueueWriteBuffer(c.queue, c.small, CL_FALSE, 0, 4, &value, 0, nullptr, nullptr),
                         "write");
                     run(c, c.queue, c.add, 1);
                     check(clEnqueueReadBuffer(c.queue, c.small, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
                           "read");
                     if (value != i + 1) check(-9999, "a wrong result");
                 }
             });
         }},
        {"write a gigabyte of pageable memory", "ms", per_gigabyte, transfer(true, own)},
        {"read a gigabyte to pageable memory", "ms", per_gigabyte, transfer(false, own)},
        {"the same by a call that does not wait", "ms", per_gigabyte, transfer(false, own, CL_FALSE)},
        {"write a gigabyte of mapped memory", "ms", per_gigabyte, transfer(true, pinned)},
        {"read a gigabyte to mapped memory", "ms", per_gigabyte, transfer(false, pinned)},
        {"write and read mapped memory in two queues, a gigabyte each", "ms", per_gigabyte,
         [bytes](const Contestant& c) {
             return seconds_of([&] {
                 check(clEnqueueWriteBuffer(c.queue, c.large, CL_FALSE, 0, bytes, c.mapped, 0, nullptr,
                                            nullptr),
                       "write");
                 check(clFlush(c.queue), "clFlush");
                 check(clEnqueueReadBuffer(c.second, c.other, CL_FALSE, 0, bytes, c.other_mapped, 0, nullptr,
                                           nullptr),
                       "read");
                 check(clFinish(c.second), "clFinish");
                 check(clFinish(c.queue), "clFinish");
             });
         }},
        {"copy a gigabyte within the device", "ms", per_gigabyte / kTimes,
         [bytes](const Contestant& c) {
             return seconds_of([&] {
                 for (int i = 0; i < kTimes; ++i)
                     check(clEnqueueCopyBuffer(c.queue, c.large, c.other, 0, 0, bytes, 0, nullptr, nullptr),
                           "copy");
                 check(clFinish(c.queue), "clFinish");
             });
         }},
        {"fill a gigabyte with 16 bytes", "ms", per_gigabyte / kTimes,
         [bytes](const Contestant& c) {
             const int pattern[] = {1, 2, 3, 4};
             return seconds_of([&] {
                 for (int i = 0; i < kTimes; ++i)
                     check(clEnqueueFillBuffer(c.queue, c.large, pattern, sizeof pattern, 0, bytes, 0,
                                               nullptr, nullptr),
                           "fill");
                 check(clFinish(c.queue), "clFinish");
             });
         }},
        {"map, change and unmap 1 MB", "us", 1e6, change_mapped(&Contestant::small, 1 << 20)},
        {"map, change and unmap a gigabyte", "ms", per_gigabyte, change_mapped(&Contestant::large, bytes)},
        {"copy and compute in two queues", "ms", 1e3,
         [bytes](const Contestant& c) {
             return seconds_of([&] {
                 const int n = 20000;
                 check(clSetKernelArg(c.busy, 0, sizeof c.small, &c.small), "clSetKernelArg");
                 check(clSetKernelArg(c.busy, 1, sizeof n, &n), "clSetKernelArg");
                 run(c, c.queue, c.busy, 1 << 18);
                 check(clFlush(c.queue), "clFlush");
                 check(clEnqueueWriteBuffer(c.second, c.large, CL_FALSE, 0, bytes / 4, c.mapped, 0, nullptr,
                                            nullptr),
                       "write");
                 check(clFinish(c.second), "clFinish");
                 check(clFinish(c.queue), "clFinish");
             });
         }},
        {"build 200 kernels that no cache knows", "ms", 1e3,
         [build_seconds](const Contestant& c) { return build_seconds(c, new_version(), false); }},
        {"launch each of them for the first time", "ms", 1e3,
         [build_seconds](const Contestant& c) { return build_seconds(c, new_version(), true); }},
        {"build 200 kernels that the cache knows", "ms", 1e3,
         [build_seconds](const Contestant& c) { return build_seconds(c, 0, false); }},
        {"launch each of them for the first time", "ms", 1e3,
         [build_seconds](const Contestant& c) { return build_seconds(c, 0, true); }},
        {"make a context and a queue", "ms", 1e3,
         [](const Contestant& c) {
             return seconds_of([&] {
                 cl_int code = 0;
                 cl_context context = clCreateContext(nullptr, 1, &c.device, nullptr, nullptr, &code);
                 cl_command_queue queue = clCreateCommandQueue(context, c.device, 0, &code);
                 check(code, "clCreateCommandQueue");
                 clReleaseCommandQueue(queue);
                 clReleaseContext(context);
             });
         }},
        {"a process that computes one result", "ms", 1e3, seconds_of_process},
    };
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "bench_driver: what OpenCL calls cost, on every platform that the loader finds, in turn and in one "
        "run"};
    uint32_t runs = 5, megabytes = 256;
    std::string only, one_result;
    bool any_clock = false;
    app.add_option("--runs", runs, "timed runs of each (default 5)")->check(CLI::PositiveNumber);
    app.add_option("--megabytes", megabytes, "how large the large buffers are (default 256)")
        ->check(CLI::PositiveNumber);
    app.add_option("--only", only, "the rows whose names contain this");
    app.add_option("--one-result", one_result, "only compute a result on the platform of this name, and end");
    app.add_flag("--any-clock", any_clock, ClockWatch::kAnyClock);
    app.footer(
        "\nPrinted are medians, and our time as a part of the last platform's. OCL_ICD_VENDORS says who "
        "takes part. The device's clocks are sampled before and after each row, and all of them; the status "
        "is 2 "
        "where a clock changed by more than 3%.\n\n"
        "Examples:\n"
        "  OCL_ICD_VENDORS=both bench_driver              a folder with an .icd file of each driver\n"
        "  bench_driver --only=gigabyte --megabytes=1024\n");
    CLI11_PARSE(app, argc, argv);
    const size_t bytes = size_t{megabytes} << 20;
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
    std::vector<cl_platform_id> platforms(count);
    check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
    for (cl_platform_id platform : platforms)
        if (name_of(platform) == one_result) {
            compute_one_result(platform);
            return 0;
        }
    if (!one_result.empty()) check(CL_INVALID_PLATFORM, "--one-result");
    std::vector<char> pageable(bytes, 2);
    std::vector<Contestant> contestants;
    for (cl_platform_id platform : platforms) contestants.push_back(open(platform, bytes));
    std::ranges::stable_partition(contestants, [](const Contestant& c) { return c.name == "Caldera"; });
    const Contestant& first = contestants.front();
    ClockWatch watch(caldera::bench::clocks_of(first.device),
                     caldera::bench::burst_on(first.context, first.device), any_clock);
    watch.start();
    std::printf("%-44s", "");
    for (const Contestant& c : contestants) std::printf(" %18.18s", c.name.c_str());
    std::printf("   ratio\n");
    for (const Metric& metric : metrics(bytes, pageable)) {
        if (std::string(metric.name).find(only) == std::string::npos) continue;
        std::vector<std::vector<double>> times(contestants.size());
        watch.before();
        for (int64_t r = -1; r < int64_t{runs}; ++r)  // the first is not counted
            for (size_t i = 0; i < contestants.size(); ++i) {
                const double seconds = metric.seconds(contestants[i]);
                if (r >= 0) times[i].push_back(seconds);
            }
        const bool may_compare = watch.after();
        std::printf("%-41s %2s", metric.name, metric.unit);
        for (const auto& list : times)
            if (std::isnan(list.front()))
                std::printf(" %18s", "-");
            else
                std::printf(" %18.3f", median(list) * metric.scale);
        const double ratio = median(times.front()) / median(times.back());
        if (may_compare && !std::isnan(ratio)) std::printf("   %.3f", ratio);
        std::printf(" %s\n", watch.change().c_str());
        std::fflush(stdout);
    }
    return watch.finish();
}
