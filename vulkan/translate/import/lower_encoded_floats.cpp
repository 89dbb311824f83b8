// SPDX-License-Identifier: Apache-2.0
// lower_encoded_floats: computes with bfloat16 (SPV_KHR_bfloat16) in floats, and converts from and to the 8
// bits of E4M3 and E5M2 (SPV_EXT_float8). Before: OpTypeFloat may have such an encoding. After: such a float
// is the integer of its bits, with the same id. Only cooperative matrices still have components of the type,
// which outside of a matrix are such integers too (lower_matrices).
//
// A bfloat16 is the upper half of a float, so that arithmetic is that of floats with a rounded result.
// Its conversions go through float, as SPV_KHR_bfloat16 says. Those to 8 bits round once, whatever their
// source is, and there is no arithmetic with 8 bits.
#include <spirv/unified1/OpenCL.std.h>
#include <algorithm>
#include <map>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/decoration_groups.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/encoded_floats.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::FloatEncoding;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spirv::Operand;
using spirv::Operands;
using spv::Op;

using Encodings = spirv::IdMap<FloatEncoding>;  // by type

/// The types of floats with an encoding. Null if one has an encoding that is not known.
std::optional<Encodings> find_encodings(const Module& module) {
    Encodings found;
    for (const Instruction& inst : module.globals) {
        if (inst.op != Op::OpTypeFloat || inst.operands.size() == 1) continue;
        const auto encoding = spirv::encoding_of(inst);
        if (!encoding) return std::nullopt;
        found[inst.result] = *encoding;
    }
    return found;
}

/// Does not care what its operands or result are.
bool passes_on(const Instruction& inst) {
    switch (inst.op) {
        case Op::OpPhi:
        case Op::OpSelect:
        case Op::OpVariable:
        case Op::OpLoad:
        case Op::OpStore:
        case Op::OpFunctionCall:
        case Op::OpUndef:
        case Op::OpCopyObject:
        case Op::OpConstant:
        case Op::OpConstantComposite:
        case Op::OpConstantNull:
        case Op::OpSpecConstant:
        case Op::OpSpecConstantComposite:
        case Op::OpCompositeConstruct:
        case Op::OpCompositeExtract:
        case Op::OpCompositeInsert:
        case Op::OpVectorShuffle:
        case Op::OpVectorExtractDynamic:
        case Op::OpVectorInsertDynamic:
        case Op::OpAtomicLoad:
        case Op::OpAtomicStore:
        case Op::OpAtomicExchange:
        case Op::OpMatrixTimesScalar:  // of cooperative matrices
        case Op::OpGroupBroadcast:
        case Op::OpGroupNonUniformBroadcast:
        case Op::OpGroupNonUniformBroadcastFirst:
        case Op::OpGroupNonUniformShuffle:
        case Op::OpGroupNonUniformShuffleXor:
        case Op::OpGroupNonUniformShuffleUp:
        case Op::OpGroupNonUniformShuffleDown:
        case Op::OpGroupNonUniformRotateKHR:
        case Op::OpSubgroupShuffleINTEL:
        case Op::OpSubgroupShuffleDownINTEL:
        case Op::OpSubgroupShuffleUpINTEL:
        case Op::OpSubgroupShuffleXorINTEL: return true;
        case Op::OpSpecConstantOp:
            switch (static_cast<Op>(inst.word(0))) {
                case Op::OpSelect:
                case Op::OpCompositeExtract:
                case Op::OpCompositeInsert:
                case Op::OpVectorShuffle: return true;
                default: return false;
            }
        case Op::OpExtInst:
            switch (static_cast<OpenCLLIB::Entrypoints>(inst.word(1))) {
                case OpenCLLIB::Bitselect:
                case OpenCLLIB::Select:
                case OpenCLLIB::Shuffle:
                case OpenCLLIB::Shuffle2:
                case OpenCLLIB::Vloadn:
                case OpenCLLIB::Vstoren: return true;
                default: return false;
            }
        default: return false;
    }
}

