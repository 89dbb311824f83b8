// SPDX-License-Identifier: Apache-2.0
// Arguments go through two tables: the compile options (frontend/options.def), which clBuildProgram shares,
// and the tool's own (kOptions), which are clang's: long options with one dash among them, values joined or
// apart.
#include "tools/clc2spv/command_line.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "caldera/version.h"
#include "frontend/options.h"
#include "frontend/typo.h"
#include "spirv/support/paths.h"
#include "tools/clc2spv/response_files.h"
#include "vulkan/device_extensions.h"
#include "vulkan/device_profile_json.h"
#include "vulkan/promised_profile.h"
#include "vulkan/storage_formats.h"
#include "vulkan/translate/translate.h"

namespace caldera::tools {
namespace {

using Handled = Result<Done>;

/// What the options specify, before adding what they imply.
struct Given {
    Command command = {};
    bool has_target = false;
    std::string profile = {};
    bool reflection = false, no_reflection = false;
};

/// An option and the function that handles its value.
struct Option {
    std::string_view spelling;
    /// Its value as --help shows it: "" none; "=X" after '=' or in the next argument; " X" joined or in the
    /// next argument; else joined.
    std::string_view value_name;
    Handled (*apply)(Given& given, const std::string& value);
    std::string_view help;  // empty: another spelling of what --help shows
};

template <auto Member, auto Value = true>
Handled set(Given& given, const std::string&) {
    given.command.*Member = Value;
    return Done{};
}
template <auto Member>
Handled set_in_compile(Given& given, const std::string&) {
    given.command.compile.*Member = true;
    return Done{};
}
template <auto Member, auto Value = true>
Handled set_in_printed(Given& given, const std::string&) {
    given.command.printed.*Member = Value;
    return Done{};
}
template <auto Member>
Handled set_own(Given& given, const std::string&) {
    given.*Member = true;
    return Done{};
}
template <auto Member>
Handled text(Given& given, const std::string& value) {
    given.command.*Member = value;
    return Done{};
}

/// The names of a list with commas between them. An empty list is one empty name, which no option knows.
std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names(1);
    for (const char c : list) {
        if (c == ',')
            names.emplace_back();
        else
            names.back() += c;
    }
    return names;
}

/// The value of an option that is one of a few words.
template <typename T, size_t N>
Handled choose(std::string_view option, const std::string& value,
               const std::pair<const char*, T> (&choices)[N], T& chosen) {
    std::string words;
    for (size_t i = 0; i < N; ++i) {
        if (value == choices[i].first) {
            chosen = choices[i].second;
            return Done{};
        }
        words += (i == 0 ? "" : i + 1 < N ? ", " : " or ") + std::string(choices[i].first);
    }
    return Error{.message = "invalid value '" + value + "' in '" + std::string(option) + value +
                            "'; expected " + words};
}

std::string spirv_version_name(spirv::Target target) {
    return "1." + std::to_string(spirv::spirv_version(target) >> 8 & 0xff);
}

/// The target that clang calls by a triple: spir64 and spirv64 are OpenCL's SPIR-V, spirv64v1.1 is that of a
/// version; spirv-unknown-vulkan1.3-compute is Vulkan's.
std::optional<spirv::Target> target_of_triple(const std::string& triple) {
    auto next = [rest = std::string_view(triple)]() mutable {
        const std::string_view first = rest.substr(0, rest.find('-'));
        rest.remove_prefix(std::min(rest.size(), first.size() + 1));
        return first;
    };
    const std::string_view arch = next();
    next();  // the vendor
    const std::string_view system = next();
    spirv::Target target;
    if (system.starts_with("vulkan")) {
        const bool is_known = spirv::parse_target(system, target);
        const bool fits = is_known && (arch == "spirv" || arch == "spirv" + spirv_version_name(target));
        return fits ? std::optional(target) : std::nullopt;
    }
    if (!system.empty() && system != "unknown") return std::nullopt;
    if (arch == "spir64" || arch == "spirv64") return spirv::Target::OpenCL20;
    for (const spirv::Target one :
         {spirv::Target::OpenCL20, spirv::Target::OpenCL22, spirv::Target::OpenCL30})
        if (arch == "spirv64v" + spirv_version_name(one)) return one;
    return std::nullopt;
}

Handled set_target(Given& given, const std::string& value) {
    given.has_target = true;
    if (spirv::parse_target(value, given.command.target)) return Done{};
    if (const std::optional<spirv::Target> target = target_of_triple(value)) {
        given.command.target = *target;
        return Done{};
    }
    const bool is_narrow = value.starts_with("spir-") || value == "spir" || value.starts_with("spirv32");
    return Error{.message =
                     "invalid value '" + value + "' in '--target=" + value + "'; expected " +
                     (is_narrow ? "" : "opencl1.2, opencl2.0, opencl2.1, opencl2.2, opencl3.0, opencl3.1, ") +
                     (is_narrow ? "spir64 or spirv64, because only 64-bit addresses are supported"
                                : "vulkan1.1, vulkan1.2 or vulkan1.3; or clang's spir64 or spirv64, which "
                                  "are opencl2.0")};
}

Handled set_emit(Given& given, const std::string& value) {
    constexpr std::pair<const char*, Emit> kEmits[] = {{"spv", Emit::Spirv},
                                                       {"asm", Emit::Assembly},
                                                       {"c-header", Emit::CHeader},
                                                       {"cpp-header", Emit::CppHeader},
                                                       {"reflection-json", Emit::ReflectionJson},
                                                       {"ast", Emit::Ast}};
    return choose("--emit=", value, kEmits, given.command.emit);
}

Handled set_annotate(Given& given, const std::string&) {
    Command& command = given.command;
    command.emit = Emit::Annotated;
    command.compile.debug_info = true;
    command.compile.debug_detail = frontend::DebugDetail::Variables;
    return Done{};
}

Handled set_abi(Given& given, const std::string& value) {
    constexpr std::pair<const char*, vulkan::Abi> kAbis[] = {{"addresses", vulkan::Abi::Addresses},
                                                             {"descriptors", vulkan::Abi::Descriptors}};
    return choose("--abi=", value, kAbis, given.command.abi);
}

Handled set_images(Given& given, const std::string& value) {
    constexpr std::pair<const char*, vulkan::Images> kImages[] = {{"memory", vulkan::Images::Memory},
                                                                  {"hardware", vulkan::Images::Hardware}};
    vulkan::Images images = {};
    Handled handled = choose("--images=", value, kImages, images);
    if (handled) given.command.images = images;
    return handled;
}

Handled set_value_arguments(Given& given, const std::string& value) {
    constexpr std::pair<const char*, vulkan::ArgumentBlock> kPlaces[] = {
        {"push-constants", vulkan::ArgumentBlock::PushConstants},
        {"uniform-buffer", vulkan::ArgumentBlock::UniformBuffer},
        {"storage-buffer", vulkan::ArgumentBlock::StorageBuffer}};
    return choose("--value-arguments=", value, kPlaces, given.command.value_arguments);
}

Handled set_storage_formats(Given& given, const std::string& value) {
    for (const std::string& name : names_in(value)) {
        const vulkan::StorageFormat* format = vulkan::find_storage_format(name);
        if (!format) {
            std::string known;
            for (const vulkan::StorageFormat& each : vulkan::kStorageFormats)
                known += (known.empty() ? "" : ", ") + std::string(each.name);
            return Error{.message = "--storage-formats has no '" + name + "', only " + known};
        }
        if (vulkan::storage_format_of(given.command.storage_formats, format->kind))
            return Error{.message = "--storage-formats has two formats of the same kind of numbers"};
        given.command.storage_formats.push_back(name);
    }
    return Done{};
}

Handled set_profile(Given& given, const std::string& value) {
    given.profile = value;
    return Done{};
}

Handled set_driver(Given& given, const std::string& value) {
    if (value == "help") {
        given.command.action = Action::ListDrivers;
        return Done{};
    }
    Result<DriverChoice> choice = parse_driver(value);
    if (!choice)
        return Error{.message = "invalid value '" + value + "' in '--driver=" + value +
                                "': " + choice.error().message};
    given.command.driver = choice.take();
    return Done{};
}

Handled set_limit(std::string_view option, const std::string& value, std::optional<uint32_t>& limit) {
    int32_t number = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (fault != std::errc{} || end != value.data() + value.size() || number <= 0)
        return Error{.message = "invalid value '" + value + "' in '" + std::string(option) + value +
                                "'; expected a number from 1 to 2147483647"};
    limit = static_cast<uint32_t>(number);
    return Done{};
}
Handled set_max_local_memory(Given& given, const std::string& value) {
    return set_limit("--max-local-memory=", value, given.command.max_local_bytes);
}
Handled set_max_group_size(Given& given, const std::string& value) {
    return set_limit("--max-work-group-size=", value, given.command.max_group_size);
}

Handled set_max_private_bytes(Given& given, const std::string& value) {
    return set_limit("--max-private-bytes=", value, given.command.max_private_bytes);
}

Handled set_max_loop_turns(Given& given, const std::string& value) {
    return set_limit("--max-loop-turns=", value, given.command.max_loop_turns);
}

Handled set_initialized(Given& given, const std::string& value) {
    for (const std::string& name : names_in(value)) {
        if (name == "local")
            given.command.initialize_local = true;
        else if (name == "private")
            given.command.initialize_private = true;
        else
            return Error{.message = "--initialize-memory has no '" + name + "', only local and private"};
    }
    return Done{};
}

Handled set_max_storage_buffers(Given& given, const std::string& value) {
    return set_limit("--max-storage-buffers=", value, given.command.max_storage_buffers);
}

Handled add_spec_constant(Given& given, const std::string& value) {
    const size_t colon = value.find(':');
    uint32_t id = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + std::min(colon, value.size()), id);
    if (colon == std::string::npos || fault != std::errc{} || end != value.data() + colon)
        return Error{.message = "invalid value '" + value + "' in '--spec-constant=" + value +
                                "'; expected ID:VALUE"};
    given.command.spec_constants.emplace_back(id, value.substr(colon + 1));
    return Done{};
}

