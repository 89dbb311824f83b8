// SPDX-License-Identifier: Apache-2.0
// copy_aggregates: copies large structs and arrays in memory instead of loading and storing them as values.
//
// A value is an access of each of its scalars: a struct of 1,000 floats took llvmpipe's compiler minutes.
// Where it is loaded to be stored, and its memory is not written in between, the two are one copy, which
// becomes a loop: an OpCopyMemorySized where the places do not overlap, else an OpCopyMemory, for which
// lower_memory chooses the direction. With descriptors and without the argument table, it cannot know whether
// two buffers overlap: such a copy goes by way of a variable.
//
// A kernel's large argument is indexed where it lies: it is in a buffer, whose address an Input variable
// stands for (PassVariables::arguments). A variable that has such an argument and is only read is that part
// of the buffer; others get a copy of it. With descriptors, a uniform buffer has no address: a loop copies
// the argument's words, for which another Input variable stands (argument_words), to a variable once.
//
// driver_quirks.def: copies_aggregates.
//
// After: as after promote_variables.
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "spirv/support/align.h"
#include "spirv/uses.h"
#include "vulkan/translate/optimize/memory_facts.h"
#include "vulkan/translate/optimize/pointers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/large_types.h"
#include "vulkan/translate/support/memory_access.h"
#include "vulkan/translate/support/opencl_layout.h"
#include "vulkan/translate/support/pointer_roots.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr uint32_t kMaxDerivations = 64;
constexpr uint64_t kBlockAlignment = 16;  // of the buffer that arguments are in
constexpr uint64_t kWordBytes = 4;

/// How a function uses its values and pointers.
class Uses {
 public:
    explicit Uses(const Function& function) {
        for_each_instruction(function, [&](const Instruction& inst) {
            for (size_t i = 0; i < inst.operands.size(); ++i)
                if (inst.operands[i].is_id) users_[inst.id(i)].push_back({&inst, i});
        });
    }
    struct Use {
        const Instruction* inst;
        size_t operand;
    };
    const std::vector<Use>& operator[](Id id) const {
        const auto found = users_.find(id);
        return found == users_.end() ? none_ : found->second;
    }

 private:
    IdMap<std::vector<Use>> users_ = {};
    const std::vector<Use> none_ = {};
};

// ---- Loads and stores ----

/// Turns a load and the stores of the loaded value, or of its parts, into copies, within consecutive blocks.
class PairJoiner {
 public:
    /// `orders_buffers`: lower_memory can tell which of two pointers comes first, whatever the buffers.
    PairJoiner(Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts, LargeTypes& is_large,
               bool orders_buffers)
        : builder_(builder),
          layout_(layout),
          facts_(facts),
          is_large_(is_large),
          orders_buffers_(orders_buffers) {}

    void run(Function& function) {
        if (!has_large_load(function)) return;
        const Uses uses(function);
        find_roots(function, uses);
        const Cfg cfg = build_cfg(function);
        pointers_.emplace(builder_, layout_, facts_, function, cfg, dominators(cfg));
        uint32_t before = kNoBlock;
        bool joined = false;
        constructed_.clear();
        variables_.clear();
        for (const uint32_t b : cfg.order) {
            const auto ways = cfg.predecessors[b];
            const bool follows = ways.size() == 1 && ways[0] == before && cfg.successors[before].size() == 1;
            if (!follows) pending_.clear();
            before = b;
            rewrite_block(
                builder_, function.blocks[b],
                [&](Instruction& inst, std::vector<Instruction>& out) { joined |= visit(inst, out); });
        }
        if (joined) drop_unused(function);
        std::vector<Instruction> variables;
        for (const auto& [type, variable] : variables_)
            variables.push_back({.op = Op::OpVariable,
                                 .type = builder_.type_pointer(spv::StorageClass::Function, type),
                                 .result = variable,
                                 .operands = {spv::StorageClass::Function}});
        if (!variables.empty()) function.insert_at_entry(std::move(variables));
    }

 private:
    /// Where an aggregate is in memory.
    struct Place {
        Id pointer = {}, type = {};
        uint64_t alignment = 0;
        MemoryPlace at = {};
        uint32_t area = Pointers::kAnywhere;
    };
    /// A loaded value whose memory has not been overwritten yet.
    struct Pending {
        Id value = {};
        Place place = {};
    };

