// SPDX-License-Identifier: Apache-2.0
// merge_accesses: merges loads of neighbouring scalars (components of a vector, members of a struct) into one
// load of a vec2, vec3 or vec4, and stores likewise. Drivers do not do this for addresses made from integers.
// On an H200, accessing the four components of a float4 then takes a third of the time.
//
// It merges accesses of one type in one block whose places differ by constants, if the alignment that one of
// them promises makes the vector aligned. Nothing between them may write what is loaded, or read or write
// what is stored. Only bytes that the program accesses are accessed.
//
// lower_memory chooses where objects in local memory lie. So for a driver that loads from there one scalar at
// a time (loads_local_scalars), this pass aligns them to four components where that makes a vector aligned.
//
// Before: reuse_loads; pointers are OpenCL's. After: a vector access has the alignment of the whole vector,
// so lower_memory makes one access of it.
#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <vector>

#include "spirv/sink_scope.h"
#include "spirv/support/align.h"
#include "spirv/uses.h"
#include "vulkan/translate/optimize/pointers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

class AccessMerger {
 public:
    AccessMerger(Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts, Function& function,
                 bool aligns_locals)
        : builder_(builder),
          facts_(facts),
          function_(function),
          aligns_locals_(aligns_locals),
          cfg_(build_cfg(function)),
          pointers_(builder, layout, facts, function, cfg_, dominators(cfg_)) {}

    void run() {
        for (uint32_t b : cfg_.order) {
            find_merges(function_.blocks[b].body);
            if (!merges_.empty()) rewrite(function_.blocks[b].body);
        }
        for (const auto& [variable, bytes] : alignments_) align(variable, bytes);
    }

 private:
    static constexpr size_t kMaxGroups = 8, kMaxLanes = 64;

    /// A scalar access: instruction `index` of the block.
    struct Lane {
        int64_t offset = 0;
        uint32_t index = 0, align_bytes = 1;
    };
    /// Accesses that may be merged with each other.
    struct Group {
        bool store = false;
        Id type = {};
        uint32_t bytes = 0;  // of the type
        uint32_t area = 0;
        MemoryPlace first = {};
        Id local = {};                   // the object in local memory that may be aligned, if it is one
        uint32_t local_align_bytes = 0;  // what aligning it makes of `first` without its constant
        std::vector<Lane> lanes = {};
    };
    /// Lanes of one vector, in the order of their offsets. A load takes the place of the first instruction, a
    /// store that of the last.
    struct Merge {
        bool store = false;
        Id type = {};  // of a lane
        std::vector<Lane> lanes = {};
        Id vector = {};  // what was loaded
        uint32_t at() const {
            const auto [first, last] = std::ranges::minmax(lanes, {}, &Lane::index);
            return store ? last.index : first.index;
        }
    };

    void find_merges(const std::vector<Instruction>& body);
    void close_disturbed(const Instruction& inst, Effect effect);
    void add(const Instruction& inst, bool store, uint32_t index);
    void find_local(Group& group) const;
    void close(Group& group);
    void merge(const Group& group, std::span<const Lane> lanes);
    void align(Id variable, uint32_t bytes);
    void rewrite(std::vector<Instruction>& body);
    Id vector_pointer(const Merge& merge, const std::vector<Instruction>& body, Id vector);
    void emit_load(Merge& merge, const std::vector<Instruction>& body);
    void emit_store(const Merge& merge, const std::vector<Instruction>& body);

    Builder& builder_;
    const MemoryFacts& facts_;
    Function& function_;
    const bool aligns_locals_;
    const Cfg cfg_;
    const Pointers pointers_;
    std::vector<Group> open_ = {};
    std::vector<Merge> merges_ = {};
    std::map<Id, uint32_t> alignments_ = {};  // wanted, of variables in local memory
};

// ---- Groups ----

void AccessMerger::find_merges(const std::vector<Instruction>& body) {
    merges_.clear();
    for (uint32_t i = 0; i < body.size(); ++i) {
        const Instruction& inst = body[i];
        const Effect effect = facts_.effect(inst);
        // A call that writes nothing may read what a store before it writes.
        if (effect == Effect::None && inst.op != spv::Op::OpFunctionCall && inst.op != spv::Op::OpExtInst)
            continue;
        close_disturbed(inst, effect);
        if (effect == Effect::Load || effect == Effect::Store) add(inst, effect == Effect::Store, i);
    }
    for (Group& group : open_) close(group);
    open_.clear();
}

