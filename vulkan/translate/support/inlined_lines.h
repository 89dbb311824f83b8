// SPDX-License-Identifier: Apache-2.0
// The lines of inlined code.
#pragma once

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Lines of a callee as lines of its caller (DebugInlinedAt), for one call. Code without a scope, such as the
/// library's, gets the call's line. Without debug information, lines stay as they are.
class InlinedLines {
 public:
    InlinedLines() = default;
    explicit InlinedLines(const spirv::Line& call) : call_(call) {}

    spirv::Line operator()(spirv::Module& module, const spirv::Line& line);

 private:
    spirv::Id inlined(spirv::Module& module, spirv::Id before, int depth = 0);

    spirv::Line call_ = {};
    spirv::IdMap<spirv::Id> handles_ = {};  // of scopes of the callee
    spirv::IdMap<spirv::Id> inlined_ = {};  // by the DebugInlinedAt that the callee's code has, or 0
};

}  // namespace caldera::vulkan
