// SPDX-License-Identifier: Apache-2.0
// Constants, program-scope variables and the addresses of them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "frontend/emit/emitter_impl.h"
#include "frontend/types/encoded_floats.h"
#include "spirv/limits.h"
#include "spirv/support/check.h"
#include "spirv/support/floats.h"

namespace caldera::frontend {

namespace {

/// The constituents that fit one OpConstantComposite.
constexpr size_t kMaxConstituents = spirv::kMaxInstructionWords - 3;

uint64_t number_bits(const Type* type, double number) {
    return type->is_encoded_float() ? encoded_bits(type->kind, number)
                                    : float_bits(static_cast<uint32_t>(type->size_bytes * 8), number);
}

}  // namespace

Id Emitter::constant_float(Id type, double value) {
    const auto kind = encoded_kind(type);
    return b_.constant_float_bits(type,
                                  kind ? encoded_bits(*kind, value) : float_bits(b_.width(type), value));
}

/// The value of a scalar float or double constant; halves are left alone.
std::optional<double> Emitter::float_value(Id constant) const {
    const spirv::Instruction* inst = b_.find_global(constant);
    if (!inst || inst->op != spv::Op::OpConstant || !b_.is_float(inst->type)) return std::nullopt;
    if (const auto kind = encoded_kind(inst->type))
        return encoded_value(*kind, static_cast<uint16_t>(inst->word(0)));
    switch (b_.width(inst->type)) {
        case 32: return caldera::float_value(32, inst->word(0));
        case 64: return caldera::float_value(64, spirv::number_at(*inst));
        default: return std::nullopt;
    }
}

Id Emitter::scalar_constant(const Type* type, uint64_t value) {
    const Id whole = value_type(type);
    const Id scalar = value_type(type->scalar());
    if (is_float(type)) return b_.constant_splat(whole, constant_float(scalar, static_cast<double>(value)));
    if (is_bool(type)) return b_.constant_bool(value != 0);
    return b_.constant_splat(whole, b_.constant_int(scalar, value));
}

Id Emitter::constant(const ConstantValue& value, const QualType& qualified, SourceRange range,
                     bool in_memory) {
    const Type* type = arithmetic_type(qualified.type);
    if (type->kind == TypeKind::Atomic) type = arithmetic_type(type->element.type);
    if (type->kind == TypeKind::Sampler) return sampler_constant(value.bits);
    if (type->is_pointer()) return constant_address(value, qualified, range);
    if (type->is_vector() || is_aggregate(type)) return constant_aggregate(value, qualified, range);
    if (!type->is_arithmetic())
        return b_.constant_null(memory_type(qualified));  // CLK_NULL_EVENT and its like
    if (type->is_floating()) {
        const double number =
            value.kind == ConstantValue::Kind::Float ? value.number : static_cast<double>(value.bits);
        return constant_float(value_type(type), number);
    }
    if (value.kind == ConstantValue::Kind::Address) {
        const QualType bytes = {.type = types_.scalar(TypeKind::Void), .space = object_space(value)};
        const Id pointer = constant_address(value, {.type = types_.pointer(bytes)}, range);
        return b_.global(spv::Op::OpSpecConstantOp, value_type(type), {spv::Op::OpConvertPtrToU, pointer});
    }
    if (type->kind == TypeKind::Bool && !in_memory) return b_.constant_bool(value.bits != 0);
    return b_.constant_int(memory_type(type), value.bits);
}

Id Emitter::constant_aggregate(const ConstantValue& value, const QualType& qualified, SourceRange range) {
    const Type* type = qualified.type;
    if (type->is_record()) return constant_record(value, type, range);
    const Id id = memory_type(qualified);
    if (value.parts.empty()) return b_.constant_null(id);
    std::vector<Id> parts;
    const uint64_t count = type->is_vector() ? type->count : std::max<uint64_t>(type->count, 1);
    for (const ConstantValue& part : value.parts.first(std::min<uint64_t>(count, value.parts.size())))
        parts.push_back(constituent(constant(part, type->element, range, true)));
    if (std::all_of(parts.begin(), parts.end(), [&](Id part) { return is_zero(part); }))
        return b_.constant_null(id);
    if (count > kMaxConstituents) return decline(range, "an initializer with more than 65532 elements", type);
    if (parts.size() < count) parts.resize(count, b_.constant_null(memory_type(type->element)));
    return b_.constant_composite(id, parts);
}

/// The address of a variable may be the initializer of another variable, but not a part of one (SPIR-V
/// 3.42.7).
Id Emitter::constituent(Id constant) {
    const spirv::Instruction* inst = b_.find_global(constant);
    if (!inst || inst->op != spv::Op::OpVariable) return constant;
    return b_.global(spv::Op::OpSpecConstantOp, b_.type_of(constant),
                     {spv::Op::OpInBoundsPtrAccessChain, constant, b_.constant_u64(0)});
}

Id Emitter::constant_record(const ConstantValue& value, const Type* type, SourceRange range) {
    const RecordLayout& layout_of = layout(type);
    if (value.parts.empty()) return b_.constant_null(layout_of.type);
    const RecordDecl* record = &record_definition(type);
    if (record->is_union && layout_of.storage_field != value.union_field) {
        std::vector<uint8_t> bytes(type->size_bytes);
        const FieldDecl& field = *record->fields[value.union_field];
        if (!to_bytes(value.parts[0], field.type.type, bytes.data(), bytes.size()))
            return decline(range, "an address in this member of a union in a constant initializer", type);
        if (bytes.size() > kMaxConstituents)
            return decline(range, "an initializer for a union with more than 65532 bytes", type);
        return from_bytes(bytes.data(), {.type = type});
    }
    std::vector<Id> parts;
    for (uint32_t i = 0; i < layout_of.field_of.size(); ++i) {
        const uint32_t field = layout_of.field_of[i];
        const uint32_t part = record->is_union ? 0 : field;
        const Id member_type = b_.member(layout_of.type, i);
        if (field == RecordLayout::kNoMember || part >= value.parts.size()) {
            parts.push_back(b_.constant_null(member_type));
            continue;
        }
        parts.push_back(constituent(constant(value.parts[part], record->fields[field]->type, range, true)));
    }
    if (std::all_of(parts.begin(), parts.end(), [&](Id part) { return is_zero(part); }))
        return b_.constant_null(layout_of.type);
    return b_.constant_composite(layout_of.type, parts);
}

/// The object representation; false when it holds an address, which has none yet.
bool Emitter::to_bytes(const ConstantValue& value, const Type* type, uint8_t* out, size_t size) {
    type = arithmetic_type(type);
    if (type->size_bytes > size) return false;
    if (value.kind == ConstantValue::Kind::Address && (value.base || value.string || value.literal))
        return false;
    if (type->is_vector() || type->is_array()) {
        const uint64_t stride = type->element->size_bytes;
        for (uint64_t i = 0; i < std::min<uint64_t>(type->count, value.parts.size()); ++i)
            if (!to_bytes(value.parts[i], type->element.type, out + i * stride, size - i * stride))
                return false;
        return true;
    }
    if (type->is_record()) {
        const RecordDecl* record = &record_definition(type);
        for (size_t i = 0; i < value.parts.size(); ++i) {
            const FieldDecl& field = *record->fields[record->is_union ? value.union_field : i];
            if (!to_bytes(value.parts[i], field.type.type, out + field.offset_bytes,
                          size - field.offset_bytes))
                return false;
        }
        return true;
    }
    uint64_t bits = value.bits;
    if (type->is_floating())
        bits = number_bits(
            type, value.kind == ConstantValue::Kind::Float ? value.number : static_cast<double>(bits));
    std::memcpy(out, &bits, type->size_bytes);
    return true;
}

Id Emitter::from_bytes(const uint8_t* bytes, const QualType& qualified) {
    const Type* type = arithmetic_type(qualified.type);
    std::vector<Id> parts;
    if (type->is_vector() || type->is_array()) {
        for (uint64_t i = 0; i < type->count; ++i)
            parts.push_back(from_bytes(bytes + i * type->element->size_bytes, type->element));
        return b_.constant_composite(memory_type(qualified), parts);
    }
    if (type->is_record()) {
        const RecordLayout& layout_of = layout(type);
        const RecordDecl* record = &record_definition(type);
        uint64_t offset = 0;
        for (uint32_t i = 0; i < layout_of.field_of.size(); ++i) {
            if (layout_of.field_of[i] != RecordLayout::kNoMember) {
                const FieldDecl& field = *record->fields[layout_of.field_of[i]];
                parts.push_back(from_bytes(bytes + field.offset_bytes, field.type));
                offset = field.offset_bytes + field.type->size_bytes;
                continue;
            }
            const Id padding = b_.member(layout_of.type, i);
            parts.push_back(from_bytes(bytes + offset, padding));
            offset +=
                b_.array_length(padding) * b_.count(b_.element(padding)) * b_.width(b_.element(padding)) / 8;
        }
        return b_.constant_composite(layout_of.type, parts);
    }
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, std::min<uint64_t>(type->size_bytes, 8));
    const Id id = memory_type(qualified);
    if (type->is_floating()) return b_.constant_float_bits(id, bits);
    if (type->is_integer()) return b_.constant_int(id, bits);
    if (bits == 0) return b_.constant_null(id);
    check(type->is_pointer(), "bytes become neither a number nor a pointer");
    return b_.global(spv::Op::OpSpecConstantOp, id, {spv::Op::OpConvertUToPtr, b_.constant_u64(bits)});
}

