// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tutti/execution/pieces.hpp>

BOOST_AUTO_TEST_SUITE(execution_pieces)

namespace {

/// The pieces of a message.
std::vector<std::size_t> cut(tutti::pieces const& how, std::size_t elements) {
    std::vector<std::size_t> result;
    for (std::size_t first = 0; first != elements;) {
        result.push_back(std::min(how.length(elements), elements - first));
        first += result.back();
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_messages_are_whole) {
    for (bool const is_limit : {false, true}) {
        tutti::pieces const how{100, 1, is_limit};
        BOOST_TEST(how.count(0) == 0U);
        for (std::size_t const n : std::vector<std::size_t>{1, 99, 100}) {
            BOOST_TEST(how.length(n) == n);
            BOOST_TEST(how.count(n) == 1U);
        }
    }
}

BOOST_AUTO_TEST_CASE(pieces_are_of_equal_length_but_the_last_which_is_shorter) {
    for (bool const is_limit : {false, true}) {
        for (std::size_t const unit : std::vector<std::size_t>{1, 8}) {
            tutti::pieces const how{128 * unit, unit, is_limit};
            for (std::size_t units = 129; units != 5000; ++units) {
                auto const all = cut(how, units * unit);
                BOOST_REQUIRE(all.size() == how.count(units * unit));
                BOOST_REQUIRE(all.front() <= (is_limit ? 128 : 129) * unit);
                BOOST_REQUIRE(std::count(all.begin(), all.end() - 1, all.front()) + 1 ==
                              static_cast<std::ptrdiff_t>(all.size()));
                BOOST_REQUIRE(all.back() < all.front());
                BOOST_REQUIRE(all.back() + all.size() * unit >= all.front());  // no runt
                BOOST_REQUIRE(all.front() % unit == 0U);
            }
        }
    }
}

// A message a little longer than a piece is two halves.
BOOST_AUTO_TEST_CASE(nothing_short_follows_a_long_piece) {
    tutti::pieces const how{16'384};
    BOOST_TEST((cut(how, 16'385) == std::vector<std::size_t>{8193, 8192}));
    BOOST_TEST((cut(how, 32'768) == std::vector<std::size_t>{16'385, 16'383}));
    BOOST_TEST((cut({16'384, 1, true}, 32'768) == std::vector<std::size_t>{10'923, 10'923, 10'922}));
}

// Ranks that give different numbers of elements find out by the length of some piece that both send and expect.
BOOST_AUTO_TEST_CASE(other_numbers_of_elements_are_cut_otherwise) {
    for (bool const is_limit : {false, true}) {
        tutti::pieces const how{64, 1, is_limit};
        for (std::size_t one = 65; one != 700; ++one) {
            auto const sent = cut(how, one);
            for (std::size_t other = one + 1; other != 1500; ++other) {
                auto const expected = cut(how, other);
                auto const both = static_cast<std::ptrdiff_t>(std::min(sent.size(), expected.size()));
                BOOST_REQUIRE(!std::equal(sent.begin(), sent.begin() + both, expected.begin()));
            }
        }
    }
}

// Long elements are not cut, so the last piece may be as long as the others.
BOOST_AUTO_TEST_CASE(elements_stay_whole) {
    tutti::pieces const how{2000, 1000, true};
    for (std::size_t n = 3; n != 30; ++n) {
        for (auto const each : cut(how, n * 1000)) { BOOST_REQUIRE((each == 1000 || each == 2000)); }
    }
}

BOOST_AUTO_TEST_SUITE_END()
