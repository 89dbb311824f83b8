// SPDX-License-Identifier: Apache-2.0
// PointerRoots: the private variable that a pointer of a function leads into.
#pragma once

#include "spirv/id_map.h"
#include "spirv/module.h"
#include "spirv/op_class.h"

namespace caldera::vulkan {

/// Knows the pointers that chains, casts and copies make of the addresses of a function's variables. What a
/// phi, a select, memory or a parameter gives leads nowhere here.
class PointerRoots {
 public:
    /// Takes each instruction of a function, definitions before uses.
    void add(const spirv::Instruction& inst) {
        if (inst.op == spv::Op::OpVariable) roots_[inst.result] = inst.result;
        if (spirv::computes_pointer(inst.op)) derive(inst.result, inst.id(0));
    }
    /// `pointer` leads to where `from` does.
    void derive(spirv::Id pointer, spirv::Id from) {
        if (const spirv::Id variable = of(from)) roots_[pointer] = variable;
    }
    /// The variable, or none.
    spirv::Id of(spirv::Id pointer) const {
        const auto found = roots_.find(pointer);
        return found == roots_.end() ? spirv::Id{} : found->second;
    }
    /// No pointer leads to a variable of which `is_escaped(pointer)` holds for any of its pointers.
    template <class IsEscaped>
    void drop_escaped(IsEscaped is_escaped) {
        spirv::IdSet escaped;
        for (const auto& [pointer, root] : roots_)
            if (is_escaped(spirv::Id{pointer})) escaped.insert(root);
        for (auto& [pointer, root] : roots_)
            if (escaped.contains(root)) root = {};
    }
    void clear() { roots_.clear(); }

 private:
    spirv::IdMap<spirv::Id> roots_ = {};
};

}  // namespace caldera::vulkan
