// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>

#include <support/against_simulation.hpp>
#include <tutti/analysis/closed_form.hpp>

BOOST_AUTO_TEST_SUITE(analysis_closed_form_segmented_reduce)

using namespace tutti;
using namespace tutti::analysis;

namespace {

constexpr collective::reduce reduce{};

bool bidirectional(std::size_t, std::size_t, partition const&, cost_model const& costs) {
    return costs.model == ports::bidirectional;
}
bool at_an_end(std::size_t size, std::size_t root) { return root == 0 || root == size - 1; }

double time(auto const& generator, std::size_t size, std::size_t segments, double tcomm, double tcomp, ports model) {
    return *closed_form(reduce, generator, size, 0, equal_segments{segments, 1},
                        cost_model::per_block(tcomm, tcomp, model));
}

}  // namespace

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

BOOST_AUTO_TEST_SUITE_END()
