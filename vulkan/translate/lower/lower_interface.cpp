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
#include "spirv/encoded_floats.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/lower/clear_local_memory.h"
#include "vulkan/translate/lower/group_size.h"
#include "vulkan/translate/lower/input_values.h"
#include "vulkan/translate/lower/interface_inputs.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/argument_block.h"
#include "vulkan/translate/support/built_in.h"
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

/// State for rewriting the body of a function.
struct Scope : InputValues::Scope {
    size_t prologue_length = 0;  // once the prologue is at the function's entry
    spirv::Substitution replaced = {};
};

class InterfaceLowering {
 public:
    InterfaceLowering(Module& module, PassContext& context)
        : module_(module),
          context_(context),
          builder_(module),
          layout_(builder_),
          inputs_(find_inputs(builder_, context.variables)) {
        if (has_subgroups()) sub_group_functions_ = find_sub_group_functions(builder_, inputs_);
        if (context.options.partial_groups && !simple())
            group_functions_ = find_group_functions(builder_, inputs_, sub_group_functions_);
    }

    void run() {
        fix_block_memory();
        group_size_.choose(!sub_group_functions_.empty());
        const spirv::IdSet replaced_variables = group_size_.shorten_group_values();
        CallGraph graph(module_);
        for (const Instruction& entry : module_.entry_points)
            check(graph.index_of(entry.id(1)) != CallGraph::kNone, "an entry point names no function");
        for (Function& function : module_.functions)
            if (!is_kernel(module_, function.id())) lower_function(function);
        check(context_.interface.kernels.size() == module_.entry_points.size(),
              "an entry point is not in the interface");
        for (size_t i = 0; i < module_.entry_points.size(); ++i)
            lower_kernel(module_.entry_points[i], context_.interface.kernels[i], graph);
        std::erase_if(module_.globals, [&](const Instruction& inst) {
            return inputs_.contains(inst.result) || replaced_variables.contains(inst.result);
        });
        lower_execution_modes();
        keep_vulkan_annotations();
        const bool all_variables = spirv::spirv_version(context_.options.target) >= 0x00010400;
        set_entry_point_interfaces(module_, all_variables);
    }

 private:
    void fix_block_memory() {
        const auto fix = [&](Id id, uint64_t bytes) {
            const auto constant = std::ranges::find(module_.globals, id, &Instruction::result);
            if (constant == module_.globals.end()) return;  // nothing uses it
            constant->op = Op::OpConstant;
            constant->operands = {static_cast<uint32_t>(bytes)};
        };
        for (const BlockMemory& memory : context_.variables.block_memory) {
            const Kernel& kernel = context_.interface.kernels[memory.kernel];
            fix(memory.bytes, kernel.local_bytes);
            fix(memory.bytes_per_work_item, kernel.local_bytes_per_work_item);
        }
    }

    void lower_execution_modes() {
        std::vector<Instruction> modes;
        std::vector<uint32_t> float_widths;
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpTypeFloat && !spirv::is_encoded_float(inst))
                float_widths.push_back(inst.word(0));
        for (size_t i = 0; i < module_.entry_points.size(); ++i) {
            const Instruction& entry = module_.entry_points[i];
            Instruction mode{.op = Op::OpExecutionMode,
                             .operands = {entry.id(1), spv::ExecutionMode::LocalSize}};
            const std::array<uint32_t, 3> size = group_size_.mode();
            mode.operands.insert(mode.operands.end(), size.begin(), size.end());
            modes.push_back(std::move(mode));
            // Otherwise Vulkan does not promise that a sub-group comes together behind code that it left
            // apart, as OpenCL's functions of sub-groups and work-groups need.
            if (context_.interface.kernels[i].uses_sub_groups &&
                context_.options.profile.subgroup_uniform_flow)
                modes.push_back(
                    {.op = Op::OpExecutionMode,
                     .operands = {entry.id(1), spv::ExecutionMode::SubgroupUniformControlFlowKHR}});
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
                                kernel.required_local_size[0] == 0 && kernel.required_sub_groups == 0 &&
                                std::ranges::none_of(reached, [&](uint32_t index) {
                                    return group_functions_.contains(module_.functions[index].id());
                                });
        lay_out(kernel, function, reached);

        ArgumentReader reader(builder_, layout_, kernel.block,
                              {context_.interface.argument_set, kernel.block_binding},
                              context_.options.profile.int64);
        Scope scope;
        scope.reader = &reader;
        scope.kernel = &kernel;
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
            builder_.append_void(Op::OpStore,
                                 {values_.private_variable(component), values_.hidden(scope, component)});
        builder_.set_sink(nullptr);
        lower_body(function, scope);
        if (context_.options.initialize_local) clear_local(function, scope, reached);
        if (kernel.ignores_groups) leave_beyond_region(function, scope);
        reader.finish(kernel.name + ".arguments");
        if (context_.options.profile.quirks.runs_padding && has_subgroups() && may_have_padding(kernel) &&
            std::ranges::any_of(reached, [&](uint32_t i) { return has_loop(module_.functions[i]); }))
            leave_padding(function);

        function.params.clear();
        function.def.operands = {spv::FunctionControlMask::MaskNone,
                                 builder_.type_function(builder_.type_void(), {})};
    }

