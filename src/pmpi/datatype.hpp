// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/device_memory.hpp>
#include <tutti/communicator/mpi/error.hpp>

namespace tutti::pmpi {

/// The widest counts that the MPI has, and its functions that take them.
namespace widest {
#if MPI_VERSION >= 4
using count = MPI_Count;
inline constexpr auto pack = PMPI_Pack_c;
inline constexpr auto unpack = PMPI_Unpack_c;
inline constexpr auto reduce_local = PMPI_Reduce_local_c;
#else
using count = int;
inline constexpr auto pack = PMPI_Pack;
inline constexpr auto unpack = PMPI_Unpack;
inline constexpr auto reduce_local = PMPI_Reduce_local;
#endif
inline constexpr std::size_t most = std::numeric_limits<count>::max();
}  // namespace widest

/// Bytes of data in an element, or 0.
[[nodiscard]] inline std::size_t size_of(MPI_Datatype type) {
    if (type == MPI_DOUBLE) { return sizeof(double); }  // most are one of these, and each call asks
    if (type == MPI_INT) { return sizeof(int); }
    if (type == MPI_BYTE) { return 1; }
    MPI_Count size = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0) { return 0; }
    return static_cast<std::size_t>(size);
}

/// How a type was made: MPI_COMBINER_NAMED of MPI's own.
[[nodiscard]] inline int combiner_of(MPI_Datatype type) {
    int combiner = MPI_COMBINER_NAMED;
#if MPI_VERSION >= 4
    std::array<MPI_Count, 4> numbers{};
    PMPI_Type_get_envelope_c(type, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &combiner);
#else
    std::array<int, 3> numbers{};
    PMPI_Type_get_envelope(type, &numbers[0], &numbers[1], &numbers[2], &combiner);
#endif
    return combiner;
}

/// Whether a type is MPI's own, of which there is but one handle; those of Fortran's kinds and ranges have no names.
[[nodiscard]] inline bool is_predefined(MPI_Datatype type) {
    auto const combiner = combiner_of(type);
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/// Of a row of elements, or a duplicate, their type, which the caller frees unless it is predefined; else none.
[[nodiscard]] inline MPI_Datatype inner_type(MPI_Datatype type) {
    auto const combiner = combiner_of(type);
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) { return inner; }
    int number = 0;
    MPI_Aint address = 0;
#if MPI_VERSION >= 4
    MPI_Count count = 0;
    PMPI_Type_get_contents_c(type, 1, 0, 1, 1, &number, &address, &count, &inner);
#else
    PMPI_Type_get_contents(type, 1, 0, 1, &number, &address, &inner);
#endif
    return inner;
}

/// How elements of a type lie in memory. Between ranks they travel packed, in the order of the type's map and without
/// gaps, since each rank may have another type of the same signature.
class layout {
public:
    layout(MPI_Datatype type, MPI_Comm comm) : size{size_of(type)}, type_{type}, comm_{comm} {
        if (size == 0) { return; }
        MPI_Aint lower = 0;
        PMPI_Type_get_extent(type, &lower, &extent);
        PMPI_Type_get_true_extent(type, &first, &span);
        auto const bytes = static_cast<MPI_Aint>(size);
        dense = lower == 0 && first == 0 && extent == bytes && span == bytes && is_in_order();
    }

    std::size_t size = 0;  ///< bytes of data in an element
    MPI_Aint extent = 0;
    MPI_Aint first = 0;  ///< where the data of an element begins, in bytes from its address
    MPI_Aint span = 0;   ///< bytes from there to the end of its data
    bool dense = false;  ///< memory holds elements as they travel

    /// Has elements travel as they lie, each with all of its extent: where all ranks have the same type.
    void travel_with_gaps() {
        size = static_cast<std::size_t>(extent);
        dense = true;
    }

    /// Whether elements can be sent from where they lie; else they are packed.
    [[nodiscard]] bool can_stay(void const* user) const { return dense && !mpi::device_memory::holds(user); }

    /// Whether MPI refuses this as the address of `elements` elements.
    template <std::integral Number>
    [[nodiscard]] bool lacks_memory(void const* user, Number elements) const {
        return user == nullptr && dense && elements != 0;
    }

    /// Copies elements from where they lie, as many as fill `packed`.
    void pack(void const* user, std::span<std::byte> packed) const { copy("MPI_Pack", user, packed, true); }
    /// The opposite.
    void unpack(std::span<std::byte> packed, void* user) const { copy("MPI_Unpack", user, packed, false); }

private:
    // Longer elements, but for rows of shorter ones, are packed: to ask would take longer.
    static constexpr std::size_t longest_asked = std::size_t{1} << 16;

