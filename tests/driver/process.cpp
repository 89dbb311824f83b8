// SPDX-License-Identifier: Apache-2.0
// The driver in other people's processes: what a process may do to it besides calling it, and what threads it
// has. `driver_process NAME` does one thing and returns 0 when all was well; a crash or a hang is the failure
// to see.
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/driver/process_api.h"
#include "tests/support/other_environments.h"

namespace {

using namespace caldera::driver_process;

constexpr size_t kItems = 4096;
constexpr const char* kSource =
    "kernel void work(global int *p) { int x = p[get_global_id(0)];"
    " for (int i = 0; i < 1000; ++i) x = x * 3 + 1; p[get_global_id(0)] = x; }";

cl_device_id first_device(const Api& api) {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    check(api.GetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS, "clGetPlatformIDs");
    check(api.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS,
          "clGetDeviceIDs");
    return device;
}

/// One object of each kind, and work on them.
struct Work {
    explicit Work(const Api& its_api, const char* source = kSource) : api(its_api) {
        cl_device_id device = first_device(api);
        cl_int code = 1;
        context = api.CreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        check(code == CL_SUCCESS, "clCreateContext");
        queue = api.CreateCommandQueueWithProperties(context, device, nullptr, &code);
        check(code == CL_SUCCESS, "clCreateCommandQueueWithProperties");
        const std::vector<cl_int> zeros(kItems);
        buffer = api.CreateBuffer(context, CL_MEM_COPY_HOST_PTR, kItems * sizeof(cl_int),
                                  const_cast<cl_int*>(zeros.data()), &code);
        check(code == CL_SUCCESS, "clCreateBuffer");
        program = api.CreateProgramWithSource(context, 1, &source, nullptr, &code);
        check(code == CL_SUCCESS, "clCreateProgramWithSource");
        check(api.BuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
        kernel = api.CreateKernel(program, "work", &code);
        check(code == CL_SUCCESS, "clCreateKernel");
        check(api.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
    }

    /// Commands with a callback, which has the queue's own thread run.
    void enqueue(int count = 1) {
        for (int i = 0; i < count; ++i) {
            cl_event event = nullptr;
            check(api.EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, &event) ==
                      CL_SUCCESS,
                  "clEnqueueNDRangeKernel");
            const auto ignore = [](cl_event, cl_int, void*) {};
            check(api.SetEventCallback(event, CL_COMPLETE, ignore, nullptr) == CL_SUCCESS,
                  "clSetEventCallback");
            check(api.ReleaseEvent(event) == CL_SUCCESS, "clReleaseEvent");
        }
        check(api.Flush(queue) == CL_SUCCESS, "clFlush");
    }
    void finish() {
        check(api.EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr) ==
                  CL_SUCCESS,
              "clEnqueueNDRangeKernel");
        cl_int first = 0;
        check(api.EnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof first, &first, 0, nullptr, nullptr) ==
                  CL_SUCCESS,
              "clEnqueueReadBuffer");
        check(first != 0, "the kernel ran");
    }
    void release() {
        check(api.ReleaseKernel(kernel) == CL_SUCCESS, "clReleaseKernel");
        check(api.ReleaseProgram(program) == CL_SUCCESS, "clReleaseProgram");
        check(api.ReleaseMemObject(buffer) == CL_SUCCESS, "clReleaseMemObject");
        check(api.ReleaseCommandQueue(queue) == CL_SUCCESS, "clReleaseCommandQueue");
        check(api.ReleaseContext(context) == CL_SUCCESS, "clReleaseContext");
    }

    Api api;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_mem buffer = nullptr;
    cl_program program = nullptr;
    cl_kernel kernel = nullptr;
};

