// SPDX-License-Identifier: Apache-2.0
// mask_loads: keeps drivers from loading from an address where no work-item executes the load.
//
// If an address is uniform across a vector of invocations, llvmpipe (Mesa 26.2.6; not yet 22.3) loads from it
// once, even if no invocation is active: in a branch that none has taken, after a return, in the last
// iteration of a loop. A pointer that a condition or the end of a list guards may be null there, and the
// process crashes. Loads from other addresses, stores and atomic operations are executed only for active
// invocations. So this pass adds a zero to the addresses of loads that may be skipped. llvmpipe cannot know
// that it is zero or uniform: it is the lowest bit of the product of an invocation's number and the next
// number, which is always even.
#include <algorithm>
#include <map>

#include "spirv/sink_scope.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class LoadMasking {
 public:
    LoadMasking(spirv::Module& module, const TranslateOptions& options)
        : module_(module), builder_(module), code_(builder_, options.target) {}

    void run() {
        for (spirv::Function& function : module_.functions) {
            find_addresses(function);
            zeros_.clear();
            const size_t first = is_kernel(module_, function.id()) ? blocks_always_run(function) : 0;
            for (size_t i = first; i < function.blocks.size(); ++i) mask(function.blocks[i]);
            if (!zeros_.empty()) define_zeros(function);
        }
    }

 private:
    /// How many blocks at the front no branch skips.
    static size_t blocks_always_run(const spirv::Function& function) {
        size_t count = 1;
        while (count < function.blocks.size() &&
               is_straight(function.blocks[count - 1], function.blocks[count]))
            ++count;
        return count;
    }
    static bool is_straight(const spirv::Block& block, const spirv::Block& next) {
        return block.terminator.op == Op::OpBranch && block.terminator.id(0) == next.label &&
               next.merge.op != Op::OpLoopMerge && block.merge.op != Op::OpLoopMerge;
    }

    void find_addresses(const spirv::Function& function) {
        addresses_.clear();
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (is_address(inst)) addresses_.emplace(inst.result, inst);
    }

    /// Whether it makes a pointer of a 64-bit integer, or of two words where the device has no such integers.
    bool is_address(const Instruction& inst) const {
        if (inst.op == Op::OpConvertUToPtr) return builder_.width(builder_.type_of(inst.id(0))) == 64;
        return inst.op == Op::OpBitcast && builder_.is_pointer(inst.type) &&
               builder_.is_vector(builder_.type_of(inst.id(0)));
    }

    void mask(spirv::Block& block) {
        rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
            const auto address = inst.op == Op::OpLoad ? addresses_.find(inst.id(0)) : addresses_.end();
            if (address != addresses_.end()) {
                const Instruction& made = address->second;
                const Id number = builder_.type_of(made.id(0));
                const Id own = builder_.append(Op::OpIAdd, number, {made.id(0), zero_of(number)});
                inst.operands[0] = builder_.append(made.op, made.type, {own});
            }
            out.push_back(std::move(inst));
        });
    }

    Id zero_of(Id type) {
        Id& zero = zeros_[type];
        if (!zero) zero = module_.fresh();
        return zero;
    }

    /// The compiler assumes that an invocation's number in its sub-group varies, even if a work-group is a
    /// single work-item.
    void define_zeros(spirv::Function& function) {
        const Id u32 = builder_.type_int(32), one = builder_.constant_u32(1);
        const Id lane = built_in_variable(builder_, spv::BuiltIn::SubgroupLocalInvocationId, u32);
        std::vector<Instruction> code;
        const spirv::SinkScope sink(builder_, &code);
        const Id number = builder_.append(Op::OpLoad, u32, {lane});
        const Id even = code_.mul(number, code_.add(number, one));
        const Id zero = builder_.append(Op::OpBitwiseAnd, u32, {even, one});
        for (const auto& [type, wanted] : zeros_) {
            if (builder_.is_vector(type))
                builder_.append(Op::OpCompositeConstruct, type, {zero, zero});
            else
                builder_.append(Op::OpUConvert, type, {zero});
            code.back().result = wanted;
        }
        function.insert_at_entry(std::move(code));
    }

    spirv::Module& module_;
    Builder builder_;
    Code code_;
    std::map<Id, Instruction> addresses_ = {};  ///< what makes a pointer of an address, by the pointer
    std::map<Id, Id> zeros_ = {};               ///< by type
};

}  // namespace

Result<Done> mask_loads(spirv::Module& module, PassContext& context) {
    const DeviceProfile& profile = context.options.profile;
    if (!profile.quirks.loads_for_nobody || !profile.subgroups) return Done{};
    LoadMasking(module, context.options).run();
    return Done{};
}

}  // namespace caldera::vulkan