    /// A kernel that ignores groups has no local memory.
    void clear_local(Function& kernel, const Scope& scope, const std::vector<uint32_t>& reached) {
        spirv::IdSet used;
        for (const uint32_t index : reached)
            for_each_use(module_.functions[index],
                         [&](const spirv::Operand& operand) { used.insert(operand.id()); });
        std::vector<Id> arrays;
        Id widest = {};  // of the kernel's blocks, which are the same memory
        for (const Instruction& inst : module_.globals) {
            if (inst.op != Op::OpVariable || !used.contains(inst.result) ||
                inst.word(0) != static_cast<uint32_t>(spv::StorageClass::Workgroup))
                continue;
            const uint32_t bits = local_block_width(builder_, inst.result);
            if (bits == 0) arrays.push_back(inst.result);
            if (bits != 0 && (!widest || bits > local_block_width(builder_, widest))) widest = inst.result;
        }
        if (widest) arrays.push_back(widest);
        if (arrays.empty()) return;
        std::vector<Instruction> code;
        const spirv::SinkScope sink(builder_, &code);
        InputValues::Scope own;
        const Id index = values_.vulkan_input(own, BuiltIn::LocalInvocationIndex, 0);
        const size_t instructions = scope.prologue_length + code.size();
        spirv::Block& entry = kernel.blocks.front();
        entry.body.insert(entry.after_variables() + static_cast<std::ptrdiff_t>(scope.prologue_length),
                          code.begin(), code.end());
        clear_local_memory(builder_, kernel, instructions, arrays, index, group_size_.work_items());
    }

    /// Whether rows of work-items may end within a sub-group. Groups at the edge may be smaller than a kernel
    /// requires.
    bool may_have_padding(const Kernel& kernel) const {
        const DeviceProfile& profile = context_.options.profile;
        const uint32_t most = std::max(profile.min_subgroup_size, profile.max_required_subgroup_size);
        const uint32_t row = kernel.required_local_size[0];
        return row == 0 || row % most != 0 || !context_.options.uniform_work_group_size;
    }

