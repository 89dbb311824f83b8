# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the Debian package that `cpack` makes of it.
include(CMakePackageConfigHelpers)

install(TARGETS clc2spv clrun spv-check EXPORT CalderaTargets)
install(TARGETS caldera_shared EXPORT CalderaTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/caldera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Caldera)
install(EXPORT CalderaTargets NAMESPACE Caldera:: DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/CalderaConfig.cmake.in
  ${PROJECT_BINARY_DIR}/CalderaConfig.cmake INSTALL_DESTINATION ${package_folder})
# The versions that a program may be built against instead of the one that it asks for (include/caldera/version.h).
set(compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatible SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/CalderaConfigVersion.cmake COMPATIBILITY ${compatible})
install(FILES ${PROJECT_BINARY_DIR}/CalderaConfig.cmake ${PROJECT_BINARY_DIR}/CalderaConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/CalderaKernels.cmake ${CMAKE_CURRENT_LIST_DIR}/CalderaWords.cmake
  DESTINATION ${package_folder})
# Wherever `cmake --install --prefix` puts it.
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/caldera.pc.in ${PROJECT_BINARY_DIR}/caldera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/caldera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(WIN32)  # the registry tells the loader of the driver
  install(TARGETS caldera_icd LIBRARY DESTINATION ${CMAKE_INSTALL_BINDIR})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/register_driver.cmd ${PROJECT_BINARY_DIR}/register_driver.cmd
    @ONLY NEWLINE_STYLE CRLF)
  install(FILES ${PROJECT_BINARY_DIR}/register_driver.cmd DESTINATION ${CMAKE_INSTALL_BINDIR})
  return()
endif()
# The driver, and the file that tells the loader of it, which looks in /etc for what is in /usr.
install(TARGETS caldera_icd LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(CODE "
  set(etc \"\${CMAKE_INSTALL_PREFIX}/etc\")
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(etc /etc)
  endif()
  file(WRITE \"${PROJECT_BINARY_DIR}/caldera.icd\"
    \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libcaldera_icd.so\\n\")
  file(INSTALL \"${PROJECT_BINARY_DIR}/caldera.icd\" DESTINATION \"\${etc}/OpenCL/vendors\")")

if(NOT PROJECT_IS_TOP_LEVEL)
  return()  # the package is the other project's
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)  # /etc is no part of the prefix
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME caldera)
set(CPACK_PACKAGE_CONTACT "The Caldera authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL C compiler and OpenCL driver on Vulkan")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PROVIDES opencl-icd)
set(CPACK_STRIP_FILES ON)
include(CPack)
