// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// MPI's C++ bindings, which MPI 3 has removed, take longer to compile than all the rest of a short program. A program
// that uses them includes <mpi.h> first.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
