// SPDX-License-Identifier: Apache-2.0
// Boost.Compute's algorithms beside the standard library's.
#define BOOST_COMPUTE_DEBUG_KERNEL_COMPILATION
#include <algorithm>
#include <boost/compute.hpp>
#include <boost/compute/lambda.hpp>
#include <cmath>
#include <numeric>

#include "tests/evaluation/programs/report.h"

namespace caldera::programs {
namespace {

namespace compute = boost::compute;

template <class T>
class Algorithms {
 public:
    Algorithms(Report& report, const std::string& type, compute::command_queue& queue, size_t count)
        : report_(report), suffix_(", " + std::to_string(count) + " of " + type), queue_(queue) {
        // Sixteenths: floats have their sums exactly, in whatever order a device adds.
        for (double number : random_numbers<double>(count, 1))
            data_.push_back(T(std::trunc(number * 16000) / 16));
    }

    void run() {
        check(
            "sort", [](auto first, auto last, auto& queue) { compute::sort(first, last, queue); },
            [](auto first, auto last) { std::sort(first, last); });
        check(
            "sort, greater",
            [](auto first, auto last, auto& queue) {
                compute::sort(first, last, compute::greater<T>(), queue);
            },
            [](auto first, auto last) { std::sort(first, last, std::greater<T>()); });
        check(
            "stable_sort",
            [](auto first, auto last, auto& queue) { compute::stable_sort(first, last, queue); },
            [](auto first, auto last) { std::stable_sort(first, last); });
        check(
            "inclusive_scan",
            [](auto first, auto last, auto& queue) { compute::inclusive_scan(first, last, first, queue); },
            [](auto first, auto last) { std::inclusive_scan(first, last, first); });
        check(
            "exclusive_scan",
            [](auto first, auto last, auto& queue) { compute::exclusive_scan(first, last, first, queue); },
            [](auto first, auto last) { std::exclusive_scan(first, last, first, T(0)); });
        check(
            "transform",
            [](auto first, auto last, auto& queue) {
                using compute::lambda::_1;
                compute::transform(first, last, first, _1 * 3 + 4, queue);
            },
            [](auto first, auto last) { std::transform(first, last, first, [](T x) { return x * 3 + 4; }); });
        check(
            "reverse", [](auto first, auto last, auto& queue) { compute::reverse(first, last, queue); },
            [](auto first, auto last) { std::reverse(first, last); });
        check(
            "rotate",
            [](auto first, auto last, auto& queue) { compute::rotate(first, first + 5, last, queue); },
            [](auto first, auto last) { std::rotate(first, first + 5, last); });
        check(
            "replace",
            [](auto first, auto last, auto& queue) { compute::replace(first, last, T(7), T(8), queue); },
            [](auto first, auto last) { std::replace(first, last, T(7), T(8)); });
        check(
            "adjacent_difference",
            [](auto first, auto last, auto& queue) {
                compute::adjacent_difference(first, last, first, queue);
            },
            [](auto first, auto last) { std::adjacent_difference(first, last, first); });
        value(
            "accumulate",
            [](auto first, auto last, auto& queue) { return compute::accumulate(first, last, T(0), queue); },
            [](auto first, auto last) { return std::accumulate(first, last, T(0)); });
        value(
            "max_element",
            [](auto first, auto last, auto& queue) {
                return compute::max_element(first, last, queue) - first;
            },
            [](auto first, auto last) { return std::max_element(first, last) - first; });
        value(
            "count_if",
            [](auto first, auto last, auto& queue) {
                using compute::lambda::_1;
                return compute::count_if(first, last, _1 > 100, queue);
            },
            [](auto first, auto last) { return std::count_if(first, last, [](T x) { return x > 100; }); });
        value(
            "find",
            [](auto first, auto last, auto& queue) {
                return compute::find(first, last, T(7), queue) - first;
            },
            [](auto first, auto last) { return std::find(first, last, T(7)) - first; });
        value(
            "unique of sorted numbers",
            [](auto first, auto last, auto& queue) {
                compute::sort(first, last, queue);
                return compute::unique(first, last, queue) - first;
            },
            [](auto first, auto last) {
                std::sort(first, last);
                return std::unique(first, last) - first;
            });
        value(
            "partition",
            [](auto first, auto last, auto& queue) {
                using compute::lambda::_1;
                return compute::partition(first, last, _1 > 0, queue) - first;
            },
            [](auto first, auto last) {
                return std::partition(first, last, [](T x) { return x > 0; }) - first;
            });
    }

