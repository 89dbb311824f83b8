// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/command_line.h"
#include "tests/support/why.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "tools/clc2spv/passes.h"

using namespace caldera;
using namespace caldera::tools;

static Command parse(std::vector<std::string> args) {
    Result<Command> command = parse_command_line(std::move(args));
    REQUIRE_MESSAGE(static_cast<bool>(command), why(command));
    return command.take();
}
static std::string fault(std::vector<std::string> args) {
    Result<Command> command = parse_command_line(std::move(args));
    return command ? "" : command.error().message;
}

TEST_CASE("the options of issue and documentation") {
    Command c = parse({"a.cl",
                       "-o",
                       "a.spv",
                       "--target=vulkan1.3",
                       "-O2",
                       "--emit=asm",
                       "--validate",
                       "-DX=1",
                       "-D",
                       "Y",
                       "-UZ",
                       "-Iinc",
                       "-I",
                       "inc2",
                       "-include",
                       "p.h",
                       "-cl-std=CL2.0",
                       "-g",
                       "-w",
                       "-Wall",
                       "-Werror",
                       "-ferror-limit=3",
                       "-cl-fast-relaxed-math"});
    CHECK(c.compile.warnings.error_limit == 3);
    CHECK(c.inputs.size() == 1);
}

TEST_CASE("each option reaches its place") {
    Command c =
        parse({"-oa.spv", "--target", "vulkan1.1", "-O0", "--emit", "c-header", "-DX=a b", "-D", "Y", "-UZ",
               "-include", "p.h", "-cl-std=CL2.0", "-Wno-undef", "-Werror=shadow", "-Iinc", "k.cl"});
    CHECK(c.output == "a.spv");
    CHECK(c.target == spirv::Target::Vulkan11);
    CHECK(c.optimization == 0);
    CHECK(c.emit == Emit::CHeader);
    REQUIRE(c.compile.macros.size() == 3);
    CHECK(c.compile.macros[0].name == "X");
    CHECK(c.compile.macros[0].text == "a b");
    CHECK(c.compile.macros[1].text == "1");
    CHECK(c.compile.macros[2].undefine);
    CHECK(c.compile.includes == std::vector<std::string>{"p.h"});
    CHECK(c.compile.include_dirs == std::vector<std::string>{"inc"});
    CHECK(c.compile.standard == frontend::Standard::CL20);
    CHECK(c.compile.warnings.groups == std::vector<std::string>{"no-undef", "error=shadow"});
    CHECK(c.inputs == std::vector<std::string>{"k.cl"});
    CHECK(parse({"k.cl", "--target=opencl2.2"}).compile.target == spirv::Target::OpenCL22);
    CHECK(parse({"k.cl", "-cl-opt-disable"}).optimization == 0);
    CHECK(parse({"k.cl"}).optimization == 1);
    CHECK(parse({"m.spv", "--spec-constant=7:-2.5", "--spec-constant", "0:true"}).spec_constants ==
          std::vector<std::pair<uint32_t, std::string>>{{7, "-2.5"}, {0, "true"}});
}

TEST_CASE("names in rules for make: it takes half of the backslashes before a blank or '#'") {
    CHECK(quote_for_make("a b\tc#d$e") == "a\\ b\\\tc\\#d$$e");
    CHECK(quote_for_make("a\\b\\\\c") == "a\\b\\\\c");
    CHECK(quote_for_make("a\\ b") == "a\\\\\\ b");
    CHECK(quote_for_make("a\\\\\tb\\#") == "a\\\\\\\\\\\tb\\\\\\#");
}

TEST_CASE("clang's long options with one dash") {
    Command c =
        parse({"-MMD", "-MFk.d", "-MT", "a b", "-MQ", "c d", "-", "-x", "cl", "-fno-color-diagnostics"});
    CHECK(c.write_dependencies);
    CHECK(c.dependency_file == "k.d");
    CHECK(c.dependency_targets == std::vector<std::string>{"a b", "c\\ d"});
    CHECK(c.inputs == std::vector<std::string>{"-"});
    CHECK(c.language == Language::OpenCLC);
    CHECK(parse({"-M", "k.cl"}).dependencies_only);
    CHECK(parse({"-E", "k.cl"}).preprocess_only);
    CHECK(parse({"-E", "-dM", "k.cl"}).printed.only_macros);
    for (const std::string first : {"-P", "-dD"}) {
        const frontend::Printed printed = parse({"-E", first, first == "-P" ? "-dD" : "-P", "k.cl"}).printed;
        CHECK(!printed.markers);
        CHECK(printed.definitions);
        CHECK(!printed.only_macros);
    }
    CHECK(parse({"-M", "-MG", "k.cl"}).compile.missing_headers_are_made);
    CHECK(parse({"-Xclang", "-cl-std=CL2.0", "-O3", "k.cl"}).optimization == 2);
    CHECK(parse({"k.cl", "--", "-Xclang"}).inputs == std::vector<std::string>{"k.cl", "-Xclang"});
    CHECK(parse({"--", "-k.cl"}).inputs == std::vector<std::string>{"-k.cl"});
}

