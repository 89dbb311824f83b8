// SPDX-License-Identifier: Apache-2.0
// Module -> words, section by section (SPIR-V 2.4).
#include <spirv/unified1/OpenCLDebugInfo100.h>

#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/spirv.h"
#include "spirv/support/check.h"

namespace caldera::spirv {
namespace {

class Writer {
 public:
    explicit Writer(const Module& module) : module_(module) {}

    std::vector<uint32_t> write() {
        words_.reserve(size_without_lines());
        words_ = {spv::MagicNumber, module_.version, module_.generator, module_.bound, 0};
        for (const auto* section : {&module_.capabilities, &module_.extensions, &module_.ext_inst_imports})
            all(*section);
        if (module_.memory_model.op != spv::Op::OpNop) instruction(module_.memory_model);
        for (const auto* section : {&module_.entry_points, &module_.execution_modes, &module_.debug_sources,
                                    &module_.names, &module_.module_processed, &module_.annotations})
            all(*section);
        for (const Instruction& inst : module_.globals) placed(inst);
        end_line();
        all(module_.debug_info);
        if (!module_.debug_info.empty()) find_debug_ids();
        for (const Function& function : module_.functions) this->function(function);
        words_[3] = bound_;
        return std::move(words_);
    }

 private:
    static size_t length(const Instruction& inst) {
        return 1 + (inst.type ? 1 : 0) + (inst.result ? 1 : 0) + inst.operands.size();
    }
    size_t size_without_lines() const {
        size_t size = 5 + length(module_.memory_model);
        auto add = [&](const std::vector<Instruction>& section) {
            for (const Instruction& inst : section) size += length(inst);
        };
        for (const auto* section :
             {&module_.capabilities, &module_.extensions, &module_.ext_inst_imports, &module_.entry_points,
              &module_.execution_modes, &module_.debug_sources, &module_.names, &module_.module_processed,
              &module_.annotations, &module_.globals, &module_.debug_info})
            add(*section);
        for (const Function& function : module_.functions) {
            size += length(function.def) + 1;
            add(function.params);
            for (const Block& block : function.blocks) {
                size += 2 + length(block.merge) + length(block.terminator);
                add(block.body);
            }
        }
        return size;
    }

    void all(const std::vector<Instruction>& section) {
        for (const Instruction& inst : section) instruction(inst);
    }

    void function(const Function& function) {
        placed(function.def);
        // The function's line goes on for parameters: the LLVM translator reads no OpNoLine among them.
        for (const Instruction& param : function.params) param.line.file ? placed(param) : instruction(param);
        for (const Block& block : function.blocks) {
            words_.insert(words_.end(), {op_word(spv::Op::OpLabel, 2), block.label.value});
            end_block();
            // A variable or phi must not be preceded by another instruction; OpLine and OpNoLine may stand
            // anywhere.
            for (const Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpPhi && inst.op != spv::Op::OpVariable) set_scope(inst.line);
                placed(inst);
            }
            set_scope(block.merge.op != spv::Op::OpNop ? block.merge.line : block.terminator.line);
            if (block.merge.op != spv::Op::OpNop) placed(block.merge);
            // Nothing may stand between a merge and its branch (SPIR-V 2.4, OpLine included).
            if (block.merge.op != spv::Op::OpNop)
                instruction(block.terminator);
            else
                placed(block.terminator);
            end_block();
        }
        words_.push_back(op_word(spv::Op::OpFunctionEnd, 1));
        end_block();
    }
    void end_block() {
        line_ = {};
        scope_ = {};
    }

    void placed(const Instruction& inst) {
        Line line = inst.line;
        if (line.has_scope()) line.file = module_.file_of(line);
        if (line != line_) {
            if (line.file)
                words_.insert(words_.end(),
                              {op_word(spv::Op::OpLine, 4), line.file.value, line.line, line.column});
            else
                words_.push_back(op_word(spv::Op::OpNoLine, 1));
            line_ = line;
        }
        is_debug(inst) ? variable(inst) : instruction(inst);
    }

    // ---- Debug information ----

    /// What DebugScope, DebugDeclare and DebugValue need, and where the ids begin that they get.
    void find_debug_ids() {
        for (const Instruction& inst : module_.ext_inst_imports)
            if (string_at(inst, 0) == kOpenclDebugInfo) debug_set_ = inst.result;
        for (const Instruction& inst : module_.globals) {
            if (inst.op == spv::Op::OpTypeVoid) type_void_ = inst.result;
            if (inst.op == spv::Op::OpTypeInt && inst.word(0) == 32) type_u32_ = inst.result;
            if (inst.op == spv::Op::OpConstant && inst.type == type_u32_)
                constants_.emplace(inst.word(0), inst.result);
        }
    }
    void set_scope(const Line& line) {
        const Scope wanted = line.has_scope() ? module_.scopes[line.scope_index()] : Scope{};
        if (wanted.scope == scope_.scope && wanted.inlined_at == scope_.inlined_at) return;
        scope_ = wanted;
        Operands operands = {debug_set_, wanted.scope ? uint32_t{OpenCLDebugInfo100DebugScope}
                                                      : uint32_t{OpenCLDebugInfo100DebugNoScope}};
        if (wanted.scope) operands.push_back(wanted.scope);
        if (wanted.inlined_at) operands.push_back(wanted.inlined_at);
        debug(std::move(operands));
    }
    void debug(Operands operands) {
        check(debug_set_ && type_void_, "scopes without the instruction set for them");
        instruction({.op = spv::Op::OpExtInst,
                     .type = type_void_,
                     .result = Id{bound_++},
                     .operands = std::move(operands)});
    }
    /// A value that is not known, and an index without a constant, cannot be written.
    void variable(const Instruction& inst) {
        Operands operands = {debug_set_, inst.op == kDebugDeclare ? uint32_t{OpenCLDebugInfo100DebugDeclare}
                                                                  : uint32_t{OpenCLDebugInfo100DebugValue}};
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            const auto index = i < 3 ? constants_.end() : constants_.find(inst.word(i));
            if (i < 3 ? !inst.id(i) : index == constants_.end()) return;
            operands.push_back(i < 3 ? inst.id(i) : index->second);
        }
        debug(std::move(operands));
    }

    void end_line() {
        if (line_.file) words_.push_back(op_word(spv::Op::OpNoLine, 1));
        line_ = {};
    }

    void instruction(const Instruction& inst) {
        check(inst.op != spv::Op::OpNop, "an instruction without opcode");
        check(length(inst) <= 0xffff, "an instruction longer than 65535 words");
        words_.push_back(op_word(inst.op, length(inst)));
        if (inst.type) words_.push_back(inst.type.value);
        if (inst.result) words_.push_back(inst.result.value);
        for (const Operand& operand : inst.operands) words_.push_back(operand.word);
    }

    static uint32_t op_word(spv::Op op, size_t length) {
        return static_cast<uint32_t>(length) << 16 | static_cast<uint32_t>(op);
    }

    const Module& module_;
    std::vector<uint32_t> words_ = {};
    Line line_ = {};
    Scope scope_ = {};
    uint32_t bound_ = module_.bound;
    Id debug_set_ = {}, type_void_ = {}, type_u32_ = {};
    IdMap<Id> constants_ = {};  // by their value
};

}  // namespace

std::vector<uint32_t> write(const Module& module) { return Writer(module).write(); }

}  // namespace caldera::spirv
