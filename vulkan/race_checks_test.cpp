// SPDX-License-Identifier: Apache-2.0
// Checks of data races: planted ones are reported at one of their lines, and what looks like them is not.
#include "builtins/builtin_library.h"
#include "tests/support/why.h"
#include "vulkan/kernel_checks_fixture.h"
#include "vulkan/translate/translate.h"

using namespace caldera;

namespace {

constexpr uint32_t kGroup = 16;  // work-items of each of four work-groups

constexpr Planted kRaces[] = {
    {"in[g] = l;   out[0] = g;", 3, "at faults.cl:3:14, kernel 'test'"},
    {"if (n > 4)\n    scratch[3] = g;", 4, "at faults.cl:4:5, kernel 'test'"},
    {"out[0] = g;", 3, "store of 4 bytes in a data race"},
    {"out[l] = g;", 3, "of another group writes it, and nothing orders the two"},
    {"if (g < 16) out[l & 7] = g;", 3, "of the group writes it"},
    {"out[g] = l;\nin[g] = out[g ^ 1];", 4, "load of 4 bytes in a data race", 3},
    {"in[g] = out[g + 1 & 63];\nout[g] = 1;", 4, "in a data race", 3},
    {"if (l == 0) out[0] += 1;", 3, "in a data race"},
    {"if (g == 0) out[0] = 1;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nif (g == 63) in[0] = out[0];", 5,
     "of another group", 3},
    {"in[g] = out[7];\nif (g == 9) out[7] = 1;", 4, "in a data race", 3},
    {"atomic_inc(out);\nif (g == 5) out[0] = 1;", 4, "in a data race", 3},
    {"atomic_inc(out);\nin[g] = out[0];", 4, "in a data race", 3},
    {"if (g == 5) out[0] = 1;\natomic_inc(out);", 4, "in a data race", 3},
    {"if (g == 5) out[0] = 1;\natomic_cmpxchg(out, g, 42);", 4, "in a data race", 3},
    {"local int a;\nif (l == 0) a = 0;\natomic_inc(&a);\nsync();\nout[g] = a;", 5, "in local variable 'a'",
     4},
    {"((global char *)out)[g] = 1;\nin[g] = ((global char *)out)[g ^ 2];", 4, "load of 1 byte", 3},
    {"((global short *)out)[2 * g + 1] = 1;\nout[g ^ 1] = 2;", 4, "in a data race", 3},
    {"((global long *)out)[0] = l;", 3, "store of 8 bytes"},
    {"vstore4((int4)(l), 0, out + (g & 31));", 3, "store of 16 bytes"},
    {"((global int4 *)out)[l & 7] = (int4)(l);", 3, "store of 16 bytes"},
    {"((global int4 *)out)[l & 7].z = l;", 3, "in a data race"},
    {"((global struct Pair *)out)[g / 2].second = l;", 3, "store of 4 bytes"},
    {"struct Pair p = {1, 2};\n((global struct Pair *)out)[g / 2] = p;", 4, "store of 8 bytes"},
    {"put(out);", 1, "function 'put' of kernel 'test'"},
    {"counters[0] = l;", 3, "in variable 'counters'"},
    {"if (g < 4) put(others);\nelse put(others + (g & 3));", 1, "function 'put' of kernel 'test'"},
    {"counters[l & 3] = l;", 3, "in variable 'counters'"},
    {"global int *p = n == 64 ? out : in;\n*p = l;", 4, "a buffer of 256 bytes"},
    {"int *p = scratch;\nif (n == 64) p = out;\n*p = l;", 5, "a buffer of 256 bytes"},
    {"int *p = scratch;\nif (n == 0) p = out;\n*p = l;", 5, "in local memory"},
    {"scratch[0] = l;", 3, "in local memory; work-item number"},
    {"put_any(scratch);", 1, "function 'put_any' of kernel 'test'"},
    {"local int a[16];\na[l] = l;\nout[g] = a[15 - l];", 5, "in local variable 'a'", 4},
    {"local char a[16];\na[l] = l;\nout[g] = a[15 - l];", 5, "load of 1 byte", 4},
    {"local short a[16];\na[l] = l;\nout[g] = a[l ^ 1];", 5, "load of 2 bytes", 4},
    {"local float4 a[16];\na[l] = (float4)(l);\nout[g] = (int)a[l ^ 1].y;", 5, "load", 4},
    {"local struct Pair a[16];\na[l].first = 1;\nout[g] = a[l ^ 4].first;", 5, "load of 4 bytes", 4},
    {"local int a;\nif (l == 0) a = n;\nout[g] = a;", 5, "in local variable 'a'", 4},
    {"local int a;\nif (l == 0) a = n;\nsync();\nout[g] = a;\nif (l == 1) a = 0;", 7, "in local variable 'a'",
     6},
    {"scratch[l] = in[g];\nsync();\nint x = scratch[l + 1 & 15];\nscratch[l] = x;", 6, "in a data race", 5},
    {"scratch[l] = 1;\nsync();\nfor (int s = 8; s > 0; s >>= 1) {\nif (l < s) scratch[l] += scratch[l + "
     "s];\n}",
     6, "in a data race"},
    {"for (int i = 0; i < 4; ++i) {\nscratch[l] = i;\nsync();\nout[g] += scratch[l ^ 1];\n}", 4,
     "in a data race", 6},
    {"local int a;\natomic_inc(&a);\nout[g] = a;", 5, "load of 4 bytes", 4},
    {"if (g < 2) out[5] = g;", 3, "20 bytes into the buffer of 256 bytes that argument 'out' points to"},
    {"((global char *)out)[g / 2] = g;", 3, "store of 1 byte"},
    {"((global short *)out)[g / 2] = g;", 3, "store of 2 bytes"},
    {"scratch[l & 3] = l;", 3, "in local memory"},
    {"vstore2((int2)(1, 2), 0, scratch + (l & 7));", 3, "store of 8 bytes"},
    {"if (l < 8) vstore8((int8)(l), 0, scratch + l);", 3, "store of 32 bytes"},
    {"if (g == 0) out[0] = 1;\nif (g == 40) out[0] = 2;", 4, "of another group writes it", 3},
    {"if (g < 3) ((global long *)out)[1] = (long)(g & 1) << 40;", 3, "store of 8 bytes"},
    {"((global float2 *)out)[0] = (float2)(0.0f, g == 60 ? -0.0f : 0.0f);", 3, "store of 8 bytes"},
    {"out[0] = 1;\nif (g == 40) in[0] = out[0];", 4, "in a data race", 3},
    {"((global struct Pair *)out)[0] = ((global struct Pair *)in)[1];", 3, "store of 8 bytes"},
    {"out[0] = 1;\nif (g == 40) atomic_inc(out);", 4, "in a data race", 3},
    {"event_t e = async_work_group_copy(scratch, in + 16 * get_group_id(0), 16, 0);\nout[g] = scratch[l];\n"
     "wait_group_events(1, &e);",
     4, "an asynchronous copy or work-item number 1023 of the group writes it", 3},
    {"scratch[l] = l;\nevent_t e = async_work_group_copy(out + g - l, scratch, 16, 0);\nwait_group_events(1, "
     "&e);",
     4, "copy in a data race\n    at faults.cl:4:13", 3},
    {"scratch[l] = l;\nsync();\nevent_t e = async_work_group_copy(out, scratch, 16, "
     "0);\nwait_group_events(1, &e);",
     5, "bytes into the buffer of 256 bytes that argument 'out' points to; an asynchronous copy"},
    {"scratch[l] = scratch[l + 16] = l;\nsync();\nevent_t e = async_work_group_copy(out + g - l, scratch, "
     "16, 0);\n"
     "e = async_work_group_copy(out + g - l, scratch + 16, 16, e);\nwait_group_events(1, &e);",
     6, "1023 of the group writes it"},
    {"local char a[16];\nevent_t e = async_work_group_copy(a, (global char *)in, 16, 0);\nout[g] = a[l];\n"
     "wait_group_events(1, &e);",
     5, "in local variable 'a'; an asynchronous copy", 4},
    {"local float4 a[4];\nif (l == 9) a[3].w = 1.0f;\n"
     "event_t e = async_work_group_copy(a, (global float4 *)in, 4, 0);\nwait_group_events(1, &e);",
     5, "copy in a data race", 4},
    {"event_t e = async_work_group_strided_copy(scratch, in, 16, 3, 0);\nif (g == 5) in[21] = 1;\n"
     "wait_group_events(1, &e);",
     4, "in a data race", 3},
    {"out[g] = l;\nsync();\nin[g] = out[g ^ 1];", 5, "load of 4 bytes in a data race", 3},
    {"scratch[l] = l;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[g] = scratch[15 - l];", 5,
     "load of 4 bytes in a data race", 3},
    {"scratch[l] = l;\nbarrier(0);\nout[g] = scratch[15 - l];", 5, "in a data race", 3},
    {"scratch[l] = l;\nbarrier(n == 0 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);\nout[g] = scratch[15 - "
     "l];",
     5, "in a data race", 3},
    {"int *p = scratch;\nif (n == 0) p = in;\np[l] = l;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[g] = p[15 - l];",
     7, "in local memory", 5},
    {"int *p = scratch;\nif (n == 64) p = in;\np[g] = l;\nsync();\nout[g] = p[g ^ 1];", 7,
     "a buffer of 256 bytes", 5},
};

// Stores of one value by several work-items, which race only where that counts.
constexpr Planted kSame[] = {
    {"if (g < 2) out[5] = 1;", 3, "20 bytes into the buffer of 256 bytes that argument 'out' points to"},
    {"((global char *)out)[g / 2] = 1;", 3, "store of 1 byte"},
    {"((global short *)out)[g / 2] = 1;", 3, "store of 2 bytes"},
    {"scratch[l & 3] = 1;", 3, "in local memory"},
    {"vstore2((int2)(1), 0, scratch + (l & 7));", 3, "store of 8 bytes"},
    {"if (l < 8) vstore8((int8)(1), 0, scratch + l);", 3, "store of 32 bytes"},
    {"out[0] = n;", 3, "writes it, and nothing orders the two"},
    {"((global float4 *)out)[l & 1] = (float4)(n);", 3, "store of 16 bytes"},
    {"((global long *)out)[0] = n;", 3, "store of 8 bytes"},
    {"((global char3 *)out)[0] = (char3)(n);", 3, "store of 3 bytes"},
    {"local int last;\nlast = n;\nsync();\nout[g] = last;", 4, "in local variable 'last'"},
    {"int *p = scratch;\nif (n == 64) p = out;\n*p = n;", 5, "a buffer of 256 bytes"},
    {"if (in[g] == 0) out[0] = 1;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[0] = 1;", 3, "in a data race", 5},
};

constexpr const char* kOrdered[] = {
    "scratch[l] = l;\nbarrier(n == 64 ? CLK_LOCAL_MEM_FENCE : 0);\nout[g] = scratch[15 - l];",
    "out[g] = scratch[l] = l;\nbarrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "in[g] = out[g ^ 1] + scratch[15 - l];",
    "out[g] = l;\nsync();\nbarrier(CLK_GLOBAL_MEM_FENCE);\nsync();\nin[g] = out[g ^ 1];",
    "int *p = scratch;\nif (n == 0) p = in;\np[l] = l;\nsync();\nout[g] = p[15 - l];",
    "int *p = scratch;\nif (n == 64) p = in;\np[g] = l;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[g] = p[g ^ 1];",
    "out[g] = scratch[l] = l;\nif (work_group_all(n == 64)) in[g] = out[g ^ 1] + scratch[15 - l];",
    "out[g] = in[g];",
    "out[g] = in[0] + in[1] + in[g ^ 1];",
    "if (g == 0) out[0] = 1;",
    "out[g] = l;\nout[g] += 1;\nin[g] = out[g];",
    "((global char *)out)[g] = 1;\n((global char *)out)[g] += 2;",
    "((global short *)out)[g] = ((global short *)in)[g];",
    "((global char *)out)[g * 3] = 1;\n((global char *)out)[g * 3 + 1] = 2;\n((global char *)out)[g * 3 + 2] "
    "= 3;",
    "if (g & 1) ((global struct Pair *)out)[g / 2].first = 1;\nelse ((global struct Pair *)out)[g / "
    "2].second = 2;",
    "if (g < 16) vstore4((int4)(l), g, out);",
    "if (g < 8) ((global long4 *)out)[g] = (long4)(l);",
    "struct Packed p = {1, 2};\nif (g < 48) ((global struct Packed *)out)[g] = p;",
    "out[g] = l;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nin[g] = out[g ^ 1];",
    "in[g] = out[g ^ 1];\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[g] = l;",
    "scratch[l] = l;\nsync();\nout[g] = scratch[15 - l];",
    "local char a[16];\na[l] = l;\nsync();\nout[g] = a[l ^ 1];",
    "local struct Pair a[16];\na[l].first = 1;\na[l].second = 2;\nsync();\nout[g] = a[l ^ 4].first;",
    "local int a;\nif (l == 0) a = n;\nsync();\nout[g] = a;\nsync();\nif (l == 1) a = 0;",
    "scratch[l] = 1;\nsync();\nfor (int s = 8; s > 0; s >>= 1) {\nif (l < s) scratch[l] += scratch[l + "
    "s];\nsync();\n}",
    "for (int i = 0; i < 600; ++i) {\nscratch[l] = i;\nsync();\nout[g] += scratch[l ^ 1];\nsync();\n}",
    "for (int i = 0; i < 4; ++i) {\nscratch[(i & 1) * 16 + l] = i;\nsync();\nout[g] += scratch[(i & 1) * 16 "
    "+ (l ^ 1)];\n}",
    "atomic_inc(out);\natomic_add(&out[1], 2);",
    "out[g] = 1;\natomic_inc(out + g);\nif (g == 0) in[0] = out[0];",
    "scratch[l] = 1;\natomic_inc(scratch + l);\nsync();\natomic_inc(scratch + (l ^ 1));",
    "local int a;\nif (l == 0) a = 0;\nsync();\natomic_inc(&a);\nsync();\nout[g] = a;",
    "volatile global int *p = out;\nint x = *p;\n*p = x + 1;",
    "int a[4];\nfor (int i = 0; i < 4; ++i) a[i] = l;\nout[g] = a[n & 3];",
    "out[g] = 1;\nmem_fence(CLK_GLOBAL_MEM_FENCE);\nif (atomic_inc(in) == 63) {\nint sum = 0;\n"
    "for (int i = 0; i < 64; ++i) sum += out[i];\nin[1] = sum;\n}",
    "out[g] = 1;\nlocal int last;\nbarrier(CLK_GLOBAL_MEM_FENCE);\n"
    "if (l == 0) last = atomic_fetch_add((global atomic_int *)in, 1) == 3;\nsync();\n"
    "if (last) in[1 + l] = out[63 - l];",
    "event_t e = async_work_group_copy_2D2D(scratch, 0, in, 0, 4, 4, 4, 8, 4, 0);\nwait_group_events(1, "
    "&e);\n"
    "out[g] = scratch[l ^ 1];",
    "event_t e = async_work_group_copy(scratch, in, 16, 0);\nwait_group_events(1, &e);\nout[g] = scratch[l ^ "
    "1];",
    "out[g] = work_group_reduce_add(l);",
    "scratch[l] = l;\nsync();\nevent_t e = async_work_group_copy(out + g - l, scratch, 16, 0);\n"
    "wait_group_events(1, &e);\nscratch[l] = out[g ^ 1];",
    "event_t e = async_work_group_copy(scratch, in, 16, 0);\ne = async_work_group_copy(scratch + 16, in, 16, "
    "e);\n"
    "out[g] = l;\nwait_group_events(1, &e);\nout[g] = scratch[15 - l] + scratch[16 + l];",
    "event_t e = async_work_group_strided_copy(scratch, in, 16, 3, 0);\nif (g == 5) in[22] = 1;\n"
    "wait_group_events(1, &e);",
    "for (int i = 0; i < 40; ++i) {\nevent_t e = async_work_group_copy(scratch, in + (i & 7), 16, 0);\n"
    "wait_group_events(1, &e);\nout[g] += scratch[l ^ 1];\nsync();\n}",
    "put(out + g);\nput_any(scratch + l);\nout[g] = get(in) + get_any(scratch + l);",
    "int *p = scratch + l;\nif (n == 0) p = out;\n*p = l;",
    "if (g == 3) counters[0] = 1;\nif (g == 40) counters[1] = 1;",
    "if (g < 4) put(counters + g);\nif (g > 59) put(others + (g & 3));",
};

}  // namespace

