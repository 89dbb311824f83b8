// SPDX-License-Identifier: Apache-2.0
// reuse_loads: replaces a load by its value if that is already known: it was stored or loaded before, and
// nothing that may overlap has been written since (store-to-load forwarding, redundant loads). Drivers do
// little of this, since to them all addresses made from integers may be equal. If a value is known on every
// edge to a join, it becomes a phi, so what a loop loads, changes and stores in each iteration stays in a
// register. If a constant array or struct was stored, its parts are known, and so are the components of
// vectors. If every iteration of a loop loads from a place that the loop does not write, the load moves
// before the loop. If every iteration stores to one place, the store moves after it (keep_sums.h). A store of
// a value that was just loaded from the same place is removed.
//
// The facts come from Pointers: `restrict`, constant memory, separate objects, constant distances. Two
// arguments without `restrict` may overlap. Nothing is known across barriers, fences, atomics, volatile
// accesses and calls that write.
//
// Before: promote_variables, structured control flow; pointers are OpenCL's. After: there are fewer loads,
// and none from an address that the program would not have loaded from.
#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <vector>

#include "spirv/sink_scope.h"
#include "spirv/uses.h"
#include "vulkan/translate/optimize/keep_sums.h"
#include "vulkan/translate/optimize/memory_versions.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/share.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using Kind = MemoryVersion::Kind;

class LoadReuser {
 public:
    LoadReuser(Builder& builder, const OpenclLayout& layout, const MemoryAnalysis& analysis,
               Function& function)
        : builder_(builder),
          layout_(layout),
          function_(function),
          cfg_(analysis.cfg),
          tree_(analysis.tree),
          loops_(analysis.loops),
          pointers_(analysis.pointers),
          versions_(analysis.versions),
          phis_(cfg_.size()) {}

    void run() {
        first_new_ = builder_.module().bound;
        for (uint32_t b : tree_.preorder) remember_stores(b);
        for (uint32_t b : tree_.preorder) rewrite(b);
        for (uint32_t b : tree_.preorder) {
            std::vector<Instruction>& body = function_.blocks[b].body;
            body.insert(body.begin(), std::make_move_iterator(phis_[b].begin()),
                        std::make_move_iterator(phis_[b].end()));
        }
        results_.apply(function_);
    }

 private:
    static constexpr int kMaxSteps = 64;         // through the history of one load
    static constexpr size_t kMaxWays = 8;        // into a join that gets a phi
    static constexpr uint32_t kMaxHoisted = 12;  // instructions that make one address
    static constexpr uint32_t kWhole = ~0u;

    /// Bytes of memory at some version, as a value of a type.
    struct Content {
        uint32_t formula = 0, version = 0, type = 0;
        int64_t offset = 0;
        bool operator==(const Content&) const = default;
    };
    struct ContentHash {
        size_t operator()(const Content& c) const {
            uint64_t hash = uint64_t{c.formula} << 32 | c.version;
            hash = (hash ^ static_cast<uint64_t>(c.offset)) * 0x9e3779b97f4a7c15u;
            hash = (hash ^ hash >> 31 ^ c.type) * 0x9e3779b97f4a7c15u;
            return static_cast<size_t>(hash ^ hash >> 29);
        }
    };
    /// The value, known from `block` on: `value`, or component `lane` of it.
    struct Known {
        Id value = {};
        uint32_t lane = kWhole;
        uint32_t block = 0;
    };
    struct Access {
        MemoryPlace place = {};
        Id type = {};
        uint64_t bytes = 0;
    };

    void remember_stores(uint32_t block);
    void rewrite(uint32_t block);
    Id reuse(const Instruction& load, uint32_t block, std::vector<Instruction>& body);
    Id compose(const Access& access, uint32_t newest, uint32_t block, std::vector<Instruction>& body);
    Id join(const Access& access, uint32_t version);
    bool is_certain(uint32_t loop, uint32_t block) const;
    bool is_outside(uint32_t loop, Id value) const;
    Id hoist(const Instruction& load, uint32_t block, uint32_t version, uint32_t& to);
    Id hoist_value(Id value, uint32_t loop, uint32_t to, IdMap<Id>& hoisted);
    uint32_t origin(const Access& access, uint32_t version, int& steps) const {
        return versions_.origin(access.place, access.bytes, version, steps);
    }
    const Known* find(const Access& access, uint32_t version, uint32_t block);
    Id constant_part(Id constant, Id type, int64_t offset);
    void remember(const Access& access, uint32_t version, Id value, uint32_t block);
    Id take(const Known& known, Id type, std::vector<Instruction>& body);

