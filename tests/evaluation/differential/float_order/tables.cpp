// SPDX-License-Identifier: Apache-2.0
// What kernels load: the same on every machine. Each stretch of kStretch numbers has a character of its own,
// so that where a body loads says what it is tried with.
#include <random>

#include "evaluate.h"

namespace caldera::float_order {
namespace {

constexpr uint32_t kStretch = 256, kStretches = 10;

class RealTable {
 public:
    explicit RealTable(Kind kind) : kind_(kind), of_(info(kind)) {}

    std::vector<uint64_t> make() {
        std::vector<uint64_t> numbers;
        for (uint32_t i = 0; i < kStretch * kStretches; ++i) numbers.push_back(number(i / kStretch));
        return numbers;
    }

 private:
    uint64_t number(uint32_t stretch) {
        switch (stretch) {
            case 0: return special();
            case 1: return between(-3, 3);
            case 2: return between(0, 0) & ~of_.sign();
            case 3: return nearest(kind_, static_cast<double>(below(17)) - 8);
            case 4: return between(3 - of_.max_exponent, of_.max_exponent - 2);
            case 5: return between(of_.digits - 3, of_.digits + 1);
            case 6: return below(8) == 0 ? special() : between(-3, 3);
            case 7: return nearest(kind_, 1) + below(17) - 8;
            case 8: return between(-1, 1);
            default: return below(4) == 0 ? special() : between(-of_.digits, of_.digits);
        }
    }

    uint64_t below(uint64_t limit) { return random_() % limit; }

    /// A number of any sign, with an exponent between the two.
    uint64_t between(int least, int most) {
        const int exponent = least + static_cast<int>(below(static_cast<uint64_t>(most - least + 1)));
        const auto biased = static_cast<uint64_t>(exponent + of_.max_exponent - 1);
        return (below(2) ? of_.sign() : 0) | biased << (of_.digits - 1) | (random_() & (of_.hidden() - 1));
    }

    uint64_t special() {
        const uint64_t magnitudes[] = {0,
                                       0,
                                       of_.infinity(),
                                       of_.nan(),
                                       of_.infinity() - 1,
                                       of_.hidden(),
                                       of_.hidden() + below(5),
                                       1 + below(of_.hidden() - 1),
                                       nearest(kind_, 1),
                                       nearest(kind_, 0.5),
                                       nearest(kind_, 1.5),
                                       nearest(kind_, 2.5),
                                       nearest(kind_, static_cast<double>(of_.hidden())),
                                       nearest(kind_, static_cast<double>(of_.hidden()) / 2 + 0.5)};
        const uint64_t magnitude = magnitudes[below(std::size(magnitudes))];
        return magnitude == of_.nan() || below(2) ? magnitude : magnitude | of_.sign();
    }

    Kind kind_ = {};
    const KindInfo& of_;
    std::mt19937_64 random_ = std::mt19937_64(static_cast<uint64_t>(kind_));
};

std::vector<uint64_t> integers(Kind kind) {
    std::mt19937_64 random(static_cast<uint64_t>(kind));
    std::vector<uint64_t> numbers;
    const auto bits = static_cast<uint64_t>(info(kind).bytes) * 8;
    for (uint32_t i = 0; i < kStretch * kStretches; ++i) {
        const uint64_t size = (random() & info(kind).mask()) >> random() % bits;
        const uint64_t power = (uint64_t{1} << random() % bits) + random() % 3 - 1;
        const uint64_t number = random() % 2 ? size : power;
        numbers.push_back((random() % 2 ? number : ~number + 1) & info(kind).mask());
    }
    return numbers;
}

}  // namespace

const Tables& tables() {
    static const Tables kTables = {{Kind::Half, RealTable(Kind::Half).make()},
                                   {Kind::Float, RealTable(Kind::Float).make()},
                                   {Kind::Double, RealTable(Kind::Double).make()},
                                   {Kind::Int, integers(Kind::Int)},
                                   {Kind::Long, integers(Kind::Long)}};
    return kTables;
}

}  // namespace caldera::float_order
