// SPDX-License-Identifier: Apache-2.0
// vloadn, vstoren and the half variants (OpenCL C 6.13.7); prefetch; built-ins that return a second result through a pointer.
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

#include "spirv/grammar.h"
#include "vulkan/translate/passes/lower_memory_rewrite.h"

namespace caldera::vulkan::memory {

bool FunctionRewriter::extended(const Instruction& inst) {
    if (!source_.is_opencl_std(inst.id(0))) return false;
    if (const std::optional<VectorAccess> access = vector_access(inst, source_)) {
        access->store ? vector_store(*access, inst) : vector_load(*access, inst);
        return true;
    }
    if (inst.word(1) == OpenCLLIB::Prefetch) return true;  // a hint
    if (!source_.accesses(inst).empty()) {
        split_result(inst);
        return true;
    }
    for (size_t i = 2; i < inst.operands.size(); ++i)
        if (inst.operands[i].is_id && source_.carries_pointer(inst.id(i))) {
            decline(inst, std::string(spirv::opencl_std_name(inst.word(1))) +
                              " has no translation with this pointer");
            return true;
        }
    return false;
}

void FunctionRewriter::vector_load(const VectorAccess& access, const Instruction& inst) {
    const AccessInfo info = source_.accesses(inst)[0];
    Place place = emitter_.place(access.pointer, info.align_bytes, access_mask({}, access.pointer));
    place = emitter_.shifted(std::move(place), access.offset, info.stride_bytes);
    if (!access.half) return replace(inst.result, emitter_.load(place, inst.type));
    if (!profile_.float16) return replace(inst.result, unpacked_halves(place, inst.type));
    const Id halves = emitter_.load(place, builder_.with_count(info.type, access.count));
    replace(inst.result, emitter_.op(spv::Op::OpFConvert, inst.type, {halves}));
}

/// Floats from halves in memory, where the device has no halves.
Id FunctionRewriter::unpacked_halves(Place& place, Id type) {
    const Id bits_type = builder_.with_count(builder_.type_int(16), emitter_.count_of(type));
    const Id bits = emitter_.load(place, bits_type);
    const Id f32 = builder_.type_float(32), set = builder_.ext_inst_import("GLSL.std.450");
    std::vector<Id> floats;
    for (uint32_t i = 0; i < emitter_.count_of(type); ++i) {
        const Id word =
            emitter_.op(spv::Op::OpUConvert, builder_.type_int(32), {emitter_.component(bits, bits_type, i)});
        const Id pair = builder_.ext_inst(set, builder_.type_vector(f32, 2), GLSLstd450UnpackHalf2x16,
                                          std::vector<Id>{word});
        floats.push_back(emitter_.op(spv::Op::OpCompositeExtract, f32, {pair, 0u}));
    }
    return emitter_.compose(type, floats);
}

void FunctionRewriter::vector_store(const VectorAccess& access, const Instruction& inst) {
    const AccessInfo info = source_.accesses(inst)[0];
    Place place = emitter_.place(access.pointer, info.align_bytes, access_mask({}, access.pointer));
    place = emitter_.shifted(std::move(place), access.offset, info.stride_bytes);
    const Id type = source_.type_of(access.data), data = emitter_.value(access.data);
    if (!access.half) return emitter_.store(place, type, data);
    const auto rounding = access.rounding < 0 ? static_cast<uint32_t>(spv::FPRoundingMode::RTE)
                                              : static_cast<uint32_t>(access.rounding);
    const Id half = profile_.float16 ? info.type : builder_.type_int(16);
    std::vector<Id> halves;
    for (uint32_t i = 0; i < access.count; ++i)
        halves.push_back(
            emitter_.bitcast(half, helpers_.half_bits(emitter_.component(data, type, i), rounding)));
    const Id stored = builder_.with_count(half, access.count);
    emitter_.store(place, stored, emitter_.compose(stored, halves));
}

/// fract, modf, frexp and sincos in terms of instructions that return one value; the other goes to memory.
void FunctionRewriter::split_result(const Instruction& inst) {
    const AccessInfo info = source_.accesses(inst)[0];
    const Id set = inst.id(0), x = inst.id(2);
    auto ext = [&](Id type, uint32_t code, std::vector<Id> args) {
        return builder_.ext_inst(set, type, code, args);
    };
    Id value, second;
    switch (inst.word(1)) {
        case OpenCLLIB::Fract: {
            // min(x - floor(x), the largest value below 1)
            second = ext(inst.type, OpenCLLIB::Floor, {x});
            const Id difference = emitter_.op(spv::Op::OpFSub, inst.type, {x, second});
            const uint32_t width = builder_.width(inst.type);
            const uint64_t below_one = width == 64   ? 0x3fefffffffffffffu
                                       : width == 32 ? 0x3f7fffffu
                                                     : 0x3bffu;
            const Id scalar = builder_.with_count(inst.type, 1);
            const Id limit =
                builder_.constant_splat(inst.type, builder_.constant_float_bits(scalar, below_one));
            value = ext(inst.type, OpenCLLIB::Fmin, {difference, limit});
            break;
        }
        case OpenCLLIB::Modf: {
            // The sign survives: modf(-1) is -0; an infinity has no fraction.
            second = ext(inst.type, OpenCLLIB::Trunc, {x});
            const Id difference = emitter_.op(spv::Op::OpFSub, inst.type, {x, second});
            const Id boolean = builder_.with_element(inst.type, builder_.type_bool());
            const Id infinite = emitter_.op(spv::Op::OpIsInf, boolean, {x});
            const Id zero = builder_.constant_null(inst.type);
            const Id fraction = emitter_.op(spv::Op::OpSelect, inst.type, {infinite, zero, difference});
            value = ext(inst.type, OpenCLLIB::Copysign, {fraction, x});
            break;
        }
        case OpenCLLIB::Sincos:
            value = ext(inst.type, OpenCLLIB::Sin, {x});
            second = ext(inst.type, OpenCLLIB::Cos, {x});
            break;
        default: return decline(inst, "frexp should have been linked from the library");
    }
    Place place = emitter_.place(inst.id(3), info.align_bytes, 0);
    emitter_.store(place, info.type, second);
    replace(inst.result, value);
}

// ---- Halves ----

/// Rounds by integer arithmetic: Vulkan promises neither the rounding mode of OpFConvert nor that denormals survive.
Id Helpers::half_bits(Id value, uint32_t rounding) {
    spirv::Builder& builder = emitter_.builder();
    const uint32_t width = builder.width(builder.type_of(value));
    const std::string key = "half." + std::to_string(width) + "." + std::to_string(rounding);
    return call(key, builder.type_int(16), {value}, [this, width, rounding](const std::vector<Id>& params) {
        return round_to_half(params[0], width, static_cast<spv::FPRoundingMode>(rounding));
    });
}

Id Helpers::round_to_half(Id value, uint32_t width, spv::FPRoundingMode rounding) {
    spirv::Builder& b = emitter_.builder();
    const Id type = b.type_int(width), boolean = b.type_bool();
    const uint32_t mantissa_bits = width == 64 ? 52 : 23, drop = mantissa_bits - 10;
    const uint64_t bias_difference = width == 64 ? 1023 - 15 : 127 - 15;
    const uint64_t infinity = width == 64 ? uint64_t{0x7ff} << 52 : uint64_t{0xff} << 23;
    auto c = [&](uint64_t constant) { return b.constant_int(type, constant); };
    auto op = [&](spv::Op code, Id a, Id d) { return b.append(code, type, {a, d}); };
    auto test = [&](spv::Op code, Id a, Id d) { return b.append(code, boolean, {a, d}); };
    auto select = [&](Id condition, Id a, Id d) {
        return b.append(spv::Op::OpSelect, type, {condition, a, d});
    };

    const Id bits = b.append(spv::Op::OpBitcast, type, {value});
    const Id magnitude = op(spv::Op::OpBitwiseAnd, bits, c(~uint64_t{0} >> (65 - width)));
    const Id sign =
        op(spv::Op::OpBitwiseAnd, op(spv::Op::OpShiftRightLogical, bits, c(width - 16)), c(0x8000));
    const Id negative = test(spv::Op::OpINotEqual, sign, c(0));
    const Id exponent = op(spv::Op::OpShiftRightLogical, magnitude, c(mantissa_bits));

    // A half that is normal keeps 10 bits of the mantissa; a denormal one shifts the whole mantissa further.
    const Id normal = test(spv::Op::OpUGreaterThan, exponent, c(bias_difference));
    const Id rebased = op(spv::Op::OpISub, magnitude, c(bias_difference << mantissa_bits));
    const Id fraction = op(spv::Op::OpBitwiseAnd, magnitude, c((uint64_t{1} << mantissa_bits) - 1));
    const Id mantissa = op(spv::Op::OpBitwiseOr, fraction, c(uint64_t{1} << mantissa_bits));
    const Id far = op(spv::Op::OpISub, c(drop + 1 + bias_difference), exponent);
    const Id too_far = test(spv::Op::OpUGreaterThan, far, c(mantissa_bits + 2));
    const Id near = select(too_far, c(mantissa_bits + 2), far);
    const Id is_zero = test(spv::Op::OpIEqual, magnitude, c(0));
    const Id kept = select(normal, rebased, select(is_zero, c(0), mantissa));
    const Id shift = select(normal, c(drop), near);

    const Id quotient = op(spv::Op::OpShiftRightLogical, kept, shift);
    const Id one = op(spv::Op::OpShiftLeftLogical, c(1), shift);
    const Id rest = op(spv::Op::OpBitwiseAnd, kept, op(spv::Op::OpISub, one, c(1)));
    const Id inexact = test(spv::Op::OpINotEqual, rest, c(0));
    Id up, overflow;  // whether to round away from zero; what is beyond the largest half
    switch (rounding) {
        case spv::FPRoundingMode::RTZ:
            up = b.constant_bool(false);
            overflow = c(0x7bff);
            break;
        case spv::FPRoundingMode::RTP:
            up = test(spv::Op::OpLogicalAnd, inexact, b.append(spv::Op::OpLogicalNot, boolean, {negative}));
            overflow = select(negative, c(0x7bff), c(0x7c00));
            break;
        case spv::FPRoundingMode::RTN:
            up = test(spv::Op::OpLogicalAnd, inexact, negative);
            overflow = select(negative, c(0x7c00), c(0x7bff));
            break;
        default: {
            const Id half = op(spv::Op::OpShiftRightLogical, one, c(1));
            const Id odd = test(spv::Op::OpINotEqual, op(spv::Op::OpBitwiseAnd, quotient, c(1)), c(0));
            const Id tie = test(spv::Op::OpLogicalAnd, test(spv::Op::OpIEqual, rest, half), odd);
            up = test(spv::Op::OpLogicalOr, test(spv::Op::OpUGreaterThan, rest, half), tie);
            overflow = c(0x7c00);
            break;
        }
    }
    const Id rounded = op(spv::Op::OpIAdd, quotient, select(up, c(1), c(0)));
    const Id large = test(spv::Op::OpUGreaterThanEqual, rounded, c(0x7c00));
    const Id finite = select(large, overflow, rounded);

    const Id payload =
        op(spv::Op::OpBitwiseAnd, op(spv::Op::OpShiftRightLogical, fraction, c(drop)), c(0x3ff));
    const Id nan = op(spv::Op::OpBitwiseOr, payload, c(0x7e00));
    const Id is_nan = test(spv::Op::OpUGreaterThan, magnitude, c(infinity));
    const Id special = select(is_nan, nan, c(0x7c00));
    const Id result = select(test(spv::Op::OpUGreaterThanEqual, magnitude, c(infinity)), special, finite);
    return b.append(spv::Op::OpUConvert, b.type_int(16), {op(spv::Op::OpBitwiseOr, result, sign)});
}

}  // namespace caldera::vulkan::memory
