// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>
#include <tuple>

#include <tutti/generator.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>

namespace tutti::explore {

/// The name under which an algorithm is asked for: what follows from one generator has its name.
template <class Collective, class Generator>
struct spelling {
    static std::string of(Generator const& generator) { return name_of(Collective{}, generator); }
};
template <class Collective, class Generator>
struct spelling<Collective, reversed<Generator>> {
    static std::string of(reversed<Generator> const& all) {
        return spelling<opposite_t<Collective>, Generator>::of(all.generator);
    }
};
template <class Generator>
struct spelling<collective::all_reduce, chained<Generator, reversed<Generator>>> {
    using chain = chain_of<Generator, reversed<Generator>>;
    static std::string of(chained<Generator, reversed<Generator>> const& all) {
        return spelling<typename chain::first, Generator>::of(std::get<0>(all.stages));
    }
};

}  // namespace tutti::explore
