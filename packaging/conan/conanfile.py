# SPDX-License-Identifier: Apache-2.0
"""Conan 2's recipe of Caldera's sources, those that it lies in: conan create packaging/conan"""
import pathlib
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Caldera(ConanFile):
    """The tools, the library and the OpenCL driver."""

    name = "caldera"
    license = "Apache-2.0"
    description = "OpenCL C on every Vulkan GPU: a compiler, a library and an OpenCL driver"
    package_type = "shared-library"
    settings = "os", "compiler", "build_type", "arch"

    @property
    def _root(self):
        return pathlib.Path(self.recipe_folder).parents[1]

    def set_version(self):
        header = (self._root / "include/caldera/version.h").read_text()
        self.version = ".".join(re.findall(r"#define CALDERA_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        for folder in ("builtins", "cmake", "frontend", "include", "library", "packaging", "spirv", "third_party", "tools",
                       "vulkan", "web"):
            copy(self, f"{folder}/*", self._root, self.export_sources_folder)
        for file in ("CMakeLists.txt", "LICENSE"):
            copy(self, file, self._root, self.export_sources_folder)

    def requirements(self):
        self.requires("spirv-tools/[>=1.3.239]")
        self.requires("spirv-headers/[>=1.3.239]")
        self.requires("vulkan-loader/[>=1.3.239]")
        self.requires("vulkan-headers/[>=1.3.239]")
        self.requires("opencl-headers/[>=2023.02.06]")
        self.requires("cli11/[^2.3]")
        self.requires("nlohmann_json/[^3.11]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")
        self.tool_requires("glslang/[>=1.3.239]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CALDERA_BUILD_TESTS"] = False
        toolchain.cache_variables["CALDERA_BUILD_EXAMPLES"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["caldera"]
        # find_package(Caldera) takes Caldera's own files, which have the tools too.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/Caldera"]
        self.cpp_info.set_property("pkg_config_name", "caldera")
