# SPDX-License-Identifier: Apache-2.0
# cmake -DROOT=<source folder> -DOUTPUT=<header> -P: writes a digest of the sources, by which the cache on
# disk distinguishes versions. The header changes only when they do.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/include/* ${ROOT}/spirv/* ${ROOT}/frontend/* ${ROOT}/vulkan/*
  ${ROOT}/builtins/*)
list(FILTER files EXCLUDE REGEX "_test\\.cpp$|_fixture\\.h$|\\.md$")
list(SORT files)
set(all "")
foreach(file IN LISTS files)
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND all "${file} ${digest}\n")
endforeach()
string(SHA256 digest "${all}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "constexpr char kSourceDigest[] = \"${digest}\";\n")
