// SPDX-License-Identifier: Apache-2.0
// Captured: what the process writes to stdout meanwhile.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>

namespace caldera::driver_test {

/// Sends stdout to a file while the object lives.
class Captured {
 public:
    Captured() {
        std::fflush(stdout);
        before_ = dup(STDOUT_FILENO);
        REQUIRE(dup2(fileno(file_), STDOUT_FILENO) >= 0);
    }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    ~Captured() {
        stop();
        std::fclose(file_);
    }
    /// Returns how many bytes there were.
    size_t stop() {
        if (before_ >= 0) {
            std::fflush(stdout);
            dup2(before_, STDOUT_FILENO);
            close(before_);
            before_ = -1;
        }
        return static_cast<size_t>(std::fseek(file_, 0, SEEK_END) == 0 ? std::ftell(file_) : 0);
    }

 private:
    std::FILE* file_ = std::tmpfile();
    int before_ = -1;
};

}  // namespace caldera::driver_test
