// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/accelerator/datatype.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/private_communicator.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/operation/run_time_operator.hpp>

namespace tutti::accelerator {

[[nodiscard]] inline bool commutes(MPI_Op op) {
    int result = 0;
    mpi::ensure("MPI_Op_commutative", PMPI_Op_commutative(op, &result));
    return result != 0;
}

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
class laid_out_memory {
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

/// Applies an operator of MPI to elements of a type of MPI: by MPI itself, so that it covers every operator and type,
/// but for sums, maxima and minima of the usual numbers where it is not Open MPI, which has vector instructions for
/// them. A reduce of 256 KiB over MPICH 4.0 took 18 us by its MPI_Reduce_local and takes 11 (2 ranks, AMD EPYC,
/// 2026-11-25, by `./dev bench collectives --mpi mpich --ranks 2 --model default --implementations mpi,accelerator`).
/// Sums of these into a third vector, which MPI_Reduce_local cannot do, are ours over Open MPI as well: the bits are
/// the same.
class mpi_operator {
public:
    /// On elements that travel by `how`; those of an operator that is `indivisible` are counted in bytes, since
    /// each rank may have made its own elements of them.
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
    laid_out_memory left_;
    laid_out_memory right_;
};

/// Whether an operator is a function of the user's.
[[nodiscard]] inline bool is_users(MPI_Op op) {
    for (MPI_Op const each : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR,
                              MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP}) {
        if (op == each) { return false; }
    }
    return true;
}

/// A communicator of this rank alone, which returns errors. Made in MPI_Init: later a rank may have none left.
[[nodiscard]] inline MPI_Comm alone() {
    static MPI_Comm const own = [] {
        MPI_Comm made = MPI_COMM_NULL;
        if (PMPI_Comm_dup(MPI_COMM_SELF, &made) == MPI_SUCCESS) { PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN); }
        return made;
    }();
    return own;
}

/// Whether MPI applies a predefined operator to elements of a predefined type. Asked once of each: an error
/// must reach the user's error handler, not stop a collective on its way.
[[nodiscard]] inline bool applies_to(MPI_Op op, MPI_Datatype type, layout const& how) {
    if (op == MPI_OP_NULL || op == MPI_REPLACE || op == MPI_NO_OP) { return false; }
    static std::mutex guard;
    static std::map<std::pair<MPI_Op, MPI_Datatype>, bool> known;
    auto const lock = std::lock_guard{guard};
    auto const found = known.find({op, type});
    if (found != known.end()) { return found->second; }
    std::vector<std::byte> left(static_cast<std::size_t>(how.extent) + sizeof(std::max_align_t));
    auto right = left;
    bool const works = alone() != MPI_COMM_NULL &&
                       PMPI_Allreduce(left.data(), right.data(), 1, type, op, alone()) == MPI_SUCCESS;
    known[{op, type}] = works;
    return works;
}

}  // namespace tutti::accelerator
