// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <vector>

#include <support/against_simulation.hpp>
#include <tutti/analysis/closed_form.hpp>
#include <tutti/generator/papers/fibonacci.hpp>
#include <tutti/generator/papers/limited_reducers.hpp>
#include <tutti/generator/papers/limited_transfers.hpp>
#include <tutti/generator/papers/overlapped_greedy.hpp>
#include <tutti/generator/two_tree.hpp>

BOOST_AUTO_TEST_SUITE(analysis_closed_form)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;

namespace {

constexpr collective::reduce reduce{};

constexpr auto always = [](auto const&...) { return true; };

bool bidirectional(std::size_t, std::size_t, partition const&, cost_model const& costs) {
    return costs.model == ports::bidirectional;
}
bool at_an_end(std::size_t size, std::size_t root) { return root == 0 || root == size - 1; }

double time(auto const& generator, std::size_t size, std::size_t segments, double tcomm, double tcomp, ports model) {
    return *closed_form(reduce, generator, size, 0, equal_segments{segments, 1},
                        cost_model::per_block(tcomm, tcomp, model));
}

constexpr collective::broadcast broadcast{};

/// As often as the reduction has one, but for empty blocks.
template <class Generator>
void check_reversed(Generator const& generator) {
    auto const expected = [&](std::size_t size, std::size_t root, partition const& cut, cost_model const& costs) {
        return equal_segments_of(cut)->count == cut.blocks() &&
               closed_form_of(reduce, generator, size, root, cut, costs);
    };
    support::check_closed_form_by(reverse(support::erase(reduce, generator)), broadcast, reverse(generator), expected);
}

// α = 100, 10 and 3 for each block and element sent, 5 and 2 for each combined
constexpr cost_model by_block{100, 10, 3, 5, 2};

}  // namespace

BOOST_AUTO_TEST_CASE(linear_is_exact_everywhere) {
    support::check_closed_form(reduce, linear{}, always);
    support::check_closed_form(reduce, linear{}, always, support::unequal_cuts);
}

BOOST_AUTO_TEST_CASE(binomial_is_exact_but_where_ranks_fetch_ahead) {
    auto const expected = [](std::size_t size, std::size_t, auto const&, cost_model const& costs) {
        return costs.model != ports::overlapped || std::has_single_bit(size);
    };
    support::check_closed_form(reduce, binomial{}, expected);
    support::check_closed_form(reduce, binomial{}, expected, support::unequal_cuts);
}

BOOST_AUTO_TEST_CASE(trees_are_exact_at_any_costs) {
    support::check_closed_form(reduce, overlapped_greedy{.transfer = 2, .combine = 1}, always);
    support::check_closed_form(reduce, overlapped_greedy{}, always, support::unequal_cuts);
    support::check_closed_form(reduce, fibonacci{}, always);
    support::check_closed_form(reduce, limited_transfers{.at_most = 2}, always);
    support::check_closed_form(reduce, limited_reducers{.at_most = 2, .transfer = 1, .combine = 3}, always);
}

BOOST_AUTO_TEST_CASE(trees_take_the_length_that_they_were_made_for) {
    overlapped_greedy const tree{.transfer = 3, .combine = 4};
    for (auto const& [size, length] : {std::pair<std::size_t, double>{2, 7}, {13, 23}, {64, 36}, {100, 40}}) {
        auto const time =
            closed_form(reduce, tree, size, 0, partition::equal(1, 1), cost_model::per_block(3, 4, ports::overlapped));
        BOOST_TEST(*time == length);
    }
}

BOOST_AUTO_TEST_CASE(butterfly_is_exact_for_even_halves) {
    auto const expected = [](std::size_t size, std::size_t, partition const& cut, cost_model const& costs) {
        auto const blocks = equal_segments_of(cut);
        return costs.model == ports::bidirectional && std::has_single_bit(size) && blocks &&
               blocks->count == cut.blocks() && blocks->count % size == 0;
    };
    support::check_closed_form(reduce, butterfly{}, expected,
                               {partition::equal(16, 16), partition::equal(96, 32), partition::equal(8, 8),
                                partition::equal(9, 3), partition::equal(9, 8)});
    // 2 log2 p α + (p-1)/p m (2β + γ)
    BOOST_TEST(*closed_form(reduce, butterfly{}, 8, 0, partition::equal(64, 8), cost_model::linear(10, 2, 1)) ==
               60 + 56 * 5);
}

BOOST_AUTO_TEST_CASE(pipeline_is_exact_but_for_two_chains_on_one_port) {
    auto const expected = [](std::size_t size, std::size_t root, auto const&, cost_model const& costs) {
        return costs.model == ports::bidirectional || (costs.model == ports::unidirectional && at_an_end(size, root));
    };
    support::check_closed_form(reduce, pipeline{}, expected);
    BOOST_TEST(time(pipeline{}, 16, 8, 2, 1, ports::unidirectional) == 80);
    BOOST_TEST(time(pipeline{}, 31, 3, 1, 0, ports::unidirectional) == 34);
    BOOST_TEST(time(pipeline{}, 16, 8, 2, 1, ports::bidirectional) == (16 + 8 - 2) * 3);
}

