// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/trial_arithmetic.h"

#include <doctest/doctest.h>
#include <spirv/unified1/GLSL.std.450.h>

#include <cmath>

#include "spirv/support/floats.h"

using namespace caldera;
using namespace caldera::vulkan;
using spirv::Id;
using enum spv::Op;

namespace {

TrialNumber word(uint64_t bits, uint32_t width = 32) { return {.bits = bits, .width = width}; }
TrialNumber real(double value, uint32_t width = 32) {
    return {.bits = float_bits(width, value), .width = width, .is_float = true};
}

std::optional<uint64_t> of(spv::Op op, std::initializer_list<TrialNumber> operands,
                           TrialNumber result = word(0)) {
    return trial_result({.op = op}, result, {operands.begin(), operands.size()});
}
std::optional<uint64_t> call(uint32_t function, std::initializer_list<TrialNumber> operands,
                             TrialNumber result) {
    return trial_result({.op = OpExtInst, .operands = {Id{1}, function}}, result,
                        {operands.begin(), operands.size()});
}

}  // namespace

TEST_CASE("trial numbers: integers") {
    CHECK(of(OpISub, {word(1), word(3)}) == 0xfffffffe);
    CHECK(of(OpISub, {word(1, 8), word(3, 8)}, word(0, 8)) == 0xfe);
    CHECK(of(OpShiftRightArithmetic, {word(0x80, 8), word(1, 8)}, word(0, 8)) == 0xc0);
    CHECK(of(OpShiftLeftLogical, {word(5), word(33)}) == 10);
    CHECK(of(OpUDiv, {word(5), word(0)}) == 0);
    CHECK(of(OpSLessThan, {word(0xffffffff), word(0)}, word(0, 1)) == 1);
    CHECK(of(OpSConvert, {word(0x80, 8)}, word(0, 16)) == 0xff80);
    CHECK(of(OpUConvert, {word(0x1234, 16)}, word(0, 8)) == 0x34);
    CHECK(of(OpLogicalNot, {word(0, 1)}, word(0, 1)) == 1);
    CHECK(of(OpSelect, {word(0, 1), word(3), word(4)}) == 4);
    CHECK(of(OpBitFieldUExtract, {word(0xabcd), word(4), word(8)}) == 0xbc);
    CHECK(of(OpBitFieldSExtract, {word(0xabcd), word(4), word(8)}) == 0xffffffbc);
    CHECK(of(OpBitCount, {word(0xff)}) == 8);
    CHECK(call(GLSLstd450SMax, {word(0xffffffff), word(3)}, word(0)) == 3);
    CHECK(call(GLSLstd450SAbs, {word(0xff, 8)}, word(0, 8)) == 1);
}

TEST_CASE("trial numbers: floats") {
    CHECK(of(OpFAdd, {real(1), real(2)}, real(0)) == float_bits(32, 3));
    CHECK(of(OpFNegate, {real(0, 64)}, real(0, 64)) == float_bits(64, -0.0));
    CHECK(of(OpFMul, {real(-1, 16), real(2, 16)}, real(0, 16)) == float_bits(16, -2));
    CHECK(of(OpConvertSToF, {word(0xff, 8)}, real(0)) == float_bits(32, -1));
    CHECK(of(OpConvertFToS, {real(-1.5)}) == 0xffffffff);
    CHECK(of(OpFUnordLessThan, {real(NAN), real(1)}, word(0, 1)) == 1);
    CHECK(of(OpFOrdLessThan, {real(NAN), real(1)}, word(0, 1)) == 0);
    CHECK(of(OpIsNan, {real(NAN)}, word(0, 1)) == 1);
    CHECK(call(GLSLstd450Fma, {real(2), real(3), real(-6)}, real(1)) == 0);
    CHECK(call(GLSLstd450FAbs, {real(-2)}, real(0)) == float_bits(32, 2));
    CHECK(!call(GLSLstd450Ldexp, {real(1), word(2)}, real(0)));
}
