// SPDX-License-Identifier: Apache-2.0
// lower_int64: implements 64-bit integers on devices without shaderInt64. Before: memory is not accessed in
// 64-bit integers (lower_memory, ArgumentReader). After: there are no such integers. A 64-bit integer is a
// uvec2, low half first, and a vector of n of them is a struct of two vectors of n u32.
//
// Every value keeps its id, so that calls, phis and composites need no change. In addition, the ids of its
// halves are known.
#include <algorithm>
#include <optional>

#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/lower/long_arithmetic.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/replace_types.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spirv::Operands;
using spv::Op;

class Int64Lowering {
 public:
    Int64Lowering(Module& module, const TranslateOptions& options)
        : module_(module), builder_(module), code_(builder_, options.target), long_(code_) {}

    void run() {
        std::vector<Id> constants;
        for (const Instruction& inst : module_.globals)
            if (is_long_type(inst.type) && inst.op != Op::OpVariable) constants.push_back(inst.result);
        for (const Id constant : constants) halves(constant);
        for (spirv::Function& function : module_.functions)
            if (!function.blocks.empty()) lower_function(function);
        long_.build();
        replace_long_types();
        spirv::drop_stale_names(module_);
    }

 private:
    // ---- Values ----

    bool is_long_type(Id type) const {
        if (!type) return false;
        const Instruction* inst = builder_.find_global(type);
        if (inst && inst->op == Op::OpTypeVector) inst = builder_.find_global(inst->id(0));
        return inst && inst->op == Op::OpTypeInt && inst->word(0) == 64;
    }
    bool is_long(Id value) const { return is_long_type(builder_.type_of(value)); }
    /// The type of one half of a value.
    Id half_type(Id type) { return builder_.with_count(builder_.type_int(32), builder_.count(type)); }

    Halves halves(Id value) {
        if (const auto found = halves_.find(value); found != halves_.end()) return found->second;
        check(builder_.find_global(value) != nullptr, "a 64-bit integer is used before it is known");
        const Halves result = constant_halves(value);
        return halves_[value] = result;
    }
    Halves constant_halves(Id value) {
        const Instruction inst = *builder_.find_global(value);
        const Id type = half_type(inst.type);
        if (inst.op == Op::OpUndef) return {builder_.undef(type), builder_.undef(type)};
        if (inst.op == Op::OpConstantNull)
            return {builder_.constant_null(type), builder_.constant_null(type)};
        if (const std::optional<uint64_t> number = builder_.constant_value(value))
            return {builder_.constant_int(type, *number & 0xffffffff),
                    builder_.constant_int(type, *number >> 32)};
        check(inst.op == Op::OpConstantComposite, "a 64-bit constant of a kind that is not lowered");
        std::vector<Id> low, high;
        for (const spirv::Operand& part : inst.operands) {
            const Halves each = halves(part.id());
            low.push_back(each.low);
            high.push_back(each.high);
        }
        return {builder_.constant_composite(type, low), builder_.constant_composite(type, high)};
    }

    /// After an instruction that makes the value as a whole.
    void take_apart(Id value) {
        const Id type = half_type(builder_.type_of(value));
        const Halves parts = {code_.op(Op::OpCompositeExtract, type, {value, 0u}),
                              code_.op(Op::OpCompositeExtract, type, {value, 1u})};
        halves_[value] = parts;
    }
    void define(const Instruction& inst, Halves value) {
        builder_.append({.op = Op::OpCompositeConstruct,
                         .type = inst.type,
                         .result = inst.result,
                         .operands = {value.low, value.high},
                         .line = inst.line});
        halves_[inst.result] = value;
    }
    void replace(const Instruction& inst, Id value) {
        builder_.append({.op = Op::OpCopyObject,
                         .type = inst.type,
                         .result = inst.result,
                         .operands = {value},
                         .line = inst.line});
    }

    // ---- Functions ----