Handled set_format(Given& given, const std::string& value) {
    // GCC's names, and clang's "clang" for its text.
    constexpr std::pair<const char*, Format> kFormats[] = {
        {"text", Format::Text},        {"clang", Format::Text},  {"json", Format::Json},
        {"json-stderr", Format::Json}, {"sarif", Format::Sarif}, {"sarif-stderr", Format::Sarif}};
    return choose("-fdiagnostics-format=", value, kFormats, given.command.format);
}

Handled set_language(Given& given, const std::string& value) {
    if (value == "cl" || value == "opencl")
        given.command.language = Language::OpenCLC;
    else if (value == "spv" || value == "spirv")
        given.command.language = Language::Spirv;
    else if (value == "spvasm")
        given.command.language = Language::SpirvAssembly;
    else
        return Error{.message = "language not recognized: '" + value + "'; expected cl, spv or spvasm"};
    return Done{};
}

Handled add_make_target(Given& given, const std::string& value) {
    given.command.dependency_targets.push_back(value);
    return Done{};
}
Handled add_quoted_make_target(Given& given, const std::string& value) {
    return add_make_target(given, quote_for_make(value));
}

/// Refuses a name that no pass has. The option also takes the names in `others`.
Handled check_pass(std::string_view option, const std::string& name,
                   std::initializer_list<std::string_view> others, bool is_to_be_optional = false) {
    frontend::Nearest nearest(name);
    for (const std::string_view other : others) {
        if (name == other) return Done{};
        nearest.consider(other);
    }
    const std::string place = "in '" + std::string(option) + "=" + name + "'";
    for (const vulkan::PassInfo& pass : vulkan::pass_list()) {
        const bool is_optional = pass.need != vulkan::PassNeed::Required;
        if (name == pass.name) {
            if (is_optional || !is_to_be_optional) return Done{};
            return Error{.message =
                             "pass '" + name + "' " + place + " cannot be left out (see --list-passes)"};
        }
        if (is_optional || !is_to_be_optional) nearest.consider(pass.name);
    }
    const std::string near(nearest.found());
    return Error{.message = "unknown pass '" + name + "' " + place +
                            (near.empty() ? " (see --list-passes)" : "; did you mean '" + near + "'?")};
}

