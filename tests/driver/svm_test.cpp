// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory (OpenCL API 5.6, 5.9.2): pointers that mean the same on the host and on the device.
// Where the device has none, every call says so.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>

#include "tests/driver/fixture.h"
#include "tests/driver/unified_svm.h"

using namespace caldera::driver_test;

namespace {

struct SvmFixture : Fixture {
    using Fixture::Fixture;
    ~SvmFixture() {
        CHECK(clFinish(queue) == CL_SUCCESS);
        for (void* pointer : allocations) clSVMFree(context, pointer);
    }
    cl_device_svm_capabilities capabilities() const {
        return info<cl_device_svm_capabilities>(clGetDeviceInfo, the_device, CL_DEVICE_SVM_CAPABILITIES);
    }
    bool has(cl_device_svm_capabilities wanted) const { return (capabilities() & wanted) != 0; }

    template <class T>
    T* allocate(size_t count, cl_svm_mem_flags flags = CL_MEM_READ_WRITE) {
        allocations.push_back(clSVMAlloc(context, flags, count * sizeof(T), 0));
        REQUIRE(allocations.back() != nullptr);
        return static_cast<T*>(allocations.back());
    }
    /// Has the host at the memory as coarse-grained memory wants it.
    template <class T, class F>
    void with_host(T* pointer, size_t count, cl_map_flags flags, const F& use) {
        CHECK(clEnqueueSVMMap(queue, CL_TRUE, flags, pointer, count * sizeof(T), 0, nullptr, nullptr) ==
              CL_SUCCESS);
        use(pointer);
        CHECK(clEnqueueSVMUnmap(queue, pointer, 0, nullptr, nullptr) == CL_SUCCESS);
    }
    template <class T>
    void write(T* pointer, const std::vector<T>& values) {
        with_host(pointer, values.size(), CL_MAP_WRITE_INVALIDATE_REGION,
                  [&](T* to) { std::ranges::copy(values, to); });
    }
    template <class T>
    std::vector<T> values(T* pointer, size_t count) {
        std::vector<T> out;
        with_host(pointer, count, CL_MAP_READ, [&](T* from) { out.assign(from, from + count); });
        return out;
    }

    std::vector<void*> allocations = {};
};

std::vector<cl_int> counted(size_t count, cl_int from = 0) {
    std::vector<cl_int> out(count);
    std::iota(out.begin(), out.end(), from);
    return out;
}

constexpr const char* kAdd =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void to_buffer(global const int *from, global int *to) { size_t i = get_global_id(0); to[i] = "
    "from[i]; }";

}  // namespace

TEST_CASE("5.6 a device without shared memory says so") {
    SvmFixture f;
    if (f.capabilities() != 0 || has_addresses()) return;
    int value = 0, *pointer = &value;
    const void* list = pointer;
    cl_kernel kernel = f.make_kernel(kAdd, "add");
    CHECK(clSVMAlloc(f.context, CL_MEM_READ_WRITE, 64, 0) == nullptr);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, pointer, pointer + 1, 4, 0, nullptr, nullptr) ==
          CL_INVALID_OPERATION);
    CHECK(clEnqueueSVMMigrateMem(f.queue, 1, &list, nullptr, 0, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
    CHECK(clSetKernelArgSVMPointer(kernel, 0, pointer) == CL_INVALID_OPERATION);
}

TEST_CASE("5.6.1 allocations: flags, sizes, alignments") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    CHECK(f.has(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER));
    const auto allocate = [&](cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
        void* pointer = clSVMAlloc(f.context, flags, size, alignment);
        clSVMFree(f.context, pointer);
        return pointer != nullptr;
    };
    for (const cl_svm_mem_flags flags :
         {cl_svm_mem_flags{0}, cl_svm_mem_flags{CL_MEM_READ_WRITE}, cl_svm_mem_flags{CL_MEM_READ_ONLY},
          cl_svm_mem_flags{CL_MEM_WRITE_ONLY}})
        CHECK(allocate(flags, 100, 0));
    CHECK_FALSE(allocate(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 100, 0));
    CHECK_FALSE(allocate(CL_MEM_COPY_HOST_PTR, 100, 0));
    CHECK_FALSE(allocate(CL_MEM_SVM_ATOMICS, 100, 0));
    CHECK(allocate(CL_MEM_SVM_FINE_GRAIN_BUFFER, 100, 0) == f.has(CL_DEVICE_SVM_FINE_GRAIN_BUFFER));
    CHECK(allocate(CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 100, 0) ==
          f.has(CL_DEVICE_SVM_ATOMICS));
    CHECK_FALSE(allocate(0, 0, 0));
    const auto most = info<cl_ulong>(clGetDeviceInfo, f.the_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    CHECK_FALSE(allocate(0, most + 1, 0));
    CHECK_FALSE(allocate(0, 100, 3));
    CHECK(clSVMAlloc(nullptr, 0, 100, 0) == nullptr);
    clSVMFree(f.context, nullptr);
    clSVMFree(nullptr, nullptr);
    // Without a wish they fit the largest type, long16.
    for (size_t size = 1; size < 1000; size += 37)
        CHECK(reinterpret_cast<uintptr_t>(f.allocate<char>(size)) % 128 == 0);
    for (cl_uint alignment = 1; alignment <= 4096; alignment *= 2) {
        f.allocations.push_back(clSVMAlloc(f.context, 0, 100, alignment));
        REQUIRE(f.allocations.back() != nullptr);
        CHECK(reinterpret_cast<uintptr_t>(f.allocations.back()) % alignment == 0);
    }
}

TEST_CASE("5.6.1 the host and kernels take turns at one memory") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    cl_program program = f.build(kAdd);
    cl_kernel add = f.make_kernel(program, "add"), to_buffer = f.make_kernel(program, "to_buffer");
    cl_int* shared = f.allocate<cl_int>(1000);
    f.write(shared, counted(1000));
    CHECK(clSetKernelArgSVMPointer(add, 0, shared) == CL_SUCCESS);
    CHECK(set(add, 1, 10) == CL_SUCCESS);
    CHECK(run(f.queue, add, 1000) == CL_SUCCESS);
    CHECK(f.values(shared, 1000) == counted(1000, 10));
    // A pointer into the middle; what is mapped for reading alone stays as the device has it.
    CHECK(clSetKernelArgSVMPointer(add, 0, shared + 333) == CL_SUCCESS);
    CHECK(run(f.queue, add, 1) == CL_SUCCESS);
    CHECK(f.values(shared + 332, 3) == std::vector<cl_int>{342, 353, 344});
    // Parts of what is mapped for writing may stay unwritten.
    f.with_host(shared + 1, 4, CL_MAP_WRITE, [](cl_int* part) { part[1] = -1; });
    CHECK(f.values(shared, 5) == std::vector<cl_int>{10, 11, -1, 13, 14});
    // The same bytes as a buffer's kernel sees them.
    cl_mem buffer = f.make_buffer(5 * sizeof(cl_int));
    CHECK(clSetKernelArgSVMPointer(to_buffer, 0, shared) == CL_SUCCESS);
    CHECK(set(to_buffer, 1, buffer) == CL_SUCCESS);
    CHECK(run(f.queue, to_buffer, 5) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 5) == std::vector<cl_int>{10, 11, -1, 13, 14});
    // An argument goes back to being a buffer.
    CHECK(set(to_buffer, 0, buffer) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(to_buffer, 1, shared + 100) == CL_SUCCESS);
    CHECK(run(f.queue, to_buffer, 2) == CL_SUCCESS);
    CHECK(f.values(shared + 100, 3) == std::vector<cl_int>{10, 11, 112});
}

