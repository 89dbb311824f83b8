// SPDX-License-Identifier: Apache-2.0
// describe_kernels: records what the host must know about each kernel, while the module still has OpenCL's
// types.
// Before: any OpenCL module.   After: interface.kernels is complete except for offsets, arguments have their
// numbers; no parameter is ByVal.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/image_constants.h"
#include "vulkan/translate/support/number_arguments.h"
#include "vulkan/translate/support/opencl_layout.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;

// ---- The interface ----

class Describer {
 public:
    Describer(Module& module, Builder& builder, const TranslateOptions& options)
        : module_(module),
          builder_(builder),
          options_(options),
          layout_(builder),
          names_(names_of(module)),
          graph_(module, true) {
        for (const Instruction& mode : module.execution_modes) modes_[mode.id(0)].push_back(&mode);
        for (const Instruction& inst : module.annotations)
            if (inst.op == spv::Op::OpDecorate &&
                inst.word(1) == static_cast<uint32_t>(spv::Decoration::FuncParamAttr) &&
                inst.word(2) == static_cast<uint32_t>(spv::FunctionParameterAttribute::NoWrite))
                read_only_.insert(inst.id(0));
        find_lists("kernel_arg_type.", argument_types_);
        find_lists("kernel_arg_base_type.", argument_base_types_);
        find_lists("kernel_arg_type_qual.", argument_qualifiers_);
    }

    Kernel describe(const Instruction& entry) {
        Kernel kernel;
        kernel.name = spirv::string_at(entry, 2);
        const uint32_t index = graph_.index_of(entry.id(1));
        check(index != CallGraph::kNone, "an entry point names no function");
        const Function& function = module_.functions[index];
        const std::vector<std::string>& types = argument_types_[kernel.name];
        const std::vector<std::string>& bases = argument_base_types_[kernel.name];
        const std::vector<std::string>& qualifiers = argument_qualifiers_[kernel.name];
        for (size_t i = 0; i < function.params.size(); ++i) {
            KernelArgument argument = describe_argument(function.params[i]);
            if (i < types.size()) argument.type_name = types[i];
            argument.base_type_name = i < bases.size() ? bases[i] : argument.type_name;
            if (i < qualifiers.size()) argument.type_qualifiers = qualifiers[i];
            kernel.arguments.push_back(std::move(argument));
        }
        for (const Instruction* mode : modes_[entry.id(1)]) describe_mode(*mode, kernel);
        // SPIR-V 1.0 has no execution mode for it, so Caldera's front end writes an OpString.
        if (const std::string size = said_of("required_sub_group_size." + kernel.name + "."); !size.empty())
            add_attribute(kernel, "intel_reqd_sub_group_size(" + size + ")");
        for (Id variable : graph_.variables(entry.id(1))) {
            const Id pointer = builder_.type_of(variable);
            if (builder_.storage(pointer) == spv::StorageClass::Workgroup)
                kernel.local_bytes += layout_.of(builder_.pointee(pointer)).size_bytes;
        }
        return kernel;
    }

