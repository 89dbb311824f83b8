// SPDX-License-Identifier: Apache-2.0
// Blocks (OpenCL C 6.12), laid out as clang and the LLVM translator do: evaluating a literal makes an object
// with its size, its alignment, a pointer that stays null (SPIR-V has no pointers to functions) and the
// captured values; the block is a generic pointer to it. The body becomes a function whose first parameter is
// that pointer, and each call names the function, since check/ made sure that the literal is known.
#include <algorithm>

#include "frontend/emit/emitter_impl.h"
#include "spirv/support/align.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

namespace {
constexpr uint32_t kHeaderBytes = 16, kHeaderAlign = 8;
bool is_block(const Type* type) { return type->kind == TypeKind::BlockPointer; }
}  // namespace

bool takes_blocks(const FunctionDecl& function) {
    return std::ranges::any_of(function.type->params,
                               [](const QualType& param) { return is_block(param.type); });
}

Id Emitter::block_pointer_type() { return b_.type_pointer(spv::StorageClass::Generic, byte_type()); }

const BlockLiteralExpr& Emitter::known_block(const Expr& expr) const {
    const Expr* source = block_source(&expr);
    check(source != nullptr, "a block that is not known");
    if (const auto* ref = dyn<DeclRefExpr>(source)) {
        const auto bound = bound_blocks_.find(dyn<VarDecl>(static_cast<const Decl*>(ref->decl)));
        check(bound != bound_blocks_.end(), "a parameter of block type that is bound to nothing");
        return *bound->second;
    }
    return as<BlockLiteralExpr>(*source);
}

/// A function that takes blocks is emitted once for each list of blocks that it is called with.
const FunctionDecl& Emitter::instance(const FunctionDecl& function, std::span<Expr* const> args) {
    BlockArgs blocks;
    for (const Expr* arg : args)
        if (is_block(arg->type.type)) blocks.push_back(&known_block(*arg));
    if (blocks.empty()) return function;
    auto [found, is_new] = instances_.try_emplace({&function, blocks});
    if (is_new) {
        const FunctionDecl& definition = function.definition ? *function.definition : function;
        if (!definition.body)
            decline(definition.name_range, "a function that takes blocks and is defined in another module",
                    nullptr);
        auto* copy = arena_.make<FunctionDecl>(definition);
        copy->canonical = copy;
        copy->definition = copy->body ? copy : nullptr;
        found->second = copy;
        function_info(*copy).blocks = std::move(blocks);
    }
    return *found->second;
}

void Emitter::bind_blocks(const FunctionInfo& info) {
    bound_blocks_.clear();
    auto block = info.blocks.begin();
    for (const VarDecl* param : info.definition->params)
        if (is_block(param->type.type) && block != info.blocks.end()) bound_blocks_[param] = *block++;
}

// ---- Literals ----

/// Captures with the largest alignment come first. An array is captured as a pointer to it (6.12.5).
const BlockLayout& Emitter::block_layout(const BlockLiteralExpr& literal) {
    auto [found, is_new] = block_layouts_.try_emplace(&literal);
    BlockLayout& out = found->second;
    if (!is_new) return out;
    struct Capture {
        size_t index;
        Id type;
        uint32_t size_bytes, align_bytes;
    };
    std::vector<Capture> captures;
    for (const VarDecl* var : literal.captures) {
        const QualType& type = var->type;
        const bool array = type->is_array();
        captures.push_back(
            {captures.size(), array ? pointer_to(AddressSpace::Private, type) : memory_type(type),
             array ? 8 : static_cast<uint32_t>(type->size_bytes), array ? 8 : type->align_bytes});
    }
    std::ranges::stable_sort(captures, std::greater(), &Capture::align_bytes);

    std::vector<Id> members = {b_.type_int(32), b_.type_int(32), block_pointer_type()};
    out.members.resize(captures.size());
    out.offsets.resize(captures.size());
    uint32_t offset = kHeaderBytes;
    out.align_bytes = kHeaderAlign;
    for (const Capture& capture : captures) {
        const uint32_t padding = (capture.align_bytes - offset % capture.align_bytes) % capture.align_bytes;
        if (padding) members.push_back(bytes_type(padding));
        offset += padding;
        out.align_bytes = std::max(out.align_bytes, capture.align_bytes);
        out.members[capture.index] = static_cast<uint32_t>(members.size());
        out.offsets[capture.index] = offset;
        members.push_back(capture.type);
        offset += capture.size_bytes;
    }
    out.size_bytes = offset;
    if (captures.empty()) {
        out.type = b_.type_struct(members);
    } else {
        out.type = b_.type_struct_distinct(members);
        b_.decorate(out.type, spv::Decoration::CPacked);
        b_.name(out.type, "struct.__opencl_block_literal");
    }
    return out;
}

Id Emitter::block_literal(const BlockLiteralExpr& literal) {
    if (literal.captures.empty()) return global_block(literal);
    const BlockLayout layout = block_layout(literal);
    const Id object = b_.local_variable(layout.type);
    b_.name(object, "block");
    b_.decorate(object, spv::Decoration::Alignment, {layout.align_bytes});
    auto header = [&](uint32_t member, Id value, uint32_t align) {
        const Id place = access_chain(object, b_.type_of(value), {u32(member)});
        b_.append_void(spv::Op::OpStore, {place, value, spv::MemoryAccessMask::Aligned, align});
    };
    header(0, u32(layout.size_bytes), 8);
    header(1, u32(layout.align_bytes), 4);
    header(2, b_.constant_null(block_pointer_type()), 8);
    for (size_t i = 0; i < literal.captures.size(); ++i)
        store_capture(capture_place(object, literal, i), *literal.captures[i]);
    return convert_pointer(object, block_pointer_type());
}

