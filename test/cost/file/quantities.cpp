// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <tutti/cost/file.hpp>

BOOST_AUTO_TEST_SUITE(cost_file_quantities)

using namespace tutti;
using namespace tutti::pricing;
using namespace tutti::pricing::model_file;

BOOST_AUTO_TEST_CASE(each_has_a_name_of_its_own) {
    machine_model model{.distances = {{}, {}, {}}};
    std::set<std::string> names;
    double number = 0;
    for_each_quantity(model, [&](std::string const& name, dimension, double& value) {
        names.insert(name);
        value = ++number;
    });
    BOOST_TEST(static_cast<double>(names.size()) == number);
    BOOST_TEST(names.contains("distance 4 per_byte"));
    BOOST_TEST(model.between_nodes.latency == 1);
    BOOST_TEST(model.combine_per_byte == number);
    BOOST_TEST(distance_name(63) == "distance 9223372036854775808");
    BOOST_TEST(distance_name(64) == "distance 2^64");
}

BOOST_AUTO_TEST_CASE(the_default_is_without_flaw) {
    BOOST_TEST(invalid_reason(machine_model{}) == "");
    BOOST_TEST(invalid_reason(
                   machine_model{.between_nodes = {}, .within_node = {}, .handling = 0, .combine_per_byte = 0}) == "");
}

BOOST_AUTO_TEST_CASE(the_first_flaw_is_named) {
    auto const infinite = std::numeric_limits<double>::infinity();
    BOOST_TEST(invalid_reason(machine_model{.between_nodes = {.gap = -1}}) == "its 'between_nodes gap' is negative");
    BOOST_TEST(invalid_reason(machine_model{.handling = std::nan("")}) == "its 'handling messages' is not finite");
    BOOST_TEST(invalid_reason(machine_model{.longest_message = infinite}) == "its 'longest message' is not finite");
    BOOST_TEST(invalid_reason(machine_model{.longest_message = 0.5, .handling = -1}) ==
               "its 'longest message' is less than 1 byte");
    BOOST_TEST(invalid_reason(machine_model{.exchange_factor = 0.5}) ==
               "its 'exchange factor' is less than 1 transfer");
    BOOST_TEST(invalid_reason(machine_model{.exchange_factor = 2.5}) ==
               "its 'exchange factor' is more than 2 transfers");
    BOOST_TEST(invalid_reason(machine_model{.distances = {{}, {.overhead = 0}}}) ==
               "its 'distance 2 overhead' is less than 1 transfer");
    BOOST_TEST(invalid_reason(machine_model{.combines = {{"f int", -1}}}) == "its 'combine f int' is negative");
    BOOST_TEST(invalid_reason(machine_model{.choices = {{.collective = "sort", .algorithm = "ring"}}})
                   .starts_with("it has a rule to choose by, but there is no collective 'sort'"));
}

BOOST_AUTO_TEST_SUITE_END()
