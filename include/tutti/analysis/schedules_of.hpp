// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <tutti/generator/named.hpp>
#include <tutti/partition.hpp>
#include <tutti/problem.hpp>
#include <tutti/text.hpp>

namespace tutti::analysis {

/// The schedules of ranks 0 .. size - 1, each still lazy. They may refer to `generator` and `cut`.
template <class Collective, generators::generator_for<Collective> Generator>
[[nodiscard]] auto schedules_of(Collective, Generator const& generator, std::size_t size, std::size_t root,
                                partition const& cut) {
    if (root >= size) {
        throw std::invalid_argument{text::joined(
            {"tutti: root ", root, " is not one of ", text::word(size, "rank"), "; ranks count from 0"})};
    }
    using schedule_type = decltype(generate(Collective{}, generator, problem{0, size, root, cut}));
    std::vector<schedule_type> schedules;
    schedules.reserve(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        schedules.push_back(generate(Collective{}, generator, problem{rank, size, root, cut}));
    }
    return schedules;
}

}  // namespace tutti::analysis
