// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/saturate.h"

#include <spirv/unified1/OpenCL.std.h>

#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

bool is_saturated(const Instruction& annotation) {
    return annotation.op == spv::Op::OpDecorate &&
           annotation.word(1) == static_cast<uint32_t>(spv::Decoration::SaturatedConversion);
}

class Saturation {
 public:
    explicit Saturation(Module& module) : module_(module), builder_(module) {}

    void run() {
        for (const Instruction& inst : module_.annotations)
            if (is_saturated(inst)) saturated_.insert(inst.word(0));
        if (saturated_.empty()) return;
        set_ = builder_.ext_inst_import("OpenCL.std");
        for (Function& function : module_.functions)
            for (Block& block : function.blocks) rewrite(block);
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            return is_saturated(inst) && spelled_out_.contains(inst.word(0));
        });
    }

 private:
    void rewrite(Block& block) {
        std::vector<Instruction> out;
        for (Instruction& inst : block.body) {
            if ((inst.op == spv::Op::OpUConvert || inst.op == spv::Op::OpSConvert) &&
                saturated_.contains(inst.result.value))
                clamp(inst, out);
            out.push_back(std::move(inst));
        }
        block.body = std::move(out);
    }

    void clamp(Instruction& inst, std::vector<Instruction>& out) {
        spelled_out_.insert(inst.result.value);
        const Id source = builder_.type_of(inst.id(0));
        const uint32_t to = builder_.width(inst.type);
        if (to >= builder_.width(source)) return;
        const bool is_signed = inst.op == spv::Op::OpSConvert;
        const uint64_t most = (uint64_t{1} << (is_signed ? to - 1 : to)) - 1;
        const Id clamped = module_.fresh();
        if (is_signed)
            out.push_back(call(clamped, source, OpenCLLIB::SClamp,
                               {inst.operands[0], splat(source, ~most), splat(source, most)}));
        else
            out.push_back(call(clamped, source, OpenCLLIB::UMin, {inst.operands[0], splat(source, most)}));
        inst.operands[0] = clamped;
    }

    Instruction call(Id result, Id type, OpenCLLIB::Entrypoints function,
                     std::initializer_list<Operand> args) {
        Instruction inst = {.op = spv::Op::OpExtInst, .type = type, .result = result};
        inst.operands = {set_, static_cast<uint32_t>(function)};
        for (const Operand& arg : args) inst.operands.push_back(arg);
        return inst;
    }

    Id splat(Id type, uint64_t value) {
        if (!builder_.is_vector(type)) return builder_.constant_int(type, value);
        const std::vector<Id> parts(builder_.count(type),
                                    builder_.constant_int(builder_.element(type), value));
        return builder_.constant_composite(type, parts);
    }

    Module& module_;
    Builder builder_;
    IdSet saturated_ = {}, spelled_out_ = {};
    Id set_ = {};
};

}  // namespace

void spell_out_saturation(Module& module) { Saturation(module).run(); }

}  // namespace caldera::vulkan
