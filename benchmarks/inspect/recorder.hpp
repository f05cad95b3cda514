// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <charconv>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tutti/analysis/expression.hpp>
#include <tutti/communicator/call.hpp>

namespace tutti::inspect {

/// A digest of a term, below the least rank in it. It has the 8 bytes of a double: MPI chooses algorithms by bytes.
using element = std::uint64_t;
inline constexpr unsigned digest_bits = 48;

/// What `rank` contributes.
[[nodiscard]] constexpr element operand(std::size_t rank) {
    return (element{rank} << digest_bits) | (control::digest_with(~element{0}, rank) >> (64 - digest_bits));
}

struct combine_record {
    element term, left, right;
};

/// How a rank was asked to combine.
struct operator_use {
    std::uint64_t combines = 0;       ///< elements
    std::uint64_t most_elements = 0;  ///< in one call
    bool on_other_thread = false;     ///< than the one that called MPI
    bool of_other_type = false;       ///< than MPI was given
};

/// By any rank, and the combines of the one that has most.
[[nodiscard]] inline operator_use joined(std::vector<operator_use> const& all, operator_use with = {}) {
    for (auto const& [combines, most_elements, on_other_thread, of_other_type] : all) {
        with = {std::max(with.combines, combines), std::max(with.most_elements, most_elements),
                with.on_other_thread || on_other_thread, with.of_other_type || of_other_type};
    }
    return with;
}

/// An operator that records what it combines. If it commutes, the operand with the least rank counts as the left one:
/// terms are equal if their results have the same bits on any data.
class recorder {
public:
    explicit recorder(bool commutes) : commutes_{commutes} {}

    /// inout[i] = in[i] ⊕ inout[i] for i < n, as MPI defines its operators.
    void combine(element const* in, element* inout, std::size_t n) {
        std::lock_guard const alone{mutex_};
        for (std::size_t i = 0; i != n; ++i) { inout[i] = adds ? in[i] + inout[i] : term_of(in[i], inout[i]); }
        use.combines += n;
        use.most_elements = std::max<std::uint64_t>(use.most_elements, n);
        use.on_other_thread = use.on_other_thread || std::this_thread::get_id() != owner_;
    }

    /// The term that `text` is, such as "((0+1)+2)", as if it had been recorded; 0 for an empty text.
    [[nodiscard]] element read(std::string_view text) {
        std::vector<element> open{0};
        for (auto const *at = text.data(), *end = at + text.size(); at != end;) {
            std::size_t rank = 0;
            auto const [next, error] = std::from_chars(at, end, rank);
            if (error == std::errc{}) { open.push_back(operand(rank)); }
            if (*at == ')') {
                auto const right = open.back();
                open.pop_back();
                open.back() = term_of(open.back(), right);
            }
            at = std::max(next, at + 1);
        }
        return open.back();
    }

    operator_use use;
    std::vector<combine_record> records;
    bool adds = false;  ///< unsigned integers, and records no terms

private:
    element term_of(element left, element right) {
        if (commutes_ && right < left) { std::swap(left, right); }
        if (left != last_.left || right != last_.right) {
            auto const digest = control::digest_with(control::digest_with(0, left), right);
            auto const least = std::min(left, right) >> digest_bits << digest_bits;
            last_ = {least | (digest >> (64 - digest_bits)), left, right};
            records.push_back(last_);
        }
        return last_.term;
    }

    bool commutes_;
    std::mutex mutex_;
    std::thread::id owner_ = std::this_thread::get_id();
    combine_record last_{};  // mostly the next one is the same
};

/// The terms of elements, from the records of all ranks.
class terms {
public:
    explicit terms(std::size_t of_ranks) : size{of_ranks}, trees{of_ranks} {}

    void learn(std::vector<combine_record> const& records) {
        for (auto const& each : records) { records_.try_emplace(each.term, each); }
    }

    /// Nothing if no operator has made it of operands.
    [[nodiscard]] analysis::symbolic::value of(element each) {
        auto const least = static_cast<std::size_t>(each >> digest_bits);
        if (least < size && each == operand(least)) { return trees.operand(least); }
        auto const made = records_.find(each);
        if (made == records_.end()) { return analysis::symbolic::nothing; }
        auto const left = of(made->second.left);
        auto const right = of(made->second.right);
        bool const known = left != analysis::symbolic::nothing && right != analysis::symbolic::nothing;
        return known ? trees.combine(left, right) : analysis::symbolic::nothing;
    }

    std::size_t size;  ///< ranks
    analysis::symbolic::expressions trees;

private:
    std::unordered_map<element, combine_record> records_;
};

}  // namespace tutti::inspect