TEST_CASE("5.6.1 an unmap that fails leaves the memory mapped, a map that fails does not map it") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    cl_int* shared = f.allocate<cl_int>(16);
    f.write(shared, counted(16));
    const auto map = [&](cl_map_flags flags, cl_uint wait_count) {
        return clEnqueueSVMMap(f.queue, CL_TRUE, flags, shared, 64, wait_count, nullptr, nullptr);
    };
    const auto unmap = [&](cl_uint wait_count) {
        return clEnqueueSVMUnmap(f.queue, shared, wait_count, nullptr, nullptr);
    };
    CHECK(map(CL_MAP_READ, 1) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(map(CL_MAP_READ | CL_MAP_WRITE, 0) == CL_SUCCESS);
    std::ranges::copy(counted(16, 100), shared);
    CHECK(unmap(1) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(unmap(0) == CL_SUCCESS);  // of the second map, which writes
    CHECK(f.values(shared, 16) == counted(16, 100));
}

TEST_CASE("5.6.1 lists: pointers in shared memory, walked by both sides, each node an allocation") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    struct Node {
        Node* next;
        cl_long value;
    };
    constexpr size_t kNodes = 50;
    std::vector<Node*> nodes;
    for (size_t i = 0; i < kNodes; ++i) nodes.push_back(f.allocate<Node>(1));
    for (size_t i = 0; i < kNodes; ++i)
        f.write(nodes[i], {Node{i + 1 < kNodes ? nodes[i + 1] : nullptr, static_cast<cl_long>(i)}});
    cl_kernel kernel = f.make_kernel(R"(
        struct Node { global struct Node *next; long value; };
        kernel void reverse(global struct Node *head, global long *sum, global struct Node *global *reversed) {
            global struct Node *before = 0;
            *sum = 0;
            while (head) {
                global struct Node *next = head->next;
                *sum += head->value++;
                head->next = before;
                before = head;
                head = next;
            }
            *reversed = before;
        })",
                                     "reverse", "-cl-std=CL3.0");
    cl_long* sum = f.allocate<cl_long>(1);
    Node** reversed = f.allocate<Node*>(1);
    CHECK(clSetKernelArgSVMPointer(kernel, 0, nodes[0]) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(kernel, 1, sum) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(kernel, 2, reversed) == CL_SUCCESS);
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, nodes.size() * sizeof(void*),
                              nodes.data()) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.values(sum, 1)[0] == kNodes * (kNodes - 1) / 2);
    Node* head = f.values(reversed, 1)[0];
    CHECK(head == nodes.back());
    cl_long seen = 0;
    for (size_t i = 0; head && i < kNodes; ++i) {
        const Node node = f.values(head, 1)[0];
        CHECK(head == nodes[kNodes - 1 - i]);
        seen += node.value;
        head = node.next;
    }
    CHECK(head == nullptr);
    CHECK(seen == kNodes * (kNodes + 1) / 2);
}

