// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
// The functions of <tutti/tutti.h>. The target tutti::c compiles this file once; a program without CMake includes it in
// one translation unit of its own.
#include <tutti/language.hpp>

#include <stdexcept>

static_assert(!tutti::engine::is_linked,
              "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile "
              "it without that");

#include <c/algorithm.hpp>
#include <c/calls.hpp>
#include <c/error.hpp>
#include <c/objects.hpp>
#include <c/operators.hpp>
#include <c/sequences.hpp>
#include <c/sums.hpp>
#include <tutti/mpi.hpp>

extern "C" {

char const* tutti_error_string(int code) {
    switch (code) {
    case TUTTI_SUCCESS: return "success";
    case TUTTI_INVALID_ARGUMENT: return "an argument is invalid";
    case TUTTI_OUT_OF_MEMORY: return "out of memory";
    case TUTTI_COMMUNICATION: return "communication has failed";
    case TUTTI_WRONG_USE: return "a request runs, its communicator has been freed, or MPI does not run";
    case TUTTI_OTHER: return "the operator has failed, here or on another rank";
    default: return "not an error code of tutti";
    }
}

char const* tutti_last_error(void) { return tutti::c::last_error.data(); }

void tutti_fail(char const* why) {
    tutti::c::note_error(why != nullptr ? why : "the operator has failed");
    tutti::c::operator_has_failed = true;
}

MPI_Comm tutti_comm_f2c(MPI_Fint comm) { return MPI_Comm_f2c(comm); }

int tutti_refuse(MPI_Comm comm, char const* why) {
    return tutti::c::code_of([&] {
        tutti::call_modes::noting_refusal(comm, [&] {
            throw std::invalid_argument{why != nullptr ? why : "tutti: the arguments of a call are wrong"};
        });
    });
}

int tutti_rank_and_size(MPI_Comm comm, int* rank, int* size) {
    return tutti::c::code_of([&] {
        if (rank == nullptr || size == nullptr) {
            throw std::invalid_argument{"tutti: rank or size is a null pointer; give both addresses"};
        }
        *rank = static_cast<int>(tutti::c::rank_of(comm));
        *size = static_cast<int>(tutti::c::size_of(comm));
    });
}

int tutti_barrier(MPI_Comm comm) {
    return tutti::c::code_of([&] { tutti::barrier(comm); });
}

int tutti_recover(MPI_Comm comm) {
    return tutti::c::code_of([&] { tutti::recover(comm); });
}

int tutti_use_algorithm(MPI_Comm comm, char const* collective, char const* algorithm) {
    return tutti::c::code_of([&] { tutti::c::use_algorithm(comm, collective, algorithm); });
}

tutti_operator tutti_operator_for(int function, int type) { return tutti::c::operator_for(function, type); }

tutti_operator tutti_each(tutti_members const* members) { return tutti::c::each(members); }

}  // extern "C"
