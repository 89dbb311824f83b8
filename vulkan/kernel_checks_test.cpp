// SPDX-License-Identifier: Apache-2.0
// Checks of alignment and barriers: planted faults are reported at their line, and what looks like them is
// not.
#include "vulkan/kernel_checks_fixture.h"

using namespace caldera;

namespace {

constexpr Planted kMisaligned[] = {
    {"out[0] = *(global int *)((global char *)in + 1);", 3,
     "no multiple of 4, 1 byte into the buffer of 256 bytes that argument 'in' points to"},
    {"\n((global float4 *)(out + 1))[0] = (float4)(1);", 4, "store of 16 bytes at a misaligned address"},
    {"*(global short *)((global char *)out + n - 63) = 1;", 3, "no multiple of 2, 1 byte into"},
    {"atomic_inc((global int *)((global char *)out + 2));", 3, "atomic operation of 4 bytes"},
    {"out[0] = vload4(0, (global int *)((global char *)in + 2)).x;", 3, "load of 16 bytes"},
    {"vstore2((int2)(1), n, (global int *)((global char *)out - n * 8 + 2));", 3, "store of 8 bytes"},
    {"out[0] = (int)vload_half(0, (global half *)((global char *)in + 1));", 3, "no multiple of 2"},
    {"out[0] = get((global int *)((global char *)in + 2));", 1, "function 'get' of kernel 'test'"},
    {"out[0] = get_any((global int *)((global char *)in + 3));", 1, "function 'get_any' of kernel 'test'"},
    {"global int *p = &((global struct Packed *)in)->b;\nout[0] = *p;", 4, "1 byte into"},
    {"((global long *)(out + 1))[0] = 1;", 3, "no multiple of 8, 4 bytes into"},
    {"((global struct Pair *)((global char *)out + 2))[0] = ((global struct Pair *)in)[0];", 3,
     "no multiple of 4"},
    {"int3 v = *(global int3 *)(in + 1);\nout[0] = v.y;", 3, "no multiple of 16, 4 bytes into"},
    {"((global int3 *)(out + 1))[0] = (int3)(1);", 3, "store of 12 bytes"},
    {"char a[16];\nfor (int i = 0; i < 16; ++i) a[i] = in[i];\nout[0] = *(int *)(a + (n & 1) + 1);", 5,
     "in private variable 'a' of 16 bytes"},
    {"local char a[64];\na[l] = 1;\nout[0] = *(local int *)(a + (l | 1));", 5,
     "in local variable 'a' of 64 bytes"},
    {"out[0] = *(local int *)((local char *)scratch + (n | 1));", 3, "no multiple of 4"},
    {"((global int2 *)(out + 1))[0] = (int2)(1);", 3, "store of 8 bytes"},
    {"out[0] = ((global short *)((global char *)in + 1))[n];", 3, "no multiple of 2"},
    {"((global ushort4 *)(out + 1))[0] = (ushort4)(1);", 3, "no multiple of 8"},
    {"out[0] = (int)((global long *)(in + n - 63))[0];", 3, "no multiple of 8, 4 bytes into"},
    {"((global int16 *)(out + 4))[0] = (int16)(1);", 3, "store of 64 bytes"},
    {"atomic_add((global int *)((global char *)out + n + 3), 1);", 3, "no multiple of 4, 67 bytes into"},
    {"int a[4];\na[0] = a[1] = n;\nout[0] = *(short *)((char *)a + (n & 2) + 1);", 5, "private variable 'a'"},
};

constexpr const char* kAligned[] = {
    "out[0] = ((global struct Packed *)in)->b;",
    "struct Packed p = ((global struct Packed *)in)[1];\nout[0] = p.b;",
    "vstore4(vload4(0, in + 1), 0, out + 3);",
    "((global int4 *)out)[1] = ((global int4 *)in)[n / 64];",
    "global char *p = (global char *)in;\nout[0] = p[1] + p[2];",
    "out[0] = *(global int *)((global char *)in + 4);",
    "out[0] = get((global int *)((global char *)in + n)) + get_any(scratch + 1);",
    "char a[16];\nfor (int i = 0; i < 16; ++i) a[i] = in[i];\nout[0] = *(int *)(a + (n & 12));",
    "local struct Pair pairs[64];\npairs[l].second = l;\nout[l] = pairs[l].second;",
    "int3 v = vload3(0, in + 1);\nvstore3(v, 1, out + 2);",
    "if (n == 0) *(global int *)3 = 1;",
    "struct Packed p[2] = {{1, 2}, {3, 4}};\np[n & 1].b = n;\nout[0] = p[l & 1].b;",
};

constexpr Planted kMissed[] = {
    {"if (l < 16)\nbarrier(CLK_LOCAL_MEM_FENCE);", 4,
     "16 of 64 work-items came, and number 16 of the group is the first that did not"},
    {"if (l == 5) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", 4, "63 of 64 work-items came, and number 5"},
    {"for (int i = 0; i < l; ++i)\nbarrier(CLK_LOCAL_MEM_FENCE);", 4,
     "63 of 64 work-items came, and number 0"},
    {"if (l & 1) sync();", 1, "function 'sync' of kernel 'test'"},
    {"switch (l & 3) {\ncase 0: barrier(CLK_LOCAL_MEM_FENCE); break;\ndefault: break;\n}", 4,
     "16 of 64 work-items"},
    {"while (1) {\nif (l == 7) break;\nbarrier(CLK_LOCAL_MEM_FENCE);\nif (n) break;\n}", 5, "number 7"},
    {"int x = l;\nif (l > 40) x = work_group_reduce_add(l);\nout[l] = x;", 4, "23 of 64 work-items"},
    {"event_t e = 0;\nif (l < 8)\ne = async_work_group_copy(scratch, in, 16, 0);\nwait_group_events(1, &e);",
     5, "work-item", 6},  // those that wait at line 6 may be the first
    {"barrier(CLK_LOCAL_MEM_FENCE);\nif (l != 63)\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[l] = 1;", 5,
     "number 63"},
    {"if (l < 32) sync();\nout[l] = 1;", 1, "32 of 64 work-items came"},
    {"int i = 0;\ndo {\nbarrier(CLK_LOCAL_MEM_FENCE);\n} while (++i < l / 32 + 1);", 5, "32 of 64"},
    {"if (n == 64 && l == 63) goto end;\nbarrier(CLK_LOCAL_MEM_FENCE);\nend:\nout[l] = 1;", 4, "number 63"},
    {"if (in[l] == 0 && l < n - 1)\nwork_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);", 4,
     "63 of 64"},
};

constexpr const char* kReached[] = {
    "barrier(CLK_LOCAL_MEM_FENCE);\nbarrier(CLK_GLOBAL_MEM_FENCE);",
    "for (int i = 0; i < n; ++i) barrier(CLK_LOCAL_MEM_FENCE);",
    "if (n == 64) barrier(CLK_LOCAL_MEM_FENCE);\nelse barrier(CLK_LOCAL_MEM_FENCE);",
    "sync();\nif (l == 0) return;\nout[l] = 1;",
    "out[l] = work_group_reduce_add(l);\nsync();",
    "event_t e = async_work_group_copy(scratch, in, 16, 0);\nwait_group_events(1, &e);\nout[0] = scratch[1];",
    "if (l == 3) out[l] = in[l];\nsync();\nfor (int i = 0; i < 8; i += 4) sync();",
    "switch (n & 3) {\ncase 0: sync(); break;\ndefault: return;\n}\nsync();",
};

}  // namespace

