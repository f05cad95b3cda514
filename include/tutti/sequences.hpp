// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Collectives on a sequence that is distributed over the ranks, and sums whose operands have no order: bits that depend
// on the elements alone.
#include <tutti/language.hpp>

#include <tutti/collective/sequence.hpp>
#include <tutti/collective/sum_without_order.hpp>
#include <tutti/operation/sequence.hpp>
