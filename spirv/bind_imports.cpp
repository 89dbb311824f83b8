// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools' linker takes no import whose type or decorations differ in any way from its definition's. C's
// declarations may: an array of unknown length, a struct that is incomplete, an alignment that only the
// definition states. So that linker only merges modules, and imports are bound here.
#include "spirv/bind_imports.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "spirv/id_map.h"
#include "spirv/uses.h"

namespace caldera::spirv {
namespace {

constexpr auto kAlignment = static_cast<uint32_t>(spv::Decoration::Alignment);

bool is_decoration(const Instruction& inst) {
    return inst.op == spv::Op::OpDecorate || inst.op == spv::Op::OpDecorateId ||
           inst.op == spv::Op::OpDecorateString;
}

class Binder {
 public:
    explicit Binder(Module& module) : module_(module) {
        for (const Instruction& inst : module_.annotations)
            if (const std::optional<Linkage> linkage = linkage_of(inst))
                symbols_.try_emplace(linkage->name, linkage->target);
        for (const Instruction& inst : module_.globals) globals_[inst.result] = inst;
        for (const Function& function : module_.functions) functions_[function.id()] = function.def;
    }

    Result<Done> run(const std::vector<Binding>& bindings) {
        for (const Binding& binding : bindings) {
            const Id import = symbols_.at(binding.import), definition = symbols_.at(binding.definition);
            (functions_.contains(import) ? called_ : variables_)[import] = definition;
            definitions_[definition] = definition;
            definitions_[import] = definition;
        }
        decorate();
        bind_variables();
        for (Function& function : module_.functions)
            if (const Result<Done> done = bind_calls(function); !done) return done.error();
        replace();
        std::erase_if(module_.functions,
                      [&](const Function& function) { return called_.contains(function.id()); });
        drop_stale_names(module_);
        if (const Result<Done> ordered = order_globals(); !ordered) return ordered;
        list_variables();
        return Done{};
    }

 private:
    /// Drops the decorations of imports, and keeps the strictest alignment.
    void decorate() {
        own_decorations();
        IdMap<uint32_t> strictest;
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            if (!is_decoration(inst)) return false;
            const auto found = definitions_.find(inst.id(0));
            if (found == definitions_.end()) return false;
            const bool is_alignment = inst.op == spv::Op::OpDecorate && inst.word(1) == kAlignment;
            if (is_alignment) {
                uint32_t& alignment = strictest[found->second];
                alignment = std::max(alignment, inst.word(2));
            }
            return is_alignment || found->first != found->second;
        });
        for (const auto& [definition, alignment] : strictest)
            module_.annotations.push_back(
                {.op = spv::Op::OpDecorate, .operands = {definition, spv::Decoration::Alignment, alignment}});
    }
    /// Gives the decorations of groups to those that are bound.
    void own_decorations() {
        IdMap<std::vector<Instruction>> groups;
        for (const Instruction& inst : module_.annotations)
            if (inst.op == spv::Op::OpGroupDecorate) groups[inst.id(0)];
        if (groups.empty()) return;
        for (const Instruction& inst : module_.annotations) {
            if (!is_decoration(inst)) continue;
            if (const auto group = groups.find(inst.id(0)); group != groups.end())
                group->second.push_back(inst);
        }
        std::vector<Instruction> own;
        for (Instruction& inst : module_.annotations) {
            if (inst.op != spv::Op::OpGroupDecorate) continue;
            Operands others;
            for (const Operand& member : inst.operands) {
                const bool is_bound = definitions_.contains(member.id());
                if (!is_bound) others.push_back(member);
                for (size_t i = 0; is_bound && i < groups.at(inst.id(0)).size(); ++i) {
                    own.push_back(groups.at(inst.id(0))[i]);
                    own.back().operands[0] = member;
                }
            }
            inst.operands = std::move(others);
        }
        module_.annotations.insert(module_.annotations.end(), own.begin(), own.end());
    }

