// SPDX-License-Identifier: Apache-2.0
// The driver's allocations fail, one after the other: the right code, nothing hangs, nothing leaks, and what
// comes after works.
//
// The program's operator new serves all libraries. It fails only where the driver itself asks, not the Vulkan
// driver and its compiler, which are others' and may not survive it.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>

#include "tests/driver/faults/small_program.h"

using namespace caldera::driver_test;

namespace {

struct Range {
    uintptr_t first = 0, end = 0;
    bool has(uintptr_t address) const { return address >= first && address < end; }
};
Range range_of(const char* library) {
    struct Search {
        const char* library;
        Range found;
    } search = {library, {}};
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
            auto& wanted = *static_cast<Search*>(data);
            if (!std::strstr(info->dlpi_name, wanted.library)) return 0;
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& segment = info->dlpi_phdr[i];
                if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
                wanted.found.first = info->dlpi_addr + segment.p_vaddr;
                wanted.found.end = wanted.found.first + segment.p_memsz;
            }
            return 1;
        },
        &search);
    return search.found;
}

Range driver, standard_library;
std::atomic<int64_t> first_to_fail = -1, fail_count = 1;  // by their numbers in the run; -1: none fails
std::atomic<int64_t> counted = 0, alive = 0;

/// Whether the first caller outside the standard library is the driver.
bool is_of_driver(uintptr_t caller) {
    if (driver.has(caller)) return true;
    if (!standard_library.has(caller)) return false;
    struct Walk {
        bool is_driver = false;
        int depth = 0;
    } walk;
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* data) {
            auto& state = *static_cast<Walk*>(data);
            const uintptr_t at = _Unwind_GetIP(frame);
            if (++state.depth <= 3 || standard_library.has(at)) return _URC_NO_REASON;
            state.is_driver = driver.has(at);
            return _URC_END_OF_STACK;
        },
        &walk);
    return walk.is_driver;
}

constexpr size_t kHead = 16;  // before each block: whether the driver asked for it

void* allocate(size_t size, uintptr_t caller) {
    const bool is_driver = driver.first != 0 && is_of_driver(caller);
    if (is_driver) {
        const int64_t number = counted++ - first_to_fail;
        if (first_to_fail >= 0 && number >= 0 && number < fail_count) throw std::bad_alloc();
        ++alive;
    }
    auto* block = static_cast<char*>(std::malloc(size + kHead));
    if (!block) throw std::bad_alloc();
    block[0] = is_driver;
    return block + kHead;
}
void release(void* pointer) noexcept {
    if (!pointer) return;
    auto* block = static_cast<char*>(pointer) - kHead;
    if (block[0]) --alive;
    std::free(block);
}

struct Run {
    Outcome outcome = {};
    int64_t allocations = 0;
    bool has_failed = false;
};
Run run(int64_t fails_at, int64_t times = 1) {
    counted = 0;
    fail_count = times;
    first_to_fail = fails_at;
    alarm(60);  // something hangs: the test ends
    Run result{.outcome = SmallProgram::run()};
    alarm(0);
    result.allocations = counted;
    first_to_fail = -1;
    result.has_failed = fails_at >= 0 && result.allocations > fails_at;
    return result;
}

/// Soon: the driver's threads may still release some.
bool has_at_most(int64_t blocks) {
    for (int i = 0; i < 2000 && alive > blocks; ++i) usleep(2000);
    return alive <= blocks;
}

}  // namespace

