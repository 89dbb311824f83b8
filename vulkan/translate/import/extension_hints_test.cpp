// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/extension_hints.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

spirv::Module module_of(std::string_view hints, std::string_view decorations, std::string_view control) {
    auto [words, module] = read_text("OpCapability Kernel\nOpCapability Addresses\n" + std::string(hints) +
                                         "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n" +
                                         std::string(decorations) + R"(
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %void
%k = OpFunction %void )" + std::string(control) +
                                         R"( %fn
%e = OpLabel
%x = OpFDiv %float %one %one
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::Vulkan13);
    return std::move(module);
}

}  // namespace

TEST_CASE("integers that an extension allowed have their capabilities afterwards") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Int8
OpCapability !5844
OpExtension "SPV_INTEL_arbitrary_precision_integers"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%u8 = OpTypeInt 8 0
%u16 = OpTypeInt 16 0
%u64 = OpTypeInt 64 0
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%e = OpLabel
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::OpenCL22);
    CHECK(drop_extension_hints(module));
    CHECK(module.capabilities.size() == 5);
    CHECK(spirv::validate(spirv::write(module)));
}

TEST_CASE("extensions that are hints go, by the numbers of their enumerants") {
    spirv::Module module = module_of(R"(OpCapability !71
OpCapability !6094
OpCapability !6260
OpCapability !6261
OpCapability !6262
OpCapability !6169
OpCapability !6189
OpCapability !6441
OpCapability !6460
OpCapability !5112
OpCapability !5844
OpExtension "SPV_EXT_optnone"
OpExtension "SPV_INTEL_16bit_atomics"
OpExtension "SPV_INTEL_fp_max_error"
OpExtension "SPV_INTEL_cache_controls"
OpExtension "SPV_INTEL_global_variable_fpga_decorations"
OpExtension "SPV_INTEL_maximum_registers"
OpExtension "SPV_INTEL_int4"
OpExtension "SPV_ALTERA_arbitrary_precision_integers"
)",
                                     R"(OpExecutionMode %k !6461 !128
OpDecorate %x Uniform
OpDecorate %x !5921 !1
OpDecorate %x !6170 !0x40200000
OpDecorate %x !6442 !0 !1
OpDecorate %x !6190 !1
OpDecorate %x !6191 !1
)",
                                     "!65537");  // Inline and OptNone
    CHECK(drop_extension_hints(module));
    CHECK(module.capabilities.size() == 2);
    CHECK(module.extensions.empty());
    CHECK(module.execution_modes.empty());
    CHECK(module.annotations.empty());
    CHECK(module.functions[0].def.word(0) == 1);
    CHECK(spirv::validate(spirv::write(module)));
    CHECK(!drop_extension_hints(module));
}

TEST_CASE("instructions without a meaning go, also those before what they are about") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpExtension "SPV_KHR_non_semantic_info"
%cl = OpExtInstImport "OpenCL.std"
%aux = OpExtInstImport "NonSemantic.AuxData"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%name = OpString "name"
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %void
%about = OpExtInst %void %aux 99 %k %name
%k = OpFunction %void None %fn
%e = OpLabel
%x = OpExtInst %float %cl sqrt %one
%note = OpExtInst %void %aux 98 %x
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::OpenCL20);
    CHECK(!spirv::validate(words));
    CHECK(drop_extension_hints(module));
    CHECK(module.ext_inst_imports.size() == 1);
    CHECK(module.extensions.empty());
    CHECK(module.functions[0].blocks[0].body.size() == 1);
    CHECK(spirv::validate(spirv::write(module)));
    CHECK(!drop_extension_hints(module));
}

TEST_CASE("extensions that change results stay") {
    spirv::Module module =
        module_of("OpExtension \"SPV_KHR_no_integer_wrap_decoration\"\n",
                  "OpExecutionMode %k ContractionOff\nOpDecorate %x FPFastMathMode NotNaN\n", "Inline");
    CHECK(!drop_extension_hints(module));
    CHECK(module.extensions.size() == 1);
    CHECK(module.execution_modes.size() == 1);
    CHECK(module.annotations.size() == 1);
}

}  // namespace caldera::vulkan