TEST_CASE("clang's -S, -v and targets") {
    Command text = parse({"-S", "k.cl"});
    CHECK(text.emit == Emit::Assembly);
    CHECK(!text.verbose);
    CHECK(parse({"-S", "--emit=spv", "k.cl"}).emit == Emit::Spirv);
    CHECK(parse({"-v", "k.cl"}).verbose);
    CHECK(parse({"-v", "k.cl"}).action == Action::Compile);
    CHECK(parse({"-v"}).action == Action::Version);
    const auto target = [](std::vector<std::string> args) {
        args.push_back("k.cl");
        return parse(std::move(args)).target;
    };
    for (const char* name : {"spir64", "spirv64", "spir64-unknown-unknown", "spirv64v1.0-unknown-unknown"}) {
        CHECK(target({"-target", name}) == spirv::Target::OpenCL20);
        CHECK(target({"--target", name}) == spirv::Target::OpenCL20);
        CHECK(target({"-Xclang", "-triple", "-Xclang", name}) == spirv::Target::OpenCL20);
    }
    CHECK(target({"-target", "spirv64v1.1"}) == spirv::Target::OpenCL22);
    CHECK(target({"-target", "spirv64v1.2"}) == spirv::Target::OpenCL30);
    CHECK(target({"-target", "opencl3.1"}) == spirv::Target::OpenCL31);
    CHECK(target({"-target", "vulkan1.1"}) == spirv::Target::Vulkan11);
    CHECK(target({"--target=spirv-unknown-vulkan1.3-compute"}) == spirv::Target::Vulkan13);
    CHECK(target({"--target=spirv1.5-pc-vulkan1.2-compute"}) == spirv::Target::Vulkan12);
    for (const char* name : {"nvptx64-nvidia-cuda", "amdgcn", "x86_64-linux-gnu", "spirv64v1.4",
                             "spirv64-unknown-linux", "spirv1.6-pc-vulkan1.2", "spirv-pc-vulkan", "spirv"})
        CHECK(fault({"k.cl", "-target", name}) ==
              "invalid value '" + std::string(name) + "' in '--target=" + name +
                  "'; expected opencl1.2, opencl2.0, opencl2.1, "
                  "opencl2.2, opencl3.0, opencl3.1, vulkan1.1, vulkan1.2 or vulkan1.3; or "
                  "clang's spir64 or spirv64, which are opencl2.0");
    for (const char* name : {"spir", "spir-unknown-unknown", "spirv32"})
        CHECK(fault({"k.cl", "-target", name}) ==
              "invalid value '" + std::string(name) + "' in '--target=" + name +
                  "'; expected spir64 or spirv64, because only 64-bit addresses are supported");
}

TEST_CASE("what is LLVM's is declined") {
    for (const std::string option : {"-emit-llvm", "-emit-llvm-bc"})
        CHECK(fault({option, "-c", "k.cl"}) == "'-emit-llvm': Caldera emits SPIR-V and contains no LLVM");
    CHECK(fault({"-mllvm", "-inline-threshold=9", "k.cl"}) ==
          "'-mllvm': Caldera contains no LLVM that would read it");
    CHECK(fault({"-Xclang", "-fno-validate-pch", "k.cl"}) ==
          "unknown argument: '-fno-validate-pch' after '-Xclang': Caldera contains neither clang nor LLVM");
    CHECK(fault({"k.cl", "-Xclang"}) == "argument to '-Xclang' is missing (expected 1 value)");
}

TEST_CASE("reflection for clspv's users goes with descriptors") {
    CHECK(!parse({"k.cl"}).clspv_reflection);
    CHECK(parse({"k.cl", "--abi=descriptors"}).clspv_reflection);
    CHECK(!parse({"k.cl", "--abi=descriptors", "--no-clspv-reflection"}).clspv_reflection);
    CHECK(fault({"k.cl", "--clspv-reflection"}) == "--clspv-reflection needs --abi=descriptors");
    for (const std::string option :
         {"--abi=descriptors", "--driver=nvidia", "--max-local-memory=1024", "--max-work-group-size=64",
          "--max-private-bytes=64", "--images=memory", "--initialize-memory=local", "--no-fused-fma",
          "--emulate-doubles", "--spec-constant=1:2"}) {
        CHECK(fault({"k.cl", option, "--target=opencl2.0"}) ==
              option.substr(0, option == "--abi=descriptors" ? std::string::npos : option.find('=')) +
                  " needs a target of Vulkan");
        CHECK(fault({"k.cl", option}) == "");
        CHECK(fault({"k.cl", option, "-c", "-o", "k.spv"}) == "");  // for the command that links
    }
    CHECK(fault({"k.cl", "-MG"}) == "option '-MG' requires '-M' or '-MM'");
    CHECK(fault({"k.cl", "-MG", "-MD"}) == "option '-MG' requires '-M' or '-MM'");
    CHECK(fault({"k.cl", "-MG", "-M"}) == "");
    CHECK(fault({"k.cl", "-MM", "-MG"}) == "");
}

