// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/number_arguments.h"

#include <algorithm>
#include <map>
#include <set>

namespace caldera::vulkan {
namespace {

constexpr uint32_t kFirstFreeSpecId = 3;  // after the local size

/// Lengths of local arguments, which are shared by kernels where they mean the same, and formats of images.
class ConstantNumbers {
 public:
    explicit ConstantNumbers(uint32_t first) : next_(first) {}
    void number(Kernel& kernel, std::span<const spirv::Id> pointees) {
        std::set<uint32_t> taken;
        for (size_t i = 0; i < kernel.arguments.size(); ++i) {
            if (kernel.arguments[i].kind == ArgumentKind::Image) kernel.arguments[i].spec_id = next_++;
            if (kernel.arguments[i].kind != ArgumentKind::LocalPointer) continue;
            std::vector<uint32_t>& known = ids_[pointees[i]];
            const auto free = std::ranges::find_if(known, [&](uint32_t id) { return !taken.contains(id); });
            const uint32_t id = free != known.end() ? *free : next_++;
            if (free == known.end()) known.push_back(id);
            taken.insert(id);
            kernel.arguments[i].spec_id = id;
        }
    }

 private:
    uint32_t next_;
    std::map<spirv::Id, std::vector<uint32_t>> ids_ = {};  // by the type pointed to
};

class BindingNumbers {
 public:
    void number(Kernel& kernel) {
        uint32_t position = 0;
        bool has_values = false;
        for (KernelArgument& argument : kernel.arguments) {
            if (is_by_value(argument.kind))
                has_values = true;
            else if (argument.kind == ArgumentKind::LocalPointer)
                ++position;
            else
                argument.binding = at(position++);
        }
        kernel.block_binding = has_values ? at(position) : kNoBinding;
    }
    /// By addresses, only images and samplers of Vulkan's have a binding.
    void number_images(Kernel& kernel) {
        uint32_t position = 0;
        for (KernelArgument& argument : kernel.arguments)
            if (is_vulkan_image(argument.kind)) argument.binding = at(position++);
    }
    uint32_t next() const { return static_cast<uint32_t>(bindings_.size()); }

 private:
    uint32_t at(uint32_t position) {
        return bindings_.try_emplace(position, static_cast<uint32_t>(bindings_.size())).first->second;
    }
    std::map<uint32_t, uint32_t> bindings_ = {};  // by position
};

}  // namespace

void number_arguments(ProgramInterface& program, std::span<const std::vector<spirv::Id>> pointees,
                      bool has_work_dim_constant) {
    uint32_t spec_id = kFirstFreeSpecId;
    if (has_work_dim_constant) program.work_dim_spec_id = spec_id++;
    ConstantNumbers constants(spec_id);
    for (size_t k = 0; k < program.kernels.size(); ++k) constants.number(program.kernels[k], pointees[k]);
    BindingNumbers bindings;
    if (program.abi != Abi::Descriptors) {
        for (Kernel& kernel : program.kernels) bindings.number_images(kernel);
        return;
    }
    for (Kernel& kernel : program.kernels) bindings.number(kernel);
    // A block of hidden arguments only, which clspv does not have.
    for (Kernel& kernel : program.kernels)
        if (kernel.block_binding == kNoBinding) kernel.block_binding = bindings.next();
}

void number_nulls(ProgramInterface& program) {
    if (program.abi != Abi::Descriptors) return;
    const uint32_t first = first_free_spec_id(program);
    for (Kernel& kernel : program.kernels)
        for (KernelArgument& argument : kernel.arguments)
            if (argument.kind == ArgumentKind::GlobalPointer ||
                argument.kind == ArgumentKind::ConstantPointer)
                argument.not_null_spec_id = first + argument.binding;
}

uint32_t first_free_spec_id(const ProgramInterface& program) {
    uint32_t last = kFirstFreeSpecId - 1;
    if (program.work_dim_spec_id != kNoSpecId) last = program.work_dim_spec_id;
    for (const Kernel& kernel : program.kernels)
        for (const KernelArgument& argument : kernel.arguments) {
            if (has_spec_id(argument.kind)) last = std::max(last, argument.spec_id);
            if (argument.not_null_spec_id != kNoSpecId) last = std::max(last, argument.not_null_spec_id);
        }
    for (const uint32_t id :
         {program.printf_words_spec_id, program.has_base_spec_id, program.full_groups_spec_id})
        if (id != kNoSpecId) last = std::max(last, id);
    return last + 1;
}

}  // namespace caldera::vulkan
