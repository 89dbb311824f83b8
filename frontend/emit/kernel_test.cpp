// SPDX-License-Identifier: Apache-2.0
#include "frontend/emit/emit_fixture.h"

using namespace caldera::frontend;

TEST_CASE("a kernel's parameters carry what the source says of them") {
    const std::string text = assembly(R"(struct S { int a; float4 f; };
        kernel void k(global float *restrict a, const global int *b, volatile global int *c, constant float *t, char n, struct S s) {
            a[0] = b[0] + c[0] + t[0] + n + s.a; })");
    check_lines(text,
                {"OpEntryPoint Kernel %k \"k\"", "OpName %a \"a\"", "OpDecorate %a FuncParamAttr NoAlias",
                 "OpDecorate %a Restrict", "OpDecorate %b FuncParamAttr NoWrite", "OpDecorate %c Volatile",
                 "OpDecorate %n FuncParamAttr Sext", "OpDecorate %s FuncParamAttr ByVal",
                 "OpDecorate %s Alignment 16"});
}

TEST_CASE("6.7.2 kernel attributes become execution modes") {
    const std::string text =
        assembly(R"(kernel __attribute__((reqd_work_group_size(8, 4, 1), vec_type_hint(float4)))
        void a(global int *p) { p[0] = 1; }
        kernel __attribute__((work_group_size_hint(1, 2, 3))) void b(global int *p) { p[0] = 1; })");
    check_lines(text, {"OpExecutionMode %a LocalSize 8 4 1", "OpExecutionMode %a VecTypeHint 262149",
                       "OpExecutionMode %b LocalSizeHint 1 2 3"});
}

TEST_CASE("functions that no kernel reaches are dropped") {
    const std::string text = assembly(R"(int used(int n) { return n + 1; } int unused(int n) { return n; }
        int recursive_prototype(int); kernel void k(global int *p) { p[0] = used(p[1]); })");
    check_lines(text, {"\"used\""});
    check_absent(text, "unused");
    check_absent(text, "recursive_prototype");
    check_absent(text, "Linkage");
}

TEST_CASE("export_functions keeps and exports, with mangled names for overloads") {
    CompileOptions options = standard(Standard::CL12);
    options.export_functions = true;
    const std::string text = assembly(R"(static float helper(float x) { return x * 2; }
        float __attribute__((overloadable)) twice(float x) { return helper(x); }
        float plain(float x) { return x; })",
                                      options);
    check_lines(text, {"LinkageAttributes \"_Z5twicef\" Export", "LinkageAttributes \"plain\" Export"});
    check_absent(text, "\"helper\" Export");
    check_lines(text, {"OpCapability Linkage"});
}

TEST_CASE("a function without a body is imported") {
    const std::string text =
        assembly("int other(int n); kernel void k(global int *p) { p[0] = other(p[1]); }");
    check_lines(text, {"OpCapability Linkage", "LinkageAttributes \"other\" Import"});
}

TEST_CASE("a kernel that another kernel calls gets an entry point of its own") {
    const std::string text =
        assembly(R"(struct S { int a; }; kernel void a(global int *p, struct S s) { p[0] = s.a; }
        kernel void b(global int *p, struct S s) { a(p, s); })");
    CHECK(count_of(text, "OpEntryPoint") == 2);
    CHECK(count_of(text, "OpFunctionCall") == 2);
}

