// SPDX-License-Identifier: Apache-2.0
// pass_by_value: lets a function stay a function if it accesses its callers' private memory only within known
// objects, arrays included. Callers pass the values there and get back what is written, so that `transform(w,
// state)` of a hash is not copied to each of its calls. This applies only to large functions that are called
// more than once, since a small one is better inlined. Before: promote_variables, so that parameters are used
// directly. After: private variables replace the parameters of those functions, and are promoted, like those
// of their callers.
#include <algorithm>
#include <iterator>

#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/optimize/pointer_parameters.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/must_inline.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint64_t kMinSize = 100;         // instructions of a function that is worth it
constexpr uint64_t kCostOfPart = 4;        // of a scalar that crosses the call, in instructions
constexpr uint64_t kMaxPassedParts = 256;  // that cross a call
constexpr uint64_t kMaxParameters = 200;   // SPIR-V 2.17 allows 255
constexpr uint32_t kMaxPassedDepth = 8;

/// The changes to a function.
struct Signature {
    bool changes = false;
    Id result = {};  ///< the new result type: of what it returned (if it did) and what it writes, in a struct
    Id old_result = {};         ///< none for void
    std::vector<Id> outs = {};  ///< types of what it writes, in order
};

class ByValue {
 public:
    ByValue(Module& module, const CallGraph& graph, std::span<const uint32_t> callees_first)
        : module_(module),
          builder_(module),
          graph_(graph),
          order_(callees_first),
          must_inline_(builder_),
          parameters_(module, builder_, graph, callees_first),
          signatures_(module.functions.size()) {}

    void run() {
        if (!decide()) return;
        const OpenclLayout layout(builder_);
        LeavingFunctions leaving(builder_, layout);
        for (const uint32_t f : order_) leaving.add(module_.functions[f]);
        for (uint32_t f = 0; f < module_.functions.size(); ++f) {
            const bool calls = change_calls(module_.functions[f]);
            if (signatures_[f].changes) change_function(f);
            if (calls || signatures_[f].changes)
                promote_function(builder_, layout, module_.functions[f], leaving.found());
        }
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            return inst.op == spv::Op::OpDecorate && replaced_.contains(inst.id(0));
        });
    }

 private:
    bool decide();
    bool can_change(uint32_t f);
    uint64_t parts_across(uint32_t f) const;
    uint64_t part_count(Id type, uint32_t depth = 0) const;
    void make_signature(uint32_t f);
    void change_function(uint32_t f);
    std::vector<Id> take_parameters(uint32_t f, std::vector<Instruction>& variables,
                                    std::vector<Instruction>& stores);
    bool change_calls(Function& function);
    void change_call(const Instruction& call, uint32_t callee);
    Id element(Id pointer, Id pointer_type, uint64_t index);

    Module& module_;
    Builder builder_;
    const CallGraph& graph_;
    std::span<const uint32_t> order_;
    MustInline must_inline_;
    PointerParameters parameters_;
    std::vector<Signature> signatures_;  // by function
    IdSet replaced_ = {};                // parameters that are variables now
};

// ---- Which functions ----

/// Whether there is any.
bool ByValue::decide() {
    const std::vector<uint32_t> calls = count_calls(module_, graph_);
    std::vector<uint64_t> sizes(module_.functions.size(), 0);  // with what will be inlined there
    bool any = false;
    for (const uint32_t f : order_) {
        for (const Block& block : module_.functions[f].blocks) sizes[f] += code_size(block) + 1;
        for (const uint32_t callee : graph_.callees(f))
            if (!signatures_[callee].changes && must_inline_(module_.functions[callee]))
                sizes[f] = std::min(sizes[f] + sizes[callee], uint64_t{1} << 40);
        if (calls[f] < 2 || calls[f] == CallGraph::kNone || sizes[f] < kMinSize || !can_change(f)) continue;
        const uint64_t parts = parts_across(f);
        if (parts > kMaxPassedParts || sizes[f] < kMinSize + kCostOfPart * parts) continue;
        signatures_[f].changes = any = true;
    }
    if (any)
        for (const uint32_t f : order_)
            if (signatures_[f].changes) make_signature(f);
    return any;
}