    /// The type to which each argument points; none for values.
    std::vector<Id> pointees(const Instruction& entry) const {
        std::vector<Id> types;
        for (const Instruction& param : module_.functions[graph_.index_of(entry.id(1))].params)
            types.push_back(builder_.is_pointer(param.type) ? builder_.pointee(param.type) : Id{});
        return types;
    }
    /// Whether some kernel uses a sampler of the source, perhaps from a variable.
    bool uses_literal_samplers() {
        spirv::IdSet literals;
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpConstantSampler ||
                (inst.op == Op::OpVariable && inst.operands.size() > 1 && literals.contains(inst.id(1))))
                literals.insert(inst.result);
        bool found = false;
        for (const Instruction& entry : module_.entry_points)
            for (const uint32_t function : graph_.functions(entry.id(1)))
                for_each_use(module_.functions[function], [&](const spirv::Operand& operand) {
                    found |= literals.contains(operand.id());
                });
        return found;
    }
    /// Whether some kernel calls get_work_dim().
    bool uses_work_dim() {
        const spirv::IdMap<spv::BuiltIn> built_ins = built_ins_of(module_);
        const auto is_work_dim = [&](Id variable) {
            const auto found = built_ins.find(variable);
            return found != built_ins.end() && found->second == spv::BuiltIn::WorkDim;
        };
        return std::ranges::any_of(module_.entry_points, [&](const Instruction& entry) {
            return std::ranges::any_of(graph_.variables(entry.id(1)), is_work_dim);
        });
    }

 private:
    KernelArgument describe_argument(const Instruction& param) {
        KernelArgument argument;
        if (const auto name = names_.find(param.result); name != names_.end()) argument.name = name->second;
        Id type = param.type;
        const Op op = builder_.op_of_type(type);
        if (op == Op::OpTypePipe || op == Op::OpTypeImage) {
            argument.kind = op == Op::OpTypePipe ? ArgumentKind::Pipe : ArgumentKind::Image;
            argument.access = access_of(*builder_.find_global(type));
            if (op == Op::OpTypeImage) argument.image_shape = image_shape_of(*builder_.find_global(type));
            if (op == Op::OpTypeImage && becomes_hardware(*builder_.find_global(type), options_))
                argument.kind = descriptor_of(*builder_.find_global(type), argument.access);
            else
                argument.size_bytes = 8;
            return argument;
        }
        if (op == Op::OpTypeSampler) {
            const bool is_object = options_.images == Images::Hardware;
            argument.kind = is_object ? ArgumentKind::SamplerObject : ArgumentKind::Sampler;
            argument.size_bytes = is_object ? 0 : 4;
            return argument;
        }
        if (builder_.is_pointer(type)) {
            argument.size_bytes = 8;
            switch (builder_.storage(type)) {
                case spv::StorageClass::CrossWorkgroup:
                    argument.kind = ArgumentKind::GlobalPointer;
                    argument.is_read_only = read_only_.contains(param.result);
                    return argument;
                case spv::StorageClass::UniformConstant:
                    argument.kind = ArgumentKind::ConstantPointer;
                    return argument;
                case spv::StorageClass::Workgroup:
                    argument.kind = ArgumentKind::LocalPointer;
                    argument.element_bytes = element_bytes(builder_.pointee(type));
                    return argument;
                default: type = builder_.pointee(type);  // ByVal
            }
        }
        if (builder_.op_of_type(type) == spv::Op::OpTypeQueue) argument.kind = ArgumentKind::DeviceQueue;
        argument.size_bytes = static_cast<uint32_t>(layout_.of(type).size_bytes);
        return argument;
    }

    /// A type without a size, such as a struct that is declared alone, counts as bytes.
    uint32_t element_bytes(Id type) const {
        const std::optional<TypeLayout> layout = layout_.find(type);
        return layout ? static_cast<uint32_t>(std::max<uint64_t>(layout->size_bytes, 1)) : 1;
    }

    static ArgumentKind descriptor_of(const Instruction& image, ArgumentAccess access) {
        constexpr size_t kDim = 1;
        const bool is_read = access == ArgumentAccess::ReadOnly;
        if (static_cast<spv::Dim>(image.word(kDim)) == spv::Dim::Buffer)
            return is_read ? ArgumentKind::UniformTexelBuffer : ArgumentKind::StorageTexelBuffer;
        return is_read ? ArgumentKind::SampledImage : ArgumentKind::StorageImage;
    }

    /// The qualifier is the last operand of a pipe's type.
    static ArgumentAccess access_of(const Instruction& type) {
        const auto qualifier = type.op == Op::OpTypeImage
                                   ? image_access(type)
                                   : static_cast<spv::AccessQualifier>(type.word(type.operands.size() - 1));
        switch (qualifier) {
            case spv::AccessQualifier::WriteOnly: return ArgumentAccess::WriteOnly;
            case spv::AccessQualifier::ReadWrite: return ArgumentAccess::ReadWrite;
            default: return ArgumentAccess::ReadOnly;
        }
    }

    /// Information from the source about each parameter: OpString "kernel_arg_type.NAME.float*,int," and
    /// similar ones, as llvm-spirv writes them.
    using Lists = std::unordered_map<std::string, std::vector<std::string>>;  // by kernel
    void find_lists(std::string_view prefix, Lists& lists) const {
        for (const Instruction& inst : module_.debug_sources) {
            if (inst.op != spv::Op::OpString) continue;
            const std::string text = spirv::string_at(inst, 0);
            const size_t dot = text.starts_with(prefix) ? text.find('.', prefix.size()) : std::string::npos;
            if (dot == std::string::npos) continue;
            std::vector<std::string>& list = lists[text.substr(prefix.size(), dot - prefix.size())];
            for (size_t at = dot + 1; at < text.size();) {
                const size_t comma = std::min(text.find(',', at), text.size());
                list.push_back(text.substr(at, comma - at));
                at = comma + 1;
            }
        }
    }

    void describe_mode(const Instruction& mode, Kernel& kernel) {
        auto size = [&](std::string_view attribute, std::array<uint32_t, 3>& into) {
            into = {mode.word(2), mode.word(3), mode.word(4)};
            add_attribute(kernel, std::string(attribute) + "(" + std::to_string(into[0]) + "," +
                                      std::to_string(into[1]) + "," + std::to_string(into[2]) + ")");
        };
        switch (static_cast<spv::ExecutionMode>(mode.word(1))) {
            case spv::ExecutionMode::LocalSize:
                size("reqd_work_group_size", kernel.required_local_size);
                break;
            case spv::ExecutionMode::LocalSizeHint:
                size("work_group_size_hint", kernel.local_size_hint);
                break;
            case spv::ExecutionMode::VecTypeHint:
                kernel.vec_type_hint = unsigned_vec_type_hint(kernel.name);
                if (kernel.vec_type_hint.empty()) kernel.vec_type_hint = vec_type_hint(mode.word(2));
                add_attribute(kernel, "vec_type_hint(" + kernel.vec_type_hint + ")");
                break;
            case spv::ExecutionMode::SubgroupSize:
                add_attribute(kernel, "intel_reqd_sub_group_size(" + std::to_string(mode.word(2)) + ")");
                break;
            case spv::ExecutionMode::SubgroupsPerWorkgroup: kernel.required_sub_groups = mode.word(2); break;
            default: break;
        }
    }

    static void add_attribute(Kernel& kernel, const std::string& text) {
        if (!kernel.attributes.empty()) kernel.attributes += ' ';
        kernel.attributes += text;
    }

    /// The execution mode has no signedness. If it is missing, Caldera's front end writes OpString
    /// "vec_type_hint.NAME.uchar4".
    std::string unsigned_vec_type_hint(const std::string& kernel) const {
        return said_of("vec_type_hint." + kernel + ".");
    }

    /// The rest of the OpString with this prefix.
    std::string said_of(const std::string& prefix) const {
        for (const Instruction& inst : module_.debug_sources)
            if (inst.op == spv::Op::OpString)
                if (const std::string text = spirv::string_at(inst, 0); text.starts_with(prefix))
                    return text.substr(prefix.size());
        return {};
    }

    /// Decodes VecTypeHint (SPIR-V 3.6 Execution Mode): the count is in the high half, the type in the low
    /// half.
    static std::string vec_type_hint(uint32_t word) {
        static constexpr std::string_view kTypes[] = {"char", "short", "int",   "long",
                                                      "half", "float", "double"};
        const uint32_t type = word & 0xffff, count = word >> 16;
        std::string text(type < std::size(kTypes) ? kTypes[type] : "int");
        if (count > 1) text += std::to_string(count);
        return text;
    }

    Module& module_;
    Builder& builder_;
    const TranslateOptions& options_;
    OpenclLayout layout_;
    spirv::IdMap<std::string> names_;
    CallGraph graph_;
    spirv::IdMap<std::vector<const Instruction*>> modes_ = {};  // by kernel
    Lists argument_types_ = {}, argument_base_types_ = {}, argument_qualifiers_ = {};
    spirv::IdSet read_only_ = {};  // parameters
};

