// SPDX-License-Identifier: Apache-2.0
// check_supported: declines everything that is not supported, in one place and before anything is lowered.
// The message names the kernel, the source location if the module has it, and the missing feature by its
// Vulkan name. Code that no kernel reaches is not checked.
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/debug_info.h"
#include "spirv/encoded_floats.h"
#include "spirv/float_controls2.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/support/try.h"
#include "vulkan/sub_group_sizes.h"
#include "vulkan/translate/import/enqueue_calls.h"
#include "vulkan/translate/import/operand_types.h"
#include "vulkan/translate/import/parameter_faults.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/buffer_pointers.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/image_constants.h"
#include "vulkan/translate/support/image_operands.h"
#include "vulkan/translate/support/opencl_layout.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/texel_kind.h"
#include "vulkan/translate/support/uniform_control.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Capability;
using spv::Op;
using spv::StorageClass;

/// Capabilities of instructions that Caldera does not support on any device.
struct UnsupportedRow {
    Capability capability = {};
    std::string_view what = {};
};
constexpr UnsupportedRow kUnsupported[] = {
    {Capability::NamedBarrier, "named barriers are not supported"},
    {Capability::PipeStorage, "pipes in program scope are not supported"},
    {Capability::VariableLengthArrayINTEL, "arrays of variable length are not supported"},
};
/// A vendor's instruction that no pass takes. Passes take sub-group shuffles and blocks.
bool is_foreign_extension(const spirv::InstructionGrammar& grammar) {
    constexpr std::string_view kVendors[] = {"INTEL", "ALTERA", "AMD", "NV", "QCOM", "ARM"};
    constexpr Capability kTaken[] = {Capability::SubgroupShuffleINTEL, Capability::SubgroupBufferBlockIOINTEL,
                                     Capability::SubgroupImageBlockIOINTEL};
    return std::ranges::any_of(kVendors, [&](std::string_view end) { return grammar.name.ends_with(end); }) &&
           std::ranges::find_first_of(grammar.capabilities, kTaken) == grammar.capabilities.end();
}
/// Why there can be no such instruction, by the beginning of its name.
struct ForeignReason {
    std::string_view prefix = {}, reason = {};
};
constexpr ForeignReason kForeignReasons[] = {
    {"OpSubgroupMatrixMultiplyAccumulate", "cooperative matrices (SPV_KHR_cooperative_matrix) are taken"},
    {"OpJointMatrix", "cooperative matrices (SPV_KHR_cooperative_matrix) are taken"},
    {"OpTypeJointMatrix", "cooperative matrices (SPV_KHR_cooperative_matrix) are taken"},
    {"OpSubgroup2DBlock", "only Intel's devices move blocks of two dimensions"},
    {"OpSubgroupImageMediaBlock", "only Intel's devices move such blocks of images"},
    {"OpSubgroupAvc", "only Intel's devices estimate motion"},
    {"OpVme", "only Intel's devices estimate motion"},
    {"OpMasked", "an access for each component says the same"},
    {"OpPredicated", "a branch around a load or a store says the same"},
    {"OpConvertHandleTo", "a kernel of Vulkan's cannot compute an image's handle"},
    {"OpArbitraryFloat", "only FPGAs have numbers of such widths"},
    {"OpFixed", "only FPGAs have numbers of such widths"},
    {"OpReadPipeBlocking", "a kernel of Vulkan's cannot wait for another"},
    {"OpWritePipeBlocking", "a kernel of Vulkan's cannot wait for another"},
    {"OpTaskSequence", "a kernel of Vulkan's cannot start another's tasks"},
};
std::string why_foreign(std::string_view name) {
    for (const ForeignReason& row : kForeignReasons)
        if (name.starts_with(row.prefix)) return ": " + std::string(row.reason);
    return {};
}
/// Capabilities that do not work if each work-group is one sub-group, because not all work-items need to
/// reach the instruction.
constexpr Capability kNeedSubgroups[] = {
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformRotateKHR,
    Capability::SubgroupShuffleINTEL,
    Capability::SubgroupBufferBlockIOINTEL,
    Capability::SubgroupImageBlockIOINTEL,
};

/// Execution modes that some pass takes, or that need no pass. The others are declined: Vulkan does not have
/// what they ask for, or a device need not do it.
constexpr spv::ExecutionMode kKnownModes[] = {
    spv::ExecutionMode::LocalSize,
    spv::ExecutionMode::LocalSizeHint,
    spv::ExecutionMode::VecTypeHint,
    spv::ExecutionMode::ContractionOff,
    spv::ExecutionMode::SubgroupSize,
    spv::ExecutionMode::SubgroupsPerWorkgroup,
    spirv::kFPFastMathDefault,
    // kernels that the host runs before and after all others, as C++ for OpenCL has them
    spv::ExecutionMode::Initializer,
    spv::ExecutionMode::Finalizer,
    // how floats are computed wherever the device can
    spv::ExecutionMode::DenormPreserve,
    spv::ExecutionMode::SignedZeroInfNanPreserve,
    spv::ExecutionMode::RoundingModeRTE,
    spv::ExecutionMode::FloatingPointModeIEEEINTEL,
    // promises of the host
    spv::ExecutionMode::MaxWorkgroupSizeINTEL,
    spv::ExecutionMode::MaxWorkDimINTEL,
    spv::ExecutionMode::NoGlobalOffsetINTEL,
    // hints to compilers for FPGAs
    spv::ExecutionMode::NumSIMDWorkitemsINTEL,
    spv::ExecutionMode::SchedulerTargetFmaxMhzINTEL,
    // StreamingInterfaceINTEL, RegisterMapInterfaceINTEL, and limits of registers, by their numbers:
    // SPIRV-Headers may be older
    spv::ExecutionMode{6154},
    spv::ExecutionMode{6160},
    spv::ExecutionMode{6461},
    spv::ExecutionMode{6462},
    spv::ExecutionMode{6463},
};
/// How a function's own code computes floats: what is not the first value of its enumeration is not
/// supported.
struct FunctionFloatRow {
    spv::Decoration decoration = {};
    std::string_view name = {};
};
constexpr FunctionFloatRow kFunctionFloats[] = {
    {spv::Decoration::FunctionRoundingModeINTEL, "FunctionRoundingModeINTEL"},
    {spv::Decoration::FunctionDenormModeINTEL, "FunctionDenormModeINTEL"},
    {spv::Decoration::FunctionFloatingPointModeINTEL, "FunctionFloatingPointModeINTEL"},
};