/// The same for a SPIR-V array of integers or of vectors of them.
Id Emitter::from_bytes(const uint8_t* bytes, Id type) {
    const uint64_t size = b_.is_int(type) ? b_.width(type) / 8 : 0;
    if (size) {
        uint64_t bits = 0;
        std::memcpy(&bits, bytes, size);
        return b_.constant_int(type, bits);
    }
    const Id element = b_.element(type);
    const uint64_t stride = b_.count(element) * b_.width(element) / 8;
    const uint64_t count = b_.is_vector(type) ? b_.count(type) : b_.array_length(type);
    std::vector<Id> parts;
    for (uint64_t i = 0; i < count; ++i) parts.push_back(from_bytes(bytes + i * stride, element));
    return b_.constant_composite(type, parts);
}

/// &object + offset, written as llvm-spirv writes it: constant operations over the variable.
Id Emitter::constant_address(const ConstantValue& value, const QualType& qualified, SourceRange range) {
    const Id type = memory_type(qualified);
    Id base = {};
    if (value.base) {
        base = global_place(value.base->definition ? *value.base->definition : *value.base).pointer;
    } else if (value.string) {
        base = string_variable(*value.string);
    } else if (value.literal) {
        base = compound_literal(*value.literal).pointer;
    } else {
        const uint64_t address = value.bits + static_cast<uint64_t>(value.offset_bytes);
        if (address == 0) return b_.constant_null(type);
        return b_.global(spv::Op::OpSpecConstantOp, type,
                         {spv::Op::OpConvertUToPtr, b_.constant_u64(address)});
    }
    if (!base)
        return decline(range, "the address of an object without static storage duration", qualified.type);
    const spv::StorageClass storage = b_.storage(b_.type_of(base));
    if (value.offset_bytes != 0) {
        const Id bytes = b_.type_pointer(storage, byte_type());
        if (b_.type_of(base) != bytes)
            base = b_.global(spv::Op::OpSpecConstantOp, bytes, {spv::Op::OpBitcast, base});
        const Id offset = b_.constant_u64(static_cast<uint64_t>(value.offset_bytes));
        base = b_.global(spv::Op::OpSpecConstantOp, bytes, {spv::Op::OpInBoundsPtrAccessChain, base, offset});
    }
    if (b_.storage(type) == spv::StorageClass::Generic) {
        const Id generic = b_.type_pointer(spv::StorageClass::Generic, b_.pointee(b_.type_of(base)));
        base = b_.global(spv::Op::OpSpecConstantOp, generic, {spv::Op::OpPtrCastToGeneric, base});
    } else if (b_.storage(type) != storage) {  // by way of an integer
        const Id bits =
            b_.global(spv::Op::OpSpecConstantOp, b_.type_int(64), {spv::Op::OpConvertPtrToU, base});
        return b_.global(spv::Op::OpSpecConstantOp, type, {spv::Op::OpConvertUToPtr, bits});
    }
    if (b_.type_of(base) == type) return base;
    return b_.global(spv::Op::OpSpecConstantOp, type, {spv::Op::OpBitcast, base});
}

