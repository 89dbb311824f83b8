// SPDX-License-Identifier: Apache-2.0
// bind_parameters: removes parameters whose pointers the callee can tell from elsewhere. A pointer to a local
// variable of the module, or into one at constant indices, is that variable. A pointer to private memory that
// is written, and that a call passes twice, is one parameter. A function that gets several variables, or the
// same pointer in some calls alone, becomes one function for each. A generic pointer parameter whose argument
// is cast from another storage class has that class.
//
// Vulkan has no parameters that point to local memory or are generic, and pass_by_value can pass an object
// that is written only once. Without this pass, inline_functions would copy such a function to each of its
// calls: a cipher with its tables, say, which decrypts in place. Before: promote_variables, so that arguments
// are used directly. Entry points have their local pointers as parameters, which stay.
#include <algorithm>
#include <span>
#include <utility>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/optimize/generic_casts.h"
#include "vulkan/translate/optimize/pointer_parameters.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint64_t kMinVersioned = 100;  // instructions, with callees, of a function that becomes several

/// A pointer, as code that computes it from another one.
struct Origin {
    Id base = {};
    std::vector<Instruction> steps = {};  ///< each computes from the one before, the first from `base`
    bool operator==(const Origin& other) const {
        return base == other.base && std::ranges::equal(steps, other.steps, is_same_step);
    }

 private:
    /// The first operand is what the step computes from.
    static bool is_same_step(const Instruction& a, const Instruction& b) {
        return a.op == b.op && a.type == b.type &&
               std::ranges::equal(std::span(a.operands).subspan(1), std::span(b.operands).subspan(1));
    }
};

class ParameterBinder {
 public:
    ParameterBinder(Module& module, const CallGraph& graph, std::span<const uint32_t> callees_first)
        : module_(module),
          builder_(module),
          cloner_(module),
          graph_(graph),
          order_(callees_first),
          private_(module, builder_, graph, callees_first),
          calls_(module.functions.size()),
          sizes_(inlined_sizes(module, graph, callees_first)) {}

    /// Whether a generic pointer got another class, so that more may be known now.
    bool run(std::span<const Id> wanted_later) {
        const std::vector<uint32_t> call_counts = count_calls(module_, graph_);
        keeps_.resize(call_counts.size());
        std::ranges::transform(call_counts, keeps_.begin(), [](uint32_t n) { return n == CallGraph::kNone; });
        for (const Id function : wanted_later) keeps_[graph_.index_of(function)] = true;
        for (auto f = order_.rbegin(); f != order_.rend(); ++f) bind(*f);
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            return inst.op == spv::Op::OpDecorate && bound_.contains(inst.id(0));
        });
        std::erase_if(module_.names, [&](const Instruction& inst) {
            return inst.op == spv::Op::OpName && bound_.contains(inst.id(0));
        });
        return any_cast_;
    }

 private:
    static constexpr uint32_t kNone = ~0u;
    /// What an argument is.
    struct Source {
        uint32_t variable = kNone;  ///< part of a variable: index into variables_
        uint32_t argument = kNone;  ///< the same as this argument, which comes before
        Id cast = {};               ///< cast to a generic pointer from this type
        bool is_known() const { return variable != kNone || argument != kNone || cast; }
        bool goes() const { return variable != kNone || argument != kNone; }
        bool operator==(const Source&) const = default;
    };
    using Sources = std::vector<Source>;  // of a call's arguments
    struct Call {
        uint32_t function = 0;
        size_t block = 0, inst = 0;
        Sources sources = {};
        std::vector<Id> arguments = {};  // casts are taken back
    };
    struct Version {
        Sources sources = {};
        uint32_t function = 0;
    };

    void bind(uint32_t f);
    std::vector<Version> versions_of(uint32_t f, std::span<const Call> calls) const;
    void bind_version(const Version& version);
    void visit(uint32_t f);
    void visit_call(uint32_t f, size_t block, size_t inst);
    Origin origin_of(Id pointer) const;
    uint32_t variable_of(const Origin& origin);
    static uint32_t earlier_argument(std::span<const Origin> arguments,
                                     std::span<const PointerParameter> parameters,
                                     const PointerParameter& parameter);
    bool is_step(const Instruction& inst) const;

    Module& module_;
    Builder builder_;
    Cloner cloner_;
    const CallGraph& graph_;
    std::span<const uint32_t> order_;
    PointerParameters private_;
    std::vector<std::vector<Call>> calls_;  // by the function that is called
    std::vector<uint64_t> sizes_;           // by function: instructions, with callees
    std::vector<char> keeps_ = {};          // by function: its parameters must stay
    std::vector<Origin> variables_ = {};    // what is passed of local variables
    IdMap<const Instruction*> steps_ = {};  // of the function that is visited, by result
    IdMap<CastPointer> casts_ = {};         // of the function that is visited, by the generic pointer
    IdSet bound_ = {};                      // parameters that are gone
    bool any_cast_ = false;
};

