// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/cost/in_use.hpp>

BOOST_AUTO_TEST_SUITE(cost_in_use)

namespace {

struct long_element {
    std::array<double, 5000> values;
    [[maybe_unused]] friend long_element operator+(long_element a, long_element const& b) {
        for (std::size_t i = 0; i != a.values.size(); ++i) { a.values[i] += b.values[i]; }
        return a;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(a_world_has_the_model_that_was_given_last) {
    tutti::use(world, tutti::machine_model{});
    support::check(tutti::machine_of(world) == tutti::machine_model{}, "the default");
    tutti::machine_model model;
    model.combine_per_byte = 7;
    model.combines["f int"] = 8;
    tutti::use(world, model);
    support::check(tutti::machine_of(world) == model, "the model in use");
    support::check(tutti::pricing::combine_cost<int, int>(tutti::machine_of(world)) == 7, "its costs");
}

// All ranks of a test are on one node.
BOOST_AUTO_TEST_CASE_ON_RANKS(messages_go_the_way_of_the_model) {
    auto& ranks = tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world);
    if constexpr (std::remove_cvref_t<decltype(ranks)>::fetches_memory) {  // not over threads
        int const one = 1;
        int of_plan = 0;
        auto const plan = tutti::plan::all_reduce(world, one, of_plan, std::plus<>{});
        ranks.sharing(tutti::memory_sharing::automatic);  // whatever the environment says
        for (bool const through_memory : {true, false, true, false}) {
            tutti::use(world, {.through_memory = through_memory});
            support::check_equal(ranks.shares_memory(), through_memory, "the way");
            auto const way = through_memory ? ", messages through memory" : ", messages by MPI\n";
            support::check(plan.explain().find(way) != std::string::npos, "what an older plan says of the way");
            std::vector<long_element> long_ones(3, {{1}}), sums(3);
            tutti::all_reduce(world, long_ones, sums, std::plus<>{});
            support::check_equal(sums.back().values.front(), ranks.size(), "elements too long for memory");
            int const all = tutti::all_reduce(world, 1, std::plus<>{});
            support::check_equal(all, ranks.size(), "a result");
            int const in = 1;
            int out = 0;
            auto const text = tutti::plan::all_reduce(world, in, out, std::plus<>{}).explain();
            support::check(text.find(way) != text.npos, "what a plan says of the way: " + text);
        }
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(impossible_costs_are_refused) {
    auto const refusal = [&](tutti::machine_model const& model) {
        return support::message_of<std::invalid_argument>([&] { tutti::use(world, model); });
    };
    auto const before = tutti::machine_of(world);
    tutti::machine_model model;
    model.within_node.gap = -1;
    support::check_equal(refusal(model),
                         "tutti: this machine_model cannot be used: its 'within_node gap' is negative", "negative");
    model = {};
    model.combines["f int"] = std::numeric_limits<double>::quiet_NaN();
    support::check_equal(refusal(model), "tutti: this machine_model cannot be used: its 'combine f int' is not finite",
                         "not finite");
    model = {};
    model.choices = {{.collective = "all_reduce", .from = 8, .to = 8, .algorithm = "ring"}};
    support::check_equal(refusal(model),
                         "tutti: this machine_model cannot be used: it has a rule to choose by, but no vector has "
                         "at least 8 and less than 8 bytes",
                         "a rule for no vector");
    support::check(tutti::machine_of(world) == before, "nothing has changed");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_ranks_give_the_same_model) {
    auto const before = tutti::machine_of(world);
    int const size = tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world).size();
    int const rank = tutti::communicator_of<std::remove_cvref_t<decltype(world)>>::get(world).rank();
    if (size == 1) { return; }
    for (int other = 0; other != size; ++other) {
        tutti::machine_model model;
        if (rank == other) { model.choices = {{.collective = "all_reduce", .algorithm = "ring"}}; }
        auto const message = support::message_of<std::invalid_argument>([&] { tutti::use(world, model); });
        support::check(message.starts_with("tutti: this machine_model cannot be used: another rank gives another one"),
                       message);
        model.choices.clear();
        if (rank == other) { model.fitted.circulants = 2; }  // of which no file has anything
        static_cast<void>(support::message_of<std::invalid_argument>([&] { tutti::use(world, model); }));
        if (rank == other) { model.handling = -1; }
        auto const why = support::message_of<std::invalid_argument>([&] { tutti::use(world, model); });
        support::check(why.find(rank == other ? "is negative" : "another rank") != std::string::npos, why);
    }
    support::check(tutti::machine_of(world) == before, "nothing has changed");
}

#if !defined(TUTTI_TEST_OVER_MPI) && !defined(TUTTI_TEST_OVER_BOOST_MPI)
BOOST_AUTO_TEST_CASE(a_world_begins_with_the_default) {
    tutti::threads::run(
        2, [](auto& world) { support::check(tutti::machine_of(world) == tutti::machine_model{}, "the default"); });
    BOOST_TEST(true);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
