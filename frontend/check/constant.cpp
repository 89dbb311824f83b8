// SPDX-License-Identifier: Apache-2.0
// Constant expressions (C99 6.6) and what clang folds besides: reads of const and constant variables, their
// elements and fields. constant_scalar.h has the arithmetic.
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "frontend/ast/operators.h"
#include "frontend/check/checker_impl.h"
#include "frontend/check/constant_builtin.h"
#include "frontend/check/constant_scalar.h"
#include "frontend/types/encoded_floats.h"

namespace caldera::frontend {

namespace constant {
namespace {

using Value = ConstantValue;
using Maybe = std::optional<Value>;

bool is_logical(BinaryOp op) { return op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr; }

class Evaluator {
 public:
    explicit Evaluator(Arena& arena) : arena_(arena) {}
    /// Reads these parameters, and knows the addresses of all variables.
    Evaluator(Arena& arena, std::span<const KnownParam> params)
        : arena_(arena), params_(params), is_of_call_(true) {}
    bool gave_up() const { return gave_up_; }
    bool read_parts() const { return read_parts_; }

    Maybe value(const Expr& e) {
        if (depth_ == kMaxDepth) return gave_up_ = true, std::nullopt;
        ++depth_;
        Maybe result = spine_value(e);
        --depth_;
        return result;
    }

 private:
    /// Walks down the left spine of operators and casts by a loop and folds on the way up. What has no value
    /// is marked, for each operator of a long chain is asked about.
    Maybe spine_value(const Expr& e) {
        std::vector<const Expr*> spine;
        const Expr* leaf = &e;
        for (;;) {
            if (!leaf || !leaf->type || leaf->type->is_error()) return std::nullopt;
            if (leaf->is_variable && !is_of_call_) return without_value(spine, 0);
            if (auto* paren = dyn<ParenExpr>(leaf)) {
                leaf = paren->inner;
            } else if (auto* binary = dyn<BinaryExpr>(leaf)) {
                spine.push_back(leaf);
                leaf = binary->lhs;
            } else if (auto* cast = dyn<CastExpr>(leaf); cast && passes_values(cast->cast)) {
                spine.push_back(leaf);
                leaf = cast->operand;
            } else {
                break;
            }
        }
        Maybe result = leaf_value(*leaf);
        if (!result) {
            spine.push_back(leaf);
            return without_value(spine, 0);
        }
        for (size_t i = spine.size(); i-- > 0;) {
            if (auto* binary = dyn<BinaryExpr>(spine[i]))
                result = fold(*binary, *result);
            else
                result = convert(as<CastExpr>(*spine[i]), *result);
            if (!result) return without_value(spine, spine.size() - 1 - i);
        }
        return result;
    }

    /// Marks the operators of `spine`, outermost first, but for the innermost `folded`.
    Maybe without_value(const std::vector<const Expr*>& spine, size_t folded) {
        if (!gave_up_ && !is_of_call_)
            for (size_t i = 0; i + folded < spine.size(); ++i) spine[i]->is_variable = true;
        return std::nullopt;
    }

    static bool passes_values(CastKind kind) {
        return kind != CastKind::LValueToRValue && kind != CastKind::ArrayToPointer &&
               kind != CastKind::FunctionToPointer && kind != CastKind::ToVoid;
    }

