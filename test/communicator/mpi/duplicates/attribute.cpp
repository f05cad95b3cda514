// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <memory>

#include <tutti/communicator/mpi/duplicates.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_duplicates_attribute)

namespace {

/// Counts those that are alive.
struct counted {
    explicit counted(int number) : value{number} { ++alive; }
    counted(counted const&) = delete;
    counted& operator=(counted const&) = delete;
    ~counted() { --alive; }

    int value;
    inline static int alive = 0;
};

struct another_type {
    int value = 0;
};

using attribute = tutti::mpi::attribute<counted>;

/// A communicator of this test's own, freed by the test.
MPI_Comm duplicate_of(MPI_Comm original) {
    MPI_Comm result = MPI_COMM_NULL;
    MPI_Comm_dup(original, &result);
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_object_is_found_on_its_communicator_and_ends_with_it) {
    auto user = duplicate_of(MPI_COMM_WORLD);
    BOOST_TEST(attribute::find(user) == nullptr);
    auto& attached = attribute::attach(user, std::make_unique<counted>(7));
    BOOST_TEST(attribute::find(user) == &attached);
    BOOST_TEST(attribute::find(user)->value == 7);
    BOOST_TEST(counted::alive == 1);
    MPI_Comm_free(&user);
    BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(duplicates_do_not_inherit_it) {
    auto user = duplicate_of(MPI_COMM_SELF);
    attribute::attach(user, std::make_unique<counted>(1));
    auto copy = duplicate_of(user);
    BOOST_TEST(attribute::find(copy) == nullptr);
    MPI_Comm_free(&copy);
    BOOST_TEST(counted::alive == 1);
    MPI_Comm_free(&user);
    BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(each_type_has_a_place_of_its_own) {
    auto user = duplicate_of(MPI_COMM_SELF);
    attribute::attach(user, std::make_unique<counted>(1));
    BOOST_TEST(tutti::mpi::attribute<another_type>::find(user) == nullptr);
    auto& other = tutti::mpi::attribute<another_type>::attach(user, std::make_unique<another_type>());
    BOOST_TEST(tutti::mpi::attribute<another_type>::find(user) == &other);
    BOOST_TEST(attribute::find(user)->value == 1);
    MPI_Comm_free(&user);
}

BOOST_AUTO_TEST_CASE(what_is_removed_or_replaced_ends_at_once) {
    auto user = duplicate_of(MPI_COMM_SELF);
    attribute::attach(user, std::make_unique<counted>(1));
    attribute::attach(user, std::make_unique<counted>(2));
    BOOST_TEST(counted::alive == 1);
    BOOST_TEST(attribute::find(user)->value == 2);
    attribute::remove(user);
    BOOST_TEST(counted::alive == 0);
    BOOST_TEST(attribute::find(user) == nullptr);
    MPI_Comm_free(&user);
}

BOOST_AUTO_TEST_SUITE_END()
