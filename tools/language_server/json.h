// SPDX-License-Identifier: Apache-2.0
// JSON values, and how to read those of strangers: what is missing or of another kind is a default.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace caldera::language_server {

using Json = nlohmann::json;

/// Reads JSON. Strings have U+FFFD for what is no Unicode: editors of UTF-16 text send halves of surrogate
/// pairs. What is no JSON, or too large for the memory, is a discarded value.
Json parse_json(std::string_view text);

/// A member; null when `object` has none.
inline const Json& member(const Json& object, std::string_view name) {
    static const Json null;
    if (!object.is_object()) return null;
    const auto found = object.find(name);
    return found == object.end() ? null : *found;
}
/// A member of a member.
template <class... More>
const Json& member(const Json& object, std::string_view name, std::string_view next, More... more) {
    return member(member(object, name), next, more...);
}
inline std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}
inline bool is_true(const Json& value) { return value.is_boolean() && value.get<bool>(); }
inline uint32_t number_of(const Json& value) {
    if (!value.is_number_integer()) return 0;
    const int64_t number = value.get<int64_t>();
    return number < 0 ? 0 : number > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(number);
}

}  // namespace caldera::language_server
