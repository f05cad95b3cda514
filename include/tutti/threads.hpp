// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <tutti/collectives.hpp>

#include <tutti/collective/execute.hpp>  // elements of any type are handed over
#include <tutti/communicator/threads.hpp>

#ifdef TUTTI_COMPILED
namespace tutti {
extern template void perform_prepared(prepared_call<threads::communicator, std::byte, byte_operator> const&);
extern template std::unique_ptr<persistent_call>
make_persistent(prepared_call<threads::communicator, std::byte, byte_operator> const&);
}  // namespace tutti
#endif
