// SPDX-License-Identifier: Apache-2.0
// Device-side enqueue (OpenCL C 6.13.17), in the form in which the LLVM translator writes it: ranges and
// local sizes are passed in memory.
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

Id Emitter::enqueue_builtin(const CallExpr& expr, const Args& args) {
    const auto op = static_cast<spv::Op>(expr.builtin->row->a);
    switch (op) {
        case spv::Op::OpEnqueueKernel: return enqueue_kernel(expr, args);
        case spv::Op::OpBuildNDRange: return build_ndrange(expr, args);
        case spv::Op::OpRetainEvent:
        case spv::Op::OpReleaseEvent:
        case spv::Op::OpSetUserEventStatus:
        case spv::Op::OpCaptureEventProfilingInfo: b_.append_void(op, {args.begin(), args.end()}); return {};
        default: return kernel_query(expr, args);
    }
}

/// The value in a variable of its own.
Id Emitter::in_memory(Id value, const Type* type) {
    const Place place = temporary({.type = type});
    store(place, value);
    return place.pointer;
}

/// The operands that stand for a block: its kernel, its object with size and alignment.
void Emitter::append_kernel(Operands& operands, const Expr& block, Id value) {
    const BlockLiteralExpr& literal = known_block(block);
    const BlockLayout& layout = block_layout(literal);
    operands.insert(operands.end(),
                    {block_kernel(literal), value, u32(layout.size_bytes), u32(layout.align_bytes)});
}

Id Emitter::enqueue_kernel(const CallExpr& expr, const Args& args) {
    const size_t block = expr.args[3]->type->kind == TypeKind::BlockPointer ? 3 : 6;
    Operands operands = {args[0], args[1], in_memory(args[2], expr.args[2]->type.type)};
    if (block == 3) {
        const Type* event = types_.scalar(TypeKind::ClkEvent);
        const Id none = b_.constant_null(pointer_to(AddressSpace::Generic, {.type = event}));
        operands.insert(operands.end(), {u32(0), none, none});
    } else {
        operands.insert(operands.end(), {args[3], args[4], args[5]});
    }
    append_kernel(operands, *expr.args[block], args[block]);
    const size_t locals = args.size() - block - 1;
    if (locals) {
        const Type* sizes_type = types_.array({.type = types_.size_type()}, locals);
        const Place sizes = temporary({.type = sizes_type});
        for (size_t i = 0; i < locals; ++i) {
            const Place size = {.pointer = access_chain(sizes.pointer, b_.type_int(64), {b_.constant_u64(i)}),
                                .type = {.type = types_.size_type()},
                                .align = 8};
            store(size, args[block + 1 + i]);
            operands.push_back(size.pointer);
        }
    }
    return b_.append(spv::Op::OpEnqueueKernel, value_type(expr.type), std::move(operands));
}

/// get_kernel_*(block) and get_kernel_*_for_ndrange(range, block).
Id Emitter::kernel_query(const CallExpr& expr, const Args& args) {
    Operands operands;
    if (args.size() == 2) operands.push_back(in_memory(args[0], expr.args[0]->type.type));
    append_kernel(operands, *expr.args.back(), args.back());
    return b_.append(static_cast<spv::Op>(expr.builtin->row->a), value_type(expr.type), std::move(operands));
}

/// ndrange_nD([offset,] size [, local size]), of sizes or of pointers to n of them.
Id Emitter::build_ndrange(const CallExpr& expr, const Args& args) {
    const auto dimensions = static_cast<uint64_t>(expr.builtin->name[8] - '0');
    const Type* type =
        dimensions == 1 ? types_.size_type() : types_.array({.type = types_.size_type()}, dimensions);
    auto argument = [&](size_t index) {
        if (index >= args.size()) return b_.constant_null(memory_type(type));
        if (dimensions == 1) return args[index];
        return load({.pointer = retype(args[index], memory_type(type)), .type = {.type = type}, .align = 8});
    };
    const bool has_offset = args.size() == 3;
    const Id size = argument(has_offset ? 1 : 0), local = argument(has_offset ? 2 : 1),
             offset = argument(has_offset ? 0 : 3);
    return b_.append(spv::Op::OpBuildNDRange, value_type(expr.type), {size, local, offset});
}

/// Compares two queues or device events. SPIR-V has no instruction for this, but their handles have the size
/// of pointers.
Id Emitter::handle_bits(Id handle, const Type* type) {
    const Id pointer = in_memory(handle, type);
    return load(
        {.pointer = retype(pointer, b_.type_int(64)), .type = {.type = types_.size_type()}, .align = 8});
}

}  // namespace caldera::frontend
