// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include <mpi.h>

#include <watch/packed.hpp>
#include <watch/site_table.hpp>
#include <tutti/mpi.hpp>

BOOST_AUTO_TEST_SUITE(watch_site_table)

namespace watch = tutti::watch;

namespace {

watch::site_row row(int rank, double seconds, double last) {
    watch::site_row result;
    result.function = "MPI_Allreduce";
    result.place = {"/opt/solver \"fast\"", 0x120};
    result.communicator = "MPI_COMM_WORLD";
    result.ranks = 1;
    result.members = 2;
    result.calls = 10;
    result.seconds = seconds;
    result.waited = seconds / 2;
    result.stamped = 10;
    result.bytes.add(8, 7);
    result.bytes.add(4096, 3);
    result.left = "too short";
    result.last = {{rank, last}};
    return result;
}

/// As another rank gets them.
watch::site_rows received(watch::site_rows const& sent) {
    auto const bytes = watch::packed(sent);
    std::string_view rest = bytes;
    watch::site_rows result;
    BOOST_REQUIRE(watch::unpack(rest, result));
    BOOST_TEST(rest.empty());
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_ranks_are_joined_as_they_travel) {
    watch::site_rows all;
    all.add(row(0, 1, 1), true);
    watch::site_rows others;
    others.add(row(1, 3, 9), true);
    all.add(received(others));
    BOOST_REQUIRE(all.all.size() == 1);
    auto const& joined = all.all.front();
    BOOST_TEST(joined.calls == 10);
    BOOST_TEST(joined.ranks == 2);
    BOOST_TEST(joined.mean_seconds() == 2);
    BOOST_TEST(joined.mean_waited() == 1);
    BOOST_TEST(joined.bytes.median() == 8);
    BOOST_TEST(joined.bytes.greatest() == 4096);
    BOOST_TEST(joined.text_of_last(3) == "1 (90 %), 0 (10 %)");
    BOOST_TEST(joined.performed_by() == "MPI, too short");
}

BOOST_AUTO_TEST_CASE(who_came_last_is_counted_once_though_every_rank_knows_it) {
    watch::site_rows all;
    for (int rank : {0, 1, 2}) {
        auto one = row(rank, 1, 0);
        one.last = {{0, 2}, {3, 8}};
        watch::site_rows of_rank;
        of_rank.add(one, true);
        all.add(received(of_rank));
    }
    BOOST_REQUIRE(all.all.size() == 1);
    BOOST_TEST(all.all.front().text_of_last(3) == "3 (80 %), 0 (20 %)");
}

BOOST_AUTO_TEST_CASE(files_quote_names) {
    watch::site_rows all;
    all.add(row(0, 1, 10), true);
    watch::site_table const table{all};
    auto const csv = table.csv();
    BOOST_TEST(csv.find("MPI_Allreduce,\"solver \"\"fast\"\"+0x120\",\"MPI_COMM_WORLD\",1,10,8,8,4096,1,0.5,0,"
                        "\"MPI, too short\",0,10,\"0:10\"\n") != std::string::npos);
    auto const json = table.json(2, 5);
    BOOST_TEST(json.find("\"place\": \"solver \\\"fast\\\"+0x120\"") != std::string::npos);
    BOOST_TEST(json.find("\"came_last\": [{\"rank\": 0, \"calls\": 10}]") != std::string::npos);
    auto const text = table.text(2, 5);
    BOOST_TEST(text.find("tutti: of 5.000 s, 2 ranks spent 1.000 s in collectives, of which 0.500 s waiting") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
