// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/reduce/arrival_ordered.hpp>
#include <tutti/generator/reduce/bi_greedy.hpp>
#include <tutti/generator/reduce/binary_tree.hpp>
#include <tutti/generator/reduce/binomial.hpp>
#include <tutti/generator/reduce/butterfly.hpp>
#include <tutti/generator/reduce/fibonacci.hpp>
#include <tutti/generator/reduce/limited_reducers.hpp>
#include <tutti/generator/reduce/limited_transfers.hpp>
#include <tutti/generator/reduce/linear.hpp>
#include <tutti/generator/reduce/overlapped_greedy.hpp>
#include <tutti/generator/reduce/pipeline.hpp>
#include <tutti/generator/reduce/postal_tree.hpp>
#include <tutti/generator/reduce/round_optimal.hpp>
#include <tutti/generator/reduce/two_tree.hpp>
#include <tutti/generator/reduce/uni_greedy.hpp>
