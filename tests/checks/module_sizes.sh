#!/usr/bin/env bash
# module_sizes.sh CLC2SPV: prints the size in bytes of the Vulkan SPIR-V of kernels that call one built-in function,
# for 20 common functions, and of a kernel that calls eight of them. A module contains only the functions that its
# kernels use. The test fails when the eight together take more than a quarter of the 230 KB that clspv makes of them.
set -euo pipefail
clc2spv=$1
limit=57500
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# size EXPRESSION: the size of a kernel that stores the expression
size() {
    echo "kernel void k(global float *x, global float *y) { size_t i = get_global_id(0); x[i] = $1; }" > "$dir/k.cl"
    "$clc2spv" "$dir/k.cl" -o "$dir/k.spv"
    wc -c < "$dir/k.spv"
}
show() { printf '%-40s %8d\n' "$1" "$2"; }

show '(none)' "$(size 'x[i]')"
for function in sin cos tan exp exp2 log log2 sqrt rsqrt cbrt tanh asin atan erf tgamma lgamma; do
    show "$function" "$(size "$function(x[i])")"
done
for function in pow fmod atan2 hypot; do
    show "$function" "$(size "$function(x[i], y[i])")"
done
bytes=$(size 'sin(x[i]) + cos(x[i]) + tan(x[i]) + pow(x[i], y[i]) + exp(x[i]) + log(x[i]) + erf(x[i]) + tgamma(x[i])')
show 'sin + cos + tan + pow + exp + log + erf + tgamma' "$bytes"
[ "$bytes" -le $limit ] || { echo "more than $limit bytes"; exit 1; }
