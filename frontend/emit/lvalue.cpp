// SPDX-License-Identifier: Apache-2.0
// Lvalues: where an object is, reading it and writing it.
#include <algorithm>

#include "frontend/emit/emitter_impl.h"
#include "spirv/support/align.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

namespace {

/// The alignment of base + offset when base has `align`.
uint32_t align_at(uint32_t align, uint64_t offset) {
    return static_cast<uint32_t>(power_of_two_in(offset, align));
}

Operands access_operands(uint32_t align, bool is_volatile) {
    auto mask = spv::MemoryAccessMask::Aligned;
    if (is_volatile) mask = mask | spv::MemoryAccessMask::Volatile;
    return {mask, align};
}

}  // namespace

const Expr& strip_parens(const Expr& expr) {
    const Expr* at = &expr;
    while (const auto* paren = dyn<ParenExpr>(at)) at = paren->inner;
    return *at;
}

Place Emitter::lvalue(const Expr& parenthesised) {
    const Expr& expr = strip_parens(parenthesised);
    switch (expr.kind) {
        case ExprKind::DeclRef: return lvalue_of(as<DeclRefExpr>(expr));
        case ExprKind::Subscript: return subscript(as<SubscriptExpr>(expr));
        case ExprKind::CompoundLiteral: return compound_literal(as<CompoundLiteralExpr>(expr));
        case ExprKind::StringLiteral:
            return {.pointer = string_variable(as<StringLiteralExpr>(expr)), .type = expr.type};
        case ExprKind::Choose: return lvalue(*as<ChooseExpr>(expr).chosen);
        case ExprKind::Unary: {
            const auto& unary = as<UnaryExpr>(expr);
            if (unary.op == UnaryOp::Deref) return dereference(*unary.operand, expr.type);
            if (unary.op == UnaryOp::Extension) return lvalue(*unary.operand);
            break;
        }
        case ExprKind::Member: {
            const auto& access = as<MemberExpr>(expr);
            return member(lvalue(*access.base), *access.field, expr.type);
        }
        case ExprKind::Swizzle: {
            const auto& access = as<SwizzleExpr>(expr);
            return swizzle(lvalue(*access.base), access);
        }
        case ExprKind::Cast: {
            const auto& conversion = as<CastExpr>(expr);
            // When `s` is read as a whole only to access one of its members, no copy is needed: uses the
            // object itself.
            const bool same =
                conversion.cast == CastKind::NoOp || conversion.cast == CastKind::LValueToRValue;
            if (same && conversion.operand->is_lvalue && is_aggregate(expr.type.type))
                return lvalue(*conversion.operand);
            break;
        }
        default: break;
    }
    return spill(expr);
}

Place Emitter::lvalue_of(const DeclRefExpr& ref) {
    const auto* var = dyn<VarDecl>(static_cast<const Decl*>(ref.decl));
    check(var != nullptr, "an lvalue that names no variable");
    return variable_place(*var);
}

Place Emitter::variable_place(const VarDecl& named) {
    const VarDecl& decl = named.definition ? *named.definition : named;
    if (decl.has_global_lifetime) {
        Place place = global_place(decl);
        place.pointer = retype(place.pointer, memory_type(decl.type));  // of a long_array()
        return place;
    }
    if (const auto found = locals_.find(&decl); found != locals_.end()) return found->second;
    Place place = {.type = decl.type, .align = std::max(decl.align_bytes, decl.type.align_bytes())};
    place.pointer = b_.local_variable(memory_type(decl.type));
    b_.name(place.pointer, decl.is_param ? std::string(decl.name) + ".addr" : std::string(decl.name));
    b_.decorate(place.pointer, spv::Decoration::Alignment, {place.align});
    locals_.emplace(&decl, place);
    if (debug_) debug_->declare(decl, place.pointer);
    return place;
}

Place Emitter::temporary(const QualType& type) {
    Place place = {.type = type.unqualified(), .align = type->align_bytes};
    place.pointer = b_.local_variable(memory_type(type));
    b_.decorate(place.pointer, spv::Decoration::Alignment, {place.align});
    return place;
}

