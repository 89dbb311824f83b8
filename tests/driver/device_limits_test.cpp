// SPDX-License-Identifier: Apache-2.0
// What a device of the full profile has at least (OpenCL API 4.2, table 5), and what its optional features
// want besides.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

/// A number of so many bytes that is not below `least`.
struct Least {
    cl_device_info query = 0;
    const char* name = nullptr;
    size_t bytes = 0;
    cl_ulong least = 0;
};
#define LEAST(type, name, least) \
    { name, #name, sizeof(type), least }
const Least kLeast[] = {
    LEAST(cl_uint, CL_DEVICE_VENDOR_ID, 0),
    LEAST(cl_uint, CL_DEVICE_MAX_COMPUTE_UNITS, 1),
    LEAST(cl_uint, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
    LEAST(size_t, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 0),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 0),
    LEAST(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1),
    LEAST(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1),
    LEAST(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1),
    LEAST(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1),
    LEAST(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1),
    LEAST(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 0),
    LEAST(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 0),
    LEAST(cl_uint, CL_DEVICE_MAX_CLOCK_FREQUENCY, 0),
    LEAST(cl_uint, CL_DEVICE_ADDRESS_BITS, 64),
    LEAST(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 32 << 20),
    LEAST(cl_uint, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 1),
    LEAST(cl_uint, CL_DEVICE_PIPE_MAX_PACKET_SIZE, 1024),
    LEAST(size_t, CL_DEVICE_MAX_PARAMETER_SIZE, 1024),
    LEAST(cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024),  // bits of a long16
    LEAST(cl_uint, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 128),
    LEAST(cl_uint, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 0),
    LEAST(cl_ulong, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 0),
    LEAST(cl_ulong, CL_DEVICE_GLOBAL_MEM_SIZE, 32 << 20),
    LEAST(cl_ulong, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 64 << 10),
    LEAST(size_t, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 64 << 10),
    LEAST(size_t, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, 64 << 10),
    LEAST(cl_ulong, CL_DEVICE_LOCAL_MEM_SIZE, 32 << 10),
    LEAST(cl_bool, CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
    LEAST(cl_bool, CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE),
    LEAST(size_t, CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1),
    LEAST(cl_bool, CL_DEVICE_ENDIAN_LITTLE, CL_FALSE),
    LEAST(cl_bool, CL_DEVICE_AVAILABLE, CL_TRUE),
    LEAST(cl_bool, CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
    LEAST(cl_bool, CL_DEVICE_LINKER_AVAILABLE, CL_TRUE),
    LEAST(size_t, CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20),
    LEAST(cl_bool, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_FALSE),
    LEAST(cl_uint, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0),
    LEAST(cl_uint, CL_DEVICE_REFERENCE_COUNT, 1),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 0),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 0),
    LEAST(cl_uint, CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 0),
    LEAST(cl_uint, CL_DEVICE_MAX_NUM_SUB_GROUPS, 1),
    LEAST(cl_bool, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_FALSE),
    LEAST(cl_bool, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_TRUE),
    LEAST(cl_bool, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_TRUE),
    LEAST(cl_bool, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_TRUE),
    LEAST(cl_bool, CL_DEVICE_PIPE_SUPPORT, CL_TRUE),
    LEAST(size_t, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 1),
    LEAST(cl_version, CL_DEVICE_NUMERIC_VERSION, CL_MAKE_VERSION(3, 0, 0)),
    LEAST(cl_version, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, CL_MAKE_VERSION(1, 2, 0)),
};
const Least kLeastOfImages[] = {
    LEAST(cl_bool, CL_DEVICE_IMAGE_SUPPORT, CL_TRUE),
    LEAST(size_t, CL_DEVICE_IMAGE2D_MAX_WIDTH, 16384),
    LEAST(size_t, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 16384),
    LEAST(size_t, CL_DEVICE_IMAGE3D_MAX_WIDTH, 2048),
    LEAST(size_t, CL_DEVICE_IMAGE3D_MAX_HEIGHT, 2048),
    LEAST(size_t, CL_DEVICE_IMAGE3D_MAX_DEPTH, 2048),
    LEAST(size_t, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 65536),
    LEAST(size_t, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 2048),
    LEAST(cl_uint, CL_DEVICE_MAX_SAMPLERS, 16),
    LEAST(cl_uint, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 1),
    LEAST(cl_uint, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 1),
};
const Least kLeastOfEnqueue[] = {
    LEAST(cl_uint, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 16 << 10),
    LEAST(cl_uint, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 256 << 10),
    LEAST(cl_uint, CL_DEVICE_MAX_ON_DEVICE_QUEUES, 1),
    LEAST(cl_uint, CL_DEVICE_MAX_ON_DEVICE_EVENTS, 1024),
};
#undef LEAST

/// Bits that are all set.
struct Bits {
    cl_device_info query = 0;
    cl_bitfield least = 0;
};
constexpr cl_device_atomic_capabilities kOrders =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
const Bits kBits[] = {
    {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN},
    {CL_DEVICE_EXECUTION_CAPABILITIES, CL_EXEC_KERNEL},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, CL_QUEUE_PROFILING_ENABLE},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, kOrders | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                               CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                                               CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, kOrders | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
                                              CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                              CL_DEVICE_ATOMIC_SCOPE_DEVICE},
};
const Bits kBitsOfEnqueue[] = {
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_QUEUE_SUPPORTED},
};

