// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <memory>
#include <type_traits>

#include <tutti/cost/call_parameters.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/round_optimal.hpp>

BOOST_AUTO_TEST_SUITE(generator_named)

using namespace tutti;
using namespace tutti::generators;

namespace test {

/// A generator that cannot be compared.
struct incomparable {};
constexpr facts describe(collective::reduce, std::type_identity<incomparable>) { return {.name = "incomparable"}; }
auto generate(collective::reduce, incomparable const&, problem const& at) {
    return generate(collective::reduce{}, binomial{}, at);
}

}  // namespace test

namespace {

template <class Collective, class A>
std::unique_ptr<tutti::selection::held_algorithm> held(A const& named) {
    return std::unique_ptr<tutti::selection::held_algorithm>{
        tutti::selection::hold_algorithm<Collective, true, true, A>(&named)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_held_algorithm_is_that_of_equal_parameters) {
    auto const four = held<collective::reduce>(pipeline{.segments = 4});
    pipeline const same{.segments = 4};
    pipeline const other{.segments = 5};
    BOOST_TEST(four->is(&same));
    BOOST_TEST(!four->is(&other));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_never_the_same) {
    test::incomparable const named;
    BOOST_TEST(!held<collective::reduce>(named)->is(&named));
}

BOOST_AUTO_TEST_CASE(a_reduction_stands_for_what_follows_from_it) {
    static_assert(std::is_same_v<decltype(algorithm_for(collective::broadcast{}, round_optimal{})), round_optimal>);
    static_assert(!implements<binomial, collective::inclusive_scan>);
    auto const meant = held<collective::all_reduce>(binomial{});
    BOOST_TEST(static_cast<tutti::selection::held_generator<collective::all_reduce> const&>(*meant)
                   .pick(call_parameters{})
                   .generator.name() == "then(binomial, reverse(binomial))");
}

BOOST_AUTO_TEST_SUITE_END()
