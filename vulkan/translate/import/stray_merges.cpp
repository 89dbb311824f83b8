// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/stray_merges.h"

#include <unordered_set>

#include "spirv/module.h"

namespace caldera::vulkan {

namespace {

constexpr size_t kHeaderWords = 5;  // SPIR-V 2.3

spv::Op op_at(std::span<const uint32_t> words, size_t at) { return static_cast<spv::Op>(words[at] & 0xffff); }

bool is_merge(spv::Op op) { return op == spv::Op::OpLoopMerge || op == spv::Op::OpSelectionMerge; }

bool is_branch(spv::Op op) {
    return op == spv::Op::OpBranch || op == spv::Op::OpBranchConditional || op == spv::Op::OpSwitch;
}

/// Merge instructions apart from their branch, merge blocks of two constructs, loops that end where they
/// continue.
bool has_stray_merge(std::span<const uint32_t> words) {
    std::unordered_set<uint32_t> merge_blocks;
    bool stray = false;
    for (size_t at = kHeaderWords; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at) return false;  // read() says what is wrong
        const size_t next = at + count;
        if (is_merge(op_at(words, at)) && count >= 3) {
            stray |= !merge_blocks.insert(words[at + 1]).second;
            stray |= op_at(words, at) == spv::Op::OpLoopMerge && words[at + 1] == words[at + 2];
            stray |= next >= words.size() || !is_branch(op_at(words, next));
        }
        at = next;
    }
    return stray;
}

}  // namespace

std::optional<std::vector<uint32_t>> without_stray_merges(std::span<const uint32_t> words) {
    if (words.size() < kHeaderWords || words[0] != spv::MagicNumber || !has_stray_merge(words)) return {};
    std::vector<uint32_t> kept(words.begin(), words.begin() + kHeaderWords);
    for (size_t at = kHeaderWords; at < words.size(); at += words[at] >> 16)
        if (!is_merge(op_at(words, at)))
            kept.insert(kept.end(), words.begin() + static_cast<ptrdiff_t>(at),
                        words.begin() + static_cast<ptrdiff_t>(at + (words[at] >> 16)));
    return kept;
}

}  // namespace caldera::vulkan
