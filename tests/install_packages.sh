#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing. `install_packages.sh build` installs those needed to build and run
# Caldera, `install_packages.sh test` also those that the tests need, and `install_packages.sh nightly` also those of
# tests/run.sh --all.
set -euo pipefail

build="g++ cmake ninja-build python3 spirv-tools spirv-headers libvulkan-dev glslang-tools mesa-vulkan-drivers libcli11-dev nlohmann-json3-dev libpng-dev opencl-c-headers vulkan-validationlayers vulkan-tools dpkg-dev"
test="doctest-dev libmpfr-dev ocl-icd-opencl-dev clang-format-14 git locales"
nightly="qemu-user doxygen neovim"

packages=$build
[ "${1:-build}" = test ] && packages="$build $test"
[ "${1:-build}" = nightly ] && packages="$build $test $nightly"

missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo
echo "Installing:$missing"
$as_root apt-get update -qq
# Debian 13 has no RenderDoc; the test that steps in it is left out there.
if [ "${1:-build}" != build ]; then
  for package in librenderdoc-dev python3-renderdoc; do
    apt-cache show "$package" >/dev/null 2>&1 && missing="$missing $package"
  done
fi
# shellcheck disable=SC2086  # the list is meant to split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
