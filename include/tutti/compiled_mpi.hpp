// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The part of <tutti/compiled.hpp> for programs that use MPI: it needs the same MPI as they.
#include <tutti/language.hpp>

static_assert(!tutti::engine::is_linked,
              "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile "
              "it without that");

#include <cstddef>
#include <memory>
#include <string_view>
#include <tuple>

#include <tutti/mpi.hpp>

namespace tutti {

template int argument::rank_of(mpi::communicator const&);
template int argument::size_of(mpi::communicator const&);
template void engine::set_nodes(mpi::communicator&, node_map const&);
template void engine::set_execution(mpi::communicator&, execution const&);
template void engine::recover_ranks(mpi::communicator&);
template void control::enter_together(mpi::communicator&, control::call const&);
template void engine::note_refusal(mpi::communicator&, std::string_view, bool);
template void
engine::perform_prepared(engine::prepared_call<mpi::communicator, std::byte, operators::byte_operator> const&);
template std::unique_ptr<engine::persistent_call>
engine::make_persistent(engine::prepared_call<mpi::communicator, std::byte, operators::byte_operator> const&);

namespace mpi {

// Inline functions are compiled where they are used.
[[gnu::used]] inline auto const compiled_functions =
    std::tuple{&communicator_of<MPI_Comm>::get, &node::make_block, &node::end_block};

}  // namespace mpi

}  // namespace tutti
