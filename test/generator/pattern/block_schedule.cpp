// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/generator/pattern/block_schedule.hpp>

BOOST_AUTO_TEST_SUITE(generator_pattern_block_schedule)

using namespace tutti;
using namespace tutti::generators;

namespace {

using numbers = std::vector<int>;

numbers first(std::size_t count, block_schedule const& of) {
    return {of.begin(), of.begin() + static_cast<int>(count)};
}

/// The receive schedule by its definition: every sum from the beginning, O(q^2).
numbers defined_receives(halving_skips const& skips, std::size_t rank) {
    auto const q = skips.count();
    auto const base = baseblock(skips, rank);
    auto const distance = rank + skips.size();
    std::vector<bool> used(q + 1, false);
    used[base] = true;
    auto below = distance + 1;
    numbers result;
    for (std::size_t k = 0; k < q; ++k) {
        auto const top = std::min(distance - skips[k], below - 1);
        std::size_t sum = 0;
        std::size_t last = 0;
        for (auto e = q + 1; e-- > 0;) {
            if (used[e] || sum + skips[e] > top) { continue; }
            sum += skips[e];
            last = e;
            if (sum > distance - skips[k + 1]) { break; }
        }
        used[last] = true;
        below = sum;
        result.push_back(last == q ? static_cast<int>(base) : static_cast<int>(last) - static_cast<int>(q));
    }
    return result;
}

/// All ranks of one size.
struct tables {
    halving_skips skips;
    std::size_t q;
    std::vector<block_schedule> receives{};
    std::vector<block_schedule> sends{};

