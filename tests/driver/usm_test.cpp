// SPDX-License-Identifier: Apache-2.0
// Unified shared memory (cl_intel_unified_shared_memory): allocations of the host, of a device, and of both,
// with pointers between them, and commands on them. Each kind is used where the device has it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

#include "tests/driver/fixture.h"
#include "tests/driver/unified_svm.h"
#include "tests/driver/usm.h"

using namespace caldera::driver_test;

namespace {

using Capabilities = cl_device_unified_shared_memory_capabilities_intel;

constexpr std::array kKinds = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_SHARED_INTEL};

struct UsmFixture : Fixture, Usm {
    using Fixture::Fixture;
    ~UsmFixture() {
        CHECK(clFinish(queue) == CL_SUCCESS);
        for (void* pointer : allocations) CHECK(free(context, pointer) == CL_SUCCESS);
    }
    bool is_offered() const {
        return text(clGetDeviceInfo, the_device, CL_DEVICE_EXTENSIONS)
                   .find("cl_intel_unified_shared_memory") != std::string::npos;
    }
    Capabilities capabilities(cl_device_info name) const {
        return info<Capabilities>(clGetDeviceInfo, the_device, name);
    }
    bool has(cl_uint kind) const { return capabilities(query_of(kind)) != 0; }
    /// Null and the code if it fails.
    void* try_allocate(cl_uint kind, size_t size, cl_uint alignment = 0, cl_int* code = nullptr,
                       const cl_mem_properties_intel* properties = nullptr) {
        cl_int ignored = 1;
        cl_int* const to = code ? code : &ignored;
        void* pointer = kind == CL_MEM_TYPE_HOST_INTEL
                            ? allocate_host(context, properties, size, alignment, to)
                        : kind == CL_MEM_TYPE_DEVICE_INTEL
                            ? allocate_device(context, the_device, properties, size, alignment, to)
                            : allocate_shared(context, the_device, properties, size, alignment, to);
        CHECK((pointer != nullptr) == (*to == CL_SUCCESS));
        return pointer;
    }
    template <class T>
    T* allocate(cl_uint kind, size_t count) {
        allocations.push_back(try_allocate(kind, count * sizeof(T)));
        REQUIRE(allocations.back() != nullptr);
        return static_cast<T*>(allocations.back());
    }
    template <class T>
    void write(T* to, const std::vector<T>& values) {
        REQUIRE(copy(queue, CL_TRUE, to, values.data(), values.size() * sizeof(T), 0, nullptr, nullptr) ==
                CL_SUCCESS);
    }
    template <class T>
    std::vector<T> values(const T* from, size_t count) {
        std::vector<T> out(count);
        REQUIRE(copy(queue, CL_TRUE, out.data(), from, count * sizeof(T), 0, nullptr, nullptr) == CL_SUCCESS);
        return out;
    }
    template <class T>
    T info_of(const void* pointer, cl_mem_info_intel name) const {
        return info<T>(get_info, context, pointer, name);
    }

    std::vector<void*> allocations = {};
};

std::vector<cl_int> counted(size_t count, cl_int from = 0) {
    std::vector<cl_int> out(count);
    std::iota(out.begin(), out.end(), from);
    return out;
}

constexpr const char* kKernels = R"(
    kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }
    typedef struct Node { global struct Node *next; int value, visits; } Node;
    kernel void walk(global Node *list, global int *sum) {
        int all = 0;
        for (global Node *node = list; node; node = node->next) {
            all += node->value;
            node->visits += 1;
        }
        *sum = all;
    }
    kernel void shapes(global int *p, local int *l, constant int *c, int n) { *p = *c + n; *l = n; })";

struct Node {
    Node* next = nullptr;
    cl_int value = 0, visits = 0;
};

}  // namespace

