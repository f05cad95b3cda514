// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// What one rank hears from each other one, and what it tells all of them, in an iteration and the one before.
template <communicator C>
struct reports {
    enum field : std::size_t { of_iteration, expected, elapsed, predicted, fields };
    using report = std::array<std::int64_t, fields>;

    explicit reports(std::size_t size) : heard(size), requests(3 * size, C::inactive()), done(3 * size) {}

    [[nodiscard]] std::span<typename C::request> receives() { return std::span{requests}.first(heard.size()); }
    [[nodiscard]] std::span<typename C::request> sends(std::uint64_t iteration) {
        return std::span{requests}.subspan((1 + iteration % 2) * heard.size(), heard.size());
    }

    std::vector<report> heard;
    std::array<report, 2> sent{};
    std::vector<typename C::request> requests;
    std::vector<completion> done;
};

/// The reports of the monitors of a world, as long as the world lives. Those of a monitor that has ended before its
/// iteration had are kept: others may have sent theirs and cannot take them back, and a later communicator could get
/// them.
template <communicator C>
class monitor_register {
public:
    monitor_register() = default;
    monitor_register(monitor_register const&) = delete;
    monitor_register& operator=(monitor_register const&) = delete;
    ~monitor_register() {
        for (auto const& each : monitors_) { cancel(*each); }
        for (auto const& each : ended_) { cancel(*each); }
    }

    /// A monitor begins; null when the world has ended.
    [[nodiscard]] std::weak_ptr<reports<C>> register_monitor(C& ranks) {
        ranks_ = &ranks;
        return monitors_.emplace_back(std::make_shared<reports<C>>(static_cast<std::size_t>(ranks.size())));
    }

    /// It ends; what it awaits may still come.
    void keep(std::shared_ptr<reports<C>> const& left) {
        std::erase(monitors_, left);
        ended_.push_back(left);
        std::erase_if(ended_, [&](auto const& each) {
            ranks_->test_some(each->requests, each->done);
            return std::ranges::count(each->requests, C::inactive()) == std::ssize(each->requests);
        });
    }

    /// It ends, and what it awaits will not come.
    void drop(std::shared_ptr<reports<C>> const& left) {
        cancel(*left);
        std::erase(monitors_, left);
    }

private:
    void cancel(reports<C>& given_up) {
        for (auto& each : given_up.requests) { ranks_->cancel(std::exchange(each, C::inactive())); }
    }

    C* ranks_ = nullptr;
    std::vector<std::shared_ptr<reports<C>>> monitors_;
    std::vector<std::shared_ptr<reports<C>>> ended_;
};

}  // namespace tutti::monitoring
