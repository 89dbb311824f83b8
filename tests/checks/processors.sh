#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# processors.sh qemu|128|256|512 RUNNER ACCURACY: runs the execution tests of doubles and 64-bit integers, and a
# sample of the functions of double, on lavapipe as it compiles for another processor. That is either a processor that
# qemu emulates, or one with vectors of so many bits. Exits with 77 (skipped) where that is not available.
set -euo pipefail
which=$1 runner=$2 accuracy=$3
tests=$(cd "$(dirname "$0")/.." && pwd)
export CALDERA_CACHE=0 MESA_SHADER_CACHE_DISABLE=true CALDERA_VALIDATION=0 CALDERA_DEVICE="${CALDERA_DEVICE:-llvmpipe}"

prefix=()
case $which in
  qemu)
    command -v qemu-x86_64 >/dev/null || { echo "skipped: no qemu-x86_64 (Debian's qemu-user)"; exit 77; }
    prefix=(qemu-x86_64 -cpu max) ;;
  512)
    grep -q avx512f /proc/cpuinfo || { echo "skipped: this processor has no AVX-512"; exit 77; }
    export LP_NATIVE_VECTOR_WIDTH=512 ;;
  *) export LP_NATIVE_VECTOR_WIDTH=$which ;;
esac

failed=0
for files in double long; do
  "${prefix[@]}" "$runner" exec "$tests/exec" $files || failed=1
done
"${prefix[@]}" "$accuracy" --type=double --samples=500 --only=divide --only=sqrt --only=exp --only=log --only=sin --only=pow \
  --only=fma || failed=1
exit $failed