    Maybe leaf_value(const Expr& e) {
        switch (e.kind) {
            case ExprKind::IntLiteral: return int_value(as<IntLiteralExpr>(e).value, e.type.type);
            case ExprKind::CharLiteral:
                return int_value(static_cast<uint64_t>(as<CharLiteralExpr>(e).value), e.type.type);
            case ExprKind::FloatLiteral: return float_value(as<FloatLiteralExpr>(e).value, e.type.type);
            case ExprKind::SizeofType: return int_value(as<SizeofTypeExpr>(e).value, e.type.type);
            case ExprKind::SizeofExpr: return int_value(as<SizeofExprExpr>(e).value, e.type.type);
            case ExprKind::Offsetof: return int_value(as<OffsetofExpr>(e).value, e.type.type);
            case ExprKind::TypesCompatible: return int_value(as<TypesCompatibleExpr>(e).value, e.type.type);
            case ExprKind::DeclRef:
                if (auto* constant = dyn<EnumConstantDecl>(as<DeclRefExpr>(e).decl))
                    return int_value(static_cast<uint64_t>(constant->value), e.type.type);
                return read(e);  // a warning asks about what is written, below the conversion to an rvalue
            case ExprKind::Choose: return value(*as<ChooseExpr>(e).chosen);
            case ExprKind::Unary: return unary(as<UnaryExpr>(e));
            case ExprKind::Conditional: return conditional(as<ConditionalExpr>(e));
            case ExprKind::VectorLiteral: return vector_literal(as<VectorLiteralExpr>(e));
            case ExprKind::InitList: return init_list(as<InitListExpr>(e));
            case ExprKind::StringLiteral: return string(as<StringLiteralExpr>(e));
            case ExprKind::CompoundLiteral: return value(*as<CompoundLiteralExpr>(e).init);
            case ExprKind::Cast:
                if (as<CastExpr>(e).cast == CastKind::LValueToRValue) return read(*as<CastExpr>(e).operand);
                if (as<CastExpr>(e).cast == CastKind::ArrayToPointer)
                    return address(*as<CastExpr>(e).operand);
                return std::nullopt;
            case ExprKind::Member:
            case ExprKind::Swizzle:
            case ExprKind::Subscript: return read(e);
            case ExprKind::Call: return call(as<CallExpr>(e));
            default: return std::nullopt;
        }
    }

    Value part(const Value& aggregate, size_t i, const Type* type) {
        return i < aggregate.parts.size() ? aggregate.parts[i] : zero(type);
    }

    Value aggregate(std::vector<Value>& parts) {
        return {.kind = Value::Kind::Aggregate, .parts = arena_.copy(parts)};
    }

    /// Applies `f(lane)` to each lane of a result of type `type`; a scalar is one lane.
    template <class F>
    Maybe by_lanes(const Type* type, F f) {
        if (!type->is_vector()) return f(0u);
        std::vector<Value> parts;
        for (uint32_t i = 0; i < type->lanes(); ++i) {
            Maybe lane = f(i);
            if (!lane) return std::nullopt;
            parts.push_back(*lane);
        }
        return aggregate(parts);
    }

    Value lane(const Value& v, const Type* type, uint32_t i) {
        return type->is_vector() ? part(v, i, type->element.type) : v;
    }

    // ---- Operators ----

    Maybe unary(const UnaryExpr& e) {
        if (e.op == UnaryOp::AddressOf) return address(*e.operand);
        if (e.op == UnaryOp::Deref) return std::nullopt;
        Maybe v = value(*e.operand);
        if (!v) return std::nullopt;
        const Type *from = e.operand->type.type, *to = e.type->scalar();
        return by_lanes(e.type.type, [&](uint32_t i) -> Maybe {
            Value x = lane(*v, from, i);
            if (is_address(x) && e.op != UnaryOp::Plus && e.op != UnaryOp::LogicalNot) return std::nullopt;
            switch (e.op) {
                case UnaryOp::Plus: return x;
                case UnaryOp::Minus:
                    return to->is_floating() ? float_value(-x.number, to) : int_value(0 - x.bits, to);
                case UnaryOp::Not: return int_value(~x.bits, to);
                case UnaryOp::LogicalNot:
                    return int_value(truth(x) ? 0 : from->is_vector() ? ~uint64_t{0} : 1, to);
                default: return std::nullopt;
            }
        });
    }

