// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/error.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(collective_plan_dropped)

namespace {

std::plus<> plus;

/// Between start and wait an exception leaves one rank.
template <class World>
void drop_a_plan(World const& world, std::size_t n) {
    int const size = support::world_size();
    std::vector<int> const in(n, 1);
    std::vector<int> out(n);
    auto const body = [&] {
        auto sum = tutti::async::all_reduce(world, in, out, plus, tutti::ring{});
        if (support::world_rank() == size / 2) { throw std::length_error{"between start and wait"}; }
        sum.wait();
    };
    if (size == 1 || support::world_rank() == size / 2) {
        BOOST_CHECK_THROW(body(), std::length_error);
    } else {
        BOOST_CHECK_EXCEPTION(body(), tutti::operand_missing, [&](auto const& wrong) {
            auto const text = std::string{wrong.what()};
            return text.find("rank " + std::to_string(size / 2)) != std::string::npos &&
                   text.find("an exception has destroyed a plan while it ran") != std::string::npos;
        });
    }
    tutti::recover(world);
    tutti::all_reduce(world, in, out, plus);
    BOOST_TEST((out == std::vector<int>(n, size)));
}

template <class World>
void drop_plans(World const& world) {
    drop_a_plan(world, 8);
    drop_a_plan(world, 400'000);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plan_that_an_exception_destroys_is_missed_elsewhere) { drop_plans(MPI_COMM_WORLD); }

BOOST_AUTO_TEST_CASE(a_plan_through_memory_that_an_exception_destroys) {
    tutti::mpi::shared_memory const world{MPI_COMM_WORLD};
    drop_a_plan(world, 400'000);  // a short one may be over when it has been started
}

BOOST_AUTO_TEST_CASE(those_that_ask_again_and_again_hear_of_it_too) {
    int const size = support::world_size();
    std::vector<int> both(8, 1);
    auto const body = [&] {
        auto sum = tutti::async::all_reduce(MPI_COMM_WORLD, tutti::inplace(both), plus, tutti::ring{});
        if (support::world_rank() == size - 1) { throw std::length_error{"between start and wait"}; }
        while (!sum.test()) {}
    };
    if (support::world_rank() == size - 1) {
        BOOST_CHECK_THROW(body(), std::length_error);
    } else {
        BOOST_CHECK_THROW(body(), tutti::operand_missing);
    }
    tutti::recover(MPI_COMM_WORLD);
}

namespace {

/// What an object does when it goes may be a collective: the exception was there before.
class counted_at_the_end {
public:
    explicit counted_at_the_end(int& sum) : sum_{sum} {}
    counted_at_the_end(counted_at_the_end const&) = delete;
    counted_at_the_end& operator=(counted_at_the_end const&) = delete;
    ~counted_at_the_end() {
        auto const mine = 1;
        static_cast<void>(tutti::async::all_reduce(MPI_COMM_WORLD, mine, sum_, plus, tutti::ring{}));
    }

private:
    int& sum_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_plan_of_a_destructor_takes_part_until_its_end) {
    int sum = 0;
    try {
        counted_at_the_end const at{sum};
        if (support::world_rank() == 0) { throw std::length_error{"on one rank"}; }
    } catch (std::length_error const&) {
        BOOST_TEST(support::world_rank() == 0);
    }
    BOOST_TEST(sum == support::world_size());
}

BOOST_AUTO_TEST_SUITE_END()