    void lower_function(spirv::Function& function) {
        bool is_entry = true;
        for (spirv::Block& block : function.blocks) {
            std::vector<Instruction> out;
            builder_.set_sink(&out);
            bool at_start = true;
            std::vector<Id> pending;
            if (is_entry)
                for (const Instruction& param : function.params)
                    if (is_long(param.result)) pending.push_back(param.result);
            auto start = [&] {
                for (const Id value : pending) take_apart(value);
                at_start = false;
            };
            for (Instruction& inst : block.body) {
                builder_.set_line(inst.line);
                const bool leads = inst.op == Op::OpPhi || inst.op == Op::OpVariable;
                if (at_start && !leads) start();
                if (leads) {
                    if (is_long_type(inst.type)) pending.push_back(inst.result);
                    out.push_back(std::move(inst));
                } else {
                    lower(std::move(inst), out);
                }
            }
            if (at_start) start();
            if (block.terminator.op == Op::OpSwitch) lower_switch(block.terminator);
            block.body = std::move(out);
            is_entry = false;
        }
        builder_.set_sink(nullptr);
        builder_.set_line({});
    }

    /// By the number of the first case that matches.
    void lower_switch(Instruction& terminator) {
        if (!is_long(terminator.id(0))) return;
        const Halves selector = halves(terminator.id(0));
        Operands operands = {terminator.operands[0], terminator.operands[1]};
        Id chosen = builder_.constant_u32(0);
        uint32_t number = 0;
        for (size_t i = 2; i + 2 < terminator.operands.size(); i += 3) {
            const Halves value = {builder_.constant_u32(terminator.word(i)),
                                  builder_.constant_u32(terminator.word(i + 1))};
            ++number;
            chosen = code_.select(long_.compare(Op::OpIEqual, selector, value), builder_.constant_u32(number),
                                  chosen);
            operands.push_back(number);
            operands.push_back(terminator.operands[i + 2]);
        }
        operands[0] = chosen;
        terminator.operands = std::move(operands);
    }

    // ---- Instructions ----

    void lower(Instruction inst, std::vector<Instruction>& out) {
        const bool to_long = is_long_type(inst.type);
        bool from_long = false;
        for (const spirv::Operand& operand : inst.operands)
            from_long |= operand.is_id && is_long(operand.id());
        if ((to_long || from_long || inst.op == Op::OpCompositeExtract || inst.op == Op::OpCompositeInsert) &&
            lower_long(inst))
            return;
        check((!to_long && !from_long) || passes_whole(inst.op),
              "64-bit integers in an instruction that is not lowered");
        const Id result = inst.result;
        out.push_back(std::move(inst));
        if (to_long) take_apart(result);
    }
    /// Does not care what its operands or result are.
    static bool passes_whole(Op op) {
        switch (op) {
            case Op::OpLoad:
            case Op::OpStore:
            case Op::OpFunctionCall:
            case Op::OpCompositeConstruct:
            case Op::OpCompositeExtract:
            case Op::OpCompositeInsert:
            case Op::OpCopyObject:
            case Op::OpUndef: return true;
            default: return false;
        }
    }

