// SPDX-License-Identifier: Apache-2.0
// narrow_integers: 64-bit arithmetic of which only the low 32 bits are used is done in 32 bits. OpenCL's
// work-item functions give size_t, and kernels put them into uint at once: without this each id costs 64-bit
// additions, and llvmpipe keeps vectors of twice the width alive across barriers. driver_quirks.def:
// narrows_integers.
//
// C computes with char and short in int. What is truncated again is computed in 16 and in 8 bits, if all that
// it is made of has no more: compilers otherwise extend each result before the next operation.
//
// After: an integer operation of 64 bits has 32 if its low bits depend only on its operands' low bits and all
// its users ignore the rest. So do its operands, as far as the same holds for them, and members of the
// argument block.
#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

/// Makes operations of `from` bits operations of half as many.
class Narrower {
 public:
    Narrower(Module& module, uint32_t from)
        : module_(module),
          builder_(module),
          from_bits_(from),
          to_(builder_.type_int(from / 2)),
          from_(builder_.type_int(from)),
          uses_(count_uses(module)),
          narrow_uses_(module.bound),
          is_narrowed_(module.bound),
          is_free_(module.bound),
          is_extended_(module.bound),
          is_dead_(module.bound) {}

    void run() {
        bool any = false;
        for (const Function& function : module_.functions) any |= mark(function);
        if (!any) return;
        if (from_bits_ == 64) narrow_members();
        for (Function& function : module_.functions) rewrite(function);
        std::erase_if(module_.annotations, [&](const Instruction& inst) { return is_false(inst); });
    }

 private:
    /// The indices of the operands whose low bits determine the result's low bits; empty for other
    /// instructions.
    std::span<const size_t> low_operands(const Instruction& inst) const {
        static constexpr size_t kFirst[] = {0}, kBoth[] = {0, 1}, kSelected[] = {1, 2};
        switch (inst.op) {
            case Op::OpIAdd:
            case Op::OpISub:
            case Op::OpIMul:
            case Op::OpBitwiseAnd:
            case Op::OpBitwiseOr:
            case Op::OpBitwiseXor: return kBoth;
            case Op::OpNot:
            case Op::OpSNegate: return kFirst;
            case Op::OpShiftLeftLogical:
                return builder_.constant_value(inst.id(1)).value_or(from_bits_) < from_bits_ / 2
                           ? kFirst
                           : std::span<const size_t>();
            case Op::OpSelect: return kSelected;
            default: return {};
        }
    }
    static bool is_conversion(const Instruction& inst) {
        return inst.op == Op::OpUConvert || inst.op == Op::OpSConvert;
    }
    /// Drops the upper half of its operand, or more.
    bool truncates(const Instruction& inst) const {
        return is_conversion(inst) && builder_.type_of(inst.id(0)) == from_ && builder_.is_int(inst.type) &&
               builder_.width(inst.type) < from_bits_;
    }
    bool extends(const Instruction& inst) const {
        return is_conversion(inst) && inst.type == from_ && builder_.is_int(builder_.type_of(inst.id(0)));
    }

    /// Whether all users of a 64-bit value use only its low bits. The users must have been marked before.
    bool wants_low_bits(const Instruction& inst) const {
        const uint32_t id = inst.result.value;
        return inst.type == from_ && uses_[id] != 0 && narrow_uses_[id] == uses_[id];
    }

    /// Whether an instruction does nothing but compute a value that nobody uses: lower_memory leaves
    /// addresses for which accesses have offsets.
    bool is_unused(const Instruction& inst) const {
        const bool computes = !low_operands(inst).empty() || is_conversion(inst);
        return computes && uses_[inst.result.value] == 0;
    }

