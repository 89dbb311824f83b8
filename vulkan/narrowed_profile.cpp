// SPDX-License-Identifier: Apache-2.0
#include "vulkan/narrowed_profile.h"

#include <algorithm>
#include <tuple>

namespace caldera::vulkan {
namespace {

void narrow(DotProducts& products, const DotProducts& within) {
    const auto& [of_signed, of_unsigned, of_both, saturating_signed, saturating_unsigned, saturating_both] =
        within;
    products.of_signed &= of_signed;
    products.of_unsigned &= of_unsigned;
    products.of_both &= of_both;
    products.saturating_signed &= saturating_signed;
    products.saturating_unsigned &= saturating_unsigned;
    products.saturating_both &= saturating_both;
}

/// Which widths may differ is not known any more, so that a behaviour stays for all of them or for none.
void narrow(DeviceProfile& device, bool FloatControls::*behaviour, const DeviceProfile& within) {
    const bool lacks_one =
        (device.float16 && device.float16_controls.*behaviour && !(within.float16_controls.*behaviour)) ||
        (device.float32_controls.*behaviour && !(within.float32_controls.*behaviour)) ||
        (device.float64 && device.float64_controls.*behaviour && !(within.float64_controls.*behaviour));
    if (!lacks_one) return;
    for (auto* controls : {&device.float16_controls, &device.float32_controls, &device.float64_controls})
        controls->*behaviour = false;
}

template <class T>
void lower(T& limit, T other) {
    limit = std::min(limit, other);
}

}  // namespace

DeviceProfile narrowed_profile(const DeviceProfile& device, const DeviceProfile& within) {
    // A new field does not compile until it is added here.
    const auto& [name, api_version_major, api_version_minor, buffer_device_address, int64, int16, int8,
                 float16, float64, emulated_float64, storage_8bit, storage_16bit, push_constant_8bit,
                 push_constant_16bit, vulkan_memory_model, vulkan_memory_model_device_scope,
                 buffer_int64_atomics, shared_int64_atomics, buffer_float32_atomic_add,
                 shared_float32_atomic_add, dot_4x8_packed, dot_8, dot_16, dot_32, dot_64,
                 workgroup_explicit_layout, storage_read_without_format, storage_write_without_format,
                 local_size_id, float_controls2, matrix_products, device_clock, subgroup_clock, subgroups,
                 subgroup_arithmetic, subgroup_clustered, subgroup_shuffle_relative, subgroup_extended_types,
                 full_subgroups, subgroup_uniform_flow, linear_subgroups, min_subgroup_size,
                 max_required_subgroup_size, max_required_subgroups, fused_fma, fused_half_fma,
                 exact_exp2_sqrt, exact_half_packing, keeps_float_denormals, quirks, float16_controls,
                 float32_controls, float64_controls, max_push_constants_bytes, max_local_bytes,
                 max_local_invocations, max_local_size, max_storage_buffers, max_buffer_bytes,
                 max_private_bytes, large_kernel, min_local_bytes] = within;
    DeviceProfile both = device;
    if (name != device.name) both.name += " as " + name;
    std::tie(both.api_version_major, both.api_version_minor) =
        std::min(std::pair(device.api_version_major, device.api_version_minor),
                 std::pair(api_version_major, api_version_minor));

    both.buffer_device_address &= buffer_device_address;
    both.int64 &= int64;
    both.int16 &= int16;
    both.int8 &= int8;
    both.float16 &= float16;
    both.float64 &= float64;
    both.emulated_float64 =
        !both.float64 && (emulated_float64 || (device.emulated_float64 && has_double(within)));
    both.storage_8bit &= storage_8bit;
    both.storage_16bit &= storage_16bit;
    both.push_constant_8bit &= push_constant_8bit;
    both.push_constant_16bit &= push_constant_16bit;
    both.vulkan_memory_model &= vulkan_memory_model;
    both.vulkan_memory_model_device_scope &= vulkan_memory_model_device_scope;
    both.buffer_int64_atomics &= buffer_int64_atomics;
    both.shared_int64_atomics &= shared_int64_atomics;
    both.buffer_float32_atomic_add &= buffer_float32_atomic_add;
    both.shared_float32_atomic_add &= shared_float32_atomic_add;
    narrow(both.dot_4x8_packed, dot_4x8_packed);
    narrow(both.dot_8, dot_8);
    narrow(both.dot_16, dot_16);
    narrow(both.dot_32, dot_32);
    narrow(both.dot_64, dot_64);
    both.workgroup_explicit_layout &= workgroup_explicit_layout;
    both.storage_read_without_format &= storage_read_without_format;
    both.storage_write_without_format &= storage_write_without_format;
    both.local_size_id &= local_size_id;
    both.float_controls2 &= float_controls2;
    std::erase_if(both.matrix_products, [&](const MatrixProduct& product) {
        return std::ranges::find(within.matrix_products, product) == within.matrix_products.end();
    });
    both.device_clock &= device_clock;
    both.subgroup_clock &= subgroup_clock;
    both.subgroups &= subgroups;
    both.subgroup_arithmetic &= subgroup_arithmetic;
    both.subgroup_clustered &= subgroup_clustered;
    both.subgroup_shuffle_relative &= subgroup_shuffle_relative;
    both.subgroup_extended_types &= subgroup_extended_types;
    both.full_subgroups &= full_subgroups;
    both.subgroup_uniform_flow &= subgroup_uniform_flow;
    both.fused_fma &= fused_fma;  // which may be set (caldera::DeviceProfile::set_fused_fma)
    both.fused_half_fma &= fused_half_fma;
    for (bool FloatControls::*behaviour :
         {&FloatControls::preserve_denormals, &FloatControls::preserve_special,
          &FloatControls::round_to_nearest_even})
        narrow(both, behaviour, within);

    lower(both.max_required_subgroup_size, max_required_subgroup_size);
    lower(both.max_required_subgroups, max_required_subgroups);
    lower(both.max_push_constants_bytes, max_push_constants_bytes);
    lower(both.max_local_bytes, max_local_bytes);
    lower(both.max_local_invocations, max_local_invocations);
    for (size_t d = 0; d < 3; ++d) lower(both.max_local_size[d], max_local_size[d]);
    lower(both.max_storage_buffers, max_storage_buffers);
    lower(both.max_buffer_bytes, max_buffer_bytes);
    lower(both.max_private_bytes, max_private_bytes);
    return both;
}

}  // namespace caldera::vulkan
