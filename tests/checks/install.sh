#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD: what `cmake --install` installs must suffice to compile another project's program, and must
# include the driver for the OpenCL loader.
set -euo pipefail
build=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

cmake --install "$build" --prefix "$root/usr" >/dev/null 2>"$root/log" || { cat "$root/log"; exit 1; }
# The program that docs/embedding.md shows.
python3 "$(dirname "$0")/docs.py" --extract="$(dirname "$0")/../../docs/embedding.md" --into="$root/project"
cmake -G Ninja -S "$root/project" -B "$root/project/build" -DCMAKE_PREFIX_PATH="$root/usr" >/dev/null
cmake --build "$root/project/build" >/dev/null
"$root/project/build/scale"
test -x "$root/usr/bin/clc2spv" && test -s "$root/usr/etc/OpenCL/vendors/caldera.icd"
test -e "$(cat "$root/usr/etc/OpenCL/vendors/caldera.icd")"
