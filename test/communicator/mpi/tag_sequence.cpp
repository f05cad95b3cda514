// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <laws/thorough.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include <support/sentences.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/mpi/tag_pool.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_tag_sequence)

BOOST_AUTO_TEST_CASE(tags_begin_at_one_and_cycle_below_the_bound) {
    tutti::control::tag_sequence tags{4, 1};
    std::vector<int> drawn(7);
    std::ranges::generate(drawn, [&] { return tags.next(); });
    std::vector const expected{1, 2, 3, 1, 2, 3, 1};
    BOOST_TEST(drawn == expected, boost::test_tools::per_element());

    BOOST_TEST(tutti::mpi::tag_upper_bound() >= 32767);
    tutti::mpi::communicator fresh{MPI_COMM_SELF};
    BOOST_TEST(fresh.new_tag() == 1);
    BOOST_TEST(fresh.new_tag() == 2);
}

BOOST_AUTO_TEST_CASE(uses_are_numbered_however_often_a_tag_comes_again) {
    tutti::control::tag_sequence tags{10, 7};
    for (int number = 1; number != 20; ++number) {
        auto const tag = tags.next();
        BOOST_TEST(tags.number_of(tag) == number);
        if (number > 2) { BOOST_TEST(tags.number_of(tag == 7 ? 9 : tag - 1) == number - 1); }
    }
}

// Ranks put their tags back in orders of their own, and at times of their own.
BOOST_AUTO_TEST_CASE(no_rank_gets_a_tag_that_another_one_holds) {
    int const rank = support::world_rank();
    tutti::mpi::tag_pool pool{40, 100};
    auto const take = [&] { return pool.take(MPI_COMM_WORLD, [] {}); };
    int const held_for_good = take();
    std::vector<int> held;
    for (int round = 0; round != 300; ++round) {
        int const tag = take();
        int sum = 0;
        MPI_Allreduce(&tag, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        BOOST_TEST(sum == tag * support::world_size());
        BOOST_TEST((tag > 0 && tag < 40 && tag != held_for_good));
        BOOST_TEST(std::ranges::count(held, tag) == 0);
        held.push_back(tag);
        if (held.size() < 4) { continue; }
        auto const first = (round + rank) % 4;  // some hold what others have put back
        pool.put_back(held[static_cast<std::size_t>(first)]);
        held.erase(held.begin() + first);
    }
    while (!pool.is_idle()) { pool.poll(); }
}

BOOST_AUTO_TEST_CASE(when_all_tags_are_held_all_ranks_say_so) {
    tutti::mpi::tag_pool pool{4, 100};
    auto const take = [&] { return pool.take(MPI_COMM_WORLD, [] {}); };
    std::set<int> const held{take(), take(), take()};
    BOOST_TEST((held == std::set<int>{1, 2, 3}));
    BOOST_CHECK_EXCEPTION(static_cast<void>(take()), std::runtime_error,
                          support::says("tutti: 3 plans of one communicator live, and this MPI has no tag for one "
                                        "more; end some, or make it on a duplicate of the communicator"));
    pool.put_back(2);
    BOOST_TEST(take() == 2);
    while (!pool.is_idle()) { pool.poll(); }
}

BOOST_AUTO_TEST_CASE(a_plan_that_outlives_thousands_of_others_runs_beside_each) {
    if (support::world_size() > 4 && !laws::thorough) { return; }  // 9000 plans of ranks that take turns: half a minute
    for (bool const through_memory : {false, true}) {
        support::own_world const own;
        auto const& [world, rank, size] = own;
        if (through_memory) { tutti::communicator_of<MPI_Comm>::get(world).share_memory(true); }
        std::vector<int> const old_in(20, rank), new_in(20, 100 * rank);
        std::vector<int> old_out(20), new_out(20);
        std::optional lasting{tutti::plan::all_reduce(world, old_in, old_out, std::plus<>{})};
        int wrong = 0;
        for (int i = 0; i != 4500; ++i) {
            auto other = tutti::plan::all_reduce(world, new_in, new_out, std::plus<>{});
            if (i % 1000 != 999 && (i < 4080 || i > 4110)) { continue; }
            auto& first = (rank + i) % 2 == 0 ? *lasting : other;
            auto& second = (rank + i) % 2 == 0 ? other : *lasting;
            first.start();
            second.start();
            first.wait();
            second.wait();
            wrong += old_out[19] != size * (size - 1) / 2 || new_out[19] != 100 * (size * (size - 1) / 2) ? 1 : 0;
        }
        BOOST_TEST(wrong == 0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