    bool has_large_load(const Function& function) {
        return std::ranges::any_of(function.blocks, [&](const Block& block) {
            return std::ranges::any_of(block.body, [&](const Instruction& inst) {
                return inst.op == Op::OpLoad && is_large_(inst.type);
            });
        });
    }
    void find_roots(const Function& function, const Uses& uses) {
        roots_.clear();
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) roots_.add(inst);
        roots_.drop_escaped([&](Id pointer) { return std::ranges::any_of(uses[pointer], escapes); });
    }
    static bool escapes(const Uses::Use& use) {
        const Op op = use.inst->op;
        if (computes_pointer(use.inst->op) || op == Op::OpStore) return use.operand != 0;
        return op != Op::OpLoad && op != Op::OpCopyMemory && op != Op::OpCopyMemorySized;
    }
    /// The variable that alone has the memory; none for other memory.
    Id root(Id pointer) const { return roots_.of(pointer); }
    void forget(Id written) {
        std::erase_if(pending_, [&](const Pending& load) { return root(load.place.pointer) == written; });
    }

    uint64_t alignment(const Instruction& inst, size_t operand, Id type) const {
        const AccessOperands access = access_at(inst, operand);
        constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
        if (access.first == access.last || !(inst.word(access.first) & kAligned))
            return layout_.of(type).alignment_bytes;
        return inst.word(access.first + 1);
    }

    Place place(Id pointer, Id type, uint64_t alignment) const {
        return {pointer, type, alignment, pointers_->place(pointer), pointers_->area(pointer)};
    }

    /// Returns whether the instruction has become a copy.
    bool visit(Instruction& inst, std::vector<Instruction>& out) {
        const Effect effect = facts_.effect(inst);
        if (effect == Effect::Load && is_large_(inst.type))
            pending_.push_back({inst.result, place(inst.id(0), inst.type, alignment(inst, 1, inst.type))});
        if (inst.op == Op::OpCompositeExtract && is_large_(inst.type)) extract(inst);
        if (inst.op == Op::OpCompositeConstruct && is_large_(inst.type))
            constructed_.emplace(inst.result, inst);
        if (const Id type = effect == Effect::Store ? builder_.type_of(inst.id(1)) : Id{};
            type && is_large_(type))
            return store(place(inst.id(0), type, alignment(inst, 2, type)), inst.id(1), inst, out);
        if (effect == Effect::Everything) {
            forget({});
            for (const Operand& operand : inst.operands)
                if (operand.is_id && root(operand.id())) forget(root(operand.id()));
        }
        if (effect == Effect::Store || effect == Effect::Writes)
            facts_.for_each_written(inst, [&](Id pointer) { forget(root(pointer)); });
        out.push_back(std::move(inst));
        return false;
    }

    /// A part of a value that is still in memory is in memory as well.
    void extract(const Instruction& inst) {
        const auto whole = std::ranges::find(pending_, inst.id(0), &Pending::value);
        if (whole == pending_.end()) return;
        Place part = whole->place;
        for (size_t i = 1; i < inst.operands.size(); ++i) part = member(part, inst.word(i));
        pending_.push_back({inst.result, part});
    }
    Place member(const Place& of, uint32_t index) {
        const bool is_struct = builder_.op_of_type(of.type) == Op::OpTypeStruct;
        const Id type = is_struct ? builder_.member(of.type, index) : builder_.element(of.type);
        const uint64_t offset =
            is_struct ? layout_.member_offset(of.type, index) : index * layout_.of(type).size_bytes;
        const auto storage = builder_.storage(builder_.type_of(of.pointer));
        const Id pointer = builder_.append(Op::OpInBoundsAccessChain, builder_.type_pointer(storage, type),
                                           {of.pointer, builder_.constant_u32(index)});
        roots_.derive(pointer, of.pointer);
        return {pointer,
                type,
                power_of_two_in(offset, of.alignment),
                {of.at.formula, of.at.offset + static_cast<int64_t>(offset)},
                of.area};
    }

    /// Copies a value that is still in memory, even if it is only a part of the stored value.
    bool store(const Place& to, Id value, const Instruction& like, std::vector<Instruction>& out) {
        const auto load = std::ranges::find(pending_, value, &Pending::value);
        const auto parts = constructed_.find(value);
        const bool joined = load != pending_.end();
        if (!joined && parts != constructed_.end() && has_pending(parts->second)) {
            const Instruction construct = parts->second;
            bool any = false;
            for (uint32_t i = 0; i < construct.operands.size(); ++i)
                any |= store(member(to, i), construct.id(i), like, out);
            return any;
        }
        if (joined)
            copy(to, load->place, like, out);
        else
            out.push_back({.op = Op::OpStore,
                           .operands = {to.pointer, value, spv::MemoryAccessMask::Aligned,
                                        static_cast<uint32_t>(to.alignment)},
                           .line = like.line});
        forget(root(to.pointer));
        return joined;
    }

    void copy(const Place& to, const Place& from, const Instruction& like, std::vector<Instruction>& out) {
        const auto put = [&](Op op, Id target, Id source, uint64_t alignment) {
            Instruction inst{.op = op, .operands = {target, source}, .line = like.line};
            if (op == Op::OpCopyMemorySized)
                inst.operands.push_back(builder_.constant_u64(layout_.of(to.type).size_bytes));
            inst.operands.push_back(spv::MemoryAccessMask::Aligned);
            inst.operands.push_back(static_cast<uint32_t>(alignment));
            out.push_back(std::move(inst));
        };
        const uint64_t alignment = std::min(to.alignment, from.alignment);
        if (is_apart(to, from)) {
            put(Op::OpCopyMemorySized, to.pointer, from.pointer, alignment);
        } else if (orders_buffers_ ||
                   pointers_->object(to.at.formula) == pointers_->object(from.at.formula)) {
            put(Op::OpCopyMemory, to.pointer, from.pointer, alignment);
        } else {
            Id& between = variables_[to.type];
            if (!between) between = builder_.fresh();
            put(Op::OpCopyMemorySized, between, from.pointer, from.alignment);
            put(Op::OpCopyMemorySized, to.pointer, between, to.alignment);
        }
    }
    /// Whether the places are different memory, or the same.
    bool is_apart(const Place& a, const Place& b) const {
        const uint64_t bytes = layout_.of(a.type).size_bytes;
        if (a.at.formula == b.at.formula && a.at.offset == b.at.offset) return true;
        if (a.area != b.area || pointers_->disjoint(a.at, bytes, b.at, bytes)) return true;
        const auto storage = [&](const Place& place) {
            return builder_.storage(builder_.type_of(place.pointer));
        };
        constexpr auto kGeneric = spv::StorageClass::Generic;
        return storage(a) != storage(b) && storage(a) != kGeneric && storage(b) != kGeneric;
    }

    bool has_pending(const Instruction& construct) const {
        return std::ranges::any_of(construct.operands, [&](const Operand& part) {
            if (std::ranges::find(pending_, part.id(), &Pending::value) != pending_.end()) return true;
            const auto inner = constructed_.find(part.id());
            return inner != constructed_.end() && has_pending(inner->second);
        });
    }

    void drop_unused(Function& function) {
        for (bool dropped = true; dropped;) {
            dropped = false;
            const Uses uses(function);
            for (Block& block : function.blocks)
                dropped |= std::erase_if(block.body, [&](const Instruction& inst) {
                               const bool is_value = inst.op == Op::OpLoad ||
                                                     inst.op == Op::OpCompositeExtract ||
                                                     inst.op == Op::OpCompositeConstruct;
                               return is_value && is_large_(inst.type) && uses[inst.result].empty() &&
                                      (inst.op != Op::OpLoad || !access_at(inst, 1).is_volatile);
                           }) != 0;
        }
    }

    Builder& builder_;
    const OpenclLayout& layout_;
    const MemoryFacts& facts_;
    LargeTypes& is_large_;
    const bool orders_buffers_;
    std::optional<Pointers> pointers_ = {};  // of the function
    PointerRoots roots_ = {};
    std::vector<Pending> pending_ = {};
    IdMap<Instruction> constructed_ = {};
    std::map<Id, Id> variables_ = {};  // of the function, by the type of what goes by way of them
};

