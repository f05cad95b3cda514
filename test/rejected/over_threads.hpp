// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What snippets call, over threads. It is compiled once for all of them.

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective/forms.hpp>  // first: compilers list the includes on the way to what they refuse
#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/communicator/threads.hpp>
