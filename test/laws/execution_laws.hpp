// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <laws/thorough.hpp>
#include <support/bracketing.hpp>
#include <support/erased_generator.hpp>
#include <support/ranks.hpp>

#include <tutti/analysis/verify.hpp>
#include <tutti/execution.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/problem.hpp>
#include <tutti/program/compile.hpp>
#include <tutti/selection/plan_program.hpp>

/// What the executor must keep, whatever the schedule: on every rank it does what the symbolic execution says, with
/// the caller's own operator, and never writes to the input.
namespace laws {

/// What a rank must hold in the end, block by block.
struct bracketed_blocks {
    template <class Collective>
    bracketed_blocks(Collective which, support::erased_generator const& generator, tutti::problem const& at)
        : result{tutti::analysis::bracketings(which, generator, at.size, at.root, at.blocks, at.rank,
                                              tutti::buffer::result())} {
        if (tutti::collective::traits<Collective>.prefix) {
            prefix = tutti::analysis::bracketings(which, generator, at.size, at.root, at.blocks, at.rank,
                                                  tutti::buffer::prefix());
        }
    }

    std::vector<std::string> result;
    std::vector<std::string> prefix;  // empty where a call has none
};

/// The memories of one rank in a call, and what must be in them in the end.
template <class Collective>
class tested_memories {
    using expression = support::expression;

public:
    tested_memories(Collective, bracketed_blocks const& expected, tutti::problem const& at, bool in_place)
        : cut_{at.blocks},
          expected_{expected},
          where_{place_of(tutti::collective::traits<Collective>, tutti::selection::rank_view{at, in_place})},
          provided_(cut_.elements(), expression{"nothing"}),
          second_output_(cut_.elements(), expression{"untouched"}) {
        auto const whole = tutti::schedules::block_range{0, cut_.blocks()};
        bool const parts = tutti::collective::divides<Collective> && !in_place;
        for (auto i = cut_.offset(where_.provided.first); i != cut_.offset(where_.provided.last); ++i) {
            provided_[i] = expression{std::to_string(at.rank)};
        }
        provided_ = part_of(provided_, parts ? where_.provided : whole);
        output_ = std::vector<expression>(
            parts ? cut_.size(where_.required.first, where_.required.last) : cut_.elements(), expression{"untouched"});
    }

    template <class Executor, class Operator>
    void run(Executor& executor, Operator& op) {
        input_ = provided_;
        executor.start(input_.data(), output_.data(), second_output_.data(), op);
        executor.wait();
    }

    [[nodiscard]] tutti::engine::data_layout const& where() const { return where_; }

    void check(std::string const& what) {
        if (where_.result != tutti::engine::location::input && where_.prefix != tutti::engine::location::input) {
            support::check(input_ == provided_, what + ": the input was written");
        }
        auto const first = cut_.offset(where_.required.first);
        if (where_.compact_result) {
            auto const count = static_cast<std::ptrdiff_t>(cut_.offset(where_.required.last) - first);
            support::check(std::equal(input_.begin() + count, input_.end(), provided_.begin() + count),
                           what + ": the rest of the input was written");
        }
        auto const begins = where_.compact_result ? first : where_.result_offset;
        for (auto block = where_.required.first; block != where_.required.last; ++block) {
            check_block(where_.result, block, begins, expected_.result[block], what);
        }
        if (where_.prefix == tutti::engine::location::nowhere) { return; }
        for (std::size_t block = 0; block != cut_.blocks(); ++block) {
            auto const untouched =
                where_.prefix == tutti::engine::location::input ? std::string{"0"} : std::string{"untouched"};
            auto const& prefix = expected_.prefix[block];
            check_block(where_.prefix, block, 0, prefix.empty() ? untouched : prefix, what);
        }
    }

private:
    [[nodiscard]] std::vector<expression> part_of(std::vector<expression> const& whole,
                                                  tutti::schedules::block_range part) const {
        return {whole.begin() + static_cast<std::ptrdiff_t>(cut_.offset(part.first)),
                whole.begin() + static_cast<std::ptrdiff_t>(cut_.offset(part.last))};
    }

    void check_block(std::uint32_t memory, std::size_t block, std::size_t begins, std::string const& expected,
                     std::string const& what) {
        auto const& seen = memory == tutti::engine::location::input    ? input_
                           : memory == tutti::engine::location::output ? output_
                                                            : second_output_;
        for (auto i = cut_.offset(block); i != cut_.offset(block + 1); ++i) {
            if (seen[i - begins].text() == expected) { continue; }
            support::check_equal(seen[i - begins].text(), expected, what + ", element " + std::to_string(i));
        }
    }

    tutti::partition const& cut_;
    bracketed_blocks const& expected_;
    tutti::engine::data_layout where_;
    std::vector<expression> provided_;
    std::vector<expression> input_;
    std::vector<expression> output_;
    std::vector<expression> second_output_;
};

template <class World, class Collective>
void check_execution(World& world, Collective which, support::erased_generator const& generator, int root,
                     tutti::partition const& cut) {
    auto& ranks = tutti::communicator_of<World>::get(world);
    tutti::problem const at{static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()),
                            static_cast<std::size_t>(root), cut};
    bracketed_blocks const expected{which, generator, at};
    for (bool const in_place : {false, true}) {
        // a part that travels has no place in a whole vector elsewhere
        constexpr bool by_root = std::same_as<Collective, tutti::collective::gather> ||
                                 std::same_as<Collective, tutti::collective::scatter>;
        tested_memories memories{which, expected, at, in_place && (!by_root || at.rank == at.root)};
        support::bracketing plus{'+'};
        tutti::engine::executor<std::remove_reference_t<decltype(ranks)>, support::expression, support::bracketing>
            executor{ranks, 0, tutti::engine::compiler{cut, memories.where()}(generate(which, generator, at))};
        for (int repetition = 0; repetition != 2; ++repetition) {
            memories.run(executor, plus);
            memories.check(name_of(which, generator) + ", rank " + std::to_string(at.rank) + " of " +
                           std::to_string(at.size) + ", root " + std::to_string(root) + ", " +
                           std::to_string(cut.elements()) + " elements in " + std::to_string(cut.blocks()) + " blocks" +
                           (in_place ? ", in place" : ""));
        }
    }
}

/// Several cuts, every root of small teams, and every third of large ones unless all are asked for.
template <class World, class Collective, class Generator>
void check_executions(World& world, Collective which, Generator const& named) {
    int const size = support::size_of(world);
    auto const generator = support::erase(which, named);
    for (auto const& cut : {tutti::partition::equal(1, 1), tutti::partition::equal(9, 2),
                            tutti::partition::by_segment(14, 3), tutti::partition::equal(3, 8),
                            tutti::partition::of_sizes(std::vector<std::size_t>{0, 3, 0, 0, 1, 0}),
                            tutti::partition::equal(0, 0)}) {
        for (int root = 0;
             root<(tutti::collective::is_rooted<Collective> ? size : 1); root += size> 4 && !thorough ? 3 : 1) {
            check_execution(world, which, generator, root, cut);
        }
    }
}

}  // namespace laws
