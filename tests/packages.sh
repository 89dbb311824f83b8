#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --help describes it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/packages.sh [--built] BUILD

Makes the Debian packages of BUILD twice, which must give the same bytes, unpacks them into a folder, and runs there what they
hold: clc2spv, spv-check, clrun, a program built with the library, and clinfo on the driver where it is installed.

Without --built it also makes the source archive twice, unpacks it into two folders, and builds the compiler in each of them
without a network. The two compilers must have the same bytes. That takes as long as two builds.
END
}
whole=true
if [ "${1:-}" = --built ]; then
  whole=false
  shift
fi
[ $# = 1 ] && [ -d "$1" ] || { usage >&2; exit 2; }
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}
# quietly COMMAND…: its output only where it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }

# ---- Debian packages ----
for time in first second; do
  mkdir "$work/$time"
  (cd "$build" && quietly cpack -G DEB -B "$work/$time")
done
packages="caldera-icd clc2spv clrun libcaldera-dev"
root=$work/root
for package in $packages; do
  first=$(echo "$work/first/${package}"_*.deb) second=$(echo "$work/second/${package}"_*.deb)
  cmp "$first" "$second" || fail "$package differs when it is made again"
  dpkg-deb -x "$first" "$root"
  cmp packaging/copyright "$root/usr/share/doc/$package/copyright" || fail "$package has no licence"
  echo "$package: $(stat -c %s "$first") bytes, depends on $(dpkg-deb -f "$first" Depends)"
done
[ "$(find "$work/first" -maxdepth 1 -name '*.deb' | wc -l)" = 4 ] || fail "there are other packages: $(ls "$work/first")"

export PATH=$root/usr/bin:$PATH
library=$(dirname "$(find "$root" -name libcaldera.so)")
cd "$work"
echo 'kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }' >k.cl
quietly clc2spv k.cl -o k.spv --validate
quietly spv-check k.spv
[ "$(clrun k.cl --global=3 --arg=:1,2,3 --print=0)" = "2 4 6" ] || fail "clrun computes something else"
cat >main.cpp <<'END'
#include <caldera/caldera.h>
int main() { return caldera::compile("kernel void f() {}", "f.cl") ? 0 : 1; }
END
quietly c++ -std=c++20 main.cpp -I"$root/usr/include" -L"$library" -lcaldera -Wl,-rpath,"$library" -o main
quietly ./main
driver=$(find "$root" -name libcaldera_icd.so)
dpkg-deb -I "$(echo "$work"/first/caldera-icd_*.deb)" conffiles | grep -qx /etc/OpenCL/vendors/caldera.icd ||
  fail "the loader's file is no configuration file"
grep -qx "/usr/lib.*/libcaldera_icd.so" "$root/etc/OpenCL/vendors/caldera.icd" || fail "the loader's file names another driver"
mkdir vendors
echo "$driver" >vendors/caldera.icd
if command -v clinfo >/dev/null; then
  OCL_ICD_VENDORS=$PWD/vendors clinfo >devices.txt || fail "clinfo"
  grep -q "Platform Name.*Caldera" devices.txt || { cat devices.txt; fail "clinfo finds no Caldera"; }
  sed -n 's/^ *\(Device Name\|Device Version\)  */\1: /p' devices.txt
fi
for page in clc2spv spv-check clrun; do
  test -s "$root/usr/share/man/man1/$page.1" && test -s "$root/usr/share/bash-completion/completions/$page" &&
    test -s "$root/usr/share/zsh/vendor-completions/_$page" || fail "$page has no page or no completions"
done
$whole || { echo "packages: made twice, unpacked and run"; exit; }

# ---- The source archive, and two builds ----
for time in first second; do
  (cd "$build" && quietly cpack --config CPackSourceConfig.cmake -B "$work/$time")
  mkdir -p "$work/builds/$time"
  tar -C "$work/builds/$time" --strip-components=1 -xf "$work/$time"/caldera-*.tar.xz
done
cmp "$work"/first/caldera-*.tar.xz "$work"/second/caldera-*.tar.xz || fail "the source archive differs when it is made again"
offline="unshare --net --map-root-user"
$offline true 2>/dev/null || offline=env
mv "$work/builds/second" "$work/builds/another"
for name in first another; do
  (cd "$work/builds/$name" && quietly $offline cmake --preset release &&
    quietly $offline cmake --build --preset release --target clc2spv)
done
cmp "$work"/builds/{first,another}/build/clc2spv || fail "clc2spv differs when it is built again, in another folder"
echo "packages: made twice, unpacked and run; the sources build twice to the same bytes"
