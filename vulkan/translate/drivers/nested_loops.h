// SPDX-License-Identifier: Apache-2.0
// A loop in a loop, for tests of passes that repeat or unroll loops.
#pragma once

#include <string>

namespace caldera::vulkan {

/// for (tile = 0; tile < n; ++tile) for (i = 0; i < 20; ++i) { so many multiplications of sum } *out = sum;
inline std::string nested_loops(int multiplications) {
    std::string body;
    for (int i = 0; i < multiplications; ++i)
        body += "%m" + std::to_string(i + 1) + " = OpIMul %int %m" + std::to_string(i) + " %n\n";
    const std::string before = "%m0 =", after = "%m" + std::to_string(multiplications);
    return R"(
%header = OpLabel
%tile = OpPhi %int %c0 %entry %next_tile %outer_latch
%outer_sum = OpPhi %int %n %entry %m0 %outer_latch
%more_tiles = OpULessThan %bool %tile %n
OpLoopMerge %exit %outer_latch None
OpBranchConditional %more_tiles %before %exit
%before = OpLabel
OpBranch %inner
%inner = OpLabel
%i = OpPhi %int %c0 %before %next %latch
)" + before +
           " OpPhi %int %outer_sum %before " + after + R"( %latch
%in = OpULessThan %bool %i %c20
OpLoopMerge %outer_latch %latch None
OpBranchConditional %in %body %outer_latch
%body = OpLabel
)" + body + R"(OpBranch %latch
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %inner
%outer_latch = OpLabel
%next_tile = OpIAdd %int %tile %c1
OpBranch %header
%exit = OpLabel
OpStore %out %outer_sum Aligned 4
)";
}

}  // namespace caldera::vulkan