    Maybe fold(const BinaryExpr& e, const Value& lhs) {
        const Type* operands = e.lhs->type.type;
        if (is_logical(e.op) && !operands->is_vector()) {
            bool known = truth(lhs);
            if (known == (e.op == BinaryOp::LogicalOr)) return int_value(known, e.type.type);
            Maybe rhs = value(*e.rhs);
            return rhs ? Maybe(int_value(truth(*rhs), e.type.type)) : std::nullopt;
        }
        Maybe right = value(*e.rhs);
        if (!right) return std::nullopt;
        const Value& rhs = *right;
        if (e.op == BinaryOp::Comma) return right;
        if (operands->is_pointer()) return pointer_op(e, lhs, rhs);
        const Type* element = operands->scalar();
        const Type* to = e.type->scalar();
        uint64_t yes = operands->is_vector() ? ~uint64_t{0} : 1;
        return by_lanes(e.type.type, [&](uint32_t i) -> Maybe {
            Value a = lane(lhs, operands, i), b = lane(rhs, e.rhs->type.type, i);
            if (is_logical(e.op)) {
                bool both = e.op == BinaryOp::LogicalAnd ? truth(a) && truth(b) : truth(a) || truth(b);
                return int_value(both ? yes : 0, to);
            }
            if (is_address(a) || is_address(b)) return moved_address(e.op, a, b);
            if (is_comparison(e.op)) return int_value(compare_scalars(e.op, a, b, element) ? yes : 0, to);
            if (element->is_floating()) return float_op(e.op, a.number, b.number, element);
            const auto bits = integer_result(e.op, a.bits, b.bits, *element);
            return bits ? Maybe(int_value(*bits, element)) : std::nullopt;
        });
    }

    /// Converts an address to an integer, or adds to it or subtracts from it.
    static Maybe moved_address(BinaryOp op, const Value& a, const Value& b) {
        const bool is_sum = op == BinaryOp::Add, is_second = is_sum && !is_address(a);
        const Value& by = is_second ? a : b;
        if ((!is_sum && op != BinaryOp::Sub) || is_address(by)) return std::nullopt;
        Value result = is_second ? b : a;
        result.offset_bytes = moved(result.offset_bytes, is_sum ? by.bits : 0 - by.bits, 1);
        return result;
    }

    Maybe pointer_op(const BinaryExpr& e, const Value& lhs, const Value& rhs) {
        const Type* pointee = e.lhs->type->element.type;
        uint64_t size = std::max<uint64_t>(1, pointee->size_bytes);
        if (is_comparison(e.op)) {
            if (same_object(lhs, rhs)) {
                int64_t a = moved(lhs.offset_bytes, lhs.bits, 1), b = moved(rhs.offset_bytes, rhs.bits, 1);
                return int_value(compare(e.op, a, b), e.type.type);
            }
            if (e.op == BinaryOp::Equal) return int_value(0, e.type.type);
            if (e.op == BinaryOp::NotEqual) return int_value(1, e.type.type);
            return std::nullopt;
        }
        if (e.rhs->type->is_pointer()) {
            if (e.op != BinaryOp::Sub || !same_object(lhs, rhs)) return std::nullopt;
            int64_t apart = moved(lhs.offset_bytes, 0 - static_cast<uint64_t>(rhs.offset_bytes), 1);
            return int_value(static_cast<uint64_t>(apart / static_cast<int64_t>(size)), e.type.type);
        }
        Value result = lhs;
        result.offset_bytes = moved(lhs.offset_bytes, e.op == BinaryOp::Sub ? 0 - rhs.bits : rhs.bits, size);
        return result;
    }

    Maybe conditional(const ConditionalExpr& e) {
        Maybe condition = value(*e.condition);
        if (!condition) return std::nullopt;
        const Expr& if_true = e.if_true ? *e.if_true : *e.condition;
        if (!e.condition->type->is_vector()) return value(truth(*condition) ? if_true : *e.if_false);
        Maybe a = value(if_true), b = value(*e.if_false);
        if (!a || !b) return std::nullopt;
        const Type* selector = e.condition->type.type;
        return by_lanes(e.type.type, [&](uint32_t i) -> Maybe {
            const auto top = lane(*condition, selector, i).bits >> (8 * selector->element->size_bytes - 1);
            return lane((top & 1) != 0 ? *a : *b, e.type.type, i);
        });
    }

