// SPDX-License-Identifier: Apache-2.0
// KnownLanes: the components of partly known vectors that a driver's compiler can compute.
//
// A compiler that takes vectors apart knows the second component of (float4)(x, 1, 2, 3) - 1, although the
// vector is not known. A component counts as known if it is a constant, a known value (known_values.h), or
// what an operation gives for such components, or for two that are the same (same_values.h).
#pragma once

#include <span>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/drivers/known_values.h"
#include "vulkan/translate/support/fold.h"

namespace caldera::vulkan {

class KnownLanes {
 public:
    /// A component.
    struct Lane {
        bool is_known = false;
        spirv::Id constant = {};  ///< its value, if this compiler can compute it too
    };

    /// Analyses the function. Values that a pass adds later are unknown to it.
    KnownLanes(spirv::Builder& builder, const spirv::Function& function, const KnownValues& known);

    /// The components of a value that is not known, but some of whose components are: those of a vector, or
    /// one of a number that comes from a vector. Empty for other values.
    std::span<const Lane> of(spirv::Id value) const;

 private:
    using Lanes = std::vector<Lane>;

    bool is_number(spirv::Id type) const;
    Lane lane(spirv::Id value, uint32_t at);
    void append(spirv::Id value, Lanes& lanes);
    Lanes computed(const spirv::Instruction& inst);
    Lanes inserted(const spirv::Instruction& inst);
    Lanes shuffled(const spirv::Instruction& inst);
    bool works_by_component(const spirv::Instruction& inst) const;
    Lane operation(const spirv::Instruction& inst, uint32_t at);

    spirv::Builder& builder_;
    const KnownValues& known_;
    Folder folder_;
    spirv::IdMap<Lanes> lanes_ = {};
};

}  // namespace caldera::vulkan
