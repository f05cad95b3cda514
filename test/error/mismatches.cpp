// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <functional>
#include <stdexcept>
#include <string>

#include <support/scripted_communicator.hpp>

#include <tutti/error.hpp>
#include <tutti/execution.hpp>
#include <tutti/generator/recursive_doubling.hpp>
#include <tutti/program/compile.hpp>

BOOST_AUTO_TEST_SUITE(error_mismatches)

using namespace tutti;
using namespace tutti::control;
using namespace tutti::engine;
using support::scripted_communicator;

namespace {

/// One rank of two in an all_reduce of one int: it posts a send and a receive.
struct all_reduction {
    scripted_communicator world;
    std::plus<> plus;
    int both = 1;
    executor<scripted_communicator, int, std::plus<>> run{world, world.new_tag(), compiled()};

    void start() { run.start(&both, &both, nullptr, plus); }

    static program compiled() {
        auto const cut = partition::equal(1, 1);
        data_layout where;
        where.result = location::input;
        where.provided = where.required = {0, 1};
        return compiler{cut, where}(generate(collective::all_reduce{}, recursive_doubling{}, problem{0, 2, 0, cut}));
    }
};

std::string message(std::exception const& wrong) { return wrong.what(); }

}  // namespace

BOOST_AUTO_TEST_CASE(messages_name_the_rank_and_the_fix) {
    BOOST_TEST(
        message(operand_missing{3}) ==
        "tutti: there is no result on this rank because an operand is missing: the operator threw on another rank "
        "(the news came from rank 3)");
    BOOST_TEST(message(count_mismatch{"reduce of 5 int", 1, 4, 0, 5}) ==
               "tutti: reduce of 5 int: rank 1 sent 4 elements to rank 0, which expects 5; give every rank the same "
               "number and "
               "type of elements and the same algorithm; TUTTI_CHECK=1 names both calls");
    BOOST_TEST(message(count_mismatch{"", 1, 1, 0, 5}).starts_with("tutti: : rank 1 sent 1 element to rank 0, "));
    operand_missing const follows{0};
    BOOST_TEST(dynamic_cast<secondary_error const*>(&follows) != nullptr);
    BOOST_CHECK_THROW(throw plan_dropped(2, "tutti: an exception"), operand_missing);
    BOOST_TEST(message(plan_dropped{2, "tutti: an exception"}) ==
               "tutti: there is no result on this rank because an operand is missing: rank 2 says: an exception");
}

BOOST_AUTO_TEST_CASE(one_handler_takes_all_that_needs_recovery) {
    auto const is_recovered = [](auto const& wrong) {
        try {
            throw wrong;
        } catch (needs_recovery const&) { return true; } catch (std::exception const&) {
            return false;
        }
    };
    BOOST_TEST(is_recovered(mismatched_calls{""}));
    BOOST_TEST(is_recovered(timed_out{""}));
    BOOST_TEST(is_recovered(rank_is_dead{1}));
    BOOST_TEST(is_recovered(plan_dropped{1, ""}));
    BOOST_TEST(is_recovered(peer_failed{1, ""}));
    BOOST_TEST(is_recovered(communicator_failed{""}));
    BOOST_TEST(is_recovered(count_mismatch{"", 1, 2, 0, 3}));
    BOOST_TEST(is_recovered(packet_mismatch{"", 1, "", 0, 2, ""}));
    BOOST_TEST(is_recovered(message_withdrawn{}));
    BOOST_TEST(!is_recovered(operand_missing{1}));
    BOOST_TEST(!is_recovered(std::invalid_argument{""}));
}

BOOST_FIXTURE_TEST_CASE(a_run_ends_with_its_messages, all_reduction) {
    start();
    BOOST_TEST(world.posted.size() == 2U);
    BOOST_TEST(run.running());
    BOOST_TEST(!run.test());
    world.ended = world.posted;
    run.wait();
    BOOST_TEST(!run.running());
    BOOST_TEST(run.test());
}

BOOST_FIXTURE_TEST_CASE(a_start_that_fails_leaves_nothing_under_way, all_reduction) {
    world.posts_until_failure = 1;
    BOOST_CHECK_THROW(start(), std::runtime_error);
    BOOST_TEST(!run.running());
    BOOST_TEST((world.cancelled == world.posted));
}

BOOST_FIXTURE_TEST_CASE(a_wait_that_fails_leaves_nothing_under_way, all_reduction) {
    start();
    BOOST_CHECK_THROW(run.wait(), std::logic_error);  // nothing ends
    BOOST_TEST(!run.running());
    BOOST_TEST(world.cancelled.size() == 2U);
}

// The communicator has reported a request as failed and forgotten it: it will never end.
BOOST_FIXTURE_TEST_CASE(nobody_waits_for_messages_that_are_lost, all_reduction) {
    start();
    world.forget = true;
    BOOST_CHECK_EXCEPTION(run.wait(), std::logic_error, [](auto const& wrong) {
        return message(wrong).starts_with("tutti: a collective waits for messages of which none is under way");
    });
    BOOST_TEST(!run.running());
}

BOOST_AUTO_TEST_CASE(a_run_that_an_exception_destroys_is_given_up) {
    scripted_communicator world;
    std::plus<> plus;
    int both = 1;
    try {
        executor<scripted_communicator, int, std::plus<>> run{world, world.new_tag(), all_reduction::compiled()};
        run.start(&both, &both, nullptr, plus);
        throw std::length_error{"elsewhere"};
    } catch (std::length_error const&) {
        BOOST_TEST(world.cancelled.size() == 2U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
