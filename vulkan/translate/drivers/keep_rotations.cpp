// SPDX-License-Identifier: Apache-2.0
// keep_rotations: keeps the constants by which 32-bit integers are rotated in variables.
//
// Mesa's compiler finds rotations by the pattern (x << n) | (x >> (32 - n)). It folds 32 - n first where n is
// a constant, and misses the pattern then (Mesa 26.2.6). It looks for patterns before it finds that a
// variable has one value only. NVK takes three instructions instead of one, and SHA-256 takes 1.65 times as
// many in all.
//
// Afterwards n is loaded from a variable of the function, which holds nothing else.
#include <map>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class RotationKeeper {
 public:
    explicit RotationKeeper(spirv::Module& module) : module_(module), builder_(module) {}

    void run() {
        for (spirv::Function& function : module_.functions) {
            amounts_.clear();
            variables_.clear();
            prologue_.clear();
            for (spirv::Block& block : function.blocks)
                replace_instructions(builder_, block, [&](const Instruction& inst) {
                    note(inst);
                    return keep(inst);
                });
            std::vector<Instruction>& entry = function.blocks.front().body;
            size_t behind = 0;  // the function's own variables, which come first
            while (behind < entry.size() && entry[behind].op == Op::OpVariable) ++behind;
            entry.insert(entry.begin() + static_cast<ptrdiff_t>(behind), prologue_.begin(), prologue_.end());
            entry.insert(entry.begin(), variables_.begin(), variables_.end());
        }
        if (!spent_.empty()) drop_spent();
    }

 private:
    struct Shift {
        Op op = {};
        Id value = {};
        Id by = {};
    };
    /// By which something is rotated to the left, and 32 minus that.
    struct Amounts {
        Id left = {}, right = {};
    };

    void note(const Instruction& inst) {
        if (inst.op != Op::OpShiftLeftLogical && inst.op != Op::OpShiftRightLogical) return;
        if (!builder_.is_int(inst.type) || builder_.width(inst.type) != 32) return;
        shifts_[inst.result] = {inst.op, inst.id(0), inst.id(1)};
    }

    /// Appends the replacement of the instruction, if it is a rotation by a constant.
    bool keep(const Instruction& inst) {
        if (inst.op != Op::OpBitwiseOr && inst.op != Op::OpBitwiseXor && inst.op != Op::OpIAdd) return false;
        const auto first = shifts_.find(inst.id(0)), second = shifts_.find(inst.id(1));
        if (first == shifts_.end() || second == shifts_.end()) return false;
        const bool is_left = first->second.op == Op::OpShiftLeftLogical;
        const Shift &left = is_left ? first->second : second->second,
                    &right = is_left ? second->second : first->second;
        if (left.op == right.op || left.value != right.value) return false;
        const auto by = builder_.constant_value(left.by), rest = builder_.constant_value(right.by);
        if (!by || !rest || *by == 0 || *rest == 0 || *by + *rest != 32) return false;
        for (const size_t operand : {0, 1}) spent_.insert(inst.id(operand));
        const Amounts amounts = amounts_of(static_cast<uint32_t>(*by));
        const Id low = builder_.append(Op::OpShiftLeftLogical, inst.type, {left.value, amounts.left});
        const Id high = builder_.append(Op::OpShiftRightLogical, inst.type, {left.value, amounts.right});
        builder_.append(Op::OpBitwiseOr, inst.type, {low, high});
        return true;
    }

    Amounts amounts_of(uint32_t by) {
        Amounts& amounts = amounts_[by];
        if (amounts.left) return amounts;
        const Id u32 = builder_.type_int(32);
        const Id pointer = builder_.type_pointer(spv::StorageClass::Function, u32);
        spirv::SinkScope sink(builder_, &variables_);
        const Id variable = builder_.append(Op::OpVariable, pointer, {spv::StorageClass::Function});
        builder_.set_sink(&prologue_);
        builder_.append_void(Op::OpStore, {variable, builder_.constant_u32(by)});
        amounts.left = builder_.append(Op::OpLoad, u32, {variable});
        amounts.right = builder_.append(Op::OpISub, u32, {builder_.constant_u32(32), amounts.left});
        return amounts;
    }

    /// Removes shifts that are not used any more.
    void drop_spent() {
        const std::vector<uint32_t> uses = spirv::count_uses(module_);
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks)
                std::erase_if(block.body, [&](const Instruction& inst) {
                    return spent_.contains(inst.result) && uses[inst.result.value] == 0;
                });
        spirv::drop_stale_names(module_);
    }

    spirv::Module& module_;
    Builder builder_;
    spirv::IdMap<Shift> shifts_ = {};
    spirv::IdSet spent_ = {};
    std::map<uint32_t, Amounts> amounts_ = {};                 // of the function at hand
    std::vector<Instruction> variables_ = {}, prologue_ = {};  // for its entry block
};

}  // namespace

Result<Done> keep_rotations(spirv::Module& module, PassContext& context) {
    if (context.options.profile.quirks.misses_rotations) RotationKeeper(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
