// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <pmpi/datatype.hpp>
#include <pmpi/operator.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/operation/run_time_operator.hpp>

namespace tutti::preload {

using namespace pmpi;

/// Asked of the library, since one compiled for the standard ABI of MPI 5 runs with any that has it.
[[nodiscard]] inline bool is_open_mpi() {
    static bool const is = [] {
        std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> name{};
        int size = 0;
        return PMPI_Get_library_version(name.data(), &size) == MPI_SUCCESS &&
               std::string_view{name.data()}.starts_with("Open MPI");
    }();
    return is;
}

/// Memory for elements that have gaps.
class unpacked_memory {
public:
    /// The address of the first of n elements, aligned as any object may be.
    [[nodiscard]] std::byte* room_for(layout const& how, std::size_t n) {
        constexpr auto strictest = static_cast<MPI_Aint>(alignof(std::max_align_t));
        auto const others = static_cast<MPI_Aint>(n - 1) * how.extent;
        auto const first = how.first + std::min<MPI_Aint>(others, 0);
        auto const begin = (first - (first % strictest + strictest) % strictest);
        memory_.resize(static_cast<std::size_t>(how.first + how.span + std::max<MPI_Aint>(others, 0) - begin));
        // the first element itself may be far away, if its type holds addresses
        return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(memory_.data()) - begin);
    }

private:
    std::vector<std::byte> memory_;
};

/// Applies an operator of MPI to elements of a type of MPI, by MPI_Reduce_local, which knows all of them. Sums, maxima
/// and minima of the usual numbers are computed here unless the MPI is Open MPI, which has vector instructions for
/// them: a reduce of 256 KiB over MPICH 4.0 took 18 us by MPI_Reduce_local and takes 11 (2 ranks, AMD EPYC, 2026-11-25,
/// by `./dev bench collectives --mpi mpich --ranks 2 --model default --implementations mpi,accelerator`). Sums into a
/// third vector, which MPI_Reduce_local does not have, are computed here for Open MPI as well, with the same bits.
class mpi_operator {
public:
    /// For elements of layout `how`. An `indivisible` operator counts bytes: each rank may make other elements of them.
    mpi_operator(MPI_Op op, MPI_Datatype type, layout const& how, bool indivisible)
        : op_{op}, type_{type}, how_{how}, indivisible_{indivisible} {}

    [[nodiscard]] std::size_t unit() const { return indivisible_ ? 1 : how_.size; }

    [[nodiscard]] run_time_operator get() {
        auto const usual = usual_combine();
        bool const in_two = usual.in_two != nullptr && !is_open_mpi();
        bool const in_three = usual.in_three != nullptr && !indivisible_ && (in_two || op_ == MPI_SUM);
        return {in_two ? usual.in_two : combine, this, commutes(op_), indivisible_,
                in_three ? usual.in_three : nullptr};
    }

private:
    struct functions {
        void (*in_two)(void*, void const*, void*, std::size_t) = nullptr;
        void (*in_three)(void*, void const*, void const*, void*, std::size_t) = nullptr;
    };

    template <class T, class Op>
    static void combine_in_three(void*, void const* left, void const* right, void* out, std::size_t n) {
        Op usual{};
        tutti::operators::combine<T>(usual, static_cast<T const*>(left), static_cast<T const*>(right),
                                     static_cast<T*>(out), n);
    }
    template <class T, class Op>
    static void combine_in_two(void* state, void const* in, void* inout, std::size_t n) {
        combine_in_three<T, Op>(state, in, inout, inout, n);
    }
    template <class T, class Op>
    static constexpr functions of{&combine_in_two<T, Op>, &combine_in_three<T, Op>};

    template <class T>
    [[nodiscard]] functions usual_combine_of() const {
        return op_ == MPI_SUM   ? of<T, std::plus<T>>
               : op_ == MPI_MAX ? of<T, maximum<T>>
               : op_ == MPI_MIN ? of<T, minimum<T>>
                                : functions{};
    }

    [[nodiscard]] functions usual_combine() const {
        return type_ == MPI_DOUBLE  ? usual_combine_of<double>()
               : type_ == MPI_FLOAT ? usual_combine_of<float>()
               : type_ == MPI_INT   ? usual_combine_of<int>()
               : type_ == MPI_LONG  ? usual_combine_of<long>()
                                    : functions{};
    }

    static void combine(void* state, void const* in, void* inout, std::size_t n) {
        auto& self = *static_cast<mpi_operator*>(state);
        auto const& how = self.how_;
        auto const bytes = n * self.unit();
        if (how.dense) { return self.reduce_local(in, inout, bytes / how.size); }
        auto const packed = [&](void const* of) {
            return std::span{static_cast<std::byte*>(const_cast<void*>(of)), bytes};
        };
        auto* const left = self.left_.room_for(how, bytes / how.size);
        auto* const right = self.right_.room_for(how, bytes / how.size);
        how.unpack(packed(in), left);
        how.unpack(packed(inout), right);
        self.reduce_local(left, right, bytes / how.size);
        how.pack(right, packed(inout));
    }

    // More elements than fit into an int come in several calls where MPI's own collectives do the same.
    void reduce_local(void const* in, void* inout, std::size_t n) const {
        for (std::size_t first = 0; first != n;) {
            auto const count = std::min(widest::most, n - first);
            auto const offset = static_cast<MPI_Aint>(first) * how_.extent;
            mpi::ensure("MPI_Reduce_local", widest::reduce_local(static_cast<std::byte const*>(in) + offset,
                                                                static_cast<std::byte*>(inout) + offset,
                                                                static_cast<widest::count>(count), type_, op_));
            first += count;
        }
    }

    MPI_Op op_;
    MPI_Datatype type_;
    layout how_;
    bool indivisible_;
    unpacked_memory left_;
    unpacked_memory right_;
};

}  // namespace tutti::preload
