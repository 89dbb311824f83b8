// SPDX-License-Identifier: Apache-2.0
// WideValues: represents vectors of 8 and 16 as lists of vec4, and rearranges components between them.
#pragma once

#include <array>
#include <vector>

#include "spirv/id_map.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// A type that was a vector of 8 or 16 and is now a struct of `parts` vectors of type `part_type`.
struct WideType {
    spirv::Id element = {};
    spirv::Id part_type = {};
    uint32_t parts = 0;
};

/// A component of a vector of at most 4, or a scalar itself (`index` kWhole), or undefined (no id).
struct ComponentRef {
    static constexpr uint32_t kWhole = ~0u;
    spirv::Id id = {};
    uint32_t index = kWhole;
};

/// Turns the module's wide types and constants into structs with the same ids, and records their parts.
class WideTypes {
 public:
    explicit WideTypes(spirv::Module& module);
    bool empty() const { return types_.empty(); }
    const WideType* find(spirv::Id type) const;
    const spirv::IdMap<std::vector<spirv::Id>>& constant_parts() const { return constants_; }
    const spirv::IdMap<std::array<spirv::Id, 4>>& constant_components() const { return components_; }

 private:
    void rewrite_type(const spirv::Instruction& inst);
    void rewrite_constant(const spirv::Instruction& inst, const WideType& type);
    spirv::Id add(spv::Op op, spirv::Id type, spirv::Operands operands);

    spirv::Module& module_;
    std::vector<spirv::Instruction> globals_ = {};
    spirv::IdMap<spirv::Id> vec4_ = {};    // element -> a vec4 type that exists in the module
    spirv::IdMap<bool> vec4_placed_ = {};  // vec4 type -> whether it is in globals_
    spirv::IdMap<WideType> types_ = {};
    spirv::IdMap<std::vector<spirv::Id>> constants_ = {};
    spirv::IdMap<std::array<spirv::Id, 4>> components_ = {};
};

/// Makes vectors of at most 4 from single components. A component of a vector that was constructed from
/// scalars needs no instruction.
class Components {
 public:
    Components(Code& code, const WideTypes& types) : code_(code), known_(types.constant_components()) {}

    /// A vector, or a scalar for one component, of these components, whose type is `element`.
    spirv::Id gather(spirv::Id element, std::span<const ComponentRef> refs);
    spirv::Id scalar(ComponentRef ref);
    /// Appends a reference to each component of a scalar or a vector of at most 4.
    void append_refs(spirv::Id value, std::vector<ComponentRef>& refs);
    /// Any number of 32-bit words, or 8- and 16-bit pieces bitcast to them, as vec4s of another element type,
    /// and the reverse.
    std::vector<spirv::Id> to_words(std::span<const spirv::Id> parts);
    std::vector<spirv::Id> from_words(std::span<const spirv::Id> words, spirv::Id element, uint32_t count);

 private:
    spirv::Id construct(spirv::Id type, std::span<const ComponentRef> refs);

    Code& code_;
    spirv::IdMap<std::array<spirv::Id, 4>> known_;
};

}  // namespace caldera::vulkan