/// Computes in floats, component by component or to a truth value.
bool is_arithmetic(Op op) {
    return spirv::is_float_operation(op) || (op >= Op::OpIsNan && op <= Op::OpUnordered);
}

/// A function of OpenCL.std that computes with floats alone, or with integers beside them, which are values.
bool is_float_function(const Instruction& inst) {
    if (inst.op != Op::OpExtInst || inst.word(1) >= OpenCLLIB::SAbs) return false;
    switch (static_cast<OpenCLLIB::Entrypoints>(inst.word(1))) {
        case OpenCLLIB::Nan:  // of other bits
        case OpenCLLIB::Nextafter: return false;
        default: return true;
    }
}

class EncodedLowering {
 public:
    EncodedLowering(Module& module, const Encodings& encodings)
        : module_(module), builder_(module), opencl_std_(opencl_std_of(module)), encodings_(encodings) {
        for (const Instruction& inst : module.globals) {
            if (inst.op != Op::OpTypeVector) continue;
            const auto element = encodings.find(inst.id(0));
            if (element != encodings.end()) encodings_[inst.result] = element->second;
        }
        for (const Instruction& inst : module.annotations) {
            if (inst.op != Op::OpDecorate) continue;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (decoration == spv::Decoration::FPRoundingMode)
                roundings_[inst.id(0)] = static_cast<spv::FPRoundingMode>(inst.word(2));
            if (decoration == spirv::kSaturatedToFloat8) saturating_.insert(inst.id(0));
        }
    }