    Maybe convert(const CastExpr& e, const Value& v) {
        const Type *from = e.operand->type.type, *to = e.type.type;
        switch (e.cast) {
            case CastKind::Integral:
            case CastKind::IntToFloat:
            case CastKind::FloatToInt:
            case CastKind::Float:
            case CastKind::ToBool:
                return by_lanes(to, [&](uint32_t i) {
                    return convert_scalar(lane(v, from, i), from->scalar(), to->scalar());
                });
            case CastKind::Splat: return by_lanes(to, [&](uint32_t) { return Maybe(v); });
            case CastKind::NoOp:
            case CastKind::PointerToPointer:
            case CastKind::AddressSpace:
            case CastKind::IntToSampler: return v;
            case CastKind::NullToPointer: return zero(to);
            case CastKind::IntToPointer:
                return is_address(v) ? v : Value{.kind = Value::Kind::Address, .bits = v.bits};
            case CastKind::PointerToInt:
                if (!is_null_address(v)) return to->size_bytes == 8 ? Maybe(v) : std::nullopt;
                return int_value(v.bits + static_cast<uint64_t>(v.offset_bytes), to);
            case CastKind::BitCast: read_parts_ = true; return reinterpret(v, from, to);
            default: return std::nullopt;
        }
    }

    // ---- Bits ----

    static bool to_bytes(const Value& v, const Type* type, uint8_t* out) {
        if (is_address(v)) return false;
        if (type->is_integer()) {
            std::memcpy(out, &v.bits, type->size_bytes);
        } else if (type->is_encoded_float()) {
            const uint16_t bits = encoded_bits(type->kind, v.number);
            for (size_t i = 0; i < type->size_bytes; ++i) out[i] = static_cast<uint8_t>(bits >> (8 * i));
        } else if (type->is_floating()) {
            const uint64_t bits = float_bits(8 * static_cast<uint32_t>(type->size_bytes), v.number);
            std::memcpy(out, &bits, type->size_bytes);
        } else {
            return false;
        }
        return true;
    }

    Maybe from_bytes(const uint8_t* in, const Type* type) {
        if (type->is_integer()) {
            uint64_t bits = 0;
            std::memcpy(&bits, in, type->size_bytes);
            return int_value(bits, type);
        }
        if (type->is_encoded_float()) {
            const auto bits = static_cast<uint16_t>(in[0] | (type->size_bytes > 1 ? in[1] << 8 : 0));
            return Value{.kind = Value::Kind::Float, .number = encoded_value(type->kind, bits)};
        }
        if (type->is_floating()) {
            uint64_t bits = 0;
            std::memcpy(&bits, in, type->size_bytes);
            const auto width = 8 * static_cast<uint32_t>(type->size_bytes);
            return Value{.kind = Value::Kind::Float, .number = caldera::float_value(width, bits)};
        }
        return std::nullopt;
    }

    Maybe reinterpret(const Value& v, const Type* from, const Type* to) {
        const Type *a = from->scalar(), *b = to->scalar();
        if (!a->is_arithmetic() || !b->is_arithmetic()) return std::nullopt;
        uint8_t bytes[128] = {};
        for (uint32_t i = 0; i < from->lanes(); ++i)
            if (!to_bytes(lane(v, from, i), a, bytes + i * a->size_bytes)) return std::nullopt;
        return by_lanes(to, [&](uint32_t i) { return from_bytes(bytes + i * b->size_bytes, b); });
    }

    /// Evaluates as_type(), because many programs define NAN as as_float() of an integer, and the __builtin_
    /// functions that have constant values.
    Maybe call(const CallExpr& e) {
        if (!e.builtin || !e.builtin->row || e.args.empty()) return std::nullopt;
        if (e.builtin->name.starts_with("__builtin_")) return gnu_call(e);
        if (e.args.size() != 1 || e.builtin->row->lowering != builtin::Lowering::Bitcast) return std::nullopt;
        Maybe v = value(*e.args[0]);
        read_parts_ = true;
        return v ? reinterpret(*v, e.args[0]->type.type, e.type.type) : std::nullopt;
    }

