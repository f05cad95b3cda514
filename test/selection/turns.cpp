// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <support/expected_times.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/hierarchical.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_multiplying.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/turns.hpp>

BOOST_AUTO_TEST_SUITE(selection_turns)

using namespace tutti;
using namespace tutti::selection;

namespace {

/// Ranks on one node; in seconds.
own_parameters on_node(std::size_t size, std::size_t bytes, std::size_t processors) {
    own_parameters now{size, bytes};
    now.nodes = node_map{}.with_processors(processors);
    return now;
}

using any_reduce = generators::any_generator<collective::reduce>;

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_with_processors_of_their_own_wait_for_no_turn) {
    BOOST_TEST(on_node(8, 8, 0).ranks_per_processor() == 1);
    BOOST_TEST(on_node(8, 8, 16).ranks_per_processor() == 1);
    BOOST_TEST(on_node(8, 8, 2).ranks_per_processor() == 4);
    BOOST_TEST(time_in_turns(any_reduce{binomial{}}, on_node(8, 8, 8), 3e-6) == 3e-6);
}

BOOST_AUTO_TEST_CASE(who_waits_for_what_comes_back_has_another_turn) {
    auto const now = on_node(8, 8, 2);
    constexpr double others = 3 * machine_model::usual_turn;
    // up a tree every rank runs once
    BOOST_TEST(time_in_turns(any_reduce{binomial{}}, now, 1e-3) - 1e-3 == others, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(time_in_turns(any_reduce{linear{}}, now, 1e-3) - 1e-3 == others, boost::test_tools::tolerance(1e-9));
    // in each of three exchanges a rank sends and then waits
    using any_all_reduce = generators::any_generator<collective::all_reduce>;
    auto const exchanges = time_in_turns(any_all_reduce{recursive_multiplying{.radix = 2}}, now, 1e-3) - 1e-3;
    BOOST_TEST(exchanges == 4 * others, boost::test_tools::tolerance(1e-9));
    // what was measured while all ranks sent at once contains that
    auto measured = now;
    measured.its.distances = {{1, 1, 1}};
    BOOST_TEST(time_in_turns(any_reduce{binomial{}}, measured, 1e-3) == 1e-3);
}

BOOST_AUTO_TEST_CASE(processors_do_the_work_of_all_ranks) {
    auto now = on_node(8, 1 << 20, 2);
    now.its.distances = {{1, 1, 1}};
    now.its.within_node = {.latency = 0, .overhead = 0, .gap = 0, .per_byte = 1e-9};
    now.its.handling = 0;
    now.combine_per_byte = 1e-9;
    // seven vectors are copied and combined by two processors
    BOOST_TEST(time_in_turns(any_reduce{binomial{}}, now, 0) == 7.0 * (1 << 20) * 2e-9 / 2,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(threads_of_processes_combine_while_they_read_and_copy_what_they_send_to_others) {
    auto now = on_node(4, 1 << 20, 1);
    now.nodes = node_map::of_width(2).with_processors(1).on_one_machine(true);
    now.lends_objects = true;
    now.its.distances = {{1, 1, 1}};
    now.its.within_node = {.latency = 0, .overhead = 0, .gap = 0, .per_byte = 1e-9};
    now.its.handling = 0;
    now.combine_per_byte = 1e-9;
    // 0 reads what 1 has, 2 what 3 has, and then 2 sends to 0, which combines
    BOOST_TEST(time_in_turns(any_reduce{binomial{}}, now, 0) == (2.0 + 3.0) * (1 << 20) * 1e-9 / 2,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(threads_of_a_process_send_to_others_one_at_a_time) {
    using any_all_reduce = generators::any_generator<collective::all_reduce>;
    own_parameters now{32, 8};
    now.nodes = node_map::of_width(8).on_one_machine(true);
    any_all_reduce const by_all{recursive_multiplying{.radix = 2}};
    any_all_reduce const by_leaders{hierarchical{.nodes = now.nodes}};
    BOOST_TEST(time_in_turns(by_all, now, 1e-6) == 1e-6);
    now.lends_objects = true;
    BOOST_TEST(time_in_turns(by_leaders, now, 1e-6) == 1e-6);
    // in two rounds seven threads have two messages each before the last one
    auto const message = now.its.within_node.overhead + now.its.handling + 8 * now.its.within_node.per_byte;
    BOOST_TEST(time_in_turns(by_all, now, 1e-6) - 1e-6 == 7 * 2 * 2 * message, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(candidates_for(collective::all_reduce{}, now, false).best().generator.name() == "hierarchical");
}

BOOST_AUTO_TEST_CASE(fewer_and_longer_messages_are_chosen_where_ranks_share_processors) {
    auto const blocks_on = [](std::size_t processors) {
        auto const now = on_node(8, 1 << 20, processors);
        auto const chosen = candidates_for(collective::reduce{}, now, true).best();
        return chosen.generator.blocks(now.size, now.bytes);
    };
    BOOST_TEST(blocks_on(2) <= blocks_on(8));
}

BOOST_AUTO_TEST_SUITE_END()
