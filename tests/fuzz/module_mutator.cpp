// SPDX-License-Identifier: Apache-2.0
// Mutations of SPIR-V for libFuzzer, instruction by instruction: most replace an <id> by another of the same
// type, so that most modules stay valid and get beyond the validator. One in eight is libFuzzer's own, on the
// words.
#include <cstring>
#include <random>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/spirv.h"
#include "spirv/support/check.h"
#include "tests/fuzz/fuzz_module.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace caldera::fuzz {
namespace {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spirv::Operand;

class ModuleMutator {
 public:
    ModuleMutator(Module module, unsigned seed) : module_(std::move(module)), random_(seed) {}

    void mutate();
    const Module& module() const { return module_; }

 private:
    size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }
    template <class T>
    T& one_of(std::vector<T>& items) {
        return items[below(items.size())];
    }

    void collect();
    void collect(const Instruction& inst, bool in_function);
    Block* some_block();
    Instruction* some_instruction();
    Id like(Id id);
    Operand* some_operand(Instruction& inst, bool is_id);
    uint32_t some_number(uint32_t old);
    void change_block(Block& block);
    void change_global();
    void change_header();

    Module module_;
    std::minstd_rand random_;
    std::vector<Block*> blocks_ = {};
    std::vector<Id> ids_ = {}, labels_ = {}, types_ = {};
    spirv::IdMap<Id> type_of_ = {};
    spirv::IdMap<std::vector<Id>> by_type_ = {};
};

void ModuleMutator::collect(const Instruction& inst, bool in_function) {
    if (!inst.result) return;
    ids_.push_back(inst.result);
    if (!inst.type && !in_function) types_.push_back(inst.result);
    type_of_[inst.result] = inst.type;
    by_type_[inst.type].push_back(inst.result);
}

void ModuleMutator::collect() {
    for (const Instruction& inst : module_.globals) collect(inst, false);
    for (Function& function : module_.functions) {
        collect(function.def, true);
        for (const Instruction& param : function.params) collect(param, true);
        for (Block& block : function.blocks) {
            blocks_.push_back(&block);
            labels_.push_back(block.label);
            for (const Instruction& inst : block.body) collect(inst, true);
        }
    }
}

Block* ModuleMutator::some_block() { return blocks_.empty() ? nullptr : one_of(blocks_); }

Instruction* ModuleMutator::some_instruction() {
    for (int tries = 0; tries < 8; ++tries)
        if (Block* block = some_block(); block && !block->body.empty()) return &one_of(block->body);
    return nullptr;
}

/// Another id of the same type, mostly.
Id ModuleMutator::like(Id id) {
    if (const auto type = type_of_.find(id); type != type_of_.end() && below(8) != 0)
        if (const auto same = by_type_.find(type->second); same != by_type_.end())
            return one_of(same->second);
    return ids_.empty() ? id : one_of(ids_);
}

Operand* ModuleMutator::some_operand(Instruction& inst, bool is_id) {
    for (int tries = 0; tries < 8 && !inst.operands.empty(); ++tries)
        if (Operand& operand = inst.operands[below(inst.operands.size())]; operand.is_id == is_id)
            return &operand;
    return nullptr;
}

uint32_t ModuleMutator::some_number(uint32_t old) {
    static constexpr uint32_t kNumbers[] = {
        0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 255, 65535, 0x7fffffff, 0x80000000, 0xffffffff};
    switch (below(4)) {
        case 0: return old + 1;
        case 1: return old - 1;
        case 2: return old ^ 1u << below(32);
        default: return kNumbers[below(std::size(kNumbers))];
    }
}

