// SPDX-License-Identifier: Apache-2.0
// emulate_doubles: implements doubles on devices without shaderFloat64, where DeviceProfile::emulated_float64
// asks for it. Before: OpenCL.std is gone, memory is accessed in scalars and vectors of any type, and
// link_builtins has linked the library's functions (double_functions.def). After: a double is the 64-bit
// integer of its bits, with the same id, and what computes with doubles calls these functions. Functions that
// are not called are gone.
//
// Signs and NaN are bits, for which no function is called. Devices without 64-bit integers get pairs from
// lower_int64.
#include <algorithm>

#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/double_functions.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/replace_types.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spirv::Operands;
using spv::Op;

constexpr uint64_t kSign = sign_bit(64), kInfinity = infinity_bits(64), kOne = 0x3ff0000000000000,
                   kTwo = 0x4000000000000000, kThree = 0x4008000000000000;

class DoubleEmulation {
 public:
    DoubleEmulation(Module& module, const std::vector<Id>& functions)
        : module_(module), builder_(module), functions_(functions), u64_(builder_.type_int(64)) {}

    void run() {
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks)
                replace_instructions(builder_, block, [&](const Instruction& inst) {
                    if (!touches_double(inst)) return false;
                    return bool(lower(inst));
                });
        drop_float_decorations();
        replace_double_types();
        drop_unreached_functions(module_);
        spirv::drop_stale_names(module_);
    }

 private:
    // ---- Values: for the builder, those of the module still have their old types ----

    bool is_double(Id type) const {
        const Instruction* inst = type ? builder_.find_global(type) : nullptr;
        if (inst && inst->op == Op::OpTypeVector) inst = builder_.find_global(inst->id(0));
        return inst && inst->op == Op::OpTypeFloat && inst->word(0) == 64;
    }
    bool is_double_value(Id value) const { return is_double(builder_.type_of(value)); }
    bool touches_double(const Instruction& inst) const {
        return is_double(inst.type) || std::ranges::any_of(inst.operands, [&](const spirv::Operand& operand) {
                   return operand.is_id && is_double_value(operand.id());
               });
    }
    Id bits_type(Id type) { return builder_.with_element(type, u64_); }
    Id number(uint64_t bits) { return builder_.constant_u64(bits); }
    Id splat(uint64_t bits, Id type) { return builder_.constant_splat(bits_type(type), number(bits)); }
    Id op(Op code, Id type, Operands operands) { return builder_.append(code, type, std::move(operands)); }

    Id component(Id value, uint32_t index) {
        const Id type = builder_.type_of(value);
        if (builder_.count(type) == 1) return value;
        const Id element = is_double(type) ? u64_ : builder_.element(type);
        return op(Op::OpCompositeExtract, element, {value, index});
    }
    /// `emit(index)` for each component; the results have the type `element`.
    template <class Emit>
    Id by_component(Id element, uint32_t count, Emit emit) {
        if (count == 1) return emit(0);
        Operands parts;
        for (uint32_t i = 0; i < count; ++i) parts.push_back(emit(i));
        return op(Op::OpCompositeConstruct, builder_.with_count(element, count), std::move(parts));
    }

    // ---- Functions ----

    Id call(DoubleFunction function, Id type, std::initializer_list<Id> args) {
        Operands operands = {functions_.at(static_cast<size_t>(function))};
        for (const Id arg : args) operands.push_back(arg);
        return op(Op::OpFunctionCall, type, std::move(operands));
    }
    Id call(DoubleFunction function, std::initializer_list<Id> args) { return call(function, u64_, args); }
    Id negate(Id a) { return op(Op::OpBitwiseXor, u64_, {a, number(kSign)}); }
    Id add(Id a, Id b) { return call(DoubleFunction::Add, {a, b}); }
    Id sub(Id a, Id b) { return add(a, negate(b)); }
    Id mul(Id a, Id b) { return call(DoubleFunction::Mul, {a, b}); }
    Id test(DoubleFunction function, Id a, Id b) { return call(function, builder_.type_bool(), {a, b}); }

    /// A function of the instruction's operands from `first` on, for each component.
    template <class Emit>
    Id map(const Instruction& inst, size_t first, Emit emit) {
        return by_component(u64_, builder_.count(inst.type), [&](uint32_t i) {
            std::vector<Id> args;
            for (size_t j = first; j < inst.operands.size(); ++j) args.push_back(component(inst.id(j), i));
            return emit(args);
        });
    }
    Id map(const Instruction& inst, size_t first, DoubleFunction function) {
        return map(inst, first, [&](const std::vector<Id>& args) {
            switch (args.size()) {
                case 1: return call(function, {args[0]});
                case 2: return call(function, {args[0], args[1]});
                default: return call(function, {args[0], args[1], args[2]});
            }
        });
    }

    // ---- Instructions ----

    /// The value, appended last; none where the instruction only passes doubles on.
    Id lower(const Instruction& inst) {
        const Id value = compute(inst);
        if (value) lowered_.insert(inst.result);
        return value;
    }

    Id compute(const Instruction& inst) {
        using enum DoubleFunction;
        switch (inst.op) {
            case Op::OpFNegate:
                return op(Op::OpBitwiseXor, bits_type(inst.type), {inst.id(0), splat(kSign, inst.type)});
            case Op::OpFAdd: return map(inst, 0, Add);
            case Op::OpFSub:
                return map(inst, 0, [&](const std::vector<Id>& args) { return sub(args[0], args[1]); });
            case Op::OpFMul:
            case Op::OpVectorTimesScalar: return map(inst, 0, Mul);
            case Op::OpFDiv: return map(inst, 0, Div);
            case Op::OpDot: return dot(inst);
            case Op::OpIsNan: return compare_size(Op::OpUGreaterThan, inst);
            case Op::OpIsInf: return compare_size(Op::OpIEqual, inst);
            case Op::OpFOrdEqual: return compare(inst, Equal, false, false);
            case Op::OpFUnordNotEqual: return compare(inst, Equal, false, true);
            case Op::OpFOrdLessThan: return compare(inst, Less, false, false);
            case Op::OpFUnordGreaterThanEqual: return compare(inst, Less, false, true);
            case Op::OpFOrdGreaterThan: return compare(inst, Less, true, false);
            case Op::OpFUnordLessThanEqual: return compare(inst, Less, true, true);
            case Op::OpFOrdLessThanEqual: return compare(inst, LessEqual, false, false);
            case Op::OpFUnordGreaterThan: return compare(inst, LessEqual, false, true);
            case Op::OpFOrdGreaterThanEqual: return compare(inst, LessEqual, true, false);
            case Op::OpFUnordLessThan: return compare(inst, LessEqual, true, true);
            case Op::OpFOrdNotEqual: return differ(inst);
            case Op::OpFUnordEqual: return op(Op::OpLogicalNot, inst.type, {differ(inst)});
            case Op::OpFConvert: return convert_float(inst);
            case Op::OpConvertSToF: return from_int(inst, true);
            case Op::OpConvertUToF: return from_int(inst, false);
            case Op::OpConvertFToS:
            case Op::OpConvertFToU: return to_int(inst);
            case Op::OpBitcast: return bitcast(inst);
            case Op::OpExtInst: return library(inst);
            default: check(passes_on(inst.op), "doubles in an instruction that is not emulated"); return {};
        }
    }
    /// Does not care what its operands or result are.
    static bool passes_on(Op op) {
        switch (op) {
            case Op::OpPhi:
            case Op::OpSelect:
            case Op::OpVariable:
            case Op::OpLoad:
            case Op::OpStore:
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpFunctionCall:
            case Op::OpUndef:
            case Op::OpCopyObject:
            case Op::OpCompositeConstruct:
            case Op::OpCompositeExtract:
            case Op::OpCompositeInsert:
            case Op::OpVectorShuffle:
            case Op::OpVectorExtractDynamic:
            case Op::OpVectorInsertDynamic:
            case Op::OpGroupNonUniformBroadcast:
            case Op::OpGroupNonUniformBroadcastFirst:
            case Op::OpGroupNonUniformShuffle:
            case Op::OpGroupNonUniformShuffleXor:
            case Op::OpGroupNonUniformShuffleUp:
            case Op::OpGroupNonUniformShuffleDown: return true;
            default: return false;
        }
    }

    Id dot(const Instruction& inst) {
        Id sum = {};
        for (uint32_t i = 0; i < builder_.count(builder_.type_of(inst.id(0))); ++i) {
            const Id product = mul(component(inst.id(0), i), component(inst.id(1), i));
            sum = sum ? add(sum, product) : product;
        }
        return sum;
    }

    // ---- Comparisons ----

    Id compare(const Instruction& inst, DoubleFunction function, bool swapped, bool negated) {
        const Id value = by_component(builder_.type_bool(), builder_.count(inst.type), [&](uint32_t i) {
            const Id a = component(inst.id(0), i), b = component(inst.id(1), i);
            return swapped ? test(function, b, a) : test(function, a, b);
        });
        return negated ? op(Op::OpLogicalNot, inst.type, {value}) : value;
    }
    /// One is less than the other: neither is NaN.
    Id differ(const Instruction& inst) {
        const Id less = compare(inst, DoubleFunction::Less, false, false);
        const Id greater = compare(inst, DoubleFunction::Less, true, false);
        return op(Op::OpLogicalOr, inst.type, {less, greater});
    }
    Id compare_size(Op code, const Instruction& inst) {
        const Id type = builder_.type_of(inst.id(0));
        const Id size = op(Op::OpBitwiseAnd, bits_type(type), {inst.id(0), splat(~kSign, type)});
        return op(code, inst.type, {size, splat(kInfinity, type)});
    }

    // ---- Conversions ----

    Id convert_float(const Instruction& inst) {
        const Id value = inst.id(0), from = builder_.type_of(value), f32 = builder_.type_float(32);
        const uint32_t count = builder_.count(inst.type);
        if (is_double(inst.type)) {
            const Id floats = builder_.width(from) == 32
                                  ? value
                                  : op(Op::OpFConvert, builder_.with_element(from, f32), {value});
            return by_component(u64_, count, [&](uint32_t i) {
                return call(DoubleFunction::FromFloat, {component(floats, i)});
            });
        }
        check(builder_.width(inst.type) == 32, "a conversion of double to half that is not lowered");
        return by_component(f32, count, [&](uint32_t i) {
            return call(DoubleFunction::ToFloat, f32, {component(value, i)});
        });
    }

    Id from_int(const Instruction& inst, bool is_signed) {
        const uint32_t width = builder_.width(builder_.type_of(inst.id(0)));
        const DoubleFunction from_long = is_signed ? DoubleFunction::FromLong : DoubleFunction::FromUlong;
        const DoubleFunction from_int = is_signed ? DoubleFunction::FromInt : DoubleFunction::FromUint;
        return by_component(u64_, builder_.count(inst.type), [&](uint32_t i) {
            Id value = component(inst.id(0), i);
            if (width < 32)
                value = op(is_signed ? Op::OpSConvert : Op::OpUConvert, builder_.type_int(32), {value});
            return call(width == 64 ? from_long : from_int, {value});
        });
    }

    /// The narrower integers are the lower bits, and the unsigned ones have the same bits.
    Id to_int(const Instruction& inst) {
        const Id element = builder_.element(inst.type);
        return by_component(element, builder_.count(inst.type), [&](uint32_t i) {
            const Id value = call(DoubleFunction::ToLong, {component(inst.id(0), i)});
            return builder_.width(element) == 64 ? value : op(Op::OpUConvert, element, {value});
        });
    }

    Id bitcast(const Instruction& inst) {
        const auto final_type = [&](Id type) { return is_double(type) ? bits_type(type) : type; };
        const Id to = final_type(inst.type);
        const bool is_same = to == final_type(builder_.type_of(inst.id(0)));
        return op(is_same ? Op::OpCopyObject : Op::OpBitcast, to, {inst.id(0)});
    }

    // ---- GLSL.std.450 ----

    Id library(const Instruction& inst) {
        using enum DoubleFunction;
        using Args = const std::vector<Id>&;
        switch (inst.word(1)) {
            case GLSLstd450FAbs:
                return op(Op::OpBitwiseAnd, bits_type(inst.type), {inst.id(2), splat(~kSign, inst.type)});
            case GLSLstd450Floor: return map(inst, 2, Floor);
            case GLSLstd450Ceil:
                return map(inst, 2, [&](Args args) { return negate(call(Floor, {negate(args[0])})); });
            case GLSLstd450Trunc: return map(inst, 2, Trunc);
            case GLSLstd450RoundEven: return map(inst, 2, Rint);
            case GLSLstd450Sqrt: return map(inst, 2, Sqrt);
            case GLSLstd450Fma: return map(inst, 2, Fma);
            case GLSLstd450FMin:
            case GLSLstd450NMin: return map(inst, 2, Min);
            case GLSLstd450FMax:
            case GLSLstd450NMax: return map(inst, 2, Max);
            case GLSLstd450FClamp:
            case GLSLstd450NClamp:
                return map(inst, 2, [&](Args args) { return clamp(args[0], args[1], args[2]); });
            case GLSLstd450Step:
                return map(inst, 2, [&](Args args) {
                    return op(Op::OpSelect, u64_, {test(Less, args[1], args[0]), number(0), number(kOne)});
                });
            case GLSLstd450SmoothStep:
                return map(inst, 2, [&](Args args) { return smooth_step(args[0], args[1], args[2]); });
            case GLSLstd450Cross: return cross(inst);
            default: check(false, "an extended instruction on doubles that is not emulated"); return {};
        }
    }

    Id clamp(Id x, Id least, Id most) {
        return call(DoubleFunction::Min, {call(DoubleFunction::Max, {x, least}), most});
    }
    Id smooth_step(Id low, Id high, Id x) {
        const Id place = call(DoubleFunction::Div, {sub(x, low), sub(high, low)});
        const Id t = clamp(place, number(0), number(kOne));
        return mul(mul(t, t), sub(number(kThree), mul(number(kTwo), t)));
    }
    Id cross(const Instruction& inst) {
        return by_component(u64_, 3, [&](uint32_t i) {
            const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
            const Id a = inst.id(2), b = inst.id(3);
            return sub(mul(component(a, j), component(b, k)), mul(component(a, k), component(b, j)));
        });
    }

    // ---- The module ----

    void drop_float_decorations() {
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            if (inst.op != Op::OpDecorate || !lowered_.contains(inst.id(0))) return false;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            return decoration == spv::Decoration::NoContraction ||
                   decoration == spv::Decoration::FPFastMathMode;
        });
    }

    /// The types that replace others are declared before everything else.
    void replace_double_types() {
        spirv::IdMap<Id> replaced;
        std::vector<Id> types;
        for (const Instruction& inst : module_.globals)
            if ((inst.op == Op::OpTypeFloat || inst.op == Op::OpTypeVector) && is_double(inst.result))
                types.push_back(inst.result);
        spirv::IdSet hoisted;
        std::vector<Instruction> globals = {*builder_.find_global(u64_)};
        hoisted.insert(u64_);
        for (const Id type : types) {
            const Id bits = bits_type(type);
            replaced[type] = bits;
            if (hoisted.insert(bits)) globals.push_back(*builder_.find_global(bits));
        }
        for (Instruction& inst : module_.globals)
            if (!inst.result || !hoisted.contains(inst.result)) globals.push_back(std::move(inst));
        module_.globals = std::move(globals);
        replace_types(module_, std::move(replaced));
    }

    Module& module_;
    Builder builder_;
    const std::vector<Id>& functions_;
    Id u64_;
    spirv::IdSet lowered_ = {};
};

}  // namespace

Result<Done> emulate_doubles(Module& module, PassContext& context) {
    if (!context.variables.double_functions.empty())
        DoubleEmulation(module, context.variables.double_functions).run();
    return Done{};
}

}  // namespace caldera::vulkan
