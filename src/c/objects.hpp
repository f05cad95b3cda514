// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <c/calls.hpp>
#include <c/error.hpp>
#include <tutti/collective/sequence.hpp>
#include <tutti/element.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/packed_messages.hpp>
#include <tutti/mpi.hpp>

/// Objects of C's, of any number of bytes, which the operator may change.
namespace tutti::c {

/// Bytes of malloc's, so that a result can be given to the caller as it is; or the caller's own, as long as nothing is
/// written to them.
class object {
public:
    object() = default;
    object(void const* bytes_of_caller, std::size_t n) : bytes_{bytes_of_caller}, size_{n} {}
    object(object const& other) : object{other.bytes_, other.size_} {
        if (other.memory_ != nullptr) { own(); }
    }
    object(object&& other) noexcept
        : memory_{std::move(other.memory_)},
          bytes_{std::exchange(other.bytes_, nullptr)},
          size_{std::exchange(other.size_, 0)} {}
    object& operator=(object other) noexcept {
        memory_.swap(other.memory_);
        bytes_ = other.bytes_;
        size_ = other.size_;
        return *this;
    }
    ~object() = default;

    [[nodiscard]] void const* data() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Makes it `bytes` long, in memory of its own; what was in that is kept, as far as there is room.
    void* resize(std::size_t bytes) {
        auto* const larger = std::realloc(memory_.get(), bytes != 0 ? bytes : 1);
        if (larger == nullptr) { throw std::bad_alloc{}; }
        static_cast<void>(memory_.release());
        memory_.reset(larger);
        bytes_ = larger;
        size_ = bytes;
        return larger;
    }

    /// The bytes, which the caller frees.
    [[nodiscard]] tutti_object given_away() {
        if (memory_ == nullptr && size_ != 0) { own(); }
        bytes_ = nullptr;
        return {memory_.release(), std::exchange(size_, 0)};
    }

private:
    struct free_deleter {
        void operator()(void* memory) const { std::free(memory); }
    };

    /// Copies the bytes of another object, or of the caller's.
    void own() {
        auto const* const from = bytes_;
        auto* const to = resize(size_);
        if (size_ != 0) { std::memcpy(to, from, size_); }
    }

    std::unique_ptr<void, free_deleter> memory_;  ///< null: the bytes are the caller's
    void const* bytes_ = nullptr;
    std::size_t size_ = 0;
};

/// `grow` of an operator: the result is an object.
inline void* grow_object(void* result, std::size_t bytes) {
    try {
        return static_cast<object*>(result)->resize(bytes);
    } catch (std::bad_alloc const&) {
        tutti_fail("there is no memory for the result of the operator");
        return nullptr;
    }
}

/// An operator on objects.
struct operator_on_objects {
    tutti_combine_objects* combine;
    void* state;

    [[nodiscard]] object operator()(object const& left, object const& right) const {
        object result;
        operator_has_failed = false;
        combine(state, left.data(), left.size(), right.data(), right.size(), grow_object, &result);
        if (operator_has_failed) { throw std::runtime_error{last_error.data()}; }
        return result;
    }
};

[[nodiscard]] inline object object_at(void const* bytes, std::size_t n) {
    static_cast<void>(vector("bytes", bytes, n, 1));
    return {bytes, n};
}

}  // namespace tutti::c

/// The length of each object, and its bytes.
template <>
struct tutti::serialization<tutti::c::object> {
    static constexpr bool replaces = true;

    static void save(std::span<c::object const> in, std::vector<std::byte>& packed) {
        for (auto const& each : in) {
            std::uint64_t const size = each.size();
            append(packed, &size, sizeof size);
            append(packed, each.data(), each.size());
        }
    }

    static void load(std::span<std::byte const> packed, std::span<c::object> out) {
        for (auto& each : out) {
            std::uint64_t size = 0;
            take(packed, &size, sizeof size);
            if (size > packed.size()) { throw std::runtime_error{"tutti: an object is longer than its message"}; }
            take(packed, each.resize(size), size);
        }
    }

private:
    static void append(std::vector<std::byte>& packed, void const* from, std::size_t n) {
        auto const* const first = static_cast<std::byte const*>(from);
        packed.insert(packed.end(), first, first + n);
    }
    static void take(std::span<std::byte const>& packed, void* to, std::size_t n) {
        if (n > packed.size()) { throw std::runtime_error{"tutti: a message is too short for its objects"}; }
        if (n != 0) { std::memcpy(to, packed.data(), n); }
        packed = packed.subspan(n);
    }
};

template <>
inline constexpr bool tutti::travels_as_bytes<tutti::c::object> = false;

