// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>

namespace tutti::threads {

/// A `tutti::call` that owns its words, so that it can be shown after the caller has gone on.
struct spoken_call {
    std::string collective;
    std::string algorithm;
    std::string element;
    std::size_t elements = 0;
    std::optional<int> root;
    std::vector<std::size_t> counts;

    /// Keeps the capacity of strings and counts.
    void assign(call const& said) {
        collective = said.collective;
        algorithm = said.algorithm;
        element = said.element;
        elements = said.elements;
        root = said.root;
        counts.assign(said.counts.begin(), said.counts.end());
    }

    [[nodiscard]] call view() const { return {collective, algorithm, element, elements, root, counts}; }
};

[[nodiscard]] inline bool same_call(call const& left, call const& right) {
    return left.collective == right.collective && left.algorithm == right.algorithm &&
           left.element == right.element && left.elements == right.elements && left.root == right.root &&
           std::equal(left.counts.begin(), left.counts.end(), right.counts.begin(), right.counts.end());
}

/// "reduce by binomial of 10 double to root 0"
[[nodiscard]] inline std::string text_of(call const& said, bool with_algorithm) {
    auto const outwards = said.collective == "broadcast" || said.collective == "scatter";
    auto text = std::string{said.collective};
    if (with_algorithm) { text.append(" by ").append(said.algorithm); }
    text.append(" of ").append(std::to_string(said.elements)).append(" ").append(said.element);
    if (said.root) { text.append(outwards ? " from root " : " to root ").append(std::to_string(*said.root)); }
    for (std::size_t rank = 0; rank != said.counts.size(); ++rank) {
        text.append(rank == 0 ? " in parts of " : ", ").append(std::to_string(said.counts[rank]));
    }
    return text;
}

/// Compares the ranks' collective calls, the k-th of one rank with the k-th of all others. Remembers those that
/// some rank has yet to make. Not synchronised.
class call_log {
public:
    explicit call_log(int size) : made_(static_cast<std::size_t>(size)), window_(8) {}

    /// Rank `rank` makes its next call. What is wrong with it, if anything.
    [[nodiscard]] std::optional<std::string> make(int rank, call const& said) {
        auto const number = ++made_[static_cast<std::size_t>(rank)];
        if (first_gone_ && first_gone_->made < number) {
            return too_few(first_gone_->rank, first_gone_->made, rank, number);
        }
        if (number > newest_) {
            append(rank, said);
            retire();
            return std::nullopt;
        }
        auto& known = at(number);
        auto const expected = known.said.view();
        if (!same_call(said, expected)) {
            auto const by = text_of(said, false) == text_of(expected, false);
            return "tutti: mismatched collectives: call " + std::to_string(number) + " is " + text_of(said, by) +
                   " on rank " + std::to_string(rank) + " but " + text_of(expected, by) + " on rank " +
                   std::to_string(known.first);
        }
        ++known.heard;
        retire();
        return std::nullopt;
    }

    /// Rank `rank` makes no more calls. What is wrong with that, if anything.
    [[nodiscard]] std::optional<std::string> finish(int rank) {
        auto const made = made_[static_cast<std::size_t>(rank)];
        if (!first_gone_ || made < first_gone_->made) { first_gone_ = departure{rank, made}; }
        auto const most = std::max_element(made_.begin(), made_.end());
        if (*most == made) { return std::nullopt; }
        return too_few(rank, made, static_cast<int>(most - made_.begin()), *most);
    }

private:
    struct entry {
        spoken_call said;
        int first = 0;                ///< the rank that made the call first
        std::size_t heard = 0;        ///< how many ranks have made it
    };
    struct departure {
        int rank;
        std::size_t made;
    };

    [[nodiscard]] static std::string too_few(int rank, std::size_t made, int other, std::size_t more) {
        return "tutti: mismatched collectives: rank " + std::to_string(rank) + " returned after " +
               std::to_string(made) + (made == 1 ? " collective call, rank " : " collective calls, rank ") +
               std::to_string(other) + " made " + std::to_string(more);
    }

    [[nodiscard]] entry& at(std::size_t number) { return window_[number % window_.size()]; }

    void append(int rank, call const& said) {
        if (newest_ + 1 - oldest_ == window_.size()) {
            std::vector<entry> wider(2 * window_.size());
            for (auto number = oldest_; number <= newest_; ++number) {
                wider[number % wider.size()] = std::move(at(number));
            }
            window_ = std::move(wider);
        }
        auto& added = at(++newest_);
        added.said.assign(said);
        added.first = rank;
        added.heard = 1;
    }

    void retire() {
        while (oldest_ <= newest_ && at(oldest_).heard == made_.size()) { ++oldest_; }
    }

    std::vector<std::size_t> made_;
    std::vector<entry> window_;       ///< a ring: calls are numbered from 1
    std::size_t oldest_ = 1;
    std::size_t newest_ = 0;
    std::optional<departure> first_gone_;
};

}  // namespace tutti::threads
