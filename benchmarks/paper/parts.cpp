// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include "parts.hpp"

#include <vector>

namespace tutti::paper {

std::vector<part> const& all_parts() {
    static std::vector<part> const parts{
        {"table1", table_1},
        {"table2", table_2},
        {"figure1", figure_1},
        {"figure3", figure_3},
        {"figure4", figure_4},
        {"figure5", figure_5},
        {"table3", table_3},
        {"figure6", figure_6},
        {"figure7", figure_7},
        {"figure8", figure_8},
        {"table4", table_4},
        {"trees", tree_figures},
        {"arrival_figure6", arrival_figure_6},
        {"arrival_figure8", arrival_figure_8},
    };
    return parts;
}

}  // namespace tutti::paper