Handled print_after(Given& given, const std::string& value) {
    given.command.print_after.push_back(value);
    return check_pass("--print-after", value, {"all", "read"});
}
Handled stop_after(Given& given, const std::string& value) {
    given.command.stop_after = value;
    return check_pass("--stop-after", value, {});
}
Handled disable_pass(Given& given, const std::string& value) {
    given.command.disabled_passes.push_back(value);
    return check_pass("--disable-pass", value, {}, true);
}

constexpr Option kOptions[] = {
    {"-o", " OUT", text<&Command::output>,
     "write to OUT ('-': standard output; 'DIR/': a file in DIR); the default is FILE.spv, FILE.h, ..."},
    {"--output", "=OUT", text<&Command::output>, ""},
    {"--target", "=ENV", set_target,
     "opencl1.2 opencl2.0 opencl2.1 opencl2.2 opencl3.0 opencl3.1 vulkan1.1 vulkan1.2 (default) vulkan1.3; "
     "clang's spir64 and "
     "spirv64 mean opencl2.0"},
    {"-target", " ENV", set_target, "the same"},
    {"-triple", " ENV", set_target, ""},
    {"--emit", "=WHAT", set_emit, "spv (default) asm c-header cpp-header reflection-json ast"},
    {"-S", "", set<&Command::emit, Emit::Assembly>, "write SPIR-V assembly to FILE.spvasm, as --emit=asm"},
    {"--annotate", "", set_annotate,
     "write the functions' assembly to standard output, or OUT, with the lines of the source above the "
     "instructions; implies -g"},
    {"--device-profile", "=FILE", set_profile,
     "for the Vulkan device that 'vulkaninfo --json' wrote FILE of"},
    {"--driver", "=NAME[:VERSION]", set_driver,
     "for Vulkan: avoid the faults of this driver, instead of the profile's; 'help' lists drivers and "
     "faults"},
    {"--max-local-memory", "=BYTES", set_max_local_memory,
     "for Vulkan: the device's local memory, at most the profile's (default 65536)"},
    {"--max-work-group-size", "=N", set_max_group_size,
     "for Vulkan: the largest work-group, in total and per dimension, at most the profile's (default 1024)"},
    {"--max-private-bytes", "=N", set_max_private_bytes,
     "for Vulkan: put a kernel's largest private objects into a buffer, so that the others have N bytes at "
     "most; private_bytes in the reflection says how large it is (default: unlimited, or the driver's)"},
    {"--initialize-memory", "=KIND,...", set_initialized,
     "for Vulkan: local memory of a work-group, private variables of a function, or both ('local,private') "
     "begin as zeros (cl_khr_initialize_memory)"},
    {"--max-storage-buffers", "=N", set_max_storage_buffers,
     "with --abi=descriptors: the most storage buffers of a pipeline, at most the profile's (default: "
     "unlimited)"},
    {"--abi", "=ABI", set_abi,
     "for Vulkan: pass pointer arguments as 'addresses' (default) or as 'descriptors'"},
    {"--value-arguments", "=PLACE", set_value_arguments,
     "with --abi=descriptors: arguments by value are in 'push-constants' (default; those that do not fit are "
     "in "
     "a uniform buffer), a 'uniform-buffer' (clspv's -pod-ubo) or a 'storage-buffer' (as clspv before May "
     "2020)"},
    {"--module-constants-in-storage-buffer", "", set<&Command::constants_in_buffer>,
     "with --abi=descriptors: all constants of program scope are in the data segment, as clspv has them with "
     "this option, and not in the module (default: those that can be, at most 16 KiB)"},
    {"-module-constants-in-storage-buffer", "", set<&Command::constants_in_buffer>, ""},
    {"--no-module-constants-in-storage-buffer", "", set<&Command::constants_in_module>,
     "with --abi=descriptors: those that can be are in the module, also for a driver that copies tables for "
     "each "
     "work-item"},
    {"--images", "=FORM", set_images,
     "for Vulkan: images and samplers are Vulkan's, each a descriptor ('hardware', the default with "
     "--abi=descriptors), or memory that library code decodes ('memory', the default with --abi=addresses)"},
    {"--storage-formats", "=F,...", set_storage_formats,
     "with --images=hardware: the formats of images that kernels write, one each for floats, signed and "
     "unsigned "
     "integers (rgba8, r32f, rgba32i, r32ui ...; default: the host's choice, which needs "
     "shaderStorageImageWriteWithoutFormat, and ...Read... to read them)"},
    {"--no-fused-fma", "", set<&Command::no_fused_fma>,
     "for Vulkan: the device's fma may round twice, as lavapipe's does; without this option, fused_fma in "
     "the "
     "reflection says whether the module relies on a fused one"},
    {"--emulate-doubles", "", set<&Command::emulate_doubles>,
     "for Vulkan: compute with doubles as integers, exactly but slowly, for devices without shaderFloat64"},
    {"--robust", "", set<&Command::robust>,
     "for Vulkan, with --abi=addresses: let kernels access the objects that the host lists (CheckState in "
     "device_abi.h), "
     "and nothing else: other loads give zero, other stores do nothing"},
    {"--max-loop-turns", "=N", set_max_loop_turns,
     "with --robust: a loop that turns more than N times since it was entered ends"},
    {"--clspv-reflection", "", set_own<&Given::reflection>, ""},
    {"--no-clspv-reflection", "", set_own<&Given::no_reflection>,
     "with --abi=descriptors: leave NonSemantic.ClspvReflection out of the module"},
    {"--validate", "", set<&Command::validate>, "validate the module for its environment with SPIRV-Tools"},
    {"--spec-constant", "=ID:VALUE", add_spec_constant,
     "for Vulkan: set a specialisation constant of the SPIR-V input; others keep their defaults"},
    {"-c", "", set<&Command::compile_only>,
     "make OpenCL SPIR-V that other modules can link with; external symbols stay unresolved"},
    {"--create-library", "", set<&Command::create_library>,
     "link into a library; exported symbols stay exported"},
    {"--allow-partial-linkage", "", set<&Command::allow_partial_linkage>,
     "link even if some symbols are undefined"},
    {"-E", "", set<&Command::preprocess_only>, "only preprocess, and print the result to standard output"},
    {"-MMD", "", set<&Command::write_dependencies>, "the same as -MD; no header counts as a system header"},
    {"-MM", "", set<&Command::dependencies_only>, "the same as -M"},
    {"-MD", "", set<&Command::write_dependencies>, "compile, and also write a rule for make to OUT.d"},
    {"-MF", " FILE", text<&Command::dependency_file>, "write the rule of -M and -MD to FILE"},
    {"-MT", " TARGET", add_make_target, "set the target of the rule"},
    {"-MQ", " TARGET", add_quoted_make_target, "set the target of the rule, quoted for make"},
    {"-MG", "", set_in_compile<&frontend::CompileOptions::missing_headers_are_made>,
     "with -M: assume that missing headers are generated later"},
    {"-MP", "", set<&Command::phony_targets>, "also write an empty rule for each header"},
    {"-M", "", set<&Command::dependencies_only>, "print a rule for make instead of compiling"},
    {"-fsyntax-only", "", set<&Command::syntax_only>, "check the source without writing output"},
    {"-ftime-report", "", set<&Command::time_report>, "print how long each stage and pass took"},
    {"-v", "", set<&Command::verbose>,
     "print the version, the target, and what is made from each file; without FILE only the version"},
    {"--lsp", "", set<&Command::action, Action::LanguageServer>,
     "serve an editor: the Language Server Protocol over standard input and output (docs/editors.md)"},
    {"--list-passes", "", set<&Command::action, Action::ListPasses>,
     "list the translator's passes in order for these options, and which can be left out"},
    {"--print-after", "=PASS", print_after,
     "print the module after PASS, or after 'read' (before the first pass) or 'all'; can be repeated"},
    {"--print-to", "=FILE", text<&Command::print_to>,
     "write the output of --print-after to FILE ('-': standard output) instead of standard error"},
    {"--stop-after", "=PASS", stop_after,
     "output the module as it is after PASS; it may be invalid in every environment"},
    {"--disable-pass", "=PASS", disable_pass, "leave out an optional pass, to find a fault; can be repeated"},
    {"-fcolor-diagnostics", "", set<&Command::colour, Colour::Always>,
     "use colours even when the output is not a terminal"},
    {"-fno-color-diagnostics", "", set<&Command::colour, Colour::Never>, "do not use colours"},
    {"-fdiagnostics-format", "=FORM", set_format,
     "print diagnostics as text (default), json or sarif: one document on standard error, as GCC does"},
    {"-P", "", set_in_printed<&frontend::Printed::markers, false>, "with -E: leave out line markers"},
    {"-dD", "", set_in_printed<&frontend::Printed::definitions>,
     "with -E: keep #define and #undef directives"},
    {"-dM", "", set_in_printed<&frontend::Printed::only_macros>,
     "with -E: print the macro definitions instead of the text"},
    {"-x", " LANG", set_language, "read inputs as cl, spv or spvasm, whatever their names"},
    {"--help", "", set<&Command::action, Action::Help>, "print this help"},
    {"-h", "", set<&Command::action, Action::Help>, ""},
    {"--version", "", set<&Command::action, Action::Version>, "print the version"},
};

