// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/built_in_copies.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/global_order.h"
#include "vulkan/translate/import/moved_pointers.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

bool is_input_pointer(const Instruction& inst) {
    return inst.op == Op::OpTypePointer && inst.word(0) == static_cast<uint32_t>(spv::StorageClass::Input);
}

/// Whether an address of a built-in variable goes where its storage must be that of others: to a parameter, a
/// phi, a choice or memory.
bool passes_input_pointers(const Module& module) {
    IdSet pointers;
    for (const Instruction& inst : module.globals)
        if (is_input_pointer(inst)) pointers.insert(inst.result);
    if (pointers.empty()) return false;
    IdSet values;
    for (const Instruction& inst : module.globals)
        if (inst.type && pointers.contains(inst.type)) values.insert(inst.result);
    bool passes = false;
    for (const Function& function : module.functions) {
        for (const Instruction& param : function.params) passes |= pointers.contains(param.type);
        for_each_instruction(function, [&](const Instruction& inst) {
            if (inst.op == Op::OpStore) passes |= values.contains(inst.id(1));
            if (!inst.type || !pointers.contains(inst.type)) return;
            values.insert(inst.result);
            passes |= !computes_pointer(inst.op);
        });
    }
    return passes;
}

/// Makes pointers to Input pointers to Function storage, but for those that are variables' own types.
void make_pointers_private(Module& module) {
    IdMap<Id> privates;  // by pointee
    for (const Instruction& inst : module.globals)
        if (inst.op == Op::OpTypePointer &&
            inst.word(0) == static_cast<uint32_t>(spv::StorageClass::Function))
            privates[inst.id(1)] = inst.result;
    Substitution same;
    IdMap<Id> pointees;
    for (Instruction& inst : module.globals) {
        if (!is_input_pointer(inst)) continue;
        pointees[inst.result] = inst.id(1);
        if (const auto known = privates.find(inst.id(1)); known != privates.end())
            same.set(inst.result, known->second);
        inst.operands[0] = spv::StorageClass::Function;
    }
    IdMap<Id> inputs;  // by pointee
    std::vector<Instruction> globals;
    for (Instruction& inst : module.globals) {
        if (inst.op == Op::OpTypePointer && same.resolve(inst.result) != inst.result) continue;
        if (const auto pointee = pointees.find(inst.type);
            inst.op == Op::OpVariable && pointee != pointees.end()) {
            Id& type = inputs[pointee->second];
            if (!type) {
                type = module.fresh();
                globals.push_back({.op = Op::OpTypePointer,
                                   .result = type,
                                   .operands = {spv::StorageClass::Input, pointee->second}});
            }
            inst.type = type;
        }
        globals.push_back(std::move(inst));
    }
    module.globals = std::move(globals);
    const auto retype = [&](Instruction& inst) {
        if (inst.type) inst.type = same.resolve(inst.type);
        same.apply(inst);
    };
    for (Instruction& inst : module.globals) retype(inst);
    for (Function& function : module.functions) {
        retype(function.def);
        for (Instruction& param : function.params) retype(param);
        for_each_instruction(function, retype);
    }
    drop_stale_names(module);
}

class BuiltInCopies {
 public:
    /// `all`: no address of a variable stays.
    BuiltInCopies(Module& module, bool all) : module_(module), builder_(module), all_(all) {}

