// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/printf_parameters.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/literal_strings.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/import/printf_choices.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/function_type.h"

namespace caldera::vulkan {
namespace {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Operands;
using spv::Op;
using spv::StorageClass;

constexpr size_t kMaxVersions = 1000;  // that are made in a module

using Indices = std::vector<size_t>;  // of parameters, in their order

/// Which parameters are formats, by function.
class FormatFinder {
 public:
    FormatFinder(spirv::Module& module, Id opencl_std) : opencl_std_(opencl_std), builder_(module) {}

    spirv::IdMap<Indices> run(const spirv::Module& module) {
        for (bool changes = true; changes;) {
            changes = false;
            for (const Function& function : module.functions) changes |= find_formats(function);
        }
        return std::move(formats_);
    }

 private:
    /// Whether more parameters of the function are formats than before.
    bool find_formats(const Function& function) {
        spirv::IdMap<const Instruction*> defs;
        spirv::IdMap<std::vector<Id>> stored;  // variable -> values
        std::vector<Id> open;
        spirv::for_each_instruction(function, [&](const Instruction& inst) {
            if (inst.result) defs[inst.result] = &inst;
            if (inst.op == Op::OpStore) stored[inst.id(0)].push_back(inst.id(1));
            if (is_printf(inst, opencl_std_)) open.push_back(inst.id(kPrintfFormat));
            if (inst.op != Op::OpFunctionCall) return;
            if (const auto called = formats_.find(inst.id(0)); called != formats_.end())
                for (const size_t index : called->second)
                    if (index + 1 < inst.operands.size()) open.push_back(inst.id(index + 1));
        });
        if (open.empty()) return false;
        spirv::IdSet seen;
        while (!open.empty()) {
            const Id pointer = open.back();
            open.pop_back();
            if (!seen.insert(pointer)) continue;
            const auto def = defs.find(pointer);
            if (def != defs.end()) follow(*def->second, stored, open);
        }
        Indices found;
        for (size_t i = 0; i < function.params.size(); ++i)
            if (seen.contains(function.params[i].result) && builder_.is_pointer(function.params[i].type) &&
                only_reads(function, function.params[i].result))
                found.push_back(i);
        if (found.empty()) return false;
        Indices& known = formats_[function.id()];
        return std::exchange(known, found) != found;
    }

    /// Whether a function does no more with a pointer, or one made from it, than load from there, print, and
    /// pass it on as a format. A version of the function has the text at another address, so nothing may
    /// compare it or write there.
    bool only_reads(const Function& function, Id pointer) const {
        spirv::IdSet made, holders;  // pointers made from it, and variables that have held one
        made.insert(pointer);
        bool harmless = true;
        for (bool changes = true; changes && harmless;) {
            changes = false;
            spirv::for_each_instruction(function, [&](const Instruction& inst) {
                for (size_t i = 0; i < inst.operands.size(); ++i)
                    if (inst.operands[i].is_id && made.contains(inst.id(i)))
                        harmless &= reads(function, inst, i, made, holders, changes);
                if (inst.op == Op::OpLoad && holders.contains(inst.id(0)))
                    changes |= made.insert(inst.result);
                const bool may_fill = inst.op == Op::OpCopyMemory || inst.op == Op::OpCopyMemorySized ||
                                      inst.op == Op::OpFunctionCall;
                if (may_fill && std::ranges::any_of(inst.operands, [&](const spirv::Operand& operand) {
                        return operand.is_id && holders.contains(operand.id());
                    }))
                    harmless = false;
            });
        }
        return harmless;
    }

    /// One use of such a pointer, as an operand.
    bool reads(const Function& function, const Instruction& inst, size_t operand, spirv::IdSet& made,
               spirv::IdSet& holders, bool& changes) const {
        if (spirv::computes_pointer(inst.op) || spirv::casts_pointer(inst.op) || inst.op == Op::OpSelect ||
            inst.op == Op::OpPhi) {
            changes |= made.insert(inst.result);
            return true;
        }
        if (inst.op == Op::OpLoad || is_printf(inst, opencl_std_)) return true;
        if (inst.op == Op::OpExtInst && inst.id(0) != opencl_std_) return true;  // debug information
        if (inst.op == Op::OpStore && operand == 1 && is_variable(function, inst.id(0))) {
            changes |= holders.insert(inst.id(0));
            return true;
        }
        if (inst.op != Op::OpFunctionCall) return false;
        const auto called = formats_.find(inst.id(0));
        return called != formats_.end() && std::ranges::count(called->second, operand - 1) != 0;
    }

