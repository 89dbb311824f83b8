// SPDX-License-Identifier: Apache-2.0
// lower_interface: turns kernels into GLCompute entry points without parameters. Before: a kernel's
// parameters are scalars, vectors and structs. Global pointers are u64, or are gone with descriptors; local
// ones are gone. Built-in variables have OpenCL's types. After: parameters are loads of the argument block in
// the entry block, and built-in variables are Vulkan's. Values that Vulkan does not have are hidden
// arguments. The interface is complete.
//
// In a function that is not a kernel, hidden arguments come from Private variables that the kernels set on
// entry, because such a function may serve kernels with different argument blocks.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/lower/memory_semantics.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/argument_block.h"
#include "vulkan/translate/support/number_arguments.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::BuiltIn;
using spv::Op;

/// An Input variable: one of OpenCL's built-in variables, or a hidden argument as it is.
struct Input {
    std::optional<BuiltIn> builtin = {};
    HiddenKind hidden = {};
    bool is_block = false;  ///< the argument block itself
    bool is_words = false;  ///< its words
    bool operator==(BuiltIn other) const { return builtin == other; }
    static constexpr uint32_t kBlockKey = uint32_t{1} << 31;
    /// Tells inputs apart.
    uint32_t key() const {
        if (is_block) return kBlockKey;
        return builtin ? static_cast<uint32_t>(*builtin) : ~static_cast<uint32_t>(hidden);
    }
};
/// One component of a hidden argument.
using HiddenComponent = std::pair<HiddenKind, uint32_t>;

struct HiddenShape {
    uint32_t component_bytes, count;
};
HiddenShape shape(HiddenKind kind) {
    switch (kind) {
        case HiddenKind::GlobalOffset:
        case HiddenKind::GlobalSize:
        case HiddenKind::GlobalIdBase: return {8, 3};
        case HiddenKind::NumGroups:
        case HiddenKind::EnqueuedLocalSize:
        case HiddenKind::GroupBase:
        case HiddenKind::RegionSize: return {4, 3};
        case HiddenKind::WorkDim: return {4, 1};
        case HiddenKind::Command: return {4, 1};
        case HiddenKind::DataSegment:
        case HiddenKind::PrintfBuffer:
        case HiddenKind::DeviceQueue: return {8, 1};
    }
    return {};
}

std::vector<HiddenKind> hidden_of(Input input, bool simple_ndrange, bool has_subgroups) {
    if (input.is_block || input.is_words) return {};
    if (!input.builtin) return {input.hidden};
    if (simple_ndrange) return {};
    switch (*input.builtin) {
        case BuiltIn::SubgroupMaxSize:
            return has_subgroups ? std::vector<HiddenKind>{} : std::vector{HiddenKind::EnqueuedLocalSize};
        case BuiltIn::NumEnqueuedSubgroups:
            return has_subgroups ? std::vector{HiddenKind::EnqueuedLocalSize} : std::vector<HiddenKind>{};
        case BuiltIn::GlobalInvocationId: return {HiddenKind::GlobalIdBase};
        case BuiltIn::GlobalSize: return {HiddenKind::GlobalSize};
        case BuiltIn::GlobalOffset: return {HiddenKind::GlobalOffset};
        case BuiltIn::WorkgroupId: return {HiddenKind::GroupBase};
        case BuiltIn::NumWorkgroups: return {HiddenKind::NumGroups};
        case BuiltIn::EnqueuedWorkgroupSize: return {HiddenKind::EnqueuedLocalSize};
        case BuiltIn::WorkDim: return {HiddenKind::WorkDim};
        case BuiltIn::GlobalLinearId:
            return {HiddenKind::GlobalOffset, HiddenKind::GlobalSize, HiddenKind::GlobalIdBase};
        default: return {};
    }
}

bool is_sub_group_input(BuiltIn input) {
    switch (input) {
        case BuiltIn::SubgroupSize:
        case BuiltIn::SubgroupMaxSize:
        case BuiltIn::NumSubgroups:
        case BuiltIn::NumEnqueuedSubgroups:
        case BuiltIn::SubgroupId:
        case BuiltIn::SubgroupLocalInvocationId:
        case BuiltIn::SubgroupEqMask:
        case BuiltIn::SubgroupGeMask:
        case BuiltIn::SubgroupGtMask:
        case BuiltIn::SubgroupLeMask:
        case BuiltIn::SubgroupLtMask: return true;
        default: return false;
    }
}

/// Whether a work-item's value of this input does not depend on the division into work-groups.
bool ignores_groups(BuiltIn input) {
    switch (input) {
        case BuiltIn::GlobalInvocationId:
        case BuiltIn::GlobalLinearId:
        case BuiltIn::GlobalOffset:
        case BuiltIn::GlobalSize:
        case BuiltIn::WorkDim: return true;
        default: return false;
    }
}

/// Components of Vulkan's variable.
uint32_t component_count(BuiltIn input) {
    if (input == BuiltIn::LocalInvocationIndex) return 1;
    if (!is_sub_group_input(input)) return 3;
    return input >= BuiltIn::SubgroupEqMask && input <= BuiltIn::SubgroupLtMask ? 4 : 1;
}

constexpr uint32_t kConverted = 4, kWholeVector = 8;

/// State for rewriting the body of a function.
struct Scope {
    ArgumentReader* reader = nullptr;  // kernels only
    const Kernel* kernel = nullptr;
    std::vector<Instruction> prologue = {};
    size_t prologue_length = 0;  // once it is at the function's entry
    std::map<std::pair<uint32_t, uint32_t>, Id> components =
        {};  // (input, dimension) -> value, in the prologue
    std::map<HiddenComponent, Id> hidden = {};
    std::map<uint32_t, Id> vulkan_inputs = {};  // BuiltIn -> loaded value
    spirv::Substitution replaced = {};
};

