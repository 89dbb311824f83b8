// SPDX-License-Identifier: Apache-2.0
// Images, samplers and access qualifiers: what may be declared of them (OpenCL C 6.6, 6.9b, 6.13.14).
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

bool is_multisampled(ImageKind kind) {
    return image_name(kind).find("msaa") != std::string_view::npos;  // no other name has the word
}

}  // namespace

/// read_only, write_only or read_write, written here or in a typedef. Images without one are read_only.
void Checker::access_qualifier(const Specifiers& spec, QualType& type) {
    const bool image = type->kind == TypeKind::Image;
    if (spec.access != Access::None && !image && type->kind != TypeKind::Pipe) {
        if (!type->is_error())
            diags_.error(spec.access_range, "access qualifier can only be used for pipe and image type");
        return;
    }
    if (!spec.is_pipe && spec.access != Access::None &&
        type.access != Access::None) {  // a typedef has said it
        if (type.access != spec.access) {
            diags_.error(spec.access_range, "multiple access qualifiers");
        } else {
            const uint32_t length = spec.access_range.end.offset - spec.access_range.begin.offset;
            const std::string_view name = spelling(spec.access);
            diags_.warning(Warning::DuplicateDeclSpecifier, spec.access_range, "duplicate '",
                           length > name.size() ? "__" : "", name, "' declaration specifier");
        }
        return;
    }
    if (spec.access == Access::ReadWrite && !image) {  // OpenCL C 6.13.16
        diags_.error(spec.access_range, "access qualifier 'read_write' can not be used for '", type, "'");
        return;
    }
    if (spec.access != Access::None) type.access = spec.access;
    if (!image) return;
    if (type.access == Access::None) type.access = Access::ReadOnly;
    if (type.access == Access::ReadWrite && !features_.has(Ext::ReadWriteImages)) {
        diags_.error(spec.access_range, "access qualifier 'read_write' can not be used for '", type,
                     "' prior to OpenCL C version 2.0 or in version 3.0 and without "
                     "__opencl_c_read_write_images feature");
        type = error_type();
    }
}

/// Checks that the device supports the image or sampler that the type names (checklist 1.1.3-10).
void Checker::require_image_support(const Specifiers& spec, QualType& type) {
    const bool image = type->kind == TypeKind::Image;
    if (!image && type->kind != TypeKind::Sampler) return;
    std::vector<Ext> needs = {Ext::Images};
    if (image && is_multisampled(type->image)) needs.push_back(Ext::GlMsaaSharing);
    if (image && type->image == ImageKind::Image3D && type.access == Access::WriteOnly)
        needs.push_back(Ext::ImageWrites3D);
    for (const Ext need : needs) {
        if (features_.has(need)) continue;
        diags_.error(spec.base_range, "use of type '", type, "' requires ", macro_name(need), " support");
        type = error_type();
        return;
    }
}

/// Checks where a sampler variable may be declared (OpenCL C 6.9b, 6.13.14.1).
bool Checker::sampler_variable(const VarDecl& var) {
    const AddressSpace space = var.type.space;
    if (space == AddressSpace::Global || space == AddressSpace::Local) {
        diags_.error(var.name_range,
                     "sampler type cannot be used with the __local and __global address space qualifiers");
        return false;
    }
    if (var.is_file_scope && !var.type.is_const && space != AddressSpace::Constant) {
        diags_.error(var.name_range, "global sampler requires a const or constant address space qualifier");
        return false;
    }
    return true;
}

/// Converts an integer to a sampler. It must have the fields of a literal sampler, all known at compile time
/// (6.13.14.1).
Expr* Checker::to_sampler(Expr* e, Action action, SourceRange at) {
    if (e->type->size_bytes != 4 || e->type->kind == TypeKind::Bool) {
        diags_.error(at, "sampler_t initialization requires 32-bit integer, not '", e->type, "'");
        return error_expr(*e);
    }
    const std::optional<uint64_t> bits = evaluate_integer(*e);
    if (!bits) {
        diags_
            .error(expr_place(*e), action == Action::Init ? "initializer element" : "sampler argument",
                   " is not a compile-time constant")
            .highlight(e->range);
        return error_expr(*e);
    }
    const auto warn = [&](std::string_view field) {
        diags_
            .warning(Warning::SamplerBits, expr_place(*e), "sampler initializer has invalid ", field,
                     " Mode bits")
            .highlight(e->range);
    };
    if ((*bits & 0xe) > 0x8) warn("Addressing");  // CLK_ADDRESS_MIRRORED_REPEAT is the last
    const uint64_t filter = *bits & 0x30;
    if (action == Action::Init && filter != 0x10 && filter != 0x20) warn("Filter");  // nearest, linear
    return cast(to_arithmetic(e, types_.scalar(TypeKind::UInt)), CastKind::IntToSampler,
                {.type = types_.scalar(TypeKind::Sampler)});
}

}  // namespace caldera::frontend