    bool run() {
        const IdMap<spv::BuiltIn> built_ins = built_ins_of(module_);
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpVariable && built_ins.contains(inst.result)) variables_.insert(inst.result);
        if (variables_.empty()) return false;
        find_addresses();
        bool any = false;
        for (Function& function : module_.functions)
            if (!function.blocks.empty()) any |= copy(function);
        if (!addresses_.empty()) drop_addresses();
        return any;
    }

 private:
    /// Constants that are addresses in built-in variables, each after those that it is made of. LLVM's
    /// translator writes them before the variables.
    void find_addresses() {
        for (bool more = true; more;) {
            more = false;
            for (const Instruction& inst : module_.globals) {
                if (inst.op != Op::OpSpecConstantOp || inst.operands.size() < 2 ||
                    roots_.contains(inst.result))
                    continue;
                const auto op = static_cast<Op>(inst.word(0));
                if (!computes_pointer(op) && op != Op::OpPtrCastToGeneric) continue;
                const Id root = root_of(inst.id(1));
                if (!root) continue;
                roots_[inst.result] = root;
                addresses_.push_back(inst);
                more = true;
            }
        }
    }
    /// The variable that an address in a built-in variable is one in, or none.
    Id root_of(Id pointer) const {
        if (variables_.contains(pointer)) return pointer;
        const auto found = roots_.find(pointer);
        return found == roots_.end() ? Id{} : found->second;
    }

    /// The variables with whose addresses a function does more than to load them and their components.
    IdSet odd_variables(const Function& function) const {
        IdSet odd;
        IdMap<Id> chains;  // and their variables
        for_each_instruction(function, [&](const Instruction& inst) {
            for (size_t i = 0; i < inst.operands.size(); ++i) {
                if (!inst.operands[i].is_id) continue;
                const Id pointer = inst.id(i), root = root_of(pointer);
                const auto chain = chains.find(pointer);
                if (!root && chain == chains.end()) continue;
                if (root && all_) odd.insert(root);
                const bool loads =
                    inst.op == Op::OpLoad && inst.type == builder_.pointee(builder_.type_of(pointer));
                const bool selects = inst.op == Op::OpAccessChain || inst.op == Op::OpInBoundsAccessChain;
                if (root && i == 0 && variables_.contains(pointer) && selects)
                    chains[inst.result] = root;
                else if (!loads || roots_.contains(pointer))
                    odd.insert(root ? root : chain->second);
            }
        });
        return odd;
    }

    bool copy(Function& function) {
        const IdSet odd = odd_variables(function);
        if (odd.empty()) return false;
        std::vector<Instruction> code;
        IdMap<Id> copies;
        IdSet moved;
        {
            const SinkScope sink(builder_, &code);
            for (const Instruction& inst : module_.globals)
                if (odd.contains(inst.result)) originals_.emplace_back(inst.result, inst.type);
            for (const auto& [variable, type] : originals_) {
                const Id value_type = builder_.pointee(type);
                const Id private_type = builder_.type_pointer(spv::StorageClass::Function, value_type);
                const Id value = builder_.append(Op::OpLoad, value_type, {variable});
                const Id copied = builder_.fresh();
                code.insert(code.begin(), {.op = Op::OpVariable,
                                           .type = private_type,
                                           .result = copied,
                                           .operands = {spv::StorageClass::Function}});
                builder_.append_void(Op::OpStore, {copied, value});
                copies[variable] = copied;
                made_[copied] = private_type;
                moved.insert(copied);
            }
            for (const Instruction& address : addresses_) {
                if (!odd.contains(roots_.at(address.result))) continue;
                Instruction inst = {.op = static_cast<Op>(address.word(0)),
                                    .type = address.type,
                                    .result = builder_.fresh(),
                                    .operands = {address.operands.begin() + 1, address.operands.end()}};
                inst.operands[0] = copies.at(inst.id(0));
                move_result(builder_, inst, spv::StorageClass::Function, moved);
                count_bytes(inst);
                copies[address.result] = inst.result;
                made_[inst.result] = inst.type;
                code.push_back(std::move(inst));
            }
        }
        originals_.clear();
        for (Block& block : function.blocks) {
            for (Instruction& inst : block.body) {
                replace(inst, copies);
                move_result(builder_, inst, spv::StorageClass::Function, moved);
            }
            replace(block.terminator, copies);
        }
        function.insert_at_entry(std::move(code));
        return true;
    }
    static void replace(Instruction& inst, const IdMap<Id>& copies) {
        for (Operand& operand : inst.operands)
            if (operand.is_id)
                if (const auto found = copies.find(operand.id()); found != copies.end())
                    operand = found->second;
    }
    /// LLVM's translator writes a number of bytes as an index into the variable, whatever that is.
    void count_bytes(Instruction& chain) {
        if (!is_access_chain(chain.op) || chain.operands.size() != 3 || !builder_.is_pointer(chain.type))
            return;
        const Id byte = builder_.pointee(chain.type);
        const Id object = builder_.pointee(made_.at(chain.id(0)));
        if (!builder_.is_int(byte) || builder_.width(byte) != 8 || !builder_.is_vector(object)) return;
        chain.operands = {builder_.append(Op::OpBitcast, chain.type, {chain.operands[0]}), chain.operands[2]};
    }

    /// No function uses them any more.
    void drop_addresses() {
        IdSet used;
        for (const Instruction& inst : module_.globals)
            if (!roots_.contains(inst.result))
                for (const Operand& operand : inst.operands)
                    if (operand.is_id) used.insert(operand.id());
        std::erase_if(module_.globals, [&](const Instruction& inst) {
            return roots_.contains(inst.result) && !used.contains(inst.result);
        });
        drop_stale_names(module_);
    }

    Module& module_;
    Builder builder_;
    bool all_;
    IdSet variables_ = {};
    IdMap<Id> roots_ = {};                     // of addresses
    std::vector<Instruction> addresses_ = {};  // of constants
    std::vector<std::pair<Id, Id>> originals_ = {};
    IdMap<Id> made_ = {};  // the types of pointers
};

}  // namespace

bool copy_built_ins(Module& module) {
    const bool all = passes_input_pointers(module);
    if (all) make_pointers_private(module);
    bool any = BuiltInCopies(module, all).run();
    if (all) mend_global_order(module);  // a type of others may stand behind its uses now
    return any || all;
}

}  // namespace caldera::vulkan
