// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

namespace tutti::container {

/// Whether an object may be moved to another address byte by byte, in place of its move constructor and destructor.
/// Classes that own memory and hold no address of their own members say so by a member type of this name.
template <class T>
inline constexpr bool relocates_as_bytes =
    std::is_trivially_copyable_v<T> || requires { typename T::relocates_as_bytes; };

/// The memory of a dynamic_array: all of it that does not depend on the type of the elements.
class array_memory {
public:
    array_memory() = default;
    array_memory(array_memory&& other) noexcept { swap(other); }
    array_memory& operator=(array_memory&&) = delete;
    ~array_memory() {
        if (memory_ != nullptr) { ::operator delete(memory_); }
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

protected:
    void swap(array_memory& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    // Room for `count` elements of `bytes` bytes each, and for twice as many as there were.
    [[gnu::noinline]] void grow(std::size_t count, std::size_t bytes) {
        count = std::max(count, 2 * capacity_ + 1);
        void* const fresh = ::operator new(count * bytes);
        if (memory_ != nullptr) {
            std::memcpy(fresh, memory_, size_ * bytes);
            ::operator delete(memory_);
        }
        memory_ = fresh;
        capacity_ = count;
    }

    // Copies of `count` elements of `bytes` bytes each, which are not this array's own, behind what is there.
    [[gnu::noinline]] void append_bytes(void const* first, std::size_t count, std::size_t bytes) {
        if (count == 0) { return; }
        if (size_ + count > capacity_) { grow(size_ + count, bytes); }
        std::memcpy(static_cast<std::byte*>(memory_) + size_ * bytes, first, count * bytes);
        size_ += count;
    }

    void* memory_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// The part of std::vector that tutti needs, at a fifth of the compile time of a std::vector of a new type: iterators
/// are pointers, there is no allocator, and one function for all types allocates. Everything behind an all_reduce over
/// MPI uses it (a test checks this), and std::vector only if users have one; other code may use either.
template <class T>
class dynamic_array : public array_memory {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = T const*;
    using relocates_as_bytes = void;

    dynamic_array() = default;
    // Delegating: an element that throws finds an object whose destructor runs.
    explicit dynamic_array(std::size_t count) : dynamic_array{} { resize(count); }
    dynamic_array(std::size_t count, T const& value) : dynamic_array{} { resize(count, value); }
    dynamic_array(T const* first, T const* last) : dynamic_array{} { append(first, last); }
    dynamic_array(std::initializer_list<T> values) : dynamic_array{} { append(values.begin(), values.end()); }
    dynamic_array(dynamic_array const& other) : dynamic_array{} { append(other.begin(), other.end()); }
    dynamic_array(dynamic_array&& other) noexcept : array_memory{std::move(other)} {}
    dynamic_array& operator=(dynamic_array other) noexcept {
        swap(other);
        return *this;
    }
    ~dynamic_array() { clear(); }

    [[nodiscard]] T* data() { return static_cast<T*>(memory_); }
    [[nodiscard]] T const* data() const { return static_cast<T const*>(memory_); }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T const* begin() const { return data(); }
    [[nodiscard]] T* end() { return data() + size_; }
    [[nodiscard]] T const* end() const { return data() + size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const { return data()[i]; }
    [[nodiscard]] T& front() { return *data(); }
    [[nodiscard]] T const& front() const { return *data(); }
    [[nodiscard]] T& back() { return data()[size_ - 1]; }
    [[nodiscard]] T const& back() const { return data()[size_ - 1]; }

    void reserve(std::size_t count) {
        static_assert(container::relocates_as_bytes<T>);
        if (count > capacity_) { grow(count, sizeof(T)); }
    }
    void push_back(T value) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            reserve(size_ + 1);
            ::new (end()) T(value);
            ++size_;
        } else {
            push_out_of_line(value);
        }
    }
    void pop_back() { shrink(size_ - 1); }
    void clear() { shrink(0); }
    [[gnu::noinline]] void resize(std::size_t count) {
        reserve(count);
        for (; size_ < count; ++size_) { ::new (end()) T{}; }
        shrink(count);
    }
    void resize(std::size_t count, T const& value) {
        reserve(count);
        for (; size_ < count; ++size_) { ::new (end()) T(value); }
        shrink(count);
    }
    void assign(T const* first, T const* last) {
        clear();
        append(first, last);
    }
    /// Copies of elements that are not this array's own.
    void append(T const* first, T const* last) {
        auto const count = static_cast<std::size_t>(last - first);
        if constexpr (std::is_trivially_copyable_v<T>) {
            append_bytes(first, count, sizeof(T));
        } else {
            reserve(size_ + count);
            for (; first != last; ++first, ++size_) { ::new (end()) T(*first); }
        }
    }
    /// Takes [first, last) out; those behind it move up.
    void erase(T* first, T* last) {
        auto const count = static_cast<std::size_t>(last - first);
        for (; last != end(); ++first, ++last) { *first = std::move(*last); }
        shrink(size_ - count);
    }
    /// Puts an element before `at`; those from there on move down.
    void insert(T* at, T value) {
        auto const index = static_cast<std::size_t>(at - begin());
        push_back(std::move(value));
        for (auto i = size_ - 1; i > index; --i) { std::swap(data()[i - 1], data()[i]); }
    }
    void erase(T* one) { erase(one, one + 1); }
    /// Takes out all elements of which `unwanted` holds.
    template <class Predicate>
    void erase_if(Predicate unwanted) {
        std::size_t kept = 0;
        for (auto& each : *this) {
            if (unwanted(each)) { continue; }
            std::swap(each, data()[kept++]);
        }
        shrink(kept);
    }
    void swap(dynamic_array& other) noexcept { array_memory::swap(other); }

    friend bool operator==(dynamic_array const& a, dynamic_array const& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    [[gnu::noinline]] void push_out_of_line(T& value) {
        reserve(size_ + 1);
        ::new (end()) T(std::move(value));
        ++size_;
    }
    void shrink(std::size_t count) {
        if constexpr (std::is_trivially_destructible_v<T>) {
            size_ = count;
        } else {
            while (size_ > count) {
                --size_;
                end()->~T();
            }
        }
    }
};

/// Sorts [first, last), equal elements staying in order: a loop where std::sort is a dozen functions that are compiled
/// for every type. For few elements, or such as are nearly in order: the time is proportional to the pairs that are
/// not.
template <class T, class Before>
void insertion_sort(T* first, T* last, Before before) {
    for (auto* next = first; next != last; ++next) {
        for (auto* at = next; at != first && before(*at, at[-1]); --at) { std::swap(at[-1], *at); }
    }
}

}  // namespace tutti::container

namespace tutti {
using container::dynamic_array;
}  // namespace tutti
