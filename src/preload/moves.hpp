// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <preload/call.hpp>

namespace tutti::preload {

// ---- data that is only moved ---------------------------------------------------------------------------------------

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

    /// Puts what a rank gives into its part.
    void put(std::size_t r, std::span<std::byte const> given) {
        std::memmove(is_direct() ? place(r) : part(r).data(), given.data(), given.size());
    }

    [[nodiscard]] std::vector<std::size_t> const& counts() const { return bytes_; }
    /// The vector, if it is used where it lies.
    [[nodiscard]] std::span<std::byte const> in_place() const {
        if (!is_direct()) { return {}; }
        return {user_ + start_ * how_.extent, sum(bytes_)};
    }
    /// Whether the vector is used where it lies.
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

struct broadcast_stages {
    packed_elements data;
    std::size_t bytes;
    call_key key;
    bool is_root;

    void read() {
        if (is_root) { data.read(); }
    }
    void call() { perform_call<overloads::broadcast>(bytes, key.comm, as_bytes(data), key.root); }
    void write() {
        if (!is_root) { data.write(); }
    }
    void keep() {
        if (!data.stays()) { return; }
        kept_call::keep(function::broadcast, key, bytes, std::nullopt, [&](auto const&) {
            return call_modes::invocation_of<overloads::broadcast>(key.comm, as_bytes(data), key.root);
        });
    }
};

[[nodiscard]] inline result broadcast(void* both, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    constexpr auto which = function::broadcast;
    call_key const key{comm, type, MPI_OP_NULL, count, root, true};
    if (auto const done = perform_again(which, key, both, both)) { return done; }
    auto const bytes = static_cast<std::size_t>(count) * size_of(type);
    layout const how{type, comm};
    if (root < 0 || root >= ranks_of(comm) || how.lacks_memory(both, count)) { return reason::its_arguments; }
    return perform_on(comm, [=] {
        return broadcast_stages{{both, static_cast<std::size_t>(count), how}, bytes, key, rank_of(comm) == root};
    });
}

/// A part of the vector on every rank, as the root or another rank gives it: `count` elements of `type`.
struct rooted_call {
    bool is_root;
    bool in_place;
    bool has_counts;
    std::size_t bytes;                 ///< of this rank's own part; 0 in place
    std::vector<std::size_t> numbers;  ///< on the root, elements of each rank
};

/// What gathers and scatters have in common. `own` is the buffer of this rank's part, `count` and `type` describe it;
/// `counts`, or `equal` for all, and `whole_type` describe the root's vector. Arguments are right where they are
/// significant.
[[nodiscard]] inline std::variant<rooted_call, result> take_rooted(function which, void const* own, MPI_Count count,
                                                                   MPI_Datatype type, integers counts, MPI_Count equal,
                                                                   MPI_Datatype whole_type, int root, MPI_Comm comm) {
    bool const has_counts = which == function::gatherv || which == function::scatterv;
    auto const ranks = ranks_of(comm);
    if (root < 0 || root >= ranks) { return result{reason::its_arguments}; }
    rooted_call call{rank_of(comm) == root, own == MPI_IN_PLACE, has_counts, 0, {}};
    if (call.in_place && !call.is_root) { return result{reason::its_arguments}; }
    if (!call.in_place) {
        if (count < 0 || type == MPI_DATATYPE_NULL || layout{type, comm}.lacks_memory(own, count)) {
            return result{reason::its_arguments};
        }
        call.bytes = static_cast<std::size_t>(count) * size_of(type);
    }
    if (!call.is_root) { return call; }
    if (whole_type == MPI_DATATYPE_NULL) { return result{reason::its_arguments}; }
    if (!call.has_counts) {
        if (equal < 0) { return result{reason::its_arguments}; }
        call.numbers.assign(static_cast<std::size_t>(ranks), static_cast<std::size_t>(equal));
    } else if (auto given = counts_of(counts, ranks, 1)) {
        call.numbers = std::move(*given);
    } else {
        return result{reason::its_arguments};
    }
    return call;
}

/// Gathers and scatters: the root's vector, and each rank's part of it.
struct rooted_stages {
    function which;
    rooted_call with;
    call_key key;
    std::optional<parts_of> all;  // on the root
    std::optional<packed_elements> own;  // not in place

    /// Calls `use` with the vectors of a call of `Overloads`.
    template <class Overloads, class Use>
    auto with_vectors(Use use) {
        records<packing::record> const whole =
            all ? all->get() : records<packing::record>{static_cast<std::byte*>(nullptr), 0, 1};
        if (!own) { return use(Overloads{}, inplace(whole)); }
        if constexpr (std::is_same_v<Overloads, overloads::gather>) {
            return use(Overloads{}, as_bytes(*own), whole);
        } else {
            return use(Overloads{}, whole, as_bytes(*own));
        }
    }

