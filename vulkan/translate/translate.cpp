// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/translate.h"

#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/debug_info.h"
#include "spirv/raw_words.h"
#include "spirv/support/check.h"
#include "spirv/support/float_environment.h"
#include "spirv/support/try.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/copied_alignment.h"
#include "vulkan/translate/import/empty_objects.h"
#include "vulkan/translate/import/extension_hints.h"
#include "vulkan/translate/import/foreign.h"
#include "vulkan/translate/import/function_pointers.h"
#include "vulkan/translate/import/imported_definitions.h"
#include "vulkan/translate/import/kernel_queries.h"
#include "vulkan/translate/import/loose_operands.h"
#include "vulkan/translate/import/newer_ops.h"
#include "vulkan/translate/import/odd_integers.h"
#include "vulkan/translate/import/odd_vectors.h"
#include "vulkan/translate/import/relaxed_strings.h"
#include "vulkan/translate/import/stray_merges.h"
#include "vulkan/translate/import/surplus_words.h"
#include "vulkan/translate/import/untyped_pointers.h"
#include "vulkan/translate/pipeline.h"
#include "vulkan/translate/reflect/clspv_reflection.h"

namespace caldera::vulkan {
namespace {

/// The words in this machine's order, without stray merges and surplus words, if they were otherwise.
std::optional<std::vector<uint32_t>> mended_words(std::span<const uint32_t> words) {
    std::optional<std::vector<uint32_t>> mended;
    if (spirv::is_swapped(words)) mended = spirv::swapped(words);
    for (const auto& mend : {without_surplus_words, without_stray_merges})
        if (auto better = mend(mended ? std::span<const uint32_t>(*mended) : words))
            mended = std::move(better);
    return mended;
}

/// Repairs what SPIRV-Tools' validator would reject, in a program as a whole or in a part to be linked.
/// Returns whether anything changed.
Result<bool> mend_verified_module(spirv::Module& module, bool is_whole) {
    TRY(check_foreign_limits(module));
    const Result<bool> typed = type_untyped_pointers(module);
    if (!typed) return typed.error();
    bool mended = *typed;
    mended |= drop_extension_hints(module);
    const Result<bool> replaced = replace_newer_ops(module);
    if (!replaced) return replaced.error();
    mended |= *replaced;
    mended |= take_kernel_queries(module);
    mended |= mend_function_pointers(module);
    mended |= mend_imported_definitions(module);
    mended |= mend_foreign_module(module);
    mended |= mend_loose_operands(module);
    mended |= take_relaxed_strings(module);
    mended |= mend_copied_alignment(module);
    const Result<bool> removed = check_foreign_code(module, is_whole);
    if (!removed) return removed.error();
    mended |= *removed;
    const Result<bool> emptied = mend_empty_objects(module);
    if (!emptied) return emptied.error();
    mended |= *emptied;
    const Result<bool> split = split_odd_vectors(module);
    if (!split) return split.error();
    mended |= *split;
    const Result<bool> widened = widen_odd_integers(module);
    if (!widened) return widened.error();
    mended |= *widened;
    mended |= mend_interfaces(module);
    return mended;
}

constexpr std::string_view kNotValid = "the module is not valid SPIR-V: ";

/// SPIRV-Tools do not know untyped pointers and other newer extensions, so that these are replaced first.
Result<Done> validate_known(std::span<const uint32_t> words) {
    Result<spirv::Module> module = spirv::read(words);
    if (!module) return module.error();
    TRY(spirv::verify(*module));
    TRY(type_untyped_pointers(*module));
    drop_extension_hints(*module);
    TRY(replace_newer_ops(*module));
    return spirv::validate(spirv::write(spirv::without_debug_info(module.take())));
}
/// The same, where replacing them may break too.
Result<Done> validate_foreign(std::span<const uint32_t> words) {
    try {
        return validate_known(words);
    } catch (const std::logic_error&) {
        TRY(spirv::validate(words));
        throw;
    }
}

/// Calls `work`, which mends a module that the validator has not seen: what is invalid may break invariants.
template <class F>
auto mending(std::span<const uint32_t> words, const F& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::logic_error&) {
        if (const Result<Done> valid = validate_foreign(words); !valid)
            return Error{.message = std::string(kNotValid) + valid.error().message};
        throw;
    }
}

/// The words of a valid module, or of what validate() declines for other reasons.
Result<std::vector<uint32_t>> mend(std::span<const uint32_t> words) {
    const std::optional<std::vector<uint32_t>> readable_words = mended_words(words);
    if (readable_words) words = *readable_words;
    Result<spirv::Module> module = spirv::read(words);
    if (!module) return module.error();
    const Result<bool> mended = mending(words, [&]() -> Result<bool> {
        const bool changed = mend_unverified_module(*module);
        TRY(spirv::verify(*module));
        const Result<bool> repaired = mend_verified_module(*module, false);
        return repaired ? changed || *repaired : repaired;
    });
    if (!mended) return mended.error();
    return *mended ? spirv::write(*module) : std::vector<uint32_t>(words.begin(), words.end());
}

/// The module, mended where it is another compiler's, or why it is not sound.
Result<spirv::Module> sound_module(std::span<const uint32_t> words, bool is_trusted, Stopwatch& stopwatch) {
    std::optional<std::vector<uint32_t>> readable_words;
    if (!is_trusted) readable_words = mended_words(words);
    if (readable_words) words = *readable_words;
    Result<spirv::Module> module = spirv::read(words);
    if (!module) return module.error();
    stopwatch.lap("read");
    Result<Done> sound = Done{};
    const Result<bool> mended = mending(words, [&]() -> Result<bool> {
        const bool changed = !is_trusted && mend_unverified_module(*module);
        sound = spirv::verify(*module);
        stopwatch.lap("verify");
        if (!sound || is_trusted) return changed;
        const Result<bool> repaired = mend_verified_module(*module, true);
        return repaired ? changed || *repaired : repaired;
    });
    if (!mended) return mended.error();
    if (sound && !is_trusted) {
        sound = *mended ? spirv::validate(spirv::write(spirv::without_debug_info(*module)))
                        : spirv::validate_code(*module, words);
        stopwatch.lap("SPIRV-Tools validate");
    }
    if (!sound) return Error{.message = std::string(kNotValid) + sound.error().message};
    return module;
}

Result<Translation> run(std::span<const uint32_t> words, const TranslateOptions& options,
                        const BuiltinLibrary& library) {
    if (!spirv::is_vulkan(options.target))
        return Error{.message = "translation needs a Vulkan target, not " +
                                std::string(spirv::name(options.target))};
    if (options.clspv_reflection && (options.abi != Abi::Descriptors || !options.simple_ndrange))
        return Error{.message =
                         "clspv's reflection can describe only kernels with descriptors and simple NDRanges"};
    Stopwatch stopwatch;
    Result<spirv::Module> module = sound_module(words, options.trusted_input, stopwatch);
    if (!module) return module.error();

    Translation translation;
    PassContext context = {
        .options = options, .library = library, .interface = translation.interface, .stopwatch = &stopwatch};
    TRY(run_passes(*module, context));
    translation.checked_features = std::move(context.checked_features);
    translation.words = spirv::write(*module);
    stopwatch.lap("write");
    if (options.optimization_level > 1 && options.stop_after.empty()) {
        if (options.debug_info && !options.trusted_input)  // which SPIRV-Tools' optimiser trusts
            TRY(spirv::validate(translation.words, options.target));
        Result<std::vector<uint32_t>> optimized =
            spirv::optimize(translation.words, options.target, options.optimization_level);
        if (!optimized) return optimized.error();
        translation.words = optimized.take();
        stopwatch.lap("SPIRV-Tools optimize");
    }
    if (options.clspv_reflection && options.stop_after.empty()) {
        Result<std::vector<uint32_t>> reflected =
            with_clspv_reflection(translation.words, translation.interface);
        if (!reflected) return reflected.error();
        translation.words = reflected.take();
        stopwatch.lap("clspv reflection");
    }
    translation.times = stopwatch.take();
    return translation;
}

/// Calls `work`, whose exceptions become errors: InternalError, and what IdMap::at() and std::vector::at()
/// throw.
template <class F>
auto guarded(const F& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::logic_error& bug) {
        return Error{.message = std::string("internal error: ") + bug.what()};
    } catch (const std::bad_alloc&) {
        return Error{.message = "not enough memory to translate the module", .code = kOutOfHostMemory};
    }
}

}  // namespace

