// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/held_algorithm.hpp>

namespace tutti::pricing {
struct call_parameters;
}

namespace tutti::generators {

/// What an algorithm means for a collective that it does not implement.
struct unsupported {};

/// See `algorithm_for`.
template <class Collective, class A>
[[nodiscard]] auto implementation_of(Collective, A const& named) {
    if constexpr (generator_for<A, Collective>) {
        return named;
    } else if constexpr (std::same_as<Collective, collective::broadcast> && generator_for<A, collective::reduce>) {
        return generators::reverse(named);
    } else if constexpr (std::same_as<Collective, collective::all_reduce> &&
                         (generator_for<A, collective::reduce> || generator_for<A, collective::reduce_scatter>)) {
        return generators::then(named, generators::reverse(named));
    } else if constexpr (std::same_as<Collective, collective::all_gather> &&
                         generator_for<A, collective::reduce_scatter>) {
        return generators::reverse(named);
    } else if constexpr (std::same_as<Collective, collective::gather> && generator_for<A, collective::scatter>) {
        return generators::reverse(named);
    } else {
        return unsupported{};
    }
}

/// Whether there is an `algorithm_for` the collective: whether a call of it may name this generator.
template <class A, class Collective>
concept implements =
    !std::same_as<decltype(generators::implementation_of(Collective{}, std::declval<A const&>())), unsupported>;

template <class A, class Collective>
concept described = requires { describe(Collective{}, std::type_identity<A>{}); };

/// Stops the compilation unless calls of the collective may name these generators.
template <class Collective, class... As>
constexpr void require_implementations() {
    static_assert(((implements<As, Collective> || !described<As, Collective>) && ...),
                  "tutti: this algorithm has a describe for this collective, which must return tutti::facts, and needs "
                  "generate(collective, algorithm, tutti::problem const&) beside it, which returns a schedule");
    static_assert(((implements<As, Collective> || described<As, Collective>) && ...),
                  "tutti: this algorithm does not implement this collective; name one that does, or leave the "
                  "choice to tutti::automatic");
}

/// The generator that a named algorithm means for a collective: itself, or one that is made of it. The reversal of a
/// reduce is a broadcast, of a reduce_scatter an all_gather, and both, one after the other, are an all_reduce; the
/// reversal of a scatter is a gather.
template <class Collective, class A>
[[nodiscard]] auto algorithm_for(Collective which, A const& named) {
    generators::require_implementations<Collective, A>();
    return generators::implementation_of(which, named);
}

}  // namespace tutti::generators

namespace tutti::selection {

/// A generator for a call, and why this one.
template <class Collective>
struct picked_generator {
    generators::any_generator<Collective> generator;
    std::string_view why;
    pricing::machine_model const* machine = nullptr;  ///< with these costs; null: with those in use
};

/// A generator that may be picked for a call, and the time that it is expected to take.
template <class Collective>
struct expected_generator {
    using relocates_as_bytes = void;

    generators::any_generator<Collective> generator;
    double seconds;
};

/// The generators among which one is picked for a call, that one first.
template <class Collective>
struct generator_choice {
    dynamic_array<expected_generator<Collective>> among{};
    bool one_term = false;  ///< whichever is picked, results have the same terms
};

/// What the planner sees of a named algorithm: which generator it means for the parameters of a call, on all
/// ranks the same.
template <class Collective>
struct held_generator : held_algorithm {
    /// Errors: std::invalid_argument if there is none.
    [[nodiscard]] virtual picked_generator<Collective> pick(pricing::call_parameters const& now) const = 0;
    /// The candidates, for `explain`; none if the caller names a generator.
    [[nodiscard]] virtual generator_choice<Collective> choice(pricing::call_parameters const&) const { return {}; }
};

template <class Collective, class A>
class held_name final : public held_generator<Collective> {
public:
    template <class Generator>
    held_name(A const& named, Generator meant, std::string_view reason)
        : named_{named}, meant_{std::move(meant), reason} {}

    // An algorithm that cannot be compared counts as another one each time: its programs are not kept.
    [[nodiscard]] bool is([[maybe_unused]] void const* named) const override {
        if constexpr (std::equality_comparable<A>) {
            return *static_cast<A const*>(named) == named_;
        } else {
            return false;
        }
    }
    [[nodiscard]] picked_generator<Collective> pick(pricing::call_parameters const&) const override { return meant_; }

private:
    A named_;
    picked_generator<Collective> meant_;
};

/// Stops the compilation unless the generator is suited for an operator with these properties.
template <class Collective, bool Commutes, bool HasIdentity, class Generator>
constexpr void check_suited() {
    constexpr facts known = generators::facts_of<Collective, Generator>;
    static_assert(Commutes || !known.requires_commutative,
                  "tutti: this algorithm changes the order of operands, and the operator is not known to commute; "
                  "if it does, write tutti::commutative(op) of <tutti/operation/annotated.hpp>, or choose an "
                  "algorithm that keeps rank order");
    static_assert(HasIdentity || !collective::combines<Collective> || !known.requires_identity,
                  "tutti: this algorithm needs the operator's identity; write tutti::with_identity(op, value) of "
                  "<tutti/operation/annotated.hpp>");
}

template <class Collective, class A, class Generator>
[[nodiscard]] held_algorithm* hold_generator(A const& named, Generator const& meant) {
    if constexpr (requires {
                      { meant.why } -> std::convertible_to<std::string_view>;
                  }) {
        return new held_name<Collective, A>{named, meant, meant.why};
    } else {
        return new held_name<Collective, A>{named, meant, "named by the caller"};
    }
}

/// The held form of an algorithm; one that chooses when a call begins makes its own.
template <class Collective, bool Commutes, bool HasIdentity, class A>
held_algorithm* hold_algorithm(void const* object) {
    auto const& named = *static_cast<A const*>(object);
    if constexpr (requires { named.template hold<Collective, Commutes, HasIdentity>(); }) {
        return named.template hold<Collective, Commutes, HasIdentity>();
    } else {
        auto const generator = generators::algorithm_for(Collective{}, named);
        using Generator = std::remove_const_t<decltype(generator)>;
        if constexpr (std::same_as<Generator, generators::unsupported>) {
            return nullptr;  // algorithm_for has stopped the compilation
        } else {
            selection::check_suited<Collective, Commutes, HasIdentity, Generator>();
            return selection::hold_generator<Collective>(named, generator);
        }
    }
}

}  // namespace tutti::selection