TEST_CASE("accesses to misaligned addresses are reported at their line") {
    Checked checked(vulkan::MemoryChecks::Alignment);
    if (!checked.has_addresses()) return;
    for (const Planted& fault : kMisaligned) checked.find(fault);
    for (const char* body : kAligned) checked.find_nothing(body);
}

TEST_CASE("barriers that some work-items miss are reported at their line") {
    Checked checked(vulkan::MemoryChecks::Barriers);
    if (!checked.has_addresses()) return;
    for (const Planted& fault : kMissed) checked.find(fault);
    for (const char* body : kReached) checked.find_nothing(body);
}

TEST_CASE("kinds of checks work together, and reports are JSON where that is asked for") {
    setenv("CALDERA_CHECK_FORMAT", "json", 1);
    Checked checked(vulkan::MemoryChecks::Bounds | vulkan::MemoryChecks::Alignment |
                    vulkan::MemoryChecks::Barriers);
    unsetenv("CALDERA_CHECK_FORMAT");
    if (!checked.has_addresses()) return;
    const std::string text = checked.report_of(
        "if (l == 0) out[n] = 1;\n*(global int *)((global char *)in + 2) = 1;\nif (l != 1) sync();");
    CHECK_MESSAGE(
        text.find(R"("kind":"bounds","access":"store","size_bytes":4,"file":"faults.cl","line":3)") !=
            std::string::npos,
        text);
    CHECK_MESSAGE(
        text.find(R"("kind":"alignment","access":"store","size_bytes":4,"file":"faults.cl","line":4)") !=
            std::string::npos,
        text);
    CHECK_MESSAGE(text.find(R"("kind":"barriers","file":"faults.cl","line":1)") != std::string::npos, text);
    for (const char* body : kAligned) checked.find_nothing(body);
    for (const char* body : kReached) checked.find_nothing(body);
}
