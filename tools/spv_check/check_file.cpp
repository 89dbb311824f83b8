// SPDX-License-Identifier: Apache-2.0
#include "tools/spv_check/check_file.h"

#include <cctype>
#include <set>

#include "spirv/faults.h"
#include "spirv/module.h"
#include "spirv/raw_words.h"
#include "spirv/support/files.h"
#include "tools/report/faults.h"
#include "vulkan/device_faults.h"

namespace caldera::tools {
namespace {

Finding fault_of_file(const std::string& path, const std::string& message) {
    Finding finding{.text = message, .rule = "spirv"};
    finding.place.file = path;
    return finding;
}

Finding note_of_file(const std::string& path, const std::string& message) {
    Finding note = fault_of_file(path, message);
    note.level = Finding::Level::Note;
    return note;
}

/// Whether standard input, which has no name to say so, is assembly text: it begins with a comment, an <id>
/// or an instruction.
bool is_assembly(std::string_view bytes) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
    return bytes.starts_with(';') || bytes.starts_with('%') || bytes.starts_with("Op");
}

/// Whether the bytes begin with SPIR-V's magic number, in either order.
bool has_magic(std::string_view bytes) {
    return bytes.starts_with(std::string_view("\x03\x02\x23\x07", 4)) ||
           bytes.starts_with(std::string_view("\x07\x23\x02\x03", 4));
}

/// Why a file is no module, with a hint for sources and assembly under another name; empty for a module.
std::string no_module(const std::string& path, std::string_view bytes) {
    if (has_magic(bytes) || bytes.empty()) return {};
    if (path.ends_with(".cl"))
        return "this is not a SPIR-V module (.spv or .spvasm) but an OpenCL C source; 'clc2spv "
               "-fsyntax-only' "
               "checks sources";
    const std::string expected = "this is not a SPIR-V module: the magic number 0x07230203 is missing";
    return is_assembly(bytes) ? expected + "; files of assembly end in .spvasm" : expected;
}

/// "LINE:COLUMN: what", as the assembler says it.
Finding fault_of_assembly(const std::string& path, const std::string& message) {
    const size_t text = message.find(": ");
    Finding finding = fault_of_file(path, text == std::string::npos ? message : message.substr(text + 2));
    TextPosition& at = finding.place.begin;
    if (std::sscanf(message.c_str(), "%u:%u", &at.line, &at.byte) == 2) at.character = at.cell = at.byte;
    finding.place.end = at;
    return finding;
}

/// An instruction of assembly text: "OpX ..." or "%id = OpX ...".
struct TextInstruction {
    uint32_t line = 0;
    std::string_view result = {};  ///< the name behind the '%'
};

/// The instructions in the order of the text, as far as each begins a line.
std::vector<TextInstruction> instructions_of(std::string_view text) {
    std::vector<TextInstruction> instructions;
    uint32_t line = 0;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view now = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
        const auto skip_blanks = [&] {
            while (!now.empty() && std::isspace(static_cast<unsigned char>(now[0]))) now.remove_prefix(1);
        };
        std::string_view result;
        skip_blanks();
        if (now.starts_with('%')) {
            result = now.substr(1, std::min(now.find_first_of(" \t="), now.size()) - 1);
            now.remove_prefix(1 + result.size());
            skip_blanks();
            if (!now.starts_with('=')) continue;
            now.remove_prefix(1);
            skip_blanks();
        }
        if (now.size() > 2 && now.starts_with("Op") && std::isupper(static_cast<unsigned char>(now[2])))
            instructions.push_back({line, result});
    }
    return instructions;
}

std::vector<spirv::RawInst> raw_instructions(std::span<const uint32_t> words) {
    std::vector<spirv::RawInst> all;
    spirv::for_each_raw_inst(words, [&](spirv::RawInst inst) { all.push_back(inst); });
    return all;
}

/// Whether instructions of this kind stand before the names.
bool is_before_names(spv::Op op) {
    switch (op) {
        case spv::Op::OpCapability:
        case spv::Op::OpExtension:
        case spv::Op::OpExtInstImport:
        case spv::Op::OpMemoryModel:
        case spv::Op::OpEntryPoint:
        case spv::Op::OpExecutionMode:
        case spv::Op::OpExecutionModeId:
        case spv::Op::OpString:
        case spv::Op::OpSource:
        case spv::Op::OpSourceContinued:
        case spv::Op::OpSourceExtension: return true;
        default: return false;
    }
}

