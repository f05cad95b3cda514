// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/node_aware/hierarchical.hpp>
#include <tutti/generator/node_aware/hierarchical_scan.hpp>
#include <tutti/generator/node_aware/in_node_order.hpp>
#include <tutti/generator/node_aware/multi_lane.hpp>
#include <tutti/generator/node_aware/multi_lane_reduce_scatter.hpp>
#include <tutti/generator/node_aware/multi_lane_scan.hpp>