    /// Returns true if other instructions replace it.
    bool lower_long(Instruction& inst) {
        auto arg = [&](size_t index) { return halves(inst.id(index)); };
        switch (inst.op) {
            case Op::OpIAdd: define(inst, long_.add(arg(0), arg(1))); return true;
            case Op::OpISub: define(inst, long_.sub(arg(0), arg(1))); return true;
            case Op::OpIMul: define(inst, long_.mul(arg(0), arg(1))); return true;
            case Op::OpSNegate: define(inst, long_.negate(arg(0))); return true;
            case Op::OpUDiv:
            case Op::OpSDiv:
            case Op::OpUMod:
            case Op::OpSRem:
            case Op::OpSMod: define(inst, long_.divide(inst.op, arg(0), arg(1))); return true;
            case Op::OpShiftLeftLogical:
            case Op::OpShiftRightLogical:
            case Op::OpShiftRightArithmetic: return shift(inst);
            case Op::OpBitwiseAnd:
            case Op::OpBitwiseOr:
            case Op::OpBitwiseXor: define(inst, long_.bitwise(inst.op, arg(0), arg(1))); return true;
            case Op::OpNot:
                define(inst, {code_.unary(Op::OpNot, arg(0).low), code_.unary(Op::OpNot, arg(0).high)});
                return true;
            case Op::OpBitReverse: define(inst, long_.bit_reverse(arg(0))); return true;
            case Op::OpSelect: define(inst, long_.select(inst.id(0), arg(1), arg(2))); return true;
            case Op::OpIEqual:
            case Op::OpINotEqual:
            case Op::OpULessThan:
            case Op::OpSLessThan:
            case Op::OpUGreaterThan:
            case Op::OpSGreaterThan:
            case Op::OpULessThanEqual:
            case Op::OpSLessThanEqual:
            case Op::OpUGreaterThanEqual:
            case Op::OpSGreaterThanEqual: replace(inst, long_.compare(inst.op, arg(0), arg(1))); return true;
            case Op::OpUConvert:
            case Op::OpSConvert: convert(inst); return true;
            case Op::OpConvertUToF:
            case Op::OpConvertSToF:
                replace(inst,
                        long_.to_float(arg(0), builder_.width(inst.type), inst.op == Op::OpConvertSToF));
                return true;
            case Op::OpConvertFToU:
            case Op::OpConvertFToS:
                define(inst, long_.from_float(inst.id(0), inst.op == Op::OpConvertFToS));
                return true;
            case Op::OpUMulExtended:
            case Op::OpSMulExtended:
            case Op::OpIAddCarry:
            case Op::OpISubBorrow: extended(inst); return true;
            case Op::OpBitcast: bitcast(inst); return true;
            case Op::OpConvertUToPtr: {
                Instruction cast = inst;
                cast.op = Op::OpBitcast;
                builder_.append(std::move(cast));
                return true;
            }
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
                for (size_t i = 1; i < inst.operands.size(); ++i) inst.operands[i] = index(inst.id(i));
                builder_.append(std::move(inst));
                return true;
            case Op::OpExtInst: return library(inst);
            default: return lower_composite(inst);
        }
    }

    bool shift(Instruction& inst) {
        const bool long_amount = is_long(inst.id(1));
        const Id by = long_amount ? halves(inst.id(1)).low : code_.convert_unsigned(inst.id(1), 32);
        if (is_long_type(inst.type)) {
            define(inst, long_.shift(inst.op, halves(inst.id(0)), by));
            return true;
        }
        Instruction copy = inst;
        copy.operands[1] = by;
        builder_.append(std::move(copy));
        return true;
    }

    void convert(const Instruction& inst) {
        const bool is_signed = inst.op == Op::OpSConvert;
        if (is_long_type(inst.type)) return define(inst, long_.from_narrow(inst.id(0), is_signed));
        replace(inst, code_.convert_unsigned(halves(inst.id(0)).low, builder_.width(inst.type)));
    }

    /// {low or sum, high or carry}: the members of the result are whole values.
    void extended(const Instruction& inst) {
        const Halves a = halves(inst.id(0)), b = halves(inst.id(1));
        const Id member = builder_.type_of(inst.id(0));
        Halves first, second;
        auto flag = [&](Id condition) {
            const Id type = code_.type(a.low);
            const Id zero = code_.number(type, 0);
            return Halves{code_.select(condition, code_.number(type, 1), zero), zero};
        };
        switch (inst.op) {
            case Op::OpIAddCarry:
                first = long_.add(a, b);
                second = flag(long_.compare(Op::OpULessThan, first, a));
                break;
            case Op::OpISubBorrow:
                first = long_.sub(a, b);
                second = flag(long_.compare(Op::OpULessThan, a, b));
                break;
            default:
                first = long_.mul(a, b);
                second = long_.mul_high(a, b, inst.op == Op::OpSMulExtended);
                break;
        }
        auto whole = [&](Halves value) {
            return code_.op(Op::OpCompositeConstruct, member, {value.low, value.high});
        };
        const Id low = whole(first), high = whole(second);
        Instruction pair = inst;
        pair.op = Op::OpCompositeConstruct;
        pair.operands = {low, high};
        builder_.append(std::move(pair));
    }

