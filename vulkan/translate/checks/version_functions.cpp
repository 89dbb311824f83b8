// SPDX-License-Identifier: Apache-2.0
// version_functions: makes a function of each set of spaces that calls pass generic pointers of, where
// accesses are checked. OpenCL C 3.0 makes the pointers of nearly every helper function generic. If one call
// passes it a pointer to global memory and another one a private variable, each access in it would look for
// its space and its object at run time. Afterwards infer_spaces finds one space for each version.
//
// The space of a pointer is what it is cast from: through chains, phis, selects, private variables that hold
// such pointers, and functions that return one of their parameters. Functions are analysed once, before those
// that call them, in terms of their parameters; the versions then follow from the kernels on.
//
// Before and after: as infer_spaces. A function has as many versions as calls at most: compilers of GPUs
// inline functions with generic pointers in any case.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "spirv/builder.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "vulkan/translate/checks/calls.h"
#include "vulkan/translate/checks/pointer_sources.h"
#include "vulkan/translate/optimize/pointer_parameters.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

constexpr size_t kMostVersions = 32;  // of a function; further calls share one for all spaces

/// Where a pointer may come from, as bits: spaces, and parameters of its function.
using OriginBits = uint64_t;
constexpr OriginBits kFromGlobal = 1, kFromLocal = 2, kFromPrivate = 4, kFromAnywhere = 8;
constexpr uint32_t kFirstParameter = 4, kMostParameters = 60;

OriginBits origins_in(StorageClass space) {
    switch (space) {
        case StorageClass::CrossWorkgroup: return kFromGlobal;
        case StorageClass::Workgroup: return kFromLocal;
        case StorageClass::Function: return kFromPrivate;
        default: return kFromAnywhere;
    }
}
OriginBits parameter(size_t number) {
    return number < kMostParameters ? OriginBits{1} << (kFirstParameter + number) : kFromAnywhere;
}
/// The same where the parameters are known.
OriginBits resolved(OriginBits origins, const std::vector<OriginBits>& parameters) {
    OriginBits result = origins & (parameter(0) - 1);
    for (size_t i = 0; i < parameters.size() && i < kMostParameters; ++i)
        if (origins & parameter(i)) result |= parameters[i];
    return result;
}

class FunctionVersions {
 public:
    explicit FunctionVersions(spirv::Module& module)
        : module_(module), builder_(module), graph_(module), named_(named_elsewhere(module)) {}

    void run() {
        const CallOrder order = graph_.order();
        if (order.recursive) return;  // inline_functions declines recursion
        calls_.resize(module_.functions.size());
        results_.resize(module_.functions.size());
        versions_.resize(module_.functions.size());
        for (const uint32_t f : order.callees_first) analyse(f);
        for (auto f = order.callees_first.rbegin(); f != order.callees_first.rend(); ++f) spread(*f);
        make_functions();
    }

 private:
    /// A call of a function that may have versions.
    struct Call {
        size_t block = 0, inst = 0;
        uint32_t callee = 0;
        std::vector<OriginBits> arguments = {};  ///< 0 for what is no generic pointer
    };
    struct Version {
        std::vector<OriginBits> parameters =
            {};  ///< one space, or kFromAnywhere; 0 for what is no generic pointer
        std::vector<uint32_t> callees = {};  ///< by call: the callee's version
        uint32_t function = 0;
    };

    bool is_generic(Id value) const { return is_generic_type(builder_.type_of(value)); }
    bool is_generic_type(Id type) const {
        return builder_.is_pointer(type) && builder_.storage(type) == StorageClass::Generic;
    }
    bool may_have_versions(const Function& function) const {
        return !function.blocks.empty() && !named_.contains(function.id()) &&
               std::ranges::any_of(function.params,
                                   [&](const Instruction& param) { return is_generic_type(param.type); });
    }

    // ---- Where pointers come from, in terms of the function's parameters ----