// ---- Arguments ----

/// Takes one kernel's large arguments from the argument block.
class ArgumentPlacer {
 public:
    ArgumentPlacer(Builder& builder, const OpenclLayout& layout, LargeTypes& is_large, bool descriptors,
                   Id& block)
        : builder_(builder),
          layout_(layout),
          is_large_(is_large),
          descriptors_(descriptors),
          storage_(descriptors ? spv::StorageClass::Function : spv::StorageClass::UniformConstant),
          block_(block) {}

    void run(Function& function, const Kernel& kernel, uint64_t max_push_constants) {
        function_ = &function;
        const std::vector<std::pair<size_t, uint64_t>> large = large_arguments(kernel, max_push_constants);
        if (large.empty()) return;
        const Uses uses(function);
        uses_ = &uses;
        for (const auto& [param, offset] : large) take(function.params[param], offset);
        rewrite();
        function.insert_at_entry(std::move(entry_));
        insert_loops();
    }

 private:
    /// Parameters and their offsets, if the block is in a buffer (lower_interface lays it out alike).
    std::vector<std::pair<size_t, uint64_t>> large_arguments(const Kernel& kernel,
                                                             uint64_t max_push_constants) {
        std::vector<std::pair<size_t, uint64_t>> found;
        uint64_t end = 0;
        if (kernel.arguments.size() != function_->params.size()) return {};
        for (size_t i = 0; i < kernel.arguments.size(); ++i) {
            const KernelArgument& argument = kernel.arguments[i];
            if (is_vulkan_image(argument.kind)) continue;
            if (descriptors_ ? !is_by_value(argument.kind) : argument.kind == ArgumentKind::LocalPointer)
                continue;
            const Id type = function_->params[i].type;
            const uint64_t alignment = layout_.of(type).alignment_bytes;
            end = (end + alignment - 1) / alignment * alignment;
            if (is_large_(type) && !layout_.has_packed(type) && alignment <= kBlockAlignment &&
                (!descriptors_ || alignment >= kWordBytes))
                found.emplace_back(i, end);
            end += argument.size_bytes;
        }
        if (end <= max_push_constants) found.clear();
        return found;
    }

