// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

// Threads of processes as ranks, with all collectives. It needs no MPI; beside <tutti/mpi.hpp> the processes may be
// those of an MPI_Comm.
#include <tutti/collectives.hpp>

#include <tutti/collective/execute.hpp>
#include <tutti/communicator/team.hpp>