Place Emitter::spill(const Expr& expr) {
    const Place place = temporary(expr.type);
    if (is_aggregate(expr.type.type))
        emit_into(expr, place);
    else
        store(place, rvalue(expr));
    return place;
}

Place Emitter::compound_literal(const CompoundLiteralExpr& expr) {
    auto found = literals_.find(&expr);
    if (found == literals_.end()) {
        Place place = {.type = expr.type, .align = expr.type.align_bytes()};
        if (expr.is_file_scope) {
            const std::optional<ConstantValue> value = evaluate(*expr.init, arena_);
            if (!value)
                decline(expr.range, "this initializer of a file-scope compound literal", expr.type.type);
            const Id type = memory_type(expr.type);
            const Id init = value ? constant(*value, expr.type, expr.range, true) : b_.constant_null(type);
            const auto storage = expr.type.space == AddressSpace::Private ? spv::StorageClass::CrossWorkgroup
                                                                          : storage_class(expr.type.space);
            place.pointer = b_.variable(storage, type, init);
            b_.decorate(place.pointer, spv::Decoration::Alignment, {place.align});
        } else {
            place = temporary(expr.type);
            place.type = expr.type;
        }
        found = literals_.emplace(&expr, place).first;
    }
    const Place place = found->second;
    if (!expr.is_file_scope) initialise(place, *expr.init);
    return place;
}

Place Emitter::dereference(const Expr& pointer, const QualType& type) {
    return {.pointer = rvalue(pointer), .type = type, .align = std::max(1u, type.align_bytes())};
}

Place Emitter::subscript(const SubscriptExpr& expr) {
    const Expr& base = strip_parens(*expr.base);
    const Id index_value = rvalue(*expr.index);
    const Type* index_type = expr.index->type.type;
    Id index = convert_integer(index_value, index_type, b_.type_int(64));
    if (base.type->is_vector()) return component(lvalue(base), index, expr.type);
    const auto* decay_cast = dyn<CastExpr>(&base);
    if (decay_cast && decay_cast->cast == CastKind::ArrayToPointer && decay_cast->operand->type->is_array()) {
        const Place array = lvalue(*decay_cast->operand);
        const auto fixed = b_.constant_value(index);
        const uint32_t align = align_at(array.align, fixed.value_or(1) * expr.type->size_bytes);
        return {.pointer = access_chain(array.pointer, memory_type(expr.type), {index}),
                .type = expr.type,
                .align = align};
    }
    const uint64_t offset = b_.constant_value(index).value_or(1) * expr.type->size_bytes;
    return {.pointer = element_pointer(rvalue(base), index),
            .type = expr.type,
            .align = align_at(std::max(1u, expr.type.align_bytes()), offset)};
}

/// A component by its index: of a vector, or of components that a swizzle chose.
Place Emitter::component(const Place& base, Id index, const QualType& type) {
    const Id element = memory_type(type);
    const uint32_t align = static_cast<uint32_t>(std::min<uint64_t>(base.align, type->size_bytes));
    const bool in_registers = is_function_memory(base.pointer);
    if (!base.vector && !in_registers)
        return {.pointer = access_chain(base.pointer, element, {index}), .type = type, .align = align};
    Place place = base;
    place.type = type;
    if (!base.vector) place.vector = base.type.type;
    if (const auto fixed = b_.constant_value(index)) {
        const uint32_t count = base.vector ? base.lane_count : place.vector->lanes();
        const auto chosen = static_cast<uint8_t>(std::min<uint64_t>(*fixed, count - 1));
        place.lanes[0] = base.vector ? base.lanes[chosen] : chosen;
        place.lane_count = 1;
        return place;
    }
    if (in_registers) {
        place.dynamic_lane = index;
        return place;
    }
    std::vector<Id> lanes;
    for (uint32_t i = 0; i < base.lane_count; ++i) lanes.push_back(b_.constant_u32(base.lanes[i]));
    const Id number = b_.type_int(32);
    const Id table = b_.constant_composite(b_.type_vector(number, base.lane_count), lanes);
    const Id lane = b_.append(spv::Op::OpVectorExtractDynamic, number, {table, index});
    // A vector of three has no lane 3, but its object has room for one.
    return {.pointer = element_pointer(retype(base.pointer, element), lane), .type = type, .align = align};
}

