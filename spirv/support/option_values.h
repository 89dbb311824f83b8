// SPDX-License-Identifier: Apache-2.0
// The arguments of programs whose options CLI11 reads.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace caldera {

/// "--option=" as two arguments, of which the second is empty. CLI11 would take the next argument for its
/// value.
inline std::vector<std::string> with_empty_values(const std::vector<std::string>& args) {
    std::vector<std::string> out;
    for (const std::string& arg : args) {
        const bool is_empty = arg.starts_with("--") && arg.size() > 3 && arg.find('=') == arg.size() - 1;
        out.push_back(is_empty ? arg.substr(0, arg.size() - 1) : arg);
        if (is_empty) out.emplace_back();
    }
    return out;
}

}  // namespace caldera
