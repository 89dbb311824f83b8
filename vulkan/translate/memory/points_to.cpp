// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/points_to.h"

#include <algorithm>
#include <array>

#include "spirv/debug_info.h"
#include "spirv/op_class.h"
#include "spirv/support/check.h"

namespace caldera::vulkan::memory {
PointsTo::PointsTo(const spirv::Module& module, const Source& source, const ModuleConstants& constants,
                   Calls calls)
    : source_(source), constants_(constants), calls_(calls), nodes_(module.bound), callees_(module.bound) {
    add_class();  // kGlobalClass
    facts_[kGlobalClass].may_be_global = true;
    escaped_ = add_class();
    facts_[escaped_].needs_null = facts_[escaped_].is_compared = true;
    facts_[escaped_].may_be_global = true;
    facts_[kGlobalClass].is_recast = facts_[escaped_].is_recast = true;

    for (const spirv::Function& function : module.functions) callees_.at(function.id().value) = &function;
    find_integers(module);
    for (const Instruction& inst : source.globals()) visit(inst, {});
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks) {
            for (const Instruction& inst : block.body) visit(inst, function.id());
            visit(block.terminator, function.id());
        }
    add_objects(module);
    close();
}

uint32_t PointsTo::add_class() {
    parents_.push_back(static_cast<uint32_t>(parents_.size()));
    contents_.push_back(0);
    facts_.emplace_back();
    return parents_.back();
}

uint32_t PointsTo::find(uint32_t id) const {
    while (parents_[id] != id) id = parents_[id] = parents_[parents_[id]];
    return id;
}

void PointsTo::unify(uint32_t a, uint32_t b) {
    // Each round joins two classes and goes on with their contents: a chain, so no recursion is needed.
    while (true) {
        a = find(a), b = find(b);
        if (a == b) return;
        check(a != kGlobalClass && b != kGlobalClass, "global memory joined with private or local memory");
        if (b < a) std::swap(a, b);
        parents_[b] = a;
        PointerClass& to = facts_[a];
        const PointerClass& from = facts_[b];
        to.may_be_global |= from.may_be_global;
        to.has_local |= from.has_local;
        to.has_private |= from.has_private;
        to.needs_null |= from.needs_null;
        to.is_compared |= from.is_compared;
        to.holds_pointers |= from.holds_pointers;
        to.holds_bytes |= from.holds_bytes;
        to.holds_numbers |= from.holds_numbers;
        to.is_recast |= from.is_recast;
        if (contents_[a] == 0) contents_[a] = contents_[b];
        if (contents_[b] == 0) return;
        const uint32_t next = contents_[b];
        b = next, a = contents_[a];
    }
}

uint32_t PointsTo::content(uint32_t id) {
    id = find(id);
    if (contents_[id] == 0) {
        const uint32_t fresh = add_class();
        contents_[id] = fresh;
        facts_[fresh].may_be_global = id == kGlobalClass;  // the host and other kernels write there too
    }
    return find(contents_[id]);
}

bool PointsTo::is_global(Id pointer) const {
    const spv::StorageClass storage = source_.storage(pointer);
    return storage == spv::StorageClass::CrossWorkgroup ||
           (storage == spv::StorageClass::UniformConstant && !constants_.contains(pointer));
}

uint32_t PointsTo::node(Id value) {
    if (is_global(value)) return kGlobalClass;
    uint32_t& node = nodes_.at(value.value);
    if (node == 0) {
        const uint32_t fresh = add_class();
        nodes_[value.value] = fresh;
    }
    return find(nodes_[value.value]);
}

uint32_t PointsTo::class_of(Id value) const {
    return value.value < nodes_.size() && nodes_[value.value] ? find(nodes_[value.value]) : kGlobalClass;
}

Space PointsTo::space_of(Id pointer) const {
    switch (source_.storage(pointer)) {
        case spv::StorageClass::Workgroup: return Space::Local;
        case spv::StorageClass::Function: return Space::Private;
        case spv::StorageClass::UniformConstant:
            return constants_.contains(pointer) ? Space::Private : Space::Global;
        case spv::StorageClass::Generic: break;
        default: return Space::Global;
    }
    const PointerClass& facts = (*this)[class_of(pointer)];
    const int spaces = facts.may_be_global + facts.has_local + facts.has_private;
    if (spaces > 1) return Space::Generic;
    return facts.has_local ? Space::Local : facts.has_private ? Space::Private : Space::Global;
}

