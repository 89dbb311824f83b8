// SPDX-License-Identifier: Apache-2.0
// keep_selected_zeros: keeps the sign of a zero that is chosen beside a one.
//
// Mesa makes c ? 1 : 0 a conversion of c, and c ? -1 : -0 its negation. It compares the numbers, so that -0
// is 0 there: c ? -1 : 0 gives -0, and c ? 1 : -0 gives 0. It does so in what it makes of branches, too, and
// with integers that have the bits of these numbers. This pass hides such zeros.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "spirv/phis.h"
#include "vulkan/translate/drivers/hidden_numbers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"

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
            for (Instruction& inst : block.body) {
                if (inst.op != Op::OpSelect) continue;
                for (const size_t zero : {1, 2})
                    if (is_mixed_up(inst.id(zero), inst.id(3 - zero)))
                        inst.operands[zero] = hidden.value(inst.id(zero));
            }
        }
        hidden.insert();
    }

 private:
    /// Any of them may be the one that is chosen against another.
    void hide_incoming(Instruction& phi, HiddenNumbers& hidden) {
        std::set<Id> ones;
        for (size_t at = 0; at < phi.operands.size(); at += 2)
            if (has_any(phi.id(at), Number::One)) ones.insert(phi.id(at));
        if (ones.empty()) return;
        for (size_t at = 0; at < phi.operands.size(); at += 2) {
            const Id zero = phi.id(at);
            if (!has_any(zero, Number::Zero)) continue;
            if (std::ranges::any_of(ones, [&](Id one) { return is_mixed_up(zero, one); }))
                phi.operands[at] = hidden.value(zero);
        }
    }

    /// Whether in some component the first constant is a zero, and the second one the one of the other sign.
    bool is_mixed_up(Id zero, Id one) {
        if (!has_any(zero, Number::Zero) || !has_any(one, Number::One)) return false;
        const std::vector<uint64_t>&zeros = bits_of(zero), &ones = bits_of(one);
        const uint32_t width = code_.width(zero);
        for (size_t i = 0; i < zeros.size() && i < ones.size(); ++i)
            if (zeros[i] == (ones[i] ^ sign_bit(width) ^ one_bits(width))) return true;
        return false;
    }

    enum class Number : uint8_t { Zero, One };
    /// Whether some component is such a number, of either sign.
    bool has_any(Id constant, Number number) {
        const std::vector<uint64_t>& bits = bits_of(constant);
        if (bits.empty()) return false;
        const uint32_t width = code_.width(constant);
        const uint64_t wanted = number == Number::Zero ? 0 : one_bits(width);
        return std::ranges::any_of(bits, [&](uint64_t each) { return (each & ~sign_bit(width)) == wanted; });
    }

    static uint64_t one_bits(uint32_t width) {
        return width == 64 ? 0x3ff0000000000000 : width == 32 ? 0x3f800000 : 0x3c00;
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
