// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>

#include "support/expected_times.hpp"

BOOST_AUTO_TEST_SUITE(selection_simulated)

using namespace tutti;
using namespace tutti::pricing;

namespace {

/// What SimGrid found, in µs.
std::map<std::string, double> const simulated{
#include "simulated_times.hpp"
};

own_parameters on_network(std::string const& name, std::size_t size, std::size_t bytes, double combine_ns) {
    auto now = on_ethernet(size, bytes);
    auto& link = now.its.between_nodes;
    if (name == "ib32g") { link = {.latency = 0.9039, .overhead = 0.3, .gap = 0.3, .per_byte = 0.0002502}; }
    if (name == "fat100g") {
        link = {.latency = 0.3019, .overhead = 0.2, .gap = 0.2, .per_byte = 7.905e-5};
        now.its.distances = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1.21, 1, 1}, {1.43, 1, 1}};
    }
    now.combine_per_byte = combine_ns * 1e-3;
    return now;
}

/// How far a formula may be from a simulation.
double tolerance_of(std::string const& network, std::string const& call) {
    // by hand, since the executor has become faster than these formulas say
    if (call == "eth1g,17,8192,0,all_reduce,split{.halvings = 2}") { return 0.1; }
    // the many messages of a rank share links of the full tree
    if (call == "fat100g,64,1048576,0,reduce,round_optimal{.segments = 128}") { return 0.2; }
    return network == "fat100g" ? 0.15 : 0.07;
}

/// Calls `visit(network, call, collective, algorithm, parameters)` for each.
template <class Visit>
void for_each_call(Visit visit) {
#define TUTTI_CALL(network, size, bytes, combine_ns, which, ...)                                                       \
    visit(#network, #network "," #size "," #bytes "," #combine_ns "," #which "," #__VA_ARGS__, collective::which{},    \
          __VA_ARGS__, on_network(#network, size, bytes, combine_ns));
#include "simulated_calls.hpp"
#undef TUTTI_CALL
}

/// How far the formulas are from the simulations with these factors: the mean square of the logarithms of ratios.
double distance_with(fitted_contention const& factors) {
    double sum = 0;
    for_each_call(
        [&](std::string const&, std::string const& call, auto which, auto const& generator, own_parameters now) {
            now.its.fitted = factors;
            auto const error = std::log(expected_time(which, generator, now) / simulated.at(call));
            sum += error * error;
        });
    return sum / static_cast<double>(simulated.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(formulas_give_the_times_of_simulations) {
    for_each_call([](std::string const& network, std::string const& call, auto which, auto const& generator,
                     call_parameters const& now) {
        auto const tolerance = tolerance_of(network, call);
        BOOST_TEST_CONTEXT(call) {
            auto const found = simulated.find(call);
            BOOST_TEST_REQUIRE((found != simulated.end()));
            BOOST_TEST(expected_time(which, generator, now) == found->second, boost::test_tools::tolerance(tolerance));
        }
    });
}

BOOST_AUTO_TEST_CASE(fitted_factors_are_those_that_come_nearest_to_the_simulations) {
    constexpr std::pair<char const*, double fitted_contention::*> all[]{
        {"two_trees", &fitted_contention::two_trees},
        {"alternating_trees", &fitted_contention::alternating_trees},
        {"alternating_trees_both_ways", &fitted_contention::alternating_trees_both_ways},
        {"circulants", &fitted_contention::circulants},
        {"several_ports", &fitted_contention::several_ports},
        {"each_port", &fitted_contention::each_port},
        {"messages_of_two_tree_scans", &fitted_contention::messages_of_two_tree_scans}};
    fitted_contention const shipped;
    for (auto const& [name, factor] : all) {
        auto best = shipped;
        auto least = std::numeric_limits<double>::infinity();
        for (int percent = 50; percent <= 200; ++percent) {
            auto tried = shipped;
            tried.*factor = shipped.*factor * percent / 100;
            auto const distance = distance_with(tried);
            if (distance < least) {
                least = distance;
                best = tried;
            }
        }
        BOOST_TEST_MESSAGE(name << ": " << shipped.*factor << ", best " << best.*factor << "; root mean square "
                                << std::sqrt(distance_with(shipped)) << ", least " << std::sqrt(least));
        BOOST_TEST_CONTEXT(name) { BOOST_TEST((best.*factor) == (shipped.*factor), boost::test_tools::tolerance(0.1)); }
    }
}

BOOST_AUTO_TEST_SUITE_END()
