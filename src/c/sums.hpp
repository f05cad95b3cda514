// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <c/calls.hpp>
#include <c/error.hpp>
#include <c/operators.hpp>
#include <tutti/collective/sum_without_order.hpp>
#include <tutti/mpi.hpp>
#include <tutti/operation/binned_sum.hpp>
#include <tutti/operation/exact_sum.hpp>

/// Sums without order. An accumulator of C's has the bytes of one of C++'s.
namespace tutti::c {

/// left + right of accumulators of C's.
template <class Sum>
struct plus_of {
    template <class Kept>
    [[nodiscard]] Kept operator()(Kept const& left, Kept const& right) const {
        return std::bit_cast<Kept>(std::bit_cast<Sum>(left) + std::bit_cast<Sum>(right));
    }
};

/// `n` numbers at `x`, or none.
template <class T>
[[nodiscard]] std::span<T const> numbers(char const* name, T const* x, std::size_t n) {
    static_cast<void>(vector(name, x, n, sizeof(T)));
    return {x, n};
}

/// Adds up what `local` gives, which may be refused, and all that the other ranks add up.
template <class Sum, class T, class Local>
int sum_over_ranks(MPI_Comm comm, std::size_t count, T* result, Local local) {
    return code_of([&] {
        std::vector<Sum> all;
        call_modes::noting_refusal(comm, [&] {
            if (count != 0 && result == nullptr) {
                throw std::invalid_argument{"tutti: the result is a null pointer; give it memory"};
            }
            all.resize(count);
            local(all);
        });
        tutti::all_reduce(comm, inplace(all), std::plus<>{});
        for (std::size_t i = 0; i != count; ++i) {
            if constexpr (std::is_same_v<T, decltype(all[i].value())>) {
                result[i] = all[i].value();
            } else {
                result[i] = unordered::rounded<T>(all[i]);
            }
        }
    });
}

template <template <class> class Sum, class T>
int sums_without_order(MPI_Comm comm, std::size_t sums, T const* const* x, std::size_t const* n, T* result) {
    return sum_over_ranks<Sum<T>>(comm, sums, result, [&](auto& all) {
        if (sums != 0 && (x == nullptr || n == nullptr)) {
            throw std::invalid_argument{"tutti: x or n is a null pointer; give an address and a length for each sum"};
        }
        for (std::size_t i = 0; i != sums; ++i) { all[i] += numbers("x", x[i], n[i]); }
    });
}

template <class T>
int dot_without_order(MPI_Comm comm, T const* x, T const* y, std::size_t n, T* result) {
    return sum_over_ranks<binned_sum<double>>(comm, 1, result, [&](auto& all) {
        unordered::add_products(numbers("x", x, n), numbers("y", y, n), all[0]);
    });
}

}  // namespace tutti::c

// The functions of an accumulator KIND of numbers T; SUM is the class of C++.
#define TUTTI_SUM_FUNCTIONS(KIND, T, SUM)                                                                              \
    void tutti_##KIND##_add(tutti_##KIND* sum, T const* x, std::size_t n) {                                            \
        auto all = std::bit_cast<SUM>(*sum);                                                                           \
        all += std::span<T const>{x, n};                                                                               \
        *sum = std::bit_cast<tutti_##KIND>(all);                                                                       \
    }                                                                                                                  \
    T tutti_##KIND##_value(tutti_##KIND const* sum) { return std::bit_cast<SUM>(*sum).value(); }                       \
    tutti_operator tutti_##KIND##_plus(void) {                                                                         \
        return {tutti::c::combine_numbers<tutti_##KIND, tutti::c::plus_of<SUM>>, nullptr, 1};                          \
    }

// NAME of numbers T, by the class of C++.
#define TUTTI_SUMS_OF(SUFFIX, T)                                                                                       \
    int tutti_sum_without_order##SUFFIX(MPI_Comm comm, T const* x, std::size_t n, T* sum) {                            \
        return tutti::c::sums_without_order<tutti::binned_sum>(comm, 1, &x, &n, sum);                                  \
    }                                                                                                                  \
    int tutti_exact_sum_without_order##SUFFIX(MPI_Comm comm, T const* x, std::size_t n, T* sum) {                      \
        return tutti::c::sums_without_order<tutti::exact_sum>(comm, 1, &x, &n, sum);                                   \
    }                                                                                                                  \
    int tutti_sums_without_order##SUFFIX(MPI_Comm comm, std::size_t sums, T const* const* x, std::size_t const* n,     \
                                         T* result) {                                                                  \
        return tutti::c::sums_without_order<tutti::binned_sum>(comm, sums, x, n, result);                              \
    }                                                                                                                  \
    int tutti_exact_sums_without_order##SUFFIX(MPI_Comm comm, std::size_t sums, T const* const* x,                     \
                                               std::size_t const* n, T* result) {                                      \
        return tutti::c::sums_without_order<tutti::exact_sum>(comm, sums, x, n, result);                               \
    }                                                                                                                  \
    int tutti_dot_without_order##SUFFIX(MPI_Comm comm, T const* x, T const* y, std::size_t n, T* dot) {                \
        return tutti::c::dot_without_order(comm, x, y, n, dot);                                                        \
    }

extern "C" {
TUTTI_SUM_FUNCTIONS(binned_sum, double, tutti::binned_sum<double>)
TUTTI_SUM_FUNCTIONS(binned_sum_float, float, tutti::binned_sum<float>)
TUTTI_SUM_FUNCTIONS(exact_sum, double, tutti::exact_sum<double>)
TUTTI_SUM_FUNCTIONS(exact_sum_float, float, tutti::exact_sum<float>)
TUTTI_SUMS_OF(, double)
TUTTI_SUMS_OF(_float, float)
}

#undef TUTTI_SUM_FUNCTIONS
#undef TUTTI_SUMS_OF
