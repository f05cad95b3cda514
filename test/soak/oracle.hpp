// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "call.hpp"
#include "elements.hpp"
#include "random.hpp"

/// What a call has to give, computed one operand after the other in the order of ranks, without tutti.
namespace soak {

/// The memory of one rank for one call. `in` stays empty where the call is in place.
template <class T>
struct memory {
    std::vector<T> in;
    std::vector<T> out;
    std::vector<T> total;  ///< of scan_reduce
    friend bool operator==(memory const&, memory const&) = default;
};

template <class T>
class oracle {
public:
    oracle(call const& c, int run) : call_{c}, run_{static_cast<std::uint64_t>(run)} {}

    [[nodiscard]] T state() const { return element<T>::value(mixed(call_.seed, 0xabc)); }

    /// What rank `rank` has before the call: its operands, and in the place of results what nobody computes.
    [[nodiscard]] memory<T> before(int rank) const {
        memory<T> result;
        auto const operands = operands_of(rank);
        if (!call_.in_place && call_.what != collective::broadcast) {
            result.in = operands;
            result.out = values(1000 + rank, length_of_result(rank));
        } else if (is_whole(rank)) {  // with this rank's part in its place
            result.out = values(1000 + rank, call_.total());
            std::copy(operands.begin(), operands.end(), result.out.begin() + difference(call_.first_of(rank)));
        } else if (call_.what == collective::scatter && rank != call_.root) {
            result.out = values(1000 + rank, call_.count_of(rank));
        } else {
            result.out = operands;
        }
        if (call_.what == collective::scan_reduce) { result.total = values(2000 + rank, call_.length); }
        return result;
    }

    /// What it has after the call.
    [[nodiscard]] memory<T> after(int rank) const {
        auto result = before(rank);
        auto& out = result.out;
        switch (call_.what) {
            case collective::reduce:
                if (rank == call_.root) { out = fold(call_.size); }
                break;
            case collective::all_reduce: out = fold(call_.size); break;
            case collective::inclusive_scan: out = fold(rank + 1); break;
            case collective::exclusive_scan:
            case collective::scan_reduce:
                if (rank != 0) {
                    out = fold(rank);
                } else if (known_identity(call_)) {
                    out.assign(call_.length, element<T>::identity(call_.operation, state()));
                }
                if (call_.what == collective::scan_reduce) { result.total = fold(call_.size); }
                break;
            case collective::reduce_scatter: replace(out, part(fold(call_.size), rank), 0); break;
            case collective::broadcast: out = operands_of(call_.root); break;
            case collective::all_gather: out = concatenated(); break;
            case collective::gather:
                if (rank == call_.root) { out = concatenated(); }
                break;
            case collective::scatter:
                if (!call_.in_place || rank != call_.root) { out = part(operands_of(call_.root), rank); }
                break;
            case collective::barrier: break;
        }
        return result;
    }

    /// What is wrong with the memory that rank `rank` has after the call; nothing if it is right.
    [[nodiscard]] std::optional<std::string> flaw(int rank, memory<T> const& seen) const {
        auto const due = after(rank);
        auto wrong = difference_of("in", seen.in, due.in);
        bool const is_open = call_.what == collective::reduce && call_.in_place && rank != call_.root;
        if (!wrong && !is_open) { wrong = difference_of("out", seen.out, due.out); }
        if (!wrong) { wrong = difference_of("total", seen.total, due.total); }
        if (wrong) { *wrong = "rank " + std::to_string(rank) + ": " + *wrong; }
        return wrong;
    }

private:
    static std::ptrdiff_t difference(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

    [[nodiscard]] std::vector<T> values(int whose, std::size_t count) const {
        auto const seed = mixed(mixed(call_.seed, run_), static_cast<std::uint64_t>(whose));
        std::vector<T> result;
        result.reserve(count);
        for (std::size_t i = 0; i != count; ++i) { result.push_back(element<T>::value(mixed(seed, i))); }
        return result;
    }

    /// Memory that is the whole vector and has the rank's part.
    [[nodiscard]] bool is_whole(int rank) const {
        return call_.what == collective::all_gather || (call_.what == collective::gather && rank == call_.root);
    }

    [[nodiscard]] std::vector<T> operands_of(int rank) const {
        switch (call_.what) {
            case collective::reduce_scatter: return values(rank, call_.total());
            case collective::all_gather:
            case collective::gather: return values(rank, call_.count_of(rank));
            case collective::scatter: return values(rank, rank == call_.root ? call_.total() : 0);
            case collective::barrier: return {};
            default: return values(rank, call_.length);
        }
    }

    [[nodiscard]] std::size_t length_of_result(int rank) const {
        switch (call_.what) {
            case collective::reduce_scatter:
            case collective::scatter: return call_.count_of(rank);
            case collective::all_gather:
            case collective::gather: return call_.total();
            case collective::barrier: return 0;
            default: return call_.length;
        }
    }

    /// x_0 ⊕ ... ⊕ x_{ranks - 1}
    [[nodiscard]] std::vector<T> fold(int ranks) const {
        auto result = operands_of(0);
        for (int rank = 1; rank < ranks; ++rank) {
            auto const next = operands_of(rank);
            for (std::size_t i = 0; i != result.size(); ++i) {
                result[i] = element<T>::apply(call_.operation, state(), result[i], next[i]);
            }
        }
        return result;
    }

    [[nodiscard]] std::vector<T> concatenated() const {
        std::vector<T> result;
        for (int rank = 0; rank != call_.size; ++rank) {
            auto const next = operands_of(rank);
            result.insert(result.end(), next.begin(), next.end());
        }
        return result;
    }

    [[nodiscard]] std::vector<T> part(std::vector<T> const& whole, int rank) const {
        auto const first = whole.begin() + difference(call_.first_of(rank));
        return {first, first + difference(call_.count_of(rank))};
    }

    static void replace(std::vector<T>& out, std::vector<T> const& by, std::size_t first) {
        std::copy(by.begin(), by.end(), out.begin() + difference(first));
    }

    [[nodiscard]] static std::optional<std::string> difference_of(std::string_view name, std::vector<T> const& seen,
                                                                  std::vector<T> const& due) {
        std::ostringstream text;
        if (seen.size() != due.size()) {
            text << name << " has " << seen.size() << " elements, not " << due.size();
            return text.str();
        }
        for (std::size_t i = 0; i != due.size(); ++i) {
            if (!(seen[i] == due[i])) {
                text << name << '[' << i << "] is " << seen[i] << ", not " << due[i];
                return text.str();
            }
        }
        return std::nullopt;
    }

    call const& call_;
    std::uint64_t run_;
};

}  // namespace soak
