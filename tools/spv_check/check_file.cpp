// SPDX-License-Identifier: Apache-2.0
#include "tools/spv_check/check_file.h"

#include <cctype>

#include "spirv/faults.h"
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

/// The lines on which instructions begin, in the order of the text: "OpX ..." or "%id = OpX ...".
std::vector<uint32_t> lines_of_instructions(std::string_view text) {
    std::vector<uint32_t> lines;
    uint32_t line = 0;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view now = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
        const auto skip_blanks = [&] {
            while (!now.empty() && std::isspace(static_cast<unsigned char>(now[0]))) now.remove_prefix(1);
        };
        skip_blanks();
        if (now.starts_with('%')) {
            now.remove_prefix(std::min(now.find_first_of(" \t="), now.size()));
            skip_blanks();
            if (!now.starts_with('=')) continue;
            now.remove_prefix(1);
            skip_blanks();
        }
        if (now.size() > 2 && now.starts_with("Op") && std::isupper(static_cast<unsigned char>(now[2])))
            lines.push_back(line);
    }
    return lines;
}

size_t instruction_count(std::span<const uint32_t> words) {
    size_t count = 0;
    spirv::for_each_raw_inst(words, [&](spirv::RawInst) { ++count; });
    return count;
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
    std::vector<uint32_t> words;
    std::vector<uint32_t> lines;
    const bool is_text = path == "-" ? is_assembly(*bytes) : path.ends_with(".spvasm");
    if (is_text) {
        Result<std::vector<uint32_t>> assembled =
            spirv::assemble(*bytes, options.target.value_or(spirv::Target::Vulkan13));
        if (!assembled) return std::vector{fault_of_assembly(path, assembled.error().message)};
        words = assembled.take();
        lines = lines_of_instructions(*bytes);
        if (lines.size() != instruction_count(words)) lines.clear();  // several on one line
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
    for (const spirv::Fault& fault : faults.found) {
        Finding finding = as_finding(fault, path);
        const bool has_line = fault.ordinal != 0 && fault.ordinal <= lines.size();
        TextRange& place = fault.file.empty() ? finding.place : finding.notes.back().place;
        if (is_text) place.offset = place.length = 0;
        if (has_line) place.begin = place.end = {lines[fault.ordinal - 1], 1, 1, 1};
        findings.push_back(std::move(finding));
    }
    if (!faults.is_complete) {
        Finding rest{.level = Finding::Level::Note,
                     .text = "the module may have more faults: these are in the way of finding them",
                     .rule = "spirv"};
        rest.place.file = path;
        findings.push_back(std::move(rest));
    }
    return findings;
}

}  // namespace caldera::tools
