// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <tutti/mpi.hpp>

#include <tutti/collective/boost_mpi.hpp>
#include <tutti/collective/execute.hpp>  // what is serialised is of any type
#include <tutti/communicator/boost_mpi.hpp>
#include <tutti/communicator/mpi/communicator.hpp>
#include <tutti/element/boost_mpi.hpp>
#include <tutti/element/boost_serialization.hpp>
#include <tutti/execution/packed_messages.hpp>
#include <tutti/operation/boost_mpi.hpp>
