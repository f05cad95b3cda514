// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <type_traits>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/arguments.hpp>
#include <tutti/communicator/world.hpp>
#include <tutti/language.hpp>
#include <tutti/operation/binned_sum.hpp>
#include <tutti/operation/exact_sum.hpp>
#include <tutti/operation/fixed_point.hpp>

namespace tutti {

namespace unordered {

/// The numbers that make up an element: itself, or the two parts of a complex one.
template <class T>
struct parts {
    using number = T;
    static constexpr std::size_t count = 1;
};
template <class T>
struct parts<std::complex<T>> {
    using number = T;
    static constexpr std::size_t count = 2;
};

template <class Local>
using element = argument::element_of<Local const&>;

/// What can be summed up: one type in all ranges.
template <class First, class... Rest>
inline constexpr bool are_numbers = fixed_point::binary_number<typename parts<element<First>>::number> &&
                                    (std::is_same_v<element<First>, element<Rest>> && ...);

template <class... Ranges>
[[nodiscard]] engine::refused_result refuse_numbers() {
    static_assert(argument::never<Ranges...>,
                  "tutti: sums without order are of float, double or std::complex of them, of one type in all ranges; "
                  "sums of integers never depend on the order: write all_reduce(world, x, std::plus<>{})");
    return {};
}

/// Numbers that are made from elements before they are summed up, as many as stay in the first cache.
inline constexpr std::size_t block = 512;

/// One sum for each part of the elements.
template <template <class> class Sum, class Local>
void add(Local const& local, Sum<typename parts<element<Local>>::number>* sums) {
    using T = element<Local>;
    using number = typename parts<T>::number;
    std::span<T const> const all{argument::as_span(local)};
    if constexpr (parts<T>::count == 1) {
        *sums += all;
    } else {
        std::array<number, block> real, imaginary;
        for (std::size_t first = 0; first < all.size(); first += block) {
            auto const n = std::min(block, all.size() - first);
            for (std::size_t i = 0; i != n; ++i) {
                real[i] = all[first + i].real();
                imaginary[i] = all[first + i].imag();
            }
            sums[0] += std::span<number const>{real.data(), n};
            sums[1] += std::span<number const>{imaginary.data(), n};
        }
    }
}

/// The sums of all ranges over all ranks, in one all_reduce.
template <template <class> class Sum, class World, class First, class... Rest>
[[nodiscard]] auto sums(World const& world, First const& first, Rest const&... rest) {
    using T = element<First>;
    constexpr auto count = parts<T>::count;
    std::array<Sum<typename parts<T>::number>, count*(1 + sizeof...(Rest))> all;
    auto* next = all.data();
    call_modes::noting_refusal(world, [&] {
        unordered::add<Sum>(first, next);
        (unordered::add<Sum>(rest, next += count), ...);
    });
    all_reduce(world, tutti::inplace(all), std::plus<>{});
    std::array<T, 1 + sizeof...(Rest)> result;
    for (std::size_t i = 0; i != result.size(); ++i) {
        if constexpr (count == 1) {
            result[i] = all[i].value();
        } else {
            result[i] = T{all[2 * i].value(), all[2 * i + 1].value()};
        }
    }
    return result;
}

/// The sum of one range, or those of several.
template <template <class> class Sum, class World, class... Ranges>
[[nodiscard]] auto sums_or_refusal(World const& world, Ranges const&... ranges) {
    if constexpr (!are_numbers<Ranges...>) {
        return unordered::refuse_numbers<Ranges...>();
    } else if constexpr (sizeof...(Ranges) == 1) {
        return unordered::sums<Sum>(world, ranges...)[0];
    } else {
        return unordered::sums<Sum>(world, ranges...);
    }
}

/// Adds the products without rounding. Two floats have one in double; of two doubles it is a rounded one and what was
/// rounded off, which fma computes.
template <class T>
[[gnu::noinline]] void add_products(std::span<T const> x, std::span<T const> y, binned_sum<double>& sum) {
    fixed_point::by_additions::usual_arithmetic const here;
#if defined __FMA__ || defined __aarch64__
    auto const fma = [](double a, double b, double c) { return std::fma(a, b, c); };
#else
    auto fma = static_cast<double (*)(double, double, double)>(std::fma);
    asm("" : "+r"(fma));  // or clang makes a b + c of it, with -ffast-math
#endif
    std::array<double, block> products, rests;
    for (std::size_t first = 0; first < x.size(); first += block) {
        auto const n = std::min(block, x.size() - first);
        for (std::size_t i = 0; i != n; ++i) { products[i] = double{x[first + i]} * double{y[first + i]}; }
        asm volatile("" : : "r"(products.data()) : "memory");  // a product is rounded, with -ffast-math too
        if constexpr (std::is_same_v<T, double>) {
            for (std::size_t i = 0; i != n; ++i) {
                auto const rest = fma(x[first + i], y[first + i], -products[i]);
                rests[i] = language::is_finite(products[i]) ? rest : 0;  // infinity - infinity is no number
            }
            sum += std::span<double const>{rests.data(), n};
        }
        sum += std::span<double const>{products.data(), n};
    }
}

/// The number next to a sum, the even one of two.
template <class T>
[[nodiscard]] T rounded(binned_sum<double> const& sum) {
    double const value = sum.value();
    auto const number = fixed_point::decompose(value);
    if (number.is != fixed_point::kind::finite) { return fixed_point::value_of<T>(number.is); }
    fixed_point::integer<1> mantissa;
    mantissa.add(number.mantissa, 0);
    return mantissa.template rounded<T>(number.shift + fixed_point::least_exponent<double> -
                                        fixed_point::least_exponent<T>);
}

}  // namespace unordered

/// Σ x over the numbers x in `local` on all ranks.
/// Requires: float, double, or std::complex of them; a range on every rank, perhaps empty.
/// Result: on every rank, 0 if there are no numbers. `binned_sum` states its error, and the result for infinities and
/// NaNs.
/// Order: bits depend on the multiset of numbers alone: not on their order, nor on the number of ranks, nor on which
/// rank has which number.
/// Errors: those of the communicator.
/// Cost: 7 additions for each number, and an all_reduce of 48 bytes (24 for float).
/// Source: see `binned_sum`.
template <world World, class Local>
[[nodiscard]] auto sum_without_order(World const& world, Local const& local) {
    return unordered::sums_or_refusal<binned_sum>(world, local);
}

/// Several such sums by one all_reduce: std::array{Σ local_1, …, Σ local_n}.
template <world World, class First, class Second, class... Rest>
[[nodiscard]] auto sum_without_order(World const& world, First const& first, Second const& second,
                                     Rest const&... rest) {
    return unordered::sums_or_refusal<binned_sum>(world, first, second, rest...);
}

/// The number nearest to Σ x over the numbers x in `local` on all ranks: it is rounded once.
/// Requires, result, order, errors: as `sum_without_order`; `exact_sum` states the result for infinities and NaNs.
/// Cost: about 3 ns for each number, and an all_reduce of 280 bytes (56 for float).
/// Source: see `exact_sum`.
template <world World, class Local>
[[nodiscard]] auto exact_sum_without_order(World const& world, Local const& local) {
    return unordered::sums_or_refusal<exact_sum>(world, local);
}

template <world World, class First, class Second, class... Rest>
[[nodiscard]] auto exact_sum_without_order(World const& world, First const& first, Second const& second,
                                           Rest const&... rest) {
    return unordered::sums_or_refusal<exact_sum>(world, first, second, rest...);
}

/// Σ x_i y_i over the numbers in `x` and, at the same positions, in `y` on all ranks.
/// Requires: float or double, both of one type and, on each rank, of one length.
/// Result: on every rank. Finite products that are 0 or above 2^-968 are not rounded, and their sum has the error of
/// `binned_sum`. The result for floats is rounded twice.
/// Order: bits depend on the multiset of pairs alone, as with `sum_without_order`.
/// Errors: std::invalid_argument if the ranges of a rank have different lengths, on that rank; errors of the
/// communicator.
/// Cost: 16 operations for each number, and an all_reduce of 48 bytes.
/// Source: TwoProductFMA of [ogita05].
template <world World, class X, class Y>
[[nodiscard]] auto dot_without_order(World const& world, X const& x, Y const& y) {
    using T = unordered::element<X>;
    if constexpr (!unordered::are_numbers<X, Y>) {
        return unordered::refuse_numbers<X>();
    } else if constexpr (unordered::parts<T>::count != 1) {
        static_assert(argument::never<X>, "tutti: dot_without_order is of float or double; write the products of "
                                          "complex numbers as those of their parts");
    } else {
        auto const [left, right] = call_modes::noting_refusal(world, [&] {
            std::pair const both{std::span<T const>{argument::as_span(x)}, std::span<T const>{argument::as_span(y)}};
            if (both.first.size() == both.second.size()) { return both; }
            throw std::invalid_argument{text::joined({"tutti: dot_without_order: x has ",
                                                      text::word(both.first.size(), "element"), " and y has ",
                                                      both.second.size()})};
        });
        std::array<binned_sum<double>, 1> sum;
        unordered::add_products(left, right, sum[0]);
        all_reduce(world, tutti::inplace(sum), std::plus<>{});
        return unordered::rounded<T>(sum[0]);
    }
}

}  // namespace tutti
