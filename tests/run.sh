#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README command two: installs what is missing on Debian 12, builds with warnings as errors, runs all tests on lavapipe
# (or on the device that CALDERA_DEVICE names). Further arguments go to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/install_packages.sh test
cmake --preset ci >/dev/null
cmake --build --preset ci

export CALDERA_DEVICE="${CALDERA_DEVICE:-llvmpipe}"
export CALDERA_VALIDATION=1  # the Khronos layer; its messages fail the examples and the execution tests
ctest --test-dir build-ci --no-tests=error --output-on-failure --parallel "$(nproc)" "$@"
