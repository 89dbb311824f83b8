// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools' linker names neither files nor, at times, symbols; so what can go wrong is looked for first.
// It merges the modules; bind_imports() resolves the symbols.
#include "spirv/link.h"
#include "spirv/bind_imports.h"
#include "spirv/carried_lines.h"
#include "spirv/debug_info.h"
#include "spirv/encoded_floats.h"
#include "spirv/id_map.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <spirv-tools/linker.hpp>
#include <utility>

#include "spirv/spirv.h"
#include "spirv/uses.h"

namespace caldera::spirv {
namespace {

/// A module, with indices to find its parts by id.
struct Unit {
    std::string name = {};
    Module module = {};
    IdMap<const Instruction*> globals = {};
    IdMap<const Function*> functions = {};
    std::array<IdMap<std::string>, 2> descriptions = {};  ///< of types, and of types that are pointed at

    void index() {
        for (const Instruction& inst : module.globals) globals[inst.result.value] = &inst;
        for (const Function& function : module.functions) functions[function.id().value] = &function;
        for (const Instruction& inst : module.globals)  // in their order: then no type waits for one below it
            if (!inst.type)
                for (const bool pointed_at : {false, true}) describe(inst.result, pointed_at);
    }
    /// SPIRV-Tools' linker visits all parts of a type, and a part that occurs several times is visited each
    /// time.
    static constexpr uint64_t kMaxParts = 1000000;
    bool has_endless_type() const {
        IdMap<uint64_t> parts;
        for (const Instruction& inst : module.globals) {
            if (inst.type) continue;
            uint64_t sum = 1;
            for (const Operand& operand : inst.operands)
                if (const auto part = parts.find(operand.word); operand.is_id && part != parts.end())
                    sum += part->second;
            if (sum > kMaxParts) return true;
            parts[inst.result] = sum;
        }
        return false;
    }
    /// It also compares structs that point to structs with all the others, down to the last.
    static constexpr uint64_t kMaxLinkedStructs = 128;
    bool has_long_chain() const {
        uint64_t count = 0;
        for (const Instruction& inst : module.globals)
            count +=
                inst.op == spv::Op::OpTypeStruct && std::ranges::any_of(inst.operands, [&](Operand member) {
                    const auto type = globals.find(member.word);
                    if (type == globals.end() || type->second->op != spv::Op::OpTypePointer) return false;
                    const auto pointee = globals.find(type->second->word(1));
                    return pointee != globals.end() && pointee->second->op == spv::Op::OpTypeStruct;
                });
        return count > kMaxLinkedStructs;
    }
    /// The type of a function or variable, in words that are the same in every module that has it.
    std::string type_of(Id symbol) {
        const Id type = type_id_of(symbol);
        return type ? describe(type) : "";
    }
    Id type_id_of(Id symbol) const {
        if (const auto function = functions.find(symbol.value); function != functions.end())
            return function->second->def.id(1);
        const auto global = globals.find(symbol.value);
        return global == globals.end() ? Id() : global->second->type;
    }

    /// Whether a declaration of this module and a definition of another one may be of these types. As in C,
    /// the definition completes arrays of unknown length, which have one element here, and incomplete
    /// structs.
    bool may_declare(Id type, Unit& other, Id defined, int depth = 0) {
        constexpr int kDeepest = 64;
        if (describe(type) == other.describe(defined)) return true;
        const auto found = globals.find(type.value), wanted = other.globals.find(defined.value);
        if (found == globals.end() || wanted == other.globals.end() || depth > kDeepest) return false;
        const Instruction &own = *found->second, &its = *wanted->second;
        if (own.op != its.op || own.operands.size() != its.operands.size()) return false;
        if (own.op == spv::Op::OpTypePointer) {
            if (own.word(0) != its.word(0)) return false;
            return may_point_at(own.id(1), other, its.id(1)) ||
                   may_declare(own.id(1), other, its.id(1), depth + 1);
        }
        if (own.op == spv::Op::OpTypeArray)
            return depth == 1 && length(own.id(1)) == "1" && describe(own.id(0)) == other.describe(its.id(0));
        if (own.op != spv::Op::OpTypeFunction) return false;
        for (size_t i = 0; i < own.operands.size(); ++i)
            if (!may_declare(own.id(i), other, its.id(i), depth + 2)) return false;
        return true;
    }

