#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# validate_modules.sh CLC2SPV: a spirv-val newer than Debian 12's must accept every module that clc2spv makes of
# tests/exec, of the benchmarks' kernels and of the examples: for OpenCL, for the Vulkan presets in both ABIs, and for
# the devices of tests/profiles. CALDERA_SPIRV_VAL names the spirv-val; the default is the one in PATH. Exit code 77
# means that it is older than 2025 or missing.
set -uo pipefail
clc2spv=$1 root=$(cd "$(dirname "$0")/../.." && pwd)
export clc2spv validator=${CALDERA_SPIRV_VAL:-spirv-val} profiles=$root/tests/profiles
version=$("$validator" --version 2>/dev/null | grep -om1 'v20[0-9][0-9]\.[0-9]*')
if [ -z "$version" ] || [ "${version:1:4}" -lt 2025 ]; then
    echo "skipped: ${version:-no spirv-val} is older than 2025; CALDERA_SPIRV_VAL names a newer one"
    exit 77
fi

# check FILE.cl: prints a line for each module that is refused, and "." for each that is valid
check() {
    local file=$1 own folder
    own=$(sed -n 's|^// OPTIONS: ||p' "$file")
    folder=$(mktemp -d)
    while read -r environment options; do
        # clc2spv declines sources that need what the target lacks; other tests check that.
        # shellcheck disable=SC2086
        "$clc2spv" "$file" -I"$(dirname "$file")" $own $options -o "$folder/module.spv" 2>/dev/null || continue
        if "$validator" --target-env "$environment" "$folder/module.spv" >"$folder/said" 2>&1; then
            echo .
        else
            echo "$(basename "$file") $options: $(head -1 "$folder/said")"
        fi
    done <<END
spv1.5 --target=opencl2.2
vulkan1.1 --target=vulkan1.1
vulkan1.2 --target=vulkan1.2
vulkan1.2 --target=vulkan1.2 --abi=descriptors
vulkan1.3 --target=vulkan1.3 -O2
vulkan1.3 --device-profile=$profiles/lavapipe.json
vulkan1.2 --device-profile=$profiles/old_card.json --abi=descriptors
END
    rm -rf "$folder"
}
export -f check

said=$(find "$root"/tests/exec "$root"/tests/evaluation/bench/kernels "$root"/examples -name '*.cl' -print0 |
    xargs -0 -n 1 -P 2 bash -c 'check "$1"' check)
refused=$(grep -v '^\.$' <<<"$said")
echo "spirv-val $version: $(grep -c '^\.$' <<<"$said") modules are valid"
[ -z "$refused" ] || { echo "$refused"; exit 1; }
[ "$(grep -c '^\.$' <<<"$said")" -gt 500 ] || { echo "too few modules were made"; exit 1; }
