# SPDX-License-Identifier: Apache-2.0
# caldera_builtins: the OpenCL C sources of this folder, compiled by our own front end and embedded.
add_library(caldera_builtins INTERFACE)
