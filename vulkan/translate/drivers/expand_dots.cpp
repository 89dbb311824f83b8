// SPDX-License-Identifier: Apache-2.0
// expand_dots: writes dot products as a product and Fma, one component after another.
//
// NVIDIA's compiler leaves out the products of a Dot in which one component is a zero that it knows, also by
// ranges of integers. So a NaN or an infinity beside it is lost. It does not do so with FMul and Fma, which
// are what it makes of a Dot.
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

class DotExpansion {
 public:
    DotExpansion(spirv::Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder, options.target), profile_(options.profile) {}

    void run(spirv::Function& function) {
        for (spirv::Block& block : function.blocks)
            replace_instructions(builder_, block, [&](const Instruction& inst) {
                return inst.op == Op::OpDot && bool(expand(inst));
            });
    }

 private:
    /// The sum, appended last.
    Id expand(const Instruction& dot) {
        const Id x = dot.id(0), y = dot.id(1), element = dot.type;
        const uint32_t width = builder_.width(element);
        const bool has_fma = width == 16 ? profile_.fused_half_fma : profile_.fused_fma;
        const auto part = [&](Id vector, uint32_t index) {
            return code_.op(Op::OpCompositeExtract, element, {vector, index});
        };
        Id sum = code_.op(Op::OpFMul, element, {part(x, 0), part(y, 0)});
        for (uint32_t i = 1; i < builder_.count(builder_.type_of(x)); ++i) {
            const Id a = part(x, i), b = part(y, i);
            sum = has_fma ? code_.glsl(GLSLstd450Fma, {a, b, sum})
                          : code_.op(Op::OpFAdd, element, {sum, code_.op(Op::OpFMul, element, {a, b})});
        }
        return sum;
    }

    spirv::Builder& builder_;
    Code code_;
    const DeviceProfile& profile_;
};

}  // namespace

Result<Done> expand_dots(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.drops_zeros_in_dots) return Done{};
    spirv::Builder builder(module);
    DotExpansion expansion(builder, context.options);
    for (spirv::Function& function : module.functions) expansion.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
