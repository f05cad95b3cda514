// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <tutti/execution/buffers.hpp>
#include <tutti/execution/messages.hpp>
#include <tutti/operation.hpp>
#include <tutti/operation/byte_operator.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/program.hpp>

namespace tutti::engine {

/// Carries out the ranges of instructions: the only code of a call that applies its operator. Operands are read where
/// they lie, in the caller's memory, in workspace, or in what the transport has just received. A range without
/// operands becomes the identity.
///
/// Long ranges are combined in slices, cut at the same places in every run, with a pause wherever a slice's worth has
/// been combined: messages of MPI make progress only during calls of MPI.
template <class T, class Operator, class Transport>
class combiner {
public:
    combiner(program const& run, buffers<T>& where)
        : run_{run},
          buffers_{where},
          slice_{std::max<std::size_t>(slice_bytes / (sizeof(T) * run.unit), 1) * run.unit} {
        for (auto const& each : run.ranges) {
            for (auto const any : {each.left, each.right, each.target}) {
                if (is_callers(any)) {
                    callers_ = any;
                    return;
                }
            }
        }
    }

    void bind(Operator& op, Transport& transport) {
        operator_ = &op;
        transport_ = &transport;
    }

    /// Elements [first, first + count) of an instruction; `received` is the message that brings them, or null.
    template <class Pause>
    void apply(instruction const& what, std::size_t first, std::size_t count, received_fragment<T> const* received,
               Pause&& pause) {
        std::size_t begin = 0;
        for (auto p = what.first_range; p != what.last_range; ++p) {
            auto const& whole = run_.ranges[p];
            auto const from = std::max(begin, first);
            auto const to = std::min(begin + whole.count, first + count);
            if (from < to) { apply_range(cut(whole, from - begin, to - from), received, pause); }
            begin += whole.count;
        }
    }

private:
    // A transfer stalls once some hundred KB wait for this rank. Looking for messages takes a few hundredths of the
    // time in which 128 KiB are added, and no operator is cheaper.
    static constexpr std::size_t slice_bytes = 128 * 1024;

    // A message that is fetched from its sender comes by 1 MiB: process_vm_readv takes 2 us to begin and 80 us for
    // 1 MiB (AMD EPYC, 2 ranks, 2026-11-25; a loop that reads and adds 1 MiB takes 135 us by 64 KiB, 109 us by 1 MiB).
    static constexpr std::size_t slices_fetched = 8;

    [[nodiscard]] static element_range cut(element_range whole, std::size_t first, std::size_t count) {
        whole.count = count;
        for (auto* operand : {&whole.left, &whole.right, &whole.target}) { operand->offset += first; }
        return whole;
    }

    template <class Pause>
    void apply_range(element_range const& what, received_fragment<T> const* received, Pause& pause) {
        if (what.left.memory == location::nowhere) {
            assign_identity(what, pause);
            return;
        }
        if constexpr (requires { transport_->fetched_at_once(); }) {
            if (received != nullptr && received->is_remote()) { return apply_remote(what, *received, pause); }
        }
        auto const left = operand(what.left, what, received);
        if (what.right.memory == location::nowhere) {
            buffers_.assign(what.target, what.count, left);
            return;
        }
        if constexpr (!std::is_same_v<Operator, operators::no_operator>) {
            auto const right = operand(what.right, what, received);
            if (what.count <= slice_) {
                combine_slice(what, left, right);
                pause_after(what.count, pause);
                return;
            }
            for (std::size_t first = 0; first < what.count; first += slice_) {
                auto const next = cut(what, first, std::min(slice_, what.count - first));
                combine_slice(next, left + first, right + first);
                pause_after(next.count, pause);
            }
        }
    }

    // Elements that are still in the sender's memory are combined by slices that fit into this processor's cache.
    template <class Pause>
    void apply_remote(element_range const& what, received_fragment<T> const& received, Pause& pause) {
        if (what.right.memory == location::nowhere && what.left.memory == location::incoming) {
            static_cast<void>(transport_->fetch(received, what.left.offset, what.count, buffers_.at(what.target)));
            pause_after(what.count, pause);
            return;
        }
        // Slices are fetched to the target itself, unless it is an operand: fewer streams through the caches.
        auto const is_target = [&](location each) {
            return each.memory == what.target.memory ||
                   (each.memory < location::incoming && buffers_.at(each) == buffers_.at(what.target));
        };
        bool const into_target = !is_target(what.left) && !is_target(what.right);
        auto const slice = into_target ? slices_fetched * slice_ : transport_->fetched_at_once();
        for (std::size_t first = 0; first < what.count; first += slice) {
            auto const next = cut(what, first, std::min(slice, what.count - first));
            if (next.right.memory == location::nowhere) {
                buffers_.assign(next.target, next.count, buffers_.at(next.left));
            } else if constexpr (!std::is_same_v<Operator, operators::no_operator>) {
                auto const operand_at = [&](location where) -> T const* {
                    if (where.memory != location::incoming || !into_target) { return operand(where, next, &received); }
                    auto* const target = buffers_.at(next.target);
                    return transport_->fetch(received, where.offset, next.count, target), target;
                };
                combine_slice(next, operand_at(next.left), operand_at(next.right));
            }
            pause_after(next.count, pause);
        }
    }

    template <class Pause>
    void assign_identity(element_range const& what, Pause& pause) {
        for (std::size_t first = 0; first < what.count; first += slice_) {
            auto const count = std::min(slice_, what.count - first);
            location const target{what.target.memory, what.target.offset + first};
            if constexpr (std::is_same_v<Operator, operators::byte_operator>) {
                operator_->fill(buffers_.at(target), count);
            } else if constexpr (operators::has_identity_v<Operator, T>) {
                buffers_.fill(target, count, operators::identity_of<T>(*operator_));
            }
            pause_after(count, pause);
        }
    }

    template <class Pause>
    void pause_after(std::size_t combined, Pause& pause) {
        since_pause_ += combined;
        if (since_pause_ >= slice_) {
            since_pause_ = 0;
            pause();
        }
    }

    void combine_slice(element_range const& what, T const* left, T const* right) {
        auto const target = buffers_.at(what.target);
        auto const there = buffers_.constructed(what.target, what.count);
        operators::combine(*operator_, left, right, target, there);
        if (there != what.count) {
            auto const rest = cut(what, there, what.count - there);
            operators::combine_into_raw(*operator_, left + there, right + there, target + there, rest.count);
            buffers_.mark_constructed(rest.target, rest.count);
        }
    }

    [[nodiscard]] T const* operand(location where, element_range const& what, received_fragment<T> const* received) {
        if (where.memory != location::incoming) { return buffers_.at(where); }
        return transport_->incoming(*received, where.offset, what.count, model(what));
    }

    [[nodiscard]] static bool is_callers(location where) { return where.memory < location::first_workspace; }

    // Some element of the type that arrives; null on a rank that only passes on the elements of others.
    [[nodiscard]] T const* model(element_range const& what) {
        for (auto const other : {what.left, what.right}) {
            if (other.memory < location::incoming) { return buffers_.at(other); }
        }
        if (buffers_.constructed(what.target, what.count) == what.count) { return buffers_.at(what.target); }
        return is_callers(callers_) ? buffers_.at(callers_) : nullptr;
    }

    program const& run_;
    buffers<T>& buffers_;
    Transport* transport_ = nullptr;
    Operator* operator_ = nullptr;
    location callers_{};              // of some element of the caller's, if there is any
    std::size_t slice_;            // elements
    std::size_t since_pause_ = 0;  // elements combined
};

}  // namespace tutti::engine
