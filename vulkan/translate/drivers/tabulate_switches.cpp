// SPDX-License-Identifier: Apache-2.0
// tabulate_switches: replaces switches whose cases only choose constants by loads from tables of constants.
//
// Mesa's llvmpipe compiles each case to masks and selects for all work-items of a vector, and LLVM's compile
// time grows with the square of the number of blocks. A function of 3,000 cases that return a constant each
// took 2.5 s, and 0.2 s with a table. The table has a constant for each number from the first case to the
// last one, and one more for all other numbers, so that no branch is left:
//
//     table[min(selector - first, length)]
//
// What lies between the cases has the default's constant. If the default does something else and every number
// from first to last is a case, a branch leads to the load or to the default.
//
// A case may go through blocks that have only phis, alone or with others, and ends where the switch's
// branches meet or with a return. Cases of small switches are cheaper as selects.
//
// Before and after: functions obey SPIR-V 2.11.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/fold.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr size_t kFewCases = 32;
constexpr size_t kMaxBlocksOfCase = 8;
constexpr uint64_t kMinPercentOfCases = 40;  // as LLVM has it

/// Where a way out of a switch ends, and what it brings: a value for each phi of the merge block, or the one
/// that is returned.
struct Outcome {
    enum class End : uint8_t { Merge, Return, Nowhere };
    End end = End::Nowhere;
    std::vector<Id> values = {};
};

struct Case {
    uint64_t number = 0;  // of as many bits as the selector has
    Id target = {};
    const Outcome* outcome = nullptr;
};

/// A switch whose cases bring constants.
struct Table {
    uint32_t block = 0;
    Id merge = {};
    std::vector<Case> cases = {};           // in the order of their numbers from `first` on, modulo the width
    std::optional<Outcome> otherwise = {};  // none: the default does something else
    uint32_t width = 0;                     // of the selector, in bits
    uint64_t first = 0, last = 0;
    Outcome::End end = Outcome::End::Nowhere;

    uint64_t mask() const { return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
    uint64_t offset(uint64_t number) const { return (number - first) & mask(); }
    /// The numbers from the first to the last. A switch is not long enough for this to overflow.
    uint64_t length() const { return offset(last) + 1; }
    bool takes_all() const { return offset(last) == mask(); }
};

class SwitchTabulator {
 public:
    explicit SwitchTabulator(Module& module) : builder_(module), layout_(builder_), folder_(builder_) {}

    void run(Function& function) {
        const auto is_long = [](const Block& block) {
            return block.terminator.op == Op::OpSwitch && block.merge.op == Op::OpSelectionMerge &&
                   block.terminator.operands.size() >= 2 + 2 * kFewCases;
        };
        if (std::ranges::none_of(function.blocks, is_long)) return;
        function_ = &function;
        cfg_ = build_cfg(function);
        count_uses();
        std::vector<std::pair<uint32_t, Block>> added;
        for (uint32_t b = 0; b < function.blocks.size(); ++b)
            if (is_long(function.blocks[b]))
                if (std::optional<Table> table = read(b))
                    if (std::optional<Block> loads = replace(*table))
                        added.emplace_back(b, std::move(*loads));
        for (auto entry = added.rbegin(); entry != added.rend(); ++entry)
            function.blocks.insert(function.blocks.begin() + entry->first + 1, std::move(entry->second));
        remove_unreachable_blocks(function);
    }

 private:
    // ---- What the cases bring ----

    std::optional<Table> read(uint32_t block);
    bool read_cases(Table& table) const;
    bool find_outcomes(Table& table);
    std::optional<Outcome> follow(const Table& table, Id target);
    bool enter(Block& block, Id from);
    Id known(Id value) const;
    bool is_constant(Id value) const;
    void count_uses();
    bool needs_nothing_passed(const Table& table) const;
    bool can_store(const Table& table) const;
    std::vector<Id> values_of(const Table& table, size_t at) const;

    // ---- The table ----

    std::optional<Block> replace(const Table& table);
    std::vector<Id> load(const Table& table, Id offset);
    Id load_from(std::vector<Id> values, Id index);

    const Block& block_at(Id label) const { return function_->blocks[cfg_.block(label)]; }

