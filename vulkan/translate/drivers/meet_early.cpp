// SPDX-License-Identifier: Apache-2.0
// meet_early: gives a selection an edge from its header to where its branches meet.
//
// SwiftShader asks for each edge to a loop's header whether it comes from inside the loop. It follows all
// edges from the header on, by a queue of blocks, and marks a block only when it leaves the queue
// (Function::ExistsPath). So a block that is reached over two branches of equal length is
// in the queue twice, and all behind it as well: the queue doubles at each selection in a row. A loop with 20
// switches of four cases needs a queue of 4^20 blocks. Where an edge leads from the header to the merge
// block, that leaves the queue before the branches reach it, and is marked.
//
// No value of the selector leads over this edge, and SwiftShader cannot know that:
//     branch c ? A : B
//         becomes switch (c ? 1 : 0) { case 0: B, case 1: A, default: merge block }
//     switch (x) { case 7: A, default: D }
//         becomes switch (x == 7 ? 1 : 0) { case 0: D, case 1: A, default: merge block }
//
// Branches that return meet too, where the function is inlined. So returns in all branches of a selection
// become one behind it.
//
// Before: all phis are there. After: for a device with follows_all_paths, each selection has the edge, if it
// is in a module with loops, and if its header dominates its merge block. A selection of two branches has
// none where a branch leaves a switch around it: a break leaves the innermost one (SPIR-V 2.11).
#include <algorithm>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

class EdgeMaker {
 public:
    EdgeMaker(Builder& builder, Function& function) : builder_(builder), function_(function) {}

    void run() {
        if (function_.blocks.empty()) return;
        analyse();
        if (join_returns()) analyse();
        find_breaks();
        for (const uint32_t header : cfg_.order)
            if (wants_edge(header)) make_edge(header);
    }

 private:
    Block& block(uint32_t number) { return function_.blocks[number]; }

    void analyse() {
        cfg_ = build_cfg(function_);
        tree_ = dominators(cfg_);
    }

    // ---- Returns ----

    /// A selection or a loop with the blocks that return from it, but not from another one inside.
    struct Construct {
        uint32_t header = 0, merge = 0;
        std::vector<uint32_t> returns = {};
    };
    /// By header, and the headers by merge block; null and kNoBlock for other blocks.
    struct Constructs {
        std::vector<Construct> all = {};
        std::vector<Construct*> by_header = {};
        std::vector<uint32_t> header_of_merge = {};
    };

    Constructs find_constructs() {
        Constructs found;
        found.by_header.resize(cfg_.size());
        found.header_of_merge.assign(cfg_.size(), kNoBlock);
        for (const uint32_t header : cfg_.order)
            if (const Instruction& merge = block(header).merge; merge.op != Op::OpNop)
                found.all.push_back({header, cfg_.block(merge.id(0))});
        for (Construct& each : found.all) {
            found.by_header[each.header] = &each;
            if (each.merge != each.header && tree_.dominates(each.header, each.merge))
                found.header_of_merge[each.merge] = each.header;
        }
        return found;
    }

    /// The innermost construct around a block, whose own does not count; null if there is none. The way up
    /// the tree passes over constructs that end before the block: the break that leads to the merge block of
    /// a loop may come from a selection inside, which then dominates what follows the loop.
    Construct* around(const Constructs& constructs, uint32_t block) const {
        while (block != kNoBlock) {
            const uint32_t header = constructs.header_of_merge[block];
            block = header != kNoBlock ? header : tree_.parent[block];
            if (header == kNoBlock && block != kNoBlock && constructs.by_header[block])
                return constructs.by_header[block];
        }
        return nullptr;
    }

    bool join_returns() {
        Constructs constructs = find_constructs();
        for (const uint32_t each : cfg_.order)
            if (returns(each))
                if (Construct* from = around(constructs, each)) from->returns.push_back(each);
        std::vector<Construct*> inner_first;
        for (Construct& each : constructs.all) inner_first.push_back(&each);
        std::ranges::stable_sort(inner_first, std::ranges::greater(),
                                 [&](const Construct* each) { return tree_.depth[each->header]; });
        bool changed = false;
        for (Construct* each : inner_first) {
            if (each->returns.empty() || block(each->header).merge.op != Op::OpSelectionMerge ||
                cfg_.reachable(each->merge))
                continue;
            join(*each);
            changed = true;
            if (Construct* outer = around(constructs, each->header)) outer->returns.push_back(each->merge);
        }
        return changed;
    }
    bool returns(uint32_t number) {
        const Op op = block(number).terminator.op;
        return op == Op::OpReturn || op == Op::OpReturnValue;
    }

    void join(const Construct& construct) {
        Block& merge = block(construct.merge);
        merge.body.clear();
        merge.terminator = block(construct.returns[0]).terminator;
        Instruction phi{.op = Op::OpPhi, .type = function_.return_type(), .result = builder_.fresh()};
        for (const uint32_t number : construct.returns) {
            Instruction& end = block(number).terminator;
            if (end.op == Op::OpReturnValue) {
                phi.operands.push_back(end.id(0));
                phi.operands.push_back(block(number).label);
            }
            end = {.op = Op::OpBranch, .operands = {merge.label}, .line = end.line};
        }
        if (phi.operands.empty()) return;
        merge.terminator.operands = {phi.result};
        merge.body.push_back(std::move(phi));
    }

    // ---- Edges ----

