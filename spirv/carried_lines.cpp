// SPDX-License-Identifier: Apache-2.0
#include "spirv/carried_lines.h"

#include <algorithm>

#include "spirv/id_map.h"
#include "spirv/uses.h"

namespace caldera::spirv {
namespace {

template <class F>
void for_each_line(Module& module, const F& visit) {
    const auto visit_line = [&](Instruction& inst) {
        if (inst.line.file) visit(inst.line);
    };
    for (Instruction& inst : module.globals) visit_line(inst);
    for (Function& function : module.functions) for_each_instruction(function, visit_line);
}

bool has_string(const Module& module, const std::string& text) {
    return std::ranges::any_of(module.debug_sources, [&](const Instruction& inst) {
        return inst.op == spv::Op::OpString && string_at(inst, 0) == text;
    });
}

Instruction make_string(Id result, const std::string& text) {
    Instruction made = {.op = spv::Op::OpString, .result = result};
    append_string(made.operands, text);
    return made;
}

}  // namespace

/// The file has the same id in all modules: it does not matter which of them the linker takes it for.
void CarriedLines::take(const std::vector<Module*>& modules) {
    carrier_ = "lines";
    const auto is_taken = [&](const Module* module) { return has_string(*module, carrier_); };
    while (std::ranges::any_of(modules, is_taken)) carrier_ += ' ';
    uint32_t bound = 0;
    for (const Module* module : modules) bound = std::max(bound, module->bound);
    for (Module* module : modules) take(*module, Id{bound});
    if (empty()) return;
    for (Module* module : modules) {
        module->bound = bound + 1;
        module->debug_sources.insert(module->debug_sources.begin(), make_string(Id{bound}, carrier_));
    }
}

void CarriedLines::take(Module& module, Id carrier) {
    IdMap<std::string> files;
    for (const Instruction& inst : module.debug_sources)
        if (inst.op == spv::Op::OpString) files[inst.result] = string_at(inst, 0);
    for_each_line(module, [&](Line& line) {
        const auto next = static_cast<uint32_t>(places_.size());
        const Place place = {files[line.file], line.line, line.column};
        const auto [known, is_new] = known_.try_emplace(place, next);
        if (is_new) places_.push_back(place);
        line = {carrier, known->second, 0};
    });
}

void CarriedLines::restore(Module& linked) const {
    if (empty()) return;
    std::erase_if(linked.debug_sources, [&](const Instruction& inst) {
        return inst.op == spv::Op::OpString && string_at(inst, 0) == carrier_;
    });
    std::map<std::string, Id> files;
    for (const Instruction& inst : linked.debug_sources)
        if (inst.op == spv::Op::OpString) files.try_emplace(string_at(inst, 0), inst.result);
    for_each_line(linked, [&](Line& line) {
        if (line.line >= places_.size()) return;
        const auto& [file, number, column] = places_[line.line];
        const auto [found, is_new] = files.try_emplace(file);
        if (is_new) {
            found->second = linked.fresh();
            linked.debug_sources.insert(linked.debug_sources.begin(), make_string(found->second, file));
        }
        line = {found->second, number, column};
    });
}

}  // namespace caldera::spirv
