// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/surplus_words.h"

#include <algorithm>

#include "spirv/module.h"

namespace caldera::vulkan {

std::optional<std::vector<uint32_t>> without_surplus_words(std::span<const uint32_t> words) {
    constexpr size_t kHeaderWords = 5;  // SPIR-V 2.3
    constexpr size_t kNullWords = 3;
    if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) return {};
    std::vector<uint32_t> kept(words.begin(), words.begin() + kHeaderWords);
    for (size_t at = kHeaderWords; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at) return {};  // read() says what is wrong
        const auto op = static_cast<spv::Op>(words[at] & 0xffff);
        const size_t last = op == spv::Op::OpConstantNull ? std::min(count, kNullWords) : count;
        const auto from = words.subspan(at, last);
        kept.insert(kept.end(), from.begin(), from.end());
        kept[kept.size() - last] = static_cast<uint32_t>(last << 16) | static_cast<uint32_t>(op);
        at += count;
    }
    if (kept.size() == words.size()) return {};
    return kept;
}

}  // namespace caldera::vulkan
