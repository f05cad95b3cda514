// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include "layers.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace sgd {

/// A convolution and two dense layers that tell shapes. All its weights are one vector, and so are their derivatives.
class network {
    using filters_layer = convolution<side, 8>;
    using hidden_layer = dense<filters_layer::outputs, 64>;
    using output_layer = dense<hidden_layer::outputs, kinds>;

public:
    static constexpr std::size_t size = filters_layer::weights + hidden_layer::weights + output_layer::weights;

    /// The same random weights on every rank.
    network() {
        std::mt19937 random{2024};
        auto const fill = [&](float* w, std::size_t count, float inputs) {
            auto const most = std::sqrt(6 / inputs);  // keeps the outputs of a layer about as large as its inputs
            for (std::size_t i = 0; i < count; ++i) { w[i] = most * (static_cast<float>(random() >> 8) / 0x1p23f - 1); }
        };
        fill(weights.data(), filters_layer::weights, 9);
        fill(weights.data() + to_hidden, hidden_layer::weights, filters_layer::outputs);
        fill(weights.data() + to_output, output_layer::weights, hidden_layer::outputs);
    }

    /// The loss for an image, -log of the probability given to what it shows. Adds its derivatives to `gradient`.
    float learn(image const& seen, float* gradient) const {
        auto const at = look_at(seen);
        auto const& p = at.probability;
        auto d_output = p;
        d_output[seen.shown] -= 1;

        activations d{};
        output_layer::backward(weights.data() + to_output, at.hidden.data(), d_output.data(), gradient + to_output,
                               d.hidden.data());
        relu_backward(at.hidden, d.hidden);
        hidden_layer::backward(weights.data() + to_hidden, at.filtered.data(), d.hidden.data(), gradient + to_hidden,
                               d.filtered.data());
        relu_backward(at.filtered, d.filtered);
        filters_layer::backward(seen.pixel.data(), d.filtered.data(), gradient);
        return -std::log(std::max(p[seen.shown], 1e-20f));
    }

    [[nodiscard]] bool recognises(image const& seen) const {
        auto const p = look_at(seen).probability;
        return static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin()) == seen.shown;
    }

    std::vector<float> weights = std::vector<float>(size);

private:
    static constexpr std::size_t to_hidden = filters_layer::weights;
    static constexpr std::size_t to_output = to_hidden + hidden_layer::weights;

    struct activations {
        std::array<float, filters_layer::outputs> filtered;
        std::array<float, hidden_layer::outputs> hidden;
        std::array<float, kinds> probability;
    };

    [[nodiscard]] activations look_at(image const& seen) const {
        activations at{};
        filters_layer::forward(weights.data(), seen.pixel.data(), at.filtered.data());
        relu(at.filtered);
        hidden_layer::forward(weights.data() + to_hidden, at.filtered.data(), at.hidden.data());
        relu(at.hidden);
        output_layer::forward(weights.data() + to_output, at.hidden.data(), at.probability.data());

        auto& p = at.probability;
        auto const most = *std::max_element(p.begin(), p.end());
        float sum = 0;
        for (auto& x : p) { sum += x = std::exp(x - most); }
        for (auto& x : p) { x /= sum; }
        return at;
    }
};

}  // namespace sgd