TEST_CASE("data races are reported at one of their lines") {
    using enum vulkan::MemoryChecks;
    Checked checked(Races | SameRaces, kGroup);
    if (!checked.has_addresses()) return;
    for (const Planted& fault : kRaces) checked.find(fault);
    for (const Planted& fault : kSame) checked.find(fault);
    for (const char* body : kOrdered) checked.find_nothing(body);
}

/// Branches of which each work-item takes one, in a line of its own: `number` chooses it, and `store` says
/// what it does.
std::string chain(const std::string& number, int first, int count, const std::string& store) {
    std::string text;
    for (int i = first; i < first + count; ++i) {
        std::string own = store;
        while (own.find('#') != std::string::npos) own.replace(own.find('#'), 1, std::to_string(i));
        text += (i == first ? "\nif (" : "\nelse if (") + number + " == " + std::to_string(i) + ") " + own;
    }
    return text;
}

TEST_CASE("data races in many branches are reported, though their accesses are noted together behind them") {
    using enum vulkan::MemoryChecks;
    Checked checked(Races | SameRaces, kGroup);
    if (!checked.has_addresses()) return;
    const auto find_in_lines = [&](const std::string& body, int lines, const char* where) {
        INFO(body);
        const std::string text = checked.report_of(body);
        INFO(text);
        size_t reports = 0;
        for (size_t at = text.find("faults.cl:"); at != std::string::npos;
             at = text.find("faults.cl:", at + 1))
            ++reports;
        for (int line = 4; line < 4 + lines; ++line)
            CHECK(text.find("faults.cl:" + std::to_string(line) + ":") != std::string::npos);
        CHECK(reports == static_cast<size_t>(lines));
        CHECK(text.find(where) != std::string::npos);
    };
    // Two work-items each take the same way. There are many ways, or several times a few.
    constexpr int kPairs = kItems / 2;
    find_in_lines(chain("g / 2", 0, kPairs, "out[#] = g;"), kPairs, "that argument 'out' points to");
    find_in_lines("for (int turn = 0; turn < 3; ++turn) {" + chain("g / 2", 0, kPairs, "out[#] = g;") + "}",
                  kPairs, "store of 4 bytes in a data race");
    std::string few;
    for (int first = 0; first < kPairs; first += 4) few += chain("g / 2", first, 4, "out[#] = g;");
    find_in_lines(few, kPairs, "store of 4 bytes in a data race");
    find_in_lines(chain("g / 2", 0, kPairs, "scratch[#] = g;"), kPairs, "store of 4 bytes in a data race");
    // Accesses before, in and behind loops, from which there are several ways on and out.
    const auto reads = [](int first, int count, const std::string& then) {
        std::string text;
        for (int i = first; i < first + count; ++i)
            text += "if (in[" + std::to_string(i) + "] == 77) " + then + "\n";
        return text;
    };
    const auto find_in_many = [&](const std::string& body) {
        INFO(body);
        const std::string text = checked.report_of(body);
        INFO(text);
        CHECK(text.find("store of 4 bytes in a data race") != std::string::npos);
    };
    find_in_many(reads(0, 40, "return;") + "out[g / 2] = g;");
    find_in_many("out[g / 2] = g;\n" + reads(0, 40, "return;"));
    find_in_many("for (int turn = 0; turn < 3; ++turn) {\n" + reads(0, 40, "continue;") +
                 "out[64 * turn + g / 2] = g;\n}");
    find_in_many("for (int turn = 0; turn < 3; ++turn) {\nout[g / 2 + turn] = g;\nif (turn == 1) break;\n" +
                 reads(0, 40, "break;") + "}");
    find_in_many(reads(0, 40, "return;") + "scratch[l / 2] = l;\nsync();\nout[g] = scratch[l];");
    checked.find_nothing(
        (reads(0, 40, "return;") + "scratch[l] = l;\nsync();\nout[g] = scratch[l ^ 1];").c_str());
    checked.find_nothing(("for (int turn = 0; turn < 3; ++turn) {\n" + reads(0, 40, "continue;") +
                          "scratch[l] = l;\nsync();\nout[g] = scratch[l ^ 1];\nsync();\n}")
                             .c_str());
    // One work-item takes each way, and what follows a barrier is ordered.
    checked.find_nothing(chain("g", 0, kItems, "out[#] = in[#];").c_str());
    checked.find_nothing(
        (chain("g", 0, kItems, "scratch[l] = #;") + "\nsync();\nout[g] = scratch[l ^ 1];").c_str());
    checked.find_nothing(
        (chain("g", 0, kItems, "{ scratch[l] = #; sync(); }") + "\nout[g] = scratch[l ^ 1];").c_str() +
        0 * kPairs);
}

