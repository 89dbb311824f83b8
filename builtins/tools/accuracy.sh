#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles builtins/math with clang for the CPU and compares it with the C library; needs clang-15 and g++.
set -e
here=$(dirname "$0")
out=${TMPDIR:-/tmp}/caldera-accuracy
mkdir -p "$out"
for file in "$here"/../math/*.cl; do
    case $file in */half.cl) continue ;; esac
    clang-15 -x cl -cl-std=CL1.2 -target x86_64-linux-gnu -Xclang -finclude-default-header -ffp-contract=off -O1 \
        -Wno-unused-function -Wno-psabi -mavx -c "$file" -o "$out/$(basename "$file" .cl).o"
done
g++ -std=c++20 -O1 -ffp-contract=off "$here/accuracy.cpp" "$out"/*.o -o "$out/accuracy"
"$out/accuracy" "$@"
