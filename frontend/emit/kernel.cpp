// SPDX-License-Identifier: Apache-2.0
// Functions, kernels and what the module says of them (OpenCL C 6.7, 6.9).
#include <algorithm>

#include "frontend/emit/emitter_impl.h"
#include "frontend/lint/flow_graph.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

namespace {

bool has_attribute(const FunctionDecl& decl, std::string_view name) {
    auto any = [&](std::span<Attribute> attributes) {
        return std::any_of(attributes.begin(), attributes.end(),
                           [&](const Attribute& attribute) { return attribute.name == name; });
    };
    return (decl.specifiers && any(decl.specifiers->attributes)) || any(decl.declarator.attributes);
}

SourceRange closing_brace(const CompoundStmt& body) {
    if (!body.range.end) return {};
    return {.begin = {body.range.end.offset - 1}, .end = body.range.end};
}

}  // namespace

bool is_opaque(const Type* type) {
    switch (type->kind) {
        case TypeKind::Image:
        case TypeKind::Sampler:
        case TypeKind::Pipe: return true;
        default: return false;
    }
}

FunctionInfo& Emitter::function_info(const FunctionDecl& decl) {
    const FunctionDecl* first = canonical(decl);
    auto [found, is_new] = functions_.try_emplace(first);
    FunctionInfo& info = found->second;
    if (is_new) {
        info.id = b_.fresh();
        info.definition = first->definition ? first->definition : decl.definition;
        if (!info.definition && decl.body) info.definition = &decl;
        check(!info.definition || info.definition->body,
              "a function that a kernel reaches has lost its body");
        info.external = !first->is_kernel && (!info.definition || is_exported(*first));
        info.no_contraction = !info.definition && options_.fp_contract != FpContract::Fast;
    }
    return info;
}

spv::FunctionControlMask Emitter::function_control(const FunctionDecl& decl) const {
    auto control = spv::FunctionControlMask::MaskNone;
    if (has_attribute(decl, "noinline")) return spv::FunctionControlMask::DontInline;
    if (decl.is_inline || has_attribute(decl, "always_inline")) control = spv::FunctionControlMask::Inline;
    if (has_attribute(decl, "const")) control = control | spv::FunctionControlMask::Const;
    return control;
}

/// Calls of functions with `error` or `warning`, but for those that constant conditions leave out.
void Emitter::report_marked_calls(const FunctionDecl& decl) {
    const FlowGraph graph = flow_graph(decl);
    const std::vector<bool> reachable = graph.reachable();
    for (size_t i = 0; i < graph.blocks.size(); ++i) {
        if (!reachable[i]) continue;
        for (const CallExpr* call : graph.blocks[i].marked_calls) {
            const Attribute& attribute = *call->function->call_message;
            const auto* text = dyn<StringLiteralExpr>(strip_parens(attribute.args[0]));
            const std::string message = "call to " + std::string(call->function->name) + " declared with '" +
                                        std::string(attribute.name) +
                                        "' attribute: " + std::string(text->value);
            if (attribute.name == "error")
                diags_.error(call->range, message);
            else
                diags_.warning(Warning::MarkedCall, call->range, message);
        }
    }
}

void Emitter::emit_function(FunctionInfo& info) {
    const FunctionDecl& decl = *info.definition;
    current_ = &info;
    locals_.clear();
    labels_.clear();
    case_labels_.clear();
    opaque_params_.clear();
    bind_blocks(info);
    jumps_.clear();
    booleans_.clear();
    std::erase_if(literals_, [](const auto& entry) { return !entry.first->is_file_scope; });
    const BodyFacts facts = examine(*decl.body);
    structured_ = !facts.unstructured;
    info.no_contraction = facts.no_contraction;

    if (info.definition->calls_marked) report_marked_calls(decl);
    if (debug_) debug_->begin_function(decl, symbol(decl), info.id);
    at(decl.name_range);
    const Id result = result_type(decl);
    const std::vector<Id> types = param_types(decl);
    b_.begin_function(result, b_.type_function(result, types), function_control(decl), info.id);
    b_.name(info.id, symbol(decl));  // consumers take the name for the function
    parameters(decl);
    compound(*decl.body);
    if (b_.block_open()) {
        if (debug_) at(closing_brace(*decl.body));
        if (decl.type->element->is_void() || info.result.pointer)
            b_.return_();
        else  // only reached by programs that do not use the value (C99 6.9.1p12)
            b_.return_value(b_.undef(result));
    }
    b_.end_function();
    b_.set_line({});
    if (debug_) debug_->end_function();
    if (!structured_) order_blocks(b_.function());
    current_ = nullptr;
}