    Builder builder_;
    OpenclLayout layout_;
    Folder folder_;
    Function* function_ = nullptr;
    Cfg cfg_ = {};
    IdMap<uint32_t> uses_ = {};     // of values in the function that are no constants
    IdMap<Id> constants_ = {};      // on the way that is being followed: what the values are there
    IdMap<bool> passed_ = {};       // blocks that ways of the switch at work go through
    IdMap<Outcome> outcomes_ = {};  // by target; of the switch at work
    IdMap<Id> tables_ = {};         // variables, by their constants
};

void SwitchTabulator::count_uses() {
    uses_.clear();
    for (const Block& block : function_->blocks) {
        const auto count = [&](const Instruction& inst) {
            for (const Operand& operand : inst.operands)
                if (operand.is_id && !builder_.find_global(operand.id())) ++uses_[operand.id()];
        };
        for (const Instruction& inst : block.body) count(inst);
        count(block.terminator);
    }
}

// ---- What the cases bring ----

std::optional<Table> SwitchTabulator::read(uint32_t block) {
    Table table{.block = block, .merge = function_->blocks[block].merge.id(0)};
    if (!cfg_.reachable(block) || !read_cases(table) || !find_outcomes(table) || !needs_nothing_passed(table))
        return {};
    return table;
}

/// Orders the cases around the largest gap between two, so that the table is the shortest, whether the
/// numbers have signs or not. Returns whether the table is short enough.
bool SwitchTabulator::read_cases(Table& table) const {
    const Instruction& inst = function_->blocks[table.block].terminator;
    table.width = builder_.width(builder_.type_of(inst.id(0)));
    const size_t words = table.width > 32 ? 2 : 1;
    std::vector<Case>& cases = table.cases;
    for (size_t i = 2; i + words < inst.operands.size(); i += words + 1) {
        const uint64_t upper = words == 2 ? uint64_t{inst.word(i + 1)} << 32 : 0;
        cases.push_back({(upper | inst.word(i)) & table.mask(), inst.id(i + words)});
    }
    if (cases.size() < kFewCases) return false;
    std::ranges::sort(cases, {}, &Case::number);
    const auto gap = [&](size_t i) {
        return (cases[i].number - cases[i == 0 ? cases.size() - 1 : i - 1].number) & table.mask();
    };
    size_t start = 0;
    for (size_t i = 1; i < cases.size(); ++i)
        if (gap(i) > gap(start)) start = i;
    std::ranges::rotate(cases, cases.begin() + std::ptrdiff_t(start));
    table.first = cases.front().number;
    table.last = cases.back().number;
    return table.offset(table.last) < cases.size() * 100 / kMinPercentOfCases;
}

bool SwitchTabulator::find_outcomes(Table& table) {
    passed_.clear();
    outcomes_.clear();
    for (Case& one : table.cases) {
        if (outcomes_.contains(one.target)) continue;
        std::optional<Outcome> outcome = follow(table, one.target);
        if (!outcome) return false;
        if (table.end == Outcome::End::Nowhere) table.end = outcome->end;
        if (outcome->end != Outcome::End::Nowhere && outcome->end != table.end) return false;
        outcomes_[one.target] = std::move(*outcome);
    }
    for (Case& one : table.cases) one.outcome = &outcomes_.find(one.target)->second;
    if (table.end == Outcome::End::Nowhere) return false;
    if (table.takes_all()) {
        table.otherwise = Outcome{};
        return can_store(table);
    }
    const IdMap<bool> passed_by_cases = passed_;
    table.otherwise = follow(table, function_->blocks[table.block].terminator.id(1));
    if (table.otherwise &&
        (table.otherwise->end == table.end || table.otherwise->end == Outcome::End::Nowhere) &&
        can_store(table))
        return true;
    table.otherwise = {};
    passed_ = passed_by_cases;
    return table.length() == table.cases.size() && can_store(table);
}

/// Follows control from the switch to where its branches meet, a return, or OpUnreachable.
std::optional<Outcome> SwitchTabulator::follow(const Table& table, Id target) {
    constants_.clear();
    std::vector<Id> way;
    Id from = function_->blocks[table.block].label;
    Outcome outcome;
    for (size_t blocks = 0; target != table.merge; ++blocks) {
        Block& block = function_->blocks[cfg_.block(target)];
        if (blocks == kMaxBlocksOfCase || !enter(block, from)) return {};
        way.push_back(block.label);
        const Instruction& end = block.terminator;
        if (end.op == Op::OpReturnValue) {
            const Id value = known(end.id(0));
            if (!is_constant(value)) return {};
            outcome = {Outcome::End::Return, {value}};
            break;
        }
        if (end.op == Op::OpUnreachable) break;
        if (end.op != Op::OpBranch) return {};
        from = block.label;
        target = end.id(0);
    }
    if (target == table.merge) {
        outcome.end = Outcome::End::Merge;
        for (const Instruction& phi : phis_of(block_at(table.merge).body))
            outcome.values.push_back(known(value_from(phi, from)));
    }
    for (const Id label : way) passed_[label] = true;
    return outcome;
}

/// Computes the values of a block. Returns false unless it computes constants and nothing else.
bool SwitchTabulator::enter(Block& block, Id from) {
    if (block.merge.op != Op::OpNop) return false;
    std::vector<std::pair<Id, Id>> values;
    for (const Instruction& phi : phis_of(block.body))
        values.emplace_back(phi.result, known(value_from(phi, from)));
    for (const auto& [result, value] : values) constants_[result] = value;
    for (size_t i = values.size(); i < block.body.size(); ++i) {
        if (is_debug(block.body[i])) continue;
        Instruction inst = block.body[i];
        if (!inst.result || inst.op == Op::OpLoad) return false;
        for (Operand& operand : inst.operands)
            if (operand.is_id) operand = operand.with(known(operand.id()));
        const Id value = folder_.fold(inst);
        if (!value || !is_constant(value)) return false;
        constants_[block.body[i].result] = value;
    }
    return true;
}

Id SwitchTabulator::known(Id value) const {
    const auto found = constants_.find(value);
    return found == constants_.end() ? value : found->second;
}

bool SwitchTabulator::is_constant(Id value) const {
    const Instruction* inst = builder_.find_global(value);
    if (!inst) return false;
    switch (inst->op) {
        case Op::OpConstant:
        case Op::OpConstantTrue:
        case Op::OpConstantFalse:
        case Op::OpConstantNull:
        case Op::OpConstantComposite:
        case Op::OpUndef: return true;
        default: return false;
    }
}

/// Whether nothing else uses what the blocks compute that control goes through. They may get unreachable.
bool SwitchTabulator::needs_nothing_passed(const Table& table) const {
    IdMap<uint32_t> left;
    const auto drop = [&](const Instruction& inst) {
        for (const Operand& operand : inst.operands)
            if (const auto found = operand.is_id ? left.find(operand.id()) : left.end(); found != left.end())
                --found->second;
    };
    for (const auto& [label, unused] : passed_)
        for (const Instruction& inst : block_at(label).body)
            if (const auto found = uses_.find(inst.result); found != uses_.end())
                left[inst.result] = found->second;
    for (const auto& [label, unused] : passed_) {
        for (const Instruction& inst : block_at(label).body) drop(inst);
        drop(block_at(label).terminator);
    }
    for (const Instruction& phi : phis_of(block_at(table.merge).body))
        for (size_t i = 0; i < phi.operands.size(); i += 2)
            if (const auto found = left.find(phi.id(i));
                found != left.end() && passed_.contains(phi.id(i + 1)))
                --found->second;
    return std::ranges::all_of(left, [](const auto& entry) { return entry.second == 0; });
}

/// The values that a phi, or the function's result, has for the table's numbers and for others.
std::vector<Id> SwitchTabulator::values_of(const Table& table, size_t at) const {
    const auto value = [&](const Outcome& outcome) {
        return outcome.values.empty() ? Id{} : outcome.values[at];
    };
    std::vector<Id> values(table.length(), table.otherwise ? value(*table.otherwise) : Id{});
    for (const Case& one : table.cases) values[table.offset(one.number)] = value(*one.outcome);
    if (table.otherwise && !table.takes_all()) values.push_back(value(*table.otherwise));
    // Where control never comes, any value will do
    const auto some = std::ranges::find_if(values, [](Id one) { return bool(one); });
    for (Id& one : values)
        if (!one) one = *some;
    return values;
}

/// Whether each value is the same in all cases, or a constant that a table can have.
bool SwitchTabulator::can_store(const Table& table) const {
    const size_t count = table.end == Outcome::End::Return ? 1 : phis_of(block_at(table.merge).body).size();
    for (size_t at = 0; at < count; ++at) {
        const std::vector<Id> values = values_of(table, at);
        if (std::ranges::all_of(values, [&](Id one) { return one == values.front(); })) continue;
        if (!std::ranges::all_of(values, [&](Id one) { return is_constant(one); })) return false;
        const Id type = builder_.type_of(values.front()),
                 element = builder_.is_vector(type) ? builder_.element(type) : type;
        const bool is_number = builder_.is_int(element) || builder_.is_float(element);
        if (!is_number && !builder_.is_bool(type)) return false;
    }
    return true;
}

// ---- The table ----

/// Returns the block with the loads, where the default needs a branch of its own.
std::optional<Block> SwitchTabulator::replace(const Table& table) {
    Block& block = function_->blocks[table.block];
    const Instruction inst = block.terminator;
    const Id type = builder_.type_of(inst.id(0));
    std::optional<Block> added;
    builder_.set_line(inst.line);
    builder_.set_sink(&block.body);
    Id offset = builder_.append(Op::OpISub, type, {inst.id(0), builder_.constant_int(type, table.first)});
    if (!table.takes_all()) {
        const Id length = builder_.constant_int(type, table.length());
        const Id is_in = builder_.append(Op::OpULessThan, builder_.type_bool(), {offset, length});
        if (table.otherwise) {
            offset = builder_.append(Op::OpSelect, type, {is_in, offset, length});
        } else {
            added = Block{.label = builder_.fresh()};
            block.terminator = {.op = Op::OpBranchConditional,
                                .operands = {is_in, added->label, inst.id(1)},
                                .line = inst.line};
        }
    }
    Block& loads = added ? *added : block;
    builder_.set_sink(&loads.body);
    const std::vector<Id> values = load(table, offset);
    builder_.set_sink(nullptr);
    builder_.set_line({});
    if (!added) block.merge = {};
    if (table.end == Outcome::End::Return) {
        loads.terminator = {.op = Op::OpReturnValue, .operands = {values.front()}, .line = inst.line};
    } else {
        loads.terminator = {.op = Op::OpBranch, .operands = {table.merge}, .line = inst.line};
    }
    for (const Id target : branch_targets(inst))
        if (!added || target != inst.id(1))
            drop_predecessor(function_->blocks[cfg_.block(target)], block.label);
    if (table.end == Outcome::End::Merge) {
        size_t at = 0;
        for (Instruction& phi : phis_of(function_->blocks[cfg_.block(table.merge)].body)) {
            phi.operands.push_back(values[at++]);
            phi.operands.push_back(loads.label);
        }
    }
    return added;
}

/// Loads the values of the phis, or the function's result.
std::vector<Id> SwitchTabulator::load(const Table& table, Id offset) {
    const size_t count = table.end == Outcome::End::Return ? 1 : phis_of(block_at(table.merge).body).size();
    const Id u32 = builder_.type_int(32);
    const Id index = table.width == 32 ? offset : builder_.append(Op::OpUConvert, u32, {offset});
    std::vector<Id> loaded;
    for (size_t at = 0; at < count; ++at) {
        std::vector<Id> values = values_of(table, at);
        const bool is_same = std::ranges::all_of(values, [&](Id one) { return one == values.front(); });
        loaded.push_back(is_same ? values.front() : load_from(std::move(values), index));
    }
    return loaded;
}

/// Loads from a table of constants. Memory has no bools: these are numbers there.
Id SwitchTabulator::load_from(std::vector<Id> values, Id index) {
    Id type = builder_.type_of(values.front());
    const bool is_bool = builder_.is_bool(type);
    if (is_bool) type = builder_.type_int(8);
    for (Id& value : values) {
        if (builder_.find_global(value)->op == Op::OpUndef)
            value = builder_.constant_null(type);
        else if (is_bool)
            value = builder_.constant_int(type, *builder_.constant_value(value));
    }
    const Id array = builder_.type_array(type, uint32_t(values.size()));
    const Id constant = builder_.constant_composite(array, values);
    constexpr auto kStorage = spv::StorageClass::UniformConstant;
    Id& variable = tables_[constant];
    if (!variable) variable = builder_.variable(kStorage, array, constant);
    const Id element =
        builder_.append(Op::OpInBoundsAccessChain, builder_.type_pointer(kStorage, type), {variable, index});
    const auto alignment = uint32_t(layout_.of(type).alignment_bytes);
    const Id loaded = builder_.append(Op::OpLoad, type, {element, spv::MemoryAccessMask::Aligned, alignment});
    if (!is_bool) return loaded;
    return builder_.append(Op::OpINotEqual, builder_.type_bool(), {loaded, builder_.constant_int(type, 0)});
}

}  // namespace

Result<Done> tabulate_switches(Module& module, PassContext& context) {
    if (!context.options.profile.quirks.slow_with_accesses || context.options.constants_in_module)
        return Done{};
    SwitchTabulator tabulator(module);
    for (Function& function : module.functions)
        if (!function.blocks.empty()) tabulator.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
