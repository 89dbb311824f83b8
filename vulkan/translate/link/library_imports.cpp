// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/library_imports.h"

#include <iterator>

namespace caldera::vulkan {

using spirv::Id;

Id LibraryImports::function(const std::string& mangled_name, Id result, const std::vector<Id>& parameters) {
    Id& known = known_[mangled_name];
    if (known) return known;
    known = builder_.fresh();
    spirv::Function function;
    function.def = {
        .op = spv::Op::OpFunction,
        .type = result,
        .result = known,
        .operands = {spv::FunctionControlMask::MaskNone, builder_.type_function(result, parameters)}};
    for (const Id type : parameters)
        function.params.push_back(
            {.op = spv::Op::OpFunctionParameter, .type = type, .result = builder_.fresh()});
    spirv::Operands linkage;
    spirv::append_string(linkage, mangled_name);
    linkage.push_back(spv::LinkageType::Import);
    builder_.decorate(known, spv::Decoration::LinkageAttributes, std::move(linkage));
    declarations_.push_back(std::move(function));
    return known;
}

void LibraryImports::finish() {
    std::vector<spirv::Function>& functions = builder_.module().functions;
    functions.insert(functions.begin(), std::make_move_iterator(declarations_.begin()),
                     std::make_move_iterator(declarations_.end()));
    declarations_.clear();
}

}  // namespace caldera::vulkan