TEST_CASE("what the other options make useless is declined") {
    CHECK(fault({"k.cl", "--max-storage-buffers=8"}) == "--max-storage-buffers needs --abi=descriptors");
    CHECK(parse({"k.cl", "--max-storage-buffers=8", "--abi=descriptors"}).max_storage_buffers == 8u);
    CHECK(fault({"k.cl", "--storage-formats=r32f"}) == "--storage-formats needs --images=hardware");
    CHECK(fault({"k.cl", "--max-loop-turns=8"}) == "--max-loop-turns needs --robust");
    CHECK(parse({"k.cl", "--max-loop-turns=8", "--robust"}).max_loop_turns == 8u);
}

TEST_CASE("an empty value is a mistake") {
    for (const std::string option : {"--output", "--device-profile", "--print-to"}) {
        CHECK(fault({"k.cl", option + "="}) == "argument to '" + option + "' is empty");
        CHECK(fault({"k.cl", option, ""}) == "argument to '" + option + "' is empty");
    }
    for (const std::string option : {"-o", "-MF", "-MT", "-MQ"})
        CHECK(fault({"k.cl", option, ""}) == "argument to '" + option + "' is empty");
    const std::string only = "--initialize-memory has no '', only local and private";
    for (const std::string value : {"", "local,", ",local", "local,,private"})
        CHECK(fault({"k.cl", "--initialize-memory=" + value}) == only);
    CHECK(parse({"k.cl", "--initialize-memory=local,private"}).initialize_private);
    for (const std::string value : {"", "r32f,"})
        CHECK(fault({"k.cl", "--images=hardware", "--storage-formats=" + value})
                  .starts_with("--storage-formats has no '', only rgba32f, "));
}

TEST_CASE("images are Vulkan's with descriptors") {
    CHECK(parse({"k.cl"}).image_form() == vulkan::Images::Memory);
    CHECK(!parse({"k.cl"}).compile.image_signs);
    CHECK(parse({"k.cl", "--images=hardware"}).image_form() == vulkan::Images::Hardware);
    CHECK(parse({"k.cl", "--abi=descriptors"}).image_form() == vulkan::Images::Hardware);
    CHECK(parse({"k.cl", "--abi=descriptors"}).compile.image_signs);
    CHECK(fault({"k.cl", "--abi=descriptors", "--images=memory"}) == "--images=memory needs --abi=addresses");
    CHECK(parse({"k.cl", "--abi=descriptors"}).value_arguments == vulkan::ArgumentBlock::PushConstants);
    CHECK(parse({"k.cl", "--abi=descriptors", "--value-arguments=storage-buffer"}).value_arguments ==
          vulkan::ArgumentBlock::StorageBuffer);
    CHECK(!parse({"k.cl", "--abi=descriptors"}).constants_in_buffer);
    for (const char* option :
         {"--module-constants-in-storage-buffer", "-module-constants-in-storage-buffer"}) {
        CHECK(parse({"k.cl", "--abi=descriptors", option}).constants_in_buffer);
        CHECK(fault({"k.cl", option}) == "--module-constants-in-storage-buffer needs --abi=descriptors");
    }
    constexpr const char* kInModule = "--no-module-constants-in-storage-buffer";
    CHECK(!parse({"k.cl", "--abi=descriptors"}).constants_in_module);
    CHECK(parse({"k.cl", "--abi=descriptors", kInModule}).constants_in_module);
    CHECK(fault({"k.cl", kInModule}) == "--no-module-constants-in-storage-buffer needs --abi=descriptors");
    CHECK(fault({"k.cl", "--abi=descriptors", kInModule, "--module-constants-in-storage-buffer"}) ==
          "constants are in the module or in a storage buffer, not in both");
    CHECK(fault({"k.cl", "--value-arguments=uniform-buffer"}) == "--value-arguments needs --abi=descriptors");
    CHECK(fault({"k.cl", "--abi=descriptors", "--value-arguments=buffer"}) ==
          "invalid value 'buffer' in '--value-arguments=buffer'; expected push-constants, uniform-buffer or "
          "storage-buffer");
    CHECK(parse({"k.cl", "--images=hardware", "--storage-formats=r32f,rgba8ui"}).storage_formats.size() == 2);
    CHECK(fault({"k.cl", "--storage-formats=rgba8,r32f"}) ==
          "--storage-formats has two formats of the same kind of numbers");
    CHECK(fault({"k.cl", "--storage-formats=rg8"})
              .starts_with("--storage-formats has no 'rg8', only rgba32f, "));
}