class InterfaceLowering {
 public:
    InterfaceLowering(Module& module, PassContext& context)
        : module_(module), context_(context), builder_(module), layout_(builder_) {
        find_inputs();
        if (context.options.profile.subgroups) find_sub_group_functions();
        if (context.options.partial_groups && !simple()) find_group_functions();
    }

    void run() {
        choose_local_size();
        shorten_group_values();
        CallGraph graph(module_);
        std::vector<bool> is_kernel(module_.functions.size());
        for (const Instruction& entry : module_.entry_points) {
            const uint32_t function = graph.index_of(entry.id(1));
            check(function != CallGraph::kNone, "an entry point names no function");
            is_kernel[function] = true;
        }
        for (size_t i = 0; i < module_.functions.size(); ++i)
            if (!is_kernel[i]) lower_function(module_.functions[i]);
        check(context_.interface.kernels.size() == module_.entry_points.size(),
              "an entry point is not in the interface");
        for (size_t i = 0; i < module_.entry_points.size(); ++i)
            lower_kernel(module_.entry_points[i], context_.interface.kernels[i], graph);
        std::erase_if(module_.globals, [&](const Instruction& inst) {
            return inputs_.contains(inst.result) || replaced_variables_.contains(inst.result);
        });
        lower_execution_modes();
        keep_vulkan_annotations();
        const bool all_variables = spirv::spirv_version(context_.options.target) >= 0x00010400;
        set_entry_point_interfaces(module_, all_variables);
    }

 private:
    // ---- The OpenCL module's input variables ----

