// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <istream>
#include <ostream>

namespace caldera::language_server {
namespace {

constexpr size_t kMaxLine = 4096;

/// A line without its end. The rest of a line that is longer than any header is dropped.
bool read_line(std::istream& in, std::string& line) {
    line.clear();
    for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
        if (c == '\n') {
            if (!line.empty() && line.back() == '\r') line.pop_back();
            return true;
        }
        if (line.size() < kMaxLine) line += static_cast<char>(c);
    }
    return false;
}

/// Reads the number of "Content-Length: 12", whatever the case of the letters. False: it is another line.
bool content_length(std::string_view line, size_t& length) {
    constexpr std::string_view kName = "content-length:";
    if (line.size() < kName.size()) return false;
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    if (!std::equal(kName.begin(), kName.end(), line.begin(), [&](char b, char a) { return same(a, b); }))
        return false;
    line.remove_prefix(kName.size());
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    size_t number = 0;
    const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (fault != std::errc{} || end == line.data()) return false;
    length = number;
    return true;
}

}  // namespace

std::optional<std::string> read_message(std::istream& in) {
    bool has_length = false;
    size_t length = 0;
    for (std::string line; read_line(in, line);) {
        if (!line.empty()) {
            has_length |= content_length(line, length);
            continue;
        }
        if (!has_length) continue;
        if (length > kMaxMessageBytes) {
            in.ignore(static_cast<std::streamsize>(std::min<size_t>(length, size_t{1} << 40)));
            has_length = false;
            continue;
        }
        std::string text(length, '\0');
        in.read(text.data(), static_cast<std::streamsize>(text.size()));
        if (static_cast<size_t>(in.gcount()) != text.size()) return std::nullopt;
        return text;
    }
    return std::nullopt;
}

void write_message(std::ostream& out, std::string_view text) {
    out << "Content-Length: " << text.size() << "\r\n\r\n" << text << std::flush;
}

}  // namespace caldera::language_server
