#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# windows_install.sh BUILD TOOLCHAIN WINE: what `cmake --install` installs of a build for Windows runs, and suffices to build the
# program of docs/embedding.md. Its libraries export what they should, and the registry gets the driver's name.
set -euo pipefail
build=$1 toolchain=$2 wine=$3
tests=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
bin="$root/cal dera/bin"
vendors='HKLM\SOFTWARE\Khronos\OpenCL\Vendors'
# A test that fails leaves no key behind, which the next one would find.
take_back() { "$wine" reg delete "$vendors" /v "$(windows "$bin/caldera_icd.dll")" /f >/dev/null 2>&1 || true; }
trap 'take_back; rm -rf "$root"' EXIT
fail() {
  echo "FAILED: $*"
  exit 1
}
# windows PATH: as Windows writes it.
windows() { tr / '\\' <<<"Z:$1"; }
quietly() { "$@" >"$root/log" 2>&1 || { cat "$root/log"; fail "$*"; }; }

quietly cmake --install "$build" --prefix "$root/cal dera"
for file in clc2spv.exe clrun.exe libcaldera.dll caldera_icd.dll register_driver.cmd; do
  [ -e "$bin/$file" ] || fail "no $file"
done
"$tests/checks/exports.sh" "$bin/libcaldera.dll" "$bin/caldera_icd.dll"
# Nothing needs Vulkan to start, and nothing but libcaldera.dll needs g++'s libraries.
for file in "$bin"/*.exe "$bin"/*.dll; do
  needs=$(x86_64-w64-mingw32-objdump -p "$file" | sed -n 's/.*DLL Name: //p')
  unwanted='stdc|gcc|pthread|vulkan'
  [ "$file" != "$bin/libcaldera.dll" ] || unwanted=vulkan
  needs=$(grep -iE "$unwanted" <<<"$needs" || true)
  [ -z "$needs" ] || fail "$file needs $needs"
done

sum=$("$wine" "$bin/clrun.exe" "$tests/../examples/saxpy.cl" --global=4 --arg=2 --arg=:1,2,3,4 --arg='[4]:=1' --print=2)
[ "${sum//$'\r'/}" = "3 5 7 9" ] || fail "clrun prints '$sum'"
none=$(WINEDLLOVERRIDES=vulkan-1= "$wine" "$bin/clrun.exe" --list-devices 2>&1 || true)
grep -q "no vulkan-1.dll" <<<"$none" || fail "without Vulkan, clrun says '$none'"

# Twice: the second time, programs come from the cache on disk.
export CALDERA_CACHE_DIR=$root/cache
for _ in first second; do quietly "$wine" "$build/tests/load_driver.exe" "Z:$bin/caldera_icd.dll"; done
tail -1 "$root/log"
[ "$(find "$root/cache" -type f -name '????????????????????????????????' | wc -l)" -ge 1 ] || fail "nothing in the cache on disk"

quietly "$wine" cmd /c "$(windows "$bin/register_driver.cmd")"
found=$("$wine" reg query "$vendors")
grep -qF "$(windows "$bin/caldera_icd.dll")    REG_DWORD    0x0" <<<"$found" || fail "the registry has '$found'"
if [ -n "${CALDERA_OPENCL_DLL:-}" ]; then
  # Wine has a library of this name, which is this system's OpenCL.
  WINEDLLOVERRIDES="opencl=n" quietly "$wine" "$build/tests/load_driver.exe" "$CALDERA_OPENCL_DLL"
  echo "by Khronos' loader: $(tail -1 "$root/log")"
fi
quietly "$wine" cmd /c "$(windows "$bin/register_driver.cmd")" /remove
! "$wine" reg query "$vendors" | grep -q caldera_icd || fail "the registry keeps the driver"

python3 "$tests/checks/docs.py" --extract="$tests/../docs/embedding.md" --into="$root/embedding"
quietly cmake -G Ninja -S "$root/embedding" -B "$root/embedding/build" --toolchain "$toolchain" \
  -DCaldera_DIR="$root/cal dera/lib/cmake/Caldera"
quietly cmake --build "$root/embedding/build"
(export WINEPATH="$WINEPATH;Z:$bin" && cd "$root/embedding" && quietly "$wine" build/scale.exe)
echo "installed, registered, and a program built with it runs"
