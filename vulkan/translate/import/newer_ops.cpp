// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/newer_ops.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/newer_ops.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/support/encoded_floats.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr spv::Capability kNewerCapabilities[] = {kPoisonFreezeCapability, kFmaCapability,
                                                  kBfloat16ConversionCapability};
constexpr uint32_t kArithmeticPoison = 5157;  // ExecutionMode
constexpr std::string_view kNewerExtensions[] = {"SPV_KHR_poison_freeze", "SPV_KHR_fma",
                                                 "SPV_INTEL_bfloat16_conversion"};

bool is_newer_op(Op op) {
    return op == kFma || op == kPoison || op == kFreeze || op == kFloatToBfloat || op == kBfloatToFloat;
}

class OpReplacer {
 public:
    explicit OpReplacer(Module& module) : module_(module) {}

    Result<bool> run() {
        size_t changed = drop_claims();
        find_freezes();
        for (Instruction& inst : module_.globals) {
            if (is_frozen(inst)) {
                inst.op = Op::OpConstantNull;
            } else if (inst.op == kPoison) {
                inst.op = Op::OpUndef;
            } else {
                continue;
            }
            ++changed;
        }
        changed += define_lanes();
        for (Function& function : module_.functions)
            for (Block& block : function.blocks) {
                const bool any = std::ranges::any_of(block.body, [&](const Instruction& inst) {
                    return is_newer_op(inst.op) || is_frozen(inst);
                });
                if (!any) continue;
                ++changed;
                if (!replace(block)) return error_;
            }
        return changed != 0;
    }

 private:
    size_t drop_claims() {
        const size_t capabilities = std::erase_if(module_.capabilities, [](const Instruction& inst) {
            return std::ranges::find(kNewerCapabilities, static_cast<spv::Capability>(inst.word(0))) !=
                   std::end(kNewerCapabilities);
        });
        // Sums that overflow have no value in OpenCL C either.
        const size_t modes = std::erase_if(module_.execution_modes, [](const Instruction& inst) {
            return inst.word(1) == kArithmeticPoison;
        });
        return capabilities + modes + std::erase_if(module_.extensions, [](const Instruction& inst) {
                   return std::ranges::find(kNewerExtensions, string_at(inst, 0)) !=
                          std::end(kNewerExtensions);
               });
    }

    /// A frozen value is the same wherever it is used, which an undefined one need not be. Any value may have
    /// undefined parts, so that all of them are zero where the module freezes something.
    void find_freezes() {
        const bool any = std::ranges::any_of(module_.functions, [](const Function& function) {
            return std::ranges::any_of(function.blocks, [](const Block& block) {
                return std::ranges::find(block.body, kFreeze, &Instruction::op) != block.body.end();
            });
        });
        if (!any) return;
        for (const Instruction& inst : module_.globals)
            if (may_be_null(inst)) have_null_.insert(inst.result);
    }
    bool may_be_null(const Instruction& type) const {
        const auto may_be = [&](const Operand& part) { return have_null_.contains(part.id()); };
        switch (type.op) {
            case Op::OpTypeBool:
            case Op::OpTypeInt:
            case Op::OpTypeFloat:
            case Op::OpTypePointer:
            case Op::OpTypeEvent:
            case Op::OpTypeDeviceEvent:
            case Op::OpTypeReserveId:
            case Op::OpTypeQueue: return true;
            case Op::OpTypeVector:
            case Op::OpTypeArray: return may_be(type.operands[0]);
            case Op::OpTypeStruct: return std::ranges::all_of(type.operands, may_be);
            default: return false;
        }
    }
    /// Components of shuffles that are undefined are the first one.
    size_t define_lanes() {
        constexpr size_t kFirstLane = 2;
        size_t changed = 0;
        if (have_null_.empty()) return changed;
        for (Function& function : module_.functions)
            for (Block& block : function.blocks)
                for (Instruction& inst : block.body)
                    for (size_t i = kFirstLane; inst.op == Op::OpVectorShuffle && i < inst.operands.size();
                         ++i)
                        if (inst.word(i) == kUndefinedComponent) {
                            inst.operands[i] = 0u;
                            ++changed;
                        }
        return changed;
    }
    bool is_frozen(const Instruction& inst) const {
        return (inst.op == Op::OpUndef || inst.op == kPoison) && have_null_.contains(inst.type);
    }

    bool replace(Block& block) {
        if (!builder_) builder_.emplace(module_);
        std::vector<Instruction> body;
        const SinkScope sink(*builder_, &body);
        for (Instruction& inst : block.body) {
            builder_->set_line(inst.line);
            if (is_frozen(inst)) {
                inst.op = Op::OpCopyObject;
                inst.operands = {builder_->constant_null(inst.type)};
            }
            if (is_newer_op(inst.op) && !replace(inst)) return false;
            body.push_back(std::move(inst));
        }
        block.body = std::move(body);
        return true;
    }

    bool replace(Instruction& inst) {
        if (inst.op == kFma) {
            const Id set = builder_->ext_inst_import("OpenCL.std");
            inst.operands = {set, static_cast<uint32_t>(OpenCLLIB::Fma), inst.operands[0], inst.operands[1],
                             inst.operands[2]};
            inst.op = Op::OpExtInst;
        } else if (inst.op == kPoison) {
            inst.op = Op::OpUndef;
        } else if (inst.op == kFreeze) {
            inst.op = Op::OpCopyObject;
        } else {
            return convert(inst);
        }
        return true;
    }

    bool convert(Instruction& inst) {
        const bool to_float = inst.op == kBfloatToFloat;
        const Id from = builder_->type_of(inst.id(0)), wide = to_float ? inst.type : from,
                 narrow = to_float ? from : inst.type;
        const auto is_scalar_or_vector = [&](Id type, Op element, uint32_t bits) {
            return type && builder_->find_global(type) &&
                   builder_->op_of_type(builder_->is_vector(type) ? builder_->element(type) : type) ==
                       element &&
                   builder_->width(type) == bits;
        };
        if (!is_scalar_or_vector(wide, Op::OpTypeFloat, 32) ||
            !is_scalar_or_vector(narrow, Op::OpTypeInt, 16) ||
            builder_->count(wide) != builder_->count(narrow)) {
            error_.message = "conversions of bfloat16 are between float and 16-bit integers only";
            return false;
        }
        if (to_float)
            bfloat_to_float(*builder_, inst.id(0));
        else
            float_to_bfloat(*builder_, inst.id(0));
        Instruction last = std::move(builder_->sink()->back());
        builder_->sink()->pop_back();
        last.result = inst.result;
        inst = std::move(last);
        return true;
    }

    Module& module_;
    std::optional<Builder> builder_ = {};
    IdSet have_null_ = {};  // types, if the module freezes values
    Error error_ = {};
};

}  // namespace

Result<bool> replace_newer_ops(Module& module) { return OpReplacer(module).run(); }

}  // namespace caldera::vulkan