    // ---- Casts by words ----

    std::vector<Id> words_of(Id value) {
        std::vector<Id> words;
        const Id type = builder_.type_of(value), u32 = builder_.type_int(32);
        if (builder_.is_pointer(type))
            return words_of(code_.op(Op::OpBitcast, builder_.type_vector(u32, 2), {value}));
        const uint32_t count = builder_.count(type), width = builder_.width(type);
        if (is_long(value)) {
            const Halves parts = halves(value);
            for (uint32_t i = 0; i < count; ++i) {
                words.push_back(code_.extract(parts.low, i));
                words.push_back(code_.extract(parts.high, i));
            }
        } else if (width == 64) {
            for (uint32_t i = 0; i < count; ++i) {
                const Id pair =
                    code_.op(Op::OpBitcast, builder_.type_vector(u32, 2), {code_.extract(value, i)});
                for (uint32_t half : {0, 1}) words.push_back(code_.extract(pair, half));
            }
        } else {
            const uint32_t words_in_all = count * width / 32;
            const Id all = code_.op(Op::OpBitcast, builder_.with_count(u32, words_in_all), {value});
            for (uint32_t i = 0; i < words_in_all; ++i) words.push_back(code_.extract(all, i));
        }
        return words;
    }

    void bitcast(const Instruction& inst) {
        const std::vector<Id> words = words_of(inst.id(0));
        const Id u32 = builder_.type_int(32);
        const uint32_t count = builder_.is_pointer(inst.type) ? 1 : builder_.count(inst.type);
        if (is_long_type(inst.type)) {
            std::vector<Id> low, high;
            for (size_t i = 0; i + 1 < words.size(); i += 2) {
                low.push_back(words[i]);
                high.push_back(words[i + 1]);
            }
            return define(inst, {code_.construct(half_type(inst.type), low),
                                 code_.construct(half_type(inst.type), high)});
        }
        if (!builder_.is_pointer(inst.type) && builder_.width(inst.type) == 64 && count > 1) {
            std::vector<Id> parts;
            for (uint32_t i = 0; i < count; ++i) {
                const Id pair =
                    code_.construct(builder_.type_vector(u32, 2), std::span(words).subspan(2 * i, 2));
                parts.push_back(code_.op(Op::OpBitcast, builder_.element(inst.type), {pair}));
            }
            return replace(inst, code_.construct(inst.type, parts));
        }
        const Id all = code_.construct(builder_.with_count(u32, static_cast<uint32_t>(words.size())), words);
        replace(inst, code_.type(all) == inst.type ? all : code_.op(Op::OpBitcast, inst.type, {all}));
    }

    // ---- Composites ----

    bool lower_composite(Instruction& inst) {
        switch (inst.op) {
            case Op::OpCompositeExtract: return extract(inst);
            case Op::OpCompositeInsert: return insert(inst);
            case Op::OpCompositeConstruct: return construct(inst);
            case Op::OpVectorShuffle: {
                const Halves a = halves(inst.id(0)), b = halves(inst.id(1));
                Operands low = inst.operands, high = inst.operands;
                low[0] = a.low, low[1] = b.low;
                high[0] = a.high, high[1] = b.high;
                const Id type = half_type(inst.type);
                define(inst, {code_.op(inst.op, type, low), code_.op(inst.op, type, high)});
                return true;
            }
            case Op::OpVectorExtractDynamic: {
                if (!is_long(inst.id(0))) {
                    inst.operands[1] = index(inst.id(1));
                    builder_.append(std::move(inst));
                    return true;
                }
                const Halves vector = halves(inst.id(0));
                const Id at = index(inst.id(1)), type = half_type(inst.type);
                define(inst, {code_.op(inst.op, type, {vector.low, at}),
                              code_.op(inst.op, type, {vector.high, at})});
                return true;
            }
            case Op::OpVectorInsertDynamic: {
                if (!is_long(inst.id(0))) {
                    inst.operands[2] = index(inst.id(2));
                    builder_.append(std::move(inst));
                    return true;
                }
                const Halves vector = halves(inst.id(0)), value = halves(inst.id(1));
                const Id at = index(inst.id(2)), type = half_type(inst.type);
                define(inst, {code_.op(inst.op, type, {vector.low, value.low, at}),
                              code_.op(inst.op, type, {vector.high, value.high, at})});
                return true;
            }
            default: return false;
        }
    }
    Id index(Id id) { return is_long(id) ? halves(id).low : id; }

