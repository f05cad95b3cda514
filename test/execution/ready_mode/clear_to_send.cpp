// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include <support/checked_team.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/error.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>

BOOST_AUTO_TEST_SUITE(execution_ready_mode_clear_to_send)

using support::affine;
using support::affines;
using support::checking_communicator;
using support::checking_network;
using support::composition;
using support::erased;
using support::team;

namespace {

auto const doubling = [](auto& world, affines& in, affines& out) {
    auto const algorithm = erased(tutti::collective::all_reduce{}, tutti::recursive_doubling{}, world.size());
    return tutti::plan::all_reduce(world, in, out, composition{}, algorithm);
};

auto const to_first = [](auto& world, affines& in, affines& out, std::size_t segments) {
    tutti::pipeline const generator{.segments = segments};
    auto const algorithm = erased(tutti::collective::reduce{}, generator, world.size());
    return tutti::plan::reduce(world, in, out, composition{}, 0, algorithm);
};

std::string sentence_of(std::exception_ptr const& wrong) {
    try {
        if (wrong) { std::rethrow_exception(wrong); }
    } catch (std::exception const& said) { return said.what(); }
    return "nothing";
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_clear_to_send_covers_all_messages_of_a_pair) {
    team four{4, 40};
    auto plans = four.plans([](auto& world, affines& in, affines& out) { return to_first(world, in, out, 10); });
    for (std::size_t run = 1; run != 4; ++run) {
        four.run(plans);
        BOOST_TEST(four.network.ready_sends == run * 3 * 10);
        BOOST_TEST(four.network.standard_sends == run * 3);
    }
}

// Ranks in the middle send behind more receives than the window holds.
BOOST_AUTO_TEST_CASE(receives_that_are_posted_first_hold_back_no_send) {
    team four{4, 200};
    auto plans = four.plans([](auto& world, affines& in, affines& out) { return to_first(world, in, out, 200); });
    four.run(plans);
    BOOST_TEST(four.network.ready_sends == 3U * 200);
}

BOOST_AUTO_TEST_CASE(plans_in_flight_together_keep_theirs_apart) {
    for (unsigned seed = 1; seed != 20; ++seed) {
        team first{5, 30, seed};
        auto one = first.plans(doubling);
        std::vector<affines> other_out(5, affines(30));
        decltype(one) other;
        for (std::size_t rank = 0; rank != 5; ++rank) {
            other.push_back(doubling(*first.ranks[rank], first.in[rank], other_out[rank]));
        }
        for (std::size_t rank = 0; rank != 5; ++rank) {
            auto& begins = rank % 2 == 0 ? one : other;
            auto& follows = rank % 2 == 0 ? other : one;
            begins[rank].start();
            follows[rank].start();
        }
        for (std::size_t ended = 0; ended != 10;) {
            ended = 0;
            for (std::size_t rank = 0; rank != 5; ++rank) {
                ended += one[rank].test() ? 1 : 0;
                ended += other[rank].test() ? 1 : 0;
            }
        }
        BOOST_TEST((first.out == other_out && first.out[0] == first.out[4]));
        BOOST_TEST(first.network.under_way() == 0U);
    }
}

BOOST_AUTO_TEST_CASE(the_mode_changes_from_run_to_run) {
    team six{6, 40};
    auto plans = six.plans(doubling);
    six.network.ready_mode = false;
    six.run(plans);
    auto const expected = six.out;
    auto const messages = six.network.standard_sends;
    auto const set_all = [&](bool ready) {  // as `configure`, for which ranks have to wait for each other
        for (auto const& rank : six.ranks) {
            rank->ready_mode(ready);
            rank->supervisor().begin_generation();
        }
    };
    for (std::size_t run = 1; run != 5; ++run) {
        set_all(true);
        six.run(plans);
        BOOST_TEST((six.out == expected));
        BOOST_TEST(six.network.ready_sends == run * messages);
        set_all(false);
        six.run(plans);
        BOOST_TEST((six.out == expected));
        BOOST_TEST(six.network.ready_sends == run * messages);
    }
}

BOOST_AUTO_TEST_CASE(messages_without_elements_take_the_place_of_results) {
    for (std::size_t thrower = 0; thrower != 6; ++thrower) {
        team six{6, 40, static_cast<unsigned>(thrower)};
        composition op;
        auto plans = six.plans([&](auto& world, affines& in, affines& out) {
            bool const mine = static_cast<std::size_t>(world.rank()) == thrower;
            return tutti::plan::all_reduce(
                world, in, out, [&op, mine](affine f, affine g) { return composition{op.refuses && mine}(f, g); },
                erased(tutti::collective::all_reduce{}, tutti::recursive_doubling{}, 6));
        });
        for (int run = 0; run != 4; ++run) {
            op.refuses = run % 2 == 0;
            auto const ended = outcomes(six.network, plans);
            bool any_missing = false;
            for (std::size_t rank = 0; rank != 6; ++rank) {
                auto const said = sentence_of(ended[rank]);
                if (op.refuses && rank == thrower) {
                    BOOST_TEST((said == "refused" || said == "nothing"));  // not every rank combines
                    any_missing = any_missing || said == "refused";
                } else {
                    BOOST_TEST((said == "nothing" || said.starts_with("tutti: there is no result on this rank")), said);
                    any_missing = any_missing || said != "nothing";
                }
            }
            BOOST_TEST((op.refuses || !any_missing));
            BOOST_TEST(six.network.under_way() == 0U);
        }
    }
}

// What the network is for: it must see the mistakes that a real one would let pass by luck.
BOOST_AUTO_TEST_CASE(a_send_before_its_clear_to_send_is_caught) {
    int caught = 0;
    for (unsigned seed = 1; seed != 20; ++seed) {
        team four{4, 40, seed};
        four.network.forges_clear_to_send = true;
        auto plans = four.plans(doubling);
        for (auto const& wrong : outcomes(four.network, plans)) {
            caught += sentence_of(wrong).ends_with("meets no posted receive") ? 1 : 0;
        }
    }
    BOOST_TEST(caught > 0);
}

BOOST_AUTO_TEST_CASE(a_ready_send_without_a_receive_is_caught) {
    checking_network network{2};
    checking_communicator zero{network, 0};
    checking_communicator one{network, 1};
    std::vector<std::byte> some(4);
    BOOST_CHECK_THROW(static_cast<void>(zero.send_ready(1, 5, some)), support::receive_not_posted);
    checking_network other{2};
    checking_communicator sender{other, 0};
    checking_communicator receiver{other, 1};
    std::vector<std::byte> memory(4);
    static_cast<void>(receiver.receive(0, 5, memory));
    BOOST_CHECK_NO_THROW(static_cast<void>(sender.send_ready(1, 5, some)));
    BOOST_CHECK_THROW(static_cast<void>(sender.send_ready(1, 5, some)), support::receive_not_posted);
}

BOOST_AUTO_TEST_SUITE_END()
