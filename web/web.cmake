# SPDX-License-Identifier: Apache-2.0
# The module for WebAssembly: it has no main(), but functions that are called (exports_web.cpp).
add_executable(caldera_wasm web/exports_web.cpp)
set_target_properties(caldera_wasm PROPERTIES OUTPUT_NAME caldera SUFFIX .wasm)
target_link_libraries(caldera_wasm PRIVATE caldera_web)
# The stack lies below all else, so that what overflows it traps and overwrites nothing.
target_link_options(caldera_wasm PRIVATE -mexec-model=reactor -Wl,--stack-first -Wl,-z,stack-size=8388608
  -Wl,--gc-sections -Wl,--strip-all)
