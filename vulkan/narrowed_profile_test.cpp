// SPDX-License-Identifier: Apache-2.0
#include "vulkan/narrowed_profile.h"

#include <doctest/doctest.h>

#include "vulkan/promised_profile.h"

namespace caldera::vulkan {
namespace {

/// Like llvmpipe: no float atomics, a driver with faults, a fma that rounds twice.
DeviceProfile small_device() {
    DeviceProfile device{.name = "small"};
    device.api_version_minor = 3;
    device.int64 = false;
    device.min_subgroup_size = device.max_required_subgroup_size = 8;
    device.exact_exp2_sqrt = device.linear_subgroups = true;
    device.fused_fma = false;
    device.quirks.fences_are_barriers = true;
    device.float32_controls = {.preserve_denormals = true, .preserve_special = true};
    device.max_local_bytes = 32768;
    device.matrix_products = {{.m = 8, .n = 8, .k = 8}, {.m = 16, .n = 16, .k = 16}};
    return device;
}

TEST_CASE("narrowed_profile: a profile within itself is the same") {
    const DeviceProfile device = small_device();
    CHECK(narrowed_profile(device, device) == device);
    CHECK(narrowed_profile({}, {}) == DeviceProfile());
}

TEST_CASE("narrowed_profile: a device gets nothing that it does not have") {
    DeviceProfile wide = promised_profile(spirv::Target::Vulkan12);
    wide.buffer_float32_atomic_add = wide.dot_8.of_both = true;
    wide.max_local_invocations = 1 << 20;
    wide.max_local_size = {1 << 20, 1 << 20, 1 << 20};
    DeviceProfile device = small_device();
    device.max_local_size = {1024, 512, 64};
    const DeviceProfile both = narrowed_profile(device, wide);
    CHECK(both.name == "small as vulkan1.2");
    CHECK(both.api_version_minor == 2);
    CHECK(!both.int64);
    CHECK(!both.buffer_float32_atomic_add);
    CHECK(both.dot_8 == DotProducts());
    CHECK(both.max_local_bytes == 32768);
    CHECK(both.max_local_invocations == 1024);
    CHECK(both.max_local_size == std::array<uint32_t, 3>{1024, 512, 64});
    CHECK(both.matrix_products.empty());
    // Facts about the driver.
    CHECK(both.quirks == device.quirks);
    CHECK(both.exact_exp2_sqrt);
    CHECK(both.linear_subgroups);
    CHECK(both.min_subgroup_size == 8);
    CHECK(!both.fused_fma);
    CHECK(!both.float32_controls.preserve_denormals);
    CHECK(both.float32_controls.preserve_special);
}

TEST_CASE("narrowed_profile: what the other profile lacks is not used") {
    const DeviceProfile device = small_device();
    DeviceProfile less = device;
    less.float16 = less.subgroups = less.fused_half_fma = false;
    less.max_local_bytes = 16;
    less.max_local_size[1] = 2;
    less.matrix_products = {device.matrix_products[1]};
    const DeviceProfile both = narrowed_profile(device, less);
    CHECK(!both.float16);
    CHECK(!both.subgroups);
    CHECK(!both.fused_half_fma);
    CHECK(both.max_local_bytes == 16);
    CHECK(both.max_local_size == std::array<uint32_t, 3>{1024, 2, 1024});
    CHECK(both.matrix_products == less.matrix_products);
    CHECK(both.name == "small");
}

TEST_CASE("narrowed_profile: doubles are the device's, emulated, or none") {
    DeviceProfile has, lacks, emulates;
    lacks.float64 = false;
    emulate_doubles(emulates);
    const auto kind = [](const DeviceProfile& profile) {
        return profile.float64 ? 'd' : profile.emulated_float64 ? 'e' : '-';
    };
    std::string kinds;
    for (const DeviceProfile* device : {&has, &lacks, &emulates})
        for (const DeviceProfile* within : {&has, &lacks, &emulates})
            kinds += kind(narrowed_profile(*device, *within));
    CHECK(kinds == "d-e--ee-e");
}

TEST_CASE("narrowed_profile: float controls stay together, as widths may depend on each other") {
    DeviceProfile device;
    device.float16_controls = device.float32_controls =
        device.float64_controls = {.preserve_denormals = true};
    DeviceProfile less = device;
    less.float16_controls = {};
    CHECK(narrowed_profile(device, less).float32_controls == FloatControls());
    less.float16 = false;  // then no module asks for half's
    CHECK(narrowed_profile(device, less).float32_controls == FloatControls{.preserve_denormals = true});
}

}  // namespace
}  // namespace caldera::vulkan