    /// Marks what needs no conversion when it is narrowed: it is made of constants and of narrow values.
    void find_free(const Function& function) {
        IdSet phis, of_phis;
        const auto is_counter = [&](const Instruction& inst, std::span<const size_t> operands) {
            return operands.size() == 2 && std::ranges::all_of(operands, [&](size_t i) {
                       return of_phis.contains(inst.id(i)) || builder_.constant_value(inst.id(i));
                   });
        };
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op == Op::OpPhi) phis.insert(inst.result);
                if (inst.type != from_) continue;
                const std::span<const size_t> operands = low_operands(inst);
                if (operands.empty() && extends(inst) && phis.contains(inst.id(0)))
                    of_phis.insert(inst.result);
                is_free_[inst.result.value] =
                    operands.empty()
                        ? extends(inst)
                        : !is_counter(inst, operands) && std::ranges::all_of(operands, [&](size_t i) {
                              return is_free_[inst.word(i)] || builder_.constant_value(inst.id(i));
                          });
            }
    }
    /// Whether users of a truncated value want it narrow. Where one extends it again, as for an index, one
    /// conversion more would be left.
    bool stays_narrow(const Instruction& truncation) const {
        return from_bits_ == 64 || !is_extended_[truncation.result.value];
    }
    /// Work-item functions give 64 bits, so that 32 are better even where each operand is converted.
    bool is_worth_it(const Instruction& inst) const {
        return from_bits_ == 64 || is_free_[inst.result.value];
    }

    /// Visits users before what they use: dominated blocks come after their dominators. Returns whether there
    /// is anything to narrow.
    bool mark(const Function& function) {
        bool any = false;
        if (from_bits_ < 64) find_free(function);
        auto visit = [&](const Instruction& inst) {
            if (is_unused(inst)) {
                is_dead_[inst.result.value] = true;
                for (const Operand& operand : inst.operands)
                    if (operand.is_id) --uses_[operand.word];
                return;
            }
            if (truncates(inst) && stays_narrow(inst)) ++narrow_uses_[inst.word(0)];
            if (is_conversion(inst) && !(extends(inst) && wants_low_bits(inst)) &&
                builder_.width(inst.type) > builder_.width(builder_.type_of(inst.id(0))))
                is_extended_[inst.word(0)] = true;
            if (inst.op == Op::OpFunctionCall)  // which may extend what it is given
                for (const Operand& operand : inst.operands) is_extended_[operand.word] = true;
            if (!wants_low_bits(inst)) return;
            const std::span<const size_t> operands = low_operands(inst);
            if ((operands.empty() && !extends(inst)) || !is_worth_it(inst)) return;
            any = is_narrowed_[inst.result.value] = true;
            for (size_t i : operands) ++narrow_uses_[inst.word(i)];
        };
        for (size_t b = function.blocks.size(); b-- > 0;)
            for (size_t i = function.blocks[b].body.size(); i-- > 0;) visit(function.blocks[b].body[i]);
        return any;
    }

    // ---- Members of blocks: their low words lie at the same offset ----

    using Member = std::pair<Id, uint32_t>;  // the struct, and which of its members
    struct Loads {
        uint32_t uses = 0;  // of the chains to the member
        std::vector<Id> narrow = {}, chains = {};
    };

    void narrow_members() {
        std::map<Member, Loads> members;
        IdMap<Loads*> by_chain;
        for (const Function& function : module_.functions)
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body) {
                    if (const auto member = member_of(inst)) {
                        Loads& loads = members[*member];
                        loads.uses += uses_[inst.result.value];
                        loads.chains.push_back(inst.result);
                        by_chain[inst.result] = &loads;
                    } else if (inst.op == Op::OpLoad && wants_low_bits(inst)) {
                        if (const auto found = by_chain.find(inst.id(0)); found != by_chain.end())
                            found->second->narrow.push_back(inst.result);
                    }
                }
        for (const auto& [member, loads] : members) {
            if (loads.uses != loads.narrow.size() || !narrow_member(member)) continue;
            for (const auto* ids : {&loads.narrow, &loads.chains})
                for (const Id id : *ids) is_narrowed_[id.value] = true;
        }
    }
    /// The 64-bit member to which an access chain from an argument block leads.
    std::optional<Member> member_of(const Instruction& inst) const {
        if (inst.op != Op::OpAccessChain || inst.operands.size() != 2 || builder_.pointee(inst.type) != from_)
            return {};
        const Id block = builder_.pointee(builder_.type_of(inst.id(0)));
        const spv::StorageClass storage = builder_.storage(inst.type);
        if (storage != spv::StorageClass::PushConstant && storage != spv::StorageClass::Uniform) return {};
        const auto index = builder_.constant_value(inst.id(1));
        if (!index || builder_.op_of_type(block) != Op::OpTypeStruct) return {};
        return Member{block, static_cast<uint32_t>(*index)};
    }
    /// False if u32 is declared only after the struct.
    bool narrow_member(const Member& member) {
        const auto block = std::ranges::find(module_.globals, member.first, &Instruction::result);
        if (std::ranges::find(module_.globals.begin(), block, to_, &Instruction::result) == block)
            return false;
        block->operands[member.second] = to_;
        return true;
    }

    /// Whether an annotation says of a narrowed operation that it does not wrap.
    bool is_false(const Instruction& inst) const {
        if (inst.op != Op::OpDecorate || !is_narrowed_[inst.word(0)]) return false;
        const auto decoration = static_cast<spv::Decoration>(inst.word(1));
        return decoration == spv::Decoration::NoSignedWrap || decoration == spv::Decoration::NoUnsignedWrap;
    }

    void rewrite(Function& function) {
        Substitution same;
        for (Block& block : function.blocks) {
            std::vector<Instruction> out;
            out.reserve(block.body.size());
            builder_.set_sink(&out);
            for (Instruction& inst : block.body) {
                if (is_dead_[inst.result.value]) continue;
                if (truncates(inst) && is_narrowed_[inst.word(0)] && inst.type == to_) {
                    same.set(inst.result, inst.id(0));
                    continue;
                }
                if (is_narrowed_[inst.result.value] && !narrow(inst)) {
                    same.set(inst.result, inst.id(0));
                    continue;
                }
                out.push_back(std::move(inst));
            }
            block.body = std::move(out);
        }
        same.apply(function);
    }

    /// False: it is its operand.
    bool narrow(Instruction& inst) {
        if (inst.op == Op::OpAccessChain) {
            inst.type = builder_.type_pointer(builder_.storage(inst.type), to_);
            return true;
        }
        inst.type = to_;
        if (is_conversion(inst)) return builder_.type_of(inst.id(0)) != to_;
        for (size_t i : low_operands(inst)) inst.operands[i] = low_bits(inst.id(i));
        return true;
    }
    Id low_bits(Id value) {
        if (is_narrowed_[value.value]) return value;
        if (const auto constant = builder_.constant_value(value))
            return builder_.constant_int(to_, *constant);
        return builder_.append(Op::OpUConvert, to_, {value});
    }

    Module& module_;
    Builder builder_;
    uint32_t from_bits_;
    Id to_, from_;
    std::vector<uint32_t> uses_, narrow_uses_;  // by id; narrow: those that want the low bits only
    std::vector<bool> is_narrowed_, is_free_, is_extended_, is_dead_;  // by id
};

}  // namespace

Result<Done> narrow_integers(spirv::Module& module, PassContext& context) {
    const DeviceProfile& profile = context.options.profile;
    if (profile.int64)
        Narrower(module, 64).run();  // else lower_int64 takes pairs apart, and unused halves go
    if (profile.int16 && profile.int8) {
        Narrower(module, 32).run();
        Narrower(module, 16).run();
    }
    return Done{};
}

}  // namespace caldera::vulkan
