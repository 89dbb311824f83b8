// SPDX-License-Identifier: Apache-2.0
// Each extension and feature that the device names is used: a claim without a row fails, and one that does
// not hold.
#include "tests/checks/claims.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "tests/driver/command_buffers.h"
#include "tests/driver/queries.h"
#include "tests/driver/semaphores.h"
#include "tests/driver/unified_svm.h"
#include "tests/driver/usm.h"
#include "vulkan/icd/extension_names.h"
#include "vulkan/icd/newer_names.h"

namespace caldera::driver_test {
namespace {

using claims::Argument;
using claims::Claim;

/// An addition that must not wrap (NoSignedWrap), of 1 to what the argument points to.
constexpr cl_uint kAddOne[] = {
    0x7230203, 0x10000,    0x0,        0xc,        0x0,        0x20011,    0x4,        0x20011,    0x6,
    0xa000a,   0x5f565053, 0x5f52484b, 0x695f6f6e, 0x6765746e, 0x775f7265, 0x5f706172, 0x6f636564, 0x69746172,
    0x6e6f,    0x3000e,    0x2,        0x2,        0x5000f,    0x6,        0x1,        0x74736574, 0x0,
    0x30047,   0x2,        0x1175,     0x20013,    0x3,        0x40015,    0x4,        0x20,       0x0,
    0x4002b,   0x4,        0x5,        0x0,        0x4002b,    0x4,        0x6,        0x1,        0x40020,
    0x7,       0x5,        0x4,        0x40021,    0x8,        0x3,        0x7,        0x50036,    0x3,
    0x1,       0x0,        0x8,        0x30037,    0x7,        0x9,        0x200f8,    0xa,        0x6003d,
    0x4,       0xb,        0x9,        0x2,        0x4,        0x50080,    0x4,        0x2,        0xb,
    0x6,       0x5003e,    0x9,        0x2,        0x2,        0x4,        0x100fd,    0x10038};

/// The first word of the first argument after the program's kernel `test` has run.
cl_int result_of(Fixture& f, cl_program program, size_t items, cl_mem argument) {
    cl_kernel kernel = f.make_kernel(program, "test");
    std::array<cl_int, 16> zeros = {};
    cl_mem out = f.make_buffer(sizeof zeros, zeros.data());
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    if (argument) REQUIRE(set(kernel, 1, argument) == CL_SUCCESS);
    const cl_uint parameters = info<cl_uint>(clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS);
    REQUIRE(parameters == (argument ? 2 : 1));
    REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    return f.read<cl_int>(out, 1)[0];
}

void add_one(Fixture& f, cl_program program, cl_int code) {
    REQUIRE(code == CL_SUCCESS);
    f.programs.push_back(program);
    REQUIRE(clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel kernel = f.make_kernel(program, "test");
    cl_int start = 41;
    cl_mem out = f.make_buffer(sizeof start, &start);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 42);
}

/// A queue with each of the hints runs kernels, and others have no such hint.
void use_hints(Fixture& f, cl_queue_properties hint) {
    cl_kernel kernel = f.make_kernel("kernel void test(global int *out) { *out += 1; }", "test");
    cl_int start = 0;
    cl_mem out = f.make_buffer(sizeof start, &start);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    for (cl_queue_properties value = 0; value <= 8; ++value) {
        const std::array<cl_queue_properties, 5> list = {hint, value, CL_QUEUE_PROPERTIES, 0, 0};
        cl_int code = 1;
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(f.context, f.the_device, list.data(), &code);
        const bool is_hint = value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
                             value == CL_QUEUE_PRIORITY_LOW_KHR;
        CHECK(code == (is_hint ? CL_SUCCESS : CL_INVALID_VALUE));
        if (!is_hint) continue;
        f.queues.push_back(queue);
        std::array<cl_queue_properties, 5> given = {};
        CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof given, given.data(), nullptr) ==
              CL_SUCCESS);
        CHECK(given == list);
        CHECK(run(queue, kernel, 1) == CL_SUCCESS);
        CHECK(clFinish(queue) == CL_SUCCESS);
    }
    CHECK(f.read<cl_int>(out, 1)[0] == 3);
    if (!has_device_enqueue()) return;
    const std::array<cl_queue_properties, 5> list = {
        hint, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int code = 1;
    clCreateCommandQueueWithProperties(f.context, f.the_device, list.data(), &code);
    CHECK(code == CL_INVALID_QUEUE_PROPERTIES);
}

std::vector<const char*> listed(const Fixture& f, cl_device_info query) {
    size_t bytes = 0;
    REQUIRE(clGetDeviceInfo(f.the_device, query, 0, nullptr, &bytes) == CL_SUCCESS);
    std::vector<const char*> out(bytes / sizeof(const char*));
    REQUIRE(clGetDeviceInfo(f.the_device, query, bytes, out.data(), nullptr) == CL_SUCCESS);
    return out;
}
bool takes_extension(const Fixture& f, std::string_view name) {
    return std::ranges::count(listed(f, CL_DEVICE_SPIRV_EXTENSIONS_KHR), name) == 1;
}

bool lists(const Fixture& f, cl_device_info query, cl_uint type) {
    const auto types = list_answer<cl_uint>(f, query);
    return std::ranges::count(types, type) == 1;
}

/// A signal of a semaphore becomes a handle.
bool exports_semaphore(Fixture& f, cl_uint type) {
    if (!lists(f, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type)) return false;
    const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR,
                                                      CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                      CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                      type,
                                                      0,
                                                      0};
    const OwnSemaphore semaphore(f.context, properties);
    REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
    int descriptor = -2;
    const auto get = extension_function<clGetSemaphoreHandleForTypeKHR_fn>("clGetSemaphoreHandleForTypeKHR");
    CHECK(get(semaphore.handle, f.the_device, type, sizeof descriptor, &descriptor, nullptr) == CL_SUCCESS);
    if (descriptor >= 0) ::close(descriptor);
    return descriptor != -2;
}

