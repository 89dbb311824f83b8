// SPDX-License-Identifier: Apache-2.0
// Types in the place of others, for the passes that lower what a device does not have.
#pragma once

#include <cstddef>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// u32 and its vectors exist, and stand before everything else. Indexed by the number of components, 1 to 4.
struct Words {
    spirv::Id types[5] = {};
};
Words declare_words(spirv::Builder& builder);

/// What a type of the module is to be made of, which stands before everything else then. No builder lives yet.
class FirstTypes {
 public:
    explicit FirstTypes(spirv::Module& module) : module_(module) {}
    spirv::Id add(spv::Op op, spirv::Operands operands);

 private:
    spirv::Module& module_;
    ptrdiff_t count_ = 0;
};

/// Uses `types[id]` wherever a type `id` was used, and drops the definitions of those ids. Types of functions that became
/// equal are merged (SPIR-V 2.8). The module's builder knows nothing of this.
void replace_types(spirv::Module& module, spirv::IdMap<spirv::Id> types);

}  // namespace caldera::vulkan