bool Emitter::is_zero(Id constant) const {
    const spirv::Instruction* inst = b_.find_global(constant);
    if (!inst) return false;
    if (inst->op == spv::Op::OpConstantNull) return true;
    if (inst->op != spv::Op::OpConstant) return false;
    return std::all_of(inst->operands.begin(), inst->operands.end(), [](Operand o) { return o.word == 0; });
}

Id Emitter::constant_data(Id type, Id value, uint32_t align) {
    const Id variable = b_.variable(spv::StorageClass::UniformConstant, type, value);
    b_.decorate(variable, spv::Decoration::Constant);
    b_.decorate(variable, spv::Decoration::Alignment, {align});
    return variable;
}

Id Emitter::string_variable(const StringLiteralExpr& literal) {
    if (const auto found = strings_.find(&literal); found != strings_.end()) return found->second;
    if (literal.value.size() >= kMaxConstituents) {
        decline(literal.range, "a string with more than 65532 bytes", nullptr);
        return b_.undef(b_.type_pointer(spv::StorageClass::UniformConstant, bytes_type(1)));
    }
    std::vector<Id> bytes;
    for (const char c : literal.value) bytes.push_back(b_.constant_int(byte_type(), static_cast<uint8_t>(c)));
    bytes.push_back(b_.constant_int(byte_type(), 0));
    const Id type = bytes_type(bytes.size());
    const Id variable = constant_data(type, b_.constant_composite(type, bytes), 1);
    strings_.emplace(&literal, variable);
    return variable;
}