bool is_mapped(const std::string& name) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find(name) != std::string::npos) return true;
    return false;
}
size_t threads() {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}
/// A thread that has been joined may be listed for a moment.
bool becomes(const std::function<bool()>& condition) {
    for (int i = 0; i < 2000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
        if (condition()) return true;
    return false;
}

/// The first driver of the folder that OCL_ICD_VENDORS names.
std::string driver_path() {
    const char* vendors = std::getenv("OCL_ICD_VENDORS");
    check(vendors != nullptr, "OCL_ICD_VENDORS is set");
    for (const auto& entry : std::filesystem::directory_iterator(vendors)) {
        std::ifstream file(entry.path());
        if (std::string path; std::getline(file, path)) return path;
    }
    check(false, "a driver's path");
    return {};
}

int in_child(const std::function<void()>& body, unsigned most_seconds = 40) {
    const pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        alarm(most_seconds);  // a hang is a failure
        body();
        std::exit(0);
    }
    int status = 0;
    check(waitpid(child, &status, 0) == child, "waitpid");
    return status;
}

// ---- What a process may do ----

/// Ends while commands run, and releases nothing.
int exit_without_release() {
    Work& work = *new Work(loader());
    work.finish();
    (void)work.api.SVMAlloc(work.context, 0, 1000, 0);
    work.enqueue(50);
    return 0;
}

/// Ends while lavapipe compiles a kernel, which it does when the kernel first runs. What is sleeping here
/// comes after the driver's and its libraries' ends: time for a thread that still compiles to use what they
/// have destroyed.
int exit_while_compiling() {
    (void)std::atexit([] { std::this_thread::sleep_for(std::chrono::milliseconds(500)); });
    check(setenv("MESA_SHADER_CACHE_DISABLE", "true", 1) == 0, "setenv");
    std::string source = "kernel void work(global int *a) { int i = get_global_id(0); float x = a[i];";
    for (int i = 0; i < 8; ++i) {
        const std::string number = std::to_string(i) + ".5f";
        source += "x = sin(x * " + number + ") + pow(x, " + number + ");";
    }
    source += "a[i] = x; }";
    Work& work = *new Work(loader(), source.c_str());
    work.enqueue();
    return 0;
}

/// The same where others have the processor: what takes half a second of work takes many by the clock.
int exit_while_starved() {
    constexpr unsigned kMostSeconds = 170;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    check(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
    std::array<pid_t, 2> others = {};
    for (pid_t& other : others) {
        other = fork();
        check(other >= 0, "fork");
        if (other == 0)
            for (alarm(kMostSeconds);;) std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    const int status = in_child(
        [] {
            check(nice(10) != -1, "nice");
            exit_while_compiling();
        },
        kMostSeconds);
    for (const pid_t other : others) {
        kill(other, SIGKILL);
        check(waitpid(other, nullptr, 0) == other, "waitpid");
    }
    check(status == 0, "the process ends");
    return 0;
}

/// Ends while the driver makes the pipelines that the process before it used.
int exit_while_making_pipelines() {
    namespace fs = std::filesystem;
    std::string cache = (fs::temp_directory_path() / "caldera_early_pipelines.XXXXXX").string();
    check(mkdtemp(cache.data()) != nullptr, "a folder");
    setenv("CALDERA_CACHE_DIR", cache.c_str(), 1);
    setenv("CALDERA_CACHE", "1", 1);
    const int before = in_child([] {
        Work& work = *new Work(loader());
        for (size_t local = 1; local <= 64; ++local)
            check(work.api.EnqueueNDRangeKernel(work.queue, work.kernel, 1, nullptr, &kItems, &local, 0,
                                                nullptr, nullptr) == CL_SUCCESS ||
                      kItems % local != 0,
                  "clEnqueueNDRangeKernel");
        work.finish();
    });
    bool all_end_well = before == 0;
    for (int turn = 0; turn < 20; ++turn) all_end_well &= in_child([] { new Work(loader()); }) == 0;
    fs::remove_all(cache);
    check(all_end_well, "the processes end");
    return 0;
}

/// Ends while the driver copies for it: the copies are given up, and the memory is not touched any more.
int exit_while_copying() {
    constexpr size_t kBytes = size_t{300} << 20;
    bool all_end_well = true;
    for (int turn = 0; turn < 3; ++turn)
        all_end_well &=
            in_child([turn] {
                (void)std::atexit([] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); });
                Work& work = *new Work(loader());
                work.finish();
                cl_int code = 1;
                cl_mem buffer = work.api.CreateBuffer(work.context, 0, kBytes, nullptr, &code);
                check(code == CL_SUCCESS, "clCreateBuffer");
                auto& bytes = *new std::vector<char>(kBytes);
                for (int i = 0; i < 4; ++i) {
                    check(work.api.EnqueueWriteBuffer(work.queue, buffer, CL_FALSE, 0, kBytes, bytes.data(),
                                                      0, nullptr, nullptr) == CL_SUCCESS,
                          "clEnqueueWriteBuffer");
                    check(work.api.EnqueueReadBuffer(work.queue, buffer, CL_FALSE, 0, kBytes, bytes.data(), 0,
                                                     nullptr, nullptr) == CL_SUCCESS,
                          "clEnqueueReadBuffer");
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(20 * turn));
            }) == 0;
    check(all_end_well, "the processes end");
    return 0;
}

