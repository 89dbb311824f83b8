// SPDX-License-Identifier: Apache-2.0
// Types: OpenCL C's to SPIR-V's, and the layout of records.
#include <algorithm>

#include "frontend/emit/emitter_impl.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/limits.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

const Type* arithmetic_type(const Type* type) {
    if (type->kind != TypeKind::Enum) return type;
    const EnumDecl* decl = type->enum_decl;
    if (decl && decl->definition) decl = decl->definition;
    check(decl && decl->underlying, "an enumeration without an underlying type");
    return decl->underlying;
}

const RecordDecl& record_definition(const Type* type) {
    return type->record->definition ? *type->record->definition : *type->record;
}

spv::StorageClass storage_class(AddressSpace space) {
    switch (space) {
        case AddressSpace::Private: return spv::StorageClass::Function;
        case AddressSpace::Global:
        case AddressSpace::GlobalDevice:
        case AddressSpace::GlobalHost: return spv::StorageClass::CrossWorkgroup;
        case AddressSpace::Constant: return spv::StorageClass::UniformConstant;
        case AddressSpace::Local: return spv::StorageClass::Workgroup;
        case AddressSpace::Generic: return spv::StorageClass::Generic;
    }
    return spv::StorageClass::Function;
}

namespace {
std::string record_name(const RecordDecl& record) {  // as clang names it
    return (record.is_union ? "union." : "struct.") + std::string(record.name.empty() ? "anon" : record.name);
}
}  // namespace

Id Emitter::bytes_type(uint64_t count) { return b_.type_array(byte_type(), b_.constant_u64(count)); }

Id Emitter::pointer_to(AddressSpace space, const QualType& pointee) {
    if (pointee->is_record()) return pointer_to_record(storage_class(space), pointee.type);
    return b_.type_pointer(storage_class(space), memory_type(pointee));
}

/// Inside a record, the pointee is emitted after the record: records may point to each other, and recursion
/// must not follow long chains of them.
Id Emitter::pointer_to_record(spv::StorageClass storage, const Type* record) {
    if (open_records_ == 0 || !record->laid_out || records_.contains(record))
        return b_.type_pointer(storage, memory_type(record));
    std::vector<ForwardPointer>& forward = forward_pointers_[record];
    if (forward.empty()) pointees_.push_back(record);
    const auto found = std::ranges::find(forward, storage, &ForwardPointer::storage);
    if (found != forward.end()) return found->type;
    forward.push_back({storage, b_.forward_pointer(storage)});
    return forward.back().type;
}

Id Emitter::value_type(const QualType& type) {
    if (type->kind == TypeKind::Void) return b_.type_void();
    if (type->kind == TypeKind::Bool) return b_.type_bool();
    return memory_type(type);
}

Id Emitter::memory_type(const QualType& qualified) {
    const Type* type = qualified.type;
    const bool cacheable = type->kind != TypeKind::Image;
    if (cacheable)
        if (const auto found = memory_types_.find(type); found != memory_types_.end()) return found->second;
    Id id = {};
    switch (type->kind) {
        case TypeKind::Error: check(false, "the tree has errors"); break;
        case TypeKind::Void:      // what a `void *` points to
        case TypeKind::Function:  // what a function designator decays to, never called through
        case TypeKind::Bool:
        case TypeKind::Char:
        case TypeKind::UChar: id = byte_type(); break;
        case TypeKind::Short:
        case TypeKind::UShort: id = b_.type_int(16); break;
        case TypeKind::Int:
        case TypeKind::UInt: id = b_.type_int(32); break;
        case TypeKind::Long:
        case TypeKind::ULong: id = b_.type_int(64); break;
        case TypeKind::Float8E4M3: id = encoded_type(8, spirv::FloatEncoding::E4M3); break;
        case TypeKind::Float8E5M2: id = encoded_type(8, spirv::FloatEncoding::E5M2); break;
        case TypeKind::BFloat16: id = encoded_type(16, spirv::FloatEncoding::BFloat16); break;
        case TypeKind::Half: id = b_.type_float(16); break;
        case TypeKind::Float: id = b_.type_float(32); break;
        case TypeKind::Double: id = b_.type_float(64); break;
        case TypeKind::Enum: id = memory_type(arithmetic_type(type)); break;
        case TypeKind::Vector:
            id = b_.type_vector(memory_type(type->element), static_cast<uint32_t>(type->count));
            break;
        case TypeKind::Pointer: id = pointer_to(type->element.space, type->element); break;
        case TypeKind::Array: {
            // SPIR-V has no arrays of length zero. Such an object is only used through pointers.
            const uint64_t count = std::max<uint64_t>(type->count, 1);
            const Id element = memory_type(type->element);
            id = b_.type_array(element, b_.constant_u64(count));  // of ulong, so that clang's objects agree
            break;
        }
        case TypeKind::Record:
            id = type->laid_out ? layout(type).type : b_.type_opaque(record_name(*type->record));
            break;
        case TypeKind::Image: return image_type(qualified);
        case TypeKind::Sampler: id = b_.type(spv::Op::OpTypeSampler); break;
        case TypeKind::Event: id = b_.type(spv::Op::OpTypeEvent); break;
        case TypeKind::Queue: id = b_.type(spv::Op::OpTypeQueue); break;
        case TypeKind::ClkEvent: id = b_.type(spv::Op::OpTypeDeviceEvent); break;
        case TypeKind::ReserveId: id = b_.type(spv::Op::OpTypeReserveId); break;
        case TypeKind::Pipe: {
            const auto access = qualified.access == Access::WriteOnly ? spv::AccessQualifier::WriteOnly
                                                                      : spv::AccessQualifier::ReadOnly;
            return b_.type(spv::Op::OpTypePipe, {access});
        }
        case TypeKind::NDRange: {
            const Id sizes = b_.type_array(b_.type_int(64), b_.constant_u64(3));
            const Id members[] = {b_.type_int(32), sizes, sizes, sizes};
            id = b_.type_struct_distinct(members);
            b_.name(id, "struct.ndrange_t");
            break;
        }
        case TypeKind::Atomic: id = memory_type(type->element); break;
        case TypeKind::Matrix: id = matrix_type(type); break;
        case TypeKind::BlockPointer: id = b_.type_pointer(spv::StorageClass::Generic, byte_type()); break;
    }
    if (cacheable) memory_types_.emplace(type, id);
    return id;
}

