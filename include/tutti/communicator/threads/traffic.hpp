// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tutti::threads {

/// Messages and bytes of payload, for each ordered pair of ranks.
class traffic_counts {
public:
    explicit traffic_counts(int size) : size_{static_cast<std::size_t>(size)}, pairs_(size_ * size_) {}

    [[nodiscard]] std::size_t messages(int from, int to) const { return pairs_.at(index(from, to)).messages; }
    [[nodiscard]] std::size_t bytes(int from, int to) const { return pairs_.at(index(from, to)).bytes; }

    [[nodiscard]] std::size_t messages() const {
        std::size_t total = 0;
        for (auto const& pair : pairs_) { total += pair.messages; }
        return total;
    }
    [[nodiscard]] std::size_t bytes() const {
        std::size_t total = 0;
        for (auto const& pair : pairs_) { total += pair.bytes; }
        return total;
    }

    /// Each rank counts what it sends, in elements of its own: no lock.
    void count(int from, int to, std::size_t bytes) {
        auto& pair = pairs_[index(from, to)];
        ++pair.messages;
        pair.bytes += bytes;
    }

private:
    struct counts {
        std::size_t messages = 0;
        std::size_t bytes = 0;
    };

    [[nodiscard]] std::size_t index(int from, int to) const {
        return static_cast<std::size_t>(from) * size_ + static_cast<std::size_t>(to);
    }

    std::size_t size_;
    std::vector<counts> pairs_;
};

/// What `run` has to say of a run in which nothing was wrong.
class report {
public:
    explicit report(traffic_counts traffic) : traffic_{std::move(traffic)} {}

    [[nodiscard]] traffic_counts traffic() const { return traffic_; }

private:
    traffic_counts traffic_;
};

}  // namespace tutti::threads
