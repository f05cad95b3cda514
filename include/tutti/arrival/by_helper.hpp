// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <tutti/arrival/clock.hpp>
#include <tutti/arrival/conversation.hpp>
#include <tutti/arrival/cost_correction.hpp>
#include <tutti/arrival/exchange.hpp>
#include <tutti/arrival/station.hpp>
#include <tutti/communicator.hpp>

namespace tutti::monitoring {

/// The station of a world, as long as the world lives.
template <communicator C>
struct stationed {
    ~stationed() {
        if (there) { there->end(); }
    }

    std::shared_ptr<station<C>> there;
};

/// The exchange by a helper on each rank, and the decisions of rank 0.
template <communicator C>
class by_helper final : public exchange {
public:
    /// All ranks construct theirs at the same time.
    by_helper(C& ranks, cost_correction costs) : ranks_{ranks} {
        auto& station_of_world = ranks.attached().template get<stationed<C>>().there;
        if (!station_of_world) { station_of_world = std::make_shared<station<C>>(ranks); }
        station_ = station_of_world;
        monitor_ = station_->open(costs);
        try {
            conversation{ranks}.meet();  // no rank says anything of a monitor that another one does not know yet
        } catch (...) {
            station_->close(monitor_);
            throw;
        }
    }

    ~by_helper() override { station_->close(monitor_); }

    [[nodiscard]] arrival_exchange kind() const override { return arrival_exchange::helper_thread; }
    [[nodiscard]] std::int64_t now() const override { return monitoring::now<C>(); }
    void publish(announcement const& said) override { station_->publish(monitor_, said); }
    void progress() override {}

    [[nodiscard]] process_arrival_pattern enter(std::uint64_t iteration) override {
        return station_->enter(monitor_, iteration, [this] { ranks_.test_some({}, {}); });
    }

private:
    C& ranks_;
    std::shared_ptr<station<C>> station_;
    std::uint64_t monitor_ = 0;
};

}  // namespace tutti::monitoring