    /// Lanes that no work-item has return at once: their bits of a ballot are 0, which no work-item finds of
    /// its own. Their ids do not tell, since compilers know those of a work-group of one.
    void leave_padding(Function& kernel) {
        leave_unless(kernel, 0, [&] {
            InputValues::Scope scope;
            const Id subgroup = builder_.constant_u32(static_cast<uint32_t>(spv::Scope::Subgroup));
            const Id ballot =
                builder_.append(Op::OpGroupNonUniformBallot, builder_.type_vector(builder_.type_int(32), 4),
                                {subgroup, builder_.constant_bool(true)});
            const Id lane = values_.vulkan_input(scope, BuiltIn::SubgroupLocalInvocationId, 0);
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
                const Id is_below = builder_.append(
                    Op::OpULessThan, boolean,
                    {values_.global_id(scope, d), values_.hidden(scope, {HiddenKind::RegionSize, d})});
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
            if (is_vulkan_image(argument.kind)) ++param;
            if (!has_bytes(argument)) continue;
            check(param < function.params.size(), "a kernel has fewer parameters than its interface");
            const TypeLayout layout = layout_.of(function.params[param++].type);
            argument.offset_bytes = place(argument.size_bytes, layout.alignment_bytes);
        }
        check(param == function.params.size(), "a kernel has more parameters than its interface");
        std::set<HiddenKind> kinds;
        std::set<std::pair<HiddenKind, uint32_t>> facts;
        for_each_use(function, [&](const spirv::Operand& operand) {
            const auto input = inputs_.find(operand.id());
            if (input == inputs_.end()) return;
            for (HiddenKind kind : hidden_of(input->second, simple(), has_subgroups())) {
                if (is_about_argument(kind))
                    facts.emplace(kind, input->second.argument);
                else
                    kinds.insert(kind);
            }
        });
        for (uint32_t index : reached)
            if (const auto found = private_needs_.find(module_.functions[index].id());
                found != private_needs_.end())
                for (const HiddenComponent& component : found->second) kinds.insert(component.first);
        if (descriptors()) kinds.erase(HiddenKind::PrivateMemory);  // it is at a binding
        kernel.hidden.clear();
        for (HiddenKind kind : kinds) {
            const HiddenShape s = shape_of(kind);
            kernel.hidden.push_back({kind, place(s.component_bytes * s.count, s.component_bytes)});
        }
        for (const auto& [kind, argument] : facts)
            kernel.hidden.push_back({kind, place(shape_of(kind).component_bytes, 4), argument});
        if (kernel.ignores_groups) {
            // RegionSize is left out if its bytes would make the block too large for push constants.
            const uint64_t without = end, limit = context_.options.profile.max_push_constants_bytes;
            const HiddenShape s = shape_of(HiddenKind::RegionSize);
            const uint32_t at = place(s.component_bytes * s.count, s.component_bytes);
            kernel.ignores_groups = without > limit || end <= limit;
            if (kernel.ignores_groups)
                kernel.hidden.push_back({HiddenKind::RegionSize, at});
            else
                end = without;
        }
        kernel.block_bytes = static_cast<uint32_t>((end + 3) / 4 * 4);
        kernel.block = block_of(kernel);
        if (!has_binding(kernel.block)) kernel.block_binding = kNoBinding;
    }
    ArgumentBlock block_of(const Kernel& kernel) const {
        const bool fits = kernel.block_bytes <= context_.options.profile.max_push_constants_bytes;
        const ArgumentBlock wanted = context_.options.value_arguments;
        if (kernel.block_bytes == 0) return ArgumentBlock::PushConstants;  // none needs no place
        if (!descriptors())
            return fits && wanted != ArgumentBlock::Buffer ? ArgumentBlock::PushConstants
                                                           : ArgumentBlock::Buffer;
        if (wanted == ArgumentBlock::PushConstants && !fits) return ArgumentBlock::UniformBuffer;
        return wanted;
    }
    bool descriptors() const { return context_.options.abi == Abi::Descriptors; }
    bool simple() const { return context_.options.simple_ndrange; }
    bool has_subgroups() const { return context_.options.profile.subgroups; }
    /// It is in the argument block, and a parameter still. An image or a sampler of Vulkan's is a parameter
    /// that nobody uses.
    bool has_bytes(const KernelArgument& argument) const {
        if (is_vulkan_image(argument.kind)) return false;
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
            if (is_vulkan_image(argument.kind)) ++param;
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
                scope.replaced.set(inst.result,
                                   values_.component(scope, load->second, inst.word(1), inst.type));
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
                scope.replaced.set(inst.result, values_.component(scope, input->second, 0, inst.type));
                return true;
            }
            loads_.emplace(inst.result, input->second);
            if (whole_.contains(inst.result))
                scope.replaced.set(inst.result, values_.whole_vector(scope, input->second, inst.type));
            return true;
        }
        const auto chain = chains_.find(inst.id(0));
        if (chain == chains_.end()) return false;
        const auto& [input, index] = chain->second;
        if (const std::optional<uint64_t> constant = builder_.constant_value(index)) {
            scope.replaced.set(inst.result,
                               values_.component(scope, input, static_cast<uint32_t>(*constant), inst.type));
            return true;
        }
        dynamic_component(inst, scope, input, index, out);
        return true;
    }

    /// By an index that is not constant. Past the dimensions the functions give 0, or 1 for sizes (OpenCL C
    /// 3.0 6.15.1); not every front end asks first.
    void dynamic_component(const Instruction& inst, Scope& scope, InputVariable input, Id index,
                           std::vector<Instruction>& out) {
        const uint32_t count = input.builtin && is_sub_group_input(*input.builtin) ? 4 : 3;  // a mask has 4
        const Id vector = values_.whole_vector(scope, input, builder_.type_vector(inst.type, count));
        const Id index_type = builder_.type_of(index);
        const spirv::SinkScope sink(builder_, &out);
        const Id inside = builder_.append(Op::OpULessThan, builder_.type_bool(),
                                          {index, builder_.constant_int(index_type, count)});
        const Id value = builder_.append(Op::OpVectorExtractDynamic, inst.type, {vector, index});
        const Id outside = builder_.constant_int(inst.type, is_size(input) ? 1 : 0);
        builder_.append({.op = Op::OpSelect,
                         .type = inst.type,
                         .result = inst.result,
                         .operands = {inside, value, outside},
                         .line = inst.line});
    }
    static bool is_size(InputVariable input) {
        return input == BuiltIn::GlobalSize || input == BuiltIn::NumWorkgroups ||
               input == BuiltIn::WorkgroupSize || input == BuiltIn::EnqueuedWorkgroupSize;
    }

    // ---- Annotations ----

    /// Drops decorations that only OpenCL knows, and names and decorations of ids that are gone.
    void keep_vulkan_annotations() {
        spirv::drop_stale_names(module_);
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
    spirv::IdMap<InputVariable> inputs_;  // OpenCL's variables
    GroupSize group_size_{builder_, context_};
    InputValues values_{builder_, context_, group_size_};
    Id full_groups_ = {};
    std::set<std::string> float_controls_ = {};
    spirv::IdMap<std::set<HiddenComponent>> private_needs_ = {};  // function -> what it loads
    spirv::IdSet sub_group_functions_ = {}, group_functions_ = {};
    // State for the current function:
    spirv::IdSet whole_ = {};
    spirv::IdMap<InputVariable> loads_ = {};
    spirv::IdMap<std::pair<InputVariable, Id>> chains_ = {};
};

}  // namespace

Result<Done> lower_interface(Module& module, PassContext& context) {
    InterfaceLowering(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
