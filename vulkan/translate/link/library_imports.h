// SPDX-License-Identifier: Apache-2.0
// LibraryImports: declarations of the built-in library's functions, which link_builtins resolves.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/builder.h"

namespace caldera::vulkan {

class LibraryImports {
 public:
    explicit LibraryImports(spirv::Builder& builder) : builder_(builder) {}

    /// Returns a function by its mangled name; declares it at the first call.
    spirv::Id function(const std::string& mangled_name, spirv::Id result,
                       const std::vector<spirv::Id>& parameters);
    /// Adds the declarations to the module, before its functions. Call this once, at the end.
    void finish();

 private:
    spirv::Builder& builder_;
    std::map<std::string, spirv::Id> known_ = {};
    std::vector<spirv::Function> declarations_ = {};
};

}  // namespace caldera::vulkan
