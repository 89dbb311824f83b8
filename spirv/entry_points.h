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
    explicit EntryPoints(std::vector<uint32_t> words);
    EntryPoints(const EntryPoints&) = delete;
    EntryPoints& operator=(const EntryPoints&) = delete;

    /// Of the whole module.
    std::span<const uint32_t> words() const { return words_; }

    /// The module with the entry point of this name alone, those functions that it reaches, and the types, constants and variables
    /// that these use, or seem to: a literal that looks like an id keeps what has that id. Non-semantic instructions outside
    /// functions are gone. The whole where there is no such entry point.
    std::vector<uint32_t> only(std::string_view name) const;

 private:
    using Instruction = std::span<const uint32_t>;  // its words
    struct Function {
        size_t begin = 0, end = 0;           // in words_
        std::vector<uint32_t> callees = {};  // ids
    };
    struct Outside {
        Instruction inst = {};
        uint32_t about = 0;      // it stays if this id does; 0: in any case
        bool is_global = false;  // a type, a constant or a variable
    };
    struct Kept {
        std::vector<bool> functions = {};  // by index
        std::vector<bool> globals = {};    // by id
    };
    void note_outside(Instruction inst, uint32_t id);
    Kept kept_with(uint32_t entry_point) const;
    void keep_functions(Kept& kept, uint32_t entry_point) const;
    void keep_globals(Kept& kept) const;
    void mention(Kept& kept, Instruction words) const;
    bool has(const Kept& kept, uint32_t id) const;

    static constexpr uint32_t kNoFunction = ~0u;
    std::vector<uint32_t> words_ = {};
    std::vector<Outside> outside_ = {};                                    // of functions
    std::vector<size_t> entry_points_ = {}, modes_ = {}, built_ins_ = {};  // their places there
    std::vector<Function> functions_ = {};
    std::vector<uint32_t> function_of_ = {};  // the index of the one that defines an id, or is it
};

}  // namespace caldera::spirv
