// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tutti/communicator/threads/call_log.hpp>

BOOST_AUTO_TEST_SUITE(communicator_threads_call_log_recorded_call)

namespace threads = tutti::threads;

BOOST_AUTO_TEST_CASE(a_call_keeps_its_counts) {
    threads::recorded_call kept;
    {
        std::vector<std::size_t> const counts{1, 0, 2};
        kept.assign({"gather", "linear", "int", 3, 0, counts});
    }
    std::vector<std::size_t> const same{1, 0, 2};
    std::vector<std::size_t> const other{1, 1, 1};
    BOOST_TEST(tutti::control::same_call(kept.view(), {"gather", "linear", "int", 3, 0, same}));
    BOOST_TEST(!tutti::control::same_call(kept.view(), {"gather", "linear", "int", 3, 0, other}));
}

BOOST_AUTO_TEST_CASE(what_only_the_root_knows_is_not_said) {
    tutti::control::call const by_root{"gather", "automatic", "int", tutti::control::call::known_to_root, 1};
    BOOST_TEST(tutti::control::text_of(by_root, false) == "gather of int to root 1");
    BOOST_TEST(!tutti::control::same_call(by_root, {"gather", "automatic", "int", 8, 1}));
}

BOOST_AUTO_TEST_CASE(words_are_equal_wherever_they_lie) {
    auto const elsewhere = std::string{"linear"};
    BOOST_TEST(tutti::control::same_call({"gather", elsewhere, "int", 3, 0}, {"gather", "linear", "int", 3, 0}));
    BOOST_TEST(tutti::control::digest_of({"gather", elsewhere, "int", 3, 0}) ==
               tutti::control::digest_of({"gather", "linear", "int", 3, 0}));
}

BOOST_AUTO_TEST_CASE(every_difference_is_in_the_digest) {
    std::vector<std::size_t> const counts{1, 2};
    std::vector<std::size_t> const other{2, 1};
    std::vector<tutti::control::call> const all{
        {"gather", "linear", "int", 3, 0},        {"scatter", "linear", "int", 3, 0},
        {"gather", "binomial", "int", 3, 0},      {"gather", "linear", "long", 3, 0},
        {"gather", "linear", "int", 4, 0},        {"gather", "linear", "int", 3, 1},
        {"gather", "linear", "int", 3, {}},       {"gather", "linear", "int", 3, 0, counts},
        {"gather", "linear", "int", 3, 0, other},
    };
    for (auto const& left : all) {
        for (auto const& right : all) {
            BOOST_TEST((tutti::control::digest_of(left) == tutti::control::digest_of(right)) == (&left == &right));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
