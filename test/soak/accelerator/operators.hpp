// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <mpi.h>

#include "datatype.hpp"

/// Operators of the user's, on vectors of 32-bit words in elements of any datatype.
namespace soak {

/// Where words lie in elements of the types that operators are called with.
class known_types {
public:
    struct words {
        std::vector<MPI_Aint> at;
        MPI_Aint extent;
    };

    static known_types& get() {
        static known_types all;
        return all;
    }
    void add(datatype const& type) {
        words of{{}, type.extent()};
        for (auto const& each : type.entries()) { of.at.push_back(each.at); }
        auto const lock = std::lock_guard{guard_};
        known_[type.handle()] = std::move(of);
    }
    [[nodiscard]] words at(MPI_Datatype type) {
        auto const lock = std::lock_guard{guard_};
        return known_.at(type);
    }

private:
    std::mutex guard_;
    std::map<MPI_Datatype, words> known_;
};

using word = std::uint32_t;

/// Calls `combine(left, right)`, of vectors of words in a row, of which `right` is the result.
template <class Combine>
void on_words(void* in, void* inout, int const* count, MPI_Datatype const* type, Combine combine) {
    auto const of = known_types::get().at(*type);
    auto const visit = [&](void* memory, auto action) {
        for (int i = 0; i != *count; ++i) {
            for (auto const at : of.at) { action(static_cast<std::byte*>(memory) + i * of.extent + at); }
        }
    };
    std::vector<word> left;
    std::vector<word> right;
    auto const read = [](std::byte const* from) {
        word value = 0;
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    visit(in, [&](std::byte const* from) { left.push_back(read(from)); });
    visit(inout, [&](std::byte const* from) { right.push_back(read(from)); });
    combine(left, right);
    auto const* next = right.data();
    visit(inout, [&](std::byte* to) { std::memcpy(to, next++, sizeof *next); });
}

extern "C" {

inline void soak_add(void* in, void* inout, int* count, MPI_Datatype* type) {
    on_words(in, inout, count, type, [](auto const& left, auto& right) {
        for (std::size_t i = 0; i != left.size(); ++i) { right[i] += left[i]; }
    });
}

/// Affine maps, two words each.
inline void soak_compose(void* in, void* inout, int* count, MPI_Datatype* type) {
    on_words(in, inout, count, type, [](auto const& left, auto& right) {
        for (std::size_t i = 0; i != left.size(); i += 2) {
            right[i + 1] += left[i + 1] * right[i];
            right[i] *= left[i];
        }
    });
}

/// Of two sorted lists the least words, as many as one list has. The vector must not be cut.
inline void soak_merge(void* in, void* inout, int* count, MPI_Datatype* type) {
    on_words(in, inout, count, type, [](auto const& left, auto& right) {
        std::vector<word> both(left.size() + right.size());
        std::merge(left.begin(), left.end(), right.begin(), right.end(), both.begin());
        std::copy_n(both.begin(), right.size(), right.begin());
    });
}

/// The first word is the length of a list, of which as much is kept as fits in. The vector must not be cut.
inline void soak_append(void* in, void* inout, int* count, MPI_Datatype* type) {
    on_words(in, inout, count, type, [](auto const& left, auto& right) {
        if (right.empty()) { return; }
        auto const most = right.size() - 1;
        auto const kept = std::min<std::size_t>(left[0], most);
        auto const added = std::min<std::size_t>(right[0], most - kept);
        std::vector<word> both(right.size());
        both[0] = static_cast<word>(kept + added);
        std::copy_n(left.begin() + 1, kept, both.begin() + 1);
        std::copy_n(right.begin() + 1, added, both.begin() + 1 + static_cast<std::ptrdiff_t>(kept));
        right = both;
    });
}

}  // extern "C"

enum class users_operator { add, compose, merge, append };

[[nodiscard]] constexpr bool is_of_whole_vector(users_operator which) { return which >= users_operator::merge; }
[[nodiscard]] constexpr bool is_commutative(users_operator which) {
    return which == users_operator::add || which == users_operator::merge;
}

/// `after_another`: made while one that commutes, or does not, is there for a moment, so that handles come again with
/// another meaning.
[[nodiscard]] inline MPI_Op make_operator(users_operator which, bool after_another = false) {
    constexpr MPI_User_function* functions[] = {soak_add, soak_compose, soak_merge, soak_append};
    int const commutes = is_commutative(which) ? 1 : 0;
    MPI_Op other = MPI_OP_NULL;
    MPI_Op result = MPI_OP_NULL;
    if (after_another) { MPI_Op_create(functions[commutes], 1 - commutes, &other); }
    MPI_Op_create(functions[static_cast<int>(which)], commutes, &result);
    if (after_another) { MPI_Op_free(&other); }
    return result;
}

/// One of this thread, which is made at the first time, or anew.
[[nodiscard]] inline MPI_Op kept_operator(users_operator which, bool anew) {
    static thread_local std::array<MPI_Op, 4> all{MPI_OP_NULL, MPI_OP_NULL, MPI_OP_NULL, MPI_OP_NULL};
    auto& one = all[static_cast<std::size_t>(which)];
    if (anew && one != MPI_OP_NULL) { MPI_Op_free(&one); }
    if (one == MPI_OP_NULL) { one = make_operator(which); }
    return one;
}

}  // namespace soak
