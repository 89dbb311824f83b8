// SPDX-License-Identifier: Apache-2.0
// Initialisation and assignment of whole objects (C99 6.7.8).
#include <algorithm>

#include "frontend/emit/emitter_impl.h"
#include "spirv/limits.h"
#include "spirv/support/align.h"

namespace caldera::frontend {

void Emitter::initialise(const Place& place, const Expr& init) {
    ensure_block();
    const bool is_whole = is_aggregate(place.type.type);
    if (is_whole && initialise_constant(place, init)) return;
    const bool is_shared = init.is_shared && init.kind != ExprKind::StringLiteral;
    const auto earlier = is_shared ? shared_.find(&init) : shared_.end();
    if (earlier != shared_.end()) {
        if (is_whole)
            copy(place, earlier->second.place);
        else
            store(place, earlier->second.value);
        return;
    }
    if (!is_shared) return is_whole ? emit_into(init, place) : store(place, rvalue(init));
    Shared first;
    if (is_whole) {
        first.place = temporary(place.type);  // an update list may change this element
        emit_into(init, first.place);
        copy(place, first.place);
    } else {
        store(place, first.value = rvalue(init));
    }
    shared_.emplace(&init, first);
}

/// Evaluates an expression of record or array type into an object.
void Emitter::emit_into(const Expr& parenthesised, const Place& place) {
    const Expr& expr = strip_parens(parenthesised);
    switch (expr.kind) {
        case ExprKind::InitList: initialise_list(place, as<InitListExpr>(expr)); return;
        case ExprKind::StringLiteral: initialise_string(place, as<StringLiteralExpr>(expr)); return;
        case ExprKind::Choose: emit_into(*as<ChooseExpr>(expr).chosen, place); return;
        case ExprKind::Cast: {
            const auto& conversion = as<CastExpr>(expr);
            if (conversion.operand->is_lvalue) {
                copy(place, lvalue(*conversion.operand));
                return;
            }
            emit_into(*conversion.operand, place);
            return;
        }
        case ExprKind::Conditional: choose_into(as<ConditionalExpr>(expr), place); return;
        default: break;
    }
    if (expr.is_lvalue)
        copy(place, lvalue(expr));
    else
        store_raw(place, rvalue(expr));
}

/// The condition of such a type's ?: is never one of its values, so `if_true` is there.
void Emitter::choose_into(const ConditionalExpr& expr, const Place& place) {
    const Id test = condition(*expr.condition);
    if (const auto known = b_.constant_value(test))
        return emit_into(*known ? *expr.if_true : *expr.if_false, place);
    either(
        test, [&] { emit_into(*expr.if_true, place); }, [&] { emit_into(*expr.if_false, place); });
}

/// A constant initialiser is one store; a large one is copied from constant data, as clang does.
bool Emitter::initialise_constant(const Place& place, const Expr& parenthesised) {
    const Expr& init = strip_parens(parenthesised);
    if (init.kind != ExprKind::InitList) return false;
    const std::optional<ConstantValue> value = evaluate(init, arena_);
    if (!value) return false;
    store_constant(place, constant(*value, place.type, init.range, true));
    return true;
}

void Emitter::store_constant(const Place& place, Id constant) {
    const Type* type = place.type.type;
    if (type->size_bytes == 0) return;
    if (type->size_bytes <= kMostCopiedAsValue) {
        store_raw(place, constant);
        return;
    }
    const Id data = constant_data(b_.type_of(constant), constant, type->align_bytes);
    copy(place, {.pointer = data, .type = place.type, .align = type->align_bytes});
}

void Emitter::initialise_list(const Place& place, const InitListExpr& list) {
    ++list_depth_;
    if (list.base) initialise(place, *list.base);
    if (place.type->is_array())
        initialise_array(place, list);
    else if (place.type->is_record())
        initialise_record(place, list);
    else
        store(place, rvalue(list));
    if (--list_depth_ == 0) shared_.clear();  // another evaluation of the list evaluates them again
}

void Emitter::initialise_array(const Place& place, const InitListExpr& list) {
    constexpr uint64_t kFewZeros = 4;
    const Type* type = place.type.type;
    const auto given = static_cast<uint64_t>(
        std::count_if(list.inits.begin(), list.inits.end(), [](const Expr* e) { return e; }));
    const bool zero_first = !list.is_update && type->count - std::min(given, type->count) > kFewZeros;
    if (zero_first) store_constant(place, b_.constant_null(memory_type(place.type)));
    for (uint64_t i = 0; i < type->count; ++i) {
        const Expr* init = i < list.inits.size() ? list.inits[i] : nullptr;
        if (!init && (zero_first || list.is_update)) {
            if (i >= list.inits.size()) break;
            continue;
        }
        const uint64_t offset = i * type->element->size_bytes;
        QualType element = type->element;
        element.is_volatile |= place.type.is_volatile;
        const auto align = static_cast<uint32_t>(power_of_two_in(offset, place.align));
        const Place part = {
            .pointer = access_chain(place.pointer, memory_type(type->element), {b_.constant_u64(i)}),
            .type = element,
            .align = align};
        if (init)
            initialise(part, *init);
        else
            store_constant(part, b_.constant_null(memory_type(element)));
    }
}

void Emitter::initialise_record(const Place& place, const InitListExpr& list) {
    const RecordDecl* record = &record_definition(place.type.type);
    auto field_place = [&](const FieldDecl& field) {
        QualType type = field.type;
        type.is_volatile |= place.type.is_volatile;
        return member(place, field, type);
    };
    if (record->is_union) {
        if (list.inits.empty() || !list.inits[0] || !list.union_field) {
            if (list.is_update) return;
            store_constant(place, b_.constant_null(memory_type(place.type)));
        } else {
            initialise(field_place(*list.union_field), *list.inits[0]);
        }
        return;
    }
    for (const FieldDecl* field : record->fields) {
        if (field->type->size_bytes == 0) continue;
        const Expr* init = field->index < list.inits.size() ? list.inits[field->index] : nullptr;
        if (!init && list.is_update) continue;
        const Place part = field_place(*field);
        if (init)
            initialise(part, *init);
        else
            store_constant(part, b_.constant_null(memory_type(part.type)));
    }
}

void Emitter::initialise_string(const Place& place, const StringLiteralExpr& literal) {
    if (place.type->count > spirv::kMaxInstructionWords - 3) {
        decline(literal.range, "an initializer with more than 65532 elements", nullptr);
        return;
    }
    std::vector<Id> bytes;
    for (uint64_t i = 0; i < place.type->count; ++i)
        bytes.push_back(b_.constant_int(
            byte_type(), i < literal.value.size() ? static_cast<uint8_t>(literal.value[i]) : 0));
    if (bytes.empty()) return;
    store_constant(place, b_.constant_composite(memory_type(place.type), bytes));
}

}  // namespace caldera::frontend
