// SPDX-License-Identifier: Apache-2.0
#include "vulkan/printf_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

#include "spirv/support/c_locale.h"
#include "spirv/support/float_environment.h"
#include "spirv/support/floats.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kFlags = "-+ #0", kFloating = "aAeEfFgG", kSigned = "di", kUnsigned = "ouxX",
                           kOthers = "cspn";
/// Longer ones come first. Those that OpenCL C reserves are C's length modifiers for 64 bits.
constexpr std::string_view kLengths[] = {"hh", "hl", "h", "ll", "l", "j", "z", "t", "L", "q"};

bool has(std::string_view letters, char letter) { return letters.find(letter) != std::string_view::npos; }

// ---- Reading ----

/// Parses digits at the start of `text` and removes them.
uint32_t take_number(std::string_view& text) {
    uint32_t value = 0;
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1))
        value = std::min(value * 10 + static_cast<uint32_t>(text[0] - '0'), kMaxPrintfDigits);
    return value;
}

/// Parses % flags width precision vector length conversion at the start of `text`.
std::optional<PrintfPiece> read_specification(std::string_view text) {
    PrintfPiece piece;
    std::string_view rest = text.substr(1);
    piece.flags = rest.substr(0, std::min(rest.find_first_not_of(kFlags), rest.size()));
    rest.remove_prefix(piece.flags.size());
    piece.width = take_number(rest);
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        piece.precision = static_cast<int>(take_number(rest));
    }
    if (rest.starts_with('v')) {
        rest.remove_prefix(1);
        piece.lanes = take_number(rest);
        if (!(piece.lanes >= 2 && piece.lanes <= 4) && piece.lanes != 8 && piece.lanes != 16)
            return std::nullopt;
    }
    for (const std::string_view length : kLengths) {
        if (!rest.starts_with(length)) continue;
        rest.remove_prefix(length.size());
        piece.length = length.front() == 'h' ? length : "l";
        break;
    }
    if (rest.empty()) return std::nullopt;
    piece.letter = rest.front();
    const bool is_number =
        has(kFloating, piece.letter) || has(kSigned, piece.letter) || has(kUnsigned, piece.letter);
    if (!is_number && (piece.lanes != 0 || !has(kOthers, piece.letter))) return std::nullopt;
    piece.text = text.substr(0, static_cast<size_t>(rest.data() + 1 - text.data()));
    return piece;
}

// ---- Values ----

/// Reads `size_bytes` of little-endian memory. Missing bytes count as 0.
uint64_t read_bits(std::span<const std::byte> bytes, size_t at, size_t size_bytes) {
    uint64_t bits = 0;
    for (size_t i = 0; i < size_bytes && at + i < bytes.size(); ++i)
        bits |= std::to_integer<uint64_t>(bytes[at + i]) << (8 * i);
    return bits;
}

int64_t sign_extended(uint64_t bits, size_t size_bytes) {
    const size_t unused = 64 - 8 * size_bytes;
    return static_cast<int64_t>(bits << unused) >> unused;
}

/// The length modifier gives the size of a vector's components, if this matches the argument's size. Vectors
/// of 3 have three components.
size_t lane_bytes(const PrintfPiece& piece, size_t argument_bytes) {
    const size_t said = piece.length == "hh" ? 1 : piece.length == "h" ? 2 : piece.length == "l" ? 8 : 4;
    if (!piece.length.empty() && (piece.lanes * said + 3) / 4 * 4 == argument_bytes) return said;
    return std::min<size_t>(std::bit_floor(std::max<size_t>(argument_bytes / piece.lanes, 1)), 8);
}

// ---- Text ----

class Printer {
 public:
    explicit Printer(std::string& out) : out_(out) {}

