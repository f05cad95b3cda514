// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/program/dependences.hpp>

BOOST_AUTO_TEST_SUITE(program_dependences)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::schedules;

namespace {

struct touch {
    bool writes;
    std::uint32_t memory;
    std::size_t block;
};

touch reads(std::uint32_t memory, std::size_t block) { return {false, memory, block}; }
touch writes(std::uint32_t memory, std::size_t block) { return {true, memory, block}; }

/// "0>1 0>2": which instructions follow which.
std::string dependences(std::vector<std::vector<touch>> const& instructions) {
    dependence_tracker tracker{4};
    tutti::engine::program run;
    for (std::uint32_t index = 0; index != instructions.size(); ++index) {
        for (auto const& each : instructions[index]) {
            each.writes ? tracker.write(each.memory, each.block) : tracker.read(each.memory, each.block);
        }
        tracker.commit(index, 0, {});
    }
    run.instructions.resize(instructions.size());
    tracker.write_to(run);
    std::string text;
    std::vector<std::uint32_t> predecessors(instructions.size());
    for (std::size_t i = 0; i != run.instructions.size(); ++i) {
        auto const& each = run.instructions[i];
        for (auto f = each.first_follower; f != each.last_follower; ++f) {
            text += (text.empty() ? "" : " ") + std::to_string(i) + '>' + std::to_string(run.followers[f]);
            ++predecessors[run.followers[f]];
        }
    }
    for (std::size_t i = 0; i != predecessors.size(); ++i) {
        BOOST_TEST(run.instructions[i].predecessors == predecessors[i]);
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(readers_do_not_wait_for_readers) {
    BOOST_TEST(dependences({{reads(0, 1)}, {reads(0, 1)}, {reads(0, 1)}}).empty());
}

BOOST_AUTO_TEST_CASE(a_reader_waits_for_the_last_writer) {
    BOOST_TEST(dependences({{writes(0, 1)}, {reads(0, 1)}, {reads(0, 1)}}) == "0>1 0>2");
    BOOST_TEST(dependences({{writes(0, 1)}, {writes(0, 1)}, {reads(0, 1)}}) == "0>1 1>2");
}

BOOST_AUTO_TEST_CASE(a_writer_waits_for_all_readers_since_the_last_write) {
    BOOST_TEST(dependences({{reads(3, 1)}, {reads(3, 1)}, {writes(3, 1)}, {reads(3, 1)}, {writes(3, 1)}}) ==
               "0>2 1>2 2>3 2>4 3>4");
}

BOOST_AUTO_TEST_CASE(other_blocks_and_memories_do_not_matter) {
    BOOST_TEST(dependences({{writes(0, 1)}, {writes(0, 2)}, {writes(1, 1)}, {reads(5, 1)}}).empty());
}

BOOST_AUTO_TEST_CASE(an_instruction_waits_once_for_another_and_never_for_itself) {
    BOOST_TEST(dependences({{reads(0, 0), writes(0, 0), reads(0, 1), writes(0, 1)},
                            {reads(0, 0), reads(0, 1), writes(0, 0), writes(0, 1)}}) == "0>1");
}

BOOST_AUTO_TEST_CASE(what_came_to_nothing_is_forgotten) {
    dependence_tracker tracker{1};
    tracker.write(0, 0);
    tracker.forget();
    tracker.read(0, 0);
    tracker.commit(0, 0, {});
    tutti::engine::program run;
    run.instructions.resize(1);
    tracker.write_to(run);
    BOOST_TEST(run.followers.empty());
    BOOST_TEST(run.instructions[0].predecessors == 0U);
}

BOOST_AUTO_TEST_CASE(who_overwrites_what_is_sent_in_the_same_round_is_marked) {
    tutti::engine::program run;
    run.instructions.resize(4);
    run.instructions[1].what = action::receive_combine;
    run.instructions[2].what = action::receive_combine;
    run.instructions[3].what = action::receive;
    dependence_tracker tracker{2};
    tracker.read(0, 0);
    tracker.commit(0, 5, {});
    for (std::uint32_t index = 1; index != 4; ++index) {
        tracker.write(0, index == 1 ? 0 : 1);
        tracker.commit(index, 5, {});
    }
    tracker.write_to(run);
    BOOST_TEST(run.instructions[1].waits_for_send);
    BOOST_TEST(!run.instructions[2].waits_for_send);
    BOOST_TEST(!run.instructions[3].waits_for_send);
}

BOOST_AUTO_TEST_CASE(who_overwrites_what_was_sent_in_an_earlier_round_just_waits) {
    tutti::engine::program run;
    run.instructions.resize(2);
    run.instructions[1].what = action::receive_combine;
    dependence_tracker tracker{1};
    tracker.read(0, 0);
    tracker.commit(0, 5, {});
    tracker.write(0, 0);
    tracker.commit(1, 6, {});
    tracker.write_to(run);
    BOOST_TEST(run.instructions[1].predecessors == 1U);
    BOOST_TEST(!run.instructions[1].waits_for_send);
}

namespace {

/// "2>3": which receives messages wait for, if those of more than 10 elements must not get ahead of the rounds.
struct posted {
    action what;
    std::size_t round;
    std::size_t elements;
};
std::string waits(std::vector<posted> const& all) {
    dependence_tracker tracker{1, 10};
    tutti::engine::program run;
    for (std::uint32_t index = 0; index != all.size(); ++index) {
        instruction now;
        now.what = all[index].what;
        now.elements = all[index].elements;
        run.instructions.push_back(now);
        tracker.commit(index, all[index].round, now);
    }
    tracker.write_to(run);
    std::string text;
    for (std::size_t i = 0; i != run.instructions.size(); ++i) {
        auto const& each = run.instructions[i];
        for (auto f = each.first_follower; f != each.last_follower; ++f) {
            text += (text.empty() ? "" : " ") + std::to_string(i) + '>' + std::to_string(run.followers[f]);
        }
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(long_messages_wait_for_what_earlier_rounds_bring) {
    auto const send = action::send;
    auto const receive = action::receive;
    auto const combine = action::receive_combine;
    BOOST_TEST(waits({{receive, 0, 5}, {send, 1, 11}}) == "0>1");
    BOOST_TEST(waits({{combine, 0, 99}, {send, 1, 11}, {send, 1, 99}}) == "0>1 0>2");
    BOOST_TEST(waits({{receive, 0, 5}, {receive, 2, 5}, {send, 5, 11}}) == "1>2");
    // short ones and those of the same round do not wait
    BOOST_TEST(waits({{receive, 0, 5}, {send, 1, 10}}).empty());
    BOOST_TEST(waits({{receive, 3, 5}, {send, 3, 11}}).empty());
    BOOST_TEST(waits({{receive, 2, 5}, {receive, 3, 5}, {send, 3, 11}, {send, 4, 11}}) == "0>2 1>3");
    // what is received into its place waits too; what is combined then may come early
    BOOST_TEST(waits({{receive, 0, 5}, {receive, 1, 11}, {receive, 1, 10}, {receive, 2, 99}}) == "0>1 2>3");
    BOOST_TEST(waits({{receive, 0, 5}, {combine, 1, 99}}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