constexpr uint64_t kMaxCaptureBytes = 8192;  // they are in an argument block, which may be a uniform buffer

class SupportCheck {
 public:
    SupportCheck(Module& module, const TranslateOptions& options)
        : module_(module),
          profile_(options.profile),
          abi_(options.abi),
          options_(options),
          storage_formats_(options.storage_formats),
          argument_table_(options.argument_table),
          clspv_reflection_(options.clspv_reflection),
          builder_(module),
          layout_(builder_),
          parameters_(builder_, layout_),
          strings_(builder_, opencl_std_of(module)),
          opencl_std_(opencl_std_of(module)),
          builtins_(built_ins_of(module)) {
        for (const Instruction& mode : module.execution_modes)
            if (mode.word(1) == static_cast<uint32_t>(spv::ExecutionMode::LocalSize))
                local_sizes_[mode.id(0)].push_back(&mode);
            else if (mode.word(1) == static_cast<uint32_t>(spv::ExecutionMode::SubgroupSize))
                sub_group_sizes_[mode.id(0)] = mode.word(2);
        find_function_floats();
        for (const spirv::Function& function : module.functions) functions_.emplace(function.id(), &function);
    }

    Result<Done> run() {
        TRY(check_constant_addresses());
        CallGraph graph(module_, true);
        for (const Instruction& entry : module_.entry_points) {
            kernel_ = spirv::string_at(entry, 2);
            line_ = kernel_line_ = functions_.at(entry.id(1))->def.line;
            check_addresses();
            check_local_size(entry.id(1));
            check_sub_group_size(entry.id(1));
            check_sub_group_count(entry.id(1));
            check_modes(entry.id(1));
            check_arguments(*functions_.at(entry.id(1)));
            check_recursion(entry.id(1));
            for (uint32_t index : graph.more_functions(entry.id(1))) check_function(module_.functions[index]);
            check_local_memory(graph.variables(entry.id(1)));
            if (!message_.empty()) return Error{.message = message_};
        }
        if (!emulated_sizes_.empty()) check_sub_groups(graph);
        if (!message_.empty()) return Error{.message = message_};
        return Done{};
    }
    /// What a device has to have for this module, by Vulkan's names.
    std::vector<std::string_view> features() const { return {features_.begin(), features_.end()}; }

 private:
    // ---- Saying no ----

    void decline(const std::string& why) {
        if (!message_.empty()) return;
        message_ = "kernel '" + kernel_ + "'";
        if (line_.file) message_ += " (" + spirv::place_text(module_, line_) + ")";
        message_ += ": " + why;
    }
    void need(bool available, std::string_view what, std::string_view feature) {
        if (available)
            features_.insert(feature);
        else
            decline(std::string(what) + " needs the feature " + std::string(feature) + ", which " +
                    profile_.name + " does not have");
    }

    /// With descriptors, which the device or the caller's options want. `needs` ends in a verb.
    void need_addresses(std::string needs,
                        std::string_view are_not_used = ", which --abi=descriptors does not use") {
        if (profile_.buffer_device_address)
            decline(needs.append(" device addresses").append(are_not_used));
        else
            decline(needs + " the feature bufferDeviceAddress, which " + profile_.name + " does not have");
    }
    void need_subgroups(std::string_view what) {
        need(profile_.subgroups, what, "subgroupSupportedOperations (vote, ballot and shuffle)");
    }

    /// Validators do not look into OpSpecConstantOp.
    Result<Done> check_constant_addresses() const {
        for (const Instruction& inst : module_.globals) {
            if (inst.op != Op::OpSpecConstantOp || !spirv::is_access_chain(static_cast<Op>(inst.word(0))))
                continue;
            const auto op = static_cast<Op>(inst.word(0));
            const bool steps = op == Op::OpPtrAccessChain || op == Op::OpInBoundsPtrAccessChain;
            Id type = inst.operands.size() > 1 ? builder_.type_of(inst.id(1)) : Id{};
            type = type && builder_.is_pointer(type) ? builder_.pointee(type) : Id{};
            for (size_t i = steps ? 3 : 2; i < inst.operands.size() && type; ++i)
                type = part_of(type, inst.id(i));
            if (!type)
                return Error{.message =
                                 "an address of a constant leads to a part that its object does not have"};
        }
        return Done{};
    }
    /// The type of a member or an element, or none.
    Id part_of(Id type, Id index) const {
        switch (builder_.op_of_type(type)) {
            case Op::OpTypeStruct: {
                const std::optional<uint64_t> member = builder_.constant_value(index);
                const bool has = member && *member < builder_.member_count(type);
                return has ? builder_.member(type, static_cast<uint32_t>(*member)) : Id{};
            }
            case Op::OpTypeArray:
            case Op::OpTypeVector: return builder_.element(type);
            default: return {};
        }
    }

    // ---- The kernel as a whole ----

    void check_addresses() {
        if (abi_ == Abi::Addresses)
            need(profile_.buffer_device_address, "global memory by address", "bufferDeviceAddress");
    }

    void check_local_size(Id kernel) {
        const auto modes = local_sizes_.find(kernel);
        if (modes == local_sizes_.end()) return;
        for (const Instruction* each : modes->second) {
            const Instruction& mode = *each;
            uint64_t total = 1;
            for (uint32_t i = 0; i < 3; ++i) {
                const uint32_t size = mode.word(2 + i);
                total *= size;
                if (size == 0) return decline("the required work-group size has a 0");
                if (size > profile_.max_local_size[i] || total > profile_.max_local_invocations)
                    return decline("the required work-group size (" + std::to_string(mode.word(2)) + "," +
                                   std::to_string(mode.word(3)) + "," + std::to_string(mode.word(4)) +
                                   ") is larger than " + profile_.name + " allows");
            }
        }
    }