/// An extension of the API, which no kernel can use.
struct ApiClaim {
    std::string_view name;
    void (*use)(Fixture& f);
};
const ApiClaim kApiClaims[] = {
    {"cl_khr_icd",
     [](Fixture&) {
         cl_platform_id own = nullptr;
         const auto get = extension_function<clIcdGetPlatformIDsKHR_fn>("clIcdGetPlatformIDsKHR");
         CHECK(get(1, &own, nullptr) == CL_SUCCESS);
         CHECK(!text(clGetPlatformInfo, own, CL_PLATFORM_ICD_SUFFIX_KHR).empty());
         CHECK(extension_function<void*>("clIcdSetPlatformDispatchDataKHR") != nullptr);  // loader_test.cpp
     }},
    {"cl_khr_create_command_queue",
     [](Fixture& f) {
         cl_int code = 1;
         const cl_queue_properties_khr list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
         f.queues.push_back(extension_function<clCreateCommandQueueWithPropertiesKHR_fn>(
             "clCreateCommandQueueWithPropertiesKHR")(f.context, f.the_device, list, &code));
         CHECK(code == CL_SUCCESS);
     }},
    {"cl_khr_device_uuid",
     [](Fixture& f) {
         using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
         CHECK(info<Uuid>(clGetDeviceInfo, f.the_device, CL_DEVICE_UUID_KHR) != Uuid{});
         CHECK(info<Uuid>(clGetDeviceInfo, f.the_device, CL_DRIVER_UUID_KHR) != Uuid{});
     }},
    {"cl_khr_extended_versioning",
     [](Fixture& f) {
         const auto version =
             info<cl_version_khr>(clGetDeviceInfo, f.the_device, CL_DEVICE_NUMERIC_VERSION_KHR);
         const std::string number = std::to_string(CL_VERSION_MAJOR_KHR(version)) + "." +
                                    std::to_string(CL_VERSION_MINOR_KHR(version));
         CHECK(text(clGetDeviceInfo, f.the_device, CL_DEVICE_VERSION).starts_with("OpenCL " + number + " "));
         size_t bytes = 0;
         CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, 0, nullptr, &bytes) ==
               CL_SUCCESS);
         CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, 0, nullptr, &bytes) ==
               CL_SUCCESS);
         CHECK(bytes % sizeof(cl_name_version_khr) == 0);
     }},
    // image_requirements_test.cpp has more of these two.
    {"cl_ext_image_requirements_info",
     [](Fixture& f) {
         size_t alignment = 0;
         CHECK(extension_function<clGetImageRequirementsInfoEXT_fn>("clGetImageRequirementsInfoEXT")(
                   f.context, nullptr, 0, nullptr, nullptr, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
                   sizeof alignment, &alignment, nullptr) == CL_SUCCESS);
         CHECK(alignment == 16);
     }},
    {"cl_khr_cooperative_matrix",
     [](Fixture& f) {
         using Variant = cl_device_cooperative_matrix_variant_khr;
         const auto get = extension_function<decltype(&clGetDeviceCooperativeMatrixInfoKHR)>(
             "clGetDeviceCooperativeMatrixInfoKHR");
         constexpr auto kDefault = CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR,
                        kOfSize = CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR;
         size_t bytes = 0;
         REQUIRE(get(f.the_device, kDefault, 0, nullptr, 0, nullptr, &bytes) == CL_SUCCESS);
         std::vector<Variant> variants(bytes / sizeof(Variant));
         REQUIRE(!variants.empty());
         CHECK(get(f.the_device, kDefault, 0, nullptr, bytes, variants.data(), nullptr) == CL_SUCCESS);
         for (const Variant& variant : variants) {
             CHECK(variant.m_size * variant.n_size * variant.k_size != 0);
             CHECK(std::max({variant.a_type, variant.b_type, variant.c_type, variant.result_type}) <= 10);
         }
         const cl_uint odd_size = 3;
         CHECK(get(f.the_device, kOfSize, sizeof odd_size, &odd_size, 0, nullptr, &bytes) == CL_SUCCESS);
         CHECK(bytes == 0);
         CHECK(get(f.the_device, kOfSize, 0, nullptr, 0, nullptr, &bytes) == CL_INVALID_VALUE);
         CHECK(get(f.the_device, kOfSize, 2, &odd_size, 0, nullptr, &bytes) == CL_INVALID_VALUE);
         CHECK(get(f.the_device, kDefault, 0, nullptr, 1, variants.data(), nullptr) == CL_INVALID_VALUE);
         CHECK(get(f.the_device, 0, 0, nullptr, 0, nullptr, &bytes) == CL_INVALID_VALUE);
         CHECK(get(nullptr, kDefault, 0, nullptr, 0, nullptr, &bytes) == CL_INVALID_DEVICE);
         cl_uint alignment = 0;
         CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR,
                               sizeof alignment, &alignment, nullptr) == CL_SUCCESS);
         CHECK(alignment == 16);
     }},
    {"cl_ext_immutable_memory_objects",
     [](Fixture& f) {
         cl_int code = 1, value = 42, zero = 0;
         f.buffers.push_back(clCreateBuffer(f.context, CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR,
                                            sizeof value, &value, &code));
         REQUIRE(code == CL_SUCCESS);
         CHECK(clEnqueueFillBuffer(f.queue, f.buffers.back(), &zero, 4, 0, 4, 0, nullptr, nullptr) ==
               CL_INVALID_OPERATION);
         CHECK(f.read<cl_int>(f.buffers.back(), 1)[0] == 42);
     }},
    {"cl_ext_image_from_buffer",
     [](Fixture& f) {
         const cl_image_format format = {CL_R, CL_FLOAT};
         const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE3D,
                                  .image_width = 2,
                                  .image_height = 2,
                                  .image_depth = 2,
                                  .mem_object = f.make_buffer(32)};
         cl_int code = 1;
         cl_mem image = clCreateImage(f.context, 0, &format, &desc, nullptr, &code);
         REQUIRE(code == CL_SUCCESS);
         f.buffers.push_back(image);
     }},
    // image_test.cpp has its texels.
    {"cl_ext_image_unorm_int_2_101010",
     [](Fixture& f) {
         const cl_image_format format = {CL_ABGR, CL_UNORM_INT_2_101010_EXT};
         const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};
         cl_int code = 1;
         f.buffers.push_back(clCreateImage(f.context, 0, &format, &desc, nullptr, &code));
         REQUIRE(code == CL_SUCCESS);
         CHECK(info<size_t>(clGetImageInfo, f.buffers.back(), CL_IMAGE_ELEMENT_SIZE) == 4);
     }},
    // image_raw_test.cpp has its texels.
    {"cl_ext_image_raw10_raw12",
     [](Fixture& f) {
         for (const cl_channel_type type : {CL_UNSIGNED_INT_RAW10_EXT, CL_UNSIGNED_INT_RAW12_EXT}) {
             const cl_image_format format = {CL_R, type};
             const cl_image_desc desc{
                 .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
             cl_int code = 1;
             f.buffers.push_back(clCreateImage(f.context, CL_MEM_READ_ONLY, &format, &desc, nullptr, &code));
             REQUIRE(code == CL_SUCCESS);
         }
     }},
    {"cl_khr_il_program",
     [](Fixture& f) {
         cl_int code = 1;
         cl_program program = extension_function<clCreateProgramWithILKHR_fn>("clCreateProgramWithILKHR")(
             f.context, kAddOne, sizeof kAddOne, &code);
         add_one(f, program, code);
     }},
    {"cl_khr_spirv_no_integer_wrap_decoration",
     [](Fixture& f) {
         cl_int code = 1;
         cl_program program = clCreateProgramWithIL(f.context, kAddOne, sizeof kAddOne, &code);
         add_one(f, program, code);
     }},
    {"cl_khr_semaphore",
     [](Fixture& f) {
         const Semaphores semaphores;
         cl_int code = 1;
         cl_semaphore_khr made = semaphores.create(f.context, kBinary, &code);
         REQUIRE(code == CL_SUCCESS);
         CHECK(semaphores.signal(f.queue, 1, &made, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
         CHECK(semaphores.wait(f.queue, 1, &made, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
         CHECK(clFinish(f.queue) == CL_SUCCESS);
         CHECK(semaphores.release(made) == CL_SUCCESS);
     }},
    {"cl_khr_command_buffer",
     [](Fixture& f) {
         cl_mem out = f.make_buffer(4);
         const OwnCommandBuffer commands(f.queue);
         commands.fill(out, 42, 4);
         commands.finish_recording();
         CHECK(commands.replay() == CL_SUCCESS);
         CHECK(f.read<cl_int>(out, 1)[0] == 42);
     }},
    {"cl_khr_command_buffer_multi_device",
     [](Fixture& f) {
         cl_mem first = f.make_buffer(4), out = f.make_buffer(4);
         cl_command_queue other = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
         OwnCommandBuffer commands({f.queue, other});
         commands.on = other;
         const cl_sync_point_khr filled = commands.fill(first, 42, 4);
         commands.on = f.queue;
         commands.copy(first, out, 4, 0, {filled});
         commands.finish_recording();
         CHECK(commands.replay() == CL_SUCCESS);
         CHECK(f.read<cl_int>(out, 1)[0] == 42);
     }},
    {"cl_khr_command_buffer_mutable_dispatch",
     [](Fixture& f) {
         cl_kernel kernel = f.make_kernel("kernel void test(global int *out, int i) { *out = i; }", "test");
         cl_mem out = f.make_buffer(4);
         const cl_int first = 41, second = 42;
         REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
         REQUIRE(set(kernel, 1, first) == CL_SUCCESS);
         const OwnCommandBuffer commands(f.queue, kMutable);
         const cl_mutable_command_khr launch = commands.run_changeable(kernel, 1);
         commands.finish_recording();
         const icd::MutableDispatchArg arg{1, sizeof second, &second};
         CHECK(commands.change({{.command = launch, .num_args = 1, .arg_list = &arg}}) == CL_SUCCESS);
         CHECK(commands.replay() == CL_SUCCESS);
         CHECK(f.read<cl_int>(out, 1)[0] == 42);
     }},
    {"cl_ext_buffer_device_address",
     [](Fixture& f) {
         const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
         cl_int code = 1, value = 41;
         f.buffers.push_back(clCreateBufferWithProperties(f.context, properties, CL_MEM_COPY_HOST_PTR,
                                                          sizeof value, &value, &code));
         REQUIRE(code == CL_SUCCESS);
         cl_kernel kernel = f.make_kernel("kernel void test(global int *out) { *out += 1; }", "test");
         const auto address =
             info<cl_mem_device_address_ext>(clGetMemObjectInfo, f.buffers[0], CL_MEM_DEVICE_ADDRESS_EXT);
         CHECK(extension_function<clSetKernelArgDevicePointerEXT_fn>("clSetKernelArgDevicePointerEXT")(
                   kernel, 0, address) == CL_SUCCESS);
         REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
         CHECK(f.read<cl_int>(f.buffers[0], 1)[0] == 42);
     }},
    {"cl_intel_unified_shared_memory",
     [](Fixture& f) {
         const Usm usm;
         cl_kernel kernel = f.make_kernel("kernel void test(global int *out) { *out += 1; }", "test");
         cl_int code = 1, value = 41;
         void* memory = usm.allocate_device(f.context, f.the_device, nullptr, sizeof value, 0, &code);
         REQUIRE(code == CL_SUCCESS);
         const auto copy = [&](void* to, const void* from) {
             CHECK(usm.copy(f.queue, CL_TRUE, to, from, sizeof value, 0, nullptr, nullptr) == CL_SUCCESS);
         };
         copy(memory, &value);
         CHECK(usm.set_argument(kernel, 0, memory) == CL_SUCCESS);
         REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
         copy(&value, memory);
         CHECK(value == 42);
         CHECK(usm.blocking_free(f.context, memory) == CL_SUCCESS);
     }},
    {"cl_khr_unified_svm",
     [](Fixture& f) {
         const UnifiedSvm svm;
         const cl_svm_alloc_properties_khr properties[] = {
             CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
             reinterpret_cast<cl_svm_alloc_properties_khr>(f.the_device), 0};
         cl_uint type = 0;
         REQUIRE(svm.suggest(f.context, kOfDevice, 0, properties, 4, &type) == CL_SUCCESS);
         cl_int code = 1, value = 41;
         void* memory = svm.allocate(f.context, properties, type, sizeof value, &code);
         REQUIRE(code == CL_SUCCESS);
         cl_kernel kernel = f.make_kernel("kernel void test(global int *out) { *out += 1; }", "test");
         const auto copy = [&](void* to, const void* from) {
             CHECK(clEnqueueSVMMemcpy(f.queue, CL_TRUE, to, from, sizeof value, 0, nullptr, nullptr) ==
                   CL_SUCCESS);
         };
         copy(memory, &value);
         CHECK(clSetKernelArgSVMPointer(kernel, 0, memory) == CL_SUCCESS);
         REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
         copy(&value, memory);
         CHECK(value == 42);
         CHECK(svm.free(f.context, nullptr, 0, memory) == CL_SUCCESS);
     }},
    // driver_external uses these with another API.
    {"cl_khr_external_memory",
     [](Fixture& f) {
         (void)extension_function<clEnqueueAcquireExternalMemObjectsKHR_fn>(
             "clEnqueueAcquireExternalMemObjectsKHR");
         const auto release = extension_function<clEnqueueReleaseExternalMemObjectsKHR_fn>(
             "clEnqueueReleaseExternalMemObjectsKHR");
         CHECK(release(f.queue, 0, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
     }},
    {"cl_khr_external_memory_opaque_fd",
     [](Fixture& f) {
         CHECK(lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                     CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR));
     }},
    {"cl_khr_external_memory_dma_buf",
     [](Fixture& f) {
         CHECK(lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                     CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR));
     }},
    {"cl_khr_external_semaphore",
     [](Fixture& f) {
         const OwnSemaphore semaphore(f.context);
         CHECK(info<cl_bool>(semaphore.get_info, semaphore.handle, CL_SEMAPHORE_EXPORTABLE_KHR) == CL_FALSE);
     }},
    {"cl_khr_external_semaphore_opaque_fd",
     [](Fixture& f) { CHECK(exports_semaphore(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)); }},
    {"cl_khr_external_semaphore_sync_fd",
     [](Fixture& f) { CHECK(exports_semaphore(f, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR)); }},
    {"cl_khr_suggested_local_work_size",
     [](Fixture& f) {
         cl_kernel kernel = f.make_kernel("kernel void test(global int *out) { *out = 1; }", "test");
         cl_mem out = f.make_buffer(4);
         REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
         const size_t items = 96;
         size_t size = 0;
         CHECK(extension_function<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
                   "clGetKernelSuggestedLocalWorkSizeKHR")(f.queue, kernel, 1, nullptr, &items, &size) ==
               CL_SUCCESS);
         CHECK(size > 0);
     }},
    // arm_printf_test.cpp looks at the text.
    {"cl_arm_printf",
     [](Fixture& f) {
         const auto take = [](const char*, size_t, size_t, void*) {};
         void(CL_CALLBACK * function)(const char*, size_t, size_t, void*) = take;
         const cl_context_properties properties[] = {CL_PRINTF_CALLBACK_ARM,
                                                     reinterpret_cast<cl_context_properties>(function),
                                                     CL_PRINTF_BUFFERSIZE_ARM, 4096, 0};
         cl_int code = 1;
         cl_context made = clCreateContext(properties, 1, &f.the_device, nullptr, nullptr, &code);
         REQUIRE(code == CL_SUCCESS);
         CHECK(clReleaseContext(made) == CL_SUCCESS);
     }},
    // initialize_memory_test.cpp looks at the memory.
    {"cl_khr_initialize_memory",
     [](Fixture& f) {
         const cl_context_properties properties[] = {
             CL_CONTEXT_MEMORY_INITIALIZE_KHR,
             CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR, 0};
         cl_int code = 1;
         cl_context made = clCreateContext(properties, 1, &f.the_device, nullptr, nullptr, &code);
         REQUIRE(code == CL_SUCCESS);
         CHECK(clReleaseContext(made) == CL_SUCCESS);
     }},
    {"cl_khr_priority_hints", [](Fixture& f) { use_hints(f, CL_QUEUE_PRIORITY_KHR); }},
    {"cl_khr_throttle_hints", [](Fixture& f) { use_hints(f, CL_QUEUE_THROTTLE_KHR); }},
    {"cl_khr_pci_bus_info",
     [](Fixture& f) {
         const auto pci =
             info<cl_device_pci_bus_info_khr>(clGetDeviceInfo, f.the_device, CL_DEVICE_PCI_BUS_INFO_KHR);
         CHECK(pci.pci_device < 32);
     }},
    // spirv_queries_test.cpp has more of these three.
    {"cl_khr_spirv_queries",
     [](Fixture& f) {
         for (const cl_device_info query :
              {CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, CL_DEVICE_SPIRV_EXTENSIONS_KHR,
               CL_DEVICE_SPIRV_CAPABILITIES_KHR}) {
             size_t bytes = 0;
             CHECK(clGetDeviceInfo(f.the_device, query, 0, nullptr, &bytes) == CL_SUCCESS);
             CHECK(bytes > 0);
         }
     }},
    {"cl_khr_spirv_linkonce_odr", [](Fixture& f) { CHECK(takes_extension(f, "SPV_KHR_linkonce_odr")); }},
    {"cl_khr_spirv_extended_debug_info",
     [](Fixture& f) {
         const std::vector<const char*> sets = listed(f, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR);
         CHECK(std::ranges::count(sets, std::string_view("OpenCL.DebugInfo.100")) == 1);
     }},
    {"cl_intel_required_subgroup_size", [](Fixture& f) {
         size_t bytes = 0;
         CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes) ==
               CL_SUCCESS);
         std::vector<size_t> sizes(bytes / sizeof(size_t));
         CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes, sizes.data(), nullptr) ==
               CL_SUCCESS);
         CHECK(!sizes.empty());
         for (const size_t size : sizes) {
             const std::string number = std::to_string(size);
             cl_program program = f.build(
                 "__attribute__((intel_reqd_sub_group_size(" + number +
                     "))) kernel void test(global int *out) { *out = get_max_sub_group_size() == " + number +
                     "; }",
                 "-cl-std=CL3.0");
             CHECK(result_of(f, program, size, nullptr) == 1);
         }
     }}};

