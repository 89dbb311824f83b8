// SPDX-License-Identifier: Apache-2.0
// Specifiers and declarators to types (C99 6.7.2 to 6.7.6, OpenCL C 6.5).
//
// The elements of an array have its qualifiers and its address space, and the QualType of the array repeats
// them. So both `a` and `a[i]` have them.
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

QualType Checker::qualified(QualType type, bool is_const, bool is_volatile, bool is_restrict) {
    if (!is_const && !is_volatile && !is_restrict) return type;
    if (type->is_array()) {  // C99 6.7.3p8: the elements are qualified, not the array
        QualType element = qualified(type->element, is_const, is_volatile, is_restrict);
        type.type =
            type->incomplete_array ? types_.incomplete_array(element) : types_.array(element, type->count);
    }
    type.is_const |= is_const;
    type.is_volatile |= is_volatile;
    type.is_restrict |= is_restrict;
    return type;
}

QualType Checker::in_space(QualType type, AddressSpace space) {
    if (type.type->is_array()) {
        QualType element = in_space(type->element, space);
        if (!(element == type->element))
            type.type = type->incomplete_array ? types_.incomplete_array(element)
                                               : types_.array(element, type->count);
    }
    type.space = space;
    return type;
}

AddressSpace Checker::default_pointee_space() const {
    return has_generic_space() ? AddressSpace::Generic : AddressSpace::Private;  // OpenCL C 6.5.5
}

TypeInProgress Checker::base_type(Specifiers& spec, Where where) {
    if (spec.builtin) return {{.type = spec.builtin}, false};
    if (!spec.typedef_name.empty()) {
        auto* decl = dyn<TypedefDecl>(scopes_.find(spec.typedef_name));
        if (!decl)
            return {error_type(), false};  // parse/ knows the names of types: its declaration was faulty
        decl->is_used = true;
        use(spec.base_range, *decl);
        return {decl->type, typedefs_with_space_.count(decl) != 0};
    }
    if (spec.record) return {{.type = record_mention(spec.record, where, false)}, false};
    if (spec.enumeration) return {{.type = enum_mention(spec.enumeration, where)}, false};
    if (spec.is_auto_type) {
        diags_.error(spec.base_range, "'__auto_type' not allowed here");
        return {error_type(), false};
    }
    if (spec.typeof_type) {
        QualType type = type_name(spec.typeof_type);
        return {type, type.space != AddressSpace::Private};
    }
    if (spec.typeof_expr) {
        ++unevaluated_;
        spec.typeof_expr = expr(spec.typeof_expr);
        --unevaluated_;
        if (is_error(spec.typeof_expr)) return {error_type(), false};
        return {spec.typeof_expr->type, spec.typeof_expr->type.space != AddressSpace::Private};
    }
    return {error_type(), false};  // reported by parse/
}

TypeInProgress Checker::specifier_type(Specifiers& spec, Where where) {
    if (&spec == last_specifiers_) return last_type_;  // `int a, b;` shares its specifiers
    TypeInProgress base = base_type(spec, where);
    if (base.type->is_error()) {
        last_specifiers_ = &spec;
        return last_type_ = base;
    }
    const Type* scalar = base.type->scalar();
    if (scalar->kind == TypeKind::Double && !features_.has(Ext::Fp64)) {
        diags_.error(spec.base_range, "use of type '", base.type,
                     "' requires cl_khr_fp64 and __opencl_c_fp64 support");
        base.type = error_type();
    }
    if (spec.is_pipe) base.type = pipe_of(spec, base.type);
    TypeKind kind = base.type->kind;
    access_qualifier(spec, base.type);
    if (spec.builtin) require_image_support(spec, base.type);
    if (base.type->is_error()) kind = TypeKind::Error;
    if (spec.is_restrict && !base.type->is_pointer() && kind != TypeKind::Error)
        diags_.error(spec.range, "restrict requires a pointer or reference ('", base.type, "' is invalid)");
    base.type =
        qualified(base.type, spec.is_const, spec.is_volatile, spec.is_restrict && base.type->is_pointer());
    if (spec.has_space) {
        if (base.has_space && base.type.space != spec.space)  // one of them out of a typedef
            diags_.error(spec.space_range, "multiple address spaces specified for type");
        base.type = in_space(base.type, spec.space);
        base.has_space = true;
    }
    base = type_attributes(base, spec.attributes);
    last_specifiers_ = &spec;
    return last_type_ = base;
}

