// SPDX-License-Identifier: Apache-2.0
// Structs and unions (C99 6.7.2.1).
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

void Checker::note_incomplete(Diagnostics::Handle handle, const Type* type) {
    const Decl* decl = type->enum_decl;
    if (type->is_record()) decl = type->record;
    if (decl)
        handle.note(decl->name_range ? decl->name_range : decl->range, "forward declaration of '", type, "'");
}

/// `struct s` or `struct s { … }`. A mention finds the declaration that the scopes have, or declares one.
const Type* Checker::record_mention(RecordDecl* record, Where where, bool stands_alone) {
    if (record->record_type) return record->record_type;  // noted before
    note(*record);
    if (record->definition && record->definition->record_type) return record->definition->record_type;
    Decl* found = nullptr;
    if (!record->name.empty())
        found = record->has_body || stands_alone ? scopes_.find_tag_here(record->name)
                                                 : scopes_.find_tag(record->name);
    auto* earlier = dyn<RecordDecl>(found);
    if (found && (!earlier || earlier->is_union != record->is_union)) {
        diags_
            .error(record->range, "use of '", record->name,
                   "' with tag type that does not match previous declaration")
            .note(found->name_range, "previous use is here");
        return types_.error();
    }
    if (!earlier) {
        if (where == Where::Param && !record->name.empty())
            diags_.warning(Warning::Visibility, record->name_range, "declaration of '",
                           record->is_union ? "union " : "struct ", record->name,
                           "' will not be visible outside of this function");
        record->record_type = types_.record(record);
        if (!record->name.empty()) scopes_.declare_tag(record);
        earlier = record;
    }
    record->record_type = earlier->record_type;
    if (!record->has_body) {
        record->definition = earlier->definition;
        warn_availability(record->name_range, earlier->definition ? *earlier->definition : *earlier);
        return earlier->record_type;
    }
    if (earlier->definition) {
        diags_.error(record->name_range, "redefinition of '", record->name, "'")
            .note(earlier->definition->name_range, "previous definition is here");
        return earlier->record_type;
    }
    record->record_type->record = record;
    record_body(*record);
    earlier->definition = record->definition = record;
    return record->record_type;
}

/// Adds the name of `field`, or those that an unnamed member makes members of the record around it (C11
/// 6.7.2.1p13). `member` is the record's own member that has the field. The check of an unnamed member itself
/// has reported names that it has twice.
void Checker::add_member_names(FieldDecl& field, const FieldDecl& member, MemberNames& names) {
    if (field.name.empty()) {
        if (!field.type->is_record() || !field.type->record) return;
        for (FieldDecl* inner : field.type->record->fields) add_member_names(*inner, member, names);
        return;
    }
    auto [earlier, fresh] = names.try_emplace(field.name, &field, &member);
    if (fresh || earlier->second.second == &member) return;
    Diagnostics::Handle handle =
        &field == &member
            ? diags_.error(field.name_range, "duplicate member '", field.name, "'")
            : diags_.error(field.name_range, "member of anonymous ",
                           field.parent->is_union ? "union" : "struct", " redeclares '", field.name, "'");
    handle.note(earlier->second.first->name_range, "previous declaration is here");
}

void Checker::record_body(RecordDecl& record) {
    attributes(record.attributes, kOnRecord);
    record.is_packed = has_attribute(record.attributes, "packed");
    record.align_bytes = aligned_attribute(record.attributes);
    uint32_t index = 0;
    MemberNames names;
    for (FieldDecl* member : record.fields) {
        member->index = index++;
        member->parent = &record;
        field(*member, record);
        add_member_names(*member, *member, names);
    }
    record.definition = &record;
    lay_out(record);
    Type& type = *record.record_type;
    if (type.size_bytes <= kMaxTypeBytes) return;
    diags_.error(record.name_range ? record.name_range : record.range, "type '", &type, "' is too large (",
                 type.size_bytes, " bytes)");
    type.size_bytes = kMaxTypeBytes;
}

void Checker::field(FieldDecl& field, RecordDecl&) {
    note(field);
    TypeInProgress base = specifier_type(*field.specifiers, Where::Field);
    TypeInProgress type = declarator_type(base, field.declarator);
    field.type = type.type;
    SourceRange at = field.name.empty() ? field.range : field.name_range;
    if (field.type->depth >= kMaxTypeDepth) {
        diags_.error(at, "type is nested too deeply");
        field.type = error_type();
        return;
    }
    attributes(*field.specifiers, field.declarator, kOnField);
    field.align_bytes = std::max(aligned_attribute(field.declarator.attributes),
                                 aligned_attribute(field.specifiers->attributes));
    require_alignment(field.type, field.align_bytes,
                      {field.declarator.attributes, field.specifiers->attributes});
    field.is_packed = has_attribute(field.declarator.attributes, "packed") ||
                      has_attribute(field.specifiers->attributes, "packed");
    if (field.bit_width) {  // OpenCL C 6.9c
        diags_.error(at, "bit-fields are not supported in OpenCL");
        field.type = error_type();
    }
    if (field.type->is_error()) return;
    if (type.has_space) {
        diags_.error(at, "field may not be qualified with an address space");
        field.type = in_space(field.type, AddressSpace::Private);
    }
    switch (field.type->kind) {
        case TypeKind::Image:
        case TypeKind::Sampler:
        case TypeKind::Event:
        case TypeKind::BlockPointer:
        case TypeKind::Matrix:
        case TypeKind::Pipe:
            diags_.error(at, "the '", field.type,
                         "' type cannot be used to declare a structure or union field");
            field.type = error_type();
            return;
        case TypeKind::Function:
            diags_.error(at, "field '", field.name, "' declared as a function");
            field.type = error_type();
            return;
        default: break;
    }
    if (field.type->incomplete_array) {  // OpenCL C 6.9d
        diags_.error(at, "flexible array member '", field.name, "' is not supported in OpenCL");
        field.type = error_type();
    } else if (field.type->scalar()->kind == TypeKind::Half && !features_.has(Ext::Fp16)) {
        diags_.error(at, "field of type '", field.type, "' is not allowed without cl_khr_fp16");
        field.type = error_type();
    } else if (!require_complete(field.type, at, "field has incomplete type ")) {
        field.type = error_type();
    }
}

/// The field itself, not a field of an unnamed member. Large records have an index.
FieldDecl* Checker::named_field(const RecordDecl& record, std::string_view name) {
    if (name.empty()) return nullptr;
    if (record.fields.size() <= 16) {
        auto field = std::ranges::find(record.fields, name, &FieldDecl::name);
        return field == record.fields.end() ? nullptr : *field;
    }
    auto [index, is_new] = field_indices_.try_emplace(&record);
    if (is_new)
        for (FieldDecl* field : record.fields) index->second.try_emplace(field->name, field);
    auto found = index->second.find(name);
    return found == index->second.end() ? nullptr : found->second;
}

/// Fills `path` with the unnamed members that lead to the field, the field itself last.
FieldDecl* Checker::find_field(const RecordDecl& record, std::string_view name,
                               std::vector<FieldDecl*>& path) {
    if (FieldDecl* field = named_field(record, name)) {
        path.push_back(field);
        return field;
    }
    for (FieldDecl* field : record.fields) {
        if (!field->name.empty() || !field->type || !field->type->is_record() || !field->type->record)
            continue;
        path.push_back(field);
        if (FieldDecl* found = find_field(*field->type->record, name, path)) return found;
        path.pop_back();
    }
    return nullptr;
}

}  // namespace caldera::frontend
