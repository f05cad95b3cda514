// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <string>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>

#include <tutti/boost_mpi.hpp>

struct named_value {
    std::string name;
    double value = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & name & value;
    }
};

int main(int argc, char** argv) {
    boost::mpi::environment const environment{argc, argv};
    boost::mpi::communicator const world;
    auto const larger = [](named_value const& a, named_value const& b) { return a.value < b.value ? b : a; };
    auto const best = tutti::all_reduce(world, named_value{"rank", static_cast<double>(world.rank())}, larger);
    return best.value >= 0 ? 0 : 1;
}
