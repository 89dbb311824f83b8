#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derives the polynomials of builtins/math: minimax fits (Remez' exchange) with coefficients rounded to float or double.

usage: fit.py float|double [NAME...]      prints one function per polynomial with the error that is left
Each coefficient is rounded in turn, lowest first, and the others are fitted again; where that is worse than rounding
all at the end, the latter is taken.
Needs mpmath."""
import struct
import sys

from mpmath import mp, mpf, matrix, lu_solve, log, exp, sin, cos, atan, asin, sqrt, pi, sinh, tanh, asinh, gamma, loggamma
from mpmath import erf, erfc, tan, ln, cosh, nstr, digamma

mp.dps = 90


def to_float(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_double(x):
    return mpf(float(x))


def remez(f, weight, lo, hi, powers, rounds=25):
    """Coefficients of x^powers that minimise max |p - f| * weight on [lo, hi]."""
    n = len(powers)
    nodes = [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(pi * (i + mpf(1) / 2) / (n + 1)) for i in range(n + 1)]
    nodes = [x if abs(x) > (hi - lo) / 1000 else (hi - lo) / 1000 for x in nodes]  # the weight may vanish at 0
    count = max(60 * n, 400)
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(pi * i / count) for i in range(count + 1)]
    values = [(x, f(x), weight(x)) for x in grid]
    coefficients, best = None, None
    for _ in range(rounds):
        a = matrix(n + 1, n + 1)
        b = matrix(n + 1, 1)
        for i, x in enumerate(nodes):
            w = weight(x)
            for j, p in enumerate(powers):
                a[i, j] = w * x ** p
            a[i, n] = (-1) ** i
            b[i] = w * f(x)
        solution = lu_solve(a, b)
        c = [solution[j] for j in range(n)]
        errors = [(sum(cj * x ** p for cj, p in zip(c, powers)) - fx) * w for x, fx, w in values]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best:
            best, coefficients = worst, c
        # New nodes: the extremum of each run of one sign.
        extrema = []
        for i, e in enumerate(errors):
            if extrema and (e > 0) == (errors[extrema[-1]] > 0):
                if abs(e) > abs(errors[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > n + 1:
            if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]):
                extrema.pop(0)
            else:
                extrema.pop()
        if len(extrema) < n + 1 or worst <= abs(solution[n]) * mpf("1.001"):
            break
        nodes = [grid[i] for i in extrema]
    return coefficients, best


def fit(f, weight, lo, hi, count, rounding):
    """`count` coefficients of 1, x, x^2, ... Fixing one divides what is left by x: polynomials stay a Haar system."""
    lo, hi = mpf(lo), mpf(hi)
    fixed = []
    g, w = f, weight
    for i in range(count if count <= 16 else 0):  # long ones gain nothing and lose the arithmetic's digits
        c, _ = remez(g, w, lo, hi, range(count - i), 8)
        fixed.append(rounding(c[0]))
        g = (lambda g=g, c0=fixed[-1]: lambda x: (g(x) - c0) / (x if x != 0 else mpf(10) ** -25))()
        w = (lambda w=w: lambda x: w(x) * abs(x))()
    plain = [rounding(c) for c in remez(f, weight, lo, hi, range(count))[0]]
    points = [lo + (hi - lo) * i / 1000 for i in range(1001)]

    def error(c):
        return max(abs(sum(cj * x ** p for p, cj in enumerate(c)) - f(x)) * weight(x) for x in points)

    best = min((fixed or plain, plain), key=error)
    return best, error(best)


def safe(f, at_zero):
    """f without its removable singularity at 0."""
    return lambda x: at_zero if abs(x) < mpf(10) ** -25 else f(x)


def scaled_erfc(x):
    return exp(x * x) * erfc(x) * (1 + x)


LN2 = ln(mpf(2))
third = mpf(1) / 3

# name: (function, weight, low, high, coefficients for float, for double)
FITS = {
    # exp(r) = 1 + r + r^2 P(r)
    "EXP": (safe(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: x**2, "-0.3467", "0.3467", 5, 10),
    # expm1(r) = r + r^2 P(r), error relative to r
    "EXPM1": (safe(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: abs(x) + mpf("1e-9"), "-0.3467", "0.3467", 6, 12),
    # 2^r = 1 + r P(r)
    "EXP2": (safe(lambda x: (2**x - 1) / x, LN2), lambda x: abs(x) + mpf("1e-4"), "-0.5", "0.5", 7, 13),
    # 10^r = 1 + r P(r)
    "EXP10": (safe(lambda x: (mpf(10)**x - 1) / x, ln(mpf(10))), lambda x: abs(x) + mpf("1e-4"), "-0.1506", "0.1506", 7, 13),
    # log(1+f) = f + f^2 P(f)
    "LOG": (safe(lambda x: (ln(1 + x) - x) / x**2, -mpf(1) / 2), lambda x: x**2 / abs(ln(1 + x)) if abs(x) > mpf("1e-15") else abs(x),
            "-0.3334", "0.3334", 9, 20),
    # log(1+f) = f - f^2/2 + f^3 P(f), error relative to f
    "LOG3": (safe(lambda x: (ln(1 + x) - x + x * x / 2) / x**3, third), lambda x: x**2, "-0.3334", "0.3334", 9, None),
    # the same beyond its second term: atanh(s)/s = 1 + z/3 + z^2 P(z)
    "ATANH2": (safe(lambda z: (mp.atanh(sqrt(z)) / sqrt(z) - 1 - z / 3) / z**2, mpf(1) / 5), lambda z: z**2 + mpf("1e-9"), "0", "0.02945", None, 8),
    # sin(r) = r + r^3 P(r^2), cos(r) = 1 - r^2/2 + r^4 P(r^2)
    "SIN": (safe(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 6), lambda z: z + mpf("1e-9"), "0", "0.6169", 3, 7),
    "COS": (safe(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24), lambda z: z**2 + mpf("1e-9"), "0", "0.6169", 3, 7),
    # tan(r) = r + r^3 P(r^2)
    "TAN": (safe(lambda z: (tan(sqrt(z)) / sqrt(z) - 1) / z, third), lambda z: z + mpf("1e-9"), "0", "0.6169", 6, 14),
    # atan(t) = t + t^3 P(t^2), |t| <= 1
    "ATAN": (safe(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, -third), lambda z: z * sqrt(z + mpf("1e-20")) / atan(sqrt(z + mpf("1e-20"))) + mpf("1e-9"),
             "0", "1", 8, 19),
    # asin(x) = x + x^3 P(x^2), |x| <= 1/2
    "ASIN": (safe(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z + mpf("1e-9"), "0", "0.25", 5, 12),
    # sinh(x) = x + x^3 P(x^2), |x| <= 1
    "SINH": (safe(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z + mpf("1e-9"), "0", "1", 4, 8),
    # tanh(x) = x + x^3 P(x^2), |x| <= 0.55
    "TANH": (safe(lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z, -third), lambda z: z + mpf("1e-9"), "0", "0.3026", 4, 11),
    # erf(x) = x + x P(x^2), |x| <= 1
    "ERF": (safe(lambda z: erf(sqrt(z)) / sqrt(z) - 1, 2 / sqrt(pi) - 1), lambda z: mpf(1), "0", "1", 6, 14),
    # erfc(x) = 2^P(x), 0.9 <= x <= 4, error relative to erf(x)
    "LOG2_ERFC": (lambda x: mp.log(erfc(x), 2), lambda x: erfc(x) * LN2, "0.9", "4", 7, None),
    # exp(x^2) erfc(x) (1 + x) = P(t) with t = (x - 2) / (x + 2), for x from 0.5 to 10.1 (float), 27.3 (double)
    "ERFC": (lambda t: scaled_erfc(2 * (1 + t) / (1 - t)), lambda t: 1 / scaled_erfc(2 * (1 + t) / (1 - t)),
             "-0.6", {"float": "0.67", "double": "0.865"}, 14, 32),
    # Gamma(2 + x), 0 <= x <= 1
    "GAMMA": (lambda x: gamma(2 + x), lambda x: 1 / gamma(2 + x), "0", "1", 10, 20),
    # log Gamma(2 + x) = x P(x), -1/2 <= x <= 1/2;  log Gamma(1 + x) = x P(x), -1/2 <= x <= 1/2
    "LGAMMA2": (safe(lambda x: loggamma(2 + x) / x, digamma(mpf(2))), lambda x: 1 / digamma(mpf(2)), "-0.5", "0.5", 10, 24),
    "LGAMMA1": (safe(lambda x: loggamma(1 + x) / x, digamma(mpf(1))), lambda x: mpf(1), "-0.5", "0.5", 14, 34),
}


def main():
    kind = sys.argv[1]
    rounding = to_float if kind == "float" else to_double
    for name in sys.argv[2:] or FITS:
        f, weight, lo, hi, count_float, count_double = FITS[name]
        if isinstance(hi, dict):
            hi = hi[kind]
        count = count_float if kind == "float" else count_double
        if count is None:
            continue
        c, error = fit(f, weight, lo, hi, count, rounding)
        print("\n// %s, error 2^%s" % (name, nstr(mp.log(error, 2), 4)))
        print(horner(name, kind, c), flush=True)


def horner(name, kind, c):
    numbers = [("%.8ef" if kind == "float" else "%.16e") % float(x) for x in c]
    lines = ["static %s poly_%s(%s x) {" % (kind, name.lower(), kind), "    %s p = %s;" % (kind, numbers[-1])]
    lines += ["    p = mad(x, p, %s);" % number for number in reversed(numbers[1:-1])]
    lines += ["    return mad(x, p, %s);" % numbers[0], "}"]
    return "\n".join(lines)


main()