TEST_CASE("fma of presets is fused, unless the command says that it may not be") {
    CHECK(!parse({"k.cl"}).no_fused_fma);
    CHECK(parse({"k.cl", "--no-fused-fma"}).no_fused_fma);
    CHECK(device_profile(parse({"k.cl"})).fused_half_fma);
    CHECK(!device_profile(parse({"k.cl", "--no-fused-fma"})).fused_half_fma);
}

TEST_CASE("--emulate-doubles") {
    CHECK(device_profile(parse({"k.cl"})).float64);
    const auto profile = device_profile(parse({"k.cl", "--emulate-doubles"}));
    CHECK((!profile.float64 && profile.emulated_float64));
    // A profile without doubles offers them.
    const auto has_doubles = [](std::vector<std::string> args) {
        args.insert(args.end(), {"k.cl", "--device-profile=" PROFILES "/old_card.json"});
        return parse(std::move(args)).compile.extensions.has(frontend::Ext::Fp64);
    };
    CHECK(!has_doubles({}));
    CHECK(has_doubles({"--emulate-doubles"}));
}

TEST_CASE("separate compilation") {
    Command object = parse({"-c", "a.cl", "-o", "a.spv"});
    CHECK(object.compile_only);
    CHECK(!object.links());
    CHECK(!spirv::is_vulkan(object.target));
    CHECK(object.compile.export_functions);
    CHECK(object.compile.export_variables);
    CHECK(parse({"-c", "a.cl", "--target=opencl2.1"}).compile.target == spirv::Target::OpenCL21);
    Command program = parse({"a.spv", "b.cl", "-o", "c.spv"});
    CHECK(program.links());
    CHECK(program.target == spirv::Target::Vulkan12);
    CHECK(program.compile.export_functions);
    CHECK(!parse({"a.cl", "b.cl", "-o", "out/"}).links());
    CHECK(!parse({"a.cl", "-o", "a.spv"}).links());
    CHECK(!parse({"a.cl", "-o", "a.spv"}).compile.export_functions);
    Command library = parse({"a.spv", "--create-library", "-o", "l.spv"});
    CHECK(library.links());
    CHECK(!spirv::is_vulkan(library.target));
}

TEST_CASE("--device-profile") {
    CHECK(fault({"k.cl", "--device-profile=no/such.json"}) ==
          "cannot read the device profile 'no/such.json': No such file or directory");
    CHECK(fault({"k.cl", "--device-profile=" PROFILES "/no_device.json"}).find("it describes no device") !=
          std::string::npos);
    Command lavapipe = parse({"k.cl", "--device-profile", PROFILES "/lavapipe.json"});
    CHECK(lavapipe.target == spirv::Target::Vulkan13);  // the highest that it has
    REQUIRE(lavapipe.profile.has_value());
    CHECK(parse({"k.cl", "--device-profile=" PROFILES "/lavapipe.json", "--target=vulkan1.1"}).target ==
          spirv::Target::Vulkan11);
    Command old = parse({"k.cl", "--device-profile=" PROFILES "/old_card.json"});
    CHECK(old.target == spirv::Target::Vulkan12);
    CHECK(!old.compile.has(frontend::Ext::Fp64));
    CHECK(fault({"k.cl", "--device-profile=" PROFILES "/old_card.json", "--target=vulkan1.3"}) ==
          "target vulkan1.3: old card has Vulkan 1.2");
}

TEST_CASE("--device-profile: parts and OpenCL modules have no more than the device") {
    const std::string old = "--device-profile=" PROFILES "/old_card.json";
    using Args = std::vector<std::string>;
    for (const Args& args : {Args{"-c"}, Args{"--create-library", "-o", "l.spv"}, Args{"--target=opencl3.0"},
                             Args{"-c", "--target=opencl1.2"}}) {
        const auto extensions = [&](const Args& others) {
            Args all = args;
            all.push_back("k.cl");
            all.insert(all.end(), others.begin(), others.end());
            return parse(all).compile.extensions;
        };
        CAPTURE(args.back());
        CHECK(extensions({}) == frontend::ExtSet::all());
        CHECK(!extensions({old}).has(frontend::Ext::Fp64));
        CHECK(!extensions({old}).has(frontend::Ext::FeatureFp64));
        CHECK(extensions({old}).has(frontend::Ext::GlMsaaSharing));  // if they become Vulkan's images
    }
    CHECK(parse({"k.cl", "-c", old, "--emulate-doubles"}).compile.has(frontend::Ext::Fp64));
    CHECK(!parse({"k.cl", "-c", old, "--images=memory"}).compile.has(frontend::Ext::GlMsaaSharing));
}