namespace tutti::c {

/// What the root of an all_reduce sends first: all of a short result.
struct first_message {
    std::uint64_t size = 0;
    std::uint64_t is_missing = 0;
    std::array<std::byte, 1024 - 2 * sizeof(std::uint64_t)> bytes{};
};

/// The objects of all ranks, combined, on every rank: on rank 0 first, and then by a broadcast of bytes. So other ranks
/// need memory for the result alone, and a long one is sent in segments.
template <class Op>
[[nodiscard]] object all_reduced(MPI_Comm comm, object const& mine, Op const& op) {
    bool const is_root = rank_of(comm) == 0;
    object all;
    std::exception_ptr wrong;
    try {
        all = tutti::reduce(comm, mine, op, 0).value_or(object{});
    } catch (std::exception const& why) {
        if (dynamic_cast<needs_recovery const*>(&why) != nullptr) { throw; }
        wrong = std::current_exception();  // the others wait for what follows
    }
    first_message first;
    auto const of_first = [&] { return std::min<std::size_t>(first.size, first.bytes.size()); };
    if (is_root) {
        first.size = all.size();
        first.is_missing = wrong != nullptr ? 1 : 0;
        if (all.size() != 0) { std::memcpy(first.bytes.data(), all.data(), of_first()); }
    }
    tutti::broadcast(comm, first, 0);
    if (wrong != nullptr) { std::rethrow_exception(wrong); }
    if (first.is_missing != 0) {
        throw std::runtime_error{"tutti: there is no result, since the operator has failed on another rank"};
    }
    bool const is_long = first.size > of_first();
    auto const begin = [&] { std::memcpy(all.resize(first.size), first.bytes.data(), of_first()); };
    if (!is_root && !is_long) { begin(); }
    if (!is_root && is_long) { call_modes::telling_others(comm, "all_reduce_objects", begin); }
    if (is_long) {
        auto* const bytes = static_cast<std::byte*>(const_cast<void*>(all.data()));  // the root's are only read
        tutti::broadcast(comm, std::span{bytes + of_first(), first.size - of_first()}, 0);
    }
    return all;
}

/// Checks what `mine_of` makes the object of this rank of, performs the call, and gives away what is in its place then.
template <class MineOf, class Perform>
int with_object(MPI_Comm comm, tutti_object* result, MineOf mine_of, Perform perform) {
    return code_of([&] {
        object mine;
        call_modes::noting_refusal(comm, [&] {
            if (result == nullptr) { throw std::invalid_argument{"tutti: result is a null pointer; give its address"}; }
            *result = {};
            mine = mine_of();
        });
        perform(mine);
        *result = mine.given_away();
    });
}

/// `perform(mine, op)` performs the call, with the operator as one that is known to commute, or as one that is not.
template <class Perform>
int with_objects(MPI_Comm comm, void const* bytes, std::size_t n, tutti_object_operator op, tutti_object* result,
                 Perform perform) {
    auto const mine_of = [&] {
        auto mine = object_at(bytes, n);
        if (op.combine == nullptr) { throw std::invalid_argument{"tutti: the operator has no function; give it one"}; }
        return mine;
    };
    return with_object(comm, result, mine_of, [&](object& mine) {
        operator_on_objects const how{op.combine, op.state};
        if (op.commutes != 0) { return perform(mine, commutative(how)); }
        perform(mine, how);
    });
}

}  // namespace tutti::c

extern "C" {

void tutti_object_free(tutti_object* object) {
    if (object == nullptr) { return; }
    std::free(object->bytes);
    *object = {};
}

int tutti_all_reduce_objects(MPI_Comm comm, void const* bytes, std::size_t n, tutti_object_operator op,
                             tutti_object* result) {
    return tutti::c::with_objects(comm, bytes, n, op, result, [&](auto& mine, auto const& by) {
        mine = tutti::c::all_reduced(comm, mine, by);
    });
}

int tutti_reduce_objects(MPI_Comm comm, void const* bytes, std::size_t n, tutti_object_operator op, int root,
                         tutti_object* result) {
    return tutti::c::with_objects(comm, bytes, n, op, result, [&](auto& mine, auto const& by) {
        mine = tutti::reduce(comm, mine, by, root).value_or(tutti::c::object{});
    });
}

int tutti_inclusive_scan_objects(MPI_Comm comm, void const* bytes, std::size_t n, tutti_object_operator op,
                                 tutti_object* result) {
    return tutti::c::with_objects(comm, bytes, n, op, result, [&](auto& mine, auto const& by) {
        tutti::inclusive_scan(comm, tutti::inplace(mine), by);
    });
}

int tutti_exclusive_scan_objects(MPI_Comm comm, void const* bytes, std::size_t n, tutti_object_operator op,
                                 tutti_object* result) {
    return tutti::c::with_objects(comm, bytes, n, op, result, [&](auto& mine, auto const& by) {
        tutti::c::object before;
        tutti::exclusive_scan(comm, mine, before, by);
        mine = std::move(before);
    });
}

int tutti_broadcast_objects(MPI_Comm comm, void const* bytes, std::size_t n, int root, tutti_object* result) {
    auto const mine_of = [&] {
        tutti::argument::check_root<tutti::collective::broadcast>(root, static_cast<int>(tutti::c::size_of(comm)));
        bool const is_root = static_cast<int>(tutti::c::rank_of(comm)) == root;
        return is_root ? tutti::c::object_at(bytes, n) : tutti::c::object{};
    };
    return tutti::c::with_object(comm, result, mine_of, [&](auto& mine) { tutti::broadcast(comm, mine, root); });
}

}  // extern "C"
