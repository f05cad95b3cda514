// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/all_reduce/butterfly.hpp>
#include <tutti/generator/all_reduce/direct_exchange.hpp>
#include <tutti/generator/all_reduce/front_loaded_ring.hpp>
#include <tutti/generator/all_reduce/late_rank.hpp>
#include <tutti/generator/all_reduce/ordered.hpp>
#include <tutti/generator/all_reduce/pre_reduced_ring.hpp>
#include <tutti/generator/all_reduce/recursive_doubling.hpp>
#include <tutti/generator/all_reduce/recursive_multiplying.hpp>
#include <tutti/generator/all_reduce/ring.hpp>
#include <tutti/generator/all_reduce/ring_of_starts.hpp>
#include <tutti/generator/all_reduce/sorted_linear_tree.hpp>
#include <tutti/generator/all_reduce/split.hpp>
#include <tutti/generator/all_reduce/unfolded_doubling.hpp>
