// SPDX-License-Identifier: Apache-2.0
// check_uninitialised: reports loads from private variables of what nobody has written. Beside each variable
// that may be read too early there is one with a bit for each of its parts: the largest pieces such that each
// access is of whole ones. Later passes make values of those variables, as of others.
//
// A pointer that is chosen among variables, or moves on in a loop, has its variable and its place in it as
// values beside it (PointerExtents): an access by it concerns the bits of each variable that it may point
// into, where it does. So that such pointers are seen, variables that hold pointers to private memory are
// looked at first, and become values before the others are.
//
// OpLifetimeStart takes the bits of its variable away, since a variable that is declared in a loop has no
// value at each turn. Afterwards there is none.
//
// A variable that is passed to a function counts as written from then on. One whose pointer is stored
// elsewhere or converted is not looked at, and so is one that is surely written first, or has too many parts.
// An aggregate may be copied before all of it is written, and then all of the copy counts as written.
//
// Before: variables are not yet values, and those that shall be zeros are. After: interface.check_sites has
// the places that are reported.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/op_class.h"
#include "vulkan/translate/checks/choices.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/checks/pointer_extents.h"
#include "vulkan/translate/checks/pointer_sources.h"
#include "vulkan/translate/checks/written_parts.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

constexpr uint64_t kMostParts = 1024;
constexpr uint32_t kWordBits = 32;
constexpr size_t kMostSources = 256;  // of a pointer: those that it is made from, one after another

/// A private variable of the function that is being rewritten.
struct Watched {
    bool escapes = false;
    uint64_t part_bytes = 0;  ///< 0: there is no access
    uint64_t size_bytes = 0;
    Id bits = {};  ///< an array of words, or one
    uint32_t words() const {
        return static_cast<uint32_t>((size_bytes / part_bytes + kWordBits - 1) / kWordBits);
    }
};

/// What a pointer that is not derived from one variable by chains alone may point into.
struct Reach {
    std::vector<Id> variables = {};
    uint64_t step_bytes = 0;  ///< its offset in any of them is a multiple of this; 0: it is 0
    bool is_followed = true;  ///< its offset is known at run time
};

/// A variable that a pointer may point into.
struct Target {
    Id id = {};
    Watched* variable = nullptr;
    std::optional<ObjectPath> path = {};  ///< where it points; none: that is known at run time
    PointerExtent extent = {};            ///< without a path
};

class WrittenChecks {
 public:
    WrittenChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          instrument_(module, context),
          builder_(instrument_.builder()),
          extents_(builder_, instrument_.layout(), instrument_.accesses(), true) {}

    void run() {
        for (Function& function : module_.functions)
            if (!function.blocks.empty()) rewrite(function);
        instrument_.finish();
    }

 private:
    void rewrite(Function& function) {
        const auto holds_pointers = [&](Id type) {
            if (!builder_.is_pointer(type)) return false;
            const StorageClass space = builder_.storage(type);
            return space == StorageClass::Function || space == StorageClass::Generic;
        };
        own_variables_.clear();
        rewrite(function, holds_pointers);
        promote_to_values(builder_, function, holds_pointers);
        extents_.add_to(function);
        rewrite(function, [&](Id type) { return !holds_pointers(type); });
        for (spirv::Block& block : function.blocks)
            std::erase_if(block.body, [](const Instruction& inst) { return inst.op == Op::OpLifetimeStart; });
    }

    /// The variable whose lifetime begins; {} if the pointer is not to a known one.
    Id started_by(const Instruction& start) {
        const std::optional<ObjectPath> path = instrument_.paths().path_of(start.id(0));
        return path ? path->variable : Id{};
    }