namespace {
bool is_long(const ConstantValue& value, const VarDecl& decl) {
    return decl.type->is_array() && decl.type->count > kMaxConstituents && !value.parts.empty();
}
}  // namespace

/// An array that one instruction cannot hold, as a struct of shorter ones: the same bytes.
Id Emitter::long_array(const ConstantValue& value, const Type& array, SourceRange range) {
    if (array.count / kMaxConstituents >= spirv::kMaxMembers)
        return decline(range, "an initializer with this many elements", &array);
    std::vector<Id> chunks, types;
    for (uint64_t first = 0; first < array.count; first += kMaxConstituents) {
        const uint64_t count = std::min<uint64_t>(kMaxConstituents, array.count - first);
        const uint64_t from = std::min<uint64_t>(first, value.parts.size());
        const QualType type = {.type = types_.array(array.element, count)};
        const ConstantValue chunk = {
            .kind = ConstantValue::Kind::Aggregate,
            .parts = value.parts.subspan(from, std::min<uint64_t>(count, value.parts.size() - from))};
        chunks.push_back(constant(chunk, type, range, true));
        types.push_back(memory_type(type));
    }
    return b_.constant_composite(b_.type_struct_distinct(types), chunks);
}

/// A variable with static storage duration, made at its first use.
const Place& Emitter::global_place(const VarDecl& decl) {
    if (const auto found = globals_.find(&decl); found != globals_.end()) return found->second;
    const spv::StorageClass storage = decl.type.space == AddressSpace::Private
                                          ? spv::StorageClass::CrossWorkgroup
                                          : storage_class(decl.type.space);
    const uint32_t align = std::max(decl.align_bytes, decl.type.align_bytes());
    Id initializer = {};
    if (std::find(open_globals_.begin(), open_globals_.end(), &decl) != open_globals_.end()) {
        decline(decl.name_range, "an initializer that refers to its own variable", decl.type.type);
    } else if (storage != spv::StorageClass::Workgroup && decl.storage != StorageClass::Extern) {
        open_globals_.push_back(&decl);
        const std::optional<ConstantValue> value = decl.init ? evaluate(*decl.init, arena_) : std::nullopt;
        if (decl.init && !value)
            decline(decl.init->range, "this initializer of a variable with static storage duration",
                    decl.type.type);
        const bool exported =
            options_.export_variables && decl.is_file_scope && decl.storage != StorageClass::Static;
        if (!value)
            initializer = b_.constant_null(memory_type(decl.type));
        else if (is_long(*value, decl) && exported)  // other modules know the variable by its type
            decline(decl.name_range,
                    "an initializer with more than 65532 elements for a variable that is not 'static'",
                    nullptr);
        else if (is_long(*value, decl))
            initializer = long_array(*value, *decl.type.type, decl.range);
        else
            initializer = constant(*value, decl.type, decl.range, true);
        open_globals_.pop_back();
    }
    const Id variable =
        b_.variable(storage, initializer ? b_.type_of(initializer) : memory_type(decl.type), initializer);
    const bool in_function = current_ && !decl.is_file_scope && current_->definition;
    b_.name(variable, in_function ? std::string(current_->definition->name) + "." + std::string(decl.name)
                                  : std::string(decl.name));
    if (storage == spv::StorageClass::UniformConstant) b_.decorate(variable, spv::Decoration::Constant);
    b_.decorate(variable, spv::Decoration::Alignment, {align});
    if (decl.storage == StorageClass::Extern && !decl.init) {
        decorate_linkage(variable, decl.name, spv::LinkageType::Import);
    }
    if (debug_) debug_->global(decl, variable);
    return globals_.emplace(&decl, Place{.pointer = variable, .type = decl.type, .align = align})
        .first->second;
}

/// Program-scope variables that other modules may name (OpenCL C 6.8, C99 6.2.2).
void Emitter::export_variables() {
    for (const Decl* decl : unit_.decls) {
        const auto* var = dyn<VarDecl>(decl);
        if (!var || var->storage == StorageClass::Static) continue;
        if (var->type->kind == TypeKind::Sampler || var->type->kind == TypeKind::BlockPointer) continue;
        if (var->definition && var->definition != var) continue;
        if (var->storage == StorageClass::Extern && !var->init) continue;
        const Id variable = global_place(*var).pointer;
        decorate_linkage(variable, var->name, spv::LinkageType::Export);
        exported_.push_back(variable);
    }
}

}  // namespace caldera::frontend
