# SPDX-License-Identifier: Apache-2.0
# What `cpack` makes: a Debian package of each component, and with `--config CPackSourceConfig.cmake` an archive of the
# sources. The same commit gives the same bytes: files have the time of SOURCE_DATE_EPOCH, or of the commit.
find_package(Git QUIET)
set(epoch $ENV{SOURCE_DATE_EPOCH})
if(NOT epoch AND GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} log -1 --format=%ct WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(epoch)
  file(WRITE ${PROJECT_BINARY_DIR}/package_time.cmake "set(ENV{SOURCE_DATE_EPOCH} ${epoch})\n")
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package_time.cmake)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)  # /etc is no part of the prefix
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME caldera)
set(CPACK_PACKAGE_CONTACT "The Caldera authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each component has its own
set(CPACK_COMPONENTS_ALL icd clc2spv clrun dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)

# caldera_package(COMPONENT NAME SECTION SUMMARY TEXT)
function(caldera_package component name section summary text)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
    COMPONENT ${component} EXCLUDE_FROM_ALL)  # packages alone need one each
endfunction()
caldera_package(icd caldera-icd libs "OpenCL driver on Vulkan"
  "OpenCL 3.1 on every device that has a Vulkan driver. Programs find it through the OpenCL loader.")
caldera_package(clc2spv clc2spv devel "OpenCL C compiler for OpenCL and Vulkan SPIR-V"
  "clc2spv compiles OpenCL C and translates OpenCL SPIR-V for Vulkan. spv-check reports all faults of SPIR-V modules. Neither needs a device.")
caldera_package(clrun clrun devel "run an OpenCL C kernel from the command line"
  "Compiles a kernel, dispatches it on a Vulkan device, and shows its buffers.")
caldera_package(dev libcaldera-dev libdevel "OpenCL C kernels in C++ programs, on Vulkan"
  "The library, its headers, and what CMake and pkg-config need to build programs with it.")
set(CPACK_DEBIAN_ICD_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_ICD_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1")
# What an administrator changes in /etc outlives a newer package.
file(WRITE ${PROJECT_BINARY_DIR}/package_control/conffiles "/etc/OpenCL/vendors/caldera.icd\n")
set(CPACK_DEBIAN_ICD_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package_control/conffiles)
# A single package had all files once.
foreach(key ICD CLC2SPV CLRUN DEV)
  set(CPACK_DEBIAN_${key}_PACKAGE_CONFLICTS caldera)
  set(CPACK_DEBIAN_${key}_PACKAGE_REPLACES caldera)
endforeach()
# CMake's package names the tools, which caldera_add_kernels() runs.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "clc2spv (= ${PROJECT_VERSION}), clrun (= ${PROJECT_VERSION})")

set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME caldera-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "/\\.git/;/\\.git$;/build[^/]*/;/out/;/\\.cache/;__pycache__;compile_commands\\.json$")
include(CPack)