TEST_CASE("limits: a target promises large ones, options set others, which a profile's bound") {
    const auto profile = [](std::vector<std::string> args) {
        args.push_back("k.cl");
        return device_profile(parse(std::move(args)));
    };
    using Sizes = std::array<uint32_t, 3>;
    for (const char* target : {"--target=vulkan1.1", "--target=vulkan1.2", "--target=vulkan1.3"}) {
        const vulkan::DeviceProfile promised = profile({target});
        CHECK(promised.max_local_bytes == 65536);
        CHECK(promised.max_local_invocations == 1024);
        CHECK(promised.max_local_size == Sizes{1024, 1024, 1024});
    }
    const vulkan::DeviceProfile narrow =
        profile({"--max-local-memory=16384", "--max-work-group-size", "128"});
    CHECK(narrow.max_local_bytes == 16384);
    CHECK(narrow.max_local_invocations == 128);
    CHECK(narrow.max_local_size == Sizes{128, 128, 128});
    const vulkan::DeviceProfile wide = profile({"--max-local-memory=98304", "--max-work-group-size=1536"});
    CHECK(wide.max_local_bytes == 98304);
    CHECK(wide.max_local_invocations == 1536);
    CHECK(wide.max_local_size == Sizes{1536, 1536, 1536});

    CHECK(!parse({"k.cl"}).initialize_local);
    CHECK(parse({"k.cl", "--initialize-memory=local"}).initialize_local);
    CHECK(!parse({"k.cl", "--initialize-memory=local"}).initialize_private);
    CHECK(parse({"k.cl", "--initialize-memory=private,local"}).initialize_private);
    CHECK(profile({}).max_private_bytes == ~uint64_t{0});
    CHECK(profile({"--max-private-bytes=4096"}).max_private_bytes == 4096);
    CHECK(most_private_bytes(profile({"--driver=nvidia"})) == 12288);
    CHECK(most_private_bytes(profile({"--driver=nvidia", "--max-private-bytes=64"})) == 64);

    const char* small = "--device-profile=" PROFILES "/lavapipe.json";
    CHECK(profile({small}).max_local_bytes == 32768);
    CHECK(profile({small, "--max-local-memory=65536"}).max_local_bytes == 32768);
    CHECK(profile({small, "--max-local-memory=16384"}).max_local_bytes == 16384);
    CHECK(profile({small, "--max-work-group-size=2048"}) == profile({small}));
    const vulkan::DeviceProfile both = profile({small, "--max-work-group-size=128"});
    CHECK(both.max_local_invocations == 128);
    CHECK(both.max_local_size == Sizes{128, 128, 128});
}

TEST_CASE("storage buffers: a target promises any number, an option fewer, a profile its own") {
    const auto most = [](std::vector<std::string> args) {
        args.insert(args.end(), {"k.cl", "--abi=descriptors"});
        return device_profile(parse(std::move(args))).max_storage_buffers;
    };
    const char* old = "--device-profile=" PROFILES "/old_card.json";
    CHECK(most({}) == ~0u);
    CHECK(most({"--device-profile=" PROFILES "/lavapipe.json"}) == ~0u);  // does not tell
    CHECK(most({"--max-storage-buffers=12"}) == 12);
    CHECK(most({old}) == 16);
    CHECK(most({old, "--max-storage-buffers=12"}) == 12);
    CHECK(most({"--max-storage-buffers", "99", old}) == 16);
    CHECK(help_text().find("--max-storage-buffers=N") != std::string::npos);
}

TEST_CASE("presets promise no extension that cannot be translated for Vulkan") {
    for (const auto ext : {frontend::Ext::MipmapImage, frontend::Ext::GlMsaaSharing}) {
        CHECK(parse({"k.cl", "-cl-std=CL3.0", "--images=hardware"}).compile.has(ext));
        CHECK(parse({"k.cl", "-cl-std=CL3.0", "--abi=descriptors"}).compile.has(ext));
    }
    CHECK(!parse({"k.cl", "--images=hardware"}).compile.has(frontend::Ext::MipmapImageWrites));
    for (const auto ext : {frontend::Ext::MipmapImage, frontend::Ext::MipmapImageWrites}) {
        CHECK(parse({"k.cl", "-cl-std=CL3.0"}).compile.has(ext));
        CHECK(parse({"k.cl", "-cl-std=CL3.0", "--target=opencl2.2"}).compile.has(ext));
    }
    CHECK(!parse({"k.cl", "-cl-std=CL3.0"}).compile.has(frontend::Ext::GlMsaaSharing));
    CHECK(parse({"k.cl", "-cl-std=CL3.0", "--target=opencl2.2"}).compile.has(frontend::Ext::GlMsaaSharing));
    CHECK(parse({"k.cl", "-cl-std=CL3.0"}).compile.has(frontend::Ext::Fp16));
    CHECK(parse({"k.cl", "-cl-std=CL3.0"}).compile.has(frontend::Ext::Int64BaseAtomics));
}

