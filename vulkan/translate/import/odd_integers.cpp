// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/odd_integers.h"

#include <algorithm>
#include <numeric>

#include "spirv/builder.h"
#include "spirv/debug_info.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/recast.h"
#include "vulkan/translate/support/who_uses.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

bool is_odd(const Instruction& inst) {
    const uint32_t width = inst.op == Op::OpTypeInt ? inst.word(0) : 32;
    return width != 8 && width != 16 && width != 32 && width != 64;
}

/// What an instruction on such integers requires, given that the upper bits of its operands are zero.
enum class Need : uint8_t {
    Nothing,
    Mask,    ///< of the result
    Signed,  ///< its operands with their signs, and a mask
    Decline
};
Need need_of(Op op) {
    switch (op) {
        case Op::OpPhi:
        case Op::OpSelect:
        case Op::OpCopyObject:
        case Op::OpBitwiseAnd:
        case Op::OpBitwiseOr:
        case Op::OpBitwiseXor:
        case Op::OpShiftRightLogical:
        case Op::OpUDiv:
        case Op::OpUMod:
        case Op::OpBitCount:
        case Op::OpIEqual:
        case Op::OpINotEqual:
        case Op::OpULessThan:
        case Op::OpULessThanEqual:
        case Op::OpUGreaterThan:
        case Op::OpUGreaterThanEqual:
        case Op::OpConvertUToF: return Need::Nothing;
        case Op::OpNot:
        case Op::OpIAdd:
        case Op::OpISub:
        case Op::OpIMul:
        case Op::OpSNegate:
        case Op::OpShiftLeftLogical:
        case Op::OpUConvert: return Need::Mask;
        case Op::OpShiftRightArithmetic:
        case Op::OpSDiv:
        case Op::OpSRem:
        case Op::OpSMod:
        case Op::OpSLessThan:
        case Op::OpSLessThanEqual:
        case Op::OpSGreaterThan:
        case Op::OpSGreaterThanEqual:
        case Op::OpConvertSToF:
        case Op::OpSConvert: return Need::Signed;
        default: return Need::Decline;
    }
}

class Widener {
 public:
    explicit Widener(Module& module) : module_(module) {}

    Result<bool> run() {
        for (const Instruction& inst : module_.globals)
            if (is_odd(inst)) {
                if (inst.word(0) > 64) {
                    declined(inst.word(0));
                    return with_place(place_of_user(module_, inst.result));
                }
                odd_[inst.result] = inst.word(0);
            }
        if (odd_.empty() && !has_bool_vectors()) return false;
        find_pointers();
        if (!odd_.empty()) ensure_wide_types();
        Builder builder(module_);
        builder_ = &builder;
        if (!to_odd_.empty()) builder.capability(spv::Capability::Int8);
        if (const Instruction* bad = bad_type()) return with_place(place_of_user(module_, bad->result));
        if (const Instruction* bad = point_at_bytes()) return with_place(place_of_user(module_, bad->result));
        for (Function& function : module_.functions)
            for (Block& block : function.blocks)
                if (!rewrite(block)) return with_place(place_of(module_, function.id(), line_));
        if (odd_.empty()) return changed_;
        for (Instruction& inst : module_.globals) widen_constant(inst);
        replace_types();
        return true;
    }

 private:
    void declined(uint32_t width, const Instruction& where) {
        const spirv::InstructionGrammar* rule = spirv::grammar(where.op);
        declined(width, rule ? rule->name : "");
    }
    void declined(uint32_t width, std::string_view what = {}) {
        error_.message = "integers of " + std::to_string(width) + " bits are not supported";
        if (!what.empty()) error_.message += " in " + std::string(what);
    }
    const Error& with_place(const std::string& place) {
        error_.message = place + error_.message;
        return error_;
    }
    bool has_bool_vectors() const {
        const auto boolean = std::ranges::find(module_.globals, Op::OpTypeBool, &Instruction::op);
        return boolean != module_.globals.end() &&
               std::ranges::any_of(module_.globals, [&](const Instruction& inst) {
                   return inst.op == Op::OpTypeVector && inst.id(0) == boolean->result;
               });
    }
    uint32_t wide(uint32_t width) const { return width < 32 ? 32 : 64; }
    uint32_t odd_width(Id value) const {
        const auto found = odd_.find(builder_->type_of(value));
        return found == odd_.end() ? 0 : found->second;
    }

    /// Pointers to integers of whole bytes, as LLVM makes of a copy of a few bytes.
    void find_pointers() {
        for (const Instruction& inst : module_.globals) {
            const auto pointee = inst.op == Op::OpTypePointer ? odd_.find(inst.id(1)) : odd_.end();
            if (pointee != odd_.end() && pointee->second % 8 == 0) to_odd_[inst.result] = inst.id(1);
        }
    }

