// SPDX-License-Identifier: Apache-2.0
// Which cooperative matrices of OpenCL C are the device's, and which become plain code.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "builtins/builtin_library.h"
#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/id_map.h"
#include "spirv/spirv.h"
#include "tests/support/why.h"
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
    REQUIRE_MESSAGE(made, why(made));
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

TEST_CASE("what is done for a driver leaves conversions of matrices alone") {
    const std::string source = std::string(kTypes) + R"(
        typedef __bf16 MAT(16, 16, ACCUMULATOR) D;
        kernel void converted(global __bf16 *p, float x) {
            A a = coop_mat_load(p, ROWS, 16);
            B b = coop_mat_load(p + 256, ROWS, 16);
            D d = coop_mat_init(x);
            d = coop_mat_mulAdd(a, b, -d * 2 + d);
            coop_mat_store(p, d, ROWS, 16);
        })";
    using enum vulkan::MatrixComponent;
    for (const vulkan::DriverRow& row : vulkan::driver_rows()) {
        CAPTURE(row.name);
        vulkan::DeviceProfile profile;
        profile.matrix_products = {{16, 16, 16, BFloat16, BFloat16, Float32, Float32},
                                   {16, 16, 16, BFloat16, BFloat16, BFloat16, BFloat16}};
        vulkan::know_driver(profile, row.driver, std::nullopt);
        const Made made =
            make(source, "-DIN=__bf16 -DOUT=float -DM=16 -DN=16 -DK=16", vulkan::Abi::Addresses, profile);
        CHECK(made.count(spirv::kMatrixMulAdd) == 1);
        CHECK(!made.has_capability("Float16"));
        spirv::IdSet matrices;
        for (const spirv::Instruction& inst : made.module.globals) {
            if (inst.op == spirv::kTypeMatrix) matrices.insert(inst.result);
            CHECK(!(inst.op == spv::Op::OpConstant && matrices.contains(inst.type)));
        }
        spirv::IdSet values;
        size_t conversions = 0;
        for (const spirv::Function& function : made.module.functions)
            for (const spirv::Block& block : function.blocks)
                for (const spirv::Instruction& inst : block.body) {
                    if (inst.type && matrices.contains(inst.type)) values.insert(inst.result);
                    if (inst.op == spv::Op::OpBitcast) CHECK(!values.contains(inst.id(0)));
                    conversions += inst.op == spv::Op::OpFConvert && values.contains(inst.result);
                }
        CHECK(conversions >= 2);
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

namespace {

/// c = a * b + c of 16 x 16 components, where a and b are encoded floats and c is a float. `change` gets the
/// builder, a, b and the types of a and of its components, and returns another a.
template <class Change>
std::vector<uint32_t> product_of_encoded(Change change, spirv::FloatEncoding encoding) {
    using spirv::Id;
    spirv::Module module;
    spirv::Builder b(module);
    for (const spv::Capability each :
         {spv::Capability::Kernel, spv::Capability::Addresses, spv::Capability::Int8, spv::Capability::Int16,
          spirv::kCooperativeMatrix, spirv::type_capability(encoding), spirv::matrix_capability(encoding)})
        b.capability(each);
    b.extension(spirv::kCooperativeMatrixExtension);
    b.extension(spirv::extension_of(encoding));
    module.memory_model = {.op = spv::Op::OpMemoryModel,
                           .operands = {spv::AddressingModel::Physical64, spv::MemoryModel::OpenCL}};
    const uint32_t width = encoding == spirv::FloatEncoding::BFloat16 ? 16 : 8;
    const Id component = b.type(spv::Op::OpTypeFloat, {width, static_cast<uint32_t>(encoding)}),
             f32 = b.type_float(32);
    const Id sixteen = b.constant_u32(16), rows = b.constant_u32(0);
    const auto matrix = [&](Id number, spirv::MatrixUse use) {
        return b.type(spirv::kTypeMatrix, {number, b.constant_u32(3), sixteen, sixteen,
                                           b.constant_u32(static_cast<uint32_t>(use))});
    };
    const Id a_type = matrix(component, spirv::MatrixUse::A), b_type = matrix(component, spirv::MatrixUse::B),
             c_type = matrix(f32, spirv::MatrixUse::Accumulator);
    const Id in = b.type_pointer(spv::StorageClass::CrossWorkgroup, component),
             out = b.type_pointer(spv::StorageClass::CrossWorkgroup, f32), nothing = b.type_void();
    const Id params[] = {in, out};
    const Id kernel = b.begin_function(nothing, b.type_function(nothing, params));
    const Id from = b.param(in), to = b.param(out);
    b.begin_block(b.fresh());
    Id x = b.append(spirv::kMatrixLoad, a_type,
                    {from, rows, sixteen, spv::MemoryAccessMask::Aligned, width / 8});
    const Id y = b.append(spirv::kMatrixLoad, b_type, {from, rows, sixteen});
    const Id z = b.append(spirv::kMatrixLoad, c_type, {to, rows, sixteen});
    x = change(b, x, y, a_type, component);
    const Id sum = b.append(spirv::kMatrixMulAdd, c_type, {x, y, z});
    b.append_void(spirv::kMatrixStore, {to, sum, rows, sixteen});
    b.return_();
    b.end_function();
    spirv::Instruction entry{.op = spv::Op::OpEntryPoint, .operands = {spv::ExecutionModel::Kernel, kernel}};
    spirv::append_string(entry.operands, "product");
    module.entry_points.push_back(std::move(entry));
    return spirv::write(module);
}
template <class Change>
std::vector<uint32_t> product_of_bfloats(Change change) {
    return product_of_encoded(change, spirv::FloatEncoding::BFloat16);
}

Made translated(const std::vector<uint32_t>& words, const vulkan::DeviceProfile& profile) {
    vulkan::TranslateOptions options{.verify_between_passes = true};
    options.profile = profile;
    Result<vulkan::Translation> made = vulkan::translate(words, options, builtin_library());
    REQUIRE_MESSAGE(made, why(made));
    const Result<Done> valid = spirv::validate(made->words, spirv::Target::Vulkan12);
    CHECK_MESSAGE(valid, why(valid));
    Result<spirv::Module> module = spirv::read(made->words);
    REQUIRE(module);
    return {made.take(), module.take()};
}
spirv::Id same(spirv::Builder&, spirv::Id a, spirv::Id, spirv::Id, spirv::Id) { return a; }

vulkan::DeviceProfile device_with_bfloats() {
    using enum vulkan::MatrixComponent;
    vulkan::DeviceProfile profile = device_with_matrices();
    profile.matrix_products.push_back({16, 16, 16, BFloat16, BFloat16, Float32, Float32});
    return profile;
}

}  // namespace

TEST_CASE("a product of bfloat16 stays one where the device has it") {
    const Made made = translated(product_of_bfloats(same), device_with_bfloats());
    CHECK(made.count(spirv::kTypeMatrix) == 3);
    CHECK(made.count(spirv::kMatrixMulAdd) == 1);
    CHECK(made.has_capability("BFloat16TypeKHR"));
    CHECK(made.has_capability("BFloat16CooperativeMatrixKHR"));
    CHECK(!made.has_capability("Float16"));
    CHECK(std::ranges::count_if(made.module.globals, spirv::is_encoded_float) == 1);
    // One of halves does not help.
    const Made plain = translated(product_of_bfloats(same), device_with_matrices());
    CHECK(plain.count(spirv::kTypeMatrix) == 0);
    CHECK(!plain.has_capability("BFloat16TypeKHR"));
    CHECK(std::ranges::count_if(plain.module.globals, spirv::is_encoded_float) == 0);
    vulkan::DeviceProfile without_shorts = device_with_bfloats();
    without_shorts.int16 = without_shorts.float16 = without_shorts.storage_16bit = false;
    CHECK(translated(product_of_bfloats(same), without_shorts).count(spirv::kTypeMatrix) == 0);
}

TEST_CASE("components of bfloat16 are integers outside of their matrix") {
    const auto change = [](spirv::Builder& b, spirv::Id a, spirv::Id, spirv::Id type, spirv::Id bfloat) {
        const spirv::Id first = b.append(spv::Op::OpCompositeExtract, bfloat, {a, 0u});
        const spirv::Id f32 = b.type_float(32);
        const spirv::Id one = b.constant_float_bits(bfloat, 0x3f80);
        const spirv::Id wide = b.append(spv::Op::OpFConvert, f32, {first});
        const spirv::Id twice = b.append(spv::Op::OpFAdd, f32, {wide, wide});
        const spirv::Id narrow = b.append(spv::Op::OpFConvert, bfloat, {twice});
        const spirv::Id ones = b.constant_composite(type, {&one, 1});
        const spirv::Id filled = b.append(spv::Op::OpCompositeConstruct, type, {narrow});
        const spirv::Id chosen = b.append(spv::Op::OpCompositeExtract, bfloat, {filled, 0u});
        return b.append(spv::Op::OpCompositeInsert, type, {chosen, ones, 0u});
    };
    const Made made = translated(product_of_bfloats(change), device_with_bfloats());
    CHECK(made.count(spirv::kMatrixMulAdd) == 1);
    CHECK(made.count(spirv::kTypeMatrix) == 3);
    const auto bfloat = std::ranges::find_if(made.module.globals, spirv::is_encoded_float);
    REQUIRE(bfloat != made.module.globals.end());
    for (const spirv::Function& function : made.module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const spirv::Instruction& inst : block.body)
                if (inst.type == bfloat->result)
                    CHECK((inst.op == spv::Op::OpBitcast || inst.op == spv::Op::OpCompositeExtract));
    CHECK(translated(product_of_bfloats(change), device_with_matrices()).count(spirv::kTypeMatrix) == 0);
}

TEST_CASE("matrices of bfloat16 that are computed with become plain code") {
    const auto twice = [](spirv::Builder& b, spirv::Id a, spirv::Id, spirv::Id type, spirv::Id) {
        return b.append(spv::Op::OpFAdd, type, {a, a});
    };
    CHECK(translated(product_of_bfloats(twice), device_with_bfloats()).count(spirv::kTypeMatrix) == 0);
    const auto through_pointer = [](spirv::Builder& b, spirv::Id a, spirv::Id, spirv::Id type,
                                    spirv::Id bfloat) {
        const spirv::Id variable = b.local_variable(type);
        b.append_void(spv::Op::OpStore, {variable, a});
        const spirv::Id pointer =
            b.append(spv::Op::OpInBoundsAccessChain, b.type_pointer(spv::StorageClass::Function, bfloat),
                     {variable, b.constant_u32(0)});
        b.append_void(spv::Op::OpStore, {pointer, b.constant_float_bits(bfloat, 0x3f80)});
        return b.append(spv::Op::OpLoad, type, {variable});
    };
    CHECK(translated(product_of_bfloats(through_pointer), device_with_bfloats()).count(spirv::kTypeMatrix) ==
          0);
}

TEST_CASE("a product of floats of 8 bits stays one where the device has it") {
    using enum vulkan::MatrixComponent;
    vulkan::DeviceProfile profile = device_with_matrices();
    profile.matrix_products.push_back({16, 16, 16, Float8E4M3, Float8E4M3, Float32, Float32});
    const std::vector<uint32_t> words = product_of_encoded(same, spirv::FloatEncoding::E4M3);
    const Made made = translated(words, profile);
    CHECK(made.count(spirv::kTypeMatrix) == 3);
    CHECK(made.count(spirv::kMatrixMulAdd) == 1);
    CHECK(made.has_capability("Float8EXT"));
    CHECK(made.has_capability("Float8CooperativeMatrixEXT"));
    CHECK(std::ranges::count_if(made.module.globals, spirv::is_encoded_float) == 1);
    const Made plain = translated(words, device_with_matrices());
    CHECK(plain.count(spirv::kTypeMatrix) == 0);
    CHECK(!plain.has_capability("Float8EXT"));
    CHECK(
        translated(product_of_encoded(same, spirv::FloatEncoding::E5M2), profile).count(spirv::kTypeMatrix) ==
        0);
    vulkan::DeviceProfile without_bytes = profile;
    without_bytes.int8 = without_bytes.storage_8bit = false;
    CHECK(translated(words, without_bytes).count(spirv::kTypeMatrix) == 0);
}

TEST_CASE("a matrix of floats of 8 bits that is converted becomes plain code") {
    using enum vulkan::MatrixComponent;
    vulkan::DeviceProfile profile = device_with_matrices();
    profile.matrix_products.push_back({16, 16, 16, Float8E5M2, Float8E5M2, Float32, Float32});
    const auto made_with = [&](bool saturates) {
        const auto converted = [&](spirv::Builder& b, spirv::Id a, spirv::Id, spirv::Id type, spirv::Id) {
            const spirv::Instruction matrix = *b.find_global(type);
            const spirv::Id wide = b.type(spirv::kTypeMatrix, {b.type_float(32), matrix.id(1), matrix.id(2),
                                                               matrix.id(3), matrix.id(4)});
            const spirv::Id floats = b.append(spv::Op::OpFConvert, wide, {a});
            const spirv::Id narrow = b.append(spv::Op::OpFConvert, type, {floats});
            if (saturates) b.decorate(narrow, spirv::kSaturatedToFloat8);
            return narrow;
        };
        return translated(product_of_encoded(converted, spirv::FloatEncoding::E5M2), profile);
    };
    const Made made = made_with(true);
    CHECK(made.count(spirv::kTypeMatrix) == 0);
    for (const spirv::Instruction& inst : made.module.annotations)
        CHECK(inst.word(1) != static_cast<uint32_t>(spirv::kSaturatedToFloat8));
    CHECK(spirv::write(made.module) != spirv::write(made_with(false).module));
}