    /// Handles calls with scalar arguments.
    Maybe gnu_call(const CallExpr& e) {
        const Type *from = e.args[0]->type.type, *to = e.type.type;
        std::vector<uint64_t> integers;
        std::vector<double> numbers;
        for (const Expr* arg : e.args) {
            Maybe v = arg->type->is_arithmetic() ? value(*arg) : std::nullopt;
            if (!v || is_address(*v)) return std::nullopt;
            integers.push_back(v->bits);
            numbers.push_back(v->number);
        }
        if (from->is_integer() && to->is_integer()) {
            const auto folded =
                fold_integers(*e.builtin->row, integers, 8 * static_cast<unsigned>(from->size_bytes));
            return folded ? Maybe(int_value(*folded, to)) : std::nullopt;
        }
        if (!from->is_floating()) return std::nullopt;
        if (from->is_encoded_float()) return std::nullopt;
        const int least_exponent = from->kind == TypeKind::Double ? -1022
                                   : from->kind == TypeKind::Half ? -14
                                                                  : -126;
        const auto folded = fold_floats(*e.builtin->row, numbers, std::ldexp(1.0, least_exponent));
        if (!folded || folded->is_truth != to->is_integer()) return std::nullopt;
        if (folded->is_truth) return int_value(folded->number != 0, to);
        return float_value(folded->number, to);
    }

    // ---- Aggregates ----

    Maybe vector_literal(const VectorLiteralExpr& e) {
        std::vector<Value> parts;
        for (const Expr* element : e.elements) {
            Maybe v = value(*element);
            if (!v) return std::nullopt;
            for (uint32_t i = 0; i < element->type->lanes(); ++i)
                parts.push_back(lane(*v, element->type.type, i));
        }
        return aggregate(parts);
    }

    /// `whole` is what an update list changes, when it is known.
    Maybe init_list(const InitListExpr& e, const Value* whole = nullptr) {
        Maybe base = e.base ? value(*e.base) : std::nullopt;
        if (e.base && !base) return std::nullopt;
        if (base) whole = &*base;
        if (e.is_update && (!whole || (e.type->is_record() && e.type->record->is_union))) return std::nullopt;
        std::vector<Value> parts;
        const Type* type = e.type.type;
        const size_t count = std::max(e.inits.size(), whole ? whole->parts.size() : 0);
        for (size_t i = 0; i < count; ++i) {
            const Type* member = type->is_record()
                                     ? (e.union_field ? e.union_field : type->record->fields[i])->type.type
                                     : type->element.type;
            const Expr* init = i < e.inits.size() ? e.inits[i] : nullptr;
            const Value before = whole ? part(*whole, i, member) : zero(member);
            auto* update = dyn<InitListExpr>(init);
            Maybe v = !init                         ? before
                      : update && update->is_update ? init_list(*update, &before)
                                                    : value(*init);
            if (!v) return std::nullopt;
            parts.push_back(*v);
        }
        Value result = aggregate(parts);
        if (e.union_field) result.union_field = e.union_field->index;
        return result;
    }

    Maybe string(const StringLiteralExpr& e) {
        std::vector<Value> parts;
        for (size_t i = 0; i < e.value.size() && i < e.type->count; ++i)
            parts.push_back(int_value(static_cast<uint8_t>(e.value[i]), e.type->element.type));
        return aggregate(parts);
    }

    // ---- Objects ----

