// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/cost_feedback.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/arrival/helper_thread.hpp>
#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// The station of a world, as long as the world lives.
template <communicator C>
struct attached_helper {
    ~attached_helper() {
        if (there) { there->end(); }
    }

    std::shared_ptr<helper_thread<C>> there;
};

/// The exchange by a helper on each rank, and the decisions of rank 0.
template <communicator C>
class by_helper final : public exchange {
public:
    /// All ranks construct theirs at the same time.
    by_helper(C& ranks, cost_feedback costs) : ranks_{ranks} {
        auto& helper_of_world = ranks.attached().template get<attached_helper<C>>().there;
        if (!helper_of_world) { helper_of_world = std::make_shared<helper_thread<C>>(ranks); }
        helper_thread_ = helper_of_world;
        monitor_ = helper_thread_->open(costs);
        try {
            control_channel{ranks}.barrier();  // no rank says anything of a monitor that another one does not know yet
        } catch (...) {
            helper_thread_->close(monitor_);
            throw;
        }
    }

    ~by_helper() override { helper_thread_->close(monitor_); }

    [[nodiscard]] arrival_exchange kind() const override { return arrival_exchange::helper_thread; }
    [[nodiscard]] std::int64_t now() const override { return monitoring::now<C>(); }
    void publish(announcement const& message) override { helper_thread_->publish(monitor_, message); }
    void progress() override {}

    [[nodiscard]] process_arrival_pattern enter(std::uint64_t iteration) override {
        return helper_thread_->enter(monitor_, iteration, [this] { ranks_.test_some({}, {}); });
    }

private:
    C& ranks_;
    std::shared_ptr<helper_thread<C>> helper_thread_;
    std::uint64_t monitor_ = 0;
};

}  // namespace tutti::monitoring
