// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include <tutti/arrivals.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/learning.hpp>
#include <tutti/learning/call_history.hpp>
#include <tutti/operation/minmax.hpp>

BOOST_AUTO_TEST_SUITE(learning_call_history)

namespace {

constexpr std::size_t watched = 17'000;  // ints: more than 64 KiB, so that arrivals matter

template <class World>
auto& ranks_of(World& world) {
    return tutti::communicator_of<World>::get(world);
}

template <class World>
auto& history_of(World& world) {
    using C = std::remove_cvref_t<decltype(ranks_of(world))>;
    return tutti::selection::call_history<C>::of(ranks_of(world));
}

template <class World>
std::size_t records_of(World& world) {
    return history_of(world).records().all.size();
}

template <class World>
void reduce(World& world, std::size_t n, bool by_arrivals = true) {
    std::vector<int> const in(n, support::rank_of(world));
    std::vector<int> out(n);
    if (by_arrivals) {
        tutti::all_reduce(world, in, out, tutti::maximum<>{}, tutti::arrival_aware{});
    } else {
        tutti::all_reduce(world, in, out, tutti::maximum<>{});
    }
    support::check(out.back() == support::size_of(world) - 1, "the maximum");
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(the_first_64_lengths_have_a_record_and_all_calls_are_right) {
    // memory that ranks begin to share would begin a generation
    tutti::configure(world, tutti::execution{.shared_memory = tutti::memory_sharing::never});
    tutti::use(world, tutti::learning{.on = false});
    for (std::size_t i = 0; i != 70; ++i) { reduce(world, watched + i); }
    reduce(world, 10);
    auto const expected = support::size_of(world) < 3 ? 0 : tutti::selection::call_records::most;
    support::check_equal(records_of(world), expected, "records");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(calls_that_name_no_algorithm_and_those_by_arrivals_have_one_record) {
    tutti::use(world, tutti::learning{});
    for (int call = 0; call != 5; ++call) {
        reduce(world, watched, false);
        reduce(world, watched);
    }
    support::check_equal(records_of(world), std::size_t{1}, "records");
    tutti::use(world, tutti::learning{.on = false});
    support::check_equal(records_of(world), std::size_t{0}, "records afterwards");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(a_generation_that_begins_in_a_call_is_noticed_by_the_next_one) {
    auto& ranks = ranks_of(world);
    auto& history = history_of(world);
    tutti::selection::planned_call call;
    call.kind = &tutti::engine::kind_of_call<tutti::collective::all_reduce, int, std::plus<>, tutti::automatic>;
    call.size = static_cast<std::size_t>(ranks.size());
    call.machine = &ranks.store().template get<tutti::machine_model>();
    call.nodes = &ranks.nodes();
    auto const make = [&](std::size_t n, auto meanwhile) {
        call.elements = n;
        auto const now = tutti::selection::call_parameters_of(tutti::collective::all_reduce{}, call);
        static_cast<void>(history.begin_by_arrivals(call, now));
        meanwhile();
        history.end();
    };
    auto const nothing = [] {};
    std::size_t const known = ranks.size() < 3 ? 0 : 1;
    ranks.supervisor().begin_generation();
    make(watched, nothing);
    make(watched, nothing);
    support::check_equal(records_of(world), known, "of one length");
    make(watched + 1, [&] { ranks.supervisor().begin_generation(); });
    support::check_equal(records_of(world), 2 * known, "of two lengths, until the next call");
    make(watched, nothing);
    support::check_equal(records_of(world), known, "of the new generation");
}

BOOST_AUTO_TEST_SUITE_END()