void PointsTo::flow(uint32_t to, Id from) {
    if (!source_.carries_pointer(from)) return;
    if (source_.is_null(from))
        facts(to).needs_null = true;
    else if (is_global(from))
        facts(to).may_be_global = true;
    else if (find(to) != kGlobalClass)
        unify(to, node(from));
}

void PointsTo::flow(Id to, Id from) {
    if (source_.carries_pointer(to)) flow(node(to), from);
}

void PointsTo::escape(Id pointer) {
    if (!is_global(pointer) && !source_.is_null(pointer)) unify(node(pointer), escaped_);
}

void PointsTo::visit_compare(Id a, Id b) {
    if (source_.is_null(a)) std::swap(a, b);
    if (is_global(a)) return;
    if (source_.is_null(b) || is_global(b)) {
        facts(node(a)).needs_null = true;
    } else {
        unify(node(a), node(b));
        facts(node(a)).is_compared = true;
    }
}

Id PointsTo::pointer_of_integer(Id value) const {
    return integers_.contains(value) ? Source::id_of(*source_.def(value), 0) : Id{};
}

void PointsTo::find_integers(const spirv::Module& module) {
    auto visit = [&](const Instruction& inst) {
        const spv::Op op = Source::op_of(inst);
        if (op != spv::Op::OpConvertPtrToU && op != spv::Op::OpBitcast) return;
        if (source_.is_memory_pointer(Source::id_of(inst, 0)) && !source_.is_memory_pointer(inst.result))
            integers_.insert(inst.result);
    };
    for (const Instruction& inst : source_.globals()) visit(inst);
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) visit(inst);
}

/// A pointer that is converted to an integer only for a comparison or subtraction does not escape. Any other
/// use of the integer may convert it back to a pointer.
void PointsTo::visit_integer_uses(const Instruction& inst) {
    if (integers_.empty()) return;
    // Two addresses in, no address out.
    const bool compares = spirv::is_integer_comparison(inst.op) || inst.op == spv::Op::OpISub;
    for (const Operand& operand : inst.operands) {
        if (!operand.is_id) continue;
        const Id pointer = pointer_of_integer(operand.id());
        if (!pointer) continue;
        const Id other = compares ? inst.id(inst.id(0) == operand.id() ? 1 : 0) : Id{};
        if (compares && source_.constant(other) == 0) continue;  // only for NULL: no address comes out
        if (compares && pointer_of_integer(other))
            visit_compare(pointer, pointer_of_integer(other));
        else
            escape(pointer);
    }
}

/// Whether values of the type, which are no pointers, may be the bytes of some: bytes, 64-bit integers,
/// vectors of 64 bits or more, and aggregates of those.
bool PointsTo::may_copy_pointers(const TypeInfo& type) const {
    switch (type.op) {
        case spv::Op::OpTypeInt: return type.size_bytes == 1 || type.size_bytes == 8;
        case spv::Op::OpTypeVector:
            return source_.layout()[type.element()].op == spv::Op::OpTypeInt && type.size_bytes >= 8;
        case spv::Op::OpTypeArray: return may_copy_pointers(source_.layout()[type.element()]);
        case spv::Op::OpTypeStruct:
            return std::ranges::any_of(type.operands, [&](const Operand& member) {
                return may_copy_pointers(source_.layout()[member.id()]);
            });
        default: return false;
    }
}

/// Whether a cast lets memory with pointers be accessed as words that have none. Direct accesses to the
/// numbers beside pointers in a struct are no copies of the pointers, but such words may be parts of them: of
/// 16 or 32 bits, of integers or floats. A pointer to bytes may be one to anything.
bool PointsTo::casts_to_words(const Instruction& inst) const {
    if (Source::op_of(inst) != spv::Op::OpBitcast) return false;
    const Id operand = Source::id_of(inst, 0);
    if (!source_.is_memory_pointer(inst.result) || !source_.is_memory_pointer(operand)) return false;
    const TypeInfo &from = source_.layout()[source_.pointee(operand)],
                   &to = source_.layout()[source_.pointee(inst.result)];
    if (from.size_bytes == 1) return to.size_bytes != 1 && !to.has_pointer;
    return from.has_pointer != to.has_pointer && to.size_bytes != 1;
}

