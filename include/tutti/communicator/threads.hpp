// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/communicator.hpp>
#include <tutti/communicator/threads/error.hpp>
#include <tutti/communicator/threads/options.hpp>
#include <tutti/communicator/threads/run.hpp>
#include <tutti/communicator/threads/team.hpp>
