// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include <support/left_shifted.hpp>
#include <tutti/analysis/predict.hpp>
#include <tutti/generator/ring.hpp>

BOOST_AUTO_TEST_SUITE(analysis_predict)

using namespace tutti;

namespace {

auto const cut = partition::equal(8, 8);

}  // namespace

BOOST_AUTO_TEST_CASE(a_closed_form_is_used_where_there_is_one) {
    auto const found = predict(collective::reduce{}, bi_greedy{}, 16, 3, partition::equal(5, 5),
                               cost_model::per_block(2, 1));
    BOOST_TEST(found.closed_form);
    BOOST_TEST(found.time == 24);
    BOOST_TEST(found.lower_bound > 0);
    BOOST_TEST(found.lower_bound <= found.time);
}

BOOST_AUTO_TEST_CASE(otherwise_it_is_simulated) {
    // an incomplete tree, left-shifted
    auto const costs = cost_model::per_block(2, 1, ports::unidirectional);
    auto const found = predict(binary_tree{}, 16, cut, costs);
    BOOST_TEST(!found.closed_form);
    BOOST_TEST(found.time == 74);
    BOOST_TEST(found.time == test::left_shifted(binary_tree{}, 16, 8, 2, 1));
}

BOOST_AUTO_TEST_CASE(the_short_forms_are_reductions_to_rank_0) {
    auto const costs = cost_model::linear(3, 1, 1);
    for (auto const elements : {12U, 13U}) {
        auto const four = partition::equal(elements, 4);
        auto const time = predict(collective::reduce{}, pipeline{}, 5, 0, four, costs).time;
        BOOST_TEST(predict(collective::reduce{}, pipeline{}, 5, four, costs).time == time);
        BOOST_TEST(predict(pipeline{}, 5, four, costs).time == time);
        BOOST_TEST(predict(collective::reduce{}, pipeline{}, 5, 2, four, costs).time != time);
    }
}

BOOST_AUTO_TEST_CASE(other_collectives_are_simulated) {
    auto const found = predict(collective::all_reduce{}, ring{}, 8, cut, cost_model::linear(10, 1, 0));
    BOOST_TEST(!found.closed_form);
    BOOST_TEST(found.time == 14 * 11);
    BOOST_TEST(found.lower_bound <= found.time);
}

BOOST_AUTO_TEST_CASE(the_root_is_a_rank) {
    auto const costs = cost_model::unit();
    BOOST_CHECK_THROW(static_cast<void>(predict(collective::reduce{}, binomial{}, 4, 4, cut, costs)),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