    /// The address of an lvalue of global lifetime.
    Maybe address(const Expr& object) {
        const Expr& e = *strip_parens(&object);
        switch (e.kind) {
            case ExprKind::DeclRef: {
                auto* var = dyn<VarDecl>(as<DeclRefExpr>(e).decl);
                if (!var || (!var->has_global_lifetime && !is_of_call_)) return std::nullopt;
                if (var->type.space == AddressSpace::Local) return std::nullopt;  // one for each work-group
                return Value{.kind = Value::Kind::Address, .base = var};
            }
            case ExprKind::StringLiteral:
                return Value{.kind = Value::Kind::Address, .string = &as<StringLiteralExpr>(e)};
            case ExprKind::CompoundLiteral:
                if (!as<CompoundLiteralExpr>(e).is_file_scope) return std::nullopt;
                return Value{.kind = Value::Kind::Address, .literal = &as<CompoundLiteralExpr>(e)};
            case ExprKind::Unary:
                if (as<UnaryExpr>(e).op != UnaryOp::Deref) return std::nullopt;
                return value(*as<UnaryExpr>(e).operand);
            case ExprKind::Member: {
                Maybe base = address(*as<MemberExpr>(e).base);
                if (base)
                    base->offset_bytes = moved(base->offset_bytes, as<MemberExpr>(e).field->offset_bytes, 1);
                return base;
            }
            case ExprKind::Subscript: {
                auto& subscript = as<SubscriptExpr>(e);
                if (!subscript.base->type->is_pointer()) return std::nullopt;
                Maybe base = value(*subscript.base), index = value(*subscript.index);
                if (!base || !index) return std::nullopt;
                base->offset_bytes = moved(base->offset_bytes, index->bits, e.type->size_bytes);
                return base;
            }
            default: return std::nullopt;
        }
    }

    /// The initialiser of an object, if it is known. Null with `zero` set if the initialiser omits the
    /// object.
    const Expr* initializer_of(const Expr& object, bool& is_zero) {
        const Expr& e = *strip_parens(&object);
        switch (e.kind) {
            case ExprKind::DeclRef: {
                auto* var = dyn<VarDecl>(as<DeclRefExpr>(e).decl);
                if (!var) return nullptr;
                if (var->definition) var = var->definition;
                bool fixed = var->type.is_const || var->type.space == AddressSpace::Constant;
                if (!fixed || var->type.is_volatile || var->is_param || !var->init) return nullptr;
                return var->init->type ? var->init : nullptr;
            }
            case ExprKind::CompoundLiteral: return as<CompoundLiteralExpr>(e).init;  // made where it is read
            case ExprKind::Unary: return target_initializer(as<UnaryExpr>(e), is_zero);
            case ExprKind::StringLiteral: return &e;
            case ExprKind::Member: {
                const Expr* base = initializer_of(*as<MemberExpr>(e).base, is_zero);
                if (is_zero) return nullptr;
                auto* list = dyn<InitListExpr>(base);
                auto& field = *as<MemberExpr>(e).field;
                if (!list || list->is_update) return nullptr;
                if (field.parent->is_union)
                    return list->union_field == &field && !list->inits.empty() ? list->inits[0] : nullptr;
                return entry(*list, field.index, is_zero);
            }
            case ExprKind::Subscript: {
                auto& subscript = as<SubscriptExpr>(e);
                auto* decay = dyn<CastExpr>(strip_parens(subscript.base));
                if (!decay || decay->cast != CastKind::ArrayToPointer) return nullptr;
                const Type* array = decay->operand->type.type;
                Maybe index = value(*subscript.index);
                if (!index || index->bits >= array->count) return nullptr;
                const Expr* base = initializer_of(*decay->operand, is_zero);
                if (is_zero) return nullptr;
                auto* list = dyn<InitListExpr>(base);
                return list && !list->is_update ? entry(*list, index->bits, is_zero) : nullptr;
            }
            default: return nullptr;
        }
    }

