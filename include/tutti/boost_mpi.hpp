// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/boost_mpi.hpp>
#include <tutti/element/boost_mpi.hpp>
#include <tutti/element/boost_serialization.hpp>
#include <tutti/mpi.hpp>
#include <tutti/operation/boost_mpi.hpp>