 private:
    bool may_point_at(Id own, const Unit& other, Id its) const {
        const auto a = globals.find(own.value), b = other.globals.find(its.value);
        if (a == globals.end() || b == other.globals.end()) return false;
        const spv::Op op = a->second->op, other_op = b->second->op;
        if (op == spv::Op::OpTypeOpaque && other_op == op) return tag_of(*a->second) == tag_of(*b->second);
        return (op == spv::Op::OpTypeOpaque && other_op == spv::Op::OpTypeStruct) ||
               (op == spv::Op::OpTypeStruct && other_op == spv::Op::OpTypeOpaque);
    }
    /// "struct.list" of "struct.list.7": LLVM appends a number where modules that it links share a name.
    static std::string tag_of(const Instruction& opaque) {
        std::string name = string_at(opaque, 0);
        const size_t last = name.find_last_not_of("0123456789");
        if (last != std::string::npos && last + 1 < name.size() && name[last] == '.' && name.find('.') < last)
            name.resize(last);
        return name;
    }

    /// `pointed_at`: a struct, which may contain pointers to itself, is the number of its members.
    std::string describe(Id type, bool pointed_at = false) {
        IdMap<std::string>& known = descriptions[pointed_at];
        if (const auto found = known.find(type.value); found != known.end()) return found->second;
        const auto found = globals.find(type.value);
        if (found == globals.end()) return "...";
        return known[type.value] = abbreviated(describe(*found->second, pointed_at));
    }
    /// Nested types could make texts very long, so a hash replaces the end of a long text.
    static std::string abbreviated(std::string text) {
        constexpr size_t kLongest = 256;
        if (text.size() <= kLongest) return text;
        const std::string_view end = std::string_view(text).substr(kLongest);
        return text.substr(0, kLongest) + "... " + std::to_string(std::hash<std::string_view>()(end));
    }
    std::string describe(const Instruction& inst, bool pointed_at) {
        const bool is_pointer = inst.op == spv::Op::OpTypePointer;
        auto operand = [&](size_t i) { return describe(inst.id(i), pointed_at || is_pointer); };
        auto list = [&](size_t from) {
            std::string text;
            for (size_t i = from; i < inst.operands.size(); ++i) text += (i > from ? ", " : "") + operand(i);
            return text;
        };
        switch (inst.op) {
            case spv::Op::OpTypeVoid: return "void";
            case spv::Op::OpTypeBool: return "bool";
            case spv::Op::OpTypeInt: return "i" + std::to_string(inst.word(0));
            case spv::Op::OpTypeFloat:
                return encoding_of(inst) ? std::string(name_of(*encoding_of(inst)))
                                         : "f" + std::to_string(inst.word(0));
            case spv::Op::OpTypeVector: return operand(0) + "x" + std::to_string(inst.word(1));
            case spv::Op::OpTypeArray: return operand(0) + "[" + length(inst.id(1)) + "]";
            case spv::Op::OpTypeStruct:
                if (pointed_at) return "{" + std::to_string(inst.operands.size()) + " members}";
                return "{" + list(0) + "}";
            case spv::Op::OpTypePointer:
                return operand(1) + " " + space(static_cast<spv::StorageClass>(inst.word(0))) + "*";
            case spv::Op::OpTypeFunction: return operand(0) + " (" + list(1) + ")";
            case spv::Op::OpTypeOpaque: return "incomplete " + string_at(inst, 0);
            default: return "type " + std::to_string(static_cast<uint32_t>(inst.op)) + literals(inst);
        }
    }
    static std::string literals(const Instruction& inst) {  // of an image, a sampler and the like
        std::string text;
        for (const Operand& operand : inst.operands)
            if (!operand.is_id) text += " " + std::to_string(operand.word);
        return text;
    }
    std::string length(Id constant) const {
        const auto found = globals.find(constant.value);
        const bool known = found != globals.end() && found->second->op == spv::Op::OpConstant;
        return known ? std::to_string(found->second->word(0)) : "";
    }
    static std::string space(spv::StorageClass storage) {
        switch (storage) {
            case spv::StorageClass::CrossWorkgroup: return "global ";
            case spv::StorageClass::UniformConstant: return "constant ";
            case spv::StorageClass::Workgroup: return "local ";
            case spv::StorageClass::Generic: return "generic ";
            default: return "";
        }
    }
};

class Linker {
 public:
    explicit Linker(const LinkOptions& options) : options_(options) {}

