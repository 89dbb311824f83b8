// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder print: a line `pass NAME` or `fail NAME: why` for each test, which run.sh
// counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace caldera::programs {

/// Counts what failed, for main's result.
class Report {
 public:
    void check(const std::string& name, bool passed, const std::string& why = "") {
        if (passed)
            std::printf("pass %s\n", name.c_str());
        else
            std::printf("fail %s: %s\n", name.c_str(), why.c_str());
        std::fflush(stdout);
        failed_ |= !passed;
    }

    /// Passes when no element is further from its wanted value than `tolerance`, relative to values above 1.
    template <class Got, class Wanted>
    void near(const std::string& name, const Got& got, const Wanted& wanted, double tolerance) {
        if (got.size() != wanted.size()) return check(name, false, "another length");
        double worst = 0;
        for (size_t i = 0; i < wanted.size(); i++) {
            const auto value = static_cast<double>(wanted[i]);
            const double error =
                std::abs(static_cast<double>(got[i]) - value) / std::max(1.0, std::abs(value));
            worst = error <= worst ? worst : error;  // so that a NaN stays
        }
        check(name, worst <= tolerance, "off by " + std::to_string(worst));
    }

    /// Runs a test; an exception of a library is its failure.
    template <class Test>
    void run(const std::string& name, Test test) {
        try {
            test();
        } catch (const std::exception& error) { check(name, false, error.what()); }
    }

    int exit_code() const { return failed_ ? 1 : 0; }

 private:
    bool failed_ = false;
};

/// The same numbers in [-1, 1) every time.
template <class T>
std::vector<T> random_numbers(size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<T> numbers(count);
    for (T& number : numbers) number = static_cast<T>(static_cast<double>(engine()) / 0x80000000u - 1);
    return numbers;
}

}  // namespace caldera::programs
