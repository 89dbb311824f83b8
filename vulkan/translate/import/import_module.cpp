// SPDX-License-Identifier: Apache-2.0
// import_module: brings modules of any front end into one normal form, and declines modules without kernels.
// After: there is no OpNop, no lifetime marker, no hint, no OpModuleProcessed, no debug information of
// extended instruction sets unless it is asked for and OpenCL.DebugInfo.100, no decoration group, no
// OpCopyObject, no unreachable block, no specialisation constant and no linkage but Import. An imported
// function that the module itself exports is the exported one. Each kernel has its own function. Loops keep
// only unrolling hints, in the form of the target's SPIR-V version. The two halves of a split barrier are one
// barrier. printf takes floats without promotion. Writes to a level of an image are instructions. No
// component of a built-in vector is loaded through an access chain, except where an index may be beyond it.
// Sizes of types are constants, and sizes of execution modes are literals. No conditional branch has two
// equal ways. Images have types with access qualifiers.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/support/try.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/decoration_groups.h"
#include "vulkan/translate/import/image_calls.h"
#include "vulkan/translate/import/image_qualifiers.h"
#include "vulkan/translate/import/input_loads.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/import/printf_choices.h"
#include "vulkan/translate/import/printf_parameters.h"
#include "vulkan/translate/import/spec_constants.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

Result<Done> accept(const Module& module) {
    auto declares = [&](spv::Capability capability) {
        return std::ranges::any_of(module.capabilities, [&](const Instruction& inst) {
            return inst.word(0) == static_cast<uint32_t>(capability);
        });
    };
    if (declares(spv::Capability::Shader) && !declares(spv::Capability::Kernel))
        return Error{.message =
                         "the module is a shader module (capability Shader), not an OpenCL kernel module"};
    if (module.memory_model.op != spv::Op::OpMemoryModel || module.memory_model.operands.size() < 2)
        return Error{.message = "the module has no memory model"};
    switch (static_cast<spv::AddressingModel>(module.memory_model.word(0))) {
        case spv::AddressingModel::Physical64: break;
        case spv::AddressingModel::Physical32:
            return Error{.message = "the module has 32-bit addresses (Physical32): compile it for spir64"};
        default: return Error{.message = "the module's addressing model is not Physical64"};
    }
    if (module.memory_model.word(1) != static_cast<uint32_t>(spv::MemoryModel::OpenCL))
        return Error{.message = "the module's memory model is not OpenCL's"};
    if (module.entry_points.empty()) return Error{.message = "the module has no kernel"};
    IdSet defined;
    for (const Function& function : module.functions)
        if (!function.blocks.empty()) defined.insert(function.id());
    for (const Instruction& entry : module.entry_points) {
        if (entry.word(0) != static_cast<uint32_t>(spv::ExecutionModel::Kernel))
            return Error{.message = "entry point '" + string_at(entry, 2) + "' is not a kernel"};
        if (!defined.contains(entry.id(1)))
            return Error{.message = "kernel '" + string_at(entry, 2) + "' has no body"};
    }
    return Done{};
}

bool is_debug_set(const std::string& name) {
    return name.starts_with("NonSemantic.") || name.starts_with("OpenCL.DebugInfo") || name == "DebugInfo" ||
           name == "SPIRV.debug";
}

bool is_linkage(const Instruction& inst, spv::LinkageType wanted) {
    const std::optional<spirv::Linkage> linkage = spirv::linkage_of(inst);
    return linkage && linkage->type == wanted;
}

/// Whether other modules may use the definition. If they have one of their own as well, all are alike
/// (LinkOnceODR).
bool is_exported(const Instruction& inst) {
    return is_linkage(inst, spv::LinkageType::Export) || is_linkage(inst, spv::LinkageType::LinkOnceODR);
}

class Importer {
 public:
    Importer(Module& module, const TranslateOptions& options)
        : module_(module),
          version_(spirv::spirv_version(options.target)),
          debug_info_(options.debug_info),
          keeps_lifetimes_(has(options.checks, MemoryChecks::Uninitialised) && !options.initialize_private) {}