    /// The origins of an operand. NULL comes from nowhere, and may go anywhere.
    OriginBits of(Id pointer) {
        if (!is_generic(pointer)) return origins_in(builder_.storage(builder_.type_of(pointer)));
        const auto found = origins_.find(pointer);
        if (found != origins_.end()) return found->second;
        const Instruction* const global = builder_.find_global(pointer);
        const bool is_nothing = global && (global->op == Op::OpConstantNull || global->op == Op::OpUndef);
        return global && !is_nothing ? kFromAnywhere : 0;
    }

    void analyse(uint32_t f) {
        const Function& function = module_.functions[f];
        origins_.clear();
        find_variables(function);
        for (size_t i = 0; i < function.params.size(); ++i)
            if (is_generic_type(function.params[i].type)) origins_[function.params[i].result] = parameter(i);
        OriginBits returned = 0;
        for (bool changes = true; changes;) {
            changes = false;
            const auto add = [&](Id pointer, OriginBits more) {
                OriginBits& known = origins_[pointer];
                changes |= (more & ~known) != 0;
                known |= more;
            };
            for (const Block& block : function.blocks) {
                for (const Instruction& inst : block.body) {
                    if (inst.op == Op::OpStore && variables_.contains(inst.id(0)))
                        add(inst.id(0), of(inst.id(1)));
                    if (inst.result && inst.type && is_generic_type(inst.type)) add(inst.result, made(inst));
                }
                if (block.terminator.op == Op::OpReturnValue && is_generic_type(function.return_type()))
                    returned |= of(block.terminator.id(0));
            }
        }
        results_[f] = returned;
        for (size_t b = 0; b < function.blocks.size(); ++b)
            for (size_t i = 0; i < function.blocks[b].body.size(); ++i)
                if (const Instruction& inst = function.blocks[b].body[i]; inst.op == Op::OpFunctionCall)
                    add_call(f, inst, b, i);
    }