BOOST_AUTO_TEST_CASE(binary_tree_is_exact_but_for_incomplete_trees_on_one_port) {
    auto const expected = [](std::size_t size, std::size_t root, auto const&, cost_model const& costs) {
        bool const complete = size <= 3 || (std::has_single_bit(size + 1) && at_an_end(size, root));
        return costs.model == ports::bidirectional || (costs.model == ports::unidirectional && complete);
    };
    support::check_closed_form(reduce, binary_tree{}, expected);
    BOOST_TEST(time(binary_tree{}, 31, 8, 2, 1, ports::unidirectional) == 80);
    BOOST_TEST(time(binary_tree{}, 7, 3, 1, 0, ports::unidirectional) == 10);
    BOOST_TEST(time(binary_tree{}, 31, 8, 2, 1, ports::bidirectional) == 2 * (5 + 8 - 2) * 3);
}

BOOST_AUTO_TEST_CASE(uni_greedy_is_exact_on_one_port_for_any_cut_and_costs) {
    auto const expected = [](auto const&, auto const&, auto const&, cost_model const& costs) {
        return costs.model == ports::unidirectional;
    };
    support::check_closed_form(reduce, uni_greedy{.tcomm = 2, .tcomp = 1}, expected);
    support::check_closed_form(reduce, uni_greedy{.alpha = 3, .beta = 2, .gamma = 1}, expected, support::unequal_cuts);
    // what was planned, if costs are those of the plan
    uni_greedy const planned{.tcomm = 2, .tcomp = 1};
    auto const cut = partition::equal(5, 5);
    BOOST_TEST(*closed_form(reduce, planned, 15, 0, cut, cost_model::per_block(2, 1, ports::unidirectional)) == 39);
}

BOOST_AUTO_TEST_CASE(bi_greedy_is_exact_on_two_ports) {
    support::check_closed_form(reduce, bi_greedy{}, bidirectional);
    BOOST_TEST(time(bi_greedy{}, 16, 5, 2, 1, ports::bidirectional) == 24);
}

BOOST_AUTO_TEST_CASE(round_optimal_is_exact_on_two_ports_without_empty_blocks) {
    auto const expected = [](auto const&, auto const&, partition const& cut, cost_model const& costs) {
        return costs.model == ports::bidirectional && equal_segments_of(cut)->count == cut.blocks();
    };
    support::check_closed_form(reduce, round_optimal{}, expected);
}

BOOST_AUTO_TEST_CASE(unequal_cuts_have_no_closed_form) {
    auto const never = [](auto const&...) { return false; };
    support::check_closed_form(reduce, pipeline{}, never, support::unequal_cuts);
    support::check_closed_form(reduce, round_optimal{}, never, support::unequal_cuts);
}

BOOST_AUTO_TEST_CASE(a_reduction_takes_as_long_backwards) {
    check_reversed(linear{});
    check_reversed(binomial{});
    check_reversed(butterfly{});
    check_reversed(overlapped_greedy{});
    check_reversed(pipeline{});
    check_reversed(binary_tree{});
    check_reversed(uni_greedy{});
    check_reversed(bi_greedy{});
}

BOOST_AUTO_TEST_CASE(round_optimal_needs_no_reversal) {
    auto const expected = [](auto const&, auto const&, partition const& cut, cost_model const& costs) {
        return costs.model == ports::bidirectional && equal_segments_of(cut)->count == cut.blocks();
    };
    support::check_closed_form(broadcast, round_optimal{}, expected);
}

BOOST_AUTO_TEST_CASE(a_generator_without_one_has_none_backwards) {
    BOOST_TEST(!closed_form_of(broadcast, reverse(two_tree{}), 5, 0, partition::equal(4, 4), cost_model::unit()));
}

BOOST_AUTO_TEST_CASE(a_round_of_one_segment) {
    round_length const length{4, by_block};
    BOOST_TEST(length.transfer == 100 + 10 + 4 * 3);
    BOOST_TEST(length.combine == 5 + 4 * 2);
    BOOST_TEST(length.whole() == length.transfer + length.combine);
}

BOOST_AUTO_TEST_CASE(of_a_whole_vector_every_block_counts_that_holds_something) {
    round_length const length{partition::of_sizes(std::vector<std::size_t>{3, 0, 4, 0}), by_block};
    BOOST_TEST(length.transfer == 100 + 2 * 10 + 7 * 3);
    BOOST_TEST(length.combine == 2 * 5 + 7 * 2);
}

BOOST_AUTO_TEST_CASE(one_block_takes_as_long_as_one_segment) {
    round_length const whole{partition::equal(9, 1), by_block};
    round_length const segment{9, by_block};
    BOOST_TEST(whole.transfer == segment.transfer);
    BOOST_TEST(whole.combine == segment.combine);
}

BOOST_AUTO_TEST_SUITE_END()
