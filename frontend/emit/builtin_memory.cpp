// SPDX-License-Identifier: Apache-2.0
// Built-in functions that touch memory or other work-items (OpenCL C 6.13.7 to 6.13.11).
#include <spirv/unified1/OpenCL.std.h>

#include "frontend/emit/emitter_impl.h"
#include "frontend/emit/memory_orders.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

namespace {

constexpr auto kWorkgroup = static_cast<uint32_t>(spv::Scope::Workgroup);
constexpr auto kDevice = static_cast<uint32_t>(spv::Scope::Device);

}  // namespace

// ---- 6.13.7 Vector data load and store ----

Id Emitter::vector_load(const builtin::Resolution& builtin, const Args& args) {
    Operands operands = {args[0], args[1]};
    // clspv's functions name the memory of halves by integers of their size
    if (builtin.row->a == OpenCLLIB::Vloada_halfn) operands[1] = retype(args[1], b_.type_float(16));
    if (builtin.row->a != OpenCLLIB::Vload_half) operands.push_back(builtin.result->lanes());
    return opencl(builtin.row->a, value_type(builtin.result), std::move(operands));
}

Id Emitter::vector_store(const builtin::Resolution& builtin, const Args& args) {
    Operands operands = {args[0], args[1], args[2]};
    const bool rounds = builtin.rounding >= 0 && builtin.row->b;
    if (rounds) operands.push_back(static_cast<uint32_t>(builtin.rounding));
    return opencl(rounds ? builtin.row->b : builtin.row->a, b_.type_void(), std::move(operands));
}

// ---- 6.13.8 Synchronization ----

/// cl_mem_fence_flags as MemorySemantics.
Id Emitter::fence_semantics(Id flags, uint32_t order) {
    const Type* type = types_.scalar(TypeKind::UInt);
    auto bit = [&](uint32_t flag, uint32_t up) {
        const Id only = arithmetic(BinaryOp::And, type, flags, u32(flag));
        return shift(BinaryOp::Shl, type, only, u32(up), type);
    };
    // CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2, CLK_IMAGE_MEM_FENCE 4
    const Id buffers = arithmetic(BinaryOp::Or, type, bit(1, 8), bit(2, 8));
    const Id all = arithmetic(BinaryOp::Or, type, buffers, bit(4, 9));
    return arithmetic(BinaryOp::Or, type, all, u32(order));
}

/// barrier, work_group_barrier, sub_group_barrier: by default, writes become visible to the work-group.
Id Emitter::barrier(const builtin::Resolution& builtin, const Args& args) {
    const Id memory_scope = args.size() > 1 ? scope_constant(args[1]) : u32(kWorkgroup);
    b_.append_void(spv::Op::OpControlBarrier,
                   {group_scope(builtin), memory_scope, fence_semantics(args[0], kSequential)});
    return {};
}

Id Emitter::fence(const builtin::Resolution& builtin, const Args& args) {
    Id scope = u32(kWorkgroup), semantics = {};
    if (args.size() == 3) {  // atomic_work_item_fence(flags, order, scope)
        const auto order = b_.constant_value(order_constant(args[1]));
        semantics = fence_semantics(args[0], static_cast<uint32_t>(order.value_or(kSequential)));
        scope = scope_constant(args[2]);
    } else {
        uint32_t order = kAcquireRelease;
        if (builtin.name == "read_mem_fence") order = kAcquire;
        if (builtin.name == "write_mem_fence") order = kRelease;
        semantics = fence_semantics(args[0], order);
    }
    b_.append_void(spv::Op::OpMemoryBarrier, {scope, semantics});
    return {};
}

/// memory_order as MemorySemantics. An order that is not constant becomes the strongest one.
Id Emitter::order_constant(Id order) {
    switch (b_.constant_value(order).value_or(5)) {
        case 0: return u32(0);
        case 1:  // memory_order_consume of C11
        case 2: return u32(kAcquire);
        case 3: return u32(kRelease);
        case 4: return u32(kAcquireRelease);
        default: return u32(kSequential);
    }
}

/// memory_scope as Scope. A scope that is not constant becomes the widest one.
Id Emitter::scope_constant(Id scope) {
    const uint64_t widest = options_.has(Ext::AtomicScopeAllDevices) ? 3 : 2;
    switch (b_.constant_value(scope).value_or(widest)) {
        case 0: return u32(static_cast<uint32_t>(spv::Scope::Invocation));
        case 1: return u32(kWorkgroup);
        case 3: return u32(static_cast<uint32_t>(spv::Scope::CrossDevice));
        case 4: return u32(static_cast<uint32_t>(spv::Scope::Subgroup));
        default: return u32(kDevice);
    }
}