    void take(const Instruction& param, uint64_t offset) {
        if (!is_taken_apart(param.result)) return;
        if (descriptors_) {
            copies_.push_back(
                {.first = static_cast<uint32_t>(offset / kWordBytes),
                 .count = static_cast<uint32_t>(layout_.of(param.type).size_bytes / kWordBytes)});
            builder_.set_sink(&variables_);
            copies_.back().variable =
                builder_.append(Op::OpVariable, pointer_to(param.type), {spv::StorageClass::Function});
            builder_.set_sink(&entry_);
            place(param.result, param.type, copies_.back().variable);
            builder_.set_sink(nullptr);
            return;
        }
        const Id u64 = builder_.type_int(64);
        if (!block_) {
            block_ = builder_.variable(spv::StorageClass::Input, u64);
            builder_.name(block_, "caldera.Arguments");
        }
        const SinkScope sink(builder_, &entry_);
        Id address = builder_.append(Op::OpLoad, u64, {block_});
        if (offset != 0) address = builder_.append(Op::OpIAdd, u64, {address, builder_.constant_u64(offset)});
        const Id pointer = builder_.append(Op::OpConvertUToPtr, pointer_to(param.type), {address});
        place(param.result, param.type, pointer);
    }
    Id pointer_to(Id type) { return builder_.type_pointer(storage_, type); }