void Emitter::parameters(const FunctionDecl& decl) {
    std::vector<Id> ids;
    const Id descriptor = decl.block ? b_.param(block_pointer_type()) : Id{};
    if (descriptor) b_.name(descriptor, ".block_descriptor");
    if (result_by_reference(decl)) {
        current_->result =
            result_place(decl, b_.param(pointer_to(AddressSpace::Private, decl.type->element)));
        b_.name(current_->result.pointer, "agg.result");
    }
    for (const VarDecl* param : decl.params) {
        const Id id = b_.param(param_type(decl, param->type));
        if (!param->name.empty()) b_.name(id, param->name);
        decorate_parameter(decl, *param, id);
        ids.push_back(id);
    }
    b_.begin_block(b_.fresh());
    if (decl.block) load_captures(*decl.block, descriptor);
    for (size_t i = 0; i < ids.size(); ++i) {
        const VarDecl& param = *decl.params[i];
        if (by_reference(decl, param.type)) {
            locals_[&param] = {.pointer = ids[i], .type = param.type, .align = param.type->align_bytes};
            if (debug_) debug_->declare(param, ids[i]);
        } else if (is_opaque(param.type.type)) {
            opaque_params_[&param] = ids[i];
            if (debug_) debug_->value(param, ids[i]);
        } else {
            store(variable_place(param), ids[i]);
        }
    }
}

// ---- Kernels ----

std::vector<const FunctionInfo*> Emitter::reached(const FunctionDecl& decl) {
    std::vector<const FunctionDecl*> decls = {canonical(decl)};
    std::unordered_set<const FunctionDecl*> seen = {canonical(decl)};
    std::vector<const FunctionInfo*> infos;
    for (size_t i = 0; i < decls.size(); ++i) {
        infos.push_back(&functions_[decls[i]]);
        for (const FunctionDecl* callee : infos.back()->callees)
            if (seen.insert(callee).second) decls.push_back(callee);
    }
    return infos;
}

std::vector<Id> Emitter::reached_inputs(const FunctionDecl& decl) {
    std::vector<Id> inputs;
    for (const FunctionInfo* info : reached(decl))
        for (const Id input : info->inputs)
            if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
    std::sort(inputs.begin(), inputs.end());
    return inputs;
}

/// An entry point must not be called (SPIR-V 2.16.1), so a kernel that other functions call gets a separate
/// entry point.
Id Emitter::wrapper(const FunctionDecl& decl) {
    const FunctionInfo& info = function_info(decl);
    const std::vector<Id> types = param_types(decl);
    const Id result = b_.type_void();
    const Id id = b_.begin_function(result, b_.type_function(result, types));
    b_.name(id, decl.name);
    Operands operands = {info.id};
    for (size_t i = 0; i < types.size(); ++i) {
        const Id param = b_.param(types[i]);
        if (!decl.params[i]->name.empty()) b_.name(param, decl.params[i]->name);
        decorate_parameter(decl, *decl.params[i], param);
        operands.push_back(param);
    }
    b_.begin_block(b_.fresh());
    b_.append(spv::Op::OpFunctionCall, result, std::move(operands));
    b_.return_();
    b_.end_function();
    return id;
}

void Emitter::interface_inputs(const FunctionDecl& decl, spirv::Instruction& entry_point) {
    for (const Id input : reached_inputs(decl)) entry_point.operands.push_back(input);
    if (module_.version >= 0x00010400)  // all module-scope variables from SPIR-V 1.4 on
        for (const spirv::Instruction& global : module_.globals)
            if (global.op == spv::Op::OpVariable &&
                global.word(0) != static_cast<uint32_t>(spv::StorageClass::Input))
                entry_point.operands.push_back(global.result);
}

void Emitter::entry_points(std::span<const FunctionDecl* const> kernels) {
    std::unordered_set<const FunctionDecl*> called;
    for (const auto& [function, info] : functions_) called.insert(info.callees.begin(), info.callees.end());
    for (const FunctionDecl* kernel : kernels) entry_point(*kernel, called.contains(canonical(*kernel)));
}

void Emitter::entry_point(const FunctionDecl& decl, bool called) {
    const Id entry = called ? wrapper(decl) : function_info(decl).id;
    spirv::Instruction inst{.op = spv::Op::OpEntryPoint, .operands = {spv::ExecutionModel::Kernel, entry}};
    spirv::append_string(inst.operands, decl.name);
    interface_inputs(decl, inst);
    module_.entry_points.push_back(std::move(inst));
    execution_modes(decl, entry);
    if (options_.kernel_arg_info) argument_info(decl);
}

