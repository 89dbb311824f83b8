// SPDX-License-Identifier: Apache-2.0
// Module -> words, section by section (SPIR-V 2.4).
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
        for (const Function& function : module_.functions) this->function(function);
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
              &module_.annotations, &module_.globals})
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
            line_ = {};
            // A variable or phi must not be preceded by another instruction; OpLine and OpNoLine may stand
            // anywhere.
            for (const Instruction& inst : block.body) placed(inst);
            if (block.merge.op != spv::Op::OpNop) placed(block.merge);
            // Nothing may stand between a merge and its branch (SPIR-V 2.4, OpLine included).
            if (block.merge.op != spv::Op::OpNop)
                instruction(block.terminator);
            else
                placed(block.terminator);
            line_ = {};
        }
        words_.push_back(op_word(spv::Op::OpFunctionEnd, 1));
        line_ = {};
    }

    void placed(const Instruction& inst) {
        if (inst.line != line_) {
            if (inst.line.file)
                words_.insert(words_.end(), {op_word(spv::Op::OpLine, 4), inst.line.file.value,
                                             inst.line.line, inst.line.column});
            else
                words_.push_back(op_word(spv::Op::OpNoLine, 1));
            line_ = inst.line;
        }
        instruction(inst);
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
};

}  // namespace

std::vector<uint32_t> write(const Module& module) { return Writer(module).write(); }

}  // namespace caldera::spirv
