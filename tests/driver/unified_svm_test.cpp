// SPDX-License-Identifier: Apache-2.0
// cl_khr_unified_svm: what is said of types, and memory of each type that the device has, used as far as its
// capabilities say.
#include "tests/driver/unified_svm.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <memory>

#include "tests/driver/command_buffers.h"
#include "tests/driver/usm.h"

using namespace caldera::driver_test;

namespace {

using Capabilities = cl_svm_capabilities_khr;

struct UnifiedFixture : Fixture, UnifiedSvm {
    ~UnifiedFixture() {
        CHECK(clFinish(queue) == CL_SUCCESS);
        for (void* pointer : allocations) CHECK(free(context, nullptr, 0, pointer) == CL_SUCCESS);
    }
    bool is_offered() const {
        return text(clGetDeviceInfo, the_device, CL_DEVICE_EXTENSIONS).find("cl_khr_unified_svm") !=
               std::string::npos;
    }
    /// The properties that memory of the type needs, for a device.
    std::vector<cl_svm_alloc_properties_khr> needed(cl_uint type) const {
        if (types[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR) return {0};
        return {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                reinterpret_cast<cl_svm_alloc_properties_khr>(the_device), 0};
    }
    cl_int* make_ints(cl_uint type, size_t count) {
        cl_int code = 1;
        allocations.push_back(allocate(context, needed(type).data(), type, count * sizeof(cl_int), &code));
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(allocations.back() != nullptr);
        return static_cast<cl_int*>(allocations.back());
    }
    cl_int code_of(cl_uint type, size_t size, std::vector<cl_svm_alloc_properties_khr> properties) {
        cl_int code = 1;
        void* made = allocate(context, properties.data(), type, size, &code);
        CHECK((made != nullptr) == (code == CL_SUCCESS && size != 0));
        CHECK(free(context, nullptr, 0, made) == CL_SUCCESS);
        return code;
    }
    void map(void* pointer, size_t size, cl_map_flags flags) {
        REQUIRE(clEnqueueSVMMap(queue, CL_TRUE, flags, pointer, size, 0, nullptr, nullptr) == CL_SUCCESS);
    }
    void unmap(void* pointer) {
        REQUIRE(clEnqueueSVMUnmap(queue, pointer, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clFinish(queue) == CL_SUCCESS);
    }
    /// Writes in each way that the type has, by `way`; false if it does not have it.
    bool write(cl_uint type, int way, cl_int* to, const std::vector<cl_int>& from) {
        const size_t bytes = from.size() * sizeof(cl_int);
        if (way == 0) {
            REQUIRE(clEnqueueSVMMemcpy(queue, CL_TRUE, to, from.data(), bytes, 0, nullptr, nullptr) ==
                    CL_SUCCESS);
        } else if (way == 1 && types[type] & CL_SVM_CAPABILITY_HOST_MAP_KHR) {
            map(to, bytes, CL_MAP_WRITE);
            std::ranges::copy(from, to);
            unmap(to);
        } else if (way == 2 && types[type] & CL_SVM_CAPABILITY_HOST_WRITE_KHR) {
            std::ranges::copy(from, to);
        } else {
            return false;
        }
        return true;
    }
    std::vector<cl_int> values(cl_uint type, int way, cl_int* from, size_t count) {
        std::vector<cl_int> out(count);
        const size_t bytes = count * sizeof(cl_int);
        if (way == 0) {
            REQUIRE(clEnqueueSVMMemcpy(queue, CL_TRUE, out.data(), from, bytes, 0, nullptr, nullptr) ==
                    CL_SUCCESS);
        } else if (way == 1) {
            map(from, bytes, CL_MAP_READ);
            std::copy_n(from, count, out.data());
            unmap(from);
        } else {
            REQUIRE(bool(types[type] & CL_SVM_CAPABILITY_HOST_READ_KHR));
            REQUIRE(clFinish(queue) == CL_SUCCESS);
            std::copy_n(from, count, out.data());
        }
        return out;
    }

    const std::vector<Capabilities> types =
        list_of<Capabilities>(clGetDeviceInfo, the_device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
    std::vector<void*> allocations = {};
};

}  // namespace

TEST_CASE("cl_khr_unified_svm: the types of the platform and of its devices") {
    UnifiedFixture f;
    const auto common =
        list_of<Capabilities>(clGetPlatformInfo, platform(), CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR);
    cl_uint count = 0;
    REQUIRE(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count) == CL_SUCCESS);
    std::vector<cl_device_id> devices(count);
    REQUIRE(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) == CL_SUCCESS);
    std::vector<Capabilities> both(common.size());
    for (cl_device_id device : devices) {
        const auto has = list_of<Capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
        REQUIRE(has.size() == common.size());
        for (size_t i = 0; i < has.size(); ++i)
            if (has[i]) both[i] = both[i] ? both[i] & has[i] : has[i];
    }
    CHECK(both == common);
    const bool has_any = std::ranges::any_of(f.types, [](Capabilities type) { return type != 0; });
    CHECK(f.is_offered() == has_any);
    // What the older queries say.
    const auto has_type = [&](Capabilities all) {
        return std::ranges::any_of(f.types, [&](Capabilities type) { return (type & all) == all; });
    };
    const auto svm =
        info<cl_device_svm_capabilities>(clGetDeviceInfo, f.the_device, CL_DEVICE_SVM_CAPABILITIES);
    CHECK(has_type(kOfAll | kOfContext | CL_SVM_CAPABILITY_HOST_MAP_KHR) ==
          bool(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER));
    CHECK(has_type(CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR) == bool(svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM));
    const auto usm = [&](cl_device_info name) {
        return info<cl_bitfield>(clGetDeviceInfo, f.the_device, name) != 0;
    };
    CHECK(has_type(kOfDevice) == usm(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL));
    CHECK(has_type(CL_SVM_CAPABILITY_HOST_OWNED_KHR | kOfContext | kHostAccess) ==
          usm(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL));
    for (const Capabilities type : f.types) {
        if (type == 0) continue;
        CHECK((type & kOfAll) == kOfAll);
        const bool is_unassociated = type & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
        if (type & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR) CHECK_FALSE(is_unassociated);
        if (type & CL_SVM_CAPABILITY_HOST_OWNED_KHR) CHECK(is_unassociated);
    }
}

TEST_CASE("cl_khr_unified_svm: host, commands and kernels use memory of each type") {
    UnifiedFixture f;
    if (!f.is_offered()) return;
    cl_kernel add = f.make_kernel(
        "kernel void add(global int *p, int n) { atomic_add(p + get_global_id(0), n); }", "add");
    cl_kernel follow = f.make_kernel("kernel void follow(global int *global *list) { *list[1] += *list[0]; }",
                                     "follow", "-cl-std=CL3.0");
    const cl_bool yes = CL_TRUE;
    CHECK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof yes, &yes) ==
          CL_SUCCESS);
    const cl_int five = 5;
    for (cl_uint type = 0; type < f.types.size(); ++type) {
        if (f.types[type] == 0) continue;
        CAPTURE(type);
        for (int way = 0; way < 3; ++way) {
            CAPTURE(way);
            cl_int* ints = f.make_ints(type, 8);
            if (!f.write(type, way, ints, {1, 2, 3, 4, 5, 6, 7, 8})) continue;
            REQUIRE(clSetKernelArgSVMPointer(add, 0, ints + 4) == CL_SUCCESS);
            REQUIRE(set(add, 1, five) == CL_SUCCESS);
            REQUIRE(run(f.queue, add, 4) == CL_SUCCESS);
            CHECK(f.values(type, way, ints, 8) == std::vector<cl_int>{1, 2, 3, 4, 10, 11, 12, 13});

            // a kernel that finds pointers in a buffer
            cl_int* pointers[] = {ints + 7, ints};
            cl_mem list = f.make_buffer(sizeof pointers, pointers);
            REQUIRE(set(follow, 0, list) == CL_SUCCESS);
            REQUIRE(run(f.queue, follow, 1) == CL_SUCCESS);
            CHECK(f.values(type, way, ints, 1) == std::vector<cl_int>{14});
        }
        cl_int* ints = f.make_ints(type, 8);
        CHECK(clEnqueueSVMMemFill(f.queue, ints, &five, 4, 32, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(f.values(type, 0, ints, 8) == std::vector<cl_int>(8, 5));
        const OwnCommandBuffer commands(f.queue);
        CHECK(commands.svm_memcpy(commands.handle, nullptr, nullptr, ints, ints + 4, 16, 0, nullptr, nullptr,
                                  nullptr) == CL_SUCCESS);
        commands.finish_recording();
        f.write(type, 0, ints, {1, 2, 3, 4, 5, 6, 7, 8});
        CHECK(commands.replay() == CL_SUCCESS);
        CHECK(f.values(type, 0, ints, 5) == std::vector<cl_int>{5, 6, 7, 8, 5});
        const void* list[] = {ints + 1, nullptr};
        const size_t sizes[] = {28, 0}, too_large[] = {29, 0};
        CHECK(clEnqueueSVMMigrateMem(f.queue, 2, list, sizes, 0, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clEnqueueSVMMigrateMem(f.queue, 2, list, too_large, 0, 0, nullptr, nullptr) ==
              CL_INVALID_VALUE);
        const cl_int mapped = f.types[type] & CL_SVM_CAPABILITY_HOST_MAP_KHR ? CL_SUCCESS : CL_INVALID_VALUE;
        CHECK(clEnqueueSVMMap(f.queue, CL_TRUE, CL_MAP_READ, ints, 32, 0, nullptr, nullptr) == mapped);
        CHECK(clEnqueueSVMUnmap(f.queue, ints, 0, nullptr, nullptr) == mapped);

        void* freed[] = {f.allocations.back(), nullptr};
        f.allocations.pop_back();
        CHECK(clEnqueueSVMFree(f.queue, 2, freed, nullptr, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(f.free(f.context, nullptr, 0, freed[0]) == CL_INVALID_VALUE);
    }
}

TEST_CASE("cl_khr_unified_svm: a buffer and host pointers in memory of each type") {
    UnifiedFixture f;
    if (!f.is_offered()) return;
    for (cl_uint type = 0; type < f.types.size(); ++type) {
        if (f.types[type] == 0) continue;
        CAPTURE(type);
        cl_int* ints = f.make_ints(type, 4);
        f.write(type, 0, ints, {1, 2, 3, 4});
        cl_int code = 1;
        cl_mem buffer = clCreateBuffer(f.context, CL_MEM_USE_HOST_PTR, 16, ints, &code);
        if (f.types[type] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR) {
            CHECK(code == CL_INVALID_HOST_PTR);  // the host cannot read it
            continue;
        }
        REQUIRE(code == CL_SUCCESS);
        f.buffers.push_back(buffer);
        CHECK(info<cl_bool>(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER) == CL_TRUE);
        CHECK(f.read<cl_int>(buffer, 4) == std::vector<cl_int>{1, 2, 3, 4});
        cl_kernel add = f.make_kernel("kernel void add(global int *p) { p[get_global_id(0)] += 1; }", "add");
        REQUIRE(set(add, 0, buffer) == CL_SUCCESS);
        REQUIRE(run(f.queue, add, 4) == CL_SUCCESS);
        CHECK(f.values(type, 0, ints, 4) == std::vector<cl_int>{2, 3, 4, 5});
    }
}

TEST_CASE("cl_khr_unified_svm: what is told of pointers") {
    UnifiedFixture f;
    if (!f.is_offered()) return;
    const auto of = [&]<class T>(T, const void* pointer, cl_svm_pointer_info_khr name, cl_device_id device) {
        return info<T>(f.get_info, f.context, device, pointer, name);
    };
    const auto properties_of = [&](const void* pointer) {
        return list_of<cl_svm_alloc_properties_khr>(f.get_info, f.context, cl_device_id{nullptr}, pointer,
                                                    CL_SVM_INFO_PROPERTIES_KHR);
    };
    const auto device = reinterpret_cast<cl_svm_alloc_properties_khr>(f.the_device);
    for (cl_uint type = 0; type < f.types.size(); ++type) {
        if (f.types[type] == 0) continue;
        CAPTURE(type);
        const std::vector<cl_svm_alloc_properties_khr> properties = {
            CL_SVM_ALLOC_ALIGNMENT_KHR,
            64,
            CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
            CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR,
            CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
            device,
            0};
        cl_int code = 1;
        auto* pointer = static_cast<char*>(f.allocate(f.context, properties.data(), type, 100, &code));
        REQUIRE(code == CL_SUCCESS);
        f.allocations.push_back(pointer);
        for (const char* inside : {pointer, pointer + 99})
            for (cl_device_id asked : {cl_device_id{nullptr}, f.the_device}) {
                CHECK(of(cl_uint{}, inside, CL_SVM_INFO_TYPE_INDEX_KHR, asked) == type);
                CHECK(of(Capabilities{}, inside, CL_SVM_INFO_CAPABILITIES_KHR, asked) == f.types[type]);
                CHECK(of(cl_bitfield{}, inside, CL_SVM_INFO_ACCESS_FLAGS_KHR, asked) == properties[3]);
                CHECK(of((void*)nullptr, inside, CL_SVM_INFO_BASE_PTR_KHR, asked) == pointer);
                CHECK(of(size_t{}, inside, CL_SVM_INFO_SIZE_KHR, asked) == 100);
                CHECK(of(cl_device_id{}, inside, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, asked) ==
                      f.the_device);
            }
        CHECK(properties_of(pointer) == properties);
        cl_uint ignored = 0;
        CHECK(f.get_info(f.context, nullptr, pointer, 0x1234, 4, &ignored, nullptr) == CL_INVALID_VALUE);
        CHECK(f.get_info(f.context, nullptr, pointer, CL_SVM_INFO_SIZE_KHR, 4, &ignored, nullptr) ==
              CL_INVALID_VALUE);
        CHECK(f.get_info(nullptr, nullptr, pointer, CL_SVM_INFO_SIZE_KHR, 0, nullptr, nullptr) ==
              CL_INVALID_CONTEXT);
        CHECK(f.get_info(f.context, reinterpret_cast<cl_device_id>(f.context), pointer, CL_SVM_INFO_SIZE_KHR,
                         0, nullptr, nullptr) == CL_INVALID_DEVICE);
    }
    // a pointer into no allocation
    int outside = 0;
    CHECK(of(cl_uint{}, &outside, CL_SVM_INFO_TYPE_INDEX_KHR, nullptr) == CL_UINT_MAX);
    CHECK(of(Capabilities{}, &outside, CL_SVM_INFO_CAPABILITIES_KHR, nullptr) == 0);
    CHECK(of(cl_bitfield{}, &outside, CL_SVM_INFO_ACCESS_FLAGS_KHR, nullptr) == 0);
    CHECK(of((void*)nullptr, &outside, CL_SVM_INFO_BASE_PTR_KHR, nullptr) == nullptr);
    CHECK(of(size_t{}, &outside, CL_SVM_INFO_SIZE_KHR, nullptr) == 0);
    CHECK(of(cl_device_id{}, &outside, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, nullptr) == nullptr);
    CHECK(properties_of(&outside).empty());
}

TEST_CASE("cl_khr_unified_svm: allocations of the older functions are of a type, and each frees its own") {
    UnifiedFixture f;
    if (!f.is_offered()) return;
    const Usm usm;
    cl_int code = 1;
    const auto capabilities_of = [&](const void* pointer) {
        return info<Capabilities>(f.get_info, f.context, cl_device_id{nullptr}, pointer,
                                  CL_SVM_INFO_CAPABILITIES_KHR);
    };
    if (void* pointer = clSVMAlloc(f.context, 0, 64, 0)) {
        CHECK(bool(capabilities_of(pointer) & CL_SVM_CAPABILITY_HOST_MAP_KHR));
        CHECK(usm.free(f.context, pointer) == CL_INVALID_VALUE);
        CHECK(info<cl_unified_shared_memory_type_intel>(
                  usm.get_info, f.context, pointer, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_UNKNOWN_INTEL);
        CHECK(f.free(f.context, nullptr, 0, pointer) == CL_SUCCESS);
    }
    void* pointer = usm.allocate_device(f.context, f.the_device, nullptr, 64, 0, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK((capabilities_of(pointer) & kOfDevice) == kOfDevice);
    clSVMFree(f.context, pointer);
    CHECK(capabilities_of(pointer) == 0);
}

TEST_CASE("cl_khr_unified_svm: suggestions") {
    UnifiedFixture f;
    if (!f.is_offered()) return;
    const auto suggested = [&](Capabilities required, Capabilities desired, bool of_device) {
        const cl_svm_alloc_properties_khr properties[] = {
            CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
            reinterpret_cast<cl_svm_alloc_properties_khr>(f.the_device), 0};
        cl_uint index = 0;
        CHECK(f.suggest(f.context, required, desired, of_device ? properties : nullptr, 64, &index) ==
              CL_SUCCESS);
        return index;
    };
    for (const bool of_device : {false, true}) {
        for (cl_uint type = 0; type < f.types.size(); ++type) {
            if (f.types[type] == 0) continue;
            const cl_uint found = suggested(f.types[type], 0, of_device);
            REQUIRE(found < f.types.size());
            CHECK((f.types[found] & f.types[type]) == f.types[type]);
            const cl_uint desired = suggested(kOfAll, f.types[type], of_device);
            REQUIRE(desired < f.types.size());
            CHECK((f.types[desired] & f.types[type]) == f.types[type]);
        }
        CHECK(suggested(Capabilities{1} << 40, 0, of_device) == CL_UINT_MAX);
        const cl_uint device = suggested(kOfDevice, 0, of_device);
        REQUIRE(device < f.types.size());
        CHECK(bool(f.types[device] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR));
    }
    const cl_svm_alloc_properties_khr unknown[] = {0x1234, 1, 0};
    cl_uint index = 0;
    CHECK(f.suggest(nullptr, 0, 0, nullptr, 0, &index) == CL_INVALID_CONTEXT);
    CHECK(f.suggest(f.context, 0, 0, unknown, 0, &index) == CL_INVALID_PROPERTY);
    CHECK(f.suggest(f.context, 0, 0, nullptr, 0, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("cl_khr_unified_svm: errors of allocations, and pointers that need not be valid") {
    UnifiedFixture f, other;
    if (!f.is_offered()) return;
    const auto device = reinterpret_cast<cl_svm_alloc_properties_khr>(f.the_device);
    constexpr cl_svm_alloc_properties_khr kDevice = CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                          kAlignment = CL_SVM_ALLOC_ALIGNMENT_KHR,
                                          kAccess = CL_SVM_ALLOC_ACCESS_FLAGS_KHR;
    for (cl_uint type = 0; type < f.types.size(); ++type) {
        if (f.types[type] == 0) {
            CHECK(f.code_of(type, 64, {kDevice, device, 0}) == CL_INVALID_OPERATION);
            continue;
        }
        CAPTURE(type);
        for (cl_svm_alloc_properties_khr alignment = 1; alignment <= 65536; alignment *= 2) {
            const cl_svm_alloc_properties_khr properties[] = {kDevice, device, kAlignment, alignment, 0};
            cl_int code = 1;
            f.allocations.push_back(f.allocate(f.context, properties, type, 24, &code));
            CHECK(code == CL_SUCCESS);
            CHECK(reinterpret_cast<uintptr_t>(f.allocations.back()) % alignment == 0);
        }
        const bool needs_device = !(f.types[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR);
        CHECK(f.code_of(type, 64, {0}) == (needs_device ? CL_INVALID_PROPERTY : CL_SUCCESS));
        CHECK(f.code_of(type, 64, {kDevice, device, 0}) == CL_SUCCESS);
        CHECK(f.code_of(type, 64, {kDevice, 0, 0}) == (needs_device ? CL_INVALID_PROPERTY : CL_SUCCESS));
        CHECK(f.code_of(type, 0, {kDevice, device, 0}) == CL_SUCCESS);
        CHECK(f.code_of(type, SIZE_MAX, {kDevice, device, 0}) != CL_SUCCESS);
        CHECK(f.code_of(type, 64, {kDevice, device, kAccess, 0x303, 0}) == CL_SUCCESS);
        CHECK(f.code_of(type, 64, {kDevice, device, kAccess, 4, 0}) == CL_INVALID_PROPERTY);
        CHECK(f.code_of(type, 64, {kDevice, device, kAlignment, 3, 0}) == CL_INVALID_PROPERTY);
        CHECK(f.code_of(type, 64, {kDevice, device, kAlignment, 1 << 20, 0}) == CL_INVALID_PROPERTY);
        CHECK(f.code_of(type, 64, {kDevice, device, kDevice, device, 0}) == CL_INVALID_PROPERTY);
        CHECK(f.code_of(type, 64, {kDevice, device, 0x1234, 1, 0}) == CL_INVALID_PROPERTY);
        CHECK(f.code_of(type, 64, {kDevice, device + 8, 0}) == CL_INVALID_PROPERTY);
    }
    const auto count = static_cast<cl_uint>(f.types.size());
    CHECK(f.code_of(count, 64, {0}) == CL_INVALID_VALUE);
    CHECK(f.code_of(CL_UINT_MAX, 64, {0}) == CL_INVALID_VALUE);
    cl_int code = 1;
    CHECK(f.allocate(nullptr, nullptr, 0, 64, &code) == nullptr);
    CHECK(code == CL_INVALID_CONTEXT);

    int outside[2] = {7, 0};
    const cl_svm_free_properties_khr none[] = {0}, some[] = {1, 1, 0};
    CHECK(f.free(f.context, none, 0, nullptr) == CL_SUCCESS);
    CHECK(f.free(f.context, some, 0, nullptr) == CL_INVALID_PROPERTY);
    CHECK(f.free(f.context, nullptr, 1, nullptr) == CL_INVALID_VALUE);
    CHECK(f.free(f.context, nullptr, 0, outside) == CL_INVALID_VALUE);
    CHECK(f.free(nullptr, nullptr, 0, nullptr) == CL_INVALID_CONTEXT);

    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, nullptr, outside, 0, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, outside, nullptr, 0, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, outside, nullptr, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, outside + 1, outside, 4, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(outside[1] == 7);
    CHECK(clEnqueueSVMMemFill(f.queue, nullptr, outside, 4, 0, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueSVMMemFill(f.queue, nullptr, outside, 4, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    cl_kernel kernel = f.make_kernel("kernel void k(global int *p, global int *q) { *q = 1; }", "k");
    CHECK(clSetKernelArgSVMPointer(kernel, 0, reinterpret_cast<void*>(0x1238)) == CL_SUCCESS);
    const void* list[] = {nullptr, outside};
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list) == CL_SUCCESS);
    const cl_bool no = CL_FALSE;
    constexpr cl_kernel_exec_info kIndirect = CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR;
    CHECK(clSetKernelExecInfo(kernel, kIndirect, sizeof no, &no) == CL_SUCCESS);
    CHECK(clSetKernelExecInfo(kernel, kIndirect, 1, &no) == CL_INVALID_VALUE);
    cl_mem out = f.make_buffer(4);
    REQUIRE(set(kernel, 1, out) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 1);
}
