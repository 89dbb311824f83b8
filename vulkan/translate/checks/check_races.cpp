// SPDX-License-Identifier: Apache-2.0
// check_races: reports accesses of two work-items to the same global or local memory that nothing orders,
// where at least one of them writes and one is no atomic operation (OpenCL C 3.0 6.15.12). Shadows of the
// memory have the last access that wrote and the last that read (vulkan/race_words.h). A work-item's clock
// counts the barriers that it has left behind, so accesses of one group with a barrier between them are in
// order.
//
// The order that atomic operations and fences make is not followed. A work-item that has executed one that
// may order it after others reports nothing from then on, nor does its group from the next barrier on. A
// volatile access counts as an atomic operation.
//
// Before: kernels are described; only the program's own functions have bodies. After: interface.check_sites
// has the places that are reported.
#include <algorithm>
#include <optional>

#include "spirv/op_class.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

/// How an access is told to the library, and the bits of a clock: as builtins/check/race.cl has them.
constexpr uint32_t kWrites = 1, kIsAtomic = 2, kHasFences = 1u << 30, kIsSynchronized = 1u << 31;
constexpr uint64_t kShadowWordBytes = 4, kMostWords = 4;  // of an access that are looked at

class RaceChecks {
 public:
    RaceChecks(spirv::Module& module, PassContext& context)
        : module_(module), instrument_(module, context), builder_(instrument_.builder()) {}

