// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/json.h"

#include <algorithm>
#include <charconv>
#include <new>
#include <optional>

#include "frontend/utf8.h"

namespace caldera::language_server {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

/// The code unit of "\uD83D" at the place, if one is there.
std::optional<uint32_t> escaped_unit(std::string_view text, size_t at) {
    if (text.size() < at + 6 || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
    uint32_t unit = 0;
    const auto [end, fault] = std::from_chars(text.data() + at + 2, text.data() + at + 6, unit, 16);
    if (fault != std::errc{} || end != text.data() + at + 6) return std::nullopt;
    return unit;
}

/// The text with U+FFFD for each half of a surrogate pair that stands alone, and for each byte that is no
/// UTF-8. It is one code unit as these are, so that positions stay.
std::string mended(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const std::optional<uint32_t> unit = escaped_unit(text, at);
        const frontend::CodePoint point = frontend::decode_utf8(text, at);
        size_t taken = point.length;
        if (unit && frontend::is_high_surrogate(*unit) &&
            frontend::is_low_surrogate(escaped_unit(text, at + 6).value_or(0)))
            taken = 12;
        else if (unit)
            taken = 6;
        else if (text[at] == '\\' && at + 1 < text.size())
            taken = 1 + std::max<size_t>(frontend::decode_utf8(text, at + 1).length, 1);
        if (taken == 0 || (taken == 6 && unit &&
                           (frontend::is_high_surrogate(*unit) || frontend::is_low_surrogate(*unit)))) {
            frontend::append_utf8(out, kReplacement);
            at += std::max<size_t>(taken, 1);
        } else {
            out += text.substr(at, taken);
            at += taken;
        }
    }
    return out;
}

}  // namespace

Json parse_json(std::string_view text) {
    try {
        Json value = Json::parse(text, nullptr, false);
        return value.is_discarded() ? Json::parse(mended(text), nullptr, false) : value;
    } catch (const std::bad_alloc&) { return Json(Json::value_t::discarded); }
}

}  // namespace caldera::language_server