/// The claim's second argument, or null.
cl_mem make_argument(Fixture& f, Argument argument) {
    std::array<cl_uint, 16> texels = {};
    for (cl_uint i = 0; i < texels.size(); ++i) texels[i] = 16 + i;
    std::array<float, 16> depths = {};
    depths.fill(0.5f);
    cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    cl_int code = 1;
    const auto image = [&](cl_mem_flags flags, void* host) {
        f.buffers.push_back(clCreateImage(f.context, flags, &format, &desc, host, &code));
        REQUIRE(code == CL_SUCCESS);
        return f.buffers.back();
    };
    switch (argument) {
        case Argument::None: return nullptr;
        case Argument::ImageFromBuffer:
            // Rows of 4 texels; the device's alignment of rows is less than that, or one row is longer.
            desc.buffer = f.make_buffer(sizeof texels, texels.data());
            desc.image_row_pitch = 16;
            return image(CL_MEM_READ_ONLY, nullptr);
        case Argument::Image3DWritten:
            desc.image_type = CL_MEM_OBJECT_IMAGE3D;
            desc.image_depth = 2;
            return image(CL_MEM_WRITE_ONLY, nullptr);
        case Argument::ImageReadAndWritten: return image(CL_MEM_READ_WRITE, nullptr);
        case Argument::DepthImage:
            format = {CL_DEPTH, CL_FLOAT};
            return image(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, depths.data());
        case Argument::Pipes:
            f.buffers.push_back(clCreatePipe(f.context, 0, 4, 128, nullptr, &code));
            REQUIRE(code == CL_SUCCESS);
            return f.buffers.back();
    }
    return nullptr;
}

