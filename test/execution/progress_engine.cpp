// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <support/scripted_communicator.hpp>

#include <tutti/execution/progress_engine.hpp>

BOOST_AUTO_TEST_SUITE(execution_progress_engine)

namespace {

/// Hears of its messages and does something about it.
struct listener : tutti::engine::completion_handler {
    std::vector<std::uint32_t> heard;
    std::function<void(std::uint32_t)> react = [](std::uint32_t) {};

    void ended(tutti::engine::fragment const& what, tutti::completion const&) override {
        heard.push_back(what.instruction);
        react(what.instruction);
    }
};

struct mail {
    support::scripted_communicator world;
    tutti::engine::progress_engine<support::scripted_communicator> engine;
    listener first;
    listener second;

    /// Posts message number `instruction`.
    int post(listener& owner, std::uint32_t instruction, bool outgoing = false) {
        engine.post(world.send(1, 0, {}), owner, {.instruction = instruction, .outgoing = outgoing});
        return world.posted.back();
    }
};

using numbers = std::vector<std::uint32_t>;

}  // namespace

BOOST_FIXTURE_TEST_CASE(owners_hear_of_their_own_messages, mail) {
    auto const a = post(first, 10);
    auto const b = post(second, 20);
    auto const c = post(first, 11);
    BOOST_TEST(!engine.test(world));
    world.ended = {b};
    BOOST_TEST(engine.test(world));
    BOOST_TEST((second.heard == numbers{20} && first.heard.empty()));
    world.ended = {a, c};
    BOOST_TEST(engine.wait(world));
    BOOST_TEST((first.heard == numbers{10, 11}));
    BOOST_TEST(!engine.test(world));
}

BOOST_FIXTURE_TEST_CASE(what_comes_first_in_the_program_is_told_first_and_what_has_left_before_it, mail) {
    std::vector<int> all;
    for (std::uint32_t const number : {7U, 3U, 9U, 1U}) { all.push_back(post(first, number)); }
    all.push_back(post(first, 8, true));
    world.ended = all;
    BOOST_TEST(engine.test(world));
    BOOST_TEST((first.heard == numbers{8, 1, 3, 7, 9}));
}

BOOST_FIXTURE_TEST_CASE(what_comes_while_owners_are_told_takes_its_place, mail) {
    auto const a = post(first, 1);
    auto const b = post(first, 5);
    auto const c = post(first, 4);
    auto const d = post(first, 6);
    first.react = [&](std::uint32_t instruction) {
        if (instruction == 1) {
            world.ended = {c, d};
            engine.progress(world);
        }
    };
    world.ended = {a, b};
    BOOST_TEST(engine.test(world));
    BOOST_TEST((first.heard == numbers{1, 4, 5, 6}));
}

BOOST_FIXTURE_TEST_CASE(waiting_for_nothing_ends_at_once, mail) {
    BOOST_TEST(!engine.wait(world));
    auto const a = post(first, 10);
    world.ended = {a};
    BOOST_TEST(engine.wait(world));
    BOOST_TEST(!engine.wait(world));
}

BOOST_FIXTURE_TEST_CASE(owners_may_post_while_they_are_told, mail) {
    first.react = [&](std::uint32_t instruction) {
        if (instruction < 200) {
            for (std::uint32_t i = 0; i != 20; ++i) { post(first, instruction + 100 + i); }
        }
    };
    auto const a = post(first, 100);
    auto const b = post(first, 101);
    world.ended = {a, b};
    BOOST_TEST(engine.test(world));
    BOOST_TEST(first.heard.size() == 2U);
    world.ended = world.posted;
    BOOST_TEST(engine.test(world));
    BOOST_TEST(first.heard.size() == 42U);
}

BOOST_FIXTURE_TEST_CASE(owners_may_wait_while_they_are_told, mail) {
    auto const a = post(first, 1);
    auto const b = post(first, 2);
    auto const c = post(second, 3);
    first.react = [&](std::uint32_t) {
        if (second.heard.empty()) {
            world.ended = {c};
            BOOST_TEST(engine.wait(world));
        }
    };
    world.ended = {a, b};
    BOOST_TEST(engine.test(world));
    BOOST_TEST(first.heard.size() == 2U);
    BOOST_TEST((second.heard == numbers{3}));
}

