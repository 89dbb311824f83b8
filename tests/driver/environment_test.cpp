// SPDX-License-Identifier: Apache-2.0
// What the program has made of its threads' arithmetic and of its locale changes nothing, and stays as it is.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "tests/driver/fixture.h"
#include "tests/support/other_environments.h"

using namespace caldera::driver_test;
using namespace caldera::testing;

namespace {

/// Constants that are folded here and there, and what the device computes.
constexpr const char* kSource = R"(
#pragma OPENCL FP_CONTRACT OFF
constant float floats[] = {0.1f, 1.0f / 3.0f, 1e-40f, 16777217.0f, -0.1f - 0.2f, 1.0f / 0.0f, 1e38f * 10.0f};
kernel void k(global uint *o) {
    for (int i = 0; i < 7; ++i) o[i] = as_uint(floats[i]);
    o[7] = as_uint(1e-30f * 1e-10f);
    o[8] = as_uint((float)16777219) + as_uint(0x1.0000011p0f);
    o[9] = as_uint(sqrt(2.0f));
    o[10] = as_uint(exp(1.0f));
    o[11] = as_uint(rint(2.5f));
    o[12] = as_uint(1.17549435e-38f / 2);
    volatile float a = 0.1f, b = 0.7f, small = 1e-30f, zero = 0;
    o[13] = as_uint(a + b);
    o[14] = as_uint(a / b);
    o[15] = as_uint(small * 1e-10f);
    o[16] = as_uint(1 / zero);
    o[17] = as_uint(sqrt(a));
    volatile int large = 16777219;
    o[18] = as_uint((float)large);
    o[19] = (uint)rint(a * 25);
})";
constexpr size_t kNumbers = 20;

/// Counts the calls after which the thread's environment was another one.
struct Calls {
    template <class Body>
    auto operator()(const Body& body) {
        const FloatStatus before;
        const auto result = body();
        changing += !(FloatStatus() == before);
        return result;
    }
    int changing = 0;
};

struct Results {
    std::vector<cl_uint> numbers = {};
    std::vector<unsigned char> binary = {};
    std::vector<unsigned char> image = std::vector<unsigned char>(8 * 4);
    std::vector<unsigned short> half_image = std::vector<unsigned short>(8 * 4);
    int failed = 0;  ///< calls
    bool operator==(const Results&) const = default;
};

cl_mem filled_image(Fixture& f, Calls& call, Results& results, cl_channel_type type, void* to) {
    const cl_image_format format = {CL_RGBA, type};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
    cl_int code = 1;
    cl_mem image = call([&] { return clCreateImage(f.context, 0, &format, &desc, nullptr, &code); });
    results.failed += code != CL_SUCCESS;
    const cl_float color[] = {0.1f, 0.5f, 0.501f, 1e-7f};
    const size_t origin[3] = {}, region[] = {4, 2, 1};
    results.failed +=
        call([&] {
            return clEnqueueFillImage(f.queue, image, color, origin, region, 0, nullptr, nullptr);
        }) != CL_SUCCESS;
    results.failed +=
        call([&] {
            return clEnqueueReadImage(f.queue, image, CL_TRUE, origin, region, 0, 0, to, 0, nullptr, nullptr);
        }) != CL_SUCCESS;
    return image;
}

/// Everything that a program does, without a check in between: those are for when the environment is the
/// usual one again.
Results compute(Fixture& f, Calls& call) {
    Results results;
    const auto succeed = [&](cl_int code) { results.failed += code != CL_SUCCESS; };
    cl_int code = 1;
    const char* text = kSource;
    cl_program program = call([&] { return clCreateProgramWithSource(f.context, 1, &text, nullptr, &code); });
    succeed(code);
    f.programs.push_back(program);
    succeed(call([&] { return clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr); }));
    size_t size = 0;
    succeed(call(
        [&] { return clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr); }));
    results.binary.resize(size);
    unsigned char* binary = results.binary.data();
    succeed(call(
        [&] { return clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, nullptr); }));
    cl_kernel kernel = call([&] { return clCreateKernel(program, "k", &code); });
    succeed(code);
    f.kernels.push_back(kernel);
    cl_mem buffer =
        call([&] { return clCreateBuffer(f.context, 0, kNumbers * sizeof(cl_uint), nullptr, &code); });
    succeed(code);
    f.buffers.push_back(buffer);
    succeed(call([&] { return set(kernel, 0, buffer); }));
    succeed(call([&] { return run(f.queue, kernel, 1); }));
    results.numbers.resize(kNumbers);
    succeed(call([&] {
        return clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, kNumbers * sizeof(cl_uint),
                                   results.numbers.data(), 0, nullptr, nullptr);
    }));
    f.buffers.push_back(filled_image(f, call, results, CL_UNORM_INT8, results.image.data()));
    f.buffers.push_back(filled_image(f, call, results, CL_HALF_FLOAT, results.half_image.data()));
    succeed(call([&] { return clFinish(f.queue); }));
    return results;
}

int direction_in_callback = -1;
void note_direction() { direction_in_callback = std::fegetround(); }

}  // namespace

