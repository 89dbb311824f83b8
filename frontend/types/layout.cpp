// SPDX-License-Identifier: Apache-2.0
// Layout of structs and unions (OpenCL C 6.11.1, 6.2.5; C99 6.7.2.1).
#include <algorithm>

#include "frontend/ast/ast.h"
#include "frontend/types/type.h"
#include "spirv/support/align.h"

namespace caldera::frontend {

namespace {

// packed removes a field's natural alignment, and aligned(N) raises it. If both are given, only aligned(N)
// counts. #pragma pack(N) limits both, as in clang.
uint64_t field_alignment(const RecordDecl& record, const FieldDecl& field) {
    bool packed = record.is_packed || field.is_packed;
    uint64_t natural = packed ? 1 : field.type.align_bytes();
    uint64_t wanted = std::max<uint64_t>(natural, field.align_bytes);
    return record.pack_bytes ? std::min<uint64_t>(wanted, record.pack_bytes) : wanted;
}

}  // namespace

void lay_out(RecordDecl& record) {
    uint64_t size = 0, alignment = std::max<uint64_t>(record.align_bytes, 1);
    uint32_t depth = 0;
    for (FieldDecl* field : record.fields) {
        if (!field->type) continue;
        uint64_t align = field_alignment(record, *field);
        field->offset_bytes = record.is_union ? 0 : align_up(size, align);
        size = std::max(size, field->offset_bytes + field->type->size_bytes);
        alignment = std::max(alignment, align);
        depth = std::max(depth, field->type->depth);
    }
    Type& type = *record.record_type;
    type.depth = depth + 1;
    type.size_bytes = align_up(size, alignment);
    type.align_bytes = static_cast<uint32_t>(alignment);
    type.laid_out = true;
}

}  // namespace caldera::frontend
