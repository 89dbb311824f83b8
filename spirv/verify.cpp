// SPDX-License-Identifier: Apache-2.0
// Structural invariants that hold between passes, where a module is neither OpenCL's nor Vulkan's and
// spirv-val cannot judge it.
#include <algorithm>

#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/spirv.h"
#include "spirv/violations.h"

namespace caldera::spirv {
namespace {

std::string text(Id id) { return "%" + std::to_string(id.value); }

class Verifier {
 public:
    explicit Verifier(const Module& module)
        : module_(module),
          owner_(module.bound, kUndefined),
          ops_(module.bound),
          later_(module.bound, false) {}

    std::vector<Violation> violations() {
        if (define_all()) {  // else nothing that uses ids can be judged
            globals();
            debug_info();
            functions();
        }
        return std::move(violations_);
    }

 private:
    static constexpr uint32_t kUndefined = 0, kGlobal = 1;  // above: 2 + index of the function

    bool fail(std::string message, Id id) {
        if (function_) message += " (function " + text(function_) + ")";
        violations_.push_back({std::move(message), id ? id : function_});
        return false;
    }
    bool fail(const Instruction& inst, std::string_view what) {
        return fail(std::string(op_name(inst.op)) + (inst.result ? " " + text(inst.result) : "") + " " +
                        std::string(what),
                    inst.result);
    }

    bool define(Id id, uint32_t owner, spv::Op op) {
        if (!id || id.value >= module_.bound) return fail("id " + text(id) + " is not below the bound", id);
        if (owner_[id.value] != kUndefined) return fail("id " + text(id) + " is defined twice", id);
        owner_[id.value] = owner;
        ops_[id.value] = op;
        return true;
    }

    bool define_all() {
        for (const auto* section : {&module_.ext_inst_imports, &module_.debug_sources, &module_.annotations,
                                    &module_.globals, &module_.debug_info})
            for (const Instruction& inst : *section)
                if (inst.result && !define(inst.result, kGlobal, inst.op)) return false;
        for (size_t f = 0; f < module_.functions.size(); ++f) {
            const Function& function = module_.functions[f];
            const auto owner = static_cast<uint32_t>(f + 2);
            if (!define(function.id(), kGlobal, spv::Op::OpFunction)) return false;
            for (const Instruction& param : function.params)
                if (!define(param.result, owner, param.op)) return false;
            for (const Block& block : function.blocks) {
                if (!define(block.label, owner, spv::Op::OpLabel)) return false;
                for (const Instruction& inst : block.body)
                    if (inst.result && !define(inst.result, owner, inst.op)) return false;
            }
        }
        return true;
    }

    bool known(const Instruction& inst, Id id, uint32_t owner) {
        if (id.value < module_.bound && (owner_[id.value] == kGlobal || (owner && owner_[id.value] == owner)))
            return true;
        return fail(inst, "uses " + text(id) + ", which is not defined " +
                              (owner ? "in its function" : "at module scope"));
    }

    bool uses(const Instruction& inst, uint32_t owner) {
        if (inst.type && !known(inst, inst.type, 0)) return false;
        if (inst.type && !grammar_says_type(ops_[inst.type.value]))
            return fail(inst, "has a result type that is no type");
        return std::ranges::all_of(inst.operands, [&](const Operand& operand) {
            return !operand.is_id || known(inst, operand.id(), owner);
        });
    }

    static bool grammar_says_type(spv::Op op) { return op_name(op).starts_with("OpType"); }

    // Types, constants and variables stand after what they use (forward pointers excepted).
    void globals() {
        IdSet forward;
        std::vector<bool> seen(module_.bound);
        for (const auto* section : {&module_.ext_inst_imports, &module_.debug_sources})
            for (const Instruction& inst : *section)
                if (inst.result) seen[inst.result.value] = true;
        for (const Function& function : module_.functions) seen[function.id().value] = true;
        for (const Instruction& inst : module_.globals) {
            global(inst, seen, forward);
            if (inst.result) seen[inst.result.value] = true;
        }
        for (const Instruction& inst : module_.entry_points)
            if (known(inst, inst.id(1), 0) && ops_[inst.word(1)] != spv::Op::OpFunction)
                fail(inst, "names no function");
    }

    bool global(const Instruction& inst, const std::vector<bool>& seen, IdSet& forward) {
        if (!uses(inst, 0)) return false;
        if (inst.op == spv::Op::OpTypeForwardPointer) {
            forward.insert(inst.word(0));
            return true;
        }
        if (inst.op == spv::Op::OpTypeInt && inst.word(1) > 1)  // spirv-val 2023.1 takes any
            return fail(inst, "has a signedness that is neither 0 nor 1");
        if (inst.type && !seen[inst.type.value]) return fail(inst, "stands before its type");
        for (const Operand& operand : inst.operands)
            if (operand.is_id && !seen[operand.word] && !forward.contains(operand.word))
                return fail(inst, "stands before its operand " + text(operand.id()));
        return true;
    }