    Result<Done> run() {
        for (const Instruction& inst : module_.globals)
            if (inst.type && touches_encoded(inst) && !passes_on(inst)) decline(inst, "is not supported");
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks) {
                if (std::ranges::none_of(block.body,
                                         [&](const Instruction& inst) { return touches_encoded(inst); }))
                    continue;
                replace_instructions(builder_, block, [&](const Instruction& inst) {
                    if (!declined_.empty() || !touches_encoded(inst)) return false;
                    return lower(inst);
                });
            }
        if (!declined_.empty()) return Error{.message = declined_};
        drop_float_decorations();
        return Done{};
    }

 private:
    void decline(const Instruction& inst, std::string_view why) {
        if (!declined_.empty()) return;
        if (inst.line.file) declined_ = spirv::place_text(module_, inst.line) + ": ";
        const bool is_function = inst.op == Op::OpExtInst;
        declined_ +=
            std::string(is_function ? spirv::opencl_std_name(inst.word(1)) : spirv::op_name(inst.op)) +
            " of " + std::string(spirv::name_of(encoding_in(inst))) + " " + std::string(why);
    }

    // ---- Values: for the builder, those of the module still have their old types ----

    bool is_encoded(Id type) const { return type && encodings_.contains(type); }
    bool is_bfloat(Id type) const { return is_encoded(type) && encoding(type) == FloatEncoding::BFloat16; }
    FloatEncoding encoding(Id type) const { return encodings_.at(type); }
    /// Calls `test` with the types of the instruction's result and operands until it is true.
    template <class Test>
    bool has_type(const Instruction& inst, Test test) const {
        return test(inst.type) || std::ranges::any_of(inst.operands, [&](const Operand& operand) {
                   return operand.is_id && test(builder_.type_of(operand.id()));
               });
    }
    bool touches_encoded(const Instruction& inst) const {
        return has_type(inst, [&](Id type) { return is_encoded(type); });
    }
    bool touches_float8(const Instruction& inst) const {
        return has_type(inst, [&](Id type) { return is_encoded(type) && !is_bfloat(type); });
    }
    /// One of the encodings that the instruction has, for a message.
    FloatEncoding encoding_in(const Instruction& inst) const {
        FloatEncoding found = {};
        has_type(inst,
                 [&](Id type) { return is_encoded(type) && (found = encoding(type), !is_bfloat(type)); });
        return found;
    }
    bool is_float(Id type) const { return type && builder_.find_global(type) && is_float_element(type); }
    bool is_float_element(Id type) const {
        return builder_.is_float(builder_.is_vector(type) ? builder_.element(type) : type);
    }
    Id element(Id type) const { return builder_.is_vector(type) ? builder_.element(type) : type; }
    bool is_int(Id type) const { return type && builder_.is_int(element(type)); }
    Id floats_like(Id type) { return builder_.with_count(builder_.type_float(32), builder_.count(type)); }
    Id bits_like(Id type) {
        return builder_.with_count(builder_.type_int(width_of(encoding(type))), builder_.count(type));
    }
    Id op(Op code, Id type, Operands operands) { return builder_.append(code, type, std::move(operands)); }

    /// The value, as a float if it is encoded.
    Id widened(Id value) {
        const Id type = builder_.type_of(value);
        return is_encoded(type) ? encoded_to_float(builder_, encoding(type), value) : value;
    }
    spv::FPRoundingMode rounding_of(const Instruction& inst) const {
        const auto found = roundings_.find(inst.result);
        return found == roundings_.end() ? spv::FPRoundingMode::RTE : found->second;
    }
    /// An operation that rounds as `like` is to.
    Id rounded_op(Op code, Id type, Id operand, const Instruction& like) {
        const Id result = op(code, type, {operand});
        if (roundings_.contains(like.result))
            builder_.decorate(result, spv::Decoration::FPRoundingMode, {rounding_of(like)});
        return result;
    }

    // ---- Instructions ----

    /// Whether other instructions have been appended.
    bool lower(const Instruction& inst) {
        if (inst.op == Op::OpBitcast) return bitcast(inst);
        if (inst.op == Op::OpExtInst && inst.id(0) != opencl_std_) return false;  // for debuggers
        if (passes_on(inst) || (inst.op >= spirv::kMatrixLoad && inst.op <= spirv::kMatrixLength))
            return false;
        const bool is_known = spirv::is_float_conversion(inst.op) ||
                              (!touches_float8(inst) && (is_arithmetic(inst.op) || is_float_function(inst)));
        if (!is_known) return decline(inst, "is not supported"), false;
        if (!has_operands(inst)) return decline(inst, "has operands that do not fit"), false;
        if (spirv::is_float_conversion(inst.op))
            convert(inst);
        else if (inst.op == Op::OpFNegate)
            negate(inst);
        else
            compute(inst);
        return true;
    }

    /// So that what follows may build on it: the validator may not know the type.
    bool has_operands(const Instruction& inst) const {
        const bool is_test = builder_.is_bool(element(inst.type));
        const auto fits = [&](Id type) {
            return type && builder_.count(type) == builder_.count(inst.type) &&
                   (spirv::is_float_conversion(inst.op) || is_test
                        ? is_encoded(type) || is_float(type) || is_int(type)
                        : type == inst.type);
        };
        const auto type_at = [&](size_t at) {
            return at < inst.operands.size() && inst.operands[at].is_id ? builder_.type_of(inst.id(at))
                                                                        : Id{};
        };
        if (inst.op == Op::OpExtInst) return has_arguments(inst);
        if (inst.op == Op::OpDot)
            return is_bfloat(type_at(0)) && type_at(0) == type_at(1) && element(type_at(0)) == inst.type;
        if (inst.op == Op::OpVectorTimesScalar)
            return type_at(0) == inst.type && type_at(1) == element(inst.type);
        if (inst.op == Op::OpConvertSToF || inst.op == Op::OpConvertUToF)
            return fits(type_at(0)) && is_int(type_at(0)) && is_encoded(inst.type);
        if (inst.op == Op::OpConvertFToS || inst.op == Op::OpConvertFToU)
            return fits(type_at(0)) && is_encoded(type_at(0)) && is_int(inst.type);
        if (inst.op == Op::OpFConvert) return fits(type_at(0)) && is_float(type_at(0)) && is_float(inst.type);
        for (size_t at = 0; at < inst.operands.size(); ++at)
            if (!fits(type_at(at)) || (is_test && type_at(at) != type_at(0))) return false;
        return true;
    }

    bool has_arguments(const Instruction& inst) const {
        constexpr size_t kFirst = 2;
        Id all = inst.type;
        for (size_t at = kFirst; at < inst.operands.size(); ++at) {
            const Id type = builder_.type_of(inst.id(at));
            const bool is_first = at == kFirst && is_bfloat(type) && element(type) == element(inst.type);
            if (is_first) all = type;  // length() and distance() are of vectors
            if (!is_bfloat(type) && !is_int(type)) return false;
            if (builder_.count(type) != builder_.count(all)) return false;
        }
        return is_bfloat(inst.type) ? inst.type == all || inst.type == element(all)
                                    : is_int(inst.type) && builder_.count(inst.type) == builder_.count(all);
    }

    void convert(const Instruction& inst) {
        const Id from = builder_.type_of(inst.id(0));
        if (is_encoded(inst.type)) {
            lowered_.insert(inst.result);
            return is_bfloat(inst.type) ? to_bfloat(inst, from) : to_float8(inst, from);
        }
        if (inst.op != Op::OpFConvert) {
            op(inst.op, inst.type, {widened(inst.id(0))});
            return;
        }
        if (builder_.width(inst.type) != 64) lowered_.insert(inst.result);
        encoded_to_float_type(builder_, encoding(from), inst.id(0), inst.type);
    }
    void to_bfloat(const Instruction& inst, Id from) {
        Id value = widened(inst.id(0));
        if (is_int(from) || builder_.width(builder_.type_of(value)) != 32)
            value = rounded_op(inst.op, floats_like(inst.type), value, inst);
        float_to_encoded(builder_, FloatEncoding::BFloat16, value, {rounding_of(inst)});
    }
    void to_float8(const Instruction& inst, Id from) {
        const EncodedRounding rounding = {rounding_of(inst), saturating_.contains(inst.result)};
        const FloatEncoding to = encoding(inst.type);
        if (is_int(from))
            int_to_encoded(builder_, to, inst.id(0), inst.op == Op::OpConvertSToF, rounding);
        else
            float_to_encoded(builder_, to, widened(inst.id(0)), rounding);
    }

    /// Also of a NaN, whose sign a device may lose.
    void negate(const Instruction& inst) {
        const Id bits = bits_like(inst.type);
        const Id sign = builder_.constant_splat(bits, builder_.constant_int(builder_.type_int(16), 0x8000));
        lowered_.insert(inst.result);
        op(Op::OpBitwiseXor, bits, {inst.id(0), sign});
    }

    void compute(const Instruction& inst) {
        Operands operands;
        for (const Operand& operand : Operands(inst.operands))
            operands.push_back(operand.is_id && is_bfloat(builder_.type_of(operand.id()))
                                   ? Operand(widened(operand.id()))
                                   : operand);
        const Id result =
            op(inst.op, is_bfloat(inst.type) ? floats_like(inst.type) : inst.type, std::move(operands));
        if (!is_bfloat(inst.type)) return;
        lowered_.insert(inst.result);
        float_to_bfloat(builder_, result);
    }

    bool bitcast(const Instruction& inst) {
        const Id from = builder_.type_of(inst.id(0));
        if (!from || builder_.op_of_type(from) == spirv::kTypeMatrix) return false;
        const Id to = is_encoded(inst.type) ? bits_like(inst.type) : inst.type;
        const bool is_same = to == (is_encoded(from) ? bits_like(from) : from);
        op(is_same ? Op::OpCopyObject : Op::OpBitcast, to, {inst.id(0)});
        return true;
    }

    /// An operation that is one of integers now has neither a rounding mode nor one of floats.
    void drop_float_decorations() {
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            if (inst.op != Op::OpDecorate || !lowered_.contains(inst.id(0))) return false;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            return decoration == spv::Decoration::FPRoundingMode || decoration == spirv::kSaturatedToFloat8 ||
                   decoration == spv::Decoration::NoContraction ||
                   decoration == spv::Decoration::FPFastMathMode;
        });
    }

    Module& module_;
    Builder builder_;
    Id opencl_std_ = {};
    Encodings encodings_;  // also of vectors
    spirv::IdMap<spv::FPRoundingMode> roundings_ = {};
    spirv::IdSet saturating_ = {};
    spirv::IdSet lowered_ = {};
    std::string declined_ = {};
};