// ---- Records ----

/// The alignment that a consumer of SPIR-V gives a type in a struct without CPacked: that of its size.
uint32_t Emitter::natural_align(const Type* type) {
    switch (type->kind) {
        case TypeKind::Array: return natural_align(type->element.type);
        case TypeKind::Record: return layout(type).align;
        case TypeKind::Atomic: return natural_align(type->element.type);
        default: return std::max<uint32_t>(1, static_cast<uint32_t>(type->size_bytes));
    }
}

bool Emitter::has_gaps(const Type* type) {
    if (type->is_array()) return has_gaps(type->element.type);
    if (type->is_record()) return layout(type).has_gaps;
    return type->is_vector() && type->count == 3;
}

/// Integers that occupy memory of this size and natural alignment.
Id Emitter::opaque_bytes(uint64_t size, uint32_t align) {
    const uint32_t unit = std::min(align, 4u);
    Id element = b_.type_int(align == 8 ? 64 : unit * 8);
    if (align > 8)
        element = b_.type_vector(align > 64 ? b_.type_int(64) : element, align > 64 ? 16 : align / 4);
    return b_.type_array(element, b_.constant_u64(size / align));
}

const RecordLayout& Emitter::layout(const Type* type) {
    if (const auto found = records_.find(type); found != records_.end()) return found->second;
    emit_record(type);
    if (open_records_ == 0 && !emits_pointees_) {
        emits_pointees_ = true;
        while (!pointees_.empty()) {
            const Type* pointee = pointees_.back();
            pointees_.pop_back();
            if (!records_.contains(pointee)) emit_record(pointee);
        }
        emits_pointees_ = false;
    }
    return records_.at(type);
}

void Emitter::emit_record(const Type* type) {
    const RecordDecl* record = &record_definition(type);
    ++open_records_;
    RecordLayout out;
    std::vector<Id> members;
    out.members.assign(record->fields.size(), RecordLayout::kNoMember);
    if (record->is_union)
        lay_out_union(*record, out, members);
    else
        lay_out_struct(*record, out, members);
    --open_records_;
    if (members.size() > spirv::kMaxMembers)
        decline(record->name_range ? record->name_range : record->range,
                "a type with more than 16383 members", nullptr);

    out.type = b_.type_struct_distinct(members);
    b_.name(out.type, record_name(*record));
    for (uint32_t i = 0; i < out.field_of.size(); ++i)
        if (out.field_of[i] != RecordLayout::kNoMember && options_.debug_info)
            b_.member_name(out.type, i, record->fields[out.field_of[i]]->name);
    if (out.packed) b_.decorate(out.type, spv::Decoration::CPacked);
    if (const auto found = forward_pointers_.find(type); found != forward_pointers_.end()) {
        for (const ForwardPointer& pointer : found->second)
            b_.define_pointer(pointer.type, pointer.storage, out.type);
        forward_pointers_.erase(found);
    }
    records_.emplace(type, std::move(out));
}

