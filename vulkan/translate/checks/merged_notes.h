// SPDX-License-Identifier: Apache-2.0
// MergedNotes: accesses on several ways through a function that are noted where the ways meet. A chain of
// else-ifs then has one note, of the access that was made. This is for drivers that inline the note into each
// access, and take time by the square of how many there are.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"

namespace caldera::vulkan {

/// An access, as the library is told of it, and how it is reported.
struct AccessNote {
    bool is_local = false;  ///< it is in local memory, not in global memory
    /// Values: the address, how many bytes, how, the object or its shadow, its size, the work-item, and the
    /// site. A note of several accesses has the site of the one that was made.
    enum Part { Address, Bytes, How, Object, Size, Who, Site, kParts };
    std::array<spirv::Id, kParts> parts = {};
    std::vector<spirv::Id> sites = {};  ///< of all accesses that it may be of
};

/// For one function after another.
class MergedNotes {
 public:
    /// Whether what comes before an instruction must be noted before it.
    using Stops = std::function<bool(const spirv::Instruction&)>;
    MergedNotes(spirv::Builder& builder, Stops stops) : builder_(builder), stops_(std::move(stops)) {}

    /// `accesses`: how many of the function may be merged. Few are noted where they are.
    void begin(const spirv::Function& function, size_t accesses);
    /// Following calls are about the block of that number.
    void enter(uint32_t block) { block_ = block, passed_ = 0; }
    /// Following calls are about code behind the instruction.
    void pass(const spirv::Instruction& inst) { passed_ += stops_(inst); }
    /// Takes the note, or returns false: then it must be made at once.
    bool take(const AccessNote& note);
    /// Makes the notes that were taken, with code of `emit`, which appends to the builder.
    void finish(spirv::Function& function, const std::function<void(const AccessNote&)>& emit);

 private:
    struct Notes {
        std::array<std::vector<AccessNote>, 2> of = {};  // in global and in local memory
        bool empty() const { return of[0].empty() && of[1].empty(); }
    };
    bool is_meeting(uint32_t block) const;
    Notes arriving(uint32_t block, const spirv::Function& function);
    AccessNote none(const AccessNote& like);

    spirv::Builder& builder_;
    const Stops stops_;
    // of the function
    bool merges_ = false;
    spirv::Cfg cfg_ = {};
    std::vector<size_t> stops_in_ = {};       // by block
    std::vector<bool> passes_on_ = {};        // blocks that lead only to one where notes may be made
    std::vector<Notes> own_ = {}, out_ = {};  // by block: what is noted later of it, and of all before it
    uint32_t block_ = 0;
    size_t passed_ = 0;  // instructions of it that stop
};

}  // namespace caldera::vulkan
