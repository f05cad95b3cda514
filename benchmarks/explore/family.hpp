// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/json.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/selection/candidates/all.hpp>

#include "algorithm.hpp"

namespace tutti::explore {

/// A schedule beyond this is for other tools: it would take gigabytes, and no one could read it.
inline constexpr std::size_t most_steps = 10'000'000;

template <class Collective, generators::generator_for<Collective> Generator>
class known_algorithm final : public algorithm {
public:
    known_algorithm(std::string_view named, Generator generator) : generator_{std::move(generator)} {
        name = named;
        composition = name_of(Collective{}, generator_);
        stated = generators::facts_of<Collective, Generator>;
    }

    [[nodiscard]] std::vector<parameter> parameters() override {
        std::vector<parameter> result;
        append_parameters(generator_, result);
        return result;
    }

    [[nodiscard]] std::size_t transfers_at_once() const override {
        using tutti::generators::transfers_at_once;
        return transfers_at_once(generator_);
    }

    [[nodiscard]] std::size_t blocks_for(std::size_t size, std::size_t bytes) const override {
        using tutti::blocks_for;
        return blocks_for(Collective{}, generator_, size, bytes);
    }

    [[nodiscard]] schedule_table record(std::size_t size, std::size_t root, partition const& cut) const override {
        schedule_table all{std::string{name}, stated, size, root, cut};
        std::size_t count = 0;
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const lazy = generate(Collective{}, generator_, problem{rank, size, root, cut});
            std::vector<step> steps;
            for (step const& each : lazy) {
                steps.push_back(each);
                if (++count > most_steps) {
                    throw usage_error{"the schedule has more than " + std::to_string(most_steps) +
                                      " steps; ask for fewer ranks or blocks"};
                }
            }
            all.rounds.push_back(lazy.rounds());
            all.steps.push_back(std::move(steps));
        }
        return all;
    }

private:
    Generator generator_;
};

template <class Collective>
[[nodiscard]] family family_of() {
    auto const make = []<class Generator>(std::string_view name, Generator const& generator) {
        return std::make_unique<known_algorithm<Collective, Generator>>(name, generator);
    };
    family result;
    result.collective = Collective::name;
    result.rooted = collective::is_rooted<Collective>;
    result.combines = collective::combines<Collective>;
    result.divides = collective::divides<Collective>;
    result.choose = [](call_parameters const& now) {
        return selection::choose(Collective{}, now, true, [](auto const& generator, std::string_view why) {
            return choice{decltype(make){}(generator.name(), generator), why};
        });
    };
    result.expect = [](call_parameters const& now, bool commutes) {
        return prospects{selection::expectations(Collective{}, now, commutes),
                         selection::candidates_for(Collective{}, now, commutes).why()};
    };
    result.verify = [](schedule_table const& all) {
        return tutti::verify(Collective{}, tabulated{&all}, all.size, all.root, all.cut);
    };
    result.lower_bound = [](schedule_table const& all, cost_model const& costs) {
        return tutti::analysis::lower_bound(Collective{}, all.size, all.cut, costs);
    };
    result.json = [](schedule_table const& all, analysis::timeline const& line) {
        return to_json(Collective{}, tabulated{&all}, all.size, all.root, all.cut, line);
    };
    result.proved = [](analysis::from_file const& from) -> facts const& { return from.proved<Collective>(); };
    generators::for_each_algorithm(Collective{}, [&]<class A>(A const& each) {
        result.algorithms.push_back(
            make(generators::name_of_algorithm<A>(), generators::algorithm_for(Collective{}, each)));
    });
    return result;
}

}  // namespace tutti::explore
