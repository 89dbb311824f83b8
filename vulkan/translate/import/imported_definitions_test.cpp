// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/imported_definitions.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {

TEST_CASE("a definition is no import, but one of several that are alike") {
    const auto mended = [](std::string_view initializer, std::string_view body) {
        return text_after(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpDecorate %v LinkageAttributes "v" Import
OpDecorate %f LinkageAttributes "f" Import
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%one = OpConstant %u32 1
%far = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void
%v = OpVariable %far CrossWorkgroup )" +
                              std::string(initializer) + "\n%f = OpFunction %void None %fn\n" +
                              std::string(body) + "OpFunctionEnd\n",
                          spirv::Target::OpenCL22, mend_imported_definitions);
    };
    const std::string body = "%e = OpLabel\nOpReturn\n";
    CHECK(mended("", "") == "unchanged");
    const std::string variable = mended("%one", ""), function = mended("", body);
    CHECK(contains(variable, "LinkageAttributes \"v\" LinkOnceODR"));
    CHECK(contains(variable, "LinkageAttributes \"f\" Import"));
    CHECK(contains(function, "LinkageAttributes \"v\" Import"));
    CHECK(contains(function, "LinkageAttributes \"f\" LinkOnceODR"));
    CHECK(contains(function, "OpExtension \"SPV_KHR_linkonce_odr\""));
}

}  // namespace caldera::vulkan