/// Whether the option's value is a name that no table knows, and for which an empty one is a mistake.
bool is_any_text(const Option& option) {
    return option.value_name.ends_with("FILE") || option.value_name.ends_with("OUT") ||
           option.value_name.ends_with("TARGET");
}

/// Handles args[at] if it is one of kOptions. Returns the number of arguments that it took, or 0.
Result<size_t> take_own_option(const std::vector<std::string>& args, size_t at, Given& given) {
    const std::string& arg = args[at];
    for (const Option& option : kOptions) {
        if (!arg.starts_with(option.spelling)) continue;
        const std::string rest = arg.substr(option.spelling.size());
        const bool is_flag = option.value_name.empty(), wants_equals = option.value_name.starts_with('=');
        const bool is_joined = !rest.empty() && !is_flag && (!wants_equals || rest[0] == '=');
        if (!rest.empty() && !is_joined) continue;
        const bool is_apart = !is_joined && (wants_equals || option.value_name.starts_with(' '));
        if (is_apart && at + 1 >= args.size())
            return Error{.message = "argument to '" + arg + "' is missing (expected 1 value)"};
        const std::string value = is_apart ? args[at + 1] : wants_equals && !is_flag ? rest.substr(1) : rest;
        if (value.empty() && is_any_text(option))
            return Error{.message = "argument to '" + std::string(option.spelling) + "' is empty"};
        Handled handled = option.apply(given, value);
        if (!handled) return handled.error();
        return is_apart ? size_t{2} : size_t{1};
    }
    return size_t{0};
}