std::vector<uint32_t> readable(std::span<const uint32_t> words) {
    std::optional<std::vector<uint32_t>> mended = mended_words(words);
    return mended ? std::move(*mended) : std::vector<uint32_t>(words.begin(), words.end());
}

Result<std::vector<uint32_t>> link_foreign(std::span<const spirv::LinkInput> inputs,
                                           const spirv::LinkOptions& options) {
    const DefaultFloatEnvironment floats;
    std::vector<std::vector<uint32_t>> modules;
    std::vector<spirv::LinkInput> mended;
    for (const spirv::LinkInput& input : inputs) {
        Result<std::vector<uint32_t>> words = mend(input.words);
        if (!words) {
            const std::string& message = words.error().message;  // an instruction may follow the first line
            return Error{.message = input.name + ": " + message.substr(0, message.find('\n'))};
        }
        modules.push_back(words.take());
        mended.push_back({.name = input.name, .words = modules.back()});
    }
    return spirv::link(mended, options);
}

Result<Translation> translate(std::span<const uint32_t> opencl_words, const TranslateOptions& options,
                              const BuiltinLibrary& library) {
    const DefaultFloatEnvironment floats;
    return guarded([&] { return run(opencl_words, options, library); });
}

Result<Done> check_module(std::span<const uint32_t> opencl_words) {
    const DefaultFloatEnvironment floats;
    return guarded([&]() -> Result<Done> {
        Stopwatch stopwatch;
        const Result<spirv::Module> module = sound_module(opencl_words, false, stopwatch);
        return module ? Result<Done>(Done{}) : module.error();
    });
}

}  // namespace caldera::vulkan
