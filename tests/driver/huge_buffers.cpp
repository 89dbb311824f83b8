// SPDX-License-Identifier: Apache-2.0
// huge_buffers [--gigabytes=N] [--second=N]: a buffer of 20 GB and one of 8 GB, each a single allocation,
// filled by a kernel of a work-item for each number, summed by another, written, read, mapped, copied and
// filled by the host where 32 bits do not reach. Says how long each step took. Ends with 77 where no device
// has the memory.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr const char* kSource = R"(
uint value(ulong i) { return (uint)i + 7 * (uint)(i >> 32); }
kernel void fill(global uint *a) {
    ulong i = get_global_id(0);
    a[i] = value(i);
}
kernel void sum(global const uint *a, ulong n, global ulong *sums) {
    ulong s = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) s += a[i];
    sums[get_global_id(0)] = s;
})";
constexpr size_t kSums = 1 << 18;

void check(cl_int code, const char* what) {
    if (code == CL_SUCCESS) return;
    std::printf("%s: error %d\n", what, code);
    std::exit(1);
}
void check_equal(uint64_t found, uint64_t expected, const char* what) {
    if (found == expected) return;
    std::printf("%s: %llu, not %llu\n", what, static_cast<unsigned long long>(found),
                static_cast<unsigned long long>(expected));
    std::exit(1);
}

uint32_t value(uint64_t i) { return static_cast<uint32_t>(i) + 7 * static_cast<uint32_t>(i >> 32); }
/// The sum of value(0) to value(n - 1). In each 2^32 numbers, only the last 7 * 2^5 can wrap.
uint64_t sum_of_values(uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i += 1ull << 32) {
        const uint64_t count = std::min(n - i, uint64_t{1} << 32), k = i >> 32;
        sum += count / 2 * (count - 1) + (count % 2) * ((count - 1) / 2) + 7 * k * count;
        // The last 7 * k numbers of a whole 2^32 are too large by 2^32.
        if (count + 7 * k > uint64_t{1} << 32) sum -= (count + 7 * k - (uint64_t{1} << 32)) << 32;
    }
    return sum;
}

struct Step {
    const char* name;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    explicit Step(const char* its_name) : name(its_name) {}
    ~Step() {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        std::printf("  %-66s %8.3f s\n", name, seconds.count());
        std::fflush(stdout);
    }
};

struct Machine {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_kernel fill = nullptr, sum = nullptr;
    cl_mem sums = nullptr;

    cl_mem make(uint64_t bytes) const {
        cl_int code = 0;
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
        check(code, "clCreateBuffer");
        return buffer;
    }
    void finish() const { check(clFinish(queue), "clFinish"); }
    void run_fill(cl_mem buffer, uint64_t count) const {
        check(clSetKernelArg(fill, 0, sizeof buffer, &buffer), "clSetKernelArg");
        const size_t items = count;
        check(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), "fill");
        finish();
    }
    uint64_t run_sum(cl_mem buffer, uint64_t count) const {
        check(clSetKernelArg(sum, 0, sizeof buffer, &buffer), "clSetKernelArg");
        const cl_ulong n = count;
        check(clSetKernelArg(sum, 1, sizeof n, &n), "clSetKernelArg");
        check(clSetKernelArg(sum, 2, sizeof sums, &sums), "clSetKernelArg");
        check(clEnqueueNDRangeKernel(queue, sum, 1, nullptr, &kSums, nullptr, 0, nullptr, nullptr), "sum");
        std::vector<uint64_t> parts(kSums);
        check(clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, kSums * 8, parts.data(), 0, nullptr, nullptr),
              "read sums");
        return std::accumulate(parts.begin(), parts.end(), uint64_t{0});
    }
    void write(cl_mem buffer, uint64_t at, const std::vector<uint32_t>& words) const {
        check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, at, words.size() * 4, words.data(), 0, nullptr,
                                   nullptr),
              "write");
    }
    std::vector<uint32_t> read(cl_mem buffer, uint64_t at, size_t count) const {
        std::vector<uint32_t> words(count);
        check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, at, count * 4, words.data(), 0, nullptr, nullptr),
              "read");
        finish();
        return words;
    }
};

/// A device that has room for both buffers. The driver makes larger ones than it promises.
cl_device_id find_device(uint64_t together) {
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms) {
        cl_uint devices = 0;
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices);
        std::vector<cl_device_id> ids(devices);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, ids.data(), nullptr);
        for (cl_device_id id : ids) {
            char name[256] = {};
            cl_ulong allocation = 0, memory = 0;
            clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
            clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8, &allocation, nullptr);
            clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, 8, &memory, nullptr);
            std::printf("%s: %.1f GB of memory, %.1f GB promised in one buffer\n", name,
                        static_cast<double>(memory) / 1e9, static_cast<double>(allocation) / 1e9);
            if (memory >= together + (256ull << 20)) return id;
        }
    }
    std::printf("skipped: no device has %.1f GB\n", static_cast<double>(together) / 1e9);
    std::exit(77);
}

