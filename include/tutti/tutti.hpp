// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/draw.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/generator/all_reduce.hpp>
#include <tutti/generator/on_group.hpp>
#include <tutti/generator/reduce.hpp>
#include <tutti/generator/relabel.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/generator/then.hpp>
#include <tutti/operation/combine.hpp>
#include <tutti/operation/commutative.hpp>
#include <tutti/operation/minmax.hpp>
#include <tutti/operation/on_blocks.hpp>
#include <tutti/operation/with_identity.hpp>
