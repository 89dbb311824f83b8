// SPDX-License-Identifier: Apache-2.0
// What code under test writes to stderr.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

namespace caldera {

/// What `action` writes to stderr, by whatever way.
inline std::string written_to_stderr(const std::function<void()>& action) {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file);
    std::fflush(stderr);
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    action();
    std::fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    std::rewind(file);
    std::string text;
    for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
    std::fclose(file);
    return text;
}

}  // namespace caldera
