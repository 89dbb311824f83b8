// SPDX-License-Identifier: Apache-2.0
// Environment variables, for code that runs in other people's processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caldera {

/// The value of a variable. Empty if it is not set, and in processes with elevated privileges, because these
/// must not write or load what the user names.
std::string_view environment(const char* name);

/// A number of bytes, optionally with the suffix K, M or G. Nothing if it is malformed.
std::optional<uint64_t> parse_bytes(std::string_view text);

}  // namespace caldera