void use(Fixture& f, std::string_view name) {
    INFO(name);
    if (const auto api = std::ranges::find(kApiClaims, name, &ApiClaim::name); api != std::end(kApiClaims))
        return api->use(f);
    const auto claim = std::ranges::find(claims::kClaims, name, &Claim::name);
    REQUIRE_MESSAGE(claim != std::end(claims::kClaims), "nothing uses it");
    cl_program program = f.build(claims::source(*claim), "-cl-std=CL3.0");
    const size_t items = name.find("group") == std::string_view::npos ? 1 : 64;
    CHECK(result_of(f, program, items, make_argument(f, claim->argument)) == 1);
}

}  // namespace

TEST_CASE("what the device claims as extensions is used") {
    Fixture f;
    std::istringstream names(text(clGetDeviceInfo, f.the_device, CL_DEVICE_EXTENSIONS));
    for (std::string name; names >> name;) use(f, name);
}

TEST_CASE("what the device claims as features of OpenCL C is used") {
    Fixture f;
    size_t bytes = 0;
    REQUIRE(clGetDeviceInfo(f.the_device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &bytes) == CL_SUCCESS);
    std::vector<cl_name_version> features(bytes / sizeof(cl_name_version));
    REQUIRE(clGetDeviceInfo(f.the_device, CL_DEVICE_OPENCL_C_FEATURES, bytes, features.data(), nullptr) ==
            CL_SUCCESS);
    CHECK(!features.empty());
    for (const cl_name_version& feature : features) use(f, feature.name);
}

}  // namespace caldera::driver_test
