#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --help describes it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/windows.sh [CLC2SPV]

Builds for 64-bit Windows with Debian's MinGW-w64, and runs tests with Wine, those with a device on lavapipe. As root on
Debian 12: the first time it installs the compiler and Wine, and builds SPIRV-Tools of Debian's source package in
$CALDERA_WINDOWS_ROOT (/var/cache/caldera-windows), 0.2 GB. The build is in build-windows/.

CLC2SPV, which is build/clc2spv otherwise, is this system's compiler: that of Windows must make the same modules.

An eighth of the execution tests runs, which CALDERA_TEST_PART chooses (1 to 8; 1 otherwise). Where CALDERA_OPENCL_DLL
names Khronos' OpenCL.dll, it must find the driver by the registry.
END
}
[ "${1:-}" != --help ] || { usage; exit; }
native=$(realpath "${1:-build/clc2spv}")
[ -x "$native" ] || { usage >&2; exit 2; }
cache=${CALDERA_WINDOWS_ROOT:-/var/cache/caldera-windows}
root=$cache/root toolchain=$PWD/cmake/toolchains/windows-mingw.cmake

packages="g++-mingw-w64-x86-64-posix wine wine64 dpkg-dev spirv-headers libvulkan-dev opencl-c-headers libcli11-dev"
packages+=" nlohmann-json3-dev doctest-dev glslang-tools libvulkan1 mesa-vulkan-drivers xvfb"
# shellcheck disable=SC2086  # the list is meant to split
dpkg-query -W $packages >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends $packages >/dev/null

# Headers are those of this system.
make_root() {
  mkdir -p "$root/include"
  local folder
  for folder in spirv CL vulkan vk_video CLI doctest nlohmann; do ln -sfn /usr/include/$folder "$root/include/$folder"; done
}

# Sources come from the mirrors that packages come from.
fetch_source() {
  local sources=$cache/apt/sources
  mkdir -p "$sources" "$cache/apt/lists/partial" "$cache/source"
  sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$sources/debian.sources"
  local options=(-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$sources" -o Dir::State::Lists="$cache/apt/lists")
  apt-get "${options[@]}" update -qq
  (cd "$cache/source" && apt-get "${options[@]}" source -qq --download-only spirv-tools &&
    dpkg-source --no-check -x spirv-tools_*.dsc spirv-tools) >/dev/null
}

make_spirv_tools() {
  local build=$cache/spirv-tools folder
  [ -d "$cache/source/spirv-tools" ] || fetch_source
  cmake -G Ninja -S "$cache/source/spirv-tools" -B "$build" --toolchain "$toolchain" -DCALDERA_WINDOWS_ROOT="$root" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DSPIRV-Headers_SOURCE_DIR="$root" -DBUILD_SHARED_LIBS=OFF \
    -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_SKIP_TESTS=ON -DSPIRV_WERROR=OFF >/dev/null
  cmake --build "$build" --target SPIRV-Tools-static SPIRV-Tools-opt SPIRV-Tools-link
  for folder in source source/opt source/link; do  # the libraries beside these three are not built
    cmake -DCMAKE_INSTALL_PREFIX="$root" -DCMAKE_INSTALL_LOCAL_ONLY=1 -P "$build/$folder/cmake_install.cmake" >/dev/null
  done
  cp -r "$cache/source/spirv-tools/include/spirv-tools" "$root/include/"
}
[ -e "$root/include/nlohmann" ] || make_root
[ -e "$root/include/spirv-tools/linker.hpp" ] || make_spirv_tools

export WINEPREFIX=$cache/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8
wine=/usr/lib/wine/wine64
[ -d "$WINEPREFIX" ] || $wine wineboot -i >/dev/null 2>&1

cmake -G Ninja -S . -B build-windows --toolchain "$toolchain" -DCALDERA_WINDOWS_ROOT="$root" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCALDERA_WERROR=ON -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
  -DCALDERA_BUILD_EXAMPLES=OFF >/dev/null
# Rooms that call the system, and the library through its DLL. The other rooms show what they do in the modules.
units="unit_spirv unit_lex unit_tools unit_runtime unit_library"
# shellcheck disable=SC2086  # the list is meant to split
cmake --build build-windows --target clc2spv clrun spv-check caldera_shared caldera_icd runner load_driver $units

# Wine has Vulkan, which is this system's, where it has a display.
exec 3<> <(:)
Xvfb -displayfd 3 -screen 0 640x480x24 >/dev/null 2>&1 &
trap 'kill %1' EXIT
read -r display <&3
export DISPLAY=:$display CALDERA_DEVICE=llvmpipe CALDERA_TEST_PART=${CALDERA_TEST_PART:-1}
# Programs and libcaldera.dll share g++'s libraries.
WINEPATH="Z:$(dirname "$(x86_64-w64-mingw32-g++-posix -print-file-name=libstdc++-6.dll)");Z:/usr/x86_64-w64-mingw32/lib"
WINEPATH+=";Z:$PWD/build-windows"
export WINEPATH

passed=0 failed=""
# check NAME COMMAND...
check() {
  local name=$1; shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else failed+=" $name"; fi
}
check modules python3 tests/checks/same_modules.py "$native" $wine build-windows/clc2spv.exe
check paths tests/checks/windows_paths.sh "$native" $wine "$PWD/build-windows/clc2spv.exe"
for unit in $units; do check "$unit" $wine build-windows/tests/"$unit".exe; done
for suite in golden diag; do check $suite $wine build-windows/tests/runner.exe $suite tests/$suite; done
check exec $wine build-windows/tests/runner.exe exec tests/exec --sample=8
check install tests/checks/windows_install.sh build-windows "$toolchain" $wine
[ -z "$failed" ] || { echo "windows: $passed checks passed, failed:$failed"; exit 1; }
echo "windows: all $passed checks passed"
