// SPDX-License-Identifier: Apache-2.0
#include "programs.h"

#include <algorithm>
#include <cstring>

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

/// What is allowed of an error in ulps, as an expression of x and the exact result's `unit`.
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

std::string exhaustive_source(const Function& function, const Format& format, const Bound& bound) {
    const bool is_pair = function.has('y');
    const std::string T = format.type,
                      as = std::string("as_") + T + "((" + (format.bytes == 2 ? "ushort)" : "uint)");
    // Subnormal numbers are widened in integers, as the device may flush them.
    const std::string word = format.bytes == 2 ? "ushort" : "uint", digits = std::to_string(format.digits),
                      lowest = std::to_string(format.min_exponent()),
                      highest = std::to_string(format.max_exponent);
    std::string text =
        extension(kDouble) + extension(format) + evaluation(function, T) + evaluation(function, "double");
    text += "static double widen(" + T + " v) {\n    uint size = as_" + word + "(v) & " +
            std::to_string(format.sign() - 1) + "u;\n    if (size >= " + std::to_string(format.hidden()) +
            "u) return (double)v;\n    double d = (double)size * 0x1p" +
            std::to_string(format.min_exponent() - (format.digits - 1)) +
            ";\n    return signbit(v) ? -d : d;\n}\n";
    text += "static double quotient(double x, " + T +
            " got, double exact) {\n"
            "    if (isnan(exact)) return isnan(got) ? 0 : INFINITY;\n"
            "    if (isnan(got)) return INFINITY;\n"
            "    if (exact == 0) return got == 0 && " +
            (function.any_zero ? "true" : "(signbit(got) != 0) == (signbit(exact) != 0)") +
            " ? 0 : INFINITY;\n"
            "    const double limit = 0x1p" +
            highest +
            ";\n"
            "    double wide = isinf(got) ? copysign(limit, (double)got) : widen(got);\n"
            "    exact = clamp(exact, -limit, limit);\n"
            "    double unit = ldexp(1.0, clamp(ilogb(exact), " +
            lowest + ", " + highest + " - 1) - (" + digits +
            " - 1));\n"
            "    double error = fabs(wide - exact) / unit, allowed = " +
            allowance(bound) +
            ";\n"
            "    return error == 0 ? 0 : error / allowed;\n}\n";
    text +=
        "kernel void exhaustive(uint first, global float* worst, global uint* where) {\n"
        "    uint begin = first + get_global_id(0) * " +
        std::to_string(kPerItem) +
        ", at = begin;\n    float most = -1;\n"
        "    for (uint i = begin; i != begin + " +
        std::to_string(kPerItem) +
        "; i++) {\n"
        "        " +
        T + " x = " + as + "i), y = " + (is_pair ? as + "(i >> 16))" : "0") +
        ";\n"
        "        float q = (float)quotient(widen(x), evaluate_" +
        T +
        "(x, y), evaluate_double(widen(x), widen(y)));\n"
        "        if (q > most) most = q, at = i;\n    }\n"
        "    worst[get_global_id(0)] = most;\n    where[get_global_id(0)] = at;\n}\n";
    return text;
}

}  // namespace caldera::accuracy
