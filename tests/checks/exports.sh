#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# exports.sh LIBRARY DRIVER: libcaldera exports what include/caldera marks with CALDERA_API, and nothing else; the driver exports
# what an OpenCL loader asks for, and its functions have no static objects that exit() would destroy.
set -euo pipefail
library=$1 driver=$2
headers=$(cd "$(dirname "$0")/../../include/caldera" && pwd)
failed=0
fault() {
  failed=1
  echo "FAILED: $*"
}
# Names, demangled, without the version.
exports() {
  case $1 in
    *.dll) x86_64-w64-mingw32-objdump -p "$1" | sed -n '/Name Pointer\] Table/,/^$/s/.*\[ *[0-9]*\] //p' ;;
    *) nm -D --defined-only "$1" | sed -n 's/^[0-9a-f]* [A-Za-z] //p' | sed 's/@.*//' ;;
  esac | c++filt
}

# Classes and functions that are marked; their members are theirs.
names=$(sed -n 's/^class CALDERA_API \([A-Za-z]*\) .*/\1/p; s/^CALDERA_API .*[ *&]\([a-z_]*\)(.*/\1/p' "$headers"/*.h | sort -u)
test "$(wc -w <<<"$names")" -ge 15 || fault "only $names are marked"
exported=$(exports "$library" | grep -v '^CALDERA_[0-9.]*$')
for name in $names; do
  grep -q "^caldera::$name\(::\|(\|\[\)" <<<"$exported" || fault "caldera::$name is marked, but not exported"
done
allowed=$(paste -sd'|' <<<"$names")
others=$(grep -Ev "^caldera::($allowed)(::|\(|\[)" <<<"$exported" || true)
[ -z "$others" ] || fault "exported without being marked:" "$(head -n 20 <<<"$others")"
hidden=$(grep -E '::Impl\b|caldera::(detail|frontend|spirv|vulkan|runtime|tools|icd)::' <<<"$exported" || true)
[ -z "$hidden" ] || fault "exported from the inside:" "$(head -n 20 <<<"$hidden")"

wanted="clGetExtensionFunctionAddress clGetPlatformInfo clIcdGetPlatformIDsKHR"
found=$(exports "$driver" | sort | xargs)
[ "$found" = "$wanted" ] || fault "the driver exports $found"

# exit() destroys such an object before the driver's handler lets the calls of other threads end, which may use it. Objects outside
# functions exist before the handler does. Sanitizers' builds are other code.
if [[ $driver == *.so ]] && ! nm -D "$driver" | grep -q '__[at]san_'; then
  destroyed=$(objdump -dC --no-show-raw-insn "$driver" | awk '/^[0-9a-f]+ <.*>:$/ { name = $0 }
    /call.*<__cxa_atexit/ && name ~ /caldera::/ { print name }' | sort -u)
  [ -z "$destroyed" ] || fault "static objects in functions have destructors:" "$(head -n 20 <<<"$destroyed")"
fi

echo "$(wc -l <<<"$exported") functions of $(wc -w <<<"$names") names, 3 of the driver"
exit $failed
