// SPDX-License-Identifier: Apache-2.0
// Prints what the build made of the kernel, and what the library makes of another.
#include <caldera/caldera.h>

#include <cstdio>
#include <iterator>

#include "scale.hpp"

int main() {
    const caldera::CompileResult made = caldera::compile("kernel void f() {}", "f.cl");
    std::printf("%s has %zu words, f %s\n", scale_kernels::scale_kernel::entry, std::size(scale_words),
                made ? "compiles" : made.log.c_str());
}
