// SPDX-License-Identifier: Apache-2.0
// Helper functions for accesses that need control flow, one for each kind of access. (Splitting the block of
// the access instead would disturb structured control flow, and code would grow with each access.)
#pragma once

#include <functional>
#include <map>
#include <string>

#include "vulkan/translate/memory/access.h"

namespace caldera::vulkan::memory {

class Helpers final : public OutOfLine {
 public:
    explicit Helpers(Emitter& emitter) : emitter_(emitter) {}

    Id load(Place place, Id type) override;
    void store(Place place, Id type, Id value) override;
    void copy(Place& to, Place& from, Id count, uint32_t bits, Id backwards) override;
    /// The value that all pointers to a byte have, from one pointer to it (u64): see windows.h.
    Id address(Id pointer);
    /// The bits (u16) of a float or double rounded to half; `rounding` is an spv::FPRoundingMode.
    Id half_bits(Id value, uint32_t rounding);

    /// An atomic instruction through a pointer whose space is known only at run time: `access` emits it for
    /// one space. `values` are the instruction's last operands. Returns the old bits.
    using Access = std::function<Id(const Instruction& inst, Place& place, Id type)>;
    Id atomic(Place place, const Instruction& inst, const std::vector<Id>& values, Id type, Access access);

    /// Emits the value of the type that replaces the old one.
    using Change = std::function<Id(const Instruction& inst, Id old, Id type)>;
    /// An atomic instruction on a float, with a compare-exchange loop. Returns the old bits.
    Id float_atomic(Place place, const Instruction& inst, Change change);
    /// An atomic instruction on 8 or 16 bits, by operations on their word. `values` are as for atomic().
    /// Returns the old bits.
    Id narrow_atomic(Place place, const Instruction& inst, const std::vector<Id>& values, Id type,
                     Change change);

    /// Makes all functions that were requested. No other member may be called afterwards.
    void build();

 private:
    using Body = std::function<Id(const std::vector<Id>& params)>;  // returns the result, or none
    Id call(const std::string& key, Id result, const std::vector<Id>& args, Body body);
    Id by_space(Id pointer, const Place& place, Id result, const std::function<Id(Place&)>& access);
    Place local_place(const Place& place, Id param, uint32_t unit_bytes = 1) const;
    Id exchange_loop(Id pointer, Id scope, Id semantics, Id integer, const std::function<Id(Id)>& change);

    Emitter& emitter_;
    struct Request {
        Id function = {}, result = {};
        std::vector<Id> params = {};
        std::string name = {};
        Body body = {};
    };
    std::map<std::string, Id> functions_ = {};
    std::vector<Request> requests_ = {};
};

}  // namespace caldera::vulkan::memory
