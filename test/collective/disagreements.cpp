// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <ostream>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include <support/sentences.hpp>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

// What "Ranks that disagree" of doc/what_can_go_wrong.md promises: each thing in which one rank can differ, in each
// collective, over each communicator, compared or not, in its first call and later. Whatever happens, no rank is left
// waiting, and all go on after recover.

BOOST_AUTO_TEST_SUITE(collective_disagreements)

using support::sentence_of;

namespace {

enum class collective {
    reduce,
    all_reduce,
    inclusive_scan,
    exclusive_scan,
    scan_reduce,
    reduce_scatter,
    broadcast,
    all_gather,
    gather,
    scatter
};
constexpr std::array names{"reduce",         "all_reduce", "inclusive_scan", "exclusive_scan", "scan_reduce",
                           "reduce_scatter", "broadcast",  "all_gather",     "gather",         "scatter"};

enum class difference {
    length,
    much_longer,
    of_long_vectors,
    no_element,
    elements_of_one,
    root,
    other_collective,
    algorithm,
    type,
    combine,
    counts,
    parts,
    plan,
    left_out,
    throws,
    refused
};
constexpr std::array differences{"length",
                                 "much longer",
                                 "length of long vectors",
                                 "no element",
                                 "elements of one only",
                                 "root",
                                 "collective",
                                 "algorithm",
                                 "type",
                                 "operator",
                                 "counts",
                                 "parts",
                                 "plan",
                                 "left out",
                                 "throws",
                                 "refused"};

enum class way { messages, memory, threads };

struct disagreement {
    difference what;
    collective which;
    way communicator;
    bool checked;
    bool first;
    bool straight;  ///< the odd rank recovers at once; else all ranks make another call before

