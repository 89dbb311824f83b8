# SPDX-License-Identifier: Apache-2.0
# caldera_add_kernels(): OpenCL C that is compiled when the project is built.
#
#   caldera_add_kernels(<target> FILES <file.cl>...
#     [TARGET vulkan1.1|vulkan1.2|vulkan1.3|opencl1.2|opencl2.0|...]
#     [ABI addresses|descriptors] [DEVICE_PROFILE <file.json>]
#     [OPTIONS <option>...] [INCLUDE_DIRECTORIES <folder>...]
#     [EMBED] [HEADER cpp|c] [INSTALL <folder>])
#
# TARGET          what the modules are for; vulkan1.2, or the newest that the profile's device takes
# ABI             how kernels reach buffers (docs/abi.md); addresses
# DEVICE_PROFILE  what `vulkaninfo --json` wrote of the device
# OPTIONS         further options of clc2spv: -cl-std=CL2.0 -O2 -DN=16. Generator expressions may stand here. A path
#                 needs its folder: -include ${CMAKE_CURRENT_SOURCE_DIR}/types.h.
# EMBED           the default. NAME.cl becomes NAME.hpp, which the target's sources include: the words as NAME_words,
#                 and for a Vulkan target a struct for each kernel, as `clc2spv --emit=cpp-header` writes.
#                 HEADER c: NAME.h for C11.
# INSTALL         NAME.cl becomes NAME.spv, and for a Vulkan target NAME.json (the reflection). They are built with the
#                 target, and installed into the folder, which is relative to the prefix. The target's property
#                 CALDERA_KERNELS lists the files in the build tree.
#
# A kernel is built again when its source, a file that it includes, the profile or the compiler changes. Relative
# paths, but for those in OPTIONS, are relative to the source folder. Generated files lie in
# <binary folder>/<target>_kernels. Call the function in the folder that makes the target.

# A project with an older cmake_minimum_required may include this file. CMP0116: CMake handles the dependency files.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

set(caldera_words_script ${CMAKE_CURRENT_LIST_DIR}/CalderaWords.cmake CACHE INTERNAL "")

# A rule that makes OUTPUT of a kernel; all else are arguments of clc2spv.
function(caldera_kernel_rule output input)
  add_custom_command(
    OUTPUT ${output}
    COMMAND $<TARGET_FILE:Caldera::clc2spv> ${input} -o ${output} -MD -MF ${output}.d -MQ ${output} ${ARGN}
    DEPENDS ${input} $<TARGET_FILE:Caldera::clc2spv> ${KERNELS_DEVICE_PROFILE}
    DEPFILE ${output}.d
    COMMENT "Compiling ${input}"
    COMMAND_EXPAND_LISTS  # a generator expression in OPTIONS may be empty, or several options
    VERBATIM)
endfunction()

function(caldera_add_kernels target)
  cmake_parse_arguments(KERNELS "EMBED" "TARGET;ABI;DEVICE_PROFILE;HEADER;INSTALL" "FILES;OPTIONS;INCLUDE_DIRECTORIES" ${ARGN})
  if(KERNELS_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "caldera_add_kernels: unknown arguments '${KERNELS_UNPARSED_ARGUMENTS}'")
  endif()
  foreach(keyword TARGET ABI DEVICE_PROFILE HEADER INSTALL)  # a variable behind it may be empty
    if(keyword IN_LIST KERNELS_KEYWORDS_MISSING_VALUES)
      message(FATAL_ERROR "caldera_add_kernels: ${keyword} has no value")
    endif()
  endforeach()
  if(NOT KERNELS_FILES)
    message(FATAL_ERROR "caldera_add_kernels: FILES names no file")
  endif()
  if(NOT KERNELS_INSTALL)
    set(KERNELS_EMBED TRUE)
  endif()
  if(NOT KERNELS_HEADER)
    set(KERNELS_HEADER cpp)
  endif()
  if(NOT KERNELS_HEADER MATCHES "^(c|cpp)$")
    message(FATAL_ERROR "caldera_add_kernels: HEADER is c or cpp, not '${KERNELS_HEADER}'")
  endif()
  set(header_extension h)
  if(KERNELS_HEADER STREQUAL cpp)
    set(header_extension hpp)
  endif()
  set(is_vulkan TRUE)
  set(arguments ${KERNELS_OPTIONS})
  if(KERNELS_TARGET)
    list(APPEND arguments --target=${KERNELS_TARGET})
    if(NOT KERNELS_TARGET MATCHES "^vulkan")
      set(is_vulkan FALSE)
    endif()
  endif()
  if(KERNELS_ABI)
    list(APPEND arguments --abi=${KERNELS_ABI})
  endif()
  if(KERNELS_DEVICE_PROFILE)
    cmake_path(ABSOLUTE_PATH KERNELS_DEVICE_PROFILE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND arguments --device-profile=${KERNELS_DEVICE_PROFILE})
  endif()
  foreach(folder IN LISTS KERNELS_INCLUDE_DIRECTORIES)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND arguments -I ${folder})
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels)
  file(MAKE_DIRECTORY ${folder})
  get_target_property(all_outputs ${target} CALDERA_OUTPUTS)
  set(outputs)
  set(modules)
  foreach(input IN LISTS KERNELS_FILES)
    cmake_path(ABSOLUTE_PATH input BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET input STEM LAST_ONLY name)
    set(header ${folder}/${name}.${header_extension})
    foreach(output ${header} ${folder}/${name}.spv)
      if(output IN_LIST all_outputs OR output IN_LIST outputs)
        message(FATAL_ERROR "caldera_add_kernels: two kernels of '${target}' are named '${name}'")
      endif()
    endforeach()
    if(KERNELS_INSTALL OR NOT is_vulkan)
      caldera_kernel_rule(${folder}/${name}.spv ${input} ${arguments})
      list(APPEND outputs ${folder}/${name}.spv)
    endif()
    if(KERNELS_INSTALL)
      list(APPEND modules ${folder}/${name}.spv)
      if(is_vulkan)
        caldera_kernel_rule(${folder}/${name}.json ${input} ${arguments} --emit=reflection-json)
        list(APPEND outputs ${folder}/${name}.json)
        list(APPEND modules ${folder}/${name}.json)
      endif()
    endif()
    if(KERNELS_EMBED AND is_vulkan)
      caldera_kernel_rule(${header} ${input} ${arguments} --emit=${KERNELS_HEADER}-header)
      list(APPEND outputs ${header})
    elseif(KERNELS_EMBED)
      add_custom_command(
        OUTPUT ${header}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${folder}/${name}.spv -DOUTPUT=${header} -DNAME=${name}
                -DLANGUAGE=${KERNELS_HEADER} -P ${caldera_words_script}
        DEPENDS ${folder}/${name}.spv ${caldera_words_script}
        VERBATIM)
      list(APPEND outputs ${header})
    endif()
  endforeach()

  target_sources(${target} PRIVATE ${outputs})
  set_property(TARGET ${target} APPEND PROPERTY CALDERA_OUTPUTS ${outputs})
  set_property(TARGET ${target} APPEND PROPERTY CALDERA_KERNELS ${modules})
  if(KERNELS_EMBED)
    target_include_directories(${target} PRIVATE ${folder})
  endif()
  if(KERNELS_INSTALL)
    install(FILES ${modules} DESTINATION ${KERNELS_INSTALL})
  endif()
endfunction()

cmake_policy(POP)