/// All callers are final, and their calls are known.
void ParameterBinder::bind(uint32_t f) {
    const std::vector<Call> calls = std::move(calls_[f]);
    std::vector<Version> versions;
    if (!keeps_[f]) versions = versions_of(f, calls);
    if (versions.empty()) return visit(f);
    for (size_t v = 1; v < versions.size(); ++v) {
        versions[v].function = static_cast<uint32_t>(module_.functions.size());
        module_.functions.push_back(cloner_.copy(module_.functions[f], module_.fresh()));
    }
    for (const Call& call : calls) {
        const Version& version = *std::ranges::find(versions, call.sources, &Version::sources);
        Instruction& inst = module_.functions[call.function].blocks[call.block].body[call.inst];
        Operands operands = {module_.functions[version.function].id()};
        for (size_t i = 0; i < call.sources.size(); ++i)
            if (!call.sources[i].goes()) operands.push_back(call.arguments[i]);
        inst.operands = std::move(operands);
    }
    for (const Version& version : versions) {
        bind_version(version);
        visit(version.function);
    }
}

/// One for each list of known arguments; none if that is not worth it.
std::vector<ParameterBinder::Version> ParameterBinder::versions_of(uint32_t f,
                                                                   std::span<const Call> calls) const {
    std::vector<Version> versions;
    bool any = false;
    for (const Call& call : calls) {
        any |= std::ranges::any_of(call.sources, &Source::is_known);
        if (std::ranges::find(versions, call.sources, &Version::sources) == versions.end())
            versions.push_back({.sources = call.sources, .function = f});
    }
    if (!any || (versions.size() > 1 && sizes_[f] < kMinVersioned)) return {};
    return versions;
}

/// The version's known parameters become what they are.
void ParameterBinder::bind_version(const Version& version) {
    Function& function = module_.functions[version.function];
    std::vector<Instruction> params, code;
    std::vector<Id> types;
    IdMap<Id> other_names;
    for (size_t i = 0; i < function.params.size(); ++i) {
        const Instruction& param = function.params[i];
        const Source& source = version.sources[i];
        if (!source.is_known()) {
            types.push_back(param.type);
            params.push_back(param);
            continue;
        }
        bound_.insert(param.result);
        if (source.cast) {
            types.push_back(source.cast);
            params.push_back(
                {.op = spv::Op::OpFunctionParameter, .type = source.cast, .result = module_.fresh()});
            code.push_back({.op = spv::Op::OpPtrCastToGeneric,
                            .type = param.type,
                            .result = param.result,
                            .operands = {params.back().result}});
            any_cast_ = true;
            continue;
        }
        if (source.argument != kNone) {
            other_names[param.result] = function.params[source.argument].result;
            continue;
        }
        const Origin& origin = variables_[source.variable];
        if (origin.steps.empty()) other_names[param.result] = origin.base;
        Id base = origin.base;
        for (const Instruction& step : origin.steps) {
            code.push_back(step);
            code.back().operands[0] = base;
            code.back().line = {};
            base = code.back().result = &step == &origin.steps.back() ? param.result : module_.fresh();
        }
    }
    function.params = std::move(params);
    function.def.operands[1] = builder_.type_function(function.return_type(), types);
    if (!other_names.empty())
        for_each_use(function, [&](Operand& operand) {
            if (const auto found = other_names.find(operand.id()); found != other_names.end())
                operand = found->second;
        });
    function.insert_at_entry(std::move(code));
}

