// SPDX-License-Identifier: Apache-2.0
// Gravity among all pairs of bodies, for some steps, against the same in double precision on the CPU.
#include <array>
#include <cmath>

#include "support/example.h"

namespace {

constexpr uint32_t kCount = 1024, kLocal = 64, kSteps = 10;
constexpr float kDt = 0.01f, kSoftening = 0.01f;

using Body = std::array<double, 4>;

void step_on_cpu(std::vector<Body>& bodies, std::vector<Body>& velocities) {
    const std::vector<Body> before = bodies;
    for (uint32_t i = 0; i < kCount; ++i) {
        double sum[3] = {};
        for (const Body& other : before) {
            const double d[3] = {other[0] - before[i][0], other[1] - before[i][1], other[2] - before[i][2]};
            const double inverse =
                1 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + static_cast<double>(kSoftening));
            for (int k = 0; k < 3; ++k) sum[k] += d[k] * other[3] * inverse * inverse * inverse;
        }
        for (size_t k = 0; k < 3; ++k) {
            velocities[i][k] += static_cast<double>(kDt) * sum[k];
            bodies[i][k] = before[i][k] + static_cast<double>(kDt) * velocities[i][k];
        }
    }
}

}  // namespace

int main() {
    example::Session session("n_body.cl");
    std::vector<float> positions(kCount * 4);
    uint32_t random = 1;
    for (size_t i = 0; i < positions.size(); ++i) {
        random = random * 1664525 + 1013904223;
        const float unit = static_cast<float>(random >> 8) * 0x1p-24f;
        positions[i] = i % 4 == 3 ? unit / kCount : 2 * unit - 1;
    }
    std::vector<Body> bodies(kCount), velocities(kCount);
    for (uint32_t i = 0; i < kCount; ++i)
        for (size_t k = 0; k < 4; ++k) bodies[i][k] = static_cast<double>(positions[i * 4 + k]);

    auto before = session.buffer(positions), after = session.buffer(positions);
    const auto velocity = session.buffer(std::vector<float>(kCount * 4));
    auto kernel = session.kernel("step_bodies");
    double time_ms = 0;
    for (uint32_t step = 0; step < kSteps; ++step) {
        example::set_arguments(kernel, before, after, velocity, kCount, kDt, kSoftening);
        example::check(kernel.set_local(6, kLocal * 16));
        time_ms += session.run(kernel, {.global = {kCount, 1, 1}, .local = {kLocal, 1, 1}});
        std::swap(before, after);
        step_on_cpu(bodies, velocities);
    }
    const std::vector<float> result = session.read<float>(before);
    double worst = 0;
    for (uint32_t i = 0; i < kCount; ++i)
        for (size_t k = 0; k < 3; ++k)
            worst = std::max(worst, std::fabs(static_cast<double>(result[i * 4 + k]) - bodies[i][k]));
    return session.verdict(worst < 1e-5, time_ms);
}
