// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "spirv/builder.h"

namespace caldera::spirv {

/// While this lives, the builder's instructions go to `sink`; then to where they went before.
class SinkScope {
 public:
    SinkScope(Builder& builder, std::vector<Instruction>* sink) : builder_(builder), before_(builder.sink()) {
        builder.set_sink(sink);
    }
    ~SinkScope() { builder_.set_sink(before_); }
    SinkScope(const SinkScope&) = delete;
    SinkScope& operator=(const SinkScope&) = delete;

 private:
    Builder& builder_;
    std::vector<Instruction>* before_;
};

}  // namespace caldera::spirv
