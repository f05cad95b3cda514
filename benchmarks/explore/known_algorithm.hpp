// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/json.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/generator.hpp>
#include <tutti/ownership.hpp>
#include <tutti/selection/candidates.hpp>
#include <tutti/selection/predicted_cost.hpp>

#include "algorithm.hpp"
#include "families.hpp"
#include "generators.hpp"
#include "spelling.hpp"
#include "words.hpp"

namespace tutti::explore {

/// A schedule beyond this is for other tools: it would take gigabytes, and no one could read it.
inline constexpr std::size_t most_steps = 10'000'000;

template <class Collective, generator_for<Collective> Generator>
class known_algorithm final : public algorithm {
public:
    explicit known_algorithm(Generator generator) : generator_{std::move(generator)} {
        name = spelling<Collective, Generator>::of(generator_);
        composition = name_of(Collective{}, generator_);
        stated = facts_of<Collective, Generator>;
    }

    [[nodiscard]] std::vector<parameter> parameters() override {
        std::vector<parameter> result;
        append_parameters(generator_, result);
        return result;
    }

    [[nodiscard]] std::size_t transfers_at_once() const override {
        using tutti::transfers_at_once;
        return transfers_at_once(generator_);
    }

    [[nodiscard]] std::size_t blocks_for(std::size_t size, std::size_t bytes) const override {
        using tutti::blocks_for;
        return blocks_for(Collective{}, generator_, size, bytes);
    }

    [[nodiscard]] recording record(std::size_t size, std::size_t root, partition const& cut) const override {
        recording all{name, size, root, cut};
        std::size_t count = 0;
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const lazy = generate(Collective{}, generator_, problem{rank, size, root, cut});
            std::vector<step> steps;
            for (step const& each : lazy) {
                steps.push_back(each);
                if (++count > most_steps) {
                    throw refusal{"the schedule has more than " + std::to_string(most_steps) +
                                  " steps; ask for fewer ranks or blocks"};
                }
            }
            all.rounds.push_back(lazy.rounds());
            all.steps.push_back(std::move(steps));
        }
        return all;
    }

    [[nodiscard]] verification verify(recording const& all) const override {
        return tutti::verify(Collective{}, as_recorded{&all}, all.size, all.root, all.cut);
    }

    [[nodiscard]] double lower_bound(recording const& all, cost_model const& costs) const override {
        return tutti::lower_bound(Collective{}, all.size, all.cut, costs);
    }

    [[nodiscard]] std::string json(recording const& all, timeline const& line) const override {
        return to_json(Collective{}, as_recorded{&all}, all.size, all.root, all.cut, line);
    }

private:
    using as_recorded = stored_generator<promise_of(facts_of<Collective, Generator>)>;

    Generator generator_;
};

template <class Collective, class Generator>
[[nodiscard]] std::unique_ptr<algorithm> make_algorithm(Collective, Generator generator) {
    return std::make_unique<known_algorithm<Collective, Generator>>(std::move(generator));
}

template <class Collective, class... Generators>
[[nodiscard]] auto make_algorithms(Collective which, std::tuple<Generators...> const& generators) {
    std::vector<std::unique_ptr<algorithm>> result;
    std::apply([&](auto const&... each) { (result.push_back(make_algorithm(which, each)), ...); }, generators);
    return result;
}

template <class Collective>
[[nodiscard]] family family_of() {
    constexpr Collective which{};
    family result{Collective::name,
                  collective::is_rooted<Collective>,
                  collective::combines<Collective>,
                  collective::divides<Collective>,
                  {},
                  {},
                  {}};
    if constexpr (std::is_same_v<Collective, collective::all_reduce>) {
        result.algorithms = make_algorithms(which, all_reduces_in_parts());
    } else {
        result.algorithms = make_algorithms(which, generators_of(which));
    }
    auto const use = [](auto const& generator, std::string_view why) {
        return choice{make_algorithm(Collective{}, generator), why};
    };
    if constexpr (requires(call_parameters const& now) { selection::choose(which, now, true, use); }) {
        result.choose = [use](call_parameters const& now) { return selection::choose(Collective{}, now, true, use); };
        result.expect = [](call_parameters const& now, bool commutes) {
            auto const of = [&now]<bool Commutes>(std::bool_constant<Commutes>) {
                return prospects{expectations(Collective{}, now, Commutes),
                                 selection::ranked(Collective{}, now, Commutes).why()};
            };
            return commutes ? of(std::true_type{}) : of(std::false_type{});
        };
    }
    return result;
}

}  // namespace tutti::explore