TEST_CASE("data races in a large function are reported at one of their lines") {
    using enum vulkan::MemoryChecks;
    Checked checked(Races | SameRaces, kGroup);
    if (!checked.has_addresses()) return;
    // What follows makes the function large, and races with nothing.
    std::string reads;
    for (int i = 0; i < 40; ++i)
        reads += " if (((global char *)quiet)[" + std::to_string(i % 16) + " + (n & " + std::to_string(i) +
                 ")] == 77) return;";
    for (const Planted& fault : kRaces) {
        const std::string body = fault.body + reads;
        Planted large = fault;
        large.body = body.c_str();
        checked.find(large);
    }
    for (const char* body : kOrdered) checked.find_nothing((body + reads).c_str());
}

/// How many calls of a kernel's module note accesses.
size_t notes_of(const std::string& body, bool masks_branches) {
    const frontend::CompileResult compiled =
        frontend::compile("kernel void k(global int *out, int x) { " + body + "}", "a.cl", {});
    REQUIRE_MESSAGE(compiled, compiled.log);
    vulkan::TranslateOptions options;
    options.checks = vulkan::MemoryChecks::Races | vulkan::MemoryChecks::SameRaces;
    options.profile.quirks.masks_branches = masks_branches;
    const auto made = vulkan::translate(compiled.words, options, builtin_library());
    REQUIRE_MESSAGE(made, why(made));
    const std::string text = spirv::disassemble(made->words).value();
    size_t calls = 0;
    for (size_t at = text.find("OpFunctionCall %ulong %_Z10check_race"); at != std::string::npos;
         at = text.find("OpFunctionCall %ulong %_Z10check_race", at + 1))
        ++calls;
    return calls;
}