    Builder& builder_;
    const OpenclLayout& layout_;
    Function& function_;
    const Cfg& cfg_;
    const Dominators& tree_;
    const Loops& loops_;
    const Pointers& pointers_;
    const MemoryVersions& versions_;
    std::unordered_map<Content, Known, ContentHash> known_ = {};
    struct StoredConstant {
        MemoryPlace place = {};
        Id value = {};
    };
    std::unordered_map<uint32_t, StoredConstant> constants_ = {};  // arrays and structs, by version
    std::vector<std::vector<Instruction>> phis_;                   // by block
    struct Definition {
        Instruction inst = {};  // of a pure instruction in a loop, else OpNop
        uint32_t block = 0;
    };
    IdMap<Definition> definitions_ = {};  // of what loops compute
    uint32_t first_new_ = 0;              // ids from here on are of instructions that this pass adds
    Substitution results_ = {};
};

// ---- What is known ----

void LoadReuser::remember(const Access& access, uint32_t version, Id value, uint32_t block) {
    auto put = [&](Content content, Known known) {
        const auto [entry, is_new] = known_.try_emplace(content, known);
        if (!is_new && !tree_.dominates(entry->second.block, block)) entry->second = known;
    };
    Content content = {access.place.formula, version, access.type.value, access.place.offset};
    put(content, {value, kWhole, block});
    if (!builder_.is_vector(access.type)) return;
    const Id element = builder_.element(access.type);
    content.type = element.value;
    for (uint32_t lane = 0; lane < builder_.count(access.type); ++lane) {
        put(content, {value, lane, block});
        content.offset += static_cast<int64_t>(layout_.of(element).size_bytes);
    }
}

const LoadReuser::Known* LoadReuser::find(const Access& access, uint32_t version, uint32_t block) {
    const Content content = {access.place.formula, version, access.type.value, access.place.offset};
    auto found = known_.find(content);
    if (found == known_.end()) {
        const auto stored = constants_.find(version);
        if (stored == constants_.end() || stored->second.place.formula != access.place.formula)
            return nullptr;
        const auto& [place, whole] = stored->second;
        const Id part = constant_part(whole, access.type, access.place.offset - place.offset);
        if (!part) return nullptr;
        found = known_.try_emplace(content, Known{part, kWhole, versions_[version].block}).first;
    }
    return tree_.dominates(found->second.block, block) ? &found->second : nullptr;
}

/// The part of a constant at the offset in bytes, if it is a number or a vector of that type; else {}.
Id LoadReuser::constant_part(Id constant, Id type, int64_t offset) {
    const Id element = builder_.is_vector(type) ? builder_.element(type) : type;
    if (!builder_.is_int(element) && !builder_.is_float(element)) return {};
    while (const Instruction* inst = builder_.find_global(constant)) {
        const Id whole = inst->type;
        const auto size = static_cast<int64_t>(layout_.of(whole).size_bytes);
        if (offset < 0 || offset + static_cast<int64_t>(layout_.of(type).size_bytes) > size) return {};
        if (whole == type) return offset == 0 ? constant : Id{};
        if (inst->op == spv::Op::OpConstantNull) return builder_.constant_null(type);
        if (inst->op != spv::Op::OpConstantComposite) return {};
        uint32_t at = 0;
        int64_t start = 0;
        if (builder_.op_of_type(whole) == spv::Op::OpTypeStruct) {
            const auto begin = [&](uint32_t i) {
                return static_cast<int64_t>(layout_.member_offset(whole, i));
            };
            while (at + 1 < inst->operands.size() && begin(at + 1) <= offset) ++at;
            start = begin(at);
        } else {
            const auto stride = static_cast<int64_t>(layout_.of(builder_.element(whole)).size_bytes);
            at = static_cast<uint32_t>(offset / stride);
            start = at * stride;
        }
        if (at >= inst->operands.size()) return {};
        constant = inst->id(at);
        offset -= start;
    }
    return {};
}

/// Runs before everything else, because the end of a loop comes after its header.
void LoadReuser::remember_stores(uint32_t b) {
    for (const Instruction& inst : function_.blocks[b].body) {
        if (inst.op != spv::Op::OpStore) continue;
        const uint32_t version = versions_.of(inst);
        const Id type = builder_.type_of(inst.id(1));
        const auto layout = layout_.find(type);
        if (version == kNoVersion || !layout) continue;
        const MemoryPlace place = pointers_.place(inst.id(0));
        remember({place, type, layout->size_bytes}, version, inst.id(1), b);
        const spv::Op kind = builder_.op_of_type(type);
        if ((kind == spv::Op::OpTypeArray || kind == spv::Op::OpTypeStruct) &&
            versions_[version].kind == Kind::Store)
            constants_[version] = {place, inst.id(1)};
    }
}

