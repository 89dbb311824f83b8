// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/share.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <bit>

#include "spirv/cfg.h"
#include "spirv/uses.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

class Sharer {
 public:
    Sharer(Function& function, const ShareFacts& facts) : function_(function), facts_(facts) {}

    void run() {
        size_t count = 0;
        for (const Block& block : function_.blocks) count += block.body.size();
        slots_.assign(std::bit_ceil(2 * count + 1), {});
        const Cfg cfg = build_cfg(function_);
        const Dominators tree = dominators(cfg);
        for (uint32_t b : tree.preorder) {
            std::vector<Instruction>& body = function_.blocks[b].body;
            size_t kept = 0;  // each goes to its final place before it is remembered
            for (size_t i = 0; i < body.size(); ++i) {
                results_.apply(body[i]);
                if (const Id equal = share(body[i], b, tree)) {
                    results_.set(body[i].result, equal);
                    continue;
                }
                if (kept != i) body[kept] = std::move(body[i]);
                if (added_) entries_.back() = {&body[kept], b};
                ++kept;
            }
            body.resize(kept);
            results_.apply(function_.blocks[b].terminator);
        }
        results_.apply_rest(function_, cfg);
    }

 private:
    struct Entry {
        const Instruction* inst = nullptr;
        uint32_t block = 0;
    };
    struct Slot {
        uint32_t hash = 0;
        uint32_t entry = 0;  // 1 + index into entries_; 0: free
    };

    /// Returns an equal value that already exists. Otherwise the caller must remember the instruction, if
    /// added_ is set.
    Id share(const Instruction& inst, uint32_t block, const Dominators& tree) {
        added_ = false;
        const std::vector<bool>& decorated = facts_.decorated;
        const bool unique = inst.result.value < decorated.size() && decorated[inst.result.value];
        if ((!is_pure(inst) && !is_function(inst)) || inst.op == spv::Op::OpUndef || unique) return {};
        const uint32_t hash = hash_of(inst);
        for (size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[at];
            if (slot.entry != 0) {
                if (slot.hash != hash) continue;
                const Entry& entry = entries_[slot.entry - 1];
                const Instruction& other = *entry.inst;
                if (other.op != inst.op || other.type != inst.type || other.operands != inst.operands)
                    continue;
                if (tree.dominates(entry.block, block)) return other.result;
            }
            added_ = true;  // preorder never comes back to the subtree of one that does not dominate
            entries_.push_back({});
            slot = {hash, static_cast<uint32_t>(entries_.size())};
            return {};
        }
    }

    /// Modf and Frexp have a second result in memory.
    bool is_function(const Instruction& inst) const {
        return inst.op == spv::Op::OpExtInst && inst.id(0) == facts_.glsl && inst.word(1) != GLSLstd450Modf &&
               inst.word(1) != GLSLstd450Frexp;
    }

    static uint32_t hash_of(const Instruction& inst) {
        uint64_t hash = static_cast<uint64_t>(inst.op) << 32 | inst.type.value;
        for (const Operand& operand : inst.operands) hash = (hash ^ operand.word) * 0x9e3779b97f4a7c15u;
        return static_cast<uint32_t>(hash >> 32 ^ hash);
    }

    Function& function_;
    const ShareFacts& facts_;
    std::vector<Slot> slots_ = {};  // open addressing
    std::vector<Entry> entries_ = {};
    bool added_ = false;
    Substitution results_ = {};
};

}  // namespace

ShareFacts::ShareFacts(const Module& module) : decorated(module.bound) {
    for (const Instruction& inst : module.annotations)
        if (!inst.operands.empty() && inst.operands[0].is_id) decorated[inst.word(0)] = true;
    for (const Instruction& inst : module.ext_inst_imports)
        if (string_at(inst, 0) == "GLSL.std.450") glsl = inst.result;
}

void share_equal(Function& function, const ShareFacts& facts) {
    if (!function.blocks.empty()) Sharer(function, facts).run();
}

}  // namespace caldera::vulkan