/// An assembled module whose <id>s have the names of the text, so that what is said of them has, too.
struct NamedModule {
    std::vector<uint32_t> words = {};
    size_t before = 0, added = 0;  ///< instructions before the names that were added, and these
    size_t ordinal_in_text(size_t ordinal) const { return ordinal > before ? ordinal - added : ordinal; }
};
NamedModule with_names(std::vector<uint32_t> words, std::span<const TextInstruction> text) {
    const std::vector<spirv::RawInst> all = raw_instructions(words);
    std::set<uint32_t> named;
    for (const spirv::RawInst inst : all)
        if (spirv::opcode(inst) == spv::Op::OpName && inst.size() > 1) named.insert(inst[1]);
    NamedModule module;
    size_t at = spirv::kRawHeaderWords;
    while (module.before < all.size() && is_before_names(spirv::opcode(all[module.before])))
        at += all[module.before++].size();
    std::vector<uint32_t> names;
    for (size_t i = 0; i < all.size(); ++i) {
        const uint32_t id = spirv::result_of(all[i]);
        const std::string_view name = text[i].result;
        const bool is_number = name.empty() || std::isdigit(static_cast<unsigned char>(name[0]));
        if (id == 0 || is_number || !named.insert(id).second) continue;
        spirv::Operands literal;
        spirv::append_string(literal, name);
        names.insert(names.end(), {spirv::head(spv::Op::OpName, 2 + literal.size()), id});
        for (const spirv::Operand& word : literal) names.push_back(word.word);
        ++module.added;
    }
    words.insert(words.begin() + static_cast<ptrdiff_t>(at), names.begin(), names.end());
    module.words = std::move(words);
    return module;
}

}  // namespace

std::optional<spirv::Target> target_of(std::span<const uint32_t> words) {
    if (words.size() < 5) return std::nullopt;
    if (spirv::declares(words, spv::Capability::Kernel)) return spirv::Target::OpenCL30;
    if (!spirv::declares(words, spv::Capability::Shader)) return std::nullopt;
    for (const auto target : {spirv::Target::Vulkan11, spirv::Target::Vulkan12, spirv::Target::Vulkan13})
        if (words[1] <= spirv::spirv_version(target)) return target;
    return std::nullopt;
}

Result<std::vector<Finding>> check_file(const std::string& path, const CheckOptions& options) {
    Result<std::string> bytes = read_input(path);
    if (!bytes) return bytes.error();
    NamedModule module;
    std::vector<uint32_t>& words = module.words;
    std::vector<TextInstruction> lines;
    const bool is_text = path == "-" ? is_assembly(*bytes) : path.ends_with(".spvasm");
    if (is_text) {
        Result<std::vector<uint32_t>> assembled =
            spirv::assemble(*bytes, options.target.value_or(spirv::Target::Vulkan13));
        if (!assembled)
            return std::vector{
                fault_of_assembly(path, assembled.error().message),
                note_of_file(path, "the text may have more faults: the assembler stops at the first one")};
        words = assembled.take();
        lines = instructions_of(*bytes);
        if (lines.size() == raw_instructions(words).size())
            module = with_names(std::move(words), lines);
        else
            lines.clear();  // several on one line
    } else {
        if (const std::string fault = no_module(path, *bytes); !fault.empty())
            return std::vector{fault_of_file(path, fault)};
        if (bytes->size() % 4 != 0)
            return std::vector{fault_of_file(
                path, "the size of " + std::to_string(bytes->size()) + " bytes is not a multiple of 4")};
        words = spirv::words_of_module(*bytes);
    }
    const auto target = options.target ? options.target : target_of(words);
    spirv::Faults faults = spirv::find_faults(words, target, options.max_faults);
    if (options.profile)
        for (spirv::Fault& fault : vulkan::device_faults(words, *options.profile))
            faults.found.push_back(std::move(fault));
    std::vector<Finding> findings;
    for (spirv::Fault& fault : faults.found) {
        fault.ordinal = module.ordinal_in_text(fault.ordinal);
        Finding finding = as_finding(fault, path);
        const bool has_line = fault.ordinal != 0 && fault.ordinal <= lines.size();
        TextRange& place = fault.file.empty() ? finding.place : finding.notes.back().place;
        if (is_text) place.offset = place.length = 0;
        if (has_line) place.begin = place.end = {lines[fault.ordinal - 1].line, 1, 1, 1};
        findings.push_back(std::move(finding));
    }
    if (!faults.is_complete)
        findings.push_back(
            note_of_file(path, "the module may have more faults: these are in the way of finding them"));
    return findings;
}

}  // namespace caldera::tools
