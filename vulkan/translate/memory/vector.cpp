// SPDX-License-Identifier: Apache-2.0
// vstore_half (OpenCL C 6.13.7); prefetch; built-ins that return a second result through a pointer.
#include <spirv/unified1/OpenCL.std.h>

#include "spirv/grammar.h"
#include "vulkan/translate/memory/rewrite.h"
#include "vulkan/translate/support/round_to_half.h"

namespace caldera::vulkan::memory {

bool FunctionRewriter::extended(const Instruction& inst) {
    if (!source_.is_opencl_std(inst.id(0))) return false;
    if (const std::optional<HalfStore> store = half_store(inst, source_)) {
        store_halves(*store, inst);
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

void FunctionRewriter::store_halves(const HalfStore& store, const Instruction& inst) {
    const AccessInfo info = source_.accesses(inst)[0];
    Place place = emitter_.place(store.pointer, info.align_bytes, access_mask({}, store.pointer));
    place = emitter_.shifted(std::move(place), store.offset, info.stride_bytes);
    const Id type = source_.type_of(store.data), data = emitter_.value(store.data);
    const auto rounding = static_cast<uint32_t>(store.rounding);
    const Id half = profile_.float16 ? info.type : builder_.type_int(16);
    // A driver that takes halves for integers ends the process where the floats were integers.
    const bool packs = profile_.exact_half_packing && store.rounding == spv::FPRoundingMode::RTE &&
                       builder_.width(type) == 32 &&
                       (profile_.float16 || !profile_.quirks.takes_halves_for_integers);
    std::vector<Id> parts, halves;
    for (uint32_t i = 0; i < store.count; ++i) parts.push_back(emitter_.component(data, type, i));
    if (packs) {
        Code code(builder_);
        halves = pack_halves(code, parts);
    } else {
        for (const Id part : parts) halves.push_back(helpers_.half_bits(part, rounding));
    }
    for (Id& bits : halves) bits = emitter_.bitcast(half, bits);
    const Id stored = builder_.with_count(half, store.count);
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

Id Helpers::half_bits(Id value, uint32_t rounding) {
    spirv::Builder& builder = emitter_.builder();
    const uint32_t width = builder.width(builder.type_of(value));
    const std::string key = "half." + std::to_string(width) + "." + std::to_string(rounding);
    return call(key, builder.type_int(16), {value}, [&builder, rounding](const std::vector<Id>& params) {
        Code code(builder);
        return round_to_half(code, params[0], static_cast<spv::FPRoundingMode>(rounding));
    });
}

}  // namespace caldera::vulkan::memory
