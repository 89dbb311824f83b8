// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions, by their rows: math, conversions, relations, work-items (OpenCL C 6.13.1 to
// 6.13.6).
#include <spirv/unified1/OpenCL.std.h>

#include "frontend/emit/emitter_impl.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

Id Emitter::builtin_call(const CallExpr& expr) {
    const builtin::Resolution& builtin = *expr.builtin;
    const builtin::Row& row = *builtin.row;
    if (row.lowering == builtin::Lowering::Gnu) return gnu_builtin(expr);
    Args args;
    for (const Expr* arg : expr.args) args.push_back(rvalue(*arg));
    at(expr.range);
    const Id result = value_type(builtin.result);
    using builtin::Lowering;
    switch (row.lowering) {
        case Lowering::ExtInst: return extended(builtin, args);
        case Lowering::Op: {
            const bool floating = !builtin.params.empty() && is_float(builtin.params[0].type);
            const bool is_unsigned =
                !floating && !builtin.params.empty() && !is_signed(builtin.params[0].type);
            const auto op = static_cast<spv::Op>(floating ? row.c : is_unsigned ? row.b : row.a);
            if (builtin.result->is_void()) return b_.append_void(op, {args.begin(), args.end()}), Id{};
            if (op == spv::Op::OpFMul) return fp(op, result, {args.begin(), args.end()});
            return b_.append(op, result, {args.begin(), args.end()});
        }
        case Lowering::Dot: return dot_product(builtin, args);
        case Lowering::Call: return external_call(builtin, args);
        case Lowering::WorkItem: return work_item(builtin, args);
        case Lowering::LinearId: {
            const Id type = b_.type_int(64);
            return b_.append(
                spv::Op::OpLoad, type,
                {input_variable(static_cast<spv::BuiltIn>(row.a), type), spv::MemoryAccessMask::Aligned, 8u});
        }
        case Lowering::Barrier: return barrier(builtin, args);
        case Lowering::Fence: return fence(builtin, args);
        case Lowering::Convert: return convert_builtin(builtin, args[0]);
        case Lowering::Bitcast: return reinterpret(args[0], result);
        case Lowering::Relational: return relational(builtin, args);
        case Lowering::Any: return any_all(builtin, args[0], spv::Op::OpAny);
        case Lowering::All: return any_all(builtin, args[0], spv::Op::OpAll);
        case Lowering::Select: return select_builtin(builtin, args);
        case Lowering::VectorLoad: return vector_load(builtin, args);
        case Lowering::VectorStore: return vector_store(builtin, args);
        case Lowering::Atomic:
        case Lowering::AtomicSubtract: return atomic(builtin, args);
        case Lowering::AtomicInit: return atomic_init(builtin, args);
        case Lowering::LegacyAtomic: return legacy_atomic(builtin, args);
        case Lowering::Group: return group_function(builtin, args);
        case Lowering::Image: return image_builtin(builtin, args);
        case Lowering::Shuffle: return opencl(row.a, result, {args.begin(), args.end()});
        case Lowering::Pipe: return pipe_builtin(expr, args);
        case Lowering::Enqueue: return enqueue_builtin(expr, args);
        case Lowering::Matrix: return matrix_builtin(expr, args);
        case Lowering::Special: return special(expr, args);
        case Lowering::Sync: return sync_builtin(expr, args);
        case Lowering::Gnu: break;
    }
    return {};
}

Id Emitter::opencl(uint32_t instruction, Id type, Operands operands) {
    operands.insert(operands.begin(), {b_.ext_inst_import("OpenCL.std"), instruction});
    return b_.append(spv::Op::OpExtInst, type, std::move(operands));
}

/// OpenCL.std requires operands of one shape, so a scalar next to vectors is splatted (`fmax(v, 0.0f)`).
Id Emitter::extended(const builtin::Resolution& builtin, const Args& args) {
    const builtin::Row& row = *builtin.row;
    const Type* result = builtin.result.type;
    Operands operands;
    for (size_t i = 0; i < args.size(); ++i) {
        Id arg = args[i];
        const bool scalar = i < builtin.params.size() && builtin.params[i]->is_arithmetic();
        if (scalar && result->is_vector()) arg = splat(arg, b_.type_vector(b_.type_of(arg), result->lanes()));
        operands.push_back(arg);
    }
    const bool is_unsigned = !builtin.params.empty() && builtin.params[0]->is_arithmetic_or_vector() &&
                             !is_float(builtin.params[0].type) && !is_signed(builtin.params[0].type);
    const uint32_t instruction = is_unsigned && row.b ? row.b : row.a;
    const Id value = opencl(instruction, value_type(builtin.result), std::move(operands));
    if (fast_math_ && result->is_arithmetic_or_vector() && is_float(result))
        b_.decorate(value, spv::Decoration::FPFastMathMode, {fast_math_});
    return value;
}

