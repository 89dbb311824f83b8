// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/printf_choices.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/import/literal_strings.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Operands;
using spv::Op;

constexpr size_t kMaxChoices = 256;  // that are made for one format
constexpr size_t kMaxFormats = 64;   // of one call

/// A known format: its number among those of the function, and a pointer to it.
struct Text {
    uint32_t number = 0;
    Id pointer = {};
};

/// The calls of one function. Beside each pointer that is chosen, the number of the format is chosen
/// likewise.
class PrintfChoices {
 public:
    PrintfChoices(spirv::Module& module, Id opencl_std, const FormatOperands& callees)
        : builder_(module), opencl_std_(opencl_std), callees_(callees), strings_(builder_, opencl_std) {}

    bool has_formats(const Function& function) const {
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (format_operand(inst) != 0) return true;
        return false;
    }

    void rewrite(Function& function) {
        before_ = function;
        strings_.enter(before_);
        defs_.clear();
        numbers_.clear();
        texts_.clear();
        calls_.clear();
        for (const Block& block : before_.blocks)
            for (const Instruction& inst : block.body)
                if (inst.result) defs_[inst.result] = &inst;
        for (const Block& block : before_.blocks)
            for (const Instruction& inst : block.body)
                if (const size_t operand = format_operand(inst); operand != 0) plan(inst, operand);
        if (calls_.empty()) return;
        std::vector<Block> blocks;
        for (Block& block : function.blocks) add_block(std::move(block), blocks);
        for (Block& block : blocks)
            for (Instruction& inst : block.body)
                if (inst.op == Op::OpPhi) follow_ends(inst);
        function.blocks = std::move(blocks);
        drop_unused_choices(function);
    }

 private:
    using Formats = std::map<uint32_t, Id>;  // number -> a pointer to the text

    /// Which operand of a call is a format; 0 if none is.
    size_t format_operand(const Instruction& inst) const {
        if (is_printf(inst, opencl_std_)) return kPrintfFormat;
        const auto callee = inst.op == Op::OpFunctionCall ? callees_.find(inst.id(0)) : callees_.end();
        return callee != callees_.end() && callee->second < inst.operands.size() ? callee->second : 0;
    }

    void plan(const Instruction& call, size_t operand) {
        const Id format = call.id(operand);
        if (strings_.find(format)) return;
        spirv::IdSet seen;
        std::vector<Id> nodes, open = {format};
        std::vector<std::pair<Id, std::string>> leaves;
        while (!open.empty()) {
            const Id pointer = open.back();
            open.pop_back();
            if (!seen.insert(pointer)) continue;
            if (std::optional<std::string> text = strings_.find(pointer)) {
                leaves.emplace_back(pointer, std::move(*text));
                continue;
            }
            const Operands chosen = chosen_among(pointer);
            if (chosen.empty() || nodes.size() == kMaxChoices) return;
            nodes.push_back(pointer);
            for (const spirv::Operand& each : chosen) open.push_back(each.id());
        }
        Formats formats;
        for (const auto& [pointer, text] : leaves) {
            const auto number = static_cast<uint32_t>(texts_.size());
            const Text& known = texts_.emplace(text, Text{number, pointer}).first->second;
            numbers_[pointer] = builder_.constant_u32(known.number);
            formats.emplace(known.number, known.pointer);
        }
        if (formats.empty() || formats.size() > kMaxFormats) return;
        for (const Id node : nodes)
            if (!numbers_.contains(node)) numbers_[node] = builder_.fresh();
        calls_[call.result] = {format, operand, std::move(formats)};
    }

    /// The pointers of which `pointer` is one; none if that is not known.
    Operands chosen_among(Id pointer) const {
        const auto found = defs_.find(pointer);
        if (found == defs_.end()) return {};
        const Instruction& inst = *found->second;
        if (spirv::casts_pointer(inst.op)) return {inst.operands[0]};
        if (inst.op == Op::OpSelect && builder_.is_bool(builder_.type_of(inst.id(0))))
            return {inst.operands[1], inst.operands[2]};
        Operands out;
        if (inst.op == Op::OpPhi)
            for (size_t i = 0; i < inst.operands.size(); i += 2) out.push_back(inst.operands[i]);
        return out;
    }

    /// The block, cut at each planned call. The first part keeps its label, the last one its branch.
    void add_block(Block block, std::vector<Block>& out) {
        const Id label = block.label;
        const bool splits = std::ranges::any_of(
            block.body, [&](const Instruction& inst) { return calls_.contains(inst.result); });
        Block part = {.label = label};
        bool entered = !splits || block.merge.op != Op::OpLoopMerge;
        for (Instruction& inst : block.body) {
            if (!entered && inst.op != Op::OpPhi && inst.op != Op::OpVariable) {
                enter_loop(block, part, out);
                entered = true;
            }
            const auto call = calls_.find(inst.result);
            if (call != calls_.end()) {
                split(inst, call->second, part, out);
                continue;
            }
            Instruction number = numbered(inst);
            part.body.push_back(std::move(inst));
            if (number.result) part.body.push_back(std::move(number));
        }
        if (part.label != label) ends_[label] = part.label;
        part.merge = std::move(block.merge);
        part.terminator = std::move(block.terminator);
        out.push_back(std::move(part));
    }