/// Replaces the types by integers, except in types of cooperative matrices. Types that have become equal are
/// merged (SPIR-V 2.8).
class TypeReplacer {
 public:
    TypeReplacer(Module& module, const Encodings& encodings) : module_(module), encodings_(encodings) {}

    void run() {
        spirv::IdSet components;  // of matrices
        for (const Instruction& inst : module_.globals)
            if (inst.op == spirv::kTypeMatrix) components.insert(inst.id(0));
        std::vector<Instruction> globals;
        for (Instruction& inst : module_.globals) {
            const auto encoding = inst.result ? encodings_.find(inst.result) : encodings_.end();
            if (encoding != encodings_.end()) {
                const Id type = inst.result;
                const bool stays = components.contains(type);
                if (stays) globals.push_back(inst);
                add(globals,
                    {.op = Op::OpTypeInt,
                     .result = stays ? module_.fresh() : type,
                     .operands = {width_of(encoding->second), 0u}},
                    type);
                continue;
            }
            if (inst.op == spirv::kTypeMatrix && encodings_.contains(inst.id(0))) {
                globals.push_back(std::move(inst));
                continue;
            }
            resolve(inst);
            const Id result = inst.result;
            add(globals, std::move(inst), result);
        }
        module_.globals = std::move(globals);
        for (spirv::Function& function : module_.functions) {
            resolve(function.def);
            for (Instruction& param : function.params) resolve(param);
            for (spirv::Block& block : function.blocks)
                for (Instruction& inst : block.body) resolve(inst);
        }
        spirv::drop_stale_names(module_);
    }