    [[nodiscard]] bool gathers() const { return which == function::gather || which == function::gatherv; }
    [[nodiscard]] std::optional<std::size_t> in_place() const {
        return with.in_place ? std::optional{static_cast<std::size_t>(key.root)} : std::nullopt;
    }

    void read() {
        if (!gathers()) {
            if (all) { all->read(); }
        } else if (own) {
            own->read();
        } else {
            all->read(in_place());
        }
    }
    void call() {
        auto const perform = [&]<class Overloads>(Overloads, auto const&... vectors) {
            if (with.has_counts) {
                auto const counts = all ? std::span<std::size_t const>{all->counts()} : std::span<std::size_t const>{};
                perform_call<Overloads>(with.bytes, key.comm, vectors..., counts, key.root);
            } else {
                perform_call<Overloads>(with.bytes, key.comm, vectors..., key.root);
            }
        };
        if (gathers()) {
            with_vectors<overloads::gather>(perform);
        } else {
            with_vectors<overloads::scatter>(perform);
        }
    }
    void write() {
        if (!gathers()) {
            if (own) { own->write(); }
        } else if (all) {
            all->write(in_place());
        }
    }

    void keep() {
        if (key.count < 0 || (all && !all->stays()) || (own && !own->stays())) { return; }
        auto const invoke = [&]<class Overloads>(Overloads, auto const&... vectors) {
            return call_modes::invocation_of<Overloads>(key.comm, vectors..., key.root);
        };
        auto const bytes = with.bytes * comm_size(key.comm);
        if (gathers()) {
            kept_call::keep(which, key, bytes, std::nullopt,
                              [&](auto const&) { return with_vectors<overloads::gather>(invoke); });
        } else {
            kept_call::keep(which, key, bytes, std::nullopt,
                              [&](auto const&) { return with_vectors<overloads::scatter>(invoke); });
        }
    }
};

[[nodiscard]] inline std::span<std::byte const> memory_of(std::optional<parts_of> const& all) {
    return all ? all->in_place() : std::span<std::byte const>{};
}

/// Of a gather or scatter: `count` elements of `type` are this rank's part, and `equal` of `whole_type` what the root
/// has of each. Calls with counts, or in which the two differ, are like no other.
[[nodiscard]] inline call_key key_of_rooted(bool has_counts, bool in_place, MPI_Count count, MPI_Datatype type,
                                            MPI_Count equal, MPI_Datatype whole_type, int root, MPI_Comm comm) {
    if (in_place) { return {comm, whole_type, MPI_OP_NULL, has_counts ? -1 : equal, root, true}; }
    bool const differ = (type != whole_type || count != equal) && comm != MPI_COMM_NULL && rank_of(comm) == root;
    return {comm, type, MPI_OP_NULL, has_counts || differ ? -1 : count, root, false};
}

[[nodiscard]] inline result gather(function which, void const* in, MPI_Count count, MPI_Datatype type, void* out,
                                   integers counts, MPI_Count equal, integers displacements, MPI_Datatype out_type,
                                   int root, MPI_Comm comm) {
    bool const in_place = in == MPI_IN_PLACE;
    auto const key = key_of_rooted(which == function::gatherv, in_place, count, type, equal, out_type, root, comm);
    if (auto const done = perform_again(which, key, in_place ? out : in, out)) { return done; }
    auto call = take_rooted(which, in, count, type, counts, equal, out_type, root, comm);
    if (auto const* const left = std::get_if<result>(&call)) { return *left; }
    return perform_on(comm, [&] {
        rooted_stages stages{which, std::get<rooted_call>(std::move(call)), key, {}, {}};
        if (stages.with.is_root) {
            stages.all.emplace(out, std::move(stages.with.numbers), displacements, layout{out_type, comm});
        }
        if (!stages.with.in_place) {
            stages.own.emplace(in, static_cast<std::size_t>(count), layout{type, comm}, memory_of(stages.all));
        }
        return stages;
    });
}

[[nodiscard]] inline result scatter(function which, void const* in, integers counts, MPI_Count equal,
                                    integers displacements, MPI_Datatype type, void* out, MPI_Count count,
                                    MPI_Datatype out_type, int root, MPI_Comm comm) {
    bool const in_place = out == MPI_IN_PLACE;
    auto const key = key_of_rooted(which == function::scatterv, in_place, count, out_type, equal, type, root, comm);
    // in place the root's part stays where it is, in a vector that is only read
    auto* const own = in_place ? const_cast<void*>(in) : out;
    if (auto const done = perform_again(which, key, in, own)) { return done; }
    auto call = take_rooted(which, out, count, out_type, counts, equal, type, root, comm);
    if (auto const* const left = std::get_if<result>(&call)) { return *left; }
    return perform_on(comm, [&] {
        rooted_stages stages{which, std::get<rooted_call>(std::move(call)), key, {}, {}};
        if (stages.with.is_root) {
            stages.all.emplace(in, std::move(stages.with.numbers), displacements, layout{type, comm});
        }
        if (!stages.with.in_place) {
            stages.own.emplace(out, static_cast<std::size_t>(count), layout{out_type, comm}, memory_of(stages.all));
        }
        return stages;
    });
}

struct all_gather_stages {
    function which;
    std::size_t bytes;
    call_key key;
    parts_of all;
    std::size_t rank;
    bool in_place;
    std::optional<packed_elements> own;  // not in place