    /// Ends a loop's first block before its code: what declares the loop has to stand in it.
    void enter_loop(Block& block, Block& part, std::vector<Block>& out) {
        const Id body = builder_.fresh();
        part.merge = std::exchange(block.merge, {});
        part.terminator = {.op = Op::OpBranch, .operands = {body}};
        out.push_back(std::exchange(part, {.label = body}));
    }

    /// The number of the format beside the pointer to it.
    Instruction numbered(const Instruction& inst) {
        const auto number = numbers_.find(inst.result);
        if (number == numbers_.end() || strings_.find(inst.result)) return {};
        Instruction out = {.op = inst.op,
                           .type = builder_.type_int(32),
                           .result = number->second,
                           .operands = inst.operands};
        if (spirv::casts_pointer(inst.op)) out.op = Op::OpCopyObject;
        const size_t step = inst.op == Op::OpPhi ? 2 : 1;
        for (size_t i = inst.op == Op::OpSelect ? 1 : 0; i < out.operands.size(); i += step)
            out.operands[i] = numbers_.at(inst.id(i));
        return out;
    }

    struct Call {
        Id format = {};
        size_t operand = 0;  // of the call
        Formats formats = {};
    };

    void split(const Instruction& call, const Call& planned, Block& part, std::vector<Block>& out) {
        const Id merge = builder_.fresh();
        Instruction result = {.op = Op::OpPhi, .type = call.type, .result = call.result, .line = call.line};
        Operands cases = {numbers_.at(planned.format)};
        std::vector<Block> arms;
        for (const auto& [number, pointer] : planned.formats) {
            Block arm = {.label = builder_.fresh()};
            Instruction copy = call;
            copy.result = builder_.fresh();
            copy.operands[planned.operand] = at_hand(pointer, arm.body);
            result.operands.push_back(copy.result);
            result.operands.push_back(arm.label);
            arm.body.push_back(std::move(copy));
            arm.terminator = {.op = Op::OpBranch, .operands = {merge}};
            if (arms.empty())
                cases.push_back(arm.label);  // the default
            else {
                cases.push_back(number);
                cases.push_back(arm.label);
            }
            arms.push_back(std::move(arm));
        }
        part.merge = {.op = Op::OpSelectionMerge,
                      .operands = {merge, static_cast<uint32_t>(spv::SelectionControlMask::MaskNone)}};
        part.terminator = {.op = Op::OpSwitch, .operands = std::move(cases), .line = call.line};
        out.push_back(std::exchange(part, {.label = merge}));
        if (builder_.op_of_type(call.type) != Op::OpTypeVoid) part.body.push_back(std::move(result));
        for (Block& arm : arms) out.push_back(std::move(arm));
    }

    /// `pointer`, or a copy of the code that makes it, which another block may have.
    Id at_hand(Id pointer, std::vector<Instruction>& out) {
        const auto found = defs_.find(pointer);
        if (found == defs_.end() || found->second->op == Op::OpVariable) return pointer;
        Instruction copy = *found->second;
        copy.result = builder_.fresh();
        for (spirv::Operand& operand : copy.operands)
            if (operand.is_id) operand = at_hand(operand.id(), out);
        out.push_back(copy);
        return copy.result;
    }

    /// Control comes from where a block that was cut ends now.
    void follow_ends(Instruction& phi) const {
        for (size_t i = 1; i < phi.operands.size(); i += 2)
            if (const auto end = ends_.find(phi.id(i)); end != ends_.end()) phi.operands[i] = end->second;
    }

    /// Pointers that nothing uses any more would put the texts into the program's data.
    void drop_unused_choices(Function& function) const {
        for (size_t step = 0; step < kMaxChoices; ++step) {
            spirv::IdSet used;
            for_each_use(function, [&](const spirv::Operand& operand) { used.insert(operand.id()); });
            size_t dropped = 0;
            for (Block& block : function.blocks)
                dropped += std::erase_if(block.body, [&](const Instruction& inst) {
                    return numbers_.contains(inst.result) && inst.op != Op::OpVariable &&
                           !used.contains(inst.result);
                });
            if (dropped == 0) return;
        }
    }

    spirv::Builder builder_;
    Id opencl_std_;
    const FormatOperands& callees_;
    Function before_ = {};  // strings_ and defs_ point into it
    LiteralStrings strings_;
    spirv::IdMap<const Instruction*> defs_ = {};
    spirv::IdMap<Id> numbers_ = {};  // pointer -> the number of the format that it points to
    std::map<std::string, Text> texts_ = {};
    spirv::IdMap<Call> calls_ = {};  // by result
    spirv::IdMap<Id> ends_ = {};     // label of a block that was cut -> label of its last part
};

}  // namespace

void split_printf_choices(spirv::Module& module, const FormatOperands& callees) {
    const Id opencl_std = opencl_std_of(module);
    if (!opencl_std) return;
    PrintfChoices choices(module, opencl_std, callees);
    for (Function& function : module.functions)
        if (choices.has_formats(function)) choices.rewrite(function);
}

}  // namespace caldera::vulkan