TEST_CASE("accesses of a large function are noted together for a driver that runs the code of all branches") {
    const std::string branches = chain("x", 0, 40, "out[#] = x;");
    CHECK(notes_of(branches, true) <= 1);  // a function that is called once is inlined
    CHECK(notes_of(branches, false) == 40);
    // The conditions have accesses of their own, and there are several ways out.
    std::string returns;
    for (int i = 0; i < 40; ++i) returns += "if (out[" + std::to_string(i) + "] == x) return;\n";
    CHECK(notes_of(returns, true) <= 1);
    CHECK(notes_of(returns, false) == 40);
    // A loop notes its accesses before it goes on.
    CHECK(notes_of("for (int j = 0; j < x; ++j) {" + returns + "}", true) <= 2);
    // Few accesses, or as many barriers, are noted where they are.
    CHECK(notes_of(chain("x", 0, 10, "out[#] = x;"), true) == 10);
    std::string spans;
    for (int i = 0; i < 40; ++i) spans += "out[" + std::to_string(i) + "] = x;\nbarrier(1);\n";
    CHECK(notes_of(spans, true) == 40);
}

TEST_CASE("stores of one value by several work-items are no data races where unequal ones are asked for") {
    Checked checked(vulkan::MemoryChecks::Races, kGroup);
    if (!checked.has_addresses()) return;
    for (const char* body : kOrdered) checked.find_nothing(body);
    for (const Planted& same : kSame) checked.find_nothing(same.body);
}