    /// Looks at the variables whose type `is_wanted` takes.
    template <class IsWanted>
    void rewrite(Function& function, const IsWanted& is_wanted) {
        watched_.clear();
        order_.clear();
        reaches_.clear();
        find_variables(function, is_wanted);
        if (order_.empty()) return;
        const Function before = function;
        instrument_.begin(before);
        for (const spirv::Block& block : before.blocks) {
            for (const Instruction& inst : block.body) visit(inst);
            visit(block.terminator);
        }
        drop_written_first(before);
        make_bits(function);
        const WrittenParts parts(builder_, before);
        parts_ = &parts;
        const Choices choices(builder_, before);
        choices_ = &choices;
        for (spirv::Block& block : function.blocks)
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                if (inst.op == Op::OpLifetimeStart && watched_.contains(started_by(inst)))
                    return take_back_writes(started_by(inst));
                check_reads(inst);
                const Instruction copy = inst;
                out.push_back(std::move(inst));
                mark_writes(copy);
            });
        instrument_.end(function);
    }

    // ---- Which variables ----

    template <class IsWanted>
    void find_variables(const Function& function, const IsWanted& is_wanted) {
        for (const Instruction& inst : function.blocks.front().body) {
            if (inst.op != Op::OpVariable || inst.operands.size() > 1) continue;
            if (own_variables_.contains(inst.result) || !is_wanted(instrument_.pointee(inst.result)))
                continue;
            const std::optional<TypeLayout> layout =
                instrument_.layout().find(instrument_.pointee(inst.result));
            if (!layout || layout->size_bytes == 0) continue;
            watched_[inst.result].size_bytes = layout->size_bytes;
            order_.push_back(inst.result);
        }
    }

    /// The variable, if bits are kept for it.
    Watched* watched(Id variable) {
        const auto found = watched_.find(variable);
        return found == watched_.end() || found->second.escapes ? nullptr : &found->second;
    }

    /// The watched variables that a pointer may point into.
    std::vector<Target> targets_of(Id pointer) {
        if (!builder_.is_pointer(builder_.type_of(pointer))) return {};
        if (std::optional<ObjectPath> path = instrument_.paths().path_of(pointer)) {
            Watched* const variable = watched(path->variable);
            if (!variable) return {};
            const Id id = path->variable;
            return {{.id = id, .variable = variable, .path = std::move(path)}};
        }
        std::vector<Target> targets;
        for (const Id id : reach_of(pointer).variables)
            if (Watched* const variable = watched(id)) targets.push_back({.id = id, .variable = variable});
        if (targets.empty()) return targets;
        if (const std::optional<PointerExtent> extent = extents_.of(pointer))
            for (Target& target : targets) target.extent = *extent;
        return targets;
    }

    const Reach& reach_of(Id pointer) {
        const auto [known, is_new] = reaches_.try_emplace(pointer);
        Reach& reach = known->second;
        if (!is_new) return reach;
        spirv::IdSet seen;
        size_t count_seen = 0;
        std::vector<Id> pending = {pointer};
        while (!pending.empty()) {
            const Id next = pending.back();
            pending.pop_back();
            if (!seen.insert(next)) continue;
            if (++count_seen > kMostSources) {
                reach.is_followed = false;
                reach.variables = order_;  // any of them
                break;
            }
            const Instruction* const inst = instrument_.paths().def(next);
            if (!inst) continue;
            if (watched_.contains(next)) reach.variables.push_back(next);
            if (spirv::is_access_chain(inst->op)) add_step(*inst, reach);
            const std::vector<Id> sources = pointer_sources(*inst);
            pending.insert(pending.end(), sources.begin(), sources.end());
        }
        return reach;
    }
    void add_step(const Instruction& chain, Reach& reach) const {
        const std::optional<ObjectPath> step = instrument_.paths().step_of(chain);
        if (!step) {
            reach.is_followed = false;
            return;
        }
        const auto add = [&](uint64_t bytes) { reach.step_bytes = std::gcd(reach.step_bytes, bytes); };
        add(static_cast<uint64_t>(std::abs(step->constant)));
        for (const auto& term : step->terms) add(term.second);
    }

    /// Instructions that make pointers of pointers, or tell nothing of what is there.
    bool is_harmless(const Instruction& inst) const {
        if (only_makes_pointers(inst.op)) return builder_.is_pointer(inst.type);
        switch (inst.op) {
            case Op::OpPtrEqual:
            case Op::OpPtrNotEqual:
            case Op::OpPtrDiff:
            case Op::OpLifetimeStart:
            case Op::OpLifetimeStop:
            case Op::OpFunctionCall: return true;
            default: return false;
        }
    }

    void visit(const Instruction& inst) {
        if (spirv::is_debug(inst)) return;
        const std::vector<Access> accesses = instrument_.accesses().of(inst);
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id) continue;
            const Id pointer = inst.id(i);
            for (const Target& target : targets_of(pointer)) {
                bool is_known = is_harmless(inst);
                for (const Access& access : accesses) {
                    if (access.operand != i) continue;
                    is_known = target.path || (reach_of(pointer).is_followed && target.extent.variable);
                    if (is_known) split(target, pointer, access, inst);
                }
                if (!is_known) target.variable->escapes = true;
            }
        }
    }

    /// Parts so small that the access is of whole ones.
    void split(const Target& target, Id pointer, const Access& access, const Instruction& inst) {
        const auto divide = [&](uint64_t bytes) {
            target.variable->part_bytes = std::gcd(target.variable->part_bytes, bytes);
        };
        divide(target.variable->size_bytes);
        if (target.path) {
            divide(static_cast<uint64_t>(target.path->constant));
            for (const auto& term : target.path->terms) divide(term.second);
        } else {
            divide(reach_of(pointer).step_bytes);
        }
        if (access.index) divide(access.stride_bytes);
        divide(component_bytes(inst, access));
    }

    /// The bytes of a component of a vector that is loaded or stored, or of all else that is accessed.
    uint64_t component_bytes(const Instruction& inst, const Access& access) const {
        const Id type = value_type(inst);
        return type && builder_.is_vector(type) ? access.bytes / builder_.count(type) : access.bytes;
    }
    Id value_type(const Instruction& inst) const {
        if (inst.op == Op::OpLoad) return inst.type;
        return inst.op == Op::OpStore ? builder_.type_of(inst.id(1)) : Id{};
    }

    static bool is_all(const Target& target, const Access& access) {
        return access.writes && target.path && target.path->constant == 0 && target.path->terms.empty() &&
               !access.index && access.bytes >= target.variable->size_bytes;
    }

    /// Variables of which a store of all is before every other access need no bits, unless their lifetime
    /// begins between the two.
    void drop_written_first(const Function& function) {
        const spirv::Cfg cfg = spirv::build_cfg(function);
        const spirv::Dominators tree = spirv::dominators(cfg);
        spirv::IdMap<std::vector<uint32_t>>
            first_stores;                             // by variable: blocks whose first access stores all
        std::vector<std::pair<Id, uint32_t>> others;  // blocks whose first access is another
        spirv::IdSet begin_without;  // variables without a store of all at once after a beginning
        for (uint32_t b = 0; b < function.blocks.size(); ++b) {
            spirv::IdSet seen;
            spirv::IdMap<bool> has_begun;  // and was not accessed since
            for (const Instruction& inst : function.blocks[b].body) {
                if (inst.op == Op::OpLifetimeStart) has_begun[started_by(inst)] = true;
                for (const size_t operand : touched(inst))
                    for (const Target& target : targets_of(inst.id(operand))) {
                        const bool is_first = seen.insert(target.id);
                        const bool begins = std::exchange(has_begun[target.id], false);
                        if (!is_first && !begins) continue;
                        const bool is_store = stores_all(target, inst, operand);
                        if (begins && !is_store) begin_without.insert(target.id);
                        if (is_first && is_store) first_stores[target.id].push_back(b);
                        if (is_first && !is_store) others.emplace_back(target.id, b);
                    }
            }
            for (const auto& [id, is_open] : has_begun)
                if (is_open) begin_without.insert(id);
        }
        for (const Id id : order_) {
            const std::vector<uint32_t>& stores = first_stores[id];
            const bool is_safe =
                !begin_without.contains(id) && std::ranges::all_of(others, [&](const auto& other) {
                    return other.first != id || std::ranges::any_of(stores, [&](uint32_t store) {
                               return store != other.second && tree.dominates(store, other.second);
                           });
                });
            if (is_safe) watched_[id].escapes = true;
        }
    }
    /// Operands that are accessed or passed on.
    std::vector<size_t> touched(const Instruction& inst) const {
        std::vector<size_t> operands;
        if (inst.op == Op::OpFunctionCall)
            for (size_t i = 1; i < inst.operands.size(); ++i) operands.push_back(i);
        for (const Access& access : instrument_.accesses().of(inst)) operands.push_back(access.operand);
        return operands;
    }
    /// A store of a vector that is in part from the same place is none of all.
    bool stores_all(const Target& target, const Instruction& inst, size_t operand) const {
        for (const Access& access : instrument_.accesses().of(inst))
            if (access.operand == operand && is_all(target, access) && !needs_value(inst, access))
                return true;
        return false;
    }

    // ---- Bits ----

    Id u32() { return builder_.type_int(32); }
    Id number(uint64_t value) { return builder_.constant_u32(static_cast<uint32_t>(value)); }

    void make_bits(Function& function) {
        std::vector<Instruction> variables, stores;
        for (const Id id : order_) {
            Watched& variable = watched_[id];
            if (variable.part_bytes == 0 || variable.size_bytes / variable.part_bytes > kMostParts)
                variable.escapes = true;
            if (variable.escapes) continue;
            const uint32_t words = variable.words();
            const Id type = words == 1 ? u32() : builder_.type_array(u32(), number(words + 1));
            {
                const spirv::SinkScope sink(builder_, &variables);
                variable.bits =
                    builder_.append(Op::OpVariable, builder_.type_pointer(StorageClass::Function, type),
                                    {static_cast<uint32_t>(StorageClass::Function)});
                own_variables_.insert(variable.bits);
            }
            const spirv::SinkScope sink(builder_, &stores);
            for (uint32_t word = 0; word < words + (words > 1); ++word)
                builder_.append_void(Op::OpStore, {word_of(variable, number(word)), number(0)});
        }
        if (variables.empty()) return;
        function.insert_at_entry(std::move(stores));
        std::vector<Instruction>& body = function.blocks.front().body;
        body.insert(body.begin(), std::make_move_iterator(variables.begin()),
                    std::make_move_iterator(variables.end()));
    }

    Id word_of(const Watched& variable, Id index) {
        if (variable.words() == 1) return variable.bits;
        return builder_.append(Op::OpInBoundsAccessChain,
                               builder_.type_pointer(StorageClass::Function, u32()), {variable.bits, index});
    }
    Id op(Op code, Id a, Id b) { return builder_.append(code, u32(), {a, b}); }

    /// Where an access begins: the index of the word and the bit in it.
    struct Place {
        Id word = {}, bit = {};
        bool may_cross = false;
    };
    Place place_of(const Target& target, const Access& access, uint64_t count) {
        const Watched& variable = *target.variable;
        bool is_even = kWordBits % count == 0;
        const auto is_multiple = [&](uint64_t bytes) { return bytes / variable.part_bytes % count == 0; };
        if (target.path) {
            is_even = is_even && is_multiple(static_cast<uint64_t>(target.path->constant));
            for (const auto& term : target.path->terms) is_even = is_even && is_multiple(term.second);
        } else {
            is_even = count == 1;
        }
        if (access.index) is_even = is_even && is_multiple(access.stride_bytes);
        if (target.path && target.path->terms.empty() && !access.index) {
            const uint64_t first = static_cast<uint64_t>(target.path->constant) / variable.part_bytes;
            return {number(std::min<uint64_t>(first / kWordBits, variable.words() - 1)),
                    number(first % kWordBits), !is_even && first % kWordBits + count > kWordBits};
        }
        const Id u64 = builder_.type_int(64);
        Id at = offset_of(target);
        if (access.index) {
            const Id more = builder_.append(Op::OpIMul, u64,
                                            {instrument_.widened(access.index, Op::OpSConvert),
                                             builder_.constant_u64(access.stride_bytes)});
            at = builder_.append(Op::OpIAdd, u64, {at, more});
        }
        const Id first =
            op(Op::OpUDiv, builder_.append(Op::OpUConvert, u32(), {at}), number(variable.part_bytes));
        // An access that is outside is another fault. Then any word will do.
        const Id wanted = op(Op::OpUDiv, first, number(kWordBits)), last = number(variable.words() - 1);
        const Id is_inside = builder_.append(Op::OpULessThan, builder_.type_bool(), {wanted, last});
        return {builder_.append(Op::OpSelect, u32(), {is_inside, wanted, last}),
                op(Op::OpBitwiseAnd, first, number(kWordBits - 1)), !is_even && variable.words() > 1};
    }
    Id offset_of(const Target& target) {
        return target.path ? instrument_.offset_of(*target.path) : target.extent.offset;
    }
    /// Whether the pointer is to the target, not to another one; {}: always.
    Id is_it(const Target& target) {
        const Id own = number(target.id.value);
        if (target.path || target.extent.variable == own) return {};
        return builder_.append(Op::OpIEqual, builder_.type_bool(), {target.extent.variable, own});
    }
    /// A mask that counts where the pointer is to the target.
    Id mask_for(const Target& target, Id mask) {
        const Id condition = is_it(target);
        return condition ? builder_.append(Op::OpSelect, u32(), {condition, mask, number(0)}) : mask;
    }
    /// The mask of what a store writes at an index of run time. One that no component has is another fault.
    Id mask_at_index(const StoredParts::Dynamic& part, uint64_t each) {
        const Id index = part.index, type = builder_.type_of(index);
        Id mask = number(0);
        for (size_t i = 0; i < part.written.size(); ++i) {
            if (part.written[i] == 0) continue;
            const Id is_this =
                builder_.append(Op::OpIEqual, builder_.type_bool(), {index, builder_.constant_int(type, i)});
            mask =
                builder_.append(Op::OpSelect, u32(), {is_this, number(spread(part.written[i], each)), mask});
        }
        return mask;
    }
    /// What of a mask at the place is in the next word.
    Id rest_of(Id mask, Id bit) {
        const Id half = op(Op::OpShiftRightLogical, mask, number(1));
        return op(Op::OpShiftRightLogical, half, op(Op::OpISub, number(kWordBits - 1), bit));
    }

    void mark(const Watched& variable, Id word, Id mask) {
        const Id pointer = word_of(variable, word);
        const Id old = builder_.append(Op::OpLoad, u32(), {pointer});
        builder_.append_void(Op::OpStore, {pointer, op(Op::OpBitwiseOr, old, mask)});
    }
    void set_all(const Watched& variable, uint32_t mask) {
        for (uint32_t word = 0; word < variable.words(); ++word)
            builder_.append_void(Op::OpStore, {word_of(variable, number(word)), number(mask)});
    }
    void mark_all(const Watched& variable) { set_all(variable, ~0u); }

    void take_back_writes(Id started) {
        if (const Watched* const variable = watched(started)) set_all(*variable, 0);
    }

    static uint32_t mask_of(uint64_t count) { return count >= kWordBits ? ~0u : (1u << count) - 1; }
    /// The parts of each component of a vector, where bits are those of components.
    static uint32_t spread(uint32_t components, uint64_t each) {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < 16 && i * each < kWordBits; ++i)
            if (components >> i & 1) mask |= mask_of(each) << i * each;
        return mask;
    }

    void mark_writes(const Instruction& inst) {
        if (inst.op == Op::OpFunctionCall)
            for (size_t i = 1; i < inst.operands.size(); ++i)
                for (const Target& target : targets_of(inst.id(i))) mark_all(*target.variable);
        for (const Access& access : instrument_.accesses().of(inst))
            if (access.writes)
                for (const Target& target : targets_of(inst.id(access.operand))) mark(inst, access, target);
    }
    void mark(const Instruction& inst, const Access& access, const Target& target) {
        const Watched& variable = *target.variable;
        const uint64_t count = access.bytes / variable.part_bytes;
        if (is_all(target, access) && !is_vector_store(inst)) return mark_all(variable);
        if (count > kWordBits) {  // a large one
            const Id mask = mask_for(target, number(~0u));
            for (uint32_t word = 0; word < variable.words(); ++word) mark(variable, number(word), mask);
            return;
        }
        Id mask = number(mask_of(count));
        if (is_vector_store(inst)) {
            const uint64_t each = component_bytes(inst, access) / variable.part_bytes;
            const StoredParts stored = parts_->written_by(inst);
            if (stored.all() == 0) return;
            mask = number(spread(stored.fixed, each));
            for (const StoredParts::Dynamic& part : stored.dynamic)
                mask = op(Op::OpBitwiseOr, mask, mask_at_index(part, each));
        }
        const Place place = place_of(target, access, count);
        const Id parts = mask_for(target, mask);
        mark(variable, place.word, op(Op::OpShiftLeftLogical, parts, place.bit));
        if (place.may_cross) mark(variable, op(Op::OpIAdd, place.word, number(1)), rest_of(parts, place.bit));
    }
    bool is_vector_store(const Instruction& inst) const {
        return inst.op == Op::OpStore && builder_.is_vector(builder_.type_of(inst.id(1)));
    }

    // ---- Reads ----

    void check_reads(const Instruction& inst) {
        for (const Access& access : instrument_.accesses().of(inst)) {
            const bool is_aggregate = inst.op == Op::OpCopyMemory || inst.op == Op::OpCopyMemorySized ||
                                      (inst.op == Op::OpLoad && is_composite(inst.type));
            if (!needs_value(inst, access) || is_aggregate) continue;
            for (const Target& target : targets_of(inst.id(access.operand))) check_read(inst, access, target);
        }
    }
    void check_read(const Instruction& inst, const Access& access, const Target& target) {
        const uint64_t count = access.bytes / target.variable->part_bytes;
        if (count > kWordBits) return;
        uint32_t needed = mask_of(count);
        bool is_one_value = true;
        if (inst.op == Op::OpLoad)
            if (const std::optional<uint32_t> components = parts_->read_of(inst)) {
                needed = spread(*components, component_bytes(inst, access) / target.variable->part_bytes);
                is_one_value = false;
            }
        if (needed != 0) report_unwritten(inst, access, target, needed, is_one_value);
    }
    bool is_composite(Id type) const {
        const Op kind = builder_.op_of_type(type);
        return kind == Op::OpTypeStruct || kind == Op::OpTypeArray;
    }

    void report_unwritten(const Instruction& inst, const Access& access, const Target& target,
                          uint32_t needed, bool is_one_value) {
        const Watched& variable = *target.variable;
        const uint64_t count = access.bytes / variable.part_bytes;
        const Place place = place_of(target, access, count);
        Id written = op(Op::OpShiftRightLogical,
                        builder_.append(Op::OpLoad, u32(), {word_of(variable, place.word)}), place.bit);
        if (place.may_cross) {
            const Id next = builder_.append(Op::OpLoad, u32(),
                                            {word_of(variable, op(Op::OpIAdd, place.word, number(1)))});
            const Id twice = op(Op::OpShiftLeftLogical, next, number(1));
            written = op(Op::OpBitwiseOr, written,
                         op(Op::OpShiftLeftLogical, twice, op(Op::OpISub, number(kWordBits - 1), place.bit)));
        }
        const CheckedObject object{.name = instrument_.name_of(target.id)};
        const Id site =
            instrument_.site(inst, CheckKind::Uninitialised, access, &object, StorageClass::Function);
        // One value may be copied if it is written in part.
        const Id found = op(Op::OpBitwiseAnd, number(needed), written);
        const Id boolean = builder_.type_bool();
        Id is_fault = builder_.append(is_one_value ? Op::OpIEqual : Op::OpINotEqual, boolean,
                                      {found, number(is_one_value ? 0 : needed)});
        if (const Id condition = is_it(target))
            is_fault = builder_.append(Op::OpLogicalAnd, boolean, {condition, is_fault});
        for (const Choice& choice : choices_->of(inst.result)) {
            const Id type = builder_.type_of(choice.condition);
            Id counts =
                choice.when ? choice.condition : builder_.append(Op::OpLogicalNot, type, {choice.condition});
            if (type != boolean) counts = builder_.append(Op::OpAny, boolean, {counts});
            is_fault = builder_.append(Op::OpLogicalAnd, boolean, {counts, is_fault});
        }
        instrument_.report_if(
            is_fault, site,
            {.address = offset_of(target), .size = builder_.constant_u64(variable.size_bytes)});
    }

    spirv::Module& module_;
    Instrument instrument_;
    spirv::Builder& builder_;
    PointerExtents extents_;
    // of the function that is being rewritten
    spirv::IdSet own_variables_ = {};  // those of bits
    spirv::IdMap<Watched> watched_ = {};
    spirv::IdMap<Reach> reaches_ = {};
    std::vector<Id> order_ = {};
    const WrittenParts* parts_ = nullptr;
    const Choices* choices_ = nullptr;
};

}  // namespace

Result<Done> check_uninitialised(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Uninitialised)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    WrittenChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