TEST_CASE("faults, in clang's words") {
    CHECK(fault({}) == "no input files");
    CHECK(fault({"-foo", "k.cl"}) == "unknown argument: '-foo'");
    CHECK(fault({"--foo=1", "k.cl"}) == "unknown argument: '--foo=1'");
    CHECK(fault({"-cl-std=CL9", "k.cl"}) ==
          "invalid value 'CL9' in '-cl-std=CL9'; expected CL1.0, CL1.1, CL1.2, CL2.0, CL3.0 or CL3.1");
    CHECK(fault({"k.cl", "-D"}) == "argument to '-D' is missing (expected 1 value)");
    CHECK(fault({"k.cl", "-MF"}) == "argument to '-MF' is missing (expected 1 value)");
    CHECK(fault({"k.cl", "-x", "ada"}) == "language not recognized: 'ada'; expected cl, spv or spvasm");
    CHECK(fault({"k.cl", "--target=metal"}).starts_with("invalid value 'metal' in '--target=metal'"));
    CHECK(fault({"k.cl", "--emit=elf"}).starts_with("invalid value 'elf'"));
    CHECK(fault({"k.cl", "-O7"}) == "invalid value '7' in '-O7'; expected 0, 1, 2, 3, s, z, g or fast");
    for (const std::string option : {"--max-local-memory=", "--max-work-group-size=", "--max-private-bytes=",
                                     "--max-storage-buffers=", "--max-loop-turns="})
        for (const std::string value : {"", "0", "-1", "48k", "0x100", " 1", "2147483648", "99999999999"})
            CHECK(fault({"k.cl", option + value}) == "invalid value '" + value + "' in '" + option + value +
                                                         "'; expected a number from 1 to 2147483647");
    CHECK(fault({"k.cl", "--max-local-memory"}) ==
          "argument to '--max-local-memory' is missing (expected 1 value)");
    CHECK(fault({"k.cl", "-o"}) == "argument to '-o' is missing (expected 1 value)");
    CHECK(fault({"k.cl", "--target"}) == "argument to '--target' is missing (expected 1 value)");
    CHECK(fault({"k.cl", "--targets=vulkan1.2"}) ==
          "unknown argument: '--targets=vulkan1.2'; did you mean '--target=vulkan1.2'?");
    CHECK(fault({"k.cl", "--validate=1"}) == "unknown argument: '--validate=1'");
    CHECK(fault({"k.cl", "--abi="}) == "invalid value '' in '--abi='; expected addresses or descriptors");
    CHECK(fault({"a.cl", "b.cl", "-o", "x", "-c"})
              .starts_with("cannot specify -o when generating multiple output files"));
    CHECK(fault({"a.cl", "b.cl", "-o", "x", "-E"})
              .starts_with("cannot specify -o when generating multiple output files"));
    CHECK(fault({"a.spv", "--create-library"}) == "linking needs -o OUT");
    CHECK(fault({"a.spv", "-o", "b.h", "--create-library", "--emit=c-header"}).find("Vulkan") !=
          std::string::npos);
    CHECK(fault({"k.cl", "--emit=c-header", "--target=opencl2.0"}).find("Vulkan") != std::string::npos);
    CHECK(parse({"a.cl", "b.cl", "-o", "out/"}).output == "out/");
}

TEST_CASE("the help lists the levels of -O and -g that are accepted") {
    const std::string help = help_text();
    for (const std::string option : {"-O", "-g"}) {
        const size_t begin = help.find("  " + option + "[");
        REQUIRE(begin != std::string::npos);
        const size_t values = begin + option.size() + 3;
        std::string listed = "|" + help.substr(values, help.find(']', values) - values) + "|";
        for (const char* level : {"0", "1", "2", "3", "s", "z", "g", "fast", "line-tables-only",
                                  "line-directives-only", "s2", "line"}) {
            const bool is_accepted = static_cast<bool>(parse_command_line({option + level, "k.cl"}));
            CHECK_MESSAGE(is_accepted == (listed.find("|" + std::string(level) + "|") != std::string::npos),
                          option << level);
        }
    }
}

TEST_CASE("--help names every option") {
    CHECK(parse({"--help"}).action == Action::Help);
    CHECK(parse({"--version"}).action == Action::Version);
    std::string help = help_text();
    for (const char* option :
         {"-o OUT", "--target=", "--emit=", "-cl-std=CLx.y", "-include FILE", "-MF FILE", "-DNAME[=TEXT]",
          "-cl-fast-relaxed-math", "-ferror-limit=N", "-x LANG", "--max-local-memory=BYTES",
          "--max-work-group-size=N", "--max-private-bytes=N", "--driver=NAME[:VERSION]", "-S ", "-v ",
          "-target ENV", "-emit-llvm", "examples:"})
        CHECK_MESSAGE(help.find(option) != std::string::npos, option);
}

