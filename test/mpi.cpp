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

struct world {
    world() {
        MPI_Comm_dup(MPI_COMM_WORLD, &all);
        MPI_Comm_rank(all, &rank);
        MPI_Comm_size(all, &size);
    }
    world(world const&) = delete;
    world& operator=(world const&) = delete;
    ~world() { MPI_Comm_free(&all); }

    MPI_Comm all = MPI_COMM_NULL;
    int rank = 0;
    int size = 0;
    std::plus<> plus;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(reductions_and_scans, world) {
    std::vector<int> const in(3, rank);
    std::vector<int> out(3), total(3);
    int const sum = size * (size - 1) / 2;
    tutti::all_reduce(all, in, out, plus);
    BOOST_TEST(out[2] == sum);
    tutti::reduce(all, in, out, plus, 0);
    if (rank == 0) { BOOST_TEST(out[0] == sum); }
    tutti::inclusive_scan(all, in, out, plus);
    BOOST_TEST(out[1] == rank * (rank + 1) / 2);
    tutti::exclusive_scan(all, in, out, plus);
    BOOST_TEST(out[1] == rank * (rank - 1) / 2);
    tutti::scan_reduce(all, in, out, total, plus);
    BOOST_TEST(total[1] == sum);
    std::vector<int> const parts(static_cast<std::size_t>(size), 1);
    std::vector<int> own(1);
    tutti::reduce_scatter(all, parts, own, plus);
    BOOST_TEST(own[0] == size);
}

BOOST_FIXTURE_TEST_CASE(the_others, world) {
    std::vector<int> one(1, rank + 1), each(static_cast<std::size_t>(size));
    tutti::all_gather(all, one, each);
    BOOST_TEST(each.back() == size);
    tutti::gather(all, one, each, 0);
    tutti::scatter(all, each, one, 0);
    BOOST_TEST(one[0] == rank + 1);
    tutti::broadcast(all, one, 0);
    BOOST_TEST(one[0] == 1);
    tutti::barrier(all);
}

BOOST_FIXTURE_TEST_CASE(plans_options_and_recovery, world) {
    using namespace std::chrono_literals;
    std::vector<double> const in(5, 1);
    std::vector<double> out(5);
    auto plan = tutti::plan::all_reduce(all, in, out, plus);
    plan.start();
    plan.wait();
    BOOST_TEST(out[4] == size);
    BOOST_TEST(plan.explain().find("all_reduce") == 0U);
    tutti::configure(all, tutti::execution{.check_calls = true, .timeout = 60s});
    auto pending = tutti::async::reduce(all, in, out, plus, 0);
    pending.wait();
    tutti::recover(all);
    BOOST_TEST(tutti::all_reduce(all, 1, plus) == size);
}

BOOST_AUTO_TEST_SUITE_END()
