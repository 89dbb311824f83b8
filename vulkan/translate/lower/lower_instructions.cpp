// SPDX-License-Identifier: Apache-2.0
// lower_instructions: turns everything that only OpenCL's SPIR-V has into GLSL.std.450 and core instructions.
// Before: pointers are integers; OpenCL.std instructions that need the library are calls. After: there is no
// OpenCL.std, no instruction of the Kernel capability, no rounding or saturation decoration. FPFastMathMode
// is as in float_freedom.h. Vectors still have any OpenCL size.

#include <map>
#include <utility>

#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/lower/integer_dot.h"
#include "vulkan/translate/lower/lower_conversions.h"
#include "vulkan/translate/lower/lower_opencl_std.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/float_freedom.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;

class InstructionLowering {
 public:
    InstructionLowering(Module& module, const TranslateOptions& options)
        : module_(module),
          options_(options),
          freedom_(module, options),
          builder_(module),
          code_(builder_, options.target, !options.profile.quirks.slow_fma,
                options.profile.quirks.wrong_log2_of_denormals, options.profile.emulated_float64) {
        for (const Instruction& inst : module.ext_inst_imports)
            if (spirv::string_at(inst, 0) == "OpenCL.std") opencl_std_ = inst.result;
        read_decorations();
    }

    Result<Done> run() {
        for (spirv::Function& function : module_.functions) {
            replaced_ = {};
            function_ = function.id();
            for (spirv::Block& block : function.blocks) {
                lower_block(block);
                if (!error_.message.empty()) return error_;
            }
            replaced_.apply(function);
        }
        return Done{};
    }

