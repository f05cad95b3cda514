// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <support/erased_generator.hpp>

#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/predict.hpp>
#include <tutti/analysis/simulate.hpp>

namespace support {

inline std::vector<tutti::ports> const all_ports{tutti::ports::unidirectional, tutti::ports::bidirectional,
                                                 tutti::ports::overlapped};

/// Costs that are integers, so that times are exact; the model is to be set.
inline std::vector<tutti::cost_model> const integer_costs{
    tutti::cost_model::unit(),          tutti::cost_model::per_block(2, 1), tutti::cost_model::per_block(1, 3),
    tutti::cost_model::linear(7, 1, 0), tutti::cost_model::linear(0, 2, 3), {3, 1, 1, 1, 1}};

inline std::vector<tutti::partition> const equal_cuts{
    tutti::partition::equal(6, 1), tutti::partition::equal(2, 2), tutti::partition::equal(9, 3),
    tutti::partition::equal(8, 8), tutti::partition::of_sizes(std::vector<std::size_t>{0, 2, 0, 2, 2})};

inline std::vector<tutti::partition> const unequal_cuts{
    tutti::partition::equal(0, 3), tutti::partition::by_segment(14, 5),
    tutti::partition::of_sizes(std::vector<std::size_t>{9, 1, 0, 1, 4})};

/// Calls function(size, root, cut, costs) for many of each.
template <class Function>
void for_each_case(std::vector<std::size_t> const& sizes, std::vector<tutti::partition> const& cuts,
                   Function function) {
    for (auto const model : all_ports) {
        for (auto costs : integer_costs) {
            costs.model = model;
            for (auto const size : sizes) {
                for (auto const& cut : cuts) {
                    for (auto const root : {std::size_t{0}, size / 2, size - 1}) { function(size, root, cut, costs); }
                }
            }
        }
    }
}

inline std::vector<std::size_t> const few_sizes{1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 21};

/// The closed form of `generator` gives the time that a simulation of `same`, which has the same schedules, takes,
/// wherever it gives one at all; and it gives one where `expected` says so of (size, root, cut, costs).
template <class Collective, class Generator, class Same, class Expected>
void check_closed_form_by(Same const& same, Collective which, Generator const& generator, Expected expected,
                          std::vector<tutti::partition> const& cuts = equal_cuts) {
    std::size_t wrong = 0;
    std::size_t checked = 0;
    for_each_case(few_sizes, cuts, [&](std::size_t size, std::size_t root, auto const& cut, auto const& costs) {
        auto const formula = closed_form_of(which, generator, size, root, cut, costs);
        bool const trivial = size == 1 || cut.elements() == 0;
        bool right = trivial || formula.has_value() == expected(size, root, cut, costs);
        if (formula) {
            ++checked;
            right = right && *formula == simulate(which, same, size, root, cut, costs).makespan();
        }
        if (right || wrong++ != 0) { return; }
        BOOST_ERROR(name_of(which, generator) << ", " << size << " ranks, root " << root << ", " << cut.blocks()
                                              << " blocks, ports " << static_cast<int>(costs.model) << ": "
                                              << (formula ? "another time than simulated, or unexpected" : "no time"));
    });
    BOOST_TEST(wrong == 0U);
    BOOST_TEST(checked != 0U);
}

template <class Collective, class Generator, class Expected>
void check_closed_form(Collective which, Generator const& generator, Expected expected,
                       std::vector<tutti::partition> const& cuts = equal_cuts) {
    check_closed_form_by(erase(which, generator), which, generator, expected, cuts);
}

}  // namespace support