Machine open(cl_device_id device) {
    Machine m{.device = device};
    cl_int code = 0;
    m.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    m.queue = clCreateCommandQueue(m.context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    const char* source = kSource;
    cl_program program = clCreateProgramWithSource(m.context, 1, &source, nullptr, &code);
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    m.fill = clCreateKernel(program, "fill", &code);
    m.sum = clCreateKernel(program, "sum", &code);
    check(code, "clCreateKernel");
    check(clReleaseProgram(program), "clReleaseProgram");
    m.sums = m.make(kSums * 8);
    return m;
}

void close(const Machine& m) {
    clReleaseMemObject(m.sums);
    clReleaseKernel(m.fill);
    clReleaseKernel(m.sum);
    clReleaseCommandQueue(m.queue);
    check(clReleaseContext(m.context), "clReleaseContext");
}

/// Tests the host's accesses to one buffer that holds value(0), value(1), …
void test_host(const Machine& m, cl_mem buffer, uint64_t count) {
    const uint64_t bytes = count * 4;
    uint64_t expected = sum_of_values(count);
    {
        const Step step("written and read at both ends, summed");
        m.write(buffer, 0, {1000, 2000, 3000});
        m.write(buffer, bytes - 8, {4000, 5000});
        for (const uint64_t i : {uint64_t{0}, uint64_t{1}, uint64_t{2}, count - 2, count - 1})
            expected -= value(i);
        expected += 1000 + 2000 + 3000 + 4000 + 5000;
        check_equal(m.read(buffer, bytes - 12, 3)[0], value(count - 3), "before the end");
        check_equal(m.read(buffer, bytes - 12, 3)[2], 5000, "the last number");
        check_equal(m.read(buffer, 0, 4)[1], 2000, "the second number");
        check_equal(m.run_sum(buffer, count), expected, "the sum");
    }
    const uint64_t half = count / 2, part = std::min<uint64_t>(count / 4, 150000000);
    {
        const Step step("a read of up to 600 MB that nobody waits for, in the middle");
        const std::vector<uint32_t> words = m.read(buffer, half * 4, part);
        for (uint64_t i = 0; i < part; ++i) check_equal(words[i], value(half + i), "what was read");
    }
    {
        const Step step("as much, to the end, mapped, changed and unmapped, summed");
        cl_int code = 0;
        auto* words = static_cast<uint32_t*>(
            clEnqueueMapBuffer(m.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, (count - part) * 4,
                               part * 4, 0, nullptr, nullptr, &code));
        check(code, "clEnqueueMapBuffer");
        check_equal(words[0], value(count - part), "what was mapped");
        check_equal(words[part - 1], 5000, "what was mapped, at its end");
        words[0] += 11;
        words[part - 1] += 22;
        check(clEnqueueUnmapMemObject(m.queue, buffer, words, 0, nullptr, nullptr), "unmap");
        check_equal(m.run_sum(buffer, count), expected + 33, "the sum");
    }
}

void test_copies(const Machine& m, cl_mem large, uint64_t large_count, cl_mem small, uint64_t small_count) {
    {
        const Step step("the end of one copied to the other, summed");
        const uint64_t at = large_count - small_count - 2;  // before what was changed
        m.run_fill(large, large_count);
        check(clEnqueueCopyBuffer(m.queue, large, small, at * 4, 0, small_count * 4, 0, nullptr, nullptr),
              "copy");
        check_equal(m.run_sum(small, small_count), sum_of_values(at + small_count) - sum_of_values(at),
                    "the copy's sum");
    }
    for (const uint64_t pattern_words : {1, 4}) {
        const Step step(pattern_words == 1 ? "filled with 4 bytes, summed" : "filled with 16 bytes, summed");
        const uint32_t pattern[] = {9, 100, 1000, 10000};
        const uint64_t count = large_count / 4 * 4;
        check(clEnqueueFillBuffer(m.queue, large, pattern, pattern_words * 4, 0, count * 4, 0, nullptr,
                                  nullptr),
              "clEnqueueFillBuffer");
        const uint64_t of_pattern = std::accumulate(pattern, pattern + pattern_words, uint64_t{0});
        check_equal(m.run_sum(large, count), count / pattern_words * of_pattern, "the sum");
        check_equal(m.read(large, count * 4 - 4, 1)[0], pattern[pattern_words - 1], "the last number");
    }
}

uint64_t option(int argc, char** argv, const std::string& name, double gigabytes) {
    for (int i = 1; i < argc; ++i)
        if (std::string(argv[i]).starts_with(name)) gigabytes = std::atof(argv[i] + name.size());
    return static_cast<uint64_t>(gigabytes * 1e9) / 4;
}

}  // namespace

int main(int argc, char** argv) {
    const uint64_t large_count = option(argc, argv, "--gigabytes=", 20);
    const uint64_t small_count = option(argc, argv, "--second=", 8);
    const Machine m = open(find_device(4 * (large_count + small_count)));
    cl_mem buffers[2] = {};
    const uint64_t counts[2] = {large_count, small_count};
    for (int i = 0; i < 2; ++i) {
        std::printf("a buffer of %.1f GB\n", static_cast<double>(counts[i]) * 4e-9);
        {
            const Step step("made");
            buffers[i] = m.make(counts[i] * 4);
        }
        {
            const Step step("filled by a kernel, a work-item for each number");
            m.run_fill(buffers[i], counts[i]);
        }
        {
            const Step step("summed");
            check_equal(m.run_sum(buffers[i], counts[i]), sum_of_values(counts[i]), "the sum");
        }
        test_host(m, buffers[i], counts[i]);
    }
    std::printf("both\n");
    test_copies(m, buffers[0], large_count, buffers[1], small_count);
    for (cl_mem buffer : buffers) check(clReleaseMemObject(buffer), "clReleaseMemObject");
    close(m);
    std::printf("all right\n");
    return 0;
}
