// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <range/v3/algorithm/equal.hpp>

#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/json.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/any_generator.hpp>

BOOST_AUTO_TEST_SUITE(analysis_read_json)

using namespace tutti;

namespace {

/// As a call of many elements cuts its vector.
template <class Collective>
partition cut_for(generators::any_generator<Collective> const& of, std::size_t size) {
    auto const wanted = std::max<std::size_t>(of.blocks(size, 64 * 8), 1);
    auto const blocks = collective::divides<Collective> ? std::max<std::size_t>(wanted / size, 1) * size : wanted;
    return partition::equal(3 * blocks, blocks);
}

/// Whether a generator's schedules are the same after they have been written and read.
template <class Collective>
bool is_the_same_again(Collective which, generators::any_generator<Collective> const& of, std::size_t size) {
    auto const cut = cut_for(of, size);
    auto const root = collective::is_rooted<Collective> ? size - 1 : 0;
    from_file const again{to_json(which, of, size, root, cut, {}), "again"};
    if (again.table().cut != partition::of_sizes(std::vector<std::size_t>(cut.blocks(), 3)) || again.table().root != root ||
        again.table().name != of.name() ||
        again.proved<Collective>().requires_commutative != of.stated().requires_commutative) {
        return false;
    }
    for (std::size_t rank = 0; rank != size; ++rank) {
        problem const at{rank, size, root, cut};
        auto const before = generate(which, of, at);
        auto const after = generate(which, again, at);
        if (before.rounds() != after.rounds() || !ranges::equal(before, after)) { return false; }
    }
    return again.suits<Collective>(size, true);
}

std::string one_rank_sends(std::string const& step, std::string const& rounds = "[[0], []]") {
    return R"({"collective": "reduce", "algorithm": "mine", "size": 2, "root": 0,
 "partition": [4],
 "requires_commutative": false,
 "ranks": [
   [)" + step + R"(],
   []],
 "rounds_of_steps": )" + rounds + "}\n";
}

std::string reason_against(std::string const& text) {
    try {
        from_file const read{text, "file"};
    } catch (analysis::broken_schedule const& wrong) { return wrong.reason(); }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_schedules_of_every_algorithm_are_the_same_again) {
    std::size_t compared = 0;
    auto const check = [&]<class Collective>(Collective which) {
        generators::for_each_algorithm(which, [&](auto const& each) {
            generators::any_generator<Collective> const of{generators::algorithm_for(which, each)};
            for (std::size_t size = 2; size <= 17; ++size) {
                if (!of.stated().supports(size)) { continue; }
                ++compared;
                BOOST_TEST(is_the_same_again(which, of, size), Collective::name << " by " << of.name() << ", " << size);
            }
        });
    };
    [&]<class... Each>(collective::list<Each...>) { (check(Each{}), ...); }(collective::all{});
    BOOST_TEST(compared > 1500U);
}

BOOST_AUTO_TEST_CASE(a_wrong_file_gets_one_sentence_with_its_line) {
    auto const send = [](std::string const& peer, std::string const& rest) {
        return R"({"do": "send", "peer": )" + peer + R"(, "buffer": )" + rest + '}';
    };
    BOOST_TEST(reason_against(one_rank_sends(send("1", R"("result", "blocks": [[0, 1]])"))) == "");
    BOOST_TEST(reason_against(one_rank_sends(send("2", R"("result", "blocks": [[0, 1]])"))) ==
               "file:5: expected \"peer\", a whole number up to 1, not '2'");
    BOOST_TEST(reason_against(one_rank_sends(send("0", R"("result", "blocks": [[0, 1]])"))) ==
               "file:5: rank 0, step 0 (send to rank 0, blocks [0,1)): a rank sends no message to itself");
    BOOST_TEST(reason_against(one_rank_sends(send("1", R"("result", "blocks": [[0, 2]])"))) ==
               "file:5: rank 0, step 0 (send to rank 1, blocks [0,2)): there is only 1 block");
    BOOST_TEST(reason_against(one_rank_sends(send("1", R"("scratch9999", "blocks": [[0, 1]])"))) ==
               "file:5: expected scratch, a whole number up to 4096, not '9999'");
    BOOST_TEST(reason_against(one_rank_sends(send("1", R"("output", "blocks": [[0, 1]])"))) ==
               "file:5: expected input, result, prefix, scratch0, scratch1 ..., not 'output'");
    BOOST_TEST(reason_against(one_rank_sends(R"({"do": "sing"})")) ==
               "file:5: expected send, receive, receive_combine, combine or copy, not 'sing'");
    BOOST_TEST(reason_against(one_rank_sends(R"({"do": "copy", "peer": 1})")) == "file:5: expected source, not 'peer'");
    BOOST_TEST(reason_against(one_rank_sends("", "[[0], []]")) == "file:7: there are more rounds than steps");
    BOOST_TEST(reason_against(one_rank_sends("", "[[]]")) == "file:7: there are fewer of them than ranks");
    BOOST_TEST(reason_against("{\"collective\": \"redoce\"") ==
               "file:1: expected a collective, not 'redoce'");
    BOOST_TEST(reason_against("{\n\"collective\" \"reduce\"") == "file:2: expected :, not '\"reduce\"'");
    BOOST_TEST(reason_against("{") == "file:1: expected \", not ''");
}

BOOST_AUTO_TEST_SUITE_END()
