// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include <c/error.hpp>
#include <tutti/collective.hpp>
#include <tutti/collective/arguments.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/execution/default_algorithm.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/any_generator.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/mpi.hpp>
#include <tutti/selection/canonical.hpp>
#include <tutti/text.hpp>

/// Algorithms by their names.
namespace tutti::c {

/// By which algorithm each collective is performed on a communicator; empty: tutti chooses.
struct names_of_algorithms {
    std::array<std::string, collective::names.size()> of{};
};

inline constexpr std::string_view automatic_name = "automatic";
inline constexpr std::string_view reproducible_name = "reproducible";

/// Stands for an algorithm that was named at run time.
template <class Collective>
class held_by_name final : public selection::held_generator<Collective> {
public:
    explicit held_by_name(generators::any_generator<Collective> meant) : meant_{std::move(meant)} {}

    [[nodiscard]] bool is(void const* /*named*/) const override { return true; }  // another name is another generation
    [[nodiscard]] selection::picked_generator<Collective> pick(pricing::call_parameters const&) const override {
        if (meant_.stated().requires_identity && collective::combines<Collective>) {
            throw std::invalid_argument{"tutti: " + meant_.name() +
                                        " needs the operator's identity, which is not known here; name another one"};
        }
        return {meant_, "named by the caller"};
    }

private:
    generators::any_generator<Collective> meant_;
};

/// Calls `use(name, make)` for each algorithm of the collective; `make()` holds it.
template <class Collective, class Use>
void for_each_name(Use use) {
    generators::for_each_algorithm(Collective{}, [&]<class A>(A const& named) {
        use(generators::name_of_algorithm<A>(), [&]() -> selection::held_algorithm* {
            return new held_by_name<Collective>{generators::algorithm_for(Collective{}, named)};
        });
    });
    if constexpr (collective::combines<Collective>) {
        use(reproducible_name, [] { return selection::hold_reproducible_for<Collective>(nullptr); });
    }
}

[[nodiscard]] inline std::size_t number_of(std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(collective::names, name) - collective::names.begin());
}

/// The algorithm that was named for the collective, or null.
inline selection::held_algorithm* hold_by_name(selection::planned_call const& call, void const* names) {
    auto const& name = static_cast<names_of_algorithms const*>(names)->of[number_of(call.kind->collective)];
    selection::held_algorithm* result = nullptr;
    if (name.empty()) { return result; }
    selection::with_collective(call.kind->collective, [&]<class Collective>(Collective) {
        for_each_name<Collective>([&](std::string_view each, auto make) {
            if (each == name && result == nullptr) { result = make(); }
        });
    });
    return result;
}

/// Why there is no such choice; empty if there is.
[[nodiscard]] inline std::string wrong_name(std::string_view collective, std::string_view algorithm) {
    std::string all;
    bool found = algorithm == automatic_name;
    bool const known = selection::with_collective(collective, [&]<class Collective>(Collective) {
        for_each_name<Collective>([&](std::string_view each, auto) {
            found = found || each == algorithm;
            all += ", " + std::string{each};
        });
    });
    if (!known) {
        for (auto const each : collective::names) { all += (all.empty() ? "" : ", ") + std::string{each}; }
        return "there is no collective '" + std::string{collective} + "'; there are: " + all;
    }
    return found ? "" : "there is no algorithm '" + std::string{algorithm} + "' for " + std::string{collective} +
                            "; there are: " + std::string{automatic_name} + all;
}

/// Refuses on all ranks what is wrong on one, or differs.
inline void use_algorithm(MPI_Comm comm, char const* collective, char const* algorithm) {
    auto& ranks = argument::communicator_for(comm);
    std::string_view const which = collective != nullptr ? collective : "";
    std::string_view const name = algorithm != nullptr ? algorithm : automatic_name;
    control::enter_together(ranks, control::call::named("use_algorithm"));
    auto const flaw = wrong_name(which, name);
    bool const agreed =
        messaging::control_channel{ranks}.agrees(text::hash_of_name(text::joined({which, " ", name})), flaw.empty());
    if (!flaw.empty()) { throw std::invalid_argument{"tutti: " + flaw}; }
    if (!agreed) {
        throw std::invalid_argument{"tutti: tutti_use_algorithm: another rank gives another name, or one that there "
                                    "is not; give the same on all ranks"};
    }
    auto& names = ranks.store().template get<names_of_algorithms>();
    names.of[number_of(which)] = name == automatic_name ? "" : name;
    engine::default_algorithm::set(ranks, {&hold_by_name, &names});
}

}  // namespace tutti::c
