// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/clock.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure/repetitions.hpp>
#include <tutti/operation.hpp>
#include <tutti/operation/combine.hpp>

namespace tutti {

/// An operator and the type of elements on which it is to be timed.
template <class T, class Op>
struct combination {
    Op op;
};

/// `measure(world, combining<float>(op))` measures how fast `op` combines floats, too. Elements are T{}.
template <class T, operator_on<T> Op>
[[nodiscard]] combination<T, Op> combining(Op op) {
    return {std::move(op)};
}

namespace measuring {

/// Refuses operators that a model cannot tell apart: compilers may give the lambdas of a function one name.
template <class... Ts, class... Ops>
void require_own_names(combination<Ts, Ops> const&...) {
    [[maybe_unused]] std::map<std::string, std::type_index> known;
    [[maybe_unused]] auto const look = [&](std::string const& name, std::type_index which) {
        if (known.try_emplace(name, which).first->second == which) { return; }
        throw std::invalid_argument{"tutti: measure is given two operators that this compiler calls '" + name +
                                    "'; make them types with names of their own"};
    };
    (look(combine_name<Ops, Ts>(), typeid(combination<Ts, Ops>)), ...);
}

/// γ: what it takes this rank to combine two vectors that fit into its cache, by the bytes of one of them.
template <communicator C, class T, class Op>
[[nodiscard]] double combine_per_byte(combination<T, Op> what, repetitions const& often) {
    constexpr std::size_t bytes = std::size_t{256} * 1024;
    // not a constant for the compiler, since it is none where collectives combine
    std::size_t const volatile chosen = std::max<std::size_t>(1, bytes / sizeof(T));
    std::size_t const count = chosen;
    auto const result = std::make_unique<T[]>(count);
    auto const arrived = std::make_unique<T[]>(count);
    std::vector<double> times;
    auto const repeat = [&](std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            auto const begun = messaging::now<C>();
            tutti::combine(what.op, result.get(), arrived.get(), result.get(), count);
            times.push_back(seconds_since<C>(begun));
        }
    };
    repeat(often.at_first());
    repeat(often.more(std::accumulate(times.begin(), times.end(), 0.0)));
    // The byte that is read is not known at compile time, so that all of them have to be computed.
    auto const any = times.size() + static_cast<std::size_t>(times.back() * 1e9);
    std::byte volatile const looked_at = reinterpret_cast<std::byte const*>(result.get())[any % (count * sizeof(T))];
    static_cast<void>(looked_at);
    return median(times) / static_cast<double>(count * sizeof(T));
}

/// Adds the speed of an operator to the model.
template <communicator C, class T, class Op>
void measure_combining(machine_model& model, combination<T, Op> const& what, repetitions const& often) {
    model.combines[combine_name<Op, T>()] = combine_per_byte<C>(what, often);
}

}  // namespace measuring

}  // namespace tutti
