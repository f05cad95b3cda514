// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <range/v3/algorithm/equal.hpp>

#include <laws/schedule_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <support/sentences.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/ported_circulant.hpp>

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace tutti {

/// One port, and it says so.
struct circulant_by_one_port {
    ported_circulant generator{.ports = 1};
    friend bool operator==(circulant_by_one_port const&, circulant_by_one_port const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<circulant_by_one_port>) {
    return {.name = "circulant_by_one_port", .requires_commutative = true};
}

static auto generate(collective::reduce_scatter which, circulant_by_one_port const& one, problem const& at) {
    return generate(which, one.generator, at);
}

}  // namespace tutti

namespace {

using support::one_block_each;

constexpr collective::reduce_scatter which;

std::string association(std::size_t size, std::size_t ports, std::size_t rank) {
    return bracketings(which, ported_circulant{ports}, size, 0, one_block_each(size), rank)[rank];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(generator_ported_circulant)

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part) {
    laws::check_schedules(which, ported_circulant{});
    laws::check_schedules(collective::all_gather{}, reverse(ported_circulant{}));
    laws::check_schedules(collective::all_reduce{}, then(ported_circulant{}, reverse(ported_circulant{})),
                          {1, 2, 3, 4, 5, 16, 17, 33});
    for (std::size_t const ports : {1U, 2U, 7U, 64U}) {
        ported_circulant const generator{ports};
        laws::check_schedules(which, generator, laws::sizes, {partition::equal(16, 8)});
        laws::check_schedules(collective::all_gather{}, reverse(generator), laws::sizes, {partition::equal(16, 8)});
    }
    laws::check_schedules(which, ported_circulant{.ports = 64}, {65, 100, 129}, {partition::equal(130, 130)});
    std::vector<partition> own_counts{partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1, 0, 40, 2})};
    laws::check_schedules(which, ported_circulant{}, {7}, own_counts);
    laws::check_lengths(which, ported_circulant{});
    laws::check_lengths(collective::all_gather{}, reverse(ported_circulant{}));
}

BOOST_AUTO_TEST_CASE(with_one_port_it_is_the_circulant_step_for_step) {
    for (std::size_t size = 1; size <= 40; ++size) {
        for (auto const& cut : {one_block_each(size), partition::equal(5, 8)}) {
            for (std::size_t rank = 0; rank < size; ++rank) {
                problem const at{rank, size, 0, cut};
                laws::check_same(which, ported_circulant{.ports = 1}, circulant{}, at);
            }
        }
    }
    laws::check_schedules(which, circulant_by_one_port{});
}

BOOST_AUTO_TEST_CASE(rounds_messages_and_volume_are_those_stated) {
    for (std::size_t ports = 1; ports <= 7; ++ports) {
        std::size_t rounds = 0;
        std::size_t reached = 1;
        for (std::size_t size = 1; size <= 130; ++size) {
            if (size > reached) {
                reached *= ports + 1;
                ++rounds;
            }
            std::size_t messages = 0;
            for (auto left = size; left > 1;) {
                auto const skip = (left + ports) / (ports + 1);
                messages += (left + skip - 1) / skip - 1;
                left = skip;
            }
            auto const cost = cost::check(which, ported_circulant{ports}, size, 0, one_block_each(size, 3),
                                          cost::rounds == rounds, cost::rounds_used == rounds,
                                          cost::messages == size * messages, cost::max_messages_sent == messages);
            BOOST_TEST(messages <= ports * rounds);
            cost::check(cost, cost::max_volume_sent == 3 * (size - 1), cost::max_volume_received == 3 * (size - 1),
                        cost::max_combines == 3 * (size - 1), cost::volume == 3 * size * (size - 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_round_has_no_more_messages_than_ports_all_sent_before_one_is_waited_for) {
    for (std::size_t const ports : {1U, 2U, 3U, 6U}) {
        for (std::size_t size = 1; size <= 80; ++size) {
            auto const cut = one_block_each(size);
            auto const all = generate(which, ported_circulant{ports}, problem{size / 3, size, 0, cut});
            std::vector<std::size_t> sends(all.rounds(), 0);
            std::vector<std::size_t> receives(all.rounds(), 0);
            for (step const& each : all) {
                if (each.what == action::send) { BOOST_TEST(receives[each.round] == 0U); }
                ++(each.what == action::send ? sends : receives)[each.round];
            }
            for (std::size_t round = 0; round < all.rounds(); ++round) {
                BOOST_TEST(sends[round] <= ports);
                BOOST_TEST(sends[round] == receives[round]);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(parts_go_to_multiples_of_the_distance) {
    auto const cut = one_block_each(17);
    auto const result = buffer::result();
    auto const all = generate(which, ported_circulant{.ports = 3}, problem{2, 17, 0, cut});
    auto const range = [](std::size_t first, std::size_t last) { return block_list{block_range{first, last}}; };
    // 17, 5, 2, 1
    std::vector<step> const expected{step::send(0, 7, result, range(7, 12)),
                                     step::send(0, 12, result, range(12, 17)),
                                     step::send(0, 0, result, range(0, 2)),
                                     step::receive_combine(0, 14, result, range(2, 7), side::left),
                                     step::receive_combine(0, 9, result, range(2, 7), side::left),
                                     step::receive_combine(0, 4, result, range(2, 4), side::left),
                                     step::send(1, 4, result, range(4, 6)),
                                     step::send(1, 6, result, range(6, 7)),
                                     step::receive_combine(1, 0, result, range(2, 4), side::left),
                                     step::receive_combine(1, 15, result, range(2, 3), side::left),
                                     step::send(2, 3, result, range(3, 4)),
                                     step::receive_combine(2, 1, result, range(2, 3), side::left)};
    BOOST_TEST(ranges::equal(all, expected));
}

BOOST_AUTO_TEST_CASE(operands_are_associated_by_distance) {
    BOOST_TEST(association(4, 3, 0) == "(1+(2+(3+0)))");
    BOOST_TEST(association(9, 2, 0) == "((1+(4+7))+((2+(5+8))+(3+(6+0))))");
    BOOST_TEST(association(5, 1, 0) == "((1+4)+(3+(2+0)))");
}

BOOST_AUTO_TEST_CASE(refuses_no_port_and_more_than_may_be_under_way) {
    auto const cut = one_block_each(4);
    static_assert(!facts_of<collective::reduce_scatter, ported_circulant>.one_ported);
    for (std::size_t const ports : {0U, 65U}) {
        BOOST_CHECK_EXCEPTION(static_cast<void>(generate(which, ported_circulant{ports}, problem{0, 4, 0, cut})),
                              std::invalid_argument,
                              support::says("tutti: ported_circulant has from 1 to 64 messages under way, "
                                            "not " +
                                            std::to_string(ports) + "; choose ports in between"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
