// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools behind the functions of spirv.h.
#include <array>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/float_controls2.h"
#include "spirv/limits.h"
#include "spirv/newer_rules.h"
#include "spirv/raw_words.h"
#include "spirv/repeated_names.h"
#include "spirv/spirv.h"
#include "spirv/untyped_pointers.h"
#include "spirv/validator.h"

namespace caldera::spirv {
namespace {

struct TargetRow {
    Target target;
    std::string_view name;
    uint32_t version;  // of SPIR-V, as in the module header
    spv_target_env environment;
};
constexpr std::array kTargets = {
    TargetRow{Target::OpenCL12, "opencl1.2", 0x00010000, SPV_ENV_OPENCL_1_2},
    TargetRow{Target::OpenCL20, "opencl2.0", 0x00010000, SPV_ENV_OPENCL_2_0},
    TargetRow{Target::OpenCL21, "opencl2.1", 0x00010000, SPV_ENV_OPENCL_2_1},
    TargetRow{Target::OpenCL22, "opencl2.2", 0x00010100, SPV_ENV_OPENCL_2_2},
    // SPIRV-Tools has no newer OpenCL. OpenCL 3.0 names no version of SPIR-V; 3.1 takes all up to 1.6.
    TargetRow{Target::OpenCL30, "opencl3.0", 0x00010200, SPV_ENV_OPENCL_2_2},
    TargetRow{Target::OpenCL31, "opencl3.1", 0x00010200, SPV_ENV_OPENCL_2_2},
    TargetRow{Target::Vulkan11, "vulkan1.1", 0x00010300, SPV_ENV_VULKAN_1_1},
    TargetRow{Target::Vulkan12, "vulkan1.2", 0x00010500, SPV_ENV_VULKAN_1_2},
    TargetRow{Target::Vulkan13, "vulkan1.3", 0x00010600, SPV_ENV_VULKAN_1_3},
};
const TargetRow& row(Target target) { return kTargets[static_cast<size_t>(target)]; }

/// Keeps the first message that SPIRV-Tools reports, after its line and column when the input is text.
spvtools::MessageConsumer keep_first(std::string& message, bool is_text = false) {
    return [&message, is_text](spv_message_level_t level, const char*, const spv_position_t& position,
                               const char* text) {
        if (!message.empty() || level > SPV_MSG_ERROR) return;
        if (is_text)
            message = std::to_string(position.line + 1) + ":" + std::to_string(position.column + 1) + ": ";
        message += text;
    };
}

Error failure(std::string message, const char* otherwise) {
    return Error{.message = message.empty() ? otherwise : std::move(message)};
}

bool knows_capability(std::string_view name) {
    spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
    tools.SetMessageConsumer([](auto&&...) {});
    std::vector<uint32_t> assembled;
    return tools.Assemble("OpCapability " + std::string(name), &assembled);
}

/// Whether the module has parts of SPV_KHR_float_controls2 and our SPIRV-Tools are too old for them.
bool needs_stand_in(std::span<const uint32_t> words) {
    static const bool knows_them = knows_capability("FloatControls2");
    return !knows_them && has_float_controls2(words);
}
/// The same for SPV_KHR_cooperative_matrix.
bool has_unknown_matrices(std::span<const uint32_t> words) {
    static const bool knows_them = knows_capability("CooperativeMatrixKHR");
    return !knows_them && has_cooperative_matrix(words);
}
/// The same for SPV_KHR_bfloat16 and SPV_EXT_float8.
bool knows_bfloat16() {
    static const bool knows_it = knows_capability("BFloat16TypeKHR");
    return knows_it;
}
bool knows_float8() {
    static const bool knows_it = knows_capability("Float8EXT");
    return knows_it;
}
bool has_unknown_encodings(std::span<const uint32_t> words) {
    if (knows_bfloat16() && knows_float8()) return false;
    const std::set<spv::Capability> declared = encoded_float_capabilities(words);
    if (declared.contains(kFloat8Type) || declared.contains(kFloat8Matrix)) return !knows_float8();
    return !knows_bfloat16() && has_encoded_floats(words);
}
/// The same for SPV_KHR_untyped_pointers.
bool knows_untyped_pointers() {
    static const bool knows_them = knows_capability("UntypedPointersKHR");
    return knows_them;
}
bool has_unknown_pointers(std::span<const uint32_t> words) {
    return !knows_untyped_pointers() && has_untyped_pointers(words);
}

}  // namespace

std::string_view name(Target target) { return row(target).name; }
bool parse_target(std::string_view text, Target& target) {
    for (const TargetRow& candidate : kTargets)
        if (candidate.name == text) {
            target = candidate.target;
            return true;
        }
    return false;
}
uint32_t spirv_version(Target target) { return row(target).version; }

namespace {

/// Whether a module is of a later version than `version`, or names an extension.
bool is_newer(std::span<const uint32_t> words, uint32_t version) {
    constexpr size_t kHeader = 5;
    if (words.size() < kHeader || words[1] > version) return true;
    for (size_t at = kHeader; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
        const auto op = static_cast<spv::Op>(words[at] & 0xffff);
        if (op == spv::Op::OpExtension) return true;
        if (op != spv::Op::OpCapability) return false;
    }
    return false;
}

/// The newest version of modules for an OpenCL target that SPIRV-Tools' environment takes.
uint32_t newest_version(Target target) {
    return row(target).environment == SPV_ENV_OPENCL_2_2 ? 0x00010200 : spirv_version(target);
}

// SPIRV-Tools' OpenCL environments know no optional extension of OpenCL.

/// Whether the module uses features that the validator refuses: levels and samples of images
/// (cl_khr_mipmap_image, cl_khr_gl_msaa_sharing) and 64-bit atomics (cl_khr_int64_base_atomics).
bool has_optional_parts(std::span<const uint32_t> words) {
    for (size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
        const auto op = static_cast<spv::Op>(words[at] & 0xffff);
        const size_t left = words.size() - at;
        const auto capability = op == spv::Op::OpCapability && left > 1
                                    ? static_cast<spv::Capability>(words[at + 1])
                                    : spv::Capability::Max;
        if (capability == spv::Capability::ImageMipmap || capability == spv::Capability::Int64Atomics)
            return true;
        if (op == spv::Op::OpTypeImage && left > 6 && words[at + 6] != 0) return true;
        if (op == spv::Op::OpFunction) break;
    }
    return false;
}

constexpr uint32_t kCapability = 2u << 16 | static_cast<uint32_t>(spv::Op::OpCapability);

/// So that SPIRV-Tools check all their rules, a module with cl_khr_fp16 declares the weaker capability, which
/// they know.
std::vector<uint32_t> without_float16(std::span<const uint32_t> words) {
    std::vector<uint32_t> out(words.begin(), words.end());
    for (size_t at = 5; at + 1 < out.size() && out[at] == kCapability; at += 2)
        if (out[at + 1] == static_cast<uint32_t>(spv::Capability::Float16))
            out[at + 1] = static_cast<uint32_t>(spv::Capability::Float16Buffer);
    return out;
}

/// SPIRV-Tools take a kernel that reads a clock (SPV_KHR_shader_clock) for a shader, and then want its
/// modules to keep the rules of shaders. Nor do they know the clock of a work-group. So they see values of no
/// meaning in place of the clocks.
std::vector<uint32_t> without_clocks(std::span<const uint32_t> words) {
    constexpr uint32_t kReadClock = 4u << 16 | static_cast<uint32_t>(spv::Op::OpReadClockKHR),
                       kUndef = 3u << 16 | static_cast<uint32_t>(spv::Op::OpUndef),
                       kNop = 1u << 16 | static_cast<uint32_t>(spv::Op::OpNop);
    std::vector<uint32_t> out(words.begin(), words.end());
    for (size_t at = 5; at < out.size() && out[at] >> 16 != 0; at += out[at] >> 16) {
        const size_t left = out.size() - at;
        if (out[at] == kCapability && left > 1 &&
            out[at + 1] == static_cast<uint32_t>(spv::Capability::ShaderClockKHR))
            out[at + 1] = static_cast<uint32_t>(spv::Capability::Kernel);
        if (out[at] != kReadClock || left < 4) continue;
        out[at] = kUndef;
        out[at + 3] = kNop;
    }
    return out;
}

/// SPIRV-Tools let nobody read or write a level of an image without a sampler, which OpenCL's environment
/// allows (cl_khr_mipmap_image, cl_khr_mipmap_image_writes). So they do not see the level's number.
std::vector<uint32_t> without_levels(std::span<const uint32_t> words) {
    constexpr auto kBias = static_cast<uint32_t>(spv::ImageOperandsMask::Bias),
                   kLod = static_cast<uint32_t>(spv::ImageOperandsMask::Lod);
    constexpr size_t kHeader = 5;
    std::vector<uint32_t> out(words.begin(), words.begin() + kHeader);
    for (size_t at = kHeader, size = 0; at < words.size(); at += size) {
        const size_t left = words.size() - at;
        size = words[at] >> 16;
        if (size == 0 || size > left) size = left;  // the validator says so
        const size_t begin = out.size();
        out.insert(out.end(), words.begin() + at, words.begin() + at + size);
        const auto op = static_cast<spv::Op>(words[at] & 0xffff);
        const size_t mask = op == spv::Op::OpImageRead ? 5 : op == spv::Op::OpImageWrite ? 4 : left;
        if (size <= mask + 1 || (out[begin + mask] & (kBias | kLod)) != kLod) continue;
        out[begin] -= 1u << 16;
        out[begin + mask] &= ~kLod;
        out.erase(out.begin() + begin + mask + 1);
    }
    return out;
}

/// An OpenCL environment's own rule. The version may be a later one than the environment's: extensions, as
/// cl_khr_subgroup_ballot, need 1.3.
std::optional<Refusal> unfit_for_opencl(std::span<const uint32_t> words, const TargetRow& opencl) {
    size_t instruction = 0;
    for (size_t at = kRawHeaderWords; at + 1 < words.size() && words[at] == kCapability; at += 2) {
        ++instruction;
        if (words[at + 1] == static_cast<uint32_t>(spv::Capability::Shader))
            return Refusal{.message = "Capability Shader is not allowed by " + std::string(opencl.name) +
                                      ": the module is for Vulkan",
                           .instruction = instruction};
    }
    return std::nullopt;
}

}  // namespace

Validator::Validator(std::span<const uint32_t> words, std::optional<Target> target)
    : environment_(SPV_ENV_UNIVERSAL_1_6), max_parameters_(kMaxInstructionWords), words_(words) {
    const auto use = [&](std::vector<uint32_t> stand_in) {
        stand_in_ = std::move(stand_in);
        words_ = stand_in_;
    };
    if (needs_stand_in(words_)) use(without_float_controls2(words_));
    if (has_unknown_matrices(words_)) use(without_cooperative_matrix(words_));
    if (has_unknown_encodings(words_)) use(without_encoded_floats(words_));
    if (target && is_vulkan(*target)) {
        environment_ = row(*target).environment;
        max_parameters_ = kMaxParameters;
    } else if (target && !is_newer(words_, newest_version(*target)) && !has_optional_parts(words_)) {
        // SPIRV-Tools has no environment for OpenCL 3.0, whose devices name the versions and extensions that
        // they take: a newer module keeps SPIR-V's own rules.
        environment_ = row(*target).environment;
        use(without_float16(words_));
    } else if (target && (unfit_ = unfit_for_opencl(words, row(*target)))) {
        return;
    } else if (declares(words_, spv::Capability::Kernel)) {
        if (declares(words_, spv::Capability::ShaderClockKHR)) use(without_clocks(words_));
        if (declares(words_, spv::Capability::ImageMipmap)) use(without_levels(words_));
    }
}

std::optional<Refusal> Validator::refusal(std::span<const uint32_t> words, bool friendly_names) const {
    if (has_unknown_pointers(words)) return std::nullopt;  // nothing can be said
    std::optional<Refusal> first;
    spvtools::SpirvTools tools(static_cast<spv_target_env>(environment_));
    tools.SetMessageConsumer(
        [&](spv_message_level_t level, const char*, const spv_position_t& position, const char* text) {
            if (!first && level <= SPV_MSG_ERROR) first = Refusal{text, position.index};
        });
    spvtools::ValidatorOptions options;
    options.SetScalarBlockLayout(true);
    options.SetAllowLocalSizeId(true);
    options.SetFriendlyNames(friendly_names);
    options.SetUniversalLimit(spv_validator_limit_max_function_args, max_parameters_);
    if (tools.Validate(words.data(), words.size(), options)) return std::nullopt;
    return first ? first : Refusal{.message = "spirv-val failed"};
}

namespace {

Result<Done> validate(const Validator& validator) {
    if (const auto& unfit = validator.unfit()) return Error{.message = unfit->message};
    if (std::optional<Refusal> refusal = validator.refusal(validator.words()))
        return Error{.message = std::move(refusal->message)};
    return Done{};
}

}  // namespace

Result<Done> validate(std::span<const uint32_t> words, Target target) {
    if (Result<Done> valid = validate(Validator(words, target)); !valid) return valid;
    const Result<Module> module = read(words);
    if (!module) return Done{};
    std::vector<Violation> violated = newer_violations(*module, target);
    if (!violated.empty()) return Error{.message = std::move(violated.front().message)};
    return Done{};
}
Result<Done> validate(std::span<const uint32_t> words) { return validate(Validator(words, std::nullopt)); }

Result<std::string> disassemble(std::span<const uint32_t> words, bool friendly_names) {
    if (needs_stand_in(words)) {
        Result<std::string> text = disassemble(stand_in_for_float_controls2(words), friendly_names);
        return text ? restore_float_controls2(*text, words) : std::move(text);
    }
    if (has_unknown_encodings(words)) {
        Result<std::string> text = disassemble(stand_in_for_encoded_floats(words), friendly_names);
        return text ? restore_encoded_floats(*text, words) : std::move(text);
    }
    if (has_unknown_matrices(words)) {
        Result<std::string> text = disassemble(stand_in_for_cooperative_matrix(words), friendly_names);
        return text ? restore_cooperative_matrix(*text, words) : std::move(text);
    }
    if (has_unknown_pointers(words)) {
        Result<std::string> text = disassemble(stand_in_for_untyped_pointers(words), friendly_names);
        return text ? restore_untyped_pointers(*text, words) : std::move(text);
    }
    const std::optional<DistinctNames> distinct = friendly_names ? distinct_names(words) : std::nullopt;
    if (distinct) words = distinct->words;
    std::string message, text;
    spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
    tools.SetMessageConsumer(keep_first(message));
    uint32_t options = SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_NO_HEADER;
    if (friendly_names) options |= SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    if (!tools.Disassemble(words.data(), words.size(), &text, options))
        return failure(std::move(message), "the module cannot be disassembled");
    return distinct ? restore_names(text, distinct->names) : text;
}

Result<std::vector<uint32_t>> assemble(std::string_view text, Target target) {
    std::string message, numbered;
    std::vector<uint32_t> words;
    const bool is_numbered = text.find("Untyped") != text.npos && !knows_untyped_pointers();
    if (is_numbered) text = numbered = number_untyped_pointers(text);
    const auto has = [&](std::string_view name) { return text.find(name) != text.npos; };
    const bool has_encodings = (has("BFloat16") && !knows_bfloat16()) || (has("Float8E") && !knows_float8());
    std::string with_stand_in;
    if (has_encodings) text = with_stand_in = stand_in_for_encoded_floats(text);
    spvtools::SpirvTools tools(row(target).environment);
    tools.SetMessageConsumer(keep_first(message, true));
    if (!tools.Assemble(text.data(), text.size(), &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS))
        return failure(std::move(message), "the text cannot be assembled");
    if (is_numbered) words = without_separators(words);
    return has_encodings ? restore_encoded_floats(words, {}) : words;
}

Result<std::vector<uint32_t>> optimize(std::span<const uint32_t> words, Target target, int level) {
    std::vector<uint32_t> out(words.begin(), words.end());
    if (level < 2 || has_unknown_matrices(words) || has_unknown_encodings(words)) return out;
    if (needs_stand_in(words)) {
        Result<std::vector<uint32_t>> optimized =
            optimize(stand_in_for_float_controls2(words), target, level);
        return optimized ? restore_float_controls2(*optimized) : std::move(optimized);
    }
    std::string message;
    spvtools::Optimizer optimizer(row(target).environment);
    optimizer.SetMessageConsumer(keep_first(message));
    // None of these folds constants: SPIRV-Tools converts by the integer type's signedness, not by the
    // instruction. Caldera's integers have signedness 0, so OpConvertFToS of a negative constant would become
    // 0. None does value numbering over the dominator tree, either: that takes memory quadratic in the size
    // of a function.
    optimizer.RegisterPass(spvtools::CreateBlockMergePass());
    optimizer.RegisterPass(spvtools::CreateVectorDCEPass());
    optimizer.RegisterPass(spvtools::CreateDeadInsertElimPass());
    optimizer.RegisterPass(spvtools::CreateAggressiveDCEPass(true));
    spvtools::OptimizerOptions options;
    options.set_run_validator(false);
    if (!optimizer.Run(words.data(), words.size(), &out, options))
        return failure(std::move(message), "the optimiser failed");
    return out;
}

}  // namespace caldera::spirv
