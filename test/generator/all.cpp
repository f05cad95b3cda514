// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/cost/price.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/named.hpp>

BOOST_AUTO_TEST_SUITE(generator_all)

using namespace tutti;
using namespace tutti::generators;

namespace {

template <class Use>
void for_each_listed(Use use) {
    [&]<class... A>(std::type_identity<std::tuple<A...>>) {
        (use(std::type_identity<A>{}), ...);
    }(std::type_identity<all_algorithms>{});
}

template <class Generator>
std::vector<std::string> parameters_of(Generator generator) {
    std::vector<std::string> result;
    for_each_parameter(generator, [&](char const* name, auto&) { result.emplace_back(name); });
    return result;
}

/// The cells of a row of a table.
std::vector<std::string> cells_of(std::string const& row) {
    std::vector<std::string> result;
    for (std::size_t at = 2; at < row.size();) {
        auto const end = row.find(" |", at);
        if (end == row.npos) { break; }
        result.push_back(row.substr(at, end - at));
        at = end + 3;
    }
    return result;
}

/// By collective and algorithm, the operators that the page of algorithms gives.
std::map<std::pair<std::string, std::string>, std::string> operators_of_page() {
    std::string const here = __FILE__;
    std::ifstream page{here.substr(0, here.rfind("test/")) + "include/tutti/generator/README.md"};
    std::map<std::pair<std::string, std::string>, std::string> result;
    std::string collective;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| ")) { collective.clear(); }
        auto const cells = cells_of(line);
        if (cells.size() != 5) { continue; }
        if (cells[4] == "operator") { collective = cells[0]; }
        for (std::size_t at = cells[0].find('`'); at != line.npos; at = cells[0].find('`', at)) {
            auto const end = cells[0].find('`', at + 1);
            result[{collective, cells[0].substr(at + 1, end - at - 1)}] = cells[4];
            at = end + 1;
        }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_algorithm_has_a_name_of_its_own) {
    std::set<std::string_view> names;
    for_each_listed([&]<class A>(std::type_identity<A>) { names.insert(name_of_algorithm<A>()); });
    BOOST_TEST(names.size() == std::tuple_size_v<all_algorithms>);
    BOOST_TEST(names.count("ring") == 1U);
}

BOOST_AUTO_TEST_CASE(parameters_are_found_by_their_names) {
    using names = std::vector<std::string>;
    BOOST_TEST(parameters_of(binomial{}) == names{}, boost::test_tools::per_element());
    BOOST_TEST(parameters_of(postal_tree{}) == (names{"latency", "gap"}), boost::test_tools::per_element());
    BOOST_TEST(parameters_of(reverse(pipeline{})) == names{"segments"}, boost::test_tools::per_element());
    BOOST_TEST(parameters_of(then(ported_circulant{}, reverse(ported_circulant{}))) == (names{"ports", "ports"}),
               boost::test_tools::per_element());
    auto const of_mesh = parameters_of(mesh{});
    BOOST_TEST(std::set<std::string>(of_mesh.begin(), of_mesh.end()) ==
                   (std::set<std::string>{"factors", "algorithms", "alpha", "beta", "gamma"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(parameters_are_those_of_the_object) {
    auto ring_of_parts = ring{};
    for_each_parameter(ring_of_parts, [](char const*, std::size_t& value) { value = 3; });
    BOOST_TEST((ring_of_parts == ring{.sub_segments = 3}));
}

BOOST_AUTO_TEST_CASE(the_page_of_algorithms_names_the_operators_that_are_required) {
    auto const stated = operators_of_page();
    std::size_t compared = 0;
    auto const check = [&]<class Collective>(Collective) {
        for_each_algorithm(Collective{}, [&]<class A>(A const& each) {
            auto const found = stated.find({std::string{Collective::name}, std::string{name_of_algorithm<A>()}});
            if (found == stated.end()) { return; }
            using meant = std::remove_const_t<decltype(algorithm_for(Collective{}, each))>;
            auto const* const expected = facts_of<Collective, meant>.requires_commutative ? "commutative" : "any";
            BOOST_TEST(found->second == expected, Collective::name << " by " << found->first.second);
            ++compared;
        });
    };
    check(collective::reduce{});
    check(collective::all_reduce{});
    check(collective::reduce_scatter{});
    BOOST_TEST(compared == stated.size());
    BOOST_TEST(compared >= 40U);
}

BOOST_AUTO_TEST_SUITE_END()
