// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>

namespace sgd {

// A layer is a function of its weights and its input; the weights of one output and its bias lie side by side.
// `backward` adds to what it is given the derivatives of the loss by the weights and by the input, from those by the
// output.

/// Every output sees all of the input.
template <std::size_t In, std::size_t Out>
struct dense {
    static constexpr std::size_t outputs = Out;
    static constexpr std::size_t weights = Out * (In + 1);

    static void forward(float const* w, float const* in, float* out) {
        for (std::size_t o = 0; o < Out; ++o, w += In + 1) {
            float sum = w[In];
            for (std::size_t i = 0; i < In; ++i) { sum += w[i] * in[i]; }
            out[o] = sum;
        }
    }

    static void backward(float const* w, float const* in, float const* d_out, float* d_w, float* d_in) {
        for (std::size_t o = 0; o < Out; ++o, w += In + 1, d_w += In + 1) {
            float const d = d_out[o];
            if (d == 0) { continue; }  // behind a relu about half of them are
            for (std::size_t i = 0; i < In; ++i) {
                d_w[i] += d * in[i];
                d_in[i] += d * w[i];
            }
            d_w[In] += d;
        }
    }
};

/// Filters of 3 x 3 pixels at every place of a square image.
template <std::size_t Side, std::size_t Filters>
struct convolution {
    static constexpr std::size_t places = Side - 2;  // in a row, and rows
    static constexpr std::size_t outputs = Filters * places * places;
    static constexpr std::size_t weights = Filters * (3 * 3 + 1);

    static void forward(float const* w, float const* in, float* out) {
        for_each_place([&](std::size_t o, std::size_t filter, std::size_t corner) {
            float sum = w[10 * filter + 9];
            for (std::size_t i = 0; i < 9; ++i) { sum += w[10 * filter + i] * in[corner + i / 3 * Side + i % 3]; }
            out[o] = sum;
        });
    }

    /// It is the first layer: nobody asks for the derivatives by the image.
    static void backward(float const* in, float const* d_out, float* d_w) {
        for_each_place([&](std::size_t o, std::size_t filter, std::size_t corner) {
            float const d = d_out[o];
            if (d == 0) { return; }
            for (std::size_t i = 0; i < 9; ++i) { d_w[10 * filter + i] += d * in[corner + i / 3 * Side + i % 3]; }
            d_w[10 * filter + 9] += d;
        });
    }

private:
    template <class Visit>
    static void for_each_place(Visit visit) {
        for (std::size_t o = 0; o < outputs; ++o) {
            auto const place = o % (places * places);
            visit(o, o / (places * places), place / places * Side + place % places);
        }
    }
};

/// Negative outputs become 0 ...
template <class Values>
void relu(Values& out) {
    for (auto& x : out) { x = x > 0 ? x : 0; }
}

/// ... and do not hand on derivatives.
template <class Values>
void relu_backward(Values const& out, Values& d_out) {
    for (std::size_t i = 0; i < out.size(); ++i) { d_out[i] = out[i] > 0 ? d_out[i] : 0; }
}

}  // namespace sgd
