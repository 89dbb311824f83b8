#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh CLC2SPV COMPARE_CODE...: whether a driver's compiler keeps float operations in order, read from its code (nothing runs, so
# any GPU's compiler will do, also one that believes that its GPU is there). The kernels beside this file, compiled offline for any
# device at default options, have to have as many sums, products and fused operations as in a form that cannot be reordered; with
# -cl-fast-relaxed-math some have others. COMPARE_CODE may be a command of several words, and CALDERA_DEVICE chooses the device.
# Exits with 77 (skipped) where the driver does not tell its code.
set -euo pipefail
clc2spv=$1; shift
here=$(cd "$(dirname "$0")" && pwd) failed=0 judged=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for bits in 32 16 64; do
    make() { "$clc2spv" "$here/kernels.cl" --abi=descriptors --target=vulkan1.2 -DBITS=$bits "${@:2}" -o "$folder/$1.spv"; }
    make plain; make ordered -DKEEP_ORDER; make relaxed -cl-fast-relaxed-math
    echo "$bits bits:"
    status=0
    "$@" "$folder/plain.spv" "$folder/ordered.spv" "$folder/relaxed.spv" || status=$?
    case $status in
        0) judged=1 ;;
        77) ;;
        *) failed=1 ;;
    esac
done
[ $failed = 0 ] || exit 1
[ $judged = 1 ] || exit 77
