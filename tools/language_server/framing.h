// SPDX-License-Identifier: Apache-2.0
// Messages on a stream: a header with Content-Length, an empty line, and so many bytes of JSON.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace caldera::language_server {

/// Longer messages are skipped.
constexpr size_t kMaxMessageBytes = size_t{64} << 20;

/// The next message's text, or nothing at the end of the stream. Skips headers that it does not know, and
/// what is no header at all, so that a fault of the client costs one message. A message that the stream's end
/// cuts off is none.
std::optional<std::string> read_message(std::istream& in);

void write_message(std::ostream& out, std::string_view text);

}  // namespace caldera::language_server