    void debug_info() {
        for (const Instruction& inst : module_.debug_info)
            if (!uses(inst, 0)) return;
        for (const Scope& scope : module_.scopes)
            for (const Id id : {scope.scope, scope.inlined_at, scope.file})
                if (id && (id.value >= module_.bound || owner_[id.value] != kGlobal))
                    fail("a scope names " + text(id) + ", which is not defined at module scope", id);
    }

    void functions() {
        for (size_t f = 0; f < module_.functions.size(); ++f) {
            function_ = module_.functions[f].id();
            function(module_.functions[f], static_cast<uint32_t>(f + 2));
        }
    }

    bool function(const Function& function, uint32_t owner) {
        if (!uses(function.def, 0)) return false;
        IdMap<std::vector<uint32_t>> predecessors;
        bool has_form = true;
        for (const Block& block : function.blocks) has_form &= terminator(block, owner, predecessors);
        if (!has_form) return false;  // who precedes whom is not known
        if (!function.blocks.empty() && predecessors.contains(function.blocks[0].label.value))
            return fail("the entry block " + text(function.blocks[0].label) + " is a branch target",
                        function.blocks[0].label);
        for (const Block& block : function.blocks) {
            bool past_phis = false;
            for (const Instruction& inst : block.body) {
                if (!uses(inst, owner)) continue;
                if (inst.op == spv::Op::OpFunctionCall) arguments(inst);
                if (inst.op != spv::Op::OpPhi)
                    past_phis = true;
                else if (past_phis)
                    fail(inst, "stands after another instruction");
                else
                    phi(inst, predecessors[block.label.value]);
            }
            order(block);
        }
        return true;
    }

    /// A function has a type, but is no value. SPIRV-Tools take one for an argument of its result's type.
    bool arguments(const Instruction& call) {
        for (size_t at = 1; at < call.operands.size(); ++at)
            if (ops_[call.word(at)] == spv::Op::OpFunction)
                return fail(call, "passes " + text(call.id(at)) + ", which is a function");
        return true;
    }

    /// Within a block, a value that the block defines is used only after its definition.
    void order(const Block& block) {
        for (const Instruction& inst : block.body)
            if (inst.result) later_[inst.result.value] = true;
        for (const Instruction& inst : block.body) {
            if (inst.op != spv::Op::OpPhi) uses_earlier(inst);
            if (inst.result) later_[inst.result.value] = false;
        }
    }
    bool uses_earlier(const Instruction& inst) {
        for (const Operand& operand : inst.operands)
            if (operand.is_id && operand.word < module_.bound && later_[operand.word])
                return fail(inst, "uses " + text(operand.id()) + " before its definition");
        return true;
    }

    bool label(const Instruction& inst, Id id, uint32_t owner) {
        if (id.value < module_.bound && owner_[id.value] == owner && ops_[id.value] == spv::Op::OpLabel)
            return true;
        return fail(inst, "names " + text(id) + ", which is no block of its function");
    }

    bool terminator(const Block& block, uint32_t owner, IdMap<std::vector<uint32_t>>& predecessors) {
        const Instruction& inst = block.terminator;
        if (block.merge.op != spv::Op::OpNop) {
            const size_t labels = block.merge.op == spv::Op::OpLoopMerge ? 2 : 1;
            if (block.merge.operands.size() < labels + 1) return fail(block.merge, "is too short");
            for (size_t i = 0; i < labels; ++i)
                if (!label(block.merge, block.merge.id(i), owner)) return false;
        }
        size_t first = 0;
        switch (inst.op) {
            case spv::Op::OpBranch: break;
            case spv::Op::OpBranchConditional:
            case spv::Op::OpSwitch: first = 1; break;
            case spv::Op::OpReturn:
            case spv::Op::OpReturnValue:
            case spv::Op::OpUnreachable:
            case spv::Op::OpKill: return uses(inst, owner);
            default: return fail("block " + text(block.label) + " has no terminator", block.label);
        }
        if (!uses(inst, owner)) return false;
        std::vector<uint32_t> targets;
        for (size_t i = first; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id) continue;
            if (!label(inst, inst.id(i), owner)) return false;
            targets.push_back(inst.word(i));
        }
        std::ranges::sort(targets);
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        for (uint32_t target : targets) predecessors[target].push_back(block.label.value);
        return true;
    }

    bool phi(const Instruction& inst, std::vector<uint32_t> expected) {
        std::vector<uint32_t> named;
        for (size_t i = 1; i < inst.operands.size(); i += 2) named.push_back(inst.word(i));
        std::ranges::sort(named);
        std::ranges::sort(expected);
        if (named == expected) return true;
        return fail(inst, "does not name exactly its block's predecessors");
    }

    const Module& module_;
    std::vector<uint32_t> owner_;
    std::vector<spv::Op> ops_;
    std::vector<bool> later_;  // defined further down in the block at hand
    Id function_ = {};         // the one at hand
    std::vector<Violation> violations_ = {};
};

}  // namespace

std::vector<Violation> violations(const Module& module) { return Verifier(module).violations(); }

Result<Done> verify(const Module& module) {
    std::vector<Violation> found = violations(module);
    if (!found.empty()) return Error{.message = std::move(found[0].message)};
    return Done{};
}

}  // namespace caldera::spirv