/// Whether a cast changes what a pointer points to, other than from an array to its first element.
bool PointsTo::recasts(const Instruction& inst) const {
    switch (Source::op_of(inst)) {
        case spv::Op::OpBitcast:
        case spv::Op::OpPtrCastToGeneric:
        case spv::Op::OpGenericCastToPtr:
        case spv::Op::OpGenericCastToPtrExplicit: break;
        default: return false;
    }
    const Id operand = Source::id_of(inst, 0);
    if (!source_.is_memory_pointer(inst.result) || !source_.is_memory_pointer(operand)) return false;
    const Id to = source_.pointee(inst.result);
    Id from = source_.pointee(operand);
    while (from != to && source_.layout()[from].op == spv::Op::OpTypeArray)
        from = source_.layout()[from].element();
    return from != to;
}

void PointsTo::visit_memory(const Instruction& inst) {
    const Accesses accesses = source_.accesses(inst);
    for (const AccessInfo& access : accesses) {
        const TypeInfo& type = source_.layout()[access.type];
        const uint32_t memory = node(access.pointer);
        facts(memory).holds_pointers |= type.has_pointer;
        facts(memory).holds_numbers |= may_copy_pointers(type);
        facts(memory).holds_bytes |= !access.type || (calls_ == Calls::AllKnown && may_copy_pointers(type));
    }
    if (accesses.empty()) return;
    switch (inst.op) {
        case spv::Op::OpLoad:
            if (!source_.carries_pointer(inst.result) || is_global(inst.result)) break;
            unify(node(inst.result), content(node(inst.id(0))));
            facts(node(inst.result)).needs_null = true;
            break;
        case spv::Op::OpVariable:
            if (source_.carries_pointer(inst.id(1))) flow(content(node(inst.result)), inst.id(1));
            break;
        case spv::Op::OpStore:
            flow(source_.carries_pointer(inst.id(1)) ? content(node(inst.id(0))) : 0, inst.id(1));
            break;
        case spv::Op::OpCopyMemory:
        case spv::Op::OpCopyMemorySized:
            // Constant memory holds no private or local pointers.
            if (node(inst.id(0)) == node(inst.id(1))) break;
            if (source_.storage(inst.id(1)) == spv::StorageClass::UniformConstant)
                facts(content(node(inst.id(0)))).may_be_global = true;
            else
                unify(content(node(inst.id(0))), content(node(inst.id(1))));
            break;
        case spv::Op::OpAtomicExchange:
        case spv::Op::OpAtomicStore:
        case spv::Op::OpAtomicCompareExchange:
            if (source_.layout()[accesses[0].type].has_pointer)
                for (const Operand& operand : inst.operands)
                    if (operand.is_id) flow(content(node(inst.id(0))), operand.id());
            break;
        default: break;
    }
}

void PointsTo::visit(const Instruction& inst, Id function) {
    visit_integer_uses(inst);
    // NULL when the pointer is of another space (OpenCL C 2.0 6.13.9).
    if (Source::op_of(inst) == spv::Op::OpGenericCastToPtrExplicit && !is_global(inst.result))
        facts(node(inst.result)).needs_null = true;
    if (casts_to_words(inst)) facts(node(inst.result)).holds_bytes = true;
    if (recasts(inst)) facts(node(inst.result)).is_recast = true;
    if (source_.for_each_base(inst, [&](Id base) { flow(inst.result, base); })) return;
    switch (Source::op_of(inst)) {
        case spv::Op::OpCompositeExtract: flow(inst.result, Source::id_of(inst, 0)); break;
        case spv::Op::OpBitcast:
        case spv::Op::OpConvertUToPtr:
            if (source_.carries_pointer(inst.result) && !is_global(inst.result))
                unify(node(inst.result), escaped_);
            break;
        case spv::Op::OpCompositeInsert:
        case spv::Op::OpCompositeConstruct:
        case spv::Op::OpConstantComposite:
            for (size_t i = 0; i < inst.operands.size(); ++i)
                if (inst.operands[i].is_id) flow(inst.result, inst.id(i));
            break;
        case spv::Op::OpFunctionCall: visit_call(inst); break;
        case spv::Op::OpReturnValue:
            if (source_.carries_pointer(inst.id(0))) flow(function, inst.id(0));
            break;
        case spv::Op::OpPtrEqual:
        case spv::Op::OpPtrNotEqual:
        case spv::Op::OpPtrDiff: visit_compare(inst.id(0), inst.id(1)); break;
        default:
            visit_memory(inst);
            if (calls_ == Calls::SomeUnknown && source_.accesses(inst).empty()) visit_unknown(inst);
            break;
    }
}