 private:
    void resolve(Instruction& inst) const {
        if (const auto found = replaced_.find(inst.type); found != replaced_.end()) inst.type = found->second;
        for (Operand& operand : inst.operands)
            if (operand.is_id)
                if (const auto found = replaced_.find(operand.id()); found != replaced_.end())
                    operand = operand.with(found->second);
    }
    /// Adds a type that stands for `old`, or lets an equal one stand for it.
    void add(std::vector<Instruction>& globals, Instruction inst, Id old) {
        const bool is_merged =
            inst.op == Op::OpTypeInt || inst.op == Op::OpTypeVector || inst.op == Op::OpTypeFunction;
        if (is_merged) {
            std::vector<uint32_t> key = {static_cast<uint32_t>(inst.op)};
            for (const Operand& operand : inst.operands) key.push_back(operand.word);
            const auto [first, is_new] = unique_.try_emplace(std::move(key), inst.result);
            if (first->second != old) replaced_[old] = first->second;
            if (!is_new) return;
        }
        globals.push_back(std::move(inst));
    }

    Module& module_;
    const Encodings& encodings_;
    spirv::IdMap<Id> replaced_ = {};
    std::map<std::vector<uint32_t>, Id> unique_ = {};
};

}  // namespace

Result<Done> lower_encoded_floats(Module& module, PassContext&) {
    const std::optional<Encodings> encodings = find_encodings(module);
    if (!encodings)
        return Error{.message =
                         "floats with another encoding than bfloat16, E4M3 and E5M2 are not supported"};
    if (encodings->empty()) return Done{};
    expand_decoration_groups(module);
    if (Result<Done> done = EncodedLowering(module, *encodings).run(); !done) return done;
    TypeReplacer(module, *encodings).run();
    return Done{};
}

}  // namespace caldera::vulkan
