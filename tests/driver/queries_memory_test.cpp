// SPDX-License-Identifier: Apache-2.0
// What a device says of memory (queries.h): sizes, alignment, parameters, shared virtual memory.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/driver/queries.h"
#include "tests/driver/unified_svm.h"
#include "tests/driver/usm.h"
#include "vulkan/icd/extension_names.h"

namespace caldera::driver_test {
namespace {

cl_ulong max_buffer(const Fixture& f) { return answer<cl_ulong>(f, CL_DEVICE_MAX_MEM_ALLOC_SIZE); }

/// Kernels reach both ends of the largest buffer, and of two of them where the memory is as large as that.
void buffer_sizes(Fixture& f) {
    const cl_ulong bytes = max_buffer(f), memory = answer<cl_ulong>(f, CL_DEVICE_GLOBAL_MEM_SIZE);
    REQUIRE(memory >= bytes);
    Test test(
        f,
        "kernel void test(global int *out, global char *a, global char *b, ulong n) { a[0] = 1; a[n - 1] = "
        "2; b[n - 1] += 4; out[0] = a[0]; out[1] = a[n - 1]; }");
    cl_mem first = f.make_buffer(bytes), second = memory / 2 >= bytes ? f.make_buffer(bytes) : first;
    const char three = 3;
    REQUIRE(clEnqueueWriteBuffer(f.queue, second, CL_FALSE, bytes - 1, 1, &three, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    const std::vector<cl_int> found = test.with(first, second, bytes).run();
    CHECK(found[0] == 1);
    CHECK(found[1] == (first == second ? 6 : 2));
    cl_int code = 1;
    CHECK(clCreateBuffer(f.context, 0, SIZE_MAX / 2, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_BUFFER_SIZE);
}

void local_memory(Fixture& f) {
    const auto bytes = answer<cl_ulong>(f, CL_DEVICE_LOCAL_MEM_SIZE);
    const std::string last = "[" + std::to_string(bytes / 4 - 1) + "]";
    Test declared(f, "kernel void test(global int *out) { local int all[" + std::to_string(bytes / 4) +
                         "]; all[0] = 1; all" + last +
                         " = 2; barrier(CLK_LOCAL_MEM_FENCE); *out = all[0] + all" + last + "; }");
    CHECK(declared.run()[0] == 3);
    Test given(f, "kernel void test(global int *out, local int *all) { all[0] = 1; all" + last +
                      " = 2; barrier(CLK_LOCAL_MEM_FENCE); *out = all[0] + all" + last + "; }");
    REQUIRE(clSetKernelArg(given.kernel, 1, bytes, nullptr) == CL_SUCCESS);
    CHECK(given.run()[0] == 3);
    CHECK(info<cl_ulong>(clGetKernelWorkGroupInfo, given.kernel, f.the_device, CL_KERNEL_LOCAL_MEM_SIZE) ==
          bytes);
    // A byte more is refused, where it is set or where the kernel is enqueued.
    const cl_int code = clSetKernelArg(given.kernel, 1, bytes + 1, nullptr);
    CHECK((code == CL_SUCCESS ? launch(f, given.kernel, {1, 1, 1}, {1, 1, 1}) : code) == CL_OUT_OF_RESOURCES);
}

void constant_memory(Fixture& f) {
    const auto words = answer<cl_ulong>(f, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) / 4;
    std::vector<cl_int> numbers(words);
    numbers.back() = 5;
    Test test(f, "kernel void test(global int *out, constant int *all, ulong n) { *out = all[n - 1]; }");
    CHECK(test.with(f.make_buffer(words * 4, numbers.data()), cl_ulong{words}).run()[0] == 5);
}

/// A variable of each size, and together what they should be.
void global_variables(Fixture& f) {
    const auto most = answer<size_t>(f, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE);
    const auto total = answer<size_t>(f, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE);
    if (most == 0) return;
    REQUIRE(total >= most);
    const std::string last = "[" + std::to_string(most / 4 - 1) + "]";
    Test test(f, "global int many[" + std::to_string(most / 4) +
                     "];\nkernel void test(global int *out) { *out = many" + last + "; many" + last +
                     " += 2; }");
    test.run();
    CHECK(test.run()[0] == 2);  // as the first launch left it
    CHECK(info<size_t>(clGetProgramBuildInfo, f.programs.back(), f.the_device,
                       CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE) >= most);
}

/// A structure and a pointer, as large as all parameters together may be.
void parameters(Fixture& f) {
    const auto bytes = answer<size_t>(f, CL_DEVICE_MAX_PARAMETER_SIZE);
    std::vector<cl_int> numbers((bytes - 8) / 4);
    numbers.back() = 9;
    const std::string count = std::to_string(numbers.size());
    Test test(f, "typedef struct { int all[" + count +
                     "]; } Many;\nkernel void test(global int *out, Many many) { "
                     "*out = many.all[" +
                     count + " - 1]; }");
    REQUIRE(clSetKernelArg(test.kernel, 1, numbers.size() * 4, numbers.data()) == CL_SUCCESS);
    CHECK(test.run()[0] == 9);
}

/// A kernel with as many constant pointers beside the one that it writes to, each to a buffer of its own
/// number.
void constant_arguments(Fixture& f) {
    const auto count = answer<cl_uint>(f, CL_DEVICE_MAX_CONSTANT_ARGS);
    std::string text = "kernel void test(global int *out", sum;
    for (cl_uint i = 0; i < count; ++i) {
        text += ", constant int *a" + std::to_string(i);
        sum += (i == 0 ? "*a" : " + *a") + std::to_string(i);
    }
    Test test(f, text + ") { *out = " + sum + "; }");
    const cl_uint step = answer<cl_uint>(f, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 32;  // of numbers
    std::vector<cl_int> numbers(step * count);
    for (cl_uint i = 0; i < count; ++i) numbers[step * i] = static_cast<cl_int>(i);
    cl_mem all = f.make_buffer(numbers.size() * 4, numbers.data());
    for (cl_uint i = 0; i < count; ++i) {
        const cl_buffer_region region = {size_t{4} * step * i, 4};
        cl_int code = 1;
        f.buffers.push_back(clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(set(test.kernel, i + 1, f.buffers.back()) == CL_SUCCESS);
    }
    CHECK(test.run()[0] == static_cast<cl_int>(count * (count - 1) / 2));
}

/// Buffers, and parts that begin at a multiple of the alignment, are aligned; others are refused. The largest
/// type fits.
void alignment(Fixture& f) {
    const size_t bytes = answer<cl_uint>(f, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    CHECK(answer<cl_uint>(f, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE) == sizeof(cl_long16));
    REQUIRE(bytes >= sizeof(cl_long16));
    cl_mem whole = f.make_buffer(4 * bytes);
    const auto part = [&](size_t origin, cl_int& code) {
        const cl_buffer_region region = {origin, bytes};
        cl_mem made = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        if (made) f.buffers.push_back(made);
        return made;
    };
    cl_int code = 1;
    Test test(f,
              "kernel void test(global int *out, global long16 *a, global long16 *b, uint bytes) { *b = "
              "(long16)(7); *out = (size_t)a % bytes == 0 && (size_t)b % bytes == 0 && (*b).sf == 7; }");
    cl_mem second = part(bytes, code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(test.with(whole, second, static_cast<cl_uint>(bytes)).run()[0] == 1);
    CHECK(part(bytes / 2, code) == nullptr);
    CHECK(code == CL_MISALIGNED_SUB_BUFFER_OFFSET);
}

void caches(Fixture& f) {
    const auto type = answer<cl_device_mem_cache_type>(f, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE);
    const auto line = answer<cl_uint>(f, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
    const auto bytes = answer<cl_ulong>(f, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    CHECK((type == CL_NONE || type == CL_READ_ONLY_CACHE || type == CL_READ_WRITE_CACHE));
    CHECK((type == CL_NONE) == (bytes == 0));
    CHECK((type == CL_NONE) == (line == 0));
    CHECK((line & (line - 1)) == 0);
    CHECK(bytes >= line);
}

/// If host and device share one memory, the device reads and writes the program's own memory.
void unified_memory(Fixture& f) {
    const auto is_unified = answer<cl_bool>(f, CL_DEVICE_HOST_UNIFIED_MEMORY);
    CHECK((is_unified == CL_TRUE || is_unified == CL_FALSE));
    std::vector<cl_int> numbers(1024, 3);
    cl_mem buffer = f.make_buffer(4096, numbers.data(), CL_MEM_USE_HOST_PTR);
    Test test(f, "kernel void test(global int *out, global int *a) { *out = a[1023]; a[5] = 8; }");
    CHECK(test.with(buffer).run()[0] == 3);
    cl_int code = 1;
    void* mapped =
        clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(mapped == numbers.data());
    CHECK(numbers[5] == 8);
    CHECK(clEnqueueUnmapMemObject(f.queue, buffer, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
}

// ---- Shared virtual memory ----

/// The host writes 42 to p[0]; then `statement` in the kernel must set p[1] to 43. If `maps`, the host maps
/// the memory.
void share(Fixture& f, cl_int* memory, bool maps, const char* statement) {
    INFO(std::string(statement));
    Test test(f, "kernel void test(global int *out, global int *p) { *out = p[0]; " + std::string(statement) +
                     " }");
    const auto map = [&](cl_map_flags flags) {
        if (maps)
            REQUIRE(clEnqueueSVMMap(f.queue, CL_TRUE, flags, memory, 64, 0, nullptr, nullptr) == CL_SUCCESS);
    };
    const auto unmap = [&] {
        if (maps) REQUIRE(clEnqueueSVMUnmap(f.queue, memory, 0, nullptr, nullptr) == CL_SUCCESS);
    };
    map(CL_MAP_WRITE);
    memory[0] = 42;
    memory[1] = 0;
    unmap();
    REQUIRE(clSetKernelArgSVMPointer(test.kernel, 1, memory) == CL_SUCCESS);
    CHECK(test.run()[0] == 42);
    map(CL_MAP_READ);
    CHECK(memory[1] == 43);
    unmap();
}

void shared_memory(Fixture& f) {
    const auto bits = answer<cl_device_svm_capabilities>(f, CL_DEVICE_SVM_CAPABILITIES);
    constexpr struct {
        cl_device_svm_capabilities bit;
        cl_svm_mem_flags flags;
        const char* statement;
    } kKinds[] = {{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, 0, "p[1] = p[0] + 1;"},
                  {CL_DEVICE_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_FINE_GRAIN_BUFFER, "p[1] = p[0] + 1;"},
                  {CL_DEVICE_SVM_ATOMICS, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                   "atomic_fetch_add_explicit((global atomic_int *)p + 1, 43, memory_order_seq_cst, "
                   "memory_scope_all_svm_devices);"}};
    for (const auto& kind : kKinds) {
        void* memory = clSVMAlloc(f.context, CL_MEM_READ_WRITE | kind.flags, 64, 0);
        CHECK((memory != nullptr) == ((bits & kind.bit) != 0));
        if (!memory) continue;
        share(f, static_cast<cl_int*>(memory), kind.flags == 0, kind.statement);
        clSVMFree(f.context, memory);
    }
    if (!(bits & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) return;
    std::vector<cl_int> own(64);  // what the program allocates itself
    share(f, own.data(), false, "p[1] = p[0] + 1;");
}

// ---- Unified shared memory ----

/// The host writes 42 to p[0]; then the kernel sets p[1] to 43, and counts in p[2].
void use_usm(Fixture& f, cl_int* memory, cl_bitfield can) {
    const Usm usm;
    const bool counts = can & CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
    Test test(
        f, std::string("kernel void test(global int *out, global int *p) { *out = p[0]; p[1] = p[0] + 1; ") +
               (counts ? "atomic_inc(p + 2); }" : "}"));
    const std::array<cl_int, 3> before = {42, 0, 5};
    std::array<cl_int, 3> after = {};
    const auto copy = [&](void* to, const void* from) {
        CHECK(usm.copy(f.queue, CL_TRUE, to, from, sizeof before, 0, nullptr, nullptr) == CL_SUCCESS);
    };
    copy(memory, before.data());
    REQUIRE(usm.set_argument(test.kernel, 1, memory) == CL_SUCCESS);
    CHECK(test.run()[0] == 42);
    copy(after.data(), memory);
    CHECK(after == std::array<cl_int, 3>{42, 43, counts ? 6 : 5});
}

void unified_memory_of(Fixture& f, cl_device_info query, cl_uint kind) {
    const Usm usm;
    const auto can = answer<cl_bitfield>(f, query);
    cl_int code = 1;
    void* memory = kind == CL_MEM_TYPE_HOST_INTEL ? usm.allocate_host(f.context, nullptr, 64, 0, &code)
                   : kind == CL_MEM_TYPE_DEVICE_INTEL
                       ? usm.allocate_device(f.context, f.the_device, nullptr, 64, 0, &code)
                       : usm.allocate_shared(f.context, f.the_device, nullptr, 64, 0, &code);
    CHECK(code == (can ? CL_SUCCESS : CL_INVALID_OPERATION));
    if (!memory) return;
    use_usm(f, static_cast<cl_int*>(memory), can);
    CHECK(usm.free(f.context, memory) == CL_SUCCESS);
}

/// Memory of each type that the device has is used, and of others there is none.
void unified_types(Fixture& f) {
    const UnifiedSvm svm;
    const auto types =
        list_of<cl_svm_capabilities_khr>(clGetDeviceInfo, f.the_device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
    const cl_svm_alloc_properties_khr properties[] = {
        CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
        reinterpret_cast<cl_svm_alloc_properties_khr>(f.the_device), 0};
    for (cl_uint type = 0; type < types.size(); ++type) {
        cl_int code = 1;
        void* memory = svm.allocate(f.context, properties, type, 64, &code);
        CHECK(code == (types[type] ? CL_SUCCESS : CL_INVALID_OPERATION));
        if (!memory) continue;
        const bool counts = types[type] & CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR;
        use_usm(f, static_cast<cl_int*>(memory), counts ? CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL : 0);
        CHECK(svm.free(f.context, nullptr, 0, memory) == CL_SUCCESS);
    }
}

/// What no single device can show: memory that several devices share is at least memory of each.
void cross_device_memory(Fixture& f) {
    CHECK(!(answer<cl_bitfield>(f, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) &
            ~answer<cl_bitfield>(f, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL)));
}
void system_memory(Fixture& f) {
    const auto can = answer<cl_bitfield>(f, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL);
    std::array<cl_int, 16> own = {};
    if (can) use_usm(f, own.data(), can);
}

/// Types of handles are those of extensions. driver_external uses them.
void memory_handles(Fixture& f) {
    const auto types = list_answer<cl_uint>(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR);
    CHECK(types.empty() == !has_extension(f, "cl_khr_external_memory"));
    for (const cl_uint type : types)
        CHECK(has_extension(f, type == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
                                   ? "cl_khr_external_memory_opaque_fd"
                                   : "cl_khr_external_memory_dma_buf"));
    for (const cl_uint type :
         list_answer<cl_uint>(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR))
        CHECK(std::ranges::count(types, type) == 1);
}

const Query kRows[] = {
    QUERY(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, memory_handles),
    QUERY(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR, memory_handles),
    QUERY(CL_DEVICE_MAX_MEM_ALLOC_SIZE, buffer_sizes),
    QUERY(CL_DEVICE_GLOBAL_MEM_SIZE, buffer_sizes),
    QUERY(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, caches),
    QUERY(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, caches),
    QUERY(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, caches),
    QUERY(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, constant_memory),
    QUERY(CL_DEVICE_MAX_CONSTANT_ARGS, constant_arguments),
    QUERY(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, global_variables),
    QUERY(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, global_variables),
    QUERY(CL_DEVICE_LOCAL_MEM_SIZE, local_memory),
    QUERY(CL_DEVICE_LOCAL_MEM_TYPE,
          [](Fixture& f) {
              // A processor has no memory of its own for it.
              const auto type = answer<cl_device_local_mem_type>(f, CL_DEVICE_LOCAL_MEM_TYPE);
              CHECK(type ==
                    (answer<cl_device_type>(f, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU ? CL_GLOBAL : CL_LOCAL));
          }),
    QUERY(CL_DEVICE_MAX_PARAMETER_SIZE, parameters),
    QUERY(CL_DEVICE_MEM_BASE_ADDR_ALIGN, alignment),
    QUERY(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, alignment),
    QUERY(CL_DEVICE_ERROR_CORRECTION_SUPPORT,
          [](Fixture& f) { CHECK(answer<cl_bool>(f, CL_DEVICE_ERROR_CORRECTION_SUPPORT) == CL_FALSE); }),
    QUERY(CL_DEVICE_HOST_UNIFIED_MEMORY, unified_memory),
    QUERY(CL_DEVICE_SVM_CAPABILITIES, shared_memory),
    QUERY(CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, unified_types),
    QUERY(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
          [](Fixture& f) {
              unified_memory_of(f, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_MEM_TYPE_HOST_INTEL);
          }),
    QUERY(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
          [](Fixture& f) {
              unified_memory_of(f, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, CL_MEM_TYPE_DEVICE_INTEL);
          }),
    QUERY(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
          [](Fixture& f) {
              unified_memory_of(f, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
                                CL_MEM_TYPE_SHARED_INTEL);
          }),
    QUERY(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, cross_device_memory),
    QUERY(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, system_memory),
};

}  // namespace

std::span<const Query> memory_queries() { return kRows; }

}  // namespace caldera::driver_test
