// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/collective.hpp>

namespace tutti {

/// Calls `visit` with each collective, in the order in which results are shown.
void for_each_collective(auto const& visit) {
    [&]<class... Each>(collective::list<Each...>) { (visit(Each{}), ...); }(collective::all{});
}

}  // namespace tutti
