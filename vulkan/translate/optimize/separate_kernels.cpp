// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/separate_kernels.h"

#include "spirv/id_map.h"
#include "vulkan/translate/support/clone.h"

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

    /// A pointer that does not come from another pointer of the same function. Those of program-scope
    /// variables are the same in each kernel.
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

    /// Finds all functions except those that take or return pointers, and the callers of those.
    void find_shareable() {
        IdMap<std::vector<Id>> callers;
        std::vector<Id> work;
        for (const Function& function : module_.functions) {
            index_of_.emplace(function.id(), static_cast<uint32_t>(index_of_.size()));
            std::vector<Id>& callees = callees_[function.id()];
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (inst.op == spv::Op::OpFunctionCall) callees.push_back(inst.id(0));
            for (const Id callee : callees) callers[callee].push_back(function.id());
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

    /// The functions below the kernel that it must have for itself, as calls lead there now. No function that
    /// may be shared calls one of them.
    std::vector<Id> reached_from(Id kernel) const {
        std::vector<Id> reached = {kernel};
        IdSet seen;
        seen.insert(kernel);
        for (size_t next = 0; next < reached.size(); ++next)
            for (const Id callee : callees_.at(reached[next]))
                if (separate_.contains(callee) && seen.insert(callee)) reached.push_back(callee);
        return reached;
    }

    void separate(Id kernel) {
        if (!separate_.contains(kernel)) return;
        const std::vector<Id> reached = reached_from(kernel);
        IdMap<Id> copies;
        for (size_t i = 1; i < reached.size(); ++i)
            if (!owned_.insert(reached[i])) copies[reached[i]] = module_.fresh();
        if (copies.empty()) return;
        for (const Id id : reached) {
            const auto copy = copies.find(id);
            if (copy == copies.end()) {
                redirect_calls(module_.functions[index_of_.at(id)], copies);
                continue;
            }
            separate_.insert(copy->second);
            owned_.insert(copy->second);
            index_of_[copy->second] = static_cast<uint32_t>(module_.functions.size());
            module_.functions.push_back(cloner_.copy(module_.functions[index_of_.at(id)], copy->second));
            redirect_calls(module_.functions.back(), copies);
        }
    }

    void redirect_calls(Function& function, const IdMap<Id>& copies) {
        std::vector<Id> callees;
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpFunctionCall) continue;
                if (const auto copy = copies.find(inst.id(0)); copy != copies.end())
                    inst.operands[0] = copy->second;
                callees.push_back(inst.id(0));
            }
        callees_[function.id()] = std::move(callees);
    }

    Module& module_;
    Cloner cloner_;
    IdSet pointers_ = {};                  // types
    IdMap<uint32_t> index_of_ = {};        // of functions
    IdMap<std::vector<Id>> callees_ = {};  // as they are now, with repeats
    IdSet separate_ = {};                  // functions that one kernel must have for itself
    IdSet owned_ = {};                     // those that some kernel already has
};

}  // namespace

void separate_kernels(Module& module) { KernelSeparator(module).run(); }

}  // namespace caldera::vulkan
