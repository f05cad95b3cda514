// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Collectives on a sequence that is distributed over the ranks: bits that depend on its elements alone.
#include <tutti/language.hpp>

#include <tutti/collective/sequence.hpp>
#include <tutti/operation/sequence.hpp>
