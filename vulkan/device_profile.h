// SPDX-License-Identifier: Apache-2.0
// DeviceProfile: what a Vulkan device can do, as far as generated code cares, and the faults of its driver.
// Plain data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/driver_quirks.h"

namespace caldera::vulkan {

/// The float behaviour of OpenCL that a device guarantees if a module requests it
/// (VkPhysicalDeviceFloatControlsProperties). Set only what may be requested together: the *Independence
/// properties say which widths must agree.
struct FloatControls {
    bool preserve_denormals = false;     ///< DenormPreserve
    bool preserve_special = false;       ///< SignedZeroInfNanPreserve
    bool round_to_nearest_even = false;  ///< RoundingModeRTE
    bool operator==(const FloatControls&) const = default;
};

/// The kinds of operands for which a device has integer dot product instructions that are faster than
/// products and sums (VkPhysicalDeviceShaderIntegerDotProductProperties). Operands are signed, unsigned or
/// mixed, each with and without a saturating sum.
struct DotProducts {
    bool of_signed = false, of_unsigned = false, of_both = false;
    bool saturating_signed = false, saturating_unsigned = false, saturating_both = false;
    bool operator==(const DotProducts&) const = default;
};
constexpr DotProducts kAllDotProducts = {true, true, true, true, true, true};

/// The numbers of a cooperative matrix, with the values of cl_device_cooperative_matrix_component_type_khr.
enum class MatrixComponent : uint8_t {
    Float16,
    Float32,
    Float64,
    SInt8,
    SInt16,
    SInt32,
    SInt64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    BFloat16,  ///< which OpenCL's draft does not have, nor those that follow
    Float8E4M3,
    Float8E5M2
};
/// A product of cooperative matrices that a sub-group of a device computes: result = a * b + c, where `a` has
/// `m` rows and `k` columns, and `b` has `n` columns (VkCooperativeMatrixPropertiesKHR).
struct MatrixProduct {
    uint32_t m = 0, n = 0, k = 0;
    MatrixComponent a = {}, b = {}, c = {}, result = {};
    bool saturating = false;
    /// Whether OpenCL's draft has numbers for all components.
    bool is_in_draft() const { return std::max({a, b, c, result}) < MatrixComponent::BFloat16; }
    bool operator==(const MatrixProduct&) const = default;
};

/// The default is a full-featured device, which --target=vulkan1.2 assumes offline. Its limits are those of
/// large devices, above Vulkan's minimums: a kernel's interface says what the kernel needs. It preserves
/// signs of zeros, infinities and NaN, as every device of Khronos' 2022 roadmap does.
struct DeviceProfile {
    std::string name = "vulkan1.2";
    uint32_t api_version_major = 1, api_version_minor = 2;

    bool buffer_device_address = true;
    bool int64 = true, int16 = true, int8 = true, float16 = true, float64 = true;
    /// Doubles are computed with integers, for a device without them: only where float64 is false.
    bool emulated_float64 = false;
    bool storage_8bit = true, storage_16bit = true;  ///< for storage buffers, hence for physical pointers
    bool push_constant_8bit = false, push_constant_16bit = false;
    bool vulkan_memory_model = true, vulkan_memory_model_device_scope = true;
    bool buffer_int64_atomics = true, shared_int64_atomics = true;
    bool buffer_float32_atomic_add = false, shared_float32_atomic_add = false;
    /// For vectors, by element width, and for four bytes in one word.
    DotProducts dot_4x8_packed = {}, dot_8 = {}, dot_16 = {}, dot_32 = {}, dot_64 = {};
    /// Local memory can be blocks of explicit layout that lie over each other, with 8- and 16-bit members
    /// (VK_KHR_workgroup_memory_explicit_layout).
    bool workgroup_explicit_layout = false;
    /// Storage images whose format the module does not say may be read and written.
    bool storage_read_without_format = true, storage_write_without_format = true;
    bool local_size_id = false;  ///< LocalSizeId (Vulkan 1.3 maintenance4)
    /// A module can say for each instruction what compilers may do with it (VK_KHR_shader_float_controls2;
    /// keep_float_order).
    bool float_controls2 = false;
    /// What VK_KHR_cooperative_matrix offers; none: matrices become plain code (lower_matrices).
    std::vector<MatrixProduct> matrix_products = {};
    /// Kernels can read a clock of the device, and one of their sub-group (VK_KHR_shader_clock).
    bool device_clock = false, subgroup_clock = false;
    /// Compute shaders have sub-groups with vote, ballot and shuffle operations. Otherwise each work-group is
    /// one sub-group.
    bool subgroups = true;
    bool subgroup_arithmetic = true, subgroup_clustered = true, subgroup_shuffle_relative = true;
    bool subgroup_extended_types = true;  ///< for 8-, 16- and 64-bit integers and half
    bool full_subgroups = false;          ///< can be requested (computeFullSubgroups)
    /// Sub-groups can be asked to come together where control flow does
    /// (VK_KHR_shader_subgroup_uniform_control_flow).
    bool subgroup_uniform_flow = false;
    /// Work-groups of one dimension are divided into sub-groups in the order of the linear id, with a partial
    /// one last. This is known of the driver or found by a probe; Vulkan does not guarantee it.
    bool linear_subgroups = false;
    uint32_t min_subgroup_size = 4;  ///< the smallest size with which kernels may run
    /// A kernel may require a size: a power of two from the smallest one to this. Lower: none.
    uint32_t max_required_subgroup_size = 4;
    uint32_t max_required_subgroups = ~0u;  ///< so many sub-groups of a required size make a work-group
    bool fused_fma = true;                  ///< a probe found that Fma of float and double rounds once
    bool fused_half_fma = true;             ///< a probe found that Fma of half does, not to a float first
    /// A probe found that Exp2 of a float is within 1.45 * 2^-23 of itself and Sqrt within 1.5 ulp: Vulkan
    /// allows more.
    bool exact_exp2_sqrt = false;
    /// A probe found that PackHalf2x16 rounds floats to nearest, ties to even, and keeps denormal halves.
    bool exact_half_packing = false;
    /// A probe found that arithmetic, conversions and comparisons of floats keep denormals, even if the
    /// device does not promise it.
    bool keeps_float_denormals = false;
    DriverQuirks quirks = {};
    FloatControls float16_controls = {.preserve_special = true};
    FloatControls float32_controls = {.preserve_special = true};
    FloatControls float64_controls = {.preserve_special = true};

