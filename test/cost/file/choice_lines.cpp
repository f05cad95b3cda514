// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <sstream>
#include <stdexcept>
#include <string>

#include <tutti/cost/file.hpp>

BOOST_AUTO_TEST_SUITE(cost_file_choice_lines)

namespace {

using tutti::choice_rule;

choice_rule read(std::string const& text) {
    choice_rule result;
    std::istringstream in{text};
    tutti::pricing::model_file::read_lines(in, "f", {{"choose", [&](tutti::pricing::model_file::line const& now) {
                                                          result = tutti::pricing::model_file::rule_in(now);
                                                      }}});
    return result;
}

std::string refusal(std::string const& text) {
    try {
        static_cast<void>(read(text));
    } catch (std::runtime_error const& wrong) { return wrong.what(); }
    return "nothing was refused";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_is_a_rule) {
    BOOST_TEST((read("choose all_reduce 4096 65536 then(circulant, reverse(circulant))") ==
                choice_rule{.collective = "all_reduce",
                            .from = 4096,
                            .to = 65536,
                            .algorithm = "then(circulant, reverse(circulant))"}));
    BOOST_TEST((read("choose reduce 1048576 - pipeline segment 8192") ==
                choice_rule{.collective = "reduce", .from = 1048576, .algorithm = "pipeline", .segment = 8192}));
    BOOST_TEST((read("choose  all_gather 0 1 reverse(ported_circulant)\tranks 12  ports 3") ==
                choice_rule{.collective = "all_gather",
                            .from = 0,
                            .to = 1,
                            .algorithm = "reverse(ported_circulant)",
                            .ports = 3,
                            .ranks = 12}));
}

BOOST_AUTO_TEST_CASE(a_rule_is_read_as_it_was_written) {
    for (auto const text :
         {"choose all_reduce 4096 65536 then(circulant, reverse(circulant))", "choose scatter 0 - linear ranks 2",
          "choose reduce 7 8 two_tree segment 1 ports 2 ranks 3"}) {
        BOOST_TEST(tutti::pricing::model_file::line_of(read(text)) == text);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_rule_is_refused) {
    BOOST_TEST(refusal("\nchoose reduce 0 -") ==
               "tutti: f:2: the line has to say for which collective and bytes to choose what, as in 'choose "
               "all_reduce 4096 65536 ring'");
    BOOST_TEST(refusal("choose all-reduce 0 8 ring")
                   .starts_with("tutti: f:1: there is no collective 'all-reduce' to choose for; there are: reduce, "));
    BOOST_TEST(refusal("choose reduce 8 8 linear") == "tutti: f:1: no vector has at least 8 and less than 8 bytes");
    BOOST_TEST(refusal("choose reduce - 8 linear") == "tutti: f:1: '-' is no whole number");
    BOOST_TEST(refusal("choose reduce 1.5 8 linear") == "tutti: f:1: '1.5' is no whole number");
    BOOST_TEST(refusal("choose reduce 0 1M linear") == "tutti: f:1: '1M' is no whole number");
    BOOST_TEST(refusal("choose reduce 0 - segment 5") == "tutti: f:1: it names no algorithm");
    BOOST_TEST(refusal("choose reduce 0 - pipeline segment") == "tutti: f:1: 'segment' needs a number");
    BOOST_TEST(refusal("choose reduce 0 - pipeline segment 0") == "tutti: f:1: '0' is no whole number of at least 1");
    BOOST_TEST(refusal("choose reduce 0 - pipeline segment 5 quickly") ==
               "tutti: f:1: 'quickly' says nothing about an algorithm");
    BOOST_TEST(refusal("choose reduce 0 - pipeline ranks 5 ranks 5") == "tutti: f:1: 'ranks' is said twice");
}

BOOST_AUTO_TEST_SUITE_END()
