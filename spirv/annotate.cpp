// SPDX-License-Identifier: Apache-2.0
#include "spirv/annotate.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <cstring>
#include <sstream>
#include <vector>

#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/raw_words.h"
#include "spirv/spirv.h"

namespace caldera::spirv {
namespace {

// Both sets number their instructions alike, and operands have the same places where this file looks at them,
// but for literals (constants in the other set).
constexpr size_t kExtOperands = 5;  // words before the first operand of an OpExtInst

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

struct Place {
    uint32_t file = 0, line = 0;
    uint32_t scope = 0, inlined_at = 0;
    bool operator==(const Place&) const = default;
};

class Annotator {
 public:
    explicit Annotator(std::span<const uint32_t> words) : words_(words.begin(), words.end()) {}

    Result<std::string> run() {
        for_each_raw_inst(words_, [&](RawInst inst) { learn(inst); });
        flatten_strings();
        Result<std::string> assembly = disassemble(words_);
        if (!assembly) return assembly;
        texts_ = lines_of(*assembly);
        size_t number = 0;
        for_each_raw_inst(words_, [&](RawInst inst) {
            if (number < texts_.size()) visit(inst, texts_[number]);
            ++number;
        });
        return std::move(out_);
    }

 private:
    // ---- What the module says of its source ----

    void learn(RawInst inst) {
        switch (opcode(inst)) {
            case spv::Op::OpExtInstImport: {
                const std::string name = text_at(inst, 2);
                if (inst.size() > 2 && (name == kOpenclDebugInfo || name == kShaderDebugInfo)) {
                    set_ = inst[1];
                    has_constants_ = name == kShaderDebugInfo;
                }
                break;
            }
            case spv::Op::OpString:
                if (inst.size() > 2) strings_[inst[1]] = text_at(inst, 2);
                break;
            case spv::Op::OpConstant:
                if (inst.size() == 4) constants_[inst[2]] = inst[3];
                break;
            case spv::Op::OpUndef:
                if (inst.size() == 3) undefined_.insert(Id{inst[2]});
                break;
            case spv::Op::OpExtInst:
                if (!is_debug(inst)) break;
                debug_[inst[2]].assign(inst.begin(), inst.end());
                if (inst[4] == NonSemanticShaderDebugInfo100DebugSource && inst.size() > kExtOperands) {
                    sources_[inst[2]] = inst[kExtOperands];
                    if (inst.size() > kExtOperands + 1)
                        texts_of_files_[inst[kExtOperands]] = lines_of(string(inst[kExtOperands + 1]));
                }
                break;
            default: break;
        }
    }
    bool is_debug(RawInst inst) const { return set_ != 0 && inst.size() >= kExtOperands && inst[3] == set_; }
    std::string string(uint32_t id) const {
        const auto found = strings_.find(id);
        return found == strings_.end() ? std::string() : found->second;
    }
    uint32_t number(uint32_t word) const {
        if (!has_constants_) return word;
        const auto found = constants_.find(word);
        return found == constants_.end() ? 0 : found->second;
    }
    /// An operand of a debug instruction; 0 where it has none.
    uint32_t operand(uint32_t id, size_t index) const {
        const auto found = debug_.find(id);
        if (found == debug_.end() || found->second.size() <= kExtOperands + index) return 0;
        return found->second[kExtOperands + index];
    }
    uint32_t kind(uint32_t id) const {
        const auto found = debug_.find(id);
        return found == debug_.end() ? ~0u : found->second[4];
    }

    /// The name of the function that a scope is in.
    std::string function_of(uint32_t scope) const {
        constexpr int kMaxDepth = 1000;
        for (int depth = 0; depth < kMaxDepth; ++depth) {
            switch (kind(scope)) {
                case NonSemanticShaderDebugInfo100DebugFunction: return string(operand(scope, 0));
                case NonSemanticShaderDebugInfo100DebugLexicalBlock: scope = operand(scope, 3); break;
                case NonSemanticShaderDebugInfo100DebugLexicalBlockDiscriminator:
                    scope = operand(scope, 2);
                    break;
                default: return {};
            }
        }
        return {};
    }

    /// The disassembly has a line for each instruction then.
    void flatten_strings() {
        for (size_t at = kRawHeaderWords; at < words_.size();) {
            const size_t count = words_[at] >> 16;
            if (count == 0 || count > words_.size() - at) return;
            const auto op = static_cast<spv::Op>(words_[at] & 0xffff);
            const size_t first = op == spv::Op::OpString ? 2 : op == spv::Op::OpSource ? 4 : count;
            for (size_t i = first; i < count; ++i)
                for (int shift = 0; shift < 32; shift += 8)
                    if ((words_[at + i] >> shift & 0xff) == '\n')
                        words_[at + i] ^= uint32_t{'\n' ^ ' '} << shift;
            at += count;
        }
    }

    // ---- The text ----

