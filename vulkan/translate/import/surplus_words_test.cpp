// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/surplus_words.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {

TEST_CASE("words behind OpConstantNull go") {
    constexpr std::string_view kText = R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
%event = OpTypeEvent
%u32 = OpTypeInt 32 0
%none = OpConstantNull %event
%one = OpConstant %u32 1
)";
    const std::vector<uint32_t> sound = *spirv::assemble(kText, spirv::Target::OpenCL20);
    CHECK(!without_surplus_words(sound));
    std::vector<uint32_t> words = sound;
    for (size_t at = 5; at < words.size(); at += words[at] >> 16)
        if (words[at] == (3u << 16 | static_cast<uint32_t>(spv::Op::OpConstantNull))) {
            words[at] += 1u << 16;
            words.insert(words.begin() + static_cast<ptrdiff_t>(at) + 3, 4u);
        }
    REQUIRE(words.size() == sound.size() + 1);
    CHECK(!spirv::read(words));
    CHECK(without_surplus_words(words) == sound);
    words.back() = 0;
    for (size_t length = 0; length < words.size(); ++length)  // none of them crashes it
        (void)without_surplus_words(std::span(words).first(length));
}

}  // namespace caldera::vulkan
