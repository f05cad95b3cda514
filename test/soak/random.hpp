// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace soak {

/// A number that depends on all bits of both: the finalizer of splitmix64 (Steele, Lea and Flood, 2014).
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    auto result = a + 0x9e3779b97f4a7c15U * (b + 1);
    result = (result ^ (result >> 30U)) * 0xbf58476d1ce4e5b9U;
    result = (result ^ (result >> 27U)) * 0x94d049bb133111ebU;
    return result ^ (result >> 31U);
}

/// Draws the same numbers from a seed wherever the program is built, which distributions of the standard library do
/// not.
class draw {
public:
    explicit draw(std::uint64_t seed) : engine_{seed} {}

    [[nodiscard]] std::uint64_t bits() { return engine_(); }
    [[nodiscard]] std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
    [[nodiscard]] std::size_t from(std::size_t least, std::size_t most) { return least + below(most - least + 1); }
    [[nodiscard]] bool one_in(std::size_t n) { return below(n) == 0; }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (auto left = items.size(); left > 1; --left) { std::swap(items[left - 1], items[below(left)]); }
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace soak
