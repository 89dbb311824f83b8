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
#include "spirv/spirv.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/arithmetic_fences.h"
#include "vulkan/translate/support/encoded_floats.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr spv::Capability kNewerCapabilities[] = {kPoisonFreezeCapability,       kFmaCapability,
                                                  kBfloat16ConversionCapability, kArithmeticFenceCapability,
                                                  kBitwiseFunctionCapability,    kTf32RoundingCapability,
                                                  kBlockPrefetchCapability};
constexpr uint32_t kArithmeticPoison = 5157;  // ExecutionMode
constexpr std::string_view kNewerExtensions[] = {"SPV_KHR_poison_freeze",
                                                 "SPV_KHR_fma",
                                                 "SPV_INTEL_bfloat16_conversion",
                                                 "SPV_EXT_arithmetic_fence",
                                                 "SPV_INTEL_arithmetic_fence",
                                                 "SPV_INTEL_subgroup_buffer_prefetch",
                                                 "SPV_INTEL_ternary_bitwise_function",
                                                 "SPV_INTEL_tensor_float32_conversion"};

bool is_newer_op(Op op) {
    constexpr Op kOps[] = {kFma,           kPoison,          kFreeze,          kFloatToBfloat,
                           kBfloatToFloat, kArithmeticFence, kBitwiseFunction, kRoundToTf32,
                           kBlockPrefetch};
    return std::ranges::find(kOps, op) != std::end(kOps);
}

/// The functions that compilers call for instructions: their names without "__spirv_", and how many arguments
/// they have.
struct CalledRow {
    std::string_view name = {};
    Op op = {};
    size_t arguments = 0;
};
constexpr CalledRow kCalledRows[] = {
    {"ReadClockKHR", Op::OpReadClockKHR, 1},       {"ArithmeticFenceEXT", kArithmeticFence, 1},
    {"BitwiseFunctionINTEL", kBitwiseFunction, 4}, {"RoundFToTF32INTEL", kRoundToTf32, 1},
    {"ConvertFToBF16INTEL", kFloatToBfloat, 1},    {"ConvertBF16ToFINTEL", kBfloatToFloat, 1}};

/// "_Z20__spirv_ReadClockKHRi", and with the result's type "_Z26__spirv_ReadClockKHR_Rlongi".
const CalledRow* called_row(std::string_view name) {
    if (name.starts_with("_Z")) {
        size_t digits = 2, length = 0;
        for (; digits < name.size() && digits < 5 && name[digits] >= '0' && name[digits] <= '9'; ++digits)
            length = 10 * length + static_cast<size_t>(name[digits] - '0');
        name = name.substr(digits, length);
    }
    constexpr std::string_view kPrefix = "__spirv_";
    if (!name.starts_with(kPrefix)) return nullptr;
    name = name.substr(kPrefix.size());
    const auto* row = std::ranges::find(kCalledRows, name.substr(0, name.find("_R")), &CalledRow::name);
    return row == std::end(kCalledRows) ? nullptr : row;
}

class OpReplacer {
 public:
    explicit OpReplacer(Module& module) : module_(module) {}