/// Releases what it has when its own static objects are destroyed.
int release_at_exit() {
    struct Late {
        Work work{loader()};
        ~Late() { work.release(); }
    };
    static Late late;
    late.work.finish();
    late.work.enqueue(20);
    return 0;
}

/// The same, from an object that was there before the driver, as libraries have that keep what they have
/// built. Vulkan's drivers may have ended by then: to release is all right, and nothing else is done.
struct Early {
    Work* work = nullptr;
    ~Early() {
        if (!work) return;
        check(work->api.Finish(work->queue) == CL_OUT_OF_RESOURCES, "clFinish when the process has ended");
        work->release();
    }
} early;
int release_in_early_destructor() {
    early.work = new Work(loader());
    early.work->finish();
    return 0;
}

/// Ends while other threads wait for the device in calls. The end of its work wakes them, and they have to
/// leave Vulkan before the libraries shut down.
int exit_while_waiting() {
    bool all_end_well = true;
    for (int turn = 0; turn < 5; ++turn)
        all_end_well &=
            in_child([] {
                (void)std::atexit([] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); });
                Work& work = *new Work(loader(),
                                       "kernel void work(global int *a) { int sum = 1;"
                                       "for (int i = 0; i < 3000; ++i)"
                                       "    sum += a[(i * 7 + get_global_id(0)) % 64];"
                                       "a[get_global_id(0)] += sum | 1; }");
                work.enqueue(12);
                for (int i = 0; i < 30; ++i)
                    std::thread([&work] {
                        (void)work.api.Finish(work.queue);
                        for (;;) pause();
                    }).detach();
                std::this_thread::sleep_for(std::chrono::milliseconds(30));
            }) == 0;
    check(all_end_well, "the processes end");
    return 0;
}

/// Exits in a callback. The exit must not wait for the callback to return.
int exit_in_callback() {
    early.work = new Work(loader());
    early.work->finish();
    cl_event event = nullptr;
    const Api& api = early.work->api;
    check(api.EnqueueNDRangeKernel(early.work->queue, early.work->kernel, 1, nullptr, &kItems, nullptr, 0,
                                   nullptr, &event) == CL_SUCCESS,
          "clEnqueueNDRangeKernel");
    const auto leave = [](cl_event, cl_int, void*) { std::exit(0); };
    check(api.SetEventCallback(event, CL_COMPLETE, leave, nullptr) == CL_SUCCESS, "clSetEventCallback");
    std::this_thread::sleep_for(std::chrono::seconds(20));
    return 1;
}

void use_driver(const Api& api) {
    Work work(api);
    work.finish();
    work.release();
}

// ---- Faults of kernels ----

constexpr const char* kFaulty =
    "kernel void work(global int *p) { size_t g = get_global_id(0);\n"
    " p[g] = 1;\n if (g == 5) p[get_global_size(0)] = 1; }";

/// A file in the folder for such files, which goes with this.
struct ScratchFile {
    explicit ScratchFile(const char* name)
        : path((std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))).string()) {}
    ~ScratchFile() { std::filesystem::remove(path); }
    std::string text() const {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    const std::string path;
};