/// OpenCL C 6.13.16: packets are scalars, vectors or records of them.
QualType Checker::pipe_of(const Specifiers& spec, const QualType& packet) {
    if (!features_.has(Ext::Pipes)) {
        diags_.error(spec.pipe_range, "OpenCL C version 3.0 does not support the 'pipe' type qualifier");
        return error_type();
    }
    if (!packet->is_arithmetic_or_vector() && !packet->is_record()) {
        diags_.error(spec.base_range, "pipe packets cannot have type '", packet, "'");
        return error_type();
    }
    return {.type = types_.pipe({.type = packet.type}), .access = Access::ReadOnly};
}

TypeInProgress Checker::declarator_type(TypeInProgress base, Declarator& declarator) {
    TypeInProgress lifted = {};  // the space in `constant int (^b)(int)`, which is b's
    for (size_t i = declarator.chunks.size(); i-- > 0;) {
        DeclaratorChunk& chunk = declarator.chunks[i];
        if (base.type->depth >= kMaxTypeDepth) {
            diags_.error(chunk.range, "type is nested too deeply");
            base = {error_type(), false};
        }
        if (base.type->is_error() && chunk.kind != ChunkKind::Function) continue;
        switch (chunk.kind) {
            case ChunkKind::Pointer: base = pointer_to(base, chunk, declarator); break;
            case ChunkKind::Block: base = block_pointer_to(base, chunk, lifted); break;
            case ChunkKind::Array: base = array_of(base, chunk, declarator); break;
            case ChunkKind::Function:
                lifted = {};
                if (i > 0 && declarator.chunks[i - 1].kind == ChunkKind::Block) {
                    lifted = {{.space = base.type.space}, base.has_space};
                    base = {base.type.with_space(AddressSpace::Private), false};
                }
                base = function_returning(base, chunk, declarator);
                break;
        }
    }
    return type_attributes(base, declarator.attributes);
}

namespace {
SourceRange place_of(const Declarator& declarator, SourceRange otherwise) {
    return declarator.name.empty() ? otherwise : declarator.name_range;
}
}  // namespace

TypeInProgress Checker::pointer_to(TypeInProgress base, const DeclaratorChunk& chunk,
                                   const Declarator& declarator) {
    SourceRange at = place_of(declarator, chunk.range);
    switch (base.type->kind) {
        case TypeKind::Function:  // OpenCL C 6.9a
            diags_.error(chunk.range, "pointers to functions are not allowed");
            return {error_type(), false};
        case TypeKind::Image:
        case TypeKind::Sampler:
        case TypeKind::BlockPointer:
        case TypeKind::Matrix:
        case TypeKind::Pipe:
            diags_.error(at, "pointer to type '", base.type, "' is invalid in OpenCL");
            return {error_type(), false};
        default: break;
    }
    if (!base.has_space) base.type = in_space(base.type, default_pointee_space());
    QualType pointer = {.type = types_.pointer(base.type),
                        .is_const = chunk.is_const,
                        .is_volatile = chunk.is_volatile,
                        .is_restrict = chunk.is_restrict};
    if (chunk.has_space) pointer.space = chunk.space;
    return type_attributes({pointer, chunk.has_space}, chunk.attributes);
}

TypeInProgress Checker::block_pointer_to(TypeInProgress base, const DeclaratorChunk& chunk,
                                         const TypeInProgress& space) {
    if (!require_blocks(chunk.range)) return {error_type(), false};
    if (!base.type->is_function()) {
        diags_.error(chunk.range, "block pointer to non-function type is invalid");
        return {error_type(), false};
    }
    if (base.type->variadic) return {error_type(), false};  // reported
    return {{.type = types_.block_pointer(base.type->element, base.type->params),
             .is_const = true,
             .is_volatile = chunk.is_volatile,
             .space = space.type.space},
            space.has_space};
}

