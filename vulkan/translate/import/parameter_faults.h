// SPDX-License-Identifier: Apache-2.0
// Which types the parameters of kernels and functions may have. spirv::validate() takes any type.
#pragma once

#include <string>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// The bytes that the arguments of a kernel may have. A kernel loads all of them.
constexpr uint64_t kMaxArgumentBytes = 1 << 16;

class ParameterFaults {
 public:
    ParameterFaults(const spirv::Builder& builder, const OpenclLayout& layout);

    /// Why no host can pass the arguments of a kernel, with the argument's number and name; empty if one can.
    std::string of_kernel(const spirv::Function& kernel) const;
    /// Why a parameter of the function cannot be passed by value (ByVal); empty if all can.
    std::string of_function(const spirv::Function& function) const;

 private:
    std::string of_argument(const spirv::Instruction& param) const;
    std::string of_pointer(const spirv::Instruction& param) const;
    std::string of_value(spirv::Id type) const;
    spirv::Id passed_type(const spirv::Instruction& param) const;
    spv::Op part_without_bytes(spirv::Id type) const;

    const spirv::Builder& builder_;
    const OpenclLayout& layout_;
    spirv::IdMap<std::string> names_;
    spirv::IdSet by_value_ = {};
};

}  // namespace caldera::vulkan
