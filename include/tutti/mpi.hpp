// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <tutti/collectives.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/shared_vector.hpp>