    /// intel_reqd_sub_group_size, from the execution mode or, since SPIR-V 1.0 has none, from an OpString of
    /// Caldera's front end.
    std::string required_sub_group_size(Id kernel) const {
        if (const auto mode = sub_group_sizes_.find(kernel); mode != sub_group_sizes_.end())
            return std::to_string(mode->second);
        const std::string prefix = "required_sub_group_size." + kernel_ + ".";
        for (const Instruction& inst : module_.debug_sources)
            if (inst.op == Op::OpString)
                if (const std::string text = spirv::string_at(inst, 0); text.starts_with(prefix))
                    return text.substr(prefix.size());
        return {};
    }

    void check_sub_group_size(Id kernel) {
        const std::string required = required_sub_group_size(kernel);
        if (required.empty()) return;
        uint32_t size = 0;
        std::from_chars(required.data(), required.data() + required.size(), size);
        if (emulates_subgroup_size(profile_, size)) {
            emulated_sizes_.emplace(kernel, size);
            return;
        }
        std::string offered;
        const std::vector<uint32_t> own = required_subgroup_sizes(profile_);
        constexpr uint32_t kMost = 128;  // of a device of Vulkan
        for (uint32_t taken = 1; taken <= kMost; taken *= 2) {
            const bool is_own = std::ranges::find(own, taken) != own.end();
            if (is_own && taken == size) return;
            if (is_own || emulates_subgroup_size(profile_, taken))
                offered += (offered.empty() ? "" : ", ") + std::to_string(taken);
        }
        decline("the required sub-group size is " + required + ", but " + profile_.name + " has " +
                (offered.empty() ? "none" : offered));
    }

    /// Without sub-group operations, a work-group is one sub-group.
    void check_sub_group_count(Id kernel) {
        for (const Instruction& mode : module_.execution_modes) {
            if (mode.id(0) != kernel ||
                mode.word(1) != static_cast<uint32_t>(spv::ExecutionMode::SubgroupsPerWorkgroup))
                continue;
            const uint32_t count = mode.word(2);
            const std::string what =
                "a work-group of " + std::to_string(count) + " sub-groups (SubgroupsPerWorkgroup)";
            if (count == 0) return decline("there is no work-group of 0 sub-groups (SubgroupsPerWorkgroup)");
            if (count > 1) need_subgroups(what);
            if (count > 1 && count > profile_.max_local_invocations / profile_.min_subgroup_size)
                decline(what + " is larger than " + profile_.name + " allows");
        }
    }

    void check_modes(Id kernel) {
        for (const Instruction& inst : module_.execution_modes) {
            const auto mode = static_cast<spv::ExecutionMode>(inst.word(1));
            if (inst.id(0) != kernel || std::ranges::find(kKnownModes, mode) != std::end(kKnownModes))
                continue;
            std::string name(spirv::execution_mode_name(mode));
            if (name == "unknown") name = std::to_string(inst.word(1));
            if (mode == spv::ExecutionMode::LocalSizeId ||
                mode == spv::ExecutionMode::SubgroupsPerWorkgroupId)
                decline("the sizes of the execution mode " + name + " are no known constants");
            else
                decline("the execution mode " + name + " is not supported");
        }
    }
    void find_function_floats() {
        for (const Instruction& inst : module_.annotations) {
            if (inst.op != Op::OpDecorate) continue;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (decoration == spv::Decoration::FPRoundingMode && inst.operands.size() > 2 &&
                inst.word(2) != static_cast<uint32_t>(spv::FPRoundingMode::RTE))
                rounded_.insert(inst.id(0));
            for (const FunctionFloatRow& row : kFunctionFloats)
                if (decoration == row.decoration && inst.operands.size() > 3 && inst.word(3) != 0)
                    function_floats_[inst.id(0)] = row.name;
        }
    }

    /// Sub-groups of a size that the device does not have are made by barriers of the work-group, which all
    /// of its work-items have to reach. A function has sub-groups of one size.
    void check_sub_groups(CallGraph& graph) {
        struct User {
            uint32_t size = 0;  // if it is emulated
            std::string kernel = {}, required = {};
        };
        spirv::IdMap<User> users;  // by function: the first kernel
        for (const Instruction& entry : module_.entry_points) {
            kernel_ = spirv::string_at(entry, 2);
            const auto emulated = emulated_sizes_.find(entry.id(1));
            const uint32_t size = emulated == emulated_sizes_.end() ? 0 : emulated->second;
            const std::string required = required_sub_group_size(entry.id(1));
            const std::vector<uint32_t> functions = graph.functions(entry.id(1));
            std::optional<UniformControl> uniform;
            if (size != 0) uniform.emplace(builder_, functions);
            for (const uint32_t f : functions) {
                const spirv::Function& function = module_.functions[f];
                for (uint32_t b = 0; b < function.blocks.size(); ++b)
                    for (const Instruction& inst : function.blocks[b].body) {
                        if (!knows_sub_groups(inst)) continue;
                        line_ = inst.line;
                        const User& first =
                            users.try_emplace(function.id(), User{size, kernel_, required}).first->second;
                        if (first.size != size)
                            return decline("a function with sub-group operations is shared with kernel '" +
                                           first.kernel + "', which requires " + size_text(first.required) +
                                           ", but this kernel requires " + size_text(required));
                        if (size != 0) check_emulated(inst, size, uniform->all_reach(f, b));
                    }
            }
        }
    }
    static std::string size_text(const std::string& required) {
        return required.empty() ? "no sub-group size" : "the sub-group size " + required;
    }
    void check_emulated(const Instruction& inst, uint32_t size, bool all_reach) {
        const spirv::InstructionGrammar* grammar = spirv::grammar(inst.op);
        const std::string name(grammar ? grammar->name : "the operation"),
            lacks = "the required sub-group size is " + std::to_string(size) + ", which " + profile_.name +
                    " does not have";
        if (inst.op != Op::OpLoad && takes_sub_group_input(inst))
            decline(lacks + ", and " + name + " takes the address of a built-in variable of sub-groups");
        if (is_fixed_sub_group(inst)) decline(lacks + ", and " + name + " needs");
        if (waits_for_sub_group(inst) && !all_reach)
            decline(lacks + ", and some work-items of the work-group may miss " + name);
    }
    bool is_sub_group(Id scope) const {
        return builder_.constant_value(scope) == static_cast<uint64_t>(spv::Scope::Subgroup);
    }
    /// Whether the instruction means the device's own sub-groups.
    bool is_fixed_sub_group(const Instruction& inst) const {
        const bool is_pipe = inst.op == Op::OpGroupReserveReadPipePackets ||
                             inst.op == Op::OpGroupReserveWritePipePackets ||
                             inst.op == Op::OpGroupCommitReadPipe || inst.op == Op::OpGroupCommitWritePipe;
        return (is_pipe && is_sub_group(inst.id(0))) ||
               (inst.op >= spirv::kMatrixLoad && inst.op <= spirv::kMatrixLength);
    }
    /// Whether it needs other work-items of the sub-group.
    bool waits_for_sub_group(const Instruction& inst) const {
        using enum Op;
        switch (inst.op) {
            case OpControlBarrier: return is_sub_group(inst.id(0));
            case OpSubgroupShuffleINTEL:
            case OpSubgroupShuffleDownINTEL:
            case OpSubgroupShuffleUpINTEL:
            case OpSubgroupShuffleXorINTEL:
            case OpGroupNonUniformRotateKHR: return true;
            case OpGroupNonUniformInverseBallot:
            case OpGroupNonUniformBallotBitExtract:
            case OpGroupNonUniformBallotBitCount:
            case OpGroupNonUniformBallotFindLSB:
            case OpGroupNonUniformBallotFindMSB: return false;
            default:
                return (inst.op >= OpGroupNonUniformElect && inst.op <= OpGroupNonUniformQuadSwap) ||
                       (inst.op >= OpGroupAll && inst.op <= OpGroupSMax && is_sub_group(inst.id(0))) ||
                       (inst.op >= OpGroupIMulKHR && inst.op <= OpGroupLogicalXorKHR &&
                        is_sub_group(inst.id(0)));
        }
    }
    bool takes_sub_group_input(const Instruction& inst) const {
        return std::ranges::any_of(spirv::Operands(inst.operands), [&](const spirv::Operand& operand) {
            const auto builtin = operand.is_id ? builtins_.find(operand.id()) : builtins_.end();
            return builtin != builtins_.end() && is_sub_group_input(builtin->second);
        });
    }
    /// Fences and atomic operations of a sub-group's scope may have a wider one, so functions with them are
    /// shared by all kernels.
    bool knows_sub_groups(const Instruction& inst) const {
        return takes_sub_group_input(inst) || waits_for_sub_group(inst) || is_fixed_sub_group(inst) ||
               (inst.op >= Op::OpGroupNonUniformElect && inst.op <= Op::OpGroupNonUniformQuadSwap) ||
               (inst.op >= Op::OpSubgroupBlockReadINTEL && inst.op <= Op::OpSubgroupImageBlockWriteINTEL);
    }

