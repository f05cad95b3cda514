// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>
#include <vector>

#include <support/against_simulation.hpp>
#include <tutti/analysis/bounds.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(analysis_bounds)

using namespace tutti;
using namespace tutti::analysis;

namespace {

constexpr collective::reduce reduce{};

std::vector<partition> const cuts = [] {
    auto all = support::equal_cuts;
    all.insert(all.end(), support::unequal_cuts.begin(), support::unequal_cuts.end());
    return all;
}();

template <class Collective, class Generator>
void check_bound(Collective which, Generator const& generator, std::string const& name) {
    std::vector<std::size_t> const sizes{1, 2, 3, 4, 5, 8, 13, 16};
    std::size_t below = 0;
    support::for_each_case(sizes, cuts, [&](std::size_t size, std::size_t root, auto const& cut, auto const& costs) {
        if (root != 0 && !collective::is_rooted<Collective>) { return; }
        auto const time = simulate(which, generator, size, root, cut, costs).makespan();
        if (lower_bound(which, size, cut, costs) <= time || below++ != 0) { return; }
        BOOST_ERROR(name << ", " << size << " ranks, root " << root << ", " << cut.blocks() << " blocks, ports "
                         << static_cast<int>(costs.model) << " take " << time);
    });
}

/// A reduction, and the broadcast and the all_reduce that follow from it.
void check_family(support::erased_generator const& generator) {
    check_bound(reduce, generator, generator.name);
    check_bound(collective::broadcast{}, reverse(generator), "reverse of " + generator.name);
    check_bound(collective::all_reduce{}, then(generator, reverse(generator)), "both of " + generator.name);
}

double bound(std::size_t size, partition const& cut, cost_model const& costs) {
    return lower_bound(reduce, size, cut, costs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_algorithm_stays_below_its_bound) {
    auto const all = std::tuple{linear{},    binomial{},  pipeline{},          binary_tree{}, two_tree{}, uni_greedy{},
                                bi_greedy{}, butterfly{}, overlapped_greedy{}, fibonacci{},   round_optimal{}};
    std::apply([](auto const&... each) { (check_family(support::erase(reduce, each)), ...); }, all);
    constexpr collective::all_reduce all_reduce{};
    check_bound(all_reduce, support::erase(all_reduce, ring{}), "ring");
    check_bound(all_reduce, support::erase(all_reduce, recursive_doubling{}), "recursive_doubling");
}

BOOST_AUTO_TEST_CASE(no_tree_stays_below_the_bound_of_trees) {
    auto const check = [](support::erased_generator const& generator) {
        std::size_t below = 0;
        support::for_each_case({1, 2, 3, 6, 8, 13}, cuts, [&](auto size, auto, auto const& cut, auto const& costs) {
            auto const time = simulate(reduce, generator, size, 0, cut, costs).makespan();
            below += time < tree_lower_bound(size, cut_summary::of(cut), costs);
        });
        BOOST_TEST(below == 0U, generator.name);
    };
    check(support::erase(reduce, binomial{}));
    check(support::erase(reduce, pipeline{}));
    check(support::erase(reduce, uni_greedy{.tcomm = 2, .tcomp = 1}));
    check(support::erase(reduce, bi_greedy{}));
    check(support::erase(reduce, round_optimal{}));
    check(support::erase(reduce, two_tree{}));
}

BOOST_AUTO_TEST_CASE(bounds_are_attained) {
    auto const one = partition::equal(10, 1);
    auto const blocks = partition::equal(5, 5);
    auto const costs = cost_model::linear(3, 2, 1);
    BOOST_TEST(bound(16, one, costs) == 4 * (3 + 30));   // binomial
    // (L+q-1) a for what sends one block at a time
    BOOST_TEST(tree_lower_bound(16, cut_summary::of(blocks), cost_model::per_block(2, 1)) == 24);
    BOOST_TEST(bound(16, blocks, cost_model::per_block(1, 0)) == 4 + 5 - 1);
    // every other rank sends: three ranks take two transfers of each element
    BOOST_TEST(bound(3, partition::equal(20, 20), cost_model::linear(0, 1, 0, ports::unidirectional)) == 40);
    // five steps for four ranks and three blocks
    BOOST_TEST(bound(4, partition::equal(3, 3), cost_model::per_block(1, 0, ports::unidirectional)) > 4);
    BOOST_TEST(bound(4, partition::equal(3, 3), cost_model::per_block(1, 0, ports::unidirectional)) <= 5);
    // at the end and before it most ranks have nothing to do: 14/15 (20 + 5) + 31/15 2
    BOOST_TEST(bound(15, blocks, cost_model::per_block(2, 1, ports::unidirectional)) == (14 * 25 + 31 * 2) / 15.0);
    // the root takes messages one after the other and combines meanwhile
    BOOST_TEST(bound(2, one, cost_model::linear(3, 2, 1, ports::overlapped)) == 33);
    BOOST_TEST(bound(8, one, cost_model::per_block(1, 1, ports::overlapped)) == 4);
}

BOOST_AUTO_TEST_CASE(nothing_takes_no_time) {
    BOOST_TEST(bound(1, partition::equal(10, 2), cost_model::unit()) == 0);
    BOOST_TEST(bound(8, partition::equal(0, 2), cost_model::unit()) == 0);
    BOOST_TEST(bound(8, partition::equal(0, 0), cost_model::unit()) == 0);
}

BOOST_AUTO_TEST_CASE(a_cut_is_summed_up_without_its_empty_blocks) {
    auto const check = [](partition const& cut, std::vector<std::size_t> const& expected) {
        auto const found = cut_summary::of(cut);
        std::vector<std::size_t> const numbers{found.blocks, found.elements, found.shortest, found.longest};
        BOOST_TEST(numbers == expected, boost::test_tools::per_element());
    };
    check(partition::of_sizes(std::vector<std::size_t>{0, 7, 0, 3, 4}), {3, 14, 3, 7});
    check(partition::equal(0, 4), {0, 0, 0, 0});
    for (std::size_t elements = 0; elements <= 20; ++elements) {
        for (std::size_t segment = 1; segment <= 22; ++segment) {
            auto const short_form = cut_summary::by_segment(elements, segment);
            check(partition::by_segment(elements, segment),
                  {short_form.blocks, short_form.elements, short_form.shortest, short_form.longest});
        }
    }
}

BOOST_AUTO_TEST_CASE(owners_receive_or_send_what_is_not_their_own) {
    auto const cut = partition::of_sizes(std::vector<std::size_t>{10, 1, 1, 1});
    auto const costs = cost_model::linear(5, 2, 0);
    BOOST_TEST(lower_bound(collective::gather{}, 4, cut, costs) == 5 + 2 * 3);   // rank 0 is the root
    BOOST_TEST(lower_bound(collective::scatter{}, 4, cut, costs) == 5 + 2 * 3);
    BOOST_TEST(lower_bound(collective::all_gather{}, 4, cut, costs) == 2 * (5 + 20));
    BOOST_TEST(lower_bound(collective::reduce_scatter{}, 4, cut, costs) == 2 * (5 + 20));
    auto const even = partition::equal(400, 4);
    BOOST_TEST(lower_bound(collective::all_gather{}, 4, even, costs) == 5 + 2 * 300);
    BOOST_TEST(lower_bound(collective::reduce_scatter{}, 4, even, cost_model::linear(5, 2, 1)) >=
               5 + 2 * 300);
    BOOST_TEST(lower_bound(collective::inclusive_scan{}, 9, even, costs) ==
               bound(9, even, costs));
    BOOST_TEST(lower_bound(collective::exclusive_scan{}, 9, even, costs) <=
               bound(9, even, costs));
}

BOOST_AUTO_TEST_SUITE_END()
