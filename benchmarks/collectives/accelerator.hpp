// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>
#include <string>

#include <dlfcn.h>

#include "../support/options.hpp"
#include "calls.hpp"

/// The collectives of libtutti_mpi.so as programs call them that preload it.
namespace tutti::benchmark::accelerator {

template <class Function>
void find(void* library, char const* name, Function& result) {
    result = reinterpret_cast<Function>(dlsym(library, name));
    if (result == nullptr) { throw command_line::usage_error{std::string{"the accelerator has no "} + name}; }
}

/// Of the file that TUTTI_ACCELERATOR names. Throws `usage_error` where it cannot be used.
[[nodiscard]] inline by_mpi::functions functions() {
    auto const* const file = std::getenv("TUTTI_ACCELERATOR");
    if (file == nullptr) {
        throw command_line::usage_error{"TUTTI_ACCELERATOR names no library; './dev accelerate --print' does"};
    }
    auto* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) { throw command_line::usage_error{dlerror()}; }
    by_mpi::functions result;
#define TUTTI_FIND(Name, member) find(library, #Name, result.member);
    TUTTI_MEASURED_CALLS(TUTTI_FIND)
#undef TUTTI_FIND
    return result;
}

}  // namespace tutti::benchmark::accelerator