    void run() {
        if (!debug_info_ || module_.debug_info.empty()) drop_debug_info(module_);
        drop_text();
        expand_decoration_groups(module_);
        resolve_linkage();
        for (Function& function : module_.functions) clean(function);
        std::erase_if(module_.globals, [&](const Instruction& inst) { return is_dropped(inst); });
        drop_stale_names(module_);
    }

 private:
    void drop_text() {
        module_.module_processed.clear();
        std::erase_if(module_.debug_sources,
                      [](const Instruction& inst) { return inst.op == spv::Op::OpSourceContinued; });
        for (Instruction& inst : module_.debug_sources)  // language, version, file; the text goes
            if (inst.op == spv::Op::OpSource && inst.operands.size() > 3) inst.operands.resize(3);
        std::erase_if(module_.ext_inst_imports, [&](const Instruction& inst) {
            const std::string name = string_at(inst, 0);
            const bool debug = is_debug_set(name) && !(debug_info_ && name == kOpenclDebugInfo);
            if (debug) debug_sets_.insert(inst.result.value);
            return debug;
        });
    }

    // A function that the module both imports and exports is one function, because no other module will be
    // linked.
    void resolve_linkage() {
        std::unordered_map<std::string, Id> exported;
        for (const Instruction& inst : module_.annotations)
            if (is_exported(inst)) exported.emplace(string_at(inst, 2), inst.id(0));
        Substitution resolved;
        IdSet gone;
        for (const Instruction& inst : module_.annotations) {
            if (!is_linkage(inst, spv::LinkageType::Import)) continue;
            auto found = exported.find(string_at(inst, 2));
            if (found == exported.end() || found->second == inst.id(0)) continue;
            resolved.set(inst.id(0), found->second);
            gone.insert(inst.word(0));
        }
        std::erase_if(module_.annotations, is_exported);
        if (gone.empty()) return;
        std::erase_if(module_.functions, [&](const Function& f) { return gone.contains(f.id().value); });
        std::erase_if(module_.globals,
                      [&](const Instruction& inst) { return gone.contains(inst.result.value); });
        for (Function& function : module_.functions) resolved.apply(function);
        for (Instruction& inst : module_.globals) resolved.apply(inst);
    }

    bool is_dropped(const Instruction& inst) const {
        switch (inst.op) {
            case spv::Op::OpLifetimeStart: return !keeps_lifetimes_;
            case spv::Op::OpNop:
            case spv::Op::OpLifetimeStop:
            case spv::Op::OpAssumeTrueKHR:
            case spv::Op::OpLoopControlINTEL:                        // hints for a loop without OpLoopMerge
            case spv::Op::OpControlBarrierArriveINTEL: return true;  // join_barrier() does its work
            case spv::Op::OpExtInst: return debug_sets_.contains(inst.word(0));
            default: return false;
        }
    }

    /// SPV_INTEL_split_barrier: one barrier where the work-items wait orders what both halves do. What one
    /// half releases, the other acquires.
    void join_barrier(Instruction& wait) {
        if (!builder_) builder_.emplace(module_);
        const auto bits = [](spv::MemorySemanticsMask mask) { return static_cast<uint32_t>(mask); };
        using enum spv::MemorySemanticsMask;
        const auto semantics = static_cast<uint32_t>(
            builder_->constant_value(wait.id(2)).value_or(bits(SequentiallyConsistent)));
        const uint32_t order = (semantics & bits(SequentiallyConsistent)) != 0 ? bits(SequentiallyConsistent)
                                                                               : bits(AcquireRelease);
        const uint32_t orders = bits(Acquire) | bits(Release) | bits(AcquireRelease);
        wait.op = spv::Op::OpControlBarrier;
        wait.operands[2] = builder_->constant_u32((semantics & ~orders) | order | bits(WorkgroupMemory) |
                                                  bits(CrossWorkgroupMemory) | bits(ImageMemory));
    }

