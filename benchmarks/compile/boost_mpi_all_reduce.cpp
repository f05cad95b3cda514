// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>

#include <boost/mpi.hpp>

int main(int argc, char** argv) {
    boost::mpi::environment const environment{argc, argv};
    boost::mpi::communicator const world;
    double const sum = boost::mpi::all_reduce(world, 1.0, std::plus<>{});
    return sum > 0 ? 0 : 1;
}
