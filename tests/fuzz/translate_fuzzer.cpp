// SPDX-License-Identifier: Apache-2.0
// The translator on any words: what it accepts must be valid for its Vulkan, what it refuses must have a
// sentence.
#include <cstring>

#include "builtins/builtin_library.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/fuzz_module.h"
#include "vulkan/known_drivers.h"
#include "vulkan/translate/translate.h"

namespace caldera::fuzz {
namespace {

constexpr uint32_t kMagic = 0x07230203, kSwappedMagic = 0x03022307;

uint32_t word_at(const uint8_t* data) {
    uint32_t word = 0;
    std::memcpy(&word, data, sizeof word);
    return word;
}

/// The generator's number in the header, which means nothing else, chooses the options.
vulkan::TranslateOptions options_of(const std::vector<uint32_t>& words) {
    const uint32_t choice = words.size() > 2 ? words[2] : 0;
    vulkan::TranslateOptions options;
    const uint32_t minor = 1 + choice % 3;
    options.target = static_cast<spirv::Target>(static_cast<uint32_t>(spirv::Target::Vulkan11) + minor - 1);
    options.profile.name = spirv::name(options.target);
    options.profile.api_version_minor = minor;
    options.optimization_level = static_cast<int>(choice / 3 % 4);
    options.fast_math = (choice & 0x100) != 0;
    options.contraction = (choice & 0x200) != 0;
    constexpr vulkan::Driver kChoices[] = {vulkan::Driver::Unknown, vulkan::Driver::MesaLlvmpipe,
                                           vulkan::Driver::SwiftShader, vulkan::Driver::Nvidia};
    know_driver(options.profile, kChoices[choice >> 10 & 3], std::nullopt);
    options.profile.float_controls2 = (choice & 0x1000) != 0;
    if ((choice & 0x2000) != 0) options.abi = vulkan::Abi::Descriptors;
    options.constants_in_module = (choice & 0x4000) != 0;
    options.verify_between_passes = true;
    return options;
}

}  // namespace

std::vector<uint32_t> module_of(const uint8_t* data, size_t size) {
    if (size >= 4 && (word_at(data) == kMagic || word_at(data) == kSwappedMagic)) {
        std::vector<uint32_t> words(size / 4);
        std::memcpy(words.data(), data, words.size() * 4);
        return words;
    }
    const Input input = read_input(data, size);
    return frontend::compile(input.sources[0], "fuzz.cl", input.options).words;
}

}  // namespace caldera::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace caldera;
    const std::vector<uint32_t> words = fuzz::module_of(data, size);
    const vulkan::TranslateOptions options = fuzz::options_of(words);
    const Result<vulkan::Translation> translation = vulkan::translate(words, options, builtin_library());
    if (!translation) {
        const std::string& message = translation.error().message;
        if (message.empty()) fuzz::finding("refused without a word");
        if (message.find("internal") != std::string::npos) fuzz::finding(message);
        return 0;
    }
    if (Result<Done> valid = spirv::validate(translation->words, options.target); !valid)
        fuzz::finding("invalid module: " + valid.error().message);
    return 0;
}