    // Whether the map of a type without gaps is in the order of memory. Asked once: the answer is an attribute of the
    // type, which ends with it.
    [[nodiscard]] bool is_in_order() const {
        if (is_predefined(type_)) { return true; }
        static int key = [] {
            int made = MPI_KEYVAL_INVALID;
            PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &made, nullptr);
            return made;
        }();
        void* known = nullptr;
        int is_known = 0;
        if (PMPI_Type_get_attr(type_, key, &known, &is_known) == MPI_SUCCESS && is_known != 0) {
            return known != nullptr;
        }
        bool const result = find_order();
        PMPI_Type_set_attr(type_, key, result ? &key : nullptr);
        return result;
    }

    [[nodiscard]] bool find_order() const {
        auto row_of = inner_type(type_);
        if (row_of != MPI_DATATYPE_NULL) {
            bool const result =
                is_predefined(row_of) || (PMPI_Type_commit(&row_of) == MPI_SUCCESS && layout{row_of, comm_}.dense);
            if (!is_predefined(row_of)) { PMPI_Type_free(&row_of); }
            return result;
        }
        if (size > longest_asked) { return false; }
        // Of bytes that hold their offsets, first the lower halves, then the upper ones, no other order looks the same.
        std::vector<std::byte> offsets(size);
        auto packed = offsets;
        for (unsigned shift = 0; shift != 16; shift += 8) {
            for (std::size_t i = 0; i != size; ++i) { offsets[i] = static_cast<std::byte>(i >> shift); }
            pack(offsets.data(), packed);
            if (packed != offsets) { return false; }
        }
        return true;
    }

    void copy(char const* call, void const* user, std::span<std::byte> packed, bool packs) const {
        auto* at = static_cast<std::byte*>(const_cast<void*>(user));
        if (dense && mpi::device_memory::holds(user)) {
            return packs ? mpi::device_memory::copy(packed.data(), user, packed.size())
                         : mpi::device_memory::copy(at, packed.data(), packed.size());
        }
        while (!packed.empty()) {
            auto const n = std::min(std::max<std::size_t>(widest::most / size, 1), packed.size() / size);
            auto const slice = packed.first(n * size);
            mpi::ensure(call,
                        at == MPI_BOTTOM ? copy_from_bottom(n, slice, packs) : copy_slice(at, type_, n, slice, packs));
            at += static_cast<MPI_Aint>(n) * extent;
            packed = packed.subspan(slice.size());
        }
    }

    // MPI_Pack of MPICH 4.0 refuses MPI_BOTTOM: displacements are counted from another address.
    [[nodiscard]] int copy_from_bottom(std::size_t n, std::span<std::byte> packed, bool packs) const {
        std::byte here{};
        MPI_Aint const away = -reinterpret_cast<MPI_Aint>(&here);
        MPI_Datatype moved = MPI_DATATYPE_NULL;
        mpi::ensure("MPI_Type_create_hindexed_block", PMPI_Type_create_hindexed_block(1, 1, &away, type_, &moved));
        PMPI_Type_commit(&moved);
        int const code = copy_slice(&here, moved, n, packed, packs);
        PMPI_Type_free(&moved);
        return code;
    }

    [[nodiscard]] int copy_slice(std::byte* user, MPI_Datatype type, std::size_t n, std::span<std::byte> packed,
                                 bool packs) const {
        if (packed.size() > widest::most) { return copy_long_element(user, type, packed, packs); }
        auto const count = static_cast<widest::count>(n);
        auto const bytes = static_cast<widest::count>(packed.size());
        widest::count at = 0;
        return packs ? widest::pack(user, count, type, packed.data(), bytes, &at, comm_)
                     : widest::unpack(packed.data(), bytes, &at, user, count, type, comm_);
    }

    // Of more bytes than MPI_Pack of MPI 3 can count: a collective of one rank copies from any type to any other.
    [[nodiscard]] static int copy_long_element(std::byte* user, MPI_Datatype type, std::span<std::byte> packed,
                                               bool packs) {
        constexpr std::size_t mib = std::size_t{1} << 20;
        std::array const lengths{static_cast<int>(packed.size() / mib), static_cast<int>(packed.size() % mib)};
        std::array const places{MPI_Aint{0}, static_cast<MPI_Aint>(packed.size() - packed.size() % mib)};
        std::array types{MPI_DATATYPE_NULL, MPI_BYTE};
        MPI_Datatype row = MPI_DATATYPE_NULL;
        mpi::ensure("MPI_Type_contiguous", PMPI_Type_contiguous(static_cast<int>(mib), MPI_BYTE, types.data()));
        mpi::ensure("MPI_Type_create_struct",
                    PMPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &row));
        PMPI_Type_commit(&row);
        int const code = packs ? PMPI_Allgather(user, 1, type, packed.data(), 1, row, MPI_COMM_SELF)
                               : PMPI_Allgather(packed.data(), 1, row, user, 1, type, MPI_COMM_SELF);
        PMPI_Type_free(&row);
        PMPI_Type_free(types.data());
        return code;
    }

    MPI_Datatype type_;
    MPI_Comm comm_;
};

/// Elements in the user's memory as they travel: where they lie, if they are dense, else a copy. A copy, too, of those
/// that overlap `others`, of the same call: MPI forbids that, but its libraries perform it, and one rank alone knows.
class packed_elements {
public:
    packed_elements(void const* user, std::size_t count, layout const& how, std::span<std::byte const> others = {})
        : user_{const_cast<void*>(user)}, how_{how}, bytes_{count * how_.size} {
        stays_ = how.can_stay(user) && !overlap({static_cast<std::byte const*>(user), bytes_}, others);
        if (!stays_) { copy_.resize(bytes_); }
    }

    void read() {
        if (!copy_.empty()) { how_.pack(user_, copy_); }
    }
    void write() {
        if (!copy_.empty()) { how_.unpack(copy_, user_); }
    }
    [[nodiscard]] std::byte* data() { return stays_ ? static_cast<std::byte*>(user_) : copy_.data(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] bool stays() const { return stays_; }

private:
    [[nodiscard]] static bool overlap(std::span<std::byte const> a, std::span<std::byte const> b) {
        std::less<> const before;
        return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) &&
               before(b.data(), a.data() + a.size());
    }

    void* user_;
    layout how_;
    std::size_t bytes_;
    bool stays_ = false;
    std::vector<std::byte> copy_;
};

}  // namespace tutti::pmpi
