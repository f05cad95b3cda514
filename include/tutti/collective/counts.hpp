// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <tutti/dynamic_array.hpp>

namespace tutti {

/// How many elements of a vector each rank owns; not given where all own the same number. Refers to the caller's
/// numbers if they are std::size_t and lie in a row, otherwise keeps its own.
class counts_of_ranks {
public:
    counts_of_ranks() = default;
    counts_of_ranks(counts_of_ranks&&) = default;
    counts_of_ranks& operator=(counts_of_ranks&&) = default;
    counts_of_ranks(counts_of_ranks const&) = delete;
    counts_of_ranks& operator=(counts_of_ranks const&) = delete;
    ~counts_of_ranks() = default;

    template <std::ranges::input_range Counts>
        requires std::integral<std::ranges::range_value_t<Counts>>
    explicit counts_of_ranks(Counts const& counts) : provided_{true} {
        if constexpr (std::ranges::contiguous_range<Counts const> &&
                      std::same_as<std::ranges::range_value_t<Counts>, std::size_t>) {
            counts_ = {std::ranges::data(counts), std::ranges::size(counts)};
        } else {
            for (auto const count : counts) {
                if (std::cmp_less(count, 0)) {
                    throw std::invalid_argument{"tutti: a count of elements must not be negative"};
                }
                own_.push_back(static_cast<std::size_t>(count));
            }
            counts_ = own_;
        }
        // on every rank, also on those that need no sum
        for (auto const count : counts_) {
            if (count > std::numeric_limits<std::size_t>::max() - total_) {
                throw std::invalid_argument{"tutti: the sum of the counts overflows; a count is a number of elements"};
            }
            total_ += count;
        }
    }

    /// Where the part of one rank is all that is known: the others' count as empty.
    [[nodiscard]] static counts_of_ranks of_one(std::size_t ranks, std::size_t rank, std::size_t count) {
        counts_of_ranks result;
        result.own_.resize(ranks);
        result.own_[rank] = count;
        result.counts_ = result.own_;
        result.total_ = count;
        result.provided_ = true;
        return result;
    }

    [[nodiscard]] bool provided() const { return provided_; }
    [[nodiscard]] bool empty() const { return counts_.empty(); }
    [[nodiscard]] std::size_t size() const { return counts_.size(); }
    [[nodiscard]] auto begin() const { return counts_.begin(); }
    [[nodiscard]] auto end() const { return counts_.end(); }
    [[nodiscard]] std::size_t operator[](std::size_t rank) const { return counts_[rank]; }
    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] operator std::span<std::size_t const>() const { return counts_; }

private:
    dynamic_array<std::size_t> own_;
    std::span<std::size_t const> counts_;
    std::size_t total_ = 0;
    bool provided_ = false;
};

namespace argument {

/// What callers may give as counts.
template <class X>
concept counts = std::ranges::input_range<X const&> && std::integral<std::ranges::range_value_t<X const&>>;

}  // namespace argument

}  // namespace tutti
