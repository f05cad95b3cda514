// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/mpi.hpp>

#include <support/mpi_world.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

// What <tutti/mpi.hpp> brings, alone: where the tests are linked with tutti::compiled, declarations must be enough.
BOOST_AUTO_TEST_SUITE(mpi)

namespace {

struct all_ranks : support::own_world {
    std::plus<> plus;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(reductions_and_scans, all_ranks) {
    std::vector<int> const in(3, rank);
    std::vector<int> out(3), total(3);
    int const sum = size * (size - 1) / 2;
    tutti::all_reduce(world, in, out, plus);
    BOOST_TEST(out[2] == sum);
    tutti::reduce(world, in, out, plus, 0);
    if (rank == 0) { BOOST_TEST(out[0] == sum); }
    tutti::inclusive_scan(world, in, out, plus);
    BOOST_TEST(out[1] == rank * (rank + 1) / 2);
    tutti::exclusive_scan(world, in, out, plus);
    BOOST_TEST(out[1] == rank * (rank - 1) / 2);
    tutti::scan_reduce(world, in, out, total, plus);
    BOOST_TEST(total[1] == sum);
    std::vector<int> const parts(static_cast<std::size_t>(size), 1);
    std::vector<int> own(1);
    tutti::reduce_scatter(world, parts, own, plus);
    BOOST_TEST(own[0] == size);
}

BOOST_FIXTURE_TEST_CASE(the_others, all_ranks) {
    std::vector<int> one(1, rank + 1), each(static_cast<std::size_t>(size));
    tutti::all_gather(world, one, each);
    BOOST_TEST(each.back() == size);
    tutti::gather(world, one, each, 0);
    tutti::scatter(world, each, one, 0);
    BOOST_TEST(one[0] == rank + 1);
    tutti::broadcast(world, one, 0);
    BOOST_TEST(one[0] == 1);
    tutti::barrier(world);
}

BOOST_FIXTURE_TEST_CASE(plans_options_and_recovery, all_ranks) {
    using namespace std::chrono_literals;
    std::vector<double> const in(5, 1);
    std::vector<double> out(5);
    auto plan = tutti::plan::all_reduce(world, in, out, plus);
    plan.start();
    plan.wait();
    BOOST_TEST(out[4] == size);
    BOOST_TEST(plan.explain().find("all_reduce") == 0U);
    tutti::configure(world, tutti::execution{.check_calls = true, .timeout = 60s});
    auto pending = tutti::async::reduce(world, in, out, plus, 0);
    pending.wait();
    tutti::recover(world);
    BOOST_TEST(tutti::all_reduce(world, 1, plus) == size);
}

BOOST_AUTO_TEST_SUITE_END()
