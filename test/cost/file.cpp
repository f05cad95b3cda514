// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include <support/sentences.hpp>
#include <tutti/cost/file.hpp>

BOOST_AUTO_TEST_SUITE(cost_file)

using namespace tutti;
using namespace tutti::pricing;
using namespace tutti::pricing::model_file;

namespace {

std::string written(tutti::machine_model const& model) {
    std::ostringstream out;
    write(out, model);
    return out.str();
}

tutti::machine_model read(std::string const& text) {
    std::istringstream in{text};
    return tutti::pricing::read_machine(in, "f");
}

std::string refusal(std::string const& text) {
    try {
        static_cast<void>(read(text));
    } catch (std::runtime_error const& wrong) { return wrong.what(); }
    return "nothing was refused";
}

/// The text of a model with one line replaced.
std::string replaced(std::string const& line, std::string const& by) {
    auto text = written({});
    auto const at = text.find(line);
    BOOST_REQUIRE(at != text.npos);
    return text.replace(at, line.size(), by);
}

tutti::machine_model odd_model() {
    tutti::machine_model model;
    model.between_nodes = {1.0 / 3e5, 0.1 + 0.2, 0, 1e-300};
    model.within_node = {5e-324, 1e300, 12345.678901234567, 7e-9};
    model.exchange_factor = 1 + 1.0 / 3;
    model.exchange_factor_within_node = 1 + 2.0 / 3;
    model.partner_change_factor = 1 + 2.0 / 7;
    model.slowest_route = 1 + 3.0 / 7;
    model.combine_per_byte = 2.0 / 3 * 1e-9;
    model.handling = 1e-7 / 3;
    model.through_memory = true;
    model.distances = {{1, 1}, {1.5, 10.0 / 3}};
    model.combines = {{"std::plus<void> double", 1e-10 / 3}, {"(lambda at a.cpp:3:4) unsigned int", 4e-9}};
    model.choices = {{.collective = "reduce", .from = 8, .to = 9, .algorithm = "pipeline", .segment = 4096, .ranks = 3},
                     {.collective = "all_reduce", .algorithm = "then(circulant, reverse(circulant))"},
                     {.collective = "reduce", .from = 8, .algorithm = "postal_tree", .ports = 2}};
    return model;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_can_be_read_by_people) {
    tutti::machine_model model;
    model.combines["std::plus<void> double"] = 0.05e-9;
    auto const text = written(model);
    BOOST_TEST(text.starts_with("# "));
    BOOST_TEST(text.substr(text.find("\nbetween") + 1) == "between_nodes latency 0.9 us\n"
                                                          "between_nodes overhead 0.3 us\n"
                                                          "between_nodes gap 0.3 us\n"
                                                          "between_nodes per_byte 0.25 ns/B\n"
                                                          "within_node latency 0.3 us\n"
                                                          "within_node overhead 0.1 us\n"
                                                          "within_node gap 0.1 us\n"
                                                          "within_node per_byte 0.15 ns/B\n"
                                                          "within_node exchange factor 1.75 transfers\n"
                                                          "exchange factor 1 transfers\n"
                                                          "longest message 131072 B\n"
                                                          "distance change 1 transfers\n"
                                                          "distance slowest route 1 transfers\n"
                                                          "handling messages 0.2 us\n"
                                                          "combine default 0.1 ns/B\n"
                                                          "combine std::plus<void> double 0.05 ns/B\n");
}

BOOST_AUTO_TEST_CASE(a_model_is_read_as_it_was_written) {
    BOOST_TEST((read(written({})) == tutti::machine_model{}));
    BOOST_TEST((read(written(odd_model())) == odd_model()));
}

BOOST_AUTO_TEST_CASE(a_model_is_loaded_as_it_was_saved) {
    std::string const path = "tutti_test_model_file.txt";
    save(odd_model(), path);
    BOOST_TEST((tutti::load_machine(path) == odd_model()));
    std::ofstream{path, std::ios::app} << "combine default 1 ns/B\n";
    BOOST_CHECK_EXCEPTION(static_cast<void>(tutti::load_machine(path)), std::runtime_error,
                          support::begins("tutti: " + path + ":30: there is a line 'combine default ...'"));
    std::remove(path.c_str());
    BOOST_CHECK_EXCEPTION(static_cast<void>(tutti::load_machine(path)), std::runtime_error,
                          support::says("tutti: cannot read the file " + path + "; name one that is there and may be read"));
    BOOST_CHECK_EXCEPTION(static_cast<void>(tutti::load_machine(".")), std::runtime_error,
                          support::says("tutti: cannot read the file .; name one that is there and may be read"));
    BOOST_CHECK_EXCEPTION(
        tutti::save({.handling = -1}, path), std::invalid_argument,
        support::says("tutti: this machine_model cannot be saved: its 'handling messages' is negative"));
    BOOST_TEST(!std::ifstream{path});
    BOOST_CHECK_EXCEPTION(tutti::save({}, "no/such/folder/x"), std::runtime_error,
                          support::says("tutti: cannot write the file no/such/folder/x; name one in a folder that is there"));
}

BOOST_AUTO_TEST_CASE(what_follows_a_hash_is_a_comment) {
    auto const latency = "between_nodes latency 0.9 us";
    BOOST_TEST((read(replaced(latency, std::string{latency} + " # as of today")) == tutti::machine_model{}));
    BOOST_TEST((read("#\n # nothing\n" + written({})) == tutti::machine_model{}));
}

BOOST_AUTO_TEST_CASE(messages_may_go_through_memory) {
    tutti::machine_model model;
    BOOST_TEST((written(model).find("messages through") == std::string::npos));
    model.through_memory = true;
    BOOST_TEST(written(model).ends_with("\nmessages through memory\n"));
}

BOOST_AUTO_TEST_CASE(order_and_units_are_free) {
    auto const text = replaced("between_nodes latency 0.9 us\n", "") + "# at the end\n\nbetween_nodes latency 900 ns\n";
    BOOST_TEST((read(text) == tutti::machine_model{}));
}

BOOST_AUTO_TEST_CASE(wrong_lines_are_refused) {
    auto const latency = "between_nodes latency 0.9 us";
    BOOST_TEST(
        refusal(replaced(latency, "betwen_nodes latency 0.9 us")) ==
        "tutti: f:3: 'betwen_nodes' begins no line that is known: between_nodes, choose, combine, distance, exchange, "
        "handling, longest, messages, within_node");
    BOOST_TEST(refusal(replaced(latency, "between_nodes delay 0.9 us")) ==
               "tutti: f:3: there is no quantity 'between_nodes delay'; a line is a name, a number and a unit, as in "
               "'between_nodes latency 0.9 us'");
    BOOST_TEST(
        refusal(replaced(latency, "between_nodes latency 10us")).starts_with("tutti: f:3: there is no quantity"));
    BOOST_TEST(refusal(replaced(latency, "between_nodes latency -0.9 us")) == "tutti: f:3: '-0.9' is negative");
    BOOST_TEST(refusal(replaced(latency, "between_nodes latency inf us")) ==
               "tutti: f:3: 'inf' is not a finite number");
    BOOST_TEST(refusal(replaced(latency, "between_nodes latency nan us")) ==
               "tutti: f:3: 'nan' is not a finite number");
    BOOST_TEST(refusal(replaced(latency, "between_nodes latency 0.9")).starts_with("tutti: f:3: there is no quantity"));
    BOOST_TEST(
        refusal(replaced(latency, "between_nodes latency 0.9 ns/B")).starts_with("tutti: f:3: 'ns/B' is no unit"));
    BOOST_TEST(refusal(replaced(latency, std::string{latency} + '\n' + latency)) ==
               "tutti: f:4: there is a line 'between_nodes latency ...' already");
    BOOST_TEST(refusal(replaced("\nexchange factor 1 ", "\nexchange factor 2.5 ")) ==
               "tutti: f:12: 'exchange factor' is more than 2 transfers");
    BOOST_TEST(refusal(replaced("within_node exchange factor 1.75 ", "within_node exchange factor 2.5 ")) ==
               "tutti: f:11: 'within_node exchange factor' is more than 2 transfers");
    BOOST_TEST(refusal(replaced("longest message 131072 ", "longest message 0 ")) ==
               "tutti: f:13: 'longest message' is less than 1 byte");
    BOOST_TEST(refusal(replaced("combine default 0.1 ns/B", "combine default 0.1 ns/B\ncombine f int -1 ns/B")) ==
               "tutti: f:18: '-1' is negative");
    BOOST_TEST(refusal(written({}) + "messages through the air\n") ==
               "tutti: f:18: it can only be 'messages through memory'");
    BOOST_TEST(refusal(written({}) + "messages through memory\nmessages through memory\n") ==
               "tutti: f:19: there is a line 'messages through memory' already");
    BOOST_TEST(refusal(replaced("combine default 0.1 ns/B", "combine default 0.1 ns/B\ncombine 1 ns/B"))
                   .starts_with("tutti: f:18: there is no quantity 'combine'; "));
}

BOOST_AUTO_TEST_CASE(missing_lines_are_refused) {
    BOOST_TEST(refusal(replaced("within_node gap 0.1 us\n", "")) ==
               "tutti: f:17: the line 'within_node gap ...' is missing");
    BOOST_TEST(refusal("") == "tutti: f:1: the line 'between_nodes latency ...' is missing");
}

BOOST_AUTO_TEST_CASE(links_of_one_kind_may_have_one_exchange_factor) {
    auto const model = read(replaced("within_node exchange factor 1.75 transfers\nexchange factor 1 ",
                                     "exchange factor 1.5 "));
    BOOST_TEST(model.exchange_factor == 1.5);
    BOOST_TEST(model.exchange_factor_within_node == 1.5);
}

BOOST_AUTO_TEST_CASE(a_change_of_distance_need_not_make_a_difference) {
    BOOST_TEST(read(replaced("distance change 1 transfers\n", "")).partner_change_factor == 1);
    BOOST_TEST(read(replaced("distance change 1 ", "distance change 1.5 ")).partner_change_factor == 1.5);
}

BOOST_AUTO_TEST_CASE(rules_stand_at_the_end_in_their_order) {
    BOOST_TEST(written(odd_model()).ends_with("choose reduce 8 9 pipeline segment 4096 ranks 3\n"
                                              "choose all_reduce 0 - then(circulant, reverse(circulant))\n"
                                              "choose reduce 8 - postal_tree ports 2\n"));
    BOOST_TEST(refusal(written({}) + "choose reduce 9 9 linear\n") ==
               "tutti: f:18: no vector has at least 9 and less than 9 bytes");
}

BOOST_AUTO_TEST_CASE(other_kinds_of_lines_may_stand_between) {
    std::string chosen;
    tutti::pricing::model_file::machine_reader reader;
    auto kinds = reader.kinds();
    kinds["prefer"] = [&](tutti::pricing::model_file::line const& now) { chosen += now.words.at(1); };
    std::istringstream in{"prefer a\n" + written(odd_model()) + "prefer b\n"};
    auto const end = tutti::pricing::model_file::read_lines(in, "f", kinds);
    BOOST_TEST((reader.result(end) == odd_model()));
    BOOST_TEST(chosen == "ab");
    BOOST_TEST(refusal(written({}) + "prefer a\n").starts_with("tutti: f:18: 'prefer' begins no line"));
}

// What never ends, such as /dev/zero, is refused before it has taken all memory.
BOOST_AUTO_TEST_CASE(files_have_limits) {
    auto const text = written({});
    auto const lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    std::string comments;
    for (auto left = tutti::pricing::model_file::most_lines - lines; left != 0; --left) { comments += "#\n"; }
    BOOST_TEST((read(text + comments) == tutti::machine_model{}));
    BOOST_TEST(refusal(text + comments + '#') == "tutti: f:10001: the file has more than 10000 lines");

    std::string const longest(tutti::pricing::model_file::longest_line - 1, 'x');
    BOOST_TEST((read('#' + longest + '\n' + text) == tutti::machine_model{}));
    BOOST_TEST((read(text + '#' + longest) == tutti::machine_model{}));
    BOOST_TEST(refusal("#x" + longest + '\n' + text) == "tutti: f:1: the line has more than 10000 characters");

    tutti::machine_model model;
    for (int i = 0; i != 64; ++i) { model.distances.push_back({1, 1, 1}); }
    BOOST_TEST((read(written(model)) == model));
    model.distances.push_back({1, 1, 1});
    BOOST_TEST(refusal(written(model)).ends_with(": no rank is farther away than 2^63"), refusal(written(model)));
}

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
