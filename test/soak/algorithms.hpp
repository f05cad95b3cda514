// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/named.hpp>

#include "call.hpp"

/// Algorithms that calls name, with parameters: which one it is comes from the seed of the call.
namespace soak {

/// Stands where a call takes an algorithm. Unlike any_generator it claims to suit every operator: `algorithm_of` sees
/// to it.
template <class Collective>
struct drawn_algorithm {
    tutti::generators::any_generator<Collective> chosen;
    std::string words;
    friend bool operator==(drawn_algorithm const&, drawn_algorithm const&) = default;
};

template <class Collective>
constexpr tutti::facts describe(Collective, std::type_identity<drawn_algorithm<Collective>>) {
    return {.name = "drawn", .one_ported = false};
}
template <class Collective>
[[nodiscard]] std::string name_of(Collective, drawn_algorithm<Collective> const& drawn) {
    return drawn.chosen.name();
}
template <class Collective>
[[nodiscard]] tutti::facts const& facts_about(Collective, drawn_algorithm<Collective> const& drawn) {
    return drawn.chosen.stated();
}
template <class Collective>
[[nodiscard]] std::size_t ports_of(drawn_algorithm<Collective> const& drawn) {
    return drawn.chosen.ports();
}
template <class Collective>
[[nodiscard]] std::size_t blocks_for(Collective, drawn_algorithm<Collective> const& drawn, std::size_t size,
                                     std::size_t bytes) {
    return drawn.chosen.blocks(size, bytes);
}
template <class Collective>
[[nodiscard]] tutti::schedules::lazy_schedule generate(Collective, drawn_algorithm<Collective> const& drawn,
                                            tutti::problem const& at) {
    return drawn.chosen.schedule_of(at);
}

/// The algorithm that this call of `Collective` names.
template <class Collective>
[[nodiscard]] drawn_algorithm<Collective> algorithm_of(call const& c);

extern template drawn_algorithm<tutti::collective::reduce> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::all_reduce> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::inclusive_scan> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::exclusive_scan> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::scan_reduce> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::reduce_scatter> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::broadcast> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::all_gather> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::gather> algorithm_of(call const&);
extern template drawn_algorithm<tutti::collective::scatter> algorithm_of(call const&);

/// The call in words, with its algorithm.
[[nodiscard]] std::string to_string(call const& c);

}  // namespace soak