/// Whether the pointers are all that keeps it from staying a function, and can be done without.
bool ByValue::can_change(uint32_t f) {
    const Function& function = module_.functions[f];
    const std::span<const PointerParameter> pointers = parameters_.of(f);
    if (function.blocks.empty() || pointers.empty() || must_inline_(function.return_type())) return false;
    uint64_t parameters = function.params.size();
    for (uint32_t p = 0, next = 0; p < function.params.size(); ++p) {
        const bool is_pointer = next < pointers.size() && pointers[next].index == p;
        if (must_inline_(is_pointer ? pointers[next].pointee : function.params[p].type)) return false;
        if (!is_pointer) continue;
        const PointerParameter& pointer = pointers[next++];
        if (!pointer.inside || pointer.captured || !pointer.separate) return false;
        parameters += pointer.extent - 1;
        if (parameters > kMaxParameters) return false;
    }
    return true;
}

uint64_t ByValue::parts_across(uint32_t f) const {
    uint64_t parts = 0;
    for (const PointerParameter& pointer : parameters_.of(f))
        parts += pointer.extent * part_count(pointer.pointee) * (pointer.written ? 2 : 1);
    return parts;
}

uint64_t ByValue::part_count(Id type, uint32_t depth) const {
    if (depth > kMaxPassedDepth) return kMaxPassedParts + 1;
    switch (builder_.op_of_type(type)) {
        case spv::Op::OpTypeArray: {
            const auto length = builder_.constant_value(builder_.find_global(type)->id(1));
            if (!length || *length > kMaxPassedParts) return kMaxPassedParts + 1;
            return *length * part_count(builder_.element(type), depth + 1);
        }
        case spv::Op::OpTypeStruct: {
            uint64_t parts = 0;
            for (uint32_t i = 0; i < builder_.member_count(type) && parts <= kMaxPassedParts; ++i)
                parts += part_count(builder_.member(type, i), depth + 1);
            return parts;
        }
        default: return 1;
    }
}

void ByValue::make_signature(uint32_t f) {
    Signature& signature = signatures_[f];
    const Id result = module_.functions[f].return_type();
    if (builder_.op_of_type(result) != spv::Op::OpTypeVoid) signature.old_result = result;
    for (const PointerParameter& pointer : parameters_.of(f))
        if (pointer.written) signature.outs.insert(signature.outs.end(), pointer.extent, pointer.pointee);
    signature.result = result;
    if (signature.outs.empty()) return;
    std::vector<Id> members = signature.outs;
    if (signature.old_result) members.insert(members.begin(), signature.old_result);
    signature.result = builder_.type_struct(members);
}

// ---- The function ----

Id ByValue::element(Id pointer, Id pointer_type, uint64_t index) {
    if (index == 0) return pointer;
    return builder_.append(spv::Op::OpInBoundsPtrAccessChain, pointer_type,
                           {pointer, builder_.constant_u64(index)});
}

/// A variable takes the place, and the id, of each pointer; if it is an array, its first element does.
/// Returns the new parameters' types.
std::vector<Id> ByValue::take_parameters(uint32_t f, std::vector<Instruction>& variables,
                                         std::vector<Instruction>& stores) {
    Function& function = module_.functions[f];
    std::vector<Instruction> params;
    std::vector<Id> types;
    const std::span<const PointerParameter> pointers = parameters_.of(f);
    for (uint32_t p = 0, next = 0; p < function.params.size(); ++p) {
        const Instruction& old = function.params[p];
        if (next == pointers.size() || pointers[next].index != p) {
            types.push_back(old.type);
            params.push_back(old);
            continue;
        }
        const PointerParameter& pointer = pointers[next++];
        replaced_.insert(old.result);
        if (pointer.extent == 1) {
            variables.push_back({.op = spv::Op::OpVariable,
                                 .type = old.type,
                                 .result = old.result,
                                 .operands = {spv::StorageClass::Function}});
        } else {
            const Id array = builder_.type_array(pointer.pointee, builder_.constant_u64(pointer.extent));
            builder_.set_sink(&variables);
            const Id variable = builder_.append(spv::Op::OpVariable,
                                                builder_.type_pointer(spv::StorageClass::Function, array),
                                                {spv::StorageClass::Function});
            builder_.set_sink(&stores);
            builder_.append({.op = spv::Op::OpInBoundsAccessChain,
                             .type = old.type,
                             .result = old.result,
                             .operands = {variable, builder_.constant_u64(0)}});
        }
        for (uint64_t i = 0; i < pointer.extent; ++i) {
            builder_.set_sink(&params);
            const Id value = builder_.append(spv::Op::OpFunctionParameter, pointer.pointee, {});
            types.push_back(pointer.pointee);
            builder_.set_sink(&stores);
            builder_.append_void(spv::Op::OpStore, {element(old.result, old.type, i), value});
        }
    }
    builder_.set_sink(nullptr);
    function.params = std::move(params);
    return types;
}