    /// The types must come before the constants and pointers that will use them.
    void ensure_wide_types() {
        for (const uint32_t width : {64, 32, 8}) {
            if (width == 8 && to_odd_.empty()) continue;
            const auto at = std::ranges::find_if(module_.globals, [&](const Instruction& inst) {
                return inst.op == Op::OpTypeInt && inst.word(0) == width;
            });
            Instruction type{.op = Op::OpTypeInt, .operands = {width, 0u}};
            if (at != module_.globals.end()) {
                type = std::move(*at);
                module_.globals.erase(at);
            } else {
                type.result = module_.fresh();
            }
            module_.globals.insert(module_.globals.begin(), std::move(type));
        }
    }

    /// A type made of such integers, for instance a vector.
    const Instruction* bad_type() {
        for (const Instruction& inst : module_.globals) {
            if (inst.type || inst.op == Op::OpTypeInt || inst.op == Op::OpTypeFloat) continue;
            for (const Operand& operand : inst.operands) {
                if (!operand.is_id || !odd_.contains(operand.id()) || to_odd_.contains(inst.result)) continue;
                declined(odd_[operand.id()], inst);
                return &inst;
            }
        }
        return nullptr;
    }

    /// Such pointers are to the first byte. The size of an integer in memory does not matter to them.
    const Instruction* point_at_bytes() {
        for (Instruction& inst : module_.globals) {
            if (to_odd_.contains(inst.result)) inst.operands[1] = builder_->type_int(8);
            const bool is_variable = inst.op == Op::OpVariable && to_odd_.contains(inst.type);
            const Op op = inst.op == Op::OpSpecConstantOp ? static_cast<Op>(inst.word(0)) : inst.op;
            const bool counts = inst.type && !is_about_addresses(op) && integer_behind(inst);
            if (!is_variable && !counts) continue;
            declined_pointer(inst);
            return &inst;
        }
        return nullptr;
    }
    /// The type of integer to which an operand points, or {}.
    Id integer_behind(const Instruction& inst) const {
        for (const Operand& operand : inst.operands) {
            const Id type = operand.is_id ? builder_->type_of(operand.id()) : Id{};
            const auto found = type ? to_odd_.find(type) : to_odd_.end();
            if (found != to_odd_.end()) return found->second;
        }
        return {};
    }
    void declined_pointer(const Instruction& inst) {
        const auto own = to_odd_.find(inst.type);
        const Id integer = own == to_odd_.end() ? integer_behind(inst) : own->second;
        declined(odd_[integer], inst);
    }

    bool rewrite(Block& block) {
        std::vector<Instruction> body;
        const SinkScope sink(*builder_, &body);
        for (Instruction inst : block.body) {  // copies: who_uses() may look at the calls of this block
            line_ = inst.line;
            builder_->set_line(inst.line);
            if (inst.op == Op::OpBitcast && (bits_of_bools(inst, body) || recast_odd(inst, body))) continue;
            if (!to_odd_.empty() && access_bytes(inst, body)) continue;
            if (!check_pointers(inst) || !rewrite(inst, body)) return false;
        }
        block.body = std::move(body);
        if (block.terminator.op == Op::OpSwitch)
            if (const uint32_t width = odd_width(block.terminator.id(0))) trim_cases(block.terminator, width);
        return true;
    }

