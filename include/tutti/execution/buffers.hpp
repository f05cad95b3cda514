// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <tutti/dynamic_array.hpp>
#include <tutti/element.hpp>
#include <tutti/program.hpp>

namespace tutti::engine {

/// Raw memory for `size` elements that need neither a default constructor nor initialisation. An element of a
/// type that is not trivially copyable begins to live when it is first written and lives until the end.
template <class T>
class workspace {
    static constexpr bool trivial = std::is_trivially_copyable_v<T>;
    // bytes are elements of some type
    static constexpr std::align_val_t alignment{std::max(alignof(T), packing::strictest_alignment)};

public:
    using relocates_as_bytes = void;

    workspace() = default;
    explicit workspace(std::size_t size)
        : size_{size}, elements_{size != 0 ? static_cast<T*>(::operator new(size * sizeof(T), alignment)) : nullptr} {
        if constexpr (!trivial) { constructed_.resize(size); }
    }
    workspace(workspace&& other) noexcept
        : size_{std::exchange(other.size_, 0)},
          elements_{std::exchange(other.elements_, nullptr)},
          constructed_{std::move(other.constructed_)} {}
    workspace& operator=(workspace other) noexcept {
        std::swap(size_, other.size_);
        std::swap(elements_, other.elements_);
        constructed_.swap(other.constructed_);
        return *this;
    }
    ~workspace() {
        if constexpr (!trivial) {
            for (std::size_t i = 0; i != size_ && !constructed_.empty(); ++i) {
                if (constructed_[i]) { std::destroy_at(elements_ + i); }
            }
        }
        if (elements_ != nullptr) { ::operator delete(elements_, alignment); }
    }

    [[nodiscard]] T* data() { return elements_; }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// How many of `count` elements from `first` on may be assigned to, up to the first one that may not.
    [[nodiscard]] std::size_t constructed([[maybe_unused]] std::size_t first, std::size_t count) const {
        if constexpr (trivial) {
            return count;
        } else {
            auto const begin = constructed_.begin() + static_cast<std::ptrdiff_t>(first);
            auto const end = begin + static_cast<std::ptrdiff_t>(count);
            return static_cast<std::size_t>(std::find(begin, end, false) - begin);
        }
    }

    /// `count` elements from `first` on have been constructed.
    void mark_constructed([[maybe_unused]] std::size_t first, [[maybe_unused]] std::size_t count) {
        if constexpr (!trivial) {
            std::fill_n(constructed_.begin() + static_cast<std::ptrdiff_t>(first), count, true);
        }
    }

    /// Makes `count` elements from `first` on copies of `source`.
    void assign(std::size_t first, std::size_t count, T const* source) {
        if constexpr (trivial) {
            std::uninitialized_copy_n(source, count, elements_ + first);
        } else {
            for (auto i = first; i != first + count; ++i, ++source) {
                if (constructed_[i]) {
                    elements_[i] = *source;
                } else {
                    std::construct_at(elements_ + i, *source);
                    constructed_[i] = true;
                }
            }
        }
    }

private:
    std::size_t size_ = 0;
    T* elements_ = nullptr;
    dynamic_array<bool> constructed_;
};

/// The memories that the places of a program refer to: the caller's and the workspace.
template <class T>
class buffers {
public:
    explicit buffers(program const& run) {
        for (auto const size : run.workspaces) { work_.push_back(workspace<T>{size}); }
    }

    void bind(T const* input, T* output, T* second_output) {
        // The input is written only where the caller gave it as the output too.
        caller_ = {const_cast<T*>(input), output, second_output};
    }

    [[nodiscard]] T* at(location where) {
        return where.memory < location::first_workspace ? caller_[where.memory] + where.offset
                                                     : work(where).data() + where.offset;
    }

    /// How many of the first `count` elements can be assigned to. All or none, unless a shorter block was in the same
    /// workspace before.
    [[nodiscard]] std::size_t constructed(location where, std::size_t count) {
        return where.memory < location::first_workspace ? count : work(where).constructed(where.offset, count);
    }

    void mark_constructed(location where, std::size_t count) {
        if (where.memory >= location::first_workspace) { work(where).mark_constructed(where.offset, count); }
    }

    void assign(location where, std::size_t count, T const* source) {
        if (where.memory >= location::first_workspace) {
            work(where).assign(where.offset, count, source);
        } else if (at(where) != source) {
            std::copy_n(source, count, at(where));
        }
    }

    void fill(location where, std::size_t count, T const& value) {
        if (where.memory < location::first_workspace) {
            std::fill_n(at(where), count, value);
            return;
        }
        for (std::size_t i = 0; i != count; ++i) { assign({where.memory, where.offset + i}, 1, &value); }
    }

private:
    [[nodiscard]] workspace<T>& work(location where) { return work_[where.memory - location::first_workspace]; }

    std::array<T*, location::first_workspace> caller_{};
    dynamic_array<workspace<T>> work_;
};

}  // namespace tutti::engine