    Result<std::vector<uint32_t>> run(std::span<const LinkInput> inputs) {
        for (const LinkInput& input : inputs) {
            Result<Module> module = read(input.words);
            Result<Done> sound = module ? verify(*module) : Result<Done>(module.error());
            // SPIRV-Tools' linker trusts what it reads. It will see no debug information.
            if (sound) sound = validate_code(*module, input.words);
            if (!sound) {
                const std::string& message =
                    sound.error().message;  // an instruction may follow the first line
                return Error{.message = input.name + ": " + message.substr(0, message.find('\n'))};
            }
            units_.push_back({.name = input.name, .module = module.take()});
            // SPIRV-Tools' linker of 2023.1 leaves the ids of scopes as they were.
            drop_debug_info(units_.back().module);
            forget_builtin_linkage(units_.back().module);
        }
        for (Unit& unit : units_) unit.index();
        for (const Unit& unit : units_)
            if (unit.has_endless_type())
                fault("'" + unit.name + "' has a type with more than " + std::to_string(Unit::kMaxParts) +
                      " parts, counting nested types each time they occur");
        for (const Unit& unit : units_)
            if (unit.has_long_chain())
                fault("'" + unit.name + "' has more than " + std::to_string(Unit::kMaxLinkedStructs) +
                      " structs that point to structs");
        compare_models();
        collect_definitions();
        merge_repeated_definitions();
        if (faults_.empty()) export_called_kernels();
        if (faults_.empty()) resolve_imports();
        if (!faults_.empty()) return Error{.message = faults_};
        return combine();
    }

 private:
    void fault(const std::string& text) { faults_ += (faults_.empty() ? "" : "\n") + text; }

    /// The LLVM translator imports the variables that stand for built-ins, which the environment defines.
    static void forget_builtin_linkage(Module& module) {
        std::set<uint32_t> builtins;
        for (const Instruction& inst : module.annotations)
            if (inst.op == spv::Op::OpDecorate &&
                inst.word(1) == static_cast<uint32_t>(spv::Decoration::BuiltIn))
                builtins.insert(inst.word(0));
        std::erase_if(module.annotations, [&](const Instruction& inst) {
            const std::optional<Linkage> linkage = linkage_of(inst);
            return linkage && builtins.contains(linkage->target.value);
        });
    }

    void compare_models() {
        const Unit& first = units_.front();
        for (const Unit& unit : units_)
            if (unit.module.memory_model.operands != first.module.memory_model.operands)
                fault("'" + unit.name + "' differs in its addressing or memory model from '" + first.name +
                      "'");
    }

    struct Definition {
        Unit* unit;
        std::string type;
        Id symbol;
    };

    void collect_definitions() {
        for (Unit& unit : units_) {
            for (const Instruction& entry : unit.module.entry_points) {
                const std::string name = string_at(entry, 2);
                if (const auto [other, is_new] = kernels_.try_emplace(name, &unit); !is_new)
                    fault("duplicate kernel '" + name + "', in '" + other->second->name + "' and in '" +
                          unit.name + "'");
            }
            for (const Instruction& inst : unit.module.annotations) {
                const std::optional<Linkage> linkage = linkage_of(inst);
                if (!linkage || linkage->type != spv::LinkageType::Export) continue;
                const auto [other, is_new] = exports_.try_emplace(
                    linkage->name, Definition{&unit, unit.type_of(linkage->target), linkage->target});
                if (!is_new)
                    fault("duplicate symbol '" + linkage->name + "', in '" + other->second.unit->name +
                          "' and in '" + unit.name + "'");
            }
        }
    }

