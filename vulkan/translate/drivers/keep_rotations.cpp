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

#include "spirv/sink_scope.h"
#include "vulkan/translate/drivers/rotations.h"
#include "vulkan/translate/pass.h"

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
            rotations_.rewrite(function, [&](const Rotation& rotation, Id type) { keep(rotation, type); });
            std::vector<Instruction>& entry = function.blocks.front().body;
            size_t behind = 0;  // the function's own variables, which come first
            while (behind < entry.size() && entry[behind].op == Op::OpVariable) ++behind;
            entry.insert(entry.begin() + static_cast<ptrdiff_t>(behind), prologue_.begin(), prologue_.end());
            entry.insert(entry.begin(), variables_.begin(), variables_.end());
        }
        rotations_.drop_spent();
    }

 private:
    /// By which something is rotated to the left, and 32 minus that.
    struct Amounts {
        Id left = {}, right = {};
    };

    void keep(const Rotation& rotation, Id type) {
        const Amounts amounts = amounts_of(rotation.left);
        const Id low = builder_.append(Op::OpShiftLeftLogical, type, {rotation.value, amounts.left});
        const Id high = builder_.append(Op::OpShiftRightLogical, type, {rotation.value, amounts.right});
        builder_.append(Op::OpBitwiseOr, type, {low, high});
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

    spirv::Module& module_;
    Builder builder_;
    RotationRewriter rotations_{module_, builder_, 32};
    std::map<uint32_t, Amounts> amounts_ = {};                 // of the function at hand
    std::vector<Instruction> variables_ = {}, prologue_ = {};  // for its entry block
};

}  // namespace

Result<Done> keep_rotations(spirv::Module& module, PassContext& context) {
    if (context.options.profile.quirks.misses_rotations) RotationKeeper(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