    /// Fills each variable of copies_ with its argument, before all other code.
    void insert_loops() {
        if (copies_.empty()) return;
        Block& body = function_->blocks.front();
        const auto variables_end = body.after_variables();
        Block before{.label = builder_.fresh()};
        before.body.assign(std::make_move_iterator(body.body.begin()),
                           std::make_move_iterator(variables_end));
        body.body.erase(body.body.begin(), variables_end);
        std::ranges::move(variables_, std::back_inserter(before.body));
        std::vector<Block> blocks;
        for (const Copy& copy : copies_) {
            const Id after = &copy == &copies_.back() ? body.label : builder_.fresh();
            add_loop(copy, std::move(before), after, blocks);
            before = {.label = after};
        }
        function_->blocks.insert(function_->blocks.begin(), std::make_move_iterator(blocks.begin()),
                                 std::make_move_iterator(blocks.end()));
    }
    struct Copy {
        Id variable = {};
        uint32_t first = 0, count = 0;  // words
    };
    /// The loop that fills a variable, between two blocks.
    void add_loop(const Copy& copy, Block before, Id after, std::vector<Block>& blocks) {
        const Id u32 = builder_.type_int(32), word = builder_.type_pointer(spv::StorageClass::Function, u32);
        if (!block_) {
            block_ = builder_.variable(spv::StorageClass::Input,
                                       builder_.type_array(u32, std::numeric_limits<uint16_t>::max()));
            builder_.name(block_, "caldera.ArgumentWords");
        }
        Block loop{.label = builder_.fresh()}, next{.label = builder_.fresh()};
        builder_.set_sink(&before.body);
        const Id words = builder_.append(Op::OpBitcast, word, {copy.variable});
        before.terminator = {.op = Op::OpBranch, .operands = {loop.label}};

        const Id following = builder_.fresh();
        builder_.set_sink(&loop.body);
        const Id i =
            builder_.append(Op::OpPhi, u32, {builder_.constant_u32(0), before.label, following, next.label});
        const Id from = builder_.append(Op::OpIAdd, u32, {i, builder_.constant_u32(copy.first)});
        const Id read = builder_.append(Op::OpAccessChain,
                                        builder_.type_pointer(spv::StorageClass::Input, u32), {block_, from});
        const Id value = builder_.append(Op::OpLoad, u32, {read});
        const Id written = builder_.append(Op::OpInBoundsPtrAccessChain, word, {words, i});
        builder_.append_void(
            Op::OpStore, {written, value, spv::MemoryAccessMask::Aligned, static_cast<uint32_t>(kWordBytes)});
        loop.merge = {.op = Op::OpLoopMerge,
                      .operands = {after, next.label, spv::LoopControlMask::DontUnroll}};
        loop.terminator = {.op = Op::OpBranch, .operands = {next.label}};

        builder_.set_sink(&next.body);
        builder_.append(
            {.op = Op::OpIAdd, .type = u32, .result = following, .operands = {i, builder_.constant_u32(1)}});
        const Id more = builder_.append(Op::OpULessThan, builder_.type_bool(),
                                        {following, builder_.constant_u32(copy.count)});
        builder_.set_sink(nullptr);
        next.terminator = {.op = Op::OpBranchConditional, .operands = {more, loop.label, after}};
        for (Block* block : {&before, &loop, &next}) blocks.push_back(std::move(*block));
    }

    /// Whether only parts of the value are used, or it is stored.
    bool is_taken_apart(Id value) const {
        return std::ranges::all_of((*uses_)[value], [&](const Uses::Use& use) {
            if (use.inst->op == Op::OpStore) return use.operand == 1 && !access_at(*use.inst, 2).is_volatile;
            return use.inst->op == Op::OpCompositeExtract;
        });
    }

    /// Records that the value is the memory to which `pointer` points.
    void place(Id value, Id type, Id pointer) {
        for (const Uses::Use& use : (*uses_)[value]) {
            if (use.inst->op == Op::OpStore) {
                store(*use.inst, type, pointer);
                continue;
            }
            Operands chain = {pointer};
            for (size_t i = 1; i < use.inst->operands.size(); ++i)
                chain.push_back(builder_.constant_u32(use.inst->word(i)));
            const Id part = use.inst->type;
            const Id at = builder_.append(Op::OpInBoundsAccessChain, pointer_to(part), std::move(chain));
            if (is_large_(part) && is_taken_apart(use.inst->result)) {
                place(use.inst->result, part, at);
                removed_.insert(use.inst->result);
            } else {
                loaded_[use.inst->result] = at;
            }
        }
    }
    void store(const Instruction& inst, Id type, Id pointer) {
        const Id to = inst.id(0);
        if (is_only_read(to, type, inst)) {
            stands_for_.set(to, pointer);
            replaced_.insert(to);
            retype(to);
            forwarded_.insert(&inst);
        } else {
            copied_[&inst] = pointer;
        }
    }
    bool is_only_read(Id variable, Id type, const Instruction& store) const {
        const auto& entry = function_->blocks[0].body;
        const auto def = std::ranges::find(entry, variable, &Instruction::result);
        return def != entry.end() && def->op == Op::OpVariable && def->operands.size() == 1 &&
               builder_.pointee(def->type) == type && is_read(variable, &store, 0);
    }
    bool is_read(Id pointer, const Instruction* store, uint32_t depth) const {
        return depth < kMaxDerivations && std::ranges::all_of((*uses_)[pointer], [&](const Uses::Use& use) {
                   const Instruction& inst = *use.inst;
                   if (&inst == store) return use.operand == 0;
                   if (inst.op == Op::OpLoad) return !access_at(inst, 1).is_volatile;
                   if (inst.op == Op::OpCopyMemory || inst.op == Op::OpCopyMemorySized)
                       return use.operand == 1;
                   return computes_pointer(inst.op) && builder_.is_pointer(inst.type) && use.operand == 0 &&
                          is_read(inst.result, store, depth + 1);
               });
    }
    /// Makes pointers that are derived from this pointer point to the buffer.
    void retype(Id pointer) {
        for (const Uses::Use& use : (*uses_)[pointer]) {
            if (!computes_pointer(use.inst->op)) continue;
            types_[use.inst->result] = pointer_to(builder_.pointee(use.inst->type));
            retype(use.inst->result);
        }
    }