// ---- Loads ----

Id LoadReuser::take(const Known& known, Id type, std::vector<Instruction>& body) {
    if (known.lane == kWhole) return known.value;
    const SinkScope sink(builder_, &body);
    return builder_.append(spv::Op::OpCompositeExtract, type, {known.value, known.lane});
}

/// A vector whose components are all known, from loads and stores of scalars and of other vectors.
Id LoadReuser::compose(const Access& access, uint32_t newest, uint32_t block,
                       std::vector<Instruction>& body) {
    if (!builder_.is_vector(access.type)) return {};
    const Id element = builder_.element(access.type);
    Access lane = {access.place, element, layout_.of(element).size_bytes};
    std::vector<Known> lanes;
    int steps = kMaxSteps;
    for (uint32_t i = 0; i < builder_.count(access.type); ++i) {
        const Known* known = find(lane, origin(lane, newest, steps), block);
        if (known == nullptr) return {};
        lanes.push_back(*known);
        lane.place.offset += static_cast<int64_t>(lane.bytes);
    }
    const bool one_vector = std::ranges::all_of(
        lanes, [&](const Known& known) { return known.lane != kWhole && known.value == lanes[0].value; });
    Operands operands;
    for (const Known& known : lanes)
        operands.push_back(one_vector ? Operand(known.lane) : Operand(take(known, element, body)));
    if (one_vector) operands.insert(operands.begin(), {lanes[0].value, lanes[0].value});
    const SinkScope sink(builder_, &body);
    return builder_.append(one_vector ? spv::Op::OpVectorShuffle : spv::Op::OpCompositeConstruct, access.type,
                           std::move(operands));
}

/// The value at a join is a phi, if it is known on all ways to there.
Id LoadReuser::join(const Access& access, uint32_t version) {
    const MemoryVersion& at = versions_[version];
    const uint32_t known_at = pointers_.block_of(access.place.formula);
    if (at.kind != Kind::Join || at.ways.size() > kMaxWays ||
        at.ways.size() != cfg_.predecessors[at.block].size() || known_at == at.block ||
        !tree_.dominates(known_at, at.block))
        return {};
    int steps = MemoryVersions::kMaxSteps;
    Operands operands;
    bool any = false;
    for (const MemoryVersion::Way& way : at.ways) {
        const uint32_t origin_there = origin(access, way.version, steps);
        const Known* known = find(access, origin_there, way.from);
        const bool itself = origin_there == version;
        if (!itself && (known == nullptr || known->lane != kWhole)) return {};
        operands.push_back(itself ? Id{} : known->value);
        operands.push_back(function_.blocks[way.from].label);
        any |= !itself;
    }
    if (!any) return {};
    const Id phi = builder_.fresh();
    for (Operand& operand : operands)
        if (operand.is_id && operand.word == 0) operand = phi;
    const SinkScope sink(builder_, &phis_[at.block]);
    builder_.append(
        {.op = spv::Op::OpPhi, .type = access.type, .result = phi, .operands = std::move(operands)});
    definitions_[phi] = {{}, at.block};
    return phi;
}

Id LoadReuser::reuse(const Instruction& load, uint32_t block, std::vector<Instruction>& body) {
    const uint32_t newest = versions_.of(load);
    const auto layout = layout_.find(load.type);
    if (newest == kNoVersion || !layout) return {};
    const Access access = {pointers_.place(load.id(0)), load.type, layout->size_bytes};
    int steps = MemoryVersions::kMaxSteps;
    const uint32_t version = origin(access, newest, steps);
    if (const Known* known = find(access, version, block)) return take(*known, load.type, body);
    if (const Id vector = compose(access, newest, block, body)) {
        remember(access, version, vector, block);
        return vector;
    }
    if (const Id phi = join(access, version)) {
        remember(access, version, phi, versions_[version].block);
        return phi;
    }
    uint32_t to = block;
    const Id before = hoist(load, block, version, to);
    remember(access, version, before ? before : load.result, to);
    return before;
}

// ---- Loops ----

/// Every entry to the loop reaches the block: nothing branches between its header and there.
bool LoadReuser::is_certain(uint32_t loop, uint32_t block) const {
    constexpr int kMaxBlocks = 16;
    uint32_t at = loops_.loops[loop].header;
    for (int i = 0; i < kMaxBlocks && at != block; ++i) {
        if (function_.blocks[at].terminator.op != spv::Op::OpBranch) return false;
        at = cfg_.successors[at][0];
    }
    return at == block;
}