void* operator new(size_t size) {
    return allocate(size, reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}
void* operator new[](size_t size) {
    return allocate(size, reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}
void operator delete(void* pointer) noexcept { release(pointer); }
void operator delete[](void* pointer) noexcept { release(pointer); }
void operator delete(void* pointer, size_t) noexcept { release(pointer); }
void operator delete[](void* pointer, size_t) noexcept { release(pointer); }

namespace {

/// A run for each of some allocations, that one and `times - 1` after it failing.
void fail_in_turn(int64_t times, int64_t default_steps) {
    platform();
    driver = range_of("libcaldera_icd.so");
    standard_library = range_of("libstdc++.so");
    REQUIRE(driver.first != 0);
    REQUIRE(standard_library.first != 0);
    CHECK(run(-1).outcome.code == CL_SUCCESS);  // opens the device, which stays
    const Run whole = run(-1);
    REQUIRE(whole.outcome.code == CL_SUCCESS);
    REQUIRE(whole.allocations > 1000);
    usleep(100000);
    const int64_t at_rest = alive;
    // The compiler's are as good as each other: some of all, the more the nearer to the end, where commands
    // run.
    const char* wanted = std::getenv("FAULTS_STEPS");
    const int64_t steps = wanted ? std::atoll(wanted) : default_steps;
    const int64_t commands = std::min<int64_t>(whole.allocations, 1500);
    std::vector<int64_t> places;
    for (int64_t i = 0; i < steps; ++i) {
        places.push_back(i * (whole.allocations - commands) / steps);
        places.push_back(whole.allocations - commands + i * commands / steps);
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const int64_t n : places) {
        CAPTURE(n);
        const Run failing = run(n, times);
        INFO(failing.outcome.call << ": " << failing.outcome.code);
        if (failing.has_failed) {
            const cl_int code = failing.outcome.code;
            // A command that could not be recorded fails those who wait for it.
            const bool is_right = code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY ||
                                  code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
            CHECK(is_right);
        }
        CHECK(has_at_most(at_rest + 64));  // pools may have grown a little, once
    }
    CHECK(run(-1).outcome.code == CL_SUCCESS);
    CHECK(has_at_most(at_rest + 64));
}

}  // namespace

TEST_CASE("each allocation of the driver's fails once") { fail_in_turn(1, 400); }
TEST_CASE("from an allocation on some fail, or all for a while") {
    fail_in_turn(5, 100);
    fail_in_turn(1000000, 100);
}

namespace {

/// Runs what makes objects and gives them back, with each of its allocations failing once, until none is left
/// to fail. It returns the code of the first call that failed.
void fail_each(const std::string& name, const std::function<cl_int()>& make_and_release) {
    CAPTURE(name);
    for (int i = 0; i < 2; ++i) REQUIRE(make_and_release() == CL_SUCCESS);
    usleep(20000);
    const int64_t at_rest = alive;
    bool has_failed = true;
    for (int64_t n = 0; has_failed; ++n) {
        CAPTURE(n);
        counted = 0;
        fail_count = 1;
        first_to_fail = n;
        alarm(20);  // something hangs: the test ends
        const cl_int code = make_and_release();
        alarm(0);
        first_to_fail = -1;
        has_failed = counted > n;
        const bool is_right = code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY;
        CHECK(is_right);
        if (!has_failed) CHECK(code == CL_SUCCESS);
        CHECK(has_at_most(at_rest + 8));  // a map of free memory may have grown
    }
}

struct Made {
    cl_int code = 1;
    std::vector<std::function<cl_int()>> release = {};
    template <class T>
    bool own(T object, cl_int (*how)(T)) {
        if (object) release.push_back([=] { return how(object); });
        CHECK((object != nullptr) == (code == CL_SUCCESS));
        return object != nullptr;
    }
    /// Releasing never fails, whatever memory there is.
    ~Made() {
        for (; !release.empty(); release.pop_back()) CHECK(release.back()() == CL_SUCCESS);
    }
};

}  // namespace

TEST_CASE("each allocation fails once while an object is made, and while it is released") {
    Fixture f;
    driver = range_of("libcaldera_icd.so");
    standard_library = range_of("libstdc++.so");
    const auto make_queue = [&](Made& made, cl_command_queue_properties properties) {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
        return made.own(clCreateCommandQueueWithProperties(f.context, f.the_device, list, &made.code),
                        clReleaseCommandQueue);
    };
    fail_each("a queue", [&] {
        Made made;
        make_queue(made, CL_QUEUE_PROFILING_ENABLE);
        return made.code;
    });
    constexpr cl_command_queue_properties kOnDevice =
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if (info<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, f.the_device,
                                                    CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0) {
        fail_each("a queue on the device", [&] {
            Made made;
            make_queue(made, kOnDevice);
            return made.code;
        });
        fail_each("the default queue on the device, twice", [&] {
            Made made;
            make_queue(made, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT) &&
                make_queue(made, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT);
            return made.code;
        });
    }
    fail_each("a sub-buffer of a buffer that says when it dies", [&] {
        static std::atomic<int> deaths = 0;
        const int before = deaths;
        bool will_tell = false;
        cl_int code = CL_SUCCESS;
        {
            Made made;
            const cl_buffer_region region{0, 256};
            cl_mem buffer = clCreateBuffer(f.context, 0, 1024, nullptr, &made.code);
            if (!made.own(buffer, clReleaseMemObject)) return made.code;
            code = clSetMemObjectDestructorCallback(
                buffer, [](cl_mem, void*) { ++deaths; }, nullptr);
            will_tell = code == CL_SUCCESS;
            if (will_tell) {
                made.own(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &made.code),
                         clReleaseMemObject);
                code = made.code;
            }
        }
        clFinish(f.queue);
        for (int i = 0; i < 2000 && deaths < before + will_tell; ++i) usleep(1000);
        CHECK(deaths == before + will_tell);
        return code;
    });
    fail_each("an image of the program's texels", [&] {
        Made made;
        cl_uint texels[16] = {};
        const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
        made.own(clCreateImage(f.context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &made.code),
                 clReleaseMemObject);
        return made.code;
    });
    cl_program program = f.build("kernel void k(global int *a, local int *b) { *a = *b; }");
    fail_each("a kernel and its clone", [&] {
        Made made;
        cl_kernel kernel = clCreateKernel(program, "k", &made.code);
        if (made.own(kernel, clReleaseKernel)) made.own(clCloneKernel(kernel, &made.code), clReleaseKernel);
        return made.code;
    });
    fail_each("an event of the program's", [&] {
        Made made;
        cl_event event = clCreateUserEvent(f.context, &made.code);
        if (!made.own(event, clReleaseEvent)) return made.code;
        const cl_int code = clSetEventCallback(
            event, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr);
        CHECK(clSetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS);
        return code;
    });
    fail_each("a context", [&] {
        Made made;
        cl_context context = clCreateContext(nullptr, 1, &f.the_device, nullptr, nullptr, &made.code);
        made.own(context, clReleaseContext);
        return made.code;
    });
}