TEST_CASE("--driver chooses whose faults a module avoids, with a profile and without") {
    const auto quirks = [](std::vector<std::string> args) {
        args.push_back("k.cl");
        return device_profile(parse(std::move(args))).quirks;
    };
    using vulkan::Driver;
    using vulkan::quirks_of;
    const vulkan::DriverVersion old{22, 3, 6}, mended{26, 2, 6};
    const std::string profile = "--device-profile=" PROFILES "/lavapipe.json";
    CHECK(quirks({}) == vulkan::DriverQuirks());
    CHECK(quirks({"--driver=mesa-radv"}) == quirks_of(Driver::MesaRadv, std::nullopt));
    CHECK(quirks({"--driver", "nvidia:580.159"}) ==
          quirks_of(Driver::Nvidia, vulkan::DriverVersion{580, 159, 0}));
    CHECK(quirks({profile}) == quirks_of(Driver::MesaLlvmpipe, old));
    CHECK(quirks({"--driver=mesa-lavapipe:26.2.6"}) == quirks_of(Driver::MesaLlvmpipe, mended));
    CHECK(quirks({profile, "--driver=mesa-lavapipe:26.2.6"}) == quirks_of(Driver::MesaLlvmpipe, mended));
    // The oldest that is meant, and any where none is named.
    CHECK(quirks({"--driver=mesa-lavapipe:26.2"}).drops_signs_of_zeros);
    CHECK(!quirks({"--driver=mesa-lavapipe:26.3"}).drops_signs_of_zeros);
    CHECK(!quirks({"--driver=mesa-lavapipe:26.2"}).fences_are_barriers);
    CHECK(quirks({"--driver=mesa-lavapipe"}).fences_are_barriers);
    // What the device can do is no matter of the driver.
    CHECK(device_profile(parse({"k.cl", profile, "--driver=nvidia"})).max_local_bytes == 32768);
}

TEST_CASE("--driver: names and versions that are none, and what is meant") {
    const auto about = [](const std::string& value) {
        const std::string text = fault({"k.cl", "--driver=" + value});
        const std::string before = "invalid value '" + value + "' in '--driver=" + value + "': ";
        CHECK(text.starts_with(before));
        return text.substr(std::min(before.size(), text.size()));
    };
    CHECK(about("mesa-radw:26.2") == "there is no driver 'mesa-radw'; did you mean 'mesa-radv'?");
    CHECK(about("radv") == "there is no driver 'radv'; did you mean 'mesa-radv'?");
    CHECK(about("voodoo") == "there is no driver 'voodoo' (see --driver=help)");
    CHECK(about("") == "there is no driver '' (see --driver=help)");
    for (const std::string version : {"", "x", "26.", ".2", "26..2", "26.2.6.1", "26.2-devel", "12345678901"})
        CHECK(about("mesa-radv:" + version) ==
              "'" + version + "' is no version of a driver: it is one to three numbers, as in 26.2");
}

TEST_CASE("--driver=help lists each driver with its quirks and their versions") {
    CHECK(parse({"--driver=help"}).action == Action::ListDrivers);
    const std::string help = drivers_help();
    for (const vulkan::DriverRow& driver : vulkan::driver_rows())
        CHECK(help.find(std::string(driver.name) + ": " + std::string(driver.title)) != std::string::npos);
    for (const vulkan::QuirkRow& quirk : vulkan::quirk_rows())
        CHECK(help.find("  " + std::string(quirk.name) + " ") != std::string::npos);
    CHECK(help.find("drops_signs_of_zeros            seen in 22.3.6 to 25.0.7, fixed in 26.2.6\n") !=
          std::string::npos);
    CHECK(help.find("loads_for_nobody                seen in 26.2.6, not in 25.0.7\n") != std::string::npos);
}

TEST_CASE("names of passes") {
    const Command c = parse({"k.cl", "--print-after=lower_memory", "--print-after", "all", "--print-to=k.txt",
                             "--stop-after=clean_up", "--disable-pass=reuse_loads"});
    CHECK(c.print_after == std::vector<std::string>{"lower_memory", "all"});
    CHECK(c.print_to == "k.txt");
    CHECK(c.stop_after == "clean_up");
    CHECK(c.disabled_passes == std::vector<std::string>{"reuse_loads"});
    CHECK(parse({"k.cl", "--print-after=read"}).print_after == std::vector<std::string>{"read"});
    CHECK(fault({"k.cl", "--print-after=lower_memmory"}) ==
          "unknown pass 'lower_memmory' in '--print-after=lower_memmory'; did you mean 'lower_memory'?");
    CHECK(fault({"k.cl", "--stop-after=polish"}) ==
          "unknown pass 'polish' in '--stop-after=polish' (see --list-passes)");
    CHECK(fault({"k.cl", "--disable-pass=lower_memory"}) ==
          "pass 'lower_memory' in '--disable-pass=lower_memory' cannot be left out (see --list-passes)");
    CHECK(fault({"k.cl", "--stop-after=clean_up", "--emit=c-header"}) ==
          "--stop-after outputs a module only: it needs --emit=spv or asm");
}

