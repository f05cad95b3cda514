// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>

#include <support/against_simulation.hpp>
#include <tutti/analysis/closed_form.hpp>
#include <tutti/generator/fibonacci.hpp>
#include <tutti/generator/limited_reducers.hpp>
#include <tutti/generator/limited_transfers.hpp>
#include <tutti/generator/overlapped_greedy.hpp>

BOOST_AUTO_TEST_SUITE(analysis_closed_form_unsegmented_reduce)

using namespace tutti;
using namespace tutti::analysis;

namespace {

constexpr collective::reduce reduce{};

constexpr auto always = [](auto const&...) { return true; };

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
        auto const time = closed_form(reduce, tree, size, 0, partition::equal(1, 1),
                                      cost_model::per_block(3, 4, ports::overlapped));
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

BOOST_AUTO_TEST_SUITE_END()