 private:
    void read_decorations() {
        for (const Instruction& inst : module_.annotations) {
            if (inst.op != Op::OpDecorate) continue;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (decoration == spv::Decoration::FPRoundingMode)
                conversions_[inst.id(0)].rounding = static_cast<spv::FPRoundingMode>(inst.word(2));
            if (decoration == spv::Decoration::SaturatedConversion) conversions_[inst.id(0)].saturated = true;
        }
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            if (inst.op != Op::OpDecorate) return false;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            return decoration == spv::Decoration::FPRoundingMode ||
                   decoration == spv::Decoration::SaturatedConversion ||
                   decoration == spv::Decoration::FPFastMathMode;
        });
    }

    void lower_block(spirv::Block& block) {
        find_quotients(block);
        rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
            const size_t before = out.size();
            const uint32_t mode = mode_of(inst);
            const std::optional<Id> value = lower(inst);
            if (!value) {
                if (!dropped(inst)) out.push_back(std::move(inst));
            } else if (out.size() > before && out.back().result == *value) {
                out.back().result = inst.result;  // keeps the name and the uses
            } else {
                replaced_.set(inst.result, *value);
            }
            if (mode != 0) allow(mode, std::span(out).subspan(before));
        });
    }

    /// What compilers may do with the instruction: any FPFastMathMode if the device has
    /// VK_KHR_shader_float_controls2, else everything or nothing.
    uint32_t mode_of(const Instruction& inst) const {
        const uint32_t mode =
            is_opencl(inst, OpenCLLIB::Round) ? 0 : freedom_.mode(builder_, inst, function_);
        if (options_.profile.float_controls2) return mode | freedom_of_mad(inst);
        return allows_all(mode) ? mode : 0;
    }

    /// Vulkan's Fma may be a product and a sum, which RADV makes of it for GPUs before gfx10.3. It fuses
    /// those again only if it may. Where Fma rounds once, our library relies on mad().
    uint32_t freedom_of_mad(const Instruction& inst) const {
        const DeviceProfile& profile = options_.profile;
        if (!is_opencl(inst, OpenCLLIB::Mad) || profile.quirks.slow_fma) return 0;
        const uint32_t width = builder_.width(builder_.element(inst.type));
        const bool rounds_once = width == 16 ? profile.fused_half_fma : profile.fused_fma;
        const bool is_emulated = width == 64 && profile.emulated_float64;
        return rounds_once || is_emulated ? 0 : spirv::fast_math::kAllowContract;
    }

    /// These replace the instruction. Some of them, which look at bits, are correct only as they are. They
    /// may be relaxed only together, if the original instruction may be computed in any way: the relaxed
    /// bounds of built-in functions allow this.
    void allow(uint32_t mode, std::span<const Instruction> lowered) {
        const auto is_arithmetic = [&](const Instruction& inst) {
            return is_float_arithmetic(builder_, inst);
        };
        if (!allows_all(mode) && !allows_transforms(mode) && !std::ranges::all_of(lowered, is_arithmetic))
            return;
        for (const Instruction& inst : lowered)
            if (is_arithmetic(inst)) FloatFreedom::allow(module_, inst.result, mode);
    }

    /// Hints that Vulkan has no words for.
    bool dropped(const Instruction& inst) const {
        return inst.op == Op::OpLifetimeStart || inst.op == Op::OpLifetimeStop || inst.op == Op::OpNop ||
               is_opencl(inst, OpenCLLIB::Prefetch);
    }
    bool is_opencl(const Instruction& inst, OpenclStd instruction) const {
        return inst.op == Op::OpExtInst && inst.id(0) == opencl_std_ && inst.word(1) == instruction;
    }

    void fail(std::string message) {
        if (error_.message.empty()) error_.message = std::move(message);
    }

    /// The value to use instead; none when the instruction stays (perhaps changed in place).
    std::optional<Id> lower(Instruction& inst) {
        switch (inst.op) {
            case Op::OpExtInst: return lower_ext_inst(inst);
            case Op::OpConvertFToS:
            case Op::OpConvertFToU:
            case Op::OpConvertSToF:
            case Op::OpConvertUToF:
            case Op::OpFConvert:
            case Op::OpSConvert:
            case Op::OpUConvert:
            case Op::OpSatConvertSToU:
            case Op::OpSatConvertUToS: {
                const auto mode = conversions_.find(inst.result);
                return lower_conversion(code_, inst,
                                        mode == conversions_.end() ? ConversionMode{} : mode->second,
                                        options_.profile);
            }
            case Op::OpIsFinite: return is_finite(inst.id(0));
            case Op::OpIsNormal: return is_normal(inst.id(0));
            case Op::OpSignBitSet: return code_.is_sign_set(inst.id(0));
            case Op::OpLessOrGreater: inst.op = Op::OpFOrdNotEqual; return std::nullopt;
            case Op::OpUnordered: return unordered(inst);
            case Op::OpOrdered: return code_.op(Op::OpLogicalNot, inst.type, {unordered(inst)});
            case Op::OpUDiv: return known_quotient(inst);
            case Op::OpUMod: return unsigned_remainder(inst);
            case Op::OpSRem: return signed_remainder(inst.id(0), inst.id(1));
            case Op::OpSMod: return signed_modulo(inst.id(0), inst.id(1));
            case Op::OpFAdd:
            case Op::OpFSub:
            case Op::OpFMul:
            case Op::OpFDiv: flush_constants(inst); return std::nullopt;
            case Op::OpBitCount: return bit_count(inst);
            case Op::OpBitReverse:
                return code_.width(inst.id(0)) == 32 ? std::nullopt
                                                     : std::optional(reverse_bits(code_, inst.id(0)));
            case Op::OpBitFieldInsert:
                return insert_bits(code_, inst.id(0), inst.id(1), inst.id(2), inst.id(3));
            case Op::OpBitFieldSExtract: return extract_bits(code_, inst.id(0), inst.id(1), inst.id(2), true);
            case Op::OpBitFieldUExtract:
                return extract_bits(code_, inst.id(0), inst.id(1), inst.id(2), false);
            case Op::OpSDot:
            case Op::OpUDot:
            case Op::OpSUDot:
            case Op::OpSDotAccSat:
            case Op::OpUDotAccSat:
            case Op::OpSUDotAccSat: return lower_integer_dot(code_, inst, options_.profile);
            case Op::OpReadClockKHR: return read_clock(inst);
            case Op::OpIAddCarry:
            case Op::OpISubBorrow: return add_extended(inst);
            case Op::OpUMulExtended: return mul_extended(inst, false);
            case Op::OpSMulExtended: return mul_extended(inst, true);
            case Op::OpSelect: return select(inst);
            case Op::OpVectorExtractDynamic: narrow_index(inst, 1); return std::nullopt;
            case Op::OpVectorInsertDynamic: narrow_index(inst, 2); return std::nullopt;
            case Op::OpAtomicCompareExchangeWeak: inst.op = Op::OpAtomicCompareExchange; return std::nullopt;
            default: return std::nullopt;
        }
    }

    std::optional<Id> lower_ext_inst(const Instruction& inst) {
        if (inst.id(0) != opencl_std_ || is_opencl(inst, OpenCLLIB::Prefetch)) return std::nullopt;
        OpenclCall call{.instruction = static_cast<OpenclStd>(inst.word(1)), .type = inst.type};
        for (size_t i = 2; i < inst.operands.size(); ++i) call.args.push_back(inst.id(i));
        for (auto* chapter : {lower_math, lower_integer, lower_common, lower_geometric, lower_vector})
            if (const std::optional<Id> value = chapter(code_, call)) return value;
        fail(std::string("the built-in function '") + std::string(spirv::opencl_std_name(inst.word(1))) +
             "' is not in the library and has no equivalent in Vulkan");
        return inst.result;
    }

    // ---- Relational instructions, on bit patterns: drivers may assume that there are no infinities ----

    Id is_finite(Id value) {
        const Id magnitude = code_.magnitude_bits(value);
        return code_.compare(Op::OpULessThan, magnitude,
                             code_.number(code_.type(magnitude), infinity_bits(code_.width(magnitude))));
    }

    /// Exponent neither 0 nor all ones.
    Id is_normal(Id value) {
        const Id magnitude = code_.magnitude_bits(value);
        const Id type = code_.type(magnitude);
        const uint64_t smallest = uint64_t{1} << mantissa_bits(code_.width(value));
        const Id relative = code_.sub(magnitude, code_.number(type, smallest));
        return code_.compare(Op::OpULessThan, relative,
                             code_.number(type, infinity_bits(code_.width(value)) - smallest));
    }

    Id unordered(const Instruction& inst) {
        return code_.op(Op::OpLogicalOr, inst.type, {code_.is_nan(inst.id(0)), code_.is_nan(inst.id(1))});
    }

    // ---- Arithmetic ----

    // A compiler makes hundreds of instructions of a division of 64-bit integers, and most of them once more
    // for the remainder. If the block has the quotient too, the remainder comes from it (driver_quirks.def:
    // shares_long_quotients). Compilers have better ways for divisors that are constants.

    void find_quotients(const spirv::Block& block) {
        quotients_.clear();
        for (const Instruction& inst : block.body)
            if (inst.op == Op::OpUDiv && code_.width(inst.id(0)) == 64 && !is_constant(inst.id(1)))
                quotients_.try_emplace({inst.id(0), inst.id(1)});
    }
    bool is_constant(Id id) const {
        const Instruction* const global = builder_.find_global(id);
        return global && global->op != Op::OpUndef;
    }
    /// Vulkan has no clock of a work-group; the device's does for it. A device without 64-bit integers gives
    /// two words.
    std::optional<Id> read_clock(Instruction& inst) {
        if (builder_.constant_value(inst.id(0)) == static_cast<uint64_t>(spv::Scope::Workgroup))
            inst.operands[0] = builder_.constant_u32(static_cast<uint32_t>(spv::Scope::Device));
        if (options_.profile.int64 || builder_.is_vector(inst.type)) return std::nullopt;
        const Id words =
            code_.op(Op::OpReadClockKHR, builder_.type_vector(builder_.type_int(32), 2), {inst.id(0)});
        return code_.op(Op::OpBitcast, inst.type, {words});
    }
    std::optional<Id> known_quotient(const Instruction& inst) {
        const auto found = quotients_.find({inst.id(0), inst.id(1)});
        if (found == quotients_.end()) return std::nullopt;
        if (found->second) return found->second;
        found->second = inst.result;
        return std::nullopt;
    }
    std::optional<Id> unsigned_remainder(const Instruction& inst) {
        const Id a = inst.id(0), b = inst.id(1);
        const auto found = quotients_.find({a, b});
        if (found == quotients_.end()) return std::nullopt;
        if (!found->second) found->second = code_.binary(Op::OpUDiv, a, b);
        return code_.sub(a, code_.mul(found->second, b));
    }
    /// Vulkan leaves OpSRem and OpSMod undefined for negative operands (Vulkan, "SPIR-V Numeric behaviour").
    Id signed_remainder(Id a, Id b) { return code_.sub(a, code_.mul(code_.binary(Op::OpSDiv, a, b), b)); }
    Id signed_modulo(Id a, Id b) {
        const Id rest = signed_remainder(a, b);
        const Id zero = code_.number(code_.type(a), 0);
        const Id signs_differ = code_.is_negative(code_.bit_xor(rest, b));
        const Id nonzero = code_.compare(Op::OpINotEqual, rest, zero);
        const Id wrong = code_.binary(Op::OpLogicalAnd, signs_differ, nonzero);
        return code_.add(rest, code_.select(wrong, b, zero));
    }
    /// Denormal operands that are constants, if they may be, so that they count the same on devices that
    /// flush and on others.
    void flush_constants(Instruction& inst) {
        if (!options_.denorms_are_zero || code_.width(inst.id(0)) == 16) return;
        for (spirv::Operand& operand : inst.operands) {
            const Id value = operand.id();
            const Id flushed = builder_.changed_constant(code_.type(value), value, [&](uint64_t bits) {
                const uint32_t width = code_.width(value);
                return bits & infinity_bits(width) ? bits : bits & sign_bit(width);
            });
            if (flushed) operand = flushed;
        }
    }

    std::optional<Id> bit_count(const Instruction& inst) {
        if (code_.width(inst.id(0)) == 32 && builder_.width(inst.type) == 32) return std::nullopt;
        return code_.convert_unsigned(count_bits(code_, inst.id(0)), builder_.width(inst.type));
    }

    /// Narrow integers have no such instruction in Vulkan's shading languages, so drivers seldom see one.
    std::optional<Id> add_extended(const Instruction& inst) {
        const Id a = inst.id(0), b = inst.id(1), type = code_.type(a);
        if (code_.width(a) >= 32) return std::nullopt;
        const bool adds = inst.op == Op::OpIAddCarry;
        const Id low = adds ? code_.add(a, b) : code_.sub(a, b);
        const Id wraps = code_.compare(Op::OpULessThan, adds ? low : a, adds ? a : b);
        const Id high = code_.select(wraps, code_.number(type, 1), code_.number(type, 0));
        return code_.op(Op::OpCompositeConstruct, inst.type, {low, high});
    }

    std::optional<Id> mul_extended(const Instruction& inst, bool is_signed) {
        if (code_.width(inst.id(0)) == 32) return std::nullopt;
        const Id low = code_.mul(inst.id(0), inst.id(1));
        const Id high = multiply_high(code_, inst.id(0), inst.id(1), is_signed);
        return code_.op(Op::OpCompositeConstruct, inst.type, {low, high});
    }

    std::optional<Id> select(Instruction& inst) {
        if (parts_of(inst.type)) return select_parts(inst.id(0), inst.type, inst.id(1), inst.id(2));
        if (!builder_.is_vector(inst.type) || code_.count(inst.id(0)) > 1) return std::nullopt;
        return code_.select(inst.id(0), inst.id(1), inst.id(2));
    }

    /// The number of members or elements of a struct or an array; 0 for other types.
    uint32_t parts_of(Id type) const {
        switch (builder_.op_of_type(type)) {
            case Op::OpTypeStruct: return builder_.member_count(type);
            case Op::OpTypeArray: return static_cast<uint32_t>(builder_.array_length(type));
            default: return 0;
        }
    }
    /// One condition chooses between structs and arrays since SPIR-V 1.4; Vulkan 1.1 has 1.3.
    Id select_parts(Id condition, Id type, Id yes, Id no) {
        const uint32_t count = parts_of(type);
        if (count == 0) return code_.select(condition, yes, no);
        const bool is_struct = builder_.op_of_type(type) == Op::OpTypeStruct;
        spirv::Operands parts;
        for (uint32_t i = 0; i < count; ++i) {
            const Id part = is_struct ? builder_.member(type, i) : builder_.element(type);
            const Id one = builder_.append(Op::OpCompositeExtract, part, {yes, i});
            const Id other = builder_.append(Op::OpCompositeExtract, part, {no, i});
            parts.push_back(select_parts(condition, part, one, other));
        }
        return builder_.append(Op::OpCompositeConstruct, type, std::move(parts));
    }

    void narrow_index(Instruction& inst, size_t operand) {
        inst.operands[operand] = code_.convert_unsigned(inst.id(operand), 32);
    }

    Module& module_;
    const TranslateOptions& options_;
    FloatFreedom freedom_;
    Builder builder_;
    Code code_;
    Id opencl_std_ = {};
    spirv::IdMap<ConversionMode> conversions_ = {};
    spirv::Substitution replaced_ = {};
    std::map<std::pair<Id, Id>, Id> quotients_ = {};  // of the block, by their operands; {}: comes later
    Id function_ = {};
    Error error_ = {};
};

}  // namespace

Result<Done> lower_instructions(Module& module, PassContext& context) {
    return InstructionLowering(module, context.options).run();
}

}  // namespace caldera::vulkan