TEST_CASE("--list-passes has the passes that the command runs") {
    const auto list = [](std::vector<std::string> args) {
        args.emplace_back("--list-passes");
        return list_of_passes(parse(std::move(args)));
    };
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    const std::string all = list({});
    CHECK(all.starts_with("1   lower_encoded_floats    required      "));
    CHECK(has(all, " reuse_loads             optimization  "));
    CHECK(has(all, " keep_float_order        precaution    "));
    CHECK(has(all, " derive_capabilities     required      "));
    CHECK(!has(all, "SPIRV-Tools"));
    CHECK(has(list({"-O2"}), "then SPIRV-Tools' passes"));
    const std::string some = list({"--stop-after=lower_memory", "--disable-pass=reuse_loads", "-O2"});
    CHECK(has(some, " reuse_loads             left out      "));
    CHECK(has(some, " lower_memory "));
    CHECK(!has(some, "lower_interface"));
    CHECK(!has(some, "SPIRV-Tools"));
    CHECK(list({"--target=opencl2.0"}).starts_with("no pass runs"));
}

TEST_CASE("--print-after prints what it names, and says what did not run") {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("caldera_print_after_test." + std::to_string(getpid())))
            .string();
    PassFile none(path + "/none");
    CHECK(none.take_fault().empty());
    none.begin();
    none.add("text");
    CHECK(none.take_fault().starts_with("unable to write output file '" + path + "/none': "));
    none.add("text");
    CHECK(none.take_fault().empty());
    const auto printed = [&](std::vector<std::string> args) {
        args.insert(args.end(), {"k.cl", "--print-to=" + path});
        const Command command = parse(std::move(args));
        PassFile file(command.print_to);
        PassPrinter printer(command, "k.cl", file);
        const auto observe = printer.observer();
        const uint32_t module[] = {0x07230203, 0x00010000, 0, 1, 0, 0x00020011, 6};  // OpCapability Kernel
        if (observe) {
            observe({.number = 4, .pass = "describe_kernels", .words = module});
            observe({.number = 5, .pass = "lower_pipes", .changed = false, .words = module});
        }
        std::string text;
        if (FILE* file = std::fopen(path.c_str(), "rb")) {
            for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
            std::fclose(file);
        }
        std::remove(path.c_str());
        return text + "--\n" + printer.what_did_not_run();
    };
    CHECK(printed({}) == "--\n");
    const std::string one = printed({"--print-after=describe_kernels"});
    CHECK(one.starts_with("; k.cl after pass 4, describe_kernels\n "));
    CHECK(one.find(" OpCapability Kernel\n") != std::string::npos);
    CHECK(one.find("lower_pipes") == std::string::npos);
    CHECK(one.ends_with("--\n"));
    const std::string all = printed({"--print-after=all"});
    CHECK(all.find("; k.cl after pass 5, lower_pipes, which changed nothing\n--\n") != std::string::npos);
    CHECK(printed({"--print-after=lower_pipes"})
              .starts_with("; k.cl after pass 5, lower_pipes, which changed nothing\n "));
    CHECK(printed({"--print-after=lower_memory"}) ==
          "--\nclc2spv: note: pass 'lower_memory' did not run: the translation ended before it\n");
    CHECK(printed({"--print-after=reuse_loads", "--disable-pass=reuse_loads"}) ==
          "--\nclc2spv: note: pass 'reuse_loads' did not run: --disable-pass leaves it out\n");
    CHECK(printed({"--stop-after=lower_memory", "--target=opencl2.0"}) ==
          "--\nclc2spv: note: pass 'lower_memory' did not run: a module for OpenCL is not translated\n");
}

TEST_CASE("-fdiagnostics-format is the tool's; what else clang has of -fdiagnostics is ignored") {
    CHECK(parse({"a.cl"}).format == Format::Text);
    CHECK(!parse({"a.cl"}).compile.findings);
    CHECK(parse({"a.cl", "-fdiagnostics-format=clang"}).format == Format::Text);
    CHECK(parse({"a.cl", "-fdiagnostics-format", "json-stderr"}).format == Format::Json);
    CHECK(parse({"a.cl", "-fdiagnostics-format=sarif"}).format == Format::Sarif);
    CHECK(parse({"a.cl", "-fdiagnostics-format=sarif"}).compile.findings);
    CHECK(parse({"a.cl", "-fdiagnostics-parseable-fixits"}).compile.warnings.parseable_fixits);
    CHECK(!parse({"a.cl", "-fdiagnostics-color=never"}).compile.warnings.parseable_fixits);
    CHECK(fault({"a.cl", "-fdiagnostics-format=xml"}) ==
          "invalid value 'xml' in '-fdiagnostics-format=xml'; expected text, clang, json, json-stderr, sarif "
          "or "
          "sarif-stderr");
}