    /// The constant that an OpSizeOf is, or none.
    Id size_of(const Instruction& inst) {
        if (inst.op != spv::Op::OpSizeOf) return {};
        if (!builder_) builder_.emplace(module_);
        if (!layout_) layout_.emplace(*builder_);
        const Id type = builder_->type_of(inst.id(0));
        const auto pointee =
            builder_->is_pointer(type) ? layout_->find(builder_->pointee(type)) : std::nullopt;
        if (!pointee || !builder_->is_int(inst.type)) return {};
        return builder_->constant_int(inst.type, pointee->size_bytes);
    }

    /// PartialCount came with SPIR-V 1.4, which llvm-spirv writes for its sake.
    void clean_hints(Instruction& merge) const {
        using enum spv::LoopControlMask;
        const uint32_t mask = merge.word(2);
        const auto has = [&](spv::LoopControlMask hint) { return (mask & static_cast<uint32_t>(hint)) != 0; };
        uint32_t at = 3;  // operands stand in the order of the bits
        for (spv::LoopControlMask before :
             {DependencyLength, MinIterations, MaxIterations, IterationMultiple, PeelCount})
            at += has(before);
        Operands kept = {merge.operands[0], merge.operands[1]};
        if (has(DontUnroll)) {
            kept.push_back(DontUnroll);
        } else if (has(PartialCount) && version_ >= 0x10400) {
            kept.push_back(PartialCount);
            kept.push_back(merge.operands[at]);
        } else {
            kept.push_back(has(Unroll) || has(PartialCount) ? Unroll : MaskNone);
        }
        merge.operands = std::move(kept);
    }

    /// A conditional branch whose ways are the same, as SPIR-V 1.6 forbids it.
    static void drop_lone_choice(Block& block) {
        Instruction& branch = block.terminator;
        if (branch.op != spv::Op::OpBranchConditional || branch.id(1) != branch.id(2)) return;
        branch.op = spv::Op::OpBranch;
        branch.operands = {branch.operands[1]};
        if (block.merge.op == spv::Op::OpSelectionMerge) block.merge = {};
    }

    void clean(Function& function) {
        const auto known =
            static_cast<uint32_t>(spv::FunctionControlMask::Inline | spv::FunctionControlMask::DontInline |
                                  spv::FunctionControlMask::Pure | spv::FunctionControlMask::Const);
        function.def.operands[0].word &= known;  // clang's optnone is a bit of SPV_INTEL_optnone
        Substitution aliases;
        for (Block& block : function.blocks) {
            if (block.merge.op == spv::Op::OpLoopMerge) clean_hints(block.merge);
            drop_lone_choice(block);
            std::erase_if(block.body, [&](const Instruction& inst) {
                const bool alias = inst.op == spv::Op::OpCopyObject || inst.op == spv::Op::OpExpectKHR;
                if (alias) aliases.set(inst.result, inst.id(0));
                const Id size = size_of(inst);
                if (size) aliases.set(inst.result, size);
                return alias || size || is_dropped(inst);
            });
            for (Instruction& inst : block.body)
                if (inst.op == spv::Op::OpControlBarrierWaitINTEL) join_barrier(inst);
        }
        aliases.apply(function);
        // No branch leads to the entry block, so it is no loop, whatever a merge says. A continue target that
        // is not reached would become such a branch.
        if (!function.blocks.empty() && function.blocks.front().merge.op == spv::Op::OpLoopMerge)
            function.blocks.front().merge = {};
        remove_unreachable_blocks(function);
    }

    Module& module_;
    uint32_t version_;      // of the result
    bool debug_info_;       // is kept
    bool keeps_lifetimes_;  // their beginnings
    IdSet debug_sets_ = {};
    std::optional<Builder> builder_ = {};
    std::optional<OpenclLayout> layout_ = {};
};