    static bool is_variable(const Function& function, Id id) {
        return std::ranges::any_of(function.blocks.front().body, [&](const Instruction& inst) {
            return inst.op == Op::OpVariable && inst.result == id;
        });
    }

    /// Adds the pointers of which the instruction's result is one.
    static void follow(const Instruction& inst, const spirv::IdMap<std::vector<Id>>& stored,
                       std::vector<Id>& open) {
        if (spirv::computes_pointer(inst.op) || spirv::casts_pointer(inst.op)) open.push_back(inst.id(0));
        if (inst.op == Op::OpSelect) open.insert(open.end(), {inst.id(1), inst.id(2)});
        if (inst.op == Op::OpPhi)
            for (size_t i = 0; i < inst.operands.size(); i += 2) open.push_back(inst.id(i));
        if (inst.op != Op::OpLoad) return;
        if (const auto values = stored.find(inst.id(0)); values != stored.end())
            open.insert(open.end(), values->second.begin(), values->second.end());
    }

    Id opencl_std_;
    const spirv::Builder builder_;
    spirv::IdMap<Indices> formats_ = {};
};

/// Makes a version of a function for each format.
class FormatBinder {
 public:
    FormatBinder(spirv::Module& module, Id opencl_std, const spirv::IdMap<Indices>& formats)
        : module_(module), opencl_std_(opencl_std), formats_(formats), builder_(module), cloner_(module) {}

    /// Whether a call has another callee now.
    bool run() {
        // Versions come behind the others, and pass on what they were given.
        for (size_t i = 0; i < module_.functions.size(); ++i) bind_calls(i);
        drop_replaced();
        return !versions_.empty();
    }

 private:
    void bind_calls(size_t caller) {
        const Function before = module_.functions[caller];
        LiteralStrings strings(builder_, opencl_std_);
        strings.enter(before);
        for (size_t b = 0; b < before.blocks.size(); ++b)
            for (size_t i = 0; i < before.blocks[b].body.size(); ++i) {
                const Instruction& call = before.blocks[b].body[i];
                if (call.op != Op::OpFunctionCall || !formats_.contains(call.id(0))) continue;
                const Id version = version_for(call, strings);
                if (!version) continue;
                Operands operands = {version};
                const Indices& indices = formats_.at(call.id(0));
                for (size_t arg = 0; arg + 1 < call.operands.size(); ++arg)
                    if (std::ranges::find(indices, arg) == indices.end())
                        operands.push_back(call.operands[arg + 1]);
                module_.functions[caller].blocks[b].body[i].operands = std::move(operands);
            }
    }

    /// The callee with the formats of this call; none if they are not known.
    Id version_for(const Instruction& call, const LiteralStrings& strings) {
        const auto function = std::ranges::find_if(
            module_.functions, [&](const Function& each) { return each.id() == call.id(0); });
        if (function == module_.functions.end() || function->blocks.empty()) return {};
        std::vector<std::string> texts;
        for (const size_t index : formats_.at(call.id(0))) {
            if (index + 1 >= call.operands.size()) return {};
            std::optional<std::string> text = strings.find(call.id(index + 1));
            if (!text || !can_hold(function->params[index].type)) return {};
            texts.push_back(std::move(*text));
        }
        Id& version = versions_[{call.id(0).value, texts}];
        if (version || versions_.size() > kMaxVersions) return version;
        return version = make(*function, texts);
    }

    /// Whether a variable of bytes can be where the pointer points.
    bool can_hold(Id pointer) const {
        const StorageClass storage = builder_.storage(pointer);
        const Id pointee = builder_.pointee(pointer);
        return builder_.is_int(pointee) && builder_.width(pointee) == 8 &&
               (storage == StorageClass::UniformConstant || storage == StorageClass::CrossWorkgroup ||
                storage == StorageClass::Generic || storage == StorageClass::Function);
    }

