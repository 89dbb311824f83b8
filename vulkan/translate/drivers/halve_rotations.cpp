// SPDX-License-Identifier: Apache-2.0
// halve_rotations: expresses a rotation of a 64-bit integer by a constant as two 32-bit shifts.
//
// NVIDIA's compiler (580.159) compiles (x >> n) | (x << (64 - n)) to six instructions, where two suffice.
// Each half of the result is the lower half of a shift: one of x, and one of x with its halves swapped.
// SHA-512 took 1.65 times as long on an H200.
#include <utility>

#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class RotationHalver {
 public:
    RotationHalver(spirv::Module& module, const TranslateOptions& options)
        : module_(module),
          builder_(module),
          code_(builder_, spirv::spirv_version(options.target) >= 0x00010400) {}

    void run() {
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks)
                replace_instructions(builder_, block, [&](const Instruction& inst) {
                    note(inst);
                    return halve(inst);
                });
        if (!spent_.empty()) drop_spent();
    }

 private:
    struct Shift {
        Op op = {};
        Id value = {};
        uint64_t by = 0;
    };

    void note(const Instruction& inst) {
        if (inst.op != Op::OpShiftLeftLogical && inst.op != Op::OpShiftRightLogical) return;
        if (!builder_.is_int(inst.type) || builder_.width(inst.type) != 64) return;
        if (const auto by = builder_.constant_value(inst.id(1)))
            shifts_[inst.result] = {inst.op, inst.id(0), *by};
    }

    /// Appends the replacement of the instruction, if it is a rotation.
    bool halve(const Instruction& inst) {
        if (inst.op != Op::OpBitwiseOr && inst.op != Op::OpBitwiseXor && inst.op != Op::OpIAdd) return false;
        const auto first = shifts_.find(inst.id(0)), second = shifts_.find(inst.id(1));
        if (first == shifts_.end() || second == shifts_.end()) return false;
        const Shift &a = first->second, &b = second->second;
        if (a.op == b.op || a.value != b.value || a.by + b.by != 64 || a.by == 0 || b.by == 0) return false;
        for (const size_t operand : {0, 1}) spent_.insert(inst.id(operand));
        rotate_right(a.value, static_cast<uint32_t>(a.op == Op::OpShiftRightLogical ? a.by : b.by));
        return true;
    }

    void rotate_right(Id value, uint32_t by) {
        const Id type = code_.type(value), pair = builder_.type_vector(builder_.type_int(32), 2);
        const Id halves = code_.op(Op::OpBitcast, pair, {value});
        const Id exchanged_halves = code_.op(Op::OpVectorShuffle, pair, {halves, halves, 1u, 0u});
        Id low = value,
           high = code_.op(Op::OpBitcast, type, {exchanged_halves});  // their lower halves are used
        if (by == 32) return;
        if (by > 32) std::swap(low, high);
        const Id parts[] = {code_.convert_unsigned(code_.shift_right(low, by % 32), 32),
                            code_.convert_unsigned(code_.shift_right(high, by % 32), 32)};
        code_.op(Op::OpBitcast, type, {code_.construct(pair, parts)});
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
    Code code_;
    spirv::IdMap<Shift> shifts_ = {};  // of 64-bit integers by constants
    spirv::IdSet spent_ = {};
};

}  // namespace

Result<Done> halve_rotations(spirv::Module& module, PassContext& context) {
    if (context.options.profile.quirks.misses_long_rotations) RotationHalver(module, context.options).run();
    return Done{};
}

}  // namespace caldera::vulkan