void Emitter::lay_out_struct(const RecordDecl& record, RecordLayout& out, std::vector<Id>& members) {
    const Type* type = record.record_type;
    for (const FieldDecl* field : record.fields) {
        if (field->type->size_bytes == 0) continue;
        const uint32_t align = natural_align(field->type.type);
        out.align = std::max(out.align, align);
        if (field->offset_bytes % align != 0) out.packed = true;
    }
    if (type->size_bytes % out.align != 0) out.packed = true;
    if (out.packed) out.align = 1;

    uint64_t offset = 0;
    auto pad_to = [&](uint64_t target) {
        if (offset == target) return;
        members.push_back(bytes_type(target - offset));
        out.field_of.push_back(RecordLayout::kNoMember);
        offset = target;
    };
    for (const FieldDecl* field : record.fields) {
        if (field->type->size_bytes == 0) continue;
        const uint64_t align = out.packed ? 1 : natural_align(field->type.type);
        if ((offset + align - 1) / align * align != field->offset_bytes) pad_to(field->offset_bytes);
        out.has_gaps |= offset != field->offset_bytes || has_gaps(field->type.type);
        out.members[field->index] = static_cast<uint32_t>(members.size());
        out.field_of.push_back(field->index);
        members.push_back(memory_type(field->type));
        offset = field->offset_bytes + field->type->size_bytes;
    }
    if ((offset + out.align - 1) / out.align * out.align != type->size_bytes) pad_to(type->size_bytes);
    out.has_gaps |= offset != type->size_bytes;
}

/// Whether the type has a pointer to private or local memory. A device needs fewer bits for one than it has
/// in memory, and what copies such pointers need not copy the other bits.
bool Emitter::has_near_pointers(const Type* type) {
    type = arithmetic_type(type);
    if (type->is_pointer())
        return type->element.space == AddressSpace::Private || type->element.space == AddressSpace::Local;
    if (type->is_array()) return has_near_pointers(type->element.type);
    if (!type->is_record()) return false;
    return std::ranges::any_of(record_definition(type).fields,
                               [&](const FieldDecl* field) { return has_near_pointers(field->type.type); });
}

/// As in clang, the member with the largest alignment represents the union, followed by bytes up to the
/// union's size. A member with gaps, or with pointers to private or local memory, would lose bytes of other
/// members when the union is copied or initialised, so it is replaced by integers.
void Emitter::lay_out_union(const RecordDecl& record, RecordLayout& out, std::vector<Id>& members) {
    const Type* type = record.record_type;
    const FieldDecl* storage = nullptr;
    for (const FieldDecl* field : record.fields) {
        if (field->type->size_bytes == 0) continue;
        const uint32_t align = natural_align(field->type.type);
        const uint32_t best = storage ? natural_align(storage->type.type) : 0;
        if (align > best || (align == best && field->type->size_bytes > storage->type->size_bytes))
            storage = field;
    }
    if (!storage) {
        if (type->size_bytes) {
            members.push_back(bytes_type(type->size_bytes));
            out.field_of.push_back(RecordLayout::kNoMember);
        }
        return;
    }
    out.align = natural_align(storage->type.type);
    if (has_gaps(storage->type.type) || has_near_pointers(storage->type.type)) {
        if (type->size_bytes % out.align != 0) out.align = 1;
        members.push_back(opaque_bytes(type->size_bytes, out.align));
        out.field_of.push_back(RecordLayout::kNoMember);
        return;
    }
    out.storage_field = storage->index;
    out.members[storage->index] = 0;
    out.field_of.push_back(storage->index);
    members.push_back(memory_type(storage->type));
    if (type->size_bytes % out.align != 0) out.packed = true, out.align = 1;
    if (type->size_bytes > storage->type->size_bytes) {
        members.push_back(bytes_type(type->size_bytes - storage->type->size_bytes));
        out.field_of.push_back(RecordLayout::kNoMember);
    }
}

// ---- Capabilities: derived from the finished module, once ----

