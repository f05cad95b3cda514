// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <support/checking_network.hpp>
#include <support/erased_generator.hpp>

#include <tutti/collective/execute.hpp>
#include <tutti/generator/named.hpp>

namespace support {

/// x -> factor x + offset, modulo 2^32; ⊕ is composition, and the result depends on the order of operands.
struct affine {
    std::uint32_t factor;
    std::uint32_t offset;
    friend bool operator==(affine const&, affine const&) = default;
};

/// Composition, unless it refuses.
struct composition {
    bool refuses = false;
    affine operator()(affine const& f, affine const& g) const {
        if (refuses) { throw std::domain_error{"refused"}; }
        return {f.factor * g.factor, f.factor * g.offset + f.offset};
    }
};

using affines = std::vector<affine>;

/// The ranks of a network with their vectors.
struct team {
    team(int size, std::size_t n, unsigned seed = 1) : network{size, seed} {
        for (int rank = 0; rank != size; ++rank) {
            ranks.push_back(std::make_unique<checking_communicator>(network, rank));
            in.emplace_back();
            for (std::size_t i = 0; i != n; ++i) {
                auto const number = static_cast<std::uint32_t>(i) + 1000 * static_cast<std::uint32_t>(rank);
                in.back().push_back({2 * number + 1, number * number});
            }
            out.emplace_back(n);
        }
    }

    /// `make(rank, in, out)` makes a rank's plan.
    template <class Make>
    [[nodiscard]] auto plans(Make make) {
        std::vector<decltype(make(*ranks[0], in[0], out[0]))> result;
        for (std::size_t r = 0; r != ranks.size(); ++r) { result.push_back(make(*ranks[r], in[r], out[r])); }
        return result;
    }

    template <class Plan>
    void run(std::vector<Plan>& made) {
        for (auto const& wrong : outcomes(network, made)) {
            if (wrong) { std::rethrow_exception(wrong); }
        }
    }

    checking_network network;
    std::vector<std::unique_ptr<checking_communicator>> ranks;
    std::vector<affines> in;
    std::vector<affines> out;
};

/// An algorithm whose type is forgotten, so that plans are compiled once, with the number of blocks that it wants.
struct cut_algorithm : erased_generator {
    std::size_t segments;
};

template <class Collective>
constexpr tutti::facts describe(Collective, std::type_identity<cut_algorithm>) {
    return {.name = "cut_algorithm"};
}

template <class Collective, class Algorithm>
[[nodiscard]] cut_algorithm erased(Collective which, Algorithm const& algorithm, int size) {
    using tutti::blocks_for;
    return {erase(which, algorithm), blocks_for(which, algorithm, static_cast<std::size_t>(size), 1)};
}

}  // namespace support