    /// Several modules may have the same definition (LinkOnceODR, SPV_KHR_linkonce_odr). The first one stays;
    /// an exported one comes before them.
    void merge_repeated_definitions() {
        for (Unit& unit : units_) {
            IdSet dropped;
            for (Instruction& inst : unit.module.annotations) {
                const std::optional<Linkage> linkage = linkage_of(inst);
                if (!linkage || linkage->type != spv::LinkageType::LinkOnceODR) continue;
                const auto [other, is_new] = exports_.try_emplace(
                    linkage->name, Definition{&unit, unit.type_of(linkage->target), linkage->target});
                set_linkage(inst, is_new ? spv::LinkageType::Export : spv::LinkageType::Import);
                if (is_new)
                    repeated_.insert(linkage->name);
                else
                    dropped.insert(linkage->target);
            }
            if (dropped.empty()) continue;
            make_declarations(unit.module, dropped);
            unit.index();  // pointers into it have moved
        }
    }
    static void set_linkage(Instruction& decoration, spv::LinkageType type) {
        size_t at = 0;
        string_at(decoration, 2, &at);
        decoration.operands[at] = static_cast<uint32_t>(type);
    }
    /// Declarations come before all definitions (SPIR-V 2.4).
    static void declare_first(Module& module) {
        std::ranges::stable_partition(module.functions,
                                      [](const Function& function) { return function.blocks.empty(); });
    }
    static void make_declarations(Module& module, const IdSet& symbols) {
        for (Function& function : module.functions)
            if (symbols.contains(function.id())) function.blocks.clear();
        declare_first(module);
        for (Instruction& global : module.globals)
            if (global.op == spv::Op::OpVariable && symbols.contains(global.result))
                global.operands.resize(1);
        drop_stale_names(module);
    }

    /// OpenCL C lets a function call a kernel (6.11.1), which may be another module's; kernels are not
    /// exported.
    void export_called_kernels() {
        for (const Unit& unit : units_)
            for (const Instruction& inst : unit.module.annotations) {
                const std::optional<Linkage> linkage = linkage_of(inst);
                if (!linkage || linkage->type != spv::LinkageType::Import || exports_.contains(linkage->name))
                    continue;
                if (const auto kernel = kernels_.find(linkage->name); kernel != kernels_.end())
                    called_kernels_.insert(*kernel);
            }
        for (const auto& [name, unit] : called_kernels_) {
            const Id function = export_kernel(unit->module, name);
            unit->index();  // pointers into it have moved
            exports_.try_emplace(name, Definition{unit, unit->type_of(function), function});
        }
    }

    /// Exports the kernel's function. A separate entry point calls it, because entry points must not be
    /// called (SPIR-V 2.16.1).
    static Id export_kernel(Module& module, const std::string& name) {
        const auto entry = std::ranges::find(module.entry_points, name,
                                             [](const Instruction& inst) { return string_at(inst, 2); });
        const Id function = entry->id(1);
        const Function caller =
            caller_of(module, *std::ranges::find(module.functions, function, &Function::id));
        entry->operands[1] = caller.id();
        for (Instruction& mode : module.execution_modes)
            if (mode.id(0) == function) mode.operands[0] = caller.id();
        module.functions.push_back(caller);
        Instruction exported{.op = spv::Op::OpDecorate,
                             .operands = {function, spv::Decoration::LinkageAttributes}};
        append_string(exported.operands, name);
        exported.operands.push_back(static_cast<uint32_t>(spv::LinkageType::Export));
        module.annotations.push_back(std::move(exported));
        module.capabilities.push_back({.op = spv::Op::OpCapability, .operands = {spv::Capability::Linkage}});
        return function;
    }