bool LoadReuser::is_outside(uint32_t loop, Id value) const {
    const auto found = definitions_.find(value);
    if (found == definitions_.end()) return value.value < first_new_;
    return !loops_.contains(loop, found->second.block);
}

/// The value before the loop, computed there if necessary; {} if it changes from iteration to iteration.
Id LoadReuser::hoist_value(Id value, uint32_t loop, uint32_t to, IdMap<Id>& hoisted) {
    value = results_.resolve(value);
    if (is_outside(loop, value)) return value;
    if (const auto found = hoisted.find(value); found != hoisted.end()) return found->second;
    const auto definition = definitions_.find(value);
    if (definition == definitions_.end() || hoisted.size() >= kMaxHoisted) return {};
    Instruction copy = definition->second.inst;
    if (copy.op == spv::Op::OpNop) return {};
    hoisted[value] = {};  // counts it
    for (Operand& operand : copy.operands) {
        if (!operand.is_id) continue;
        operand = hoist_value(operand.id(), loop, to, hoisted);
        if (!operand.id()) return {};
    }
    copy.result = builder_.fresh();
    hoisted[value] = copy.result;
    definitions_[copy.result] = {copy, to};
    builder_.append(std::move(copy));
    return hoisted[value];
}

/// Moves a load out of as many loops as possible, to the end of block `to`. The result, or {} when it stays.
Id LoadReuser::hoist(const Instruction& load, uint32_t block, uint32_t version, uint32_t& to) {
    const MemoryVersion& at = versions_[version];
    Instruction moved = load;
    for (uint32_t loop = loops_.innermost[block]; loop != kNoBlock; loop = loops_.loops[loop].parent) {
        const bool changes = at.kind != Kind::Entry && loops_.contains(loop, at.block);
        const uint32_t before = block_before(function_, cfg_, loops_, loop);
        if (changes || before == kNoBlock || !is_certain(loop, to)) break;
        IdMap<Id> hoisted;
        std::vector<Instruction> address;
        builder_.set_sink(&address);
        const Id pointer = hoist_value(moved.id(0), loop, before, hoisted);
        builder_.set_sink(nullptr);
        if (!pointer) break;
        std::vector<Instruction>& body = function_.blocks[before].body;
        body.insert(body.end(), std::make_move_iterator(address.begin()),
                    std::make_move_iterator(address.end()));
        moved.operands[0] = pointer;
        to = before;
    }
    if (to == block) return {};
    moved.result = builder_.fresh();
    const SinkScope sink(builder_, &function_.blocks[to].body);
    builder_.append(moved);
    definitions_[moved.result] = {{}, to};
    return moved.result;
}

void LoadReuser::rewrite(uint32_t b) {
    std::vector<Instruction> out;
    if (loops_.innermost[b] != kNoBlock)
        for (const Instruction& inst : function_.blocks[b].body)
            if (inst.result) definitions_[inst.result] = {is_pure(inst) ? inst : Instruction{}, b};
    for (Instruction& inst : function_.blocks[b].body) {
        if (inst.op == spv::Op::OpLoad)
            if (const Id value = reuse(inst, b, out)) {
                results_.set(inst.result, value);
                continue;
            }
        out.push_back(std::move(inst));
    }
    function_.blocks[b].body = std::move(out);
}

/// For x = x of structs: removes a store of the value that is already there, if nothing writes in between.
void drop_unchanged(const MemoryFacts& facts, Function& function) {
    IdMap<Id> loaded;  // by pointer
    for (Block& block : function.blocks) {
        loaded.clear();
        std::erase_if(block.body, [&](const Instruction& inst) {
            switch (facts.effect(inst)) {
                case Effect::None: return false;
                case Effect::Load: loaded[inst.id(0)] = inst.result; return false;
                case Effect::Store:
                    if (const auto found = loaded.find(inst.id(0));
                        found != loaded.end() && found->second == inst.id(1))
                        return true;
                    break;
                default: break;
            }
            loaded.clear();
            return false;
        });
    }
}

}  // namespace

Result<Done> reuse_loads(Module& module, PassContext&) {
    const ShareFacts share_facts(module);
    Builder builder(module);
    const OpenclLayout layout(builder);
    const MemoryFacts facts(module, builder);
    for (Function& function : module.functions) {
        if (function.blocks.empty()) continue;
        share_equal(function, share_facts);
        drop_unchanged(facts, function);
        std::optional<MemoryAnalysis> analysis;
        analysis.emplace(builder, layout, facts, function);
        if (keep_sums(builder, layout, facts, *analysis, function))
            analysis.emplace(builder, layout, facts, function);
        LoadReuser(builder, layout, *analysis, function).run();
    }
    return Done{};
}

}  // namespace caldera::vulkan