    /// How many of the indices from `first` on lead to a vector of 64-bit integers; nothing when none does.
    std::optional<size_t> path_to_vector(const Instruction& inst, Id type, size_t first) const {
        for (size_t i = first; i < inst.operands.size(); ++i) {
            if (builder_.is_vector(type)) return is_long_type(type) ? std::optional(i) : std::nullopt;
            type = builder_.op_of_type(type) == Op::OpTypeStruct ? builder_.member(type, inst.word(i))
                                                                 : builder_.element(type);
        }
        return std::nullopt;
    }
    /// The vector itself, out of what it is in.
    Id vector_in(const Instruction& inst, Id base, size_t first, size_t at, Id type) {
        if (at == first) return base;
        Operands operands = {base};
        for (size_t i = first; i < at; ++i) operands.push_back(inst.operands[i]);
        const Id vector = code_.op(Op::OpCompositeExtract, type, std::move(operands));
        take_apart(vector);
        return vector;
    }
    Id type_at(const Instruction& inst, Id type, size_t first, size_t at) const {
        for (size_t i = first; i < at; ++i)
            type = builder_.op_of_type(type) == Op::OpTypeStruct ? builder_.member(type, inst.word(i))
                                                                 : builder_.element(type);
        return type;
    }

    bool extract(const Instruction& inst) {
        const Id base_type = builder_.type_of(inst.id(0));
        const std::optional<size_t> at = path_to_vector(inst, base_type, 1);
        if (!at) return false;
        const Id vector = vector_in(inst, inst.id(0), 1, *at, type_at(inst, base_type, 1, *at));
        const Halves parts = halves(vector);
        const uint32_t component = inst.word(*at);
        define(inst, {code_.extract(parts.low, component), code_.extract(parts.high, component)});
        return true;
    }

    bool insert(Instruction& inst) {
        const Id base_type = builder_.type_of(inst.id(1));
        const std::optional<size_t> at = path_to_vector(inst, base_type, 2);
        if (!at) return false;
        const Id type = type_at(inst, base_type, 2, *at);
        const Halves vector = halves(vector_in(inst, inst.id(1), 2, *at, type)), value = halves(inst.id(0));
        const uint32_t component = inst.word(*at);
        const Id half = half_type(type);
        const Halves changed = {code_.op(Op::OpCompositeInsert, half, {value.low, vector.low, component}),
                                code_.op(Op::OpCompositeInsert, half, {value.high, vector.high, component})};
        if (*at == 2) return define(inst, changed), true;
        Instruction outer = inst;
        outer.operands[0] = code_.op(Op::OpCompositeConstruct, type, {changed.low, changed.high});
        outer.operands.resize(*at);
        builder_.append(std::move(outer));
        return true;
    }

    bool construct(const Instruction& inst) {
        if (!is_long_type(inst.type)) return false;  // of whole values
        Operands low, high;
        for (const spirv::Operand& part : inst.operands) {
            const Halves each = halves(part.id());
            low.push_back(each.low);
            high.push_back(each.high);
        }
        const Id type = half_type(inst.type);
        define(inst, {code_.op(inst.op, type, low), code_.op(inst.op, type, high)});
        return true;
    }

