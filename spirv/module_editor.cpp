// SPDX-License-Identifier: Apache-2.0
#include "spirv/module_editor.h"

#include <spirv-tools/libspirv.h>
#include <algorithm>

#include "spirv/grammar.h"

namespace caldera::spirv {
namespace {

constexpr size_t kWordsBefore = 5;  // the header

std::vector<uint32_t> made(spv::Op op, std::initializer_list<uint32_t> operands) {
    std::vector<uint32_t> words = {static_cast<uint32_t>(operands.size() + 1) << 16 |
                                   static_cast<uint32_t>(op)};
    words.insert(words.end(), operands);
    return words;
}

bool is_line(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

}  // namespace

bool is_terminator(spv::Op op) {
    switch (op) {
        case spv::Op::OpBranch:
        case spv::Op::OpBranchConditional:
        case spv::Op::OpSwitch:
        case spv::Op::OpReturn:
        case spv::Op::OpReturnValue:
        case spv::Op::OpKill:
        case spv::Op::OpTerminateInvocation:
        case spv::Op::OpUnreachable: return true;
        default: return false;
    }
}

bool is_structure(spv::Op op) {
    switch (op) {
        case spv::Op::OpFunction:
        case spv::Op::OpFunctionParameter:
        case spv::Op::OpFunctionEnd:
        case spv::Op::OpLabel:
        case spv::Op::OpSelectionMerge:
        case spv::Op::OpLoopMerge: return true;
        default: return is_terminator(op);
    }
}

bool is_type(spv::Op op) { return op != spv::Op::OpTypeForwardPointer && op_name(op).starts_with("OpType"); }

bool is_annotation(spv::Op op) {
    const std::string_view name = op_name(op);
    return op == spv::Op::OpName || op == spv::Op::OpMemberName || name.starts_with("OpDecorat") ||
           name.starts_with("OpMemberDecorat") || name.starts_with("OpGroup") ||
           op == spv::Op::OpExecutionMode || op == spv::Op::OpExecutionModeId;
}

std::string string_of(const EditedInstruction& inst) {
    std::string text;
    for (size_t i = inst.string_at; i != 0 && i < inst.words.size(); ++i)
        for (int byte = 0; byte < 4; ++byte) {
            const char c = static_cast<char>(inst.words[i] >> (8 * byte));
            if (c == 0) return text;
            text += c;
        }
    return text;
}

ModuleEditor::ModuleEditor(std::span<const uint32_t> words) {
    header_.assign(words.begin(), words.begin() + std::min(words.size(), kWordsBefore));
    const uint32_t bound = header_.size() == kWordsBefore ? std::min(header_[3], kMostIds) : 0;
    removed_ids_.resize(bound);
    size_t functions = 0, function = 0;
    for (size_t at = kWordsBefore; at < words.size();) {
        const uint32_t length = words[at] >> 16;
        if (length == 0 || length > words.size() - at) {
            cut_ = "word " + std::to_string(at) + ": the instruction " +
                   (length == 0 ? "has length 0" : "runs past the end of the module");
            break;
        }
        EditedInstruction inst{.ordinal = instructions_.size() + 1, .first_word = at};
        const auto own = words.subspan(at, length);
        inst.words.assign(own.begin(), own.end());
        if (inst.op() == spv::Op::OpFunction) function = ++functions;
        inst.function = function;
        if (inst.op() == spv::Op::OpFunctionEnd) function = 0;
        instructions_.push_back(std::move(inst));
        at += length;
    }
}

void ModuleEditor::set_bound(uint32_t bound) {
    if (header_.size() > 3) header_[3] = bound;
    removed_ids_.resize(std::min(bound, kMostIds));
}

bool ModuleEditor::mentions_removed(const EditedInstruction& inst) const {
    return std::ranges::any_of(inst.ids, [&](uint16_t at) {
        const uint32_t id = inst.words[at];
        return id < removed_ids_.size() && removed_ids_[id];
    });
}

std::vector<uint32_t> ModuleEditor::write() {
    std::vector<uint32_t> words = header_;
    written_.clear();
    for (size_t i = 0; i < instructions_.size(); ++i) {
        EditedInstruction& inst = instructions_[i];
        if (!inst.is_removed && is_annotation(inst.op()) && mentions_removed(inst)) inst.is_removed = true;
        if (inst.is_removed) continue;
        written_.push_back(i);
        words.insert(words.end(), inst.words.begin(), inst.words.end());
    }
    return words;
}

EditedInstruction* ModuleEditor::parse(std::span<const uint32_t> words, std::string& message) {
    struct State {
        ModuleEditor* editor;
        size_t parsed = 0;
    } state = {this};
    const auto note = [](void* data, const spv_parsed_instruction_t* parsed) {
        auto& state = *static_cast<State*>(data);
        EditedInstruction& inst = *state.editor->written(++state.parsed);
        inst.type = Id{parsed->type_id};
        inst.result = Id{parsed->result_id};
        inst.ids.clear();
        for (uint16_t i = 0; i < parsed->num_operands; ++i) {
            const spv_parsed_operand_t& operand = parsed->operands[i];
            if (operand.type == SPV_OPERAND_TYPE_LITERAL_STRING) inst.string_at = operand.offset;
            if (operand.type == SPV_OPERAND_TYPE_ID || operand.type == SPV_OPERAND_TYPE_TYPE_ID ||
                operand.type == SPV_OPERAND_TYPE_SCOPE_ID ||
                operand.type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID)
                inst.ids.push_back(operand.offset);
        }
        return SPV_SUCCESS;
    };
    const spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_diagnostic diagnostic = nullptr;
    const spv_result_t result =
        spvBinaryParse(context, &state, words.data(), words.size(), nullptr, note, &diagnostic);
    if (result != SPV_SUCCESS)
        message = diagnostic && diagnostic->error ? diagnostic->error : "the words are no SPIR-V";
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return result == SPV_SUCCESS ? nullptr : written(state.parsed + 1);
}

void ModuleEditor::remove(EditedInstruction& inst) {
    inst.is_removed = true;
    if (inst.result.value < removed_ids_.size() && inst.result) removed_ids_[inst.result.value] = true;
}

void ModuleEditor::replace_by_undef(EditedInstruction& inst) {
    const bool was_phi = inst.op() == spv::Op::OpPhi;
    inst.words = made(spv::Op::OpUndef, {inst.type.value, inst.result.value});
    inst.ids = {1};
    inst.is_replaced = true;
    if (!was_phi) return;
    // It may not stand before another phi.
    auto at = instructions_.begin() + (&inst - instructions_.data());
    auto end = at + 1;
    while (end != instructions_.end() && (end->op() == spv::Op::OpPhi || is_line(end->op()))) ++end;
    std::rotate(at, at + 1, end);
}

void ModuleEditor::replace_by_struct(EditedInstruction& inst) {
    inst.words = made(spv::Op::OpTypeStruct, {inst.result.value});
    inst.ids.clear();
    inst.is_replaced = true;
}

void ModuleEditor::declare(spv::Capability capability) {
    EditedInstruction inst{.words = made(spv::Op::OpCapability, {static_cast<uint32_t>(capability)})};
    instructions_.insert(instructions_.begin(), std::move(inst));
}

void ModuleEditor::make_straight(size_t function) {
    std::vector<EditedInstruction> head, variables, body, end;
    const auto belongs = [&](const EditedInstruction& inst) { return inst.function == function; };
    const auto first = std::ranges::find_if(instructions_, belongs);
    auto last = first;
    for (; last != instructions_.end() && belongs(*last); ++last) {
        EditedInstruction inst = std::move(*last);
        const spv::Op op = inst.op();
        const bool is_first_label = op == spv::Op::OpLabel && !inst.is_removed &&
                                    std::ranges::none_of(head, [](const EditedInstruction& each) {
                                        return each.op() == spv::Op::OpLabel && !each.is_removed;
                                    });
        if (op == spv::Op::OpPhi && !inst.is_removed) {
            inst.words = made(spv::Op::OpUndef, {inst.type.value, inst.result.value});
            inst.ids = {1};
            inst.is_replaced = true;
        }
        if (op == spv::Op::OpFunction || op == spv::Op::OpFunctionParameter || is_first_label) {
            head.push_back(std::move(inst));
        } else if (op == spv::Op::OpFunctionEnd) {
            if (std::ranges::any_of(head, [](const auto& each) { return each.op() == spv::Op::OpLabel; }))
                end.push_back({.words = made(spv::Op::OpUnreachable, {}), .function = function});
            end.push_back(std::move(inst));
        } else {
            if (is_structure(op)) remove(inst);
            (op == spv::Op::OpVariable ? variables : body).push_back(std::move(inst));
        }
    }
    // OpUnreachable is new.
    const auto begin = first - instructions_.begin();
    if (end.size() > 1) instructions_.insert(last, EditedInstruction());
    auto to = instructions_.begin() + begin;
    for (auto* part : {&head, &variables, &body, &end}) {
        std::ranges::move(*part, to);
        to += static_cast<std::ptrdiff_t>(part->size());
    }
}

void ModuleEditor::make_empty(size_t function) {
    for (EditedInstruction& inst : instructions_)
        if (inst.function == function && (!is_structure(inst.op()))) remove(inst);
}

void ModuleEditor::remove_function(size_t function) {
    for (EditedInstruction& inst : instructions_)
        if (inst.function == function) remove(inst);
}

}  // namespace caldera::spirv