    void visit(RawInst inst, const std::string& text) {
        switch (opcode(inst)) {
            case spv::Op::OpLine:
                if (inst.size() == 4) place_.file = inst[1], place_.line = inst[2];
                return;
            case spv::Op::OpNoLine: place_.file = place_.line = 0; return;
            case spv::Op::OpFunction:
                in_function_ = true;
                put(inst, text);
                return;
            case spv::Op::OpLabel: place_ = {}; break;
            case spv::Op::OpExtInst:
                if (is_debug(inst)) return debug(inst);
                break;
            default: break;
        }
        if (!in_function_) return;
        put(inst, text);
        if (opcode(inst) == spv::Op::OpFunctionEnd) {
            in_function_ = false;
            place_ = shown_ = {};
            out_ += "\n";
        }
    }

    void debug(RawInst inst) {
        if (!in_function_) return;
        auto at = [&](size_t index) {
            return kExtOperands + index < inst.size() ? inst[kExtOperands + index] : 0;
        };
        switch (inst[4]) {
            case NonSemanticShaderDebugInfo100DebugScope:
                place_.scope = at(0);
                place_.inlined_at = at(1);
                return;
            case NonSemanticShaderDebugInfo100DebugNoScope: place_.scope = place_.inlined_at = 0; return;
            case NonSemanticShaderDebugInfo100DebugLine: {
                const auto source = sources_.find(at(0));
                place_.file = source == sources_.end() ? 0 : source->second;
                place_.line = number(at(1));
                return;
            }
            case NonSemanticShaderDebugInfo100DebugNoLine: place_.file = place_.line = 0; return;
            case NonSemanticShaderDebugInfo100DebugDeclare: return variable(at(0), " is at ", at(1), inst);
            case NonSemanticShaderDebugInfo100DebugValue: return variable(at(0), " = ", at(1), inst);
            default: return;
        }
    }
    void variable(uint32_t variable, const char* relation, uint32_t id, RawInst inst) {
        show_place();
        const bool is_lost = undefined_.contains(Id{id});
        out_ += "               ; " + string(operand(variable, 0));
        for (size_t i = kExtOperands + 3; i < inst.size(); ++i) {
            const auto index = constants_.find(inst[i]);
            out_ += "[" + (index == constants_.end() ? "?" : std::to_string(index->second)) + "]";
        }
        out_ += is_lost ? " is not known\n" : relation + name(id) + "\n";
    }
    /// As the disassembly spells it.
    std::string name(uint32_t id) {
        if (names_.empty()) {
            size_t row = 0;
            for_each_raw_inst(words_, [&](RawInst inst) {
                const std::string& text = texts_[std::min(row++, texts_.size() - 1)];
                const size_t equals = text.find(" = "), begin = text.find('%');
                if (equals == std::string::npos || begin > equals) return;
                const bool typed = text.compare(equals, 9, " = OpType") != 0 &&
                                   opcode(inst) != spv::Op::OpLabel && opcode(inst) != spv::Op::OpString &&
                                   opcode(inst) != spv::Op::OpExtInstImport;
                const size_t at = typed ? 2 : 1;
                if (at < inst.size()) names_[inst[at]] = text.substr(begin, equals - begin);
            });
        }
        const auto found = names_.find(id);
        return found == names_.end() ? "%" + std::to_string(id) : found->second;
    }

    void put(RawInst inst, const std::string& text) {
        if (opcode(inst) != spv::Op::OpLabel) show_place();
        out_ += text + "\n";
    }

    /// "; kernel.cl:12 in read, inlined at 33 in walk", and the line.
    void show_place() {
        if (place_ == shown_ || place_.line == 0) return;
        const bool same_line = place_.file == shown_.file && place_.line == shown_.line &&
                               place_.inlined_at == shown_.inlined_at &&
                               function_of(place_.scope) == function_of(shown_.scope);
        shown_ = place_;
        if (same_line) return;
        out_ += "; " + string(place_.file) + ":" + std::to_string(place_.line);
        if (const std::string function = function_of(place_.scope); !function.empty())
            out_ += " in " + function;
        constexpr int kMaxCalls = 100;
        uint32_t call = place_.inlined_at;
        for (int i = 0; call != 0 && i < kMaxCalls; call = operand(call, 2), ++i)
            out_ += ", inlined at " + std::to_string(number(operand(call, 0))) + " in " +
                    function_of(operand(call, 1));
        const auto text = texts_of_files_.find(place_.file);
        if (text != texts_of_files_.end() && place_.line <= text->second.size()) {
            const std::string& row = text->second[place_.line - 1];
            const size_t first = row.find_first_not_of(" \t");
            if (first != std::string::npos) out_ += "\n;     " + row.substr(first);
        }
        out_ += "\n";
    }

    std::vector<uint32_t> words_;
    std::vector<std::string> texts_ = {};  // of instructions, in their order
    uint32_t set_ = 0;
    bool has_constants_ = false;  // in the place of literals
    IdMap<std::string> strings_ = {}, names_ = {};
    IdMap<uint32_t> constants_ = {};
    IdSet undefined_ = {};
    IdMap<std::vector<uint32_t>> debug_ = {};  // instructions of the set
    IdMap<uint32_t> sources_ = {};             // DebugSource -> file
    IdMap<std::vector<std::string>> texts_of_files_ = {};
    bool in_function_ = false;
    Place place_ = {}, shown_ = {};
    std::string out_ = {};
};

}  // namespace

Result<std::string> annotate(std::span<const uint32_t> words) { return Annotator(words).run(); }

}  // namespace caldera::spirv