    void rewrite() {
        for (Block& block : function_->blocks) {
            std::vector<Instruction> out;
            for (Instruction& inst : block.body) {
                if (removed_.contains(inst.result) || replaced_.contains(inst.result) ||
                    forwarded_.contains(&inst))
                    continue;
                if (const auto at = loaded_.find(inst.result); inst.result && at != loaded_.end()) {
                    inst.op = Op::OpLoad;
                    inst.operands = {at->second, spv::MemoryAccessMask::Aligned,
                                     static_cast<uint32_t>(layout_.of(inst.type).alignment_bytes)};
                }
                if (const auto from = copied_.find(&inst); from != copied_.end()) {
                    inst.op = Op::OpCopyMemory;
                    inst.operands[1] = from->second;
                }
                if (const auto type = types_.find(inst.result); inst.result && type != types_.end())
                    inst.type = type->second;
                stands_for_.apply(inst);
                out.push_back(std::move(inst));
            }
            block.body = std::move(out);
        }
    }

    Builder& builder_;
    const OpenclLayout& layout_;
    LargeTypes& is_large_;
    bool descriptors_;
    spv::StorageClass storage_;  // of the memory that arguments are in
    Id& block_;                  // the Input variable, once it is needed
    Function* function_ = nullptr;
    const Uses* uses_ = nullptr;
    std::vector<Instruction> entry_ = {};  // for the start of the function
    std::vector<Instruction> variables_ = {};
    std::vector<Copy> copies_ = {};
    IdMap<Id> loaded_ = {};  // part of an argument -> pointer to it
    IdMap<Id> types_ = {};   // pointers that point to the buffer
    IdSet removed_ = {}, replaced_ = {};
    std::map<const Instruction*, Id> copied_ = {};  // stores that are copies from a pointer
    std::set<const Instruction*> forwarded_ = {};   // stores to variables that are gone
    Substitution stands_for_;
};

}  // namespace

Result<Done> copy_aggregates(Module& module, PassContext& context) {
    Builder builder(module);
    const OpenclLayout layout(builder);
    LargeTypes is_large(builder);
    const TranslateOptions& options = context.options;
    const std::vector<Kernel>& kernels = context.interface.kernels;
    const bool descriptors = options.abi == Abi::Descriptors;
    if (descriptors || options.profile.int64) {
        Id& block = descriptors ? context.variables.argument_words : context.variables.arguments;
        for (size_t i = 0; i < std::min(kernels.size(), module.entry_points.size()); ++i) {
            const auto function =
                std::ranges::find(module.functions, module.entry_points[i].id(1), &Function::id);
            if (function == module.functions.end()) continue;
            ArgumentPlacer(builder, layout, is_large, descriptors, block)
                .run(*function, kernels[i], options.profile.max_push_constants_bytes);
        }
    }
    const MemoryFacts facts(module, builder);
    for (Function& function : module.functions)
        if (!function.blocks.empty())
            PairJoiner(builder, layout, facts, is_large, !descriptors || options.argument_table)
                .run(function);
    return Done{};
}

}  // namespace caldera::vulkan
