// expect: tutti: elements of this type cannot travel between processes; make the type trivially copyable, or include <tutti/boost_mpi.hpp> and give it Boost.Serialization's serialize(), which a std::map has by <boost/serialization/map.hpp>
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <map>
#include <string>

#if REMEDY == 1
#include <boost/serialization/map.hpp>
#endif
#include <tutti/boost_mpi.hpp>

using words = std::map<std::string, long>;

words call(boost::mpi::communicator const& world, words const& mine) {
    auto const join = [](words a, words const& b) {
        for (auto const& [word, count] : b) { a[word] += count; }
        return a;
    };
    return tutti::all_reduce(world, mine, tutti::commutative(join));
}
