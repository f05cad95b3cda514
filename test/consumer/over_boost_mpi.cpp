// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <string>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <tutti/boost_mpi.hpp>

int main(int argc, char** argv) {
    boost::mpi::environment const environment(argc, argv);
    boost::mpi::communicator const world;
    std::string const all = tutti::all_reduce(world, std::to_string(world.rank()), std::plus<>{});
    return world.size() != 3 || all == "012" ? 0 : 1;
}
