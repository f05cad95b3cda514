// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/against_simulation.hpp>
#include <tutti/analysis/closed_form.hpp>
#include <tutti/generator/overlapped_greedy.hpp>
#include <tutti/generator/two_tree.hpp>

BOOST_AUTO_TEST_SUITE(analysis_closed_form_broadcast)

using namespace tutti;
using namespace tutti::analysis;

namespace {

constexpr collective::broadcast broadcast{};

/// As often as the reduction has one, but for empty blocks.
template <class Generator>
void check_reversed(Generator const& generator) {
    constexpr collective::reduce reduce{};
    auto const expected = [&](std::size_t size, std::size_t root, partition const& cut, cost_model const& costs) {
        return equal_segments_of(cut)->count == cut.blocks() &&
               closed_form_of(reduce, generator, size, root, cut, costs);
    };
    support::check_closed_form_by(reverse(support::erase(reduce, generator)), broadcast, reverse(generator), expected);
}

}  // namespace

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

BOOST_AUTO_TEST_SUITE_END()
