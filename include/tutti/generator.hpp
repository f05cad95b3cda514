// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What a generator is, and what it means where a call names it: all that a user's own generator includes.
#include <tutti/generator/concept.hpp>
#include <tutti/generator/named.hpp>
