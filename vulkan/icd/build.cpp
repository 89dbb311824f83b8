// SPDX-License-Identifier: Apache-2.0
// Building programs: from source, SPIR-V or binaries to executables (OpenCL API 5.8.2 to 5.8.6).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <spirv/unified1/spirv.hpp11>

#include "frontend/options.h"
#include "spirv/link.h"
#include "spirv/raw_words.h"
#include "spirv/specialize.h"
#include "spirv/support/paths.h"
#include "vulkan/build_cache.h"
#include "vulkan/build_program.h"
#include "vulkan/icd/dump.h"
#include "vulkan/icd/newer_names.h"
#include "vulkan/icd/program.h"

namespace caldera::icd {
namespace {

constexpr const char* kCreateLibrary = "-create-library";
constexpr const char* kEnableLinkOptions = "-enable-link-options";

/// Options that only the linker knows (OpenCL API 5.8.6.7).
struct LinkFlags {
    bool create_library = false;
    bool enable_link_options = false;  ///< options of later links may change the library
};

using IsWanted = bool (*)(std::string_view word);

/// Extracts options of a name from a string, and returns them. All other bytes stay as they are, because
/// blanks in quotes count. A part of a word, or the value of the option before it, is no option.
std::vector<std::string> take_words(std::string& options, IsWanted is_wanted) {
    const Result<std::vector<frontend::OptionWord>> split = frontend::split_build_options(options);
    if (!split) return {};  // parse_build_options says why
    std::vector<std::string> texts, taken;
    for (const frontend::OptionWord& word : *split) texts.push_back(word.text);
    frontend::CompileOptions ignored;
    std::string rest;
    size_t kept_to = 0;
    for (size_t at = 0; at < texts.size();) {
        const frontend::OptionWord& word = (*split)[at];
        if (is_wanted(texts[at])) {
            taken.push_back(texts[at++]);
            rest.append(options, kept_to, word.begin - kept_to);
            kept_to = at < texts.size() ? (*split)[at].begin : options.size();
            continue;
        }
        const Result<size_t> length = frontend::take_option(texts, at, ignored);
        at += length ? std::max<size_t>(*length, 1) : 1;
    }
    if (taken.empty()) return {};
    rest.append(options, kept_to);
    const bool ends_in_blank = kept_to == options.size() && rest.ends_with(' ');
    if (ends_in_blank) rest.pop_back();
    options = std::move(rest);
    return taken;
}

/// Extracts the linker's options from a string. The rest are the compiler's.
LinkFlags take_link_options(std::string& options) {
    const std::vector<std::string> taken = take_words(
        options, [](std::string_view word) { return word == kCreateLibrary || word == kEnableLinkOptions; });
    return {.create_library = std::ranges::find(taken, kCreateLibrary) != taken.end(),
            .enable_link_options = std::ranges::find(taken, kEnableLinkOptions) != taken.end()};
}

/// Both texts of options, of which either may be empty. A backslash that ends the first one stays one.
std::string joined_options(std::string first, const std::string& second) {
    if (first.empty() || second.empty()) return first + second;
    const size_t before = first.find_last_not_of('\\') + 1;
    if ((first.size() - before) % 2 != 0) first += '\\';
    return first + " " + second;
}

/// The options that a build's module is translated with.
std::string effective_options(const Program::Build& build) {
    std::string options =
        joined_options(build.kept_options, build.applied_options ? *build.applied_options : build.options);
    take_link_options(options);
    return options;
}

/// Leaves out the options that links may not apply to every library (OpenCL API 5.8.6.8).
std::string without_math_options(std::string options) {
    take_words(options, [](std::string_view word) {
        static constexpr std::array<std::string_view, 6> kMathOptions = {
            "-cl-denorms-are-zero", "-cl-no-signed-zeros",   "-cl-unsafe-math-optimizations",
            "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-native-math"};
        return std::ranges::find(kMathOptions, word) != kMathOptions.end();
    });
    return options;
}

/// "310" of OpenCL 3.1.
std::string macro_value(cl_version version) {
    return std::to_string(100 * CL_VERSION_MAJOR(version) + 10 * CL_VERSION_MINOR(version));
}

frontend::CompileOptions parsed(const std::string& options, const Device& device) {
    frontend::CompileOptions out;
    out.extensions = device.extensions;
    // These describe the device, not the language (OpenCL C 6.10).
    out.macros = {{.name = "__OPENCL_VERSION__", .undefine = true},
                  {.name = "__OPENCL_VERSION__", .text = macro_value(device.version())}};
    out.warnings.groups = {"no-builtin-macro-redefined"};
    take(frontend::parse_build_options(options, out), CL_INVALID_BUILD_OPTIONS);
    // -cl-ext= may remove extensions of the device, but not add any.
    out.extensions = out.extensions & device.extensions;
    return out;
}

std::vector<std::string> kernels_in(std::span<const uint32_t> words) {
    std::vector<std::string> names;
    spirv::for_each_raw_inst(words, [&](spirv::RawInst inst) {
        constexpr size_t kName = 3;  // the word of OpEntryPoint at which it begins
        if (spirv::opcode(inst) == spv::Op::OpEntryPoint) names.push_back(spirv::text_at(inst, kName));
    });
    return names;
}

/// Before OpenCL C 2.0 all groups are uniform. The module says in which version it was written. One that was
/// linked of several versions does not say which kernels are of which.
std::vector<std::string> uniform_kernels(std::span<const uint32_t> words,
                                         const frontend::CompileOptions& options) {
    constexpr uint32_t kOpenClC20 = 200000;
    bool has_older = false, has_newer = false;
    spirv::for_each_raw_inst(words, [&](spirv::RawInst inst) {
        if (spirv::opcode(inst) != spv::Op::OpSource) return;
        const bool is_older = inst.size() >= 3 &&
                              static_cast<spv::SourceLanguage>(inst[1]) == spv::SourceLanguage::OpenCL_C &&
                              inst[2] < kOpenClC20;
        (is_older ? has_older : has_newer) = true;
    });
    const bool are_uniform = options.uniform_work_group_size || (has_older && !has_newer);
    return are_uniform ? kernels_in(words) : std::vector<std::string>{};
}

/// Whether a version word of a module's header (SPIR-V 2.3) has a name in CL_DEVICE_IL_VERSION.
bool is_known_version(uint32_t word) {
    const uint32_t major = word >> 16, minor = word >> 8 & 0xff;
    return major == 1 && minor <= kMaxSpirvMinorVersion && (word & 0xff) == 0;
}

/// Sets the outcome, and what a success makes. Running out of memory and device failures throw instead.
void end(Program::Build& build, bool succeeds, cl_program_binary_type makes) {
    build.status = succeeds ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    build.type = succeeds ? makes : CL_PROGRAM_BINARY_TYPE_NONE;
}

/// Makes an executable from the build's words.
Translated translate(const Program& program, const Context::Place& where, Program::Build& build,
                     const frontend::CompileOptions& options) {
    if (kernels_in(build.words).empty()) {  // useless, but not an error
        const Result<Done> sound = build.is_trusted ? Done{} : vulkan::check_module(build.words);
        if (!sound) build.log += "error: " + sound.error().message + "\n";
        end(build, bool(sound), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        return {};
    }
    Translated translated;
    BuildResult result = build_program(
        *where.opened, build.words,
        {.compile = options,
         .initialize_local = (program.context->initialized & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR) != 0,
         .initialize_private = (program.context->initialized & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR) != 0,
         .after_pass = stage_collector(translated),
         .trusted_input = build.is_trusted});
    build.log += result.log;
    if (result.failure) {
        log(*result.failure);
        throw ApiError(code_of(*result.failure));
    }
    end(build, bool(result), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    translated.words = std::move(result.words);
    translated.descriptor_words = std::move(result.descriptor_words);
    if (!result) return translated;
    // The executable must not outlive its device.
    build.program = {result.program.release(),
                     [device = where.opened](runtime::Program* executable) { delete executable; }};
    if (options.uniform_work_group_size) build.uniform_kernels = kernels_in(build.words);
    return translated;
}

Program::Build dumped(const Program& program, Program::Build build, const Translated& translated = {}) {
    dump(program, build, translated);
    return build;
}

/// Why the device has no compiler for the language of the options; empty if it has (OpenCL API 5.8.6.6).
std::string language_fault(const Device& device, frontend::Standard standard) {
    const std::string_view lacking = frontend::lacks(device.extensions, standard);
    if (standard < frontend::Standard::CL31 || lacking.empty()) return {};
    const std::string version(frontend::version_name(standard));
    return "error: OpenCL C " + version + " (-cl-std=CL" + version + ") includes " + std::string(lacking) +
           ", which " + device.info.name + " does not have\n";
}

/// Makes the build's words from source or SPIR-V.
bool make_words(const Program& program, const Context::Place& where, Program::Build& build,
                const frontend::CompileOptions& options) {
    if (program.source) {
        build.log = language_fault(*where.device, options.standard);
        if (!build.log.empty()) return false;
        frontend::CompileOptions compile = options;
        compile.debug_info |= reports(where.opened->checks());  // reports name lines
        frontend::CompileResult compiled =
            compile_or_load(where.opened->disk_cache(), *program.source, "program.cl", compile);
        require(!compiled.out_of_memory, CL_OUT_OF_HOST_MEMORY);
        build.log = std::move(compiled.log);
        build.words = std::move(compiled.words);
        build.is_trusted = true;
        build.uniform_kernels = uniform_kernels(build.words, compile);
        return compiled.errors == 0;
    }
    build.is_trusted = false;
    const auto constants = [&] {
        const std::lock_guard lock(program.mutex);
        return program.spec_constants;
    }();
    Result<std::vector<uint32_t>> words = spirv::specialize(vulkan::readable(program.il), constants);
    if (words)
        build.words = words.take();
    else
        build.log = "error: " + words.error().message + "\n";
    build.uniform_kernels = uniform_kernels(build.words, options);
    return bool(words);
}

/// If a program from source compiles but is declined: the log says where. Only a module with debug
/// information knows that.
void name_place(const Program& program, const Context::Place& where, Program::Build& build,
                frontend::CompileOptions options) {
    if (!program.source || options.debug_info || build.words.empty()) return;
    options.debug_info = true;
    Program::Build again{.options = build.options};
    if (!make_words(program, where, again, options)) return;
    translate(program, where, again, options);
    if (again.status == CL_BUILD_ERROR) build.log = std::move(again.log);
}

}  // namespace

bool is_module(std::span<const uint32_t> words) {
    if (words.size() < 2 || words[0] != spv::MagicNumber || !is_known_version(words[1])) return false;
    Result<spirv::Module> module = spirv::read(vulkan::readable(words));
    // SPIR-V 2.4: the one instruction that every module has
    if (module && module->memory_model.op != spv::Op::OpMemoryModel)
        module = Error{.message = "the module has no OpMemoryModel"};
    if (!module) log(module.error());
    return bool(module);
}

Result<Done> check_build_options(const char* options) {
    std::string text = options ? options : "";
    take_link_options(text);
    return check_compile_options(text.c_str());
}

Result<Done> check_compile_options(const char* options) {
    frontend::CompileOptions ignored;
    return frontend::parse_build_options(options ? options : "", ignored);
}

/// Accepts the linker's own options, and compiler options that affect the whole program (OpenCL API 5.8.6.7,
/// 5.8.6.8).
void check_link_options(const char* options, cl_int code) {
    take(check_build_options(options), code);
    std::string rest = options ? options : "";
    const LinkFlags flags = take_link_options(rest);
    take_words(rest, [](std::string_view word) { return word.starts_with("-cl-"); });
    const Result<std::vector<frontend::OptionWord>> others = frontend::split_build_options(rest);
    require(others && others->empty(), code);
    require(flags.create_library || !flags.enable_link_options, code);
}

Program::Build compile(const Program& program, size_t place, const std::string& options,
                       const std::vector<Header>& headers) {
    const Context::Place& where = program.context->places[place];
    Program::Build build{.options = options};
    frontend::CompileOptions parsed_options = parsed(options, *where.device);
    parsed_options.export_functions = parsed_options.export_variables = true;
    if (!headers.empty()) {
        std::map<std::string, const Program*> by_path;
        for (const Header& header : headers) by_path.try_emplace(lexical_path(header.name), header.program);
        // The headers are searched before all folders, also for #include <...>.
        parsed_options.include_dirs.insert(parsed_options.include_dirs.begin(), "");
        parsed_options.read_file =
            [by_path = std::move(by_path)](const std::string& path) -> std::optional<std::string> {
            const auto header = by_path.find(lexical_path(path));
            return header == by_path.end() ? frontend::read_text_file(path)
                                           : header->second->source.value_or("");
        };
    }
    end(build, make_words(program, where, build, parsed_options), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    return dumped(program, std::move(build));
}

Program::Build build(const Program& program, size_t place, const std::string& options) {
    const Context::Place& where = program.context->places[place];
    Program::Build build{.options = options};
    if (!program.source && program.il.empty()) {  // created from a binary
        const Program::Build& old = program.builds[place];
        build.words = old.words;
        build.is_trusted = old.is_trusted;
        build.kept_options = old.kept_options;
        build.uniform_kernels = build.kept_uniform_kernels = old.kept_uniform_kernels;
        if (build.options.empty()) build.options = old.kept_options;
    }
    const frontend::CompileOptions parsed_options = parsed(effective_options(build), *where.device);
    Translated translated;
    if (build.words.empty() && !make_words(program, where, build, parsed_options))
        end(build, false, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    else
        translated = translate(program, where, build, parsed_options);
    if (build.status == CL_BUILD_ERROR) name_place(program, where, build, parsed_options);
    return dumped(program, std::move(build), translated);
}

namespace {

/// Options that have the meaning of the objects' own ones for all of them. The translator has one set for a
/// program: what makes results less exact counts if all objects have it, what makes them more exact if one
/// has.
std::string common_options(std::span<const Program::Build> objects, const Device& device) {
    bool is_unsafe = true, flushes_denormals = true, has_uniform_groups = true, debugs = false;
    bool rounds_correctly = false, contracts = true, optimizes = true;
    for (const Program::Build& object : objects) {
        const frontend::CompileOptions options =
            frontend::with_implied(parsed(effective_options(object), device));
        is_unsafe &= options.unsafe_math;
        flushes_denormals &= options.denorms_are_zero;
        has_uniform_groups &= options.uniform_work_group_size;
        rounds_correctly |= options.correctly_rounded_divide_sqrt;
        contracts &= options.fp_contract != frontend::FpContract::Off;
        optimizes &= !options.opt_disable;
        debugs |= options.debug_info;
    }
    std::string common;
    const auto add = [&](bool holds, const char* option) {
        if (holds) common += std::string(common.empty() ? "" : " ") + option;
    };
    add(is_unsafe, "-cl-unsafe-math-optimizations");
    add(flushes_denormals, "-cl-denorms-are-zero");
    add(has_uniform_groups, "-cl-uniform-work-group-size");
    add(rounds_correctly, "-cl-fp32-correctly-rounded-divide-sqrt");
    add(!contracts, "-ffp-contract=off");
    add(!optimizes, "-cl-opt-disable");
    add(debugs, "-g");
    return common;
}

}  // namespace

Program::Build link(const Program& program, size_t place, const std::string& options,
                    std::span<const Program::Build> objects) {
    Program::Build build{.options = options};
    std::string others = options;
    const LinkFlags flags = take_link_options(others);
    const bool takes_options = std::ranges::all_of(objects, &Program::Build::takes_link_options);
    if (!takes_options) build.applied_options = without_math_options(options);
    build.takes_link_options = takes_options && (!flags.create_library || flags.enable_link_options);
    std::vector<spirv::LinkInput> inputs;
    build.is_trusted = true;
    for (const Program::Build& part : objects) {
        inputs.push_back({.name = "program " + std::to_string(inputs.size()), .words = part.words});
        build.is_trusted &= part.is_trusted;
        build.uniform_kernels.insert(build.uniform_kernels.end(), part.uniform_kernels.begin(),
                                     part.uniform_kernels.end());
    }
    build.kept_options = common_options(objects, *program.context->places[place].device);
    // What a library lacks may come from those that it is linked with later.
    Result<std::vector<uint32_t>> words = vulkan::link_foreign(
        inputs, {.create_library = flags.create_library, .allow_partial = flags.create_library});
    if (!words) {
        build.log = "error: " + words.error().message + "\n";
        end(build, false, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        return dumped(program, std::move(build));
    }
    build.words = words.take();
    if (flags.create_library) {
        end(build, true, CL_PROGRAM_BINARY_TYPE_LIBRARY);
        return dumped(program, std::move(build));
    }
    const Context::Place& where = program.context->places[place];
    const Translated translated =
        translate(program, where, build, parsed(effective_options(build), *where.device));
    return dumped(program, std::move(build), translated);
}

// ---- Binaries ----

namespace {

constexpr char kMagic[8] = {'C', 'A', 'L', 'D', 'E', 'R', 'A', 2};

struct BinaryHead {
    char magic[8] = {};
    uint64_t checksum = 0;  ///< of everything after it: a damaged binary is rejected
    uint32_t type = 0;
    uint32_t options_bytes = 0;
    uint64_t kernels_bytes = 0;  ///< of Build::uniform_kernels: each name ends with a zero
    uint64_t words = 0;
};
constexpr size_t kSummedFrom = offsetof(BinaryHead, type);

bool is_made_by_builds(cl_program_binary_type type) {
    return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
           type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

/// FNV-1a
uint64_t checksum(std::span<const unsigned char> bytes) {
    uint64_t sum = 0xcbf29ce484222325;
    for (const unsigned char byte : bytes) sum = (sum ^ byte) * 0x100000001b3;
    return sum;
}

}  // namespace

std::vector<unsigned char> to_binary(const Program::Build& build) {
    if (build.type == CL_PROGRAM_BINARY_TYPE_NONE) return {};
    std::string options = effective_options(build);
    if (build.type == CL_PROGRAM_BINARY_TYPE_LIBRARY && build.takes_link_options)
        options = joined_options(std::move(options), kEnableLinkOptions);
    std::string kernels;
    for (const std::string& name : build.uniform_kernels) (kernels += name) += '\0';
    BinaryHead head{.type = build.type,
                    .options_bytes = static_cast<uint32_t>(options.size()),
                    .kernels_bytes = kernels.size(),
                    .words = build.words.size()};
    std::memcpy(head.magic, kMagic, sizeof kMagic);
    std::vector<unsigned char> out;
    const auto append = [&](const void* from, size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(from);
        out.insert(out.end(), bytes, bytes + size);
    };
    append(&head, sizeof head);
    append(options.data(), options.size());
    append(kernels.data(), kernels.size());
    append(build.words.data(), build.words.size() * 4);
    head.checksum = checksum(std::span(out).subspan(kSummedFrom));
    std::memcpy(out.data() + offsetof(BinaryHead, checksum), &head.checksum, sizeof head.checksum);
    return out;
}

bool from_binary(std::span<const unsigned char> bytes, Program::Build& build) {
    build.is_trusted = false;  // its author is unknown
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (spirv::is_module(all) && bytes.size() % 4 == 0) {
        build.words = spirv::words_of_module(all);
        build.type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
        build.kept_uniform_kernels = build.uniform_kernels = uniform_kernels(build.words, {});
        return is_module(build.words);
    }
    BinaryHead head;
    if (bytes.size() < sizeof head) return false;
    std::memcpy(&head, bytes.data(), sizeof head);
    const std::span<const unsigned char> rest = bytes.subspan(sizeof head);
    if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.words > rest.size() / 4 ||
        head.kernels_bytes > rest.size() ||
        rest.size() != head.options_bytes + head.kernels_bytes + head.words * 4 ||
        !is_made_by_builds(head.type) || head.checksum != checksum(bytes.subspan(kSummedFrom)))
        return false;
    const auto* text = reinterpret_cast<const char*>(rest.data());
    build.options.assign(text, head.options_bytes);
    build.kept_options = build.options;
    const char* const end = text + head.options_bytes + head.kernels_bytes;
    for (const char* at = text + head.options_bytes; at != end;) {
        const char* const name_end = std::find(at, end, '\0');
        build.uniform_kernels.emplace_back(at, name_end);
        at = name_end == end ? end : name_end + 1;
    }
    build.kept_uniform_kernels = build.uniform_kernels;
    build.words.resize(head.words);
    std::memcpy(build.words.data(), end, head.words * 4);
    build.type = head.type;
    std::string options = build.options;
    const bool enables_options = take_link_options(options).enable_link_options;
    if (enables_options) build.options = build.kept_options = options;  // which a program may link with
    build.takes_link_options = enables_options || build.type != CL_PROGRAM_BINARY_TYPE_LIBRARY;
    return is_module(build.words);
}

}  // namespace caldera::icd
