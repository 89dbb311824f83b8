// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/words.h"

#include <utility>

namespace caldera {

std::vector<std::string> split_words(std::string_view text, Quoting quoting) {
    const bool is_shell = quoting == Quoting::Shell;
    const std::string_view blanks = is_shell ? " \t\n" : " \t\r\n\f\v";
    std::vector<std::string> words;
    bool in_word = false;
    char quote = '\0';
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == '\0' && blanks.find(c) != std::string_view::npos) {
            in_word = false;
            continue;
        }
        if (!std::exchange(in_word, true)) words.emplace_back();
        const bool escapes = c == '\\' && !(is_shell && quote == '\'');
        if (escapes && i + 1 < text.size())
            words.back() += text[++i];
        else if (quote != '\0' ? c == quote : c == '"' || c == '\'')
            quote = quote != '\0' ? '\0' : c;
        else
            words.back() += c;
    }
    return words;
}

}  // namespace caldera
