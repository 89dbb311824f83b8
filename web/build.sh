#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --help describes it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: web/build.sh [BUILD]

Builds the compiler for WebAssembly, and of it in out/web:

  caldera.html          the page: one file, for a server or for file://
  caldera-opencl-*.tgz  the package for npm; package/ is what is in it

BUILD, which is build/ otherwise, is a build for this machine: it makes the library of built-in functions. On Debian 12. As
root the first time: it installs clang 19 with its libraries for WASI, and builds SPIRV-Tools of Debian's source package
in $CALDERA_WEB_ROOT (/var/cache/caldera-web), 200 MB.
END
}
[ "${1:-}" != --help ] || { usage; exit; }
native=$(realpath "${1:-build}")
cache=${CALDERA_WEB_ROOT:-/var/cache/caldera-web}
root=$cache/root toolchain=$PWD/cmake/toolchains/wasm.cmake

packages="clang-19 lld-19 llvm-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 dpkg-dev"
packages+=" binaryen spirv-headers nlohmann-json3-dev cmake ninja-build python3"
# shellcheck disable=SC2086  # the list is meant to split
dpkg-query -W $packages >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends $packages >/dev/null

# A folder with the libraries of WASI and headers that know no C library, and nothing else of this system.
make_root() {
  local item
  mkdir -p "$root/usr/include" "$root/usr/lib/llvm-19/lib/clang/19"
  for item in wasm32-wasi spirv nlohmann; do ln -sfn "/usr/include/$item" "$root/usr/include/$item"; done
  ln -sfn /usr/lib/wasm32-wasi "$root/usr/lib/wasm32-wasi"
  for item in include/wasm32-wasi lib/wasm32-wasi lib/clang/19/lib lib/clang/19/include; do
    mkdir -p "$(dirname "$root/usr/lib/llvm-19/$item")"
    ln -sfn "/usr/lib/llvm-19/$item" "$root/usr/lib/llvm-19/$item"
  done
}

# The sources come from the mirrors that packages come from. They know no WASI, and always want position-independent code.
fetch_sources() {
  local sources=$cache/apt/sources
  mkdir -p "$sources" "$cache/apt/lists/partial" "$cache/source/unpacked"
  sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$sources/debian.sources"
  local options=(-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$sources" -o Dir::State::Lists="$cache/apt/lists")
  apt-get "${options[@]}" update -qq
  (cd "$cache/source" && apt-get "${options[@]}" source -qq --download-only spirv-tools)
  tar -C "$cache/source/unpacked" --strip-components=1 -xf "$cache"/source/spirv-tools_*.orig.tar.*
  sed -i 's/STREQUAL "Emscripten"/STREQUAL "Generic"/; s/set(CMAKE_POSITION_INDEPENDENT_CODE ON)//' \
    "$cache/source/unpacked/CMakeLists.txt"
  mv "$cache/source/unpacked" "$cache/source/spirv-tools"  # whole, or not at all
}

make_spirv_tools() {
  local build=$cache/spirv-tools folder
  cmake -G Ninja -S "$cache/source/spirv-tools" -B "$build" --toolchain "$toolchain" -DCALDERA_WEB_ROOT="$root" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DCMAKE_INSTALL_PREFIX="$root/usr" \
    -DSPIRV-Headers_SOURCE_DIR="$root/usr" -DBUILD_SHARED_LIBS=OFF -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_SKIP_TESTS=ON \
    -DSPIRV_WERROR=OFF >/dev/null
  cmake --build "$build" --target SPIRV-Tools-static SPIRV-Tools-opt SPIRV-Tools-link
  : >"$build/source/libSPIRV-Tools-shared.a"  # exported and installed too: it would be all files once more
  for folder in source source/opt source/link; do  # the libraries beside these three are not built
    cmake -DCMAKE_INSTALL_LOCAL_ONLY=1 -P "$build/$folder/cmake_install.cmake" >/dev/null
  done
  cp -r "$cache/source/spirv-tools/include/spirv-tools" "$root/usr/include/"
}

[ -e "$root/usr/include/nlohmann" ] || make_root
[ -d "$cache/source/spirv-tools" ] || fetch_sources
[ -e "$root/usr/include/spirv-tools/linker.hpp" ] || make_spirv_tools

if [ ! -x "$native/embed_builtins" ]; then
  cmake --preset release >/dev/null
  cmake --build --preset release --target embed_builtins clc2spv
  native=$PWD/build
fi
cmake -G Ninja -S . -B build-web --toolchain "$toolchain" -DCALDERA_WEB_ROOT="$root" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
  -DCALDERA_EMBED_BUILTINS="$native/embed_builtins" -DCALDERA_BUILD_TESTS=OFF -DCALDERA_BUILD_EXAMPLES=OFF \
  -DCALDERA_INSTALL=OFF >/dev/null
cmake --build build-web --target caldera_wasm

out=$PWD/out/web
mkdir -p "$out/package"
wasm-opt -O3 --all-features build-web/caldera.wasm -o "$out/package/caldera.wasm"
cp web/npm/* LICENSE "$out/package/"
(cd "$out" && npm pack --silent ./package >/dev/null)
python3 web/page/make_page.py "$out/package/caldera.wasm" "$out/caldera.html"
gzip -9 -c "$out/package/caldera.wasm" >"$out/caldera.wasm.gz"
echo "caldera.wasm: $(stat -c %s "$out/package/caldera.wasm") bytes, $(stat -c %s "$out/caldera.wasm.gz") with gzip"
echo "$out/caldera.html: $(stat -c %s "$out/caldera.html") bytes"
