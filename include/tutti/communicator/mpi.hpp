// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/mpi/world.hpp>

#define TUTTI_UNLESS_LINKED <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/seam.hpp>
