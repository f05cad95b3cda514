// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/analysis/schedules_of.hpp>

BOOST_AUTO_TEST_SUITE(analysis_schedules_of)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::schedules;

namespace watched {

/// Says for which problems it was asked, and how many steps were read.
struct generator {
    std::vector<problem>* asked;
    std::size_t* read;
};

template <class Collective>
constexpr facts describe(Collective, std::type_identity<generator>) {
    return {.name = "watched"};
}

template <class Collective>
auto generate(Collective, generator const& who, problem const& at) {
    who.asked->push_back(at);
    return indexed_schedule(9, at.rank, [read = who.read, rank = at.rank](std::size_t i) {
        ++*read;
        return step::send(i, rank, buffer::result(), i);
    });
}

}  // namespace watched

BOOST_AUTO_TEST_CASE(every_rank_is_asked_once_for_the_same_problem) {
    std::vector<problem> asked;
    std::size_t read = 0;
    auto const cut = partition::equal(12, 3);
    auto const schedules = schedules_of(collective::reduce{}, watched::generator{&asked, &read}, 5, 2, cut);
    BOOST_TEST(schedules.size() == 5U);
    BOOST_TEST_REQUIRE(asked.size() == 5U);
    for (std::size_t rank = 0; rank < 5; ++rank) {
        auto const& at = asked[rank];
        BOOST_TEST(at.rank == rank);
        BOOST_TEST(at.size == 5U);
        BOOST_TEST(at.root == 2U);
        BOOST_TEST(&at.blocks == &cut);
    }
}

BOOST_AUTO_TEST_CASE(schedules_stand_in_rank_order_and_are_read_when_they_are_read) {
    std::vector<problem> asked;
    std::size_t read = 0;
    auto const cut = partition::equal(12, 3);
    auto const schedules = schedules_of(collective::all_reduce{}, watched::generator{&asked, &read}, 4, 0, cut);
    BOOST_TEST(read == 0U);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        std::size_t steps = 0;
        for (step const& each : schedules[rank]) {
            BOOST_TEST((each == step::send(steps, rank, buffer::result(), steps)));
            ++steps;
        }
        BOOST_TEST(steps == rank);
        BOOST_TEST(schedules[rank].rounds() == 9U);
    }
    BOOST_TEST(read >= 6U);
}

BOOST_AUTO_TEST_CASE(the_root_is_one_of_the_ranks) {
    std::vector<problem> asked;
    std::size_t read = 0;
    auto const cut = partition::equal(1, 1);
    auto const message = [&](std::size_t size, std::size_t root) -> std::string {
        try {
            static_cast<void>(schedules_of(collective::reduce{}, watched::generator{&asked, &read}, size, root, cut));
        } catch (std::invalid_argument const& wrong) {
            return wrong.what();
        }
        return "";
    };
    BOOST_TEST(message(3, 2) == "");
    asked.clear();
    BOOST_TEST(message(3, 3) == "tutti: root 3 is not one of 3 ranks; ranks count from 0");
    BOOST_TEST(message(0, 0) == "tutti: root 0 is not one of 0 ranks; ranks count from 0");
    BOOST_TEST(asked.empty());
}

BOOST_AUTO_TEST_SUITE_END()
