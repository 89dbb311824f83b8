// SPDX-License-Identifier: Apache-2.0
// Turns variables into SSA values: Cytron et al. 1991, pruned by liveness.
#pragma once

#include <functional>

#include "spirv/builder.h"
#include "vulkan/translate/optimize/split_analysis.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// Replaces every Function variable of `function` that is only loaded and stored whole, and is not volatile,
/// by values. A read before any write becomes OpUndef. Removes OpCopyObject, too. Returns whether anything
/// changed.
bool promote_to_values(spirv::Builder& builder, spirv::Function& function,
                       const std::function<bool(spirv::Id type)>& is_wanted = {});

/// Splits aggregates into variables for their parts, promotes and folds, until nothing more can be promoted.
/// `leaving` says what the functions that it calls do with pointers to its variables. It may be empty after
/// inline_functions, where they get none.
void promote_function(spirv::Builder& builder, const OpenclLayout& layout, spirv::Function& function,
                      const spirv::IdMap<Leaving>& leaving = {});

/// What each function does with such pointers.
class LeavingFunctions {
 public:
    LeavingFunctions(const spirv::Builder& builder, const OpenclLayout& layout)
        : builder_(builder), layout_(layout) {}
    /// Looks at a function. Those that it calls must have been added.
    void add(const spirv::Function& function);
    const spirv::IdMap<Leaving>& found() const { return found_; }

 private:
    const spirv::Builder& builder_;
    const OpenclLayout& layout_;
    spirv::IdMap<Leaving> found_ = {};
};

}  // namespace caldera::vulkan
