// SPDX-License-Identifier: Apache-2.0
// Takes a module apart by its entry points: a driver's compiler reads all of a module for each pipeline, which took an H200's four
// times as long for one kernel of 200 as for one alone.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace caldera::spirv {

class EntryPoints {
 public:
    EntryPoints() = default;
    explicit EntryPoints(std::vector<uint32_t> words);

    /// The module with the entry point of this name alone, and those functions that it reaches; names of what is gone, and
    /// non-semantic instructions outside functions, are gone too. The whole where there is no such entry point.
    std::vector<uint32_t> only(std::string_view name) const;

 private:
    struct Function {
        uint32_t id = 0;
        size_t begin = 0, end = 0;           // in words_
        std::vector<uint32_t> callees = {};  // ids
    };
    std::vector<bool> reached_from(uint32_t entry_point) const;
    bool stays(std::span<const uint32_t> inst, std::string_view name, uint32_t entry_point,
               const std::vector<bool>& reached) const;

    static constexpr uint32_t kNoFunction = ~0u;
    std::vector<uint32_t> words_ = {};
    size_t globals_end_ = 0;  // where the first function begins
    std::vector<Function> functions_ = {};
    std::vector<uint32_t> function_of_ = {};  // the index of the one that defines an id, or is it
};

}  // namespace caldera::spirv
