// SPDX-License-Identifier: Apache-2.0
// lower_narrow_ints: implements 8- and 16-bit integers on devices without shaderInt8 or shaderInt16. It
// lowers both, because they are cast to each other. Before: memory is not accessed in such integers
// (lower_memory). After: they are 32-bit integers whose upper bits are zero. A mask follows each operation
// that may set those, and an extension precedes each that looks at the sign.
#include <algorithm>

#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/replace_types.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;

class NarrowLowering {
 public:
    NarrowLowering(Module& module, const TranslateOptions& options)
        : module_(module), builder_(module), code_(builder_, options.target) {}

    void run() {
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks) {
                std::vector<Instruction> out;
                builder_.set_sink(&out);
                for (Instruction& inst : block.body) {
                    builder_.set_line(inst.line);
                    if (touches_narrow(inst))
                        lower(inst);
                    else
                        out.push_back(std::move(inst));
                }
                block.body = std::move(out);
            }
        builder_.set_sink(nullptr);
        replace_narrow_types();
        spirv::drop_stale_names(module_);
    }

 private:
    // ---- Types ----

    /// 8 or 16 for integers of such width and vectors of them, else 0.
    uint32_t narrow_width(Id type) const {
        if (!type) return 0;
        const Instruction* inst = builder_.find_global(type);
        if (inst && inst->op == Op::OpTypeVector) inst = builder_.find_global(inst->id(0));
        if (!inst || inst->op != Op::OpTypeInt) return 0;
        const uint32_t width = inst->word(0);
        return width < 32 ? width : 0;
    }
    uint32_t width_of(Id value) const { return narrow_width(builder_.type_of(value)); }
    bool touches_narrow(const Instruction& inst) const {
        if (narrow_width(inst.type)) return true;
        return std::ranges::any_of(inst.operands, [&](const spirv::Operand& operand) {
            return operand.is_id && width_of(operand.id());
        });
    }
    /// A u32, or a vector of u32 with as many components as the type.
    Id word_type(Id type) { return builder_.with_count(builder_.type_int(32), builder_.count(type)); }

    // ---- Values: the type that a builder knows for an id is the one before ----

    Id op(Op code, Id type, spirv::Operands operands) {
        return builder_.append(code, type, std::move(operands));
    }
    Id masked(Id value, Id type, uint32_t width) {
        return op(Op::OpBitwiseAnd, type, {value, code_.number(type, all_ones(width))});
    }
    /// A value with its sign in the upper bits too.
    Id signed_value(Id value) {
        const uint32_t width = width_of(value);
        if (width == 0) return value;
        const Id type = word_type(builder_.type_of(value));
        const Id by = code_.number(type, 32 - width);
        return op(Op::OpShiftRightArithmetic, type, {op(Op::OpShiftLeftLogical, type, {value, by}), by});
    }
    void finish(const Instruction& inst, Id value) {
        builder_.append({.op = Op::OpCopyObject,
                         .type = inst.type,
                         .result = inst.result,
                         .operands = {value},
                         .line = inst.line});
    }
    /// The instruction in 32 bits, with other operands, then cut to the width of its result.
    void widened(Instruction inst, bool with_signs, size_t first = 0) {
        const Id result = inst.result, type = inst.type;
        const uint32_t width = narrow_width(type);
        if (with_signs)
            for (size_t i = first; i < inst.operands.size(); ++i) {
                const bool is_amount = inst.op == Op::OpShiftRightArithmetic && i == 1;
                if (inst.operands[i].is_id && !is_amount) inst.operands[i] = signed_value(inst.id(i));
            }
        if (width == 0) return builder_.append(std::move(inst));
        inst.type = word_type(type);
        inst.result = builder_.fresh();
        const Id wide = inst.result;
        builder_.append(std::move(inst));
        builder_.append({.op = Op::OpBitwiseAnd,
                         .type = type,
                         .result = result,
                         .operands = {wide, code_.number(word_type(type), all_ones(width))}});
    }

    // ---- Instructions ----

    void lower(Instruction& inst) {
        switch (inst.op) {
            case Op::OpIAdd:
            case Op::OpISub:
            case Op::OpIMul:
            case Op::OpShiftLeftLogical:
            case Op::OpNot:
            case Op::OpSNegate:
            case Op::OpConvertFToU:
            case Op::OpConvertFToS: return widened(std::move(inst), false);
            case Op::OpSDiv:
            case Op::OpSRem:
            case Op::OpSMod:
            case Op::OpShiftRightArithmetic:
            case Op::OpConvertSToF:
            case Op::OpSLessThan:
            case Op::OpSLessThanEqual:
            case Op::OpSGreaterThan:
            case Op::OpSGreaterThanEqual: return widened(std::move(inst), true);
            case Op::OpUDiv:
            case Op::OpUMod:
            case Op::OpShiftRightLogical:
            case Op::OpBitwiseAnd:
            case Op::OpBitwiseOr:
            case Op::OpBitwiseXor:
            case Op::OpConvertUToF:
            case Op::OpIEqual:
            case Op::OpINotEqual:
            case Op::OpULessThan:
            case Op::OpULessThanEqual:
            case Op::OpUGreaterThan:
            case Op::OpUGreaterThanEqual:
            case Op::OpSelect:
            case Op::OpPhi:
            case Op::OpBitCount:
            case Op::OpUndef:
            case Op::OpCopyObject:
            case Op::OpFunctionCall:
            case Op::OpVariable:
            case Op::OpLoad:
            case Op::OpStore:
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpVectorShuffle:
            case Op::OpVectorExtractDynamic:
            case Op::OpVectorInsertDynamic:
            case Op::OpCompositeExtract:
            case Op::OpCompositeInsert:
            case Op::OpCompositeConstruct: return builder_.append(std::move(inst));
            case Op::OpBitReverse: return bit_reverse(inst);
            case Op::OpUConvert: return convert(inst, inst.id(0), Op::OpUConvert);
            case Op::OpSConvert: return convert(inst, signed_value(inst.id(0)), Op::OpSConvert);
            case Op::OpBitcast: return bitcast(inst);
            case Op::OpExtInst: return library(inst);
            default: check(false, "8- or 16-bit integers in an instruction that is not lowered");
        }
    }

    void bit_reverse(const Instruction& inst) {
        const Id type = word_type(inst.type);
        const Id reversed = op(Op::OpBitReverse, type, {inst.id(0)});
        finish(inst, op(Op::OpShiftRightLogical, type,
                        {reversed, code_.number(type, 32 - narrow_width(inst.type))}));
    }

    void convert(const Instruction& inst, Id value, Op code) {
        const Id type = word_type(inst.type);
        const uint32_t to = narrow_width(inst.type), from = builder_.width(builder_.type_of(inst.id(0)));
        const bool is_word = width_of(inst.id(0)) != 0 || from == 32;
        if (to != 0) {
            const Id word = is_word ? value : op(code, type, {value});
            return finish(inst, masked(word, type, to));
        }
        if (builder_.width(inst.type) == 32) return finish(inst, value);
        Instruction copy = inst;
        copy.operands[0] = value;
        builder_.append(std::move(copy));
    }

    /// Pieces of `width` bits, each in a word of its own, of any value.
    std::vector<Id> pieces_of(Id value, uint32_t width) {
        const Id u32 = builder_.type_int(32), type = builder_.type_of(value);
        const uint32_t own = builder_.width(type), count = builder_.count(type);
        std::vector<Id> words;  // each with `own` bits, 32 at most
        uint32_t have = std::min(own, 32u);
        if (width_of(value)) {
            for (uint32_t i = 0; i < count; ++i)
                words.push_back(count == 1 ? value : op(Op::OpCompositeExtract, u32, {value, i}));
        } else if (own * count % 32 == 0) {
            const uint32_t total = own * count / 32;
            const Id all_type = builder_.with_count(u32, total);
            const Id all = all_type == type ? value : op(Op::OpBitcast, all_type, {value});
            for (uint32_t i = 0; i < total; ++i)
                words.push_back(total == 1 ? all : op(Op::OpCompositeExtract, u32, {all, i}));
            have = 32;
        } else {  // one or three halves: two by two, with a zero
            const Id half = builder_.element(type), two = builder_.with_count(half, 2);
            for (uint32_t i = 0; i < count; ++i) {
                const Id pair = op(Op::OpCompositeConstruct, two,
                                   {code_.extract(value, i), builder_.constant_null(half)});
                words.push_back(op(Op::OpBitcast, u32, {pair}));
            }
        }
        return regroup(words, have, width);
    }
    std::vector<Id> regroup(const std::vector<Id>& words, uint32_t have, uint32_t want) {
        const Id u32 = builder_.type_int(32);
        std::vector<Id> out;
        if (have == want) return words;
        if (have > want) {
            for (const Id word : words)
                for (uint32_t at = 0; at < have; at += want) {
                    const Id moved =
                        at ? op(Op::OpShiftRightLogical, u32, {word, builder_.constant_u32(at)}) : word;
                    out.push_back(masked(moved, u32, want));
                }
            return out;
        }
        const uint32_t group = want / have;
        for (size_t i = 0; i < words.size(); i += group) {
            Id word = words[i];
            for (uint32_t j = 1; j < group && i + j < words.size(); ++j) {
                const Id moved =
                    op(Op::OpShiftLeftLogical, u32, {words[i + j], builder_.constant_u32(j * have)});
                word = op(Op::OpBitwiseOr, u32, {word, moved});
            }
            out.push_back(word);
        }
        return out;
    }

    void bitcast(const Instruction& inst) {
        const uint32_t to = narrow_width(inst.type);
        if (to != 0) {
            const std::vector<Id> pieces = pieces_of(inst.id(0), to);
            return finish(inst, code_.construct(word_type(inst.type), pieces));
        }
        const uint32_t width = builder_.width(inst.type), count = builder_.count(inst.type);
        const std::vector<Id> words = pieces_of(inst.id(0), width * count % 32 == 0 ? 32 : width);
        if (width * count % 32 != 0) {  // halves
            const Id half = builder_.element(inst.type), two = builder_.with_count(half, 2);
            std::vector<Id> parts;
            for (const Id word : words)
                parts.push_back(op(Op::OpCompositeExtract, half, {op(Op::OpBitcast, two, {word}), 0u}));
            return finish(inst, code_.construct(inst.type, parts));
        }
        const Id all_type = builder_.with_count(builder_.type_int(32), static_cast<uint32_t>(words.size()));
        const Id all = code_.construct(all_type, words);
        finish(inst, all_type == inst.type ? all : op(Op::OpBitcast, inst.type, {all}));
    }

    void library(const Instruction& inst) {
        switch (inst.word(1)) {
            case GLSLstd450UMin:
            case GLSLstd450UMax:
            case GLSLstd450UClamp:
            case GLSLstd450FindUMsb:
            case GLSLstd450FindILsb: return widened(inst, false, 2);
            case GLSLstd450SMin:
            case GLSLstd450SMax:
            case GLSLstd450SClamp:
            case GLSLstd450SAbs:
            case GLSLstd450SSign: return widened(inst, true, 2);
            default: check(false, "an extended instruction on 8- or 16-bit integers");
        }
    }

    // ---- Types and constants ----

    void replace_narrow_types() {
        const Words words = declare_words(builder_);
        std::vector<Instruction> globals;
        for (uint32_t n = 1; n <= 4; ++n) globals.push_back(*builder_.find_global(words.types[n]));
        spirv::IdMap<Id> replaced;
        for (const Instruction& inst : module_.globals) {
            if (std::ranges::find(words.types, inst.result) != std::end(words.types) && inst.result) continue;
            const bool is_type = inst.op == Op::OpTypeInt || inst.op == Op::OpTypeVector;
            if (is_type && narrow_width(inst.result))
                replaced[inst.result] = words.types[inst.op == Op::OpTypeInt ? 1 : inst.word(1)];
            globals.push_back(inst);
            if (const uint32_t width = narrow_width(inst.type); width != 0 && inst.op == Op::OpConstant)
                globals.back().operands[0] = inst.word(0) & static_cast<uint32_t>(all_ones(width));
        }
        module_.globals = std::move(globals);
        replace_types(module_, std::move(replaced));
    }

    Module& module_;
    Builder builder_;
    Code code_;
};

bool has_narrow_ints(const Module& module) {
    return std::ranges::any_of(module.globals, [](const Instruction& inst) {
        return inst.op == Op::OpTypeInt && inst.word(0) < 32;
    });
}

}  // namespace

Result<Done> lower_narrow_ints(Module& module, PassContext& context) {
    const DeviceProfile& profile = context.options.profile;
    if (!(profile.int8 && profile.int16) && has_narrow_ints(module))
        NarrowLowering(module, context.options).run();
    return Done{};
}

}  // namespace caldera::vulkan