TEST_CASE("results do not depend on the thread's floating-point environment, which no call changes") {
    Fixture f(CL_QUEUE_PROFILING_ENABLE);
    Calls ignored;
    const Results expected = compute(f, ignored);
    REQUIRE(expected.failed == 0);
    CHECK(expected.numbers[0] == 0x3dcccccd);
    CHECK(expected.numbers[1] == 0x3eaaaaab);
    CHECK(expected.numbers[2] == 0x000116c2);
    CHECK(expected.numbers[5] == 0x7f800000);
    for (const FloatEnvironment& other : other_float_environments()) {
        CAPTURE(other.name);
        Results results;
        Calls calls;
        {
            const InFloatEnvironment within(other);
            results = compute(f, calls);
        }
        CHECK(results.failed == 0);
        CHECK(results.numbers == expected.numbers);
        CHECK(results.binary == expected.binary);
        CHECK(results.image == expected.image);
        CHECK(results.half_image == expected.half_image);
        CHECK(calls.changing == 0);
    }
}

TEST_CASE("a context that is made in another environment computes as any") {
    Calls ignored;
    Fixture first;
    const Results expected = compute(first, ignored);
    for (const FloatEnvironment& other : other_float_environments()) {
        CAPTURE(other.name);
        Results results;
        {
            const InFloatEnvironment within(other);
            Fixture f;
            results = compute(f, ignored);
        }
        CHECK(results == expected);
    }
}

TEST_CASE("callbacks in the program's thread have its environment, and what they make of it stays") {
    Fixture f;
    cl_program program = f.source("kernel void k(global int *a) { a[0] = 1; }");
    cl_mem buffer = f.make_buffer(4);
    f.buffers.clear();
    cl_int code = 1;
    cl_event user = clCreateUserEvent(f.context, &code);
    REQUIRE(code == CL_SUCCESS);
    const auto directions = [&](const std::function<cl_int()>& call, cl_int& its_code) {
        direction_in_callback = -1;
        std::fesetround(FE_UPWARD);
        its_code = call();
        const int afterwards = std::fegetround();
        std::fesetround(FE_TONEAREST);
        return std::pair(direction_in_callback, afterwards);
    };
    const std::pair<int, int> upward(FE_UPWARD, FE_UPWARD), changed(FE_UPWARD, FE_DOWNWARD);

    const auto on_build = [](cl_program, void*) { note_direction(); };
    CHECK(directions([&] { return clBuildProgram(program, 1, &f.the_device, "", on_build, nullptr); },
                     code) == upward);
    CHECK(code == CL_SUCCESS);

    const auto on_event = [](cl_event event, cl_int, void*) {
        note_direction();
        cl_int type = 0;
        (void)clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
        std::fesetround(FE_DOWNWARD);
    };
    REQUIRE(clSetEventCallback(user, CL_COMPLETE, on_event, nullptr) == CL_SUCCESS);
    CHECK(directions([&] { return clSetUserEventStatus(user, CL_COMPLETE); }, code) == changed);
    CHECK(code == CL_SUCCESS);
    CHECK(clReleaseEvent(user) == CL_SUCCESS);

    const auto on_end = [](cl_mem, void*) { note_direction(); };
    REQUIRE(clSetMemObjectDestructorCallback(buffer, on_end, nullptr) == CL_SUCCESS);
    CHECK(directions([&] { return clReleaseMemObject(buffer); }, code) == upward);
    CHECK(code == CL_SUCCESS);
}

TEST_CASE("callbacks in the driver's thread have the default environment") {
    Fixture f;
    cl_kernel kernel = f.make_kernel("kernel void k(global int *a) { a[0] = 1; }", "k");
    REQUIRE(set(kernel, 0, f.make_buffer(4)) == CL_SUCCESS);
    cl_int code = 1;
    cl_event user = clCreateUserEvent(f.context, &code), event = nullptr;
    REQUIRE(code == CL_SUCCESS);
    const size_t one = 1;
    REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &one, nullptr, 1, &user, &event) ==
            CL_SUCCESS);
    struct Called {
        std::mutex mutex = {};
        std::condition_variable has_come = {};
        int direction = -1;
    } called;
    const auto on_event = [](cl_event, cl_int, void* data) {
        Called& here = *static_cast<Called*>(data);
        const std::lock_guard lock(here.mutex);
        here.direction = std::fegetround();
        here.has_come.notify_all();
    };
    std::fesetround(FE_UPWARD);
    const cl_int registered = clSetEventCallback(event, CL_COMPLETE, on_event, &called);
    const cl_int complete = clSetUserEventStatus(user, CL_COMPLETE);
    std::fesetround(FE_TONEAREST);
    REQUIRE(registered == CL_SUCCESS);
    REQUIRE(complete == CL_SUCCESS);
    std::unique_lock lock(called.mutex);
    CHECK(called.has_come.wait_for(lock, std::chrono::seconds(30), [&] { return called.direction != -1; }));
    CHECK(called.direction == FE_TONEAREST);
    lock.unlock();
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    CHECK(clReleaseEvent(user) == CL_SUCCESS);
}

TEST_CASE("build options are read in any locale") {
    Fixture f;
    const InGroupingLocale grouping;
    cl_program object = f.source("kernel void k(global int *a) { a[0] = xx; }");
    REQUIRE(clCompileProgram(object, 0, nullptr, "-Dxx=1234567", 0, nullptr, nullptr, nullptr, nullptr) ==
            CL_SUCCESS);
    cl_int code = 1;
    f.programs.push_back(
        clLinkProgram(f.context, 0, nullptr, "-cl-fast-relaxed-math", 1, &object, nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    cl_kernel kernel = f.make_kernel(f.programs.back(), "k");
    cl_mem buffer = f.make_buffer(4);
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 1)[0] == 1234567);
}