/// cl_khr_integer_dot_product: OpSUDot requires the signed operand first; names with "_us_" have the opposite
/// order.
Id Emitter::dot_product(const builtin::Resolution& builtin, Args args) {
    const auto op = static_cast<spv::Op>(builtin.row->a);
    const bool packed = !builtin.params[0]->is_vector();
    const bool mixed = op == spv::Op::OpSUDot || op == spv::Op::OpSUDotAccSat;
    const bool unsigned_first =
        packed ? builtin.name.find("_us_") != builtin.name.npos : !is_signed(builtin.params[0].type);
    if (mixed && unsigned_first) std::swap(args[0], args[1]);
    const Id addend = builtin.row->b ? args.back() : Id{};
    if (addend) args.pop_back();
    Operands operands = {args.begin(), args.end()};
    if (packed) operands.push_back(spv::PackedVectorFormat::PackedVectorFormat4x8Bit);
    const Id product = b_.append(op, value_type(builtin.result), std::move(operands));
    return addend ? b_.append(spv::Op::OpIAdd, value_type(builtin.result), {product, addend}) : product;
}

Id Emitter::external_call(const builtin::Resolution& builtin, const Args& args) {
    auto [found, is_new] = externals_.try_emplace(builtin.mangled);
    if (is_new) {
        found->second = b_.fresh();
        std::vector<Id> params;
        for (const QualType& param : builtin.params) params.push_back(value_type(param));
        declare_import(builtin.mangled, found->second, value_type(builtin.result), params);
    }
    Operands operands = {found->second};
    operands.insert(operands.end(), args.begin(), args.end());
    return b_.append(spv::Op::OpFunctionCall, value_type(builtin.result), std::move(operands));
}

// ---- 6.13.1 Work-item functions ----

namespace {

std::string_view builtin_variable_name(spv::BuiltIn which) {
    switch (which) {
        case spv::BuiltIn::WorkDim: return "WorkDim";
        case spv::BuiltIn::GlobalSize: return "GlobalSize";
        case spv::BuiltIn::GlobalInvocationId: return "GlobalInvocationId";
        case spv::BuiltIn::WorkgroupSize: return "WorkgroupSize";
        case spv::BuiltIn::EnqueuedWorkgroupSize: return "EnqueuedWorkgroupSize";
        case spv::BuiltIn::LocalInvocationId: return "LocalInvocationId";
        case spv::BuiltIn::NumWorkgroups: return "NumWorkgroups";
        case spv::BuiltIn::WorkgroupId: return "WorkgroupId";
        case spv::BuiltIn::GlobalOffset: return "GlobalOffset";
        case spv::BuiltIn::GlobalLinearId: return "GlobalLinearId";
        case spv::BuiltIn::LocalInvocationIndex: return "LocalInvocationIndex";
        case spv::BuiltIn::SubgroupSize: return "SubgroupSize";
        case spv::BuiltIn::SubgroupMaxSize: return "SubgroupMaxSize";
        case spv::BuiltIn::NumSubgroups: return "NumSubgroups";
        case spv::BuiltIn::NumEnqueuedSubgroups: return "NumEnqueuedSubgroups";
        case spv::BuiltIn::SubgroupId: return "SubgroupId";
        case spv::BuiltIn::SubgroupLocalInvocationId: return "SubgroupLocalInvocationId";
        case spv::BuiltIn::SubgroupEqMask: return "SubgroupEqMask";
        case spv::BuiltIn::SubgroupGeMask: return "SubgroupGeMask";
        case spv::BuiltIn::SubgroupGtMask: return "SubgroupGtMask";
        case spv::BuiltIn::SubgroupLeMask: return "SubgroupLeMask";
        case spv::BuiltIn::SubgroupLtMask: return "SubgroupLtMask";
        default: return "";
    }
}

}  // namespace

Id Emitter::input_variable(spv::BuiltIn which, Id type) {
    auto [found, is_new] = inputs_.try_emplace(static_cast<uint32_t>(which));
    if (is_new) {
        const Id variable = b_.variable(spv::StorageClass::Input, type);
        b_.name(variable, "__spirv_BuiltIn" + std::string(builtin_variable_name(which)));
        b_.decorate(variable, spv::Decoration::BuiltIn, {which});
        b_.decorate(variable, spv::Decoration::Constant);
        if (which >= spv::BuiltIn::SubgroupEqMask && which <= spv::BuiltIn::SubgroupLtMask) {
            b_.capability(spv::Capability::GroupNonUniformBallot);
            need_version(kSpirv13);
        }
        found->second = variable;
    }
    std::vector<Id>& used = current_->inputs;
    if (std::find(used.begin(), used.end(), found->second) == used.end()) used.push_back(found->second);
    return found->second;
}

