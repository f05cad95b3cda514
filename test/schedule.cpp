// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include <range/v3/algorithm/equal.hpp>
#include <range/v3/iterator/operations.hpp>

#include <tutti/schedule.hpp>

BOOST_AUTO_TEST_SUITE(schedule)

using namespace tutti;
using namespace tutti::schedules;

namespace {

std::vector<std::pair<std::size_t, std::size_t>> ranges_of(block_list const& list) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (auto const& range : list) { all.emplace_back(range.first, range.last); }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(buffers_have_names_of_their_own) {
    BOOST_TEST(buffer::input().name() == "input");
    BOOST_TEST(buffer::result().name() == "result");
    BOOST_TEST(buffer::prefix().name() == "prefix");
    BOOST_TEST(buffer::scratch(0).name() == "scratch0");
    BOOST_TEST(buffer::scratch(12).name() == "scratch12");
    BOOST_TEST((buffer{} == buffer::result() && buffer::scratch(0) != buffer::prefix()));
}

BOOST_AUTO_TEST_CASE(a_block_list_keeps_its_ranges_in_order) {
    using list = std::vector<std::pair<std::size_t, std::size_t>>;
    BOOST_TEST((ranges_of(block_list{3}) == list{{3, 4}}));
    BOOST_TEST((ranges_of(block_range{2, 5}) == list{{2, 5}}));
    BOOST_TEST((block_list{}.empty() && block_list{block_range{4, 4}}.empty()));

    block_list many;
    list expected;
    for (std::size_t i = 0; i < 10; ++i) {
        many.append({10 - i, 11 - i});
        many.append({i, i});  // nothing
        expected.emplace_back(10 - i, 11 - i);
        BOOST_TEST((ranges_of(many) == expected));
        BOOST_TEST(many.ranges() == i + 1);
        auto const copy = many;
        BOOST_TEST((copy == many));
    }
    BOOST_TEST((many != block_list{10}));
}

BOOST_AUTO_TEST_CASE(a_cyclic_interval_wraps_once) {
    using list = std::vector<std::pair<std::size_t, std::size_t>>;
    BOOST_TEST((ranges_of(block_list::cyclic(1, 3, 5)) == list{{1, 4}}));
    BOOST_TEST((ranges_of(block_list::cyclic(2, 3, 5)) == list{{2, 5}}));
    BOOST_TEST((ranges_of(block_list::cyclic(3, 4, 5)) == list{{3, 5}, {0, 2}}));
    BOOST_TEST(block_list::cyclic(3, 0, 5).empty());
}

BOOST_AUTO_TEST_CASE(steps_say_what_they_do) {
    auto const send = step::send(1, 2, buffer::result(), 3);
    auto const receive = step::receive(1, 2, buffer::scratch(0), 3);
    auto const reduce = step::receive_combine(1, 2, buffer::result(), 3, side::left);
    auto const combine = step::combine(1, buffer::scratch(0), buffer::result(), 3, side::right);
    auto const copy = step::copy(1, buffer::input(), buffer::result(), 3);
    BOOST_TEST((send.communicates() && receive.communicates() && reduce.communicates()));
    BOOST_TEST((!combine.communicates() && !copy.communicates()));
    BOOST_TEST((receive.receives() && reduce.receives() && !send.receives() && !copy.receives()));
    BOOST_TEST((reduce.combines() && combine.combines() && !receive.combines() && !copy.combines()));
    BOOST_TEST((send != receive && send == step::send(1, 2, buffer::result(), 3)));
    BOOST_TEST((send != step::send(2, 2, buffer::result(), 3)));
    for (auto const& [what, text] : {std::pair{action::send, "send"}, std::pair{action::receive, "receive"},
                                     std::pair{action::receive_combine, "receive_combine"},
                                     std::pair{action::combine, "combine"}, std::pair{action::copy, "copy"}}) {
        BOOST_TEST(name(what) == text);
    }
    BOOST_TEST((name(side::left) == "left" && name(side::right) == "right"));
}

BOOST_AUTO_TEST_CASE(an_indexed_schedule_computes_its_steps_when_they_are_read) {
    std::size_t computed = 0;
    auto const lazy = indexed_schedule(7, 1'000'000, [&computed](std::size_t i) {
        ++computed;
        return step::send(i, 1, buffer::result(), i);
    });
    BOOST_TEST(computed == 0U);
    BOOST_TEST(lazy.rounds() == 7U);
    BOOST_TEST(lazy.steps().places() == 1'000'000U);
    BOOST_TEST(lazy.steps().at(999'999).round == 999'999U);
    BOOST_TEST(computed == 1U);
    BOOST_TEST((*ranges::next(lazy.begin(), 3)).round == 3U);
    BOOST_TEST(computed == 5U);  // once each
}

BOOST_AUTO_TEST_CASE(a_step_without_blocks_is_none) {
    auto const odd = indexed_schedule(9, 9, [](std::size_t i) {
        return step::send(i, 1, buffer::result(), i % 2 == 0 ? block_list{} : block_list{i});
    });
    auto const rounds = [](auto const& steps) {
        std::vector<std::size_t> all;
        for (step const& each : steps) { all.push_back(each.round); }
        return all;
    };
    BOOST_TEST(rounds(odd) == (std::vector<std::size_t>{1, 3, 5, 7}), boost::test_tools::per_element());
    BOOST_TEST(rounds(backwards(odd)) == (std::vector<std::size_t>{7, 5, 3, 1}), boost::test_tools::per_element());
    BOOST_TEST(ranges::equal(backwards(backwards(odd)), odd));
    BOOST_TEST((*ranges::prev(odd.end())).round == 7U);
    auto const fewer = each_changed(odd, [](step each) {
        if (each.round == 5) { each.blocks = {}; }
        each.round += 1;
        return each;
    });
    BOOST_TEST(rounds(fewer) == (std::vector<std::size_t>{2, 4, 8}), boost::test_tools::per_element());
    BOOST_TEST(fewer.rounds() == 9U);
    BOOST_TEST(rounds(indexed_schedule(2, 3, [](std::size_t) { return step{}; })).empty());
}

BOOST_AUTO_TEST_CASE(a_schedule_that_is_stored_is_computed_once) {
    std::size_t computed = 0;
    auto const lazy = indexed_schedule(3, 2, [&](std::size_t i) {
        ++computed;
        return step::send(i + 1, i, buffer::result(), i);
    });
    auto const whole = stored(lazy);
    auto const before = computed;
    BOOST_TEST(whole.rounds() == 3U);
    BOOST_TEST(ranges::equal(whole, std::vector<step>{step::send(1, 0, buffer::result(), 0),
                                                      step::send(2, 1, buffer::result(), 1)}));
    BOOST_TEST(computed == before);
}

BOOST_AUTO_TEST_CASE(a_stored_schedule_outlives_what_it_was_made_of) {
    auto const stored = [] {
        std::vector<step> steps{step::send(0, 1, buffer::result(), 0), step::receive(1, 1, buffer::result(), 0)};
        return stored_schedule(2, std::move(steps));
    }();
    auto const copy = stored;
    BOOST_TEST(ranges::equal(stored, std::vector<step>{step::send(0, 1, buffer::result(), 0),
                                                       step::receive(1, 1, buffer::result(), 0)}));
    BOOST_TEST(ranges::equal(stored, copy));
    BOOST_TEST(copy.rounds() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
