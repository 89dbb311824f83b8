// SPDX-License-Identifier: Apache-2.0
// separate_images: with descriptors, a function that several images are passed to becomes one function for
// each of them. Then an access to a texel knows its storage buffer. Otherwise it would branch over all
// buffers of the kernel, and decoding a texel has many accesses.
//
// Before: no two kernels share a function that takes a pointer to global memory (split_kernels), and small
// functions are inlined.
#include <algorithm>

#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

class ImageSeparator {
 public:
    explicit ImageSeparator(Module& module) : module_(module), cloner_(module) {}

    void run(const ProgramInterface& program) {
        for (size_t i = 0; i < module_.functions.size(); ++i)
            index_of_[module_.functions[i].id()] = static_cast<uint32_t>(i);
        for (size_t k = 0; k < module_.entry_points.size(); ++k) find_images(k, program.kernels.at(k));
        if (roots_.empty()) return;
        std::vector<std::vector<uint32_t>> callees(module_.functions.size());
        for (size_t i = 0; i < module_.functions.size(); ++i)
            for (const Block& block : module_.functions[i].blocks)
                for (const Instruction& inst : block.body)
                    if (inst.op == spv::Op::OpFunctionCall) callees[i].push_back(index_of_.at(inst.id(0)));
        std::vector<uint32_t> order =
            order_calls(
                static_cast<uint32_t>(callees.size()), [&](uint32_t i) -> auto& { return callees[i]; })
                .callees_first;
        std::ranges::reverse(order);
        for (const uint32_t function : order) separate(function);
    }

 private:
    using Roots = std::vector<Id>;  // of the arguments of a call
    struct Call {
        uint32_t function = 0;
        size_t block = 0, inst = 0;
        Roots roots = {};
    };

    void find_images(size_t entry, const Kernel& kernel) {
        const Function& function = module_.functions[index_of_.at(module_.entry_points[entry].id(1))];
        for (size_t i = 0; i < function.params.size() && i < kernel.arguments.size(); ++i)
            if (kernel.arguments[i].kind == ArgumentKind::Image)
                roots_[function.params[i].result] = function.params[i].result;
    }

    /// All callers are final, and their calls are known.
    void separate(uint32_t index) {
        std::vector<Call> calls = std::move(calls_[module_.functions[index].id()]);
        std::vector<std::pair<Roots, uint32_t>> versions;
        for (const Call& call : calls) {
            auto version = std::ranges::find(versions, call.roots, &std::pair<Roots, uint32_t>::first);
            if (version == versions.end()) {
                const uint32_t made = versions.empty() ? index : copy_of(index);
                version = versions.insert(versions.end(), {call.roots, made});
                for (size_t i = 0; i < call.roots.size(); ++i)
                    roots_[module_.functions[made].params[i].result] = call.roots[i];
            }
            module_.functions[call.function].blocks[call.block].body[call.inst].operands[0] =
                module_.functions[version->second].id();
        }
        if (versions.empty()) visit(index);
        for (const auto& [roots, version] : versions) visit(version);
    }

    uint32_t copy_of(uint32_t index) {
        module_.functions.push_back(cloner_.copy(module_.functions[index], module_.fresh()));
        return static_cast<uint32_t>(module_.functions.size() - 1);
    }

    /// Finds the calls of a function, and what they pass.
    void visit(uint32_t index) {
        const Function& function = module_.functions[index];
        for (size_t b = 0; b < function.blocks.size(); ++b)
            for (size_t i = 0; i < function.blocks[b].body.size(); ++i) {
                const Instruction& inst = function.blocks[b].body[i];
                if (computes_pointer(inst.op)) {
                    if (const Id root = root_of(inst.id(0))) roots_[inst.result] = root;
                } else if (inst.op == spv::Op::OpFunctionCall) {
                    Roots roots;
                    for (size_t k = 1; k < inst.operands.size(); ++k) roots.push_back(root_of(inst.id(k)));
                    calls_[inst.id(0)].push_back({index, b, i, std::move(roots)});
                }
            }
    }

    Id root_of(Id pointer) const {
        const auto found = roots_.find(pointer);
        return found == roots_.end() ? Id{} : found->second;
    }

    Module& module_;
    Cloner cloner_;
    IdMap<uint32_t> index_of_ = {};        // of functions, without copies
    IdMap<Id> roots_ = {};                 // the image of a kernel that a pointer leads into
    IdMap<std::vector<Call>> calls_ = {};  // by the function that is called
};

}  // namespace

Result<Done> separate_images(spirv::Module& module, PassContext& context) {
    if (context.options.abi == Abi::Descriptors) ImageSeparator(module).run(context.interface);
    return Done{};
}

}  // namespace caldera::vulkan
