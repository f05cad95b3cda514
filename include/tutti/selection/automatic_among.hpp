// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/cost/call_parameters.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/text.hpp>

namespace tutti::selection {

/// Seconds that a generator's schedules take, one message at a time, by the costs in the parameters of the call.
/// Cost: O(n log n) for the n steps of all ranks.
template <class Collective, class Generator>
[[nodiscard]] double simulated_time(Collective which, Generator const& generator, call_parameters const& now) {
    auto const bytes = std::max<std::size_t>(now.bytes, 1);
    std::size_t blocks = blocks_for(which, generator, now.size, now.bytes);
    blocks = collective::divides<Collective> ? std::max<std::size_t>(blocks / now.size, 1) * now.size
                                             : std::clamp<std::size_t>(blocks, 1, bytes);
    auto const costs = cost_model::linear(pricing::message_costs::transfer_only(now).latency(), now.link().per_byte,
                                          now.combine_per_byte);
    return analysis::simulate(which, generator, now.size, 0, partition::equal(bytes, blocks), costs).makespan();
}

/// The time that a call by the named algorithm is expected to take: by its formula, or else as simulated.
template <class Collective, class A>
[[nodiscard]] double time_of_named(Collective which, A named, call_parameters const& now) {
    if (now.size == 1) { return 0; }
    if constexpr (requires { named.segments = std::size_t{1}; }) {
        if (named.segments == 0) {
            named.segments = blocks_for(which, generators::algorithm_for(which, named), now.size, now.bytes);
        }
    }
    auto const meant = generators::algorithm_for(which, named);
    if constexpr (pricing::has_formula<std::remove_const_t<decltype(meant)>, Collective>) {
        return pricing::expected_time(which, meant, now);
    } else {
        return selection::simulated_time(which, meant, now);
    }
}

inline constexpr std::string_view why_least_of_named = "expected to take the least time of those named by the caller";

template <class Collective, class Among>
class held_among final : public held_generator<Collective> {
public:
    held_among(Among const& all, bool commutes) : all_{all}, commutes_{commutes} {}

    [[nodiscard]] bool is([[maybe_unused]] void const* named) const override {
        if constexpr (std::equality_comparable<Among>) {
            return *static_cast<Among const*>(named) == all_;
        } else {
            return false;
        }
    }

    [[nodiscard]] picked_generator<Collective> pick(call_parameters const& now) const override {
        auto all = choice(now).among;
        if (all.empty()) {
            throw std::invalid_argument{text::joined({"tutti: none of the algorithms of automatic_among supports ",
                                                      text::word(now.size, "rank"), "; add one that does"})};
        }
        auto const why = is_named(now, all.front()) ? why_by_rule : why_least_of_named;
        return {std::move(all.front().generator), why};
    }

    [[nodiscard]] generator_choice<Collective> choice(call_parameters const& now) const override {
        generator_choice<Collective> result;
        auto& all = result.among;
        auto const consider = [&](auto const& named) {
            auto const meant = generators::algorithm_for(Collective{}, named);
            using generators::facts_about;
            if (!facts_about(Collective{}, meant).supports(now.size)) { return; }
            if constexpr (requires { named.template suits<Collective>(now.size, commutes_); }) {
                if (!named.template suits<Collective>(now.size, commutes_)) { return; }
            }
            all.push_back({meant, selection::time_of_named(Collective{}, named, now)});
            bool const named_now = is_named(now, all.back()), named_before = is_named(now, all.front());
            bool const is_before = named_now != named_before ? named_now : all.back().seconds < all.front().seconds;
            if (is_before) { std::swap(all.back(), all.front()); }
        };
        std::apply([&](auto const&... named) { (consider(named), ...); }, all_.generators);
        return result;
    }

private:
    [[nodiscard]] static bool is_named(call_parameters const& now, auto const& candidate) {
        return now.rule && now.rule->names(candidate.generator.name());
    }

    Among all_;
    bool commutes_;
};

template <class A>
concept read_from_file = requires(A const& named) { named.digest(); };

/// See `automatic_among`.
template <class... Generators>
struct choice_among {
    using picks_by_parameters = void;

    std::tuple<Generators...> generators;
    friend bool operator==(choice_among const& a, choice_among const& b)
        requires(std::equality_comparable<Generators> && ...)
    {
        return a.generators == b.generators;
    }

    /// Of those that are read from files, which ranks compare.
    [[nodiscard]] std::uint64_t digest() const requires(read_from_file<Generators> || ...) {
        std::uint64_t result = 0;
        auto const add = [&]<class A>(A const& each) {
            if constexpr (read_from_file<A>) { result = 31 * result + each.digest(); }
        };
        std::apply([&](auto const&... each) { (add(each), ...); }, generators);
        return result;
    }

    template <class Collective, bool Commutes, bool HasIdentity>
    [[nodiscard]] held_algorithm* hold() const {
        if constexpr (!(generators::implements<Generators, Collective> && ...)) {
            generators::require_implementations<Collective, Generators...>();
            return nullptr;
        } else {
            // as `check_suited`, and here so that the compiler's report stays short
            static_assert(Commutes || !(known<Collective, Generators>.requires_commutative || ...),
                          "tutti: this algorithm changes the order of operands, and the operator is not known to "
                          "commute; if it does, write tutti::commutative(op) of <tutti/operation/annotated.hpp>, or "
                          "choose an algorithm that keeps rank order");
            static_assert(HasIdentity || !collective::combines<Collective> ||
                              !(known<Collective, Generators>.requires_identity || ...),
                          "tutti: this algorithm needs the operator's identity; write tutti::with_identity(op, value) "
                          "of <tutti/operation/annotated.hpp>");
            return new held_among<Collective, choice_among>{*this, Commutes};
        }
    }

private:
    template <class Collective, class Generator>
    static constexpr facts known =
        generators::facts_of<Collective,
                             decltype(generators::algorithm_for(Collective{}, std::declval<Generator const&>()))>;
};

/// As an algorithm: the one with the least expected time among those given, which may include the caller's own.
///
/// `time_of(Collective, generator, message_costs, call_parameters)` beside the generator returns its time. Without this
/// function, its schedules are simulated by the machine's costs. The first of two equal ones is taken.
/// An algorithm that a rule of the tuning file names is taken before all, such as "from_file(ring.json)".
/// Requires: all implement the collective. If the operator is not known to commute, none reorders operands: otherwise
/// the call does not compile.
/// Errors: std::invalid_argument from the call if none supports its number of ranks.
/// Cost: the chosen algorithm's; and the prices of all, once for each plan or new kind of call.
template <class... Generators>
    requires(sizeof...(Generators) > 0)
[[nodiscard]] auto automatic_among(Generators... generators) {
    constexpr bool are_generators = (selection::describes_any<Generators>(collective::all{}) && ...);
    static_assert(are_generators,
                  "tutti: automatic_among takes algorithms with steps of their own, such as tutti::ring{}, or of your "
                  "own types with describe and generate; leave tutti::automatic{} and tutti::reproducible{} out");
    if constexpr (are_generators) {
        return choice_among<Generators...>{{std::move(generators)...}};
    } else {
        return automatic{};
    }
}

}  // namespace tutti::selection

namespace tutti {
using selection::automatic_among;
}  // namespace tutti
