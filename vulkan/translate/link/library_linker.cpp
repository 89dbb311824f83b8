// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/library_linker.h"

#include <algorithm>

#include "spirv/spirv.h"
#include "spirv/support/check.h"
#include "vulkan/translate/support/float_freedom.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

// ---- Reading the library ----

Result<LibraryLinker::Source*> LibraryLinker::source(uint32_t index) {
    check(index < library_.modules.size(), "a symbol of the library names no module");
    std::unique_ptr<Source>& known = sources_[index];
    if (known) return known.get();
    auto module = spirv::read(library_.modules[index].words);
    if (!module)
        return Error{.message = "the built-in library's module '" +
                                std::string(library_.modules[index].name) +
                                "' is malformed: " + module.error().message};
    known = std::make_unique<Source>();
    Source& from = *known;
    from.module = module.take();
    for (const Instruction& inst : from.module.globals) from.globals.emplace(inst.result, &inst);
    for (const Instruction& inst : from.module.ext_inst_imports)
        from.ids.emplace(inst.result, builder_.ext_inst_import(spirv::string_at(inst, 0)));
    for (const spirv::Function& function : from.module.functions)
        from.functions.emplace(function.id(), &function);
    for (const Instruction& inst : from.module.annotations) {
        std::optional<spirv::Linkage> linkage = spirv::linkage_of(inst);
        if (!linkage) continue;
        if (linkage->type == spv::LinkageType::Import)
            from.imports.emplace(linkage->target, std::move(linkage->name));
        else
            from.exports.emplace(std::move(linkage->name), linkage->target);
    }
    return &from;
}

Result<Id> LibraryLinker::import_function(std::string_view name) {
    const auto symbol = std::ranges::lower_bound(library_.symbols, name, {}, &BuiltinSymbol::name);
    if (symbol == library_.symbols.end() || symbol->name != name) return Id{};
    Result<Source*> from = source(symbol->module);
    if (!from) return from.error();
    const auto exported = (*from)->exports.find(std::string(name));
    check(exported != (*from)->exports.end(), "the library's symbol table is out of step with its modules");
    return map_function(**from, exported->second);
}

// ---- Copying ----

Id LibraryLinker::map_function(Source& from, Id function) {
    if (const auto known = from.ids.find(function); known != from.ids.end()) return known->second;
    const spirv::Function& definition = *from.functions.at(function);
    if (definition.blocks.empty())
        if (const auto import = from.imports.find(function); import != from.imports.end()) {
            if (const auto provided = provided_.find(import->second); provided != provided_.end())
                return from.ids[function] = provided->second;
            const auto chosen = chosen_.find(import->second);
            const Result<Id> other =
                import_function(chosen == chosen_.end() ? import->second : chosen->second);
            check(static_cast<bool>(other), "the built-in library is malformed");
            check(*other || allows_imports_, "the built-in library calls a function that it does not have");
            if (*other) return from.ids[function] = *other;
        }
    const Id id = builder_.fresh();
    from.ids[function] = id;
    pending_.emplace_back(&from, &definition);
    return id;
}

Id LibraryLinker::map_global(Source& from, Id id) {
    if (!id) return {};
    if (const auto known = from.ids.find(id); known != from.ids.end()) return known->second;
    if (from.functions.contains(id)) return map_function(from, id);
    const auto global = from.globals.find(id);
    check(global != from.globals.end(), "a library function uses an id that is not defined");
    const Id made = make_global(from, *global->second);
    return from.ids[id] = made;
}

Id LibraryLinker::make_global(Source& from, const Instruction& source) {
    Instruction inst = source;
    inst.type = map_global(from, inst.type);
    for (spirv::Operand& operand : inst.operands)
        if (operand.is_id) operand = map_global(from, operand.id());
    std::vector<Id> members;
    switch (inst.op) {
        case Op::OpTypeStruct:
            for (const spirv::Operand& operand : inst.operands) members.push_back(operand.id());
            return builder_.type_struct(members);
        case Op::OpTypeInt: return builder_.type_int(inst.word(0));
        case Op::OpConstant:
        case Op::OpConstantTrue:
        case Op::OpConstantFalse:
        case Op::OpConstantNull:
        case Op::OpConstantComposite:
        case Op::OpUndef: return make_constant(inst, inst.type);
        default: break;
    }
    return inst.type ? builder_.global(inst.op, inst.type, std::move(inst.operands))
                     : builder_.type(inst.op, std::move(inst.operands));
}

