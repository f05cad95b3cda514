// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/communicator/threads/posted_operation.hpp>

namespace tutti::threads {

/// Perturbations of one rank, drawn from a seed: when it pauses, how long its messages are held back, and which of the
/// completed requests are reported.
class perturbation {
public:
    perturbation(std::uint64_t seed, int rank) : state_{seed ^ (0xd1342543de82ef95U * (unsigned(rank) + 1))} {}

    [[nodiscard]] bool one_in(std::size_t n) { return below(n) == 0; }

    [[nodiscard]] std::size_t below(std::size_t n) { return draw() % n; }

    void pause() {
        if (one_in(64)) {
            std::this_thread::sleep_for(std::chrono::microseconds{1 + below(50)});
        } else if (one_in(4)) {
            std::this_thread::yield();
        }
    }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (auto left = items.size(); left > 1; --left) { std::swap(items[left - 1], items[below(left)]); }
    }

    void hold(posted_operation& send) { held_.push_back(&send); }

    /// One of the sends held back, chosen at random among those that overtake none to the same rank with the
    /// same tag; null if there is none.
    [[nodiscard]] posted_operation* release() {
        if (held_.empty()) { return nullptr; }
        auto const* const chosen = held_[below(held_.size())];
        auto first = held_.begin();
        while ((*first)->peer != chosen->peer || (*first)->tag != chosen->tag) { ++first; }
        auto* const released = *first;
        held_.erase(first);
        return released;
    }

    /// Forgets a send; false if it is not held back.
    bool forget(posted_operation const& send) { return std::erase(held_, &send) != 0; }

    std::vector<std::size_t> ready;        ///< room for the requests to choose from

private:
    /// splitmix64 (Steele, Lea and Flood, 2014)
    std::uint64_t draw() {
        auto mixed = state_ += 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31U);
    }

    std::uint64_t state_;
    std::vector<posted_operation*> held_;
};

}  // namespace tutti::threads