/// Finds what a function passes to those that it calls.
void ParameterBinder::visit(uint32_t f) {
    steps_.clear();
    casts_ = sink_generic_casts(builder_, module_.functions[f]);
    for (size_t b = 0; b < module_.functions[f].blocks.size(); ++b)
        for (size_t i = 0; i < module_.functions[f].blocks[b].body.size(); ++i) {
            const Instruction& inst = module_.functions[f].blocks[b].body[i];
            if (inst.op == spv::Op::OpFunctionCall)
                visit_call(f, b, i);
            else if (is_step(inst))
                steps_[inst.result] = &inst;
        }
}

void ParameterBinder::visit_call(uint32_t f, size_t block, size_t inst) {
    const Instruction& call = module_.functions[f].blocks[block].body[inst];
    const uint32_t callee = graph_.index_of(call.id(0));
    if (callee == CallGraph::kNone || module_.functions[callee].blocks.empty()) return;
    Sources sources;
    std::vector<Id> arguments;
    std::vector<Origin> origins;
    for (uint32_t i = 0; i + 1 < call.operands.size(); ++i) {
        arguments.push_back(call.id(i + 1));
        origins.push_back(origin_of(call.id(i + 1)));
        sources.push_back({.variable = variable_of(origins.back())});
        if (sources.back().variable != kNone) continue;
        if (const auto cast = casts_.find(call.id(i + 1)); cast != casts_.end()) {
            arguments.back() = cast->second.id;
            sources.back().cast = cast->second.type;
        }
    }
    const std::span<const PointerParameter> parameters = private_.of(callee);
    for (const PointerParameter& parameter : parameters)
        sources[parameter.index].argument = earlier_argument(origins, parameters, parameter);
    calls_[callee].push_back({f, block, inst, std::move(sources), std::move(arguments)});
}

Origin ParameterBinder::origin_of(Id pointer) const {
    Origin origin;
    for (auto step = steps_.find(pointer); step != steps_.end(); step = steps_.find(pointer)) {
        origin.steps.push_back(*step->second);
        pointer = step->second->id(0);
    }
    origin.base = pointer;
    std::ranges::reverse(origin.steps);
    return origin;
}

uint32_t ParameterBinder::variable_of(const Origin& origin) {
    const Instruction* global = builder_.find_global(origin.base);
    if (global == nullptr || global->op != spv::Op::OpVariable ||
        builder_.storage(global->type) != spv::StorageClass::Workgroup)
        return kNone;
    const auto found = std::ranges::find(variables_, origin);
    if (found != variables_.end()) return static_cast<uint32_t>(found - variables_.begin());
    variables_.push_back(origin);
    return static_cast<uint32_t>(variables_.size() - 1);
}

/// The first argument that is the same pointer to private memory, if the callee writes through any of them.
uint32_t ParameterBinder::earlier_argument(std::span<const Origin> arguments,
                                           std::span<const PointerParameter> parameters,
                                           const PointerParameter& parameter) {
    uint32_t first = kNone;
    bool is_written = false;
    for (const PointerParameter& other : parameters) {
        if (other.pointee != parameter.pointee || arguments[other.index] != arguments[parameter.index])
            continue;
        if (first == kNone) first = other.index;
        is_written |= other.written;
    }
    return is_written && first != parameter.index ? first : kNone;
}

/// Whether the instruction computes a pointer from one pointer and constants.
bool ParameterBinder::is_step(const Instruction& inst) const {
    if (!computes_pointer(inst.op) && inst.op != spv::Op::OpPtrCastToGeneric) return false;
    return builder_.is_pointer(inst.type) &&
           std::all_of(inst.operands.begin() + 1, inst.operands.end(),
                       [&](const Operand& operand) { return builder_.find_global(operand.id()) != nullptr; });
}

}  // namespace

Result<Done> bind_parameters(Module& module, PassContext& context) {
    using enum spv::StorageClass;
    if (!takes_pointers(module, {Workgroup, Generic, Function})) return Done{};
    for (bool again = true; again;) {
        const CallGraph graph(module);
        const CallOrder order = graph.order();
        if (order.recursive) break;  // inline_functions declines recursion
        again = ParameterBinder(module, graph, order.callees_first).run(context.variables.double_functions);
    }
    return Done{};
}

}  // namespace caldera::vulkan
