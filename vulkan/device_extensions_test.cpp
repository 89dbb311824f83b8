// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_extensions.h"

#include <doctest/doctest.h>

#include "vulkan/device_profile.h"

using namespace caldera;

namespace {

std::string explained(const vulkan::DeviceProfile& profile, const std::string& text,
                      Severity severity = Severity::Error) {
    const Diagnostic diagnostic{.severity = severity, .text = text};
    return explain_extensions(profile, {&diagnostic, 1});
}

}  // namespace

TEST_CASE("an error about an extension names the features that the device lacks") {
    vulkan::DeviceProfile profile;
    profile.name = "old";
    const std::string atomics =
        "use of type 'atomic_long' requires cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics "
        "support";
    profile.shared_int64_atomics = false;
    CHECK(explained(profile, atomics) ==
          "note: cl_khr_int64_base_atomics needs the feature shaderSharedInt64Atomics, which old does not "
          "have\n");
    profile.int64 = profile.buffer_int64_atomics = false;
    CHECK(explained(profile, atomics) ==
          "note: cl_khr_int64_base_atomics needs the features shaderInt64, shaderBufferInt64Atomics, "
          "shaderSharedInt64Atomics, which old does not have\n");
    CHECK(explained(profile, atomics, Severity::Warning) == "");
    CHECK(explained(profile, "use of undeclared identifier 'x'") == "");
    profile.float16 = false;
    CHECK(explained(profile, "half precision constant requires cl_khr_fp16") ==
          "note: cl_khr_fp16 needs the feature shaderFloat16, which old does not have\n");
}

TEST_CASE("an extension that the device has, or that none has, needs no explanation") {
    const vulkan::DeviceProfile profile;
    CHECK(explained(profile, "requires cl_khr_int64_base_atomics support") == "");
    CHECK(explained(profile, "requires cl_khr_mipmap_image support") == "");
}
