// SPDX-License-Identifier: Apache-2.0
// A module as instructions that can be taken out or replaced, valid or not, for find_faults().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spirv/spirv.h"

namespace caldera::spirv {

/// An instruction, and what SPIRV-Tools' parser knows of its words.
struct EditedInstruction {
    std::vector<uint32_t> words = {};
    size_t ordinal = 0;  ///< in the module that was read, from 1; 0: added later
    size_t first_word = 0;
    Id type = {}, result = {};
    std::vector<uint16_t> ids = {};  ///< the words that are <id>s, without the result
    uint16_t string_at = 0;          ///< the word where a literal string begins; 0: none
    bool is_removed = false;
    bool is_replaced = false;  ///< something else stands in its place
    size_t function = 0;       ///< counted from 1; 0: outside of functions

    spv::Op op() const { return static_cast<spv::Op>(words[0] & 0xffff); }
};

/// More than SPIRV-Tools take.
constexpr uint32_t kMostIds = 4194304;

class ModuleEditor {
 public:
    explicit ModuleEditor(std::span<const uint32_t> words);

    std::vector<EditedInstruction>& instructions() { return instructions_; }
    const std::vector<EditedInstruction>& instructions() const { return instructions_; }
    /// Why the words after the last instruction are none; empty: there are no such words.
    const std::string& cut() const { return cut_; }

    uint32_t bound() const { return header_.size() > 3 ? header_[3] : 0; }
    void set_bound(uint32_t bound);

    /// The module without what was removed. Names and annotations of removed ids go with them.
    std::vector<uint32_t> write();
    /// The instruction with this number, from 1, in what write() returned last; null if there is none.
    EditedInstruction* written(size_t number) {
        return number == 0 || number > written_.size() ? nullptr : &instructions_[written_[number - 1]];
    }
    /// Has SPIRV-Tools' parser find the ids in what write() returned last. Returns what it says of the first
    /// instruction that is none, and that instruction; null: all are known.
    EditedInstruction* parse(std::span<const uint32_t> words, std::string& message);

    void remove(EditedInstruction& inst);
    /// Puts OpUndef, or OpNop for a result of type void, in the instruction's place.
    void replace_by_undef(EditedInstruction& inst);
    /// Puts an empty struct in the place of a type.
    void replace_by_struct(EditedInstruction& inst);
    void declare(spv::Capability capability);

    /// A function whose control flow is wrong keeps its instructions, as one block.
    void make_straight(size_t function);
    /// Only the instructions that every function has remain.
    void make_empty(size_t function);
    void remove_function(size_t function);

 private:
    bool mentions_removed(const EditedInstruction& inst) const;

    std::vector<uint32_t> header_ = {};
    std::vector<EditedInstruction> instructions_ = {};
    std::vector<size_t> written_ = {};
    std::vector<bool> removed_ids_ = {};
    std::string cut_ = {};
};

/// Where an instruction stands in a block, or what it makes of blocks.
bool is_terminator(spv::Op op);
bool is_structure(spv::Op op);  ///< of functions and blocks: terminators, merges, labels, OpFunction, ...
bool is_type(spv::Op op);
bool is_annotation(spv::Op op);  ///< names and decorations: without them the module keeps its form

/// The literal string of an instruction that parse() has seen.
std::string string_of(const EditedInstruction& inst);

}  // namespace caldera::spirv
