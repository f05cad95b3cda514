// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What the library of tutti::compiled defines for its communicators (<tutti/compiled.hpp>, <tutti/compiled_mpi.hpp>):
// not to be instantiated again, even where a header that a caller needs for something else includes the definitions.

#include <cstddef>
#include <memory>
#include <string_view>

#include <tutti/collective/perform.hpp>
#include <tutti/communicator/world.hpp>

namespace tutti {

class node_map;
struct call;
struct execution;

namespace threads {
class communicator;
}
namespace mpi {
class communicator;
}

template <class C>
void set_nodes(C& ranks, node_map const& nodes);
template <class C>
void set_execution(C& ranks, execution const& chosen);
template <class C>
void recover_ranks(C& ranks);
template <class C>
void enter_together(C& ranks, call const& entered);

extern template int argument::rank_of(threads::communicator const&);
extern template int argument::size_of(threads::communicator const&);
extern template void set_nodes(threads::communicator&, node_map const&);
extern template void set_execution(threads::communicator&, execution const&);
extern template void recover_ranks(threads::communicator&);
extern template void enter_together(threads::communicator&, call const&);
extern template void note_refusal(threads::communicator&, std::string_view);
extern template void perform_prepared(prepared_call<threads::communicator, std::byte, byte_operator> const&);
extern template std::unique_ptr<persistent_call>
make_persistent(prepared_call<threads::communicator, std::byte, byte_operator> const&);

extern template int argument::rank_of(mpi::communicator const&);
extern template int argument::size_of(mpi::communicator const&);
extern template void set_nodes(mpi::communicator&, node_map const&);
extern template void set_execution(mpi::communicator&, execution const&);
extern template void recover_ranks(mpi::communicator&);
extern template void enter_together(mpi::communicator&, call const&);
extern template void note_refusal(mpi::communicator&, std::string_view);
extern template void perform_prepared(prepared_call<mpi::communicator, std::byte, byte_operator> const&);
extern template std::unique_ptr<persistent_call>
make_persistent(prepared_call<mpi::communicator, std::byte, byte_operator> const&);

}  // namespace tutti
