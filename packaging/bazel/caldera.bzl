# SPDX-License-Identifier: Apache-2.0
"""An installed Caldera in Bazel, by pkg-config.

In MODULE.bazel:

    caldera = use_repo_rule("//:caldera.bzl", "caldera_repository")
    caldera(name = "caldera")

In BUILD.bazel:

    cc_binary(name = "scale", srcs = ["main.cpp"], deps = ["@caldera"], copts = ["-std=c++20"])
    genrule(name = "kernel", srcs = ["scale.cl"], outs = ["scale.hpp"], tools = ["@caldera//:clc2spv"],
            cmd = "$(execpath @caldera//:clc2spv) $< --emit=cpp-header -o $@")
"""

def _ask(context, *what):
    done = context.execute(["pkg-config"] + list(what) + ["caldera"])
    if done.return_code:
        fail("pkg-config " + " ".join(what) + " caldera: " + done.stderr)
    return done.stdout.strip()

def _caldera_repository(context):
    context.symlink(_ask(context, "--variable=includedir") + "/caldera", "include/caldera")
    context.symlink(_ask(context, "--variable=libdir") + "/libcaldera.so", "lib/libcaldera.so")
    context.symlink(_ask(context, "--variable=clc2spv"), "bin/clc2spv")
    context.file("BUILD.bazel", """
package(default_visibility = ["//visibility:public"])

cc_import(name = "library", shared_library = "lib/libcaldera.so")

cc_library(
    name = "caldera",
    hdrs = glob(["include/caldera/*"]),
    includes = ["include"],
    deps = [":library"],
)

filegroup(name = "clc2spv", srcs = ["bin/clc2spv"])
""")

caldera_repository = repository_rule(
    implementation = _caldera_repository,
    local = True,
    doc = "The targets :caldera (headers and library) and :clc2spv of an installed Caldera.",
)
