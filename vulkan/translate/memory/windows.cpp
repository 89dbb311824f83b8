// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/windows.h"

#include <algorithm>

namespace caldera::vulkan::memory {
namespace {

constexpr uint32_t kAnyWindow = ~0u;  // several, or one that cannot be known

}  // namespace

Windows::Windows(const spirv::Module& module, const Source& source, const ProgramInterface& program,
                 LazyCallGraph& calls)
    : source_(source), enabled_(program.abi == Abi::Descriptors), argument_set_(program.argument_set) {
    if (!enabled_) return;
    for (const Kernel& kernel : program.kernels)
        for (const KernelArgument& argument : kernel.arguments)
            if (argument.binding != kNoBinding) table_rows_ = std::max(table_rows_, argument.binding + 1);
    windows_.resize(module.bound, kNoWindow);
    add_arguments(module, program, calls.get());
    for (const Instruction& inst : source.globals()) visit(inst, {});
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks) {
            for (const Instruction& inst : block.body) visit(inst, function.id());
            visit(block.terminator, function.id());
        }
    spread();
}

uint32_t Windows::of(Id pointer) const {
    const uint32_t window = pointer.value < windows_.size() ? windows_[pointer.value] : kNoWindow;
    return window == kAnyWindow ? kNoWindow : window;
}

void Windows::add_arguments(const spirv::Module& module, const ProgramInterface& program, CallGraph& graph) {
    reachable_.resize(module.functions.size(), {kDataWindow});
    for (const Instruction& entry : module.entry_points) {
        const std::string name = spirv::string_at(entry, 2);
        const auto kernel = std::ranges::find(program.kernels, name, &Kernel::name);
        const std::vector<uint32_t> reached = graph.functions(entry.id(1));
        if (kernel == program.kernels.end() || reached.empty()) continue;
        const std::vector<Instruction>& params = module.functions[reached.front()].params;
        std::vector<uint32_t> windows = {kDataWindow};
        for (size_t i = 0; i < params.size() && i < kernel->arguments.size(); ++i) {
            const uint32_t binding = kernel->arguments[i].binding;
            if (binding == kNoBinding || is_vulkan_image(kernel->arguments[i].kind)) continue;
            windows.push_back(kFirstBindingWindow + binding);
            if (kernel->arguments[i].kind == ArgumentKind::Image) images_.insert(windows.back());
            arguments_.emplace(params[i].result, kernel->arguments[i].not_null_spec_id);
            join(params[i].result, windows.back());
        }
        for (const uint32_t index : reached)
            if (reachable_[index].size() == 1) reachable_[index] = windows;
    }
}

void Windows::flow(Id from, Id to) {
    if (source_.carries_pointer(from) && !source_.is_null(from)) flows_.emplace_back(from, to);
}

void Windows::visit(const Instruction& inst, Id function) {
    if (inst.op == spv::Op::OpReturnValue) flow(inst.id(0), function);
    if (inst.op == spv::Op::OpFunctionCall)
        for (size_t i = 1; i < inst.operands.size(); ++i)
            if (source_.carries_pointer(inst.id(i))) flow(inst.id(i), source_.param(inst.id(0), i - 1));
    if (!inst.result || !source_.carries_pointer(inst.result)) return;
    if (source_.for_each_base(inst, [&](Id base) { flow(base, inst.result); })) return;
    switch (Source::op_of(inst)) {
        case spv::Op::OpVariable:
            switch (source_.storage(inst.result)) {
                case spv::StorageClass::CrossWorkgroup:
                case spv::StorageClass::UniformConstant:
                    join(inst.result, window_of(source_.host_buffer(inst.result)));
                    break;
                default: break;
            }
            break;
        case spv::Op::OpFunctionCall: flow(inst.id(0), inst.result); break;
        case spv::Op::OpConstantNull:
        case spv::Op::OpUndef: break;
        default: join(inst.result, kAnyWindow); break;  // from memory, integers or aggregates
    }
}

void Windows::join(Id id, uint32_t window) {
    uint32_t& known = windows_.at(id.value);
    if (window == kNoWindow || known == window || known == kAnyWindow) return;
    known = known == kNoWindow ? window : kAnyWindow;
    changed_.push_back(id);
}

/// Each value changes at most twice, so this is linear in the flows.
void Windows::spread() {
    std::ranges::stable_sort(flows_, {}, [](const std::pair<Id, Id>& f) { return f.first.value; });
    while (!changed_.empty()) {
        const Id from = changed_.back();
        changed_.pop_back();
        // Not equal_range: clang 15 cannot compile libstdc++ 12's subrange.
        auto flow = std::ranges::lower_bound(flows_, from.value, {},
                                             [](const std::pair<Id, Id>& f) { return f.first.value; });
        for (; flow != flows_.end() && flow->first == from; ++flow) join(flow->second, windows_[from.value]);
    }
    flows_.clear();
}

}  // namespace caldera::vulkan::memory