Id Emitter::work_item(const builtin::Resolution& builtin, const Args& args) {
    const auto which = static_cast<spv::BuiltIn>(builtin.row->a);
    const Id result = value_type(builtin.result);
    if (args.empty()) {
        const auto align = static_cast<uint32_t>(builtin.result->size_bytes);
        return b_.append(spv::Op::OpLoad, result,
                         {input_variable(which, result), spv::MemoryAccessMask::Aligned, align});
    }
    const Id otherwise = b_.constant_int(result, builtin.row->b);
    const auto known = b_.constant_value(args[0]);
    if (known && *known > 2) return otherwise;
    const Id type = b_.type_vector(result, 3);
    const Id all =
        b_.append(spv::Op::OpLoad, type, {input_variable(which, type), spv::MemoryAccessMask::Aligned, 32u});
    if (known) return extract(all, result, static_cast<uint32_t>(*known));
    const Id inside = b_.append(spv::Op::OpULessThan, b_.type_bool(), {args[0], u32(3)});
    const Id index = b_.append(spv::Op::OpSelect, b_.type_int(32), {inside, args[0], u32(0)});
    const Id value = b_.append(spv::Op::OpVectorExtractDynamic, result, {all, index});
    return b_.append(spv::Op::OpSelect, result, {inside, value, otherwise});
}

// ---- 6.2.3 Explicit conversions ----

Id Emitter::convert_builtin(const builtin::Resolution& builtin, Id value) {
    const Type* from = builtin.params[0].type;
    const Type* to = builtin.result.type;
    const bool saturate = builtin.saturate && !is_float(to);
    const Type* from_element = element_of(from);
    const Type* to_element = element_of(to);
    if (from_element == to_element) return value;
    const Id type = value_type(to);
    Id result = {};
    if (!is_float(from) && !is_float(to)) {
        if (!saturate) return convert(value, from, to);
        if (is_signed(from) && !is_signed(to)) return b_.append(spv::Op::OpSatConvertSToU, type, {value});
        if (!is_signed(from) && is_signed(to)) return b_.append(spv::Op::OpSatConvertUToS, type, {value});
        if (from_element->size_bytes <= to_element->size_bytes) return convert(value, from, to);
        result = b_.append(is_signed(from) ? spv::Op::OpSConvert : spv::Op::OpUConvert, type, {value});
    } else {
        const bool folds = builtin.rounding < 0 && !saturate && float_value(value);
        if (folds && is_float(to)) return convert(value, from, to);
        spv::Op op = spv::Op::OpFConvert;
        if (!is_float(from))
            op = is_signed(from) ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF;
        else if (!is_float(to))
            op = is_signed(to) ? spv::Op::OpConvertFToS : spv::Op::OpConvertFToU;
        result = b_.append(op, type, {value});
    }
    if (saturate) b_.decorate(result, spv::Decoration::SaturatedConversion);
    if (builtin.rounding >= 0 && (is_float(from) || is_float(to)))
        b_.decorate(result, spv::Decoration::FPRoundingMode, {static_cast<uint32_t>(builtin.rounding)});
    return result;
}

// ---- 6.13.6 Relational functions ----

Id Emitter::relational(const builtin::Resolution& builtin, const Args& args) {
    const Type* result = builtin.result.type;
    const Id boolean = b_.with_count(b_.type_bool(), result->lanes());
    const auto op = static_cast<spv::Op>(builtin.row->a);
    return compare_result(b_.append(op, boolean, {args.begin(), args.end()}), result);
}

/// The most significant bit of each component decides.
Id Emitter::any_all(const builtin::Resolution& builtin, Id value, spv::Op op) {
    const Type* type = builtin.params[0].type;
    Id test = top_bit(value, type);
    if (type->is_vector()) test = b_.append(op, b_.type_bool(), {test});
    return compare_result(test, builtin.result.type);
}

/// select(a, b, c): b where c says so: a scalar c by being non-zero, a component by its most significant bit.
Id Emitter::select_builtin(const builtin::Resolution& builtin, const Args& args) {
    const Type* mask = builtin.params[2].type;
    Id test = {};
    if (!mask->is_vector()) {
        test = condition_vector(not_zero(args[2], mask), builtin.result.type);
    } else {
        test = top_bit(args[2], mask);
    }
    return b_.append(spv::Op::OpSelect, value_type(builtin.result), {test, args[1], args[0]});
}

}  // namespace caldera::frontend
