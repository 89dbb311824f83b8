// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/separate_kernels.h"

#include "spirv/id_map.h"
#include "vulkan/translate/clone.h"
#include "vulkan/translate/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

class KernelSeparator {
 public:
    explicit KernelSeparator(Module& module) : module_(module), cloner_(module) {}

    void run() {
        find_pointer_types();
        find_shareable();
        IdSet kernels;
        for (const Instruction& entry : std::vector<Instruction>(module_.entry_points))
            if (kernels.insert(entry.id(1))) separate(entry.id(1));
    }

 private:
    void find_pointer_types() {
        for (const Instruction& inst : module_.globals) {
            if (inst.op != spv::Op::OpTypePointer) continue;
            switch (static_cast<spv::StorageClass>(inst.word(0))) {
                case spv::StorageClass::CrossWorkgroup:
                case spv::StorageClass::UniformConstant:
                case spv::StorageClass::Generic: pointers_.insert(inst.result); break;
                default: break;
            }
        }
    }

    /// A pointer that does not come from another pointer of the same function. Those of program-scope variables are the
    /// same in each kernel.
    bool brings_pointer(const Function& function) const {
        if (pointers_.contains(function.return_type())) return true;
        for (const Instruction& param : function.params)
            if (pointers_.contains(param.type)) return true;
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (!pointers_.contains(inst.type)) continue;
                switch (inst.op) {
                    case spv::Op::OpLoad:
                    case spv::Op::OpConvertUToPtr:
                    case spv::Op::OpBitcast:
                    case spv::Op::OpCompositeExtract:
                    case spv::Op::OpFunctionCall: return true;
                    default: break;
                }
            }
        return false;
    }

    /// All but the functions that bring pointers, and what calls those.
    void find_shareable() {
        IdMap<std::vector<Id>> callers;
        std::vector<Id> work;
        for (const Function& function : module_.functions) {
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (inst.op == spv::Op::OpFunctionCall) callers[inst.id(0)].push_back(function.id());
            if (brings_pointer(function)) work.push_back(function.id());
        }
        for (const Id id : work) separate_.insert(id);
        while (!work.empty()) {
            const Id callee = work.back();
            work.pop_back();
            for (const Id caller : callers[callee])
                if (separate_.insert(caller)) work.push_back(caller);
        }
    }

    void separate(Id kernel) {
        const std::vector<uint32_t> reached = CallGraph(module_).functions(kernel);
        IdMap<Id> copies;
        for (size_t i = 1; i < reached.size(); ++i) {
            const Id id = module_.functions[reached[i]].id();
            if (separate_.contains(id) && !owned_.insert(id)) copies[id] = module_.fresh();
        }
        for (const auto& [id, copy] : copies) {
            separate_.insert(copy);
            owned_.insert(copy);
        }
        for (const uint32_t index : reached) {
            const Id id = module_.functions[index].id();
            const auto copy = copies.find(id);
            if (copy == copies.end()) {
                redirect_calls(module_.functions[index], copies);
                continue;
            }
            Function made = cloner_.copy(module_.functions[index], copy->second);
            redirect_calls(made, copies);
            module_.functions.push_back(std::move(made));
        }
    }

    static void redirect_calls(Function& function, const IdMap<Id>& copies) {
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpFunctionCall) continue;
                if (const auto copy = copies.find(inst.id(0)); copy != copies.end())
                    inst.operands[0] = copy->second;
            }
    }

    Module& module_;
    Cloner cloner_;
    IdSet pointers_ = {};  // types
    IdSet separate_ = {};  // functions that one kernel must have for itself
    IdSet owned_ = {};     // those that some kernel already has
};

}  // namespace

void separate_kernels(Module& module) { KernelSeparator(module).run(); }

}  // namespace caldera::vulkan
