// SPDX-License-Identifier: Apache-2.0
#include "frontend/emit/emit_fixture.h"

using namespace caldera::frontend;

TEST_CASE("a struct's layout is the language's") {
    const std::string text = assembly(R"(struct S { char c; int i; float3 v; char d; };
        kernel void k(global struct S *s) { s->i = s[1].i; s[2].v = s[3].v; s[4] = s[5]; })");
    check_lines(text, {"%struct_S = OpTypeStruct %uchar %uint %v3float %uchar"});
    const std::string over = assembly(R"(struct S { char c; int i __attribute__((aligned(16))); };
        kernel void k(global struct S *s) { s->i = 1; })");
    check_lines(
        over, {"OpTypeArray %uchar %ulong_15", "%struct_S = OpTypeStruct %uchar %_arr_uchar_ulong_15 %uint"});
}

TEST_CASE("packed structs are CPacked and their members under-aligned") {
    const std::string text = assembly(R"(struct __attribute__((packed)) P { char c; int i; short s; };
        kernel void k(global struct P *p) { p[1].i = p[2].s; })");
    check_lines(text, {"OpDecorate %struct_P CPacked", "%struct_P = OpTypeStruct %uchar %uint %ushort",
                       "OpLoad %ushort", "Aligned 1", "OpStore", "Aligned 1"});
}

TEST_CASE("unions keep one member and reach the others by casts") {
    const std::string text = assembly(R"(union U { char c[12]; float f; int2 v; };
        kernel void k(global union U *u, global float *f) { u[0].f = 1; u[1].c[3] = 2; f[0] = u[2].v.y; union U w = u[0];
            w.v.x = 3; u[1] = w; })");
    check_lines(text, {"%union_U = OpTypeStruct %v2uint %_arr_uchar_ulong_8",
                       "OpBitcast %_ptr_CrossWorkgroup_float"});
}

TEST_CASE("a union whose members have gaps is copied whole") {
    const std::string text =
        assembly(R"(union U { float3 v; uint w[4]; }; union W { struct { char c; int i; } s; uchar b[8]; };
        constant union W table[2] = {{.b = {1, 2, 3}}, {{1, 2}}};
        kernel void k(global union U *u, global union W *w, int n) { union U a = u[n]; a.w[3] = 1; u[1] = a; w[0] = w[1]; w[2] = table[n]; })");
    check_lines(
        text, {"%union_U = OpTypeStruct %_arr_v4uint_ulong_1", "%union_W = OpTypeStruct %_arr_uint_ulong_2"});
}

TEST_CASE("records that point to themselves") {
    assembly(R"(struct N { struct N *next; struct N *others[3]; int v; };
        kernel void k(global int *p) { struct N a, b; a.next = &b; b.next = &a; a.others[1] = a.next; a.next->next->v = 4;
            p[0] = a.others[1]->next->v; })");
}

TEST_CASE("structs pass by value, nest, and come out of calls") {
    const std::string text =
        assembly(R"(struct In { int a[3]; bool b; }; struct Out { struct In in; float4 f; };
        struct Out make(int n) { struct Out o = {{{n, 2}, n > 1}, (float4)(n)}; return o; }
        int use(struct Out o) { return o.in.a[1] + o.in.b; }
        struct Arg { int a[3]; };
        kernel void k(global int *p, struct Arg arg) { struct Out o = make(p[0]); p[1] = use(o) + make(3).in.a[0] + arg.a[2];
            struct Out q; q = p[2] ? o : make(7); p[3] = use(q); arg.a[0] = 1; p[4] = arg.a[0]; })");
    check_lines(text, {"FuncParamAttr ByVal", "OpFunctionCall %struct_Out"});
}

TEST_CASE("initialisers") {
    const std::string text = assembly(R"(struct P { int x, y; }; struct Q { struct P p[2]; char name[8]; };
        kernel void k(global int *p, int n) {
            int a[4] = {1, 2, 3}; int big[100] = {1, 2}; int zeros[64] = {0}; int dyn[20] = {n, 2, n + 1};
            struct Q q = {.p[1].y = 3, .name = "abc"}; struct P r = {n}; float4 v = {1, 2, n, 4}; char s[] = "hello";
            int m[2][3] = {{1, 2, 3}, {n, 5}}; struct P t[] = {[2] = {1, 2}, [0].x = 4};
            p[0] = a[n] + big[n] + zeros[n] + dyn[n] + q.p[1].y + q.name[n] + r.y + (int)v.z + s[n] + m[1][n] + t[n].x; })");
    check_lines(text, {"OpCopyMemorySized"});
}