    Id make(const Function& original, const std::vector<std::string>& texts) {
        const Indices& indices = formats_.at(original.id());
        Function copy = cloner_.copy(original, builder_.fresh());
        std::vector<Instruction> variables, pointers;
        for (size_t i = indices.size(); i-- > 0;) {  // from the last, so that those before stay in place
            const Instruction param = copy.params[indices[i]];
            copy.params.erase(copy.params.begin() + static_cast<ptrdiff_t>(indices[i]));
            const StorageClass storage = builder_.storage(param.type);
            const Id variable = variable_of(texts[i], storage, variables);
            bound_.insert(param.result);
            Id pointer = variable;
            if (storage == StorageClass::Generic) {
                pointer = builder_.fresh();
                pointers.push_back({.op = Op::OpPtrCastToGeneric,
                                    .type = builder_.type_pointer(storage, array_of(texts[i])),
                                    .result = pointer,
                                    .operands = {variable}});
            }
            pointers.push_back(
                {.op = Op::OpBitcast, .type = param.type, .result = param.result, .operands = {pointer}});
        }
        match_params(builder_, copy);
        std::vector<Instruction>& body = copy.blocks.front().body;
        const auto first =
            std::ranges::find_if(body, [](const Instruction& inst) { return inst.op != Op::OpVariable; });
        body.insert(body.insert(first, pointers.begin(), pointers.end()), variables.begin(), variables.end());
        note_types(copy);
        const Id id = copy.id();
        module_.functions.push_back(std::move(copy));
        return id;
    }
    /// A variable that holds the text: of the module, or among the function's.
    Id variable_of(const std::string& text, StorageClass storage, std::vector<Instruction>& variables) {
        std::vector<Id> bytes;
        for (const char c : text)
            bytes.push_back(builder_.constant_int(builder_.type_int(8), static_cast<unsigned char>(c)));
        bytes.push_back(builder_.constant_int(builder_.type_int(8), 0));
        const Id array = array_of(text), contents = builder_.constant_composite(array, bytes);
        if (storage == StorageClass::Function) {
            variables.push_back({.op = Op::OpVariable,
                                 .type = builder_.type_pointer(storage, array),
                                 .result = builder_.fresh(),
                                 .operands = {storage, contents}});
            return variables.back().result;
        }
        if (storage == StorageClass::UniformConstant) return builder_.variable(storage, array, contents);
        const Id variable = builder_.variable(StorageClass::CrossWorkgroup, array, contents);
        builder_.decorate(variable, spv::Decoration::Constant, {});
        return variable;
    }
    /// Tells the builder what the copy's results are.
    void note_types(const Function& copy) {
        std::vector<Instruction> unused;
        builder_.set_sink(&unused);
        for (const Instruction& param : copy.params) builder_.append(param);
        spirv::for_each_instruction(copy, [&](const Instruction& inst) { builder_.append(inst); });
        builder_.set_sink(nullptr);
    }
    Id array_of(const std::string& text) {
        return builder_.type_array(builder_.type_int(8), static_cast<uint32_t>(text.size() + 1));
    }

    // ---- Functions that nothing calls any more ----

    void drop_replaced() {
        spirv::IdSet used;
        for (const Instruction& entry : module_.entry_points) used.insert(entry.id(1));
        for (const Instruction& inst : module_.annotations)
            if (spirv::linkage_of(inst)) used.insert(inst.id(0));
        for (bool changes = true; changes;) {
            spirv::IdSet called = used;
            for (const Function& function : module_.functions)
                spirv::for_each_instruction(function, [&](const Instruction& inst) {
                    for (const spirv::Operand& operand : inst.operands)
                        if (operand.is_id) called.insert(operand.id());
                });
            changes = std::erase_if(module_.functions, [&](const Function& function) {
                          return formats_.contains(function.id()) && !called.contains(function.id());
                      }) > 0;
        }
        // What was said of parameters is not said of variables.
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            return inst.op == Op::OpDecorate && bound_.contains(inst.id(0));
        });
        spirv::drop_stale_names(module_);
    }

    spirv::Module& module_;
    Id opencl_std_;
    const spirv::IdMap<Indices>& formats_;  // by function
    spirv::Builder builder_;
    Cloner cloner_;
    std::map<std::pair<uint32_t, std::vector<std::string>>, Id> versions_ = {};
    spirv::IdSet bound_ = {};  // what parameters of versions were
};

}  // namespace

void bind_printf_formats(spirv::Module& module) {
    const Id opencl_std = opencl_std_of(module);
    if (std::ranges::none_of(module.functions, [&](const Function& f) { return prints(f, opencl_std); }))
        return;
    constexpr int kMaxRounds = 8;  // of formats that functions choose among, and pass on
    for (int round = 0; round < kMaxRounds; ++round) {
        const spirv::IdMap<Indices> formats = FormatFinder(module, opencl_std).run(module);
        if (formats.empty()) return;
        FormatOperands callees;
        for (const auto& [function, indices] : formats)
            if (indices.size() == 1) callees[Id{function}] = indices.front() + 1;
        split_printf_choices(module, callees);
        if (!FormatBinder(module, opencl_std, formats).run()) return;
    }
}

}  // namespace caldera::vulkan