    explicit tables(std::size_t size) : skips{size}, q{skips.count()} {
        for (std::size_t rank = 0; rank < size; ++rank) {
            receives.push_back(receive_schedule(skips, rank));
            sends.push_back(send_schedule(skips, rank));
        }
    }
};

/// What one rank breaks of the four conditions for a right schedule; "" if nothing.
std::string broken(tables const& all, std::size_t rank) {
    auto const q = static_cast<int>(all.q);
    auto const base = static_cast<int>(baseblock(all.skips, rank));
    auto const& receives = all.receives[rank];
    auto const& sends = all.sends[rank];
    std::vector<bool> received(2 * all.q + 1, false);   // -q .. q
    for (std::size_t k = 0; k < all.q; ++k) {
        auto const peer = (rank + all.skips[k]) % all.skips.size();
        if (sends[k] != all.receives[peer][k]) { return "sends what the other rank does not receive"; }

        auto const block = receives[k];
        if (block < -q || block >= q || received[static_cast<std::size_t>(block + q)]) { return "receives twice"; }
        if (block == base - q) { return "receives the block of the phase before again"; }
        bool const in_range = all.skips[k] <= rank && rank < all.skips[k + 1];
        if (block >= 0 && (block != base || !in_range)) { return "receives a new block that is not its own"; }
        if (in_range && block != base) { return "does not receive its baseblock"; }

        bool const has = sends[k] == base - q || (sends[k] >= -q && received[static_cast<std::size_t>(sends[k] + q)]);
        if (rank == 0 ? sends[k] != static_cast<int>(k) : !has) { return "sends what it has not received"; }
        received[static_cast<std::size_t>(block + q)] = true;
    }
    if (rank != 0 && all.q != 0 && sends[0] != base - q) { return "does not begin with its baseblock"; }
    return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(tables_are_those_published) {
    struct table { std::size_t size; numbers bases; std::vector<numbers> receives, sends; };
    for (auto const& expected : std::vector<table>{
             {5,
              {3, 0, 1, 2, 0},
              {{-3, 0, -3, -2, -1}, {-1, -1, 1, -3, -2}, {-2, -2, -1, 2, 0}},
              {{0, -3, -2, -1, -3}, {1, -3, -2, -1, -1}, {2, 0, -2, -2, -1}}},
             {9,
              {4, 0, 1, 2, 0, 3, 0, 1, 2},
              {{-2, 0, -4, -3, -2, -4, -1, -4, -3},
               {-3, -2, 1, -4, -3, -2, -2, -1, -4},
               {-1, -3, -2, 2, 0, -3, -3, -2, -1},
               {-4, -1, -1, -1, -1, 3, 0, 1, 2}},
              {{0, -4, -3, -2, -4, -1, -4, -3, -2},
               {1, -4, -3, -2, -2, -1, -4, -3, -2},
               {2, 0, -3, -3, -2, -1, -1, -3, -2},
               {3, 0, 1, 2, -4, -1, -1, -1, -1}}},
             {17,
              {5, 0, 1, 2, 0, 3, 0, 1, 2, 4, 0, 1, 2, 0, 3, 0, 1},
              {{-4, 0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5},
               {-5, -4, 1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2},
               {-2, -2, -2, 2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3},
               {-1, -3, -3, -2, -2, 3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1},
               {-3, -1, -1, -1, -1, -1, -1, -1, -1, 4, 0, 1, 2, 0, 3, 0, 1}},
              {{0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5, -4},
               {1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2, -5, -4},
               {2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3, -2, -2, -2},
               {3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1, -1, -3, -3, -2, -2},
               {4, 0, 1, 2, 0, 3, 0, 1, -3, -1, -1, -1, -1, -1, -1, -1, -1}}}}) {
        tables const found{expected.size};
        for (std::size_t rank = 0; rank < expected.size; ++rank) {
            BOOST_TEST(static_cast<int>(baseblock(found.skips, rank)) == expected.bases[rank]);
            for (std::size_t k = 0; k < found.q; ++k) {
                BOOST_TEST(static_cast<int>(found.receives[rank][k]) == expected.receives[k][rank]);
                BOOST_TEST(static_cast<int>(found.sends[rank][k]) == expected.sends[k][rank]);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(schedules_of_single_ranks_are_those_published) {
    struct row { std::size_t size, rank, base; numbers receives, sends; };
    for (auto const& [size, rank, base, receives, sends] : std::vector<row>{
             {33, 1, 0, {0, -3, -4, -2, -5, -1}, {-6, -6, 0, 0, 0, 0}},
             {33, 29, 2, {-5, -6, -2, -3, -1, 2}, {-4, -4, -5, -2, -2, -1}},
             {33, 31, 3, {-6, -4, -5, -2, -1, 3}, {-3, -3, -4, -3, -2, -1}},
             {81, 1, 0, {0, -4, -6, -3, -2, -5, -1}, {-7, -7, 0, 0, 0, 0, 0}},
             {1000, 1, 0, {0, -8, -7, -6, -5, -9, -4, -3, -2, -1}, {-10, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
             {1000, 499, 0, {-8, -9, -7, -6, -5, -4, -3, -2, 0, -1}, {-10, -8, -8, -7, -6, -5, -4, -3, -2, 0}},
             {1000, 500, 9, {-10, -8, -7, -6, -5, -4, -9, -3, -2, 9}, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
             {65537,
              12345,
              3,
              {-17, -15, -16, -12, -13, -11, -4, -10, -9, -8, -7, -6, -5, -3, 3, -2, -1},
              {-14, -14, -14, -14, -12, -12, -11, -4, -4, -4, -4, -4, -4, -4, -3, 3, 3}}}) {
        halving_skips const skips{size};
        auto const q = skips.count();
        BOOST_TEST(baseblock(skips, rank) == base);
        BOOST_TEST(first(q, receive_schedule(skips, rank)) == receives, boost::test_tools::per_element());
        BOOST_TEST(first(q, send_schedule(skips, rank)) == sends, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(checksums_over_all_ranks_are_those_published) {
    struct row { std::size_t size, receives, sends; };
    for (auto const& [size, receives, sends] : std::vector<row>{
             {2, 5, 4},              {3, 50, 40},            {4, 89, 71},            {5, 360, 300},
             {6, 518, 431},          {7, 698, 587},          {8, 910, 763},          {9, 2356, 2048},
             {10, 2905, 2521},       {11, 3505, 3053},       {12, 4167, 3619},       {13, 4869, 4269},
             {14, 5641, 4941},       {15, 6464, 5692},       {16, 7350, 6450},       {17, 14759, 13234},
             {18, 16533, 14818},     {19, 18403, 16558},     {20, 20382, 18292},     {24, 29274, 26309},
             {25, 31710, 28770},     {31, 48645, 44240},     {32, 51825, 47020},     {33, 89179, 82093},
             {34, 94654, 86926},     {35, 100274, 92174},    {36, 106065, 97359},    {40, 130828, 120376},
             {47, 180383, 166457},   {48, 188124, 173334},   {49, 195932, 181640},   {63, 323406, 300744},
             {64, 333739, 309925},   {65, 520452, 487300},   {66, 536556, 502053},   {81, 807365, 757679},
             {96, 133394, 63051},    {100, 229453, 157122},  {127, 981529, 871762},  {128, 12830, 899930},
             {129, 937016, 784408},  {130, 982670, 826702},  {255, 460623, 948618},  {256, 550651, 30451},
             {257, 72255, 384109},   {500, 793108, 552834},  {1000, 113651, 108721}, {1023, 238450, 824393},
             {1024, 903885, 438625}, {1025, 91863, 517135},  {2047, 852048, 883791}, {2048, 586478, 494317}}) {
        tables const all{size};
        auto const sum = [&](std::vector<block_schedule> const& of) {
            std::size_t result = 0;
            for (std::size_t rank = 0; rank < all.skips.size(); ++rank) {
                for (std::size_t k = 0; k < all.q; ++k) {
                    auto const block = static_cast<std::size_t>(of[rank][k] + static_cast<int>(all.q) + 1);
                    result += (rank * all.q + k + 1) * block;
                }
            }
            return result % 1000003;
        };
        BOOST_TEST(sum(all.receives) == receives);
        BOOST_TEST(sum(all.sends) == sends);
    }
}

BOOST_AUTO_TEST_CASE(schedules_of_all_ranks_fit_together) {
    for (std::size_t size = 1; size <= 2048; ++size) {
        tables const all{size};
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const why = broken(all, rank);
            if (!why.empty()) { BOOST_ERROR("rank " << rank << " of " << size << ' ' << why); }
        }
    }
}

BOOST_AUTO_TEST_CASE(sums_continued_are_sums_begun_anew) {
    auto const check = [](std::size_t size, std::size_t begin, std::size_t end) {
        halving_skips const skips{size};
        for (auto rank = begin; rank < end; ++rank) {
            if (first(skips.count(), receive_schedule(skips, rank)) != defined_receives(skips, rank)) {
                BOOST_ERROR("rank " << rank << " of " << size << " receives something else");
            }
        }
    };
    for (std::size_t size = 1; size <= 512; ++size) { check(size, 0, size); }
    for (std::size_t size : {65535U, 65536U, 65537U, 65539U, 1'000'000U, 99'999'989U}) {
        check(size, 0, 200);
        check(size, size / 3, size / 3 + 200);
        check(size, size - 200, size);
    }
}

BOOST_AUTO_TEST_CASE(sends_of_very_many_ranks_are_received) {
    for (auto const size : {std::size_t{65537}, std::size_t{1'000'000}, (std::size_t{1} << 62U) + 12345}) {
        halving_skips const skips{size};
        for (auto rank = size / 7; rank < size / 7 + 300; ++rank) {
            auto const sends = send_schedule(skips, rank);
            for (std::size_t k = 0; k < skips.count(); ++k) {
                BOOST_REQUIRE(sends[k] == receive_schedule(skips, (rank + skips[k]) % size)[k]);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(are_known_when_the_program_is_compiled) {
    static_assert(receive_schedule(halving_skips{5}, 3)[2] == 2 && send_schedule(halving_skips{5}, 4)[1] == -1);
}

BOOST_AUTO_TEST_SUITE_END()