TEST_CASE("fast-math options decorate operations; FP_CONTRACT OFF is an execution mode") {
    CompileOptions options = standard(Standard::CL12);
    options.finite_math_only = true;
    check_lines(assembly("kernel void k(global float *p) { p[0] = p[1] * p[2] + sin(p[3]); }", options),
                {"FPFastMathMode NotNaN|NotInf", "FPFastMathMode NotNaN|NotInf"});
    using Flag = bool CompileOptions::*;
    const auto flags = [](std::initializer_list<Flag> set) {
        CompileOptions chosen = standard(Standard::CL12);
        for (const Flag flag : set) chosen.*flag = true;
        const std::string text = assembly("kernel void k(global float *p) { p[0] = p[1] * p[2]; }", chosen);
        constexpr std::string_view kDecoration = " FPFastMathMode ";
        const size_t at = text.find(kDecoration);
        if (at == text.npos) return std::string();
        return text.substr(at + kDecoration.size(), text.find('\n', at) - at - kDecoration.size());
    };
    CHECK(flags({}) == "");
    CHECK(flags({&CompileOptions::mad_enable, &CompileOptions::denorms_are_zero}) == "");
    CHECK(flags({&CompileOptions::no_signed_zeros}) == "NSZ");
    CHECK(flags({&CompileOptions::finite_math_only}) == "NotNaN|NotInf");
    // SPIR-V of OpenCL has no word for the rest without an extension.
    CHECK(flags({&CompileOptions::unsafe_math}) == "NSZ|AllowRecip");
    CHECK(flags({&CompileOptions::fast_relaxed_math}) == "NotNaN|NotInf|NSZ|AllowRecip|Fast");
    check_lines(assembly("kernel void k(global float *p) {\n#pragma OPENCL FP_CONTRACT OFF\n p[0] = p[1] * "
                         "p[2] + p[3]; }"),
                {"ContractionOff"});
}

TEST_CASE("nothing stands between a function and its parameters: the LLVM translator would not read it") {
    CompileOptions options = standard(Standard::CL12);
    options.debug_info = true;
    const std::string text = assembly("kernel void k(global int *p, int n) {\n  p[0] = n;\n}", options);
    const size_t from = text.find("= OpFunction "), to = text.find("= OpLabel");
    CHECK(text.substr(from, to - from).find("Line") == std::string::npos);
}

TEST_CASE("operations have the lines of their operators, and not of their operands") {
    CompileOptions options = standard(Standard::CL12);
    options.debug_info = true;
    const std::string text = assembly(
        "kernel void k(global int *p, int n, float f, int2 v) {\n"
        "  int a = n\n  /\n  p[0];\n"
        "  a\n  %=\n  p[1];\n"
        "  float g = f *\n  n\n  + f;\n"
        "  v = v\n  &&\n  v;\n"
        "  p[0] = a + g + v.x;\n}",
        options);
    const auto line_of = [&](std::string_view op) {
        const size_t found = text.find(op);
        REQUIRE(found != std::string::npos);
        const size_t line = text.rfind("OpLine", found), end = text.find('\n', line);
        const std::string whole = text.substr(line, end - line);
        return whole.substr(whole.find(' ', whole.find('%')) + 1);
    };
    CHECK(line_of("= OpSDiv") == "3 3");
    CHECK(line_of("= OpSRem") == "6 3");
    CHECK(line_of(" mad ") == "10 3");
    CHECK(line_of("= OpLogicalAnd") == "12 3");
}

TEST_CASE("argument information and debug lines") {
    CompileOptions options = standard(Standard::CL12);
    options.kernel_arg_info = true;
    options.debug_info = true;
    const std::string text = assembly(
        "kernel void k(const global float4 *restrict p, int n) {\n  ((global float *)p)[0] = n;\n}", options);
    check_lines(text,
                {"kernel_arg_type.k.float4*,int,", "kernel_arg_type_qual.k.restrict const,,", "OpLine"});
    CHECK(text.find("kernel_arg_base_type") == std::string::npos);
    const std::string renamed = assembly(
        R"(typedef short int16_t; typedef global float *floats; typedef struct { int i; } both;
        typedef read_only image2d_t picture;
        kernel void k(global const int16_t *p, floats f, int16_t n, unsigned int u, both b, picture i) {})",
        options);
    check_lines(renamed, {"kernel_arg_type.k.int16_t*,float*,int16_t,uint,both,picture,",
                          "kernel_arg_base_type.k.short*,float*,short,uint,both,image2d_t,"});
}

TEST_CASE("the same source gives the same words") {
    const char* source =
        R"(struct S { int a; }; int f(struct S s) { return s.a; } int g(int n) { return n * 2; }
        kernel void a(global int *p) { struct S s = {g(p[1])}; p[0] = f(s) + get_global_id(0); }
        kernel void b(global int *p) { p[0] = g(2) + get_local_id(1); })";
    const CompileOptions options = standard(Standard::CL12);
    CHECK(compile(source, "a.cl", options).words == compile(source, "a.cl", options).words);
}

TEST_CASE("images and samplers are values") {
    assembly(R"(constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
        kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t t, global int *p) { p[0] = 1; })");
}
