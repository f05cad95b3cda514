// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <vector>

#include "exhibit.hpp"

namespace tutti::paper {

[[nodiscard]] std::vector<exhibit> table_1();
[[nodiscard]] std::vector<exhibit> table_2();
[[nodiscard]] std::vector<exhibit> table_3();
[[nodiscard]] std::vector<exhibit> table_4();  ///< and figure 10, which is drawn from it
[[nodiscard]] std::vector<exhibit> figure_1();
[[nodiscard]] std::vector<exhibit> figure_3();
[[nodiscard]] std::vector<exhibit> figure_4();
[[nodiscard]] std::vector<exhibit> figure_5();
[[nodiscard]] std::vector<exhibit> figure_6();
[[nodiscard]] std::vector<exhibit> figure_7();
[[nodiscard]] std::vector<exhibit> figure_8();
[[nodiscard]] std::vector<exhibit> tree_figures();      ///< of Canon and Antoniu
[[nodiscard]] std::vector<exhibit> arrival_figure_6();  ///< of Proficz
[[nodiscard]] std::vector<exhibit> arrival_figure_8();

}  // namespace tutti::paper
