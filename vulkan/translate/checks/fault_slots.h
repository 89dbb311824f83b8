// SPDX-License-Identifier: Apache-2.0
// FaultSlots: keeps in a function's private variables what is to be reported of its faults, until it returns.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// What a report tells of a fault beside its place: integers, or {} for 0.
struct FaultDetails {
    /// An integer of 32 or 64 bits that becomes address * scale + bias, when it is extended by its sign.
    spirv::Id address = {};
    uint64_t scale = 1, bias = 0;
    spirv::Id begin = {}, size = {};  ///< of 64 bits
    spirv::Id other = {};             ///< of 64 bits
    bool object_varies = false;       ///< `begin` and `size` are not made in the function's first block
};

/// The address that a report has, from the integer of the details.
spirv::Id extended(spirv::Builder& builder, spirv::Id value, const FaultDetails& details);

/// For one function after another. A place has a count and the details of its first fault, which later passes
/// turn into values, so that a check is a few selections. The code that records faults then stands before the
/// function's returns alone, with a loop for every four places. One or two that are left need none. That is
/// for compilers which run the code of a branch whether it is taken or not.
class FaultSlots {
 public:
    static constexpr size_t kPlaces = 4;  ///< that one call of the library records
    /// The operands of a call for one place, or vectors of kPlaces: sites, counts, addresses, begins, sizes,
    /// others.
    using Record = std::function<void(const std::array<spirv::Id, 6>&)>;

    explicit FaultSlots(spirv::Builder& builder) : builder_(builder) {}

    /// Whether a function may have more. Each costs a few registers.
    bool has_room() const { return slots_.size() < kMostSlots; }
    void add(spirv::Id is_fault, spirv::Id site, const FaultDetails& details);
    /// Ends a function to which the variables' accesses have been added.
    void finish(spirv::Function& function, const Record& record);

 private:
    static constexpr size_t kMostSlots = 64;
    static constexpr size_t kFewPlaces = 2;  // for which a loop takes longer than they do one by one

    struct Slot {
        spirv::Id site = {};
        FaultDetails details = {};
        spirv::Id count = {}, address = {}, begin = {}, size = {}, other = {};  ///< variables, or {}
    };

    spirv::Id variable(spirv::Id type);
    void keep_first(spirv::Id is_first, spirv::Id variable, spirv::Id value);
    std::vector<size_t> reaching(const spirv::Function& function, uint32_t block) const;
    void flush(const std::vector<size_t>& slots, const Record& record);
    std::array<spirv::Id, 6> parts_of(const Slot& slot);
    spirv::Id read(spirv::Id variable, spirv::Id fixed);
    spirv::Id address_of(const Slot& slot);

    spirv::Builder& builder_;
    std::vector<Slot> slots_ = {};
    std::vector<spirv::Instruction> variables_ = {};
};

}  // namespace caldera::vulkan