    void read() {
        if (own) { own->read(); }
        if (own && own->bytes() >= all.counts()[rank]) { return; }
        all.read(rank);
        if (!own) { return; }
        // fewer than it is to get, which MPI forbids: libraries put them into its part and send that
        all.put(rank, {own->data(), own->bytes()});
        own.reset();
    }
    void call() {
        if (own) {
            perform(as_bytes(*own), all.get());
        } else {
            perform(inplace(all.get()));
        }
    }
    void write() { all.write(in_place ? std::optional{rank} : std::nullopt); }
    void keep() {
        if (key.count < 0 || in_place != !own || !all.stays() || (own && !own->stays())) { return; }
        kept_call::keep(which, key, bytes, std::nullopt, [&](auto const&) {
            return own ? call_modes::invocation_of<overloads::all_gather>(key.comm, as_bytes(*own), all.get())
                       : call_modes::invocation_of<overloads::all_gather>(key.comm, inplace(all.get()));
        });
    }

private:
    template <class... Vectors>
    void perform(Vectors const&... vectors) {
        if (which == function::all_gather) {
            perform_call<overloads::all_gather>(bytes, key.comm, vectors...);
        } else {
            perform_call<overloads::all_gather>(bytes, key.comm, vectors..., all.counts());
        }
    }
};

[[nodiscard]] inline result all_gather(function which, void const* in, MPI_Count count, MPI_Datatype type, void* out,
                                       integers counts, MPI_Count equal, integers displacements, MPI_Datatype out_type,
                                       MPI_Comm comm) {
    bool const in_place = in == MPI_IN_PLACE;
    bool const is_plain = which == function::all_gather && (in_place || (type == out_type && count == equal));
    call_key const key{comm, out_type, MPI_OP_NULL, is_plain ? equal : -1, 0, in_place};
    if (is_plain) {
        if (auto const done = perform_again(which, key, in_place ? out : in, out)) { return done; }
    }
    auto const ranks = ranks_of(comm);
    if (out_type == MPI_DATATYPE_NULL) { return reason::its_arguments; }
    std::vector<std::size_t> numbers;
    if (which == function::all_gather) {
        if (equal < 0) { return reason::its_arguments; }
        numbers.assign(static_cast<std::size_t>(ranks), static_cast<std::size_t>(equal));
    } else if (auto given = counts_of(counts, ranks, 1)) {
        numbers = std::move(*given);
    } else {
        return reason::its_arguments;
    }
    auto const total = sum(numbers) * size_of(out_type);
    if (!in_place && (count < 0 || type == MPI_DATATYPE_NULL)) { return reason::its_arguments; }
    layout const whole{out_type, comm};
    if (whole.lacks_memory(out, total) || (!in_place && layout{type, comm}.lacks_memory(in, count))) {
        return reason::its_arguments;
    }
    return perform_on(comm, [&] {
        all_gather_stages stages{which,
                                 total,
                                 key,
                                 {out, std::move(numbers), displacements, whole},
                                 static_cast<std::size_t>(rank_of(comm)),
                                 in_place,
                                 {}};
        if (!in_place) {
            stages.own.emplace(in, static_cast<std::size_t>(count), layout{type, comm}, stages.all.in_place());
        }
        return stages;
    });
}

struct barrier_stages {
    MPI_Comm comm;
    unsigned char here = 1;
    unsigned char all = 0;

    void read() {}
    void call() {
        perform_call<overloads::whole_vectors<collective::all_reduce>>(
            0, comm, std::span<unsigned char const>{&here, 1}, std::span{&all, 1}, std::bit_and<>{});
    }
    void write() {}
};

[[nodiscard]] inline result barrier(MPI_Comm comm) {
    return perform_on(comm, [comm] { return barrier_stages{comm}; });
}

}  // namespace tutti::preload
