// SPDX-License-Identifier: Apache-2.0
// halve_rotations: expresses a rotation of a 64-bit integer by a constant as two 32-bit shifts.
//
// NVIDIA's compiler (580.159) compiles (x >> n) | (x << (64 - n)) to six instructions, where two suffice.
// Each half of the result is the lower half of a shift: one of x, and one of x with its halves swapped.
// SHA-512 took 1.65 times as long on an H200.
#include <utility>

#include "vulkan/translate/drivers/rotations.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spv::Op;

class RotationHalver {
 public:
    RotationHalver(spirv::Module& module, const TranslateOptions& options)
        : module_(module), builder_(module), code_(builder_, options.target) {}

    void run() {
        for (spirv::Function& function : module_.functions)
            rotations_.rewrite(function, [&](const Rotation& rotation, Id) {
                rotate_right(rotation.value, 64 - rotation.left);
            });
        rotations_.drop_spent();
    }

 private:
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

    spirv::Module& module_;
    Builder builder_;
    Code code_;
    RotationRewriter rotations_{module_, builder_, 64};
};

}  // namespace

Result<Done> halve_rotations(spirv::Module& module, PassContext& context) {
    if (context.options.profile.quirks.misses_long_rotations) RotationHalver(module, context.options).run();
    return Done{};
}

}  // namespace caldera::vulkan
