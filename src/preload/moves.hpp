// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <pmpi/datatype.hpp>
#include <pmpi/integers.hpp>
#include <pmpi/ranks.hpp>
#include <preload/perform.hpp>
#include <tutti/collective/records.hpp>

namespace tutti::preload {

[[nodiscard]] inline records<packing::record> as_bytes(packed_elements& of) { return {of.data(), of.bytes(), 1}; }

/// The parts of all ranks in the user's memory, as bytes in rank order.
class parts_of {
public:
    /// Where no displacements are given, the parts follow each other.
    parts_of(void const* user, std::vector<std::size_t> counts, integers displacements, layout const& how)
        : user_{static_cast<std::byte*>(const_cast<void*>(user))}, how_{how}, may_stay_{how.can_stay(user)} {
        std::size_t place = 0;
        for (std::size_t r = 0; r != counts.size(); ++r) {
            auto const at = displacements ? static_cast<MPI_Aint>(displacements[r]) : static_cast<MPI_Aint>(place);
            places_.push_back(at);
            if (place == 0) { start_ = at; }  // the first part that is not empty may begin anywhere
            if (counts[r] != 0 && at != start_ + static_cast<MPI_Aint>(place)) { in_a_row_ = false; }
            place += counts[r];
            bytes_.push_back(counts[r] * how_.size);
        }
        if (!is_direct()) { copy_.resize(sum(bytes_)); }
    }

    void read(std::optional<std::size_t> only = std::nullopt) {
        for_each(only, [&](void* user, std::span<std::byte> packed) { how_.pack(user, packed); });
    }
    void write(std::optional<std::size_t> except = std::nullopt) {
        if (is_direct()) { return; }
        for (std::size_t r = 0; r != bytes_.size(); ++r) {
            if (r != except) { how_.unpack(part(r), place(r)); }
        }
    }

    void put(std::size_t r, std::span<std::byte const> given) {
        std::memmove(is_direct() ? place(r) : part(r).data(), given.data(), given.size());
    }

    [[nodiscard]] std::vector<std::size_t> const& counts() const { return bytes_; }
    /// Empty if the vector is not used where it lies.
    [[nodiscard]] std::span<std::byte const> in_place() const {
        if (!is_direct()) { return {}; }
        return {user_ + start_ * how_.extent, sum(bytes_)};
    }
    [[nodiscard]] bool stays() const { return is_direct(); }
    [[nodiscard]] records<packing::record> get() {
        auto* const first = is_direct() ? user_ + start_ * how_.extent : copy_.data();
        return {first, sum(bytes_), 1};
    }

private:
    [[nodiscard]] bool is_direct() const { return may_stay_ && in_a_row_; }
    [[nodiscard]] std::byte* place(std::size_t r) const { return user_ + places_[r] * how_.extent; }
    [[nodiscard]] std::span<std::byte> part(std::size_t r) {
        auto const first =
            std::accumulate(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(r), std::size_t{0});
        return std::span{copy_}.subspan(first, bytes_[r]);
    }

    template <class Action>
    void for_each(std::optional<std::size_t> only, Action action) {
        if (is_direct()) { return; }
        for (std::size_t r = 0; r != bytes_.size(); ++r) {
            if (!only || r == *only) { action(place(r), part(r)); }
        }
    }

    std::byte* user_;
    layout how_;
    bool may_stay_;
    bool in_a_row_ = true;
    MPI_Aint start_ = 0;
    std::vector<MPI_Aint> places_;
    std::vector<std::size_t> bytes_;
    std::vector<std::byte> copy_;
};

struct broadcast_call {
    packed_elements data;
    int root;
    bool is_root;
    std::monostate state{};

    void read() {
        if (is_root) { data.read(); }
    }
    template <class Use>
    auto with_arguments(std::monostate, Use use) {
        return use(overloads::broadcast{}, as_bytes(data), root);
    }
    void write() {
        if (!is_root) { data.write(); }
    }
    [[nodiscard]] std::size_t bytes() const { return data.bytes(); }
    [[nodiscard]] bool stays() const { return data.stays(); }
};

[[nodiscard]] inline result broadcast(call_entry& entry, void* both, MPI_Count count, MPI_Datatype type, int root,
                                      MPI_Comm comm) {
    call_key const key{comm, type, MPI_OP_NULL, count, root, true};
    return perform(entry, key, both, both, [&]() -> admitted<broadcast_call> {
        layout const how{type, comm};
        if (root < 0 || root >= entry.of->ranks() || how.lacks_memory(both, count)) { return decision::its_arguments; }
        return broadcast_call{{both, static_cast<std::size_t>(count), how}, root, rank_of(comm) == root};
    });
}

/// Gathers, scatters and all_gathers: this rank's own part, unless it is in place, and the whole vector where a rank
/// has it.
template <class Overloads>
struct divided_call {
    static constexpr bool scatters = std::is_same_v<Overloads, overloads::scatter>;
    static constexpr bool is_rooted = !std::is_same_v<Overloads, overloads::all_gather>;

