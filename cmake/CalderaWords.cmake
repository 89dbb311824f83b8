# SPDX-License-Identifier: Apache-2.0
# cmake -DINPUT=<module.spv> -DOUTPUT=<header> -DNAME=<name> -DLANGUAGE=<c or cpp> -P: writes a SPIR-V
# module as an array of words.
string(MAKE_C_IDENTIFIER ${NAME} name)
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" " 0x\\4\\3\\2\\1," words "${bytes}")
set(word "( 0x........,)")
string(REGEX REPLACE "${word}${word}${word}${word}${word}${word}${word}${word}" "\\1\\2\\3\\4\\5\\6\\7\\8\n   " words
  "   ${words}")
set(array "#include <stdint.h>\n\nstatic const uint32_t ${name}_words[]")
if(LANGUAGE STREQUAL cpp)
  set(array "#include <cstdint>\n\ninline constexpr std::uint32_t ${name}_words[]")
endif()
file(WRITE ${OUTPUT} "// Made by Caldera: an OpenCL SPIR-V module.\n#pragma once\n\n${array} = {\n${words}\n};\n")
