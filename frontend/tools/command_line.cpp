// SPDX-License-Identifier: Apache-2.0
// Arguments go through three sieves: the compile options (frontend/options.def), which clBuildProgram shares; clang's
// long options with one dash (kOneDash), which CLI11 would read as clusters of letters; and CLI11 for the rest.
#include "frontend/tools/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "frontend/options.h"
#include "vulkan/device_extensions.h"
#include "vulkan/device_profile_json.h"

namespace caldera::tools {
namespace {

using Handled = Result<Done>;

/// An option of clang's, and what it does with its value.
struct OneDash {
    std::string_view spelling;
    bool takes_value;  // joined, or the next argument
    Handled (*apply)(Command& command, const std::string& value);
    std::string_view value_name, help;
};

Handled set_language(Command& command, const std::string& value) {
    if (value == "cl" || value == "opencl")
        command.language = Language::OpenCLC;
    else if (value == "spv" || value == "spirv")
        command.language = Language::Spirv;
    else if (value == "spvasm")
        command.language = Language::SpirvAssembly;
    else
        return Error{.message = "language not recognized: '" + value + "'"};
    return Done{};
}

constexpr OneDash kOneDash[] = {
    {"-MMD", false,
     [](Command& c, const std::string&) -> Handled {
         c.write_dependencies = true;
         return Done{};
     },
     "", "the same as -MD: no header is a system header"},
    {"-MM", false,
     [](Command& c, const std::string&) -> Handled {
         c.dependencies_only = true;
         return Done{};
     },
     "", "the same as -M"},
    {"-MD", false,
     [](Command& c, const std::string&) -> Handled {
         c.write_dependencies = true;
         return Done{};
     },
     "", "compile, and write a rule for make to OUT.d"},
    {"-MF", true,
     [](Command& c, const std::string& value) -> Handled {
         c.dependency_file = value;
         return Done{};
     },
     "FILE", "where -M and -MD write the rule"},
    {"-MT", true,
     [](Command& c, const std::string& value) -> Handled {
         c.dependency_targets.push_back(value);
         return Done{};
     },
     "TARGET", "the rule's target"},
    {"-MQ", true,
     [](Command& c, const std::string& value) -> Handled {
         c.dependency_targets.push_back(quote_for_make(value));
         return Done{};
     },
     "TARGET", "the rule's target, quoted for make"},
    {"-MP", false,
     [](Command& c, const std::string&) -> Handled {
         c.phony_targets = true;
         return Done{};
     },
     "", "also write an empty rule for each header"},
    {"-M", false,
     [](Command& c, const std::string&) -> Handled {
         c.dependencies_only = true;
         return Done{};
     },
     "", "print a rule for make instead of compiling"},
    {"-fsyntax-only", false,
     [](Command& c, const std::string&) -> Handled {
         c.syntax_only = true;
         return Done{};
     },
     "", "only report what is wrong"},
    {"-ftime-report", false,
     [](Command& c, const std::string&) -> Handled {
         c.time_report = true;
         return Done{};
     },
     "", "print what each stage and pass took"},
    {"-fcolor-diagnostics", false,
     [](Command& c, const std::string&) -> Handled {
         c.colour = Colour::Always;
         return Done{};
     },
     "", "colours even when no terminal reads"},
    {"-fno-color-diagnostics", false,
     [](Command& c, const std::string&) -> Handled {
         c.colour = Colour::Never;
         return Done{};
     },
     "", "no colours"},
    {"-P", false,
     [](Command& c, const std::string&) -> Handled {
         c.printed = frontend::Printed::Plain;
         return Done{};
     },
     "", "with -E: without line markers"},
    {"-dM", false,
     [](Command& c, const std::string&) -> Handled {
         c.printed = frontend::Printed::Macros;
         return Done{};
     },
     "", "with -E: the macros that are defined, instead of the text"},
    {"-x", true, set_language, "LANG", "read inputs as cl, spv or spvasm, whatever their names"},
};

/// One of kOneDash at args[at]: how many arguments it took.
Result<size_t> take_one_dash(const std::vector<std::string>& args, size_t at, Command& command) {
    const std::string& arg = args[at];
    for (const OneDash& row : kOneDash) {
        bool joined = row.takes_value && arg.size() > row.spelling.size() && arg.starts_with(row.spelling);
        if (arg != row.spelling && !joined) continue;
        std::string value = arg.substr(row.spelling.size());
        size_t taken = 1;
        if (row.takes_value && !joined) {
            if (at + 1 >= args.size())
                return Error{.message = "argument to '" + arg + "' is missing (expected 1 value)"};
            value = args[at + 1];
            taken = 2;
        }
        Handled handled = row.apply(command, value);
        if (!handled) return handled.error();
        return taken;
    }
    return size_t{0};
}

/// Loads the profile. The target is the highest version of Vulkan that it has, unless the command names one.
Result<Done> use_profile(Command& command, const std::string& path, bool choose_target) {
    Result<vulkan::DeviceProfile> profile = vulkan::load_profile(path);
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
        return Error{
            .message =
                "a library has no interface: --emit=c-header, cpp-header and reflection-json need a program"};
    if (command.links() && command.output.empty()) return Error{.message = "linking needs -o OUT"};
    bool is_directory = !command.output.empty() && command.output.back() == '/';
    if (command.inputs.size() > 1 && !command.links() && !command.output.empty() && !is_directory &&
        command.output != "-")
        return Error{.message =
                         "cannot specify -o when generating multiple output files (a directory, with '/' "
                         "at its end, is possible)"};
    if (std::count(command.inputs.begin(), command.inputs.end(), "-") > 1)
        return Error{.message = "standard input can be read once"};
    return Done{};
}

}  // namespace

bool Command::links() const {
    if (preprocess_only || dependencies_only || syntax_only || compile_only || emit == Emit::Ast)
        return false;
    if (create_library || allow_partial_linkage) return true;
    return inputs.size() > 1 && !output.empty() && output.back() != '/' && output != "-";
}

Result<Command> parse_command_line(std::vector<std::string> args) {
    Command command;
    std::vector<std::string> rest;
    bool only_files = false;
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
        Result<size_t> taken = frontend::take_option(args, at, command.compile);
        if (taken && *taken == 0) taken = take_one_dash(args, at, command);
        if (!taken) return taken.error();
        if (*taken != 0) {
            at += *taken;
            continue;
        }
        // For CLI11: `-o OUT` and the like keep their value beside them.
        bool next_is_value = args[at] == "-o" || args[at] == "--target" || args[at] == "--emit" ||
                             args[at] == "--abi" || args[at] == "--device-profile";
        rest.push_back(args[at++]);
        if (next_is_value && at < args.size()) rest.push_back(args[at++]);
    }

