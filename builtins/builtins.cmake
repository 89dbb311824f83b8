# SPDX-License-Identifier: Apache-2.0
# caldera_builtins: the OpenCL C sources of this folder, compiled by our own front end and embedded.
if(CALDERA_EMBED_BUILTINS)  # of a build for this machine, where the programs that are built cannot run
  add_executable(embed_builtins IMPORTED)
  set_target_properties(embed_builtins PROPERTIES IMPORTED_LOCATION ${CALDERA_EMBED_BUILTINS})
else()
  add_executable(embed_builtins ${PROJECT_SOURCE_DIR}/builtins/embed.cpp)
  target_link_libraries(embed_builtins PRIVATE caldera_frontend)
endif()

file(GLOB_RECURSE builtin_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/builtins
     ${PROJECT_SOURCE_DIR}/builtins/*.cl)
set(builtin_library ${PROJECT_BINARY_DIR}/generated/builtin_library.cpp)
list(TRANSFORM builtin_sources PREPEND ${PROJECT_SOURCE_DIR}/builtins/ OUTPUT_VARIABLE builtin_paths)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
add_custom_command(
  OUTPUT ${builtin_library}
  COMMAND embed_builtins ${builtin_library} ${builtin_library}.d ${PROJECT_SOURCE_DIR}/builtins ${builtin_sources}
  DEPENDS embed_builtins ${builtin_paths}
  DEPFILE ${builtin_library}.d
  COMMENT "The library of built-in functions")
add_library(caldera_builtins STATIC ${builtin_library} ${PROJECT_SOURCE_DIR}/builtins/define_builtins.cpp)
target_include_directories(caldera_builtins PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(caldera_builtins PUBLIC caldera_spirv PRIVATE caldera_frontend)
caldera_hide(caldera_builtins)