    /// Handles `*array` and `*&object`, which name the array's first element and the object.
    const Expr* target_initializer(const UnaryExpr& e, bool& is_zero) {
        const Expr* pointer = e.op == UnaryOp::Deref ? strip_parens(e.operand) : nullptr;
        if (auto* address = dyn<UnaryExpr>(pointer); address && address->op == UnaryOp::AddressOf)
            return initializer_of(*address->operand, is_zero);
        auto* decay = dyn<CastExpr>(pointer);
        if (!decay || decay->cast != CastKind::ArrayToPointer || decay->operand->type->count == 0)
            return nullptr;
        auto* list = dyn<InitListExpr>(initializer_of(*decay->operand, is_zero));
        return list && !list->is_update && !is_zero ? entry(*list, 0, is_zero) : nullptr;
    }

    static const Expr* entry(const InitListExpr& list, uint64_t index, bool& is_zero) {
        const Expr* init = index < list.inits.size() ? list.inits[index] : nullptr;
        is_zero = init == nullptr;
        return init;
    }

    /// The value of an object that is a variable, or a part of one, whose value is kept.
    Maybe kept(const Expr& object) {
        const Expr& e = *strip_parens(&object);
        if (auto* ref = dyn<DeclRefExpr>(&e)) {
            auto* var = dyn<VarDecl>(ref->decl);
            const auto known = std::ranges::find(params_, var, &KnownParam::param);
            if (known != params_.end()) return known->value;
            if (var && var->definition) var = var->definition;
            return var && var->value ? Maybe(*var->value) : std::nullopt;
        }
        if (auto* member = dyn<MemberExpr>(&e)) {
            const FieldDecl& field = *member->field;
            Maybe whole = kept(*member->base);
            if (!whole || whole->kind != Value::Kind::Aggregate || field.parent->is_union)
                return std::nullopt;
            return part(*whole, field.index, e.type.type);
        }
        auto* subscript = dyn<SubscriptExpr>(&e);
        auto* decay = subscript ? dyn<CastExpr>(strip_parens(subscript->base)) : nullptr;
        if (!decay || decay->cast != CastKind::ArrayToPointer) return std::nullopt;
        Maybe whole = kept(*decay->operand);
        Maybe index =
            whole && whole->kind == Value::Kind::Aggregate ? value(*subscript->index) : std::nullopt;
        if (!index || index->bits >= decay->operand->type->count) return std::nullopt;
        return part(*whole, index->bits, e.type.type);
    }

    /// A character of a string literal, or of an array that one initialises.
    Maybe character(const Expr& e) {
        auto* subscript = dyn<SubscriptExpr>(&e);
        auto* decay = subscript ? dyn<CastExpr>(strip_parens(subscript->base)) : nullptr;
        if (!decay || decay->cast != CastKind::ArrayToPointer) return std::nullopt;
        bool is_zero = false;
        auto* string = dyn<StringLiteralExpr>(initializer_of(*decay->operand, is_zero));
        Maybe index = string ? value(*subscript->index) : std::nullopt;
        if (!index || index->bits >= decay->operand->type->count) return std::nullopt;
        bool past = index->bits >= string->value.size();
        return int_value(past ? 0 : static_cast<uint8_t>(string->value[index->bits]), e.type.type);
    }

    /// Whether an lvalue is an element or a field of a variable, or a component of a vector.
    static bool is_part_of_variable(const Expr& object) {
        const Expr* e = &object;
        for (;;) {
            if (auto* member = dyn<MemberExpr>(e)) {
                e = strip_parens(member->base);
                continue;
            }
            auto* subscript = dyn<SubscriptExpr>(e);
            if (!subscript) return e != &object && e->kind == ExprKind::DeclRef;
            if (subscript->base->type->is_vector()) return true;
            auto* decay = dyn<CastExpr>(strip_parens(subscript->base));
            if (!decay || decay->cast != CastKind::ArrayToPointer) return false;
            e = strip_parens(decay->operand);
        }
    }