    Result<bool> run() {
        size_t changed = take_calls();
        changed += drop_claims();
        fence_arithmetic(module_);
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
    size_t take_calls() {
        IdMap<const CalledRow*> called;
        for (const Instruction& inst : module_.annotations) {
            const std::optional<Linkage> linkage = linkage_of(inst);
            if (!linkage || linkage->type != spv::LinkageType::Import) continue;
            if (const CalledRow* row = called_row(linkage->name)) called[linkage->target] = row;
        }
        if (called.empty()) return 0;
        bool reads_clock = false;
        for (Function& function : module_.functions)
            for (Block& block : function.blocks)
                for (Instruction& inst : block.body) {
                    const auto row = inst.op == Op::OpFunctionCall ? called.find(inst.id(0)) : called.end();
                    if (row == called.end() || inst.operands.size() != row->second->arguments + 1) continue;
                    inst.op = row->second->op;
                    inst.operands.erase(inst.operands.begin());
                    reads_clock |= inst.op == Op::OpReadClockKHR;
                }
        if (reads_clock) {
            if (!builder_) builder_.emplace(module_);
            builder_->capability(spv::Capability::ShaderClockKHR);
            builder_->extension("SPV_KHR_shader_clock");
        }
        IdSet used;
        for (const Function& function : module_.functions)
            for_each_use(function, [&](const Operand& operand) { used.insert(operand.id()); });
        std::erase_if(module_.functions, [&](const Function& function) {
            return called.contains(function.id()) && !used.contains(function.id());
        });
        drop_stale_names(module_);
        return called.size();
    }

    /// SPV_EXT_split_barrier is SPV_INTEL_split_barrier under a name that older validators do not know.
    size_t rename_split_barriers() {
        size_t renamed = 0;
        for (Instruction& inst : module_.extensions)
            if (string_at(inst, 0) == "SPV_EXT_split_barrier") {
                inst.operands.clear();
                append_string(inst.operands, "SPV_INTEL_split_barrier");
                ++renamed;
            }
        return renamed;
    }

    size_t drop_claims() {
        const size_t capabilities = std::erase_if(module_.capabilities, [](const Instruction& inst) {
            return std::ranges::find(kNewerCapabilities, static_cast<spv::Capability>(inst.word(0))) !=
                   std::end(kNewerCapabilities);
        });
        // Sums that overflow have no value in OpenCL C either.
        const size_t modes = std::erase_if(module_.execution_modes, [](const Instruction& inst) {
            return inst.word(1) == kArithmeticPoison;
        });
        const size_t renamed = rename_split_barriers();
        return capabilities + modes + renamed +
               std::erase_if(module_.extensions, [](const Instruction& inst) {
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
            if (inst.op == kBlockPrefetch) continue;
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
        } else if (inst.op == kFreeze || inst.op == kArithmeticFence) {
            inst.op = Op::OpCopyObject;
        } else if (inst.op == kBitwiseFunction) {
            return combine_bits(inst);
        } else if (inst.op == kRoundToTf32) {
            return round_to_tf32(inst);
        } else {
            return convert(inst);
        }
        return true;
    }

    bool is_scalar_or_vector(Id type, Op element) const {
        return type && builder_->find_global(type) &&
               builder_->op_of_type(builder_->is_vector(type) ? builder_->element(type) : type) == element;
    }
    /// The last instruction of the replacement becomes the replaced one.
    void end_with(Instruction& inst) {
        Instruction last = std::move(builder_->sink()->back());
        builder_->sink()->pop_back();
        last.result = inst.result;
        inst = std::move(last);
    }

    /// Any function of three bits is a sum, modulo 2, of products of them. Which ones is what the table
    /// becomes when each entry is added to those whose index has one more bit (Reed and Muller).
    bool combine_bits(Instruction& inst) {
        const std::optional<uint64_t> table = builder_->constant_value(inst.id(3));
        const Id type = inst.type;
        bool fits = is_scalar_or_vector(type, Op::OpTypeInt);
        for (size_t i = 0; i < 3; ++i) fits &= builder_->type_of(inst.id(i)) == type;
        if (!fits || !table) {
            error_.message = !table ? "the table of a bitwise function is not a constant"
                                    : "a bitwise function is of integers of one type only";
            return false;
        }
        auto products = static_cast<uint32_t>(*table & 0xff);
        products ^= (products & 0x55) << 1;
        products ^= (products & 0x33) << 2;
        products ^= (products & 0x0f) << 4;
        const Id inputs[] = {inst.id(0), inst.id(1), inst.id(2)};
        Id sum = {};
        const auto combined = [&](Op op, Id a, Id b) { return a ? builder_->append(op, type, {a, b}) : b; };
        for (uint32_t product = 1; product < 8; ++product) {
            if ((products >> product & 1) == 0) continue;
            Id value = {};
            for (uint32_t i = 0; i < 3; ++i)
                if (product >> i & 1) value = combined(Op::OpBitwiseAnd, value, inputs[i]);
            sum = combined(Op::OpBitwiseXor, sum, value);
        }
        if (!sum) sum = builder_->constant_null(type);
        builder_->append(products & 1 ? Op::OpNot : Op::OpCopyObject, type, {sum});
        end_with(inst);
        return true;
    }

    /// A TF32 number is a float whose lowest 13 bits are zero.
    bool round_to_tf32(Instruction& inst) {
        const Id type = inst.type, value = inst.id(0);
        if (!is_scalar_or_vector(type, Op::OpTypeFloat) || builder_->width(type) != 32 ||
            builder_->type_of(value) != type) {
            error_.message = "only floats are rounded to TF32";
            return false;
        }
        const Id bits_type = builder_->with_count(builder_->type_int(32), builder_->count(type));
        const auto number = [&](uint32_t bits) {
            return builder_->constant_splat(bits_type, builder_->constant_u32(bits));
        };
        const auto apply = [&](Op op, Id a, Id b) { return builder_->append(op, bits_type, {a, b}); };
        const Id bits = builder_->append(Op::OpBitcast, bits_type, {value});
        const Id odd = apply(Op::OpBitwiseAnd, apply(Op::OpShiftRightLogical, bits, number(13)), number(1));
        const Id sum = apply(Op::OpIAdd, bits, apply(Op::OpIAdd, odd, number(0xfff)));
        const Id magnitude = apply(Op::OpBitwiseAnd, bits, number(0x7fffffff));
        const Id is_nan = builder_->append(Op::OpUGreaterThan,
                                           builder_->with_count(builder_->type_bool(), builder_->count(type)),
                                           {magnitude, number(0x7f800000)});
        const Id quiet = apply(Op::OpBitwiseOr, bits, number(0x00400000));
        const Id chosen = builder_->append(Op::OpSelect, bits_type, {is_nan, quiet, sum});
        const Id rounded = apply(Op::OpBitwiseAnd, chosen, number(0xffffe000));
        builder_->append(Op::OpBitcast, type, {rounded});
        end_with(inst);
        return true;
    }

    bool convert(Instruction& inst) {
        const bool to_float = inst.op == kBfloatToFloat;
        const Id from = builder_->type_of(inst.id(0)), wide = to_float ? inst.type : from,
                 narrow = to_float ? from : inst.type;
        if (!is_scalar_or_vector(wide, Op::OpTypeFloat) || builder_->width(wide) != 32 ||
            !is_scalar_or_vector(narrow, Op::OpTypeInt) || builder_->width(narrow) != 16 ||
            builder_->count(wide) != builder_->count(narrow)) {
            error_.message = "conversions of bfloat16 are between float and 16-bit integers only";
            return false;
        }
        if (to_float)
            bfloat_to_float(*builder_, inst.id(0));
        else
            float_to_bfloat(*builder_, inst.id(0));
        end_with(inst);
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