    uint32_t max_push_constants_bytes = 128;
    uint64_t max_local_bytes = 65536;
    uint32_t max_local_invocations = 1024;  ///< at most max_local_size[0]
    std::array<uint32_t, 3> max_local_size = {1024, 1024, 1024};
    /// For a pipeline, and only Abi::Descriptors asks: the lesser of maxPerStageDescriptorStorageBuffers and
    /// maxDescriptorSetStorageBuffers. ~0: not known, or any number.
    uint32_t max_storage_buffers = ~0u;
    /// maxBufferSize (Vulkan 1.3): no object in global memory is larger. The largest number: not known.
    uint64_t max_buffer_bytes = ~uint64_t{0};
    /// The private objects of a kernel that are variables have no more bytes together. The largest ones are
    /// in a buffer of the host otherwise (Kernel::private_bytes). The driver may allow fewer:
    /// most_private_bytes().
    uint64_t max_private_bytes = ~uint64_t{0};
    /// Instructions of a kernel with all its functions inlined, from which DriverQuirks::inlines_every_call
    /// matters.
    uint64_t large_kernel = 50'000;
    /// If an array is all that its kernels have in local memory, it takes at least so many bytes, as far as
    /// the device has them: for kernels that write beyond it (program_settings.def).
    uint64_t min_local_bytes = 0;

    bool operator==(const DeviceProfile&) const = default;
};

/// The sizes of sub-groups that a kernel may require.
inline std::vector<uint32_t> required_subgroup_sizes(const DeviceProfile& profile) {
    std::vector<uint32_t> sizes;
    for (uint64_t size = profile.min_subgroup_size; size <= profile.max_required_subgroup_size; size *= 2)
        if (profile.subgroups) sizes.push_back(static_cast<uint32_t>(size));
    return sizes;
}

/// The most bytes of a kernel's private objects that are variables (driver_quirks.def).
constexpr uint64_t most_private_bytes(const DeviceProfile& profile) {
    // NVIDIA's driver takes 15,856, and the registers that it spills are among them. llvmpipe compiles an
    // array of 8 KiB in 2 s, and of 16 KiB in 7 s.
    constexpr uint64_t kTaken = 12 * 1024, kQuick = 8 * 1024;
    uint64_t most = profile.max_private_bytes;
    if (profile.quirks.refuses_large_private) most = std::min(most, kTaken);
    if (profile.quirks.slow_with_accesses) most = std::min(most, kQuick);
    return most;
}

/// Whether long kernels are parted by barriers (driver_quirks.def: slow_long_kernels). These stand in
/// branches too, where the driver has to run all branches for all work-items. Newer versions of llvmpipe jump
/// over branches that nobody takes; those that take fences for barriers do not.
constexpr bool parts_kernels(const DeviceProfile& profile) {
    const DriverQuirks& quirks = profile.quirks;
    return quirks.slow_long_kernels && quirks.masks_branches && quirks.fences_are_barriers;
}

/// Whether kernels may use double.
constexpr bool has_double(const DeviceProfile& profile) {
    return profile.float64 || profile.emulated_float64;
}

/// Computes with doubles as integers, whether the device has doubles or not.
constexpr void emulate_doubles(DeviceProfile& profile) {
    profile.float64 = false;
    profile.emulated_float64 = true;
}

/// Leaves out what RenderDoc's debugger refuses, so that it steps through kernels (RenderDoc's
/// CheckDebuggable; 1.24 to 2026). Floats are rounded to nearest without being told on all drivers that we
/// know. Denormals may be flushed.
constexpr void make_steppable(DeviceProfile& profile) {
    for (FloatControls* controls :
         {&profile.float16_controls, &profile.float32_controls, &profile.float64_controls})
        controls->preserve_denormals = controls->round_to_nearest_even = false;
    profile.float_controls2 = profile.workgroup_explicit_layout = false;
    profile.dot_4x8_packed = profile.dot_8 = profile.dot_16 = profile.dot_32 = profile.dot_64 = {};
}

/// Whether computations with floats of this width use denormals, and functions do not return zero instead of
/// them. OpenCL always requires this for double (OpenCL 3.0, CL_DEVICE_DOUBLE_FP_CONFIG).
constexpr bool keeps_denormals(const DeviceProfile& profile, uint32_t width) {
    if (width == 64) return true;
    if (width == 16) return profile.float16_controls.preserve_denormals;
    return profile.float32_controls.preserve_denormals || profile.keeps_float_denormals;
}

}  // namespace caldera::vulkan
