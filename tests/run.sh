#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The second command of the README; --help describes it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/run.sh [--all] [--part=K] [--unity] [ARGUMENT OF CTEST…]

Installs the packages that are missing on Debian 12, builds with warnings as errors, and runs the tests under the Khronos
validation layer. They run on lavapipe, or on the device that CALDERA_DEVICE names.

All execution tests run with addresses. In each other form (descriptors, 32 bits only, wrong idioms) only an eighth of them
runs, which changes with each commit, and every file that once found a fault in that form.

  --all       run all files in every form, and the slow tests labelled nightly (`processors`: other processors)
  --part=K    run the K-th eighth (1 to 8) instead of the one that the commit chooses
  --unity     compile many files of a room as one: a full build takes half the time, a build after a change longer

Examples:
  tests/run.sh                       what CI runs
  tests/run.sh --all                 everything, as a nightly run
  tests/run.sh --part=2              the second eighth
  tests/run.sh -R exec_descriptors   only tests of that name
  tests/run.sh --all -L processors   only lavapipe as it compiles for other processors
END
}

# The number of commits chooses the part. Where it is unknown (no git, a shallow clone), the date does.
part_of_commit() {
  if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
    echo $(($(git rev-list --count HEAD) % 8 + 1))
  else
    echo $(($(date +%s) / 86400 % 8 + 1))
  fi
}

all=false part="" unity=OFF
arguments=()
for argument in "$@"; do
  case $argument in
    --help) usage; exit ;;
    --all) all=true ;;
    --unity) unity=ON ;;
    --part=[1-8]) part=${argument#--part=} ;;
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
  echo "Part $CALDERA_TEST_PART of 8 of the execution tests' other forms; --part=K chooses, --all runs all."
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
