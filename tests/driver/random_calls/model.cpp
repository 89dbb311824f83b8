// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/random_calls/model.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace caldera::random_calls {

void require(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error(what);
}
void require_success(cl_int code, const std::string& what) {
    require(code == CL_SUCCESS, what + " returns " + std::to_string(code));
}

void require_same(const Host& out, const Host& expected, const std::string& what) {
    if (out == expected) return;
    size_t first = out.size(), last = 0, count = 0;
    for (size_t i = 0; i < out.size(); ++i) {
        if (out[i] == expected[i]) continue;
        first = std::min(first, i);
        last = i;
        ++count;
    }
    throw std::runtime_error(what + " has brought other bytes, " + std::to_string(count) + " of " +
                             std::to_string(out.size()) + ", from " + std::to_string(first) + " to " +
                             std::to_string(last) + ", where " + std::to_string(out[first]) + " stands for " +
                             std::to_string(expected[first]));
}

void copy(const Box& to, const Box& from, const Size3& region) {
    for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
            std::memcpy(to.data + z * to.slice + y * to.row, from.data + z * from.slice + y * from.row,
                        region[0]);
}

}  // namespace caldera::random_calls
