// SPDX-License-Identifier: Apache-2.0
// KnownValues: what a driver's compiler can find constant in a function, beyond what clean_up makes a constant.
//
// Drivers unroll loops whose number of turns they can compute, and then compute what is made of constants alone, through private
// variables too. A value counts as known unless something that it is made of comes from an argument, from other memory or from a
// function; what compares a value with itself is known all the same. A loop whose ways out are not known does not count for one that is
// unrolled.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/support/pointer_roots.h"

namespace caldera::vulkan {

class KnownValues {
 public:
    /// Analyses the function. It knows no value that a pass adds afterwards.
    KnownValues(const spirv::Builder& builder, const spirv::Function& function);

    bool has(spirv::Id value) const;
    /// Whether the analysis knows a way out of the loop with that header, an index into the function's blocks.
    bool may_unroll(const spirv::Function& function, size_t header) const;
    /// Analyses the function again after a pass changed it so that more of its values are unknown.
    void update(const spirv::Function& function);

 private:
    void enter(const spirv::Instruction& inst);
    void sweep(const spirv::Function& function);
    void visit(const spirv::Instruction& inst);
    bool is_made_of_known(const spirv::Instruction& inst, size_t first, size_t step = 1) const;
    void forget(spirv::Id value);
    void forget_variable(spirv::Id pointer);

    const spirv::Builder& builder_;
    spirv::IdSet candidates_ = {}, unknown_ = {};
    PointerRoots roots_ = {};
    bool changed_ = false;
};

}  // namespace caldera::vulkan