void PointsTo::visit_call(const Instruction& inst) {
    const spirv::Function* callee = callees_.at(inst.word(0));
    check(callee != nullptr, "call of no function");
    if (callee->blocks.empty() && calls_ == Calls::SomeUnknown) return visit_unknown(inst);
    for (size_t i = 1; i < inst.operands.size() && i <= callee->params.size(); ++i)
        flow(callee->params[i - 1].result, inst.id(i));
    if (source_.carries_pointer(inst.result) && !is_global(inst.result))
        unify(node(inst.result), node(callee->id()));
}

/// Memory may be copied as bytes, a pointer that comes back may be any of those that are passed or that
/// became integers, and a function that is named is called with any pointers.
void PointsTo::visit_unknown(const Instruction& inst) {
    using enum spv::Op;
    constexpr std::array kHarmless = {
        OpVariable,      OpUndef,        OpConstantNull,          OpConvertPtrToU,
        OpLifetimeStart, OpLifetimeStop, OpGenericPtrMemSemantics};
    if (spirv::is_debug(inst) || std::ranges::count(kHarmless, inst.op) != 0) return;
    const bool gives_pointer = source_.carries_pointer(inst.result);
    for (const Operand& operand : inst.operands) {
        if (!operand.is_id) continue;
        const Id value = operand.id();
        if (source_.is_memory_pointer(value)) facts(node(value)).holds_bytes = true;
        if (gives_pointer && source_.carries_pointer(value)) escape(value);
        const spirv::Function* const function =
            value.value < callees_.size() ? callees_[value.value] : nullptr;
        if (function && inst.op != OpFunctionCall)
            for (const Instruction& param : function->params)
                if (source_.carries_pointer(param.result)) escape(param.result);
    }
    if (gives_pointer) escape(inst.result);
}

void PointsTo::add_objects(const spirv::Module& module) {
    auto add = [&](const Instruction& inst) {
        const spv::StorageClass storage = source_.storage(inst.result);
        if (storage == spv::StorageClass::Workgroup) facts(node(inst.result)).has_local = true;
        if (storage == spv::StorageClass::Function || constants_.contains(inst.result))
            facts(node(inst.result)).has_private = true;
    };
    for (const Instruction& inst : source_.globals())
        if (inst.op == spv::Op::OpVariable) add(inst);
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == spv::Op::OpVariable) add(inst);
    for (const Instruction& entry : module.entry_points)
        if (const spirv::Function* function = callees_.at(entry.word(1)))
            for (const Instruction& param : function->params) add(param);
}

/// Applies rules that depend on the facts about whole classes. They only ever join classes, so this
/// terminates.
void PointsTo::close() {
    for (bool changed = true; changed;) {
        changed = false;
        auto join = [&](uint32_t a, uint32_t b) {
            changed |= find(a) != find(b);
            unify(a, b);
        };
        for (uint32_t id = 1; id < parents_.size(); ++id) {
            if (find(id) != id) continue;
            // A pointer that may point to global memory reads and writes the contents of global memory.
            if (facts_[id].may_be_global && (contents_[id] || contents_[kGlobalClass]))
                join(content(id), content(kGlobalClass));
        }
        // Who changes the type of a pointer to pointers changes what those point to.
        for (uint32_t id = 0; id < parents_.size(); ++id) {
            if (find(id) != id || !facts_[id].is_recast) continue;
            facts_[id].holds_bytes |= facts_[id].holds_numbers;
            if (contents_[id] == 0 || facts(contents_[id]).is_recast) continue;
            facts(contents_[id]).is_recast = changed = true;
        }
        // Pointers written and read as plain bytes or integers.
        for (uint32_t id = 0; id < parents_.size(); ++id)
            if (find(id) == id && facts_[id].holds_pointers && facts_[id].holds_bytes)
                join(content(id), escaped_);
    }
}

}  // namespace caldera::vulkan::memory