    void number(const PrintfPiece& piece, uint64_t bits, size_t size_bytes) {
        if (has(kFloating, piece.letter))
            return convert(piece, kFlags, "", float_value(static_cast<uint32_t>(8 * size_bytes), bits));
        if (piece.length == "hh") size_bytes = 1;
        if (piece.length == "h") size_bytes = std::min<size_t>(size_bytes, 2);
        if (has(kSigned, piece.letter))
            convert(piece, "-+ 0", "ll", static_cast<long long>(sign_extended(bits, size_bytes)));
        else
            convert(piece, piece.letter == 'u' ? "-0" : "-#0", "ll",
                    static_cast<unsigned long long>(size_bytes < 8 ? bits & ((1ull << 8 * size_bytes) - 1)
                                                                   : bits));
    }
    void character(const PrintfPiece& piece, uint64_t bits) {
        padded(piece, std::string(1, static_cast<char>(bits & 0xff)));
    }
    void string(const PrintfPiece& piece, const std::string& text) {
        padded(piece, piece.precision < 0 ? text : text.substr(0, static_cast<size_t>(piece.precision)));
    }
    void pointer(const PrintfPiece& piece, uint64_t bits) {
        char text[32];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
        padded(piece, text);
    }

 private:
    /// `allowed` are the flags that are defined for this conversion; others are undefined (C99 7.19.6.1).
    template <class T>
    void convert(const PrintfPiece& piece, std::string_view allowed, const char* length, T value) {
        std::string specification = "%";
        for (const char flag : allowed)
            if (has(piece.flags, flag)) specification += flag;
        specification = specification + "*.*" + length + piece.letter;
        const auto print = [&](char* to, size_t size) {
            return std::snprintf(to, size, specification.c_str(), static_cast<int>(piece.width),
                                 piece.precision, value);
        };
        const int wanted = print(nullptr, 0);
        if (wanted <= 0) return;
        const size_t at = out_.size();
        out_.resize(at + static_cast<size_t>(wanted) + 1);
        print(out_.data() + at, static_cast<size_t>(wanted) + 1);
        out_.pop_back();
    }
    void padded(const PrintfPiece& piece, const std::string& text) {
        const std::string blanks(piece.width > text.size() ? piece.width - text.size() : 0, ' ');
        out_ += has(piece.flags, '-') ? text + blanks : blanks + text;
    }

    std::string& out_;
};

}  // namespace

std::vector<PrintfPiece> parse_printf(std::string_view format) {
    format = format.substr(0, format.find('\0'));
    std::vector<PrintfPiece> pieces;
    while (!format.empty()) {
        PrintfPiece piece;
        if (format.starts_with("%%")) {
            piece.text = format.substr(0, 1);
            format.remove_prefix(2);
            pieces.push_back(piece);
            continue;
        }
        if (format.front() == '%')
            if (const std::optional<PrintfPiece> read = read_specification(format)) piece = *read;
        if (!piece.letter) piece.text = format.substr(0, format.find('%', 1));
        format.remove_prefix(piece.text.size());
        pieces.push_back(piece);
    }
    return pieces;
}

std::string format_printf(std::string_view format, std::span<const uint32_t> argument_bytes,
                          std::span<const std::byte> values, const PrintfStrings& strings) {
    const DefaultFloatEnvironment floats;
    const CLocale locale;
    std::string out;
    Printer printer(out);
    size_t next = 0, at = 0;
    for (const PrintfPiece& piece : parse_printf(format)) {
        if (!piece.letter || next == argument_bytes.size()) {
            out += piece.text;
            continue;
        }
        const uint32_t size = argument_bytes[next++];
        const uint32_t scalar_bytes = size >= 8 ? 8 : 4;
        const size_t lanes = std::max(piece.lanes, 1u),
                     lane = piece.lanes ? lane_bytes(piece, size) : scalar_bytes;
        const uint64_t bits = read_bits(values, at, lane);
        switch (piece.letter) {
            case 'n': break;
            case 'c': printer.character(piece, bits); break;
            case 'p': printer.pointer(piece, bits); break;
            case 's': printer.string(piece, strings(bits, scalar_bytes)); break;
            default:
                for (size_t i = 0; i < lanes; ++i) {
                    if (i != 0) out += ',';
                    printer.number(piece, read_bits(values, at + i * lane, lane), lane);
                }
        }
        at += size;
    }
    return out;
}

}  // namespace caldera::vulkan