    void find_inputs() {
        for (const Instruction& inst : module_.annotations)
            if (inst.op == Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::BuiltIn))
                if (is_input(inst.id(0)))
                    inputs_.emplace(inst.id(0), Input{.builtin = static_cast<BuiltIn>(inst.word(2))});
        const PassVariables& made = context_.variables;
        for (const auto& [id, kind] : made.hidden) inputs_.emplace(id, Input{.hidden = kind});
        if (made.arguments) inputs_.emplace(made.arguments, Input{.is_block = true});
        if (made.argument_words) inputs_.emplace(made.argument_words, Input{.is_words = true});
    }
    bool is_input(Id id) const {
        const Instruction* inst = builder_.find_global(id);
        return inst && inst->op == Op::OpVariable &&
               inst->word(0) == static_cast<uint32_t>(spv::StorageClass::Input);
    }

    /// Finds the functions that use the device's sub-groups.
    void find_sub_group_functions() {
        const auto asks = [&](const Instruction& inst) {
            if (inst.op == Op::OpControlBarrier)
                return builder_.constant_value(inst.id(0)) == static_cast<uint64_t>(spv::Scope::Subgroup);
            if (inst.op == Op::OpLoad) {
                const auto input = inputs_.find(inst.id(0));
                return input != inputs_.end() && input->second.builtin &&
                       is_sub_group_input(*input->second.builtin);
            }
            return inst.op >= Op::OpGroupNonUniformElect && inst.op <= Op::OpGroupNonUniformQuadSwap;
        };
        for (const Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                if (std::ranges::any_of(block.body, asks)) sub_group_functions_.insert(function.id());
    }

    /// Finds the functions that can detect the division into work-groups: they use built-in variables, local
    /// memory, barriers, fences or sub-groups.
    void find_group_functions() {
        spirv::IdSet local;
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpVariable &&
                inst.word(0) == static_cast<uint32_t>(spv::StorageClass::Workgroup))
                local.insert(inst.result);
        for (const Function& function : module_.functions) {
            bool tells = sub_group_functions_.contains(function.id());
            for_each_use(function, [&](const spirv::Operand& operand) {
                const auto input = inputs_.find(operand.id());
                tells |= local.contains(operand.id()) || (input != inputs_.end() && input->second.builtin &&
                                                          !ignores_groups(*input->second.builtin));
            });
            for (const spirv::Block& block : function.blocks)
                tells |= std::ranges::any_of(block.body,
                                             [&](const Instruction& inst) { return waits_or_orders(inst); });
            if (tells) group_functions_.insert(function.id());
        }
    }

    /// Whether the instruction is a barrier, a fence, or an atomic operation that orders memory. llvmpipe takes a
    /// fence for a barrier of the work-group (fences_are_barriers), which work-items that have returned do not
    /// reach.
    bool waits_or_orders(const Instruction& inst) const {
        if (inst.op == Op::OpControlBarrier || inst.op == Op::OpMemoryBarrier) return true;
        if (!spirv::is_atomic(inst.op)) return false;
        const std::optional<uint64_t> semantics = builder_.constant_value(inst.id(2));
        return !semantics || (*semantics & kOrders) != 0;
    }

    // ---- Work-group size ----

    /// A WorkgroupSize constant overrides LocalSize of every entry point: the kernels of a module share it,
    /// and it can be specialised. A required size is usually only its default, since a group at the edge of a
    /// range may be smaller if the size does not divide the range (OpenCL C 3.0 6.7.2). It is a constant if
    /// all groups have the same size, or for readers of clspv's reflection, which has no other form.
    /// LocalSizeId could differ between kernels, but only devices with maintenance4 support it. With
    /// sub-groups, Vulkan sees only one dimension. Devices then fill all sub-groups, as full sub-groups
    /// require, and divide work-groups in the order of the linear id.
    void choose_local_size() {
        const std::vector<Kernel>& kernels = context_.interface.kernels;
        if (kernels.empty()) return;
        const auto first = kernels.front().required_local_size;
        const bool same = std::all_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
            return kernel.required_local_size == first;
        });
        if (same && first[0] != 0) default_local_size_ = first;
        const TranslateOptions& options = context_.options;
        fixed_local_size_ =
            same && first[0] != 0 && (options.uniform_work_group_size || options.clspv_reflection);
        is_flat_ = !sub_group_functions_.empty();
        for (uint32_t i = 0; i < 3; ++i) {
            if (fixed_local_size_) {
                local_size_[i] = builder_.constant_u32(first[i]);
                continue;
            }
            local_size_[i] =
                builder_.spec_constant_u32(kernels.front().local_size_spec_ids[i], default_local_size_[i]);
            builder_.name(local_size_[i], std::string("local_size_") + "xyz"[i]);
        }
        if (fixed_local_size_) return;
        const Id one = builder_.constant_u32(1);
        const Id size =
            builder_.global(Op::OpSpecConstantComposite, builder_.type_vector(builder_.type_int(32), 3),
                            is_flat_ ? spirv::Operands{group_size(), one, one}
                                     : spirv::Operands{local_size_[0], local_size_[1], local_size_[2]});
        builder_.decorate(size, spv::Decoration::BuiltIn, {BuiltIn::WorkgroupSize});
    }

    /// Work-items of a group.
    Id group_size() {
        if (group_size_) return group_size_;
        if (fixed_local_size_)
            return group_size_ = builder_.constant_u32(default_local_size_[0] * default_local_size_[1] *
                                                       default_local_size_[2]);
        const Id u32 = builder_.type_int(32);
        const Id row =
            builder_.global(Op::OpSpecConstantOp, u32, {Op::OpIMul, local_size_[0], local_size_[1]});
        return group_size_ = builder_.global(Op::OpSpecConstantOp, u32, {Op::OpIMul, row, local_size_[2]});
    }

    /// The arrays with which group functions store a value for each work-item have the length of the
    /// work-group, not that of the largest one.
    void shorten_group_values() {
        spirv::Substitution replaced;
        for (const Id id : context_.variables.group_values) {
            const Id array = builder_.pointee(builder_.type_of(id));
            const auto each = static_cast<uint32_t>(builder_.array_length(array) /
                                                    context_.options.profile.max_local_invocations);
            Id length = group_size();
            if (each > 1)
                length = builder_.global(Op::OpSpecConstantOp, builder_.type_int(32),
                                         {Op::OpIMul, length, builder_.constant_u32(each)});
            const Id shorter = builder_.variable(spv::StorageClass::Workgroup,
                                                 builder_.type_array(builder_.element(array), length));
            builder_.name(shorter, "caldera.group_values");
            replaced.set(id, shorter);
            replaced_variables_.insert(id);
        }
        if (replaced_variables_.empty()) return;
        for (Function& function : module_.functions) replaced.apply(function);
    }

    void lower_execution_modes() {
        std::vector<Instruction> modes;
        std::vector<uint32_t> float_widths;
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpTypeFloat) float_widths.push_back(inst.word(0));
        for (const Instruction& entry : module_.entry_points) {
            Instruction mode{.op = Op::OpExecutionMode,
                             .operands = {entry.id(1), spv::ExecutionMode::LocalSize}};
            std::array<uint32_t, 3> size = default_local_size_;
            if (is_flat_) size = {size[0] * size[1] * size[2], 1, 1};
            mode.operands.insert(mode.operands.end(), size.begin(), size.end());
            modes.push_back(std::move(mode));
            add_float_controls(entry.id(1), float_widths, modes);
        }
        module_.execution_modes = std::move(modes);
        context_.interface.float_controls.assign(float_controls_.begin(), float_controls_.end());
    }

    /// OpenCL's float behaviour, as far as the device guarantees it (OpenCL C 3.0 7.1, 7.5). If the device is
    /// told for each instruction, keep_float_order handles signs of zeros, infinities and NaN instead.
    void add_float_controls(Id kernel, const std::vector<uint32_t>& widths, std::vector<Instruction>& modes) {
        const DeviceProfile& profile = context_.options.profile;
        for (const uint32_t width : widths) {
            const FloatControls& controls = width == 16   ? profile.float16_controls
                                            : width == 32 ? profile.float32_controls
                                                          : profile.float64_controls;
            auto add = [&](bool wanted, spv::ExecutionMode mode, const char* property) {
                if (!wanted) return;
                modes.push_back({.op = Op::OpExecutionMode, .operands = {kernel, mode, width}});
                float_controls_.insert(property + std::to_string(width));
            };
            add(controls.preserve_denormals && (width == 16 || !context_.options.denorms_are_zero),
                spv::ExecutionMode::DenormPreserve, "shaderDenormPreserveFloat");
            add(controls.preserve_special && !context_.options.fast_math && !profile.float_controls2,
                spv::ExecutionMode::SignedZeroInfNanPreserve, "shaderSignedZeroInfNanPreserveFloat");
            add(controls.round_to_nearest_even && !profile.quirks.slow_rounding_mode,
                spv::ExecutionMode::RoundingModeRTE, "shaderRoundingModeRTEFloat");
        }
    }

    // ---- Kernels ----

    void lower_kernel(Instruction& entry, Kernel& kernel, CallGraph& graph) {
        entry.operands[0] = spv::ExecutionModel::GLCompute;
        const std::vector<uint32_t> reached = graph.functions(entry.id(1));
        Function& function = module_.functions[reached.front()];
        kernel.ignores_groups = context_.options.partial_groups && !simple() &&
                                kernel.required_local_size[0] == 0 &&
                                std::ranges::none_of(reached, [&](uint32_t index) {
                                    return group_functions_.contains(module_.functions[index].id());
                                });
        lay_out(kernel, function, reached);

        ArgumentReader reader(builder_, layout_, kernel.block, kernel.block_binding,
                              context_.options.profile.int64);
        Scope scope{.reader = &reader, .kernel = &kernel};
        builder_.set_sink(&scope.prologue);
        load_parameters(function, kernel, scope);
        kernel.uses_sub_groups = std::ranges::any_of(reached, [&](uint32_t index) {
            return sub_group_functions_.contains(module_.functions[index].id());
        });
        std::set<HiddenComponent> needed;
        for (uint32_t callee : reached) {
            const auto found = private_needs_.find(module_.functions[callee].id());
            if (found != private_needs_.end()) needed.insert(found->second.begin(), found->second.end());
        }
        for (const HiddenComponent& component : needed)
            builder_.append_void(Op::OpStore, {private_variable(component), hidden(scope, component)});
        builder_.set_sink(nullptr);
        lower_body(function, scope);
        if (kernel.ignores_groups) leave_beyond_region(function, scope);
        reader.finish(kernel.name + ".arguments");
        if (context_.options.profile.quirks.runs_padding && has_subgroups() &&
            std::ranges::any_of(reached, [&](uint32_t i) { return has_loop(module_.functions[i]); }))
            leave_padding(function);

        function.params.clear();
        function.def.operands = {spv::FunctionControlMask::MaskNone,
                                 builder_.type_function(builder_.type_void(), {})};
    }

    /// Lanes that no work-item has return at once: their bits of a ballot are 0, which no work-item finds of
    /// its own. Their ids do not tell, since compilers know those of a work-group of one.
    void leave_padding(Function& kernel) {
        leave_unless(kernel, 0, [&] {
            Scope scope;
            const Id subgroup = builder_.constant_u32(static_cast<uint32_t>(spv::Scope::Subgroup));
            const Id ballot =
                builder_.append(Op::OpGroupNonUniformBallot, builder_.type_vector(builder_.type_int(32), 4),
                                {subgroup, builder_.constant_bool(true)});
            const Id lane = vulkan_input(scope, BuiltIn::SubgroupLocalInvocationId, 0);
            return builder_.append(Op::OpGroupNonUniformBallotBitExtract, builder_.type_bool(),
                                   {subgroup, ballot, lane});
        });
    }

    /// Makes work-items beyond the region return at once, if the pipeline says that groups may extend there.
    void leave_beyond_region(Function& kernel, Scope& scope) {
        if (!full_groups_) {
            uint32_t& spec_id = context_.interface.full_groups_spec_id;
            spec_id = first_free_spec_id(context_.interface);
            full_groups_ = builder_.spec_constant_true(spec_id);
        }
        leave_unless(kernel, scope.prologue_length, [&] {
            const Id boolean = builder_.type_bool();
            Id inside = {};
            for (uint32_t d = 0; d < 3; ++d) {
                const Id is_below =
                    builder_.append(Op::OpULessThan, boolean,
                                    {global_id(scope, d), hidden(scope, {HiddenKind::RegionSize, d})});
                inside = inside ? builder_.append(Op::OpLogicalAnd, boolean, {inside, is_below}) : is_below;
            }
            return builder_.append(Op::OpLogicalOr, boolean, {full_groups_, inside});
        });
    }

    /// Makes the kernel return, after its variables and its first `instructions` instructions, unless the
    /// condition that `emit` makes holds.
    template <class Emit>
    void leave_unless(Function& kernel, size_t instructions, Emit emit) {
        spirv::Block& body = kernel.blocks.front();
        spirv::Block entry{.label = builder_.fresh()}, leave{.label = builder_.fresh()};
        const auto end = body.after_variables() + static_cast<std::ptrdiff_t>(instructions);
        entry.body.assign(std::make_move_iterator(body.body.begin()), std::make_move_iterator(end));
        body.body.erase(body.body.begin(), end);
        builder_.set_sink(&entry.body);
        const Id stays = emit();
        builder_.set_sink(nullptr);
        entry.merge = {.op = Op::OpSelectionMerge, .operands = {body.label, 0u}};
        entry.terminator = {.op = Op::OpBranchConditional, .operands = {stays, body.label, leave.label}};
        leave.terminator = {.op = Op::OpReturn};
        kernel.blocks.insert(kernel.blocks.begin(), {std::move(entry), std::move(leave)});
    }

    /// Arguments in order by OpenCL's layout, then the hidden ones (interface.h says what each holds).
    void lay_out(Kernel& kernel, const Function& function, const std::vector<uint32_t>& reached) {
        uint64_t end = 0;
        auto place = [&](uint64_t size, uint64_t alignment) {
            const uint64_t at = (end + alignment - 1) / alignment * alignment;
            end = at + size;
            return static_cast<uint32_t>(at);
        };
        size_t param = 0;
        for (KernelArgument& argument : kernel.arguments) {
            if (!has_bytes(argument)) continue;
            check(param < function.params.size(), "a kernel has fewer parameters than its interface");
            const TypeLayout layout = layout_.of(function.params[param++].type);
            argument.offset_bytes = place(argument.size_bytes, layout.alignment_bytes);
        }
        check(param == function.params.size(), "a kernel has more parameters than its interface");
        std::set<HiddenKind> kinds;
        for_each_use(function, [&](const spirv::Operand& operand) {
            if (const auto input = inputs_.find(operand.id()); input != inputs_.end())
                for (HiddenKind kind : hidden_of(input->second, simple(), has_subgroups()))
                    kinds.insert(kind);
        });
        for (uint32_t index : reached)
            if (const auto found = private_needs_.find(module_.functions[index].id());
                found != private_needs_.end())
                for (const HiddenComponent& component : found->second) kinds.insert(component.first);
        kernel.hidden.clear();
        for (HiddenKind kind : kinds) {
            const HiddenShape s = shape(kind);
            kernel.hidden.push_back({kind, place(s.component_bytes * s.count, s.component_bytes)});
        }
        if (kernel.ignores_groups) {
            // RegionSize is left out if its bytes would make the block too large for push constants.
            const uint64_t without = end, limit = context_.options.profile.max_push_constants_bytes;
            const HiddenShape s = shape(HiddenKind::RegionSize);
            const uint32_t at = place(s.component_bytes * s.count, s.component_bytes);
            kernel.ignores_groups = without > limit || end <= limit;
            if (kernel.ignores_groups)
                kernel.hidden.push_back({HiddenKind::RegionSize, at});
            else
                end = without;
        }
        kernel.block_bytes = static_cast<uint32_t>((end + 3) / 4 * 4);
        kernel.block = kernel.block_bytes <= context_.options.profile.max_push_constants_bytes
                           ? ArgumentBlock::PushConstants
                       : descriptors() ? ArgumentBlock::UniformBuffer
                                       : ArgumentBlock::Buffer;
        if (kernel.block != ArgumentBlock::UniformBuffer) kernel.block_binding = kNoBinding;
    }
    bool descriptors() const { return context_.options.abi == Abi::Descriptors; }
    bool simple() const { return context_.options.simple_ndrange; }
    bool has_subgroups() const { return context_.options.profile.subgroups; }
    /// It is in the argument block, and a parameter still.
    bool has_bytes(const KernelArgument& argument) const {
        return is_by_value(argument.kind) || (argument.kind != ArgumentKind::LocalPointer && !descriptors());
    }

    void load_parameters(const Function& function, const Kernel& kernel, Scope& scope) {
        spirv::IdSet params, used;
        for (const Instruction& inst : function.params) params.insert(inst.result);
        for_each_use(function, [&](const spirv::Operand& operand) {
            if (params.contains(operand.id())) used.insert(operand.id());
        });
        size_t param = 0;
        for (const KernelArgument& argument : kernel.arguments) {
            if (!has_bytes(argument)) continue;
            const Instruction& inst = function.params[param++];
            if (used.contains(inst.result))
                scope.replaced.set(inst.result, scope.reader->load(inst.type, argument.offset_bytes));
        }
    }

    // ---- Functions ----

    void lower_function(Function& function) {
        if (function.blocks.empty()) return;
        Scope scope;
        lower_body(function, scope);
        for (const auto& [component, value] : scope.hidden) private_needs_[function.id()].insert(component);
    }

    void lower_body(Function& function, Scope& scope) {
        find_whole_uses(function);
        for (spirv::Block& block : function.blocks) {
            std::vector<Instruction> out;
            out.reserve(block.body.size());
            for (Instruction& inst : block.body)
                if (!lower(inst, scope, out)) out.push_back(std::move(inst));
            block.body = std::move(out);
        }
        scope.prologue_length = scope.prologue.size();
        function.insert_at_entry(std::move(scope.prologue));
        scope.replaced.apply(function);
    }

    /// Loads of built-in vectors that something else than an extraction uses.
    void find_whole_uses(const Function& function) {
        whole_.clear();
        loads_.clear();
        chains_.clear();
        spirv::IdSet loads;
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == Op::OpLoad && inputs_.contains(inst.id(0))) loads.insert(inst.result);
        if (loads.empty()) return;
        auto visit = [&](const Instruction& inst) {
            const bool extracts = inst.op == Op::OpCompositeExtract || inst.op == Op::OpVectorExtractDynamic;
            for (size_t i = extracts ? 1 : 0; i < inst.operands.size(); ++i)
                if (inst.operands[i].is_id && loads.contains(inst.id(i))) whole_.insert(inst.id(i));
        };
        for (const spirv::Block& block : function.blocks) {
            for (const Instruction& inst : block.body) visit(inst);
            visit(block.terminator);
        }
    }

    /// True when `inst` is replaced.
    bool lower(Instruction& inst, Scope& scope, std::vector<Instruction>& out) {
        switch (inst.op) {
            case Op::OpLoad: return lower_load(inst, scope, out);
            case Op::OpCompositeExtract: {
                const auto load = loads_.find(inst.id(0));
                if (load == loads_.end()) return false;
                scope.replaced.set(inst.result, component(scope, load->second, inst.word(1), inst.type));
                return true;
            }
            case Op::OpVectorExtractDynamic: {
                const auto load = loads_.find(inst.id(0));
                if (load == loads_.end()) return false;
                dynamic_component(inst, scope, load->second, inst.id(1), out);
                return true;
            }
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain: {
                const auto input = inputs_.find(inst.id(0));
                if (input == inputs_.end()) return false;
                if (input->second.is_words) {
                    const spirv::SinkScope sink(builder_, &out);
                    scope.replaced.set(inst.result,
                                       scope.reader->word(inst.id(1), scope.kernel->block_bytes));
                    return true;
                }
                chains_.emplace(inst.result, std::pair{input->second, inst.id(1)});
                return true;
            }
            default: return false;
        }
    }

    bool lower_load(Instruction& inst, Scope& scope, std::vector<Instruction>& out) {
        if (const auto input = inputs_.find(inst.id(0)); input != inputs_.end()) {
            if (!builder_.is_vector(inst.type)) {
                scope.replaced.set(inst.result, component(scope, input->second, 0, inst.type));
                return true;
            }
            loads_.emplace(inst.result, input->second);
            if (whole_.contains(inst.result))
                scope.replaced.set(inst.result, whole_vector(scope, input->second, inst.type));
            return true;
        }
        const auto chain = chains_.find(inst.id(0));
        if (chain == chains_.end()) return false;
        const auto& [input, index] = chain->second;
        if (const std::optional<uint64_t> constant = builder_.constant_value(index)) {
            scope.replaced.set(inst.result,
                               component(scope, input, static_cast<uint32_t>(*constant), inst.type));
            return true;
        }
        dynamic_component(inst, scope, input, index, out);
        return true;
    }

    /// By an index that is not constant. Past the dimensions the functions give 0, or 1 for sizes (OpenCL C
    /// 3.0 6.15.1); not every front end asks first.
    void dynamic_component(const Instruction& inst, Scope& scope, Input input, Id index,
                           std::vector<Instruction>& out) {
        const Id vector = whole_vector(scope, input, builder_.type_vector(inst.type, 3));
        const Id index_type = builder_.type_of(index);
        const spirv::SinkScope sink(builder_, &out);
        const Id inside = builder_.append(Op::OpULessThan, builder_.type_bool(),
                                          {index, builder_.constant_int(index_type, 3)});
        const Id value = builder_.append(Op::OpVectorExtractDynamic, inst.type, {vector, index});
        const Id outside = builder_.constant_int(inst.type, is_size(input) ? 1 : 0);
        builder_.append({.op = Op::OpSelect,
                         .type = inst.type,
                         .result = inst.result,
                         .operands = {inside, value, outside},
                         .line = inst.line});
    }
    static bool is_size(Input input) {
        return input == BuiltIn::GlobalSize || input == BuiltIn::NumWorkgroups ||
               input == BuiltIn::WorkgroupSize || input == BuiltIn::EnqueuedWorkgroupSize;
    }

    Id whole_vector(Scope& scope, Input input, Id type) {
        Id& known = scope.components[{input.key(), kWholeVector + type.value}];
        if (known) return known;
        spirv::Operands parts;
        for (uint32_t i = 0; i < builder_.count(type); ++i)
            parts.push_back(component(scope, input, i, builder_.element(type)));
        return known = in_prologue(
                   scope, [&] { return builder_.append(Op::OpCompositeConstruct, type, std::move(parts)); });
    }

    // ---- Values, each computed once, in the function's prologue ----

    template <class Emit>
    Id in_prologue(Scope& scope, Emit emit) {
        const spirv::SinkScope sink(builder_, &scope.prologue);
        return emit();
    }

    Id component(Scope& scope, Input input, uint32_t dimension, Id type) {
        const uint32_t key = input.key();
        Id& known = scope.components[{key, dimension}];
        if (!known) known = in_prologue(scope, [&] { return compute(scope, input, dimension); });
        const uint32_t have = builder_.width(builder_.type_of(known));
        if (have == builder_.width(type)) return known;
        Id& converted = scope.components[{key, kConverted + dimension}];
        if (!converted) converted = in_prologue(scope, [&] { return convert(known, builder_.width(type)); });
        return converted;
    }

    Id convert(Id value, uint32_t width) {
        const Id type = builder_.type_int(width);
        if (builder_.type_of(value) == type) return value;
        if (const std::optional<uint64_t> constant = builder_.constant_value(value))
            return builder_.constant_int(type, *constant);
        return builder_.append(Op::OpUConvert, type, {value});
    }
    Id binary(Op op, Id a, Id b) { return builder_.append(op, builder_.type_of(a), {a, b}); }

    /// OpenCL C 3.0 6.15.1 "Work-Item Functions". A region has fewer than 2^32 work-items per dimension, so
    /// ids within it are 32-bit arithmetic.
    Id compute(Scope& scope, Input input, uint32_t d) {
        if (input.is_block) return scope.reader->address();
        if (!input.builtin) return hidden(scope, {input.hidden, 0});
        const BuiltIn builtin = *input.builtin;
        if (is_sub_group_input(builtin))
            return has_subgroups() ? compute_sub_group(scope, builtin, d)
                                   : compute_only_sub_group(scope, builtin);
        if (simple()) return compute_simple(scope, builtin, d);
        switch (builtin) {
            case BuiltIn::GlobalInvocationId:
                return binary(Op::OpIAdd, hidden(scope, {HiddenKind::GlobalIdBase, d}),
                              convert(global_id(scope, d), 64));
            case BuiltIn::WorkgroupId:
                return binary(Op::OpIAdd, hidden(scope, {HiddenKind::GroupBase, d}),
                              vulkan_input(scope, BuiltIn::WorkgroupId, d));
            case BuiltIn::LocalInvocationId: return local_id(scope, d);
            case BuiltIn::LocalInvocationIndex: return vulkan_input(scope, BuiltIn::LocalInvocationIndex, 0);
            case BuiltIn::GlobalSize: return hidden(scope, {HiddenKind::GlobalSize, d});
            case BuiltIn::GlobalOffset: return hidden(scope, {HiddenKind::GlobalOffset, d});
            case BuiltIn::NumWorkgroups: return hidden(scope, {HiddenKind::NumGroups, d});
            case BuiltIn::EnqueuedWorkgroupSize: return hidden(scope, {HiddenKind::EnqueuedLocalSize, d});
            case BuiltIn::WorkDim: return hidden(scope, {HiddenKind::WorkDim, 0});
            case BuiltIn::WorkgroupSize: return local_size_[d];
            case BuiltIn::GlobalLinearId: return global_linear_id(scope);
            default: check(false, "a built-in variable that Vulkan lacks"); return {};
        }
    }

    /// The same where a dispatch is a whole NDRange without an offset.
    Id compute_simple(Scope& scope, BuiltIn input, uint32_t d) {
        switch (input) {
            case BuiltIn::GlobalInvocationId: return global_id(scope, d);
            case BuiltIn::LocalInvocationId: return local_id(scope, d);
            case BuiltIn::WorkgroupId:
            case BuiltIn::NumWorkgroups: return vulkan_input(scope, input, d);
            case BuiltIn::LocalInvocationIndex: return vulkan_input(scope, input, 0);
            case BuiltIn::GlobalSize:
                return binary(Op::OpIMul, vulkan_input(scope, BuiltIn::NumWorkgroups, d), local_size_[d]);
            case BuiltIn::GlobalOffset: return builder_.constant_u32(0);
            case BuiltIn::EnqueuedWorkgroupSize:
            case BuiltIn::WorkgroupSize: return local_size_[d];
            case BuiltIn::WorkDim: return work_dim();
            case BuiltIn::GlobalLinearId: {
                Id index = global_id(scope, 2);
                for (const uint32_t below : {1, 0}) {
                    const Id size = compute_simple(scope, BuiltIn::GlobalSize, below);
                    const Id id = global_id(scope, below);
                    index = binary(Op::OpIAdd, binary(Op::OpIMul, index, size), id);
                }
                return index;
            }
            default: check(false, "a built-in variable that Vulkan lacks"); return {};
        }
    }
    Id work_dim() {
        if (!work_dim_) work_dim_ = builder_.spec_constant_u32(context_.interface.work_dim_spec_id, 3);
        return work_dim_;
    }

    /// ((z * size_y) + y) * size_x + x, of ids without the global offset; unused dimensions have size 1 and
    /// id 0.
    Id global_linear_id(Scope& scope) {
        Id index = {};
        for (uint32_t d = 3; d-- > 0;) {
            const Id id = compute(scope, Input{BuiltIn::GlobalInvocationId}, d);
            const Id relative = binary(Op::OpISub, id, hidden(scope, {HiddenKind::GlobalOffset, d}));
            if (index) index = binary(Op::OpIMul, index, hidden(scope, {HiddenKind::GlobalSize, d}));
            index = index ? binary(Op::OpIAdd, index, relative) : relative;
        }
        return index;
    }

    // ---- Ids where Vulkan knows one dimension only ----

    Id local_id(Scope& scope, uint32_t d) {
        if (!is_flat_) return vulkan_input(scope, BuiltIn::LocalInvocationId, d);
        Id index = vulkan_input(scope, BuiltIn::LocalInvocationIndex, 0);
        for (uint32_t below = 0; below < d; ++below) index = binary(Op::OpUDiv, index, local_size_[below]);
        if (d == 2) return index;
        // No division where there are no further dimensions: a driver does not know how large the index is.
        const Id further = d == 1 ? local_size_[2] : binary(Op::OpIMul, local_size_[1], local_size_[2]);
        const Id is_last =
            builder_.append(Op::OpIEqual, builder_.type_bool(), {further, builder_.constant_u32(1)});
        return builder_.append(Op::OpSelect, builder_.type_int(32),
                               {is_last, index, binary(Op::OpUMod, index, local_size_[d])});
    }
    /// Within the region.
    Id global_id(Scope& scope, uint32_t d) {
        if (!is_flat_) return vulkan_input(scope, BuiltIn::GlobalInvocationId, d);
        const Id first = binary(Op::OpIMul, vulkan_input(scope, BuiltIn::WorkgroupId, d), local_size_[d]);
        return binary(Op::OpIAdd, first, local_id(scope, d));
    }

    // ---- Sub-groups (cl_khr_subgroups) ----

    /// The device's sub-groups: all have the maximum size except the last one, which has the rest of the
    /// work-group.
    Id compute_sub_group(Scope& scope, BuiltIn input, uint32_t d) {
        switch (input) {
            case BuiltIn::SubgroupMaxSize: return vulkan_input(scope, BuiltIn::SubgroupSize, 0);
            case BuiltIn::SubgroupSize: {
                const Id size = vulkan_input(scope, BuiltIn::SubgroupSize, 0);
                const Id first = binary(Op::OpIMul, vulkan_input(scope, BuiltIn::SubgroupId, 0), size);
                const Id left = binary(Op::OpISub, group_size(), first);
                const Id is_last = builder_.append(Op::OpULessThan, builder_.type_bool(), {left, size});
                return builder_.append(Op::OpSelect, builder_.type_int(32), {is_last, left, size});
            }
            // Vulkan's NumSubgroups leaves uneven sub-groups out on llvmpipe 22.3.
            // driver_quirks.def: counts_sub_groups.
            case BuiltIn::NumSubgroups: return count_sub_groups(scope, group_size());
            case BuiltIn::NumEnqueuedSubgroups: return count_sub_groups(scope, enqueued_group_size(scope));
            default: return vulkan_input(scope, input, d);
        }
    }
    Id count_sub_groups(Scope& scope, Id work_items) {
        const Id one = builder_.constant_u32(1);
        const Id last = binary(Op::OpUDiv, binary(Op::OpISub, work_items, one),
                               vulkan_input(scope, BuiltIn::SubgroupSize, 0));
        return binary(Op::OpIAdd, last, one);
    }
    /// One, as large as the work-group.
    Id compute_only_sub_group(Scope& scope, BuiltIn input) {
        switch (input) {
            case BuiltIn::SubgroupSize: return group_size();
            case BuiltIn::SubgroupMaxSize: return enqueued_group_size(scope);
            case BuiltIn::NumSubgroups:
            case BuiltIn::NumEnqueuedSubgroups: return builder_.constant_u32(1);
            case BuiltIn::SubgroupId: return builder_.constant_u32(0);
            case BuiltIn::SubgroupLocalInvocationId:
                return vulkan_input(scope, BuiltIn::LocalInvocationIndex, 0);
            default: check(false, "a built-in variable that needs sub-groups"); return {};
        }
    }
    Id enqueued_group_size(Scope& scope) {
        Id size = compute(scope, Input{BuiltIn::EnqueuedWorkgroupSize}, 0);
        for (const uint32_t d : {1, 2})
            size = binary(Op::OpIMul, size, compute(scope, Input{BuiltIn::EnqueuedWorkgroupSize}, d));
        return size;
    }

    Id vulkan_input(Scope& scope, BuiltIn builtin, uint32_t d) {
        const Id u32 = builder_.type_int(32);
        const bool scalar = component_count(builtin) == 1;
        const Id type = builder_.with_count(u32, component_count(builtin));
        Id& variable = vulkan_variables_[static_cast<uint32_t>(builtin)];
        if (!variable) {
            variable = builder_.variable(spv::StorageClass::Input, type);
            builder_.decorate(variable, spv::Decoration::BuiltIn, {builtin});
        }
        Id& value = scope.vulkan_inputs[static_cast<uint32_t>(builtin)];
        if (!value) value = builder_.append(Op::OpLoad, type, {variable});
        return scalar ? value : builder_.append(Op::OpCompositeExtract, u32, {value, d});
    }

    Id hidden(Scope& scope, HiddenComponent component) {
        Id& value = scope.hidden[component];
        if (value) return value;
        const uint32_t bytes = shape(component.first).component_bytes;
        const Id type = builder_.type_int(bytes * 8);
        if (!scope.reader) return value = builder_.append(Op::OpLoad, type, {private_variable(component)});
        for (const HiddenArgument& argument : scope.kernel->hidden)
            if (argument.kind == component.first)
                return value = if_based(
                           component.first,
                           scope.reader->load(type, argument.offset_bytes + component.second * bytes));
        check(false, "a hidden argument that was not laid out");
        return {};
    }

    /// A region's base: 0 where the pipeline says that it has none.
    Id if_based(HiddenKind kind, Id value) {
        if (kind != HiddenKind::GroupBase && kind != HiddenKind::GlobalIdBase) return value;
        uint32_t& spec_id = context_.interface.has_base_spec_id;
        if (!has_base_) {
            spec_id = first_free_spec_id(context_.interface);
            has_base_ = builder_.spec_constant_true(spec_id);
        }
        const Id type = builder_.type_of(value);
        return builder_.append(Op::OpSelect, type, {has_base_, value, builder_.constant_int(type, 0)});
    }

    Id private_variable(HiddenComponent component) {
        Id& variable = private_variables_[component];
        if (!variable)
            variable = builder_.variable(spv::StorageClass::Private,
                                         builder_.type_int(shape(component.first).component_bytes * 8));
        return variable;
    }

    // ---- Annotations ----

    /// Drops decorations that only OpenCL knows, and names and decorations of ids that are gone.
    void keep_vulkan_annotations() {
        drop_dangling_annotations(module_);
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            if (inst.op == Op::OpDecorate) return !is_vulkan(inst.word(1));
            if (inst.op == Op::OpMemberDecorate) return !is_vulkan(inst.word(2));
            return true;
        });
    }
    static bool is_vulkan(uint32_t decoration) {
        switch (static_cast<spv::Decoration>(decoration)) {
            case spv::Decoration::SpecId:
            case spv::Decoration::BuiltIn:
            case spv::Decoration::Block:
            case spv::Decoration::ArrayStride:
            case spv::Decoration::Offset:
            case spv::Decoration::Aliased:
            case spv::Decoration::Restrict:
            case spv::Decoration::AliasedPointer:
            case spv::Decoration::RestrictPointer:
            case spv::Decoration::NonWritable:
            case spv::Decoration::NonReadable:
            case spv::Decoration::Coherent:
            case spv::Decoration::Binding:
            case spv::Decoration::DescriptorSet:
            case spv::Decoration::RelaxedPrecision:
            case spv::Decoration::NonUniform:
            case spv::Decoration::FPFastMathMode:  // until keep_float_order
            case spv::Decoration::NoContraction: return true;
            default: return false;
        }
    }

    Module& module_;
    PassContext& context_;
    Builder builder_;
    OpenclLayout layout_;
    spirv::IdMap<Input> inputs_ = {};  // OpenCL's variables
    std::set<std::string> float_controls_ = {};
    std::map<uint32_t, Id> vulkan_variables_ = {};
    std::map<HiddenComponent, Id> private_variables_ = {};
    spirv::IdMap<std::set<HiddenComponent>> private_needs_ = {};  // function -> what it loads
    std::array<Id, 3> local_size_ = {};
    Id work_dim_ = {};
    Id has_base_ = {}, full_groups_ = {};
    Id group_size_ = {};
    std::array<uint32_t, 3> default_local_size_ = {1, 1, 1};
    bool fixed_local_size_ = false, is_flat_ = false;
    spirv::IdSet sub_group_functions_ = {}, group_functions_ = {};
    spirv::IdSet replaced_variables_ = {};
    // State for the current function:
    spirv::IdSet whole_ = {};
    spirv::IdMap<Input> loads_ = {};
    spirv::IdMap<std::pair<Input, Id>> chains_ = {};
};

}  // namespace

Result<Done> lower_interface(Module& module, PassContext& context) {
    InterfaceLowering(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