TEST_CASE("compound literals") {
    assembly(R"(struct P { int x, y; };
        int sum(struct P p) { return p.x + p.y; }
        kernel void k(global int *p, int n) { struct P *q = &(struct P){n, 2}; q->x++; p[0] = sum((struct P){1, n}) + q->x;
            int *a = (int[]){1, 2, n}; p[1] = a[n]; for (int i = 0; i < 3; ++i) { struct P r = (struct P){i}; p[i] = r.x; } })");
}

TEST_CASE("program-scope constants, and addresses in them") {
    const std::string text = assembly(R"(constant float table[4] = {1, 2, 3, 4}; constant int zero = 0;
        struct E { constant float *at; int n; }; constant struct E entries[2] = {{table, 1}, {&table[2], 2}};
        constant char *constant names[2] = {"one", "two"}; constant union { int i; float f; } u = {.f = 1.0f};
        kernel void k(global float *f, int n) { constant float inside[2] = {5, 6};
            f[0] = table[n] + zero + entries[n].at[n] + names[n][1] + u.i + inside[n]; })");
    check_lines(text, {"OpConstantComposite", "OpVariable %_ptr_UniformConstant", "OpSpecConstantOp",
                       "InBoundsPtrAccessChain"});
}

TEST_CASE("program-scope variables of OpenCL C 2.0") {
    const std::string text =
        assembly(R"(global int counter = 3; int plain; static global float f[3] = {1, 2, 3};
        global int *global where = &counter;
        kernel void k(global int *p) { static int calls; p[0] = counter++ + plain + f[1] + calls++ + *where; })",
                 standard(Standard::CL20));
    check_lines(text, {"OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_3"});
}

TEST_CASE("a constant array longer than an instruction may be is a struct of shorter ones") {
    const auto table = [](size_t count) {
        std::string source = "constant int t[] = {";
        for (size_t i = 0; i < count; ++i) source += "1,";
        return source + "};\nkernel void k(global int *p) { p[0] = t[p[1]]; }";
    };
    check_lines(assembly(table(65532)), {"OpVariable %_ptr_UniformConstant__arr_uint_ulong_65532"});
    check_lines(assembly(table(65533)), {"OpTypeStruct %_arr_uint_ulong_65532 %_arr_uint_ulong_1",
                                         "OpBitcast %_ptr_UniformConstant__arr_uint_ulong_65533"});
    const std::string text = "constant char s[] = \"" + std::string(70000, 'x') + "\";";
    check_lines(assembly(text + "kernel void k(global int *p) { p[0] = s[p[1]]; }"),
                {"OpTypeStruct %_arr_uchar_ulong_65532 %_arr_uchar_ulong_4469"});
    CHECK(declined("kernel void k(global int *p) { constant char *s = \"" + std::string(70000, 'x') +
                   "\"; p[0] = s[p[1]]; }")
              .find("a string with more than 65532 bytes is not supported") != std::string::npos);
}

TEST_CASE("local variables are module-scope Workgroup variables") {
    const std::string text =
        assembly(R"(kernel void k(global float *p) { local float tile[16][16]; local int n;
        size_t i = get_local_id(0); tile[i][1] = p[i]; n = 3; barrier(CLK_LOCAL_MEM_FENCE); p[i] = tile[1][i] + n; })");
    check_lines(text, {"OpName %k_tile \"k.tile\"",
                       "OpVariable %_ptr_Workgroup__arr__arr_float_ulong_16_ulong_16 Workgroup"});
}

TEST_CASE("bool is a byte in memory") {
    const std::string text = assembly(R"(struct B { bool b; int n; };
        bool f(bool a) { return !a; }
        kernel void k(global struct B *p, global int *q) { bool b = q[0]; p[0].b = b; p[1].b = f(p[0].b); bool a[2] = {1, 0}; q[1] = a[q[0]]; })");
    check_lines(text, {"%struct_B = OpTypeStruct %uchar %uint"});
}

TEST_CASE("generic pointers") {
    const std::string text = assembly(R"(int get(int *p) { return *p; }
        kernel void k(global int *g, local int *l) { int x = 3; g[0] = get(g) + get(l) + get(&x);
            int *p = g; p = l; g[1] = p[2]; global int *back = to_global(p); if (back) back[0] = 1; })",
                                      standard(Standard::CL20));
    check_lines(text, {"OpCapability GenericPointer", "OpPtrCastToGeneric"});
}
