// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/printf.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "spirv/support/float_environment.h"
#include "vulkan/printf_format.h"

namespace caldera::runtime {
namespace {

constexpr size_t kPieceBytes = 1 << 16;

/// The string for a %s argument. Only literals are allowed (OpenCL C 6.13.13); other strings cannot be read.
std::string string_of(const PrintfTable& table, uint64_t value, uint32_t size_bytes) {
    if (size_bytes == 4) return value < table.formats.size() ? table.formats[value].text : std::string();
    const uint64_t at = table.data_address ? value - table.data_address : value & 0xffffffff;
    if (value == 0) return "(null)";
    if (at >= table.data_segment.size()) return "(no literal)";
    const auto begin = table.data_segment.begin() + static_cast<ptrdiff_t>(at);
    return {begin, std::find(begin, table.data_segment.end(), uint8_t{0})};
}

}  // namespace

void print_to_stdout(const Printed& printed) {
    std::fwrite(printed.text.data(), 1, printed.text.size(), stdout);
    std::fflush(stdout);
    if (printed.is_cut) std::fputs("printf: the buffer is full, some output is lost\n", stderr);
}

void print_records(std::span<const uint32_t> buffer, const PrintfTable& table, const PrintSink& sink) {
    if (buffer.empty()) return;
    const auto give = [&](const Printed& printed) {
        const CallersFloatEnvironment callers;
        sink(printed);
    };
    const bool is_cut = buffer[0] >= buffer.size();
    std::span<const uint32_t> rest = buffer.subspan(1, is_cut ? buffer.size() - 1 : buffer[0]);
    std::string text;
    while (!rest.empty() && rest[0] < table.formats.size()) {
        const vulkan::PrintfFormat& format = table.formats[rest[0]];
        size_t words = 0;
        for (const uint32_t bytes : format.argument_bytes) words += bytes / 4;
        if (words >= rest.size()) break;
        const std::string next = vulkan::format_printf(
            format.text, format.argument_bytes, std::as_bytes(rest.subspan(1, words)),
            [&](uint64_t value, uint32_t size_bytes) { return string_of(table, value, size_bytes); });
        rest = rest.subspan(1 + words);
        if (text.size() >= kPieceBytes && !next.empty()) {
            give({.text = text});
            text.clear();
        }
        text += next;
    }
    if (!text.empty() || is_cut) give({.text = text, .is_last = true, .is_cut = is_cut});
}

}  // namespace caldera::runtime
