// SPDX-License-Identifier: Apache-2.0
// Splits a module by entry points. A driver's compiler reads the whole module for each pipeline: on an H200,
// one kernel of a module with 200 took four times as long as the same kernel alone.
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

    /// The words of the whole module.
    std::span<const uint32_t> words() const { return words_; }

    /// Returns a module with only the entry point of this name, the functions that it reaches, and the types,
    /// constants and variables that these use. A literal that happens to equal an id keeps what that id
    /// names. Non-semantic instructions outside functions are removed, except for debug information of what
    /// is kept (NonSemantic.Shader.DebugInfo.100). Returns the whole module if there is no such entry point.
    /// The entry point is called `new_name`, unless that is empty.
    std::vector<uint32_t> only(std::string_view name, std::string_view new_name = {}) const;

 private:
    using Instruction = std::span<const uint32_t>;  // its words
    struct Function {
        size_t begin = 0, end = 0;           // in words_
        std::vector<uint32_t> callees = {};  // ids
    };
    struct Outside {
        Instruction inst = {};
        uint32_t about = 0;      // kept if this id is; 0: always kept
        bool is_global = false;  // a type, a constant or a variable
    };
    struct Kept {
        std::vector<bool> functions = {};  // by index
        std::vector<bool> globals = {};    // by id
    };
    void note_outside(Instruction inst, uint32_t id);
    void note_debug_info(Instruction inst, Outside& outside);
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
    uint32_t debug_set_ = 0, debug_source_ = 0;  // ids: the import, the last DebugSource; 0: none
    std::vector<uint32_t> function_of_ = {};     // the index of the function that defines the id, or is it
};

}  // namespace caldera::spirv
