// SPDX-License-Identifier: Apache-2.0
// Lists of names in the forms that queries return.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vulkan/icd/object.h"

namespace caldera::icd {

inline cl_name_version name_version(std::string_view name, cl_version version) {
    cl_name_version out = {.version = version};
    name.copy(out.name, sizeof out.name - 1);
    return out;
}

/// "3.1" of a version.
inline std::string number(cl_version version) {
    return std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version));
}

/// Joins names with spaces, as in CL_DEVICE_EXTENSIONS, or with another separator.
inline std::string joined(const std::vector<std::string>& names, char separator = ' ') {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : std::string(1, separator)) + name;
    return out;
}

/// The version of an extension, or of OpenCL C for a feature.
inline cl_version version_of(std::string_view name) {
    if (name.starts_with("__opencl_c_")) return CL_MAKE_VERSION(3, 0, 0);
    if (name == "cl_arm_printf") return CL_MAKE_VERSION(2, 0, 0);
    if (name == "cl_khr_icd") return CL_MAKE_VERSION(2, 0, 0);
    if (name == "cl_khr_integer_dot_product") return CL_MAKE_VERSION(2, 0, 0);  // tells what is accelerated
    if (name == "cl_khr_external_memory" || name == "cl_khr_external_semaphore")
        return CL_MAKE_VERSION(1, 0, 1);
    if (name == "cl_khr_command_buffer") return CL_MAKE_VERSION(0, 9, 8);
    if (name == "cl_khr_command_buffer_multi_device") return CL_MAKE_VERSION(0, 9, 2);
    if (name == "cl_khr_command_buffer_mutable_dispatch") return CL_MAKE_VERSION(0, 9, 5);
    if (name == "cl_ext_buffer_device_address") return CL_MAKE_VERSION(1, 0, 2);
    if (name == "cl_khr_unified_svm") return CL_MAKE_VERSION(0, 9, 0);
    if (name == "cl_intel_unified_shared_memory") return CL_MAKE_VERSION(1, 2, 0);
    return CL_MAKE_VERSION(1, 0, 0);
}

inline std::vector<cl_name_version> with_versions(const std::vector<std::string>& names) {
    std::vector<cl_name_version> out;
    for (const std::string& name : names) out.push_back(name_version(name, version_of(name)));
    return out;
}

}  // namespace caldera::icd
