// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/dense_objects.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/kamping.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/scan.hpp>

namespace {

/// As matrices of Eigen look from outside, column by column.
struct matrix {
    using PlainObject = matrix;

    double* first;
    long rows;
    long columns;
    long distance;  // of columns

    double* data() { return first; }
    double const* data() const { return first; }
    long size() const { return rows * columns; }
    long innerStride() const { return 1; }
    long outerStride() const { return distance; }
    long innerSize() const { return rows; }
    long outerSize() const { return columns; }
};

/// As views of Kokkos do.
struct view {
    double* first;
    std::size_t n;
    bool contiguous = true;

    double* data() const { return first; }
    std::size_t span() const { return n; }
    bool span_is_contiguous() const { return contiguous; }
};

/// As std::mdspan does.
struct grid {
    struct layout {
        std::size_t n;
        std::size_t required_span_size() const { return n; }
    };

    double* first;
    std::size_t n;
    bool exhaustive = true;

    double* data_handle() const { return first; }
    bool is_exhaustive() const { return exhaustive; }
    layout mapping() const { return {n}; }
};

struct described {
    double* first;
    std::size_t n;
};

struct self_describing {
    double* first;
    int n;

    double* mpi_ptr() { return first; }
    double const* mpi_ptr() const { return first; }
    int mpi_count() const { return n; }
};

/// Has data and a size, but may mean anything by them.
struct something_else {
    double sum = 0;
    double const* data() const { return &sum; }
    std::size_t size() const { return 7; }
};

}  // namespace

template <>
struct mpi::experimental::buffer_traits<described> {
    static std::size_t count(described const& x) { return x.n; }
    static double* ptr(described& x) { return x.first; }
    static double const* ptr(described const& x) { return x.first; }
};

BOOST_AUTO_TEST_SUITE(collective_dense_objects)

namespace {

constexpr std::size_t n = 12;

std::vector<double> numbers(int rank) {
    std::vector<double> result(n);
    std::iota(result.begin(), result.end(), rank + 1.0);
    return result;
}

/// `object(memory)` stands for the n numbers there.
template <class Make>
void check(Make object) {
    support::on_ranks([&](auto& world) {
        int const rank = support::rank_of(world);
        int const size = support::size_of(world);
        auto mine = numbers(rank);
        std::vector<double> sums(n);
        auto const in = object(mine);
        auto out = object(sums);
        std::vector<double> expected(n);
        for (std::size_t i = 0; i != n; ++i) { expected[i] = size * (static_cast<double>(i) + (size + 1) / 2.0); }
        tutti::all_reduce(world, in, out, std::plus<>{});
        support::check_equal(sums, expected, "all_reduce");
        tutti::all_reduce(world, mine, out, std::plus<>{});
        support::check_equal(sums, expected, "all_reduce, beside a range");

        auto plan = tutti::plan::inclusive_scan(world, tutti::inplace(out), std::plus<>{});
        plan.start();
        plan.wait();
        support::check_equal(sums[1], expected[1] * (rank + 1), "inclusive_scan");

        std::vector<double> all(static_cast<std::size_t>(size) * n);
        tutti::gather(world, in, all, 0);
        if (rank == 0) { support::check_equal(all[all.size() - n + 5], size + 5.0, "gather"); }

        auto both = object(mine);
        tutti::broadcast(world, both, size - 1);
        support::check_equal(mine, numbers(size - 1), "broadcast");
    });
}

template <class Object>
void check_refusal(Object object) {
    auto const says_so = [](std::invalid_argument const& wrong) {
        return std::string{wrong.what()}.starts_with("tutti: the elements of an argument do not lie in memory in one");
    };
    BOOST_CHECK_EXCEPTION(static_cast<void>(tutti::argument::as_span(object)), std::invalid_argument, says_so);
}

}  // namespace

BOOST_AUTO_TEST_CASE(matrices_and_views_of_other_libraries_are_ranges_of_their_elements) {
    check([](auto& x) { return matrix{x.data(), 3, 4, 3}; });
    check([](auto& x) { return matrix{x.data(), 12, 1, 100}; });
    check([](auto& x) { return view{x.data(), x.size()}; });
    check([](auto& x) { return grid{x.data(), x.size()}; });
    check([](auto& x) { return described{x.data(), x.size()}; });
    check([](auto& x) { return self_describing{x.data(), static_cast<int>(x.size())}; });
}

BOOST_AUTO_TEST_CASE(those_with_gaps_are_refused) {
    std::vector<double> x(n);
    check_refusal(matrix{x.data(), 2, 3, 4});
    check_refusal(view{x.data(), n, false});
    check_refusal(grid{x.data(), n, false});
}

BOOST_AUTO_TEST_CASE(what_has_data_and_a_size_and_says_no_more_is_one_element) {
    static_assert(!tutti::argument::range_of_elements<something_else>);
    static_assert(tutti::argument::is_single<something_else>);
    support::on_ranks([](auto& world) {
        auto const add = [](something_else a, something_else b) { return something_else{a.sum + b.sum}; };
        auto const sum = tutti::all_reduce(world, something_else{1.5}, add).sum;
        support::check_equal(sum, 1.5 * support::size_of(world), "all_reduce of a value");
    });
}

BOOST_AUTO_TEST_SUITE_END()
