// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdlib>
#include <string_view>

namespace tutti::mpi {

/// Whether the environment of this rank asks for calls to be compared: TUTTI_CHECK=1.
[[nodiscard]] inline bool check_is_wanted() {
    auto const* const said = std::getenv("TUTTI_CHECK");
    return said != nullptr && std::string_view{said} == "1";
}

}  // namespace tutti::mpi
