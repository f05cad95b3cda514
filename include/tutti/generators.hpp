// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Every algorithm by its name, what makes others of them, and a choice among those that are named.
#include <tutti/language.hpp>

#include <tutti/combinator/on_group.hpp>
#include <tutti/combinator/regular_groups.hpp>
#include <tutti/combinator/relabel.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/selection/automatic_among.hpp>