    /// The value of an object that nothing can have modified.
    Maybe read(const Expr& object) {
        const Expr& e = *strip_parens(&object);
        if (e.kind == ExprKind::Swizzle || is_part_of_variable(e)) read_parts_ = true;
        if (auto* swizzle = dyn<SwizzleExpr>(&e)) {
            Maybe base = swizzle->base->is_lvalue ? read(*swizzle->base) : value(*swizzle->base);
            if (!base) return std::nullopt;
            const Type* from = swizzle->base->type.type;
            return by_lanes(e.type.type,
                            [&](uint32_t i) { return Maybe(lane(*base, from, swizzle->lanes[i])); });
        }
        if (auto* subscript = dyn<SubscriptExpr>(&e); subscript && subscript->base->type->is_vector()) {
            Maybe base = subscript->base->is_lvalue ? read(*subscript->base) : value(*subscript->base);
            Maybe index = value(*subscript->index);
            if (!base || !index || index->bits >= subscript->base->type->lanes()) return std::nullopt;
            return lane(*base, subscript->base->type.type, static_cast<uint32_t>(index->bits));
        }
        if (auto* choose = dyn<ChooseExpr>(&e)) return read(*choose->chosen);
        if (Maybe known = kept(e)) return known;
        if (Maybe letter = character(e)) return letter;
        bool is_zero = false;
        const Expr* init = initializer_of(e, is_zero);
        if (is_zero) return zero(e.type.type);
        if (!init) return std::nullopt;
        const auto [known, is_new] =
            initial_.try_emplace(init);  // no value while it is being found: cycles end
        if (!is_new) return known->second;
        Maybe result = value(*init);
        initial_[init] = result;
        return result;
    }

    /// Limits nested operands, and chains of variables that initialise variables.
    static constexpr int kMaxDepth = 2048;

    Arena& arena_;
    std::span<const KnownParam> params_ = {};
    bool is_of_call_ = false;  ///< a condition or an argument of a call: other calls may have another value
    int depth_ = 0;
    bool read_parts_ =
        false;              ///< of objects or of vectors, or bits in another type: clang does not fold those
    bool gave_up_ = false;  ///< kMaxDepth was reached: what has no value may have one
    std::unordered_map<const Expr*, Maybe> initial_ = {};  ///< of initialisers that were read
};

}  // namespace
}  // namespace constant

AddressSpace object_space(const ConstantValue& address) {
    if (address.string) return AddressSpace::Constant;
    const AddressSpace space = address.base      ? address.base->type.space
                               : address.literal ? address.literal->type.space
                                                 : AddressSpace::Constant;
    return space == AddressSpace::Private ? AddressSpace::Global : space;  // of global lifetime
}

std::optional<ConstantValue> evaluate(const Expr& expr, Arena& arena, bool* gave_up) {
    constant::Evaluator evaluator(arena);
    std::optional<ConstantValue> result = evaluator.value(expr);
    if (gave_up) *gave_up = !result && evaluator.gave_up();
    return result;
}

std::optional<bool> evaluate_condition(const Expr& expr, std::span<const KnownParam> params, Arena& arena) {
    const auto result = constant::Evaluator(arena, params).value(expr);
    return result ? std::optional(constant::truth(*result)) : std::nullopt;
}

std::optional<ConstantValue> evaluate_argument(const Expr& expr, Arena& arena) {
    return constant::Evaluator(arena, {}).value(expr);
}

static std::optional<uint64_t> integer_value(const Expr& expr, bool takes_parts) {
    if (!expr.type || !expr.type->is_integer()) return std::nullopt;
    Arena scratch;
    constant::Evaluator evaluator(scratch);
    const auto result = evaluator.value(expr);
    if (!result || result->kind != ConstantValue::Kind::Int) return std::nullopt;
    if (evaluator.read_parts() && !takes_parts) return std::nullopt;
    return result->bits;
}
std::optional<uint64_t> evaluate_integer(const Expr& expr) { return integer_value(expr, true); }
std::optional<uint64_t> evaluate_by_extension(const Expr& expr) { return integer_value(expr, false); }

std::optional<uint64_t> evaluate_as_long(const Expr& expr) {
    const std::optional<uint64_t> bits = evaluate_integer(expr);
    return bits ? std::optional(extend_sign(*bits, *expr.type.type)) : bits;
}

}  // namespace caldera::frontend