    /// A function that passes its parameters on, with the same decorations.
    static Function caller_of(Module& module, const Function& callee) {
        Function caller{.def = callee.def, .params = callee.params};
        caller.def.result = module.fresh();
        Instruction call{.op = spv::Op::OpFunctionCall,
                         .type = callee.return_type(),
                         .result = module.fresh(),
                         .operands = {callee.id()}};
        for (Instruction& param : caller.params) {
            const Id original = std::exchange(param.result, module.fresh());
            decorate_alike(module, original, param.result);
            call.operands.push_back(param.result);
        }
        caller.blocks.push_back(
            {.label = module.fresh(), .body = {std::move(call)}, .terminator = {.op = spv::Op::OpReturn}});
        return caller;
    }
    static void decorate_alike(Module& module, Id original, Id copy) {
        for (size_t i = 0; i < module.annotations.size(); ++i) {
            Instruction& inst = module.annotations[i];
            if (inst.op == spv::Op::OpGroupDecorate) {
                if (std::ranges::find(inst.operands, Operand(original)) != inst.operands.end())
                    inst.operands.push_back(copy);
            } else if (inst.op == spv::Op::OpDecorate && inst.id(0) == original) {
                Instruction decoration = inst;
                decoration.operands[0] = copy;
                module.annotations.push_back(std::move(decoration));
            }
        }
    }

    void resolve_imports() {
        for (Unit& unit : units_)
            for (const Instruction& inst : unit.module.annotations)
                if (const std::optional<Linkage> linkage = linkage_of(inst);
                    linkage && linkage->type == spv::LinkageType::Import)
                    resolve(unit, *linkage);
    }

    void resolve(Unit& unit, const Linkage& import) {
        const auto found = exports_.find(import.name);
        if (found == exports_.end()) {
            lacks_some_ = true;
            if (!options_.allow_partial && !import.name.starts_with("_Z"))
                fault("undefined symbol '" + import.name + "', used in '" + unit.name + "'");
            return;
        }
        const std::string wanted = unit.type_of(import.target);
        const Definition& definition = found->second;
        if (!unit.may_declare(unit.type_id_of(import.target), *definition.unit,
                              definition.unit->type_id_of(definition.symbol)))
            fault("the types of '" + import.name + "' differ: '" + wanted + "' in '" + unit.name + "', '" +
                  definition.type + "' in '" + definition.unit->name + "'");
    }

    /// A higher version of SPIR-V gives older modules the same meaning. But from 1.4 on, an entry point lists
    /// every module-scope variable that it uses, and may list others (SPIR-V 2.16.1).
    void agree_on_version() {
        uint32_t highest = 0;
        for (const Unit& unit : units_) highest = std::max(highest, unit.module.version);
        for (Unit& unit : units_) {
            const bool lists_inputs_only = unit.module.version < 0x00010400 && highest >= 0x00010400;
            unit.module.version = highest;
            if (!lists_inputs_only) continue;
            for (const Instruction& global : unit.module.globals)
                if (global.op == spv::Op::OpVariable)
                    for (Instruction& entry : unit.module.entry_points) add_interface(entry, global.result);
        }
    }
    static void add_interface(Instruction& entry, Id variable) {
        size_t first = 0;
        string_at(entry, 2, &first);
        const auto listed = entry.operands.begin() + static_cast<std::ptrdiff_t>(first);
        if (std::find(listed, entry.operands.end(), Operand(variable)) == entry.operands.end())
            entry.operands.push_back(variable);
    }