/// Whether the device is to have addresses: what needs them is there, or all of it is not.
bool expects_addresses() {
    const char* const without = std::getenv("CALDERA_TEST_WITHOUT");  // features/layer.cpp
    return !without || !std::strstr(without, "bufferDeviceAddress");
}

void check(std::span<const Least> rows, bool has_part) {
    for (const Least& row : rows) {
        INFO(std::string(row.name));
        cl_ulong value = 0;  // of fewer bytes: the lower ones, as hosts are
        size_t bytes = 0;
        CHECK(clGetDeviceInfo(device(), row.query, sizeof value, &value, &bytes) == CL_SUCCESS);
        CHECK(bytes == row.bytes);
        if (has_part)
            CHECK(value >= (row.query == CL_DEVICE_LOCAL_MEM_SIZE ? least_local_bytes() : row.least));
        else
            CHECK(value == 0);
    }
}
void check(std::span<const Bits> rows, bool has_part) {
    for (const Bits& row : rows) {
        CAPTURE(row.query);
        const auto bits = info<cl_bitfield>(clGetDeviceInfo, device(), row.query);
        CHECK((has_part ? bits & row.least : bits) == (has_part ? row.least : 0));
    }
}

std::vector<std::string> names(cl_device_info query) {
    size_t bytes = 0;
    CHECK(clGetDeviceInfo(device(), query, 0, nullptr, &bytes) == CL_SUCCESS);
    std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
    CHECK(clGetDeviceInfo(device(), query, bytes, list.data(), nullptr) == CL_SUCCESS);
    std::vector<std::string> out;
    for (const cl_name_version& each : list) out.emplace_back(each.name);
    return out;
}
bool has(const std::vector<std::string>& list, const char* name) {
    return std::ranges::find(list, name) != list.end();
}

}  // namespace

