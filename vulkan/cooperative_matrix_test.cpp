// SPDX-License-Identifier: Apache-2.0
// Which cooperative matrices of OpenCL C are the device's, and which become plain code.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "builtins/builtin_library.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/spirv.h"
#include "vulkan/build_program.h"
#include "vulkan/known_drivers.h"

using namespace caldera;

namespace {

/// The typedefs of a product with sides M, N and K.
constexpr const char* kTypes = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MAT(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
typedef IN MAT(M, K, A) A;
typedef IN MAT(K, N, B) B;
typedef OUT MAT(M, N, ACCUMULATOR) C;
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
)";
constexpr const char* kProduct = R"(
kernel void product(global const IN *a, global const IN *b, global OUT *c, uint stride) {
    A x = coop_mat_load(a, ROWS, stride);
    B y = coop_mat_load(b, ROWS, stride);
    C z = coop_mat_load(c, ROWS, stride);
    z = coop_mat_mulAdd(x, y, z FLAGS);
    coop_mat_store(c, z, ROWS, stride);
}
)";

/// A device with 16 x 16 x 16 for halves, and 16 x 8 x 32 for bytes.
vulkan::DeviceProfile device_with_matrices() {
    using enum vulkan::MatrixComponent;
    vulkan::DeviceProfile profile;
    profile.matrix_products = {{16, 16, 16, Float16, Float16, Float32, Float32},
                               {16, 16, 16, Float16, Float16, Float16, Float16},
                               {16, 8, 32, SInt8, SInt8, SInt32, SInt32},
                               {16, 8, 32, UInt8, UInt8, UInt32, UInt32, true}};
    return profile;
}

struct Made {
    vulkan::Translation translation;
    spirv::Module module;
    size_t count(spv::Op op) const {
        size_t found = 0;
        for (const spirv::Function& function : module.functions)
            for (const spirv::Block& block : function.blocks)
                found += static_cast<size_t>(std::ranges::count(block.body, op, &spirv::Instruction::op));
        return found + static_cast<size_t>(std::ranges::count(module.globals, op, &spirv::Instruction::op));
    }
    bool has_capability(const std::string& name) const {
        const auto& list = translation.interface.capabilities;
        return std::ranges::find(list, name) != list.end();
    }
};

Made make(const std::string& source, const std::string& macros, vulkan::Abi abi = vulkan::Abi::Addresses,
          const vulkan::DeviceProfile& profile = device_with_matrices()) {
    BuildOptions options;
    REQUIRE(frontend::parse_build_options(("-cl-std=CL3.0 " + macros).c_str(), options.compile));
    const frontend::CompileResult compiled = frontend::compile(source, "a.cl", options.compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    vulkan::TranslateOptions translate{.abi = abi, .verify_between_passes = true};
    translate.profile = profile;
    Result<vulkan::Translation> made = vulkan::translate(compiled.words, translate, builtin_library());
    REQUIRE_MESSAGE(made, made.error().message);
    Result<spirv::Module> module = spirv::read(made->words);
    REQUIRE(module);
    return {made.take(), module.take()};
}
Made make_product(const std::string& macros, vulkan::Abi abi = vulkan::Abi::Addresses) {
    return make(std::string(kTypes) + kProduct,
                macros + (macros.find("FLAGS") == macros.npos ? " -DFLAGS=" : ""), abi);
}

}  // namespace

TEST_CASE("products that the device has stay instructions") {
    for (const char* macros :
         {"-DIN=half -DOUT=float -DM=16 -DN=16 -DK=16", "-DIN=half -DOUT=half -DM=16 -DN=16 -DK=16",
          "-DIN=char -DOUT=int -DM=16 -DN=8 -DK=32", "-DIN=uchar -DOUT=uint -DM=16 -DN=8 -DK=32 -DFLAGS=,16"})
        for (const vulkan::Abi abi : {vulkan::Abi::Addresses, vulkan::Abi::Descriptors}) {
            CAPTURE(macros);
            const Made made = make_product(macros, abi);
            CHECK(made.has_capability("CooperativeMatrixKHR"));
            CHECK(made.count(spirv::kTypeMatrix) == 3);
            CHECK(made.count(spirv::kMatrixLoad) == 3);
            CHECK(made.count(spirv::kMatrixMulAdd) == 1);
            CHECK(made.count(spirv::kMatrixStore) == 1);
            CHECK(made.translation.interface.kernels[0].uses_sub_groups);
        }
}

