// SPDX-License-Identifier: Apache-2.0
#include "frontend/options.h"

#include <doctest/doctest.h>

#include "frontend/compile.h"

using namespace caldera::frontend;

TEST_CASE("OpenCL API 5.8.4: the option string of clBuildProgram") {
    CompileOptions options;
    REQUIRE(parse_build_options(
        "-D A -DB=2 -D 'C=x y' -D \"D=\\\"q\\\"\" -I \"a dir\" -Ib\\ c -cl-mad-enable  -w\n"
        "-cl-std=CL1.1 -Werror -g ",
        options));
    REQUIRE(options.macros.size() == 4);
    CHECK(options.macros[0].text == "1");
    CHECK(options.macros[1].text == "2");
    CHECK(options.macros[2].text == "x y");
    CHECK(options.macros[3].text == "\"q\"");
    CHECK(options.include_dirs == std::vector<std::string>{"a dir", "b c"});
    CHECK(options.mad_enable);
    CHECK(options.warnings.no_warnings);
    CHECK(options.standard == Standard::CL11);
    CHECK(options.debug_info);
    CHECK(parse_build_options("", options));
}

TEST_CASE("faults of the option string") {
    CompileOptions options;
    auto fault = [&](const char* text) {
        auto result = parse_build_options(text, options);
        return result ? std::string() : result.error().message;
    };
    const std::string standards = "; expected CL1.0, CL1.1, CL1.2, CL2.0, CL3.0 or CL3.1";
    CHECK(fault("-cl-std=CL12") == "invalid value 'CL12' in '-cl-std=CL12'; did you mean '-cl-std=CL1.2'?");
    CHECK(fault("-cl-nonsense") == "unknown build option '-cl-nonsense'");
    CHECK(fault("-cl-mad-enable2") ==
          "unknown build option '-cl-mad-enable2'; did you mean '-cl-mad-enable'?");
    CHECK(fault("-cl-stdd=CL2.0") == "unknown build option '-cl-stdd=CL2.0'; did you mean '-cl-std=CL2.0'?");
    CHECK(fault("k.cl") == "unknown build option 'k.cl'");
    CHECK(fault("-D") == "argument to '-D' is missing (expected 1 value)");
    CHECK(fault("-cl-std=CL7") == "invalid value 'CL7' in '-cl-std=CL7'" + standards);
    CHECK(fault("-std=c99") == "invalid value 'c99' in '-std=c99'" + standards);
    CHECK(fault("-cl-std=clc++2021") ==
          "'-cl-std=clc++2021': C++ for OpenCL is not supported; 'clang -target spirv64 -cl-std=clc++2021 "
          "-c' makes SPIR-V "
          "of it, which is");
    CHECK(fault("-cl-std=CL1.3") == "invalid value 'CL1.3' in '-cl-std=CL1.3'" + standards);
    CHECK(fault("-cl-std=") == "invalid value '' in '-cl-std='" + standards);
    CHECK(fault("-cl-ext=cl_khr_fp16") ==
          "invalid value 'cl_khr_fp16' in '-cl-ext=cl_khr_fp16'; expected +NAME or -NAME, with commas "
          "between them");
    // What says what a command makes is no option of a build, and what is LLVM's none of ours.
    CHECK(fault("-S") == "unknown build option '-S'");
    CHECK(fault("-v") == "unknown build option '-v'");
    CHECK(fault("-target spir64") == "unknown build option '-target'");
    CHECK(fault("-O2 -emit-llvm") == "'-emit-llvm': Caldera emits SPIR-V and contains no LLVM");
    CHECK(fault("-mllvm -x") == "'-mllvm': Caldera contains no LLVM that would read it");
    CHECK(fault("-Xclang -fno-such") ==
          "unknown build option '-fno-such' after '-Xclang': Caldera contains neither clang nor LLVM");
    CHECK(fault("-cl-mad-enable -Xclang") == "argument to '-Xclang' is missing (expected 1 value)");
    CHECK(fault("-D 'x") == "unterminated quote in the build options");
    CHECK(fault("-ffp-contract=maybe") ==
          "invalid value 'maybe' in '-ffp-contract=maybe'; expected off, on or fast");
    CHECK(fault("-ferror-limit=x") == "invalid value 'x' in '-ferror-limit=x'; expected a number");
    CHECK(fault("-fspell-checking-limit=x") ==
          "invalid value 'x' in '-fspell-checking-limit=x'; expected a number");
}

TEST_CASE("apostrophes of definitions are C's (OpenCL API 5.8.6.1), those of paths are letters") {
    CompileOptions options;
    REQUIRE(parse_build_options(
        "-DA='A' -D B='\\n' -DC='a' -DD=' ' -DE='0'+3 -DF='\"' -I o'brien -Id'e -DG=don't -DH='\\''",
        options));
    std::vector<std::string> texts;
    for (const MacroOption& macro : options.macros) texts.push_back(macro.text);
    CHECK(texts == std::vector<std::string>{"'A'", "'\\n'", "'a'", "' '", "'0'+3", "'\"'", "don't", "'\\''"});
    CHECK(options.include_dirs == std::vector<std::string>{"o'brien", "d'e"});
}

TEST_CASE("a value in quotes may be empty, as programs without a folder have it") {
    CompileOptions options;
    REQUIRE(parse_build_options("-I\"\"", options));
    REQUIRE(parse_build_options("-I\"\" -I \"\" -cl-mad-enable -I\"\"d -DX=\"\" -D Y=\"\"", options));
    CHECK(options.mad_enable);
    CHECK(options.include_dirs == std::vector<std::string>{"d"});
    REQUIRE(options.macros.size() == 2);
    CHECK(options.macros[0].name == "X");
    CHECK(options.macros[0].text.empty());
    CHECK(options.macros[1].name == "Y");
    REQUIRE(parse_build_options("\"-I\" e \"-I\"f", options));
    CHECK(options.include_dirs == std::vector<std::string>{"d", "e", "f"});
    CHECK(!parse_build_options("-I", options));
}