 private:
    /// An algorithm that changes a range.
    template <class Device, class Host>
    void check(const std::string& name, Device on_device, Host on_host) {
        report_.run(name + suffix_, [&] {
            compute::vector<T> range(data_.begin(), data_.end(), queue_);
            std::vector<T> got(data_.size()), wanted = data_;
            on_device(range.begin(), range.end(), queue_);
            compute::copy(range.begin(), range.end(), got.begin(), queue_);
            on_host(wanted.begin(), wanted.end());
            report_.near(name + suffix_, got, wanted, kTolerance);
        });
    }
    /// An algorithm that computes a number.
    template <class Device, class Host>
    void value(const std::string& name, Device on_device, Host on_host) {
        report_.run(name + suffix_, [&] {
            compute::vector<T> range(data_.begin(), data_.end(), queue_);
            std::vector<T> copy = data_;
            report_.near(name + suffix_,
                         std::vector<double>{double(on_device(range.begin(), range.end(), queue_))},
                         std::vector<double>{double(on_host(copy.begin(), copy.end()))}, kTolerance);
        });
    }

    static constexpr double kTolerance = std::is_integral_v<T> ? 0 : 1e-3;  // sums in another order
    Report& report_;
    std::string suffix_;
    compute::command_queue& queue_;
    std::vector<T> data_ = {};
};

void sort_by_key(Report& report, compute::command_queue& queue) {
    std::vector<int> keys, places(3000);
    for (float number : random_numbers<float>(places.size(), 2)) keys.push_back(int(number * 1000000));
    std::iota(places.begin(), places.end(), 0);
    compute::vector<int> device_keys(keys.begin(), keys.end(), queue),
        device_places(places.begin(), places.end(), queue);
    compute::sort_by_key(device_keys.begin(), device_keys.end(), device_places.begin(), queue);
    std::vector<int> got(places.size());
    compute::copy(device_places.begin(), device_places.end(), got.begin(), queue);
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    report.near("sort_by_key", got, places, 0);
}

void function_of_the_program(Report& report, compute::command_queue& queue) {
    BOOST_COMPUTE_FUNCTION(float, squared_length, (compute::float4_ v), { return dot(v, v); });
    std::vector<compute::float4_> points;
    const auto numbers = random_numbers<float>(4000, 3);
    std::vector<float> wanted, got(numbers.size() / 4);
    for (size_t i = 0; i < numbers.size(); i += 4) {
        points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]);
        wanted.push_back(std::inner_product(&numbers[i], &numbers[i] + 4, &numbers[i], 0.0f));
    }
    compute::vector<compute::float4_> device_points(points.begin(), points.end(), queue);
    compute::vector<float> lengths(points.size(), queue.get_context());
    compute::transform(device_points.begin(), device_points.end(), lengths.begin(), squared_length, queue);
    compute::copy(lengths.begin(), lengths.end(), got.begin(), queue);
    report.near("transform with a function", got, wanted, 1e-5);
}

void mersenne_twister(Report& report, compute::command_queue& queue) {
    compute::mersenne_twister_engine<compute::uint_> engine(queue, 42);
    compute::vector<compute::uint_> numbers(2000, queue.get_context());
    engine.generate(numbers.begin(), numbers.end(), queue);
    std::vector<compute::uint_> got(numbers.size()), wanted(numbers.size());
    compute::copy(numbers.begin(), numbers.end(), got.begin(), queue);
    std::mt19937 host(42);
    for (auto& number : wanted) number = compute::uint_(host());
    report.near("mersenne_twister_engine", got, wanted, 0);
}

}  // namespace
}  // namespace caldera::programs

int main() {
    using namespace caldera::programs;
    Report report;
    report.run("a context", [&] {
        const auto device = compute::system::default_device();
        const compute::context context(device);
        compute::command_queue queue(context, device);
        for (size_t count : {100, 20000}) {  // Boost.Compute has a kernel of its own for few
            Algorithms<int>(report, "int", queue, count).run();
            Algorithms<float>(report, "float", queue, count).run();
        }
        report.run("sort_by_key", [&] { sort_by_key(report, queue); });
        report.run("transform with a function", [&] { function_of_the_program(report, queue); });
        report.run("mersenne_twister_engine", [&] { mersenne_twister(report, queue); });
    });
    return report.exit_code();
}