TEST_CASE("products that the device does not have become plain code") {
    for (const char* macros :
         {"-DIN=half -DOUT=float -DM=16 -DN=8 -DK=16", "-DIN=float -DOUT=float -DM=16 -DN=16 -DK=16",
          "-DIN=half -DOUT=half -DM=8 -DN=8 -DK=8",
          // of these, each type is in a product of the device
          "-DIN=uchar -DOUT=uint -DM=16 -DN=8 -DK=32", "-DIN=char -DOUT=int -DM=16 -DN=8 -DK=32 -DFLAGS=,16",
          "-DIN=char -DOUT=uint -DM=16 -DN=8 -DK=32"}) {
        CAPTURE(macros);
        const Made made = make_product(macros);
        CHECK(!made.has_capability("CooperativeMatrixKHR"));
        CHECK(made.count(spirv::kTypeMatrix) == 0);
        CHECK(made.translation.interface.kernels[0].uses_sub_groups);
    }
}

TEST_CASE("one module has both kinds") {
    const Made made = make(std::string(kTypes) + R"(
        typedef half MAT(8, 8, A) SmallA;
        kernel void both(global half *a, uint stride) {
            A x = coop_mat_load(a, ROWS, stride);
            coop_mat_store(a, x + x, ROWS, stride);
            SmallA y = coop_mat_load(a, ROWS, stride);
            coop_mat_store(a, y * 2, ROWS, stride);
        })",
                           "-DIN=half -DOUT=float -DM=16 -DN=16 -DK=16");
    CHECK(made.count(spirv::kTypeMatrix) == 1);
    CHECK(made.count(spirv::kMatrixLoad) == 1);
    CHECK(made.count(spirv::kMatrixStore) == 1);
}

