// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/settings.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>

#include "spirv/support/environment.h"
#include "spirv/support/process.h"

namespace caldera::runtime {
namespace {

/// A process hears of each mistake once, however many devices read the variable.
bool is_news(std::string text) {
    struct Told {
        std::mutex mutex = {};
        std::set<std::string> texts = {};
    };
    static Told& told = *new Told;  // for all that the process does at its end
    const std::lock_guard lock(told.mutex);
    return told.texts.insert(std::move(text)).second;
}

bool read_flag(std::string_view variable, std::string_view value, bool otherwise) {
    if (value.empty() || value == "0" || value == "1") return value.empty() ? otherwise : value == "1";
    warn_of_setting(variable, value, "0 or 1", otherwise ? "1" : "0");
    return otherwise;
}

}  // namespace

std::string_view program_setting(std::string_view program, std::string_view variable) {
#define PROGRAM_SETTING(name, wanted, value, reason) \
    if (program == (name) && variable == (wanted)) return value;
#include "vulkan/runtime/program_settings.def"
#undef PROGRAM_SETTING
    return {};
}

std::string_view setting(const char* variable) {
    constexpr const char* kProgramSettings = "CALDERA_PROGRAM_SETTINGS";
    const std::string_view value = environment(variable);
    if (!value.empty() || !read_flag(kProgramSettings, environment(kProgramSettings), true)) return value;
    return program_setting(executable_name(), variable);
}

bool warn_of_setting(std::string_view variable, std::string_view value, std::string_view expected,
                     std::string_view taken) {
    const std::string text = "caldera: warning: " + std::string(variable) + "='" + std::string(value) +
                             "' is not understood: expected " + std::string(expected) + "; " +
                             std::string(taken) + " is taken\n";
    if (!is_news(text)) return false;
    std::fputs(text.c_str(), stderr);
    return true;
}

void warn_of_place(std::string_view variable, std::string_view place, std::string_view why) {
    const std::string text = "caldera: warning: " + std::string(variable) + "='" + std::string(place) +
                             "': " + std::string(why) + "\n";
    if (is_news(text)) std::fputs(text.c_str(), stderr);
}

std::optional<uint64_t> bytes_setting(const char* variable, std::string_view otherwise) {
    const std::string_view value = setting(variable);
    if (value.empty()) return std::nullopt;
    const std::optional<uint64_t> bytes = parse_bytes(value);
    if (!bytes) warn_of_setting(variable, value, "a number of bytes, as 65536, 64K, 16M or 1G", otherwise);
    return bytes;
}

bool flag_setting(const char* variable, bool otherwise) {
    return read_flag(variable, setting(variable), otherwise);
}

size_t word_setting(const char* variable, std::span<const std::string_view> words) {
    const std::string_view value = setting(variable);
    if (value.empty()) return 0;
    const auto found = std::ranges::find(words, value);
    if (found != words.end()) return static_cast<size_t>(found - words.begin());
    std::string expected;
    for (size_t i = 0; i < words.size(); ++i)
        expected += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + std::string(words[i]);
    warn_of_setting(variable, value, expected, words[0]);
    return 0;
}

}  // namespace caldera::runtime
