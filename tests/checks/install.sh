#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD: what `cmake --install` installs must suffice to compile another project's program, and must
# include the driver for the OpenCL loader. The programs that README.md and docs/embedding.md show compile and run.
# Kernels of caldera_add_kernels are built again when they change, by Ninja and by Make, in folders with a blank.
set -euo pipefail
build=$(realpath "$1")
tests=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}
# quietly COMMAND…: its output only where it fails.
quietly() { "$@" >"$root/log" 2>&1 || { cat "$root/log"; fail "$*"; }; }
# configure SOURCE OPTION…: into SOURCE/build.
configure() { quietly cmake -G "${generator:-Ninja}" -S "$1" -B "$1/build" -DCMAKE_PREFIX_PATH="$root/usr" "${@:2}"; }

(cd "$root" && quietly cmake --install "$build" --prefix usr)  # a relative folder
test -x "$root/usr/bin/clc2spv" || fail "no clc2spv"
test -x "$root/usr/bin/spv-check" || fail "no spv-check"
driver=$(cat "$root/usr/etc/OpenCL/vendors/caldera.icd")
[ "${driver:0:1}" = / ] && test -e "$driver" || fail "the loader's file names no driver, but '$driver'"

# The public headers, and no others. Each compiles alone, without Vulkan's or SPIR-V's.
[ "$(ls "$root/usr/include")" = caldera ] || fail "include has $(ls "$root/usr/include")"
for header in "$root"/usr/include/caldera/*.h; do
  echo "#include <caldera/$(basename "$header")>" >"$root/header.cpp"
  quietly c++ -std=c++20 -Wall -Wextra -Wpedantic -Werror -I"$root/usr/include" -fsyntax-only "$root/header.cpp"
  if command -v clang++-15 >/dev/null; then  # it checks the documentation's form
    quietly clang++-15 -std=c++20 -Wdocumentation -Werror -I"$root/usr/include" -fsyntax-only "$root/header.cpp"
  fi
done

# The programs that the documents show.
for document in README.md docs/embedding.md; do
  project=$root/$(basename "$document" .md)
  python3 "$tests/checks/docs.py" --extract="$tests/../$document" --into="$project"
done
configure "$root/embedding"
quietly cmake --build "$root/embedding/build"
(cd "$root/embedding" && quietly build/scale)
# What the document says of a prefix: with its commands, and not without them.
if command -v pkg-config >/dev/null; then
  commands=$(sed -n '/^export PKG_CONFIG_PATH=/,/^```$/p' "$tests/../docs/embedding.md" | grep -v '^```' | sed "s#/opt/caldera#$root/usr#")
  [ "$(wc -l <<<"$commands")" = 4 ] || fail "docs/embedding.md has other commands for pkg-config"
  (cd "$root/embedding" && quietly bash -euc "$commands" && quietly ./scale)
  without=${commands/-Wl,-rpath,\"\$libdir\"/}
  (cd "$root/embedding" && quietly bash -euc "$without" && ! ./scale 2>/dev/null) || fail "a program needs no -rpath"
fi
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$root/usr" -name caldera.pc)") pkg-config --cflags --libs caldera 2>/dev/null) ||
  flags="-std=c++20 -I$root/usr/include -L$(dirname "$(find "$root/usr" -name libcaldera.so)") -lcaldera"
# shellcheck disable=SC2086  # the list is meant to split
quietly c++ "$root/README/add.cpp" -Wall -Wextra -Werror $flags -Wl,-rpath,"$(dirname "$(find "$root/usr" -name libcaldera.so)")" \
  -o "$root/README/add"
sum=$(cd "$root/README" && ./add)
[ "$sum" = "11 22 33 44" ] || fail "README's program prints '$sum'"

# Folders that are absolute are the same whatever the prefix is.
quietly cmake -G Ninja -S "$tests/.." -B "$root/absolute" -DCALDERA_BUILD_TESTS=OFF -DCALDERA_BUILD_EXAMPLES=OFF \
  -DCMAKE_INSTALL_PREFIX=/opt/caldera -DCMAKE_INSTALL_LIBDIR=/opt/lib64 -DCMAKE_INSTALL_INCLUDEDIR=/opt/include
for line in prefix=/opt/caldera libdir=/opt/lib64 includedir=/opt/include "clc2spv=\${prefix}/bin/clc2spv"; do
  grep -qxF "$line" "$root/absolute/caldera.pc" || fail "with absolute folders, caldera.pc has no $line"
done
grep -qF 'driver "/opt/lib64/libcaldera_icd.so"' "$root/absolute/cmake_install.cmake" || fail "another driver's path"

# Another project, with kernels that are compiled when it is built.
for generator in Ninja "Unix Makefiles"; do
  outside="$root/$generator/out side"
  mkdir "$root/$generator"
  cp -r "$tests/outside" "$outside"
  configure "$outside" -DDEVICE_PROFILE="$tests/profiles/lavapipe.json"
  runs() {
    quietly cmake --build "$outside/build"
    out=$("$outside/build/outside")
    [ "$out" = "$1" ] || fail "outside prints '$out', not '$1'"
  }
  runs "2 4 6"
  cmake --build "$outside/build" | grep -q "Compiling\|Building\|Linking" && fail "what has not changed is built again"
  sleep 1
  echo '#define FACTOR 3' >"$outside/kernels/include/factor.h"
  runs "3 6 9"
  cp "$root/log" "$root/rebuilt"
  grep -q "Compiling.*scale.cl" "$root/rebuilt" || fail "a changed header did not build the kernel again"
  grep -q "Compiling.*offset.cl" "$root/rebuilt" && fail "a kernel was built again that did not change"
done
quietly cmake --install "$outside/build" --prefix "$root/installed"
for file in plain.spv plain.json; do test -s "$root/installed/share/outside/$file" || fail "no $file"; done
cmake -S "$outside" -B "$outside/build" -DDEVICE_PROFILE= >"$root/log" 2>&1 && fail "an empty DEVICE_PROFILE is taken"
grep -q "DEVICE_PROFILE has no value" "$root/log" || fail "nothing is said of an empty DEVICE_PROFILE"
