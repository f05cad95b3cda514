// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator.hpp>
#include <tutti/execution/close_handlers.hpp>
#include <tutti/execution/recover.hpp>

namespace tutti {

template <class C>
void recover_ranks(C& ranks) {
    ranks.attached().template get<close_handlers>().on_recover();
    if constexpr (recoverable<C>) { ranks.recover(); }
    ranks.attached().end_failure();
}

}  // namespace tutti