/// Ends the groups that cannot be moved past the instruction.
void AccessMerger::close_disturbed(const Instruction& inst, Effect effect) {
    constexpr uint64_t kAny = ~uint64_t{0};
    auto disturbed = [&](const Group& group) {
        if (effect == Effect::Everything) return true;
        const bool writes = effect == Effect::Store || effect == Effect::Writes;
        if (!writes && !group.store) return false;  // loads do not mind each other
        if (effect != Effect::Load && effect != Effect::Store) return true;
        if (pointers_.area(inst.id(0)) != group.area) return false;
        const MemoryPlace place = pointers_.place(inst.id(0));
        // More stores beside those of the group may join it; they are looked at in add().
        if (group.store && effect == Effect::Store && place.formula == group.first.formula) return false;
        return !pointers_.disjoint(place, kAny, group.first, kAny);
    };
    std::erase_if(open_, [&](Group& group) {
        if (!disturbed(group)) return false;
        close(group);
        return true;
    });
}

void AccessMerger::add(const Instruction& inst, bool store, uint32_t index) {
    const Id type = builder_.type_of(store ? inst.id(1) : inst.result);
    const AccessOperands access = access_at(inst, store ? 2 : 1);
    const bool scalar = builder_.is_int(type) || builder_.is_float(type);
    const bool plain = access.last == access.first + 2 &&
                       inst.word(access.first) == static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
    const bool shared = builder_.storage(builder_.type_of(inst.id(0))) != spv::StorageClass::Function;
    const MemoryPlace place = pointers_.place(inst.id(0));
    const uint32_t bytes = scalar ? builder_.width(type) / 8 : 0;
    Group* group = nullptr;
    // A store next to stores of another type, or over a store of its own group, ends those groups.
    std::erase_if(open_, [&](Group& other) {
        if (!store || !other.store || other.first.formula != place.formula) return false;
        const bool joins = scalar && plain && shared && other.type == type &&
                           std::ranges::none_of(other.lanes, [&](const Lane& lane) {
                               return !pointers_.disjoint(place, bytes, {place.formula, lane.offset}, bytes);
                           });
        if (joins) return false;
        close(other);
        return true;
    });
    if (!scalar || !plain || !shared) return;
    for (Group& other : open_)
        if (other.store == store && other.type == type && other.first.formula == place.formula &&
            other.lanes.size() < kMaxLanes)
            group = &other;
    if (group == nullptr) {
        if (open_.size() == kMaxGroups) {
            close(open_.front());
            open_.erase(open_.begin());
        }
        open_.push_back({store, type, bytes, pointers_.area(inst.id(0)), place});
        group = &open_.back();
        find_local(*group);
    }
    const uint32_t said = inst.word(access.first + 1);
    group->lanes.push_back({place.offset, index, said ? static_cast<uint32_t>(power_of_two_in(said)) : 1});
}

/// lower_memory aligns a kernel's arguments in local memory to at least four of the largest scalars
/// (kArgumentBytes), and variables as they are decorated.
void AccessMerger::find_local(Group& group) const {
    const Id object = pointers_.object(group.first.formula);
    const Id type = builder_.type_of(object);
    if (!aligns_locals_ || !type || !builder_.is_pointer(type) ||
        builder_.storage(type) != spv::StorageClass::Workgroup)
        return;
    const Instruction* global = builder_.find_global(object);
    const bool is_variable = global && global->op == spv::Op::OpVariable;
    const bool is_argument =
        facts_.is_kernel(function_.id()) &&
        std::ranges::find(function_.params, object, &Instruction::result) != function_.params.end();
    if (!is_variable && !is_argument) return;
    if (is_variable) group.local = object;
    const uint64_t most = pointers_.strides(group.first.formula) | uint64_t{group.bytes} * 4;
    group.local_align_bytes = static_cast<uint32_t>(power_of_two_in(most));
}

/// Finds the vectors among the lanes. The best alignment that one of them promises, or that their object can
/// have, says where aligned vectors begin.
void AccessMerger::close(Group& group) {
    if (group.lanes.size() < 2) return;
    Lane anchor = *std::ranges::max_element(group.lanes, {}, &Lane::align_bytes);
    const bool aligns = group.local_align_bytes > anchor.align_bytes;
    if (aligns) anchor = {.align_bytes = group.local_align_bytes};  // at the constant 0
    if (!aligns) group.local = {};
    const uint32_t count = anchor.align_bytes >= 4 * group.bytes   ? 4
                           : anchor.align_bytes >= 2 * group.bytes ? 2
                                                                   : 1;
    if (count == 1) return;
    const int64_t step = group.bytes;
    std::ranges::sort(group.lanes, [](const Lane& a, const Lane& b) {
        return a.offset != b.offset ? a.offset < b.offset : a.index < b.index;
    });
    for (size_t i = 0; i < group.lanes.size();) {
        const int64_t from_anchor = group.lanes[i].offset - anchor.offset;
        const int64_t lane = from_anchor / step & (count - 1);
        size_t end = i + 1;  // the run of neighbours that stays in the aligned vector
        while (from_anchor % step == 0 && end < group.lanes.size() &&
               lane + static_cast<int64_t>(end - i) < count &&
               group.lanes[end].offset == group.lanes[i].offset + static_cast<int64_t>(end - i) * step)
            ++end;
        if (lane % 2 == 1) end = i + 1;  // not even aligned to two
        if (end - i > 1) merge(group, std::span(group.lanes).subspan(i, end - i));
        i = end;
    }
}

