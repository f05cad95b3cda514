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

namespace control {
struct call;
template <class C>
void enter_together(C& ranks, call const& entered);
}

namespace threads {
class communicator;
}
namespace mpi {
class communicator;
}

namespace engine {

struct execution;

template <class C>
void set_nodes(C& ranks, node_map const& nodes);
template <class C>
void set_execution(C& ranks, engine::execution const& chosen);
template <class C>
void recover_ranks(C& ranks);

}  // namespace engine

extern template engine::program selection::plan_program<collective::reduce>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::all_reduce>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::inclusive_scan>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::exclusive_scan>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::scan_reduce>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::reduce_scatter>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::broadcast>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::all_gather>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::gather>(selection::planned_call const&);
extern template engine::program selection::plan_program<collective::scatter>(selection::planned_call const&);

extern template int argument::rank_of(threads::communicator const&);
extern template int argument::size_of(threads::communicator const&);
extern template void engine::set_nodes(threads::communicator&, node_map const&);
extern template void engine::set_execution(threads::communicator&, engine::execution const&);
extern template void engine::recover_ranks(threads::communicator&);
extern template void control::enter_together(threads::communicator&, control::call const&);
extern template void engine::note_refusal(threads::communicator&, std::string_view, bool);
extern template void
engine::perform_prepared(engine::prepared_call<threads::communicator, std::byte, operators::byte_operator> const&);
extern template std::unique_ptr<engine::persistent_call>
engine::make_persistent(engine::prepared_call<threads::communicator, std::byte, operators::byte_operator> const&);

extern template int argument::rank_of(mpi::communicator const&);
extern template int argument::size_of(mpi::communicator const&);
extern template void engine::set_nodes(mpi::communicator&, node_map const&);
extern template void engine::set_execution(mpi::communicator&, engine::execution const&);
extern template void engine::recover_ranks(mpi::communicator&);
extern template void control::enter_together(mpi::communicator&, control::call const&);
extern template void engine::note_refusal(mpi::communicator&, std::string_view, bool);
extern template void
engine::perform_prepared(engine::prepared_call<mpi::communicator, std::byte, operators::byte_operator> const&);
extern template std::unique_ptr<engine::persistent_call>
engine::make_persistent(engine::prepared_call<mpi::communicator, std::byte, operators::byte_operator> const&);

}  // namespace tutti
