// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <support/reduce_scatters.hpp>
#include <tutti/generator/mesh.hpp>
#include <tutti/generator/ordered_mesh.hpp>

BOOST_AUTO_TEST_SUITE(generator_mesh_phases)

using namespace tutti;
using namespace tutti::generators;

namespace {

mesh of(std::vector<std::size_t> factors, std::vector<mesh::algorithm> algorithms) {
    return {std::move(factors), std::move(algorithms), {}};
}

template <class Mesh>
std::vector<std::size_t> lengths(Mesh const& generator, std::size_t size) {
    auto const cut = support::one_block_each(size);
    std::vector<std::size_t> result;
    for (auto const& phase : phases_of(generator, {0, size, 0, cut})) { result.push_back(phase.ranks); }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(phases_take_the_dimensions_forwards_or_backwards) {
    using ranks = std::vector<std::size_t>;
    BOOST_TEST(lengths(of({2, 3, 5}, {}), 30) == (ranks{2, 3, 5}), boost::test_tools::per_element());
    BOOST_TEST(lengths(ordered_mesh{{2, 3, 5}, {}, {}}, 30) == (ranks{5, 3, 2}), boost::test_tools::per_element());
    auto const cut = support::one_block_each(6);
    ordered_mesh const named{{2, 3}, {pairwise{}, short_vector{}}, {}};
    BOOST_TEST(std::holds_alternative<short_vector>(phases_of(named, {0, 6, 0, cut})[0].algorithm));
}

BOOST_AUTO_TEST_CASE(what_is_not_named_is_chosen_for_what_each_phase_is_left) {
    auto const cut = partition::equal(1100, 22);
    // lines of 11 ranks, left with 550 elements: pairwise takes 10 α + 500, short_vector 8 α + 2700
    auto const of_lines = [&](double alpha) {
        auto const phases = phases_of(ordered_mesh{{11, 2}, {}, {alpha, 1, 0}}, {0, 22, 0, cut});
        BOOST_TEST(phases[0].ranks == 2U);
        BOOST_TEST(std::holds_alternative<pairwise>(phases[0].algorithm));
        return phases[1];
    };
    BOOST_TEST(std::holds_alternative<pairwise>(of_lines(1090).algorithm));
    BOOST_TEST(std::holds_alternative<short_vector>(of_lines(1110).algorithm));
}

BOOST_AUTO_TEST_CASE(a_mesh_that_does_not_fit_is_refused) {
    auto const cut = support::one_block_each(12);
    auto const message_of = [&](mesh const& wrong) -> std::string {
        try {
            static_cast<void>(generate(collective::reduce_scatter{}, wrong, problem{0, 12, 0, cut}));
        } catch (std::invalid_argument const& refusal) { return refusal.what(); }
        return "accepted";
    };
    std::string const misfit = "tutti: the factors of a mesh do not multiply to 12 ranks; choose others, or name none "
                               "and leave them to the costs";
    BOOST_TEST(message_of(of({3, 5}, {})) == misfit);
    BOOST_TEST(message_of(of({3, 2}, {})) == misfit);
    BOOST_TEST(message_of(of({0, 12}, {})) == misfit);
    BOOST_TEST(message_of(of({12, 2}, {})) == misfit);
    BOOST_TEST(message_of(of({3, 4}, {bucket{}})) ==
               "tutti: a mesh of 2 factors has 1 algorithms; name one for each factor, or none");
    BOOST_TEST(message_of(of({}, {bucket{}})) ==
               "tutti: a mesh of 0 factors has 1 algorithms; name one for each factor, or none");
    BOOST_TEST(message_of(of({3, 4}, {})) == "accepted");
}

BOOST_AUTO_TEST_SUITE_END()
