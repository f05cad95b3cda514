// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>

namespace tutti::mpi {

/// An object of type T that lives on a communicator of MPI and ends with it. Duplicates of the communicator do
/// not inherit it.
template <class T>
class attribute {
public:
    [[nodiscard]] static T* find(MPI_Comm owner) {
        void* value = nullptr;
        int found = 0;
        check("MPI_Comm_get_attr", MPI_Comm_get_attr(owner, key(), static_cast<void*>(&value), &found));
        return found != 0 ? static_cast<T*>(value) : nullptr;
    }

    static T& attach(MPI_Comm owner, std::unique_ptr<T> object) {
        check("MPI_Comm_set_attr", MPI_Comm_set_attr(owner, key(), object.get()));
        return *object.release();
    }

    static void remove(MPI_Comm owner) { check("MPI_Comm_delete_attr", MPI_Comm_delete_attr(owner, key())); }

private:
    static int key() {
        static int const created = [] {
            int result = MPI_KEYVAL_INVALID;
            check("MPI_Comm_create_keyval",
                  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &destroy, &result, nullptr));
            return result;
        }();
        return created;
    }

    static int destroy(MPI_Comm, int, void* value, void*) {
        delete static_cast<T*>(value);
        return MPI_SUCCESS;
    }
};

}  // namespace tutti::mpi
