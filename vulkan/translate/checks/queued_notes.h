// SPDX-License-Identifier: Apache-2.0
// QueuedNotes: accesses that are kept in an array of the work-item, and noted by a loop before the next
// barrier, where a loop goes on, and where the function returns. A function then has a few notes instead of
// one for each access. This is for drivers that inline the note into each access, and take time by the square
// of how many blocks that makes. Each access has an element of its own, where the address is, or 0.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// An access, as the library is told of it, and how it is reported.
struct QueuedAccess {
    bool is_local = false;   ///< it is in local memory, not in global memory
    spirv::Id address = {};  ///< of 64 bits
    uint32_t bytes = 0, how = 0, site = 0;
    spirv::Id object = {}, size = {}, who = {};  ///< its object or its shadow, and the work-item; made in the
                                                 ///< first block
};
/// One that is taken out of the queue: all of these are values.
struct QueuedNote {
    bool is_local = false;
    spirv::Id address = {}, bytes = {}, how = {}, site = {}, object = {}, size = {}, who = {};
};

/// For one function after another.
class QueuedNotes {
 public:
    /// Whether what comes before an instruction must be noted before it.
    using Stops = std::function<bool(const spirv::Instruction&)>;
    /// How many accesses of an instruction may be queued.
    using Counter = std::function<size_t(const spirv::Instruction&)>;
    using Emit = std::function<void(const QueuedNote&)>;
    QueuedNotes(spirv::Builder& builder, Stops stops, Counter count)
        : builder_(builder), stops_(std::move(stops)), count_accesses_(std::move(count)) {}

    /// Where a queue is worth it, the function gets one return, and loops get one way back.
    void begin(spirv::Function& function);
    /// No function has a queue until begin().
    void end() { is_used_ = false; }
    /// Before the instruction is appended to the builder.
    void pass(const spirv::Instruction& inst);
    /// Appends the code that queues the access, or returns false: then it must be noted at once.
    bool take(const QueuedAccess& access);
    /// Adds the queues and the loops that empty them; `emit` appends to the builder what notes an access.
    void finish(spirv::Function& function, const Emit& emit);

    /// Loads from the queues, and pointers to what is stored there: no fault is looked for in these.
    const std::vector<spirv::Id>& unreported() const { return unreported_; }

 private:
    /// What accesses have in common.
    struct Object {
        spirv::Id object = {}, size = {}, who = {};
        bool operator==(const Object&) const = default;
    };
    /// The accesses of one kind of memory.
    struct Queue {
        spirv::Id addresses = {}, keys = {};  ///< variables, with an element for each access
        std::vector<spirv::Id> known_keys = {};
        std::vector<Object> objects = {};
        spirv::IdMap<uint32_t> number_of = {};  ///< by the pointer to the element

        uint32_t length() const { return static_cast<uint32_t>(known_keys.size()); }
    };
    /// Elements of a queue, of which the last is not one.
    struct Range {
        uint32_t begin = ~0u, end = 0;
        bool operator==(const Range&) const = default;
        bool empty() const { return begin >= end; }
        void add(Range other);
        void take_out(Range other);
        Range common(Range other) const;
    };
    using Ranges = std::array<Range, 2>;  // of each queue
    static constexpr Ranges kWhole = {Range{0, ~0u}, Range{0, ~0u}};
    spirv::Id u32() { return builder_.type_int(32); }
    spirv::Id pointer_to(spirv::Id type) { return builder_.type_pointer(spv::StorageClass::Function, type); }
    spirv::Id element(spirv::Id array, spirv::Id type, spirv::Id index);
    bool is_worth_it(const spirv::Function& function) const;
    void join_returns(spirv::Function& function);
    void join_latches(spirv::Function& function);
    void add_variables(spirv::Function& function);
    void pass(const spirv::Instruction& inst, Ranges& pending) const;
    void find_loops(const spirv::Function& function, const spirv::Cfg& cfg);
    void find_pending(const spirv::Function& function, const spirv::Cfg& cfg);
    spirv::Block emptied(spirv::Block before, size_t queue, Range range, std::vector<spirv::Block>& blocks,
                         const Emit& emit);
    /// Appends what makes a note of an element's value. Without an access, it is one without a shadow, of
    /// which the library does nothing.
    QueuedNote noted(size_t queue, spirv::Id index, spirv::Id address);

    spirv::Builder& builder_;
    const Stops stops_;
    const Counter count_accesses_;
    // of the function
    bool is_used_ = false;
    std::array<Queue, 2> queues_ = {};  // for global and for local memory
    std::vector<spirv::Id> unreported_ = {};
    // by block, when all accesses are queued
    std::vector<Ranges> before_ = {};  // what may be pending where it begins
    std::vector<Ranges> last_ = {};    // what is emptied where it ends
};

}  // namespace caldera::vulkan