TypeInProgress Checker::array_of(TypeInProgress base, DeclaratorChunk& chunk, const Declarator& declarator) {
    SourceRange at = place_of(declarator, chunk.range);
    TypeInProgress bad = {error_type(), false};
    switch (base.type->kind) {
        case TypeKind::Function:
            diags_.error(at, "'", declarator.name, "' declared as array of functions of type '", base.type,
                         "'");
            return bad;
        case TypeKind::Image:
        case TypeKind::Sampler:
        case TypeKind::Pipe:
        case TypeKind::BlockPointer:
            diags_.error(chunk.range, "array of '", base.type, "' type is invalid in OpenCL");
            return bad;
        default: break;
    }
    if (!require_complete(base.type, at, "array has incomplete element type ")) return bad;
    if (chunk.is_star) {
        diags_.error(chunk.range, "variable length arrays are not supported in OpenCL");
        return bad;
    }
    if (!chunk.size)
        return {{.type = types_.incomplete_array(base.type), .space = base.type.space}, base.has_space};

    chunk.size = value(chunk.size);
    const Expr& size = *chunk.size;
    if (is_error(&size)) return bad;
    if (!size.type->is_integer()) {
        diags_.error(size.range, "size of array has non-integer type '", size.type, "'");
        return bad;
    }
    const std::optional<uint64_t> count = evaluate_strictly(size) ? evaluate_as_long(size) : std::nullopt;
    if (!count) {
        diags_.error(size.range, "variable length arrays are not supported in OpenCL");
        return bad;
    }
    if (size.type->is_signed() && static_cast<int64_t>(*count) < 0) {
        diags_.error(size.range, declarator.name.empty() ? std::string("array size is negative")
                                                         : "'" + std::string(declarator.name) +
                                                               "' declared as an array with a negative size");
        return bad;
    }
    if (*count == 0)
        diags_.warning(Warning::ZeroLengthArray, size.range, "zero size arrays are an extension");
    if (*count > kMaxTypeBytes / std::max<uint64_t>(1, base.type->size_bytes)) {
        diags_.error(size.range, "array is too large (", *count, " elements)");
        return bad;
    }
    return {{.type = types_.array(base.type, *count),
             .is_const = base.type.is_const,
             .is_volatile = base.type.is_volatile,
             .space = base.type.space},
            base.has_space};
}

TypeInProgress Checker::function_returning(TypeInProgress base, DeclaratorChunk& chunk,
                                           const Declarator& declarator) {
    SourceRange at = place_of(declarator, chunk.range);
    QualType result = base.type;
    if (result->is_array() || result->is_function()) {
        diags_.error(chunk.range, "function cannot return ", result->is_array() ? "array" : "function",
                     " type '", result, "'");
        result = error_type();
    } else if (base.has_space && !result->is_error()) {  // OpenCL C 6.5: a result is no object
        diags_.error(at, "return value cannot be qualified with address space");
    } else if (result->kind == TypeKind::Image || result->kind == TypeKind::Sampler ||
               result->kind == TypeKind::BlockPointer || result->kind == TypeKind::Pipe) {
        diags_.error(at, "declaring function return value of type '", result, "' is not allowed");
        result = error_type();
    } else if (is_storage_only(result.type)) {
        diags_.error(at, "declaring function return value of type '", result,
                     "' is not allowed; did you forget * ?");
        result = error_type();
    }
    const bool reserved = declarator.name.starts_with("__") ||
                          (declarator.name == "printf" && at_least(Standard::CL12));  // as in clang
    if (chunk.variadic && !reserved)
        diags_.error(at, "invalid prototype, variadic arguments are not allowed in OpenCL");

    scopes_.push();
    std::vector<VarDecl*> kept;
    std::vector<QualType> params;
    for (VarDecl* param : chunk.params) {
        parameter(*param);
        if (param->type->is_void()) {
            if (chunk.params.size() == 1 && param->name.empty()) {  // (void)
                const Specifiers& spec = *param->specifiers;
                if (spec.is_const || spec.is_volatile || spec.is_restrict || spec.has_space)
                    diags_.error(param->range, "'void' as parameter must not have type qualifiers");
                break;
            }
            SourceRange after = {param->range.end, param->range.end};
            diags_.error(param->name.empty() ? after : param->name_range,
                         chunk.params.size() == 1
                             ? "argument may not have 'void' type"
                             : "'void' must be the first and only parameter if specified");
            param->type = error_type();
        }
        kept.push_back(param);
        params.push_back(param->type);
    }
    scopes_.pop();
    chunk.params = arena_.copy(kept);
    for (QualType& param : params) param = {.type = param.type, .access = param.access};
    QualType returned = {.type = result.type};
    return {{.type = types_.function(returned, arena_.copy(params), chunk.variadic)}, false};
}

