// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/operation/run_time_operator.hpp>

namespace tutti::accelerator {

/// Bytes of data in an element, or 0.
[[nodiscard]] inline std::size_t size_of(MPI_Datatype type) {
    int size = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0) { return 0; }
    return static_cast<std::size_t>(size);
}

/// How elements of a type lie in memory.
struct layout {
    std::size_t size = 0;
    MPI_Aint extent = 0;
    bool dense = false;  ///< no byte is left out, nor is one before the address
    bool predefined = false;  ///< such a pair may have padding, which is not compared
    bool gapped = false;      ///< else: bytes of an extent are left out, and none lies outside it

    std::size_t end_of_data = 0;  ///< bytes from the address on

    explicit layout(MPI_Datatype type) : size{size_of(type)} {
        if (size == 0) { return; }
        MPI_Aint lower = 0;
        MPI_Aint true_lower = 0;
        MPI_Aint true_extent = 0;
        PMPI_Type_get_extent(type, &lower, &extent);
        PMPI_Type_get_true_extent(type, &true_lower, &true_extent);
        auto const bytes = static_cast<MPI_Aint>(size);
        int integers = 0;
        int addresses = 0;
        int types = 0;
        int combiner = 0;
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
        predefined = combiner == MPI_COMBINER_NAMED;
        // a type of the same bytes in another order is a rare thing, which its size does not show
        dense = lower == 0 && true_lower == 0 && extent == bytes && true_extent == bytes &&
                (predefined || combiner == MPI_COMBINER_CONTIGUOUS || combiner == MPI_COMBINER_DUP);
        gapped = !is_record() && lower == 0 && true_lower >= 0 && true_lower + true_extent <= extent;
        end_of_data = static_cast<std::size_t>(std::max<MPI_Aint>(true_lower + true_extent, 0));
    }

    /// Elements can be combined where they lie.
    [[nodiscard]] bool is_record() const { return dense || (predefined && extent >= static_cast<MPI_Aint>(size)); }
};

/// Copies elements out of their layout, one after the other; as many as fill `packed`.
inline void pack(void const* from, layout const& how, MPI_Datatype type, std::span<std::byte> packed, MPI_Comm comm) {
    auto const* first = static_cast<std::byte const*>(from);
    auto const most = std::max<std::size_t>(std::numeric_limits<int>::max() / how.size / 2, 1);
    while (!packed.empty()) {
        auto const n = std::min(most, packed.size() / how.size);
        auto const bytes = n * how.size;
        int position = 0;
        mpi::ensure("MPI_Pack", PMPI_Pack(first, static_cast<int>(n), type, packed.data(), static_cast<int>(bytes),
                                          &position, comm));
        if (position != static_cast<int>(bytes)) { throw std::logic_error{"tutti: MPI_Pack writes more than data"}; }
        first += static_cast<MPI_Aint>(n) * how.extent;
        packed = packed.subspan(bytes);
    }
}

/// The opposite.
inline void unpack(std::span<std::byte const> packed, void* to, layout const& how, MPI_Datatype type, MPI_Comm comm) {
    auto* first = static_cast<std::byte*>(to);
    auto const most = std::max<std::size_t>(std::numeric_limits<int>::max() / how.size / 2, 1);
    while (!packed.empty()) {
        auto const n = std::min(most, packed.size() / how.size);
        auto const bytes = n * how.size;
        int position = 0;
        mpi::ensure("MPI_Unpack", PMPI_Unpack(packed.data(), static_cast<int>(bytes), &position, first,
                                              static_cast<int>(n), type, comm));
        first += static_cast<MPI_Aint>(n) * how.extent;
        packed = packed.subspan(bytes);
    }
}

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

/// Applies an operator of MPI to elements of a type of MPI: by MPI itself, so that it covers every operator and type, but
/// for sums, maxima and minima of the usual numbers where it is not Open MPI, which has vector instructions for them: a
/// reduce of 256 KiB over MPICH 4.0 took 18 us by its MPI_Reduce_local and takes 11 (2 ranks, AMD EPYC, 2026-11-25,
/// `./dev bench collectives --mpi mpich --ranks 2 --model default --implementations mpi,accelerator`).
struct mpi_operator {
    MPI_Op op;
    MPI_Datatype type;
    std::size_t extent;

    [[nodiscard]] run_time_operator get() {
        auto const usual = usual_combine();
        return {usual != nullptr ? usual : combine, this, commutes(op)};
    }

private:
    using combine_function = void(void*, void const*, void*, std::size_t);

    template <class T, class Op>
    static void combine_usual(void*, void const* in, void* inout, std::size_t n) {
        Op usual{};
        auto* const right = static_cast<T*>(inout);
        tutti::combine<T>(usual, static_cast<T const*>(in), right, right, n);
    }

    template <class T>
    [[nodiscard]] combine_function* usual_combine_of() const {
        return op == MPI_SUM   ? combine_usual<T, std::plus<T>>
               : op == MPI_MAX ? combine_usual<T, maximum<T>>
               : op == MPI_MIN ? combine_usual<T, minimum<T>>
                               : nullptr;
    }

    [[nodiscard]] combine_function* usual_combine() const {
        if (is_open_mpi()) { return nullptr; }
        return type == MPI_DOUBLE  ? usual_combine_of<double>()
               : type == MPI_FLOAT ? usual_combine_of<float>()
               : type == MPI_INT   ? usual_combine_of<int>()
               : type == MPI_LONG  ? usual_combine_of<long>()
                                   : nullptr;
    }

    static void combine(void* state, void const* in, void* inout, std::size_t n) {
        auto const& self = *static_cast<mpi_operator*>(state);
        constexpr std::size_t most = std::numeric_limits<int>::max();
        for (std::size_t first = 0; first != n;) {
            auto const count = std::min(most, n - first);
            mpi::ensure("MPI_Reduce_local", PMPI_Reduce_local(static_cast<std::byte const*>(in) + first * self.extent,
                                                              static_cast<std::byte*>(inout) + first * self.extent,
                                                              static_cast<int>(count), self.type, self.op));
            first += count;
        }
    }
};

/// Whether an operator is a function of the user's.
[[nodiscard]] inline bool is_users(MPI_Op op) {
    for (MPI_Op const each : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR,
                              MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP}) {
        if (op == each) { return false; }
    }
    return true;
}

/// Whether MPI applies the operator to elements of the type. Asked once of each predefined operator and type: an error
/// must reach the user's error handler, not stop a collective on its way.
[[nodiscard]] inline bool applies_to(MPI_Op op, MPI_Datatype type, std::size_t extent) {
    if (op == MPI_OP_NULL || op == MPI_REPLACE || op == MPI_NO_OP) { return false; }
    if (is_users(op)) { return true; }
    static std::mutex guard;
    static std::map<std::pair<MPI_Op, MPI_Datatype>, bool> known;
    auto const lock = std::lock_guard{guard};
    auto const found = known.find({op, type});
    if (found != known.end()) { return found->second; }
    std::vector<std::byte> left(extent + sizeof(std::max_align_t));
    auto right = left;
    mpi::errors_of_world_returned const scope;
    bool const works = PMPI_Reduce_local(left.data(), right.data(), 1, type, op) == MPI_SUCCESS;
    known[{op, type}] = works;
    return works;
}

}  // namespace tutti::accelerator