// ---- Atomics ----

/// OpenCL C 1.2, 6.12.11: the operation is relaxed, with device scope.
Id Emitter::legacy_atomic(const builtin::Resolution& builtin, const Args& args) {
    const bool is_unsigned = !is_signed(builtin.result.type) && !is_float(builtin.result.type);
    const auto op = static_cast<spv::Op>(is_unsigned ? builtin.row->b : builtin.row->a);
    const Id type = value_type(builtin.result), scope = u32(kDevice), relaxed = u32(0);
    switch (op) {
        case spv::Op::OpAtomicIIncrement:
        case spv::Op::OpAtomicIDecrement: return b_.append(op, type, {args[0], scope, relaxed});
        case spv::Op::OpAtomicCompareExchange:
            return b_.append(op, type, {args[0], scope, relaxed, relaxed, args[2], args[1]});
        default: return b_.append(op, type, {args[0], scope, relaxed, args[1]});
    }
}

/// 6.13.11: atomic_KEY[_explicit](object, operands, order, scope); sequentially consistent over the device
/// when the call does not say otherwise.
Id Emitter::atomic(const builtin::Resolution& builtin, const Args& args) {
    const builtin::Row& row = *builtin.row;
    const bool is_explicit = builtin.name.ends_with("_explicit");
    const QualType value = builtin.result->is_void() && args.size() > 1 ? builtin.params[1] : builtin.result;
    const bool is_unsigned = value->is_integer() && !is_signed(value.type);
    const auto op = static_cast<spv::Op>(is_unsigned ? row.b : row.a);
    const bool compares =
        op == spv::Op::OpAtomicCompareExchange || op == spv::Op::OpAtomicCompareExchangeWeak;
    size_t operands_end = 2;  // where orders and scope begin
    if (op == spv::Op::OpAtomicLoad || op == spv::Op::OpAtomicFlagTestAndSet ||
        op == spv::Op::OpAtomicFlagClear)
        operands_end = 1;
    if (compares) operands_end = 3;
    const bool has_order = is_explicit && args.size() > operands_end;
    const Id order = has_order ? order_constant(args[operands_end]) : u32(kSequential);
    const size_t scope_at = operands_end + (compares ? 2 : 1);
    const Id scope = is_explicit && args.size() > scope_at ? scope_constant(args[scope_at]) : u32(kDevice);
    switch (op) {
        case spv::Op::OpAtomicFlagClear: b_.append_void(op, {args[0], scope, order}); return {};
        case spv::Op::OpAtomicStore: b_.append_void(op, {args[0], scope, order, args[1]}); return {};
        case spv::Op::OpAtomicLoad:
        case spv::Op::OpAtomicFlagTestAndSet:
            return b_.append(op, value_type(builtin.result), {args[0], scope, order});
        case spv::Op::OpAtomicCompareExchange:
        case spv::Op::OpAtomicCompareExchangeWeak: {
            const Id unequal = is_explicit && args.size() > 4 ? order_constant(args[4]) : u32(kSequential);
            return compare_exchange(builtin, args, scope, order, unequal);
        }
        default: break;
    }
    const Id type = value_type(builtin.result);
    const bool negates = row.lowering == builtin::Lowering::AtomicSubtract;
    const Id operand = negates ? b_.append(spv::Op::OpFNegate, type, {args[1]}) : args[1];
    return b_.append(op, type, {args[0], scope, order, operand});
}

Id Emitter::atomic_init(const builtin::Resolution& builtin, const Args& args) {
    const auto align = static_cast<uint32_t>(builtin.params[1]->size_bytes);
    b_.append_void(spv::Op::OpStore, {args[0], args[1], spv::MemoryAccessMask::Aligned, align});
    return {};
}

