// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/sentences.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/collective/records.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/run_time_operator.hpp>

BOOST_AUTO_TEST_SUITE(execution_check_call)

using support::contains;

namespace {

std::plus<> plus;

/// What `call` throws, "" if nothing; then the world recovers. On all ranks something if on one.
template <class World, class Call>
std::string outcome(World const& world, Call call) {
    auto const result = support::sentence_of(call);
    int const threw = result.empty() ? 0 : 1;
    int all = 0;
    MPI_Allreduce(&threw, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    BOOST_TEST((all == 0 || all == support::world_size()));
    tutti::recover(world);
    BOOST_TEST(tutti::all_reduce(world, 1, plus) == support::world_size());
    return result;
}

/// One rank does something else than the others.
template <class World>
void check_disagreements(World const& world) {
    int const size = support::world_size();
    bool const odd = support::world_rank() == size - 1;
    std::string const last = " on rank " + std::to_string(size - 1);

    std::vector<double> twenty(20, 1);
    std::vector<double> ten(10, 1);
    auto const said = outcome(world, [&] {
        if (odd) {
            tutti::reduce(world, ten, ten, plus, 1);
        } else {
            tutti::all_reduce(world, tutti::inplace(twenty), plus);
        }
    });
    BOOST_TEST(contains(said, "all_reduce of 20 double on rank "), said);
    BOOST_TEST(contains(said, " meets reduce of 10 double to root 1" + last), said);

    auto const operators = outcome(world, [&] {
        if (odd) {
            tutti::all_reduce(world, tutti::inplace(ten), std::multiplies<>{});
        } else {
            tutti::all_reduce(world, tutti::inplace(ten), plus);
        }
    });
    BOOST_TEST(contains(operators, "plus"), operators);
    BOOST_TEST(contains(operators, "multiplies"), operators);

    // an operator that is known only at run time may say what its elements are
    tutti::run_time_operator const sum{.combine =
                                           [](void*, void const* in, void* inout, std::size_t n) {
                                               for (std::size_t i = 0; i != n; ++i) {
                                                   static_cast<double*>(inout)[i] += static_cast<double const*>(in)[i];
                                               }
                                           },
                                       .commutes = true,
                                       .name = "sum",
                                       .elements = odd ? "int64" : "double"};
    auto const elements = outcome(world, [&] {
        tutti::all_reduce(world, tutti::inplace(tutti::records{ten.data(), ten.size(), sizeof ten[0]}), sum);
    });
    BOOST_TEST(contains(elements, "all_reduce of 10 double on rank "), elements);
    BOOST_TEST(contains(elements, " meets all_reduce of 10 int64" + last), elements);

    auto const algorithms = outcome(world, [&] {
        if (odd) {
            tutti::all_reduce(world, tutti::inplace(ten), plus, tutti::ring{});
        } else {
            tutti::all_reduce(world, tutti::inplace(ten), plus, tutti::recursive_doubling{});
        }
    });
    BOOST_TEST(contains(algorithms, "ring"), algorithms);
    BOOST_TEST(contains(algorithms, "recursive_doubling"), algorithms);

    auto const left_out = outcome(world, [&] {
        if (!odd) { tutti::broadcast(world, ten, 0); }
        tutti::all_reduce(world, tutti::inplace(ten), plus);
        if (odd) { tutti::broadcast(world, ten, 0); }
    });
    BOOST_TEST(contains(left_out, "broadcast of 10 double from root 0 on rank "), left_out);

    // one rank's arguments are wrong, and it goes on with its next call
    auto const refused = outcome(world, [&] {
        if (odd) { BOOST_CHECK_THROW(tutti::reduce(world, ten, ten, plus, 99), std::invalid_argument); }
        if (!odd) { tutti::reduce(world, ten, ten, plus, 0); }
        tutti::broadcast(world, ten, 0);
    });
    bool const is_neighbour = support::world_rank() == 0 || support::world_rank() >= size - 2;
    BOOST_TEST((!is_neighbour || contains(refused, "reduce: root 99 is not a rank")), refused);

    // their segments are of one length, so that without a check nobody finds out
    std::vector<int> long_one(odd ? 1 << 17 : 1 << 18, 1);
    auto const segments = outcome(world, [&] { tutti::all_reduce(world, tutti::inplace(long_one), plus); });
    BOOST_TEST(contains(segments, "all_reduce of 262144 int on rank "), segments);

    // the root alone knows the counts
    std::vector<double> all(10 * static_cast<std::size_t>(size));
    std::vector<std::size_t> const counts(static_cast<std::size_t>(size), 10);
    auto const gathered = outcome(world, [&] { tutti::gather(world, odd ? twenty : ten, all, counts, 0); });
    bool const is_named = odd || support::world_rank() == 0;
    BOOST_TEST((!is_named || contains(gathered, "gather of 10 double to root 0 on rank 0 meets gather of 20 double to "
                                                "root 0" +
                                                    last)),
               gathered);
    auto const scattered = outcome(world, [&] { tutti::scatter(world, all, odd ? twenty : ten, counts, 0); });
    BOOST_TEST((!is_named || contains(scattered, "scatter of 20 double from root 0" + last)), scattered);

    auto const plans = outcome(world, [&] {
        auto plan = tutti::plan::broadcast(world, ten, odd ? 1 : 0);
        plan.start();
        plan.wait();
    });
    BOOST_TEST(contains(plans, "from root 0 on rank "), plans);
}

}  // namespace

BOOST_AUTO_TEST_CASE(whoever_calls_something_else_is_named) {
    tutti::configure(MPI_COMM_WORLD, tutti::execution{.check_calls = true});
    BOOST_TEST(outcome(MPI_COMM_WORLD, [] { tutti::barrier(MPI_COMM_WORLD); }) == "");
    if (support::world_size() > 1) { check_disagreements(MPI_COMM_WORLD); }
    tutti::configure(MPI_COMM_WORLD, {});
}

BOOST_AUTO_TEST_CASE(through_memory_as_well) {
    tutti::mpi::shared_memory const world{MPI_COMM_WORLD};
    tutti::configure(world, tutti::execution{.check_calls = true});
    if (support::world_size() > 1) { check_disagreements(world); }
}

BOOST_AUTO_TEST_CASE(the_environment_of_the_first_rank_asks_for_it) {
    if (support::world_rank() == 0) {
        setenv("TUTTI_CHECK", "1", 1);
    } else {
        unsetenv("TUTTI_CHECK");
    }
    auto const checks = [] {
        MPI_Comm world = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &world);
        bool const result =
            tutti::communicator_of<MPI_Comm>::get(world).supervisor().has_hook(tutti::control::call_hook::comparing);
        tutti::barrier(world);
        MPI_Comm_free(&world);
        return result;
    };
    BOOST_TEST(checks());
    setenv("TUTTI_CHECK", support::world_rank() == 0 ? "0" : "1", 1);
    BOOST_TEST(!checks());
    unsetenv("TUTTI_CHECK");
}

BOOST_AUTO_TEST_SUITE_END()