TEST_CASE("options of other vendors' compilers are ignored with a warning") {
    CompileOptions options;
    const auto log = [&](const char* text) {
        options = {};
        REQUIRE(parse_build_options(text, options));
        return compile("kernel void k() {}", "k.cl", options).log;
    };
    const auto unused = [](const std::string& option) {
        return "warning: argument unused during compilation: '" + option +
               "' [-Wunused-command-line-argument]\n";
    };
    for (const char* option :
         {"-cl-nv-verbose", "-cl-nv-maxrregcount=32", "-cl-nv-maxrregcount 32", "-cl-nv-opt-level 3",
          "-cl-intel-greater-than-4GB-buffer-required", "-cl-amd-x", "-fbin-llvmir", "-fno-bin-source",
          "-save-temps=dir/", "-cl-arm-non-uniform-work-group-size", "-qcom-accelerate-16-bit"}) {
        CAPTURE(option);
        CHECK(log(option) == unused(option));
    }
    CHECK(log("-cl-nv-verbose -w").empty());
    CHECK(log("-Wno-unused-command-line-argument -cl-nv-maxrregcount 32 -cl-mad-enable").empty());
    CHECK(options.mad_enable);
    CHECK(!parse_build_options("-cl-nv-maxrregcount", options));
    // An option whose value is missing does not take the next option for it.
    for (const char* text : {"-cl-nv-maxrregcount -cl-mad-enable", "-cl-nv-opt-level -DN=3"}) {
        const auto parsed = parse_build_options(text, options);
        REQUIRE(!parsed);
        CHECK(parsed.error().message.ends_with("is missing (expected 1 value)"));
    }
    CHECK(!parse_build_options("-cl-nv", options));
}

TEST_CASE("options that clang has besides") {
    CompileOptions options;
    REQUIRE(
        parse_build_options("-O3 -fno-builtin -Xclang -finclude-default-header -nostdinc -g0 -CC -H -undef "
                            "-fno-strict-aliasing -fdiagnostics-color=never -isystem s -iquote q "
                            "-idirafter l -imacros m.h -fno-signed-zeros",
                            options));
    CHECK(options.optimization == 2);
    CHECK(!options.opt_disable);
    CHECK(!options.debug_info);
    CHECK(options.keep_comments);
    CHECK(options.show_includes);
    CHECK(options.no_target_macros);
    CHECK(options.system_dirs == std::vector<std::string>{"s"});
    CHECK(options.quote_dirs == std::vector<std::string>{"q"});
    CHECK(options.last_dirs == std::vector<std::string>{"l"});
    CHECK(options.macro_files == std::vector<std::string>{"m.h"});
    CHECK(options.no_signed_zeros);
    REQUIRE(parse_build_options("-O0 -gline-tables-only -ffast-math", options));
    CHECK(options.opt_disable);
    CHECK(options.debug_info);
    CHECK(options.unsafe_math);
    CHECK(options.finite_math_only);
    CHECK(!options.fast_relaxed_math);  // no __FAST_RELAXED_MATH__
    REQUIRE(parse_build_options("-Os -fno-fast-math", options));
    CHECK(!options.opt_disable);
    CHECK(!options.unsafe_math);
    CHECK(!parse_build_options("-O7", options));
    CHECK(!parse_build_options("-gnonsense", options));
}

TEST_CASE("what options imply") {
    CompileOptions all = with_implied({.fast_relaxed_math = true});
    CHECK(all.unsafe_math);
    CHECK(all.finite_math_only);
    CHECK(all.mad_enable);
    CHECK(all.no_signed_zeros);
    CHECK(all.denorms_are_zero);
    CHECK(!with_implied({.mad_enable = true}).unsafe_math);
    CHECK(with_implied({.mad_enable = true}).fp_contract == FpContract::Fast);
    CHECK(with_implied({.fp_contract = FpContract::Off, .mad_enable = true}).fp_contract == FpContract::Off);
    CompileOptions contract;
    CHECK(contract.fp_contract == FpContract::On);
    REQUIRE(parse_build_options("-ffp-contract=fast", contract));
    CHECK(contract.fp_contract == FpContract::Fast);
    REQUIRE(parse_build_options("-ffp-contract=on -ffp-contract=off", contract));
    CHECK(contract.fp_contract == FpContract::Off);
    CompileOptions options;
    REQUIRE(parse_build_options("-cl-ext=-all,+cl_khr_fp64", options));
    CHECK(options.has(Ext::Fp64));
    CHECK(!options.has(Ext::Fp16));
}

TEST_CASE("-cl-std= and its other spellings") {
    auto standard_of = [](const char* text) {
        CompileOptions options;
        REQUIRE(parse_build_options(text, options));
        return options.standard;
    };
    CHECK(standard_of("") == Standard::CL12);
    CHECK(standard_of("-cl-std=CL") == Standard::CL10);
    CHECK(standard_of("-cl-std=cl1.0") == Standard::CL10);
    CHECK(standard_of("-cl-std=CL1.1") == Standard::CL11);
    CHECK(standard_of("-std=cl1.2") == Standard::CL12);
    CHECK(standard_of("-cl-std=CL1.2 -std=CL2.0") == Standard::CL20);
    CHECK(standard_of("-cl-std=CL3.0") == Standard::CL30);
}