namespace {

/// SPIR-V's encoding of vec_type_hint: lanes above, the kind of element below.
uint32_t vector_hint(const Type* type) {
    uint32_t element = 0;
    switch (type->scalar()->kind) {
        case TypeKind::Char:
        case TypeKind::UChar: element = 0; break;
        case TypeKind::Short:
        case TypeKind::UShort: element = 1; break;
        case TypeKind::Int:
        case TypeKind::UInt: element = 2; break;
        case TypeKind::Long:
        case TypeKind::ULong: element = 3; break;
        case TypeKind::Half: element = 4; break;
        case TypeKind::Float: element = 5; break;
        default: element = 6; break;
    }
    return type->lanes() << 16 | element;
}

}  // namespace

void Emitter::execution_modes(const FunctionDecl& decl, Id entry) {
    auto mode = [&](spv::ExecutionMode which, Operands params) {
        spirv::Instruction inst{.op = spv::Op::OpExecutionMode, .operands = {entry, which}};
        inst.operands.insert(inst.operands.end(), params.begin(), params.end());
        module_.execution_modes.push_back(std::move(inst));
    };
    const KernelAttributes& attributes = decl.kernel;
    const uint32_t* size = attributes.required_size;
    if (attributes.has_required_size) mode(spv::ExecutionMode::LocalSize, {size[0], size[1], size[2]});
    const uint32_t* hint = attributes.size_hint;
    if (attributes.has_size_hint) mode(spv::ExecutionMode::LocalSizeHint, {hint[0], hint[1], hint[2]});
    if (attributes.vec_type_hint) {
        mode(spv::ExecutionMode::VecTypeHint, {vector_hint(attributes.vec_type_hint)});
        if (attributes.vec_type_hint->is_integer_or_vector() && !attributes.vec_type_hint->is_signed())
            b_.string("vec_type_hint." + std::string(decl.name) + "." +  // the mode has no sign
                      to_string(QualType{.type = attributes.vec_type_hint}));
    }
    if (const uint32_t sub_group = attributes.required_sub_group_size) {
        if (module_.version >= 0x00010100) {
            mode(spv::ExecutionMode::SubgroupSize, {sub_group});
            b_.capability(spv::Capability::SubgroupDispatch);
        } else {  // which has no word for it but this, which our translator reads
            b_.string("required_sub_group_size." + std::string(decl.name) + "." + std::to_string(sub_group));
        }
    }
    // FP_CONTRACT applies to expressions, but ContractionOff to whole kernels. If code that a kernel reaches
    // has FP_CONTRACT OFF, or a sum that is not already contracted, contraction is forbidden in the whole
    // kernel. A mad stays as it is.
    const std::vector<const FunctionInfo*> functions = reached(decl);
    if (std::any_of(functions.begin(), functions.end(),
                    [](const auto* info) { return info->no_contraction; }))
        mode(spv::ExecutionMode::ContractionOff, {});
}

// ---- Functions with goto ----

/// Removes unreachable blocks and sorts the rest in reverse postorder, so that each block comes after its
/// dominators (SPIR-V 2.16.1). With goto, source order does not guarantee this.
void Emitter::order_blocks(spirv::Function& function) {
    std::unordered_map<uint32_t, size_t> index;
    for (size_t i = 0; i < function.blocks.size(); ++i) index[function.blocks[i].label.value] = i;
    auto successors = [&](size_t block) {
        std::vector<size_t> out;
        for (const Operand& operand : function.blocks[block].terminator.operands)
            if (operand.is_id)
                if (const auto found = index.find(operand.word); found != index.end())
                    out.push_back(found->second);
        return out;
    };
    struct Visit {
        size_t block;
        std::vector<size_t> successors;
    };
    std::vector<bool> seen(function.blocks.size());
    std::vector<size_t> postorder;
    std::vector<Visit> stack = {{0, successors(0)}};
    seen[0] = true;
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.successors.empty()) {
            postorder.push_back(top.block);
            stack.pop_back();
            continue;
        }
        const size_t next = top.successors.back();
        top.successors.pop_back();
        if (seen[next]) continue;
        seen[next] = true;
        stack.push_back({next, successors(next)});
    }
    std::vector<spirv::Block> blocks;
    for (auto block = postorder.rbegin(); block != postorder.rend(); ++block)
        blocks.push_back(std::move(function.blocks[*block]));
    for (spirv::Block& block : blocks)
        for (spirv::Instruction& inst : block.body) {
            if (inst.op != spv::Op::OpPhi) break;
            for (size_t i = 0; i + 1 < inst.operands.size();) {
                const auto from = index.find(inst.word(i + 1));
                if (from != index.end() && seen[from->second])
                    i += 2;
                else
                    inst.operands.erase(inst.operands.begin() + static_cast<ptrdiff_t>(i),
                                        inst.operands.begin() + static_cast<ptrdiff_t>(i) + 2);
            }
        }
    function.blocks = std::move(blocks);
}

}  // namespace caldera::frontend