    /// A literal may be sign-extended, low word first.
    static void trim(Operand& literal, size_t word, uint32_t width) {
        literal.word &= static_cast<uint32_t>(((uint64_t{1} << width) - 1) >> (32 * word));
    }
    static void trim_cases(Instruction& inst, uint32_t width) {
        size_t word = 0;
        for (size_t i = 2; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id) trim(inst.operands[i], word, width);
            word = inst.operands[i].is_id ? 0 : word + 1;
        }
    }

    bool rewrite(Instruction& inst, std::vector<Instruction>& body) {
        const auto result = odd_.find(inst.type);
        uint32_t width = result == odd_.end() ? 0 : result->second;
        for (const Operand& operand : inst.operands)
            if (operand.is_id && !width) width = odd_width(operand.id());
        const Need need = width ? need_of(inst.op) : Need::Nothing;
        if (need == Need::Decline) {
            declined(width, inst);
            return false;
        }
        if (need == Need::Signed) extend_signs(inst);
        if (width && (inst.op == Op::OpUConvert || inst.op == Op::OpSConvert)) convert(inst);
        if (need != Need::Nothing && result != odd_.end()) {
            const Id value = builder_->fresh();
            masked_.insert(inst.result);
            body.push_back(inst);
            body.back().result = value;
            inst.op = Op::OpBitwiseAnd;
            inst.operands = {value, mask(result->second)};
        }
        body.push_back(std::move(inst));
        return true;
    }

    /// A shift's amount is no signed number.
    void extend_signs(Instruction& inst) {
        const size_t count = inst.op == Op::OpShiftRightArithmetic ? 1 : inst.operands.size();
        for (size_t i = 0; i < count; ++i) {
            const uint32_t width = odd_width(inst.id(i));
            if (!width) continue;
            const Id type = builder_->type_int(wide(width));
            const Id amount = builder_->constant_int(type, wide(width) - width);
            const Id raised = builder_->append(Op::OpShiftLeftLogical, type, {inst.id(i), amount});
            inst.operands[i] = builder_->append(Op::OpShiftRightArithmetic, type, {raised, amount});
        }
    }

    /// Between the widths that source and result have afterwards.
    void convert(Instruction& inst) {
        auto now = [&](Id type) {
            const auto found = odd_.find(type);
            return found == odd_.end() ? builder_->width(type) : wide(found->second);
        };
        if (now(inst.type) == now(builder_->type_of(inst.id(0)))) inst.op = Op::OpCopyObject;
    }

    Id mask(uint32_t width) {
        return builder_->constant_int(builder_->type_int(wide(width)), (uint64_t{1} << width) - 1);
    }

    /// The first component is the lowest bit.
    bool bits_of_bools(const Instruction& inst, std::vector<Instruction>& body) {
        const Id from = builder_->type_of(inst.id(0));
        if (!builder_->is_vector(from) || !builder_->is_bool(builder_->element(from))) return false;
        if (builder_->op_of_type(inst.type) != Op::OpTypeInt) return false;
        const auto found = odd_.find(inst.type);
        const Id type = found == odd_.end() ? inst.type : builder_->type_int(wide(found->second));
        Id sum = builder_->constant_int(type, 0);
        for (uint32_t i = 0; i < builder_->count(from); ++i) {
            const Id lane =
                builder_->append(Op::OpCompositeExtract, builder_->element(from), {inst.id(0), i});
            const Id bit = builder_->append(
                Op::OpSelect, type,
                {lane, builder_->constant_int(type, uint64_t{1} << i), builder_->constant_int(type, 0)});
            sum = builder_->append(Op::OpBitwiseOr, type, {sum, bit});
        }
        body.back().result = inst.result;
        changed_ = true;
        return true;
    }

    /// Between such an integer and a vector, or another number of its size.
    bool recast_odd(const Instruction& inst, std::vector<Instruction>& body) {
        const Id from = builder_->type_of(inst.id(0));
        if (!odd_.contains(inst.type) && !(from && odd_.contains(from))) return false;
        if (!from || !builder_->find_global(from)) return false;
        std::vector<Instruction> made;
        std::optional<std::vector<Id>> parts;
        {
            const SinkScope sink(*builder_, &made);
            std::vector<Id> whole = {inst.id(0)};
            const Id element = builder_->element(from);
            if (builder_->is_vector(from)) {
                whole.clear();
                for (uint32_t i = 0; i < builder_->count(from); ++i)
                    whole.push_back(builder_->append(Op::OpCompositeExtract, element, {inst.id(0), i}));
            }
            parts = recast(*builder_, whole, element, builder_->element(inst.type));
            if (!parts || parts->size() != builder_->count(inst.type)) return false;
        }
        const bool is_vector = builder_->is_vector(inst.type);
        Instruction last = {.op = is_vector ? Op::OpCompositeConstruct : Op::OpCopyObject,
                            .type = inst.type,
                            .result = inst.result,
                            .operands = {parts->begin(), parts->end()},
                            .line = inst.line};
        made.push_back(std::move(last));
        return std::ranges::all_of(made, [&](Instruction& each) { return rewrite(each, body); });
    }

    // ---- Memory ----

    bool check_pointers(const Instruction& inst) {
        if (to_odd_.empty() || is_debug(inst)) return true;
        const bool is_variable = inst.op == Op::OpVariable && to_odd_.contains(inst.type);
        if (!is_variable && (is_about_addresses(inst.op) || !integer_behind(inst))) return true;
        declined_pointer(inst);
        return false;
    }
    /// A load or store is one of each byte: others must not be touched.
    bool access_bytes(const Instruction& inst, std::vector<Instruction>& body) {
        if (inst.op != Op::OpLoad && inst.op != Op::OpStore) return false;
        const auto pointee = to_odd_.find(builder_->type_of(inst.id(0)));
        const size_t memory = inst.op == Op::OpLoad ? 1 : 2;
        const Id whole = inst.op == Op::OpLoad ? inst.type : builder_->type_of(inst.id(1));
        if (pointee == to_odd_.end() || pointee->second != whole || !is_plain(inst, memory)) return false;
        inst.op == Op::OpLoad ? load_bytes(inst, body) : store_bytes(inst);
        return true;
    }
    static constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
    static bool is_plain(const Instruction& inst, size_t memory) {
        constexpr auto kPlain = kAligned | static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) |
                                static_cast<uint32_t>(spv::MemoryAccessMask::Nontemporal);
        if (memory >= inst.operands.size()) return true;
        const uint32_t mask = inst.word(memory);
        return (mask & ~kPlain) == 0 && ((mask & kAligned) == 0 || memory + 1 < inst.operands.size());
    }
    void load_bytes(const Instruction& inst, std::vector<Instruction>& body) {
        const uint32_t width = odd_[inst.type];
        const Id byte = builder_->type_int(8), type = builder_->type_int(wide(width));
        Id sum = {};
        for (uint32_t at = 0; at < width; at += 8) {
            Operands operands = {byte_at(inst.id(0), at / 8)};
            add_memory(inst, 1, at / 8, operands);
            const Id part = builder_->append(Op::OpLoad, byte, std::move(operands));
            const Id bits = builder_->append(Op::OpUConvert, type, {part});
            const Id raised = at == 0 ? bits
                                      : builder_->append(Op::OpShiftLeftLogical, type,
                                                         {bits, builder_->constant_int(type, at)});
            sum = at == 0 ? raised : builder_->append(Op::OpBitwiseOr, type, {sum, raised});
        }
        body.back().result = inst.result;
    }
    void store_bytes(const Instruction& inst) {
        const uint32_t width = odd_width(inst.id(1));
        const Id byte = builder_->type_int(8), type = builder_->type_int(wide(width));
        for (uint32_t at = 0; at < width; at += 8) {
            const Id lowered = builder_->append(Op::OpShiftRightLogical, type,
                                                {inst.id(1), builder_->constant_int(type, at)});
            Operands operands = {byte_at(inst.id(0), at / 8),
                                 builder_->append(Op::OpUConvert, byte, {lowered})};
            add_memory(inst, 2, at / 8, operands);
            builder_->append_void(Op::OpStore, std::move(operands));
        }
    }
    Id byte_at(Id pointer, uint32_t index) {
        if (index == 0) return pointer;
        return builder_->append(Op::OpInBoundsPtrAccessChain, builder_->type_of(pointer),
                                {pointer, builder_->constant_u32(index)});
    }
    static void add_memory(const Instruction& inst, size_t memory, uint32_t byte, Operands& operands) {
        if (memory >= inst.operands.size()) return;
        operands.push_back(inst.word(memory));
        if ((inst.word(memory) & kAligned) != 0) operands.push_back(std::gcd(inst.word(memory + 1), byte));
    }

    /// The upper bits of an undefined value are unknown.
    void widen_constant(Instruction& inst) {
        const auto found = odd_.find(inst.type);
        if (found == odd_.end()) return;
        if (inst.op == Op::OpUndef) inst.op = Op::OpConstantNull;
        if (inst.op != Op::OpConstant) return;
        for (size_t word = 0; word < inst.operands.size(); ++word)
            trim(inst.operands[word], word, found->second);
    }

    void replace_types() {
        auto replace = [&](Instruction& inst) {
            if (const auto found = odd_.find(inst.type); found != odd_.end())
                inst.type = builder_->type_int(wide(found->second));
        };
        for (Instruction& inst : module_.globals) replace(inst);
        for (Function& function : module_.functions)
            for (Block& block : function.blocks)
                for (Instruction& inst : block.body) replace(inst);
        std::erase_if(module_.globals, is_odd);
        // More bits wrap at other values, and a mask does not wrap.
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            return inst.op == Op::OpDecorate && masked_.contains(inst.id(0)) &&
                   (inst.word(1) == static_cast<uint32_t>(spv::Decoration::NoSignedWrap) ||
                    inst.word(1) == static_cast<uint32_t>(spv::Decoration::NoUnsignedWrap));
        });
        drop_stale_names(module_);
    }

    Module& module_;
    Builder* builder_ = nullptr;
    IdMap<uint32_t> odd_ = {};  // types -> their width
    IdMap<Id> to_odd_ = {};     // these, by the types of pointers to them
    IdSet masked_ = {};         // results that lose upper bits
    bool changed_ = false;
    Line line_ = {};  // of the instruction at hand, for messages
    Error error_ = {};
};

}  // namespace

Result<bool> widen_odd_integers(Module& module) { return Widener(module).run(); }

}  // namespace caldera::vulkan
