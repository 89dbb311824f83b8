#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README command one: installs what is missing on Debian 12, builds, runs every example on lavapipe (or on the device
# that CALDERA_DEVICE names) and leaves the pictures in out/.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/install_packages.sh build
cmake --preset release -DCALDERA_BUILD_TESTS=OFF >/dev/null
cmake --build --preset release

mkdir -p out
export CALDERA_DEVICE="${CALDERA_DEVICE:-llvmpipe}"
for name in saxpy matrix_product hgemm histogram reduction n_body; do
  "build/examples/example_$name"
done
for name in mandelbrot subdivision wave adopted_device renderer clspv_application; do
  "build/examples/example_$name" "out/$name.png"
done

echo
echo "The same from the command line, without a program of your own:"
set -x
build/clc2spv examples/saxpy.cl -o out/saxpy.spv
build/clrun examples/saxpy.cl --global=8 --arg=2.5 --arg=:1,2,3,4,5,6,7,8 --arg=[8]:=1 --print=2
