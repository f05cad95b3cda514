// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/binary_blocks.hpp>
#include <tutti/generator/reduce_scatter/bucket.hpp>
#include <tutti/generator/reduce_scatter/circulant.hpp>
#include <tutti/generator/reduce_scatter/mesh.hpp>
#include <tutti/generator/reduce_scatter/ordered.hpp>
#include <tutti/generator/reduce_scatter/ordered_mesh.hpp>
#include <tutti/generator/reduce_scatter/pairwise.hpp>
#include <tutti/generator/reduce_scatter/ported_circulant.hpp>
#include <tutti/generator/reduce_scatter/round_optimal.hpp>
#include <tutti/generator/reduce_scatter/short_vector.hpp>
#include <tutti/generator/reduce_scatter/split.hpp>