/// The status with which a child exits, or -1.
int exit_status(const std::function<void()>& body) {
    const int status = in_child(body);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void run_and_leave(const char* source) { (new Work(loader(), source))->finish(); }

/// A stream that is flushed by nothing but the exit, and what a function of the process appends then.
FILE* at_exit_file = nullptr;
void note_at_exit() { std::fputs("noted", at_exit_file); }

/// CALDERA_CHECK_EXIT is the status of a process whose kernels had faults, and of no other.
int exit_with_faults() {
    const ScratchFile reports("caldera_exit_reports."), notes("caldera_exit_notes.");
    check(setenv("CALDERA_CHECK", "bounds", 1) == 0, "setenv");
    check(setenv("CALDERA_CHECK_FILE", reports.path.c_str(), 1) == 0, "setenv");
    if (exit_status([] { run_and_leave(kSource); }) != 0) return 77;  // no checks without addresses
    check(exit_status([] { run_and_leave(kFaulty); }) == 0, "nothing happens where it is not asked for");
    check(setenv("CALDERA_CHECK_EXIT", "41", 1) == 0, "setenv");
    check(exit_status([] { run_and_leave(kFaulty); }) == 41, "a process with a fault");
    check(exit_status([] {
              run_and_leave(kFaulty);
              std::exit(3);
          }) == 41,
          "a process with a fault and a status of its own");
    check(exit_status([] {
              run_and_leave(kSource);
              std::exit(3);
          }) == 3,
          "a process without faults");
    check(exit_status([] {
              run_and_leave(kFaulty);
              std::_Exit(4);
          }) == 4,
          "a process that does not exit normally");
    check(exit_status([] {
              Work work(loader(), kFaulty);
              work.finish();
              work.release();
              check(in_child([] {}) == 0, "a child of a process with a fault");
              check(in_child([] { use_driver(loader()); }) == 0, "such a child, with kernels of its own");
          }) == 41,
          "a process that has released everything");
    check(exit_status([&] {
              at_exit_file = std::fopen(notes.path.c_str(), "w");
              check(at_exit_file && std::atexit(note_at_exit) == 0, "atexit");
              run_and_leave(kFaulty);
              check(std::atexit(note_at_exit) == 0, "atexit");
          }) == 41,
          "a process that does something at its exit");
    check(notes.text() == "notednoted", "what was registered for the exit, and the streams");
    check(exit_status([] {
              void* library = open_library(driver_path().c_str());
              check(library != nullptr, "the driver");
              Work work(of_driver(library), kFaulty);
              work.finish();
              work.release();
              check(dlclose(library) == 0, "dlclose");
          }) == 41,
          "a process that has unloaded the driver");
    check(setenv("CALDERA_CHECK_EXIT", "0", 1) == 0, "setenv");
    check(exit_status([] { run_and_leave(kFaulty); }) == 0, "a status of zero");
    return 0;
}

/// A kernel that reaches shared memory which clSVMFree has freed.
int reports_freed_svm() {
    const ScratchFile reports("caldera_freed_svm.");
    check(setenv("CALDERA_CHECK", "bounds", 1) == 0, "setenv");
    check(setenv("CALDERA_CHECK_FILE", reports.path.c_str(), 1) == 0, "setenv");
    if (exit_status([] { run_and_leave(kSource); }) != 0) return 77;
    Work work(loader(),
              "kernel void work(global int *p, ulong there) {\n p[get_global_id(0)] = 1;\n"
              " if (get_global_id(0) == 5)\n  p[0] = ((global int *)there)[2]; }");
    const Api& api = work.api;
    void* const freed = api.SVMAlloc(work.context, CL_MEM_READ_WRITE, 4096, 0);
    if (!freed) return 77;
    const auto there = reinterpret_cast<cl_ulong>(freed);
    check(api.SetKernelArg(work.kernel, 1, sizeof there, &there) == CL_SUCCESS, "clSetKernelArg");
    const auto run = [&] {
        check(api.EnqueueNDRangeKernel(work.queue, work.kernel, 1, nullptr, &kItems, nullptr, 0, nullptr,
                                       nullptr) == CL_SUCCESS &&
                  api.Finish(work.queue) == CL_SUCCESS,
              "the kernel runs");
        return reports.text();
    };
    // what the first launch makes would have the freed memory later
    check(run().empty(), "nothing is reported before the memory is freed");
    api.SVMFree(work.context, freed);
    const std::string text = run();
    std::fputs(text.c_str(), stderr);
    for (const char* part : {"load of 4 bytes out of bounds", ":4:", ", kernel 'work', work-item (5,0,0)",
                             "8 bytes into a freed buffer of 4096 bytes"})
        check(text.find(part) != std::string::npos, part);
    work.release();
    return 0;
}

int exit_from_other_thread() {
    Work& work = *new Work(loader());
    work.finish();
    std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::exit(0);
    }).detach();
    // Others may still call while the process ends.
    for (;;)
        if (work.api.EnqueueNDRangeKernel(work.queue, work.kernel, 1, nullptr, &kItems, nullptr, 0, nullptr,
                                          nullptr) != CL_SUCCESS ||
            work.api.Finish(work.queue) != CL_SUCCESS)
            std::this_thread::sleep_for(std::chrono::seconds(10));
}

