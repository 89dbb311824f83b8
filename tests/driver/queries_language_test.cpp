// SPDX-License-Identifier: Apache-2.0
// What a device says of languages (queries.h): versions and features of OpenCL C, SPIR-V, atomics, dot
// products.
#include <algorithm>
#include <map>

#include "tests/driver/queries.h"
#include "vulkan/icd/newer_names.h"

namespace caldera::driver_test {
namespace {

std::string number(cl_version version) {
    return std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version));
}

// ---- OpenCL C ----

/// Each is one that -cl-std= takes, and that a program sees then.
void c_versions(Fixture& f) {
    const auto versions = list_answer<cl_name_version>(f, CL_DEVICE_OPENCL_C_ALL_VERSIONS);
    for (const cl_name_version& each : versions) {
        INFO(number(each.version));
        CHECK(each.name == std::string("OpenCL C"));
        // 1.0 has no name of its own.
        const std::string standard = number(each.version) == "1.0" ? "" : "-cl-std=CL" + number(each.version);
        Test test(
            f,
            "kernel void test(global int *out) {\n#if __OPENCL_C_VERSION__ >= VERSION\n*out = 1;\n#endif\n}",
            (standard + " -DVERSION=" +
             std::to_string(CL_VERSION_MAJOR(each.version) * 100 + CL_VERSION_MINOR(each.version) * 10))
                .c_str());
        CHECK(test.run()[0] == 1);
    }
    CHECK(std::ranges::count(versions, CL_MAKE_VERSION(3, 0, 0), &cl_name_version::version) == 1);
    // A device of OpenCL 3.1 has OpenCL C 3.1; others say what they lack.
    const bool is_31 = answer<cl_version>(f, CL_DEVICE_NUMERIC_VERSION) >= CL_MAKE_VERSION(3, 1, 0);
    CHECK((std::ranges::count(versions, CL_MAKE_VERSION(3, 1, 0), &cl_name_version::version) == 1) == is_31);
    if (is_31) return;
    cl_program program = f.source("kernel void test(global int *out) { *out = 1; }");
    CHECK(clBuildProgram(program, 1, &f.the_device, "-cl-std=CL3.1", nullptr, nullptr) ==
          CL_BUILD_PROGRAM_FAILURE);
    CHECK(text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_LOG)
              .starts_with("error: OpenCL C 3.1 (-cl-std=CL3.1) includes cl_khr_subgroup_"));
}

