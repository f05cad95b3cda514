// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <support/bracketing.hpp>
#include <support/erased_generator.hpp>
#include <support/ranks.hpp>

#include <tutti/analysis/verify.hpp>
#include <tutti/collective/perform.hpp>
#include <tutti/execution.hpp>
#include <tutti/execution/compile.hpp>
#include <tutti/generator.hpp>

/// What the executor must keep, whatever the schedule: on every rank it does what the symbolic execution says, with
/// the caller's own operator, and never writes to the input.
namespace laws {

template <class World, class Collective>
void check_execution(World& world, Collective which, support::erased_generator const& generator, int root,
                     tutti::partition const& cut) {
    using support::expression;
    auto& ranks = tutti::communicator_of<World>::get(world);
    auto const rank = static_cast<std::size_t>(ranks.rank());
    auto const size = static_cast<std::size_t>(ranks.size());
    auto const expected = tutti::bracketings(which, generator, size, static_cast<std::size_t>(root), cut, rank);

    std::vector<expression> const given(cut.elements(), expression{std::to_string(rank)});
    for (bool const in_place : {false, true}) {
        std::vector<expression> input = given;
        std::vector<expression> output(cut.elements(), expression{"untouched"});
        auto where = place_of(which, ranks.rank() == root, in_place, cut.blocks());
        auto const wanted = where.result;
        tutti::problem const at{rank, size, static_cast<std::size_t>(root), cut};
        support::bracketing plus{'+'};
        tutti::executor<std::remove_reference_t<decltype(ranks)>, expression, support::bracketing> run{
            ranks, 0, tutti::compiler{cut, where}(generate(which, generator, at))};
        for (int repetition = 0; repetition != 2; ++repetition) {
            input = given;
            run.start(input.data(), output.data(), nullptr, plus);
            run.wait();
            auto const what = name_of(which, generator) + ", rank " + std::to_string(rank) + " of " +
                              std::to_string(size) + ", root " + std::to_string(root) + ", " +
                              std::to_string(cut.elements()) + " elements in " + std::to_string(cut.blocks()) +
                              " blocks" + (in_place ? ", in place" : "");
            if (wanted != tutti::place::input) { support::check(input == given, what + ": the input was written"); }
            if (wanted == tutti::place::nowhere) { continue; }
            auto const& result = wanted == tutti::place::input ? input : output;
            for (std::size_t block = 0; block != cut.blocks(); ++block) {
                for (auto i = cut.offset(block); i != cut.offset(block + 1); ++i) {
                    support::check_equal(result[i].text(), expected[block], what + ", element " + std::to_string(i));
                }
            }
        }
    }
}

/// Several cuts, every root of small teams.
template <class World, class Collective, class Generator>
void check_executions(World& world, Collective which, Generator const& named) {
    int const size = support::size_of(world);
    auto const generator = support::erase(which, named);
    for (auto const& cut : {tutti::partition::equal(1, 1), tutti::partition::equal(9, 2),
                            tutti::partition::by_segment(14, 3), tutti::partition::equal(3, 8),
                            tutti::partition::of_sizes(std::vector<std::size_t>{0, 3, 0, 0, 1, 0}),
                            tutti::partition::equal(0, 0)}) {
        for (int root = 0; root < (tutti::collective::is_rooted<Collective> ? size : 1); root += size > 4 ? 2 : 1) {
            check_execution(world, which, generator, root, cut);
        }
    }
}

}  // namespace laws
