#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --help describes it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/musl.sh [CLC2SPV]

Builds for x86-64 Linux with musl, clang 19 and libc++, and runs the tests that need no device. As root on Debian 12: the
first time it installs clang and musl, and builds libc++ and SPIRV-Tools of Debian's source packages in $CALDERA_MUSL_ROOT
(/var/cache/caldera-musl), 1.5 GB. The build is in build-musl/.

CLC2SPV, which is build/clc2spv otherwise, is this system's compiler: that for musl must make modules of the same
instructions.

Debian has no Vulkan loader for musl: the library, the driver and clrun are linked with a library that has the loader's
names, whose calls fail.
END
}
[ "${1:-}" != --help ] || { usage; exit; }
native=$(realpath "${1:-build/clc2spv}")
[ -x "$native" ] || { usage >&2; exit 2; }
cache=${CALDERA_MUSL_ROOT:-/var/cache/caldera-musl}
root=$cache/root toolchain=$PWD/cmake/toolchains/linux-musl.cmake

packages="clang-19 lld-19 libclang-rt-19-dev musl-dev dpkg-dev linux-libc-dev spirv-headers libvulkan-dev opencl-c-headers"
packages+=" libcli11-dev nlohmann-json3-dev doctest-dev glslang-tools"
# shellcheck disable=SC2086  # the list is meant to split
dpkg-query -W $packages >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends $packages >/dev/null

# musl is this system's, and so are headers that know no C library.
make_root() {
  local item triple=x86_64-linux-musl
  mkdir -p "$root/usr/include" "$root/usr/lib"
  for item in "/usr/include/$triple"/*; do ln -sfn "$item" "$root/usr/include/"; done
  for item in "/usr/lib/$triple"/*; do ln -sfn "$item" "$root/usr/lib/"; done
  for item in linux asm-generic x86_64-linux-gnu/asm spirv CL vulkan vk_video CLI doctest nlohmann; do
    ln -sfn "/usr/include/$item" "$root/usr/include/"
  done
}

# Sources come from the mirrors that packages come from.
fetch_sources() {
  local sources=$cache/apt/sources
  mkdir -p "$sources" "$cache/apt/lists/partial" "$cache/source"
  sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$sources/debian.sources"
  local options=(-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$sources" -o Dir::State::Lists="$cache/apt/lists")
  apt-get "${options[@]}" update -qq
  (cd "$cache/source" && apt-get "${options[@]}" source -qq --download-only spirv-tools llvm-toolchain-19)
  mkdir -p "$cache/source/spirv-tools" "$cache/source/llvm"
  tar -C "$cache/source/spirv-tools" --strip-components=1 -xf "$cache"/source/spirv-tools_*.orig.tar.*
  tar -C "$cache/source/llvm" --strip-components=1 -xf "$cache"/source/llvm-toolchain-19_*.orig.tar.xz --wildcards \
    '*/cmake/*' '*/libcxx/*' '*/libcxxabi/*' '*/libunwind/*' '*/runtimes/*' --exclude='*/test/*'
}

# configure FOLDER SOURCE OPTION...: configures one of the sources. There is no libc++ yet that programs could be linked with.
configure() {
  local build=$1 source=$2
  shift 2
  cmake -G Ninja -S "$source" -B "$build" --toolchain "$toolchain" -DCALDERA_MUSL_ROOT="$root" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$root/usr" "$@" >/dev/null
}

# One archive with the C++ library, its ABI and the unwinder, so that libraries and programs need nothing else.
make_libcxx() {
  local build=$cache/libcxx
  configure "$build" "$cache/source/llvm/runtimes" -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
    "-DLLVM_ENABLE_RUNTIMES=libunwind;libcxxabi;libcxx" -DLLVM_INCLUDE_TESTS=OFF -DLIBUNWIND_ENABLE_SHARED=OFF \
    -DLIBCXXABI_ENABLE_SHARED=OFF -DLIBCXXABI_ENABLE_STATIC_UNWINDER=ON -DLIBCXXABI_USE_COMPILER_RT=ON \
    -DLIBCXXABI_HAS_CXA_THREAD_ATEXIT_IMPL=OFF \
    -DLIBCXX_ENABLE_SHARED=OFF -DLIBCXX_ENABLE_STATIC_ABI_LIBRARY=ON -DLIBCXX_HAS_MUSL_LIBC=ON -DLIBCXX_USE_COMPILER_RT=ON \
    -DLIBCXX_INCLUDE_BENCHMARKS=OFF
  cmake --build "$build" --target install >/dev/null
}

make_spirv_tools() {
  local build=$cache/spirv-tools folder
  configure "$build" "$cache/source/spirv-tools" -DSPIRV-Headers_SOURCE_DIR=/usr -DBUILD_SHARED_LIBS=OFF \
    -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_SKIP_TESTS=ON -DSPIRV_WERROR=OFF
  cmake --build "$build" --target SPIRV-Tools-static SPIRV-Tools-opt SPIRV-Tools-link
  : >"$build/source/libSPIRV-Tools-shared.so"  # exported and installed too: it would be all files once more
  for folder in source source/opt source/link; do  # the libraries beside these three are not built
    cmake -DCMAKE_INSTALL_LOCAL_ONLY=1 -P "$build/$folder/cmake_install.cmake" >/dev/null
  done
  cp -r "$cache/source/spirv-tools/include/spirv-tools" "$root/usr/include/"
}

# -3 is VK_ERROR_INITIALIZATION_FAILED.
make_vulkan() {
  local folder
  folder=$(dirname "$(find /usr/lib -name libvulkan.so.1 -path '*x86_64*' | head -1)")
  nm -D --defined-only "$folder/libvulkan.so.1" | sed -n 's/.* T \(vk[A-Za-z0-9]*\).*/int \1(void) { return -3; }/p' >"$cache/vulkan.c"
  clang-19 --target=x86_64-linux-musl -shared -nostdlib -fuse-ld=lld -Wl,-soname,libvulkan.so.1 "$cache/vulkan.c" \
    -o "$root/usr/lib/libvulkan.so.1"
  ln -sfn libvulkan.so.1 "$root/usr/lib/libvulkan.so"
}

[ -e "$root/usr/include/nlohmann" ] || make_root
[ -e "$root/usr/lib/libvulkan.so" ] || make_vulkan
[ -d "$cache/source/llvm" ] || fetch_sources
[ -e "$root/usr/lib/libc++.a" ] || make_libcxx
[ -e "$root/usr/include/spirv-tools/linker.hpp" ] || make_spirv_tools

cmake -G Ninja -S . -B build-musl --toolchain "$toolchain" -DCALDERA_MUSL_ROOT="$root" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCALDERA_WERROR=ON -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
  -DCALDERA_BUILD_EXAMPLES=OFF -DCALDERA_FEW_TESTS=ON >/dev/null
units="unit_spirv unit_lex unit_tools"
# shellcheck disable=SC2086  # the list is meant to split
cmake --build build-musl --target clc2spv clrun spv-check caldera_shared caldera_icd runner $units

export LD_LIBRARY_PATH=$root/usr/lib
passed=0 failed=""
# check NAME COMMAND...
check() {
  local name=$1; shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else failed+=" $name"; fi
}
check modules python3 tests/checks/same_modules.py --any-order "$native" build-musl/clc2spv
for unit in $units; do check "$unit" build-musl/tests/"$unit"; done
for suite in golden diag; do check $suite build-musl/tests/runner $suite tests/$suite; done
[ -z "$failed" ] || { echo "musl: $passed checks passed, failed:$failed"; exit 1; }
echo "musl: all $passed checks passed"