    CLI::App app;
    app.set_help_flag();
    bool help = false, version = false;
    std::string target, emit = "spv", abi = "addresses", profile;
    app.add_flag("-h,--help", help);
    app.add_flag("--version", version);
    app.add_option("-o,--output", command.output);
    app.add_option("--target", target);
    app.add_option("--emit", emit);
    app.add_option("--abi", abi);
    app.add_option("--device-profile", profile);
    bool reflection = false, no_reflection = false;
    app.add_flag("--clspv-reflection", reflection);
    app.add_flag("--no-clspv-reflection", no_reflection);
    app.add_option("-O", command.optimization)->check(CLI::Range(0, 2));
    app.add_flag("-E", command.preprocess_only);
    app.add_flag("--validate", command.validate);
    app.add_flag("-c", command.compile_only);
    app.add_flag("--create-library", command.create_library);
    app.add_flag("--allow-partial-linkage", command.allow_partial_linkage);
    app.allow_extras();
    try {
        std::reverse(rest.begin(), rest.end());  // as CLI11 wants a vector
        app.parse(rest);
    } catch (const CLI::ParseError& error) { return Error{.message = error.what()}; }
    for (const std::string& extra : app.remaining())
        return Error{.message = "unknown argument: '" + extra + "'"};

    if (help || version) {
        command.action = help ? Action::Help : Action::Version;
        return command;
    }
    if (!target.empty() && !spirv::parse_target(target, command.target))
        return Error{.message =
                         "invalid value '" + target + "' in '--target=" + target +
                         "': it is opencl1.2, opencl2.0, opencl2.1, opencl2.2, vulkan1.1, vulkan1.2 or "
                         "vulkan1.3"};
    if (!profile.empty())
        if (Result<Done> done = use_profile(command, profile, target.empty()); !done) return done.error();
    if (abi != "addresses" && abi != "descriptors")
        return Error{.message = "invalid value '" + abi + "' in '--abi=" + abi +
                                "': it is addresses or descriptors"};
    if (abi == "descriptors") command.abi = vulkan::Abi::Descriptors;
    if (reflection && abi != "descriptors")
        return Error{.message = "--clspv-reflection needs --abi=descriptors"};
    command.clspv_reflection = abi == "descriptors" && !no_reflection;
    constexpr std::pair<const char*, Emit> kEmits[] = {{"spv", Emit::Spirv},
                                                       {"asm", Emit::Assembly},
                                                       {"c-header", Emit::CHeader},
                                                       {"cpp-header", Emit::CppHeader},
                                                       {"reflection-json", Emit::ReflectionJson},
                                                       {"ast", Emit::Ast}};
    auto row =
        std::find_if(std::begin(kEmits), std::end(kEmits), [&](const auto& r) { return emit == r.first; });
    if (row == std::end(kEmits))
        return Error{.message = "invalid value '" + emit + "' in '--emit=" + emit +
                                "': it is spv, asm, c-header, cpp-header, reflection-json or ast"};
    command.emit = row->second;
    if (is_interface(command.emit))
        command.compile.kernel_arg_info = true;  // the types of arguments belong there
    if (command.compile.opt_disable) command.optimization = 0;
    if (command.compile_only || command.create_library || command.allow_partial_linkage)
        if (spirv::is_vulkan(command.target))
            command.target = command.compile.target;  // translated when linked
    if (!spirv::is_vulkan(command.target)) command.compile.target = command.target;
    if (command.compile_only || command.links())
        command.compile.export_functions = command.compile.export_variables = true;
    if (command.profile && spirv::is_vulkan(command.target))
        command.compile.extensions = command.compile.extensions & device_extensions(*command.profile);
    Result<Done> checked = check(command);
    if (!checked) return checked.error();
    return command;
}

