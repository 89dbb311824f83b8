// SPDX-License-Identifier: Apache-2.0
// clGetDeviceInfo: the rows of device_info.def, and functions that compute their values.
#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "caldera/version.h"
#include "vulkan/icd/command_buffer.h"
#include "vulkan/icd/device.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/handle_types.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/names.h"
#include "vulkan/icd/newer_names.h"
#include "vulkan/icd/svm_kinds.h"
#include "vulkan/interface.h"
#include "vulkan/spirv_support.h"

namespace caldera::icd {
namespace {

/// Vulkan has no query for this. A CPU has its hardware threads; for a GPU, a vendor's extension may report
/// the number.
cl_uint compute_units(const Device& self) {
    if (self.type() == CL_DEVICE_TYPE_CPU) return std::max(std::thread::hardware_concurrency(), 1u);
    return self.info.compute_units;
}

/// Kernels may require smaller sub-groups than others get.
cl_uint max_sub_groups(const Device& self) {
    const vulkan::DeviceProfile& profile = self.info.profile;
    if (!profile.subgroups) return 1;  // the whole work-group
    const cl_uint usual = profile.max_local_invocations / std::max(self.info.subgroup_launch.size, 1u);
    if (vulkan::required_subgroup_sizes(profile).empty()) return usual;
    const cl_uint smallest = profile.max_local_invocations / profile.min_subgroup_size;
    return std::max(usual, std::min(smallest, profile.max_required_subgroups));
}
std::vector<size_t> required_sub_group_sizes(const vulkan::DeviceProfile& profile) {
    const std::vector<uint32_t> sizes = vulkan::required_subgroup_sizes(profile);
    return {sizes.begin(), sizes.end()};
}

/// Denormals are kept if the device promises it or a probe finds it, which requires opening the device.
/// Everything is rounded to nearest even, and fma() rounds once.
cl_device_fp_config single_fp_config(Device& self) {
    const bool keeps = keeps_denormals(self.info.profile, 32) || keeps_denormals(self.open()->profile(), 32);
    return CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT |
           (keeps ? CL_FP_DENORM : 0);
}
/// OpenCL requires that denormal doubles are kept (OpenCL 3.0, CL_DEVICE_DOUBLE_FP_CONFIG). If the device
/// flushes them and cannot be told not to, the query says so. Emulated doubles keep them.
cl_device_fp_config double_fp_config(Device& self) {
    if (!has_double(self.info.profile)) return 0;
    const cl_device_fp_config all =
        CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
    const runtime::Device& opened = *self.open();
    if (opened.profile().emulated_float64) return all | CL_FP_DENORM | CL_FP_SOFT_FLOAT;
    return all | (opened.keeps_double_denormals() ? CL_FP_DENORM : 0);
}
cl_device_fp_config half_fp_config(const vulkan::DeviceProfile& profile) {
    if (!profile.float16) return 0;
    return CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA |
           (keeps_denormals(profile, 16) ? CL_FP_DENORM : 0);
}

constexpr cl_device_atomic_capabilities kAtomicMemoryCapabilities =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

// From cl_ext_float_atomics, which older headers do not have.
constexpr cl_device_info kSingleFpAtomicCapabilities = 0x4231, kDoubleFpAtomicCapabilities = 0x4232,
                         kHalfFpAtomicCapabilities = 0x4233;

/// Add and min/max in global memory, then in local memory.
using AtomicRows = std::array<frontend::Ext, 4>;
constexpr AtomicRows kHalfFpAtomics = {
    frontend::Ext::Fp16GlobalAtomicAdd, frontend::Ext::Fp16GlobalAtomicMinMax,
    frontend::Ext::Fp16LocalAtomicAdd, frontend::Ext::Fp16LocalAtomicMinMax};
constexpr AtomicRows kSingleFpAtomics = {
    frontend::Ext::Fp32GlobalAtomicAdd, frontend::Ext::Fp32GlobalAtomicMinMax,
    frontend::Ext::Fp32LocalAtomicAdd, frontend::Ext::Fp32LocalAtomicMinMax};
constexpr AtomicRows kDoubleFpAtomics = {
    frontend::Ext::Fp64GlobalAtomicAdd, frontend::Ext::Fp64GlobalAtomicMinMax,
    frontend::Ext::Fp64LocalAtomicAdd, frontend::Ext::Fp64LocalAtomicMinMax};

/// Loads and stores are always supported if any operation is.
cl_bitfield float_atomics(const frontend::ExtSet& has, const AtomicRows& rows) {
    constexpr cl_bitfield kLoadStore = 1, kAdd = 2, kMinMax = 4;
    constexpr int kLocal = 16;  // the same bits, shifted
    constexpr std::array<cl_bitfield, 4> kBits = {kAdd, kMinMax, kAdd << kLocal, kMinMax << kLocal};
    cl_bitfield bits = 0;
    for (size_t i = 0; i < rows.size(); ++i)
        if (has.has(rows[i])) bits |= kBits[i];
    return bits == 0 ? 0 : bits | kLoadStore | kLoadStore << kLocal;
}

cl_device_integer_dot_product_acceleration_properties_khr acceleration(const vulkan::DotProducts& products) {
    return {.signed_accelerated = products.of_signed,
            .unsigned_accelerated = products.of_unsigned,
            .mixed_signedness_accelerated = products.of_both,
            .accumulating_saturating_signed_accelerated = products.saturating_signed,
            .accumulating_saturating_unsigned_accelerated = products.saturating_unsigned,
            .accumulating_saturating_mixed_signedness_accelerated = products.saturating_both};
}

cl_bitfield clocks(const frontend::ExtSet& has) {
    using enum frontend::Ext;
    return (has.has(KernelClockDevice) ? CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR : 0) |
           (has.has(KernelClockWorkGroup) ? CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR : 0) |
           (has.has(KernelClockSubGroup) ? CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR : 0);
}

constexpr cl_uint kMatrixAlignment = 16;  // Vulkan's, for rows of 16 bytes and more

/// A device that is on no bus has no answer, and not the extension.
cl_device_pci_bus_info_khr pci_bus_info(const Device& self) {
    require(self.info.pci.has_value(), CL_INVALID_VALUE);
    return {self.info.pci->pciDomain, self.info.pci->pciBus, self.info.pci->pciDevice,
            self.info.pci->pciFunction};
}

/// The most buffers or images. With descriptors, each is a storage buffer. A quarter of those is for what
/// kernels write, and for the program's own.
cl_uint max_buffer_arguments(const vulkan::DeviceProfile& profile, cl_uint most) {
    if (profile.buffer_device_address) return most;
    return std::min(most, profile.max_storage_buffers - profile.max_storage_buffers / 4);
}

size_t timer_resolution_ns(const Device& self) {
    return std::max<size_t>(static_cast<size_t>(self.info.properties.limits.timestampPeriod), 1);
}

std::vector<cl_name_version> spirv_versions() {
    std::vector<cl_name_version> out;
    for (cl_uint minor = 0; minor <= kMaxSpirvMinorVersion; ++minor)
        out.push_back(name_version("SPIR-V", CL_MAKE_VERSION(1, minor, 0)));
    return out;
}
/// The newest version comes first.
std::vector<std::string> spirv_names() {
    std::vector<std::string> out;
    for (cl_uint minor = 0; minor <= kMaxSpirvMinorVersion; ++minor)
        out.insert(out.begin(), "SPIR-V_1." + std::to_string(minor));
    return out;
}

std::vector<cl_name_version> opencl_c_versions(const Device& self) {
    std::vector<cl_name_version> out;
    for (const auto& [major, minor] : {std::pair{1u, 0u}, {1u, 1u}, {1u, 2u}, {3u, 0u}})
        out.push_back(name_version("OpenCL C", CL_MAKE_VERSION(major, minor, 0)));
    if (self.version() > out.back().version) out.push_back(name_version("OpenCL C", self.version()));
    return out;
}

/// OpenCL C 3.0 6.2.1
std::vector<std::string> feature_names(const Device& self) {
    std::vector<std::string> names;
    for (uint32_t e = 1; e < static_cast<uint32_t>(frontend::Ext::kCount); ++e) {
        const auto row = static_cast<frontend::Ext>(e);
        const std::string_view name = frontend::macro_name(row);
        if (name.starts_with("__opencl_c_") && self.extensions.has(row)) names.emplace_back(name);
    }
    return names;
}

/// What command-buffers may do.
cl_bitfield command_buffer_capabilities(const Device& device) {
    return CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
           CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
           CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR |
           (device.extensions.has(frontend::Ext::DeviceEnqueue)
                ? CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
                : 0);
}

/// The devices with whose queues the device's queues synchronise on their own.
std::vector<cl_device_id> sync_devices(Device& device) {
    if (!syncs_queues(device)) return {};
    return {&device};
}

}  // namespace

/// Sub-groups have one size where Vulkan's products are for.
cl_int CL_API_CALL GetDeviceCooperativeMatrixInfoKHR(cl_device_id handle,
                                                     cl_device_cooperative_matrix_info_khr name,
                                                     size_t input_size, const void* input, size_t size,
                                                     void* value, size_t* size_ret) {
    return entry([&] {
        const Device& self = checked(handle);
        const vulkan::DeviceProfile& profile = self.info.profile;
        require(!profile.matrix_products.empty(), CL_INVALID_OPERATION);
        const bool asks_size = name == CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR;
        require(asks_size || name == CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR,
                CL_INVALID_VALUE);
        cl_uint lanes = self.info.subgroup_launch.size;
        if (asks_size) {
            require(input && input_size == sizeof lanes, CL_INVALID_VALUE);
            std::memcpy(&lanes, input, sizeof lanes);
        }
        std::vector<cl_device_cooperative_matrix_variant_khr> variants;
        if (lanes == self.info.subgroup_launch.size)
            for (const vulkan::MatrixProduct& product : profile.matrix_products) {
                if (!product.is_in_draft()) continue;
                variants.push_back({product.m, product.n, product.k, static_cast<cl_uint>(product.a),
                                    static_cast<cl_uint>(product.b), static_cast<cl_uint>(product.c),
                                    static_cast<cl_uint>(product.result), product.saturating});
            }
        Answer(size, value, size_ret).put_all(variants);
    });
}

cl_int CL_API_CALL GetDeviceInfo(cl_device_id handle, cl_device_info name, size_t size, void* value,
                                 size_t* size_ret) {
    return entry([&] {
        Device& self = checked(handle);
        const vulkan::DeviceProfile& p = self.info.profile;
        const Answer answer(size, value, size_ret);
        const auto has = [&](frontend::Ext row) { return self.extensions.has(row); };
        constexpr auto PipesRow = frontend::Ext::Pipes;
        const bool enqueue = has(frontend::Ext::DeviceEnqueue);
        switch (name) {
// clang-format off
#define INFO(key, type, expression) case key: return answer.put(static_cast<type>(expression));
#define TEXT(key, expression) case key: return answer.put_text(expression);
#define LIST(key, expression) case key: return answer.put_all(expression);
// clang-format on
#include "vulkan/icd/device_info.def"
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
