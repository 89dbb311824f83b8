// SPDX-License-Identifier: Apache-2.0
// bench_clblast [RUNS] [--any-clock]: the time of CLBlast's matrix products and of what memory bounds, on the
// first device of every platform that the loader finds, in turn and in one run: medians, and our time as a
// part of the last platform's. OCL_ICD_VENDORS says who takes part. The results are compared with one
// another. The device's clocks are sampled before and after each row, and all of them; the status is 2 where
// a clock changed by more than 3% and --any-clock is not given.
#include <CL/cl.h>
#include <clblast.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/evaluation/bench/opencl_clocks.h"

using caldera::bench::ClockWatch;

namespace {

using clblast::Layout;
using clblast::Transpose;

void check(int code, const char* what) {
    if (code == 0) return;
    std::fprintf(stderr, "%s: error %d\n", what, code);
    std::exit(1);
}

struct Contestant {
    std::string name = {};
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
};

std::vector<Contestant> contestants() {
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
    std::vector<cl_platform_id> platforms(count);
    check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
    std::vector<Contestant> out;
    for (cl_platform_id platform : platforms) {
        cl_device_id device = nullptr;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) continue;
        char name[256] = "";
        check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr), "clGetPlatformInfo");
        int code = 0;
        Contestant c{.name = name, .device = device};
        c.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        check(code, "clCreateContext");
        c.queue = clCreateCommandQueue(c.context, device, 0, &code);
        check(code, "clCreateCommandQueue");
        out.push_back(c);
    }
    std::ranges::stable_partition(out, [](const Contestant& c) { return c.name == "Caldera"; });
    return out;
}

/// Numbers between -1 and 1, the same for each contestant.
template <class T>
std::vector<T> numbers(size_t count, uint32_t seed) {
    std::vector<T> out(count);
    for (T& x : out)
        x = static_cast<T>(static_cast<int32_t>(seed = seed * 1664525 + 1013904223)) / T(2147483648.0);
    return out;
}

template <class T>
cl_mem buffer_of(const Contestant& c, std::vector<T> data) {
    int code = 0;
    cl_mem buffer =
        clCreateBuffer(c.context, CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T), data.data(), &code);
    check(code, "clCreateBuffer");
    return buffer;
}

/// One routine on matrices of n columns: `call` enqueues it for (a, b, c, contestant).
template <class T>
struct Routine {
    std::string name;
    size_t n;
    size_t repeats;  ///< calls that are timed together
    double operations;
    std::function<clblast::StatusCode(cl_mem, cl_mem, cl_mem, cl_command_queue*)> call;
};

template <class T>
void measure(const std::vector<Contestant>& all, const Routine<T>& routine, int runs, ClockWatch& watch) {
    const size_t count = routine.n * routine.n;
    std::vector<std::vector<double>> times(all.size());
    std::vector<std::vector<T>> results(all.size(), std::vector<T>(count));
    std::vector<cl_mem> a, b, c;
    for (const Contestant& who : all) {
        a.push_back(buffer_of(who, numbers<T>(count, 1)));
        b.push_back(buffer_of(who, numbers<T>(count, 2)));
        c.push_back(buffer_of(who, numbers<T>(count, 3)));
    }
    for (int run = -1; run < runs; ++run) {  // the first compiles
        if (run == 0) watch.before();
        for (size_t i = 0; i < all.size(); ++i) {
            cl_command_queue queue = all[i].queue;
            check(clFinish(queue), "clFinish");
            const auto start = std::chrono::steady_clock::now();
            for (size_t k = 0; k < (run < 0 ? 1 : routine.repeats); ++k)
                check(static_cast<int>(routine.call(a[i], b[i], c[i], &queue)), routine.name.c_str());
            check(clFinish(queue), "clFinish");
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            if (run >= 0)
                times[i].push_back(took.count() / static_cast<double>(routine.repeats));
            else
                check(clEnqueueReadBuffer(queue, c[i], CL_TRUE, 0, count * sizeof(T), results[i].data(), 0,
                                          nullptr, nullptr),
                      "clEnqueueReadBuffer");
        }
    }
    const bool may_compare = watch.after();
    double off = 0;
    for (size_t k = 0; k < count; ++k)
        off = std::max(off, std::abs(static_cast<double>(results.front()[k] - results.back()[k])));
    const double bound = (std::is_same_v<T, float> ? 1e-6 : 1e-14) * static_cast<double>(routine.n);
    std::printf("| %s |", routine.name.c_str());
    std::vector<double> medians;
    for (std::vector<double>& mine : times) {
        std::ranges::nth_element(mine, mine.begin() + static_cast<std::ptrdiff_t>(mine.size() / 2));
        medians.push_back(mine[mine.size() / 2]);
        std::printf(" %.3g us, %.4g GFLOPS |", medians.back() * 1e6,
                    routine.operations / medians.back() * 1e-9);
    }
    if (may_compare)
        std::printf(" %.3f |", medians.front() / medians.back());
    else
        std::printf(" - |");
    std::printf(" %s%s\n", watch.change().c_str(), off > bound ? " RESULTS DIFFER" : "");
    for (const auto& list : {a, b, c})
        for (cl_mem buffer : list) clReleaseMemObject(buffer);
}