TEST_CASE("data races are looked for beside other checks, which do not report what that loads") {
    using enum vulkan::MemoryChecks;
    Checked checked(Races | Bounds | Alignment, kGroup);
    if (!checked.has_addresses()) return;
    checked.find({"out[0] = g;", 3, "store of 4 bytes in a data race"});
    const std::string outside = checked.report_of("out[g + 1] = n;");
    CHECK_MESSAGE(outside.find("store of 4 bytes out of bounds") != std::string::npos, outside);
    CHECK_MESSAGE(outside.find("load") == std::string::npos, outside);
    const std::string misaligned = checked.report_of("*(global int *)((global char *)out + 4 * g + 1) = n;");
    CHECK_MESSAGE(misaligned.find("store of 4 bytes at a misaligned address") != std::string::npos,
                  misaligned);
    CHECK_MESSAGE(misaligned.find("load") == std::string::npos, misaligned);
}

TEST_CASE("a store that is compared is between fences, so that its shadow is never ahead of it") {
    const frontend::CompileResult compiled =
        frontend::compile("kernel void k(global int *o, int n) { o[n] = 5; }", "a.cl", {});
    REQUIRE_MESSAGE(compiled, compiled.log);
    vulkan::TranslateOptions options;
    options.checks = vulkan::MemoryChecks::Races;
    const auto made = vulkan::translate(compiled.words, options, builtin_library());
    REQUIRE_MESSAGE(made, why(made));
    const std::string text = spirv::disassemble(made->words).value();
    INFO(text);
    const size_t shadow = text.find("OpAtomicLoad"), acquire = text.find("OpMemoryBarrier", shadow),
                 store = text.find("OpStore", acquire), release = text.find("OpMemoryBarrier", store),
                 exchange = text.find("OpAtomicExchange", release);
    CHECK(shadow != std::string::npos);
    CHECK(exchange != std::string::npos);
    CHECK(text.find("OpMemoryBarrier") == acquire);
    CHECK(text.find("OpMemoryBarrier", acquire + 1) == release);
    CHECK(text.find("OpAtomicExchange") == exchange);
}

TEST_CASE(
    "what the library keeps of a work-group's sub-groups has no guards, unlike a program's own memory") {
    const auto guarded = [](const std::string& body) {
        const frontend::CompileResult compiled = frontend::compile(
            "kernel void k(global uint *o) { " + body + " }", "a.cl", {.standard = frontend::Standard::CL20});
        REQUIRE_MESSAGE(compiled, compiled.log);
        vulkan::TranslateOptions options;
        options.checks = vulkan::MemoryChecks::Guard;
        options.profile.max_local_invocations = 1024;
        options.profile.min_subgroup_size = 4;
        const auto made = vulkan::translate(compiled.words, options, builtin_library());
        REQUIRE_MESSAGE(made, why(made));
        // Beside guards, an array has one element more.
        return spirv::disassemble(made->words).value().find("= OpConstant %uint 257\n") != std::string::npos;
    };
    CHECK_FALSE(guarded("o[0] = work_group_reduce_max(o[get_local_id(0)]);"));
    CHECK(guarded("local uint own[256]; own[o[1]] = o[2]; barrier(CLK_LOCAL_MEM_FENCE); o[0] = own[o[3]];"));
}