    /// The code that enqueues a block passes it a generic pointer, which a host cannot.
    void check_arguments(const spirv::Function& kernel) {
        if (takes_captures(builder_, kernel)) return;
        for (const Instruction& param : kernel.params) check_type(param.type);
        if (const std::string fault = parameters_.of_kernel(kernel); !fault.empty()) decline(fault);
    }

    void check_local_memory(const std::vector<Id>& variables) {
        line_ = kernel_line_;
        uint64_t bytes = 0;
        for (Id variable : variables) {
            const Id pointer = builder_.type_of(variable);
            if (builder_.storage(pointer) != StorageClass::Workgroup) continue;
            const std::optional<TypeLayout> layout = layout_.find(builder_.pointee(pointer));
            if (!layout) return decline("a variable in local memory has a type without a size");
            bytes += layout->size_bytes;
        }
        if (bytes > profile_.max_local_bytes)
            decline("it declares " + std::to_string(bytes) + " bytes of local memory, but " + profile_.name +
                    " has " + std::to_string(profile_.max_local_bytes));
    }

    /// OpenCL C forbids recursion (6.11 i), and every later pass relies on this.
    void check_recursion(Id kernel) {
        if (calls_.contains(kernel)) return;
        std::vector<std::pair<Id, std::vector<const Instruction*>>> stack;
        auto enter = [&](Id id) {
            calls_[id] = Calls::Followed;
            std::vector<const Instruction*> callees;
            for (const spirv::Block& block : functions_.at(id)->blocks)
                for (const Instruction& inst : block.body)
                    if (inst.op == Op::OpFunctionCall && functions_.contains(inst.id(0)))
                        callees.push_back(&inst);
            stack.emplace_back(id, std::move(callees));
        };
        enter(kernel);
        while (!stack.empty()) {
            std::vector<const Instruction*>& callees = stack.back().second;
            if (callees.empty()) {
                calls_[stack.back().first] = Calls::Done;
                stack.pop_back();
                continue;
            }
            const Instruction& call = *callees.back();
            callees.pop_back();
            const auto calls = calls_.find(call.id(0));
            if (calls == calls_.end()) {
                enter(call.id(0));
            } else if (calls->second == Calls::Followed) {
                line_ = call.line;
                return decline("a function calls itself, which OpenCL C does not allow");
            }
        }
    }

    // ---- Functions and types ----

