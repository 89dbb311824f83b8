// SPDX-License-Identifier: Apache-2.0
// Pointers as formulas, with which an access can directly find the element of a typed array, or a constant's
// value.
#pragma once

#include "spirv/id_map.h"
#include "vulkan/translate/memory/points_to.h"

namespace caldera::vulkan::memory {

/// `index`, sign-extended, times `stride_bytes`.
struct Term {
    Id index = {};
    uint64_t stride_bytes = 0;
};

/// root + constant + sum of terms.
struct Address {
    Id root = {};  ///< a variable, or a pointer that cannot be analysed further
    int64_t constant = 0;
    std::vector<Term> terms = {};
    bool in_bounds = true;  ///< the module promises that all steps stay in the root's object

    void add(int64_t bytes) {
        constant = static_cast<int64_t>(static_cast<uint64_t>(constant) + static_cast<uint64_t>(bytes));
    }
    void add(Id index, uint64_t stride_bytes, const Source& source);
    /// The largest power of two that divides everything but the root.
    uint64_t alignment_bytes() const;
};

/// The address that an access chain computes from its base, which is the address's root.
Address chain_step(const Instruction& inst, const Source& source);

/// Whether an index is made of unsigned values, ids and numbers that are not negative, by operations of 64
/// bits that lead to no negative ones. So it was unsigned in the source, or never negative.
bool is_unsigned(Id index, const Source& source);

class Addresses {
 public:
    Addresses(const spirv::Module& module, const Source& source, const PointsTo& points_to);
    /// The address of any pointer value.
    Address of(Id pointer) const;

 private:
    void visit(const Instruction& inst);
    const Source& source_;
    const PointsTo& points_to_;
    spirv::IdMap<Address> addresses_ = {};  // for pointers that are derived from others
};

}  // namespace caldera::vulkan::memory
