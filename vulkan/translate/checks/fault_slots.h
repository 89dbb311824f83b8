// SPDX-License-Identifier: Apache-2.0
// FaultSlots: keeps in variables of a work-item what is to be reported of its faults, until its kernel
// returns.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"

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

/// For all functions of a module. A place has a count and the details of its first fault in Private
/// variables. So a check is a few selections, also where it is not known who calls a function. The code that
/// records faults stands before a kernel's return alone: a loop over the places of the kernel and of all
/// functions that it calls.
///
/// It is for compilers which inline every call and run the code of a branch whether it is taken or not. They
/// take time by the square of all accesses to memory, each of which is a loop. They make values of the
/// variables themselves, and do so faster than of phis wherever branches meet.
class FaultSlots {
 public:
    /// The operands of a call that records: the site, the count, the address, the begin, the size, `other`.
    using Record = std::function<void(const std::array<spirv::Id, 6>&)>;

    /// For functions that `module` has now.
    explicit FaultSlots(spirv::Builder& builder);

    /// The function that add() is for.
    void begin(const spirv::Function& function);
    /// Whether it may have more. Each costs a few registers of every kernel that it is part of.
    bool has_room() const;
    /// Appends the code that keeps a fault.
    void add(spirv::Id is_fault, spirv::Id site, const FaultDetails& details);
    /// Ends all kernels.
    void finish(const Record& record);

 private:
    static constexpr size_t kMostSlots = 256;
    static constexpr size_t kFewPlaces = 2;  // for which a loop takes longer than they do one by one

    struct Slot {
        spirv::Id site = {};
        FaultDetails details = {};
        spirv::Id count = {}, address = {}, begin = {}, size = {}, other = {};  ///< variables, or {}
    };
    using Slots = std::vector<const Slot*>;

    spirv::Id variable(spirv::Id type);
    void keep_first(spirv::Id is_first, spirv::Id variable, spirv::Id value);
    void finish(spirv::Function& kernel, const spirv::IdMap<std::vector<spirv::Id>>& callees,
                const Record& record);
    Slots reaching(const spirv::Function& kernel, const spirv::Cfg& cfg, uint32_t block,
                   const spirv::IdMap<std::vector<spirv::Id>>& callees) const;
    void flush(spirv::Function& kernel, uint32_t block, const Slots& slots, const Record& record);
    spirv::Id first_of(const std::vector<spirv::Id>& conditions);
    spirv::Id chosen(const std::vector<std::array<spirv::Id, 6>>& places, size_t part,
                     const std::vector<spirv::Id>& is_place, spirv::Id number);
    std::array<spirv::Id, 6> parts_of(const Slot& slot);
    spirv::Id read(spirv::Id variable, spirv::Id fixed);
    spirv::Id address_of(const Slot& slot);

    spirv::Builder& builder_;
    spirv::IdSet called_ = {};
    spirv::IdMap<std::vector<spirv::Id>> kernels_ = {};  // of a function that may have slots
    spirv::IdMap<size_t> counts_ = {};                   // by kernel
    spirv::IdMap<std::vector<Slot>> slots_ = {};         // by function
    // of the function that add() is for
    spirv::Id function_ = {};
};

}  // namespace caldera::vulkan
