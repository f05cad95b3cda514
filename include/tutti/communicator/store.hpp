// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/dynamic_array.hpp>

namespace tutti::control {

/// Objects that others keep on a communicator for as long as it lives, one per type or key. They are destroyed in
/// reverse order of creation.
class store {
public:
    store() = default;
    store(store const&) = delete;
    store& operator=(store const&) = delete;
    ~store() { clear(); }

    void clear() {
        while (!kept_.empty()) {
            // removed from the list before it is destroyed, since its destructor may look for other objects
            auto const last = kept_.back();
            kept_.pop_back();
            last.end(last.object);
        }
    }

    template <class T>
    [[nodiscard]] T& get() {
        return get<T>(&key_of<T>);
    }

    /// The object of a key, where there are several of a type: `wanted` is an address that stands for T and stays valid
    /// as long.
    template <class T>
    [[nodiscard]] T& get(void const* wanted) {
        // Every collective call asks for two of a handful: addresses are compared fastest.
        for (auto const& each : kept_) {
            if (each.key == wanted) { return *static_cast<T*>(each.object); }
        }
        kept_.reserve(kept_.size() + 1);  // before there is an object that could get lost
        auto* const fresh = new T();
        kept_.push_back({wanted, fresh, [](void* object) noexcept { delete static_cast<T*>(object); }});
        return *fresh;
    }

private:
    template <class T>
    static inline char key_of = 0;

    struct kept {
        void const* key;
        void* object;
        void (*end)(void*) noexcept;
    };

    dynamic_array<kept> kept_;
};

}  // namespace tutti::control
