// SPDX-License-Identifier: Apache-2.0
// Checks of accesses: planted faults are reported at their line, and kernels that may access only what they
// were given find no way to anything else.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <spirv/unified1/spirv.hpp11>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "vulkan/build_program.h"
#include "vulkan/runtime/device_queue.h"
#include "vulkan/runtime/fault_reporter.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"

using namespace caldera;

namespace {

constexpr uint32_t kWords = 64;  // of each buffer
constexpr uint32_t kSecret = 0x5ec7e7;

constexpr const char* kHead =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
    "struct Pair { int first, second; };"
    "constant int table[4] = {7, 7, 7, 7};"
    "global int counters[4];"
    "int get(global const int *from, long at) { return from[at]; }"
    "int get_generic(const int *from) { return *from; }"
    "int sum_private(private const int *from, int n) { int s = 0; for (int i = 0; i < n; ++i) s += from[i]; "
    "return s; }"
    "int sum_local(local const int *from, int n) { int s = 0; while (n--) s += *from++; return s; }"
    "int sum_any(const int *from, int n) { return n ? from[n - 1] + sum_private((private const int *)0, 0) : "
    "0; }"
    "int through(private const int *from, int n) { return sum_private(from + 1, n); }"
    "void set_last(private int *to, int n) { to[n - 1] = 1; }"
    "struct Walk { private int *at; int left; }; union Any { private int *at; ulong bits; };"
    "int next(struct Walk *walk) { return *walk->at++; }"
    "int walked(struct Walk walk, int i) { return walk.at[i]; }"
    "void keep(private int **to, private int *what) { *to = what; }"
    "void swap(private int **a, private int **b) { private int *kept = *a; *a = *b; *b = kept; }"
    "private int *choose(private int **all, int i) { return all[i]; }"
    "struct Big { int all[4], last; };"
    "void put(global int *to, int at) { to[at] = 1; }"
    "void bump(local int *at) { atomic_inc(at); }"
    "int find(global const int *from, int n) { for (int i = 0;; ++i) { if (from[i] == 9) return i; "
    "if (i > n) return -1; } }"
    "int sum_of(global const struct Pair *p, int n) { int s = 0; for (; n--; ++p) s += p->second; return s; }"
    "void fetch(local int *to, global const int *from) { event_t e = async_work_group_copy(to, from, 8, 0); "
    "wait_group_events(1, &e); }"
    "kernel void test(global int *out, global int *in, ulong there, long far, int n, local int *scratch) {\n";

struct Memory {
    runtime::Buffer out, in, other;
};

runtime::Buffer filled(runtime::Device& device, runtime::Queue& queue, uint32_t value) {
    runtime::Buffer buffer = runtime::Buffer::create(device, kWords * 4).take();
    REQUIRE(queue.fill(buffer, 0, kWords * 4, value));
    REQUIRE(queue.finish());
    return buffer;
}

/// Runs the body as a kernel of one work-item. `there` is an address that is no argument. With `other_form`,
/// faults are reported as for devices that differ in masks_branches.
void run(runtime::Device& device, runtime::Queue& queue, const Memory& memory, const std::string& body,
         uint64_t there, bool other_form = false) {
    BuildOptions options{.profile = device.profile()};
    if (other_form) options.profile->quirks.masks_branches ^= true;
    REQUIRE(frontend::parse_build_options("-cl-std=CL3.0", options.compile));
    const BuildResult built = build_program(device, kHead + body + "\n}\n", "faults.cl", options);
    REQUIRE_MESSAGE(built, body << ": " << built.log);
    runtime::Kernel kernel = runtime::Kernel::create(*built.program, "test").take();
    REQUIRE(kernel.set(0, memory.out));
    REQUIRE(kernel.set(1, memory.in));
    REQUIRE(kernel.set(2, there));
    REQUIRE(kernel.set(3, static_cast<int64_t>(there - memory.in.address()) / 4));
    REQUIRE(kernel.set(4, static_cast<int32_t>(kWords)));
    REQUIRE(kernel.set_local(5, 16 * 4));
    REQUIRE(queue.dispatch(kernel, {.global = {1, 1, 1}, .local = {1, 1, 1}}));
    REQUIRE(queue.finish());
}

void run(runtime::Device& device, runtime::Queue& queue, const Memory& memory, const std::string& body) {
    run(device, queue, memory, body, memory.other.address());
}

std::vector<uint32_t> words_of(runtime::Queue& queue, const runtime::Buffer& buffer) {
    std::vector<uint32_t> words(kWords);
    REQUIRE(queue.download(buffer, 0, std::as_writable_bytes(std::span(words))));
    return words;
}

size_t count(const std::string& text, const std::string& part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// A variable of the environment, for a while.
class Variable {
 public:
    Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
    ~Variable() { unsetenv(name_); }

 private:
    const char* name_;
};

struct Planted {
    const char* body;
    int line;           // of the source: the body begins in line 3
    const char* where;  // a part of the report
};

constexpr Planted kFaults[] = {
    {"out[0] = in[n + 1];", 3, "at faults.cl:3:10, kernel 'test'"},
    {"int i = n;   out[i] = 1;", 3, "at faults.cl:3:14, kernel 'test'"},
    {"if (n > 4)\n    out[0] += in[n + 2];", 4, "at faults.cl:4:15, kernel 'test'"},
    {"out[n] = 1;", 3, "0 bytes after the end of the buffer of 256 bytes that argument 'out' points to"},
    {"\nint x = in[-1];\nout[0] = x;", 4,
     "4 bytes before the beginning of the buffer of 256 bytes that argument 'in'"},
    {"for (int i = 0; i < 65; ++i)\nout[i] = i;", 4, "store of 4 bytes"},
    {"global int *p = out;\nfor (int i = 0; i <= n; ++i)\n*p++ = i;", 5,
     "0 bytes after the end of the buffer"},
    {"vstore4(vload4(16, in), 0, out);", 3, "load of 16 bytes"},
    {"vstore4((int4)(1), 0, out + 62);", 3, "with its last 8 bytes after the end of"},
    {"out[0] = ((global int4 *)in)[n / 4].x;", 3, "argument 'in'"},
    {"atomic_add(&out[n + 1], 1);", 3, "atomic operation of 4 bytes"},
    {"atomic_store((global atomic_int *)out + n, 1);", 3, "atomic operation of 4 bytes"},
    {"*(global int *)0 = 1;", 3, "through a NULL pointer"},
    {"out[0] = *(global int *)(there + 256);", 3, "of 4 bytes"},
    {"event_t e = async_work_group_copy(scratch, in + 60, 16, 0);\nwait_group_events(1, &e);", 3,
     "in part outside of a buffer of 256 bytes"},
    {"event_t e = async_work_group_copy(out + 49, scratch, 16, 0);\nwait_group_events(1, &e);", 3,
     "copy out of bounds"},
    {"((global struct Pair *)out)[0] = ((global struct Pair *)in)[n / 2];", 3, "load of 8 bytes"},
    {"((global struct Pair *)out)[n / 2].second = 1;", 3, "4 bytes after the end of"},
    {"out[0] = get(in, n);", 2, "function 'get' of kernel 'test'"},
    {"const int *p = in + n;\nout[0] = *p;", 4, "load of 4 bytes"},
    {"out[0] = table[n];", 3, "after the end of variable 'table' of 16 bytes"},
    {"counters[n] = 1;", 3, "variable 'counters' of 16 bytes"},
    {"int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nout[0] = a[n];", 5,
     "private variable 'a' of 32 bytes"},
    {"int a[8];\na[n - 65] = 1;\nout[0] = a[n - 64];", 4,
     "4 bytes before the beginning of private variable 'a'"},
    {"local int a[8];\na[n] = 1;\nout[0] = a[n & 7];", 4, "after the end of local variable 'a' of 32 bytes"},
    {"int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nout[0] = vload4(n - 62, a).x;", 5,
     "0 bytes after the end of private variable 'a' of 32 bytes"},
    {"int a[8];\nvstore2((int2)(n), n - 65, a);\nout[0] = a[n & 7];", 4,
     "8 bytes before the beginning of private variable 'a' of 32 bytes"},
    {"char a[40];\nfor (int i = 0; i < 40; ++i) a[i] = in[i];\nout[0] = vload16(n - 62, a).s3;", 5,
     "with its last 8 bytes after the end of private variable 'a' of 40 bytes"},
    {"int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nout[0] = vload4(2, a + (n & 1)).x;", 5,
     "0 bytes after the end of private variable 'a' of 32 bytes"},
    {"local int a[8];\na[0] = n;\nout[0] = vload4(n, a).x;", 5, "local variable 'a' of 32 bytes"},
    {"constant char *s = \"abc\";\nout[0] = s[n];", 4,
     "60 bytes after the end of a string literal of 4 bytes"},
    {"int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nint *p = a + 1;\nout[0] = get_generic(a) + p[n];",
     6, "private variable 'a' of 32 bytes"},
    // by pointers whose variable varies, and in functions
    {"int a[4] = {1, 2}, b[4] = {3, 4};\nprivate int *p = in[0] ? a : b;\nout[0] = p[n];", 5,
     "240 bytes after the end of a private variable of 16 bytes"},
    {"int a[4] = {1, 2};\nint b[8] = {3, 4};\nprivate int *p = in[0] ? a : b;\nout[0] = p[n - 61] + p[n - "
     "59];",
     6, "4 bytes after the end of a private variable of 16 bytes"},
    {"local int a[4], b[4];\na[0] = b[0] = 1;\nlocal int *p = in[0] ? a : b;\np[n] = 2;\nout[0] = a[0] + "
     "b[0];",
     6, "240 bytes after the end of a local variable of 16 bytes"},
    {"int a[4];\nprivate int *p = a;\nfor (int i = 0; i < n; ++i) *p++ = i;\nout[0] = a[0];", 5,
     "0 bytes after the end of private variable 'a' of 16 bytes"},
    {"int a[4] = {1};\nprivate int *p = a + 3;\nint s = 0;\nfor (int i = 0; i < 5; ++i) s += *p--;\nout[0] = "
     "s;",
     6, "4 bytes before the beginning of private variable 'a' of 16 bytes"},
    {"local int a[4];\na[0] = 1;\nout[0] = sum_local(a, 5);", 2,
     "0 bytes after the end of a local variable of 16 bytes"},
    {"int a[4] = {1, 2};\nout[0] = sum_private(a, 5);", 2,
     "0 bytes after the end of a private variable of 16 bytes"},
    {"int a[4] = {1, 2};\nout[0] = through(a, 4);", 2,
     "0 bytes after the end of a private variable of 16 bytes"},
    {"int a[4] = {1, 2};\nset_last(a, 0);\nout[0] = a[0];", 2,
     "4 bytes before the beginning of a private variable of 16 bytes"},
    {"int a[4] = {1, 2};\nout[0] = sum_any(a, n);", 2,
     "236 bytes after the end of a private variable of 16 bytes"},
    {"int a = 1;\nout[0] = get_generic(&a + in[0]);", 2, "0 bytes after the end of"},
    {"int a[8] = {1};\nprivate int *p = in[0] ? a : a + 4;\nout[0] = vload4(in[0], p + 1).x;", 5,
     "with its last 4 bytes after the end of private variable 'a' of 32 bytes"},
    {"struct Pair a[2] = {{1, 2}, {3, 4}};\nprivate struct Pair *p = a;\nfor (int i = 0; i < 2; ++i) ++p;\n"
     "out[0] = p->second;",
     6, "4 bytes after the end of private variable 'a' of 16 bytes"},
    // in functions to which all calls pass a pointer whose object is known
    {"out[0] = get(in, 3) + get(out + 1, n - 1);", 2, "0 bytes after the end of an object of 256 bytes"},
    {"out[0] = get(in, far);", 2, "in another buffer of 256 bytes"},
    // by pointers that come from memory
    {"private int *all[2];\nint a[4] = {1, 2}, b[3] = {3};\nall[0] = a;\nall[1] = b;\nout[0] = "
     "all[in[0]][n];",
     7, "244 bytes after the end of a private variable of 12 bytes"},
    {"private int *all[2];\nint a[4] = {1, 2}, b[4] = {3};\nall[0] = a;\nall[1] = b;\n"
     "all[in[0] - 1][n - 65] = 1;\nout[0] = a[n & 3];",
     7, "4 bytes before the beginning of a private variable of 16 bytes"},
    {"struct Walk walk;\nint a[4] = {1, 2}, s = 0;\nwalk.at = a;\nfor (int i = 0; i < 5; ++i) s += "
     "next(&walk);\nout[0] = s;",
     2, "0 bytes after the end of a private variable of 16 bytes"},
    {"struct Walk walks[2];\nint a[4] = {1, 2}, b[3] = {3};\nwalks[0].at = a;\nwalks[1].at = b;\n"
     "out[0] = walks[in[0]].at[3];",
     7, "0 bytes after the end of a private variable of 12 bytes"},
    {"struct Walk one, other;\nint a[4] = {1, 2};\none.at = a;\n__builtin_memcpy(&other, &one, sizeof one);\n"
     "out[0] = walked(other, n);",
     2, "240 bytes after the end of a private variable of 16 bytes"},
    {"int a[4] = {1, 2}, b[3] = {3};\nprivate int *p = a, *q = b;\nif (in[0]) swap(&p, &q);\nout[0] = p[3];",
     6, "0 bytes after the end of a private variable of 12 bytes"},
    {"int a[4] = {1, 2};\nprivate int *p;\nkeep(&p, a);\nout[0] = p[n];", 6,
     "240 bytes after the end of a private variable of 16 bytes"},
    {"private int *all[2];\nint a[4] = {1, 2};\nall[0] = all[1] = a;\nout[0] = choose(all, in[0])[n];", 6,
     "240 bytes after the end of a private variable of 16 bytes"},
    {"union Any any;\nint a[4] = {1, 2};\nany.at = a;\nany.bits += 4 * in[0];\nout[0] = any.at[3];", 7,
     "0 bytes after the end of a private variable of 16 bytes"},
    {"int a[4] = {1};\nulong kept[2] = {(ulong)(private int *)a, 0};\n"
     "out[0] = ((private int *)kept[n & 1])[n];",
     5, "240 bytes after the end of a private variable of 16 bytes"},
    {"local int a[4], b[3];\nlocal int *all[2];\na[0] = b[0] = 1;\nall[0] = a;\nall[1] = b;\n"
     "out[0] = all[in[0]][3];",
     8, "0 bytes after the end of a local variable of 12 bytes"},
    {"local int a[4];\nlocal int *local all[2];\na[0] = 1;\nall[0] = all[1] = a;\nall[in[0]][4] = 1;\n"
     "out[0] = a[n & 3];",
     7, "0 bytes after the end of a local variable of 16 bytes"},
    {"int *all[2];\nint a[4] = {1, 2};\nlocal int b[3];\nb[0] = 1;\nall[0] = a;\nall[1] = b;\n"
     "out[0] = all[in[0]][3];",
     9, "0 bytes after the end of a private or local variable of 12 bytes"},
    {"int *all[2];\nint a[4] = {1, 2};\nall[0] = a;\nall[1] = out;\nout[0] = all[in[0] - 1][4];", 7,
     "0 bytes after the end of a private or local variable of 16 bytes"},
    {"int *all[3];\nint a[4] = {1, 2};\nall[0] = a;\nall[1] = all[2] = in;\nfor (int i = 0; i < 3; ++i) "
     "out[i] = "
     "all[i][4];\nall[in[0] - 1][0] = 2;",
     7, "0 bytes after the end of a private or local variable of 16 bytes"},
    {"private int *all[2] = {0, 0};\nout[0] = *all[in[0]];", 4, "through a NULL pointer"},
    {"private int *p = 0;\nint a = 1;\nif (n == 0) p = &a;\nout[0] = *p;", 6, "through a NULL pointer"},
    {"int *p = 0;\nint a = 1;\nif (n == 0) p = &a;\nout[0] = *p;", 6, "through a NULL pointer"},
    {"int *p = 0;\nint a = 1;\nif (n == 0) p = &a;\n*p = 7;\nout[0] = a;", 6, "through a NULL pointer"},
    {"int *p = 0;\nint a[3] = {1, 2, 3};\nif (n == 0) p = a;\nout[0] = p[n - 62];", 6,
     "through a NULL pointer"},
    {"int *p = 0;\nif (n == 0) p = scratch;\n*p = 1;\nout[0] = 1;", 5, "through a NULL pointer"},
    {"int *p = 0;\nint a = 1;\nif (n == 0) p = &a;\nif (n == 1) p = in;\nout[0] = *p;", 7,
     "through a NULL pointer"},
    // of arguments in local memory, and in copies
    {"out[0] = scratch[n];", 3,
     "192 bytes after the end of the local memory of 64 bytes that argument 'scratch' points to"},
    {"scratch[0] = 1;\nout[0] = sum_local(scratch, 17);", 2,
     "0 bytes after the end of a local variable of 64 bytes"},
    {"local int a[8];\nevent_t e = async_work_group_copy(a, in, 16, 0);\nwait_group_events(1, &e);\n"
     "out[0] = a[7];",
     4, "in part outside of local variable 'a' of 32 bytes"},
    {"event_t e = async_work_group_copy(scratch + 4, in, 16, 0);\nwait_group_events(1, &e);\n"
     "out[0] = scratch[7];",
     3, "in part outside of the local memory of 64 bytes that argument 'scratch' points to"},
    {"local int a[8];\nlocal int *all[2];\na[0] = 1;\nall[0] = all[1] = a + 1;\n"
     "event_t e = async_work_group_copy(out, all[in[0]], 8, 0);\nwait_group_events(1, &e);",
     7, "in part outside of a local variable of 32 bytes"},
    // components of vectors
    {"int4 v = vload4(0, in);\nout[0] = v[n];", 4, "240 bytes after the end of a vector of 16 bytes"},
    {"float2 v = (float2)(n);\nv[n - 65] = 1;\nout[0] = (int)v.x;", 4,
     "4 bytes before the beginning of a vector of 8 bytes"},
    {"global int4 *v = (global int4 *)in;\nv[0][n] = 1;", 4,
     "240 bytes after the end of a vector of 16 bytes"},
    {"global int4 *v = (global int4 *)in;\nout[0] = v[0][n - 60];", 4, "load of 4 bytes out of bounds"},
    {"global int3 *v = (global int3 *)in;\nout[0] = v[0][n - 61];", 4,
     "after the end of a vector of 12 bytes"},
    {"local int4 v[2];\nv[0][n - 60] = 1;", 4, "0 bytes after the end of a vector of 16 bytes"},
    {"local int4 v[4];\nv[in[0]][n & 7 | 5] = 1;", 4, "4 bytes after the end of a vector of 16 bytes"},
    {"local short8 *v = (local short8 *)scratch;\nout[0] = v[0][n];", 4,
     "112 bytes after the end of a vector of 16 bytes"},
    {"struct Wide { int a; char4 v; } global *p = (global struct Wide *)in;\np->v[n - 65] = 1;", 4,
     "1 byte before the beginning of a vector of 4 bytes"},
    {"char16 v = (char16)(n);\nout[0] = v[in[0] + 15];", 4, "0 bytes after the end of a vector of 16 bytes"},
    {"float whole;\nout[0] = fract(1.5f, (global float *)out + n);", 4, "store of 4 bytes"},
    {"((global char *)out)[n * 4 - 1] = 1;\n((global char *)out)[n * 4] = 1;", 4,
     "store of 1 byte out of bounds"},
    {"out[0] = *(global int *)((global char *)in + 254);", 3, "with its last 2 bytes after the end of"},
    // by the type
    {"out[0] = ((global char *)in)[256];", 3, "load of 1 byte out of bounds"},
    {"out[0] = ((global short *)in)[n * 2];", 3, "load of 2 bytes"},
    {"((global long *)out)[n / 2] = 1;", 3, "store of 8 bytes"},
    {"((global float *)out)[-n] = 1;", 3, "256 bytes before the beginning of"},
    {"((global int2 *)out)[n / 2] = (int2)(1);", 3, "store of 8 bytes"},
    {"((global int8 *)out)[n / 8] = (int8)(1);", 3, "store of 32 bytes"},
    {"out[0] = ((global int16 *)in)[n / 16].sf;", 3, "argument 'in'"},
    {"((global char3 *)out)[n].z = 1;", 3, "argument 'out'"},
    {"global struct Pair *p = (global struct Pair *)out + n / 2;\np->first = 1;", 4, "0 bytes after the end"},
    {"struct Pair p = ((global struct Pair *)in)[n / 2];\nout[0] = p.second;", 3, "load of 8 bytes"},
    // by the operation
    {"vstore3((int3)(1), 21, out);", 3, "with its last 8 bytes after the end of"},
    {"out[0] = (int)vload_half(n * 2, (global half *)in);", 3, "load of 2 bytes"},
    {"vstore_half(1.0f, n * 2, (global half *)out);", 3, "store of 2 bytes"},
    {"vstore_half4((float4)(1), n / 2, (global half *)out);", 3, "store of 8 bytes"},
    {"intel_sub_group_block_write2((global uint *)out + 63, (uint2)(1));", 3, "store of 4 bytes"},
    {"out[0] = intel_sub_group_block_read_us2((global ushort *)in + 127).y;", 3, "load of 2 bytes"},
    {"local uint a[4];\na[0] = 1;\nout[0] = intel_sub_group_block_read2((local uint *)a).y;", 5,
     "after the end of local variable 'a' of 16 bytes"},
    {"atomic_cmpxchg(out + n, 0, 1);", 3, "atomic operation of 4 bytes"},
    {"atomic_xchg(out - 1, 1);", 3, "4 bytes before the beginning of"},
    {"out[0] = atomic_fetch_add((global atomic_int *)in + n, 1);", 3, "atomic operation of 4 bytes"},
    {"float x = frexp(1.5f, out + n);\nout[0] = (int)x;", 3, "store of 4 bytes"},
    {"float x = sincos(1.5f, (global float *)out + n);\nout[0] = (int)x;", 3, "store of 4 bytes"},
    {"float x = modf(1.5f, (global float *)out - 1);\nout[0] = (int)x;", 3,
     "4 bytes before the beginning of"},
    // by the way to the pointer
    {"out[n * 1000000] = 1;", 3, "store of 4 bytes"},
    {"global int *p = in;\nwhile (p < in + n + 1) out[0] += *p++;", 4, "load of 4 bytes"},
    {"int i = n;\ndo out[i] = 1;\nwhile (++i < n + 1);", 4, "store of 4 bytes"},
    {"out[in[0] + n - 1] = 1;", 3, "store of 4 bytes"},
    {"out[0] = in[n > 1 ? n : 0];", 3, "load of 4 bytes"},
    // by the memory
    {"constant int *p = table + 4;\nout[0] = *p;", 4, "variable 'table' of 16 bytes"},
    {"out[0] = ((constant char *)table)[n];", 3, "variable 'table' of 16 bytes"},
    {"counters[-n] = 1;", 3, "variable 'counters' of 16 bytes"},
    {"atomic_inc(&counters[n]);", 3, "variable 'counters' of 16 bytes"},
    {"char a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nout[0] = a[n];", 5,
     "private variable 'a' of 8 bytes"},
    {"int4 a[2];\na[0] = a[1] = (int4)(n);\nout[0] = a[n].x;", 5, "private variable 'a' of 32 bytes"},
    {"struct Pair a[2];\na[0].first = a[1].first = 1;\na[n].second = 2;\nout[0] = a[n & 1].first;", 5,
     "private variable 'a' of 16 bytes"},
    {"int a[2][4];\nfor (int i = 0; i < 8; ++i) a[i / 4][i & 3] = i;\nout[0] = a[n][1];", 5,
     "private variable 'a' of 32 bytes"},
    {"local char a[8];\na[n] = 1;\nout[0] = a[n & 7];", 4, "local variable 'a' of 8 bytes"},
    {"local float4 a[2];\na[n] = (float4)(1);\nout[0] = (int)a[n & 1].x;", 4,
     "local variable 'a' of 32 bytes"},
    {"local struct Pair a[2];\na[n].first = 1;\nout[0] = a[n & 1].first;", 4,
     "local variable 'a' of 16 bytes"},
    // before one of several returns, and in functions that are called in loops and under conditions
    {"if (in[0] == 5) return;\nout[n] = 1;\nif (in[0] == 1) return;\nout[0] = 2;", 4,
     "0 bytes after the end of the buffer of 256 bytes that argument 'out' points to"},
    {"switch (in[0]) {\ncase 0: out[0] = 1; return;\ncase 1: out[n] = 2; return;\ndefault: out[-n] = 3;\n}",
     5, "0 bytes after the end of"},
    {"int i = 0;\nwhile (1) {\nif (in[i] != 1) break;\n++i;\n}\nout[0] = i;", 5, "0 bytes after the end of"},
    {"out[0] = find(in, n);", 2, "function 'find' of kernel 'test'"},
    {"for (int i = 60; i < n + 1; ++i) put(out, i);", 2, "0 bytes after the end of an object of 256 bytes"},
    {"if (in[0] == 1) put(out, -n);\nelse put(in, n);", 2,
     "256 bytes before the beginning of an object of 256 bytes"},
    {"out[0] = sum_of((global struct Pair *)in, 33);", 2, "4 bytes after the end of an object of 256 bytes"},
    // atomic operations in local memory
    {"local int a[4];\na[0] = 0;\natomic_add(&a[n], 1);\nout[0] = a[0];", 5,
     "240 bytes after the end of local variable 'a' of 16 bytes"},
    {"local atomic_int a[4];\natomic_init(a, 0);\nout[0] = atomic_fetch_max(a + n, 1);", 5,
     "240 bytes after the end of local variable 'a' of 16 bytes"},
    {"scratch[0] = 0;\natomic_cmpxchg(scratch + n - 48, 0, 1);\nout[0] = scratch[0];", 4,
     "0 bytes after the end of the local memory of 64 bytes that argument 'scratch' points to"},
    {"local int a[4];\na[0] = 0;\nbump(a + 4);\nout[0] = a[0];", 2,
     "0 bytes after the end of a local variable of 16 bytes"},
    // by pointers that conditions choose and loops exchange
    {"global int *p = in[0] ? in : out;\nout[1] = p[1];\np[n] = 1;", 5,
     "0 bytes after the end of an object of 256 bytes"},
    {"global int *p = in, *q = out;\nfor (int i = 0; i < 3; ++i) {\nout[0] += p[i * 32];\nglobal int *kept = "
     "p;\n"
     "p = q;\nq = kept;\n}",
     5, "0 bytes after the end of an object of 256 bytes"},
    {"global int *p = 0;\nif (in[0] == 5) p = in;\nout[0] = p[2];", 5, "NULL"},
    // asynchronous copies with strides, of vectors, and in functions
    {"event_t e = async_work_group_strided_copy(scratch, in, 16, 5, 0);\nwait_group_events(1, &e);", 3,
     "in part outside of a buffer of 256 bytes"},
    {"scratch[0] = 1;\nevent_t e = async_work_group_strided_copy(out, scratch, 16, 5, 0);\n"
     "wait_group_events(1, &e);",
     4, "in part outside of a buffer of 256 bytes"},
    {"event_t e = async_work_group_copy((local int2 *)scratch, (global int2 *)in + 30, 4, 0);\n"
     "wait_group_events(1, &e);",
     3, "in part outside of a buffer of 256 bytes"},
    // lines and planes
    {"event_t e = async_work_group_copy_2D2D(scratch, 0, in, 40, 4, 4, 4, 7, 4, 0);\nwait_group_events(1, "
     "&e);",
     3, "in part outside of a buffer of 256 bytes"},
    {"event_t e = async_work_group_copy_2D2D(scratch, 1, in, 0, 4, 4, 4, 7, 4, 0);\nwait_group_events(1, "
     "&e);",
     3, "in part outside of a local variable of 64 bytes"},
    {"scratch[0] = 1;\nevent_t e = async_work_group_copy_3D3D(out, 60, scratch, 0, 2, 2, 2, 2, 2, 4, 2, 66, "
     "0);\nwait_group_events(1, &e);",
     4, "0 bytes after the end of the nearest buffer, of 256 bytes"},
    {"fetch(scratch, in + 60);", 2, "in part outside of a buffer of 256 bytes"},
    {"fetch(scratch + 12, in);", 2, "in part outside of a local variable of 64 bytes"},
    // copies, and what functions of the library store
    {"__builtin_memcpy(out + n - 1, in, 8);", 3, "with its last 4 bytes after the end of"},
    {"out[0] = (int)remquo(5.0f, 3.0f, out + n);", 3, "store of 4 bytes"},
    {"out[0] = (int)lgamma_r(3.5f, out - 1);", 3, "4 bytes before the beginning of"},
    // members, and views of other types
    {"struct Big big;\nfor (int i = 0; i < 4; ++i) big.all[i] = i;\nbig.last = 1;\nout[0] = big.all[n];", 6,
     "236 bytes after the end of private variable 'big' of 20 bytes"},
    {"scratch[0] = 0;\nout[0] = (int)vload_half(n, (local half *)scratch);", 4,
     "64 bytes after the end of the local memory of 64 bytes that argument 'scratch' points to"},
    {"int3 a[2];\na[0] = a[1] = (int3)(1);\nout[0] = vload3(2, (private int *)a + in[0] + 2).x;", 5,
     "4 bytes after the end of private variable 'a' of 32 bytes"},
    {"int *p = scratch;\nscratch[0] = 1;\nif (in[0]) p += n;\nout[0] = *p;", 6, "192 bytes after the end of"},
};

/// What is fine and looks like a fault.
constexpr const char* kRight[] = {
    "out[n - 1] = in[0];",
    "vstore4(vload4(15, in), 0, out + 60);",
    "global int *end = out + n;\nfor (global int *p = out; p != end; ++p) *p = 1;",
    "global int *p = in + n;\np -= n;\nout[0] = get(p + n, -1);",
    "event_t e = async_work_group_copy(scratch, in + 48, 16, 0);\nwait_group_events(1, &e);\nout[0] = "
    "scratch[15];",
    "const int *p = in + 63;\nif (n != 64) p = scratch;\nout[0] = get_generic(p) + get_generic(scratch + "
    "15);",
    "int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nout[0] = a[n & 7];",
    "int a = n;\nout[0] = get_generic(&a);",
    "global int *p = in[0] ? in : out + n, *q = in[0] ? out : in;\nout[0] = p[63] + q[n - 1];\nq += "
    "n;\nq[-1] = 1;",
    "global int *p = in, *q = out + n;\nfor (int i = 0; i < 4; ++i) {\nout[i] += q[-1 - i] + p[i];\n"
    "global int *kept = p;\np = q - 64;\nq = kept + 64;\n}",
    "global int *p = 0;\nfor (int i = 0; i < 2; ++i) {\nif (p) out[0] = *p;\np = in + i;\n}",
    "int a[4] = {1}, b[8] = {2};\nprivate int *p = in[0] ? a : b;\nout[0] = p[3];\np = in[0] ? b : a;\n"
    "out[1] = p[n - 57];",
    "int a[4];\nprivate int *p = a;\nfor (int i = 0; i < 4; ++i) *p++ = i;\nwhile (p != a) out[0] += *--p;",
    "int a[4] = {1};\nlocal int b[4];\nb[0] = 1;\nset_last(a, 4);\n"
    "out[0] = sum_private(a, 4) + through(a, 3) + sum_local(b, 4) + sum_any(a, 4) + sum_any(b, 4) + "
    "sum_any(in, n);",
    "private int *p = 0;\nint a[2] = {1, 2};\nif (in[0]) p = a + 1;\nout[0] = *p;",
    "int *p = 0;\nint a[2] = {1, 2};\nif (in[0]) p = a + 1;\nout[0] = *p;",
    "int *p = 0, *q = 0;\nint a[2] = {1, 2};\nif (in[0] == 5) q = a;\nif (n == 64) p = in;\nif (n == 1) p = "
    "a;\n"
    "if (q) out[0] = *q;\nout[1] = *p;",
    "private int *all[2];\nint a[2] = {1, 2}, b[2] = {3, 4};\nall[0] = a;\nall[1] = b + 1;\n"
    "out[0] = all[in[0]][-1];",
    "private int *all[2];\nint a[4] = {1, 2}, b[4] = {3, 4};\nall[0] = a + 4;\nall[1] = b - 1;\n"
    "out[0] = all[in[0]][1] + all[in[0]][4] + all[in[0] - 1][-4] + all[0][-1];",
    "struct Walk walk, other;\nint a[4] = {1, 2}, s = 0;\nwalk.at = a;\n"
    "for (int i = 0; i < 4; ++i) s += next(&walk);\nother = walk;\nout[0] = s + walked(other, -1);",
    "int a[4] = {1, 2}, b[3] = {3};\nprivate int *p = a, *q = b;\nif (in[0]) swap(&p, &q);\n"
    "out[0] = p[2] + q[3];",
    "local int a[4], b[4];\nlocal int *local all[2];\na[0] = b[0] = 1;\nall[0] = a + 3;\nall[1] = b + 3;\n"
    "out[0] = all[in[0]][-3] + all[0][0];",
    "int *all[3];\nint a[4] = {1, 2};\nlocal int b[4];\nb[0] = 1;\nall[0] = a;\nall[1] = b;\nall[2] = in;\n"
    "for (int i = 0; i < 3; ++i) out[i] = all[i][3];\nall[in[0] - 1][0] = 2;",
    // the ends of variables before an argument
    "local int4 a[1], b[1];\nlocal int4 *all[4] = {a + 1, b + 1, (local int4 *)scratch + 1, a};\n"
    "a[0] = b[0] = 1;\nscratch[0] = 1;\nout[0] = all[in[0]][-1].x + all[in[0] - 1][-1].x;",
    "for (int i = 0; i < 16; ++i) scratch[i] = i;\nlocal int *ends[2];\nends[0] = scratch;\n"
    "ends[1] = scratch + 16;\nfor (local int *p = ends[in[0]]; p != ends[0];) out[0] += *--p;",
    "event_t e = async_work_group_copy(scratch, in, 16, 0);\nwait_group_events(1, &e);\nlocal int a[8];\n"
    "e = async_work_group_copy(a + 4, in + 8, 4, 0);\nwait_group_events(1, &e);\nout[0] = scratch[3] + a[7];",
    "int4 v = vload4(0, in);\nfor (int i = 0; i < 4; ++i) v[i] += v[3 - i];\nout[0] = v[n & 3];",
    "if (n == 0) *(global int *)0 = 1;",
    "out[0] = *(global int *)there;",
    "counters[n & 3] = table[n & 3];",
    "int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nvstore2(vload4(n & 1, a).xy, n - 61, a);\n"
    "out[0] = vload4(1, a).y;",
    "local int a[8];\na[0] = n;\nout[0] = vload3(n & 1, a).x + vload2(3, a).x;",
    "local struct Pair pairs[4];\npairs[n & 3].second = 5;\nout[0] = pairs[n & 3].second;",
    "vstore3((int3)(1), 20, out);\nout[61] = ((global int3 *)in)[15].z;",
    "((global long *)out)[31] = 5;\nout[0] = (int)(uintptr_t)in;",
};

/// Ways to the secret, each a statement that reads it to out[0] or writes to it.
constexpr const char* kAttacks[] = {
    "intel_sub_group_block_write4((global uint *)there, (uint4)(0));",
    "out[0] = intel_sub_group_block_read((global uint *)there);",
    // reading
    "out[0] = in[far];",
    "global int *p = in;\np += far;\nout[0] = *p;",
    "out[0] = *(global int *)there;",
    "out[0] = *(constant int *)there;",
    "out[0] = *(volatile global int *)there;",
    "out[0] = *(int *)there;",
    "out[0] = get(in, far);",
    "out[0] = get((global int *)there, 0);",
    "out[0] = get_generic((int *)there);",
    "out[0] = get_generic(in + far);",
    "((global ulong *)in)[1] = there;\nout[0] = **(global int *global *)(in + 2);",
    "ulong kept[2] = {there, 0};\nout[0] = *(global int *)kept[n & 1];",
    "global int *p = n == 64 ? in + far : out;\nout[0] = *p;",
    "int *p = scratch;\nif (n == 64) p = in + far;\nout[0] = *p;",
    "for (long i = 0; i < 3; ++i)\nout[0] |= in[far + i];",
    "global int *p = in[0] ? out : in;\nout[0] = p[far];",
    "global int *p = in[0] ? in : (global int *)there;\nout[0] = *p;",
    "global int *p = out, *q = in;\nfor (int i = 0; i < 3; ++i) {\nglobal int *kept = p;\np = q + (i == 2 ? "
    "far : 0);\n"
    "q = kept;\n}\nout[0] = *p;",
    "global int *p = in[0] ? in : 0;\nout[0] = p[there / 4];",
    "out[0] = ((global char *)there)[0] + ((global char *)there)[1];",
    "out[0] = ((global short *)there)[1];",
    "out[0] = ((global long *)there)[1];",
    "vstore4(vload4(0, (global int *)there), 0, out);",
    "vstore16(vload16(far / 16, in), 0, out);",
    "out[0] = (int)(vload_half(0, (global half *)there) * 65536);",
    "out[0] = ((global int4 *)there)->y;",
    "out[0] = ((global int16 *)there)->y;",
    "*(global struct Pair *)out = *(global struct Pair *)there;",
    "struct Pair pair = *(global struct Pair *)there;\nout[0] = pair.second;",
    "scratch[3] = 0;\nevent_t e = async_work_group_copy(scratch, (global int *)there, 16, "
    "0);\nwait_group_events(1, &e);\nout[0] = scratch[3];",
    "scratch[1] = 0;\nevent_t e = async_work_group_strided_copy(scratch, in + far, 4, 2, "
    "0);\nwait_group_events(1, &e);\nout[0] = scratch[1];",
    "out[0] = atomic_load((global atomic_int *)there);",
    "out[0] = atomic_add((global int *)there, 0);",
    "in[far] = 77;\nout[0] = atomic_load((global atomic_int *)(in + far));",
    "in[far] = 77;\nout[0] = atomic_or(in + far, 1) | in[far];",
    "atomic_xchg((global int *)there, 77);\nout[0] = atomic_add((global int *)there, 1);",
    "atomic_store((atomic_int *)there, 77);\nout[0] = atomic_fetch_max((atomic_int *)there, 1);",
    "*(global int *)there = 77;\nout[0] = atomic_cmpxchg((global int *)there, 0, 1);",
    "((global int *)((ulong)in + 1))[far] = 77;\nout[0] = atomic_or((global int *)((ulong)in + 1) + far, 0);",
    "global float *p = (global float *)in + far;\n*p = 5;\nout[0] = atomic_xchg(p, 1.0f) != 0;",
    // loops that try again
    "global int *p = in + far;\n*p = 77;\nwhile (atomic_cmpxchg(p, 1, 0) != 1) {}",
    "global int *p = in + far;\n*p = 77;\nint old = *p, kept;\n"
    "do {\nkept = old;\nold = atomic_cmpxchg(p, kept, kept + 1);\n} while (old != kept);",
    "global int *p = in + far;\n*p = 77;\nwhile (atomic_xchg(p, 1)) {}",
    "int e = 5;\nglobal int *p = in + far;\n*p = 77;\n"
    "while (!atomic_compare_exchange_weak((global atomic_int *)p, &e, 6)) {}\nout[0] = e != 5;",
    "global int *p = in + far;\n*p = 77;\nwhile (atomic_flag_test_and_set((global atomic_flag *)p)) {}",
    "out[0] = table[far];",
    "out[0] = counters[((long)there - (long)counters) / 4];",
    "out[0] = *(global int *)(there | 3ul << 62);",
    "out[0] = *(int *)(there | 1ul << 62);",
    "out[0] = *(int *)(there | 2ul << 62);",
    "out[0] = *(global int *)((ulong)in - (ulong)in + there);",
    "out[0] = *(global int *)0 | *(int *)0;",
    // writing
    "in[far] = 1;",
    "global int *p = in[0] ? out : in;\np[far] = 1;",
    "*(global int *)there = 1;",
    "*(int *)there = 1;",
    "((global uchar *)there)[5] = 1;",
    "((global ushort *)there)[5] = 1;",
    "((global ulong *)there)[5] = 1;",
    "vstore4((int4)(1), 0, (global int *)there);",
    "vstore_half(1.5f, 0, (global half *)there);",
    "*(global struct Pair *)there = *(global struct Pair *)in;",
    "atomic_inc((global int *)there);",
    "atomic_xchg(in + far, 1);",
    "atomic_cmpxchg((global int *)there, 0x5ec7e7, 1);",
    "atomic_store((atomic_int *)there, 1);",
    "atomic_flag_test_and_set((global atomic_flag *)there);",
    "event_t e = async_work_group_copy((global int *)there, scratch, 16, 0);\nwait_group_events(1, &e);",
    "event_t e = async_work_group_copy_2D2D((global int *)there, 0, scratch, 0, 4, 4, 2, 4, 4, "
    "0);\nwait_group_events(1, "
    "&e);",
    "event_t e = async_work_group_copy_3D3D(in, far, scratch, 0, 4, 1, 1, 2, 1, 1, 1, 1, 0);\n"
    "wait_group_events(1, &e);",
    "event_t e = async_work_group_copy(scratch, in, 1ul << 62, 0);\nwait_group_events(1, &e);",
    "event_t e = async_work_group_strided_copy(in, scratch, 3, 1ul << 61, 0);\nwait_group_events(1, &e);",
    "float x = fract(1.5f, (global float *)there);\nout[1] = (int)x;",
    "int e;\nfloat x = frexp(1.5f, (global int *)there);\nout[1] = (int)x;",
    "float x = sincos(1.5f, (global float *)there);\nout[1] = (int)x;",
    "counters[((long)there - (long)counters) / 4] = 1;",
    "((global ulong *)in)[1] = there;\n**(global int *global *)(in + 2) = 1;",
    // private and local memory
    "int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nout[0] = a[n * 1000];",
    "int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\na[n * 100000] = 1;\nout[1] = a[n & 7];",
    "int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = in[i];\nint *p = a + far;\nout[0] = *p;",
    "local int a[8];\nout[0] = a[n * 1000];",
    "local int a[8];\na[n * 100000] = 1;\nout[0] = a[n * 100001];",
    "out[0] = scratch[n];",
    "scratch[n * 100000] = 1;\nout[0] = scratch[n * 100001];",
    "atomic_inc(scratch + n * 100000);",
    "local uchar a[8];\na[n * 100000] = 1;\nout[0] = a[n * 100001];",
    "local float4 a[8];\nout[0] = (int)a[n * 1000].x;",
    // by pointers that come from memory
    "private int *all[2];\nint a[4] = {1, 2}, b[4] = {3};\nall[0] = a;\nall[1] = b;\nout[0] = "
    "all[in[0]][far];",
    "private int *all[2];\nint a[4] = {1, 2};\nall[0] = all[1] = a;\nall[in[0]][far] = 1;",
    "int *all[2];\nint a[4] = {1, 2};\nall[0] = a;\nall[1] = in;\nout[0] = all[(n & 1) + 1][far];",
    "int *all[2];\nint a[4] = {1, 2};\nall[0] = a;\nall[1] = in;\nall[(n & 1) + 1][far] = 1;",
    "int *all[2];\nint a[4] = {1, 2};\nall[0] = a;\nall[1] = (int *)there;\nout[0] = *all[(n & 1) + 1];",
    "union { int *at; ulong bits; } any;\nint a[4];\nany.at = a;\nany.bits = there;\nout[0] = *any.at;",
    "union { int *at; ulong bits; } any;\nint a[4];\nany.at = a;\nany.bits &= 3ul << 62;\n"
    "any.bits |= there;\nout[0] = *any.at + *(global int *)any.at + *(local int *)any.at;",
    "union Any any;\nint a[4];\nany.at = a;\nany.bits = there;\n*any.at = 1;\nout[0] = any.at[far];",
    "struct Walk walk, other;\nint a[4] = {1};\nwalk.at = a;\n"
    "__builtin_memcpy(&other, &walk, sizeof walk);\nout[0] = walked(other, n * 100000);",
    // by a cast to a space where the pointer does not point
    "int a[4] = {1, 2};\nint *p = a;\nout[0] = ((global int *)p)[far] + ((local int *)p)[far];",
    "int a[4] = {1, 2};\nint *p = n ? a : a + 1;\n((global int *)p)[far] = 1;\n((local int *)p)[far] = 1;",
    "int *p = in;\nout[0] = ((private int *)p)[far] + ((local int *)p)[far];",
    "local int *local all[2];\nlocal int a[4];\na[0] = 1;\nall[0] = all[1] = a;\nout[0] = all[n & 1][far];",
};

}  // namespace

TEST_CASE("kinds of checks: one that is not known is named") {
    CHECK(*runtime::parse_checks("") == vulkan::MemoryChecks::None);
    CHECK(*runtime::parse_checks("bounds") == vulkan::MemoryChecks::Bounds);
    CHECK(*runtime::parse_checks("races") == (vulkan::MemoryChecks::Races | vulkan::MemoryChecks::SameRaces));
    CHECK(*runtime::parse_checks("unequal-races") == vulkan::MemoryChecks::Races);
    CHECK(*runtime::parse_checks("bounds,alignment") ==
          (vulkan::MemoryChecks::Bounds | vulkan::MemoryChecks::Alignment));
    CHECK(runtime::parse_checks("bounds,traces").error().message ==
          "unknown check 'traces'; expected bounds, alignment, barriers, races, uninitialised, "
          "arithmetic, loops or unequal-races");
}

TEST_CASE("how often a loop may turn: what is no such number is named") {
    const auto turns = [](const char* text) {
        const Variable variable("CALDERA_CHECK_LOOPS", text);
        return runtime::check_options_of_environment();
    };
    CHECK(turns("1000")->loop_turns == 1000);
    CHECK(turns("4294967294")->loop_turns == 4294967294);
    CHECK(turns("")->loop_turns == 0);
    for (const char* text : {"0", "-1", "many", "12x", "4294967295", "4294967296"})
        CHECK(turns(text).error().message ==
              "CALDERA_CHECK_LOOPS: '" + std::string(text) + "' is no number of turns from 1 to 4294967294");
}

TEST_CASE("the exit status of a process with faults: what is none is named") {
    const auto status = [](const char* text) {
        const Variable variable("CALDERA_CHECK_EXIT", text);
        return runtime::check_options_of_environment();
    };
    CHECK(status("42")->exit_status == 42);
    CHECK(status("255")->exit_status == 255);
    CHECK(status("0")->exit_status == 0);
    CHECK(status("")->exit_status == 0);
    for (const char* text : {"256", "-1", "1x", "yes"})
        CHECK(status(text).error().message ==
              "CALDERA_CHECK_EXIT: '" + std::string(text) + "' is no exit status from 0 to 255");
}

TEST_CASE("accesses out of bounds are reported at their line") {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("caldera_faults." + std::to_string(std::random_device()()));
    const Variable to("CALDERA_CHECK_FILE", file.string());
    const auto opened = runtime::open_device({.checks = vulkan::MemoryChecks::Bounds});
    REQUIRE(opened);
    runtime::Device& device = **opened;
    if (!device.has_addresses()) return;
    const auto queue = runtime::Queue::create(device).take();
    const Memory memory{filled(device, *queue, 0), filled(device, *queue, 1),
                        filled(device, *queue, kSecret)};
    const auto reported = [&](const std::string& body, bool other_form = false) {
        std::filesystem::remove(file);
        run(device, *queue, memory, body, memory.other.address(), other_form);
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    };
    for (const bool other_form : {false, true})
        for (const Planted& fault : kFaults) {
            const std::string text = reported(fault.body, other_form);
            INFO(std::string(fault.body), other_form);
            CHECK_MESSAGE(text.find("faults.cl:" + std::to_string(fault.line) + ":") != std::string::npos,
                          text);
            CHECK_MESSAGE(text.find(fault.where) != std::string::npos, text);
            CHECK_MESSAGE(text.find("error:") == text.rfind("error:"), text);  // one report
        }
    for (const char* body : kRight) {
        INFO(std::string(body));
        CHECK(reported(body) == "");
    }
    for (const bool other_form : {false, true}) {
        // five places: the first fault of each, and how many there are
        const std::string text = reported(
            "for (int i = 0; i < n + 9; ++i) {\nif (i == n + 8) return;\nout[i] = 1;\n"
            "out[i + 1] = in[i + 2];\nif (i > 66) atomic_inc(in + i);\nout[i - 3] = 1;\n}",
            other_form);
        for (const char* part : {"faults.cl:5:", "faults.cl:6:", "faults.cl:7:", "faults.cl:8:",
                                 "    5 times so far", "    8 times so far", "    9 times so far",
                                 "    10 times so far", "12 bytes before the beginning of"})
            CHECK_MESSAGE(text.find(part) != std::string::npos, part << " in " << text);
        CHECK_MESSAGE(count(text, "error:") == 5, text);
        // Mesa 22's llvmpipe ends every loop after its first turn then (ends_long_loops).
        const std::string long_loop = reported(
            "int s = 0;\nfor (int i = 0; i < 5000 * n; ++i) s = s * 3 + (in[i & 3] ^ i);\nout[0] = s;\n"
            "out[1] = s;\nout[2] = s;\nout[n + 4] = 1;\nout[3] = n;",
            other_form);
        CHECK_MESSAGE(long_loop.find("faults.cl:8:") != std::string::npos, long_loop);
        CHECK_MESSAGE(count(long_loop, "error:") == 1, long_loop);
        std::string many;  // more than FaultSlots takes
        for (int i = 0; i < 260; ++i) many += "out[n * (in[0] + " + std::to_string(i) + ") + 64] = 1;\n";
        const std::string all = reported(many, other_form);
        for (int i = 0; i < 260; ++i)
            CHECK_MESSAGE(all.find("faults.cl:" + std::to_string(i + 3) + ":") != std::string::npos, all);
    }
    CHECK_MESSAGE(count(reported("out[n] = 1;\nout[n] += 1;\nif (in[0] == 1) out[n] = 2;"), "error:") == 1,
                  "a pointer is checked once");
    const uint64_t freed = filled(device, *queue, 0).address() + 8;
    std::filesystem::remove(file);
    run(device, *queue, memory, "out[0] = *(global int *)there;", freed);
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    CHECK_MESSAGE(text.str().find("8 bytes into a freed buffer of 256 bytes") != std::string::npos,
                  text.str());
    CHECK(device.validation_messages() == 0);
    std::filesystem::remove(file);
}

TEST_CASE("the object of a pointer is found among any number of objects, with and without a loop") {
    const auto opened = runtime::open_device({.checks = vulkan::MemoryChecks::Bounds});
    REQUIRE(opened);
    runtime::Device& device = **opened;
    if (!device.has_addresses()) return;
    const auto queue = runtime::Queue::create(device).take();
    const runtime::Buffer out = filled(device, *queue, 0);
    std::vector<runtime::Buffer> others;
    std::vector<BuildResult> forms;
    for (const bool ends_loops : {false, true}) {
        BuildOptions options{.profile = device.profile()};
        options.profile->quirks.ends_long_loops = ends_loops;
        options.profile->quirks.masks_branches = false;  // which needs a loop of its own
        forms.push_back(build_program(
            device, "kernel void test(global int *out, ulong there) { out[0] = *(global int *)there; }", "",
            options));
        REQUIRE_MESSAGE(forms.back(), forms.back().log);
    }
    for (const uint32_t count : {1, 2, 3, 14, 15, 16, 17, 300}) {
        while (others.size() < count)
            others.push_back(filled(device, *queue, static_cast<uint32_t>(others.size() + 1)));
        for (const BuildResult& form : forms)
            for (const uint32_t index : {0u, count / 2, count - 1})
                for (const uint32_t word : {0u, kWords - 1}) {
                    runtime::Kernel kernel = runtime::Kernel::create(*form.program, "test").take();
                    REQUIRE(kernel.set(0, out));
                    REQUIRE(kernel.set(1, others[index].address() + word * 4));
                    REQUIRE(queue->dispatch(kernel, {.global = {1, 1, 1}, .local = {1, 1, 1}}));
                    REQUIRE(queue->finish());
                    CHECK(words_of(*queue, out)[0] == index + 1);
                }
    }
    const auto has_loop = [](const BuildResult& form) {
        return std::ranges::find(form.words, 4u << 16 | static_cast<uint32_t>(spv::Op::OpLoopMerge)) !=
               form.words.end();
    };
    CHECK(has_loop(forms[0]));
    CHECK(!has_loop(forms[1]));
    CHECK(device.validation_messages() == 0);
}

TEST_CASE("a kernel whose accesses are guarded reaches nothing but what it was given") {
    const auto opened = runtime::open_device({.checks = vulkan::MemoryChecks::Guard});
    REQUIRE(opened);
    runtime::Device& device = **opened;
    if (!device.has_addresses()) return;
    const auto queue = runtime::Queue::create(device).take();
    for (const char* body : kAttacks) {
        const Memory memory{filled(device, *queue, 0), filled(device, *queue, 0),
                            filled(device, *queue, kSecret)};
        INFO(std::string(body));
        run(device, *queue, memory, body);
        CHECK(words_of(*queue, memory.out)[0] == 0);
        CHECK(words_of(*queue, memory.other) == std::vector<uint32_t>(kWords, kSecret));
    }
    // The same by right: `other` is an argument.
    Memory memory{filled(device, *queue, 0), filled(device, *queue, 0), filled(device, *queue, kSecret)};
    std::swap(memory.in, memory.other);
    run(device, *queue, memory,
        "out[0] = in[3];\nint a[8];\nfor (int i = 0; i < 8; ++i) a[i] = i;\nout[1] = a[n & 7 | 5];");
    CHECK(words_of(*queue, memory.out)[0] == kSecret);
    CHECK(words_of(*queue, memory.out)[1] == 5);
    CHECK(device.validation_messages() == 0);
}

/// A part of a buffer of kWords words, by its first word and how many it has.
runtime::Buffer part_of(const runtime::Device& device, const runtime::Buffer& whole, uint32_t first,
                        uint32_t words) {
    return runtime::Buffer::adopt(device, {.buffer = whole.vk(),
                                           .offset_bytes = first * uint64_t{4},
                                           .size_bytes = words * uint64_t{4},
                                           .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT})
        .take();
}

TEST_CASE("a pointer that is an argument reaches its part of a buffer and nothing beside it") {
    const auto file =
        std::filesystem::temp_directory_path() / ("caldera_parts." + std::to_string(std::random_device()()));
    for (const auto checks : {vulkan::MemoryChecks::Guard, vulkan::MemoryChecks::Bounds}) {
        const bool is_guard = checks == vulkan::MemoryChecks::Guard;
        const Variable reports("CALDERA_CHECK_FILE", file.string());
        std::filesystem::remove(file);
        const auto opened = runtime::open_device({.checks = checks});
        REQUIRE(opened);
        runtime::Device& device = **opened;
        if (!device.has_addresses()) return;
        const auto queue = runtime::Queue::create(device).take();
        const BuildResult built = build_program(device,
                                                "kernel void test(global uint *to, global uint *other) {\n"
                                                "to[get_global_id(0)] = 7; }",
                                                "parts.cl", {});
        REQUIRE_MESSAGE(built, built.log);
        runtime::Kernel kernel = runtime::Kernel::create(*built.program, "test").take();
        const auto dispatch = [&] {
            REQUIRE(queue->dispatch(kernel, {.global = {kWords, 1, 1}, .local = {kWords, 1, 1}}));
            REQUIRE(queue->finish());
        };
        const auto sevens = [&](const runtime::Buffer& buffer) {
            return std::ranges::count(words_of(*queue, buffer), 7u);
        };
        struct Other {
            uint32_t first, words;
        };
        constexpr Other kOthers[] = {{0, 64}, {16, 8}, {16, 32}, {8, 16}, {20, 4}, {24, 40}, {32, 32}};
        for (const Other other : kOthers)
            for (const bool is_argument : {false, true}) {
                INFO(is_guard, other.first, other.words, is_argument);
                const runtime::Buffer whole = filled(device, *queue, 0);
                const runtime::Buffer before = part_of(device, whole, other.first, other.words),
                                      part = part_of(device, whole, 16, 16);
                REQUIRE(kernel.set(0, part));
                REQUIRE(bool(is_argument ? kernel.set(1, before) : kernel.set_address(1, 0)));
                dispatch();
                std::vector<uint32_t> wanted(kWords);
                std::fill_n(wanted.begin() + 16, 16, 7u);
                CHECK(words_of(*queue, whole) == wanted);
            }
        // At its end, where another one begins.
        const runtime::Buffer whole = filled(device, *queue, 0);
        const runtime::Buffer first = part_of(device, whole, 0, 16), next = part_of(device, whole, 16, 16);
        REQUIRE(kernel.set(0, first, 64));
        REQUIRE(kernel.set_address(1, 0));
        dispatch();
        CHECK(sevens(whole) == 0);
        // The kernel may go back from where it begins, and no farther than a limit.
        REQUIRE(kernel.set(0, whole));
        kernel.limit(0, {.begin = whole.address(), .size_bytes = 8});
        dispatch();
        CHECK(sevens(whole) == 2);
        // An address may be any of these parts.
        REQUIRE(kernel.set_address(0, next.address()));
        dispatch();
        CHECK(sevens(whole) == 2 + (is_guard ? 16 : 48));
        CHECK(device.validation_messages() == 0);
    }
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    for (const char* part :
         {"parts.cl:2:", " bytes after the end of the buffer of 64 bytes that argument 'to'",
          ", in the buffer of 256 bytes that it is a part of"})
        CHECK_MESSAGE(text.str().find(part) != std::string::npos, part << " in " << text.str());
    std::filesystem::remove(file);
}

TEST_CASE("what a kernel enqueues reaches what the kernel was given") {
    constexpr const char* kEnqueues = R"(kernel void test(global int *out, ulong there) {
    out[0] = *(global int *)there;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        out[1] = *(global int *)there;
    });
}
)";
    auto opened = runtime::open_device({.checks = vulkan::MemoryChecks::Guard});
    REQUIRE(opened);
    const auto device = opened.take();
    if (!device->has_addresses()) return;
    const auto queue = runtime::Queue::create(*device).take();
    const auto device_queue = runtime::DeviceQueue::create(*device).take();
    BuildOptions options;
    REQUIRE(frontend::parse_build_options("-cl-std=CL2.0", options.compile));
    const BuildResult built = build_program(*device, kEnqueues, "enqueues.cl", options);
    REQUIRE_MESSAGE(built, built.log);
    runtime::Kernel kernel = runtime::Kernel::create(*built.program, "test").take();
    const runtime::Buffer out = filled(*device, *queue, 0), other = filled(*device, *queue, kSecret);
    const std::array<runtime::GivenPointer, 1> told = {{{.address = other.address()}}};
    REQUIRE(kernel.set(0, out));
    REQUIRE(kernel.set(1, other.address()));
    const runtime::NDRange range = {.global = {1, 1, 1}, .local = {1, 1, 1}};
    const auto read = [&](const runtime::Launch& launch) {
        const auto outcome = device_queue->run(*queue, launch);
        REQUIRE(outcome);
        CHECK(outcome->commands == 1);
        const std::vector<uint32_t> words = words_of(*queue, out);
        return std::array{words[0], words[1]};
    };
    CHECK(read({.kernel = &kernel, .range = range}) == std::array{0u, 0u});
    CHECK(read({.kernel = &kernel, .range = range, .pointers = told}) == std::array{kSecret, kSecret});
    CHECK(read({.kernel = &kernel, .range = range}) == std::array{0u, 0u});
    CHECK(read({.kernel = &kernel, .range = range, .reaches_all_memory = true}) ==
          std::array{kSecret, kSecret});
}

