// SPDX-License-Identifier: Apache-2.0
#include "spirv/repeated_names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "spirv/id_map.h"
#include "spirv/module.h"
#include "spirv/raw_words.h"

namespace caldera::spirv {
namespace {

constexpr size_t kOften = 32;

/// The literal of an OpName, or nothing if it has no end.
std::optional<std::string> literal_of(RawInst inst) {
    std::string text;
    for (size_t i = 2; i < inst.size(); ++i)
        for (uint32_t shift = 0; shift < 32; shift += 8) {
            const char c = static_cast<char>(inst[i] >> shift & 0xff);
            if (c == 0) return text;
            text += c;
        }
    return std::nullopt;
}

/// As SPIRV-Tools has it: what an identifier cannot have is '_'.
std::string sanitized(std::string name) {
    if (name.empty()) return "_";
    for (char& c : name) {
        const bool is_kept =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!is_kept) c = '_';
    }
    return name;
}

/// As a disassembly has it between quotes.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

bool is_name(RawInst inst) { return opcode(inst) == spv::Op::OpName && inst.size() > 2; }

bool repeats_names(std::span<const uint32_t> words) {
    std::unordered_map<std::string, size_t> counts;
    size_t most = 0;
    for_each_raw_inst(words, [&](RawInst inst) {
        if (!is_name(inst)) return;
        if (const auto name = literal_of(inst)) most = std::max(most, ++counts[sanitized(*name)]);
    });
    return most >= kOften;
}

}  // namespace

std::optional<DistinctNames> distinct_names(std::span<const uint32_t> words) {
    if (words.size() < kRawHeaderWords || !repeats_names(words)) return std::nullopt;
    DistinctNames result{.words = {words.begin(), words.begin() + kRawHeaderWords}};
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, size_t> next;  // number to try
    IdSet named;
    for_each_raw_inst(words, [&](RawInst inst) {
        const std::optional<std::string> original = is_name(inst) ? literal_of(inst) : std::nullopt;
        if (!original || !named.insert(Id{inst[1]})) {  // an id has its first name
            result.words.insert(result.words.end(), inst.begin(), inst.end());
            return;
        }
        const std::string wanted = sanitized(*original);
        std::string name = wanted;
        if (!taken.insert(name).second) {
            size_t& number = next[wanted];
            do name = wanted + "_" + std::to_string(number++);
            while (!taken.insert(name).second);
        }
        Operands operands;
        append_string(operands, name);
        result.words.push_back(static_cast<uint32_t>(operands.size() + 2) << 16 |
                               static_cast<uint32_t>(spv::Op::OpName));
        result.words.push_back(inst[1]);
        for (const Operand& operand : operands) result.words.push_back(operand.word);
        result.names.push_back({.name = std::move(name), .original = *original});
    });
    return result;
}

std::string restore_names(std::string_view disassembly, std::span<const NewName> names) {
    std::string out;
    out.reserve(disassembly.size());
    while (!disassembly.empty()) {
        const size_t end = std::min(disassembly.find('\n'), disassembly.size() - 1) + 1;
        const std::string_view line = disassembly.substr(0, end);
        disassembly.remove_prefix(end);
        const size_t begin = std::min(line.find_first_not_of(' '), line.size());
        if (!names.empty() &&
            line.substr(begin) == "OpName %" + names[0].name + " " + quoted(names[0].name) + "\n") {
            out.append(line.substr(0, begin));
            out += "OpName %" + names[0].name + " " + quoted(names[0].original) + "\n";
            names = names.subspan(1);
        } else {
            out.append(line);
        }
    }
    return out;
}

}  // namespace caldera::spirv
