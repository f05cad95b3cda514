// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tutti/cost/file.hpp>

#include "../../../benchmarks/collectives/rules.hpp"

BOOST_AUTO_TEST_SUITE(benchmarks_collectives_rules)

using namespace tutti::benchmark::tuning;

namespace {

trial tried(std::string const& algorithm, std::vector<double> medians, bool chosen = false) {
    return {{.collective = "reduce", .algorithm = algorithm, .ranks = 4}, {.chosen = chosen}, std::move(medians)};
}

/// Where `algorithm` is twice as fast as what is expected to be best.
finding won_by(std::string const& algorithm, std::size_t bytes) {
    return {bytes, {tried("expected", {2, 2, 2}, true), tried(algorithm, {1, 1, 1})}};
}
finding as_expected(std::size_t bytes) {
    return {bytes, {tried("other", {2, 2, 2}), tried("expected", {1, 1, 1}, true)}};
}

std::vector<std::string> lines(std::vector<finding> const& all) {
    std::vector<std::string> result;
    for (auto const& each : rules_from(all)) {
        BOOST_TEST(invalid_reason(each).empty());
        result.push_back(tutti::pricing::model_file::line_of(each));
    }
    return result;
}

using words = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(less_than_one_in_twenty_is_not_better) {
    finding found{8, {tried("expected", {1, 1, 1}, true), tried("a", {0.95, 0.95, 0.95}), tried("b", {2, 2, 2})}};
    BOOST_TEST(found.better_choice() == nullptr);
    found.trials[1].medians = {0.94, 0.94, 0.94};
    BOOST_TEST(found.better_choice() == &found.trials[1]);
}

BOOST_AUTO_TEST_CASE(what_is_better_only_most_of_the_time_is_not_better) {
    finding found{8, {tried("expected", {1, 1, 1}, true), tried("a", {0.5, 0.5, 1})}};
    BOOST_TEST(found.trials[1].measured() == 0.5);
    BOOST_TEST(found.better_choice() == nullptr);
    // all vary together when the machine has other work
    found.trials[0].medians = {1, 4, 2};
    found.trials[1].medians = {0.9, 3, 1.5};
    BOOST_TEST(found.better_choice() == &found.trials[1]);
}

BOOST_AUTO_TEST_CASE(what_is_expected_needs_no_rule) { BOOST_TEST(lines({as_expected(8), as_expected(64)}).empty()); }

BOOST_AUTO_TEST_CASE(a_rule_reaches_half_way_to_the_next_sizes) {
    BOOST_TEST(
        (lines({as_expected(16), won_by("a", 64), as_expected(1024)}) == words{"choose reduce 32 256 a ranks 4"}));
    BOOST_TEST((lines({won_by("a", 16), as_expected(64)}) == words{"choose reduce 8 32 a ranks 4"}));
    BOOST_TEST((lines({as_expected(16), won_by("a", 64)}) == words{"choose reduce 32 128 a ranks 4"}));
    BOOST_TEST((lines({won_by("a", 64)}) == words{"choose reduce 32 128 a ranks 4"}));
    BOOST_TEST((lines({won_by("a", 8), won_by("b", 9)}) ==
                words{"choose reduce 7 9 a ranks 4", "choose reduce 9 10 b ranks 4"}));
}

BOOST_AUTO_TEST_CASE(a_rule_does_not_reach_far) {
    BOOST_TEST((lines({won_by("a", 64), won_by("a", 64'000)}) ==
                words{"choose reduce 16 256 a ranks 4", "choose reduce 16000 256000 a ranks 4"}));
}

BOOST_AUTO_TEST_CASE(neighbours_that_say_the_same_become_one) {
    BOOST_TEST((lines({won_by("a", 16), won_by("a", 64), won_by("b", 256), as_expected(1024), won_by("b", 4096)}) ==
                words{"choose reduce 8 128 a ranks 4", "choose reduce 128 512 b ranks 4",
                      "choose reduce 2048 8192 b ranks 4"}));
}

BOOST_AUTO_TEST_SUITE_END()
