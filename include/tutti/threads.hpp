// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <tutti/collectives.hpp>

#include <tutti/collective/execute.hpp>  // elements of any type are handed over
#include <tutti/communicator/threads.hpp>