    /// Private variables of generic pointers that are only loaded and stored.
    void find_variables(const Function& function) {
        variables_.clear();
        if (function.blocks.empty()) return;
        spirv::IdSet others;  // what is used otherwise
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (spirv::is_debug(inst) || inst.op == Op::OpLifetimeStart || inst.op == Op::OpLifetimeStop)
                    continue;
                const bool is_access = inst.op == Op::OpLoad || inst.op == Op::OpStore;
                for (size_t i = is_access ? 1 : 0; i < inst.operands.size(); ++i)
                    if (inst.operands[i].is_id) others.insert(inst.id(i));
            }
        for (const Instruction& inst : function.blocks.front().body)
            if (inst.op == Op::OpVariable && inst.operands.size() == 1 && !others.contains(inst.result) &&
                is_generic_type(builder_.pointee(inst.type)))
                variables_.insert(inst.result);
    }

    /// What an instruction makes a generic pointer of.
    OriginBits made(const Instruction& inst) {
        if (inst.op == Op::OpLoad && variables_.contains(inst.id(0))) return origins_[inst.id(0)];
        if (inst.op == Op::OpFunctionCall) return returned_by(inst);
        const std::vector<Id> sources = pointer_sources(inst);
        OriginBits origins = sources.empty() ? kFromAnywhere : 0;
        for (const Id source : sources)
            origins |= builder_.is_pointer(builder_.type_of(source)) ? of(source) : kFromAnywhere;
        return origins;
    }
    OriginBits returned_by(const Instruction& call) {
        const uint32_t callee = graph_.index_of(call.id(0));
        if (callee == CallGraph::kNone || module_.functions[callee].blocks.empty()) return kFromAnywhere;
        return resolved(results_[callee], arguments_of(call));
    }
    std::vector<OriginBits> arguments_of(const Instruction& call) {
        std::vector<OriginBits> arguments;
        for (size_t i = 1; i < call.operands.size(); ++i)
            arguments.push_back(is_generic(call.id(i)) ? of(call.id(i)) : 0);
        return arguments;
    }
    void add_call(uint32_t f, const Instruction& call, size_t block, size_t inst) {
        const uint32_t callee = graph_.index_of(call.id(0));
        if (callee == CallGraph::kNone || !may_have_versions(module_.functions[callee])) return;
        calls_[f].push_back({block, inst, callee, arguments_of(call)});
    }

    // ---- Versions ----

    /// The function has all its versions. Their calls are of versions, too.
    void spread(uint32_t f) {
        const Function& function = module_.functions[f];
        if (!may_have_versions(function))
            versions_[f] = {{.parameters = std::vector<OriginBits>(function.params.size(), kFromAnywhere)}};
        for (Version& version : versions_[f])
            for (const Call& call : calls_[f]) {
                std::vector<OriginBits> parameters = call.arguments;
                for (size_t i = 0; i < parameters.size(); ++i)
                    parameters[i] = one_space(module_.functions[call.callee].params[i],
                                              resolved(parameters[i], version.parameters));
                version.callees.push_back(version_for(call.callee, std::move(parameters)));
            }
    }
    /// A pointer that is always NULL may count as one into any space.
    OriginBits one_space(const Instruction& param, OriginBits origins) const {
        if (!is_generic_type(param.type)) return 0;
        if (origins == 0) return kFromGlobal;
        return origins == kFromGlobal || origins == kFromLocal || origins == kFromPrivate ? origins
                                                                                          : kFromAnywhere;
    }
    uint32_t version_for(uint32_t callee, std::vector<OriginBits> parameters) {
        std::vector<Version>& versions = versions_[callee];
        auto found = std::ranges::find(versions, parameters, &Version::parameters);
        if (found == versions.end() && versions.size() >= kMostVersions) {
            for (OriginBits& parameter : parameters)
                if (parameter) parameter = kFromAnywhere;
            found = std::ranges::find(versions, parameters, &Version::parameters);
        }
        const auto index = static_cast<uint32_t>(found - versions.begin());
        if (found == versions.end()) versions.push_back({.parameters = std::move(parameters)});
        return index;
    }

    void make_functions() {
        const size_t count = versions_.size();
        Cloner cloner(module_);
        for (uint32_t f = 0; f < count; ++f)
            for (size_t v = 0; v < versions_[f].size(); ++v) {
                versions_[f][v].function = v == 0 ? f : static_cast<uint32_t>(module_.functions.size());
                if (v == 0) continue;
                const Id as = cloner.rename(module_.functions[f].id());
                module_.functions.push_back(cloner.copy(module_.functions[f], as));
            }
        for (uint32_t f = 0; f < count; ++f)
            for (const Version& version : versions_[f])
                for (size_t i = 0; i < calls_[f].size(); ++i) {
                    const Call& call = calls_[f][i];
                    const uint32_t callee = versions_[call.callee][version.callees[i]].function;
                    module_.functions[version.function].blocks[call.block].body[call.inst].operands[0] =
                        module_.functions[callee].id();
                }
    }

    spirv::Module& module_;
    const spirv::Builder builder_;
    const CallGraph graph_;
    const spirv::IdSet named_;
    // by function
    std::vector<std::vector<Call>> calls_ = {};
    std::vector<OriginBits> results_ = {};  // of the pointers that it returns
    std::vector<std::vector<Version>> versions_ = {};
    // of the function that is analysed
    spirv::IdSet variables_ = {};
    spirv::IdMap<OriginBits> origins_ = {};  // of generic pointers, and of those that variables hold
};

}  // namespace

Result<Done> version_functions(spirv::Module& module, PassContext& context) {
    using enum MemoryChecks;
    const bool is_wanted = has(context.options.checks, Guard | Bounds | Alignment | Races | Uninitialised);
    if (is_wanted && takes_pointers(module, {StorageClass::Generic})) FunctionVersions(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