int fork_before_use() {
    void* library = open_library("libOpenCL.so.1");
    check(library != nullptr, "the loader is there before");
    const auto body = [] { use_driver(loader()); };
    check(in_child(body) == 0, "the driver works in a child");
    body();
    check(in_child([] {}) == 0, "a child that only exits");
    return 0;
}

int fork_after_listing() {
    const Api api = loader();
    first_device(api);
    const auto body = [&] { use_driver(api); };
    check(in_child(body) == 0, "the driver works in a child");
    check(in_child([] {}) == 0, "a child that only exits");
    check(in_child([&] { check(in_child(body) == 0, "the driver works in a child's child"); }) == 0,
          "a child of a child");
    body();
    return 0;
}

/// Queries that open the device, and contexts that were released, leave nothing behind that a child would
/// use.
int fork_after_queries() {
    const Api api = loader();
    cl_device_id device = first_device(api);
    const auto body = [&] { use_driver(api); };
    constexpr cl_device_info kHostMemory = 0x4190;  // CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
    for (const cl_device_info name :
         {cl_device_info{CL_DEVICE_SINGLE_FP_CONFIG}, cl_device_info{CL_DEVICE_DOUBLE_FP_CONFIG},
          cl_device_info{CL_DEVICE_SVM_CAPABILITIES}, kHostMemory}) {
        cl_bitfield answer = 0;
        check(api.GetDeviceInfo(device, name, sizeof answer, &answer, nullptr) == CL_SUCCESS, "a query");
        check(in_child(body) == 0, "the driver works in a child after a query");
        cl_bitfield again = 0;
        check(api.GetDeviceInfo(device, name, sizeof again, &again, nullptr) == CL_SUCCESS && again == answer,
              "the answer stays");
    }
    check(in_child([&] {
              body();
              check(in_child(body) == 0, "the driver works in a child's child after use");
              body();
          }) == 0,
          "a child of a child");
    body();
    check(in_child(body) == 0, "the driver works in a child after its parent's use");
    body();
    return 0;
}

