// SPDX-License-Identifier: Apache-2.0
// NotedAccesses: which accesses need no note in a shadow, since on every way to them the same work-item has
// noted one to the same place, and no barrier is between the two. Whoever races with such an access also
// races with the earlier one, and finds that.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "spirv/cfg.h"
#include "vulkan/translate/support/accesses.h"

namespace caldera::vulkan {

/// For one function after another.
class NotedAccesses {
 public:
    /// The accesses of an instruction that may stand for others.
    using Finder = std::function<std::vector<Access>(const spirv::Instruction&)>;
    /// Whether what is behind an instruction is ordered after something that others have done before it.
    using Ends = std::function<bool(const spirv::Instruction&)>;

    /// `writes_stand_for_reads`: a note of a write serves a read of the same place, too.
    NotedAccesses(Finder find, Ends ends, bool writes_stand_for_reads)
        : find_(std::move(find)), ends_(std::move(ends)), writes_serve_(writes_stand_for_reads) {}

    /// Follows all ways through the function, which may change afterwards.
    void begin(const spirv::Function& function);
    /// The next questions are about the block of that number, before its first instruction.
    void enter(uint32_t block) { state_ = before_[block]; }
    /// Whether such an access is already noted.
    bool is_noted(const spirv::Instruction& inst, const Access& access) const;
    /// The next questions are about what is behind the instruction, whose accesses are noted.
    void pass(const spirv::Instruction& inst) { pass(inst, state_); }

 private:
    /// Pointer, index, stride, bytes and whether it writes.
    using Key = std::tuple<spirv::Id, spirv::Id, uint64_t, uint64_t, bool>;
    using State = std::vector<uint64_t>;  // a bit for each key

    static Key key_of(const spirv::Instruction& inst, const Access& access, bool writes) {
        return {inst.id(access.operand), access.index, access.stride_bytes, access.bytes, writes};
    }
    bool has(const Key& key) const;
    void pass(const spirv::Instruction& inst, State& state) const;

    const Finder find_;
    const Ends ends_;
    const bool writes_serve_;
    std::map<Key, uint32_t> numbers_ = {};
    std::vector<State> before_ = {};  // by block
    State state_ = {};
};

}  // namespace caldera::vulkan
