// SPDX-License-Identifier: Apache-2.0
#include "programs.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace caldera::accuracy {
namespace {

std::string extension(const Format& format) {
    if (format.bytes == 4) return "";
    return std::string("#pragma OPENCL EXTENSION cl_khr_fp") + (format.bytes == 2 ? "16" : "64") +
           " : enable\n";
}

/// `static T evaluate_T(T x, T y)` for a scalar type.
std::string evaluation(const Function& function, const std::string& type) {
    return "#define TO_T convert_" + type + "\nstatic " + type + " evaluate_" + type + "(" + type + " x, " +
           type + " y) {\n    typedef " + type + " T;\n    typedef int N;\n    T r;\n    " +
           function.statement + "\n    return r;\n}\n#undef TO_T\n";
}

/// The allowed error in ulps, as an expression of x and of `unit`, the exact result's.
std::string allowance(const Bound& bound) {
    const std::string ulps = std::to_string(bound.ulps);
    const std::string absolute = "0x1p" + std::to_string(bound.exponent) + " / unit";
    switch (bound.kind) {
        case Bound::Kind::Ulps: return ulps;
        case Bound::Kind::Exp: return ulps + " + floor(fabs(2 * x))";
        case Bound::Kind::Log: return "x >= 0.5 && x <= 2 ? " + absolute + " : " + ulps;
        case Bound::Kind::Absolute:
            return "fabs(x) <= " + std::to_string(bound.limit) + " ? " + absolute + " : INFINITY";
        case Bound::Kind::None: return "1";
    }
    return "";
}

}  // namespace

std::string sampled_source(const Function& function, const Format& format, uint32_t width) {
    const std::string scalar = format.type, suffix = width == 1 ? "" : std::to_string(width);
    const auto load = [&](const char* name, const char* type, char argument) {
        if (!function.has(argument)) return std::string();
        const std::string array = std::string(1, argument) + "s";
        return std::string("    ") + type + " " + name + " = " +
               (width == 1 ? array + "[at]" : "vload" + suffix + "(at, " + array + ")") + ";\n";
    };
    const std::string in = "global const " + scalar + "* ";
    return extension(format) + "typedef " + scalar + suffix + " T;\ntypedef int" + suffix +
           " N;\n#define TO_T convert_" + scalar + suffix + "\nkernel void sampled(" + in + "xs, " + in +
           "ys, " + in + "zs, global const int* ns, global " + scalar +
           "* rs) {\n    size_t at = get_global_id(0);\n" + load("x", "T", 'x') + load("y", "T", 'y') +
           load("z", "T", 'z') + load("n", "N", 'n') + "    T r;\n    " + function.statement + "\n    " +
           (width == 1 ? "rs[at] = r" : "vstore" + suffix + "(r, at, rs)") + ";\n}\n";
}

bool has_wide_reference(const Function& function) {
    constexpr const char* kOfTheFormat[] = {"fract", "ilogb", "nextafter"};
    return !function.has('n') && !function.has('z') &&
           std::ranges::none_of(kOfTheFormat,
                                [&](const char* name) { return std::strcmp(name, function.name) == 0; });
}

std::string exhaustive_source(const Function& function, const Format& format, const Bound& bound,
                              Subnormals subnormals) {
    constexpr const char* kText = R"cl(
// In integers, as the device may flush subnormal numbers.
static double widen($T v) {
    uint size = as_$word(v) & $magnitude;
    if (size >= $hidden) return (double)v;
    double d = (double)size * $least;
    return signbit(v) ? -d : d;
}

// The error divided by the allowed error.
static double quotient(double x, $T got, double exact) {
    if (isnan(exact)) return isnan(got) ? 0 : INFINITY;
    if (isnan(got)) return INFINITY;
    const double limit = 0x1p$highest, wide = isinf(got) ? copysign(limit, (double)got) : widen(got);
    if (exact == 0) return wide == 0 && ($any_zero || (signbit(got) != 0) == (signbit(exact) != 0)) ? 0 : INFINITY;
    exact = clamp(exact, -limit, limit);
    double unit = ldexp(1.0, clamp(ilogb(exact), $lowest, $highest - 1) - ($digits - 1));
    double error = fabs(wide - exact) / unit, allowed = $allowed;
    if ($may_flush && wide == 0 && fabs(exact) - allowed * unit < 0x1p$lowest) return 0;
    return error == 0 ? 0 : error / allowed;
}

kernel void exhaustive(uint first, global float* worst, global uint* where) {
    uint begin = first + get_global_id(0) * $per_item, at = begin;
    float most = -1;
    for (uint i = begin; i != begin + $per_item; i++) {
        $T x = as_$T(($word)i), y = $y, got = evaluate_$T(x, y);
        double wide = widen(x), q = quotient(wide, got, evaluate_double(wide, widen(y)));
        if ($may_flush && q > 1 && fabs(wide) < 0x1p$lowest)
            q = min(q, min(quotient(0.0, got, evaluate_double(0.0, widen(y))),
                           quotient(0.0, got, evaluate_double(-0.0, widen(y)))));
        if ((float)q > most) most = (float)q, at = i;
    }
    worst[get_global_id(0)] = most;
    where[get_global_id(0)] = at;
}
)cl";
    const auto bits = [](uint64_t value) { return std::to_string(value) + "u"; };
    const std::string T = format.type;
    // Longer names first, where one begins with another.
    const std::pair<const char*, std::string> words[] = {
        {"$per_item", bits(kPerItem)},
        {"$magnitude", bits(format.sign() - 1)},
        {"$may_flush", subnormals == Subnormals::MayFlush ? "true" : "false"},
        {"$any_zero", function.any_zero ? "true" : "false"},
        {"$allowed", allowance(bound)},
        {"$highest", std::to_string(format.max_exponent)},
        {"$lowest", std::to_string(format.min_exponent())},
        {"$digits", std::to_string(format.digits)},
        {"$hidden", bits(format.hidden())},
        {"$least", "0x1p" + std::to_string(format.min_exponent() - (format.digits - 1))},
        {"$word", format.bytes == 2 ? "ushort" : "uint"},
        {"$T", T},
        {"$y", function.has('y') ? "as_" + T + "((ushort)(i >> 16))" : "0"},
    };
    std::string text = kText;
    for (const auto& [name, value] : words)
        for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
            text.replace(at, std::strlen(name), value);
    return extension(kDouble) + extension(format) + evaluation(function, T) + evaluation(function, "double") +
           text;
}

}  // namespace caldera::accuracy