    friend std::ostream& operator<<(std::ostream& out, disagreement const& one) {
        constexpr std::array ways{"messages", "memory", "threads"};
        return out << differences[static_cast<std::size_t>(one.what)] << " in "
                   << names[static_cast<std::size_t>(one.which)] << " over "
                   << ways[static_cast<std::size_t>(one.communicator)] << (one.checked ? ", checked" : "")
                   << (one.first ? ", first call" : "") << (one.straight ? ", straight to recover" : "");
    }
};

/// What a rank calls.
struct arguments {
    collective which;
    std::size_t n = 10;  ///< elements, or of each part
    int root = 0;
    bool has_counts = false;
    std::size_t moved = 0;  ///< elements more in the count of the first rank, and less in that of the second
    std::size_t part = 0;   ///< elements more in the part of this rank than in the root's counts
};

template <class T, class World, class Op, class... Algorithm>
void call(World const& world, int rank, int size, arguments const& with, Op op, Algorithm... by) {
    auto const p = static_cast<std::size_t>(size);
    std::vector<std::size_t> counts(p, with.n);
    counts.front() += with.moved;
    counts.back() -= with.moved;
    auto const mine = counts[static_cast<std::size_t>(rank)] + with.part;
    std::vector<T> one(with.n, T{1}), other(with.n), total(with.n), all(p * with.n), part(mine);
    switch (with.which) {
    case collective::reduce: return tutti::reduce(world, one, other, op, with.root, by...);
    case collective::all_reduce: return tutti::all_reduce(world, one, other, op, by...);
    case collective::inclusive_scan: return tutti::inclusive_scan(world, one, other, op, by...);
    case collective::exclusive_scan: return tutti::exclusive_scan(world, one, other, op, by...);
    case collective::scan_reduce: return tutti::scan_reduce(world, one, other, total, op, by...);
    case collective::reduce_scatter: return tutti::reduce_scatter(world, all, part, counts, op, by...);
    case collective::broadcast: return tutti::broadcast(world, std::span{one}, with.root, by...);
    case collective::all_gather: return tutti::all_gather(world, part, all, counts, by...);
    case collective::gather:
        return with.has_counts ? tutti::gather(world, part, all, counts, with.root, by...)
                               : tutti::gather(world, one, all, with.root, by...);
    case collective::scatter:
        return with.has_counts ? tutti::scatter(world, all, part, counts, with.root, by...)
                               : tutti::scatter(world, all, one, with.root, by...);
    }
}

template <class World>
void call_by_another(World const& world, int rank, int size, arguments const& with) {
    std::plus<> const plus;
    std::vector<double> one(with.n, 1), other(with.n), total(with.n), all(static_cast<std::size_t>(size) * with.n);
    switch (with.which) {
    case collective::reduce: return tutti::reduce(world, one, other, plus, with.root, tutti::linear{});
    case collective::all_reduce: return tutti::all_reduce(world, one, other, plus, tutti::ring{});
    case collective::broadcast: return tutti::broadcast(world, std::span{one}, with.root, tutti::linear{});
    case collective::gather: return tutti::gather(world, one, all, with.root, tutti::linear{});
    case collective::scatter: return tutti::scatter(world, all, one, with.root, tutti::linear{});
    default: return call<double>(world, rank, size, with, plus);  // calls of one name that are alike
    }
}

template <class World>
void run_plan(World const& world, int size, arguments const& with) {
    std::plus<> const plus;
    std::vector<double> one(with.n, 1), other(with.n), all(static_cast<std::size_t>(size) * with.n);
    auto const run = [](auto plan) {
        plan.start();
        plan.wait();
    };
    switch (with.which) {
    case collective::reduce: return run(tutti::plan::reduce(world, one, other, plus, with.root));
    case collective::inclusive_scan: return run(tutti::plan::inclusive_scan(world, one, other, plus));
    case collective::broadcast: return run(tutti::plan::broadcast(world, std::span{one}, with.root));
    case collective::gather: return run(tutti::plan::gather(world, one, all, with.root));
    default: return run(tutti::plan::all_reduce(world, one, other, plus));
    }
}

/// Whether ranks can differ so in this collective.
bool is_possible(difference what, collective which) {
    auto const is_one_of = [&](auto... these) { return ((which == these) || ...); };
    bool const moves =
        is_one_of(collective::broadcast, collective::all_gather, collective::gather, collective::scatter);
    bool const has_root = is_one_of(collective::reduce, collective::broadcast, collective::gather, collective::scatter);
    switch (what) {
    case difference::root: return has_root;
    case difference::algorithm: return has_root || which == collective::all_reduce;
    case difference::combine: return !moves;
    case difference::counts: return is_one_of(collective::all_gather, collective::reduce_scatter);
    case difference::parts: return is_one_of(collective::gather, collective::scatter);
    case difference::refused: return has_root;
    default: return true;
    }
}

/// What this rank does in a call in which one rank is odd.
template <class World>
void take_part(World const& world, int rank, int size, disagreement const& one, bool odd) {
    std::plus<> const plus;
    arguments with{.which = one.which};
    auto const usual = [&] { call<double>(world, rank, size, with, plus); };
    switch (one.what) {
    case difference::length: with.n = odd ? 20 : 10; return usual();
    case difference::much_longer: with.n = odd ? 30'000 : 10; return usual();
    case difference::of_long_vectors: with.n = odd ? 50'000 : 60'000; return usual();
    case difference::no_element: with.n = odd ? 0 : 10; return usual();
    case difference::elements_of_one: with.n = odd ? 2000 : 0; return usual();
    case difference::root: with.root = odd ? 1 : 0; return usual();
    case difference::other_collective:
        if (odd) {
            with.which = one.which == collective::all_reduce ? collective::inclusive_scan : collective::all_reduce;
        }
        return usual();
    case difference::algorithm: return odd ? call_by_another(world, rank, size, with) : usual();
    case difference::type: return odd ? call<float>(world, rank, size, with, plus) : usual();
    case difference::combine: return odd ? call<double>(world, rank, size, with, std::multiplies<>{}) : usual();
    case difference::counts: with.moved = odd ? 3 : 0; return usual();
    case difference::parts:
        with.has_counts = true;
        with.part = odd ? 1000 : 0;
        return usual();
    case difference::plan: return odd ? run_plan(world, size, with) : usual();
    case difference::left_out: return odd ? void() : usual();
    case difference::throws:
        if (odd) { throw std::domain_error{"tutti has nothing to do with it"}; }
        return usual();
    case difference::refused: with.root = odd ? 99 : 0; return usual();
    }
}

/// The rank that differs. Where the root alone knows the counts, it is another one.
int odd_rank(disagreement const& one, int size) {
    return one.what == difference::parts || (static_cast<int>(one.which) + static_cast<int>(one.what)) % 2 == 1
               ? size - 1
               : 0;
}

/// That at least one rank throws, in the call or in the next one.
bool is_promised(disagreement const& one) {
    switch (one.what) {
    case difference::combine:
    case difference::plan:
    case difference::root:
    case difference::algorithm:
    case difference::other_collective: return one.checked;
    case difference::left_out:
    case difference::elements_of_one:
    case difference::no_element: return !one.straight;
    default: return true;
    }
}

void check_right_calls(MPI_Comm world) {
    int const size = support::world_size();
    for (std::size_t const n : {1U, 3000U}) {
        std::vector<int> const in(n, 1);
        std::vector<int> out(n);
        tutti::all_reduce(world, in, out, std::plus<>{});
        BOOST_TEST((out == std::vector<int>(n, size)));
        tutti::reduce_scatter(world, std::vector<int>(n * static_cast<std::size_t>(size), 1), out, std::plus<>{});
        BOOST_TEST((out == std::vector<int>(n, size)));
    }
}

void check_over_mpi(disagreement const& one) {
    int const size = support::world_size();
    int const rank = support::world_rank();
    bool const odd = rank == odd_rank(one, size);
    BOOST_TEST_CONTEXT(one) {
        MPI_Comm world = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &world);
        tutti::configure(world,
                         tutti::execution{.check_calls = one.checked, .timeout = std::chrono::milliseconds{600}});
        if (one.communicator == way::memory) { tutti::communicator_of<MPI_Comm>::get(world).share_memory(true); }
        if (!one.first) { check_right_calls(world); }
        auto const said = sentence_of([&] {
            take_part(world, rank, size, one, odd);
            if (!one.straight) { tutti::barrier(world); }
        });
        tutti::recover(world);
        int const threw = said.empty() ? 0 : 1;
        int all = 0;
        MPI_Allreduce(&threw, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (is_promised(one)) { BOOST_TEST(all != 0); }
        if (one.checked && !one.straight) { BOOST_TEST(all == size); }
        check_right_calls(world);
        MPI_Comm_free(&world);
    }
}

void check_over_threads(disagreement const& one) {
    int const size = std::min(support::world_size(), 4);
    if (support::world_rank() != 0 || one.what == difference::throws || one.what == difference::refused) { return; }
    BOOST_TEST_CONTEXT(one) {
        auto const said = sentence_of([&] {
            tutti::threads::run(size, [&](auto& world) {
                if (!one.first) { tutti::barrier(world); }
                take_part(world, world.rank(), size, one, world.rank() == odd_rank(one, size));
                if (!one.straight) { tutti::barrier(world); }
            });
        });
        BOOST_TEST(said.starts_with("tutti: "), said);
    }
}

std::vector<disagreement> all_disagreements() {
    std::vector<disagreement> result;
    for (std::size_t what = 0; what != differences.size(); ++what) {
        for (std::size_t which = 0; which != names.size(); ++which) {
            if (!is_possible(static_cast<difference>(what), static_cast<collective>(which))) { continue; }
            for (auto const over : {way::messages, way::memory, way::threads}) {
                for (unsigned flags = 0; flags != 8; ++flags) {
                    if (over == way::threads && (flags & 1U) != 0) { continue; }  // which always compare
                    result.push_back({static_cast<difference>(what), static_cast<collective>(which), over,
                                      (flags & 1U) != 0, (flags & 2U) != 0, (flags & 4U) != 0});
                }
            }
        }
    }
    return result;
}

}  // namespace

// Some on each number of ranks; those of TUTTI_TEST_CASES, as "0 100", if it is set.
BOOST_AUTO_TEST_CASE(no_rank_is_left_waiting_and_all_go_on) {
    int const size = support::world_size();
    if (size == 1) { return; }
    auto cases = all_disagreements();
    std::mt19937 random{static_cast<unsigned>(size)};
    std::shuffle(cases.begin(), cases.end(), random);
    std::size_t first = 0, count = size > 4 ? 12 : 60;
    if (auto const* const wanted = std::getenv("TUTTI_TEST_CASES")) {
        char* rest = nullptr;
        first = std::strtoul(wanted, &rest, 10);
        count = std::strtoul(rest, nullptr, 10);
    }
    for (auto const& one : std::span{cases}
                               .subspan(std::min(first, cases.size()))
                               .first(std::min(count, cases.size() - std::min(first, cases.size())))) {
        one.communicator == way::threads ? check_over_threads(one) : check_over_mpi(one);
        support::sleep_until_all_are_here();
    }
}

BOOST_AUTO_TEST_SUITE_END()