TEST_CASE("4.2 a device has at least what the full profile wants") {
    const cl_device_id self = device();
    CHECK(text(clGetDeviceInfo, self, CL_DEVICE_PROFILE) == "FULL_PROFILE");
    const bool has_addresses = expects_addresses();
    check(kLeast, true);
    check(kBits, true);
    // Without addresses each is a storage buffer, of which Vulkan promises four.
    CHECK(info<cl_uint>(clGetDeviceInfo, self, CL_DEVICE_MAX_PIPE_ARGS) >= (has_addresses ? 16 : 3));
    CHECK(info<cl_uint>(clGetDeviceInfo, self, CL_DEVICE_MAX_CONSTANT_ARGS) >= (has_addresses ? 8 : 3));
    CHECK(info<cl_uint>(clGetDeviceInfo, self, CL_DEVICE_MAX_READ_IMAGE_ARGS) >= (has_addresses ? 128 : 3));
    CHECK(info<cl_uint>(clGetDeviceInfo, self, CL_DEVICE_MAX_WRITE_IMAGE_ARGS) >= (has_addresses ? 64 : 3));
    CHECK(info<cl_uint>(clGetDeviceInfo, self, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS) >=
          (has_addresses ? 64 : 3));
    check(kLeastOfImages, true);
    check(kLeastOfEnqueue, has_addresses);
    check(kBitsOfEnqueue, has_addresses);
    if (!has_addresses)
        CHECK(info<cl_device_svm_capabilities>(clGetDeviceInfo, self, CL_DEVICE_SVM_CAPABILITIES) == 0);
    const auto memory = info<cl_ulong>(clGetDeviceInfo, self, CL_DEVICE_GLOBAL_MEM_SIZE);
    const auto allocation = info<cl_ulong>(clGetDeviceInfo, self, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    // The least range of a descriptor that Vulkan allows is 128 MiB.
    CHECK(allocation >= std::min<cl_ulong>(memory / 4, has_addresses ? 1 << 30 : 1 << 27));
    for (const cl_device_info query :
         {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_VERSION, CL_DEVICE_OPENCL_C_VERSION,
          CL_DEVICE_IL_VERSION, CL_DEVICE_EXTENSIONS})
        CHECK(!text(clGetDeviceInfo, self, query).empty());
    CHECK(text(clGetDeviceInfo, self, CL_DEVICE_BUILT_IN_KERNELS).empty());
    // Programs that take the vendor for that of a compiler write PTX for NVIDIA's.
    CHECK(text(clGetDeviceInfo, self, CL_DEVICE_VENDOR) == "Caldera");
    CHECK(text(clGetDeviceInfo, self, CL_DEVICE_VERSION).find("CUDA") == std::string::npos);
}

TEST_CASE("4.2 CL_FP_DENORM of float is what kernels do with denormals") {
    const auto config = info<cl_device_fp_config>(clGetDeviceInfo, device(), CL_DEVICE_SINGLE_FP_CONFIG);
    Fixture f;
    std::array<float, 4> numbers = {0x1.8p-100f, -0x1p-30f, 0x1p-140f, 0};
    const cl_mem buffer = f.make_buffer(sizeof numbers, numbers.data());
    const cl_kernel kernel = f.make_kernel(
        "kernel void k(global float *x) { x[3] = log2(x[2]); x[0] *= x[1]; x[1] = x[2] + x[2]; x[2] = x[2] > "
        "0; }",
        "k");
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    const std::vector<float> kept = {-0x1.8p-130f, 0x1p-139f, 1, -140};
    CHECK((f.read<float>(buffer, 4) == kept) == ((config & CL_FP_DENORM) != 0));
}

TEST_CASE("4.2 CL_FP_DENORM of double is what kernels do with denormals") {
    const auto config = info<cl_device_fp_config>(clGetDeviceInfo, device(), CL_DEVICE_DOUBLE_FP_CONFIG);
    if (config == 0) return;
    Fixture f;
    std::array<double, 4> numbers = {0x1.8p-600, -0x1p-430, 0x1p-1060, 0x1p-1060};
    const cl_mem buffer = f.make_buffer(sizeof numbers, numbers.data());
    const cl_kernel kernel = f.make_kernel(
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
        "kernel void k(global double *x) { x[0] *= x[1]; x[1] = x[2] + x[2]; x[2] = x[2] > 0; x[3] /= 4; }",
        "k");
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    const std::vector<double> kept = {-0x1.8p-1030, 0x1p-1059, 1, 0x1p-1062};
    CHECK((f.read<double>(buffer, 4) == kept) == ((config & CL_FP_DENORM) != 0));
}

TEST_CASE("4.2 features and extensions agree with what else a device says") {
    const cl_device_id self = device();
    const std::vector<std::string> features = names(CL_DEVICE_OPENCL_C_FEATURES);
    const std::vector<std::string> extensions = names(CL_DEVICE_EXTENSIONS_WITH_VERSION);
    // Features of the full profile, and those that the queries above report.
    for (const char* feature :
         {"__opencl_c_int64", "__opencl_c_pipes", "__opencl_c_generic_address_space",
          "__opencl_c_program_scope_global_variables", "__opencl_c_work_group_collective_functions",
          "__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst",
          "__opencl_c_atomic_scope_device", "__opencl_c_atomic_scope_all_devices", "__opencl_c_images",
          "__opencl_c_read_write_images", "__opencl_c_3d_image_writes"}) {
        INFO(std::string(feature));
        CHECK(has(features, feature));
    }
    for (const char* extension : {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics",
                                  "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
                                  "cl_khr_local_int32_extended_atomics", "cl_khr_3d_image_writes",
                                  "cl_khr_depth_images", "cl_khr_image2d_from_buffer"}) {
        INFO(std::string(extension));
        CHECK(has(extensions, extension));
    }
    CHECK(has(features, "__opencl_c_device_enqueue") == expects_addresses());
    constexpr cl_device_fp_config kDouble =
        CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN;
    const auto doubles = info<cl_device_fp_config>(clGetDeviceInfo, self, CL_DEVICE_DOUBLE_FP_CONFIG);
    CHECK(has(extensions, "cl_khr_fp64") == has(features, "__opencl_c_fp64"));
    CHECK((doubles & kDouble) == (has(extensions, "cl_khr_fp64") ? kDouble : 0));
    const auto halves = info<cl_device_fp_config>(clGetDeviceInfo, self, CL_DEVICE_HALF_FP_CONFIG);
    CHECK(has(extensions, "cl_khr_fp16") == (halves != 0));
    CHECK((halves == 0 || (halves & CL_FP_INF_NAN && halves & CL_FP_ROUND_TO_NEAREST)));

    // Extensions bring queries.
    REQUIRE(has(extensions, "cl_khr_integer_dot_product"));
    CHECK(info<cl_bitfield>(clGetDeviceInfo, self, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR) ==
          (CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR |
           CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR));
    for (const cl_device_info query :
         {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
          CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}) {
        cl_device_integer_dot_product_acceleration_properties_khr accelerated;
        CHECK(clGetDeviceInfo(self, query, sizeof accelerated, &accelerated, nullptr) == CL_SUCCESS);
    }
    REQUIRE(has(extensions, "cl_ext_float_atomics"));
    constexpr cl_device_info kSingleFpAtomicCapabilities = 0x4231, kDoubleFpAtomicCapabilities = 0x4232,
                             kHalfFpAtomicCapabilities = 0x4233;
    const auto single = info<cl_bitfield>(clGetDeviceInfo, self, kSingleFpAtomicCapabilities);
    CHECK((single & 0x70007) == single);
    CHECK(((single & 2) != 0) == has(features, "__opencl_c_ext_fp32_global_atomic_add"));
    CHECK(((single & 4 << 16) != 0) == has(features, "__opencl_c_ext_fp32_local_atomic_min_max"));
    const auto of_doubles = info<cl_bitfield>(clGetDeviceInfo, self, kDoubleFpAtomicCapabilities);
    CHECK((of_doubles != 0) == has(features, "__opencl_c_ext_fp64_global_atomic_add"));
    const auto of_halves = info<cl_bitfield>(clGetDeviceInfo, self, kHalfFpAtomicCapabilities);
    CHECK((of_halves != 0) == has(features, "__opencl_c_ext_fp16_local_atomic_load_store"));
    CHECK((of_halves != 0) == has(extensions, "cl_khr_fp16"));
}