/// A child has none of its parent's threads: it can use neither its objects nor its device.
int fork_with_context() {
    Work work(loader());
    const Api& api = work.api;
    work.finish();
    cl_event event = nullptr;
    check(api.EnqueueNDRangeKernel(work.queue, work.kernel, 1, nullptr, &kItems, nullptr, 0, nullptr,
                                   &event) == CL_SUCCESS,
          "clEnqueueNDRangeKernel");
    cl_device_id device = first_device(api);
    const auto body = [&] {
        cl_int code = 1, value = 0;
        check(api.EnqueueNDRangeKernel(work.queue, work.kernel, 1, nullptr, &kItems, nullptr, 0, nullptr,
                                       nullptr) == CL_INVALID_COMMAND_QUEUE,
              "clEnqueueNDRangeKernel in a child");
        check(api.EnqueueReadBuffer(work.queue, work.buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr,
                                    nullptr) == CL_INVALID_COMMAND_QUEUE,
              "clEnqueueReadBuffer in a child");
        check(api.Flush(work.queue) == CL_INVALID_COMMAND_QUEUE, "clFlush in a child");
        check(api.Finish(work.queue) == CL_INVALID_COMMAND_QUEUE, "clFinish in a child");
        check(api.WaitForEvents(1, &event) == CL_INVALID_EVENT, "clWaitForEvents in a child");
        check(api.BuildProgram(work.program, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_PROGRAM,
              "clBuildProgram in a child");
        check(api.SetKernelArg(work.kernel, 0, sizeof work.buffer, &work.buffer) == CL_INVALID_KERNEL,
              "clSetKernelArg in a child");
        check(!api.CreateBuffer(work.context, 0, 4, nullptr, &code) && code == CL_INVALID_CONTEXT,
              "clCreateBuffer in a child");
        check(!api.CreateContext(nullptr, 1, &device, nullptr, nullptr, &code) &&
                  code == CL_DEVICE_NOT_AVAILABLE,
              "clCreateContext in a child");
        check(api.ReleaseEvent(event) == CL_SUCCESS, "clReleaseEvent in a child");
        work.release();
        work.release();  // it has no references to count
    };
    check(in_child(body) == 0, "a child's calls fail");
    check(in_child([&] { check(in_child(body) == 0, "a child of a child"); }) == 0, "a child that forks");
    check(api.WaitForEvents(1, &event) == CL_SUCCESS, "clWaitForEvents");
    check(api.ReleaseEvent(event) == CL_SUCCESS, "clReleaseEvent");
    work.finish();
    work.release();
    check(in_child([&] { use_driver(api); }) == 0, "a child after the context's end");
    return 0;
}

int fork_after_use() {
    Work work(loader());
    work.finish();
    work.enqueue(20);
    check(in_child([] {}) == 0, "a child that exits");
    check(in_child([] { std::_Exit(0); }) == 0, "a child that ends at once");
    check(in_child([] {
              execl("/bin/true", "true", nullptr);
              std::_Exit(1);
          }) == 0,
          "a child that runs another program");
    check(std::system("true") == 0, "system()");
    work.finish();
    work.release();
    return 0;
}

/// The driver by itself: nothing of it is left, and it may come back.
int unload_driver() {
    const std::string path = driver_path();
    const size_t before = threads();
    for (int turn = 0; turn < 3; ++turn) {
        void* library = open_library(path.c_str());
        {
            Work work(of_driver(library));
            work.finish();
            work.release();
        }
        check(dlclose(library) == 0, "dlclose");
        check(!is_mapped("caldera_icd"), "the driver is gone");
        check(becomes([&] { return threads() <= before; }), "its threads are gone");
    }
    return 0;
}

/// After callbacks, a thread of the driver may be the last to use the library. Then the library stays loaded.
int unload_after_callbacks() {
    const std::string path = driver_path();
    for (int turn = 0; turn < 3; ++turn) {
        void* library = open_library(path.c_str());
        {
            Work work(of_driver(library));
            work.enqueue(20);
            if (turn != 0) work.finish();
            work.release();
        }
        check(dlclose(library) == 0, "dlclose");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return 0;
}

/// The driver stays where a context has been forgotten.
int unload_with_context() {
    void* library = open_library(driver_path().c_str());
    Work& work = *new Work(of_driver(library));
    work.enqueue(20);
    check(dlclose(library) == 0, "dlclose");
    check(is_mapped("caldera_icd"), "the driver is there");
    work.finish();
    return 0;
}

int unload_loader() {
    for (int turn = 0; turn < 3; ++turn) {
        void* library = open_library("libOpenCL.so.1");
        {
            Work work(of_loader(library));
            work.finish();
            work.release();
        }
        check(dlclose(library) == 0, "dlclose");
    }
    return 0;
}

constexpr int kSecure = 3, kSkipped = 77;

/// A build that a process with more rights than its user may be asked for: says whether it is one.
int build_alone() {
    Work work(of_driver(open_library(driver_path().c_str())));
    work.finish();
    work.release();
    return getauxval(AT_SECURE) != 0 ? kSecure : 0;
}

/// Some group that this process is not of now, but may give a file to.
std::optional<gid_t> other_group() {
    std::vector<gid_t> groups(static_cast<size_t>(std::max(getgroups(0, nullptr), 0)));
    if (getgroups(static_cast<int>(groups.size()), groups.data()) < 0) return std::nullopt;
    for (const gid_t group : groups)
        if (group != getgid()) return group;
    return geteuid() == 0 ? std::optional(getgid() + 1) : std::nullopt;
}

/// A process that has rights from its file takes no folder from its user's environment.
int secure_execution() {
    namespace fs = std::filesystem;
    const std::optional<gid_t> group = other_group();
    if (!group) return kSkipped;
    const fs::path self = fs::read_symlink("/proc/self/exe");
    std::string name = (self.parent_path() / "secure_execution.XXXXXX").string();
    check(mkdtemp(name.data()) != nullptr, "a folder");
    const fs::path folder = name, program = folder / "program", dump = folder / "dump",
                   cache = folder / "cache";
    fs::copy_file(self, program);
    setenv("CALDERA_DUMP", dump.c_str(), 1);
    setenv("CALDERA_CACHE_DIR", cache.c_str(), 1);
    setenv("CALDERA_CACHE", "1", 1);
    const auto run = [&] {
        return in_child([&] {
            execl(program.c_str(), "program", "build_alone", nullptr);
            std::_Exit(1);
        });
    };
    const int with_own_rights = run();
    const bool writes = fs::exists(dump) && fs::exists(cache);
    fs::remove_all(dump);
    fs::remove_all(cache);
    const bool has_rights =
        chown(program.c_str(), static_cast<uid_t>(-1), *group) == 0 && chmod(program.c_str(), 02755) == 0;
    const int with_more_rights = has_rights ? run() : 0;
    const bool writes_for_user = fs::exists(dump) || fs::exists(cache);
    fs::remove_all(folder);
    check(with_own_rights == 0 && writes, "without more rights the folders are made");
    // File systems may take no such rights.
    if (!has_rights || (WIFEXITED(with_more_rights) && WEXITSTATUS(with_more_rights) == 0)) return kSkipped;
    check(WIFEXITED(with_more_rights) && WEXITSTATUS(with_more_rights) == kSecure, "the driver works");
    check(!writes_for_user, "nothing is written to the user's folders");
    return 0;
}

// ---- Threads ----

constexpr const char* kArithmetic = R"(kernel void work(global int *p) {
    volatile float a = 0.1f, b = 0.7f, small = 1e-30f, zero = 0;
    const int i = get_global_id(0);
    p[i] = as_int(i == 0 ? a / b : i == 1 ? a + b : i == 2 ? small * 1e-10f : i == 3 ? 1 / zero : sqrt(-a * i));
})";
using Computed = std::array<cl_int, 4>;