Error unknown(const std::string& arg, bool is_inner) {
    std::vector<std::string_view> spellings;
    for (const Option& option : kOptions) spellings.push_back(option.spelling);
    return {.message = "unknown argument: '" + arg + "'" +
                       (is_inner ? std::string(frontend::kNoInnerCommand) : "") +
                       frontend::meant_option(arg, spellings)};
}

/// Loads the profile. The target is the highest Vulkan version that the profile supports, unless the command
/// names one.
Result<Done> use_profile(Command& command, const std::string& path, const ReadFile& read,
                         bool choose_target) {
    Result<vulkan::DeviceProfile> profile = vulkan::load_profile(path, read);
    if (!profile) return profile.error();
    const auto version = [&](spirv::Target target) {
        return std::pair(1u,
                         1u + static_cast<uint32_t>(target) - static_cast<uint32_t>(spirv::Target::Vulkan11));
    };
    const std::pair has(profile->api_version_major, profile->api_version_minor);
    const auto refuse = [&](spirv::Target target) {
        return Error{.message = "target " + std::string(spirv::name(target)) + ": " + profile->name +
                                " has Vulkan " + std::to_string(has.first) + "." +
                                std::to_string(has.second)};
    };
    if (choose_target) {
        command.target = spirv::Target::Vulkan13;
        while (command.target > spirv::Target::Vulkan11 && version(command.target) > has)
            command.target = static_cast<spirv::Target>(static_cast<int>(command.target) - 1);
    }
    if (spirv::is_vulkan(command.target) && version(command.target) > has) return refuse(command.target);
    command.profile = profile.take();
    command.option_files.push_back(path);
    return Done{};
}