    bool has_counts;
    bool in_place;
    std::size_t here;  ///< the rank whose part is in place, or this one
    int root;
    std::size_t whole_bytes;
    std::optional<parts_of> all{};
    std::optional<packed_elements> own{};
    std::monostate state{};

    void read() {
        if constexpr (scatters) {
            if (all) { all->read(); }
        } else {
            if (own) { own->read(); }
            if (!own) { all->read(here); }
            if constexpr (!is_rooted) { read_short_part(); }
        }
    }
    template <class Use>
    auto with_arguments(std::monostate, Use use) {
        auto const whole = all ? all->get() : records<packing::record>{static_cast<std::byte*>(nullptr), 0, 1};
        auto const counts = all ? std::span<std::size_t const>{all->counts()} : std::span<std::size_t const>{};
        auto const to_root = [&](auto const&... others) {
            if constexpr (is_rooted) {
                return use(Overloads{}, others..., root);
            } else {
                return use(Overloads{}, others...);
            }
        };
        auto const with = [&](auto const&... vectors) {
            return has_counts ? to_root(vectors..., counts) : to_root(vectors...);
        };
        if (!own) { return with(inplace(whole)); }
        if constexpr (scatters) {
            return with(whole, as_bytes(*own));
        } else {
            return with(as_bytes(*own), whole);
        }
    }
    void write() {
        if constexpr (scatters) {
            if (own) { own->write(); }
        } else if (all) {
            all->write(in_place ? std::optional{here} : std::nullopt);
        }
    }
    [[nodiscard]] std::size_t bytes() const { return whole_bytes; }
    [[nodiscard]] bool stays() const {
        return in_place == !own && (!all || all->stays()) && (!own || own->stays());
    }

private:
    /// MPI forbids a rank to give fewer elements than its part has, but MPI libraries accept it: they copy the elements
    /// into the part, and send that.
    void read_short_part() {
        if (!own || own->bytes() >= all->counts()[here]) { return; }
        all->read(here);
        all->put(here, {own->data(), own->bytes()});
        own.reset();
    }
};

/// Elements in each rank's part of the whole vector; nothing if a number is negative.
[[nodiscard]] inline std::optional<std::vector<std::size_t>> numbers_of(bool has_counts, integers counts,
                                                                        MPI_Count equal, int ranks) {
    if (has_counts) { return counts_of(counts, ranks); }
    if (equal < 0) { return std::nullopt; }
    return std::vector<std::size_t>(static_cast<std::size_t>(ranks), static_cast<std::size_t>(equal));
}

/// Whether MPI refuses this as a rank's own part.
[[nodiscard]] inline bool is_wrong_part(void const* own, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    return count < 0 || type == MPI_DATATYPE_NULL || layout{type, comm}.lacks_memory(own, count);
}

/// The key of a gather or scatter: this rank's part has `count` elements of `type`, each part at the root `equal`
/// elements of `whole_type`. Calls with counts, or in which the two differ, are not cached.
[[nodiscard]] inline call_key key_of_rooted(bool has_counts, bool in_place, MPI_Count count, MPI_Datatype type,
                                            MPI_Count equal, MPI_Datatype whole_type, int root, MPI_Comm comm) {
    if (in_place) { return {comm, whole_type, MPI_OP_NULL, has_counts ? -1 : equal, root, true}; }
    bool const differ = (type != whole_type || count != equal) && rank_of(comm) == root;
    return {comm, type, MPI_OP_NULL, has_counts || differ ? -1 : count, root, false};
}

/// Checks the arguments of a gather or scatter, where they are significant. This rank's part is `count` elements of
/// `type` at `own`; the root's vector has `counts` elements, or `equal` for each rank, of `whole_type`.
template <class Overloads>
[[nodiscard]] admitted<divided_call<Overloads>> admit_rooted(bool has_counts, void const* own, MPI_Count count,
                                                             MPI_Datatype type, void const* whole, integers counts,
                                                             MPI_Count equal, integers displacements,
                                                             MPI_Datatype whole_type, int root, MPI_Comm comm,
                                                             int ranks) {
    if (root < 0 || root >= ranks) { return decision::its_arguments; }
    bool const is_root = rank_of(comm) == root;
    bool const in_place = own == MPI_IN_PLACE;
    if (in_place ? !is_root : is_wrong_part(own, count, type, comm)) { return decision::its_arguments; }
    auto const bytes = in_place ? 0 : static_cast<std::size_t>(count) * size_of(type);
    divided_call<Overloads> call{has_counts, in_place, static_cast<std::size_t>(root), root,
                                 bytes * static_cast<std::size_t>(ranks)};
    if (is_root) {
        auto numbers = numbers_of(has_counts, counts, equal, ranks);
        if (whole_type == MPI_DATATYPE_NULL || !numbers) { return decision::its_arguments; }
        call.all.emplace(whole, std::move(*numbers), displacements, layout{whole_type, comm});
    }
    if (!in_place) {
        auto const others = call.all ? call.all->in_place() : std::span<std::byte const>{};
        call.own.emplace(own, static_cast<std::size_t>(count), layout{type, comm}, others);
    }
    return call;
}

[[nodiscard]] inline result gather(call_entry& entry, void const* in, MPI_Count count, MPI_Datatype type, void* out,
                                   integers counts, MPI_Count equal, integers displacements, MPI_Datatype out_type,
                                   int root, MPI_Comm comm) {
    bool const in_place = in == MPI_IN_PLACE;
    bool const has_counts = entry.kind.which == function::gatherv;
    auto const key = key_of_rooted(has_counts, in_place, count, type, equal, out_type, root, comm);
    return perform(entry, key, in_place ? out : in, out, [&] {
        return admit_rooted<overloads::gather>(has_counts, in, count, type, out, counts, equal, displacements, out_type,
                                               root, comm, entry.of->ranks());
    });
}

[[nodiscard]] inline result scatter(call_entry& entry, void const* in, integers counts, MPI_Count equal,
                                    integers displacements, MPI_Datatype type, void* out, MPI_Count count,
                                    MPI_Datatype out_type, int root, MPI_Comm comm) {
    bool const in_place = out == MPI_IN_PLACE;
    bool const has_counts = entry.kind.which == function::scatterv;
    auto const key = key_of_rooted(has_counts, in_place, count, out_type, equal, type, root, comm);
    // in place the root's part stays where it is, in a vector that is only read
    auto* const own = in_place ? const_cast<void*>(in) : out;
    return perform(entry, key, in, own, [&] {
        return admit_rooted<overloads::scatter>(has_counts, out, count, out_type, in, counts, equal, displacements,
                                                type, root, comm, entry.of->ranks());
    });
}

[[nodiscard]] inline result all_gather(call_entry& entry, void const* in, MPI_Count count, MPI_Datatype type, void* out,
                                       integers counts, MPI_Count equal, integers displacements, MPI_Datatype out_type,
                                       MPI_Comm comm) {
    bool const in_place = in == MPI_IN_PLACE;
    bool const has_counts = entry.kind.which == function::allgatherv;
    bool const is_plain = !has_counts && (in_place || (type == out_type && count == equal));
    call_key const key{comm, out_type, MPI_OP_NULL, is_plain ? equal : -1, 0, in_place};
    return perform(entry, key, in_place ? out : in, out, [&]() -> admitted<divided_call<overloads::all_gather>> {
        auto numbers = numbers_of(has_counts, counts, equal, entry.of->ranks());
        if (out_type == MPI_DATATYPE_NULL || !numbers) { return decision::its_arguments; }
        layout const whole{out_type, comm};
        auto const total = sum(*numbers) * size_of(out_type);
        if (whole.lacks_memory(out, total) || (!in_place && is_wrong_part(in, count, type, comm))) {
            return decision::its_arguments;
        }
        divided_call<overloads::all_gather> call{has_counts, in_place, static_cast<std::size_t>(rank_of(comm)), 0,
                                                 total};
        call.all.emplace(out, std::move(*numbers), displacements, whole);
        if (!in_place) {
            call.own.emplace(in, static_cast<std::size_t>(count), layout{type, comm}, call.all->in_place());
        }
        return call;
    });
}

struct barrier_call {
    unsigned char here = 1;
    unsigned char all = 0;
    std::monostate state{};

    void read() {}
    template <class Use>
    auto with_arguments(std::monostate, Use use) {
        return use(overloads::whole_vectors<collective::all_reduce>{}, std::span<unsigned char const>{&here, 1},
                   std::span{&all, 1}, std::bit_and<>{});
    }
    void write() {}
    [[nodiscard]] std::size_t bytes() const { return 0; }
    [[nodiscard]] bool stays() const { return false; }
};

[[nodiscard]] inline result barrier(call_entry& entry, MPI_Comm comm) {
    call_key const none{comm, MPI_DATATYPE_NULL, MPI_OP_NULL, -1, 0, false};  // its byte lasts for one call
    return perform(entry, none, nullptr, nullptr, []() -> admitted<barrier_call> { return barrier_call{}; });
}

}  // namespace tutti::preload