    Result<std::vector<uint32_t>> combine() {
        agree_on_version();
        const std::vector<Binding> bindings = name_imports();
        CarriedLines lines;
        std::vector<Module*> modules;
        for (Unit& unit : units_) modules.push_back(&unit.module);
        lines.take(modules);
        std::vector<std::vector<uint32_t>> binaries;
        for (const Unit& unit : units_) binaries.push_back(write(unit.module));
        // Which SPIRV-Tools may not know.
        std::set<spv::Capability> encodings;
        const bool has_encodings = std::ranges::any_of(binaries, has_encoded_floats);
        for (std::vector<uint32_t>& each : binaries) {
            if (!has_encodings) break;
            encodings.merge(encoded_float_capabilities(each));
            each = stand_in_for_encoded_floats(each);
        }
        std::string message;
        spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
        context.SetMessageConsumer(
            [&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
                if (level <= SPV_MSG_ERROR && message.empty()) message = text;
            });
        spvtools::LinkerOptions options;
        options.SetCreateLibrary(options_.create_library || !bindings.empty());  // bind_imports() needs names
        options.SetAllowPartialLinkage(true);  // resolve() knows better what may be left
        std::vector<uint32_t> linked;
        if (spvtools::Link(context, binaries, &linked, options) != SPV_SUCCESS)
            return Error{.message = message.empty() ? "the modules cannot be linked" : message};
        if (has_encodings) linked = restore_encoded_floats(linked, encodings);
        const auto is_from_llvm = [](const Unit& unit) { return unit.module.is_from_llvm(); };
        if (std::ranges::all_of(units_, is_from_llvm)) linked[2] = units_.front().module.generator;
        const bool repeats = options_.create_library && !repeated_.empty();
        if (bindings.empty() && !repeats && !lacks_some_ && lines.empty()) return linked;
        Result<Module> module = read(linked);
        if (!module) return module.error();
        lines.restore(*module);
        if (const Result<Done> bound = bind_imports(*module, bindings); !bound) return bound.error();
        if (!options_.create_library) forget_exports(*module);
        finish_part(*module, repeats);
        return write(*module);
    }

    /// Gives each import that has a definition a name that nothing else has, so that SPIRV-Tools' linker
    /// leaves it alone.
    std::vector<Binding> name_imports() {
        std::string stem = "import ";
        while (std::ranges::any_of(exports_, [&](const auto& one) { return one.first.starts_with(stem); }))
            stem += ' ';
        std::vector<Binding> bindings;
        for (Unit& unit : units_)
            for (Instruction& inst : unit.module.annotations) {
                const std::optional<Linkage> linkage = linkage_of(inst);
                if (!linkage || linkage->type != spv::LinkageType::Import ||
                    !exports_.contains(linkage->name))
                    continue;
                bindings.push_back({stem + std::to_string(bindings.size()), linkage->name});
                inst.operands.resize(2);
                append_string(inst.operands, bindings.back().import);
                inst.operands.push_back(static_cast<uint32_t>(spv::LinkageType::Import));
            }
        return bindings;
    }
    static void forget_exports(Module& module) {
        std::erase_if(module.annotations, [](const Instruction& inst) {
            const std::optional<Linkage> linkage = linkage_of(inst);
            return linkage && linkage->type == spv::LinkageType::Export;
        });
    }

    /// A module that is to be linked again. Its repeated definitions may meet others of their kind. The
    /// linker has left each module's declarations behind the definitions of the module before it.
    void finish_part(Module& module, bool repeats) const {
        declare_first(module);
        for (Instruction& inst : module.annotations)
            if (const std::optional<Linkage> linkage = linkage_of(inst);
                repeats && linkage && linkage->type == spv::LinkageType::Export &&
                repeated_.contains(linkage->name))
                set_linkage(inst, spv::LinkageType::LinkOnceODR);
    }

    const LinkOptions& options_;
    std::vector<Unit> units_ = {};
    std::map<std::string, Unit*> kernels_ = {}, called_kernels_ = {};
    std::map<std::string, Definition> exports_ = {};
    std::set<std::string> repeated_ = {};  // exported for now
    bool lacks_some_ = false;              // imports are left
    std::string faults_ = {};
};

}  // namespace

Result<std::vector<uint32_t>> link(std::span<const LinkInput> inputs, const LinkOptions& options) {
    if (inputs.empty()) return Error{.message = "no modules to link"};
    return Linker(options).run(inputs);
}

}  // namespace caldera::spirv
