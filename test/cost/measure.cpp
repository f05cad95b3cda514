// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/communicator/control_channel.hpp>
#include <tutti/cost/file.hpp>
#include <tutti/cost/measure.hpp>
#include <tutti/operation/minmax.hpp>
#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)
#include <support/timed_ranks.hpp>
#endif

BOOST_AUTO_TEST_SUITE(cost_measure)

namespace {

/// The text of rank 0's model, on all ranks.
template <class World>
std::string text_of_rank_0(World& world, tutti::machine_model const& model) {
    std::ostringstream out;
    write(out, model);
    auto text = out.str();
    text.resize(4000, ' ');
    tutti::messaging::control_channel channel{tutti::communicator_of<std::remove_cvref_t<World>>::get(world)};
    channel.broadcast(std::as_writable_bytes(std::span{text}));
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

template <class World>
void check_model(World& world, tutti::machine_model const& model) {
    std::ostringstream own;
    write(own, model);
    support::check_equal(own.str(), text_of_rank_0(world, model), "the model");
    tutti::pricing::model_file::for_each_quantity(model, [](std::string const& name, auto, double cost) {
        support::check(std::isfinite(cost) && cost >= 0, name + " is " + support::shown(cost));
    });
    for (auto const& link : {model.between_nodes, model.within_node}) {
        support::check(link.transfer(1'000'000) > 0, "messages take time");  // on a busy machine a fit may find none per byte
    }
    support::check(model.exchange_factor >= 1 && model.exchange_factor <= 2, "exchange");
    support::check(tutti::pricing::combine_cost<std::plus<>, double>(model) == model.combine_per_byte,
                   "γ is that of double");
    support::check(model.combine_per_byte > 0, "combines take time");
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_go_through_memory_unless_those_of_mpi_are_clearly_faster) {
    using tutti::pricing::measuring::measured_link;
    auto const slower = [](double by) {
        return measured_link{.messages = {by * 3e-7, by * 2e-7, by * 2e-7, by * 5e-11}, .shortest = by * 7e-7};
    };
    BOOST_TEST(tutti::pricing::measuring::shared_memory_is_faster(slower(1.2), slower(1)));
    BOOST_TEST(!tutti::pricing::measuring::shared_memory_is_faster(slower(1.3), slower(1)));
    // short ones count as much as long ones
    measured_link const sooner{.messages = {2e-7, 1.5e-7, 2e-7, 10e-11}, .shortest = 5e-7};
    BOOST_TEST(tutti::pricing::measuring::shared_memory_is_faster(sooner, slower(1)));
    BOOST_TEST(tutti::pricing::measuring::shared_memory_is_faster(slower(1), sooner));
    // what all lengths cost says little of the shortest
    auto misjudged = slower(1.3);
    misjudged.shortest = 4e-7;
    BOOST_TEST(tutti::pricing::measuring::shared_memory_is_faster(misjudged, slower(1)));
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_measure_the_same_model) {
    auto& ranks = tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world);
    if constexpr (std::remove_cvref_t<decltype(ranks)>::fetches_memory) {  // not over threads
        ranks.sharing(tutti::memory_sharing::automatic);  // whatever the environment says
        ranks.share_memory(false);
    }
    auto const model = tutti::measure(world);
    check_model(world, model);
    if constexpr (std::remove_cvref_t<decltype(ranks)>::fetches_memory) {  // not over threads
        support::check(!ranks.shares_memory(), "messages go as before");
        ranks.share_memory(true);
        check_model(world, tutti::measure(world));
        support::check(ranks.shares_memory(), "messages go as before");
        ranks.share_memory(false);
    } else {
        support::check(!model.through_memory, "there is one way");
    }
    support::check_equal(model.combines.size(), 2U, "operators");
    if (support::size_of(world) == 1) {
        tutti::machine_model const untouched;
        support::check(model.between_nodes == untouched.between_nodes, "default without messages");
        support::check(model.within_node == untouched.within_node, "default without messages");
    } else {
        support::check(model.between_nodes == model.within_node, "one level");
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(operators_may_be_added) {
    auto const model = tutti::measure(world, tutti::combining<float>(tutti::maximum<>{}),
                                      tutti::combining<std::int64_t>(std::multiplies<>{}));
    check_model(world, model);
    support::check_equal(model.combines.size(), 4U, "operators");
    auto const name = tutti::pricing::combine_name<std::multiplies<>, std::int64_t>();
    support::check(model.combines.at(name) > 0, "the cost of one");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(what_an_operator_throws_leaves_all_ranks) {
    auto const failing = [](int, int) -> int { throw std::domain_error{"not today"}; };
    auto const call = [&] { static_cast<void>(tutti::measure(world, tutti::combining<int>(failing))); };
    if (support::rank_of(world) == 0) {
        support::check_equal(support::message_of<std::domain_error>(call), "not today", "on rank 0");
    } else {
        support::check(support::message_of<tutti::pricing::measurement_failed>(call).starts_with("tutti: "),
                       "on others");
    }
    support::check(!text_of_rank_0(world, {}).empty(), "ranks can talk as before");
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)
BOOST_AUTO_TEST_CASE(both_levels_are_measured) {
    tutti::machine_model truth;
    truth.between_nodes = {30e-6, 10e-6, 12e-6, 8e-9};
    truth.within_node = {0.4e-6, 0.1e-6, 0.2e-6, 0.5e-9};
    auto const close = [](double seen, double expected) {
        support::check(std::abs(seen - expected) <= 0.01 * expected,
                       support::shown(seen) + " instead of " + support::shown(expected));
    };
    using nodes = std::vector<std::size_t>;
    for (auto const& map : {nodes{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3, 3, 2, 0}}) {
        tutti::threads::run(static_cast<int>(map.size()), [&](auto& ranks) {
            support::timed_rank world{ranks, truth, tutti::node_map{map}};
            auto const seen = tutti::measure(world);
            for (auto const& [mine, right] :
                 {std::pair{seen.between_nodes, truth.between_nodes}, std::pair{seen.within_node, truth.within_node}}) {
                close(mine.latency, right.latency);
                close(mine.overhead, right.overhead);
                close(mine.gap, right.gap);
                close(mine.per_byte, right.per_byte);
            }
            close(seen.exchange_factor, 1);
            support::check_equal(seen.combine_per_byte, 0.0, "γ where computing takes no time");
        });
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(messages_are_no_longer_than_allowed) {
    for (std::size_t const limit : {64U, 256U, 1500U, 100'000U}) {
        tutti::threads::run(3, [](auto& world) { static_cast<void>(tutti::measure(world)); }, {.message_limit = limit});
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(luck_does_not_matter) {
    for (unsigned const seed : {1U, 2U}) {
        tutti::threads::run(3, [](auto& world) { check_model(world, tutti::measure(world)); }, {.perturb = seed});
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(one_pair_talks_much_and_all_to_those_1_2_4_ranks_ahead) {
    auto const traffic =
        tutti::threads::run(4, [](auto& world) { static_cast<void>(tutti::measure(world)); }).traffic();
    for (int from = 0; from < 4; ++from) {
        for (int to = 0; to < 4; ++to) {
            auto const ahead = (to - from + 4) % 4;
            bool const much = from + to == 1 || ahead == 1 || ahead == 2;
            BOOST_TEST((traffic.bytes(from, to) > 2000) == much, from << " to " << to);
        }
    }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
