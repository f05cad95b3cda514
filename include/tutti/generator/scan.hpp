// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/scan/direct.hpp>
#include <tutti/generator/scan/doubling.hpp>
#include <tutti/generator/scan/linear.hpp>
#include <tutti/generator/scan/recursive_multiplying.hpp>
#include <tutti/generator/scan/scan_and_broadcast.hpp>
#include <tutti/generator/scan/split.hpp>
#include <tutti/generator/scan/transposed_scan.hpp>
#include <tutti/generator/scan/two_tree.hpp>
