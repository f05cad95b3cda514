// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <pthread.h>

namespace tutti::watch {

/// One object for each thread, made at the first call of `get` and deleted when the thread ends; a later destructor of
/// the thread gets another one. The main thread's is never deleted: destructors of global objects may call MPI.
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
