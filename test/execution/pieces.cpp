// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tutti/execution/pieces.hpp>

BOOST_AUTO_TEST_SUITE(execution_pieces)

namespace {

/// The pieces of a message.
std::vector<std::size_t> cut(tutti::engine::pieces const& how, std::size_t elements) {
    std::vector<std::size_t> result;
    for (std::size_t first = 0; first != elements;) {
        result.push_back(std::min(how.size(elements), elements - first));
        first += result.back();
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_messages_are_whole) {
    for (bool const is_limit : {false, true}) {
        tutti::engine::pieces const how{100, 1, is_limit};
        BOOST_TEST(how.count(0) == 0U);
        for (std::size_t const n : std::vector<std::size_t>{1, 99, 100}) {
            BOOST_TEST(how.size(n) == n);
            BOOST_TEST(how.count(n) == 1U);
        }
    }
}

BOOST_AUTO_TEST_CASE(pieces_are_of_equal_length_but_the_last_which_is_shorter) {
    for (bool const is_limit : {false, true}) {
        for (std::size_t const unit : std::vector<std::size_t>{1, 8}) {
            tutti::engine::pieces const how{128 * unit, unit, is_limit};
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
    tutti::engine::pieces const how{16'384};
    BOOST_TEST((cut(how, 16'385) == std::vector<std::size_t>{8193, 8192}));
    BOOST_TEST((cut(how, 32'768) == std::vector<std::size_t>{16'385, 16'383}));
    BOOST_TEST((cut({16'384, 1, true}, 32'768) == std::vector<std::size_t>{10'923, 10'923, 10'922}));
}

// Ranks that give different numbers of elements find out by the length of some piece that both send and expect.
BOOST_AUTO_TEST_CASE(other_numbers_of_elements_are_cut_otherwise) {
    for (bool const is_limit : {false, true}) {
        tutti::engine::pieces const how{64, 1, is_limit};
        for (std::size_t one = 65; one != 700; ++one) {
            auto const sent = cut(how, one);
            for (std::size_t other = one + 1; other != 800; ++other) {
                auto const expected = cut(how, other);
                auto const both = static_cast<std::ptrdiff_t>(std::min(sent.size(), expected.size()));
                BOOST_REQUIRE(!std::equal(sent.begin(), sent.begin() + both, expected.begin()));
            }
        }
    }
}

// Long elements are not cut, so the last piece may be as long as the others.
BOOST_AUTO_TEST_CASE(elements_stay_whole) {
    tutti::engine::pieces const how{2000, 1000, true};
    for (std::size_t n = 3; n != 30; ++n) {
        for (auto const each : cut(how, n * 1000)) { BOOST_REQUIRE((each == 1000 || each == 2000)); }
    }
}

using namespace tutti;
using namespace tutti::engine;

namespace {

/// A send of elements 4 and 5 of the input, and then of its elements 0 to 2.
struct two_parts {
    std::vector<int> input{0, 1, 2, 3, 4, 5};
    program run;
    instruction send;
    buffers<int> where{run};
    send_gather<int> elements{run, where};

    two_parts() {
        run.ranges.push_back({2, {location::input, 4}, {}, {}});
        run.ranges.push_back({3, {location::input, 0}, {}, {}});
        send.first_range = 0;
        send.last_range = 2;
        where.bind(input.data(), nullptr, nullptr);
    }

    [[nodiscard]] std::vector<std::vector<int>> stretches(std::size_t first, std::size_t count) {
        std::vector<std::vector<int>> result;
        elements.for_each_run(send, first, count,
                                  [&](int const* from, std::size_t n) { result.emplace_back(from, from + n); });
        return result;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_lies_in_one_part_lies_in_one_place, two_parts) {
    BOOST_TEST(elements.in_one_place(send, 0, 2) == input.data() + 4);
    BOOST_TEST(elements.in_one_place(send, 1, 1) == input.data() + 5);
    BOOST_TEST(elements.in_one_place(send, 2, 3) == input.data());
    BOOST_TEST(elements.in_one_place(send, 3, 2) == input.data() + 1);
    BOOST_TEST(elements.in_one_place(send, 1, 2) == nullptr);
}

BOOST_FIXTURE_TEST_CASE(stretches_come_in_the_order_of_the_message, two_parts) {
    using lists = std::vector<std::vector<int>>;
    BOOST_TEST((stretches(0, 5) == lists{{4, 5}, {0, 1, 2}}));
    BOOST_TEST((stretches(1, 2) == lists{{5}, {0}}));
    BOOST_TEST((stretches(3, 1) == lists{{1}}));
    BOOST_TEST((stretches(0, 0) == lists{}));
}

using tutti::engine::staging_ring;

BOOST_AUTO_TEST_CASE(users_take_turns) {
    staging_ring<int> ring{7, 3, 10};
    for (std::size_t user = 0; user != 3; ++user) { BOOST_TEST(ring.free_for(user)); }
    for (std::size_t user = 3; user != 7; ++user) { BOOST_TEST(!ring.free_for(user)); }
    ring.release(1);
    BOOST_TEST((!ring.free_for(3) && ring.free_for(4) && !ring.free_for(5)));
    ring.release(0);
    BOOST_TEST(ring.free_for(3));
    ring.release(3);
    BOOST_TEST((ring.free_for(6) && !ring.free_for(0)));
    ring.reset();
    BOOST_TEST((ring.free_for(0) && !ring.free_for(3)));
}

BOOST_AUTO_TEST_CASE(a_user_s_elements_lie_in_its_slot) {
    staging_ring<int> ring{7, 3, 10};
    BOOST_TEST(ring.data(1) - ring.data(0) == 10);
    BOOST_TEST(ring.data(5) == ring.data(2));
    std::vector<int> const first{1, 2};
    std::vector<int> const rest{3};
    ring.fill(4, 0, 2, first.data());
    ring.fill(4, 2, 1, rest.data());
    BOOST_TEST((ring.data(4)[0] == 1 && ring.data(4)[1] == 2 && ring.data(4)[2] == 3));
}

BOOST_AUTO_TEST_CASE(no_more_slots_than_users) {
    staging_ring<int> ring{2, 8, 10};
    BOOST_TEST(ring.data(0) != ring.data(1));
    BOOST_TEST((ring.free_for(0) && ring.free_for(1)));
    staging_ring<int> const none{0, 8, 0};
    staging_ring<int> const unset;
}

BOOST_AUTO_TEST_SUITE_END()
