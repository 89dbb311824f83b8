#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --help describes it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tests/web.sh [BUILD]

Builds the compiler for WebAssembly (web/build.sh), and tests the package in node and the page in headless Chromium. The
package's modules must have the instructions of those that BUILD's clc2spv makes. BUILD is build/ otherwise.

It is skipped where node is missing, or where it could not install what web/build.sh needs. Without Chromium only the
page's test is skipped. With CALDERA_PICTURES=FOLDER that test leaves screenshots there.
END
}
[ "${1:-}" != --help ] || { usage; exit; }
build=$(realpath "${1:-build}")
skip() {
  echo "skipped: $*"
  exit 77
}
command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
command -v clang++-19 >/dev/null || [ "$(id -u)" = 0 ] || skip "clang 19 is not installed"

web/build.sh "$build"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$work" -xf "$(ls out/web/caldera-opencl-*.tgz)"
size=$(stat -c %s out/web/caldera.wasm.gz)
[ "$size" -le 3000000 ] || { echo "FAILED: caldera.wasm.gz has $size bytes, more than 3,000,000"; exit 1; }
node --test-reporter=spec web/test/package_test.mjs "$work/package" "$build/clc2spv"
node web/test/speed.mjs "$work/package" examples/*.cl
node web/test/browser_test.mjs out/web/caldera.html "${CALDERA_PICTURES:-}" || [ $? = 77 ]