    void run() {
        find_fences();
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            promote_to_values(builder_, function);
            const Function before = function;
            instrument_.begin(before);
            who_ = who_in_group_ = local_shadow_ = {};
            shadows_.clear();
            for (spirv::Block& block : function.blocks)
                rewrite_block(builder_, block,
                              [&](Instruction& inst, std::vector<Instruction>& out) { check(inst, out); });
            instrument_.end(function);
        }
        start_clocks();
        instrument_.finish();
    }

 private:
    void check(Instruction& inst, std::vector<Instruction>& out) {
        for (const Access& access : instrument_.accesses().of(inst)) note(inst, access);
        const bool passes = is_passed_by_group(inst), orders = may_order(inst);
        out.push_back(std::move(inst));
        if (passes) set_clock(instrument_.call("_Z18check_pass_barrierj", u32(), {clock()}));
        if (orders)
            set_clock(
                builder_.append(Op::OpBitwiseOr, u32(), {clock(), builder_.constant_u32(kIsSynchronized)}));
    }

    // ---- What orders accesses ----

    bool is_scope(Id scope, spv::Scope wanted) const {
        return builder_.constant_value(scope) == static_cast<uint64_t>(wanted);
    }
    /// Barriers of the group, and what all of its work-items reach and wait at in fact.
    bool is_passed_by_group(const Instruction& inst) const {
        if (inst.op == Op::OpGroupWaitEvents) return true;
        const bool is_of_group =
            inst.op == Op::OpControlBarrier || (inst.op >= Op::OpGroupAll && inst.op <= Op::OpGroupSMax);
        return is_of_group && is_scope(inst.id(0), spv::Scope::Workgroup);
    }
    /// Whether the instruction may order what the work-item does later after what others did before.
    bool may_order(const Instruction& inst) const {
        if (inst.op == Op::OpControlBarrier) return !is_scope(inst.id(0), spv::Scope::Workgroup);
        if (inst.op == Op::OpMemoryBarrier) return true;
        if (!spirv::is_atomic(inst.op)) return false;
        constexpr size_t kSemantics = 2;
        return has_order(inst.id(kSemantics)) || (is_exchange(inst.op) && has_order(inst.id(kSemantics + 1)));
    }
    static bool is_exchange(Op op) {
        return op == Op::OpAtomicCompareExchange || op == Op::OpAtomicCompareExchangeWeak;
    }
    bool has_order(Id semantics) const {
        using enum spv::MemorySemanticsMask;
        constexpr uint32_t kOrders = static_cast<uint32_t>(Acquire) | static_cast<uint32_t>(Release) |
                                     static_cast<uint32_t>(AcquireRelease) |
                                     static_cast<uint32_t>(SequentiallyConsistent);
        const std::optional<uint64_t> value = builder_.constant_value(semantics);
        return !value || (*value & kOrders) != 0;
    }

    void find_fences() {
        for (const Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (may_order(inst)) with_fences_.insert(function.id());
    }
    /// Kernels with fences say so to their clocks.
    void start_clocks() {
        if (!clock_) return;
        CallGraph graph(module_);
        for (const Instruction& entry_point : module_.entry_points) {
            const std::vector<uint32_t> reached = graph.functions(entry_point.id(1));
            const bool has_fences = std::ranges::any_of(
                reached, [&](uint32_t i) { return with_fences_.contains(module_.functions[i].id()); });
            if (!has_fences) continue;
            std::vector<Instruction> entry;
            {
                const spirv::SinkScope sink(builder_, &entry);
                set_clock(builder_.constant_u32(kHasFences));
            }
            module_.functions[graph.index_of(entry_point.id(1))].insert_at_entry(std::move(entry));
        }
    }

    // ---- The state of a work-item ----

    Id u32() { return builder_.type_int(32); }
    Id u64() { return builder_.type_int(64); }
    Id clock_variable() {
        if (!clock_) {
            clock_ = builder_.variable(StorageClass::Private, u32(), builder_.constant_u32(0));
            builder_.name(clock_, "caldera.clock");
        }
        return clock_;
    }
    Id clock() { return builder_.append(Op::OpLoad, u32(), {clock_variable()}); }
    void set_clock(Id value) { builder_.append_void(Op::OpStore, {clock_variable(), value}); }

    Id who() {
        if (!who_) who_ = instrument_.at_entry([&] { return instrument_.call("_Z9check_whov", u32(), {}); });
        return who_;
    }
    Id who_in_group() {
        if (!who_in_group_)
            who_in_group_ = instrument_.at_entry([&] {
                return instrument_.call("_Z18check_who_in_groupPU3AS1j", u32(), {instrument_.state()});
            });
        return who_in_group_;
    }
    Id local_shadow() {
        if (!local_shadow_)
            local_shadow_ = instrument_.at_entry([&] {
                return instrument_.call("_Z18check_local_shadowPU3AS1j", u64(), {instrument_.state()});
            });
        return local_shadow_;
    }
    /// The begin, the size and the shadow of what a known object is in.
    Id shadow_of(const CheckedObject& object) {
        Id& known = shadows_[object.begin];
        if (known) return known;
        const Id four = builder_.type_vector(u64(), 4);
        return known = instrument_.at_entry([&] {
            return object.is_argument
                       ? instrument_.call("_Z21check_argument_shadowPU3AS1jj", four,
                                          {instrument_.state(), builder_.constant_u32(object.argument)})
                       : instrument_.call("_Z12check_shadowPU3AS1jm", four,
                                          {instrument_.state(), object.begin});
        });
    }

    // ---- Accesses ----

    static bool is_volatile(const Instruction& inst) {
        const size_t at = inst.op == Op::OpLoad ? 1 : inst.op == Op::OpStore ? 2 : inst.operands.size();
        return at < inst.operands.size() &&
               (inst.word(at) & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)) != 0;
    }

    void note(const Instruction& inst, const Access& access) {
        const Id pointer = inst.id(access.operand);
        const std::optional<ObjectPath> path = instrument_.paths().path_of(pointer);
        const StorageClass space = instrument_.storage(path ? path->variable : pointer);
        if (space != StorageClass::CrossWorkgroup && space != StorageClass::Workgroup &&
            space != StorageClass::Generic)
            return;
        const bool is_atomic = access.kind == CheckedAccess::Atomic;
        const bool writes = is_atomic ? inst.op != Op::OpAtomicLoad : access.writes;
        const uint32_t how = (writes ? kWrites : 0) | (is_atomic || is_volatile(inst) ? kIsAtomic : 0);
        const CheckedObject* object = instrument_.object_of(pointer);
        CheckedObject local;
        if (path && space == StorageClass::Workgroup) {
            local.name = instrument_.name_of(path->variable);
            object = &local;
        }
        const Id site = instrument_.site(inst, CheckKind::Race, access, object,
                                         space == StorageClass::Workgroup ? space : StorageClass{});
        const Id begin = instrument_.address_of(pointer, access);
        const uint64_t words = (access.bytes + kShadowWordBytes - 1) / kShadowWordBytes;
        const uint64_t looked_at = std::min(words, kMostWords);
        for (uint64_t i = 0; i < looked_at; ++i) {
            const uint64_t word = looked_at == 1 ? 0 : i * (words - 1) / (looked_at - 1);
            const uint64_t bytes = std::min(kShadowWordBytes, access.bytes - word * kShadowWordBytes);
            const Id address = word == 0
                                   ? begin
                                   : builder_.append(Op::OpIAdd, u64(),
                                                     {begin, builder_.constant_u64(word * kShadowWordBytes)});
            note_word(space, space == StorageClass::CrossWorkgroup ? object : nullptr,
                      {instrument_.state(), site, address,
                       builder_.constant_u32(static_cast<uint32_t>(bytes)), builder_.constant_u32(how)});
        }
    }

    /// `values` are the parameters that all these functions begin with.
    void note_word(StorageClass space, const CheckedObject* object, std::vector<Id> values) {
        const char* name = "_Z14check_any_racePU3AS1jjmjjjj";
        if (object) {
            name = "_Z10check_racePU3AS1jjmjjDv4_mjj";
            values.push_back(shadow_of(*object));
        } else if (space == StorageClass::Workgroup) {
            name = "_Z16check_local_racePU3AS1jjmjjmjj";
            values.push_back(local_shadow());
        } else if (space == StorageClass::Generic) {
            name = "_Z18check_generic_racePU3AS1jjmjjmjjj";
            values.insert(values.end(), {local_shadow(), who_in_group()});
        }
        values.push_back(space == StorageClass::Workgroup ? who_in_group() : who());
        values.push_back(clock());
        instrument_.call(name, builder_.type_void(), values);
    }

    spirv::Module& module_;
    Instrument instrument_;
    spirv::Builder& builder_;
    spirv::IdSet with_fences_ = {};
    Id clock_ = {};
    // of the function that is being rewritten
    Id who_ = {}, who_in_group_ = {}, local_shadow_ = {};
    spirv::IdMap<Id> shadows_ = {};
};

}  // namespace

Result<Done> check_races(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Races)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    RaceChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
