#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh CLC2SPV PLAIN_VULKAN: compiles the kernels beside this file offline for any device (--target=vulkan1.2) and
# runs them in a program that uses Vulkan alone. Each must give the result of its line WANT, also with sums and
# products that may not be contracted.
set -euo pipefail
clc2spv=$1 plain=$2 here=$(cd "$(dirname "$0")" && pwd) failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for source in "$here"/*.cl; do
    run=$(sed -n 's|^// RUN: ||p' "$source") want=$(sed -n 's|^// WANT: ||p' "$source")
    own=$(sed -n 's|^// OPTIONS: ||p' "$source")
    for options in "" "-ffp-contract=off" "-cl-opt-disable" "-O2"; do
        # shellcheck disable=SC2086
        "$clc2spv" "$source" --abi=descriptors --target=vulkan1.2 $own $options -o "$folder/module.spv"
        # shellcheck disable=SC2086
        got=$("$plain" "$folder/module.spv" test $run 2>"$folder/device") || { cat "$folder/device"; exit 1; }
        if [ "$got" != "$want" ]; then
            echo "$(basename "$source") $options on $(cat "$folder/device"):"
            paste -d' ' <(tr ' ' '\n' <<<"$want") <(tr ' ' '\n' <<<"$got") | awk '$1 != $2 {print "  out[" NR - 1 "] is " $2 ", not " $1}'
            failed=1
        fi
    done
done
exit $failed