BOOST_FIXTURE_TEST_CASE(messages_can_be_given_up, mail) {
    auto const a = post(first, 1);
    auto const b = post(second, 2);
    auto const c = post(first, 3);
    engine.cancel(world, first, 0);
    std::sort(world.cancelled.begin(), world.cancelled.end());
    BOOST_TEST((world.cancelled == std::vector{a, c}));
    world.ended = {b};
    BOOST_TEST(engine.wait(world));
    BOOST_TEST(first.heard.empty());
    BOOST_TEST((second.heard == numbers{2}));
}

// One owner throws while others have yet to be told; those who are gone by then must not be told.
BOOST_FIXTURE_TEST_CASE(who_has_given_up_hears_nothing_more, mail) {
    auto const a = post(first, 1);
    auto const b = post(first, 2);
    auto const c = post(second, 3);
    first.react = [](std::uint32_t) { throw std::runtime_error{"no"}; };
    second.react = first.react;
    world.ended = {a, b, c};
    BOOST_CHECK_THROW(engine.test(world), std::runtime_error);
    auto const heard = first.heard.size() + second.heard.size();
    BOOST_TEST(heard == 1U);
    engine.cancel(world, first, 0);
    first.react = second.react = [](std::uint32_t) {};
    auto const heard_by_first = first.heard.size();
    auto const d = post(second, 4);
    world.ended = {d};
    BOOST_TEST(engine.test(world));
    BOOST_TEST(first.heard.size() == heard_by_first);
    BOOST_TEST(second.heard.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(progress_tells_nobody_before_the_next_test_or_wait, mail) {
    auto const a = post(first, 1);
    auto const b = post(second, 2);
    world.ended = {a, b};
    engine.progress(world);
    BOOST_TEST(world.ended.empty());
    BOOST_TEST((first.heard.empty() && second.heard.empty()));
    // nothing is under way any more, but there is something to be told
    BOOST_TEST(engine.wait(world));
    BOOST_TEST((first.heard == numbers{1} && second.heard == numbers{2}));
    BOOST_TEST(!engine.wait(world));
}

// Otherwise a collective within an operator would wait for messages that have ended.
BOOST_FIXTURE_TEST_CASE(what_has_ended_is_told_before_anybody_waits, mail) {
    auto const a = post(first, 1);
    auto const b = post(second, 2);
    post(second, 3);
    bool waited = false;
    first.react = second.react = [&](std::uint32_t) {
        if (!std::exchange(waited, true)) { BOOST_TEST(engine.wait(world)); }
    };
    world.ended = {a, b};
    BOOST_TEST(engine.test(world));
    BOOST_TEST((first.heard == numbers{1}));
    BOOST_TEST((second.heard == numbers{2}));
}

BOOST_FIXTURE_TEST_CASE(what_goes_wrong_in_between_is_thrown_later, mail) {
    auto const a = post(first, 1);
    world.fail_next_test = true;
    BOOST_CHECK_NO_THROW(engine.progress(world));
    BOOST_CHECK_NO_THROW(engine.progress(world));
    BOOST_CHECK_THROW(engine.test(world), std::runtime_error);
    world.ended = {a};
    BOOST_TEST(engine.test(world));
    BOOST_TEST((first.heard == numbers{1}));
}

BOOST_FIXTURE_TEST_CASE(one_owner_is_told_and_the_others_later, mail) {
    auto const a = post(first, 1);
    auto const b = post(second, 2);
    auto const c = post(first, 3);
    world.ended = {a, b, c};
    BOOST_TEST(engine.test_for(world, first));
    BOOST_TEST(first.heard.size() == 2U);
    BOOST_TEST(second.heard.empty());
    BOOST_TEST(engine.test_for(world, first));
    BOOST_TEST(engine.test(world));
    BOOST_TEST((second.heard == numbers{2}));
    BOOST_TEST(!engine.test_for(world, first));
}

BOOST_AUTO_TEST_SUITE_END()
