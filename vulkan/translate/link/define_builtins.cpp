// SPDX-License-Identifier: Apache-2.0
// define_builtins: other compilers leave some built-in functions as calls of imported functions with mangled
// names. LLVM's SPIR-V back end does so with atomic_inc, mem_fence, read_imageh and more. Our own front end
// makes instructions of such calls. So it is asked for a function for each, with the same parameters, that
// has these instructions. Before: import_module has run. After: only functions are imported that
// link_builtins has or declines.
//
// Fences, orders, scopes and sizes of clusters have to be constant in instructions. So a function is defined
// for each list of constant arguments.
#include <algorithm>
#include <map>
#include <optional>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/spirv.h"
#include "spirv/uses.h"
#include "vulkan/translate/link/library_linker.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;

class BuiltinDefinition {
 public:
    BuiltinDefinition(Module& module, const BuiltinLibrary& library)
        : module_(module), library_(library), builder_(module) {}

    Result<Done> run() {
        find_imports();
        if (imports_.empty()) return Done{};
        find_requests();
        if (requests_.empty()) return Done{};
        std::vector<BuiltinRequest> requests(requests_.size());
        for (const auto& [request, index] : requests_) requests[index] = request;
        const BuiltinDefinitions made = library_.define(requests);
        if (made.words.empty()) return Done{};
        return link(made);
    }

 private:
    bool has(std::string_view name) const {
        return std::ranges::binary_search(library_.symbols, name, {}, &BuiltinSymbol::name);
    }

    void find_imports() {
        for (const Instruction& inst : module_.annotations) {
            const std::optional<spirv::Linkage> linkage = spirv::linkage_of(inst);
            if (linkage && linkage->type == spv::LinkageType::Import && linkage->name.starts_with("_Z") &&
                !has(linkage->name))
                imports_.emplace(linkage->target, linkage->name);
        }
    }

    template <class Visit>
    void for_each_call(Visit&& visit) {
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks)
                for (Instruction& inst : block.body)
                    if (inst.op == Op::OpFunctionCall && imports_.contains(inst.id(0))) visit(inst);
    }

    void find_requests() {
        for_each_call([&](const Instruction& call) {
            const auto [request, is_new] =
                requests_.try_emplace(request_of(call), static_cast<uint32_t>(requests_.size()));
            if (is_new) lines_.push_back(call.line);
        });
    }
    BuiltinRequest request_of(const Instruction& call) const {
        BuiltinRequest request{.name = imports_.at(call.id(0))};
        for (size_t i = 1; i < call.operands.size(); ++i) {
            const Id argument = call.id(i);
            const bool is_int = builder_.is_int(builder_.type_of(argument));
            request.constants.push_back(is_int ? builder_.constant_value(argument) : std::nullopt);
        }
        return request;
    }

    Result<Done> link(const BuiltinDefinitions& made) {
        const BuiltinModule compiled[] = {{.name = "built-in functions", .words = made.words}};
        std::vector<BuiltinSymbol> symbols;
        for (const std::string& name : made.names)
            if (!name.empty()) symbols.push_back({.name = name});
        std::ranges::sort(symbols, {}, &BuiltinSymbol::name);
        const BuiltinLibrary library = {.modules = compiled, .symbols = symbols};
        LibraryLinker linker(builder_, library);
        linker.allow_imports();
        const size_t before = module_.functions.size();
        std::vector<Id> functions;
        for (const std::string& name : made.names) {
            const Result<Id> function = linker.import_function(name);
            if (!function) return function.error();
            functions.push_back(*function);
        }
        linker.copy_pending();
        linker.finish();
        for (size_t i = before; i < module_.functions.size(); ++i)
            definitions_.emplace(module_.functions[i].id(), &module_.functions[i]);
        give_lines(before, functions);
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks) call_definitions(block, functions);
        // Declarations come before all definitions (SPIR-V 2.4).
        std::ranges::stable_partition(
            module_.functions, [](const spirv::Function& function) { return function.blocks.empty(); });
        constexpr uint32_t kSpirv14 = 0x00010400;
        set_entry_point_interfaces(module_, module_.version >= kSpirv14);
        return Done{};
    }

    /// Errors in the functions' instructions name the line of the first call.
    void give_lines(size_t begin, const std::vector<Id>& functions) {
        spirv::IdMap<spirv::Line> line_of;
        for (size_t i = 0; i < functions.size(); ++i)
            if (functions[i]) line_of.emplace(functions[i], lines_[i]);
        for (size_t i = begin; i < module_.functions.size(); ++i) {
            spirv::Function& function = module_.functions[i];
            const auto line = line_of.find(function.id());
            if (line == line_of.end()) continue;
            function.def.operands[0].word |= static_cast<uint32_t>(spv::FunctionControlMask::Inline);
            spirv::for_each_instruction(function, [&](Instruction& inst) { inst.line = line->second; });
        }
    }

    void call_definitions(spirv::Block& block, const std::vector<Id>& functions) {
        std::vector<Instruction> body;
        builder_.set_sink(&body);
        for (Instruction& inst : block.body) {
            if (inst.op == Op::OpFunctionCall && imports_.contains(inst.id(0)))
                if (const Id function = functions[requests_.at(request_of(inst))]) call(inst, function);
            body.push_back(std::move(inst));
        }
        builder_.set_sink(nullptr);
        block.body = std::move(body);
    }

    /// Pointers in LLVM have no pointees, so an argument may point to another type than the parameter. A call
    /// that differs otherwise stays as it is, and link_builtins declines it.
    void call(Instruction& call, Id function) {
        const spirv::Function* definition = definitions_.at(function);
        if (definition->return_type() != call.type || definition->params.size() + 1 != call.operands.size())
            return;
        for (size_t i = 0; i < definition->params.size(); ++i)
            if (!fits(builder_.type_of(call.id(i + 1)), definition->params[i].type)) return;
        builder_.set_line(call.line);
        for (size_t i = 0; i < definition->params.size(); ++i)
            if (const Id type = definition->params[i].type; builder_.type_of(call.id(i + 1)) != type)
                call.operands[i + 1] = builder_.append(Op::OpBitcast, type, {call.operands[i + 1]});
        builder_.set_line({});
        call.operands[0] = function;
    }
    bool fits(Id argument, Id parameter) const {
        return argument == parameter || (builder_.is_pointer(argument) && builder_.is_pointer(parameter) &&
                                         builder_.storage(argument) == builder_.storage(parameter));
    }

    Module& module_;
    const BuiltinLibrary& library_;
    Builder builder_;
    spirv::IdMap<std::string> imports_ = {};
    std::map<BuiltinRequest, uint32_t> requests_ = {};
    spirv::IdMap<const spirv::Function*> definitions_ = {};
    std::vector<spirv::Line> lines_ = {};  // of the first call, by request
};

}  // namespace

Result<Done> define_builtins(Module& module, PassContext& context) {
    if (!context.library.define) return Done{};
    return BuiltinDefinition(module, context.library).run();
}

}  // namespace caldera::vulkan
