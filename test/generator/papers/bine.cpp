// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <cstddef>
#include <map>
#include <type_traits>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/scan_counts.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/papers/bine.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/selection/automatic_among.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_bine)

using namespace tutti;

namespace {

constexpr collective::reduce reduce;
constexpr collective::all_reduce all_reduce;

/// How many messages go how far in which round, on a circle of `size` ranks.
template <class Generator>
std::map<std::size_t, std::map<std::size_t, std::size_t>> distances(Generator const& generator, std::size_t size,
                                                                    std::size_t root) {
    std::map<std::size_t, std::map<std::size_t, std::size_t>> result;
    for (std::size_t rank = 0; rank != size; ++rank) {
        for (step const& each : generate(reduce, generator, problem{rank, size, root, partition::equal(1, 1)})) {
            auto const apart = std::max(each.peer, rank) - std::min(each.peer, rank);
            if (each.what == schedules::action::send) { ++result[each.round][std::min(apart, size - apart)]; }
        }
    }
    return result;
}

std::size_t travelled(std::map<std::size_t, std::map<std::size_t, std::size_t>> const& by_round) {
    std::size_t result = 0;
    for (auto const& [round, messages] : by_round) {
        for (auto const& [distance, count] : messages) { result += distance * count; }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(keeps_the_laws) {
    laws::check_schedules(reduce, bine{});
    laws::check_lengths(reduce, bine{});
    laws::check_schedules(all_reduce, then(bine{}, reverse(bine{})));
}

BOOST_AUTO_TEST_CASE(any_number_of_ranks_is_proved_and_costs_what_its_row_states) {
    std::vector<std::size_t> sizes{64};
    for (std::size_t p = 2; p <= 17; ++p) { sizes.push_back(p); }
    for (auto const p : sizes) {
        for (std::size_t root = 0; root != p; ++root) {
            cost::check(reduce, bine{}, p, root, partition::equal(6, 2), cost::rounds == support::log2_up(p),
                        cost::max_volume_sent == 6U, cost::max_combines == 6 * support::log2_up(p));
        }
        BOOST_TEST(laws::proves(all_reduce, then(bine{}, reverse(bine{})), p, 0, partition::equal(6, 2)));
    }
    BOOST_TEST(laws::proves(reduce, bine{}, 1, 0, partition::equal(6, 2)));
}

BOOST_AUTO_TEST_CASE(distances_are_the_sums_of_powers_of_minus_two) {
    for (std::size_t const root : {0U, 5U}) {
        auto const found = distances(bine{}, 64, root);
        std::vector<std::size_t> const expected{1, 1, 3, 5, 11, 21};
        BOOST_TEST(found.size() == expected.size());
        for (auto const& [round, messages] : found) {
            BOOST_TEST(messages.size() == 1U);
            BOOST_TEST(messages.begin()->first == expected[round]);
            BOOST_TEST(messages.begin()->second == std::size_t{32} >> round);
        }
    }
}

BOOST_AUTO_TEST_CASE(messages_go_a_third_less_far_than_those_of_a_binomial_tree) {
    for (std::size_t size = 64; size <= 1024; size *= 2) {
        auto const ratio = static_cast<double>(travelled(distances(bine{}, size, 0))) /
                           static_cast<double>(travelled(distances(binomial{}, size, 0)));
        BOOST_TEST(ratio > 0.65);
        BOOST_TEST(ratio < 0.8);
    }
}

BOOST_AUTO_TEST_CASE(is_chosen_among_slower_ones) {
    call_parameters const now{.size = 16, .bytes = 8, .nodes = node_map::of_width(1)};
    auto const among = automatic_among(ring{}, bine{});
    selection::held_among<collective::all_reduce, std::remove_const_t<decltype(among)>> const held{among, true};
    BOOST_TEST(held.pick(now).generator.name() == "then(bine, reverse(bine))");
}

BOOST_AUTO_TEST_SUITE_END()