    void check_function(const spirv::Function& function) {
        line_ = function.def.line;
        function_ = &function;
        knows_strings_ = false;
        if (const auto floats = function_floats_.find(function.id()); floats != function_floats_.end())
            decline("the decoration " + std::string(floats->second) + " is not supported");
        bases_.clear();
        for (const Instruction& param : function.params) check_type(param.type);
        check_type(function.return_type());
        if (const std::string fault = parameters_.of_function(function); !fault.empty()) decline(fault);
        if (!message_.empty()) return;
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                line_ = inst.line;
                check_instruction(inst);
                if (!message_.empty()) return;
            }
    }

    /// Checks the type of a value. A pointee's type is checked only when it is loaded or stored.
    void check_type(Id type) {
        if (!type || !checked_.insert(type)) return;
        const Instruction* inst = builder_.find_global(type);
        if (!inst) return;
        if (inst->op == spirv::kTypeMatrix) return check_type(inst->id(0));
        switch (inst->op) {
            case Op::OpTypeInt: check_int(*inst); break;
            case Op::OpTypeFloat:
                if (spirv::is_encoded_float(*inst)) break;  // only in matrices, which may become plain code
                if (inst->word(0) == 16) need(profile_.float16, "half arithmetic", "shaderFloat16");
                if (inst->word(0) == 64 && !profile_.emulated_float64)
                    need(profile_.float64, "double", "shaderFloat64");
                break;
            case Op::OpTypeVector:
            case Op::OpTypeArray: check_type(inst->id(0)); break;
            case Op::OpTypeStruct:
                for (const spirv::Operand& member : spirv::Operands(inst->operands)) check_type(member.id());
                break;
            case Op::OpTypeImage: check_image_type(*inst); break;
            case Op::OpTypePipeStorage: decline("pipes in program scope are not supported"); break;
            case Op::OpTypeOpaque:
                decline("the opaque type '" + spirv::string_at(*inst, 0) + "' is not supported");
                break;
            case Op::OpTypePointer: {
                const Op pointee = builder_.op_of_type(inst->id(1));
                const bool is_opaque = pointee == Op::OpTypeOpaque && !is_incomplete_record(inst->id(1));
                if (is_opaque || pointee == Op::OpTypeImage) check_type(inst->id(1));
                break;
            }
            default: break;
        }
    }

    void check_image_type(const Instruction& type) {
        constexpr size_t kDim = 1, kArrayed = 3, kMultisampled = 4;
        const auto dim = static_cast<spv::Dim>(type.word(kDim));
        const bool is_array = type.word(kArrayed) != 0;
        if (options_.images == Images::Memory && abi_ == Abi::Descriptors && !argument_table_)
            need_addresses("images in memory need");
        else if (dim != spv::Dim::Dim1D && dim != spv::Dim::Dim2D &&
                 (is_array || (dim != spv::Dim::Dim3D && dim != spv::Dim::Buffer)))
            decline("the image type does not exist in OpenCL");
        else if (type.word(kMultisampled) != 0)
            check_samples(type);
    }

    /// A storage image of several samples needs a feature that few devices have, and OpenCL reads them alone.
    void check_samples(const Instruction& type) {
        if (static_cast<spv::Dim>(type.word(1)) != spv::Dim::Dim2D)
            decline("the image type does not exist in OpenCL");
        else if (!becomes_hardware(type, options_))
            decline("multisampled images are not supported in memory, only as images of Vulkan's");
        else if (image_access(type) != spv::AccessQualifier::ReadOnly)
            decline("a multisampled image must be read_only");
    }

    /// Whether the qualifier of the image's type allows the access.
    void check_access(const Instruction& inst) {
        const bool writes = inst.op == Op::OpImageWrite || inst.op == Op::OpSubgroupImageBlockWriteINTEL;
        const Instruction* image =
            inst.op == Op::OpImageSampleExplicitLod ? sampled_type_of(inst) : image_type_of(inst.id(0));
        if (!image || image->op != Op::OpTypeImage) return;
        if (writes && image_access(*image) == spv::AccessQualifier::ReadOnly)
            decline("it writes an image whose type is ReadOnly (read_only)");
        if (!writes && image_access(*image) == spv::AccessQualifier::WriteOnly)
            decline("it reads an image whose type is WriteOnly (write_only)");
    }

    /// The format of an image of Vulkan's is the host's choice.
    void check_storage_image(const Instruction& inst) {
        const bool writes = inst.op == Op::OpImageWrite;
        const Id texel = writes ? builder_.type_of(inst.id(2)) : inst.type;
        const Instruction* image = image_type_of(inst.id(0));
        if (!image || !becomes_hardware(*image, options_) ||
            storage_format_of(storage_formats_, texel_kind(builder_, texel, inst, writes ? 3 : 2)))
            return;
        if (writes)
            need(profile_.storage_write_without_format, "writing images",
                 "shaderStorageImageWriteWithoutFormat");
        else if (image_access(*image) != spv::AccessQualifier::ReadOnly)
            need(profile_.storage_read_without_format, "reading a read_write image",
                 "shaderStorageImageReadWithoutFormat");
    }

    /// Vulkan's own images have no bytes that a kernel could read.
    void check_image_block(const Instruction& inst, Id block) {
        const Instruction* image = image_type_of(inst.id(0));
        const Id place = builder_.type_of(inst.id(1));
        if (!image || image->op != Op::OpTypeImage || image_shape_of(*image) != ImageShape::Image2D ||
            !builder_.is_int(builder_.element(place)) || builder_.width(builder_.element(place)) != 32 ||
            builder_.count(place) != 2 || !builder_.is_int(builder_.element(block)))
            return decline(
                "a block of an image needs a 2D image, a coordinate of two 32-bit integers and a "
                "value of integers");
        if (becomes_hardware(*image, options_))
            decline("blocks of an image's bytes need the image in memory (--images=memory)");
    }

    /// A sampled image has its own instruction in SPIR-V.
    void check_image_operands(const Instruction& inst) {
        const Id texel = inst.op == Op::OpImageWrite ? builder_.type_of(inst.id(2)) : inst.type;
        if (builder_.count(texel) != 1 && builder_.count(texel) != 4)
            return decline("a texel has four components, or one in an image of depths");
        const spv::ImageOperandsMask mask = image_mask(inst);
        using enum spv::ImageOperandsMask;
        if (inst.op == Op::OpImageSampleExplicitLod) check_sampled(inst);
        check_sample_number(inst, mask == Sample);
        if (mask == MaskNone || mask == Sample || (mask == Lod && !level_of(builder_, inst))) return;
        if (inst.op == Op::OpImageSampleExplicitLod && (mask == Lod || mask == Grad))
            check_levels(inst);
        else if (inst.op != Op::OpImageSampleExplicitLod && mask == Lod)
            check_level_number(inst);
        else
            decline("these image operands are not supported");
    }
    const Instruction* image_type_of(Id image) const { return builder_.find_global(builder_.type_of(image)); }
    /// An image has samples exactly if an instruction names one of them.
    void check_sample_number(const Instruction& inst, bool has_sample) {
        if (inst.op == Op::OpImageSampleExplicitLod) return;
        constexpr size_t kMultisampled = 4;
        const Instruction* type = image_type_of(inst.id(0));
        if (!type || type->op != Op::OpTypeImage || (type->word(kMultisampled) != 0) == has_sample) return;
        decline(has_sample ? "only a multisampled image has samples"
                           : "a multisampled image is read by the number of a sample");
    }
    /// The type of the image that an instruction reads with a sampler, or null.
    const Instruction* sampled_type_of(const Instruction& inst) const {
        const Instruction* sampled = image_type_of(inst.id(0));
        return sampled && sampled->op == Op::OpTypeSampledImage ? builder_.find_global(sampled->id(0))
                                                                : nullptr;
    }
    /// OpenCL C has samplers of read_write images for the sake of their levels (cl_khr_mipmap_image).
    void check_sampled(const Instruction& inst) {
        const Instruction* image = sampled_type_of(inst);
        if (image && becomes_hardware(*image, options_) &&
            image_access(*image) != spv::AccessQualifier::ReadOnly)
            decline(
                "an image that is read with a sampler must be read_only: Vulkan samples no storage image");
    }
    void check_levels(const Instruction& inst) {
        const Instruction* image = sampled_type_of(inst);
        if (!image) return;
        if (!becomes_hardware(*image, options_)) need_levels_in_memory();
        if (message_.empty() && !builder_.is_float(builder_.element(builder_.type_of(inst.id(1)))))
            decline("levels of an image need real coordinates");
        for (size_t i = 1; i < inst.operands.size() && message_.empty(); ++i)
            if (i != image_mask_at(inst.op) &&
                builder_.width(builder_.element(builder_.type_of(inst.id(i)))) != 32)
                decline("coordinates, gradients and levels of detail of an image need 32 bits");
    }
    /// The argument table describes one level of an image.
    void need_levels_in_memory() {
        if (abi_ == Abi::Descriptors) need_addresses("image levels (mipmaps) in memory need");
    }
    /// A level that is read without a sampler, or written. spirv::validate() does not look at its number.
    void check_level_number(const Instruction& inst) {
        const Instruction* image = image_type_of(inst.id(0));
        const Id number = builder_.type_of(level_of(builder_, inst));
        if (!image || becomes_hardware(*image, options_))
            decline(
                "without a sampler, a level is read or written only of an image in memory (--images=memory)");
        else if (!builder_.is_int(number) || builder_.width(number) != 32)
            decline("the number of a level is not a 32-bit integer");
        else
            need_levels_in_memory();
    }
    /// The number of levels, or of samples. A storage image of Vulkan's has one level.
    void check_image_query(const Instruction& inst) {
        const Instruction* image = image_type_of(inst.id(0));
        if (!image || becomes_hardware(*image, options_)) return;
        if (inst.op == Op::OpImageQueryLevels)
            need_levels_in_memory();
        else
            decline("queries of samples are not supported of images in memory");
    }

    /// Recognises a struct or union that is declared but not defined by its name, as llvm-spirv and Caldera's
    /// front end write it.
    bool is_incomplete_record(Id opaque) const {
        const std::string name = spirv::string_at(*builder_.find_global(opaque), 0);
        return name.starts_with("struct.") || name.starts_with("union.");
    }

    void check_int(const Instruction& type) {
        const uint32_t width = type.word(0);
        if (type.word(1) != 0) decline("an integer type of a kernel is signed");
        switch (width) {
            case 8:
            case 16:
            case 32:
            case 64: break;  // what the device lacks is made of 32-bit integers
            default: decline("integers of " + std::to_string(width) + " bits are not supported");
        }
    }

    // ---- Instructions ----

    void check_instruction(const Instruction& inst) {
        if (inst.op != Op::OpVariable) check_type(inst.type);
        switch (inst.op) {
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain:
            case Op::OpCopyObject:
            case Op::OpBitcast: bases_[inst.result] = inst.id(0); break;
            default: break;
        }
        for (const spirv::Operand& operand : inst.operands) {
            if (!operand.is_id) continue;
            check_builtin(operand.id());
            check_type(builder_.type_of(operand.id()));
        }
        const spirv::InstructionGrammar* grammar = spirv::grammar(inst.op);
        if (spirv::is_debug(inst)) return;
        if (!grammar)
            return decline("instruction " + std::to_string(static_cast<uint32_t>(inst.op)) + " is unknown");
        for (const UnsupportedRow& row : kUnsupported)
            if (std::ranges::find(grammar->capabilities, row.capability) != grammar->capabilities.end())
                return decline(std::string(row.what) + " (" + std::string(grammar->name) + ")");
        if (is_foreign_extension(*grammar))
            return decline(std::string(grammar->name) + " is not supported" + why_foreign(grammar->name));
        if (std::ranges::find_first_of(grammar->capabilities, kNeedSubgroups) != grammar->capabilities.end())
            need_subgroups(grammar->name);
        if (grammar->name.starts_with("OpGroupNonUniform") && !builder_.constant_value(inst.id(0)))
            decline("the scope is not a constant (" + std::string(grammar->name) + ")");
        if (!has_operand_types(builder_, inst))
            return decline("the operands of " + std::string(grammar->name) + " are invalid");
        if (is_enqueue(inst.op)) check_enqueue(inst);
        switch (inst.op) {
            case Op::OpFAdd:
            case Op::OpFSub:
            case Op::OpFMul:
            case Op::OpFDiv:
            case Op::OpFRem:
            case Op::OpFMod:
            case Op::OpVectorTimesScalar:
            case Op::OpDot:
                if (rounded_.contains(inst.result))
                    decline(std::string(grammar->name) + " does not take a rounding mode (FPRoundingMode)");
                break;
            case Op::OpExtInst:
                if (is_printf(inst, opencl_std_)) check_printf(inst);
                break;
            case Op::OpReadClockKHR: check_clock(inst); break;
            case Op::OpBitcast: check_bitcast(inst); break;
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain:  // spirv-val 2023.1 looks at the other indices
                if (!builder_.is_int(builder_.type_of(inst.id(1))))
                    decline("an index is not an integer (" + std::string(grammar->name) + ")");
                break;
            case Op::OpReadPipe:
            case Op::OpWritePipe:
            case Op::OpReservedReadPipe:
            case Op::OpReservedWritePipe: check_packet(inst); break;
            case Op::OpGroupReserveReadPipePackets:
            case Op::OpGroupReserveWritePipePackets:
            case Op::OpGroupCommitReadPipe:
            case Op::OpGroupCommitWritePipe:
                if (const std::optional<uint64_t> scope = builder_.constant_value(inst.id(0));
                    scope != static_cast<uint32_t>(spv::Scope::Workgroup) &&
                    scope != static_cast<uint32_t>(spv::Scope::Subgroup))
                    decline("the scope of a pipe function must be a work-group or a sub-group");
                break;
            case Op::OpImageRead:
            case Op::OpImageWrite: check_storage_image(inst); [[fallthrough]];
            case Op::OpImageSampleExplicitLod:
                check_access(inst);
                check_image_operands(inst);
                break;
            case Op::OpSubgroupImageBlockReadINTEL:
                check_image_block(inst, inst.type);
                check_access(inst);
                break;
            case Op::OpSubgroupImageBlockWriteINTEL:
                check_image_block(inst, builder_.type_of(inst.id(2)));
                check_access(inst);
                break;
            case Op::OpImage:
                decline(
                    "OpImage, which takes the image out of a sampled image, needs one that its function "
                    "made");
                break;
            case Op::OpImageQueryLevels:
            case Op::OpImageQuerySamples: check_image_query(inst); break;
            case Op::OpImageQueryLod: decline("queries of a level of detail do not occur in OpenCL"); break;
            case Op::OpLoad: check_loaded_pointer(inst); break;
            case Op::OpStore: check_stored_pointer(inst); break;
            case Op::OpMemoryBarrier: check_scope(inst.id(0)); break;
            case Op::OpControlBarrier:
                check_scope(inst.id(0));
                check_scope(inst.id(1));
                break;
            default:
                if (!spirv::is_atomic(inst.op)) break;
                check_scope(inst.id(1));
                check_atomic(inst);
                break;
        }
    }

    void check_clock(const Instruction& inst) {
        const std::optional<uint64_t> scope = builder_.constant_value(inst.id(0));
        const Id part = builder_.is_vector(inst.type) ? builder_.element(inst.type) : inst.type;
        // spirv::validate() does not look at clocks.
        if (!builder_.is_int(part) || builder_.count(inst.type) * builder_.width(part) != 64 ||
            builder_.count(inst.type) > 2)
            return decline("a clock is neither a 64-bit integer nor two of 32 bits");
        if (scope == static_cast<uint32_t>(spv::Scope::Subgroup))
            need(profile_.subgroup_clock, "the clock of a sub-group", "shaderSubgroupClock");
        else if (scope == static_cast<uint32_t>(spv::Scope::Device) ||
                 scope == static_cast<uint32_t>(spv::Scope::Workgroup))
            need(profile_.device_clock, "the clock of a device or a work-group", "shaderDeviceClock");
        else
            decline("the scope of a clock must be the device, a work-group or a sub-group");
    }

    void check_enqueue(const Instruction& inst) {
        if (clspv_reflection_)
            return decline(
                "clspv's reflection cannot describe device-side enqueue; use --no-clspv-reflection");
        if (!has_enqueue_operands(builder_, inst))
            return decline("the operands of " + std::string(spirv::grammar(inst.op)->name) + " are invalid");
        if (inst.op == Op::OpCaptureEventProfilingInfo && abi_ == Abi::Descriptors)
            return need_addresses("event profiling information needs");
        const std::optional<BlockOperands> block = block_operands(inst);
        if (!block) return;
        const auto kernel = functions_.find(block->kernel);
        if (kernel == functions_.end() || kernel->second->blocks.empty() || kernel->second->params.empty())
            return decline("an enqueued block is not defined");
        const std::optional<uint64_t> size = builder_.constant_value(block->size);
        if (!size || *size < kBlockHeaderBytes)
            return decline("the captures of an enqueued block have no valid size");
        if (*size > kMaxCaptureBytes)
            return decline("the captures of an enqueued block have " +
                           std::to_string(*size - kBlockHeaderBytes) + " bytes, more than " +
                           std::to_string(kMaxCaptureBytes - kBlockHeaderBytes));
        if (options_.images == Images::Hardware && captures_images())
            return decline("an enqueued block captures an image or a sampler, which needs --images=memory");
        if (abi_ != Abi::Descriptors || *size == kBlockHeaderBytes) return;
        const Id type = captures_type(builder_, layout_, functions_, block->kernel, *size);
        if (!type && loads_only_numbers(builder_, functions_, block->kernel)) return;
        if (!type || builder_.op_of_type(type) != Op::OpTypeStruct)
            return decline("the captures of a block are not known, which --abi=descriptors requires");
        for (uint32_t i = kBlockHeaderMembers; i < builder_.member_count(type); ++i) {
            const Id member = builder_.member(type, i);
            const bool is_image = builder_.op_of_type(member) == Op::OpTypeImage;
            if (is_image || has_buffer_pointer(member) || builder_.op_of_type(member) == Op::OpTypePipe)
                return need_addresses(std::string("an enqueued block captures ") +
                                          (is_image ? "an image" : "a pointer") + ", which needs",
                                      "; --abi=descriptors does not use them");
        }
    }

    /// Whether some block does. OpenCL C has images and samplers in no struct of its own.
    bool captures_images() const {
        return std::ranges::any_of(module_.globals, [&](const Instruction& type) {
            return type.op == Op::OpTypeStruct &&
                   std::ranges::any_of(type.operands, [&](const spirv::Operand& member) {
                       const Op op = builder_.op_of_type(member.id());
                       return op == Op::OpTypeImage || op == Op::OpTypeSampler;
                   });
        });
    }

    /// The last operands are the packet's size and alignment.
    void check_packet(const Instruction& inst) {
        const size_t count = inst.operands.size();
        if (!builder_.constant_value(inst.id(count - 1)) ||
            builder_.constant_value(inst.id(count - 2)).value_or(0) == 0)
            decline("the packet size of a pipe is not constant");
    }

    /// Pointers to local, private and generic memory differ from pointers to buffers, so OpBitcast cannot
    /// convert them. OpPtrCastToGeneric and OpGenericCastToPtr can.
    void check_bitcast(const Instruction& inst) {
        const Id from = builder_.type_of(inst.id(0));
        if (!from || !builder_.is_pointer(from) || !builder_.is_pointer(inst.type)) return;
        auto space = [&](Id type) {
            const StorageClass storage = builder_.storage(type);
            return storage == StorageClass::UniformConstant ? StorageClass::CrossWorkgroup : storage;
        };
        if (space(from) != space(inst.type)) decline("OpBitcast changes the address space of a pointer");
    }

    void check_printf(const Instruction& call) {
        if (!knows_strings_) strings_.enter(*function_);
        knows_strings_ = true;
        if (const std::string fault = printf_fault(builder_, strings_, call); !fault.empty()) decline(fault);
    }

    void check_builtin(Id id) {
        const auto builtin = builtins_.find(id);
        if (builtin == builtins_.end()) return;
        if (is_sub_group_mask(builtin->second)) need_subgroups("a sub-group mask");
        if (const Id pointer = builder_.type_of(id);
            builder_.is_pointer(pointer) && builder_.storage(pointer) == StorageClass::Input)
            check_input(builtin->second, builder_.pointee(pointer));
    }
    /// spirv::validate() does not look at the variables that only kernels have.
    void check_input(spv::BuiltIn input, Id type) {
        const Id part = builder_.is_vector(type) ? builder_.element(type) : type;
        if (!is_kernel_input(input))
            return decline("the built-in variable " + std::to_string(static_cast<uint32_t>(input)) +
                           " does not exist in OpenCL");
        if (!builder_.is_int(part) || builder_.width(part) < 32 ||
            builder_.count(type) > (is_sub_group_mask(input) ? 4 : 3))
            decline("the built-in variable " + std::to_string(static_cast<uint32_t>(input)) +
                    " is neither an integer nor a vector of three");
    }

    /// Without addresses, a pointer is a number that has a meaning only in one kernel. Pointers in
    /// program-scope variables are written by Caldera itself.
    void check_loaded_pointer(const Instruction& inst) {
        if (abi_ != Abi::Descriptors || !has_buffer_pointer(inst.type)) return;
        const Id from = builder_.type_of(inst.id(0));
        if (!from || !builder_.is_pointer(from) || builder_.storage(from) == StorageClass::Generic) return;
        if (is_buffer_storage(builder_.storage(from)) && !is_program_scope(inst.id(0)))
            need_addresses("loading a pointer from a buffer needs");
    }
    void check_stored_pointer(const Instruction& inst) {
        if (abi_ != Abi::Descriptors || !has_buffer_pointer(builder_.type_of(inst.id(1)))) return;
        if (is_program_scope(inst.id(0)) && !is_program_scope(inst.id(1)))
            need_addresses("storing a pointer in a program-scope variable needs");
    }
    bool has_buffer_pointer(Id type) {
        if (!buffer_pointers_) buffer_pointers_ = buffer_pointer_types(module_);
        return buffer_pointers_->contains(type);
    }
    bool is_program_scope(Id pointer) {
        while (true) {
            if (const Instruction* global = builder_.find_global(pointer))
                return (global->op == Op::OpVariable && is_buffer_storage(builder_.storage(global->type))) ||
                       global->op == Op::OpSpecConstantOp || global->op == Op::OpConstantNull;
            const auto base = bases_.find(pointer);
            if (base == bases_.end()) return false;
            pointer = base->second;
        }
    }

    void check_scope(Id id) {
        const std::optional<uint64_t> scope = builder_.constant_value(id);
        if (scope && *scope > static_cast<uint32_t>(spv::Scope::Invocation))
            decline("scope " + std::to_string(*scope) + " does not occur in OpenCL");
    }
    void check_atomic(const Instruction& inst) {
        const Id pointer = builder_.type_of(inst.id(0));
        if (!pointer || !builder_.is_pointer(pointer)) return;
        const Id value = builder_.pointee(pointer);
        const Op op = builder_.op_of_type(value);
        if (op != Op::OpTypeInt && op != Op::OpTypeFloat) return;
        const uint32_t width = builder_.width(value);
        if (width != 64) return;
        const StorageClass storage = builder_.storage(pointer);
        if (storage == StorageClass::Function) return;  // no other work-item sees it
        need(profile_.int64, "a 64-bit atomic operation", "shaderInt64");
        if (is_buffer_storage(storage))
            need(profile_.buffer_int64_atomics, "a 64-bit atomic operation", "shaderBufferInt64Atomics");
        if (storage == StorageClass::Workgroup || storage == StorageClass::Generic)
            need(profile_.shared_int64_atomics, "a 64-bit atomic operation in local memory",
                 "shaderSharedInt64Atomics");
    }

    Module& module_;
    const DeviceProfile& profile_;
    const Abi abi_;
    const TranslateOptions& options_;
    const std::vector<std::string>& storage_formats_;
    const bool argument_table_;
    const bool clspv_reflection_;
    Builder builder_;
    OpenclLayout layout_;
    ParameterFaults parameters_;
    LiteralStrings strings_;
    Id opencl_std_;
    const spirv::Function* function_ = nullptr;
    bool knows_strings_ = false;  // strings_ is about function_
    enum class Calls : uint8_t { Followed, Done };
    spirv::IdMap<Calls> calls_ = {};  // by function
    spirv::IdMap<const spirv::Function*> functions_ = {};
    spirv::IdMap<std::vector<const Instruction*>> local_sizes_ = {};
    std::unordered_map<Id, uint32_t> sub_group_sizes_ = {};  // by kernel
    spirv::IdMap<std::string_view> function_floats_ = {};  // decorations that are not supported, by function
    spirv::IdSet rounded_ = {};                            // what has a rounding mode but to nearest even
    spirv::IdMap<uint32_t> emulated_sizes_ = {};           // of sub-groups, by kernel
    spirv::IdMap<spv::BuiltIn> builtins_ = {};
    spirv::IdSet checked_ = {};
    std::optional<spirv::IdSet> buffer_pointers_ = {};  // buffer_pointer_types()
    spirv::IdMap<Id> bases_ = {};  // of the function's pointers that are derived from others
    std::string kernel_ = {};
    spirv::Line line_ = {}, kernel_line_ = {};
    std::string message_ = {};
    std::set<std::string_view> features_ = {};
};

}  // namespace

Result<Done> check_supported(Module& module, PassContext& context) {
    SupportCheck check(module, context.options);
    TRY(check.run());
    context.checked_features = check.features();
    return Done{};
}

}  // namespace caldera::vulkan
