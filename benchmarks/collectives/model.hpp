// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <mpi.h>

#include <tutti/cost/file.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure.hpp>

#include "../support/options.hpp"
#include "operators.hpp"

namespace tutti::benchmark {

/// What --model may say beside the name of a file.
inline constexpr std::string_view measured_model = "measured";
inline constexpr std::string_view default_model = "default";

/// What messages and combines cost here, the operators that the benchmark has among them.
[[nodiscard]] inline machine_model measured(cost each) {
    return tutti::measure(MPI_COMM_WORLD, combining<double>(operator_for_tutti<operators::sum>(each)),
                          combining<double>(operator_for_tutti<operators::functor>(each)));
}

/// The model that is asked for, on all ranks. Throws `refusal` for a file that is none.
[[nodiscard]] inline machine_model model_named(std::string const& name, cost each) {
    if (name == measured_model) { return measured(each); }
    if (name == default_model) { return {}; }
    try {
        return load_machine(name);
    } catch (std::runtime_error const& refused) { throw command_line::refusal{refused.what()}; }
}

}  // namespace tutti::benchmark
