// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

// All collectives, blocking and as plans, with operators; tutti chooses the algorithms.
#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/operation/annotated.hpp>
#include <tutti/operation/arg_minimum.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/each.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/operation/on_blocks.hpp>

#define TUTTI_UNLESS_LINKED <tutti/collective/explain.hpp>
#include <tutti/seam.hpp>
#define TUTTI_UNLESS_LINKED <tutti/execution/packed_messages.hpp>
#include <tutti/seam.hpp>
#define TUTTI_UNLESS_LINKED <tutti/selection/canonical.hpp>
#include <tutti/seam.hpp>
