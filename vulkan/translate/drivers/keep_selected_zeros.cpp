// SPDX-License-Identifier: Apache-2.0
// keep_selected_zeros: keeps the sign of a zero that is chosen beside a one.
//
// Mesa makes c ? 1 : 0 a conversion of c, and c ? -1 : -0 its negation. It compares the numbers, so that -0
// is 0 there: c ? -1 : 0 gives -0, and c ? 1 : -0 gives 0. It does so in what it makes of branches, too, and
// with integers that have the bits of these numbers. This pass hides such zeros.
#include <map>
#include <utility>
#include <vector>

#include "spirv/phis.h"
#include "vulkan/translate/drivers/hidden_numbers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class SelectedZeros {
 public:
    SelectedZeros(Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder_, options.target) {}

    void run(spirv::Function& function) {
        HiddenNumbers hidden(builder_, code_, function);
        for (spirv::Block& block : function.blocks) {
            for (Instruction& phi : spirv::phis_of(block.body)) hide_incoming(phi, hidden);
            replace_instructions(builder_, block, [&](Instruction& inst) {
                if (inst.op != Op::OpSelect) return false;
                for (const size_t zero : {1, 2})
                    if (is_mixed_up(inst.id(zero), inst.id(3 - zero)))
                        inst.operands[zero] = hidden.value(inst.id(zero));
                return false;
            });
        }
        hidden.insert();
    }

 private:
    /// Any of them may be the one that is chosen against another.
    void hide_incoming(Instruction& phi, HiddenNumbers& hidden) {
        for (size_t zero = 0; zero < phi.operands.size(); zero += 2)
            for (size_t one = 0; one < phi.operands.size(); one += 2)
                if (is_mixed_up(phi.id(zero), phi.id(one))) {
                    phi.operands[zero] = hidden.value(phi.id(zero));
                    break;
                }
    }

    /// Whether in some component the first constant is a zero, and the second one the one of the other sign.
    bool is_mixed_up(Id zero, Id one) {
        const std::vector<uint64_t>& zeros = bits_of(zero);
        const std::vector<uint64_t>& ones = bits_of(one);
        if (zeros.empty() || zeros.size() != ones.size()) return false;
        const uint32_t width = code_.width(zero);
        const uint64_t minus = sign_bit(width), number = width == 64   ? 0x3ff0000000000000
                                                         : width == 32 ? 0x3f800000
                                                                       : 0x3c00;
        for (size_t i = 0; i < zeros.size(); ++i)
            if ((zeros[i] == 0 && ones[i] == (number | minus)) || (zeros[i] == minus && ones[i] == number))
                return true;
        return false;
    }

    /// Those of each component of a constant that is a number or a vector of numbers of 16 bits or more; none
    /// of what else there is.
    const std::vector<uint64_t>& bits_of(Id value) {
        const auto [found, is_new] = bits_.try_emplace(value);
        std::vector<uint64_t>& bits = found->second;
        if (!is_new || !builder_.find_global(value)) return bits;
        const Id type = code_.type(value), element = builder_.is_vector(type) ? builder_.element(type) : type;
        const Op op = builder_.op_of_type(element);
        if ((op != Op::OpTypeFloat && op != Op::OpTypeInt) || builder_.width(element) < 16) return bits;
        std::vector<uint64_t> read;
        const Id same = builder_.changed_constant(type, value, [&](uint64_t each) {
            read.push_back(each);
            return each;
        });
        if (same) bits = std::move(read);
        return bits;
    }

    Builder& builder_;
    Code code_;
    std::map<Id, std::vector<uint64_t>> bits_ = {};
};

}  // namespace

Result<Done> keep_selected_zeros(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.mixes_up_selected_zeros) return Done{};
    Builder builder(module);
    SelectedZeros zeros(builder, context.options);
    for (spirv::Function& function : module.functions)
        if (!function.blocks.empty()) zeros.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
