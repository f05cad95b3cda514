// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/binomial.hpp>

BOOST_AUTO_TEST_SUITE(generator_binomial_scatter)

using namespace tutti;

BOOST_AUTO_TEST_CASE(parts_go_out_and_come_back_for_any_root) {
    laws::check_schedules(collective::scatter{}, binomial{});
    laws::check_schedules(collective::gather{}, reverse(binomial{}));
    laws::check_lengths(collective::scatter{}, binomial{});
    laws::check_lengths(collective::gather{}, reverse(binomial{}));
}

BOOST_AUTO_TEST_CASE(ranges_of_ranks_are_halved_from_the_root_on) {
    auto const cut = partition::equal(12, 6);
    auto const of = [&](std::size_t rank) {
        std::vector<step> steps;
        for (step const& each : generate(collective::scatter{}, binomial{}, problem{rank, 6, 2, cut})) {
            steps.push_back(each);
        }
        return steps;
    };
    // positions 0 .. 5 are ranks 2 3 4 | 5 0 1
    auto const upper = block_list::cyclic(5, 3, 6);
    std::vector<step> const root{step::send(0, 5, buffer::result(), upper), step::send(1, 4, buffer::result(), 4),
                                 step::send(2, 3, buffer::result(), 3)};
    std::vector<step> const middle{step::receive(0, 2, buffer::result(), upper),
                                   step::send(1, 1, buffer::result(), 1), step::send(2, 0, buffer::result(), 0)};
    BOOST_TEST((of(2) == root));
    BOOST_TEST((of(5) == middle));
    BOOST_TEST((of(0) == std::vector<step>{step::receive(2, 5, buffer::result(), 0)}));
}

BOOST_AUTO_TEST_CASE(rounds_are_the_least_and_only_what_a_half_owns_is_sent) {
    for (std::size_t size = 1; size <= 40; ++size) {
        for (std::size_t const root : {std::size_t{0}, size / 3, size - 1}) {
            auto const cost = verify(collective::scatter{}, binomial{}, size, root, support::one_block_each(size, 2));
            BOOST_TEST(cost.ok, cost.reason);
            BOOST_TEST(cost.rounds == static_cast<std::size_t>(std::bit_width(size - 1)));
            BOOST_TEST(cost.rounds_used == cost.rounds);
            BOOST_TEST(cost.messages == size - 1);
            BOOST_TEST(cost.max_volume_sent == 2 * (size - 1));
        }
    }
    auto const six = support::count_messages(collective::scatter{}, binomial{}, 6, 0, support::uneven_six());
    BOOST_TEST(six.elements_sent == (std::vector<std::size_t>{16, 0, 0, 1, 0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_rank_has_one_block) {
    BOOST_TEST(blocks_for(collective::scatter{}, binomial{}, 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::gather{}, reverse(binomial{}), 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::reduce{}, binomial{}, 7, 1000) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
