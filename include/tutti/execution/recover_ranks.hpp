// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator.hpp>
#include <tutti/execution/recover.hpp>
#include <tutti/execution/residents.hpp>

namespace tutti {

template <class C>
void recover_ranks(C& ranks) {
    ranks.attached().template get<residents>().communicator_recovers();
    if constexpr (recoverable<C>) { ranks.recover(); }
    ranks.attached().end_failure();
}

}  // namespace tutti
