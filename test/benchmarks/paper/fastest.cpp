// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "../../../benchmarks/paper/formulas.hpp"


BOOST_AUTO_TEST_SUITE(benchmarks_paper_fastest)

using namespace tutti;
using namespace tutti::paper;

BOOST_AUTO_TEST_CASE(times_and_ratios_are_those_published) {
    struct row {
        std::size_t size, elements;
        double greedy, binomial, pipeline, binary, ratio, integer_ratio;
    };
    using boost::test_tools::tolerance;
    auto const costs = cost_model::linear(10, 1, 0, ports::unidirectional);
    for (auto const& row : std::vector<row>{
         {8, 128, 369, 414, 532.274, 734.386, 1.1220, 1.1220},
         {8, 1024, 2345, 3102, 2738.000, 4688.433, 1.1676, 1.1676},
         {8, 8192, 17204, 24606, 18244.193, 34407.086, 1.0605, 1.0620},
         {16, 128, 468, 552, 750.856, 838.217, 1.1795, 1.1795},
         {16, 1024, 2664, 4136, 3209.969, 4945.543, 1.2049, 1.2061},
         {16, 8192, 18044, 32808, 19432.849, 35097.734, 1.0770, 1.0784},
         {64, 16, 156, 156, 921.428, 287.108, 1.0000, 1.0000},
         {64, 64, 367, 444, 1296.856, 622.217, 1.2098, 1.2098},
         {64, 256, 1036, 1596, 2239.712, 1676.433, 1.5405, 1.5405},
         {64, 512, 1824, 3132, 3214.683, 2937.543, 1.6105, 1.6162},
         {64, 1024, 3296, 6204, 4893.424, 5320.867, 1.4847, 1.4867},
         {64, 4096, 11240, 24636, 13272.848, 18753.734, 1.1809, 1.1827},
         {64, 16384, 38620, 98364, 42319.696, 70195.467, 1.0958, 1.0967},
         {256, 128, 726, 1104, 4395.571, 1127.742, 1.5207, 1.5207},
         {256, 1024, 3564, 8272, 9130.555, 5618.170, 1.5764, 1.5780},
         {256, 8192, 23132, 65616, 31790.571, 36853.935, 1.3743, 1.3754},
         {1024, 128, 808, 1380, 13699.425, 1244.433, 1.5401, 1.5446},
         {1024, 1024, 3773, 10340, 21403.508, 5875.086, 1.5571, 1.5606},
         {1024, 8192, 23673, 82020, 52461.403, 37507.467, 1.5844, 1.5851},
         }) {
        auto const all = standard_reductions(row.size, row.elements, costs);
        auto const fastest = fastest_standard_reduction(row.size, row.elements, costs);
        auto whole = all[0].formula.best_integer_segment().time;
        for (auto const& each : all) { whole = std::min(whole, each.formula.best_integer_segment().time); }
        BOOST_TEST(all[0].time == row.binomial);
        BOOST_TEST(std::abs(all[1].time - row.pipeline) <= 0.0005001);
        BOOST_TEST(std::abs(all[2].time - row.binary) <= 0.0005001);
        BOOST_TEST(std::abs(fastest.time / row.greedy - row.ratio) <= 0.00005001);
        BOOST_TEST(std::abs(whole / row.greedy - row.integer_ratio) <= 0.00005001);
    }
}

BOOST_AUTO_TEST_CASE(each_of_them_has_its_region) {
    auto const costs = cost_model::linear(10, 1, 0, ports::unidirectional);
    BOOST_TEST(fastest_standard_reduction(64, 16, costs).algorithm == "binomial");
    BOOST_TEST(fastest_standard_reduction(64, 256, costs).algorithm == "binomial");
    BOOST_TEST(fastest_standard_reduction(64, 512, costs).algorithm == "binary_tree");
    BOOST_TEST(fastest_standard_reduction(64, 16384, costs).algorithm == "pipeline");
    BOOST_TEST(fastest_standard_reduction(1024, 8192, costs).algorithm == "binary_tree");
}

BOOST_AUTO_TEST_CASE(overlapped_ports_have_no_formulas) {
    BOOST_CHECK_THROW(static_cast<void>(standard_reductions(8, 100, cost_model::unit(ports::overlapped))),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
