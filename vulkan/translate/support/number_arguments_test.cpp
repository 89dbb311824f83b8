// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/number_arguments.h"

#include <doctest/doctest.h>

using namespace caldera;
using namespace caldera::vulkan;
using enum ArgumentKind;

namespace {

Kernel kernel(std::initializer_list<ArgumentKind> kinds) {
    Kernel result;
    for (const ArgumentKind kind : kinds) result.arguments.push_back({.kind = kind});
    return result;
}

}  // namespace

TEST_CASE("number_arguments: values come after the buffers, positions keep their bindings") {
    ProgramInterface program{
        .abi = Abi::Descriptors,
        .kernels = {kernel({GlobalPointer, Value, GlobalPointer, Value}), kernel({Value, ConstantPointer}),
                    kernel({GlobalPointer, LocalPointer, GlobalPointer, GlobalPointer})}};
    const std::vector<std::vector<spirv::Id>> pointees(3, std::vector<spirv::Id>(4));
    number_arguments(program, pointees, false);
    CHECK(program.kernels[0].arguments[0].binding == 0);
    CHECK(program.kernels[0].arguments[2].binding == 1);
    CHECK(program.kernels[0].block_binding == 2);
    CHECK(program.kernels[1].arguments[1].binding == 0);
    CHECK(program.kernels[1].block_binding == 1);
    CHECK(program.kernels[2].arguments[1].binding == kNoBinding);
    CHECK(program.kernels[2].arguments[2].binding == 2);
    CHECK(program.kernels[2].arguments[3].binding == 3);
    CHECK(program.kernels[2].block_binding == 4);  // free for hidden arguments
    CHECK(program.work_dim_spec_id == kNoSpecId);
}

TEST_CASE("number_arguments: kernels share the constants of local arguments of a type") {
    ProgramInterface program{.kernels = {kernel({LocalPointer, GlobalPointer, LocalPointer, LocalPointer}),
                                         kernel({LocalPointer, LocalPointer})}};
    const spirv::Id f{1}, u{2};
    const std::vector<std::vector<spirv::Id>> pointees = {{f, f, u, f}, {u, f}};
    number_arguments(program, pointees, true);
    CHECK(program.work_dim_spec_id == 3);
    CHECK(program.kernels[0].arguments[0].spec_id == 4);
    CHECK(program.kernels[0].arguments[2].spec_id == 5);
    CHECK(program.kernels[0].arguments[3].spec_id == 6);
    CHECK(program.kernels[1].arguments[0].spec_id == 5);
    CHECK(program.kernels[1].arguments[1].spec_id == 4);
    CHECK(program.kernels[0].arguments[1].binding == kNoBinding);
}

TEST_CASE("number_nulls: kernels share the constants of a binding") {
    ProgramInterface program{.abi = Abi::Descriptors,
                             .kernels = {kernel({LocalPointer, GlobalPointer, Value, ConstantPointer}),
                                         kernel({Pipe, GlobalPointer})}};
    const std::vector<std::vector<spirv::Id>> pointees(2, std::vector<spirv::Id>(4));
    number_arguments(program, pointees, false);
    number_nulls(program);
    const auto& first = program.kernels[0].arguments;
    const auto& second = program.kernels[1].arguments;
    CHECK(first[0].not_null_spec_id == kNoSpecId);
    CHECK(first[1].not_null_spec_id == 4);  // 3 is the length of the local argument
    CHECK(first[2].not_null_spec_id == kNoSpecId);
    CHECK(first[3].not_null_spec_id == 4 + first[3].binding);
    CHECK(second[0].not_null_spec_id == kNoSpecId);  // a pipe is never NULL
    CHECK(second[1].not_null_spec_id == 4 + second[1].binding);
    CHECK(first_free_spec_id(program) > 4 + std::max(first[3].binding, second[1].binding));
}
