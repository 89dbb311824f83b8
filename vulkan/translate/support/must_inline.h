// SPDX-License-Identifier: Apache-2.0
// Decides which functions must be inlined.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Works on the functions of one module, whose types must not change meanwhile.
class MustInline {
 public:
    explicit MustInline(const spirv::Builder& builder) : builder_(builder) {}
    /// Whether the function takes or returns an opaque object or a pointer to private, local or generic
    /// memory, or has more parameters than SPIR-V allows.
    bool operator()(const spirv::Function& function);
    /// Whether a value of the type cannot be passed to or returned from a function.
    bool operator()(spirv::Id type) { return is_bad_type(type, 0); }

 private:
    bool is_bad_type(spirv::Id type, uint32_t depth);

    const spirv::Builder& builder_;
    spirv::IdMap<bool> bad_types_ = {};
};

}  // namespace caldera::vulkan