    /// Another type's variable stays as a cast of the definition. Elements of an array need none if only its
    /// length differs. Otherwise a cast to a pointer to the first element reaches them, because the declared
    /// length may be too small.
    void bind_variables() {
        if (variables_.empty()) return;
        std::vector<Instruction> added;
        for (Instruction& inst : module_.globals) {
            const auto bound = variables_.find(inst.result);
            if (bound == variables_.end()) continue;
            const Instruction& definition = globals_.at(bound->second);
            if (inst.type == definition.type) {
                replaced_.set(inst.result, definition.result);
                continue;
            }
            if (const Instruction* array = pointee(inst.type), *whole = pointee(definition.type);
                array->op == spv::Op::OpTypeArray && whole->op == array->op) {
                if (array->id(0) == whole->id(0))
                    lengths_[inst.result] = definition.result;
                else
                    elements_[inst.result] = cast_to_element(inst.type, definition.result, added);
            }
            inst.op = spv::Op::OpSpecConstantOp;
            inst.operands = {spv::Op::OpBitcast, definition.result};
        }
        std::erase_if(module_.globals, [&](const Instruction& inst) {
            return inst.op == spv::Op::OpVariable && variables_.contains(inst.result);
        });
        std::ranges::move(added, std::back_inserter(module_.globals));
    }
    const Instruction* pointee(Id pointer) const { return &globals_.at(globals_.at(pointer).id(1)); }
    /// `pointer`: the type of a pointer to an array.
    Id cast_to_element(Id pointer, Id definition, std::vector<Instruction>& added) {
        const Operands wanted = {Operand(globals_.at(pointer).word(0)), pointee(pointer)->operands[0]};
        const auto is_wanted = [&](const Instruction& inst) {
            return inst.op == spv::Op::OpTypePointer && inst.operands == wanted;
        };
        auto type = std::ranges::find_if(module_.globals, is_wanted);
        if (type == module_.globals.end()) {
            type = std::ranges::find_if(added, is_wanted);
            if (type == added.end())
                type = added.insert(
                    type, {.op = spv::Op::OpTypePointer, .result = module_.fresh(), .operands = wanted});
        }
        const Id element = type->result, cast = module_.fresh();
        added.push_back({.op = spv::Op::OpSpecConstantOp,
                         .type = element,
                         .result = cast,
                         .operands = {spv::Op::OpBitcast, definition}});
        return cast;
    }

    /// Calls pass and return what the definition's type says.
    Result<Done> bind_calls(Function& function) {
        for (Block& block : function.blocks) {
            std::vector<Instruction> body;
            for (Instruction& inst : block.body) {
                const auto bound =
                    inst.op == spv::Op::OpFunctionCall ? called_.find(inst.id(0)) : called_.end();
                if (bound == called_.end()) {
                    body.push_back(std::move(inst));
                    continue;
                }
                const Instruction& definition = functions_.at(bound->second);
                const Instruction &wanted = globals_.at(definition.id(1)),
                                  &given = globals_.at(functions_.at(bound->first).id(1));
                inst.operands[0] = definition.result;
                for (size_t i = 1; i < inst.operands.size(); ++i)
                    if (wanted.id(i) != given.id(i)) {
                        if (!are_pointers(wanted.id(i), given.id(i))) return unlike(definition);
                        const Id cast = module_.fresh();
                        body.push_back(cast_of(inst.id(i), wanted.id(i), cast, inst.line));
                        inst.operands[i] = cast;
                    }
                const Id result = inst.result, type = std::exchange(inst.type, wanted.id(0));
                const Line line = inst.line;
                if (type != wanted.id(0)) {
                    if (!are_pointers(type, wanted.id(0))) return unlike(definition);
                    inst.result = module_.fresh();
                    const Id returned = inst.result;
                    body.push_back(std::move(inst));
                    body.push_back(cast_of(returned, type, result, line));
                } else {
                    body.push_back(std::move(inst));
                }
            }
            block.body = std::move(body);
        }
        return Done{};
    }
    bool are_pointers(Id a, Id b) const {
        return globals_.at(a).op == spv::Op::OpTypePointer && globals_.at(b).op == spv::Op::OpTypePointer;
    }
    static Instruction cast_of(Id value, Id type, Id result, const Line& line) {
        return {.op = spv::Op::OpBitcast, .type = type, .result = result, .operands = {value}, .line = line};
    }
    Error unlike(const Instruction& definition) const {
        return {.message = "the types of '" + function_name(module_, definition.result) +
                           "' differ in the structs that are passed by value"};
    }

