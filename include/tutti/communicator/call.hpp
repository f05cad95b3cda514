// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tutti/text.hpp>

namespace tutti::control {

/// The record of a collective call that a rank enters. Threads compare those of all ranks and report a mismatch;
/// over MPI they are compared if calls are to be checked, see `execution::check_calls`. The string_views must have
/// static lifetime.
struct call {
    static constexpr std::size_t known_to_root = static_cast<std::size_t>(-1);

    std::string_view collective;
    std::string_view algorithm;
    std::string_view element;          ///< name of the element type
    std::size_t elements = 0;          ///< of the whole vector; or `known_to_root`, since counts are
    std::optional<int> root;
    std::span<std::size_t const> counts = {};  ///< of each rank, where they may differ; see `between`
    std::string_view combine = {};             ///< name of the operator's type
    bool is_plan = false;
    std::uint64_t arguments = 0;  ///< digest of what else has to be the same on all ranks
    void const* words = nullptr;  ///< calls with the same pointer have the same words

    /// Of what is no collective, but has to be entered by all ranks.
    [[nodiscard]] static call named(std::string_view what, std::uint64_t arguments = 0) {
        call result{what, "", "", 0, std::nullopt};
        result.arguments = arguments;
        return result;
    }
};

/// None where only the root knows all.
[[nodiscard]] constexpr std::span<std::size_t const> counts_all_know(call const& entered) {
    return entered.elements == call::known_to_root ? std::span<std::size_t const>{} : entered.counts;
}

/// The call as `rank` and `peer` both have to know it: of counts that the root alone knows, the other one knows its
/// own.
[[nodiscard]] inline call between(int rank, int peer, call entered) {
    if (entered.elements == call::known_to_root && (rank == *entered.root || peer == *entered.root)) {
        entered.elements = entered.counts[static_cast<std::size_t>(rank == *entered.root ? peer : rank)];
        entered.counts = {};
    }
    return entered;
}

/// "reduce by tutti::binomial of 10 double with std::plus to root 0", or in short "reduce of 10 double to root 0". An
/// algorithm that the user has not named is left out.
[[nodiscard, gnu::cold]] inline std::string text_of(call const& entered, bool in_full) {
    auto const outwards = entered.collective == "broadcast" || entered.collective == "scatter";
    if (entered.element.empty()) { return std::string{entered.collective}; }
    auto const element = text::public_name(entered.element);
    if (element == "tutti::barrier") { return "barrier"; }
    auto text = text::joined({entered.is_plan ? "a plan of " : "", entered.collective});
    auto const algorithm = text::public_name(entered.algorithm);
    if (in_full && algorithm != "tutti::automatic") { text += " by " + algorithm; }
    text += " of ";
    if (entered.elements != call::known_to_root) { text += text::joined({entered.elements, " "}); }
    text += element;
    if (in_full && !entered.combine.empty()) { text += " with " + text::public_name(entered.combine); }
    if (entered.root) { text += text::joined({outwards ? " from root " : " to root ", *entered.root}); }
    for (std::size_t rank = 0; rank != counts_all_know(entered).size(); ++rank) {
        text += text::joined({rank == 0 ? " in parts of " : ", ", entered.counts[rank]});
    }
    return text;
}

/// `digest` with one more number in it, of which all bits matter.
[[nodiscard]] constexpr std::uint64_t digest_with(std::uint64_t digest, std::uint64_t number) {
    auto const mixed = (digest ^ number) * 0x9e3779b97f4a7c15U;
    return mixed ^ (mixed >> 29U);
}

/// Equal for equal calls, and for others by chance only.
[[nodiscard]] inline std::uint64_t digest_of(call const& entered) {
    std::uint64_t digest = 0;
    for (auto const word : {entered.collective, entered.algorithm, entered.element, entered.combine}) {
        digest = digest_with(digest, text::hash_of_name(word));
    }
    digest = digest_with(digest, entered.elements);
    digest = digest_with(digest, entered.root ? static_cast<std::uint64_t>(*entered.root) : ~std::uint64_t{0});
    for (auto const count : counts_all_know(entered)) { digest = digest_with(digest, count); }
    if (entered.is_plan) { digest = digest_with(digest, 1); }
    return digest_with(digest, entered.arguments);
}

/// Whether two ranks have entered the same call, as far as both have to know it.
[[nodiscard]] constexpr bool same_call(call const& left, call const& right) {
    // most often the very same words
    auto const same = [](std::string_view a, std::string_view b) {
        return a.size() == b.size() && (a.data() == b.data() || a == b);
    };
    bool const same_kind = (left.words != nullptr && left.words == right.words) ||
                           (same(left.collective, right.collective) && same(left.algorithm, right.algorithm) &&
                            same(left.element, right.element) && same(left.combine, right.combine));
    return same_kind && left.elements == right.elements && left.root == right.root && left.is_plan == right.is_plan &&
           left.arguments == right.arguments &&
           std::ranges::equal(counts_all_know(left), counts_all_know(right));
}

/// The sentence about two calls that differ, the same on both ranks: "... on rank 1 meets ... on rank 3; ..."; or,
/// where the texts do not show in what they differ, "... is not the same on rank 1 and on rank 3; ...".
[[nodiscard, gnu::cold]] inline std::string mismatch_sentence(std::string_view mine, int rank, std::string_view theirs,
                                                              int peer) {
    bool const is_first = rank < peer;
    if (mine == theirs) {
        return text::joined({mine, " is not the same on rank ", is_first ? rank : peer, " and on rank ",
                       is_first ? peer : rank, "; give all ranks the same arguments"});
    }
    return text::joined({is_first ? mine : theirs, " on rank ", is_first ? rank : peer, " meets ",
                         is_first ? theirs : mine, " on rank ", is_first ? peer : rank,
                         "; make the same calls on all ranks"});
}

/// All ranks enter what is no collective, but changes what follows on all of them: before it begins, or it throws
/// `mismatched_calls`. Linked for tutti's own communicators; else <tutti/execution/check_call.hpp> defines it.
///
/// Cost: 2 ⌈log2 p⌉ messages of 16 bytes, one after the other.
template <class C>
void enter_together(C& ranks, call const& entered);

}  // namespace tutti::control
