// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include <tutti/analysis/verify.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(execution_traffic)

using namespace tutti;

namespace {

constexpr std::size_t vector_length = 40;

/// What is sent is what the verifier says.
template <class Collective, class Generator, class Body>
void check(Collective which, Generator const& generator, int size, int root, Body body) {
    auto const ranks = static_cast<std::size_t>(size);
    auto const wanted = blocks_for(which, generator, ranks, vector_length * sizeof(int));
    auto const blocks = std::clamp<std::size_t>(wanted, 1, vector_length);
    auto const proven =
        verify(which, generator, ranks, static_cast<std::size_t>(root), partition::equal(vector_length, blocks));
    BOOST_TEST(proven.ok, proven.reason);
    auto const traffic = threads::run(size, body).traffic();
    BOOST_TEST_CONTEXT(name_of(which, generator) << " on " << size << ", root " << root) {
        BOOST_TEST(traffic.messages() == proven.messages);
        BOOST_TEST(traffic.bytes() == proven.volume * sizeof(int));
    }
}

template <class Generator>
void check_reduce(Generator const& generator) {
    for (int const size : {1, 2, 5, 8}) {
        for (int const root : {0, size / 2}) {
            check(collective::reduce{}, generator, size, root, [=](auto& world) {
                std::vector<int> both(vector_length, 1);
                reduce(world, inplace(both), std::plus<>{}, root, generator);
            });
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(reductions) {
    check_reduce(linear{});
    check_reduce(binomial{});
    check_reduce(pipeline{.segments = 7});
    check_reduce(uni_greedy{.segments = 6});
}

BOOST_AUTO_TEST_CASE(all_reductions) {
    for (int const size : {1, 2, 5, 8}) {
        auto const body = [](auto const& generator) {
            return [=](auto& world) {
                std::vector<int> both(vector_length, 1);
                all_reduce(world, inplace(both), std::plus<>{}, generator);
            };
        };
        check(collective::all_reduce{}, ring{}, size, 0, body(ring{}));
        check(collective::all_reduce{}, recursive_doubling{}, size, 0, body(recursive_doubling{}));
    }
}

BOOST_AUTO_TEST_CASE(broadcasts) {
    for (int const size : {1, 2, 5, 8}) {
        check(collective::broadcast{}, reverse(binary_tree{.segments = 9}), size, size - 1, [=](auto& world) {
            std::vector<int> both(vector_length, 1);
            broadcast(world, both, size - 1, binary_tree{.segments = 9});
        });
    }
}

BOOST_AUTO_TEST_SUITE_END()