TEST_CASE("beside full local memory, what is outside of it is neither written nor read") {
    // The variable has all the local memory of the device, and so has the argument, of which the host tells.
    constexpr const char* kBody = R"(
    for (int i = 0; i < WORDS; ++i) all[i] = i + 1;
    all[WORDS + n] = 7;
    all[n - 1] = 7;
    WIDE
    uint read = all[WORDS + n + 1] | all[n - 2] | all[WORDS * 2 + n];
    atomic_add(&all[WORDS + n], 7);
    read |= atomic_xchg(&all[n - 1], 7) | atomic_cmpxchg(&all[WORDS + n], 0, 7) | atomic_inc(&all[WORDS + n]);
    uint wrong = 0;
    for (int i = 0; i < WORDS; ++i) wrong += all[i] != i + 1;
    out[0] = wrong;
    out[1] = read;
    out[2] = atomic_inc(&all[n + 3]) + all[n + 3];
}
)";
    const auto file = std::filesystem::temp_directory_path() / "caldera_full_local.txt";
    for (const auto checks : {vulkan::MemoryChecks::Guard, vulkan::MemoryChecks::Bounds}) {
        std::filesystem::remove(file);
        const Variable reports("CALDERA_CHECK_FILE", file.string());
        const auto opened = runtime::open_device({.checks = checks});
        REQUIRE(opened);
        runtime::Device& device = **opened;
        if (!device.has_addresses()) return;
        const auto queue = runtime::Queue::create(device).take();
        const uint64_t bytes = device.profile().max_local_bytes;
        for (const bool is_argument : {false, true})
            for (const char* const wide :
                 {"", "((local uchar *)all)[WORDS * 4 + n] = 7; ((local uchar *)all)[n - 1] = 7;"}) {
                INFO(is_argument, std::string(wide));
                std::string source = "#define WORDS " + std::to_string(bytes / 4) + "\n#define WIDE " + wide;
                if (is_argument)
                    source += "\nkernel void test(global uint *out, int n, local uint *all) {";
                else
                    source += "\nkernel void test(global uint *out, int n) { local uint all[WORDS];";
                const BuildResult built = build_program(device, source + kBody, "full.cl", {});
                REQUIRE_MESSAGE(built, built.log);
                runtime::Kernel kernel = runtime::Kernel::create(*built.program, "test").take();
                const runtime::Buffer out = filled(device, *queue, 99);
                REQUIRE(kernel.set(0, out));
                REQUIRE(kernel.set(1, int32_t{0}));
                if (is_argument) REQUIRE(kernel.set_local(2, bytes));
                REQUIRE(queue->dispatch(kernel, {.global = {1, 1, 1}, .local = {1, 1, 1}}));
                REQUIRE(queue->finish());
                CHECK(words_of(*queue, out)[0] == 0);
                CHECK(words_of(*queue, out)[1] == 0);
                CHECK(words_of(*queue, out)[2] == 4 + 5);
            }
        CHECK(device.validation_messages() == 0);
    }
    std::filesystem::remove(file);
}