namespace {

void image_capabilities(Builder& b, const spirv::Instruction& image) {
    b.capability(spv::Capability::ImageBasic);
    const auto dim = static_cast<spv::Dim>(image.word(1));
    if (dim == spv::Dim::Dim1D) b.capability(spv::Capability::Sampled1D);
    if (dim == spv::Dim::Buffer) b.capability(spv::Capability::SampledBuffer);
    if (image.word(7) == static_cast<uint32_t>(spv::AccessQualifier::ReadWrite))
        b.capability(spv::Capability::ImageReadWrite);
}

void type_capabilities(Builder& b, const spirv::Instruction& inst) {
    using enum spv::Capability;
    if (inst.op == spirv::kTypeMatrix) {
        b.capability(spirv::kCooperativeMatrix);
        b.extension(spirv::kCooperativeMatrixExtension);
        if (const auto encoding = spirv::encoding_of(*b.find_global(inst.id(0))))
            b.capability(spirv::matrix_capability(*encoding));
    }
    switch (inst.op) {
        case spv::Op::OpTypeInt:
            if (inst.word(0) == 8) b.capability(Int8);
            if (inst.word(0) == 16) b.capability(Int16);
            if (inst.word(0) == 64) b.capability(Int64);
            break;
        case spv::Op::OpTypeFloat:
            if (const auto encoding = spirv::encoding_of(inst)) {
                b.capability(spirv::type_capability(*encoding));
                b.extension(spirv::extension_of(*encoding));
                break;
            }
            if (inst.word(0) == 16) b.capability(Float16Buffer);
            if (inst.word(0) == 64) b.capability(Float64);
            break;
        case spv::Op::OpTypeVector:
            if (inst.word(1) > 4) b.capability(Vector16);
            break;
        case spv::Op::OpTypePointer:
            if (inst.word(0) == static_cast<uint32_t>(spv::StorageClass::Generic))
                b.capability(GenericPointer);
            break;
        case spv::Op::OpTypeImage: image_capabilities(b, inst); break;
        case spv::Op::OpTypePipe: b.capability(Pipes); break;
        case spv::Op::OpTypeReserveId: b.capability(Pipes); break;
        case spv::Op::OpTypeQueue:
        case spv::Op::OpTypeDeviceEvent: b.capability(DeviceEnqueue); break;
        case spv::Op::OpConstantSampler:
            b.capability(ImageBasic);  // the OpenCL environment's condition for the next
            b.capability(LiteralSampler);
            break;
        default: break;
    }
}

}  // namespace

Id Emitter::encoded_type(uint32_t width, spirv::FloatEncoding encoding) {
    return b_.type(spv::Op::OpTypeFloat, {width, static_cast<uint32_t>(encoding)});
}

/// The kind of encoded float that a type is, or of which it is a vector or a matrix.
std::optional<TypeKind> Emitter::encoded_kind(Id type) const {
    const spirv::Instruction* inst = type ? b_.find_global(type) : nullptr;
    if (inst && (inst->op == spv::Op::OpTypeVector || inst->op == spirv::kTypeMatrix))
        inst = b_.find_global(inst->id(0));
    const auto encoding = inst ? spirv::encoding_of(*inst) : std::nullopt;
    if (!encoding) return std::nullopt;
    switch (*encoding) {
        case spirv::FloatEncoding::E4M3: return TypeKind::Float8E4M3;
        case spirv::FloatEncoding::E5M2: return TypeKind::Float8E5M2;
        case spirv::FloatEncoding::BFloat16: return TypeKind::BFloat16;
    }
    return std::nullopt;
}

/// The type in which encoded floats, their vectors and their matrices are computed with. Null for others.
const Type* Emitter::floats_like(const Type* type) {
    const Type* element = type->is_matrix() ? type->element.type : type->scalar();
    if (!element->is_encoded_float()) return nullptr;
    const Type* wide = types_.scalar(TypeKind::Float);
    if (!type->is_matrix()) return types_.with_element(type, wide);
    return types_.matrix(wide, static_cast<uint32_t>(type->count), type->columns, type->use);
}

void Emitter::add_capabilities(const std::vector<bool>& used) {
    using enum spv::Capability;
    b_.capability(Addresses);
    b_.capability(Kernel);
    for (const spirv::Instruction& inst : module_.annotations)
        if (inst.op == spv::Op::OpDecorate &&
            inst.word(1) == static_cast<uint32_t>(spv::Decoration::LinkageAttributes))
            b_.capability(Linkage);
    if (module_.entry_points.empty()) b_.capability(Linkage);  // SPIR-V 2.16.1: one or the other
    auto is_half = [&](Id type) {
        const Id scalar = type && b_.find_global(type) ? b_.element(type) : Id{};
        return scalar && b_.is_float(scalar) && b_.width(scalar) == 16 && !encoded_kind(scalar);
    };
    bool half_values = false;
    for (const spirv::Instruction& inst : module_.globals) {
        if (!used[inst.result.value]) continue;
        type_capabilities(b_, inst);
        half_values = half_values || (inst.type && is_half(inst.type));
    }
    for (const spirv::Function& function : module_.functions) {
        for (const spirv::Instruction& param : function.params) half_values |= is_half(param.type);
        for (const spirv::Block& block : function.blocks)
            for (const spirv::Instruction& inst : block.body) {
                if (inst.type) half_values |= is_half(inst.type);
                instruction_capabilities(inst);
            }
    }
    if (half_values) b_.capability(Float16);
}

}  // namespace caldera::frontend
