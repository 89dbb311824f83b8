// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/merged_notes.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "spirv/sink_scope.h"

namespace caldera::vulkan {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

constexpr size_t kManyAccesses = 32;  // of a function: fewer are compiled quickly as they are
constexpr size_t kMostNotes = 4;      // that a block passes on, in each space

}  // namespace

/// Whether all ways into the block come from before it.
bool MergedNotes::is_meeting(uint32_t block) const {
    return block != 0 && std::ranges::all_of(cfg_.predecessors[block], [&](uint32_t before) {
               return cfg_.reachable(before) && cfg_.position[before] < cfg_.position[block];
           });
}

void MergedNotes::begin(const Function& function, size_t accesses) {
    merges_ = accesses >= kManyAccesses;
    if (!merges_) return;
    cfg_ = spirv::build_cfg(function);
    const size_t count = function.blocks.size();
    stops_in_.assign(count, 0);
    passes_on_.assign(count, false);
    own_.assign(count, {});
    out_.assign(count, {});
    for (uint32_t b = 0; b < count; ++b) {
        for (const Instruction& inst : function.blocks[b].body) stops_in_[b] += stops_(inst);
        passes_on_[b] = cfg_.reachable(b) && function.blocks[b].terminator.op == Op::OpBranch &&
                        is_meeting(cfg_.successors[b][0]);
    }
}

bool MergedNotes::take(const AccessNote& note) {
    if (!merges_ || !passes_on_[block_] || passed_ != stops_in_[block_]) return false;
    std::vector<AccessNote>& own = own_[block_].of[note.is_local];
    if (own.size() == kMostNotes) return false;
    own.push_back(note);
    return true;
}

/// A note of nothing: the library leaves objects without a shadow alone.
AccessNote MergedNotes::none(const AccessNote& like) {
    AccessNote note{.is_local = like.is_local};
    for (size_t i = 0; i < note.parts.size(); ++i)
        note.parts[i] = builder_.constant_null(builder_.type_of(like.parts[i]));
    return note;
}

/// The notes that the ways into the block bring: the first ones of all of them are one note, and so on. Adds
/// phis.
MergedNotes::Notes MergedNotes::arriving(uint32_t block, const Function& function) {
    Notes result;
    const std::span<const uint32_t> before = cfg_.predecessors[block];
    for (const size_t space : {0, 1}) {
        size_t most = 0;
        for (const uint32_t b : before) most = std::max(most, out_[b].of[space].size());
        for (size_t i = 0; i < most; ++i) {
            AccessNote merged;
            std::vector<const AccessNote*> notes;
            for (const uint32_t b : before) {
                const std::vector<AccessNote>& from = out_[b].of[space];
                notes.push_back(i < from.size() ? &from[i] : nullptr);
                if (!notes.back()) continue;
                merged.parts = notes.back()->parts;
                merged.sites.insert(merged.sites.end(), notes.back()->sites.begin(),
                                    notes.back()->sites.end());
            }
            merged.is_local = space == 1;
            if (notes.size() > 1) {
                const AccessNote missing = none(merged);
                for (size_t part = 0; part < merged.parts.size(); ++part) {
                    spirv::Operands operands;
                    bool is_one = true;
                    for (size_t n = 0; n < notes.size(); ++n) {
                        const Id value = (notes[n] ? notes[n] : &missing)->parts[part];
                        is_one = is_one && value == merged.parts[part];
                        operands.insert(operands.end(), {value, function.blocks[before[n]].label});
                    }
                    if (!is_one)
                        merged.parts[part] = builder_.append(Op::OpPhi, builder_.type_of(merged.parts[part]),
                                                             std::move(operands));
                }
            }
            result.of[space].push_back(std::move(merged));
        }
    }
    return result;
}

void MergedNotes::finish(Function& function, const std::function<void(const AccessNote&)>& emit) {
    if (!merges_) return;
    for (const uint32_t b : cfg_.order) {
        spirv::Block& block = function.blocks[b];
        std::vector<Instruction> phis, code;
        Notes notes;
        {
            const spirv::SinkScope sink(builder_, &phis);
            notes = arriving(b, function);
        }
        const bool has_room = notes.of[0].size() + own_[b].of[0].size() <= kMostNotes &&
                              notes.of[1].size() + own_[b].of[1].size() <= kMostNotes;
        if (!passes_on_[b] || stops_in_[b] != 0 || !has_room) {
            const spirv::SinkScope sink(builder_, &code);
            for (const std::vector<AccessNote>& space : notes.of)
                for (const AccessNote& note : space) emit(note);
            notes = {};
        }
        for (const size_t space : {0, 1})
            notes.of[space].insert(notes.of[space].end(), own_[b].of[space].begin(), own_[b].of[space].end());
        out_[b] = std::move(notes);
        const auto behind =
            std::ranges::find_if(block.body, [](const Instruction& inst) { return inst.op != Op::OpPhi; });
        block.body.insert(behind, std::make_move_iterator(code.begin()), std::make_move_iterator(code.end()));
        block.body.insert(block.body.begin(), std::make_move_iterator(phis.begin()),
                          std::make_move_iterator(phis.end()));
    }
}

}  // namespace caldera::vulkan