/// Alignments that a constant gives are literals from here on. Nothing asks for a MaxByteOffset.
void take_alignments(Module& module) {
    const auto is = [](const Instruction& inst, spv::Decoration decoration) {
        return inst.op == spv::Op::OpDecorateId && inst.operands.size() == 3 &&
               inst.word(1) == static_cast<uint32_t>(decoration);
    };
    std::optional<Builder> builder;
    std::erase_if(module.annotations, [&](Instruction& inst) {
        if (is(inst, spv::Decoration::MaxByteOffsetId)) return true;
        if (!is(inst, spv::Decoration::AlignmentId)) return false;
        if (!builder) builder.emplace(module);
        constexpr uint64_t kMost = uint64_t{1} << 31;
        const uint64_t bytes = builder->constant_value(inst.id(2)).value_or(0);
        inst.op = spv::Op::OpDecorate;
        inst.operands[1] = spv::Decoration::Alignment;
        inst.operands[2] = static_cast<uint32_t>(std::min(bytes, kMost));
        return bytes == 0;
    });
}

/// Sizes of execution modes that constants give are literals from here on. A mode whose sizes are not known
/// stays, and check_supported declines it, unless it is a hint.
void take_mode_sizes(Module& module) {
    using enum spv::ExecutionMode;
    constexpr std::pair<spv::ExecutionMode, spv::ExecutionMode> kLiteral[] = {
        {LocalSizeId, LocalSize},
        {LocalSizeHintId, LocalSizeHint},
        {SubgroupsPerWorkgroupId, SubgroupsPerWorkgroup}};
    std::optional<Builder> builder;
    std::erase_if(module.execution_modes, [&](Instruction& inst) {
        const auto mode = static_cast<spv::ExecutionMode>(inst.word(1));
        const auto row =
            std::ranges::find(kLiteral, mode, &std::pair<spv::ExecutionMode, spv::ExecutionMode>::first);
        if (inst.op != spv::Op::OpExecutionModeId || row == std::end(kLiteral)) return false;
        if (!builder) builder.emplace(module);
        const size_t count = mode == SubgroupsPerWorkgroupId ? 1 : 3;
        Operands literal = {inst.operands[0], row->second};
        for (size_t i = 2; i < inst.operands.size(); ++i)
            if (const auto size = builder->constant_value(inst.id(i)); size && *size <= ~uint32_t{0})
                literal.push_back(static_cast<uint32_t>(*size));
        if (literal.size() != inst.operands.size() || literal.size() != 2 + count)
            return mode == LocalSizeHintId;
        inst.op = spv::Op::OpExecutionMode;
        inst.operands = std::move(literal);
        return false;
    });
}

constexpr size_t kMaxEntryPointCopies = 1'000'000;  // instructions that are looked at for it

/// Several entry points may name one function (SPIR-V 2.16.1).
Result<Done> separate_entry_points(Module& module) {
    IdMap<size_t> index_of;
    for (size_t i = 0; i < module.functions.size(); ++i) index_of[module.functions[i].id()] = i;
    const std::vector<Instruction> modes = module.execution_modes;
    IdSet taken;
    size_t copied = 0;
    std::optional<Cloner> cloner;
    for (Instruction& entry : module.entry_points) {
        const Id original = entry.id(1);
        if (taken.insert(original)) continue;
        const size_t index = index_of.at(original);
        copied += modes.size();
        for (const Block& block : module.functions[index].blocks) copied += code_size(block) + 1;
        if (copied > kMaxEntryPointCopies)
            return Error{.message = "too many kernels share one function: '" + string_at(entry, 2) + "'"};
        if (!cloner) cloner.emplace(module);
        const Id copy = module.fresh();
        entry.operands[1] = copy;
        module.functions.push_back(cloner->copy(module.functions[index], copy));
        for (Instruction mode : modes) {
            if (mode.id(0) != original) continue;
            mode.operands[0] = copy;
            module.execution_modes.push_back(std::move(mode));
        }
    }
    return Done{};
}

}  // namespace

Result<Done> import_module(spirv::Module& module, PassContext& context) {
    TRY(accept(module));
    TRY(fix_spec_constants(module, context.options.spec_constants));
    take_alignments(module);
    take_mode_sizes(module);
    compact_ids(module);
    take_printf_imports(module);
    Importer(module, context.options).run();
    take_printed_floats(module);
    drop_format_casts(module);
    bind_printf_formats(module);
    split_printf_choices(module);
    take_level_writes(module);
    qualify_images(module);
    load_whole_inputs(module);
    return separate_entry_points(module);
}

}  // namespace caldera::vulkan
