#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README command two; --help says what it does.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/run.sh [--all] [--part=K] [--unity] [ARGUMENT OF CTEST…]

Installs what is missing on Debian 12, builds with warnings as errors, and runs the tests on lavapipe, or on the device that
CALDERA_DEVICE names, under the Khronos validation layer.

The execution tests run with addresses; of their other forms (descriptors, 32 bits only, wrong idioms) a quarter runs, which
rotates with the commits, and each file that found a fault in that form.

  --all       all files in each form, and the tests labelled nightly (other processors: `processors`), which are slow
  --part=K    the K-th quarter (1 to 4), not the commit's
  --unity     compile many files of a room as one: a build from nothing takes half the time, one after a change longer

Examples:
  tests/run.sh                       what CI runs
  tests/run.sh --all                 everything, as a nightly run
  tests/run.sh --part=2              the second quarter
  tests/run.sh -R exec_descriptors   only tests of that name
  tests/run.sh --all -L processors   only lavapipe as it is on other processors
END
}

# Commits count the part, or days where their number is not known (no git, a shallow clone).
part_of_commit() {
  if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
    echo $(($(git rev-list --count HEAD) % 4 + 1))
  else
    echo $(($(date +%s) / 86400 % 4 + 1))
  fi
}

all=false part="" unity=OFF
arguments=()
for argument in "$@"; do
  case $argument in
    --help) usage; exit ;;
    --all) all=true ;;
    --unity) unity=ON ;;
    --part=[1234]) part=${argument#--part=} ;;
    --part=*) usage >&2; exit 2 ;;
    *) arguments+=("$argument") ;;
  esac
done

unset CALDERA_TEST_PART
if $all; then
  packages=nightly
  echo "All files of each form of the execution tests, and the nightly tests."
else
  packages=test
  export CALDERA_TEST_PART="${part:-$(part_of_commit)}"
  arguments+=(-LE nightly)
  echo "Part $CALDERA_TEST_PART of 4 of the execution tests' other forms; --part=K chooses, --all runs all."
fi
avx512=without
grep -qw avx512f /proc/cpuinfo && avx512=with
echo "Processor: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $avx512 AVX-512, $(nproc) processors"

tests/install_packages.sh $packages
cmake --preset ci -DCMAKE_UNITY_BUILD=$unity -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 >/dev/null
cmake --build --preset ci

export CALDERA_DEVICE="${CALDERA_DEVICE:-llvmpipe}"
export CALDERA_VALIDATION=1  # the Khronos layer; its messages fail the examples and the execution tests
ctest --test-dir build-ci --no-tests=error --output-on-failure --parallel "$(nproc)" "${arguments[@]}"
