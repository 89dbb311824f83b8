// SPDX-License-Identifier: Apache-2.0
// What modules see of each other: symbols, and the calling convention of clang for spir64, so that our
// objects link with those of the LLVM translator. A struct argument is a pointer to the callee's own copy
// (ByVal), a struct result is written through a pointer that comes first (Sret). Functions that stay inside a
// module take and return values, which cost no memory.
#include <algorithm>

#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

const FunctionDecl* canonical(const FunctionDecl& decl) { return decl.canonical ? decl.canonical : &decl; }

bool Emitter::is_exported(const FunctionDecl& decl) const {
    const FunctionDecl& first = *canonical(decl);
    return options_.export_functions && first.definition && first.storage != StorageClass::Static &&
           first.is_external_definition && !first.is_kernel && !first.block && !takes_blocks(first);
}

Id Emitter::function_id(const FunctionDecl& decl) {
    const FunctionDecl* first = canonical(decl);
    FunctionInfo& info = function_info(decl);
    if (current_) current_->callees.insert(first);
    if (info.queued) return info.id;
    info.queued = true;
    if (info.definition)
        queue_.push_back(first);
    else
        import_function(decl, info.id);
    return info.id;
}

std::string Emitter::symbol(const FunctionDecl& decl) const {
    if (!decl.is_overloadable) return std::string(decl.name);
    return builtin::mangle(decl.name, decl.type->params, decl.enable_key);
}

void Emitter::decorate_linkage(Id id, std::string_view name, spv::LinkageType linkage) {
    Operands operands;
    spirv::append_string(operands, name);
    operands.push_back(linkage);
    b_.decorate(id, spv::Decoration::LinkageAttributes, std::move(operands));
}

void Emitter::declare_import(std::string_view name, Id id, Id result, std::span<const Id> params) {
    spirv::Function function;
    function.def = {.op = spv::Op::OpFunction,
                    .type = result,
                    .result = id,
                    .operands = {spv::FunctionControlMask::MaskNone, b_.type_function(result, params)}};
    for (const Id param : params)
        function.params.push_back({.op = spv::Op::OpFunctionParameter, .type = param, .result = b_.fresh()});
    b_.name(id, name);
    decorate_linkage(id, name, spv::LinkageType::Import);
    imports_.push_back(std::move(function));
}

void Emitter::import_function(const FunctionDecl& decl, Id id) {
    declare_import(symbol(decl), id, result_type(decl), param_types(decl));
    const std::vector<spirv::Instruction>& params = imports_.back().params;
    const size_t first = result_by_reference(decl) ? 1 : 0;
    if (first) result_place(decl, params[0].result);
    for (size_t i = 0; i < decl.params.size(); ++i)
        decorate_parameter(decl, *decl.params[i], params[first + i].result);
}

// ---- The calling convention ----

/// A kernel's struct argument is a pointer to a copy too.
bool Emitter::by_reference(const FunctionDecl& decl, const QualType& param) {
    return param->is_record() && (canonical(decl)->is_kernel || function_info(decl).external);
}

bool Emitter::result_by_reference(const FunctionDecl& decl) { return by_reference(decl, decl.type->element); }

Id Emitter::result_type(const FunctionDecl& decl) {
    return result_by_reference(decl) ? b_.type_void() : value_type(decl.type->element);
}

Id Emitter::param_type(const FunctionDecl& decl, const QualType& param) {
    return by_reference(decl, param) ? pointer_to(AddressSpace::Private, param) : value_type(param);
}

std::vector<Id> Emitter::param_types(const FunctionDecl& decl) {
    std::vector<Id> types;
    const FunctionInfo& info = function_info(decl);
    const FunctionDecl& function = info.definition ? *info.definition : decl;
    if (function.block) types.push_back(block_pointer_type());
    if (result_by_reference(decl)) types.push_back(pointer_to(AddressSpace::Private, decl.type->element));
    if (!function.params.empty() || function.type->params.empty()) {
        for (const VarDecl* param : function.params) types.push_back(param_type(function, param->type));
    } else {  // declared through a typedef of a function type
        for (const QualType& param : function.type->params) types.push_back(param_type(function, param));
    }
    return types;
}

/// The place where a function with an Sret parameter stores its result.
Place Emitter::result_place(const FunctionDecl& decl, Id param) {
    const QualType type = decl.type->element.unqualified();
    b_.decorate(param, spv::Decoration::FuncParamAttr, {spv::FunctionParameterAttribute::Sret});
    b_.decorate(param, spv::Decoration::Alignment, {type->align_bytes});
    return {.pointer = param, .type = type, .align = type->align_bytes};
}

void Emitter::decorate_parameter(const FunctionDecl& decl, const VarDecl& param, Id id) {
    using spv::Decoration;
    const Type* type = param.type.type;
    auto attribute = [&](spv::FunctionParameterAttribute value) {
        b_.decorate(id, Decoration::FuncParamAttr, {value});
    };
    if (by_reference(decl, param.type)) {
        attribute(spv::FunctionParameterAttribute::ByVal);
        b_.decorate(id, Decoration::Alignment, {type->align_bytes});
    }
    if (type->is_integer() && type->size_bytes < 4)
        attribute(is_signed(type) ? spv::FunctionParameterAttribute::Sext
                                  : spv::FunctionParameterAttribute::Zext);
    if (!type->is_pointer()) return;
    const QualType& pointee = type->element;
    if (canonical(decl)->is_kernel)
        b_.decorate(id, Decoration::Alignment, {std::max(1u, pointee.align_bytes())});
    if (param.type.is_restrict) {
        attribute(spv::FunctionParameterAttribute::NoAlias);
        b_.decorate(id, Decoration::Restrict);
    }
    if (pointee.is_const || pointee.space == AddressSpace::Constant)
        attribute(spv::FunctionParameterAttribute::NoWrite);
    if (pointee.is_volatile) b_.decorate(id, Decoration::Volatile);
}

}  // namespace caldera::frontend
