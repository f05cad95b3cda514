// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <pthread.h>

namespace tutti::watch {

/// An object of each thread, made when it is asked for and deleted with the thread. What ends later with the thread may
/// ask again, and gets another one. That of the main thread stays: destructors of global objects call MPI after it.
template <class T>
class per_thread {
public:
    /// Null if there is none.
    [[nodiscard]] static T* find() noexcept { return mine_; }
    [[nodiscard]] static T& get() {
        if (mine_ == nullptr) {
            mine_ = new T{};
            pthread_setspecific(key(), mine_);
        }
        return *mine_;
    }

private:
    [[nodiscard]] static pthread_key_t key() {
        static pthread_key_t const made = [] {
            pthread_key_t result{};
            pthread_key_create(&result, [](void* ended) {
                mine_ = nullptr;
                delete static_cast<T*>(ended);
            });
            return result;
        }();
        return made;
    }

    inline static constinit thread_local T* mine_ = nullptr;  // quicker to read than the key
};

}  // namespace tutti::watch
