// SPDX-License-Identifier: Apache-2.0
// Boost.Compute's algorithms over a few element types: each generates its kernels when it is called.
#include <boost/compute/algorithm.hpp>
#include <boost/compute/closure.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/iterator/counting_iterator.hpp>
#include <boost/compute/iterator/transform_iterator.hpp>
#include <boost/compute/iterator/zip_iterator.hpp>
#include <boost/compute/lambda.hpp>
#include <boost/compute/random.hpp>
#include <boost/compute/system.hpp>

namespace compute = boost::compute;

namespace {

/// The stub's answers may not please an algorithm's host side; its kernels are written down by then.
template <class Function>
void attempt(Function function) {
    try {
        function();
    } catch (const std::exception&) {}
}

template <class T>
void algorithms(compute::command_queue& queue) {
    using compute::lambda::_1;
    const compute::context context = queue.get_context();
    compute::vector<T> a(4096, context), b(4096, context), c(8192, context);
    compute::vector<compute::uint_> keys(4096, context), map(4096, context);
    attempt([&] { compute::sort(a.begin(), a.end(), queue); });
    attempt([&] { compute::sort(a.begin(), a.end(), compute::greater<T>(), queue); });
    attempt([&] { compute::stable_sort(a.begin(), a.end(), queue); });
    attempt([&] { compute::sort_by_key(keys.begin(), keys.end(), a.begin(), queue); });
    attempt([&] { compute::reduce(a.begin(), a.end(), b.begin(), compute::plus<T>(), queue); });
    attempt([&] { compute::reduce(a.begin(), a.end(), b.begin(), compute::max<T>(), queue); });
    attempt([&] { compute::accumulate(a.begin(), a.end(), T(1), compute::multiplies<T>(), queue); });
    attempt([&] { compute::inclusive_scan(a.begin(), a.end(), b.begin(), queue); });
    attempt([&] { compute::exclusive_scan(a.begin(), a.end(), b.begin(), T(3), queue); });
    attempt([&] { compute::adjacent_difference(a.begin(), a.end(), b.begin(), queue); });
    attempt([&] { compute::inner_product(a.begin(), a.end(), b.begin(), T(0), queue); });
    attempt([&] { compute::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin(), queue); });
    attempt([&] { compute::set_union(a.begin(), a.end(), b.begin(), b.end(), c.begin(), queue); });
    attempt([&] { compute::set_intersection(a.begin(), a.end(), b.begin(), b.end(), c.begin(), queue); });
    attempt([&] { compute::count(a.begin(), a.end(), T(2), queue); });
    attempt([&] { compute::find(a.begin(), a.end(), T(2), queue); });
    attempt([&] { compute::copy_if(a.begin(), a.end(), b.begin(), _1 > T(2), queue); });
    attempt([&] { compute::transform(a.begin(), a.end(), b.begin(), _1 * _1 + T(1), queue); });
    attempt(
        [&] { compute::transform(a.begin(), a.end(), b.begin(), c.begin(), compute::minus<T>(), queue); });
    attempt([&] { compute::unique(a.begin(), a.end(), queue); });
    attempt([&] { compute::partition(a.begin(), a.end(), _1 < T(9), queue); });
    attempt([&] { compute::reverse(a.begin(), a.end(), queue); });
    attempt([&] { compute::rotate_copy(a.begin(), a.begin() + 7, a.end(), b.begin(), queue); });
    attempt([&] { compute::gather(map.begin(), map.end(), a.begin(), b.begin(), queue); });
    attempt([&] { compute::scatter(a.begin(), a.end(), map.begin(), b.begin(), queue); });
    attempt([&] { compute::fill(a.begin(), a.end(), T(5), queue); });
    attempt([&] { compute::iota(a.begin(), a.end(), T(0), queue); });
    attempt([&] { compute::min_element(a.begin(), a.end(), queue); });
    attempt([&] { compute::minmax_element(a.begin(), a.end(), queue); });
    attempt([&] { compute::lower_bound(a.begin(), a.end(), T(7), queue); });
    attempt([&] { compute::is_sorted(a.begin(), a.end(), queue); });
    attempt([&] { compute::next_permutation(a.begin(), a.end(), queue); });
    attempt([&] { compute::search(a.begin(), a.end(), b.begin(), b.begin() + 5, queue); });
    attempt([&] { compute::replace(a.begin(), a.end(), T(1), T(2), queue); });
    attempt(
        [&] { compute::reduce_by_key(keys.begin(), keys.end(), a.begin(), map.begin(), b.begin(), queue); });
    attempt([&] {
        compute::transform_reduce(a.begin(), a.end(), b.begin(), compute::fabs<float>(),
                                  compute::plus<float>(), queue);
    });
}

BOOST_COMPUTE_FUNCTION(float, smooth, (float x, float y), {
    const float t = clamp(x * y, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
});

void random_numbers(compute::command_queue& queue) {
    compute::vector<compute::uint_> bits(4096, queue.get_context());
    compute::vector<float> numbers(4096, queue.get_context());
    attempt([&] {
        compute::mersenne_twister_engine<compute::uint_>(queue).generate(bits.begin(), bits.end(), queue);
    });
    attempt([&] { compute::threefry_engine<>(queue).generate(bits.begin(), bits.end(), queue); });
    attempt([&] {
        compute::default_random_engine engine(queue);
        compute::normal_distribution<float>(0, 1).generate(numbers.begin(), numbers.end(), engine, queue);
    });
    attempt([&] {
        compute::default_random_engine engine(queue);
        compute::uniform_real_distribution<float>(0, 1).generate(numbers.begin(), numbers.end(), engine,
                                                                 queue);
    });
    attempt([&] {
        compute::transform(numbers.begin(), numbers.end(), numbers.begin(), numbers.begin(), smooth, queue);
    });
    const float scale = 2.5f;
    BOOST_COMPUTE_CLOSURE(float, scaled, (float x), (scale), { return x * scale + native_sin(x); });
    attempt([&] { compute::transform(numbers.begin(), numbers.end(), numbers.begin(), scaled, queue); });
}

}  // namespace

int main() {
    compute::device device = compute::system::default_device();
    compute::context context(device);
    compute::command_queue queue(context, device);
    algorithms<int>(queue);
    algorithms<float>(queue);
    algorithms<compute::ulong_>(queue);
    random_numbers(queue);
}