bool is_interface(Emit emit) {
    return emit == Emit::CHeader || emit == Emit::CppHeader || emit == Emit::ReflectionJson;
}

Result<Done> check(const Command& command) {
    if (command.inputs.empty()) return Error{.message = "no input files"};
    bool to_text = command.preprocess_only || command.syntax_only || command.dependencies_only;
    bool needs_interface = is_interface(command.emit);
    if (!to_text && needs_interface && !spirv::is_vulkan(command.target))
        return Error{.message = "--emit=c-header, cpp-header and reflection-json need a Vulkan target"};
    if (command.links() && !to_text && needs_interface &&
        (command.create_library || command.allow_partial_linkage))
        return Error{.message =
                         "a library has no kernel interface: --emit=c-header, cpp-header and reflection-json "
                         "need a program"};
    if (!to_text && needs_interface && !command.stop_after.empty())
        return Error{.message = "--stop-after outputs a module only: it needs --emit=spv or asm"};
    if (command.links() && command.output.empty()) return Error{.message = "linking needs -o OUT"};
    bool is_directory = ends_as_folder(command.output);
    const bool prints = command.output == "-" && !command.compile_only;  // a text for each
    if (command.inputs.size() > 1 && !command.links() && !command.output.empty() && !is_directory && !prints)
        return Error{.message =
                         "cannot specify -o when generating multiple output files (a directory, with '/' "
                         "at its end, is possible)"};
    if (std::count(command.inputs.begin(), command.inputs.end(), "-") > 1)
        return Error{.message = "standard input can be read only once"};
    return Done{};
}

/// The first option that asks something of the translation to Vulkan, or null.
const char* option_for_vulkan(const Command& command) {
    const std::pair<bool, const char*> kOptions[] = {
        {command.abi == vulkan::Abi::Descriptors, "--abi=descriptors"},
        {command.driver.has_value(), "--driver"},
        {command.max_local_bytes.has_value(), "--max-local-memory"},
        {command.max_group_size.has_value(), "--max-work-group-size"},
        {command.max_private_bytes.has_value(), "--max-private-bytes"},
        {command.images.has_value(), "--images"},
        {command.initialize_local || command.initialize_private, "--initialize-memory"},
        {command.no_fused_fma, "--no-fused-fma"},
        {command.emulate_doubles, "--emulate-doubles"},
        {!command.spec_constants.empty(), "--spec-constant"},
    };
    const auto given = std::ranges::find(kOptions, true, &std::pair<bool, const char*>::first);
    return given == std::end(kOptions) ? nullptr : given->second;
}

/// Leaves out the extensions that the device lacks. Without a profile, a module for Vulkan has all that can
/// be translated, and one that is translated later has all. Its images may have either form then.
void offer_extensions(Command& command) {
    const bool is_translated = spirv::is_vulkan(command.target) && !command.makes_part();
    if (!is_translated && !command.profile) return;
    vulkan::DeviceProfile offered = command.profile.value_or(vulkan::DeviceProfile());
    if (command.emulate_doubles) emulate_doubles(offered);
    frontend::ExtSet extensions = offline_extensions(offered, command.image_form());
    if (!is_translated && !command.images) {
        const frontend::ExtSet of_vulkan = offline_extensions(offered, vulkan::Images::Hardware);
        for (uint32_t e = 0; e < static_cast<uint32_t>(frontend::Ext::kCount); ++e)
            if (const auto extension = static_cast<frontend::Ext>(e); of_vulkan.has(extension))
                extensions.set(extension, true);
    }
    command.compile.extensions = command.compile.extensions & extensions;
}

}  // namespace

Language Command::language_of(const std::string& input) const {
    if (language != Language::ByName) return language;
    if (input.ends_with(".spv")) return Language::Spirv;
    return input.ends_with(".spvasm") ? Language::SpirvAssembly : Language::OpenCLC;
}

bool Command::links() const {
    if (preprocess_only || dependencies_only || syntax_only || compile_only || emit == Emit::Ast)
        return false;
    if (create_library || allow_partial_linkage) return true;
    return inputs.size() > 1 && !output.empty() && !ends_as_folder(output);
}

