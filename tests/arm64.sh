#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --help describes it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/arm64.sh [--all]

Builds for 64-bit Arm with Debian's cross compiler, and runs the tests in qemu-user's emulator on arm64's lavapipe. As
root on Debian 12: the first time it installs the compiler and the emulator, and unpacks arm64 packages into
$CALDERA_ARM64_ROOT (/var/cache/caldera-arm64/root), 0.7 GB. The build is in build-arm64/.

An eighth of the execution tests runs, which CALDERA_TEST_PART chooses (1 to 8; 1 otherwise).

  --all    run all execution tests: an hour and more
END
}

all=false
case ${1:-} in
  "") ;;
  --all) all=true ;;
  --help) usage; exit ;;
  *) usage >&2; exit 2 ;;
esac
root=${CALDERA_ARM64_ROOT:-/var/cache/caldera-arm64/root}

install_root() {
  apt-get install -y -qq --no-install-recommends debootstrap g++-aarch64-linux-gnu qemu-user >/dev/null
  local mirror packages=libstdc++-12-dev,libc6-dev,spirv-tools,libvulkan-dev,mesa-vulkan-drivers,libpng-dev,libmpfr-dev
  mirror=$(apt-cache policy libc6 | grep -oE 'https?://[^ ]+/debian' | grep -v security | head -1)
  packages+=,ocl-icd-opencl-dev,vulkan-tools,vulkan-validationlayers,nlohmann-json3-dev,libcli11-dev,doctest-dev
  mkdir -p "$root"
  # The first stage alone: nothing of it runs, so that no emulator is needed.
  debootstrap --arch=arm64 --foreign --variant=minbase --include="$packages,spirv-headers,opencl-c-headers" \
    bookworm "$root" "$mirror" >/dev/null
  for package in "$root"/var/cache/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
}
[ -e "$root/usr/include/vulkan/vulkan.h" ] || install_root

cmake -G Ninja -S . -B build-arm64 --toolchain cmake/toolchains/arm64-linux.cmake -DCALDERA_ARM64_ROOT="$root" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCALDERA_WERROR=ON -DCMAKE_UNITY_BUILD=ON \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 >/dev/null
cmake --build build-arm64 --target clc2spv clrun caldera_icd runner unit_translate unit_runtime unit_device driver_test litmus

export CALDERA_DEVICE=llvmpipe VK_DRIVER_FILES=$root/usr/share/vulkan/icd.d/lvp_icd.aarch64.json
export OCL_ICD_VENDORS=$PWD/build-arm64/vendors
failed=""
# check NAME COMMAND...: as an arm64 program.
check() {
  local name=$1; shift
  echo "== $name"
  qemu-aarch64 -L "$root" "$@" || failed+=" $name"
}
for unit in unit_translate unit_runtime unit_device; do check $unit build-arm64/tests/$unit; done
for suite in golden diag; do check $suite build-arm64/tests/runner $suite tests/$suite; done
check litmus build-arm64/tests/litmus
check driver build-arm64/tests/driver/driver_test
if $all; then unset CALDERA_TEST_PART; else export CALDERA_TEST_PART=${CALDERA_TEST_PART:-1}; fi
check exec build-arm64/tests/runner exec tests/exec --sample=8
check exec_descriptors build-arm64/tests/runner exec tests/exec --sample=8 --abi=descriptors
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
echo "all passed"
