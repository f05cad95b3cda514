// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <map>
#include <string>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/selection/expected_time.hpp>

#include "support/expected_times.hpp"

BOOST_AUTO_TEST_SUITE(selection_simulated)

using namespace tutti;

namespace {

/// What SimGrid found, in µs.
std::map<std::string, double> const simulated{
#include "simulated_times.hpp"
};

call_parameters on_network(std::string const& name, std::size_t size, std::size_t bytes, double combine_ns) {
    auto now = on_ethernet(size, bytes);
    if (name == "ib32g") { now.link = {.latency = 0.9039, .overhead = 0.3, .gap = 0.3, .per_byte = 0.0002502}; }
    if (name == "fat100g") {
        now.link = {.latency = 0.3019, .overhead = 0.2, .gap = 0.2, .per_byte = 7.905e-5};
        now.distances = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1.2, 1.9, 1}, {1.4, 1.8, 1}};
    }
    now.within = now.link;
    now.combine_per_byte = combine_ns * 1e-3;
    return now;
}

/// How far a formula may be from a simulation.
double tolerance_of(std::string const& network, std::string const& call) {
    // by hand, since the executor has become faster than these formulas say
    if (call == "eth1g,17,8192,0,all_reduce,split{.halvings = 2}") { return 0.1; }
    if (call == "fat100g,48,1048576,0.1,reduce,round_optimal{.segments = 64}") { return 0.23; }
    return network == "fat100g" ? 0.15 : 0.07;
}

template <class Collective, class Generator>
void check(std::string const& network, std::string const& call, Collective which, Generator const& generator,
           call_parameters const& now) {
    auto const tolerance = tolerance_of(network, call);
    BOOST_TEST_CONTEXT(call) {
        auto const found = simulated.find(call);
        BOOST_TEST_REQUIRE((found != simulated.end()));
        BOOST_TEST(expected_time(which, generator, now) == found->second, boost::test_tools::tolerance(tolerance));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(formulas_give_the_times_of_simulations) {
#define TUTTI_CALL(network, size, bytes, combine_ns, which, ...)                                                       \
    check(#network, #network "," #size "," #bytes "," #combine_ns "," #which "," #__VA_ARGS__, collective::which{},       \
          __VA_ARGS__, on_network(#network, size, bytes, combine_ns));
#include "simulated_calls.hpp"
#undef TUTTI_CALL
}

BOOST_AUTO_TEST_SUITE_END()
