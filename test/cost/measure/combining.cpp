// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>

#include <tutti/communicator/threads.hpp>
#include <tutti/cost/measure.hpp>
#include <tutti/operation/on_blocks.hpp>

BOOST_AUTO_TEST_SUITE(cost_measure_combining)

namespace {

using ranks = tutti::threads::communicator;

/// Twice as slow as long, at least.
struct slow {
    std::size_t* calls;
    int operator()(int a, int b) const {
        ++*calls;
        return a + b;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(operators_are_timed_on_vectors_of_256_kib) {
    std::size_t calls = 0;
    tutti::pricing::measuring::repetitions const once{true};
    auto const cost = tutti::pricing::measuring::combine_per_byte<ranks>(tutti::combining<int>(slow{&calls}), once);
    BOOST_TEST(calls == 64U * 1024);
    BOOST_TEST(cost > 0);

    std::size_t elements = 0;
    auto const block = tutti::on_blocks(
        [&](std::span<double const> a, std::span<double const>, std::span<double>) { elements += a.size(); });
    static_cast<void>(tutti::pricing::measuring::combine_per_byte<ranks>(tutti::combining<double>(block), once));
    BOOST_TEST(elements == 32U * 1024);
}

BOOST_AUTO_TEST_CASE(elements_may_be_large) {
    struct large {
        std::byte bytes[1'000'000];
    };
    auto const first = [](large const& a, large const&) { return a; };
    tutti::pricing::measuring::repetitions const once{true};
    BOOST_TEST(tutti::pricing::measuring::combine_per_byte<ranks>(tutti::combining<large>(first), once) > 0);
}

BOOST_AUTO_TEST_CASE(the_model_has_them_by_name) {
    tutti::machine_model model;
    tutti::pricing::measuring::repetitions const often{false};
    tutti::pricing::measuring::measure_combining<ranks>(model, tutti::combining<double>(std::plus<>{}), often);
    BOOST_TEST(model.combines.size() == 1U);
    auto const cost = tutti::pricing::combine_cost<std::plus<>, double>(model);
    BOOST_TEST(cost == model.combines.at("std::plus<void> double"));
    BOOST_TEST(cost > 0);
}

BOOST_AUTO_TEST_CASE(operators_of_one_name_are_refused) {
    auto const sum = [](double a, double b) { return a + b; };
    auto const product = [](double a, double b) { return a * b; };
    auto const look = [&] {
        tutti::pricing::measuring::require_own_names(tutti::combining<double>(sum), tutti::combining<double>(product));
    };
    // g++ calls both of them by one name
    if (tutti::pricing::combine_name<decltype(sum), double>() ==
        tutti::pricing::combine_name<decltype(product), double>()) {
        BOOST_CHECK_THROW(look(), std::invalid_argument);
    } else {
        BOOST_CHECK_NO_THROW(look());
    }
    BOOST_CHECK_NO_THROW(
        tutti::pricing::measuring::require_own_names(tutti::combining<double>(sum), tutti::combining<double>(sum)));
}

BOOST_AUTO_TEST_SUITE_END()