void AccessMerger::merge(const Group& group, std::span<const Lane> lanes) {
    merges_.push_back({group.store, group.type, {lanes.begin(), lanes.end()}});
    if (!group.local) return;
    uint32_t& bytes = alignments_[group.local];
    bytes = std::max(bytes, group.bytes * 4);
}

/// Raises the variable's alignment.
void AccessMerger::align(Id variable, uint32_t bytes) {
    for (Instruction& inst : builder_.module().annotations)
        if (inst.op == spv::Op::OpDecorate && inst.id(0) == variable &&
            inst.word(1) == static_cast<uint32_t>(spv::Decoration::Alignment)) {
            inst.operands[2] = std::max(inst.word(2), bytes);
            return;
        }
    builder_.decorate(variable, spv::Decoration::Alignment, {bytes});
}

// ---- Instructions ----

void AccessMerger::rewrite(std::vector<Instruction>& body) {
    constexpr uint32_t kNone = ~0u;
    std::vector<uint32_t> merge_of(body.size(), kNone);
    for (uint32_t m = 0; m < merges_.size(); ++m)
        for (const Lane& lane : merges_[m].lanes) merge_of[lane.index] = m;
    std::vector<Instruction> out;
    const SinkScope sink(builder_, &out);
    for (uint32_t i = 0; i < body.size(); ++i) {
        if (merge_of[i] == kNone) {
            out.push_back(body[i]);
            continue;
        }
        Merge& merge = merges_[merge_of[i]];
        if (merge.store) {
            if (i == merge.at()) emit_store(merge, body);
            continue;
        }
        if (i == merge.at()) emit_load(merge, body);
        const auto lane = std::ranges::find(merge.lanes, i, &Lane::index) - merge.lanes.begin();
        builder_.append({.op = spv::Op::OpCompositeExtract,
                         .type = merge.type,
                         .result = body[i].result,
                         .operands = {merge.vector, static_cast<uint32_t>(lane)},
                         .line = body[i].line});
    }
    body = std::move(out);
}

/// Made from the pointer that is there already, which may be that of another lane.
Id AccessMerger::vector_pointer(const Merge& merge, const std::vector<Instruction>& body, Id vector) {
    const Instruction& at = body[merge.at()];
    builder_.set_line(at.line);
    Id pointer = at.id(0);
    const auto lane = std::ranges::find(merge.lanes, merge.at(), &Lane::index) - merge.lanes.begin();
    const Id type = builder_.type_of(pointer);
    if (lane != 0)
        pointer = builder_.append(spv::Op::OpInBoundsPtrAccessChain, type,
                                  {pointer, builder_.constant_u64(static_cast<uint64_t>(-lane))});
    return builder_.append(spv::Op::OpBitcast, builder_.type_pointer(builder_.storage(type), vector),
                           {pointer});
}

uint32_t vector_alignment(size_t lanes, uint32_t bytes) {
    return bytes * static_cast<uint32_t>(std::bit_ceil(lanes));
}

void AccessMerger::emit_load(Merge& merge, const std::vector<Instruction>& body) {
    const auto count = static_cast<uint32_t>(merge.lanes.size());
    const Id vector = builder_.type_vector(merge.type, count);
    const Id pointer = vector_pointer(merge, body, vector);
    merge.vector = builder_.append(
        spv::Op::OpLoad, vector,
        {pointer, spv::MemoryAccessMask::Aligned, vector_alignment(count, builder_.width(merge.type) / 8)});
}

void AccessMerger::emit_store(const Merge& merge, const std::vector<Instruction>& body) {
    const auto count = static_cast<uint32_t>(merge.lanes.size());
    const Id vector = builder_.type_vector(merge.type, count);
    const Id pointer = vector_pointer(merge, body, vector);
    Operands parts;
    for (const Lane& lane : merge.lanes) parts.push_back(body[lane.index].id(1));
    const Id value = builder_.append(spv::Op::OpCompositeConstruct, vector, std::move(parts));
    builder_.append_void(spv::Op::OpStore, {pointer, value, spv::MemoryAccessMask::Aligned,
                                            vector_alignment(count, builder_.width(merge.type) / 8)});
}

}  // namespace

Result<Done> merge_accesses(Module& module, PassContext& context) {
    Builder builder(module);
    const OpenclLayout layout(builder);
    const MemoryFacts facts(module, builder);
    for (Function& function : module.functions)
        if (!function.blocks.empty())
            AccessMerger(builder, layout, facts, function, context.options.profile.quirks.loads_local_scalars)
                .run();
    return Done{};
}

}  // namespace caldera::vulkan
