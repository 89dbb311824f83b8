# SPDX-License-Identifier: Apache-2.0
# A port of Caldera's sources, those that the port lies in: vcpkg install caldera --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH ${CURRENT_PORT_DIR}/../../.. ABSOLUTE)
vcpkg_find_acquire_program(PYTHON3)
vcpkg_cmake_configure(
  SOURCE_PATH ${SOURCE_PATH}
  OPTIONS
    -DCALDERA_BUILD_TESTS=OFF
    -DCALDERA_BUILD_EXAMPLES=OFF
    -DPython3_EXECUTABLE=${PYTHON3}
    -DGLSLANG_VALIDATOR=${CURRENT_HOST_INSTALLED_DIR}/tools/glslang/glslangValidator)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Caldera CONFIG_PATH lib/cmake/Caldera)
vcpkg_copy_tools(TOOL_NAMES clc2spv clrun spv-check AUTO_CLEAN)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share ${CURRENT_PACKAGES_DIR}/debug/etc)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