Place Emitter::member(const Place& base, const FieldDecl& field, const QualType& type) {
    const RecordLayout& layout_of = layout(base.type.type);
    Place place = {.type = type, .align = align_at(base.align, field.offset_bytes)};
    const uint32_t index = layout_of.members[field.index];
    const Id wanted = memory_type(field.type);
    if (index != RecordLayout::kNoMember) {
        const Id member_type = b_.member(layout_of.type, index);
        place.pointer = access_chain(base.pointer, member_type, {b_.constant_u32(index)});
        place.pointer = retype(place.pointer, wanted);
    } else if (field.offset_bytes == 0) {
        place.pointer = retype(base.pointer, wanted);
    } else {
        const Id bytes = retype(base.pointer, byte_type());
        place.pointer = retype(element_pointer(bytes, b_.constant_u64(field.offset_bytes)), wanted);
    }
    return place;
}

Place Emitter::swizzle(const Place& base, const SwizzleExpr& expr) {
    Place place = base;
    place.type = expr.type;
    place.lane_count = expr.lane_count;
    if (!base.vector) place.vector = base.type.type;
    for (uint32_t i = 0; i < expr.lane_count; ++i)
        place.lanes[i] = base.lane_count ? base.lanes[expr.lanes[i]] : expr.lanes[i];
    return place;
}

bool Emitter::is_function_memory(Id pointer) const {
    return b_.storage(b_.type_of(pointer)) == spv::StorageClass::Function;
}

/// One component as an object of its own.
Place Emitter::lane_place(const Place& place, uint32_t lane) {
    const QualType element = {.type = place.vector->element.type, .is_volatile = place.type.is_volatile};
    return {.pointer = access_chain(place.pointer, memory_type(element), {b_.constant_u32(lane)}),
            .type = element,
            .align = align_at(place.align, lane * element->size_bytes)};
}

// ---- Reading and writing ----

Id Emitter::to_memory(Id value, const QualType& type) {
    if (type->kind != TypeKind::Bool) return value;
    if (const auto known = b_.constant_value(value)) return b_.constant_int(byte_type(), *known);
    return b_.append(spv::Op::OpSelect, byte_type(),
                     {value, b_.constant_int(byte_type(), 1), b_.constant_int(byte_type(), 0)});
}

Id Emitter::from_memory(Id value, const QualType& type) {
    if (type->kind != TypeKind::Bool) return value;
    return b_.append(spv::Op::OpINotEqual, b_.type_bool(), {value, b_.constant_int(byte_type(), 0)});
}

Id Emitter::load_raw(const Place& place, const QualType& type) {
    Operands operands = {place.pointer};
    for (const Operand& operand : access_operands(place.align, place.type.is_volatile))
        operands.push_back(operand);
    return b_.append(spv::Op::OpLoad, memory_type(type), std::move(operands));
}

void Emitter::store_raw(const Place& place, Id value) {
    Operands operands = {place.pointer, value};
    for (const Operand& operand : access_operands(place.align, place.type.is_volatile))
        operands.push_back(operand);
    b_.append_void(spv::Op::OpStore, std::move(operands));
}

Id Emitter::load(const Place& place) {
    if (place.type->is_void()) return {};
    if (!place.vector) return from_memory(load_raw(place, place.type), place.type);
    const Type* vector = place.vector;
    const bool one = place.lane_count == 1 && !place.dynamic_lane;
    if (one && place.lanes[0] < vector->lanes() && !is_function_memory(place.pointer))
        return load(lane_place(place, place.lanes[0]));
    const Id whole = load_raw(place, {.type = vector});
    if (place.dynamic_lane) {
        const Id chosen = place.lane_count ? shuffle(whole, place.lanes, place.lane_count) : whole;
        return b_.append(spv::Op::OpVectorExtractDynamic, value_type(place.type),
                         {chosen, place.dynamic_lane});
    }
    return shuffle(whole, place.lanes, place.lane_count);
}

