// SPDX-License-Identifier: Apache-2.0
// Replaces types by others, for the passes that lower types which a device does not have.
#pragma once

#include <cstddef>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Declares u32 and its vectors before everything else. Indexed by the number of components, 1 to 4.
struct Words {
    spirv::Id types[5] = {};
};
Words declare_words(spirv::Builder& builder);

/// Types from which other types of the module will be made; they are declared before everything else. No
/// builder may exist yet.
class FirstTypes {
 public:
    explicit FirstTypes(spirv::Module& module) : module_(module) {}
    spirv::Id add(spv::Op op, spirv::Operands operands);

 private:
    spirv::Module& module_;
    ptrdiff_t count_ = 0;
};

/// Replaces uses of a type `id` by `types[id]`, and removes the definitions of the replaced ids. Function
/// types that became equal are merged (SPIR-V 2.8). The module's builder is not updated.
void replace_types(spirv::Module& module, spirv::IdMap<spirv::Id> types);

}  // namespace caldera::vulkan