namespace {

/// `for_editor`: the inputs are checked and nothing else happens to them, whatever the options say.
Result<Command> parse(std::vector<std::string> args, const ReadFile& read, bool for_editor) {
    Given given;
    Command& command = given.command;
    Result<std::vector<std::string>> expanded = expand_response_files(args, read, command.option_files);
    if (!expanded) return expanded.error();
    args = expanded.take();
    bool only_files = false;
    const Result<std::vector<bool>> is_inner = frontend::drop_xclang(args);
    if (!is_inner) return is_inner.error();
    for (size_t at = 0; at < args.size();) {
        if (only_files || args[at] == "-" || args[at][0] != '-') {
            command.inputs.push_back(args[at++]);
            continue;
        }
        if (args[at] == "--") {
            only_files = true;
            ++at;
            continue;
        }
        // The front end ignores all of -fdiagnostics-* that it does not know; the form is the tool's.
        const bool is_ours = args[at].starts_with("-fdiagnostics-format");
        Result<size_t> taken = is_ours ? size_t{0} : frontend::take_option(args, at, command.compile);
        if (taken && *taken == 0) taken = take_own_option(args, at, given);
        if (!taken) return taken.error();
        if (*taken == 0) return unknown(args[at], (*is_inner)[at]);
        at += *taken;
    }
    if (for_editor) {
        command.inputs = {"-"};
        command.output.clear();
        command.syntax_only = true;
    }
    if (command.verbose && command.inputs.empty() && command.action == Action::Compile)
        command.action = Action::Version;
    if (command.action == Action::LanguageServer || command.action == Action::Help ||
        command.action == Action::Version || command.action == Action::ListDrivers)
        return command;

    if (!given.profile.empty())
        if (Result<Done> done = use_profile(command, given.profile, read, !given.has_target); !done)
            return done.error();
    if (const char* option = option_for_vulkan(command); option && !spirv::is_vulkan(command.target))
        return Error{.message = std::string(option) + " needs a target of Vulkan"};
    if (given.reflection && command.abi != vulkan::Abi::Descriptors)
        return Error{.message = "--clspv-reflection needs --abi=descriptors"};
    if (command.compile.missing_headers_are_made && !command.dependencies_only)
        return Error{.message = "option '-MG' requires '-M' or '-MM'"};
    if (command.abi == vulkan::Abi::Descriptors && command.images == vulkan::Images::Memory)
        return Error{.message = "--images=memory needs --abi=addresses"};
    if (command.robust && (command.abi != vulkan::Abi::Addresses || !spirv::is_vulkan(command.target)))
        return Error{.message = "--robust needs --abi=addresses and a target of Vulkan"};
    if (command.max_loop_turns && !command.robust) return Error{.message = "--max-loop-turns needs --robust"};
    if (command.value_arguments != vulkan::ArgumentBlock::PushConstants &&
        command.abi != vulkan::Abi::Descriptors)
        return Error{.message = "--value-arguments needs --abi=descriptors"};
    if (command.max_storage_buffers && command.abi != vulkan::Abi::Descriptors)
        return Error{.message = "--max-storage-buffers needs --abi=descriptors"};
    if (!command.storage_formats.empty() && command.image_form() != vulkan::Images::Hardware)
        return Error{.message = "--storage-formats needs --images=hardware"};
    if (command.constants_in_buffer && command.abi != vulkan::Abi::Descriptors)
        return Error{.message = "--module-constants-in-storage-buffer needs --abi=descriptors"};
    if (command.constants_in_module && command.abi != vulkan::Abi::Descriptors)
        return Error{.message = "--no-module-constants-in-storage-buffer needs --abi=descriptors"};
    if (command.constants_in_module && command.constants_in_buffer)
        return Error{.message = "constants are in the module or in a storage buffer, not in both"};
    command.clspv_reflection = command.abi == vulkan::Abi::Descriptors && !given.no_reflection;
    command.compile.findings = command.format != Format::Text;
    if (is_interface(command.emit))
        command.compile.kernel_arg_info = true;  // the types of arguments belong there
    command.optimization = command.compile.opt_disable ? 0 : command.compile.optimization;
    offer_extensions(command);
    if (command.makes_part())
        if (spirv::is_vulkan(command.target))
            command.target = command.compile.target;  // translated when linked
    if (!spirv::is_vulkan(command.target)) command.compile.target = command.target;
    command.compile.image_signs = spirv::is_vulkan(command.target) && !command.links() &&
                                  command.image_form() == vulkan::Images::Hardware;
    if (command.compile_only || command.links())
        command.compile.export_functions = command.compile.export_variables = true;
    if (command.action == Action::ListPasses) return command;
    Result<Done> checked = check(command);
    if (!checked) return checked.error();
    return command;
}

}  // namespace

Result<Command> parse_command_line(std::vector<std::string> args, const ReadFile& read) {
    return parse(std::move(args), read, false);
}