// ---- ByVal: the callee gets a copy of the struct (SPIR-V 3.28), which a value parameter says directly ----

class ByvalRewriter {
 public:
    ByvalRewriter(Module& module, Builder& builder) : module_(module), builder_(builder), layout_(builder) {}

    void run() {
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            const bool is_byval =
                inst.op == spv::Op::OpDecorate &&
                inst.word(1) == static_cast<uint32_t>(spv::Decoration::FuncParamAttr) &&
                inst.word(2) == static_cast<uint32_t>(spv::FunctionParameterAttribute::ByVal);
            if (is_byval) byval_.insert(inst.id(0));
            return is_byval;
        });
        if (byval_.empty()) return;
        for (Function& function : module_.functions) take_values(function);
        for (Function& function : module_.functions)
            for (spirv::Block& block : function.blocks) pass_values(block);
    }

 private:
    spirv::Operands memory_operands(Id type) const {
        return {spv::MemoryAccessMask::Aligned, static_cast<uint32_t>(layout_.of(type).alignment_bytes)};
    }

    /// check_supported declines the others of functions that a kernel reaches.
    bool is_by_value(const Instruction& param) const {
        return byval_.contains(param.result) && builder_.is_pointer(param.type) &&
               builder_.storage(param.type) == spv::StorageClass::Function &&
               layout_.find(builder_.pointee(param.type));
    }

    void take_values(Function& function) {
        std::vector<Instruction> variables, stores;
        std::vector<Id> types;
        for (Instruction& param : function.params) {
            if (is_by_value(param)) {
                const Id pointee = builder_.pointee(param.type);
                values_[function.id()].resize(function.params.size());
                values_[function.id()][types.size()] = pointee;
                variables.push_back({.op = spv::Op::OpVariable,
                                     .type = param.type,
                                     .result = param.result,
                                     .operands = {spv::StorageClass::Function}});
                const Id value = builder_.fresh();
                Instruction store{.op = spv::Op::OpStore, .operands = {param.result, value}};
                for (const spirv::Operand& operand : memory_operands(pointee))
                    store.operands.push_back(operand);
                stores.push_back(std::move(store));
                param.type = pointee;
                param.result = value;
            }
            types.push_back(param.type);
        }
        if (variables.empty()) return;
        function.def.operands[1] = builder_.type_function(function.return_type(), types);
        if (function.blocks.empty()) return;
        std::ranges::move(stores, std::back_inserter(variables));
        function.insert_at_entry(std::move(variables));
    }

    void pass_values(spirv::Block& block) {
        std::vector<Instruction> out;
        for (Instruction& inst : block.body) {
            const auto values = inst.op == spv::Op::OpFunctionCall ? values_.find(inst.id(0)) : values_.end();
            if (values != values_.end()) {
                for (size_t i = 0; i < values->second.size(); ++i) {
                    const Id type = values->second[i];
                    if (!type) continue;
                    Instruction load{.op = spv::Op::OpLoad,
                                     .type = type,
                                     .result = builder_.fresh(),
                                     .operands = {inst.id(i + 1)},
                                     .line = inst.line};
                    for (const spirv::Operand& operand : memory_operands(type))
                        load.operands.push_back(operand);
                    inst.operands[i + 1] = load.result;
                    out.push_back(std::move(load));
                }
            }
            out.push_back(std::move(inst));
        }
        block.body = std::move(out);
    }

    Module& module_;
    Builder& builder_;
    OpenclLayout layout_;
    spirv::IdSet byval_ = {};
    spirv::IdMap<std::vector<Id>> values_ = {};  // function -> the struct type of each ByVal parameter
};

}  // namespace

Result<Done> describe_kernels(Module& module, PassContext& context) {
    Builder builder(module);
    Describer describer(module, builder, context.options);
    std::vector<std::vector<Id>> pointees;
    for (const Instruction& entry : module.entry_points) {
        context.interface.kernels.push_back(describer.describe(entry));
        pointees.push_back(describer.pointees(entry));
    }
    context.interface.abi = context.options.abi;
    context.interface.simple_ndrange = context.options.simple_ndrange;
    context.interface.uniform_groups = context.options.uniform_work_group_size;
    context.interface.max_group_size = context.options.profile.max_local_invocations;
    context.interface.max_local_size = context.options.profile.max_local_size;
    context.interface.argument_set =
        context.options.images == Images::Hardware && describer.uses_literal_samplers() ? 1 : 0;
    context.interface.fast_math = context.options.fast_math;
    number_arguments(context.interface, pointees,
                     context.options.simple_ndrange && describer.uses_work_dim());
    if (context.options.null_arguments) number_nulls(context.interface);
    ByvalRewriter(module, builder).run();
    return Done{};
}

}  // namespace caldera::vulkan
