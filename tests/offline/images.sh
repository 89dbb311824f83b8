#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# images.sh CLC2SPV VULKAN_IMAGES [OPTION...]: compiles kernels with images offline for any device, and runs them in a
# program that uses Vulkan alone, under the validation layer: those of images/, and the execution tests of the runner
# that have images, which run in the other form there. Each OPTION is clc2spv's as well: for a device that lacks what
# modules for any device need, --target=vulkan1.2 --device-profile=FILE.
set -euo pipefail
clc2spv=$1 plain=$2
options_of_all=("${@:3}")
here=$(cd "$(dirname "$0")" && pwd) failed=0
exec=$here/../exec folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

compile() {
    "$clc2spv" --images=hardware -cl-kernel-arg-info -DVULKAN_IMAGES -I"$exec" -I"$here/images" "${options_of_all[@]}" "$@"
}

# run SOURCE OPTIONS...: the lines RUN: and OPTIONS: are SOURCE's. $module is compiled, or SOURCE where it is empty.
module=
run() {
    local source=$1 own options status reflection
    own=$(sed -n 's|^// OPTIONS: ||p' "$source")
    for options in "--abi=descriptors" "--abi=descriptors -cl-opt-disable" "--abi=descriptors -O2" "--abi=addresses"; do
        # shellcheck disable=SC2086
        if ! compile "${module:-$source}" --validate $own $options "${@:2}" -o "$folder/module.spv" 2>"$folder/errors"; then
            if grep -m1 "needs the feature .*, which .* does not have\|requires cl_khr_fp16" "$folder/errors"; then continue; fi
            failed=1
            cat "$folder/errors"
            continue
        fi
        reflection=
        if [ "$options" = "--abi=addresses" ]; then
            reflection=$folder/reflection.json
            # shellcheck disable=SC2086
            compile "${module:-$source}" $own $options "${@:2}" --emit=reflection-json -o "$reflection"
        fi
        status=0
        VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$plain" "$folder/module.spv" "$source" $reflection \
            >"$folder/out" 2>&1 || status=$?
        if [ $status = 77 ]; then
            echo "$(basename "$source"): $(cat "$folder/out")"
            continue
        fi
        [ $status = 0 ] && ! grep -q "VUID-" "$folder/out" && continue
        echo "$(basename "$source") $options:" && cat "$folder/out"
        failed=1
    done
}

for source in "$here"/images/*.cl "$exec"/images_{shapes,samplers,formats,half}.cl; do run "$source"; done
# On any device, with the formats that the file has.
run "$here/images/read_write.cl" --storage-formats=r32f,r32i,r32ui
for type in float signed unsigned; do
    run "$here/images/writes_$type.cl" --storage-formats=rgba32f,rgba16i,rgba16ui
done
# Without access qualifiers, an image is what its kernel does with it.
"$clc2spv" -cl-std=CL2.0 -cl-kernel-arg-info -DVULKAN_IMAGES -I"$exec" --target=opencl2.0 --emit=asm \
    "$here/images/writes_float.cl" -o - | sed '/= OpTypeImage /s/ WriteOnly$//' >"$folder/unqualified.spvasm"
module=$folder/unqualified.spvasm
run "$here/images/writes_float.cl"
module=
# Levels, the nearest one each: drivers mix two by weights of their own. Lavapipe favours the nearer one.
sed '/RUN:.*levels=3 sampler=0x\(53\|63\|e7f0c063\)/d' "$exec/images_levels.cl" >"$folder/levels.cl"
run "$folder/levels.cl"
# An image is of signed or of unsigned integers where a program reads it.
sed '/RUN:.*:UNSIGNED/d' "$exec/images_integers.cl" >"$folder/signed.cl"
sed '/RUN:.*:SIGNED/d' "$exec/images_integers.cl" >"$folder/unsigned.cl"
run "$folder/signed.cl" -DONLY_SIGNED
run "$folder/unsigned.cl" -DONLY_UNSIGNED
exit $failed