void ByValue::change_function(uint32_t f) {
    Function& function = module_.functions[f];
    const Signature& signature = signatures_[f];
    const std::vector<Instruction> old_params = function.params;
    std::vector<Instruction> variables, stores;
    const std::vector<Id> types = take_parameters(f, variables, stores);
    std::ranges::move(stores, std::back_inserter(variables));
    function.insert_at_entry(std::move(variables));
    function.def.type = signature.result;
    function.def.operands[1] = builder_.type_function(signature.result, types);
    if (signature.outs.empty()) return;
    for (Block& block : function.blocks) {
        Instruction& end = block.terminator;
        if (end.op != spv::Op::OpReturn && end.op != spv::Op::OpReturnValue) continue;
        Operands values;
        if (end.op == spv::Op::OpReturnValue) values.push_back(end.id(0));
        const SinkScope sink(builder_, &block.body);
        for (const PointerParameter& pointer : parameters_.of(f)) {
            const Instruction& param = old_params[pointer.index];
            for (uint64_t i = 0; pointer.written && i < pointer.extent; ++i)
                values.push_back(builder_.append(spv::Op::OpLoad, pointer.pointee,
                                                 {element(param.result, param.type, i)}));
        }
        const Id all = builder_.append(spv::Op::OpCompositeConstruct, signature.result, std::move(values));
        end = {.op = spv::Op::OpReturnValue, .operands = {all}, .line = end.line};
    }
}

// ---- Its calls ----

/// Whether there are any.
bool ByValue::change_calls(Function& function) {
    bool any = false;
    for (Block& block : function.blocks) {
        auto changes = [&](const Instruction& inst) {
            return inst.op == spv::Op::OpFunctionCall && graph_.index_of(inst.id(0)) != CallGraph::kNone &&
                   signatures_[graph_.index_of(inst.id(0))].changes;
        };
        if (std::ranges::none_of(block.body, changes)) continue;
        any = true;
        std::vector<Instruction> out;
        const SinkScope sink(builder_, &out);
        for (Instruction& inst : block.body) {
            if (changes(inst))
                change_call(inst, graph_.index_of(inst.id(0)));
            else
                out.push_back(std::move(inst));
        }
        block.body = std::move(out);
    }
    return any;
}

void ByValue::change_call(const Instruction& call, uint32_t callee) {
    const Signature& signature = signatures_[callee];
    const std::span<const PointerParameter> pointers = parameters_.of(callee);
    builder_.set_line(call.line);
    Operands arguments = {call.id(0)};
    struct Out {
        Id pointer, type;  // no pointer: nothing is there
    };
    std::vector<Out> outs;
    for (uint32_t p = 0, next = 0; p + 1 < call.operands.size(); ++p) {
        const Id argument = call.id(p + 1);
        if (next == pointers.size() || pointers[next].index != p) {
            arguments.push_back(argument);
            continue;
        }
        const uint64_t passed = parameters_.passed(call.result, callee, next);
        const PointerParameter& pointer = pointers[next++];
        for (uint64_t i = 0; i < pointer.extent; ++i) {
            const Id place = i < passed ? element(argument, builder_.type_of(argument), i) : Id{};
            arguments.push_back(place ? builder_.append(spv::Op::OpLoad, pointer.pointee, {place})
                                      : builder_.undef(pointer.pointee));
            if (pointer.written) outs.push_back({place, pointer.pointee});
        }
    }
    const bool in_struct = !outs.empty();
    const Id result = in_struct ? builder_.fresh() : call.result;
    builder_.append({.op = spv::Op::OpFunctionCall,
                     .type = signature.result,
                     .result = result,
                     .operands = std::move(arguments),
                     .line = call.line});
    uint32_t part = 0;
    if (in_struct && signature.old_result)
        builder_.append({.op = spv::Op::OpCompositeExtract,
                         .type = signature.old_result,
                         .result = call.result,
                         .operands = {result, part++},
                         .line = call.line});
    for (const Out& out : outs) {
        const uint32_t at = part++;
        if (out.pointer)
            builder_.append_void(spv::Op::OpStore, {out.pointer, builder_.append(spv::Op::OpCompositeExtract,
                                                                                 out.type, {result, at})});
    }
    builder_.set_line({});
}

}  // namespace

Result<Done> pass_by_value(Module& module, PassContext&) {
    if (!takes_pointers(module, {spv::StorageClass::Function})) return Done{};
    const CallGraph graph(module);
    const CallOrder order = graph.order();
    if (!order.recursive)
        ByValue(module, graph, order.callees_first).run();  // inline_functions declines recursion
    return Done{};
}

}  // namespace caldera::vulkan
