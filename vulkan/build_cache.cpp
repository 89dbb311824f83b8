// SPDX-License-Identifier: Apache-2.0
#include "vulkan/build_cache.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "builtins/builtin_library.h"
#include "frontend/source.h"
#include "spirv/support/archive.h"
#include "spirv/support/hash.h"

namespace caldera {

// These functions list what is cached, and what keys it. A new field does not compile until it is added here.

template <class Archive, Archived<Hash128> T>
void archive_fields(Archive& archive, T& hash) {
    auto& [high, low] = hash;
    archive(high, low);
}

// ---- frontend ----

template <class Archive, Archived<frontend::MacroOption> T>
void archive_fields(Archive& archive, T& macro) {
    auto& [name, text, undefine] = macro;
    archive(name, text, undefine);
}
template <class Archive, Archived<frontend::WarningOptions> T>
void archive_fields(Archive& archive, T& warnings) {
    auto& [no_warnings, all_errors, fatal_errors, parseable_fixits, error_limit, spelling_limit, groups] =
        warnings;
    archive(no_warnings, all_errors, fatal_errors, parseable_fixits, error_limit, spelling_limit, groups);
}
static void archive_fields(ArchiveWriter& archive, const frontend::ExtSet& extensions) {
    for (uint32_t e = 0; e < static_cast<uint32_t>(frontend::Ext::kCount); ++e)
        archive(extensions.has(static_cast<frontend::Ext>(e)));
}
static void archive_fields(ArchiveWriter& archive, const frontend::CompileOptions& options) {
    // Files that read_file reads are part of the entry.
    const auto& [standard, target, image_signs, macros, include_dirs, quote_dirs, system_dirs, last_dirs,
                 includes, macro_files, no_target_macros, show_includes, missing_headers_are_made,
                 reads_on_without_header, warnings, unused, misspelt_extensions, findings, extensions,
                 single_precision_constant, denorms_are_zero, correctly_rounded_divide_sqrt, opt_disable,
                 optimization, strict_aliasing, fp_contract, mad_enable, no_signed_zeros, unsafe_math,
                 finite_math_only, fast_relaxed_math, uniform_work_group_size, kernel_arg_info, debug_info,
                 debug_detail, debug_source, keep_comments, export_functions, export_variables, read_file] =
        options;
    archive(standard, target, image_signs, macros, include_dirs, quote_dirs, system_dirs, last_dirs, includes,
            macro_files, no_target_macros, show_includes, missing_headers_are_made, reads_on_without_header,
            warnings, unused, misspelt_extensions, extensions, single_precision_constant, denorms_are_zero,
            correctly_rounded_divide_sqrt, opt_disable, optimization, strict_aliasing, fp_contract,
            mad_enable, no_signed_zeros, unsafe_math, finite_math_only, fast_relaxed_math,
            uniform_work_group_size, kernel_arg_info, debug_info, debug_detail, debug_source, keep_comments,
            export_functions, export_variables);
}
template <class Archive, Archived<Diagnostic> T>
void archive_fields(Archive& archive, T& diagnostic) {
    auto& [severity, file, line, column, text, flag] = diagnostic;
    archive(severity, file, line, column, text, flag);
}
template <class Archive, Archived<frontend::CompileResult> T>
void archive_fields(Archive& archive, T& result) {
    auto& [words, log, diagnostics, findings, errors, warnings, out_of_memory, dependencies, included] =
        result;
    archive(words, log, diagnostics, errors, warnings, out_of_memory, dependencies, included);
}

// ---- vulkan/translate ----

static void archive_fields(ArchiveWriter& archive, const vulkan::FloatControls& controls) {
    const auto& [preserve_denormals, preserve_special, round_to_nearest_even] = controls;
    archive(preserve_denormals, preserve_special, round_to_nearest_even);
}
static void archive_fields(ArchiveWriter& archive, const vulkan::DotProducts& products) {
    const auto& [of_signed, of_unsigned, of_both, saturating_signed, saturating_unsigned, saturating_both] =
        products;
    archive(of_signed, of_unsigned, of_both, saturating_signed, saturating_unsigned, saturating_both);
}
static void archive_fields(ArchiveWriter& archive, const vulkan::MatrixProduct& product) {
    const auto& [m, n, k, a, b, c, result, saturating] = product;
    archive(m, n, k, a, b, c, result, saturating);
}
static void archive_fields(ArchiveWriter& archive, const vulkan::DriverQuirks& quirks) {
#define QUIRK(name, ...) archive(quirks.name);
#include "vulkan/driver_quirks.def"
}
static void archive_fields(ArchiveWriter& archive, const vulkan::DeviceProfile& profile) {
    const auto& [name, api_version_major, api_version_minor, buffer_device_address, int64, int16, int8,
                 float16, float64, emulated_float64, storage_8bit, storage_16bit, push_constant_8bit,
                 push_constant_16bit, vulkan_memory_model, vulkan_memory_model_device_scope,
                 buffer_int64_atomics, shared_int64_atomics, buffer_float32_atomic_add,
                 shared_float32_atomic_add, dot_4x8_packed, dot_8, dot_16, dot_32, dot_64,
                 workgroup_explicit_layout, storage_read_without_format, storage_write_without_format,
                 local_size_id, float_controls2, matrix_products, device_clock, subgroup_clock, subgroups,
                 subgroup_arithmetic, subgroup_clustered, subgroup_shuffle_relative, subgroup_extended_types,
                 full_subgroups, subgroup_uniform_flow, linear_subgroups, min_subgroup_size,
                 max_required_subgroup_size, max_required_subgroups, fused_fma, fused_half_fma,
                 exact_exp2_sqrt, exact_half_packing, keeps_float_denormals, quirks, float16_controls,
                 float32_controls, float64_controls, max_push_constants_bytes, max_local_bytes,
                 max_local_invocations, max_local_size, max_storage_buffers, max_buffer_bytes,
                 max_private_bytes, large_kernel, min_local_bytes] = profile;
    archive(name, api_version_major, api_version_minor, buffer_device_address, int64, int16, int8, float16,
            float64, emulated_float64, storage_8bit, storage_16bit, push_constant_8bit, push_constant_16bit,
            vulkan_memory_model, vulkan_memory_model_device_scope, buffer_int64_atomics, shared_int64_atomics,
            buffer_float32_atomic_add, shared_float32_atomic_add, dot_4x8_packed, dot_8, dot_16, dot_32,
            dot_64, workgroup_explicit_layout, storage_read_without_format, storage_write_without_format,
            local_size_id, float_controls2, matrix_products, device_clock, subgroup_clock, subgroups,
            subgroup_arithmetic, subgroup_clustered, subgroup_shuffle_relative, subgroup_extended_types,
            full_subgroups, subgroup_uniform_flow, linear_subgroups, min_subgroup_size,
            max_required_subgroup_size, max_required_subgroups, fused_fma, fused_half_fma, exact_exp2_sqrt,
            exact_half_packing, keeps_float_denormals, quirks, float16_controls, float32_controls,
            float64_controls, max_push_constants_bytes, max_local_bytes, max_local_invocations,
            max_local_size, max_storage_buffers, max_buffer_bytes, max_private_bytes, large_kernel,
            min_local_bytes);
}
static void archive_fields(ArchiveWriter& archive, const vulkan::TranslateOptions& options) {
    const auto& [target, profile, abi, value_arguments, constants_in_module, images, written_images_in_memory,
                 rounds_written_texels, exact_nearest, volumes_as_slices, storage_formats, simple_ndrange,
                 partial_groups, null_arguments, contained_kernels, argument_table, split_buffers,
                 clspv_reflection, checks, loop_turns, optimization_level, fast_math, contraction,
                 correctly_rounded_divide_sqrt, denorms_are_zero, detailed_enqueue_errors, initialize_local,
                 initialize_private, debug_info, uniform_work_group_size, trusted_input, spec_constants,
                 verify_between_passes, stop_after, disabled_passes,
                 after_pass] = options;  // observing does not change the result
    archive(target, profile, abi, value_arguments, constants_in_module, images, written_images_in_memory,
            rounds_written_texels, exact_nearest, volumes_as_slices, storage_formats, simple_ndrange,
            partial_groups, null_arguments, contained_kernels, argument_table, split_buffers.parts,
            split_buffers.part_bits, clspv_reflection, checks, loop_turns, optimization_level, fast_math,
            contraction, correctly_rounded_divide_sqrt, denorms_are_zero, detailed_enqueue_errors,
            initialize_local, initialize_private, debug_info, uniform_work_group_size, trusted_input,
            spec_constants.size(), verify_between_passes, stop_after, disabled_passes);
    for (const auto& [id, value] : spec_constants) archive(id, value);
}
template <class Archive, Archived<vulkan::KernelArgument> T>
void archive_fields(Archive& archive, T& argument) {
    auto& [kind, name, type_name, base_type_name, type_qualifiers, access, is_read_only, offset_bytes,
           size_bytes, spec_id, element_bytes, binding, not_null_spec_id, image_shape, texel_numbers,
           image_format, reads_levels, has_open_signs] = argument;
    archive(kind, name, type_name, base_type_name, type_qualifiers, access, is_read_only, offset_bytes,
            size_bytes, spec_id, element_bytes, binding, not_null_spec_id, image_shape, texel_numbers,
            image_format, reads_levels, has_open_signs);
}
template <class Archive, Archived<vulkan::HiddenArgument> T>
void archive_fields(Archive& archive, T& argument) {
    auto& [kind, offset_bytes, about] = argument;
    archive(kind, offset_bytes, about);
}
template <class Archive, Archived<vulkan::LiteralSampler> T>
void archive_fields(Archive& archive, T& sampler) {
    auto& [binding, bits] = sampler;
    archive(binding, bits);
}
template <class Archive, Archived<vulkan::ImageSampling> T>
void archive_fields(Archive& archive, T& sampling) {
    auto& [image, sampler, literal_bits, texel_numbers] = sampling;
    archive(image, sampler, literal_bits, texel_numbers);
}
template <class Archive, Archived<vulkan::Kernel> T>
void archive_fields(Archive& archive, T& kernel) {
    auto& [name, arguments, hidden, block, block_bytes, block_binding, required_local_size, local_size_hint,
           required_sub_groups, local_size_spec_ids, prints, enqueues, is_block, uses_sub_groups,
           ignores_groups, has_linear_literals, samplings, image_reads, local_bytes,
           local_bytes_per_work_item, private_bytes, vec_type_hint, attributes] = kernel;
    archive(name, arguments, hidden, block, block_bytes, block_binding, required_local_size, local_size_hint,
            required_sub_groups, local_size_spec_ids, prints, enqueues, is_block, uses_sub_groups,
            ignores_groups, has_linear_literals, samplings, image_reads, local_bytes,
            local_bytes_per_work_item, private_bytes, vec_type_hint, attributes);
}
template <class Archive, Archived<vulkan::Relocation> T>
void archive_fields(Archive& archive, T& relocation) {
    auto& [at_bytes, target_bytes] = relocation;
    archive(at_bytes, target_bytes);
}
template <class Archive, Archived<vulkan::PrintfFormat> T>
void archive_fields(Archive& archive, T& format) {
    auto& [text, argument_bytes] = format;
    archive(text, argument_bytes);
}
template <class Archive, Archived<vulkan::CheckSite> T>
void archive_fields(Archive& archive, T& site) {
    auto& [kind, access, size_bytes, alignment_bytes, file, line, column, function, object, is_argument,
           space, operation] = site;
    archive(kind, access, size_bytes, alignment_bytes, file, line, column, function, object, is_argument,
            space, operation);
}
template <class Archive, Archived<vulkan::ProgramInterface> T>
void archive_fields(Archive& archive, T& interface) {
    auto& [abi, kernels, data_segment, data_segment_alignment, relocations, simple_ndrange, uniform_groups,
           max_group_size, max_local_size, work_dim_spec_id, has_base_spec_id, full_groups_spec_id,
           printf_formats, printf_words_spec_id, check_sites, argument_table_rows, literal_samplers,
           argument_set, capabilities, float_controls, fused_fma, fast_math] = interface;
    archive(abi, kernels, data_segment, data_segment_alignment, relocations, simple_ndrange, uniform_groups,
            max_group_size, max_local_size, work_dim_spec_id, has_base_spec_id, full_groups_spec_id,
            printf_formats, printf_words_spec_id, check_sites, argument_table_rows, literal_samplers,
            argument_set, capabilities, float_controls, fused_fma, fast_math);
}

namespace {

/// A file that a compilation tried to read.
struct Read {
    std::string path = {};
    std::optional<Hash128> hash = {};  ///< none if the file did not exist
};
template <class Archive, Archived<Read> T>
void archive_fields(Archive& archive, T& read) {
    auto& [path, hash] = read;
    archive(path, hash);
}

using ReadFile = std::function<std::optional<std::string>(const std::string&)>;

std::optional<Hash128> hash_of(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return hash128(std::as_bytes(std::span(*text)));
}

std::optional<frontend::CompileResult> load_compiled(const runtime::DiskCache& cache,
                                                     const ArchiveWriter& key, const ReadFile& read_file) {
    const auto bytes = cache.load(key.bytes());
    if (!bytes) return std::nullopt;
    ArchiveReader reader(*bytes);
    std::vector<Read> reads;
    frontend::CompileResult result;
    reader(reads, result);
    if (!reader.is_good()) return std::nullopt;
    try {
        for (const Read& read : reads)
            if (hash_of(read_file(read.path)) != read.hash) return std::nullopt;
    } catch (...) { return std::nullopt; }  // the caller's function; the compiler calls it again, and reports
    return result;
}

}  // namespace

frontend::CompileResult compile_or_load(const runtime::DiskCache* cache, std::string_view source,
                                        const std::string& file_name,
                                        const frontend::CompileOptions& options) {
    if (!cache || options.findings)  // which no entry has
        return frontend::compile(source, file_name, options);
    ArchiveWriter key;
    key(std::string_view("compile"), source, file_name, options);
    const ReadFile read_file = options.read_file ? options.read_file : frontend::read_text_file;
    if (auto loaded = load_compiled(*cache, key, read_file)) return std::move(*loaded);

    std::vector<Read> reads;
    frontend::CompileOptions recording = options;
    recording.read_file = [&](const std::string& path) {
        std::optional<std::string> text = read_file(path);
        reads.push_back({.path = path, .hash = hash_of(text)});
        return text;
    };
    frontend::CompileResult result = frontend::compile(source, file_name, recording);
    if (!result) return result;
    ArchiveWriter value;
    value(reads, result);
    cache->store(key.bytes(), value.bytes());
    return result;
}

Result<vulkan::Translation> translate_or_load(const runtime::DiskCache* cache,
                                              std::span<const uint32_t> opencl_words,
                                              const vulkan::TranslateOptions& options) {
    // An observer needs the passes to run.
    if (!cache || options.after_pass) return vulkan::translate(opencl_words, options, builtin_library());
    ArchiveWriter key;
    key(std::string_view("translate"), opencl_words, options);
    if (const auto bytes = cache->load(key.bytes())) {
        ArchiveReader reader(*bytes);
        vulkan::Translation translation;
        reader(translation.words, translation.interface);
        if (reader.is_good()) return translation;
    }
    Result<vulkan::Translation> translation = vulkan::translate(opencl_words, options, builtin_library());
    if (!translation) return translation;
    ArchiveWriter value;
    value(translation->words, translation->interface);
    cache->store(key.bytes(), value.bytes());
    return translation;
}

}  // namespace caldera
