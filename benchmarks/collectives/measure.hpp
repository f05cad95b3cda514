// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <random>

#include "../support/on_ranks.hpp"
#include "../support/timing.hpp"
#include "contenders.hpp"
#include "machine.hpp"
#include "operators.hpp"
#include "vectors.hpp"

namespace tutti::benchmark {

/// The ranks of this run. They compare notes by single messages only, so that no collective under test is involved.
struct ranks {
    int rank;
    int size;
    machine::start_line start;

    [[nodiscard]] bool is_first() const { return rank == 0; }

    /// Whether it is true on every rank.
    [[nodiscard]] bool all(bool here) const {
        return from_first(command_line::combined_on_first({here ? 0.0 : 1.0}, std::plus<>{}).front()) == 0.0;
    }

    /// What rank 0 says, on every rank.
    [[nodiscard]] double from_first(double said) const {
        if (is_first()) {
            for (int peer = 1; peer < size; ++peer) { MPI_Send(&said, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD); }
        } else {
            MPI_Recv(&said, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        return said;
    }
};

/// What a block holds that nobody has written.
inline constexpr double untouched = -2;

/// What element i of the whole vector must become in `out` on a rank.
template <class Collective, class Operator>
[[nodiscard]] double expected(ranks const& world, vectors const& v, std::size_t i) {
    auto const rank = static_cast<std::size_t>(world.rank);
    if constexpr (std::same_as<Collective, collective::inclusive_scan>) {
        return Operator::expected(rank + 1, i);
    } else if constexpr (std::same_as<Collective, collective::exclusive_scan> ||
                         std::same_as<Collective, collective::scan_reduce>) {
        return Operator::expected(rank, i);
    } else if constexpr (collective::combines<Collective>) {
        return Operator::expected(static_cast<std::size_t>(world.size), i);
    } else if constexpr (std::same_as<Collective, collective::all_gather> ||
                         std::same_as<Collective, collective::gather>) {
        return Operator::operand(v.parts->owner(i), i);
    } else {
        return Operator::operand(static_cast<std::size_t>(root), i);
    }
}

/// Whether MPI says what `out` has to be on this rank: a prefix of no operands is left open.
template <class Collective>
[[nodiscard]] bool is_defined(ranks const& world) {
    if constexpr (std::same_as<Collective, collective::reduce>) { return world.rank == root; }
    if constexpr (std::same_as<Collective, collective::exclusive_scan> ||
                  std::same_as<Collective, collective::scan_reduce>) {
        return !world.is_first();
    }
    return true;
}

/// Runs once and compares the results with what they must be.
template <class Collective, class Operator>
[[nodiscard]] bool is_correct(contender const& candidate, ranks const& world, vectors const& v) {
    auto const rank = static_cast<std::size_t>(world.rank);
    auto const give = [&](std::span<double> block, std::size_t begins) {
        for (std::size_t i = 0; i != block.size(); ++i) { block[i] = Operator::operand(rank, begins + i); }
    };
    give(v.in, v.in_begins);
    std::fill(v.out.begin(), v.out.end(), untouched);
    std::fill(v.total.begin(), v.total.end(), untouched);
    if (std::same_as<Collective, collective::broadcast> && world.rank == root) { give(v.out, 0); }

    candidate.run(v);

    if (is_defined<Collective>(world)) {
        for (std::size_t i = 0; i != v.out.size(); ++i) {
            if (v.out[i] != expected<Collective, Operator>(world, v, v.out_begins + i)) { return false; }
        }
    }
    if constexpr (std::same_as<Collective, collective::scan_reduce>) {
        for (std::size_t i = 0; i != v.total.size(); ++i) {
            if (v.total[i] != Operator::expected(static_cast<std::size_t>(world.size), i)) { return false; }
        }
    }
    return true;
}

/// Times of one contender in one cell, in seconds: of each repetition that of the slowest rank.
struct times {
    double median = 0;
    double least = 0;
    double most = 0;
    double percentile = 0;  ///< the one that is asked for
};

/// All contenders in turn, again and again, each time in another order, on `next()`. After all ranks have met, a
/// contender makes so many `calls` one after the other; the time is that of one call. The times are right on rank 0.
[[nodiscard]] inline std::vector<times> measure(std::vector<contender> const& candidates, ranks const& world,
                                                std::size_t repetitions, std::size_t calls,
                                                std::function<vectors()> const& next, std::size_t percentile = 99) {
    auto const n = candidates.size();
    std::vector<double> here(n * repetitions);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::minstd_rand same_on_all_ranks;
    for (std::size_t repetition = 0; repetition != repetitions; ++repetition) {
        std::shuffle(order.begin(), order.end(), same_on_all_ranks);
        for (auto const candidate : order) {
            auto const v = next();
            world.start.wait();
            auto const begin = MPI_Wtime();
            for (std::size_t i = 0; i != calls; ++i) { candidates[candidate].run(v); }
            here[candidate * repetitions + repetition] = (MPI_Wtime() - begin) / static_cast<double>(calls);
        }
    }
    world.start.wait();  // no rank sends anything else while another is still being timed
    auto const slowest =
        command_line::combined_on_first(std::move(here), [](double a, double b) { return std::max(a, b); });
    std::vector<times> result;
    for (auto first = slowest.begin(); first != slowest.end(); first += static_cast<std::ptrdiff_t>(repetitions)) {
        auto const last = first + static_cast<std::ptrdiff_t>(repetitions);
        auto const [least, most] = std::minmax_element(first, last);
        result.push_back({timing::median({first, last}), *least, *most, timing::percentile({first, last}, percentile)});
    }
    return result;
}

/// How often a vector of `bytes` bytes is timed, if nobody says: a simulation gives the same time every time.
[[nodiscard]] inline std::size_t usual_repetitions(std::size_t bytes) {
    return machine::is_simulated ? 1 : std::clamp<std::size_t>((std::size_t{64} << 20) / bytes, 10, 200);
}

/// How many calls follow each other in a loop: as many as the slowest contender makes in 10 ms, at most 1000.
[[nodiscard]] inline std::size_t calls_in_loop(ranks const& world, std::vector<times> const& after_meeting) {
    double slowest = 0;
    for (auto const& each : after_meeting) { slowest = std::max(slowest, each.median); }
    constexpr double loop = 10e-3;  // s
    return static_cast<std::size_t>(world.from_first(std::clamp(loop / std::max(slowest, 1e-9), 2.0, 1000.0)));
}

}  // namespace tutti::benchmark
