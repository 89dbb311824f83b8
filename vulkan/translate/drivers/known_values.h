// SPDX-License-Identifier: Apache-2.0
// KnownValues: the values of a function that a driver's compiler can find to be constant, beyond those that
// clean_up makes constant.
//
// Drivers unroll loops whose trip count they can compute, and then compute values made only from constants,
// even through private variables, of which they know each element alone. A value counts as known unless it
// depends on an argument, on other memory or on a function call. What is loaded from a private variable
// counts as known if one of the values is known that may be there. A comparison of a value with itself is
// always known, and so is a difference (same_values.h). A loop whose exits are not known does not count as
// one that is unrolled.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/drivers/same_values.h"
#include "vulkan/translate/support/pointer_roots.h"

namespace caldera::vulkan {

class KnownValues {
 public:
    /// Analyses the function. Values that a pass adds later are unknown to it. The function keeps its blocks.
    /// `passed` is what its calls pass; a parameter is not known without it.
    KnownValues(const spirv::Builder& builder, const spirv::Function& function,
                const PassedValues& passed = {});

    bool has(spirv::Id value) const;
    /// Whether a component of the result is known because its operands are the same.
    bool has_same_operands(const spirv::Instruction& inst, uint32_t component) const {
        return same_.decides(inst, component);
    }
    const SameValues& same() const { return same_; }
    /// Whether the analysis knows an exit condition of the loop with this header, an index into the
    /// function's blocks.
    bool may_unroll(const spirv::Function& function, size_t header) const;
    /// Analyses the function again after a pass has made more of its values unknown.
    void update(const spirv::Function& function);

 private:
    /// The blocks that branch to a loop's merge block, and which block that is.
    struct LoopEnd {
        uint32_t block = ~0u;
        std::vector<uint32_t> from = {};
    };

    /// An access to a private variable. `at` is the instruction's number in the function.
    struct PrivateAccess {
        uint32_t at = 0;
        std::optional<uint64_t> element = {};  // where its index is a constant
        spirv::Id pointer = {}, value = {};    // what is stored, or loaded of what the block has stored
        std::vector<uint32_t> loops = {};      // those that a load is in, the innermost first: their headers
    };
    class LatestStores;
    /// The numbers of a loop's instructions.
    struct LoopRange {
        uint32_t begin = 0, end = 0;
    };

    void enter(const spirv::Instruction& inst);
    void find_private_accesses(const spirv::Function& function);
    std::optional<uint64_t> element_of(const spirv::Instruction* chain) const;
    bool may_find(const spirv::Instruction& load) const;
    bool is_known(const PrivateAccess& store) const { return has(store.value) && has(store.pointer); }
    void find_loop_ends(const spirv::Function& function);
    void sweep(const spirv::Function& function);
    void follow(const spirv::Function& function);
    void forget_turns(const spirv::Function& function, size_t header);
    void visit(const spirv::Instruction& inst);
    bool is_made_of_known(const spirv::Instruction& inst, size_t first, size_t step = 1) const;
    void forget(spirv::Id value);
    void forget_variable(spirv::Id pointer);

    const spirv::Builder& builder_;
    const SameValues same_;
    spirv::IdSet candidates_ = {}, unknown_ = {};
    PointerRoots roots_ = {};
    spirv::IdMap<LoopEnd> loop_ends_ = {};                  // by label
    const spirv::Function* function_ = nullptr;             // which is being analysed
    spirv::IdMap<std::vector<PrivateAccess>> stores_ = {};  // by variable, in their order
    spirv::IdMap<PrivateAccess> loads_ = {};
    spirv::IdMap<LoopRange> ranges_ = {};    // by the index of the loop's header
    std::vector<spirv::Id> forgotten_ = {};  // those that became unknown last
};

}  // namespace caldera::vulkan