    // ---- GLSL.std.450 ----

    bool library(const Instruction& inst) {
        auto arg = [&](size_t index) { return halves(inst.id(2 + index)); };
        auto pick = [&](Op test, Halves a, Halves b) {
            return long_.select(long_.compare(test, a, b), a, b);
        };
        switch (inst.word(1)) {
            case GLSLstd450UMin: define(inst, pick(Op::OpULessThan, arg(0), arg(1))); return true;
            case GLSLstd450SMin: define(inst, pick(Op::OpSLessThan, arg(0), arg(1))); return true;
            case GLSLstd450UMax: define(inst, pick(Op::OpUGreaterThan, arg(0), arg(1))); return true;
            case GLSLstd450SMax: define(inst, pick(Op::OpSGreaterThan, arg(0), arg(1))); return true;
            case GLSLstd450UClamp:
                define(inst, pick(Op::OpULessThan, pick(Op::OpUGreaterThan, arg(0), arg(1)), arg(2)));
                return true;
            case GLSLstd450SClamp:
                define(inst, pick(Op::OpSLessThan, pick(Op::OpSGreaterThan, arg(0), arg(1)), arg(2)));
                return true;
            case GLSLstd450SAbs: define(inst, long_.magnitude(arg(0))); return true;
            default: check(false, "an extended instruction on 64-bit integers"); return false;
        }
    }

    // ---- Types and constants ----

    /// The types for halves of constants are declared before the constants.
    void replace_long_types() {
        const Words words = declare_words(builder_);
        std::vector<Instruction> globals;
        spirv::IdSet hoisted;
        auto hoist = [&](const Instruction& inst) {
            if (hoisted.insert(inst.result)) globals.push_back(inst);
        };
        for (uint32_t n = 1; n <= 4; ++n) hoist(*builder_.find_global(words.types[n]));
        for (const Instruction& inst : module_.globals) {
            const bool is_constant = inst.op == Op::OpConstant || inst.op == Op::OpConstantNull ||
                                     inst.op == Op::OpUndef || inst.op == Op::OpConstantComposite;
            if (is_constant && std::ranges::find(words.types, inst.type) != std::end(words.types))
                hoist(inst);
        }
        spirv::IdMap<Id> replaced;
        for (const Instruction& inst : module_.globals) {
            if (inst.result && hoisted.contains(inst.result)) continue;
            if (inst.op == Op::OpTypeInt && inst.word(0) == 64) replaced[inst.result] = words.types[2];
            globals.push_back(lower_global(inst, words));
        }
        module_.globals = std::move(globals);
        replace_types(module_, std::move(replaced));
    }

    Instruction lower_global(Instruction inst, const Words& words) {
        if (inst.op == Op::OpTypeArray && is_long(inst.id(1))) inst.operands[1] = halves_.at(inst.id(1)).low;
        if (inst.op == Op::OpTypeVector && is_long_type(inst.result)) {
            const Id half = words.types[inst.word(1)];
            inst.op = Op::OpTypeStruct;
            inst.operands = {half, half};
        } else if (is_long_type(inst.type) &&
                   (inst.op == Op::OpConstant || inst.op == Op::OpConstantComposite)) {
            const Halves parts = halves_.at(inst.result);
            inst.op = Op::OpConstantComposite;
            inst.operands = {parts.low, parts.high};
        }
        return inst;
    }

    Module& module_;
    Builder builder_;
    Code code_;
    LongArithmetic long_;
    spirv::IdMap<Halves> halves_ = {};
};

bool has_int64(const Module& module) {
    return std::ranges::any_of(module.globals, [](const Instruction& inst) {
        return inst.op == Op::OpTypeInt && inst.word(0) == 64;
    });
}

}  // namespace

Result<Done> lower_int64(Module& module, PassContext& context) {
    if (!context.options.profile.int64 && has_int64(module)) Int64Lowering(module, context.options).run();
    return Done{};
}

}  // namespace caldera::vulkan
