// SPDX-License-Identifier: Apache-2.0
// lower_vector_accesses: turns vloadn and vstoren (OpenCL C 6.15.8) into OpLoad and OpStore of vectors with
// the alignment of their components. So analyses of loads and stores cover them, and reuse_loads and
// merge_accesses need no second table. vload_half becomes such a load, of integers if the device has no
// halves, and a conversion. vstore_half, which rounds, is left to lower_memory.
//
// Before: inline_functions; pointers are OpenCL's.   After: no vloadn, no vstoren, no loads of halves.
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>

#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/encoded_floats.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

class VectorLowerer {
 public:
    VectorLowerer(Module& module, const DeviceProfile& profile) : builder_(module), profile_(profile) {
        for (const Instruction& inst : module.ext_inst_imports)
            if (string_at(inst, 0) == "OpenCL.std") library_ = inst.result;
        for (const Instruction& inst : module.annotations)
            if (inst.op == Op::OpDecorate && inst.operands.size() == 2 &&
                inst.word(1) == static_cast<uint32_t>(spv::Decoration::Volatile))
                volatile_.insert(inst.id(0));
    }

    void run(Function& function) {
        for (Block& block : function.blocks)
            if (std::ranges::any_of(block.body, [&](const Instruction& inst) { return is_library(inst); }))
                rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                    if (!is_library(inst) || !lower(inst, out)) out.push_back(std::move(inst));
                });
    }

 private:
    bool is_library(const Instruction& inst) const {
        return inst.op == Op::OpExtInst && inst.id(0) == library_;
    }

    bool lower(const Instruction& inst, std::vector<Instruction>& out) {
        switch (inst.word(1)) {
            case OpenCLLIB::Vloadn: load(inst, out); return true;
            case OpenCLLIB::Vload_half:
            case OpenCLLIB::Vload_halfn:
            case OpenCLLIB::Vloada_halfn: load_halves(inst, out); return true;
            case OpenCLLIB::Vstoren: store(inst); return true;
            default: return false;
        }
    }

    void load(const Instruction& inst, std::vector<Instruction>& out) {
        append_load(inst.type, inst.id(2), inst.id(3), inst.type, scalar_bytes(inst.type));
        out.back().result = inst.result;
    }

    void load_halves(const Instruction& inst, std::vector<Instruction>& out) {
        const Id half =
            profile_.float16 ? builder_.pointee(builder_.type_of(inst.id(3))) : builder_.type_int(16);
        const uint32_t count = builder_.count(inst.type);
        const bool aligned = inst.word(1) == OpenCLLIB::Vloada_halfn;
        const uint32_t padded = aligned && count == 3 ? 4 : count;
        const Id halves = append_load(builder_.with_count(half, count), inst.id(2), inst.id(3),
                                      builder_.with_count(half, padded), aligned ? 2 * padded : 2);
        if (profile_.float16)
            builder_.append(Op::OpFConvert, inst.type, {halves});
        else if (profile_.quirks.takes_halves_for_integers)
            half_to_float(builder_, halves);
        else
            unpack(inst.type, halves);
        out.back().result = inst.result;
    }

    /// The floats whose halves have the bits.
    void unpack(Id type, Id bits) {
        const uint32_t count = builder_.count(type);
        const Id u32 = builder_.type_int(32), f32 = builder_.type_float(32);
        const Id set = builder_.ext_inst_import("GLSL.std.450");
        const Id words = builder_.append(Op::OpUConvert, builder_.with_count(u32, count), {bits});
        Operands floats;
        for (uint32_t i = 0; i < count; ++i) {
            const Id word = count == 1 ? words : builder_.append(Op::OpCompositeExtract, u32, {words, i});
            const Id pair = builder_.ext_inst(set, builder_.type_vector(f32, 2), GLSLstd450UnpackHalf2x16,
                                              std::vector<Id>{word});
            floats.push_back(builder_.append(Op::OpCompositeExtract, f32, {pair, 0u}));
        }
        if (count > 1) builder_.append(Op::OpCompositeConstruct, type, std::move(floats));
    }

    void store(const Instruction& inst) {
        const Id type = builder_.type_of(inst.id(2));
        const Id pointer = place(type, inst.id(3), inst.id(4), type);
        Operands operands = {pointer, inst.id(2)};
        add_access(operands, inst.id(4), scalar_bytes(type));
        builder_.append_void(Op::OpStore, std::move(operands));
    }

    Id append_load(Id type, Id offset, Id base, Id unit, uint32_t align_bytes) {
        Operands operands = {place(type, offset, base, unit)};
        add_access(operands, base, align_bytes);
        return builder_.append(Op::OpLoad, type, std::move(operands));
    }

    /// The pointer to a vector of the type, `offset` units behind the scalar that `base` points to.
    Id place(Id type, Id offset, Id base, Id unit) {
        const spv::StorageClass storage = builder_.storage(builder_.type_of(base));
        auto cast = [&](Id pointer, Id pointee) {
            const Id to = builder_.type_pointer(storage, pointee);
            return builder_.type_of(pointer) == to ? pointer : builder_.append(Op::OpBitcast, to, {pointer});
        };
        if (builder_.constant_value(offset) == uint64_t{0}) return cast(base, type);
        // a vector of three is as far from the next as one of four
        if (builder_.count(unit) == 3) unit = builder_.type_array(builder_.element(unit), 3);
        const Id first = cast(base, unit);
        return cast(builder_.append(Op::OpInBoundsPtrAccessChain, builder_.type_of(first), {first, offset}),
                    type);
    }

    void add_access(Operands& operands, Id base, uint32_t align_bytes) {
        auto mask = spv::MemoryAccessMask::Aligned;
        if (volatile_.contains(base)) mask = mask | spv::MemoryAccessMask::Volatile;
        operands.push_back(mask);
        operands.push_back(align_bytes);
    }

    uint32_t scalar_bytes(Id type) const { return builder_.width(type) / 8; }

    Builder builder_;
    const DeviceProfile& profile_;
    Id library_ = {};
    IdSet volatile_ = {};
};

}  // namespace

Result<Done> lower_vector_accesses(Module& module, PassContext& context) {
    VectorLowerer lowerer(module, context.options.profile);
    for (Function& function : module.functions) lowerer.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