    void replace() {
        for (const auto& [import, definition] : called_) replaced_.set(import, definition);
        for (Instruction& mode : module_.execution_modes) replaced_.apply(mode);
        for (Instruction& entry : module_.entry_points) list_definitions(entry);
        for (Instruction& inst : module_.globals) apply(inst, inst.op == spv::Op::OpSpecConstantOp ? 1 : 0);
        for (Function& function : module_.functions)
            for_each_instruction(function, [&](Instruction& inst) { apply(inst, 0); });
    }
    /// `base`: where an address is among the operands.
    void apply(Instruction& inst, size_t base) {
        replaced_.apply(inst);
        const auto op = base == 0 ? inst.op : static_cast<spv::Op>(inst.word(0));
        const bool is_chain = op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain;
        const bool is_element =
            (op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain) &&
            is_zero(inst.id(base + 1));
        if (!is_element && !is_chain) return;
        if (inst.operands.size() <= base + (is_element ? 2 : 1)) return;
        if (const auto whole = lengths_.find(inst.id(base)); whole != lengths_.end())
            inst.operands[base] = whole->second;
        const auto first = elements_.find(inst.id(base));
        if (first == elements_.end()) return;
        inst.operands[base] = first->second;
        if (is_element) {  // the first index is that of the array
            inst.operands.erase(inst.operands.begin() + static_cast<std::ptrdiff_t>(base) + 1);
            return;
        }
        const spv::Op chain =
            op == spv::Op::OpAccessChain ? spv::Op::OpPtrAccessChain : spv::Op::OpInBoundsPtrAccessChain;
        if (base == 0)
            inst.op = chain;
        else
            inst.operands[0] = chain;
    }
    bool is_zero(Id index) const {
        const auto found = globals_.find(index);
        if (found == globals_.end()) return false;
        const Instruction& constant = found->second;
        return constant.op == spv::Op::OpConstantNull ||
               (constant.op == spv::Op::OpConstant && number_at(constant) == 0);
    }
    /// An interface has variables, so also the definition of an import that has become a cast.
    void list_definitions(Instruction& entry) const {
        size_t first = 0;
        string_at(entry, 2, &first);
        const Operands old(entry.operands.begin() + first, entry.operands.end());
        entry.operands.resize(first);
        for (const Operand& variable : old) {
            const auto definition = definitions_.find(variable.id());
            list(entry, definition == definitions_.end() ? variable.id() : definition->second);
        }
    }
    static void list(Instruction& entry, Id variable) {
        size_t first = 0;
        string_at(entry, 2, &first);
        if (std::find(entry.operands.begin() + first, entry.operands.end(), Operand(variable)) ==
            entry.operands.end())
            entry.operands.push_back(variable);
    }

