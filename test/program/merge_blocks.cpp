// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/circulant.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/program/compile.hpp>
#include <tutti/program/merge_blocks.hpp>

BOOST_AUTO_TEST_SUITE(program_merge_blocks)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::schedules;

namespace {

/// Whether both do the same with the same elements, in the same order.
bool are_equal(tutti::engine::program const& a, tutti::engine::program const& b) {
    auto const same = [](auto const& x, auto const& y, auto equal) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
    };
    return same(a.instructions, b.instructions,
                [](instruction const& x, instruction const& y) {
                    return x.what == y.what && x.peer == y.peer && x.elements == y.elements &&
                           x.first_range == y.first_range && x.last_range == y.last_range &&
                           x.last_follower - x.first_follower == y.last_follower - y.first_follower &&
                           x.predecessors == y.predecessors && x.same_peer == y.same_peer &&
                           x.waits_for_send == y.waits_for_send;
                }) &&
           same(a.ranges, b.ranges, [](element_range const& x, element_range const& y) {
               return x.count == y.count && x.left == y.left && x.right == y.right && x.target == y.target;
           }) && a.workspaces == b.workspaces && a.rounds == b.rounds;
}

template <class Collective, class Generator>
void check(Collective which, Generator const& generator, partition const& cut, std::size_t size) {
    for (std::size_t rank = 0; rank != size; ++rank) {
        auto const steps = generate(which, generator, problem{rank, size, 0, cut});
        data_layout where;
        where.provided = ownership::held(collective::traits<Collective>.gives, {rank, size, 0, cut});
        where.required = ownership::held(collective::traits<Collective>.is_owed, {rank, size, 0, cut});
        where.result = location::output;
        auto const merged = compiler{cut, where}(steps);
        auto const all = schedules::all_steps(steps);
        BOOST_TEST_REQUIRE(are_equal(merged, block_compiler(cut, where)(all, steps.rounds())),
                           name_of(which, generator) << " on rank " << rank << " of " << size);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(blocks_that_steps_use_together_become_one) {
    dynamic_array<step> const steps{step::send(0, 1, buffer::result(), block_range{100, 300}),
                                    step::receive(1, 1, buffer::result(), block_list::cyclic(900, 200, 1000))};
    auto const cut = partition::equal(2000, 1000);
    data_layout where;
    where.required = {0, 1000};
    merged_blocks const merged{cut, where, steps};
    auto const fewer = merged.cut();
    BOOST_TEST(fewer.blocks() == 4U);  // begin at 0, 100, 300, 900
    BOOST_TEST(fewer.elements() == 2000U);
    BOOST_TEST(fewer.offset(2) == 600U);
    BOOST_TEST((merged(steps[0]).blocks == block_list{block_range{1, 2}}));
    BOOST_TEST(merged(steps[1]).blocks.ranges() == 2U);
    BOOST_TEST((merged(where.required) == block_range{0, 4}));
}

BOOST_AUTO_TEST_CASE(programs_stay_the_same) {
    for (std::size_t const size : {64U, 129U, 1000U}) {
        auto const cut = partition::equal(2 * size + 1, size);
        check(collective::reduce_scatter{}, circulant{}, cut, size);
        check(collective::all_gather{}, reverse(circulant{}), cut, size);
        check(collective::scatter{}, binomial{}, cut, size);
        check(collective::gather{}, reverse(linear{}), cut, size);
        check(collective::all_reduce{}, then(circulant{}, reverse(circulant{})), cut, size);
    }
    // blocks without elements
    check(collective::reduce_scatter{}, circulant{}, partition::equal(70, 200), 200);
}

BOOST_AUTO_TEST_CASE(memory_does_not_grow_with_the_number_of_blocks) {
    constexpr std::size_t size = 1'000'000;
    auto const cut = partition::equal(size, size);
    auto const run = compiler{cut, {}}(generate(collective::reduce_scatter{}, circulant{}, problem{5, size, 0, cut}));
    BOOST_TEST(run.ranges.size() < 200U);
    BOOST_TEST(run.instructions.size() < 100U);
}

BOOST_AUTO_TEST_SUITE_END()