Result<frontend::CompileOptions> compile_options(std::vector<std::string> args, const std::string& folder) {
    const auto in_folder = [&](std::string& path) {
        if (!path.empty() && !is_rooted(path)) path = folder + path;
    };
    std::vector<std::string> files;
    Result<std::vector<std::string>> expanded = expand_response_files(args, read_file, files, folder);
    if (!expanded) return expanded.error();
    args = expanded.take();
    constexpr std::string_view kProfile = "--device-profile";
    for (size_t i = 0; i < args.size(); ++i) {
        std::string& arg = args[i];
        if (arg == kProfile && i + 1 < args.size()) in_folder(args[i + 1]);
        if (!arg.starts_with(std::string(kProfile) + "=")) continue;
        std::string path = arg.substr(kProfile.size() + 1);
        in_folder(path);
        arg = std::string(kProfile) + "=" + path;
    }
    Result<Command> command = parse(std::move(args), read_file, true);
    if (!command) return command.error();
    frontend::CompileOptions options = std::move(command->compile);
    for (auto* folders : {&options.quote_dirs, &options.include_dirs, &options.system_dirs,
                          &options.last_dirs, &options.includes, &options.macro_files})
        for (std::string& path : *folders) in_folder(path);
    return options;
}

vulkan::DeviceProfile device_profile(const Command& command) {
    vulkan::DeviceProfile profile = command.profile.value_or(vulkan::promised_profile(command.target));
    // A device is assumed to have no more than its profile says.
    const auto set = [&]<typename T>(T& limit, const std::optional<uint32_t>& option) {
        if (option) limit = command.profile ? std::min<T>(limit, *option) : *option;
    };
    set(profile.max_local_bytes, command.max_local_bytes);
    set(profile.max_local_invocations, command.max_group_size);
    set(profile.max_storage_buffers, command.max_storage_buffers);
    set(profile.max_private_bytes, command.max_private_bytes);
    for (uint32_t& size : profile.max_local_size) set(size, command.max_group_size);
    if (command.driver) know_driver(profile, command.driver->driver, command.driver->version);
    if (command.no_fused_fma) profile.fused_fma = profile.fused_half_fma = false;
    if (command.emulate_doubles) emulate_doubles(profile);
    return profile;
}

std::string quote_for_make(const std::string& name) {
    std::string quoted;
    size_t backslashes = 0;  // directly before the character
    for (char c : name) {
        // GNU make takes half of the backslashes before a blank or '#'.
        if (c == ' ' || c == '\t' || c == '#') quoted.append(backslashes + 1, '\\');
        backslashes = c == '\\' ? backslashes + 1 : 0;
        if (c == '$') quoted += '$';
        quoted += c;
    }
    return quoted;
}

std::string version_text() { return "clc2spv (Caldera) " CALDERA_VERSION "\n"; }

std::string help_text() {
    std::string text = R"(usage: clc2spv [options] FILE...

Compiles OpenCL C (.cl) to SPIR-V, and translates OpenCL SPIR-V (.spv, .spvasm) to SPIR-V for Vulkan. FILE may be '-'.
Standard input, pipes and devices give at most 256 MiB; files have no limit. @FILE stands for the arguments in FILE,
quoted as for a shell. Several FILEs with -o OUT are linked into one module.

)";
    auto row = [&](std::string left, std::string_view help) {
        if (left.size() < 30)
            left.resize(30, ' ');
        else
            left += "\n" + std::string(32, ' ');
        text += "  " + left + std::string(help) + "\n";
    };
    for (const Option& option : kOptions)
        if (!option.help.empty())
            row(std::string(option.spelling) + std::string(option.value_name), option.help);
    for (const frontend::OptionHelp& option : frontend::option_help()) {
        bool is_next = option.spelling == "-include";
        row(std::string(option.spelling) + (is_next ? " " : "") + std::string(option.value_name),
            option.help);
    }
    text += R"(
clc2spv also accepts, and ignores, those of clang's options that would change nothing here. -Xclang may stand before any option.
It rejects LLVM's options (-emit-llvm, -mllvm), because Caldera contains no LLVM.

examples:
  clc2spv saxpy.cl -o saxpy.spv                         for Vulkan 1.2
  clc2spv saxpy.cl --target=vulkan1.3 --emit=asm -o -   read the module
  vulkaninfo --json=0 -o gpu.json; clc2spv saxpy.cl --device-profile=gpu.json
  clc2spv saxpy.cl --emit=c-header -o saxpy.h           embed it in a program
  clc2spv -cl-std=CL2.0 -DN=16 -Iinclude k.cl --target=opencl2.0 --validate
  clc2spv -c a.cl -o a.spv; clc2spv a.spv b.cl -o c.spv compile apart, link, translate
  clc2spv -g k.cl -o k.spv                              with debug information, and the source's text
  clc2spv --annotate k.cl                               see which instructions come from which line
  clc2spv k.cl --print-after=lower_memory -o k.spv      read the module between passes
  clang-15 ... | llvm-spirv-15 ... -o k.spv; clc2spv k.spv -o k.vulkan.spv
  clc2spv --lsp                                         started by an editor
  cat k.cl | clc2spv - -o k.spv -MD -MF k.d
  clc2spv -Wall -fsyntax-only *.cl -fdiagnostics-format=sarif 2> kernels.sarif
)";
    return text;
}

}  // namespace caldera::tools