/// A block without captures is a constant.
Id Emitter::global_block(const BlockLiteralExpr& literal) {
    auto [found, is_new] = global_blocks_.try_emplace(&literal);
    if (is_new) {
        const BlockLayout& layout = block_layout(literal);
        const Id header[] = {u32(layout.size_bytes), u32(layout.align_bytes),
                             b_.constant_null(block_pointer_type())};
        found->second = b_.variable(spv::StorageClass::CrossWorkgroup, layout.type,
                                    b_.constant_composite(layout.type, header));
        b_.name(found->second, "__block_literal_global");
        b_.decorate(found->second, spv::Decoration::Constant);
        b_.decorate(found->second, spv::Decoration::Alignment, {kHeaderAlign});
    }
    return convert_pointer(found->second, block_pointer_type());
}

/// The value of a block variable. Block variables with static storage duration are not in memory: each is
/// replaced by its literal.
Id Emitter::block_value(const Expr& expr) {
    const auto* ref = dyn<DeclRefExpr>(&strip_parens(expr));
    const auto* var = ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
    if (var && var->has_global_lifetime) return block_literal(known_block(expr));
    return load(lvalue(expr));
}

// ---- Captures ----

Place Emitter::capture_place(Id object, const BlockLiteralExpr& literal, size_t index) {
    const BlockLayout& layout = block_layout(literal);
    const uint32_t member = layout.members[index], offset = layout.offsets[index];
    const Id type = b_.member(layout.type, member);
    const auto align = static_cast<uint32_t>(power_of_two_in(offset, layout.align_bytes));
    QualType captured = literal.captures[index]->type.unqualified();
    captured.access = literal.captures[index]->type.access;  // images and pipes are told apart by it
    return {.pointer = access_chain(object, type, {u32(member)}), .type = captured, .align = align};
}

void Emitter::store_capture(const Place& place, const VarDecl& var) {
    if (var.type->is_array()) {
        b_.append_void(spv::Op::OpStore, {place.pointer, variable_place(var).pointer,
                                          spv::MemoryAccessMask::Aligned, place.align});
    } else if (const auto found = opaque_params_.find(&var); found != opaque_params_.end()) {
        store(place, found->second);
    } else if (var.type->kind == TypeKind::Sampler && var.init) {
        const auto bits = evaluate_integer(*var.init);
        store(place, bits ? sampler_constant(*bits) : rvalue(*var.init));
    } else {
        copy(place, variable_place(var));
    }
}

/// At the start of the body, copies the captured values to variables.
void Emitter::load_captures(const BlockLiteralExpr& literal, Id descriptor) {
    if (literal.captures.empty()) return;
    const Id object = retype(descriptor, block_layout(literal).type);
    for (size_t i = 0; i < literal.captures.size(); ++i) {
        const VarDecl& var = *literal.captures[i];
        const Place from = capture_place(object, literal, i);
        if (var.type->is_array()) {
            const Id array = b_.append(spv::Op::OpLoad, pointer_to(AddressSpace::Private, var.type),
                                       {from.pointer, spv::MemoryAccessMask::Aligned, from.align});
            locals_[&var] = {.pointer = array, .type = var.type, .align = var.type->align_bytes};
        } else if (is_opaque(var.type.type)) {
            opaque_params_[&var] = load(from);
        } else {
            copy(variable_place(var), from);
        }
    }
}

// ---- Calls and kernels ----

Id Emitter::block_call(const CallExpr& expr) {
    const FunctionDecl& invoke = instance(*known_block(*expr.callee).invoke, expr.args);
    Operands operands = {function_id(invoke), rvalue(*expr.callee)};
    for (const Expr* arg : expr.args) operands.push_back(rvalue(*arg));
    return b_.append(spv::Op::OpFunctionCall, value_type(expr.type), std::move(operands));
}

/// Makes the entry point of an enqueued block. Its body is emitted after all functions.
Id Emitter::block_kernel(const BlockLiteralExpr& literal) {
    for (const auto& [known, id] : block_kernels_)
        if (known == &literal) return id;
    FunctionInfo* caller = std::exchange(current_, nullptr);  // which enqueues the block but does not call it
    function_id(*literal.invoke);
    current_ = caller;
    block_kernels_.push_back({&literal, b_.fresh()});
    return block_kernels_.back().second;
}

void Emitter::emit_block_kernels() {
    for (const auto& [literal, id] : block_kernels_) {
        const FunctionDecl& invoke = *literal->invoke;
        const std::string name = std::string(invoke.name) + "_kernel";
        const std::vector<Id> types = param_types(invoke);
        b_.begin_function(b_.type_void(), b_.type_function(b_.type_void(), types), {}, id);
        b_.name(id, name);
        Operands operands = {function_info(invoke).id};
        for (const Id type : types) operands.push_back(b_.param(type));
        b_.begin_block(b_.fresh());
        b_.append(spv::Op::OpFunctionCall, value_type(invoke.type->element), std::move(operands));
        b_.return_();
        b_.end_function();

        spirv::Instruction entry{.op = spv::Op::OpEntryPoint, .operands = {spv::ExecutionModel::Kernel, id}};
        spirv::append_string(entry.operands, name);
        interface_inputs(invoke, entry);
        module_.entry_points.push_back(std::move(entry));
        execution_modes(invoke, id);
    }
}

}  // namespace caldera::frontend
