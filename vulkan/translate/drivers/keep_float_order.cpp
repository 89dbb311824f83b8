// SPDX-License-Identifier: Apache-2.0
// keep_float_order: keeps compilers from doing anything with a floating-point instruction that the module
// does not allow. Before: FPFastMathMode says what is allowed (float_freedom.h). After: if the device has
// SPV_KHR_float_controls2, every mode that differs from the kernels' defaults is there, and no NoContraction.
// Otherwise every instruction that is not relaxed is NoContraction, and there is no FPFastMathMode.
//
// Without it NVIDIA's compiler, and Mesa's where the module does not promise signed zeros, make y of (x + y)
// - x, and x of (x * 2) / 2. Conversions, comparisons and functions of GLSL.std.450 are arithmetic to them
// too: an Fma that is not decorated is taken apart, and (float)(int)x becomes Trunc. driver_quirks.def:
// marks_no_contraction.
#include <algorithm>

#include "spirv/builder.h"
#include "spirv/encoded_floats.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/float_freedom.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// Calls `visit` with every floating-point instruction.
template <class Visit>
void for_each_arithmetic(const spirv::Module& module, const Builder& builder, Visit visit) {
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (is_float_arithmetic(builder, inst)) visit(inst);
}

void drop_decorations(spirv::Module& module, std::initializer_list<spv::Decoration> dropped) {
    std::erase_if(module.annotations, [&](const Instruction& inst) {
        return inst.op == Op::OpDecorate &&
               std::ranges::find(dropped, static_cast<spv::Decoration>(inst.word(1))) != dropped.end();
    });
}

void forbid_contraction(spirv::Module& module) {
    FloatFreedom freedom(module);
    drop_decorations(module, {spv::Decoration::FPFastMathMode});
    for_each_arithmetic(module, Builder(module), [&](const Instruction& inst) {
        if (!allows_all(freedom.mode(inst.result))) freedom.keep_exact(module, inst.result);
    });
}

/// Writes FPFastMathDefault for each kernel and float type, and each instruction's mode that is another.
class ModeWriter {
 public:
    ModeWriter(spirv::Module& module, PassContext& context)
        : module_(module), context_(context), builder_(module), freedom_(module) {}

    void run() {
        drop_decorations(module_, {spv::Decoration::FPFastMathMode, spv::Decoration::NoContraction});
        for_each_arithmetic(module_, builder_, [&](const Instruction& inst) {
            const uint32_t base = default_of(inst), mode = freedom_.mode(inst.result) | base;
            if (mode != base) FloatFreedom::allow(module_, inst.result, mode);
        });
        std::vector<Id> types;
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpTypeFloat && !spirv::is_encoded_float(inst)) types.push_back(inst.result);
        for (const Id type : types) set_default(type);
        if (!types.empty()) need("shaderFloatControls2");
    }

 private:
    bool preserves_special(uint32_t width) const {
        const DeviceProfile& profile = context_.options.profile;
        const FloatControls& controls = width == 16   ? profile.float16_controls
                                        : width == 32 ? profile.float32_controls
                                                      : profile.float64_controls;
        return controls.preserve_special;
    }
    /// A module must not request that a device preserve signs of zeros, infinities and NaN unless the device
    /// supports it (VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat32-09561 and similar).
    uint32_t default_of(Id type) const {
        using namespace spirv::fast_math;
        const Id scalar = type ? builder_.element(type) : Id{};
        if (!scalar || !builder_.is_float(scalar)) return 0;
        return preserves_special(builder_.width(scalar)) ? 0 : kNotNaN | kNotInf | kNSZ;
    }
    /// The result's and the operands' together.
    uint32_t default_of(const Instruction& inst) const {
        uint32_t mode = default_of(inst.type);
        for (const spirv::Operand& operand : inst.operands)
            if (operand.is_id) mode |= default_of(builder_.type_of(operand.id()));
        return mode;
    }

    void set_default(Id type) {
        const uint32_t width = builder_.width(type);
        const Id mode = builder_.constant_u32(default_of(type));
        for (const Instruction& entry : module_.entry_points)
            module_.execution_modes.push_back(
                {.op = Op::OpExecutionModeId,
                 .operands = {entry.id(1), spirv::kFPFastMathDefault, type, mode}});
        if (preserves_special(width)) need("shaderSignedZeroInfNanPreserveFloat" + std::to_string(width));
    }
    void need(const std::string& member) {
        std::vector<std::string>& list = context_.interface.float_controls;
        const auto at = std::ranges::lower_bound(list, member);
        if (at == list.end() || *at != member) list.insert(at, member);
    }

    spirv::Module& module_;
    PassContext& context_;
    Builder builder_;
    FloatFreedom freedom_;
};

}  // namespace

Result<Done> keep_float_order(spirv::Module& module, PassContext& context) {
    if (context.options.profile.float_controls2)
        ModeWriter(module, context).run();
    else
        forbid_contraction(module);
    return Done{};
}

}  // namespace caldera::vulkan
