// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <optional>

#include "known.hpp"
#include "sums.hpp"

namespace tutti::inspect {

/// MPI's sum of doubles, a user's operator that is declared to commute or not to, or none.
enum class combining : std::uint8_t { sum, commuting, ordered, nothing };
inline constexpr std::array operator_names{"MPI_SUM", "commutes", "does not", "-"};

/// What is learned of a collective with an operator and a length.
struct finding {
    kind which;
    combining by;
    std::size_t elements;
    std::string term{};                       ///< of the first element: on the root, rank 0, or of scans the last rank
    std::optional<bool> same_on_all_ranks{};  ///< of an allreduce
    bool rank_order = true;                   ///< of all variations, if the operator does not commute
    std::vector<std::string> changes{};       ///< variations whose results have other bits
    std::string algorithm{};                  ///< empty if none is known
    std::vector<operator_use> use{};          ///< by each rank; combines of a call without variations
    std::string wrong{};                      ///< which result lacks operands, or has them twice or in wrong order
};

using results = std::vector<std::vector<run>>;  ///< of each rank, or of the root alone

inline constexpr std::array variation_names{"call", "in place", "nonblocking", "placement", "root"};

/// A call, how it differs from the usual one, and what all ranks got.
struct variation {
    std::string name;
    call made;
    results found{}, by_position{};
};

/// MPI's operators have no state, so that they find here who records.
inline recorder* recording = nullptr;

inline void record(void* in, void* inout, int* n, MPI_Datatype* type) {
    recording->use.of_other_type = recording->use.of_other_type || *type != MPI_UINT64_T;
    recording->combine(static_cast<element const*>(in), static_cast<element*>(inout), static_cast<std::size_t>(*n));
}

[[nodiscard]] inline results collected(std::vector<run> const& mine, call const& now) {
    auto all = gathered(mine, now);
    return now.which == kind::reduce ? results{all[static_cast<std::size_t>(now.root)]} : all;
}

/// Of a call. Of several, where the bits of sums must tell whether terms are the same.
[[nodiscard]] inline results results_of(call const& now, combining by, MPI_Op recorded) {
    bool const sums = by == combining::sum;
    ranks const self{now.comm};
    if (now.by_position) { return collected(result_of(now, MPI_UINT64_T, sums ? MPI_SUM : recorded, 0), now); }
    std::vector<run> mine;
    for (std::uint64_t seed = 0; seed != (sums ? 12 : 1); ++seed) {
        auto const more = sums ? result_of(now, MPI_DOUBLE, MPI_SUM, std::bit_cast<std::uint64_t>(summand(seed, self)))
                               : result_of(now, MPI_UINT64_T, recorded, operand(static_cast<std::size_t>(self.rank)));
        mine.insert(mine.end(), more.begin(), more.end());
    }
    return collected(mine, now);
}

/// "rank 3, element 10: result "
[[nodiscard]] inline std::string place_of(kind which, std::size_t rank, run const& at) {
    return (which == kind::reduce ? "root" : "rank " + std::to_string(rank)) + ", element " +
           std::to_string(at.first) + ": result ";
}

/// The first complaint about operands of a result; empty if there is none.
[[nodiscard]] inline std::string complaint(results const& found, terms& made, call const& now, bool ordered) {
    auto const which = now.which;
    auto const first = which == kind::bcast ? static_cast<std::size_t>(now.root) : 0;
    for (std::size_t rank = 0; rank != found.size(); ++rank) {
        auto const last = which == kind::bcast    ? first + 1
                          : which == kind::scan   ? rank + 1
                          : which == kind::exscan ? rank
                                                  : made.size;
        for (auto const& each : found[rank]) {
            auto const why = made.trees.complaint(made.of(each.value), first, last, ordered);
            if (!why.empty()) { return place_of(which, rank, each) + why.substr(0, why.find(", though")); }
        }
    }
    return {};
}

/// Where the elements of a result are not the sums of those at the same place; empty if there is no such element.
[[nodiscard]] inline std::string misplaced(results const& found, kind which) {
    for (std::size_t rank = 0; rank != found.size(); ++rank) {
        for (auto const& each : found[rank]) {
            if (each.value != 0) { return place_of(which, rank, each) + "is not the sum of elements at its place"; }
        }
    }
    return {};
}

/// The term, whether it depends on the position, and which algorithm makes such terms.
inline void describe(results const& found, terms& made, known_algorithms& known, finding& result) {
    outline all;
    bool depends = false;
    bool const shows_last = result.which == kind::scan || result.which == kind::exscan || result.which == kind::bcast;
    for (auto const& each : found) {
        depends = depends || each.size() > 1;
        for (auto const& one : each) { all.insert(one.value); }
        bool const shows = !each.empty() && (shows_last || result.term.empty());
        if (shows) { result.term = made.trees.text(made.of(each[0].value)); }
    }
    depends = depends || (result.which >= kind::reduce_scatter && all.size() > 1);
    if (depends) { result.changes.emplace_back("position"); }
    if (result.which == kind::all_reduce) {
        result.same_on_all_ranks = std::equal(found.begin() + 1, found.end(), found.begin());
        if (!*result.same_on_all_ranks) { all.insert(0); }
    }
    result.rank_order = complaint(found, made, {result.which, result.elements}, true).empty();
    if (result.by == combining::nothing) { return; }
    auto combines = joined(result.use).combines;
    for (auto const& each : result.use) { combines += each.combines; }
    auto const work = static_cast<double>(combines) / static_cast<double>(result.elements);
    result.algorithm = known.find(result.which, result.elements, result.by != combining::ordered, all, work);
}

/// Whether a variation has other bits, and whether its results have the operands that they must have.
inline void compare(variation const& with, results const& usual, terms& made, finding& result) {
    bool const is_new = result.changes.empty() || result.changes.back() != with.name;
    if (result.by != combining::nothing && with.found != usual && is_new) { result.changes.push_back(with.name); }
    if (!result.wrong.empty()) { return; }
    bool const ordered = result.by == combining::ordered;
    auto why = result.by == combining::sum ? "" : complaint(with.found, made, with.made, ordered);
    if (why.empty()) { why = misplaced(with.by_position, result.which); }
    if (why.empty()) { return; }
    result.wrong = with.name + (with.name.empty() ? "" : ", ") + why;
    result.rank_order = result.rank_order && !ordered;
}

/// The usual call, and those that differ from it as asked for.
[[nodiscard]] inline std::vector<variation> variations_of(call const& usual, MPI_Comm permuted,
                                                          std::vector<std::string> const& asked) {
    auto const size = ranks{MPI_COMM_WORLD}.size;
    auto const [which, elements] = std::pair{usual.which, usual.elements};
    std::vector<variation> all{{"", usual},
                               {"call", usual},
                               {"call", usual},
                               {"in place", {.which = which, .elements = elements, .in_place = true}},
                               {"nonblocking", {.which = which, .elements = elements, .is_nonblocking = true}},
                               {"placement", {which, elements, permuted, size / 2}}};
    if (which <= kind::reduce) { all.push_back({"root", {.which = which, .elements = elements, .root = size - 1}}); }
    std::erase_if(all, [&](variation const& each) {
        bool const wanted = each.name.empty() || std::find(asked.begin(), asked.end(), each.name) != asked.end();
        return !wanted || (which == kind::bcast && each.made.in_place);
    });
    return all;
}

/// All ranks call; the first learns. In the communicator `permuted`, ranks are in another order.
[[nodiscard]] inline finding observe(kind which, combining by, std::size_t elements, MPI_Comm permuted,
                                     std::vector<std::string> const& variations, known_algorithms& known) {
    auto const [rank, size] = ranks{MPI_COMM_WORLD};
    auto const p = static_cast<std::size_t>(size);
    if (which == kind::reduce_scatter_block) { elements += (p - elements % p) % p; }
    call const usual{which, elements};
    auto all = inspect::variations_of(usual, permuted, variations);
    recorder recorded{by != combining::ordered};
    recording = &recorded;
    auto const calls = [&, self = rank](std::string const& name) {
        call_now = text::joined({"rank ", self, ": ", kind_names[static_cast<std::size_t>(which)], ", elements ",
                                 elements, ": WRONG: ", name, name.empty() ? "" : ", "});
    };
    calls({});
    MPI_Barrier(MPI_COMM_WORLD);  // the first rank may still have looked for algorithms
    MPI_Op op{};
    MPI_Op_create(record, by != combining::ordered ? 1 : 0, &op);
    for (auto& each : all) {
        calls(each.name);
        auto combines = recorded.use.combines;
        each.found = results_of(each.made, by, op);
        if (&each == &all[0]) { combines = recorded.use.combines; }
        each.made.by_position = recorded.adds = true;
        each.by_position = results_of(each.made, by, op);
        recorded.adds = false;
        recorded.use.combines = combines;
    }
    MPI_Op_free(&op);
    finding result{which, by, elements};
    for (auto const& each : gathered(std::vector{recorded.use}, usual)) {
        result.use.insert(result.use.end(), each.begin(), each.end());
    }
    auto const named = by == combining::sum ? collected(terms_of_sum(usual, recorded), usual) : all[0].found;
    MPI_Barrier(MPI_COMM_WORLD);
    alarm(0);
    terms made{p};
    for (auto const& each : gathered(recorded.records, usual)) { made.learn(each); }
    if (rank != 0) { return result; }
    describe(named, made, known, result);
    for (auto const& each : all) { compare(each, all[0].found, made, result); }
    return result;
}

}  // namespace tutti::inspect