void Emitter::store(const Place& place, Id value) {
    if (!place.vector) {
        store_raw(place, to_memory(value, place.type));
        return;
    }
    const Type* vector = place.vector;
    if (!is_function_memory(place.pointer)) {
        // Other work-items may be writing the other components, so they must not be written.
        const Id element = value_type(vector->element);
        for (uint32_t i = 0; i < place.lane_count; ++i) {
            if (place.lanes[i] >= vector->lanes()) continue;
            const Id part = place.lane_count == 1 ? value : extract(value, element, i);
            store(lane_place(place, place.lanes[i]), part);
        }
        return;
    }
    const Id type = value_type(vector);
    const Id whole = load_raw(place, {.type = vector});
    Id result = {};
    if (place.dynamic_lane && place.lane_count) {
        Place chosen = place;
        chosen.type = {.type = types_.with_lanes(vector, place.lane_count),
                       .is_volatile = place.type.is_volatile};
        chosen.dynamic_lane = {};
        const Id old = shuffle(whole, place.lanes, place.lane_count);
        store(chosen,
              b_.append(spv::Op::OpVectorInsertDynamic, b_.type_of(old), {old, value, place.dynamic_lane}));
        return;
    }
    if (place.dynamic_lane) {
        result = b_.append(spv::Op::OpVectorInsertDynamic, type, {whole, value, place.dynamic_lane});
    } else if (place.lane_count == 1) {
        if (place.lanes[0] >= vector->lanes()) return;
        result = b_.append(spv::Op::OpCompositeInsert, type, {value, whole, uint32_t{place.lanes[0]}});
    } else {
        if (place.lane_count != vector->lanes()) value = insert_vector(b_.undef(type), value, 0);
        Operands operands = {whole, value};
        for (uint32_t i = 0; i < vector->lanes(); ++i) operands.push_back(i);
        for (uint32_t i = 0; i < place.lane_count; ++i)
            if (place.lanes[i] < vector->lanes()) operands[2 + place.lanes[i]] = vector->lanes() + i;
        result = b_.append(spv::Op::OpVectorShuffle, type, std::move(operands));
    }
    store_raw(place, result);
}

/// Small objects are copied as values, which are easier to analyse, and large ones as bytes.
void Emitter::copy(const Place& to, const Place& from) {
    const Type* type = to.type.type;
    if (type->size_bytes == 0) return;
    if (type->size_bytes <= kMostCopiedAsValue) {
        store_raw(to, load_raw(from, to.type));
        return;
    }
    const uint32_t align = std::min(to.align, from.align);
    Operands operands = {retype(to.pointer, byte_type()), retype(from.pointer, byte_type()),
                         b_.constant_u64(type->size_bytes)};
    for (const Operand& operand : access_operands(align, to.type.is_volatile || from.type.is_volatile))
        operands.push_back(operand);
    b_.append_void(spv::Op::OpCopyMemorySized, std::move(operands));
}

// ---- Pointers ----

Id Emitter::retype(Id pointer, Id pointee) {
    const Id type = b_.type_of(pointer);
    if (b_.pointee(type) == pointee) return pointer;
    return b_.append(spv::Op::OpBitcast, b_.type_pointer(b_.storage(type), pointee), {pointer});
}

Id Emitter::access_chain(Id pointer, Id pointee, Operands indices) {
    const Id type = b_.type_pointer(b_.storage(b_.type_of(pointer)), pointee);
    indices.insert(indices.begin(), pointer);
    return b_.append(spv::Op::OpInBoundsAccessChain, type, std::move(indices));
}

Id Emitter::element_pointer(Id pointer, Id index, bool in_bounds) {
    if (b_.constant_value(index) == 0u) return pointer;
    const auto op = in_bounds ? spv::Op::OpInBoundsPtrAccessChain : spv::Op::OpPtrAccessChain;
    return b_.append(op, b_.type_of(pointer), {pointer, index});
}

Id Emitter::decay(const Place& array) {
    return access_chain(array.pointer, memory_type(array.type->element), {b_.constant_u64(0)});
}

}  // namespace caldera::frontend