TEST_CASE("strides count the elements of local memory") {
    const auto stride_of = [](const std::string& tile, const std::string& store, const std::string& stride) {
        const Made made =
            make(std::string(kTypes) + "kernel void local_tile(global uint4 *in, global float *out) {\n" +
                     "local " + tile + ";\n" + store +
                     "barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "A x = coop_mat_load((local half *)tile, ROWS, " +
                     stride +
                     ");\nB y = coop_mat_init(1); C z = coop_mat_init(0);\n"
                     "z = coop_mat_mulAdd(x, y, z); coop_mat_store(out, z, ROWS, 16);\n}",
                 "-DIN=half -DOUT=float -DM=16 -DN=16 -DK=16");
        for (const spirv::Function& function : made.module.functions)
            for (const spirv::Block& block : function.blocks)
                for (const spirv::Instruction& inst : block.body)
                    if (inst.op == spirv::kMatrixLoad)
                        for (const spirv::Instruction& constant : made.module.globals)
                            if (constant.result == inst.id(2)) return constant.word(0);
        return 0u;
    };
    CHECK(stride_of("uint4 tile[64]", "tile[get_local_id(0)] = *in;\n", "24") == 3);
    CHECK(stride_of("half tile[512]", "tile[get_local_id(0)] = 1;\n", "24") == 24);
    CHECK(stride_of("uint tile[256]", "tile[get_local_id(0)] = 1;\n", "24") == 12);
    CHECK(stride_of("half4 tile[128]", "tile[get_local_id(0)] = 1;\n", "24") == 6);
    CHECK(stride_of("uint4 tile[64]", "tile[get_local_id(0)] = *in; ((local half *)tile)[1] = 1;\n", "24") ==
          12);
}

TEST_CASE("a stride that no element of the memory divides is declined") {
    BuildOptions options;
    REQUIRE(frontend::parse_build_options("-cl-std=CL3.0 -DIN=half -DOUT=float -DM=16 -DN=16 -DK=16",
                                          options.compile));
    const frontend::CompileResult compiled = frontend::compile(
        std::string(kTypes) +
            "kernel void odd(global uint4 *in, global half *out) { local uint4 tile[64]; "
            "tile[get_local_id(0)] = *in;\n"
            "barrier(CLK_LOCAL_MEM_FENCE);\n"
            "A x = coop_mat_load((local half *)tile, ROWS, 17); coop_mat_store(out, x, ROWS, 16); }",
        "a.cl", options.compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    vulkan::TranslateOptions translate;
    translate.profile = device_with_matrices();
    const Result<vulkan::Translation> made = vulkan::translate(compiled.words, translate, builtin_library());
    REQUIRE(!made);
    CHECK(made.error().message.find("the stride is 34 bytes, which is no multiple of 16") !=
          std::string::npos);
}

TEST_CASE("what is done for a driver leaves matrices alone") {
    const std::string source = std::string(kTypes) + R"(
        kernel void changed(global const half *a, global float *out, int n) {
            C sums[2], one = coop_mat_init(1);
            for (int i = 0; i < 2; i++) sums[i] = coop_mat_init(0);
            for (int i = 0; i < n; i++) {
                A x = coop_mat_load(a + i * 256, ROWS, 16);
                B y = coop_mat_load(a + i * 256 + 8, ROWS, 16);
                for (int j = 0; j < 2; j++) sums[j] = coop_mat_mulAdd(x, y, sums[j]);
                if (n > 7) sums[0] = sums[0] * 0 + one * one;
                C old = sums[0];
                sums[0] = sums[1] / one;
                sums[1] = -old - one;
            }
            for (int i = 0; i < 2; i++) coop_mat_store(out + i * 256, sums[i], ROWS, 16);
        })";
    for (const vulkan::DriverRow& row : vulkan::driver_rows()) {
        CAPTURE(row.name);
        vulkan::DeviceProfile profile = device_with_matrices();
        vulkan::know_driver(profile, row.driver, std::nullopt);
        const Made made =
            make(source, "-DIN=half -DOUT=float -DM=16 -DN=16 -DK=16", vulkan::Abi::Addresses, profile);
        CHECK(made.count(spirv::kMatrixStore) == 2);
        const auto is_matrix = [&](spirv::Id type) {
            return std::ranges::any_of(made.module.globals, [&](const spirv::Instruction& inst) {
                return inst.op == spirv::kTypeMatrix && inst.result == type;
            });
        };
        for (const spirv::Instruction& inst : made.module.globals)  // they have no constants of their own
            CHECK(!(inst.op == spv::Op::OpConstant && is_matrix(inst.type)));
        for (const spirv::Function& function : made.module.functions)
            for (const spirv::Block& block : function.blocks)
                for (const spirv::Instruction& inst : block.body) {
                    CHECK(!(inst.op == spv::Op::OpSelect && is_matrix(inst.type)));
                    CHECK(!(inst.op == spv::Op::OpExtInst && is_matrix(inst.type)));
                }
    }
}

TEST_CASE("arrays of matrices with an index that is not known stay variables") {
    const Made made = make(std::string(kTypes) + R"(
        kernel void chosen(global float *out, int n) {
            C sums[2];
            sums[0] = coop_mat_init(1);
            sums[1] = coop_mat_init(2);
            C sum = sums[n];
            coop_mat_store(out, sum, ROWS, 16);
        })",
                           "-DIN=half -DOUT=float -DM=16 -DN=16 -DK=16");
    CHECK(made.count(spirv::kMatrixStore) == 1);
    CHECK(made.count(spv::Op::OpVariable) >= 1);
}