/// bool f(object, expected, desired): `*expected` receives what was found if that is something else (C11
/// 7.17.7.4). Where other work-items see it, or it is the object itself, nothing may be stored on success.
Id Emitter::compare_exchange(const builtin::Resolution& builtin, const Args& args, Id scope, Id equal,
                             Id unequal) {
    const Type* value = builtin.params[2].type;
    const Id type = b_.type_int(static_cast<uint32_t>(value->size_bytes * 8));
    const auto align = static_cast<uint32_t>(value->size_bytes);
    const Id object = retype(args[0], type), expected_at = retype(args[1], type);  // bits, of floats too
    const Id desired = reinterpret(args[2], type);
    const Id expected =
        b_.append(spv::Op::OpLoad, type, {expected_at, spv::MemoryAccessMask::Aligned, align});
    const Id found = b_.append(static_cast<spv::Op>(builtin.row->a), type,
                               {object, scope, equal, unequal, desired, expected});
    const auto store = [&] {
        b_.append_void(spv::Op::OpStore, {expected_at, found, spv::MemoryAccessMask::Aligned, align});
    };
    const Id same = b_.append(spv::Op::OpIEqual, b_.type_bool(), {found, expected});
    if (b_.storage(b_.type_of(expected_at)) == spv::StorageClass::Function) {
        store();
        return same;
    }
    const Id differs = b_.fresh(), merge = b_.fresh();
    selection_merge(merge);
    b_.branch_if(same, merge, differs);
    b_.begin_block(differs);
    store();
    b_.branch(merge);
    b_.begin_block(merge);
    return same;
}

// ---- Rows known by name ----

Id Emitter::special(const CallExpr& expr, const Args& args) {
    const builtin::Resolution& builtin = *expr.builtin;
    const std::string_view name = builtin.name;
    if (name.starts_with("async_work_group_")) return async_copy(builtin, args);
    if (name == "wait_group_events") {
        b_.append_void(spv::Op::OpGroupWaitEvents, {u32(kWorkgroup), args[0], args[1]});
        return {};
    }
    if (name.starts_with("clock_read_"))
        return b_.append(spv::Op::OpReadClockKHR, value_type(builtin.result), {clock_scope(name)});
    if (name.starts_with("intel_convert_")) return bfloat16_conversion(builtin, args[0]);
    if (name.starts_with("to_") || name == "get_fence") return address_space_function(builtin, args[0]);
    diags_.error(expr.range, "built-in function '", name, "' is not supported yet");
    return builtin.result->is_void() ? Id{} : b_.undef(value_type(builtin.result));
}

/// cl_intel_bfloat16_conversions: its numbers are the bits of __bf16.
Id Emitter::bfloat16_conversion(const builtin::Resolution& builtin, Id value) {
    const Type* from = builtin.params[0].type;
    const Type* bfloat = types_.with_element(from, types_.scalar(TypeKind::BFloat16));
    if (is_float(from)) return reinterpret(convert(value, from, bfloat), value_type(builtin.result));
    return convert(reinterpret(value, value_type(bfloat)), bfloat, builtin.result.type);
}

Id Emitter::clock_scope(std::string_view name) {
    const spv::Scope scope = name.ends_with("_device")       ? spv::Scope::Device
                             : name.ends_with("_work_group") ? spv::Scope::Workgroup
                                                             : spv::Scope::Subgroup;
    return u32(static_cast<uint32_t>(scope));
}

/// 6.13.10: OpGroupAsyncCopy counts the stride in elements of the strided side.
Id Emitter::async_copy(const builtin::Resolution& builtin, const Args& args) {
    const bool strided = builtin.name == "async_work_group_strided_copy";
    const Id stride = strided ? args[3] : b_.constant_u64(1);
    const Id event = strided ? args[4] : args[3];
    return b_.append(spv::Op::OpGroupAsyncCopy, value_type(builtin.result),
                     {u32(kWorkgroup), args[0], args[1], args[2], stride, event});
}

/// 6.13.9: to_global, to_local, to_private, get_fence.
Id Emitter::address_space_function(const builtin::Resolution& builtin, Id pointer) {
    const Id result = value_type(builtin.result);
    const spv::StorageClass from = b_.storage(b_.type_of(pointer));
    const bool generic = from == spv::StorageClass::Generic;
    if (builtin.name == "get_fence") {
        if (!generic) {
            const bool is_local = from == spv::StorageClass::Workgroup;
            return b_.constant_int(result, is_local ? 1 : from == spv::StorageClass::CrossWorkgroup ? 2 : 0);
        }
        const Id semantics = b_.append(spv::Op::OpGenericPtrMemSemantics, b_.type_int(32), {pointer});
        const Type* type = types_.scalar(TypeKind::UInt);
        return shift(BinaryOp::Shr, type, semantics, u32(8), type);
    }
    const spv::StorageClass to = b_.storage(result);
    if (!generic) return from == to ? convert_pointer(pointer, result) : b_.constant_null(result);
    const Id same = retype(pointer, b_.pointee(result));
    return b_.append(spv::Op::OpGenericCastToPtrExplicit, result, {same, to});
}

}  // namespace caldera::frontend