    /// Entry points now reach other modules' functions. So each also lists the variables that it uses there:
    /// all of them from SPIR-V 1.4 on, and earlier those of built-ins (SPIR-V 2.16.1).
    void list_variables() {
        IdMap<const Instruction*> globals;
        IdMap<std::vector<Id>> used;  // by a function or a global: functions and globals
        for (const Instruction& inst : module_.globals)
            if (inst.result && inst.type) globals[inst.result] = &inst;
        for (const Function& function : module_.functions) used[function.id()];
        const auto note = [&](std::vector<Id>& list, const Instruction& inst) {
            for (const Operand& operand : inst.operands)
                if (operand.is_id && (globals.contains(operand.id()) || used.contains(operand.id())))
                    list.push_back(operand.id());
        };
        for (const Function& function : module_.functions)
            for_each_instruction(function, [&](const Instruction& inst) { note(used[function.id()], inst); });
        for (const auto& [id, inst] : globals) {
            std::vector<Id> list;
            note(list, *inst);
            used[id] = std::move(list);
        }
        for (Instruction& entry : module_.entry_points) {
            IdSet seen;
            std::vector<Id> stack = {entry.id(1)};
            while (!stack.empty()) {
                const Id id = stack.back();
                stack.pop_back();
                if (!seen.insert(id)) continue;
                if (const auto global = globals.find(id);
                    global != globals.end() && is_listed(*global->second))
                    list(entry, id);
                const std::vector<Id>& more = used[id];
                stack.insert(stack.end(), more.rbegin(), more.rend());
            }
        }
    }
    bool is_listed(const Instruction& global) const {
        if (global.op != spv::Op::OpVariable) return false;
        const auto storage = static_cast<spv::StorageClass>(global.word(0));
        return module_.version >= 0x00010400 || storage == spv::StorageClass::Input ||
               storage == spv::StorageClass::Output;
    }

    /// An initializer of one module may have the address of another's variable, which comes later. Types that
    /// stand before a pointer which is declared forward go on doing so.
    Result<Done> order_globals() {
        const std::vector<Instruction>& old = module_.globals;
        IdMap<size_t> defined, declared;
        for (size_t i = 0; i < old.size(); ++i) {
            if (old[i].op == spv::Op::OpTypeForwardPointer)
                declared.try_emplace(old[i].id(0), i);
            else if (old[i].result)
                defined.try_emplace(old[i].result, i);
        }
        enum class State : uint8_t { New, Waits, Placed };
        std::vector<State> states(old.size(), State::New);
        std::vector<size_t> order, stack;
        order.reserve(old.size());
        for (size_t i = 0; i < old.size(); ++i) {
            stack.push_back(i);
            while (!stack.empty()) {
                const size_t at = stack.back();
                const bool waited = states[at] == State::Waits;
                if (states[at] == State::New) states[at] = State::Waits;
                const size_t above = stack.size();
                const auto need = [&](Id id) {
                    const auto pointer = declared.find(id);
                    const bool forward = pointer != declared.end() && pointer->second < at &&
                                         defined.contains(id) && defined.at(id) > at;
                    const IdMap<size_t>& places = forward ? declared : defined;
                    const auto place = places.find(id);
                    if (place != places.end() && states[place->second] != State::Placed)
                        stack.push_back(place->second);
                };
                if (states[at] == State::Waits && old[at].op != spv::Op::OpTypeForwardPointer) {
                    if (old[at].type) need(old[at].type);
                    for (const Operand& operand : old[at].operands)
                        if (operand.is_id) need(operand.id());
                }
                if (stack.size() > above) {
                    if (waited) return Error{.message = "initializers need each other's addresses"};
                    continue;
                }
                stack.pop_back();
                if (std::exchange(states[at], State::Placed) != State::Placed) order.push_back(at);
            }
        }
        std::vector<Instruction> ordered;
        ordered.reserve(old.size());
        for (const size_t at : order) ordered.push_back(std::move(module_.globals[at]));
        module_.globals = std::move(ordered);
        return Done{};
    }

    Module& module_;
    std::map<std::string, Id> symbols_ = {};
    IdMap<Instruction> globals_ = {};         ///< as they were
    IdMap<Instruction> functions_ = {};       ///< each one's OpFunction
    IdMap<Id> variables_ = {}, called_ = {};  ///< the definitions of imports
    IdMap<Id> definitions_ = {};              ///< of both, and each definition's own
    IdMap<Id> lengths_ = {};   ///< arrays that differ from the definition in their length alone
    IdMap<Id> elements_ = {};  ///< casts of definitions to pointers to elements, for other arrays
    Substitution replaced_ = {};
};

}  // namespace

Result<Done> bind_imports(Module& module, const std::vector<Binding>& bindings) {
    return Binder(module).run(bindings);
}

}  // namespace caldera::spirv
