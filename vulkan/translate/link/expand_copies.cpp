// SPDX-License-Identifier: Apache-2.0
// expand_copies: has asynchronous copies of lines and planes (cl_khr_extended_async_copies) copy each line by
// an OpGroupAsyncCopy, which the checks understand. Each call gets a function of its own, so that reports
// name its place.
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/link/async_copies.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/source_name.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// Builds the function for one call.
class LineCopies {
 public:
    LineCopies(Builder& builder, const Instruction& call)
        : builder_(builder), call_(call), u64_(builder.type_int(64)) {}

    /// It takes what the call passes, and returns the event that it is passed.
    Id build() {
        std::vector<Id> types;
        for (size_t i = 1; i < call_.operands.size(); ++i) types.push_back(builder_.type_of(call_.id(i)));
        const Id function = builder_.begin_function(call_.type, builder_.type_function(call_.type, types));
        std::vector<Id> params;
        for (const Id type : types) params.push_back(builder_.param(type));
        const ExtendedCopy copy = extended_copy(builder_, params);
        const Id entry = builder_.fresh(), head = builder_.fresh(), body = builder_.fresh(),
                 end = builder_.fresh(), next = builder_.fresh();

        builder_.set_line(call_.line);
        builder_.begin_block(entry);
        const Id bytes = append(Op::OpIMul, copy.length, copy.element_bytes),
                 count = append(Op::OpIMul, copy.lines, copy.planes);
        builder_.branch(head);

        builder_.begin_block(head);
        const Id line = builder_.append(Op::OpPhi, u64_, {builder_.constant_u64(0), entry, next, body});
        builder_.branch_if(builder_.append(Op::OpULessThan, builder_.type_bool(), {line, count}), body, end);

        builder_.begin_block(body);
        line_ = append(Op::OpUMod, line, copy.lines);
        plane_ = append(Op::OpUDiv, line, copy.lines);
        const Id target = begin_of(copy.target, copy.element_bytes),
                 source = begin_of(copy.source, copy.element_bytes);
        builder_.append(Op::OpGroupAsyncCopy, call_.type,
                        {builder_.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup)), target, source,
                         bytes, builder_.constant_u64(1), params.back()});
        builder_.append(
            {.op = Op::OpIAdd, .type = u64_, .result = next, .operands = {line, builder_.constant_u64(1)}});
        builder_.branch(head);

        builder_.begin_block(end);
        builder_.return_value(params.back());
        builder_.end_function();
        builder_.set_line({});
        return function;
    }

 private:
    Id append(Op op, Id a, Id b) { return builder_.append(op, u64_, {a, b}); }

    /// Where the line begins in one of both memories.
    Id begin_of(const ExtendedCopy::Side& side, Id element_bytes) {
        const Id planes = append(Op::OpIMul, plane_, side.plane),
                 lines = append(Op::OpIMul, line_, side.line);
        const Id elements = append(Op::OpIAdd, side.offset, append(Op::OpIAdd, planes, lines));
        const Id pointer = as_words(builder_, side.pointer, 8);
        return builder_.append(Op::OpPtrAccessChain, builder_.type_of(pointer),
                               {pointer, append(Op::OpIMul, elements, element_bytes)});
    }

    Builder& builder_;
    const Instruction& call_;
    const Id u64_;
    Id line_ = {}, plane_ = {};
};

}  // namespace

Result<Done> expand_copies(spirv::Module& module, PassContext& context) {
    if (context.options.checks == MemoryChecks::None) return Done{};
    spirv::IdMap<std::string> imports = imported_names(module);
    Builder builder(module);
    std::vector<Instruction> calls;
    for (const spirv::Function& function : module.functions)
        spirv::for_each_instruction(function, [&](const Instruction& inst) {
            const auto import = inst.op == Op::OpFunctionCall ? imports.find(inst.id(0)) : imports.end();
            if (import != imports.end() && is_extended_copy(builder, source_name(import->second), inst))
                calls.push_back(inst);
        });
    spirv::IdMap<Id> functions;
    for (const Instruction& call : calls) {
        const Id own = functions[call.result] = LineCopies(builder, call).build();
        builder.name(own, source_name(imports[call.id(0)]));
    }
    for (spirv::Function& function : module.functions)
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body)
                if (const auto own = functions.find(inst.result); inst.result && own != functions.end())
                    inst.operands[0] = own->second;
    return Done{};
}

}  // namespace caldera::vulkan
