// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <watch/ticks.hpp>

namespace tutti::watch {

/// When a rank began the calls of one communicator, and how long they took, by the number of the call. Once there are
/// `most`, only calls whose number is a multiple of 2, of 4, ... are kept: the same ones on all ranks, which need no
/// message for that.
class arrival_history {
public:
    static constexpr std::size_t most = 1U << 14U;

    struct stamp {
        std::uint64_t begun;     ///< ticks
        std::uint32_t duration;  ///< in units of 16 ticks
        std::uint32_t site;      ///< which of the communicator's call sites

        [[nodiscard]] std::uint64_t ticks() const { return std::uint64_t{duration} << unit; }
    };

    /// Whether the call with this number is noted.
    [[nodiscard]] bool takes(std::uint64_t number) const { return (number & (stride_ - 1)) == 0; }

    void record(std::uint64_t number, std::uint64_t begun, std::uint64_t ended, std::uint32_t site) {
        if (kept_.size() == most) {
            halve();
            if (!takes(number)) { return; }
        }
        auto const units = std::min<std::uint64_t>((ended - begun) >> unit, ~std::uint32_t{0});
        kept_.push_back({begun, static_cast<std::uint32_t>(units), site});
    }

    /// The stamps of calls 0, stride, 2 stride, ...
    [[nodiscard]] std::vector<stamp> const& kept() const { return kept_; }
    [[nodiscard]] std::uint64_t stride() const { return stride_; }

    /// Keeps no more than this many.
    void keep(std::size_t number) {
        if (number == 0) { kept_.clear(); }
        while (kept_.size() > number) { halve(); }
        kept_.shrink_to_fit();
    }

private:
    static constexpr unsigned unit = 4;

    void halve() {
        for (std::size_t i = 0; 2 * i < kept_.size(); ++i) { kept_[i] = kept_[2 * i]; }
        kept_.resize((kept_.size() + 1) / 2);
        stride_ *= 2;
    }

    std::vector<stamp> kept_;
    std::uint64_t stride_ = 1;
};

}  // namespace tutti::watch