    /// The edges that leave a switch, and the switches that they leave.
    void find_breaks() {
        for (const uint32_t header : cfg_.order) {
            const Block& at = block(header);
            if (at.merge.op != Op::OpSelectionMerge || at.terminator.op != Op::OpSwitch) continue;
            const uint32_t merge = cfg_.block(at.merge.id(0));
            if (merge == kNoBlock) continue;
            for (const uint32_t from : cfg_.predecessors[merge]) breaks_.push_back({from, header});
        }
    }

    bool wants_edge(uint32_t header) {
        const Block& at = block(header);
        if (at.merge.op != Op::OpSelectionMerge) return false;
        const uint32_t merge = cfg_.block(at.merge.id(0));
        if (merge == kNoBlock || tree_.parent[merge] != header) return false;
        const auto edges = cfg_.predecessors[merge];
        if (edges.size() < 2 || std::ranges::find(edges, header) != edges.end()) return false;
        if (at.terminator.op == Op::OpSwitch) return true;
        const auto branches = cfg_.successors[header];
        if (at.terminator.op != Op::OpBranchConditional || branches.size() != 2) return false;
        if (tree_.parent[branches[0]] != header || tree_.parent[branches[1]] != header) return false;
        return std::ranges::none_of(breaks_, [&](const Break& each) {
            return tree_.dominates(header, each.from) && !tree_.dominates(merge, each.from) &&
                   !tree_.dominates(header, each.header);
        });
    }

    void make_edge(uint32_t header) {
        Block& at = block(header);
        const Id merge = at.merge.id(0);
        const spirv::SinkScope sink(builder_, &at.body);
        builder_.set_line(at.terminator.line);
        at.terminator = at.terminator.op == Op::OpSwitch ? of_switch(header, at.terminator, merge)
                                                         : of_branch(at.terminator, merge);
        builder_.set_line({});
        for (Instruction& phi : spirv::phis_of(block(cfg_.block(merge)).body)) {
            phi.operands.push_back(builder_.constant_null(phi.type));
            phi.operands.push_back(at.label);
        }
    }

    Id select(Id condition, uint32_t one, Id other) {
        return builder_.append(Op::OpSelect, builder_.type_int(32),
                               {condition, builder_.constant_u32(one), other});
    }

    Instruction of_branch(const Instruction& branch, Id merge) {
        const Id selector = select(branch.id(0), 1, builder_.constant_u32(0));
        return {.op = Op::OpSwitch,
                .operands = {selector, merge, 0u, branch.id(2), 1u, branch.id(1)},
                .line = branch.line};
    }

    /// The new selector counts the targets.
    Instruction of_switch(uint32_t header, const Instruction& old, Id merge) {
        const Id type = builder_.type_of(old.id(0));
        const size_t words = builder_.width(type) > 32 ? 2 : 1;
        std::vector<Id> targets = {old.id(1)};
        Id selector = builder_.constant_u32(0);
        for (size_t i = 2; i < old.operands.size(); i += words + 1) {
            const Id target = old.id(i + words);
            auto known = std::ranges::find(targets, target);
            if (known == targets.end()) known = targets.insert(known, target);
            uint64_t literal = old.word(i);
            if (words == 2) literal |= uint64_t{old.word(i + 1)} << 32;
            const Id is_case = builder_.append(Op::OpIEqual, builder_.type_bool(),
                                               {old.id(0), builder_.constant_int(type, literal)});
            selector = select(is_case, static_cast<uint32_t>(known - targets.begin()), selector);
        }
        Instruction made{.op = Op::OpSwitch, .operands = {selector, merge}, .line = old.line};
        for (const uint32_t number : in_order(header, targets)) {
            made.operands.push_back(number);
            made.operands.push_back(targets[number]);
        }
        return made;
    }

    /// The numbers of the targets. One that falls through comes directly before the one that it falls into
    /// (SPIR-V 2.11), which the old default is not bound by.
    std::vector<uint32_t> in_order(uint32_t header, const std::vector<Id>& targets) const {
        constexpr uint32_t kNone = ~0u;
        IdMap<uint32_t> number_of;
        for (uint32_t number = 0; number < targets.size(); ++number) number_of[targets[number]] = number;
        std::vector<uint32_t> falls_into(targets.size(), kNone), order;
        std::vector<bool> is_fallen_into(targets.size());
        for (uint32_t number = 0; number < targets.size(); ++number)
            for (uint32_t from : cfg_.predecessors[cfg_.block(targets[number])]) {
                if (from == header) continue;
                while (from != kNoBlock && tree_.parent[from] != header) from = tree_.parent[from];
                if (from == kNoBlock) continue;
                const auto before = number_of.find(function_.blocks[from].label);
                if (before == number_of.end() || before->second == number) continue;
                falls_into[before->second] = number;
                is_fallen_into[number] = true;
            }
        for (uint32_t first = 0; first < targets.size(); ++first)
            if (!is_fallen_into[first])
                for (uint32_t number = first; number != kNone; number = falls_into[number])
                    order.push_back(number);
        return order;
    }

    struct Break {
        uint32_t from = 0, header = 0;
    };
    Builder& builder_;
    Function& function_;
    Cfg cfg_ = {};
    Dominators tree_ = {};
    std::vector<Break> breaks_ = {};
};

}  // namespace

Result<Done> meet_early(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.follows_all_paths || std::ranges::none_of(module.functions, has_loop))
        return Done{};
    spirv::Builder builder(module);
    for (spirv::Function& function : module.functions) EdgeMaker(builder, function).run();
    return Done{};
}

}  // namespace caldera::vulkan