TEST_CASE("5.6.1 copies between host and shared memory, in order with kernels") {
    for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) {
        SvmFixture f;
        if (f.capabilities() == 0) return;
        cl_kernel add = f.make_kernel(kAdd, "add");
        const size_t count = 100'000, size = count * sizeof(cl_int);
        cl_int *a = f.allocate<cl_int>(count), *b = f.allocate<cl_int>(count);
        const std::vector<cl_int> in = counted(count);
        std::vector<cl_int> out(count), again(count);
        const auto copy = [&](void* to, const void* from) {
            CHECK(clEnqueueSVMMemcpy(f.queue, blocking, to, from, size, 0, nullptr, nullptr) == CL_SUCCESS);
        };
        const auto add_to = [&](cl_int* pointer, cl_int n) {
            CHECK(clSetKernelArgSVMPointer(add, 0, pointer) == CL_SUCCESS);
            CHECK(set(add, 1, n) == CL_SUCCESS);
            CHECK(run(f.queue, add, count) == CL_SUCCESS);
        };
        copy(a, in.data());
        add_to(a, 1);
        copy(b, a);
        add_to(b, 5);
        copy(out.data(), b);
        copy(again.data(), out.data());  // from host to host, after the copy that brings it
        copy(a, again.data());
        add_to(a, 7);
        CHECK(f.values(a, count) == counted(count, 13));
        CHECK(out == counted(count, 6));
        CHECK(again == out);
    }
}