TEST_CASE("cl_intel_unified_shared_memory: capabilities, and a device without them") {
    UsmFixture f;
    constexpr Capabilities kAll = 15;
    for (const cl_device_info name :
         {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
          CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
          CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
          CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL}) {
        const Capabilities has = f.capabilities(name);
        CHECK(!(has & ~kAll));
        CHECK((has == 0 || has & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL));
    }
    CHECK(f.is_offered() == f.has(CL_MEM_TYPE_DEVICE_INTEL));
    CHECK(f.has(CL_MEM_TYPE_HOST_INTEL) == f.has(CL_MEM_TYPE_SHARED_INTEL));
    // What clSVMAlloc says of the system's memory.
    const auto svm =
        info<cl_device_svm_capabilities>(clGetDeviceInfo, f.the_device, CL_DEVICE_SVM_CAPABILITIES);
    CHECK(bool(svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ==
          bool(f.capabilities(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL)));
    for (const cl_uint kind : kKinds) {
        if (f.has(kind)) continue;
        cl_int code = 1;
        CHECK(f.try_allocate(kind, 64, 0, &code) == nullptr);
        CHECK(code == CL_INVALID_OPERATION);
    }
    if (f.is_offered()) return;
    int value = 0;
    cl_kernel kernel = f.make_kernel("kernel void k(global int *p) { *p = 1; }", "k");
    const cl_bool yes = CL_TRUE;
    CHECK(f.set_argument(kernel, 0, &value) == CL_INVALID_OPERATION);
    CHECK(f.copy(f.queue, CL_TRUE, &value, &value + 1, 4, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, 4, &yes) ==
          CL_INVALID_OPERATION);
}

TEST_CASE("cl_intel_unified_shared_memory: kernels and copies use all kinds") {
    UsmFixture f;
    if (!f.is_offered()) return;
    cl_kernel add = f.make_kernel(kKernels, "add");
    for (const cl_uint kind : kKinds) {
        if (!f.has(kind)) continue;
        CAPTURE(kind);
        auto* memory = f.allocate<cl_int>(kind, 1000);
        f.write(memory, counted(1000));
        REQUIRE(f.set_argument(add, 0, memory) == CL_SUCCESS);
        REQUIRE(set(add, 1, 10) == CL_SUCCESS);
        REQUIRE(run(f.queue, add, 1000) == CL_SUCCESS);
        CHECK(f.values(memory, 1000) == counted(1000, 10));
        REQUIRE(f.set_argument(add, 0, memory + 333) == CL_SUCCESS);
        REQUIRE(run(f.queue, add, 1) == CL_SUCCESS);
        CHECK(f.values(memory + 332, 3) == std::vector<cl_int>{342, 353, 344});
        const cl_short pattern[] = {7, 8};
        REQUIRE(f.fill(f.queue, memory + 2, pattern, 4, 16, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(f.values(memory + 1, 6) == std::vector<cl_int>{11, 0x80007, 0x80007, 0x80007, 0x80007, 16});
        // Buffers are read into the memory and written from it.
        std::vector<cl_int> in = counted(100, 5000);
        cl_mem buffer = f.make_buffer(400, in.data());
        REQUIRE(clEnqueueReadBuffer(f.queue, buffer, CL_FALSE, 0, 400, memory + 10, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        REQUIRE(f.set_argument(add, 0, memory + 10) == CL_SUCCESS);
        REQUIRE(run(f.queue, add, 100) == CL_SUCCESS);
        REQUIRE(clEnqueueWriteBuffer(f.queue, buffer, CL_FALSE, 0, 400, memory + 10, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        CHECK(f.read<cl_int>(buffer, 100) == counted(100, 5010));
    }
}

TEST_CASE("cl_intel_unified_shared_memory: the host accesses its memory without any map") {
    UsmFixture f;
    if (!f.is_offered()) return;
    cl_kernel add = f.make_kernel(kKernels, "add");
    for (const cl_uint kind : {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_SHARED_INTEL}) {
        if (!f.has(kind)) continue;
        CAPTURE(kind);
        auto* memory = f.allocate<cl_int>(kind, 5000);
        std::vector<cl_int> expected = counted(5000);
        std::ranges::copy(expected, memory);
        REQUIRE(f.set_argument(add, 0, memory) == CL_SUCCESS);
        REQUIRE(set(add, 1, 3) == CL_SUCCESS);
        for (int round = 0; round < 20; ++round) {
            REQUIRE(run(f.queue, add, 4000) == CL_SUCCESS);
            for (size_t i = 4000; i < 5000; ++i) memory[i] += 1;  // beside the kernel
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
            for (size_t i = 0; i < 4000; ++i) expected[i] += 3;
            for (size_t i = 4000; i < 5000; ++i) expected[i] += 1;
            CHECK(std::ranges::equal(expected, std::vector<cl_int>(memory, memory + 5000)));
            for (size_t i = 0; i < 5000; i += 7) expected[i] = memory[i] = static_cast<cl_int>(i) + round;
        }
    }
}

TEST_CASE("cl_intel_unified_shared_memory: a list through all kinds of memory, walked by a kernel") {
    UsmFixture f;
    if (!f.is_offered()) return;
    cl_kernel walk = f.make_kernel(kKernels, "walk");
    auto* sum = f.allocate<cl_int>(CL_MEM_TYPE_DEVICE_INTEL, 1);
    std::vector<Node*> nodes;
    for (int i = 0; i < 50; ++i)
        for (const cl_uint kind : kKinds)
            if (f.has(kind)) nodes.push_back(f.allocate<Node>(kind, 1));
    cl_int expected = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
        const Node node = {i + 1 < nodes.size() ? nodes[i + 1] : nullptr, static_cast<cl_int>(i * i), 0};
        expected += node.value;
        f.write(nodes[i], {node});
    }
    REQUIRE(f.set_argument(walk, 0, nodes[0]) == CL_SUCCESS);
    REQUIRE(f.set_argument(walk, 1, sum) == CL_SUCCESS);
    const cl_bool yes = CL_TRUE;
    for (const cl_kernel_exec_info name :
         {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
          CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
        const bool has =
            name == CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL || f.has(CL_MEM_TYPE_HOST_INTEL);
        CHECK(clSetKernelExecInfo(walk, name, sizeof yes, &yes) == (has ? CL_SUCCESS : CL_INVALID_OPERATION));
    }
    for (int round = 1; round <= 3; ++round) {
        REQUIRE(run(f.queue, walk, 1) == CL_SUCCESS);
        CHECK(f.values(sum, 1)[0] == expected);
        for (Node* node : nodes) CHECK(f.values(node, 1)[0].visits == round);
    }
}

TEST_CASE("cl_intel_unified_shared_memory: what is told of allocations") {
    UsmFixture f;
    if (!f.is_offered()) return;
    for (const cl_uint kind : kKinds) {
        if (!f.has(kind)) continue;
        CAPTURE(kind);
        const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                      CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
        auto* memory = static_cast<std::byte*>(f.try_allocate(kind, 100, 0, nullptr, properties));
        f.allocations.push_back(memory);
        for (const size_t at : {size_t{0}, size_t{1}, size_t{99}}) {
            CHECK(f.info_of<cl_uint>(memory + at, CL_MEM_ALLOC_TYPE_INTEL) == kind);
            CHECK(f.info_of<void*>(memory + at, CL_MEM_ALLOC_BASE_PTR_INTEL) == memory);
            CHECK(f.info_of<size_t>(memory + at, CL_MEM_ALLOC_SIZE_INTEL) == 100);
            CHECK(f.info_of<cl_device_id>(memory + at, CL_MEM_ALLOC_DEVICE_INTEL) ==
                  (kind == CL_MEM_TYPE_HOST_INTEL ? nullptr : f.the_device));
            CHECK(f.info_of<cl_mem_alloc_flags_intel>(memory + at, CL_MEM_ALLOC_FLAGS_INTEL) ==
                  CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
        }
        CHECK(f.info_of<cl_uint>(memory + 100, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_UNKNOWN_INTEL);
        CHECK(f.get_info(f.context, memory, 0x1234, 0, nullptr, nullptr) == CL_INVALID_VALUE);
        size_t size = 0;
        CHECK(f.get_info(f.context, memory, CL_MEM_ALLOC_SIZE_INTEL, 7, &size, nullptr) == CL_INVALID_VALUE);
        CHECK(f.get_info(nullptr, memory, CL_MEM_ALLOC_SIZE_INTEL, 8, &size, nullptr) == CL_INVALID_CONTEXT);
    }
    int outside = 0;
    UsmFixture other;  // whose memory is not of this context
    for (const void* pointer :
         std::array<const void*, 3>{nullptr, &outside, other.allocate<char>(CL_MEM_TYPE_DEVICE_INTEL, 8)}) {
        CHECK(f.info_of<cl_uint>(pointer, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_UNKNOWN_INTEL);
        CHECK(f.info_of<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL) == nullptr);
        CHECK(f.info_of<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL) == 0);
        CHECK(f.info_of<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL) == nullptr);
        CHECK(f.info_of<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL) == 0);
    }
    if (!f.has(CL_MEM_TYPE_SHARED_INTEL)) return;
    cl_int code = 1;
    f.allocations.push_back(f.allocate_shared(f.context, nullptr, nullptr, 64, 0, &code));
    CHECK(code == CL_SUCCESS);
    CHECK(f.info_of<cl_device_id>(f.allocations.back(), CL_MEM_ALLOC_DEVICE_INTEL) == nullptr);
}

TEST_CASE("cl_intel_unified_shared_memory: errors of allocations") {
    UsmFixture f;
    if (!f.is_offered()) return;
    const auto most = info<cl_ulong>(clGetDeviceInfo, f.the_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    for (const cl_uint kind : kKinds) {
        if (!f.has(kind)) continue;
        CAPTURE(kind);
        cl_int code = 1;
        const auto code_of = [&](size_t size, cl_uint alignment,
                                 std::vector<cl_mem_properties_intel> properties = {0}) {
            void* made = f.try_allocate(kind, size, alignment, &code, properties.data());
            CHECK(f.free(f.context, made) == CL_SUCCESS);
            return code;
        };
        for (cl_uint alignment = 1; alignment <= 65536; alignment *= 2) {
            auto* aligned = f.try_allocate(kind, 24, alignment);
            REQUIRE(aligned);
            CHECK(reinterpret_cast<uintptr_t>(aligned) % alignment == 0);
            f.allocations.push_back(aligned);
        }
        CHECK(code_of(64, 131072) == CL_INVALID_VALUE);
        CHECK(code_of(64, 3) == CL_INVALID_VALUE);
        CHECK(code_of(0, 0) == CL_INVALID_BUFFER_SIZE);
        CHECK(code_of(most + 1, 0) == CL_INVALID_BUFFER_SIZE);
        constexpr cl_mem_properties_intel kFlags = CL_MEM_ALLOC_FLAGS_INTEL;
        const cl_int of_placement = kind == CL_MEM_TYPE_SHARED_INTEL ? CL_SUCCESS : CL_INVALID_PROPERTY;
        CHECK(code_of(64, 0, {kFlags, 0, 0}) == CL_SUCCESS);
        CHECK(code_of(64, 0, {kFlags, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0}) == of_placement);
        CHECK(code_of(64, 0, {kFlags, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0}) == of_placement);
        CHECK(code_of(64, 0, {kFlags, 6, 0}) == CL_INVALID_PROPERTY);
        CHECK(code_of(64, 0, {kFlags, 1 << 8, 0}) == CL_INVALID_PROPERTY);
        CHECK(code_of(64, 0, {kFlags, 0, kFlags, 0, 0}) == CL_INVALID_PROPERTY);
        CHECK(code_of(64, 0, {0x1234, 0, 0}) == CL_INVALID_PROPERTY);
    }
    cl_int code = 1;
    CHECK(f.allocate_host(nullptr, nullptr, 64, 0, &code) == nullptr);
    CHECK(code == CL_INVALID_CONTEXT);
    CHECK(f.allocate_device(f.context, nullptr, nullptr, 64, 0, &code) == nullptr);
    CHECK(code == CL_INVALID_DEVICE);
    CHECK(f.allocate_device(nullptr, f.the_device, nullptr, 64, 0, nullptr) == nullptr);
    int outside = 0;
    auto* memory = f.allocate<char>(CL_MEM_TYPE_DEVICE_INTEL, 64);
    for (const auto& free : {f.free, f.blocking_free}) {
        CHECK(free(f.context, nullptr) == CL_SUCCESS);
        CHECK(free(nullptr, nullptr) == CL_INVALID_CONTEXT);
        CHECK(free(f.context, &outside) == CL_INVALID_VALUE);
        CHECK(free(f.context, memory + 1) == CL_INVALID_VALUE);
    }
    CHECK(f.free(f.context, memory) == CL_SUCCESS);
    CHECK(f.free(f.context, memory) == CL_INVALID_VALUE);
    f.allocations.pop_back();
}

TEST_CASE("cl_intel_unified_shared_memory: rectangles and images go to and from all kinds of memory") {
    UsmFixture f;
    if (!f.is_offered()) return;
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int code = 1;
    cl_mem image = clCreateImage(f.context, 0, &format, &desc, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(image);
    std::vector<cl_int> in = counted(64);
    cl_mem from = f.make_buffer(256, in.data()), to = f.make_buffer(64);
    const std::array<size_t, 3> origin = {}, second = {0, 1, 0}, rows = {16, 4, 1}, texels = {4, 4, 1};
    for (const cl_uint kind : kKinds) {
        if (!f.has(kind)) continue;
        CAPTURE(kind);
        auto* memory = f.allocate<cl_int>(kind, 64);
        const cl_int one = 1;
        CHECK(f.fill(f.queue, memory, &one, 4, 256, 0, nullptr, nullptr) == CL_SUCCESS);
        // The first four of each eight go to the second to fifth of rows of five.
        CHECK(clEnqueueReadBufferRect(f.queue, from, CL_FALSE, origin.data(), second.data(), rows.data(), 32,
                                      0, 20, 0, memory, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueWriteImage(f.queue, image, CL_FALSE, origin.data(), texels.data(), 20, 0, memory + 5,
                                  0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueReadImage(f.queue, image, CL_FALSE, origin.data(), texels.data(), 0, 0, memory + 32, 0,
                                 nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueWriteBufferRect(f.queue, to, CL_FALSE, origin.data(), origin.data(), rows.data(), 0, 0,
                                       0, 0, memory + 32, 0, nullptr, nullptr) == CL_SUCCESS);
        const std::vector<cl_int> packed = {0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27};
        CHECK(f.read<cl_int>(to, 16) == packed);
        CHECK(f.values(memory, 15) == std::vector<cl_int>{1, 1, 1, 1, 1, 0, 1, 2, 3, 1, 8, 9, 10, 11, 1});
        CHECK(f.values(memory + 32, 16) == packed);
    }
}

TEST_CASE("cl_intel_unified_shared_memory: frees while commands run") {
    UsmFixture f;
    if (!f.is_offered()) return;
    cl_kernel add = f.make_kernel(kKernels, "add");
    auto* memory = f.allocate<cl_int>(CL_MEM_TYPE_DEVICE_INTEL, 1000);
    f.write(memory, counted(1000));
    f.allocations.pop_back();
    REQUIRE(f.set_argument(add, 0, memory) == CL_SUCCESS);
    REQUIRE(set(add, 1, 1) == CL_SUCCESS);
    cl_event user = clCreateUserEvent(f.context, nullptr), added = nullptr;
    const size_t items = 1000;
    REQUIRE(clEnqueueNDRangeKernel(f.queue, add, 1, nullptr, &items, nullptr, 1, &user, &added) ==
            CL_SUCCESS);
    SUBCASE("the blocking one waits") {
        std::atomic<bool> is_over = false;
        std::thread waits([&] {
            CHECK(f.blocking_free(f.context, memory) == CL_SUCCESS);
            is_over = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK(!is_over);
        CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
        waits.join();
        CHECK(status(added) == CL_COMPLETE);
    }
    SUBCASE("the other one does not, and the memory stays for them") {
        CHECK(f.free(f.context, memory) == CL_SUCCESS);
        CHECK(f.info_of<cl_uint>(memory, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_UNKNOWN_INTEL);
        std::vector<cl_int*> others;
        for (int i = 0; i < 8; ++i) {
            others.push_back(f.allocate<cl_int>(CL_MEM_TYPE_DEVICE_INTEL, 1000));
            CHECK(others.back() != memory);
        }
        cl_command_queue second = f.make_queue(0);
        const cl_int zero = 0;
        for (cl_int* other : others)
            CHECK(f.fill(second, other, &zero, 4, 4000, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(clFinish(second) == CL_SUCCESS);
        for (cl_int* other : others) CHECK(f.values(other, 1000) == std::vector<cl_int>(1000));
    }
    CHECK(clReleaseEvent(user) == CL_SUCCESS);
    CHECK(clReleaseEvent(added) == CL_SUCCESS);
}

TEST_CASE("cl_intel_unified_shared_memory: errors of commands, and hints") {
    UsmFixture f, other;
    if (!f.is_offered()) return;
    auto* memory = f.allocate<cl_int>(CL_MEM_TYPE_DEVICE_INTEL, 64);
    cl_int host[64] = {};
    const auto copy = [&](cl_command_queue queue, void* to, const void* from, size_t size) {
        return f.copy(queue, CL_TRUE, to, from, size, 0, nullptr, nullptr);
    };
    CHECK(copy(nullptr, memory, host, 256) == CL_INVALID_COMMAND_QUEUE);
    CHECK(copy(f.queue, nullptr, host, 256) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, memory, nullptr, 256) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, memory, host, 257) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, host, memory + 63, 8) == CL_INVALID_VALUE);
    CHECK(copy(f.queue, memory, memory + 4, 64) == CL_MEM_COPY_OVERLAP);
    CHECK(copy(f.queue, memory + 4, memory, 16) == CL_SUCCESS);
    CHECK(copy(f.queue, memory, host, 0) == CL_SUCCESS);
    CHECK(copy(f.queue, host, host + 32, 128) == CL_SUCCESS);
    cl_event foreign = clCreateUserEvent(other.context, nullptr), event = nullptr;
    CHECK(f.copy(f.queue, CL_TRUE, memory, host, 4, 1, &foreign, nullptr) == CL_INVALID_CONTEXT);
    CHECK(f.copy(f.queue, CL_TRUE, memory, host, 4, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(clReleaseEvent(foreign) == CL_SUCCESS);

    const auto fill = [&](void* to, const void* pattern, size_t pattern_size, size_t size) {
        return f.fill(f.queue, to, pattern, pattern_size, size, 0, nullptr, nullptr);
    };
    std::array<cl_int, 64> pattern = {1, 2, 3};
    CHECK(fill(nullptr, pattern.data(), 4, 16) == CL_INVALID_VALUE);
    CHECK(fill(memory, nullptr, 4, 16) == CL_INVALID_VALUE);
    CHECK(fill(memory, pattern.data(), 3, 9) == CL_INVALID_VALUE);
    CHECK(fill(memory, pattern.data(), 0, 0) == CL_INVALID_VALUE);
    CHECK(fill(memory, pattern.data(), 256, 256) == CL_INVALID_VALUE);
    CHECK(fill(memory, pattern.data(), 8, 12) == CL_INVALID_VALUE);
    CHECK(fill(memory + 1, pattern.data(), 8, 16) == CL_INVALID_VALUE);
    CHECK(fill(memory, pattern.data(), 4, 260) == CL_INVALID_VALUE);
    CHECK(fill(memory, pattern.data(), 128, 256) == CL_SUCCESS);
    CHECK(f.values(memory + 32, 4) == std::vector<cl_int>{1, 2, 3, 0});

    const auto type_of = [&](cl_int code) {
        CHECK(code == CL_SUCCESS);
        const auto type = info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
        return type;
    };
    CHECK(type_of(f.copy(f.queue, CL_FALSE, memory, host, 4, 0, nullptr, &event)) == CL_COMMAND_MEMCPY_INTEL);
    CHECK(type_of(f.fill(f.queue, memory, host, 4, 4, 0, nullptr, &event)) == CL_COMMAND_MEMFILL_INTEL);
    CHECK(type_of(f.migrate(f.queue, memory, 256, 0, 0, nullptr, &event)) == CL_COMMAND_MIGRATEMEM_INTEL);
    CHECK(type_of(f.advise(f.queue, memory, 256, 0, 0, nullptr, &event)) == CL_COMMAND_MEMADVISE_INTEL);
    CHECK(f.migrate(f.queue, memory, 256, 1 << 7, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(f.migrate(f.queue, nullptr, 256, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(f.advise(f.queue, memory, 256, 99, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(f.advise(nullptr, memory, 256, 0, 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);

    // Commands that take memory of the host use an allocation as far as it goes.
    for (const cl_uint kind : kKinds) {
        if (!f.has(kind)) continue;
        CAPTURE(kind);
        auto* numbers = f.allocate<cl_int>(kind, 64);
        cl_mem buffer = f.make_buffer(1024);
        const std::array<size_t, 3> origin = {}, rows = {16, 8, 1};
        const auto read = [&](size_t size, size_t pitch) {
            return std::pair(
                clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, size, numbers, 0, nullptr, nullptr),
                clEnqueueReadBufferRect(f.queue, buffer, CL_TRUE, origin.data(), origin.data(), rows.data(),
                                        0, 0, pitch, 0, numbers, 0, nullptr, nullptr));
        };
        const auto write = [&](size_t size, size_t pitch) {
            return std::pair(
                clEnqueueWriteBuffer(f.queue, buffer, CL_TRUE, 0, size, numbers, 0, nullptr, nullptr),
                clEnqueueWriteBufferRect(f.queue, buffer, CL_TRUE, origin.data(), origin.data(), rows.data(),
                                         0, 0, pitch, 0, numbers, 0, nullptr, nullptr));
        };
        CHECK(read(256, 32) == std::pair(CL_SUCCESS, CL_SUCCESS));
        CHECK(read(257, 40) == std::pair(CL_INVALID_VALUE, CL_INVALID_VALUE));
        CHECK(write(256, 32) == std::pair(CL_SUCCESS, CL_SUCCESS));
        CHECK(write(257, 40) == std::pair(CL_INVALID_VALUE, CL_INVALID_VALUE));
    }

    // The host cannot read the memory of a device.
    cl_int code = 1;
    for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
        CHECK(clCreateBuffer(f.context, flags, 16, memory, &code) == nullptr);
        CHECK(code == CL_INVALID_HOST_PTR);
        const cl_image_format format = {CL_R, CL_SIGNED_INT32};
        const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
        CHECK(clCreateImage(f.context, flags, &format, &desc, memory, &code) == nullptr);
        CHECK(code == CL_INVALID_HOST_PTR);
    }

    cl_kernel kernel = f.make_kernel(kKernels, "shapes");
    CHECK(f.set_argument(nullptr, 0, memory) == CL_INVALID_KERNEL);
    CHECK(f.set_argument(kernel, 4, memory) == CL_INVALID_ARG_INDEX);
    CHECK(f.set_argument(kernel, 1, memory) == CL_INVALID_ARG_VALUE);
    CHECK(f.set_argument(kernel, 3, memory) == CL_INVALID_ARG_VALUE);
    CHECK(f.set_argument(kernel, 2, memory) == CL_SUCCESS);
    for (const void* any : std::array<const void*, 3>{nullptr, host, reinterpret_cast<void*>(0x15465)})
        CHECK(f.set_argument(kernel, 0, any) == CL_SUCCESS);
    const auto tell = [&](cl_kernel_exec_info name, size_t size, const void* value) {
        return clSetKernelExecInfo(kernel, name, size, value);
    };
    const void* pointers[] = {memory, host, nullptr};
    const cl_bool yes = CL_TRUE;
    CHECK(tell(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof pointers, pointers) == CL_SUCCESS);
    CHECK(tell(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, pointers) == CL_INVALID_VALUE);
    CHECK(tell(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 8, nullptr) == CL_INVALID_VALUE);
    CHECK(tell(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, nullptr) == CL_SUCCESS);
    CHECK(tell(CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, 1, &yes) == CL_INVALID_VALUE);
    CHECK(tell(CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, 4, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("5.9.3 what kernels are told of pointers counts until they are told otherwise") {
    UsmFixture f;
    if (!f.is_offered()) return;
    const auto svm =
        info<cl_device_svm_capabilities>(clGetDeviceInfo, f.the_device, CL_DEVICE_SVM_CAPABILITIES);
    if (svm == 0) return;
    auto* const shared = static_cast<cl_int*>(clSVMAlloc(f.context, CL_MEM_READ_WRITE, 64, 0));
    REQUIRE(shared != nullptr);
    auto* const owned = f.allocate<cl_int>(CL_MEM_TYPE_DEVICE_INTEL, 16);
    f.write(shared, {7});
    f.write(owned, {8});
    cl_int* pointers[] = {shared, owned};
    cl_mem list = f.make_buffer(sizeof pointers, pointers), out = f.make_buffer(8);
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global int *global *list, global int *out, global int *any) {"
        "    out[0] = *list[0];"
        "    out[1] = *list[1];"
        "    if (out[0] < 0) *any = 1;"
        "}",
        "k", "-cl-std=CL3.0");
    REQUIRE(set(kernel, 0, list) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, out) == CL_SUCCESS);
    REQUIRE(set(kernel, 2, out) == CL_SUCCESS);
    using Pair = std::vector<cl_int>;
    const Pair both = {7, 8}, none = is_robust() ? Pair{0, 0} : both;
    const auto found = [&] {
        REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
        return f.read<cl_int>(out, 2);
    };
    const auto tell_list = [&](cl_kernel_exec_info name, const std::vector<const void*>& list_of) {
        CHECK(clSetKernelExecInfo(kernel, name, list_of.size() * sizeof(void*),
                                  list_of.empty() ? nullptr : list_of.data()) == CL_SUCCESS);
    };
    const auto tell = [&](cl_kernel_exec_info name, cl_bool value) {
        CHECK(clSetKernelExecInfo(kernel, name, sizeof value, &value) == CL_SUCCESS);
    };
    CHECK(found() == none);
    tell_list(CL_KERNEL_EXEC_INFO_SVM_PTRS, {shared});
    tell_list(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, {owned});
    CHECK(found() == both);
    tell_list(CL_KERNEL_EXEC_INFO_SVM_PTRS, {});
    CHECK(found() == (is_robust() ? Pair{0, 8} : both));
    tell_list(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, {});
    CHECK(found() == none);

    constexpr cl_kernel_exec_info kBySvm = CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR,
                                  kByUsm = CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL;
    tell(kByUsm, CL_TRUE);
    CHECK(found() == both);
    tell(kBySvm, CL_FALSE);
    CHECK(found() == both);
    tell(kBySvm, CL_TRUE);
    tell(kByUsm, CL_FALSE);
    CHECK(found() == both);
    tell(kBySvm, CL_FALSE);
    CHECK(found() == none);

    // A pointer to memory of the system lets a kernel reach all memory, where devices have that.
    cl_int outside = 0;
    const Pair system = svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? both : none;
    const auto by_svm = [&](const void* pointer) { return clSetKernelArgSVMPointer(kernel, 2, pointer); };
    const auto by_usm = [&](const void* pointer) { return f.set_argument(kernel, 2, pointer); };
    for (const bool is_usm : {false, true}) {
        CAPTURE(is_usm);
        const auto set_outside = [&] { CHECK((is_usm ? by_usm(&outside) : by_svm(&outside)) == CL_SUCCESS); };
        set_outside();
        CHECK(found() == system);
        CHECK(set(kernel, 2, out) == CL_SUCCESS);
        CHECK(found() == none);
        set_outside();
        CHECK(by_svm(nullptr) == CL_SUCCESS);
        CHECK(found() == none);
        set_outside();
        CHECK(by_usm(nullptr) == CL_SUCCESS);
        CHECK(found() == none);
        const cl_kernel_exec_info name =
            is_usm ? CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL : CL_KERNEL_EXEC_INFO_SVM_PTRS;
        tell_list(name, {&outside, shared});
        CHECK(found() == (system == both ? both : is_robust() ? Pair{7, 0} : both));
        tell_list(name, {});
        CHECK(found() == none);
    }
    if (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) {
        tell(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_TRUE);
        CHECK(found() == both);
        tell(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_FALSE);
        CHECK(found() == none);
        CHECK(by_svm(&outside) == CL_SUCCESS);  // that was about pointers in memory, not about arguments
        tell(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_FALSE);
        CHECK(found() == both);
    }
    clSVMFree(f.context, shared);
}

TEST_CASE("cl_intel_unified_shared_memory: several threads allocate, use and free") {
    UsmFixture f;
    if (!f.is_offered()) return;
    cl_program program = f.build(kKernels);
    std::vector<cl_kernel> kernels;
    std::vector<cl_command_queue> queues;
    for (int i = 0; i < 4; ++i) {
        kernels.push_back(f.make_kernel(program, "add"));
        queues.push_back(f.make_queue(0));
    }
    std::atomic<int> wrong = 0;
    const auto work = [&](size_t self) {
        const auto expect = [&](bool is_right) { wrong += is_right ? 0 : 1; };
        for (int round = 0; round < 30; ++round)
            for (const cl_uint kind : kKinds) {
                if (f.capabilities(query_of(kind)) == 0) continue;
                auto* memory = static_cast<cl_int*>(f.try_allocate(kind, 400));
                std::vector<cl_int> values = counted(100, round);
                expect(f.copy(queues[self], CL_TRUE, memory, values.data(), 400, 0, nullptr, nullptr) == 0);
                expect(f.set_argument(kernels[self], 0, memory) == 0);
                expect(set(kernels[self], 1, 5) == 0);
                expect(run(queues[self], kernels[self], 100) == 0);
                expect(f.copy(queues[self], CL_TRUE, values.data(), memory, 400, 0, nullptr, nullptr) == 0);
                expect(values == counted(100, round + 5));
                expect((round % 2 ? f.free : f.blocking_free)(f.context, memory) == 0);
            }
    };
    std::vector<std::thread> threads;
    for (size_t i = 0; i < 4; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}
