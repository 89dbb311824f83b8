#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# headers.sh CLC2SPV CXX: the C and C++ headers of all examples and execution tests must compile without a warning,
# and must lay out arguments correctly.
set -euo pipefail
clc=$1 cxx=$2
tests=$(cd "$(dirname "$0")/.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for file in "$tests"/../examples/*.cl "$tests"/exec/*.cl; do
  name=$(basename "$file" .cl)
  read -ra options <<< "$(sed -n 's,^// OPTIONS: ,,p' "$file" | tr '\n' ' ')"
  compile() { "$clc" "$file" -I"$tests/exec" -w "${options[@]}" "$@"; }
  compile --emit=cpp-header -o "$out/$name.hpp"
  compile --emit=c-header -o "$out/$name.h"
  echo "#include \"$name.hpp\"" >> "$out/all.cpp"
  echo "#include \"$name.h\"" >> "$out/all.c"
  # Blocks that capture images, and blocks of images' bytes, need images in memory.
  case $name in enqueue_images | sub_group_image_blocks) continue ;; esac
  if grep -q "NEEDS: addresses" "$file"; then continue; fi
  compile --abi=descriptors --no-clspv-reflection --emit=cpp-header -o "$out/${name}_descriptors.hpp"
  echo "#include \"${name}_descriptors.hpp\"" >> "$out/all.cpp"
done
cat > "$out/names.cl" << 'END'
kernel void pads(int pad_4, long x) {}
kernel void words(int new, int new_, int linux, uint uint8_t, int hidden_printf_buffer) {
    printf("%d", hidden_printf_buffer);
}
kernel void types(int uint32_t, uint x, global int *arguments_block) { *arguments_block = x; }
kernel void a(local int *p, local int *b_c, global int *g) { *g = *p + *b_c; }
kernel void a_b(global int *g, local int *c) { *g = *c; }
END
for abi in addresses descriptors; do
  for header in c cpp; do
    "$clc" "$out/names.cl" --abi=$abi --no-clspv-reflection --emit=$header-header -o "$out/names_$abi.$header.h"
  done
  echo "#include \"names_$abi.c.h\"" >> "$out/all.c"
  echo "#include \"names_$abi.cpp.h\"" >> "$out/all.cpp"
done
"$cxx" -std=c++20 -Wall -Wextra -Werror -I"$out" -fsyntax-only "$out/all.cpp"
"$cxx" -x c -std=c11 -Wall -Wextra -Werror -I"$out" -fsyntax-only "$out/all.c"

cat > "$out/mix.cl" << 'END'
typedef struct { char tag; long value; } pair;
kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void mix(char class, global float *y, float3 v, local int *scratch, pair p, double d, ushort4 this) {
    scratch[0] = class + this.x;
    y[get_work_dim()] = v.x + p.value + d + scratch[0];
}
END
"$clc" "$out/mix.cl" -cl-std=CL2.0 --emit=cpp-header -o "$out/mix.hpp"
"$clc" "$out/mix.cl" -cl-std=CL2.0 --emit=cpp-header --abi=descriptors -o "$out/bound.hpp"
cat > "$out/main.cpp" << 'END'
#include "bound.hpp"
#include "mix.hpp"
#include <cstdio>

#define REQUIRE(condition) \
    if (!(condition)) return std::printf("failed: %s\n", #condition), 1
int main() {
    using mix_kernels::mix_kernel;
    const mix_kernel::launch with = {
        .class_ = 3, .y = 0x1234, .v = {1, 2, 3}, .scratch = 64, .p = {5}, .d = 0.5, .this_ = {6, 7, 8, 9}};
    const mix_mix_arguments block = mix_kernel::block(with);
    REQUIRE(std::strcmp(mix_kernel::entry, "mix") == 0);
    REQUIRE(mix_kernel::required_local_size[0] == 8);
    REQUIRE(block.class_ == 3 && block.y == 0x1234 && block.v[2] == 3 && block.p[0] == 5);
    REQUIRE(block.d == 0.5 && block.this_[3] == 9 && block.hidden_work_dim == 0);
    // OpenCL C 3.0 6.1.5: float3 is aligned to 16 bytes, ushort4 to 8.
    REQUIRE(offsetof(mix_mix_arguments, v) == 16 && offsetof(mix_mix_arguments, p) == 32);
    REQUIRE(offsetof(mix_mix_arguments, this_) == 56);
    const auto values = mix_kernel::spec_values(with, {8, 1, 1});
    REQUIRE(values[0] == 8 && mix_kernel::spec_ids[3] == 3 && values[3] == 64);

    REQUIRE(static_cast<uint32_t>(bound_kernels::mix_kernel::binding::y) == 0);
    const auto more = bound_kernels::mix_kernel::spec_values({.class_ = 1, .scratch = 9}, {8, 1, 1}, 2);
    REQUIRE(bound_kernels::mix_kernel::spec_ids[3] == 3 && more[3] == 2 && more[4] == 9);
    REQUIRE(offsetof(bound_mix_arguments, v) == 16 && sizeof(bound_mix_arguments) == 64);
    return 0;
}
END
"$cxx" -std=c++20 -Wall -Wextra -Werror -Wno-missing-field-initializers "$out/main.cpp" -o "$out/main"
"$out/main"
