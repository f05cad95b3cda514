// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <functional>
#include <string_view>

#include <tutti/operation/annotated.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/on_blocks.hpp>

#include "machine.hpp"

namespace tutti::benchmark {

/// The first operand that is not `absent`: associative but not commutative, with state, and about as cheap as a sum.
/// The default is what Boost.MPI uses, which makes its own operator object for every message.
struct first_present {
    double absent = -1;

    constexpr double operator()(double left, double right) const { return left != absent ? left : right; }
};

/// Operators by name, each with operands for which every order of combining gives exactly `expected`.
namespace operators {

struct sum {
    static constexpr std::string_view name = "sum";
    static constexpr bool commutes = true;
    using type = std::plus<>;
    using type_for_boost = std::plus<double>;  // which it maps to MPI_SUM

    static MPI_Op predefined() { return MPI_SUM; }
    static double operand(std::size_t rank, std::size_t i) { return static_cast<double>(rank + 1 + i % 13); }
    static double expected(std::size_t size, std::size_t i) {
        return static_cast<double>(size * (size + 1) / 2 + size * (i % 13));
    }
};

struct functor {
    static constexpr std::string_view name = "functor";
    static constexpr bool commutes = false;
    using type = first_present;
    using type_for_boost = first_present;

    static MPI_Op predefined() { return MPI_OP_NULL; }
    static double operand(std::size_t rank, std::size_t i) {
        return (rank + i) % 3 == 0 ? sum::operand(rank, i) : type{}.absent;
    }
    static double expected(std::size_t size, std::size_t i) {
        auto const first = (3 - i % 3) % 3;
        return first < size ? operand(first, i) : type{}.absent;
    }
};

/// For collectives that have no operator. No two ranks have the same.
struct none {
    static constexpr std::string_view name = "none";
    static constexpr bool commutes = true;
    struct type {};
    using type_for_boost = type;

    static double operand(std::size_t rank, std::size_t i) {
        return static_cast<double>(rank) * 0x1p31 + static_cast<double>(i);
    }
};

}  // namespace operators

/// What combining costs in a simulation, which does not count the program's own work.
struct cost {
    double gamma = 0;  ///< seconds per byte
    bool with_data = true;
};

/// `Op` on blocks, at a cost.
template <class Op, class T>
struct charged {
    Op op;
    cost each;

    void operator()(std::span<T const> left, std::span<T const> right, std::span<T> out) const {
        if (each.with_data) { tutti::operators::combine(op, left.data(), right.data(), out.data(), out.size()); }
        machine::compute(each.gamma * static_cast<double>(out.size_bytes()));
    }
};

/// The operator as a user of tutti gives it.
template <class Operator, class T = double>
[[nodiscard]] auto operator_for_tutti(cost each) {
    using op = typename Operator::type;
    if constexpr (!machine::is_simulated || std::same_as<Operator, operators::none>) {
        static_cast<void>(each);
        return op{};
    } else if constexpr (Operator::commutes) {
        return tutti::commutative(tutti::on_blocks(charged<op, T>{{}, each}));
    } else {
        return tutti::on_blocks(charged<op, T>{{}, each});
    }
}

/// The operator as a user of MPI gives it: MPI's own where there is one and it costs nothing.
template <class Operator, class T = double>
class operator_for_mpi {
    using op = typename Operator::type;

public:
    explicit operator_for_mpi(cost each) {
        if (Operator::predefined() != MPI_OP_NULL && each.gamma == 0 && each.with_data) {
            handle_ = Operator::predefined();
        } else {
            state().each = each;
            MPI_Op_create(&combine, Operator::commutes, &created_);
            handle_ = created_;
        }
    }
    operator_for_mpi(operator_for_mpi const&) = delete;
    operator_for_mpi& operator=(operator_for_mpi const&) = delete;
    ~operator_for_mpi() {
        if (created_ != MPI_OP_NULL) { MPI_Op_free(&created_); }
    }

    [[nodiscard]] MPI_Op handle() const { return handle_; }

private:
    // MPI hands no state to a user's function.
    static charged<op, T>& state() {
        static charged<op, T> one{};
        return one;
    }

    static void combine(void* left, void* right, int* count, MPI_Datatype*) {
        auto const* const in = static_cast<T const*>(left);
        auto* const both = static_cast<T*>(right);
        auto const n = static_cast<std::size_t>(*count);
        if constexpr (machine::is_simulated) {
            state()({in, n}, {both, n}, {both, n});
        } else {
            auto const combine_one = state().op;
            for (std::size_t i = 0; i != n; ++i) { both[i] = combine_one(in[i], both[i]); }
        }
    }

    MPI_Op created_ = MPI_OP_NULL;
    MPI_Op handle_ = MPI_OP_NULL;
};

template <>
class operator_for_mpi<operators::none> {
public:
    explicit operator_for_mpi(cost) {}
    [[nodiscard]] MPI_Op handle() const { return MPI_OP_NULL; }
};

}  // namespace tutti::benchmark