void ModuleMutator::change_block(Block& block) {
    if (below(6) == 0 || block.body.empty()) {  // where it goes
        Instruction& inst = below(4) == 0 ? block.merge : block.terminator;
        if (Operand* operand = some_operand(inst, true))
            *operand = type_of_.contains(operand->id()) ? like(operand->id()) : one_of(labels_);
        return;
    }
    const auto at = block.body.begin() + static_cast<ptrdiff_t>(below(block.body.size()));
    switch (below(12)) {
        case 0: block.body.erase(at); return;
        case 1: std::swap(*at, one_of(block.body)); return;
        case 2:
        case 3:
            if (Instruction* other = some_instruction()) {  // one from elsewhere
                Instruction copy = *other;
                if (copy.result) copy.result = module_.fresh();
                block.body.insert(at, std::move(copy));
            }
            return;
        case 4:
            if (Instruction* other = some_instruction()) at->op = other->op;
            return;
        case 5:
            if (at->type)
                at->type = below(2) == 0 && !types_.empty() ? one_of(types_) : type_of_[like(at->result)];
            return;
        case 6:
            if (Operand* literal = some_operand(*at, false)) literal->word = some_number(literal->word);
            return;
        case 7:
            if (below(2) == 0 && !at->operands.empty())
                at->operands.resize(at->operands.size() - 1);
            else if (!ids_.empty())
                at->operands.push_back(one_of(ids_));
            return;
        default:
            if (Operand* operand = some_operand(*at, true)) *operand = like(operand->id());
            return;
    }
}

/// A type, a constant, a variable, a decoration.
void ModuleMutator::change_global() {
    const size_t which = below(8);
    std::vector<Instruction>& section = which < 5    ? module_.globals
                                        : which == 5 ? module_.annotations
                                        : which == 6 ? module_.execution_modes
                                                     : module_.entry_points;
    if (section.empty()) return;
    const auto at = section.begin() + static_cast<ptrdiff_t>(below(section.size()));
    switch (below(6)) {
        case 0: section.erase(at); return;
        case 1: std::swap(*at, one_of(section)); return;
        case 2: {
            Instruction copy = *at;
            if (copy.result) copy.result = module_.fresh();
            section.push_back(std::move(copy));
            return;
        }
        case 3:
            if (Operand* operand = some_operand(*at, true)) *operand = like(operand->id());
            return;
        case 4:
            if (at->type) at->type = like(at->type);
            return;
        default:
            if (Operand* literal = some_operand(*at, false)) literal->word = some_number(literal->word);
            return;
    }
}

void ModuleMutator::change_header() {
    switch (below(4)) {
        case 0: module_.version = 0x00010000 + 0x100 * static_cast<uint32_t>(below(7)); return;
        case 1:
            if (!module_.capabilities.empty()) one_of(module_.capabilities) = one_of(module_.capabilities);
            return;
        case 2:
            module_.capabilities.push_back(
                {.op = spv::Op::OpCapability, .operands = {static_cast<uint32_t>(below(80))}});
            return;
        default: module_.generator = random_(); return;
    }
}

void ModuleMutator::mutate() {
    collect();
    const size_t which = below(16);
    if (which == 0) return change_header();
    if (which < 4) return change_global();
    if (which == 4 && module_.functions.size() > 1) {
        std::swap(one_of(module_.functions), one_of(module_.functions));
        return;
    }
    if (which == 5) {
        if (Block* block = some_block()) *block = *some_block();
        return;
    }
    if (Block* block = some_block()) change_block(*block);
}

size_t give(const std::vector<uint32_t>& words, uint8_t* data, size_t max_size) {
    const size_t size = std::min(words.size() * 4, max_size / 4 * 4);
    std::memcpy(data, words.data(), size);
    return size;
}

}  // namespace
}  // namespace caldera::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    using namespace caldera;
    std::vector<uint32_t> words = fuzz::module_of(data, size);
    if (words.empty()) return LLVMFuzzerMutate(data, size, max_size);
    if (seed % 8 == 0) return LLVMFuzzerMutate(data, fuzz::give(words, data, max_size), max_size);
    for (unsigned n = 1 + seed / 8 % 3; n > 0; --n) {
        Result<spirv::Module> module = spirv::read(words);
        if (!module) return LLVMFuzzerMutate(data, size, max_size);
        fuzz::ModuleMutator mutator(module.take(), seed + n);
        mutator.mutate();
        try {
            words = spirv::write(mutator.module());
        } catch (const InternalError&) {
            break;  // nothing that words can say
        }
    }
    return fuzz::give(words, data, max_size);
}
