#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# claims.sh CLAIMS CLC2SPV: every extension and feature whose macro a target of clc2spv defines must work there. Each
# macro of frontend/extensions.def has a row in claims.h.
set -euo pipefail
claims=$1 clc2spv=$2 here=$(cd "$(dirname "$0")" && pwd) failed=0 kept=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$claims" "$folder"
for macro in $(sed -n 's/^EXTENSION([A-Za-z0-9]*, \([a-z0-9_]*\),.*/\1/p' "$here/../../frontend/extensions.def"); do
    if [ ! -f "$folder/$macro.cl" ]; then
        echo "$macro has no row in claims.h"
        failed=1
    fi
done
for target in vulkan1.1 vulkan1.2 vulkan1.3; do
    for source in "$folder"/*.cl; do
        name=$(basename "$source" .cl)
        if "$clc2spv" -cl-std=CL3.0 --target=$target "$source" -o "$folder/module.spv" 2>"$folder/log"; then
            kept=$((kept + 1))
        elif ! grep -q "$name is no macro" "$folder/log"; then
            echo "--target=$target defines $name and refuses its use:"
            sed 's/^/  /' "$folder/log"
            failed=1
        fi
    done
done
[ $kept -gt 0 ] || failed=1
exit $failed