Id LibraryLinker::make_constant(const Instruction& inst, Id type) {
    switch (inst.op) {
        case Op::OpConstantTrue: return builder_.constant_bool(true);
        case Op::OpConstantFalse: return builder_.constant_bool(false);
        case Op::OpConstantNull: return builder_.constant_null(type);
        case Op::OpUndef: return builder_.undef(type);
        case Op::OpConstant: {
            const uint64_t high = inst.operands.size() > 1 ? inst.word(1) : 0;
            const uint64_t bits = high << 32 | inst.word(0);
            return builder_.is_int(type) ? builder_.constant_int(type, bits)
                                         : builder_.constant_float_bits(type, bits);
        }
        default: {
            std::vector<Id> parts;
            for (const spirv::Operand& operand : inst.operands) parts.push_back(operand.id());
            return builder_.constant_composite(type, parts);
        }
    }
}

bool LibraryLinker::copy_pending() {
    if (pending_.empty()) return false;
    while (!pending_.empty()) {
        const auto [from, function] = pending_.front();
        pending_.pop_front();
        copy_function(*from, *function);
    }
    return true;
}

void LibraryLinker::copy_function(Source& from, const spirv::Function& source) {
    spirv::Function function = source;
    // Every id that the body defines, first: uses may come before definitions (phis, branches).
    for (const Instruction& param : function.params) from.ids[param.result] = builder_.fresh();
    for (const spirv::Block& block : function.blocks) {
        from.ids[block.label] = builder_.fresh();
        for (const Instruction& inst : block.body)
            if (inst.result) from.ids[inst.result] = builder_.fresh();
    }
    function.def.result = from.ids.at(source.id());
    function.def.type = map_global(from, function.def.type);
    function.def.operands[1] = map_global(from, function.def.id(1));
    function.def.line = {};
    // Appending tells the builder the types of the new ids.
    auto copy_all = [&](std::vector<Instruction>& section) {
        std::vector<Instruction> out;
        builder_.set_sink(&out);
        for (Instruction& inst : section) {
            copy_instruction(from, inst);
            builder_.append(std::move(inst));
        }
        builder_.set_sink(nullptr);
        section = std::move(out);
    };
    copy_all(function.params);
    for (spirv::Block& block : function.blocks) {
        block.label = from.ids.at(block.label);
        copy_all(block.body);
        copy_instruction(from, block.merge);
        copy_instruction(from, block.terminator);
    }
    builder_.module().functions.push_back(std::move(function));
}

void LibraryLinker::copy_instruction(Source& from, Instruction& inst) {
    inst.type = map_global(from, inst.type);
    for (spirv::Operand& operand : inst.operands)
        if (operand.is_id) operand = map_global(from, operand.id());
    if (inst.result) {
        inst.result = from.ids.at(inst.result);
        // The library's arithmetic relies on each rounding and on the order: a contracted product would break
        // it.
        if (is_float_arithmetic(builder_, inst))
            builder_.decorate(inst.result, spv::Decoration::NoContraction);
    }
    inst.line = {};
}

void LibraryLinker::finish() {
    for (auto& [index, from] : sources_) {
        for (const Instruction& source : from->module.annotations) {
            if (source.op != Op::OpDecorate && source.op != Op::OpMemberDecorate) continue;
            const std::optional<spirv::Linkage> linkage = spirv::linkage_of(source);
            if (linkage && (!allows_imports_ || linkage->type != spv::LinkageType::Import)) continue;
            const auto target = from->ids.find(source.id(0));
            if (target == from->ids.end()) continue;
            Instruction inst = source;
            inst.operands[0] = target->second;
            builder_.module().annotations.push_back(std::move(inst));
        }
        for (const auto& [name, function] : from->exports)
            if (const auto target = from->ids.find(function); target != from->ids.end())
                exported_names_.emplace(target->second, name);
    }
    for (const auto& [id, name] : exported_names_) builder_.name(id, name);
}

// ---- Mangling (Itanium C++ ABI 5.1.5 "Type encodings", 5.1.10 "Compression") ----

Mangler::Mangler(std::string_view function) {
    text_ = "_Z" + std::to_string(function.size()) + std::string(function);
}

bool Mangler::substitute(const std::string& type) {
    const auto found = std::find(substitutions_.begin(), substitutions_.end(), type);
    if (found == substitutions_.end()) return false;
    const auto index = found - substitutions_.begin();
    text_ += index == 0 ? "S_" : "S" + std::to_string(index - 1) + "_";
    return true;
}

void Mangler::add(std::string_view code, uint32_t count, bool pointer) {
    const std::string type =
        count == 1 ? std::string(code) : "Dv" + std::to_string(count) + "_" + std::string(code);
    if (pointer) {
        if (substitute("P" + type)) return;
        text_ += 'P';
    }
    if (count == 1 || !substitute(type)) {
        text_ += type;
        if (count > 1) substitutions_.push_back(type);
    }
    if (pointer) substitutions_.push_back("P" + type);
}

}  // namespace caldera::vulkan