Computed compute() {
    Work work(loader(), kArithmetic);
    work.finish();
    Computed computed = {};
    check(work.api.EnqueueReadBuffer(work.queue, work.buffer, CL_TRUE, 0, sizeof computed, computed.data(), 0,
                                     nullptr, nullptr) == CL_SUCCESS,
          "clEnqueueReadBuffer");
    work.release();
    return computed;
}

/// Threads that the driver and Vulkan's start in the first call do not compute as the thread does that calls.
int float_environments() {
    int pipes[2] = {};
    std::vector<Computed> all;
    std::vector<caldera::testing::FloatEnvironment> environments =
        caldera::testing::other_float_environments();
    environments.push_back({"is as usual"});
    for (const caldera::testing::FloatEnvironment& environment : environments) {
        check(pipe(pipes) == 0, "pipe");
        const int status = in_child([&] {
            environment.begin();
            const Computed computed = compute();
            check(write(pipes[1], &computed, sizeof computed) == sizeof computed, "write");
        });
        check(status == 0, environment.name);
        check(read(pipes[0], &all.emplace_back(), sizeof(Computed)) == sizeof(Computed), "read");
    }
    for (size_t i = 0; i < all.size(); ++i) check(all[i] == all.back(), environments[i].name);
    return 0;
}

void ignore_signal(int) {}

