# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. A component is a Debian package (packages.cmake): `clc2spv` has the tools that need
# no device, `clrun` the one that does, `icd` the driver, and `dev` the library with its headers.
include(CMakePackageConfigHelpers)

install(TARGETS clc2spv spv-check EXPORT CalderaTargets COMPONENT clc2spv)
install(TARGETS clrun EXPORT CalderaTargets COMPONENT clrun)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
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
# Wherever `cmake --install --prefix` puts it. A folder that is absolute stays where it is.
foreach(name LIBDIR INCLUDEDIR BINDIR)
  set(pkgconfig_${name} ${CMAKE_INSTALL_${name}})
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${name}}")
    set(pkgconfig_${name} "\${prefix}/${CMAKE_INSTALL_${name}}")
  endif()
endforeach()
set(pkgconfig_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  set(pkgconfig_prefix "\${pcfiledir}/${prefix_from_pkgconfig}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/caldera.pc.in ${PROJECT_BINARY_DIR}/caldera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/caldera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME icd)
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
  get_filename_component(prefix \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)  # --prefix may be relative
  set(etc \"\${prefix}/etc\")
  if(prefix STREQUAL \"/usr\")
    set(etc /etc)
  endif()
  get_filename_component(driver \"${CMAKE_INSTALL_LIBDIR}/libcaldera_icd.so\" ABSOLUTE BASE_DIR \"\${prefix}\")
  # Not by way of the build folder, which may be another user's.
  file(WRITE \"\$ENV{DESTDIR}\${etc}/OpenCL/vendors/caldera.icd\"
    \"\${driver}\\n\")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${etc}/OpenCL/vendors/caldera.icd\")")

# What the tools say of themselves (packaging/make_pages.py).
set(pages ${PROJECT_SOURCE_DIR}/packaging/pages)
foreach(tool clc2spv spv-check clrun)
  set(component clc2spv)
  if(tool STREQUAL clrun)
    set(component clrun)
  endif()
  install(FILES ${pages}/${tool}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
  install(FILES ${pages}/${tool}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${tool}
    COMPONENT ${component})
  install(FILES ${pages}/_${tool} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT ${component})
endforeach()

if(PROJECT_IS_TOP_LEVEL)  # else the packages are the other project's
  include(${CMAKE_CURRENT_LIST_DIR}/packages.cmake)
endif()