QualType Checker::type_name(TypeName* name) {
    if (name->type) return name->type;
    TypeInProgress base = specifier_type(*name->specifiers, Where::TypeName);
    return name->type = declarator_type(base, name->declarator).type;
}

bool has_attribute(std::span<const Attribute> attributes, std::string_view name) {
    return std::ranges::find(attributes, name, &Attribute::name) != attributes.end();
}

/// More than any device supports. Larger requests are treated as this one.
static constexpr uint64_t kMaxAlign = uint64_t{1} << 20;

/// aligned(N) in bytes; without N 16, as clang has it for spir64; 0 when not written, and for `_Alignas(0)`
/// (C11 6.7.5p6).
uint32_t Checker::aligned_attribute(std::span<Attribute> attributes) {
    uint32_t align = 0;
    for (Attribute& attribute : attributes) {
        if (attribute.name != "aligned") continue;
        if (attribute.args.empty()) {
            align = std::max(align, 16u);
            continue;
        }
        if (attribute.args.size() > 1) continue;  // reported
        attribute.args[0] = value(attribute.args[0]);
        if (is_error(attribute.args[0])) continue;
        auto bytes = evaluate_strictly(*attribute.args[0]);
        if (!bytes) {
            diags_.error(attribute.args[0]->range, "'aligned' attribute requires integer constant");
        } else if (*bytes == 0 && attribute.is_alignas) {
            continue;
        } else if (*bytes == 0 || (*bytes & (*bytes - 1))) {
            diags_.error(attribute.range, "requested alignment is not a power of 2")
                .highlight(attribute.args[0]->range);
        } else {
            align = std::max(align, static_cast<uint32_t>(std::min(*bytes, kMaxAlign)));
        }
    }
    return align;
}

/// C11 6.7.5p4: `_Alignas` does not make the alignment of an object of this type smaller.
void Checker::require_alignment(const QualType& type, uint32_t align,
                                std::initializer_list<std::span<const Attribute>> lists) {
    if (type->is_error() || align == 0 || align >= type->align_bytes) return;
    for (const std::span<const Attribute> list : lists)
        for (const Attribute& attribute : list)
            if (attribute.is_alignas)
                return void(diags_.error(attribute.range,
                                         "requested alignment is less than minimum alignment of ",
                                         type->align_bytes, " for type '", type, "'"));
}

/// C11 6.7.5p2: `_Alignas` aligns variables and fields alone.
void Checker::refuse_alignas(std::span<const Attribute> attributes, std::string_view message) {
    for (const Attribute& attribute : attributes)
        if (attribute.is_alignas)
            return void(diags_.error(attribute.range, "'_Alignas' attribute ", message));
}

bool Checker::require_complete(const QualType& type, SourceRange range, std::string_view message) {
    if (type->is_error()) return false;
    const Type* element = type.type;
    while (element->is_array() && !element->incomplete_array) element = element->element.type;
    if (element->is_complete()) return true;
    note_incomplete(diags_.error(range, message, "'", type, "'"), element);
    return false;
}

}  // namespace caldera::frontend
