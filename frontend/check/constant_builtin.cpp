// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/constant_builtin.h"

#include <spirv/unified1/OpenCL.std.h>

#include <bit>
#include <cmath>

#include "spirv/spirv.h"

namespace caldera::frontend {

using builtin::GnuOp;
using builtin::Lowering;

namespace {

uint64_t low_bits(unsigned width) { return ~uint64_t{0} >> (64 - width); }

uint64_t reversed(uint64_t bits, unsigned width) {
    uint64_t out = 0;
    for (unsigned i = 0; i < width; ++i) out |= (bits >> i & 1) << (width - 1 - i);
    return out;
}

uint64_t rotated_left(uint64_t bits, uint64_t count, unsigned width) {
    count %= width;
    return count == 0 ? bits : (bits << count | bits >> (width - count)) & low_bits(width);
}

uint64_t magnitude(uint64_t bits, unsigned width) {
    return bits >> (width - 1) & 1 ? (0 - bits) & low_bits(width) : bits;
}

std::optional<uint64_t> fold_gnu(GnuOp op, std::span<const uint64_t> args, unsigned width) {
    const uint64_t x = args[0];
    switch (op) {
        case GnuOp::First:
        case GnuOp::Expect: return x;
        case GnuOp::CountLeading:
            if (x == 0) return std::nullopt;
            return static_cast<unsigned>(std::countl_zero(x)) - (64 - width);
        case GnuOp::CountTrailing:
            if (x == 0) return std::nullopt;
            return std::countr_zero(x);
        case GnuOp::CountOnes: return std::popcount(x);
        case GnuOp::Parity: return std::popcount(x) & 1;
        case GnuOp::FindFirst: return x == 0 ? 0 : std::countr_zero(x) + 1;
        case GnuOp::SwapBytes: return __builtin_bswap64(x) >> (64 - width);
        case GnuOp::RotateRight: return rotated_left(x, width - args[1] % width, width);
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<uint64_t> fold_integers(const builtin::Row& row, std::span<const uint64_t> args,
                                      unsigned width) {
    if (args.empty()) return std::nullopt;
    if (row.lowering == Lowering::Gnu) return fold_gnu(static_cast<GnuOp>(row.a), args, width);
    if (row.lowering == Lowering::Op && row.a == static_cast<uint32_t>(spv::Op::OpBitReverse))
        return reversed(args[0], width);
    if (row.lowering != Lowering::ExtInst) return std::nullopt;
    if (row.a == OpenCLLIB::SAbs) return magnitude(args[0], width);
    if (row.a == OpenCLLIB::Rotate && args.size() == 2) return rotated_left(args[0], args[1], width);
    return std::nullopt;
}

namespace {

std::optional<double> number_of(uint32_t instruction, std::span<const double> args) {
    const double x = args[0], y = args.size() > 1 ? args[1] : 0;
    switch (instruction) {
        case OpenCLLIB::Fabs: return std::fabs(x);
        case OpenCLLIB::Ceil: return std::ceil(x);
        case OpenCLLIB::Floor: return std::floor(x);
        case OpenCLLIB::Trunc: return std::trunc(x);
        case OpenCLLIB::Round: return std::round(x);
        case OpenCLLIB::Rint: return std::nearbyint(x);
        case OpenCLLIB::Copysign: return std::copysign(x, y);
        case OpenCLLIB::Fmax: return std::fmax(x, y);
        case OpenCLLIB::Fmin: return std::fmin(x, y);
        default: return std::nullopt;
    }
}

std::optional<bool> truth_of(spv::Op op, std::span<const double> args, double least_normal) {
    const double x = args[0], y = args.size() > 1 ? args[1] : 0;
    switch (op) {
        case spv::Op::OpIsNan: return std::isnan(x);
        case spv::Op::OpIsInf: return std::isinf(x);
        case spv::Op::OpIsFinite: return std::isfinite(x);
        case spv::Op::OpIsNormal: return std::isfinite(x) && std::fabs(x) >= least_normal;
        case spv::Op::OpSignBitSet: return std::signbit(x);
        case spv::Op::OpFOrdGreaterThan: return x > y;
        case spv::Op::OpFOrdGreaterThanEqual: return x >= y;
        case spv::Op::OpFOrdLessThan: return x < y;
        case spv::Op::OpFOrdLessThanEqual: return x <= y;
        case spv::Op::OpFOrdNotEqual: return x < y || x > y;
        case spv::Op::OpUnordered: return std::isnan(x) || std::isnan(y);
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<FoldedFloat> fold_floats(const builtin::Row& row, std::span<const double> args,
                                       double least_normal) {
    if (args.empty()) return std::nullopt;
    if (row.lowering == Lowering::ExtInst)
        if (const std::optional<double> number = number_of(row.a, args))
            return FoldedFloat{.number = *number};
    if (row.lowering == Lowering::Relational)
        if (const auto truth = truth_of(static_cast<spv::Op>(row.a), args, least_normal))
            return FoldedFloat{.number = *truth ? 1.0 : 0.0, .is_truth = true};
    return std::nullopt;
}

}  // namespace caldera::frontend
