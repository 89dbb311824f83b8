// SPDX-License-Identifier: Apache-2.0
#include "frontend/emit/emitter.h"

#include "frontend/emit/emitter_impl.h"
#include "spirv/grammar.h"
#include "spirv/spirv.h"

namespace caldera::frontend {

namespace {

/// The freedom that the -cl-* options give floating-point operations (OpenCL API 5.8.4.3).
uint32_t fast_math_flags(const CompileOptions& options) {
    using enum spv::FPFastMathModeMask;
    auto flags = MaskNone;
    if (options.no_signed_zeros) flags = flags | NSZ;
    if (options.finite_math_only) flags = flags | NotNaN | NotInf;
    if (options.unsafe_math) flags = flags | NSZ | AllowRecip;
    if (options.fast_relaxed_math) flags = flags | NotNaN | NotInf | NSZ | AllowRecip | Fast;
    return static_cast<uint32_t>(flags);
}

uint32_t language_version(Standard standard) {
    switch (standard) {
        case Standard::CL10: return 100000;
        case Standard::CL11: return 101000;
        case Standard::CL12: return 102000;
        case Standard::CL20: return 200000;
        case Standard::CL30: return 300000;
        case Standard::CL31: return 301000;
    }
    return 0;
}

}  // namespace

Emitter::Emitter(const TranslationUnit& unit, const CompileOptions& options, TypeTable& types, Arena& arena,
                 const SourceManager& sources, Diagnostics& diags)
    : unit_(unit),
      options_(options),
      types_(types),
      arena_(arena),
      sources_(sources),
      diags_(diags),
      b_(module_),
      fast_math_(fast_math_flags(options)) {}

spirv::Module Emitter::run() {
    module_.version = spirv::spirv_version(options_.target);
    module_.memory_model = {.op = spv::Op::OpMemoryModel,
                            .operands = {spv::AddressingModel::Physical64, spv::MemoryModel::OpenCL}};
    b_.ext_inst_import("OpenCL.std");
    if (options_.debug_info && options_.debug_detail != DebugDetail::None && !unit_.decls.empty()) {
        debug_.emplace(b_, options_, sources_, unit_.decls.front()->range.begin);
        debug_->name_untagged(unit_.decls);
    }

    std::vector<const FunctionDecl*> kernels;
    for (const Decl* decl : unit_.decls) {
        const auto* function = dyn<FunctionDecl>(decl);
        if (!function || !function->body) continue;
        const bool exported = is_exported(*function);
        if (!function->is_kernel && !exported) continue;
        const Id id = function_id(*function);
        if (function->is_kernel)
            kernels.push_back(function);
        else
            decorate_linkage(id, symbol(*function), spv::LinkageType::Export);
    }
    if (options_.export_variables) export_variables();
    for (size_t i = 0; i < queue_.size(); ++i) emit_function(functions_[queue_[i]]);
    entry_points(kernels);
    emit_block_kernels();

    spirv::Instruction source{
        .op = spv::Op::OpSource,
        .operands = {spv::SourceLanguage::OpenCL_C, language_version(options_.standard)}};
    if (options_.debug_info && !unit_.decls.empty())
        source.operands.push_back(b_.string(debug_ && options_.debug_source == DebugSource::None
                                                ? std::string_view()
                                                : main_file(unit_.decls.front()->range.begin)));
    module_.debug_sources.push_back(std::move(source));
    module_.functions.insert(module_.functions.begin(), std::make_move_iterator(imports_.begin()),
                             std::make_move_iterator(imports_.end()));
    const std::vector<bool> used = used_ids();
    if (debug_) debug_->finish(used);
    add_capabilities(used);
    drop_unused(used);
    check_target();
    return std::move(module_);
}

/// Declines what came with OpenCL 2.0 in a module for OpenCL 1.2 (OpenCL SPIR-V Environment 3.1), e.g.
/// generic pointers of -cl-std=CL2.0.
void Emitter::check_target() {
    if (options_.target != spirv::Target::OpenCL12) return;
    for (const spirv::Instruction& inst : module_.capabilities) {
        const auto capability = static_cast<spv::Capability>(inst.word(0));
        if (capability != spv::Capability::GenericPointer && capability != spv::Capability::Pipes &&
            capability != spv::Capability::DeviceEnqueue)
            continue;
        diags_.error(unit_.decls.front()->range, "the source needs the capability ",
                     spirv::capability_name(capability), ", which modules for ", spirv::name(options_.target),
                     " cannot have; --target=opencl2.0 can");
    }
}

/// Keeps only globals that the functions need, directly or through other types and constants. Folding leaves
/// unused constants, and an unused double must not require Float64.
std::vector<bool> Emitter::used_ids() const {
    std::vector<bool> used(module_.bound);
    auto mark = [&](const spirv::Instruction& inst) {
        if (inst.type) used[inst.type.value] = true;
        for (const Operand& operand : inst.operands)
            if (operand.is_id) used[operand.word] = true;
    };
    for (const spirv::Instruction& inst : module_.entry_points) mark(inst);
    for (const Id id : exported_) used[id.value] = true;
    for (const spirv::Function& function : module_.functions) {
        used[function.id().value] = true;
        mark(function.def);
        for (const spirv::Instruction& param : function.params) used[param.result.value] = true, mark(param);
        for (const spirv::Block& block : function.blocks) {
            for (const spirv::Instruction& inst : block.body) {
                if (inst.result) used[inst.result.value] = true;
                mark(inst);
            }
            mark(block.terminator);
        }
    }
    for (const spirv::Instruction& inst : module_.debug_info) mark(inst);
    for (auto inst = module_.globals.rbegin(); inst != module_.globals.rend(); ++inst)
        if (used[inst->result.value]) mark(*inst);
    // A pointer type that was named before it was made may have been used only then.
    std::vector<Id> work;
    for (const spirv::Instruction& inst : module_.globals)
        if (inst.op == spv::Op::OpTypeForwardPointer && used[inst.word(0)]) work.push_back(inst.id(0));
    while (!work.empty()) {
        const spirv::Instruction& global = *b_.find_global(work.back());
        work.pop_back();
        for (const Operand& operand : global.operands) {
            if (!operand.is_id || used[operand.word]) continue;
            used[operand.word] = true;
            work.push_back(operand.id());
        }
    }
    return used;
}

void Emitter::drop_unused(const std::vector<bool>& used) {
    std::erase_if(module_.globals, [&](const spirv::Instruction& inst) {
        const bool is_forward = inst.op == spv::Op::OpTypeForwardPointer;
        return !used[is_forward ? inst.word(0) : inst.result.value];
    });
    auto about_unused = [&](const spirv::Instruction& inst) { return !used[inst.word(0)]; };
    std::erase_if(module_.names, about_unused);
    std::erase_if(module_.annotations, about_unused);
}

/// The file that was compiled, from a place in it or in a file that it includes.
std::string_view Emitter::main_file(SourceLoc place) const {
    PresumedLoc presumed = sources_.presumed(place);
    while (presumed.included_from) presumed = sources_.presumed(presumed.included_from);
    return presumed.file;
}

void Emitter::set_line(SourceRange range) {
    if (!range) return;
    if (debug_) {
        debug_->flush();
        const spirv::Line line = debug_->line(range.begin);
        if (line.file) b_.set_line(line);
        return;
    }
    const PresumedLoc place = sources_.presumed(range.begin);
    if (place.line) b_.set_line({b_.string(place.file), place.line, place.column});
}

/// Reports what the emitter cannot do, and stands in for the value so that it can go on.
Id Emitter::decline(SourceRange range, std::string_view what, const Type* type) {
    diags_.error(range, what, " is not supported");
    if (!type || type->is_void()) return {};
    return b_.undef(value_type(type));
}

spirv::Module emit(const TranslationUnit& unit, const CompileOptions& options, TypeTable& types, Arena& arena,
                   const SourceManager& sources, Diagnostics& diags) {
    return Emitter(unit, options, types, arena, sources, diags).run();
}

}  // namespace caldera::frontend
