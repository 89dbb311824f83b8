// SPDX-License-Identifier: Apache-2.0
// A function for each kind of store or atomic operation executes it under a condition. It gets the indices,
// since Vulkan passes no pointers to elements. (Splitting the block of the access instead would disturb
// structured control flow.)
#include "vulkan/translate/memory/guarded_local.h"

#include <map>
#include <string>
#include <vector>

#include "spirv/cooperative_matrix.h"

namespace caldera::vulkan::memory {
namespace {

using spirv::Id;
using spirv::Instruction;
using spirv::Operand;
using spv::Op;

class ChangeGuard {
 public:
    ChangeGuard(spirv::Builder& builder, const spirv::IdMap<Id>& conditions)
        : builder_(builder), conditions_(conditions) {}

    void run() {
        for (spirv::Function& function : builder_.module().functions)
            for (spirv::Block& block : function.blocks)
                for (Instruction& inst : block.body) {
                    if (inst.operands.empty() || !inst.operands[0].is_id) continue;
                    if (inst.result && conditions_.contains(inst.result)) chains_[inst.result] = inst;
                    if (conditions_.contains(inst.id(0)) && changes(inst)) guard(inst);
                }
        for (const Request& request : requests_) build(request);
    }

 private:
    /// The operation, of which operands that are no constants are numbers of parameters.
    struct Request {
        Id function = {}, result = {};
        std::vector<Id> params = {};  // their types
        Instruction chain = {}, inst = {};
    };

    static bool changes(const Instruction& inst) {
        return inst.op != Op::OpLoad && inst.op != spirv::kMatrixLoad;
    }

    void guard(Instruction& inst) {
        const Id condition = conditions_.find(inst.id(0))->second;
        Request request{.result = inst.type ? inst.type : builder_.type_void(),
                        .params = {builder_.type_bool()},
                        .chain = chains_.find(inst.id(0))->second,
                        .inst = inst};
        std::vector<Id> args = {condition};
        std::string key =
            std::to_string(static_cast<uint32_t>(inst.op)) + "." + std::to_string(inst.type.value);
        take_values(request.chain, request, args, key);
        take_values(request.inst, request, args, key);
        Id& function = functions_[key];
        if (!function) {
            function = request.function = builder_.fresh();
            requests_.push_back(request);
        }
        spirv::Operands operands = {function};
        operands.insert(operands.end(), args.begin(), args.end());
        inst = {.op = Op::OpFunctionCall,
                .type = request.result,
                .result = inst.result ? inst.result : builder_.fresh(),
                .operands = std::move(operands),
                .line = inst.line};
    }

    /// Values of the function become parameters, of which the operand is the number; the first operand is a
    /// pointer.
    void take_values(Instruction& inst, Request& request, std::vector<Id>& args, std::string& key) const {
        if (inst.op == Op::OpAccessChain) key += "." + std::to_string(inst.id(0).value);
        for (size_t i = 1; i < inst.operands.size(); ++i) {
            Operand& operand = inst.operands[i];
            if (operand.is_id && !builder_.find_global(operand.id())) {
                args.push_back(operand.id());
                request.params.push_back(builder_.type_of(operand.id()));
                key += ".t" + std::to_string(request.params.back().value);
                operand = Operand(Id{});
            } else {
                key += (operand.is_id ? "." : ".w") + std::to_string(inst.word(i));
            }
        }
    }

    void build(const Request& request) {
        builder_.begin_function(request.result, builder_.type_function(request.result, request.params), {},
                                request.function);
        builder_.name(request.function, "caldera.guarded");
        std::vector<Id> params;
        for (const Id param : request.params) params.push_back(builder_.param(param));
        size_t next = 1;
        const auto filled = [&](Instruction inst) {
            for (Operand& operand : inst.operands)
                if (operand.is_id && !operand.id()) operand = params[next++];
            inst.line = {};
            return inst;
        };
        const Id entry = builder_.fresh(), inside = builder_.fresh(), end = builder_.fresh();
        builder_.begin_block(entry);
        builder_.selection_merge(end);
        builder_.branch_if(params[0], inside, end);
        builder_.begin_block(inside);
        Instruction chain = filled(request.chain), inst = filled(request.inst);
        chain.result = builder_.fresh();
        inst.operands[0] = chain.result;
        const bool has_result = bool(inst.result);
        if (has_result) inst.result = builder_.fresh();
        const Id result = inst.result;
        builder_.append(std::move(chain));
        builder_.append(std::move(inst));
        builder_.branch(end);
        builder_.begin_block(end);
        if (has_result)
            builder_.return_value(builder_.append(
                Op::OpPhi, request.result, {builder_.constant_null(request.result), entry, result, inside}));
        else
            builder_.return_();
        builder_.end_function();
    }

    spirv::Builder& builder_;
    const spirv::IdMap<Id>& conditions_;
    spirv::IdMap<Instruction> chains_ = {};
    std::map<std::string, Id> functions_ = {};
    std::vector<Request> requests_ = {};
};

}  // namespace

void guard_changes(spirv::Builder& builder, const spirv::IdMap<Id>& conditions) {
    if (!conditions.empty()) ChangeGuard(builder, conditions).run();
}

}  // namespace caldera::vulkan::memory
