#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# subproject.sh [--build]: another project has Caldera's source folder as a part of itself (FetchContent). With --build it is
# built, which takes as long as Caldera does, and its program runs; without, only its rules are made.
set -euo pipefail
tests=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp -r "$tests/outside" "$root/outside"
cmake -G Ninja -S "$root/outside" -B "$root/build" -DCALDERA_SOURCE="$tests/.." -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 -DDEVICE_PROFILE="$tests/profiles/lavapipe.json" \
  >"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
rules=$(ninja -C "$root/build" -t commands outside)
for rule in "clc2spv .*kernels/scale.cl" "-o outside .*libcaldera.so"; do
  grep -q -e "$rule" <<<"$rules" || { echo "FAILED: no rule for $rule"; exit 1; }
done
# Neither its tests nor its installation are the other project's.
! grep -q "unit_\|tests/runner" <<<"$rules" || { echo "FAILED: the other project has Caldera's tests"; exit 1; }
! grep -rq libcaldera --include=cmake_install.cmake "$root/build" || { echo "FAILED: the other project installs Caldera"; exit 1; }
[ "${1:-}" = --build ] || exit 0
cmake --build "$root/build" --target outside >"$root/log" 2>&1 || { tail -n 50 "$root/log"; exit 1; }
out=$("$root/build/outside")
[ "$out" = "2 4 6" ] || { echo "FAILED: outside prints '$out'"; exit 1; }
