// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/matcher.hpp>
#include <tutti/communicator/threads/options.hpp>
#include <tutti/communicator/threads/team_monitor.hpp>

namespace tutti::threads {

/// Messages and bytes of payload, for each ordered pair of ranks.
class traffic_counts {
public:
    explicit traffic_counts(int size)
        : lines_per_rank_{(static_cast<std::size_t>(size) - 1) / pairs_per_line + 1},
          lines_(static_cast<std::size_t>(size) * lines_per_rank_) {}

    [[nodiscard]] std::size_t messages(int from, int to) const { return at(from, to).messages; }
    [[nodiscard]] std::size_t bytes(int from, int to) const { return at(from, to).bytes; }

    [[nodiscard]] std::size_t messages() const { return total(&counts::messages); }
    [[nodiscard]] std::size_t bytes() const { return total(&counts::bytes); }

    /// Each rank counts what it sends, in cache lines of its own: no lock, and no other rank waits.
    void count(int from, int to, std::size_t bytes) {
        auto& pair = lines_[line(from, to)].pairs[static_cast<std::size_t>(to) % pairs_per_line];
        ++pair.messages;
        pair.bytes += bytes;
    }

    void add(traffic_counts const& others) {
        for (std::size_t i = 0; i != lines_.size(); ++i) {
            for (std::size_t j = 0; j != pairs_per_line; ++j) {
                lines_[i].pairs[j].messages += others.lines_[i].pairs[j].messages;
                lines_[i].pairs[j].bytes += others.lines_[i].pairs[j].bytes;
            }
        }
    }

private:
    struct counts {
        std::size_t messages = 0;
        std::size_t bytes = 0;
    };
    static constexpr std::size_t pairs_per_line = 64 / sizeof(counts);
    struct alignas(64) cache_line {
        std::array<counts, pairs_per_line> pairs;
    };

    [[nodiscard]] std::size_t line(int from, int to) const {
        return static_cast<std::size_t>(from) * lines_per_rank_ + static_cast<std::size_t>(to) / pairs_per_line;
    }
    [[nodiscard]] counts const& at(int from, int to) const {
        return lines_.at(line(from, to)).pairs[static_cast<std::size_t>(to) % pairs_per_line];
    }
    [[nodiscard]] std::size_t total(std::size_t counts::*what) const {
        std::size_t sum = 0;
        for (auto const& each : lines_) {
            for (auto const& pair : each.pairs) { sum += pair.*what; }
        }
        return sum;
    }

    std::size_t lines_per_rank_;
    std::vector<cache_line> lines_;
};

/// What `run` has to say of a run in which nothing was wrong.
class report {
public:
    explicit report(traffic_counts traffic) : traffic_{std::move(traffic)} {}

    [[nodiscard]] traffic_counts traffic() const { return traffic_; }

private:
    traffic_counts traffic_;
};

/// What the ranks of one run share.
struct team {
    team(int ranks, options const& how)
        : size{ranks}, chosen{how}, guard{ranks}, messages{ranks, guard}, traffic{ranks},
          oversubscribed{static_cast<unsigned>(ranks) > std::thread::hardware_concurrency()} {}

    /// Of all ranks, each of which asks for its first, second, ... duplicate. They live as long as this team.
    [[nodiscard]] team& duplicate(std::size_t number) {
        auto const lock = std::lock_guard{duplicates_guard};
        if (number == duplicates.size()) { duplicates.push_back(std::make_unique<team>(size, chosen)); }
        return *duplicates[number];
    }

    /// Of duplicates, too.
    [[nodiscard]] traffic_counts all_traffic() const {
        auto result = traffic;
        for (auto const& each : duplicates) { result.add(each->all_traffic()); }
        return result;
    }

    int size;
    options chosen;
    team_monitor guard;
    matcher messages;
    traffic_counts traffic;
    bool oversubscribed;        ///< more ranks than processors: a rank that spins keeps another from running
    std::mutex duplicates_guard;
    std::vector<std::unique_ptr<team>> duplicates;
};

}  // namespace tutti::threads
