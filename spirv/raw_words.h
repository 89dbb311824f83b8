// SPDX-License-Identifier: Apache-2.0
// Modules as words, for what SPIRV-Tools must be told in other words: see float_controls2.h,
// cooperative_matrix.h, encoded_floats.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/grammar.h"

namespace caldera::spirv {

constexpr size_t kRawHeaderWords = 5;  ///< before the first instruction

/// The words of one instruction.
using RawInst = std::span<const uint32_t>;
inline spv::Op opcode(RawInst inst) { return static_cast<spv::Op>(inst[0] & 0xffff); }
/// The first word of an instruction of so many words.
constexpr uint32_t head(spv::Op op, size_t words) {
    return static_cast<uint32_t>(words) << 16 | static_cast<uint32_t>(op);
}
/// What stands before the first instruction.
inline std::vector<uint32_t> header_of(std::span<const uint32_t> words) {
    return {words.begin(), words.begin() + static_cast<ptrdiff_t>(std::min(kRawHeaderWords, words.size()))};
}
inline bool is_capability_of(RawInst inst, spv::Capability capability) {
    return opcode(inst) == spv::Op::OpCapability && inst.size() == 2 &&
           inst[1] == static_cast<uint32_t>(capability);
}

/// The <id> that the instruction makes; 0 if it makes none.
inline uint32_t result_of(RawInst inst) {
    const InstructionGrammar* const rule = grammar(opcode(inst));
    const size_t at = rule && rule->has_type ? 2 : 1;
    return rule && rule->has_result && at < inst.size() ? inst[at] : 0;
}

/// The literal string that begins at a word (SPIR-V 2.2.1: the first character is in a word's lowest byte).
inline std::string text_at(RawInst inst, size_t at) {
    std::string text;
    for (; at < inst.size(); ++at)
        for (uint32_t bit = 0; bit < 32; bit += 8) {
            const char c = static_cast<char>(inst[at] >> bit & 0xff);
            if (c == 0) return text;
            text += c;
        }
    return text;
}

/// Calls `visit` with each instruction, as far as the words are any.
template <class Visit>
void for_each_raw_inst(std::span<const uint32_t> words, Visit visit) {
    for (size_t at = kRawHeaderWords; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at) return;
        visit(words.subspan(at, count));
        at += count;
    }
}

/// The word with its bytes in the other order.
constexpr uint32_t swap_bytes(uint32_t word) {
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/// Whether these are the words of a module in the other order of bytes.
inline bool is_swapped(std::span<const uint32_t> words) {
    return !words.empty() && words[0] == swap_bytes(spv::MagicNumber);
}

/// The words with their bytes in the other order.
inline std::vector<uint32_t> swapped(std::span<const uint32_t> words) {
    std::vector<uint32_t> out(words.size());
    std::ranges::transform(words, out.begin(), [](uint32_t word) { return swap_bytes(word); });
    return out;
}

/// Whether bytes begin as a module does, in either order of bytes.
inline bool is_module(std::string_view bytes) {
    return bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03");
}

/// The words of a module's bytes, in this machine's order. What does not fill a word at the end is left out.
inline std::vector<uint32_t> words_of_module(std::string_view bytes) {
    std::vector<uint32_t> words(bytes.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return is_swapped(words) ? swapped(words) : words;
}

/// Whether the module declares the capability. Capabilities come first.
inline bool declares(std::span<const uint32_t> words, spv::Capability capability) {
    constexpr uint32_t kCapability = head(spv::Op::OpCapability, 2);
    for (size_t at = kRawHeaderWords; at + 1 < words.size() && words[at] == kCapability; at += 2)
        if (words[at + 1] == static_cast<uint32_t>(capability)) return true;
    return false;
}

/// A bit of a mask, and its name in a disassembly.
using NamedBit = std::pair<uint32_t, std::string_view>;
/// The names of a mask's bits, with '|' between them; `none` if there are none.
inline std::string names_of(uint32_t mask, std::span<const NamedBit> bits, std::string_view none) {
    std::string names;
    for (const auto& [bit, name] : bits)
        if (mask & bit) names += (names.empty() ? "" : "|") + std::string(name);
    return names.empty() ? std::string(none) : names;
}

}  // namespace caldera::spirv