template <class T>
void measure_all(const std::vector<Contestant>& all, const std::string& type, int runs, ClockWatch& watch) {
    for (const size_t n : {256, 1000, 1024, 2048, 4096}) {
        const double size = static_cast<double>(n);
        measure<T>(
            all,
            {"GEMM of " + type + ", " + std::to_string(n), n, n < 2000 ? 20u : 4u, 2 * size * size * size,
             [n](cl_mem a, cl_mem b, cl_mem c, cl_command_queue* queue) {
                 return clblast::Gemm<T>(Layout::kRowMajor, Transpose::kNo, Transpose::kNo, n, n, n, T(1), a,
                                         0, n, b, 0, n, T(0), c, 0, n, queue);
             }},
            runs, watch);
    }
    const size_t n = 4096;
    measure<T>(all,
               {"GEMV of " + type + ", " + std::to_string(n), n, 50, 2.0 * n * n,
                [](cl_mem a, cl_mem b, cl_mem c, cl_command_queue* queue) {
                    return clblast::Gemv<T>(Layout::kRowMajor, Transpose::kNo, n, n, T(1), a, 0, n, b, 0, 1,
                                            T(0), c, 0, 1, queue);
                }},
               runs, watch);
    measure<T>(all,
               {"AXPY of " + type + ", " + std::to_string(n * n), n, 50, 2.0 * n * n,
                [](cl_mem a, cl_mem, cl_mem c, cl_command_queue* queue) {
                    return clblast::Axpy<T>(n * n, T(0.001), a, 0, 1, c, 0, 1, queue);
                }},
               runs, watch);
}

}  // namespace

int main(int argc, char** argv) {
    int runs = 5;
    bool any_clock = false;
    for (int i = 1; i < argc; ++i)
        if (std::string(argv[i]) == "--any-clock")
            any_clock = true;
        else
            runs = std::max(std::atoi(argv[i]), 1);
    const std::vector<Contestant> all = contestants();
    if (all.empty()) {
        std::fprintf(stderr, "no OpenCL platform\n");
        return 1;
    }
    ClockWatch watch(caldera::bench::clocks_of(all.front().device),
                     caldera::bench::burst_on(all.front().context, all.front().device), any_clock);
    watch.start();
    std::printf("| |");
    for (const Contestant& c : all) std::printf(" %s |", c.name.c_str());
    std::printf(" ratio |\n|---|");
    for (size_t i = 0; i <= all.size(); ++i) std::printf("---|");
    std::printf("\n");
    measure_all<float>(all, "float", runs, watch);
    measure_all<double>(all, "double", runs, watch);
    return watch.finish();
}