std::string quote_for_make(const std::string& name) {
    std::string quoted;
    for (char c : name) {
        if (c == ' ' || c == '\t' || c == '#') quoted += '\\';
        if (c == '$') quoted += '$';
        quoted += c;
    }
    return quoted;
}

std::string version_text() { return "clc2spv (Caldera) 0.1.0\n"; }

std::string help_text() {
    std::string text = R"(usage: clc2spv [options] FILE...

Compiles OpenCL C (.cl) to SPIR-V, and translates OpenCL SPIR-V (.spv, .spvasm) to SPIR-V for Vulkan. FILE may be '-'.
Several FILEs with -o OUT are linked into one module.

)";
    auto row = [&](std::string left, std::string_view help) {
        if (left.size() < 30)
            left.resize(30, ' ');
        else
            left += "\n" + std::string(32, ' ');
        text += "  " + left + std::string(help) + "\n";
    };
    row("-o OUT", "write to OUT ('-': standard output; 'DIR/': into DIR); else FILE.spv, and so on");
    row("--target=ENV", "opencl1.2 opencl2.0 opencl2.1 opencl2.2 vulkan1.1 vulkan1.2 (default) vulkan1.3");
    row("--emit=WHAT", "spv (default) asm c-header cpp-header reflection-json ast");
    row("--device-profile=FILE", "for the Vulkan device that 'vulkaninfo --json' wrote FILE of");
    row("--abi=ABI", "for Vulkan: pointer arguments are device addresses (the default), or descriptors");
    row("--no-clspv-reflection", "with --abi=descriptors: no NonSemantic.ClspvReflection in the module");
    row("--validate", "check the module for its environment with SPIRV-Tools");
    row("-O0, -O1, -O2",
        "for Vulkan: our own passes (-O0 and -O1, the default), SPIRV-Tools' after them (-O2)");
    row("-c", "make OpenCL SPIR-V that other modules can link with: what is external stays");
    row("--create-library", "link into a library: what is exported stays exported");
    row("--allow-partial-linkage", "link even if symbols stay undefined");
    row("-E", "only preprocess, to standard output");
    for (const OneDash& option : kOneDash)
        row(std::string(option.spelling) + (option.takes_value ? " " + std::string(option.value_name) : ""),
            option.help);
    for (const frontend::OptionHelp& option : frontend::option_help()) {
        bool is_next = option.spelling == "-include";
        row(std::string(option.spelling) + (is_next ? " " : "") + std::string(option.value_name),
            option.help);
    }
    row("--help, --version", "");
    text += R"(
examples:
  clc2spv saxpy.cl -o saxpy.spv                         for Vulkan 1.2
  clc2spv saxpy.cl --target=vulkan1.3 --emit=asm -o -   read the module
  vulkaninfo --json=0 -o gpu.json; clc2spv saxpy.cl --device-profile=gpu.json
  clc2spv saxpy.cl --emit=c-header -o saxpy.h           embed it in a program
  clc2spv -cl-std=CL2.0 -DN=16 -Iinclude k.cl --target=opencl2.0 --validate
  clc2spv -c a.cl -o a.spv; clc2spv a.spv b.cl -o c.spv compile apart, link, translate
  clang-15 ... | llvm-spirv-15 ... -o k.spv; clc2spv k.spv -o k.vulkan.spv
  cat k.cl | clc2spv - -o k.spv -MD -MF k.d
)";
    return text;
}

}  // namespace caldera::tools
