// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/threads.hpp>

BOOST_AUTO_TEST_SUITE(collective_elements_aligned)

namespace {

template <std::size_t alignment>
struct alignas(alignment) aligned {
    int n;
};
struct without_address {
    int n;
    void operator&() const = delete;
};
struct with_another_address {
    int n;
    int const* operator&() const { return nullptr; }
};
struct without_comma {
    int n;
    template <class T>
    void operator,(T const&) const = delete;
};

/// Whether all operands that `add` has had were aligned.
template <class T>
std::atomic<bool> all_are_aligned = true;

template <class T>
struct add {
    T operator()(T const& left, T const& right) const {
        for (auto const* each : {std::addressof(left), std::addressof(right)}) {
            if (reinterpret_cast<std::uintptr_t>(each) % alignof(T) != 0) { all_are_aligned<T> = false; }
        }
        return {left.n + right.n};
    }
};

template <class T>
void check_elements() {
    support::on_ranks([](auto& world) {
        int const rank = support::rank_of(world);
        int const size = support::size_of(world);
        int const sum = size * (size + 1) / 2;
        T const mine{rank + 1};
        support::check_equal(tutti::all_reduce(world, mine, add<T>{}).n, sum, "all_reduce of one");
        for (std::size_t const n : {1U, 7U, 300U}) {
            std::vector<T> in(n, mine);
            std::vector<T> out(n, T{-1});
            std::vector<T> all(n * static_cast<std::size_t>(size), T{-1});
            tutti::all_reduce(world, in, out, add<T>{});
            support::check_equal(out.back().n, sum, "all_reduce");
            tutti::inclusive_scan(world, in, out, add<T>{});
            support::check_equal(out.back().n, (rank + 1) * (rank + 2) / 2, "inclusive_scan");
            tutti::all_gather(world, in, all);
            support::check_equal(all.front().n + all.back().n, 1 + size, "all_gather");
            tutti::reduce_scatter(world, all, out, add<T>{});
            support::check_equal(out.back().n, (rank + 1) * size, "reduce_scatter");
            tutti::all_reduce(world, tutti::inplace(std::span{in}), add<T>{});
            support::check_equal(in.front().n, sum, "in place");
            in.assign(n, mine);
            tutti::broadcast(world, std::span{in}, size - 1);
            support::check_equal(in.back().n, size, "broadcast");
        }
    });
    support::check(all_are_aligned<T>, "operands are aligned");
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_are_aligned_as_their_type_wants) {
    check_elements<aligned<32>>();
    check_elements<aligned<128>>();
    check_elements<aligned<4096>>();
}

BOOST_AUTO_TEST_CASE(elements_may_overload_operators_that_libraries_use) {
    check_elements<without_address>();
    check_elements<with_another_address>();
    check_elements<without_comma>();
}

BOOST_AUTO_TEST_SUITE_END()
