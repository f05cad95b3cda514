// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace tutti::benchmark::arrivals {

/// Random data of one call: whole numbers, so small that every order of adding them gives exactly `total`.
class operands {
public:
    operands(std::uint64_t seed, std::size_t size) : ranks_(size) {
        std::mt19937_64 random{seed};
        of_elements_ = static_cast<std::uint32_t>(random());
        for (auto& each : ranks_) { each = static_cast<float>(random() % most); }
    }

    void give(std::size_t rank, std::span<float> vector) const {
        for (std::size_t i = 0; i != vector.size(); ++i) { vector[i] = ranks_[rank] + of_element(i); }
    }

    /// Whether `vector` is the sum over all ranks.
    [[nodiscard]] bool are_added_in(std::span<float const> vector) const {
        float sum = 0;
        for (auto const each : ranks_) { sum += each; }
        auto const size = static_cast<float>(ranks_.size());
        for (std::size_t i = 0; i != vector.size(); ++i) {
            if (vector[i] != sum + size * of_element(i)) { return false; }
        }
        return true;
    }

private:
    static constexpr std::uint32_t most = 1024;

    [[nodiscard]] float of_element(std::size_t i) const {
        auto const mixed = (static_cast<std::uint32_t>(i) + of_elements_) * 2654435761U;
        return static_cast<float>(mixed / (0xffffffffU / most + 1));
    }

    std::uint32_t of_elements_;
    std::vector<float> ranks_;
};

}  // namespace tutti::benchmark::arrivals
