#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# windows_paths.sh CLC2SPV OTHER...: what Windows' clc2spv makes of names and lines as they are there, against what
# CLC2SPV makes of ours. OTHER is a command, such as `wine64 clc2spv.exe`, which sees this system's files on drive Z:.
set -euo pipefail
native=$(realpath "$1")
shift
other=("$@")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0
fault() {
  failed=1
  echo "FAILED: $*"
}
# same WHAT ONE OTHER: the files are equal.
same() { cmp "$2" "$3" || fault "$1"; }

mkdir -p include/sub 'sp ace'
echo '#define TWO 2' >include/sub/two.h
printf '#include <sub/two.h>\n#define THREE \\\n  (TWO + 1)\nkernel void k(global int *p) {\n  *p = THREE;\n}\n' >a.cl
"$native" --target=vulkan1.2 -Iinclude a.cl -o native.spv

"${other[@]}" --target=vulkan1.2 '-Iinclude' a.cl -o relative.spv && same "a relative folder" native.spv relative.spv
"${other[@]}" --target=vulkan1.2 "-IZ:${folder//\//\\}\\include" "Z:${folder//\//\\}\\a.cl" -o drive.spv &&
  same "a drive and backslashes" native.spv drive.spv
"${other[@]}" --target=vulkan1.2 -I include -o - - <a.cl >streams.spv && same "standard streams" native.spv streams.spv

sed 's|<sub/two.h>|"include\\sub\\two.h"|' a.cl >backslash.cl
"${other[@]}" --target=vulkan1.2 backslash.cl -o backslash.spv && same "#include with backslashes" native.spv backslash.spv
sed 's/$/\r/' a.cl >crlf.cl
"${other[@]}" --target=vulkan1.2 -Iinclude crlf.cl -o crlf.spv && same "lines that end with CR LF" native.spv crlf.spv

# A file beside the including one, whose path has backslashes.
printf '#include "two.h"\nkernel void k(global int *p) { *p = TWO; }\n' >include/sub/beside.cl
"${other[@]}" "include\\sub\\beside.cl" -o "sp ace\\"
[ -e "sp ace/beside.spv" ] || fault "-o with a folder and a backslash"

"${other[@]}" -Iinclude a.cl -o NUL || fault "-o NUL"
[ ! -e NUL ] || fault "-o NUL made a file"

cp a.cl 'grün €.cl'
"${other[@]}" --target=vulkan1.2 -Iinclude 'grün €.cl' -o 'grün €.spv' && same "names in UTF-8" native.spv 'grün €.spv'
echo 'kernel void k() { int ä = ; }' >'fehler ü.cl'
"$native" 'fehler ü.cl' -o x.spv 2>native.err || true
"${other[@]}" 'fehler ü.cl' -o x.spv 2>other.err || true
same "diagnostics in UTF-8" native.err other.err

"${other[@]}" -Iinclude -MD -MF 'sp ace\a.d' 'Z:'"${folder//\//\\}"'\a.cl' -o a.spv
grep -qF "a.spv: Z:${folder//\//\\}\\a.cl" 'sp ace/a.d' || fault "the rule's source: $(cat 'sp ace/a.d')"
grep -qE 'include[\\/]sub/two.h' 'sp ace/a.d' || fault "the rule's header: $(cat 'sp ace/a.d')"
"${other[@]}" -E -Iinclude a.cl >other.txt
"$native" -E -Iinclude a.cl >native.txt
same "preprocessed text" native.txt other.txt
"${other[@]}" missing.cl -o x.spv 2>other.err && fault "a missing file compiles"
grep -q "no such file or directory: 'missing.cl'" other.err || fault "a missing file: $(cat other.err)"
[ $failed != 0 ] || echo "names and lines of Windows: all as they should be"
exit $failed
