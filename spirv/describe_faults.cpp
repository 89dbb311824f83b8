// SPDX-License-Identifier: Apache-2.0
#include "spirv/describe_faults.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/module_editor.h"
#include "spirv/spirv.h"

namespace caldera::spirv {
namespace {

struct SourcePlace {
    Id file = {};
    uint32_t line = 0, column = 0;
};

class Describer {
 public:
    explicit Describer(std::span<const uint32_t> words) : editor_(words) {
        read_texts();
        read_places();
    }
    void describe(Fault& fault, bool has_places);

 private:
    void read_texts();
    void read_places();
    void debug_line(const EditedInstruction& inst, SourcePlace& place) const;
    uint32_t constant(uint32_t id) const {
        const auto value = constants_.find(Id{id});
        return value != constants_.end() ? value->second : 0;
    }

    ModuleEditor editor_;
    std::vector<std::string> texts_ = {};      // of each instruction, as assembly
    std::vector<SourcePlace> places_ = {};     // of each instruction
    std::vector<std::string> functions_ = {};  // names, by the function's number
    IdMap<std::string> strings_ = {};          // of OpString
    IdMap<uint32_t> constants_ = {};
    IdMap<uint32_t> debug_sources_ = {};  // DebugSource's file
    uint32_t debug_set_ = 0;              // NonSemantic.Shader.DebugInfo.100
};

/// A line of the text for each instruction: no string has a newline.
void flatten_strings(EditedInstruction& inst) {
    for (size_t i = inst.string_at; i != 0 && i < inst.words.size(); ++i)
        for (int shift = 0; shift < 32; shift += 8)
            if ((inst.words[i] >> shift & 0xff) == '\n') inst.words[i] ^= uint32_t{'\n' ^ ' '} << shift;
}

std::string trimmed(const std::string& line) {
    const size_t begin = line.find_first_not_of(' ');
    return begin == std::string::npos ? "" : line.substr(begin);
}

void Describer::read_texts() {
    texts_.resize(editor_.instructions().size());
    for (EditedInstruction& inst : editor_.instructions()) texts_[inst.ordinal - 1] = op_name(inst.op());
    std::vector<uint32_t> words = editor_.write();
    std::string message;
    while (EditedInstruction* bad = editor_.parse(words, message)) {
        bad->is_removed = true;
        words = editor_.write();
        message.clear();
    }
    for (EditedInstruction& inst : editor_.instructions()) {
        if (inst.op() == spv::Op::OpString) strings_[inst.result] = string_of(inst);
        flatten_strings(inst);
    }
    const Result<std::string> assembly = disassemble(editor_.write());
    if (!assembly) return;
    std::istringstream lines(*assembly);
    size_t number = 0;
    for (std::string line; std::getline(lines, line);)
        if (const EditedInstruction* inst = editor_.written(++number))
            texts_[inst->ordinal - 1] = trimmed(line);
    for (const EditedInstruction& inst : editor_.instructions()) {
        if (inst.op() != spv::Op::OpFunction) continue;
        const std::string& text = texts_[inst.ordinal - 1];
        functions_.resize(std::max(functions_.size(), inst.function + 1));
        if (text.starts_with('%')) functions_[inst.function] = text.substr(1, text.find(' ') - 1);
    }
}

/// DebugLine and DebugSource of NonSemantic.Shader.DebugInfo.100, whose numbers are ids of constants.
void Describer::debug_line(const EditedInstruction& inst, SourcePlace& place) const {
    constexpr uint32_t kDebugNoLine = 104, kDebugLine = 103;
    const std::vector<uint32_t>& words = inst.words;
    if (words[4] == kDebugNoLine) place = {};
    if (words[4] != kDebugLine || words.size() < 10) return;
    const auto file = debug_sources_.find(Id{words[5]});
    place = {Id{file != debug_sources_.end() ? file->second : 0}, constant(words[6]), constant(words[8])};
}

void Describer::read_places() {
    constexpr uint32_t kDebugSource = 35;
    SourcePlace place;
    for (const EditedInstruction& inst : editor_.instructions()) {
        const std::vector<uint32_t>& words = inst.words;
        switch (inst.op()) {
            case spv::Op::OpLine:
                if (words.size() == 4) place = {Id{words[1]}, words[2], words[3]};
                break;
            case spv::Op::OpConstant:
                if (words.size() == 4) constants_[inst.result] = words[3];
                break;
            case spv::Op::OpExtInstImport:
                if (string_of(inst) == "NonSemantic.Shader.DebugInfo.100") debug_set_ = inst.result.value;
                break;
            case spv::Op::OpExtInst:
                if (words.size() < 5 || words[3] != debug_set_) break;
                if (words[4] == kDebugSource && words.size() > 5) debug_sources_[inst.result] = words[5];
                debug_line(inst, place);
                break;
            case spv::Op::OpNoLine:
            case spv::Op::OpFunction: place = {}; break;
            default: break;
        }
        places_.push_back(place);
        if (is_terminator(inst.op())) place = {};
    }
}

void Describer::describe(Fault& fault, bool has_places) {
    if (fault.ordinal == 0) return;
    const EditedInstruction& inst = editor_.instructions()[fault.ordinal - 1];
    fault.instruction = texts_[fault.ordinal - 1];
    if (inst.function < functions_.size()) fault.function = functions_[inst.function];
    const SourcePlace& place = places_[fault.ordinal - 1];
    if (const auto file = strings_.find(place.file); file != strings_.end()) {
        fault.file = file->second;
        fault.line = place.line;
        fault.column = place.column;
    }
    if (!has_places) return;
    fault.offset_bytes = inst.first_word * 4;
    fault.length_bytes = inst.words.size() * 4;
}

}  // namespace

void describe(std::vector<Fault>& faults, std::span<const uint32_t> words, bool has_places) {
    if (faults.empty()) return;
    const auto order = [](const Fault& fault) {
        return fault.ordinal == 0 ? std::numeric_limits<size_t>::max() : fault.ordinal;
    };
    std::ranges::stable_sort(faults, {}, order);
    Describer describer(words);
    for (Fault& fault : faults) describer.describe(fault, has_places);
}

}  // namespace caldera::spirv