/// A signal for the process waits for the program's threads, and the thread that calls takes it as before.
int signals_in_own_threads() {
    struct sigaction action = {};
    action.sa_handler = ignore_signal;
    check(sigaction(SIGUSR1, &action, nullptr) == 0, "sigaction");
    const auto mask = [] {
        sigset_t set;
        check(pthread_sigmask(SIG_SETMASK, nullptr, &set) == 0, "pthread_sigmask");
        std::vector<int> blocked;
        for (int signal = 1; signal < SIGRTMIN; ++signal)
            if (sigismember(&set, signal) == 1) blocked.push_back(signal);
        return blocked;
    };
    const std::vector<int> before = mask();
    const size_t own_threads = threads();
    Work work(loader());
    work.enqueue(20);
    work.finish();
    check(mask() == before, "the calling thread blocks what it did");
    check(threads() > own_threads, "the driver has a thread");
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    check(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0, "pthread_sigmask");
    check(kill(getpid(), SIGUSR1) == 0, "kill");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    check(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1,
          "no other thread has taken the signal");
    work.release();
    return 0;
}

/// stdout goes to a file, whose text so far it returns.
std::string printed(const std::filesystem::path& path) {
    std::fflush(stdout);
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A kernel's text is there once its event is complete (OpenCL C 6.15.14), whether anybody looks at the
/// kernel's queue or not.
int prints_when_complete() {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("printed." + std::to_string(getpid()));
    check(std::freopen(path.c_str(), "w", stdout) != nullptr, "freopen");
    Work work(loader(), "kernel void work(global int *p) { p[0] += 1; printf(\"kernel %d\\n\", p[0]); }");
    const auto enqueue = [&](cl_event* event) {
        const size_t one = 1;
        check(work.api.EnqueueNDRangeKernel(work.queue, work.kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                            event) == CL_SUCCESS,
              "clEnqueueNDRangeKernel");
    };
    cl_int code = 1, first = 0;
    cl_device_id device = first_device(work.api);
    cl_command_queue other = work.api.CreateCommandQueueWithProperties(work.context, device, nullptr, &code);
    check(code == CL_SUCCESS, "clCreateCommandQueueWithProperties");
    cl_event event = nullptr;
    enqueue(&event);
    check(work.api.EnqueueReadBuffer(other, work.buffer, CL_TRUE, 0, sizeof first, &first, 1, &event,
                                     nullptr) == CL_SUCCESS,
          "clEnqueueReadBuffer");
    check(first == 1 && printed(path) == "kernel 1\n", "another queue has waited for the event");
    check(work.api.ReleaseEvent(event) == CL_SUCCESS, "clReleaseEvent");
    enqueue(nullptr);
    check(work.api.Flush(work.queue) == CL_SUCCESS, "clFlush");
    check(becomes([&] { return printed(path) == "kernel 1\nkernel 2\n"; }), "nobody waits");
    check(work.api.ReleaseCommandQueue(other) == CL_SUCCESS, "clReleaseCommandQueue");
    work.release();
    std::filesystem::remove(path);
    return 0;
}

const std::map<std::string, int (*)()> kCases = {
    {"exit_without_release", exit_without_release},
    {"exit_while_compiling", exit_while_compiling},
    {"exit_while_starved", exit_while_starved},
    {"exit_while_making_pipelines", exit_while_making_pipelines},
    {"exit_while_copying", exit_while_copying},
    {"exit_while_waiting", exit_while_waiting},
    {"release_at_exit", release_at_exit},
    {"release_in_early_destructor", release_in_early_destructor},
    {"exit_in_callback", exit_in_callback},
    {"exit_from_other_thread", exit_from_other_thread},
    {"exit_with_faults", exit_with_faults},
    {"reports_freed_svm", reports_freed_svm},
    {"fork_before_use", fork_before_use},
    {"fork_after_listing", fork_after_listing},
    {"fork_after_queries", fork_after_queries},
    {"fork_with_context", fork_with_context},
    {"fork_after_use", fork_after_use},
    {"unload_driver", unload_driver},
    {"unload_after_callbacks", unload_after_callbacks},
    {"unload_with_context", unload_with_context},
    {"unload_loader", unload_loader},
    {"build_alone", build_alone},
    {"secure_execution", secure_execution},
    {"float_environments", float_environments},
    {"signals_in_own_threads", signals_in_own_threads},
    {"prints_when_complete", prints_when_complete},
};

}  // namespace

int main(int count, char** arguments) {
    const auto found = kCases.find(count == 2 ? arguments[1] : "");
    if (found == kCases.end()) {
        for (const auto& [name, ignored] : kCases) std::printf("%s\n", name.c_str());
        return 2;
    }
    return found->second();
}
