// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

// Every algorithm by its name, and what makes others of them.
#include <tutti/generator/all_reduce.hpp>
#include <tutti/generator/node_aware.hpp>
#include <tutti/generator/on_group.hpp>
#include <tutti/generator/reduce.hpp>
#include <tutti/generator/reduce_scatter.hpp>
#include <tutti/generator/relabel.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/scan.hpp>
#include <tutti/generator/scatter.hpp>
#include <tutti/generator/then.hpp>