TEST_CASE("5.6.1 fills") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    cl_uchar* shared = f.allocate<cl_uchar>(1024);
    f.write(shared, std::vector<cl_uchar>(1024, 9));
    for (size_t pattern_size = 1; pattern_size <= 128; pattern_size *= 2) {
        std::vector<cl_uchar> pattern(pattern_size), expected(512);
        std::iota(pattern.begin(), pattern.end(), static_cast<cl_uchar>(pattern_size));
        for (size_t i = 0; i < expected.size(); ++i) expected[i] = pattern[i % pattern_size];
        cl_event event = nullptr;
        CHECK(clEnqueueSVMMemFill(f.queue, shared + 256, pattern.data(), pattern_size, 512, 0, nullptr,
                                  &event) == CL_SUCCESS);
        CHECK(info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE) == CL_COMMAND_SVM_MEMFILL);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
        CHECK(f.values(shared + 256, 512) == expected);
    }
    CHECK(f.values(shared + 248, 8) == std::vector<cl_uchar>(8, 9));
    CHECK(f.values(shared + 768, 8) == std::vector<cl_uchar>(8, 9));
    const auto fill = [&](void* pointer, const void* pattern, size_t pattern_size, size_t size) {
        return clEnqueueSVMMemFill(f.queue, pointer, pattern, pattern_size, size, 0, nullptr, nullptr);
    };
    CHECK(fill(nullptr, "abcd", 4, 16) == CL_INVALID_VALUE);
    CHECK(fill(shared, nullptr, 4, 16) == CL_INVALID_VALUE);
    CHECK(fill(shared, "abcd", 0, 16) == CL_INVALID_VALUE);
    CHECK(fill(shared, "abcd", 3, 15) == CL_INVALID_VALUE);
    CHECK(fill(shared, "abcd", 256, 256) == CL_INVALID_VALUE);
    CHECK(fill(shared + 2, "abcd", 4, 16) == CL_INVALID_VALUE);
    CHECK(fill(shared, "abcd", 4, 15) == CL_INVALID_VALUE);
    CHECK(fill(shared, "abcd", 4, 2048) == CL_INVALID_VALUE);
    CHECK(clEnqueueSVMMemFill(nullptr, shared, "abcd", 4, 16, 0, nullptr, nullptr) ==
          CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("5.6.1 freeing in the order of commands") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    cl_kernel add = f.make_kernel(kAdd, "add");
    void* shared[] = {clSVMAlloc(f.context, 0, 4000, 0), clSVMAlloc(f.context, 0, 4000, 0)};
    CHECK(clSetKernelArgSVMPointer(add, 0, shared[0]) == CL_SUCCESS);
    CHECK(set(add, 1, 10) == CL_SUCCESS);
    CHECK(run(f.queue, add, 1000) == CL_SUCCESS);
    CHECK(clEnqueueSVMFree(f.queue, 2, shared, nullptr, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
    const void* freed = shared[0];
    shared[0] = shared[1] = nullptr;  // the list may be used again when the call has returned
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clEnqueueSVMMigrateMem(f.queue, 1, &freed, nullptr, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);

    struct Seen {
        cl_context context;
        cl_command_queue queue = nullptr;
        cl_uint count = 0;
        std::array<void*, 2> pointers = {};
    } seen{.context = f.context};
    const auto callback = [](cl_command_queue queue, cl_uint count, void* pointers[], void* user_data) {
        Seen& out = *static_cast<Seen*>(user_data);
        out.queue = queue;
        out.count = count;
        for (cl_uint i = 0; i < count && i < 2; ++i) {
            out.pointers[i] = pointers[i];
            clSVMFree(out.context, pointers[i]);
        }
        CHECK(clFlush(queue) == CL_SUCCESS);
    };
    void* others[] = {clSVMAlloc(f.context, 0, 40, 0), clSVMAlloc(f.context, 0, 40, 0)};
    cl_event event = nullptr, user = clCreateUserEvent(f.context, nullptr);
    CHECK(clEnqueueSVMFree(f.queue, 2, others, callback, &seen, 1, &user, &event) == CL_SUCCESS);
    CHECK(info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE) == CL_COMMAND_SVM_FREE);
    CHECK(seen.count == 0);
    CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(seen.queue == f.queue);
    CHECK(seen.count == 2);
    CHECK(seen.pointers == std::array<void*, 2>{others[0], others[1]});
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
    CHECK(clReleaseEvent(user) == CL_SUCCESS);

    // Nothing to free: a marker, whose function is called.
    seen.queue = nullptr;
    CHECK(clEnqueueSVMFree(f.queue, 0, nullptr, callback, &seen, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(seen.queue == f.queue);
    CHECK(seen.count == 0);
    CHECK(clEnqueueSVMFree(f.queue, 0, others, nullptr, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clEnqueueSVMFree(f.queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clEnqueueSVMFree(nullptr, 1, others, nullptr, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("5.6.1 memory that is freed while a kernel uses it stays for that kernel") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    const UnifiedSvm by_properties;
    cl_kernel add = f.make_kernel(kAdd, "add");
    cl_command_queue second = f.make_queue(0);
    const auto free = [&](void* pointer, bool has_properties) {
        if (has_properties)
            CHECK(by_properties.free(f.context, nullptr, 0, pointer) == CL_SUCCESS);
        else
            clSVMFree(f.context, pointer);
    };
    for (const bool has_properties : {false, true}) {
        CAPTURE(has_properties);
        cl_event gate = clCreateUserEvent(f.context, nullptr);
        // a part of a larger memory, and one of its own
        for (const size_t count : {size_t{1000}, size_t{20} << 20}) {
            void* memory = clSVMAlloc(f.context, 0, count * sizeof(cl_int), 0);
            REQUIRE(memory != nullptr);
            REQUIRE(clSetKernelArgSVMPointer(add, 0, memory) == CL_SUCCESS);
            REQUIRE(set(add, 1, cl_int{1}) == CL_SUCCESS);
            REQUIRE(clEnqueueNDRangeKernel(f.queue, add, 1, nullptr, &count, nullptr, 1, &gate, nullptr) ==
                    CL_SUCCESS);
            free(memory, has_properties);
            CHECK(clEnqueueSVMMigrateMem(second, 1, const_cast<const void**>(&memory), nullptr, 0, 0, nullptr,
                                         nullptr) == CL_INVALID_VALUE);
        }
        std::vector<cl_int*> others;
        const cl_int zero = 0;
        for (int i = 0; i < 8; ++i) {
            others.push_back(f.allocate<cl_int>(1000));
            CHECK(clEnqueueSVMMemFill(second, others.back(), &zero, 4, 4000, 0, nullptr, nullptr) ==
                  CL_SUCCESS);
        }
        CHECK(clFinish(second) == CL_SUCCESS);
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        for (cl_int* other : others) CHECK(f.values(other, 1000) == std::vector<cl_int>(1000));
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    }
}

TEST_CASE("5.6.1 a function that frees is called without anybody waiting") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    std::atomic<bool> called = false;
    const auto callback = [](cl_command_queue, cl_uint, void*[], void* user_data) {
        *static_cast<std::atomic<bool>*>(user_data) = true;
    };
    void* pointer = f.allocate<cl_int>(1);
    CHECK(clEnqueueSVMFree(f.queue, 1, &pointer, callback, &called, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    const auto comes = [&] {
        for (int i = 0; i < 60000 && !called; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return called.exchange(false);
    };
    CHECK(comes());

    // The same for one that is pending, and for one that waits for a pending command of another queue.
    cl_command_queue other = f.make_queue(0);
    for (const bool by_marker : {false, true}) {
        CAPTURE(by_marker);
        cl_event user = clCreateUserEvent(f.context, nullptr), marker = nullptr;
        CHECK(clEnqueueMarkerWithWaitList(other, 1, &user, &marker) == CL_SUCCESS);
        pointer = f.allocate<cl_int>(1);
        CHECK(clEnqueueSVMFree(f.queue, 1, &pointer, callback, &called, 1, by_marker ? &marker : &user,
                               nullptr) == CL_SUCCESS);
        CHECK(clFlush(f.queue) == CL_SUCCESS);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the queue's thread finds nothing to do
        CHECK(!called);
        CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
        CHECK(comes());
        CHECK(clReleaseEvent(marker) == CL_SUCCESS);
        CHECK(clReleaseEvent(user) == CL_SUCCESS);
    }
}

namespace {

/// A function that waits until the program lets it go on, for a minute at most.
struct WaitingFree {
    std::atomic<bool> runs = false, may_end = false, was_let_go = false;

    static void CL_CALLBACK call(cl_command_queue, cl_uint, void*[], void* user_data) {
        auto& self = *static_cast<WaitingFree*>(user_data);
        self.runs = true;
        for (int i = 0; i < 60000 && !self.may_end; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        self.was_let_go = self.may_end.load();
    }
    void wait_until_it_runs() const {
        while (!runs) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
};

}  // namespace

TEST_CASE("5.6.1 calls that do not block go on while a function frees, and what comes after it waits") {
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        CAPTURE(properties);
        SvmFixture f(properties);
        if (f.capabilities() == 0) return;
        cl_int *freed = f.allocate<cl_int>(4), *other = f.allocate<cl_int>(4);
        f.write(freed, counted(4, 7));
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        WaitingFree function;
        cl_event before = nullptr, free = nullptr, after = nullptr, copied = nullptr;
        void* list[] = {freed};
        CHECK(clEnqueueMarkerWithWaitList(f.queue, 0, nullptr, &before) == CL_SUCCESS);
        CHECK(clEnqueueSVMFree(f.queue, 1, list, WaitingFree::call, &function, 0, nullptr, &free) ==
              CL_SUCCESS);
        CHECK(clFlush(f.queue) == CL_SUCCESS);
        function.wait_until_it_runs();
        CHECK(status(before) == CL_COMPLETE);
        CHECK(status(free) != CL_COMPLETE);
        CHECK(clEnqueueMarkerWithWaitList(f.queue, 1, &free, &after) == CL_SUCCESS);
        CHECK(clEnqueueSVMMemcpy(f.queue, CL_FALSE, other, freed, 16, 1, &after, &copied) == CL_SUCCESS);
        CHECK(clFlush(f.queue) == CL_SUCCESS);
        std::atomic<bool> is_finished = false;
        std::thread finishes([&] {
            clFinish(f.queue);
            is_finished = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK(!is_finished);
        CHECK(status(after) != CL_COMPLETE);
        CHECK(status(copied) != CL_COMPLETE);
        function.may_end = true;
        finishes.join();
        CHECK(function.was_let_go);
        for (const cl_event event : {before, free, after, copied}) {
            CHECK(status(event) == CL_COMPLETE);
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
        }
        CHECK(f.values(other, 4) == counted(4, 7));
    }
}

TEST_CASE("5.6.1 functions of two queues that free ask for each other's events") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    struct Side {
        Side* other = nullptr;
        cl_event after = nullptr;
        std::atomic<bool> runs = false;
        std::atomic<cl_int> seen = 1;
    } sides[2];
    const auto ask = [](cl_command_queue, cl_uint, void*[], void* user_data) {
        Side& self = *static_cast<Side*>(user_data);
        self.runs = true;
        for (int i = 0; i < 1000 && !self.other->runs; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        self.seen = status(self.other->after);
    };
    cl_event user = clCreateUserEvent(f.context, nullptr);
    std::vector<std::thread> threads;
    for (Side& side : sides) {
        side.other = &sides[&side == &sides[0] ? 1 : 0];
        cl_command_queue queue = f.make_queue(0);
        void* list[] = {f.allocate<cl_int>(1)};
        CHECK(clEnqueueSVMFree(queue, 1, list, ask, &side, 1, &user, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &side.after) == CL_SUCCESS);
        threads.emplace_back([queue] { clFinish(queue); });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
    for (std::thread& thread : threads) thread.join();
    for (const Side& side : sides) {
        CHECK(side.seen >= 0);
        CHECK(side.seen != 1);
        CHECK(status(side.after) == CL_COMPLETE);
        CHECK(clReleaseEvent(side.after) == CL_SUCCESS);
    }
    CHECK(clReleaseEvent(user) == CL_SUCCESS);
}

TEST_CASE("5.2.1 buffers on shared memory") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    cl_program program = f.build(kAdd);
    cl_kernel add = f.make_kernel(program, "add"), by_pointer = f.make_kernel(program, "add");
    cl_int* shared = f.allocate<cl_int>(256);
    f.write(shared, counted(256));
    cl_mem buffer = f.make_buffer(192 * sizeof(cl_int), shared + 64, CL_MEM_USE_HOST_PTR);
    CHECK(info<cl_bool>(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER) == CL_TRUE);
    CHECK(info<void*>(clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR) == shared + 64);
    CHECK(info<size_t>(clGetMemObjectInfo, buffer, CL_MEM_OFFSET) == 0);
    CHECK(info<cl_bool>(clGetMemObjectInfo, f.make_buffer(4), CL_MEM_USES_SVM_POINTER) == CL_FALSE);
    cl_int outside[4] = {};
    CHECK(info<cl_bool>(clGetMemObjectInfo, f.make_buffer(16, outside, CL_MEM_USE_HOST_PTR),
                        CL_MEM_USES_SVM_POINTER) == CL_FALSE);
    const cl_buffer_region region = {128, 128};
    cl_int code = 1;
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.insert(f.buffers.begin(), part);
    CHECK(info<cl_bool>(clGetMemObjectInfo, part, CL_MEM_USES_SVM_POINTER) == CL_TRUE);
    CHECK(info<size_t>(clGetMemObjectInfo, part, CL_MEM_OFFSET) == 128);
    CHECK(info<void*>(clGetMemObjectInfo, part, CL_MEM_HOST_PTR) == shared + 96);

    // What an object copies when it is made ends where the allocation does.
    const cl_image_format format{CL_R, CL_SIGNED_INT32};
    for (const size_t more : {0, 4}) {
        CAPTURE(more);
        const cl_int expected_code = more == 0 ? CL_SUCCESS : CL_INVALID_HOST_PTR;
        cl_mem copied = clCreateBuffer(f.context, CL_MEM_COPY_HOST_PTR, 1024 + more, shared, &code);
        CHECK(code == expected_code);
        if (copied) CHECK(clReleaseMemObject(copied) == CL_SUCCESS);
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 16,
                                 .image_height = 16,
                                 .image_row_pitch = 64 + more};
        for (const cl_mem_flags flags : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
            cl_mem image = clCreateImage(f.context, flags, &format, &desc, shared, &code);
            CHECK(code == expected_code);
            if (image) CHECK(clReleaseMemObject(image) == CL_SUCCESS);
        }
    }

    // By the buffer, by a part of it and by the pointer kernels see one memory.
    CHECK(set(add, 0, buffer) == CL_SUCCESS);
    CHECK(set(add, 1, 1000) == CL_SUCCESS);
    CHECK(run(f.queue, add, 192) == CL_SUCCESS);
    CHECK(set(add, 0, part) == CL_SUCCESS);
    CHECK(run(f.queue, add, 32) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(by_pointer, 0, shared + 96) == CL_SUCCESS);
    CHECK(set(by_pointer, 1, 1000) == CL_SUCCESS);
    CHECK(run(f.queue, by_pointer, 1) == CL_SUCCESS);
    std::vector<cl_int> expected = counted(256);
    for (size_t i = 64; i < 256; ++i) expected[i] += 1000;
    for (size_t i = 96; i < 128; ++i) expected[i] += 1000;
    expected[96] += 1000;
    CHECK(f.values(shared, 256) == expected);
    CHECK(f.read<cl_int>(buffer, 192) == std::vector<cl_int>(expected.begin() + 64, expected.end()));

    // Its maps are at the pointer too.
    for (const cl_mem mapped : {buffer, part}) {
        const size_t first = mapped == buffer ? 64 : 96;
        auto* at = static_cast<cl_int*>(clEnqueueMapBuffer(
            f.queue, mapped, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 8, 16, 0, nullptr, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(at == shared + first + 2);
        CHECK(std::vector<cl_int>(at, at + 4) ==
              std::vector<cl_int>(&expected[first + 2], &expected[first + 6]));
        at[1] = expected[first + 3] = -7;
        CHECK(clEnqueueUnmapMemObject(f.queue, mapped, at, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(f.values(shared, 256) == expected);
    }
    CHECK(clCreateBuffer(f.context, CL_MEM_USE_HOST_PTR, 1028, shared, &code) == nullptr);
    CHECK(code == CL_INVALID_BUFFER_SIZE);
}

TEST_CASE("5.15 what was flushed runs once it can, without another call of the program") {
    SvmFixture f;
    if (!f.has(CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) return;
    cl_kernel kernel = f.make_kernel("kernel void k(global volatile int *p, int n) { *p = n; }", "k");
    auto* shared = static_cast<volatile cl_int*>(
        f.allocate<cl_int>(16, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER));
    CHECK(clSetKernelArgSVMPointer(kernel, 0, const_cast<cl_int*>(shared)) == CL_SUCCESS);
    for (const cl_command_queue_properties how :
         {cl_command_queue_properties{0}, cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE}}) {
        cl_command_queue queue = f.make_queue(how);
        *shared = 0;
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code);
        const size_t one = 1;
        for (cl_int n = 1; n <= 3; ++n) {
            CHECK(set(kernel, 1, n) == CL_SUCCESS);
            CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, n == 1 ? 1 : 0,
                                         n == 1 ? &gate : nullptr, nullptr) == CL_SUCCESS);
        }
        CHECK(clFlush(queue) == CL_SUCCESS);
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (*shared != 3 && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(*shared == 3);
        CHECK(clFinish(queue) == CL_SUCCESS);
        CHECK(clReleaseEvent(gate) == CL_SUCCESS);
    }
}

TEST_CASE("5.6.1 shared memory as the host's side of other commands") {
    SvmFixture f;
    if (!f.has(CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) return;
    cl_program program = f.build(kAdd);
    cl_kernel add = f.make_kernel(program, "add");
    const size_t count = 4096, size = count * sizeof(cl_int);
    cl_int* shared = f.allocate<cl_int>(count, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
    std::vector<cl_int> in = counted(count);
    cl_mem buffer = f.make_buffer(size, in.data()), other = f.make_buffer(size);
    CHECK(clSetKernelArgSVMPointer(add, 0, shared) == CL_SUCCESS);
    CHECK(set(add, 1, 1) == CL_SUCCESS);
    const std::array<size_t, 3> zero = {}, region = {size / 4, 4, 1};
    // Each command meets what the one before it brought, whether the host or the device does it.
    CHECK(clEnqueueReadBufferRect(f.queue, buffer, CL_FALSE, zero.data(), zero.data(), region.data(), 0, 0, 0,
                                  0, shared, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(run(f.queue, add, count) == CL_SUCCESS);
    CHECK(clEnqueueWriteBufferRect(f.queue, other, CL_FALSE, zero.data(), zero.data(), region.data(), 0, 0, 0,
                                   0, shared, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(f.queue, other, CL_FALSE, 0, size / 2, shared, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(run(f.queue, add, count) == CL_SUCCESS);
    CHECK(clEnqueueWriteBuffer(f.queue, buffer, CL_FALSE, 0, size, shared, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(run(f.queue, add, count) == CL_SUCCESS);
    CHECK(f.read<cl_int>(other, count) == counted(count, 1));
    CHECK(f.read<cl_int>(buffer, count) == counted(count, 2));
    CHECK(std::vector<cl_int>(shared, shared + count) == counted(count, 3));
}

TEST_CASE("5.6.1 fine-grained memory: the host and a kernel add to one number at one time") {
    SvmFixture f;
    if (!f.has(CL_DEVICE_SVM_ATOMICS)) return;
    cl_kernel kernel = f.make_kernel(R"(
        kernel void count(global atomic_int *counter) {
            for (int i = 0; i < 100; ++i)
                atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_all_svm_devices);
        })",
                                     "count", "-cl-std=CL3.0");
    auto* counter = f.allocate<std::atomic<cl_int>>(
        1, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
    *counter = 0;
    CHECK(clSetKernelArgSVMPointer(kernel, 0, counter) == CL_SUCCESS);
    cl_event event = nullptr;
    CHECK(run(f.queue, kernel, 10'000, &event) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    cl_int by_host = 0;
    while (status(event) > CL_COMPLETE) {
        *counter += 1;
        ++by_host;
    }
    CHECK(status(event) == CL_COMPLETE);
    CHECK(*counter == 1'000'000 + by_host);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("5.6.1 memory of the system, without any allocation of ours") {
    SvmFixture f;
    if (!f.has(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) return;
    cl_kernel kernel =
        f.make_kernel("kernel void through(global int *global *list) { list[get_global_id(0)][0] += 1; }",
                      "through", "-cl-std=CL3.0");
    std::vector<cl_int> values = counted(64);
    std::vector<cl_int*> list;
    for (cl_int& value : values) list.push_back(&value);
    CHECK(clSetKernelArgSVMPointer(kernel, 0, list.data()) == CL_SUCCESS);
    const cl_bool yes = CL_TRUE;
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes) ==
          CL_SUCCESS);
    CHECK(run(f.queue, kernel, 64) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(values == counted(64, 1));
}

TEST_CASE("5.6.1 a map for reading leaves alone what the program writes to mapped memory") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    cl_int* shared = f.allocate<cl_int>(256);
    f.write(shared, std::vector<cl_int>(256, 1));
    std::vector<cl_int> expected(256, 1);
    std::fill_n(expected.begin() + 100, 20, 2);
    f.with_host(shared + 100, 20, CL_MAP_WRITE, [&](cl_int* written) {
        std::fill_n(written, 20, 2);
        CHECK(f.values(shared, 256) == expected);
        CHECK(f.values(shared + 110, 30) == std::vector(expected.begin() + 110, expected.begin() + 140));
        CHECK(std::vector(written, written + 20) == std::vector<cl_int>(20, 2));
    });
    CHECK(f.values(shared, 256) == expected);
}

TEST_CASE("5.6.1 maps and unmaps of shared memory that are held up keep what the program writes") {
    enum class Case { UnmapWaits, ReadWaits, FillBeforeRead, MapFails, UnmapFails };
    for (const Case held_up :
         {Case::UnmapWaits, Case::ReadWaits, Case::FillBeforeRead, Case::MapFails, Case::UnmapFails}) {
        CAPTURE(static_cast<int>(held_up));
        SvmFixture f;
        if (f.capabilities() == 0) return;
        cl_command_queue other = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        cl_int* shared = f.allocate<cl_int>(64);
        f.write(shared, std::vector<cl_int>(64, 1));
        cl_event gate = clCreateUserEvent(f.context, nullptr), held = nullptr;
        const auto map = [&](cl_command_queue queue, cl_map_flags how, cl_event* event = nullptr) {
            CHECK(clEnqueueSVMMap(queue, !event, how, shared, 256, event ? 1 : 0, event ? &gate : nullptr,
                                  event) == CL_SUCCESS);
        };
        const auto unmap = [&](cl_event* event = nullptr) {
            CHECK(clEnqueueSVMUnmap(f.queue, shared, event ? 1 : 0, event ? &gate : nullptr, event) ==
                  CL_SUCCESS);
        };
        const auto fill = [&](cl_int value) {
            CHECK(clEnqueueSVMMemFill(f.queue, shared, &value, 4, 256, 0, nullptr, nullptr) == CL_SUCCESS);
        };
        const auto has = [&](cl_int value) { return std::count(shared, shared + 64, value) == 64; };
        const bool fails = held_up == Case::MapFails || held_up == Case::UnmapFails;
        if (held_up == Case::ReadWaits) map(other, CL_MAP_READ, &held);
        if (held_up == Case::MapFails) {
            fill(7);
            map(f.queue, CL_MAP_WRITE, &held);
            unmap();
        } else {
            map(f.queue, CL_MAP_WRITE);
            std::fill_n(shared, 64, 5);
        }
        if (held_up == Case::UnmapWaits || held_up == Case::UnmapFails) {
            unmap(&held);
            map(other, CL_MAP_READ);
            CHECK(has(5));
        }
        if (held_up == Case::FillBeforeRead) {
            map(other, CL_MAP_READ, &held);
            unmap();
            fill(7);
            CHECK(clFinish(f.queue) == CL_SUCCESS);
        }
        CHECK(clSetUserEventStatus(gate, fails ? -5 : CL_COMPLETE) == CL_SUCCESS);
        clWaitForEvents(1, &held);
        const cl_int expected = held_up == Case::FillBeforeRead || held_up == Case::MapFails ? 7 : 5;
        if (held_up != Case::MapFails) CHECK(has(expected));
        if (held_up == Case::ReadWaits || held_up == Case::UnmapFails) {  // two are still mapped
            unmap();
            unmap();
        }
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(f.values(shared, 64) == std::vector<cl_int>(64, expected));
        CHECK(clFinish(other) == CL_SUCCESS);
        for (cl_event each : {gate, held}) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    }
}

TEST_CASE("5.6.1 errors of commands") {
    SvmFixture f, other;
    if (f.capabilities() == 0) return;
    cl_int* shared = f.allocate<cl_int>(64);
    cl_int host[64] = {};
    cl_event none = nullptr;
    const auto copy = [&](cl_command_queue queue, void* to, const void* from, size_t size) {
        return clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, size, 0, nullptr, nullptr);
    };
    CHECK(copy(nullptr, shared, host, 256) == CL_INVALID_COMMAND_QUEUE);
    CHECK(copy(f.queue, nullptr, host, 256) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, shared, nullptr, 256) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, shared, host, 257) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, host, shared + 63, 8) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, shared, shared + 4, 64) == CL_MEM_COPY_OVERLAP);
    CHECK(copy(f.queue, shared + 4, shared, 17) == CL_MEM_COPY_OVERLAP);
    CHECK(copy(f.queue, shared + 4, shared, 16) == CL_SUCCESS);
    CHECK(copy(f.queue, shared, host, 0) == CL_SUCCESS);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, shared, host, 4, 1, nullptr, nullptr) ==
          CL_INVALID_EVENT_WAIT_LIST);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, shared, host, 4, 1, &none, nullptr) ==
          CL_INVALID_EVENT_WAIT_LIST);
    cl_event foreign = clCreateUserEvent(other.context, nullptr);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, shared, host, 4, 1, &foreign, nullptr) == CL_INVALID_CONTEXT);
    CHECK(clReleaseEvent(foreign) == CL_SUCCESS);
    cl_event failed = clCreateUserEvent(f.context, nullptr);
    CHECK(clSetUserEventStatus(failed, -1) == CL_SUCCESS);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, shared, host, 4, 1, &failed, nullptr) ==
          CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(clReleaseEvent(failed) == CL_SUCCESS);

    const auto map = [&](cl_command_queue queue, cl_map_flags flags, void* pointer, size_t size) {
        return clEnqueueSVMMap(queue, CL_TRUE, flags, pointer, size, 0, nullptr, nullptr);
    };
    CHECK(map(nullptr, CL_MAP_READ, shared, 4) == CL_INVALID_COMMAND_QUEUE);
    CHECK(map(f.queue, CL_MAP_READ, nullptr, 4) == CL_INVALID_VALUE);
    CHECK(map(f.queue, CL_MAP_READ, shared, 0) == CL_INVALID_VALUE);
    CHECK(map(f.queue, CL_MAP_READ, shared, 257) == CL_INVALID_VALUE);
    CHECK(map(f.queue, 1 << 8, shared, 4) == CL_INVALID_VALUE);
    CHECK(map(f.queue, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, shared, 4) == CL_INVALID_VALUE);
    CHECK(clEnqueueSVMUnmap(nullptr, shared, 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
    CHECK(clEnqueueSVMUnmap(f.queue, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);

    const void* pointers[] = {shared, shared + 10};
    const size_t sizes[] = {0, 216}, too_large[] = {4, 217};
    const auto migrate = [&](cl_uint count, const void** list, const size_t* size_list,
                             cl_mem_migration_flags flags) {
        return clEnqueueSVMMigrateMem(f.queue, count, list, size_list, flags, 0, nullptr, nullptr);
    };
    CHECK(migrate(2, pointers, sizes, 0) == CL_SUCCESS);
    CHECK(migrate(2, pointers, nullptr, CL_MIGRATE_MEM_OBJECT_HOST) == CL_SUCCESS);
    CHECK(migrate(0, pointers, sizes, 0) == CL_INVALID_VALUE);
    CHECK(migrate(2, nullptr, sizes, 0) == CL_INVALID_VALUE);
    CHECK(migrate(2, pointers, too_large, 0) == CL_INVALID_VALUE);
    CHECK(migrate(2, pointers, sizes, 1 << 7) == CL_INVALID_VALUE);
    pointers[1] = host;
    CHECK(migrate(2, pointers, nullptr, 0) == CL_INVALID_VALUE);
}

TEST_CASE("5.9.2 errors of pointers as arguments, and what kernels are told of pointers") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    cl_kernel kernel =
        f.make_kernel("kernel void k(global int *p, local int *l, int n) { *p = n; *l = n; }", "k");
    cl_int* shared = f.allocate<cl_int>(4);
    cl_int outside = 0;
    const bool has_system = f.has(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    CHECK(clSetKernelArgSVMPointer(nullptr, 0, shared) == CL_INVALID_KERNEL);
    CHECK(clSetKernelArgSVMPointer(kernel, 3, shared) == CL_INVALID_ARG_INDEX);
    CHECK(clSetKernelArgSVMPointer(kernel, 1, shared) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArgSVMPointer(kernel, 2, shared) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArgSVMPointer(kernel, 0, &outside) == CL_SUCCESS);  // cl_khr_unified_svm: any pointer
    CHECK(clSetKernelArgSVMPointer(kernel, 0, nullptr) == CL_SUCCESS);

    const auto tell = [&](cl_kernel_exec_info name, size_t size, const void* value) {
        return clSetKernelExecInfo(kernel, name, size, value);
    };
    void* const pointers[] = {shared, shared + 1};
    void* const foreign[] = {&outside};
    CHECK(tell(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers) == CL_SUCCESS);
    CHECK(tell(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof foreign, foreign) == CL_SUCCESS);
    CHECK(tell(CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_SUCCESS);  // takes back what was told
    CHECK(tell(CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, pointers) == CL_INVALID_VALUE);
    CHECK(tell(CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, pointers) == CL_INVALID_VALUE);
    CHECK(tell(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, nullptr) == CL_INVALID_VALUE);
    const cl_bool yes = CL_TRUE, no = CL_FALSE;
    constexpr cl_kernel_exec_info kSystem = CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
    CHECK(tell(kSystem, sizeof no, &no) == CL_SUCCESS);
    CHECK(tell(kSystem, sizeof yes, &yes) == (has_system ? CL_SUCCESS : CL_INVALID_OPERATION));
    CHECK(tell(kSystem, 1, &yes) == CL_INVALID_VALUE);
    CHECK(tell(0x1234, sizeof yes, &yes) == CL_INVALID_VALUE);
    CHECK(clSetKernelExecInfo(nullptr, kSystem, sizeof no, &no) == CL_INVALID_KERNEL);
}

TEST_CASE("5.6.1 shared memory that the program never frees goes with its context") {
    SvmFixture f;
    if (f.capabilities() == 0) return;
    CHECK(clSVMAlloc(f.context, 0, 1 << 20, 0) != nullptr);
}