/// The language version of a program that is built without -cl-std=.
void c_version(Fixture& f) {
    const auto version = answer<cl_version>(f, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR);
    CHECK(text_answer(f, CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C " + number(version) + " "));
    Test test(f, "kernel void test(global int *out) { *out = __OPENCL_C_VERSION__; }", "");
    CHECK(test.run()[0] ==
          static_cast<cl_int>(CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10));
}

/// Each is a macro; claims_test.cpp uses what it stands for.
void c_features(Fixture& f) {
    std::string checks;
    for (const cl_name_version& each : list_answer<cl_name_version>(f, CL_DEVICE_OPENCL_C_FEATURES)) {
        CHECK(each.version >= CL_MAKE_VERSION(1, 0, 0));
        checks += "#ifndef " + std::string(each.name) + "\n#error " + each.name + "\n#endif\n";
    }
    Test(f, checks + "kernel void test(global int *out) { *out = 1; }");
}

void address_bits(Fixture& f) {
    Test test(f,
              "kernel void test(global int *out) { out[0] = sizeof(size_t) * 8; out[1] = sizeof(out) * 8; }");
    const auto bits = static_cast<cl_int>(answer<cl_uint>(f, CL_DEVICE_ADDRESS_BITS));
    CHECK(test.run()[0] == bits);
    CHECK(f.read<cl_int>(test.out, 2)[1] == bits);
}

void endian(Fixture& f) {
    Test test(f,
              "kernel void test(global int *out) {\n#ifdef __ENDIAN_LITTLE__\nout[0] = 1;\n#endif\nout[1] = "
              "as_uchar4(7).x == 7; }");
    const bool is_little = answer<cl_bool>(f, CL_DEVICE_ENDIAN_LITTLE);
    CHECK(test.run()[0] == is_little);
    CHECK(f.read<cl_int>(test.out, 2)[1] == is_little);
}

void generic_addresses(Fixture& f) {
    if (!answer<cl_bool>(f, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT)) return;
    Test test(f,
              "int one_of(int *p) { return *p + 1; }\n"
              "kernel void test(global int *out) { int p = 1; local int l; l = 2; *out = one_of(out) * 100 + "
              "one_of(&p) * 10 + one_of(&l); }");
    CHECK(test.run()[0] == 123);
}

void collective_functions(Fixture& f) {
    if (!answer<cl_bool>(f, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT)) return;
    Test test(
        f,
        "kernel void test(global int *out) { int sum = work_group_reduce_add((int)get_local_id(0)), last "
        "= work_group_broadcast(sum, 3); if (get_local_id(0) == 0) *out = last; }");
    CHECK(test.run({20, 1, 1})[0] == 190);
}

// ---- Compiler and linker ----

constexpr const char* kCaller = "int two(void); kernel void test(global int *out) { *out = two(); }";
constexpr const char* kCalled = "int two(void) { return 2; }";

void compiler(Fixture& f) {
    REQUIRE(answer<cl_bool>(f, CL_DEVICE_COMPILER_AVAILABLE));
    REQUIRE(answer<cl_bool>(f, CL_DEVICE_LINKER_AVAILABLE));  // a compiler comes with it (OpenCL API 4.2)
    cl_program parts[2] = {f.source(kCaller), f.source(kCalled)};
    for (cl_program part : parts)
        REQUIRE(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    cl_int code = 1;
    f.programs.push_back(clLinkProgram(f.context, 0, nullptr, "", 2, parts, nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    cl_kernel kernel = f.make_kernel(f.programs.back(), "test");
    cl_mem out = f.make_buffer(4);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 2);
}

/// The empty kernel `test` in SPIR-V.
constexpr std::array<cl_uint, 31> kEmptyKernel = {
    0x7230203, 0,          0,       5,       0, 0x20011, 4,  // Addresses
    0x20011,   6,          0x3000e, 2,       2, 0x5000f, 6,  // Kernel; Physical64, OpenCL
    1,         0x74736574, 0,       0x20013, 2, 0x30021, 3,  // "test"; void; void()
    2,         0x50036,    2,       1,       0, 3,           // OpFunction
    0x200f8,   4,          0x100fd, 0x10038};

/// The versions that are named are taken, and no other.
void spirv_versions(Fixture& f) {
    std::string all;
    const auto versions = list_answer<cl_name_version>(f, CL_DEVICE_ILS_WITH_VERSION);
    for (cl_uint minor = 0; minor < 16; ++minor) {
        CAPTURE(minor);
        const bool is_named =
            std::ranges::count(versions, CL_MAKE_VERSION(1, minor, 0), &cl_name_version::version);
        if (is_named) all = "SPIR-V_1." + std::to_string(minor) + (all.empty() ? "" : " ") + all;
        auto words = kEmptyKernel;
        words[1] = 0x10000 | minor << 8;
        cl_int code = 1;
        cl_program program = clCreateProgramWithIL(f.context, words.data(), sizeof words, &code);
        if (program) f.programs.push_back(program);
        if (!is_named) {
            CHECK(code == CL_INVALID_VALUE);
            continue;
        }
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
        CHECK(run(f.queue, f.make_kernel(program, "test"), 1) == CL_SUCCESS);
    }
    CHECK(text_answer(f, CL_DEVICE_IL_VERSION) == all);
    for (const cl_name_version& each : versions) CHECK(each.name == std::string("SPIR-V"));
}

// ---- Atomics ----

struct Named {
    cl_bitfield bit = 0;
    const char* name = nullptr;
};
constexpr Named kOrders[] = {{CL_DEVICE_ATOMIC_ORDER_RELAXED, "memory_order_relaxed"},
                             {CL_DEVICE_ATOMIC_ORDER_ACQ_REL, "memory_order_acq_rel"},
                             {CL_DEVICE_ATOMIC_ORDER_SEQ_CST, "memory_order_seq_cst"}};
constexpr Named kScopes[] = {{CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM, "memory_scope_work_item"},
                             {CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP, "memory_scope_work_group"},
                             {CL_DEVICE_ATOMIC_SCOPE_DEVICE, "memory_scope_device"},
                             {CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES, "memory_scope_all_devices"}};

/// `statement` of each order and scope that the bits have; $o and $s stand for these.
std::string of_each(cl_bitfield bits, const std::string& statement) {
    std::string out;
    for (const Named& order : kOrders)
        for (const Named& scope : kScopes) {
            if (!(bits & order.bit) || !(bits & scope.bit)) continue;
            std::string text = statement;
            text.replace(text.find("$o"), 2, order.name);
            text.replace(text.find("$s"), 2, scope.name);
            out += text;
        }
    return out;
}

void atomic_memory(Fixture& f) {
    const auto bits = answer<cl_device_atomic_capabilities>(f, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
    const std::string text = of_each(bits, "n += atomic_fetch_add_explicit(a, 1, $o, $s) >= 0;\n");
    Test test(f,
              "kernel void test(global int *out) { volatile global atomic_int *a = (global atomic_int *)out; "
              "int n = 0;\n" +
                  text + "if (get_global_id(0) == 0) out[1] = n;\n}");
    const std::vector<cl_int> found = test.run({64, 1, 1}, 2);
    CHECK(found[1] == std::ranges::count(text, '\n'));
    CHECK(found[0] == 128 * found[1]);
}

/// A fence of each order and scope between the stores of work-items and the loads of others behind a barrier.
void atomic_fences(Fixture& f) {
    const auto bits = answer<cl_device_atomic_capabilities>(f, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
    Test test(
        f,
        "kernel void test(global int *out, global int *words) {\n    uint i = get_local_id(0); int ok = "
        "1;\n" +
            of_each(bits,
                    "words[i]++; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, $o, $s); "
                    "barrier(CLK_GLOBAL_MEM_FENCE); ok &= words[i] == words[i ^ 1]; "
                    "barrier(CLK_GLOBAL_MEM_FENCE);\n") +
            "atomic_add(out, ok);\n}");
    std::array<cl_int, 64> zeros = {};
    CHECK(test.with(f.make_buffer(sizeof zeros, zeros.data())).run({64, 1, 1})[0] == 64);
}

/// Objects that are aligned to what the device prefers, or as their type wants.
void atomic_alignment(Fixture& f) {
    for (const cl_device_info query :
         {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
          CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT}) {
        const auto bytes = answer<cl_uint>(f, query);
        REQUIRE((bytes & (bytes - 1)) == 0);
        const cl_int step = static_cast<cl_int>(std::max<cl_uint>(bytes, 4) / 4);
        Test test(
            f,
            "kernel void test(global int *out, int step) {\n    local int l[64];\n    if (get_local_id(0) == "
            "0) l[step] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    atomic_inc(l + step);\n    "
            "atomic_inc(out + step);\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (get_local_id(0) == 0) *out "
            "= l[step];\n}");
        REQUIRE(step < 16);
        const std::vector<cl_int> found = test.with(step).run({32, 1, 1});
        CHECK(found[0] == 32);
        CHECK(found[static_cast<size_t>(step)] == 32);
    }
}

// cl_ext_float_atomics, which older headers lack.
constexpr cl_device_info kSingleFpAtomicCapabilities = 0x4231, kDoubleFpAtomicCapabilities = 0x4232,
                         kHalfFpAtomicCapabilities = 0x4233;

/// Loads and stores, sums, extremes: of 32 work-items on an object of global memory or, 16 bits higher, of
/// local memory.
void float_atomics(Fixture& f, cl_device_info query, const std::string& type) {
    const auto bits = answer<cl_bitfield>(f, query);
    constexpr struct {
        cl_bitfield bit;
        const char* statement;
        int result;
    } kUses[] = {{1, "atomic_store(a, (T)7); v = atomic_load(a);", 7},
                 {2, "atomic_fetch_add_explicit(a, (T)2, RELAXED);", 64 + 3},
                 {4,
                  "atomic_fetch_max_explicit(a, (T)get_local_id(0), RELAXED); atomic_fetch_min_explicit(a, "
                  "(T)40, RELAXED);",
                  31}};
    for (const auto& each : kUses)
        for (const bool is_local : {false, true}) {
            if (!(bits & (is_local ? each.bit << 16 : each.bit))) continue;
            INFO(std::string(each.statement));
            const std::string object = is_local
                                           ? "local atomic_T object; volatile local atomic_T *a = &object;"
                                           : "volatile global atomic_T *a = (global atomic_T *)(out + 2);";
            Test test(f,
                      "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : "
                      "enable\n#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n#define CAT(a, "
                      "b) a##b\n#define ATOMIC(t) CAT(atomic_, "
                      "t)\n#define atomic_T ATOMIC(T)\n#define RELAXED memory_order_relaxed, "
                      "memory_scope_work_group\nkernel void test(global int *out) {\n" +
                          object +
                          "\nT v = 0; if (get_local_id(0) == 0) atomic_store(a, (T)3);\n"
                          "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n" +
                          each.statement +
                          "\nbarrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
                          "v = atomic_load(a); if (get_local_id(0) == 0) *out = (int)v;\n}",
                      ("-cl-std=CL3.0 -DT=" + type).c_str());
            CHECK(test.run({32, 1, 1})[0] == each.result);
        }
}

// ---- Integer dot products ----

void dot_products(Fixture& f) {
    const auto bits = answer<cl_bitfield>(f, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR);
    std::string text;
    if (bits & CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR)
        text +=
            "ok &= dot(s, s) == 4 * 25 && dot(u, u) == 4 * 49 && dot(u, s) == -4 * 35 && dot_acc_sat(s, s, "
            "INT_MAX - 3) == INT_MAX && dot_acc_sat(u, u, UINT_MAX - 3) == UINT_MAX && dot_acc_sat(s, u, "
            "INT_MIN + 3) == INT_MIN;\n";
    if (bits & CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR)
        text +=
            "uint ps = as_uint(s), pu = as_uint(u); ok &= dot_4x8packed_ss_int(ps, ps) == 4 * 25 && "
            "dot_4x8packed_uu_uint(pu, pu) == 4 * 49 && dot_4x8packed_us_int(pu, ps) == -4 * 35 && "
            "dot_acc_sat_4x8packed_ss_int(ps, ps, INT_MAX - 3) == INT_MAX && "
            "dot_acc_sat_4x8packed_uu_uint(pu, pu, UINT_MAX - 3) == UINT_MAX;\n";
    Test test(
        f,
        "kernel void test(global int *out) { char4 s = (char4)(*out - 5); uchar4 u = (uchar4)(*out + 7); "
        "int ok = 1;\n" +
            text + "*out = ok;\n}");
    CHECK(test.run()[0] == 1);
    // Each property is true or false (version 2.0 on), and the driver calls no product fast that it does not
    // have.
    for (const cl_name_version& each : list_answer<cl_name_version>(f, CL_DEVICE_EXTENSIONS_WITH_VERSION))
        if (each.name == std::string("cl_khr_integer_dot_product"))
            CHECK(each.version >= CL_MAKE_VERSION(2, 0, 0));
    using Properties = cl_device_integer_dot_product_acceleration_properties_khr;
    for (const auto& [query, bit] :
         {std::pair{CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR},
          std::pair{CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
                    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR}}) {
        const auto found = answer<Properties>(f, query);
        for (const cl_bool each :
             {found.signed_accelerated, found.unsigned_accelerated, found.mixed_signedness_accelerated,
              found.accumulating_saturating_signed_accelerated,
              found.accumulating_saturating_unsigned_accelerated,
              found.accumulating_saturating_mixed_signedness_accelerated})
            CHECK(each <= (bits & bit ? 1u : 0u));
    }
}

// ---- What SPIR-V may declare ----

/// spirv_queries_test.cpp builds modules with each of these.
void spirv_lists(Fixture& f) {
    for (const char* const set : list_answer<const char*>(f, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR))
        CHECK(!std::string(set).empty());
    for (const char* const extension : list_answer<const char*>(f, CL_DEVICE_SPIRV_EXTENSIONS_KHR))
        CHECK(std::string(extension).starts_with("SPV_"));
    CHECK(!list_answer<cl_uint>(f, CL_DEVICE_SPIRV_CAPABILITIES_KHR).empty());
}

// ---- Cooperative matrices ----

/// A matrix is loaded from a place with this alignment.
void matrices(Fixture& f) {
    const auto alignment = answer<cl_uint>(f, CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR);
    const auto multiple = answer<cl_uint>(f, CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR);
    REQUIRE(alignment % sizeof(cl_int) == 0);
    REQUIRE(multiple % sizeof(cl_int) == 0);
    REQUIRE(alignment <= 128);
    Test test(f,
              "kernel void test(global int *out) {\n"
              "local int tile[64] __attribute__((aligned(128))); tile[" +
                  std::to_string(alignment / 4) +
                  "] = out[0] + 1;\n"
                  "int __attribute__((coop_mat(3, 1, 1, CLK_COOPERATIVE_MATRIX_A))) a;\n"
                  "a = coop_mat_load(tile + " +
                  std::to_string(alignment / 4) + ", 0, " + std::to_string(multiple / 4) +
                  ");\ncoop_mat_store(out, a, 0, " + std::to_string(multiple / 4) + "); }");
    CHECK(test.run()[0] == 1);
}

// ---- Clocks ----

/// Each clock runs on, and its two functions read the same one.
void clocks(Fixture& f) {
    const auto bits = answer<cl_bitfield>(f, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR);
    CHECK((bits != 0) == has_extension(f, "cl_khr_kernel_clock"));
    const std::pair<cl_bitfield, std::string> scopes[] = {
        {CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR, "device"},
        {CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR, "work_group"},
        {CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR, "sub_group"}};
    for (const auto& [bit, scope] : scopes) {
        INFO(scope);
        const std::string feature = "__opencl_c_kernel_clock_scope_" + scope;
        Test test(
            f, "#ifdef " + feature + "\n#define HAS 1\nulong again(void) { ulong first = clock_read_" +
                   scope + "(); for (int i = 0; i < 100000; ++i) { uint2 now = clock_read_hilo_" + scope +
                   "(); if (as_ulong(now) != first) return as_ulong(now) - first; } return 0; }\n#else\n"
                   "#define HAS 0\nulong again(void) { return 1; }\n#endif\n"
                   "kernel void test(global int *out) { ulong ticks = again(); out[1] = ticks > 0 && ticks < "
                   "1ul << 60; out[0] = HAS; }");
        CHECK(test.run()[0] == (bits & bit ? 1 : 0));
        CHECK(f.read<cl_int>(test.out, 2)[1] == 1);
    }
}

const Query kRows[] = {
    QUERY(CL_DEVICE_ADDRESS_BITS, address_bits),
    QUERY(CL_DEVICE_ENDIAN_LITTLE, endian),
    QUERY(CL_DEVICE_COMPILER_AVAILABLE, compiler),
    QUERY(CL_DEVICE_LINKER_AVAILABLE, compiler),
    QUERY(CL_DEVICE_IL_VERSION, spirv_versions),
    QUERY(CL_DEVICE_ILS_WITH_VERSION, spirv_versions),
    QUERY(CL_DEVICE_OPENCL_C_VERSION, c_version),
    QUERY(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, c_version),
    QUERY(CL_DEVICE_OPENCL_C_ALL_VERSIONS, c_versions),
    QUERY(CL_DEVICE_OPENCL_C_FEATURES, c_features),
    QUERY(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, generic_addresses),
    QUERY(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, collective_functions),
    QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, atomic_memory),
    QUERY(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, atomic_fences),
    QUERY(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, atomic_alignment),
    QUERY(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, atomic_alignment),
    QUERY(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, atomic_alignment),
    QUERY(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, dot_products),
    QUERY(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, dot_products),
    QUERY(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, dot_products),
    QUERY(CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR, matrices),
    QUERY(CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR, matrices),
    QUERY(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, clocks),
    QUERY(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, spirv_lists),
    QUERY(CL_DEVICE_SPIRV_EXTENSIONS_KHR, spirv_lists),
    QUERY(CL_DEVICE_SPIRV_CAPABILITIES_KHR, spirv_lists),
    QUERY(kSingleFpAtomicCapabilities,
          [](Fixture& f) { float_atomics(f, kSingleFpAtomicCapabilities, "float"); }),
    QUERY(kDoubleFpAtomicCapabilities,
          [](Fixture& f) { float_atomics(f, kDoubleFpAtomicCapabilities, "double"); }),
    QUERY(kHalfFpAtomicCapabilities, [](Fixture& f) { float_atomics(f, kHalfFpAtomicCapabilities, "half"); }),
};

}  // namespace

std::span<const Query> language_queries() { return kRows; }

}  // namespace caldera::driver_test
